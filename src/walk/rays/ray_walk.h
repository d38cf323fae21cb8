/* ray_walk.h - traversals of trees along rays, front to back.
 *
 * One ray, or a pack of up to eight (ray_pack.h), against one body after the other: what was found
 * in one limits what is looked at in the next. A node is opened when a ray reaches it and knows no
 * nearer hit, so that lazy trees compute only what rays see. */
#ifndef WI_WALK_RAYS_RAY_WALK_H
#define WI_WALK_RAYS_RAY_WALK_H

#include "base/containers/array.h"
#include "broad/body_tree.h"
#include "geom/tri.h"
#include "prim/meet/ray_tri.h"
#include "walk/rays/ray_pack.h"
#include "walk/reader/reader.h"

typedef struct wi_ray_hit {
    double t;
    uint32_t body, slot; /* bodies as the query numbers them, in the order of their ids */
    float u, v;
    wi_tri tri;
} wi_ray_hit;

/* By (t, body, triangle). */
static inline bool wi_ray_hit_is_before(const wi_ray_hit *a, const wi_ray_hit *b)
{
    if (a->t != b->t) return a->t < b->t;
    return a->body != b->body ? a->body < b->body : a->slot < b->slot;
}

typedef enum wi_ray_wanted {
    WI_RAY_CLOSEST,
    WI_RAY_ANY, /* whichever comes first */
    WI_RAY_ALL
} wi_ray_wanted;

typedef struct wi_ray_rules {
    wi_ray_wanted wanted;
    bool one_sided; /* triangles that are met from behind do not count */
    bool (*accept)(void *context, size_t ray, const wi_ray_hit *hit); /* NULL: all */
    void *context;
} wi_ray_rules;

/* A node or, with WI_IS_LEAF, a leaf or a body still to be looked at, where it is entered, and by
 * which rays of a pack. */
typedef struct wi_ray_item {
    float near;
    uint32_t node;
    uint32_t lanes;
} wi_ray_item;

/* Eight triangles seen along the ray lie in a plane: the longest axis of the direction falls away.
 */
typedef struct wi_ray_shear {
    int axis[3];    /* the two that stay, then the longest */
    float slope[2]; /* of the direction along the first two, by the third */
    float start;    /* of the ray, along the third, from its origin */
    bool is_up;     /* along the third */
} wi_ray_shear;

typedef WI_ARRAY(wi_ray_item) wi_ray_items;

struct wi_ray_leaf;
typedef struct wi_ray_walk wi_ray_walk;

/* Looks at one body. False if there is no memory. */
typedef bool wi_run_ray(wi_ray_walk *walk, const wi_tree *h);

/* The next body that the ray may meet, near ones first; false if there is no other. */
typedef bool wi_next_ray_body(wi_ray_walk *walk, const wi_body_tree *tree, uint32_t *body);

/* Aims several rays at boxes of the world, and joins them; false if they do not go together. */
typedef bool wi_join_rays(wi_ray_pack *pack, const willow_ray *rays, unsigned count);

typedef struct wi_ray_kernels {
    wi_join_rays *join;
    wi_run_ray *run;
    wi_next_ray_body *next_body;
} wi_ray_kernels;

/* One of the rays that are followed. */
typedef struct wi_ray_state {
    wi_ray ray;
    size_t number;
    wi_ray_shear shear;    /* if has_shear: of rays that came to a leaf */
    uint32_t ignored_slot; /* of the body that is looked at; UINT32_MAX: none */
    bool has_shear, is_found;
    wi_ray_hit best; /* if one is found */
} wi_ray_state;

struct wi_ray_walk {
    wi_reader *reader; /* of the thread */
    const wi_ray_kernels *kernels;
    struct wi_ray_leaf *leaves; /* those read last; NULL before the first ray */
    wi_ray_items stack;         /* nodes and leaves of the body that is looked at */
    wi_ray_items bodies;        /* nodes and bodies of the tree over these */
    wi_ray_rules rules;

    /* of the rays that are followed */
    wi_ray_state rays[WI_LANES];
    unsigned count;
    unsigned open;             /* those that go on, a bit each */
    wi_ray_pack world;         /* aimed at boxes of the world */
    wi_ray_pack model;         /* aimed at those of the body, if that is posed */
    uint32_t body;             /* that is looked at */
    WI_ARRAY(wi_ray_hit) hits; /* of all rays, if all hits are wanted */
};

/* Until wi_ray_walk_free the reader must not move. */
void wi_ray_walk_init(wi_ray_walk *walk, wi_reader *reader);
void wi_ray_walk_free(wi_ray_walk *walk);

/* Makes room for leaves and bodies, and forgets the hits of earlier rays. False if there is no
 * memory. */
bool wi_ray_walk_ready(wi_ray_walk *walk, const wi_ray_rules *rules);

/* Begins with the first of several rays, together with as many of the next as go nearly its way:
 * all of them, or none. How many that are. Bodies are those in a tree. */
unsigned wi_ray_walk_begin(wi_ray_walk *walk, const willow_ray *rays, size_t number, unsigned count,
                           const wi_body_tree *tree);

/* Looks at the body with this number, unless it is one without triangles that collide. What rays
 * ignore of it is set. False if there is no memory. */
bool wi_ray_walk_meet(wi_ray_walk *walk, const wi_tree *h, uint32_t body);

/* The rays aimed at boxes of a body, limited as those at the world. */
const wi_ray_pack *wi_ray_walk_aim(wi_ray_walk *walk, const wi_tree *h);

/* Tests a triangle exactly, and keeps the hit if it is wanted. False if there is no memory. */
bool wi_ray_walk_test(wi_ray_walk *walk, unsigned lane, const wi_tri *tri, uint32_t slot);

#endif
