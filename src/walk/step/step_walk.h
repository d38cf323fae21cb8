/* step_walk.h - traversals of two bodies that move, or of one that does: contacts.
 *
 * As walks over pairs (walk/pairs/pair_walk.h), with moving boxes. What may touch on the way waits
 * until there are eight of a kind: first pairs of triangles (movers), then pairs of their features,
 * then those that a look at the whole step leaves. Near questions are asked in the same way of
 * bodies that stand still. */
#ifndef WI_WALK_STEP_STEP_WALK_H
#define WI_WALK_STEP_STEP_WALK_H

#include "prim/meet/tri_filter.h"
#include "prim/moving/features8.h"
#include "walk/pairs/descent.h"
#include "walk/step/step.h"

/* A contact of two triangles: an impact, or two that are near each other. */
typedef struct wi_contact {
    wi_pair_key key;   /* the two triangles */
    uint32_t pair;     /* the number of the two bodies in the question */
    uint8_t code;      /* which of their features: see walk/step/features.h */
    bool is_decided;   /* else it may be none */
    double value;      /* time or distance */
    willow_contact at; /* where: then, or now */
} wi_contact;

/* Up to eight pairs of features, all vertices and faces or all edges and edges. */
typedef struct wi_feature_queue {
    wi_feature8 at;               /* their points at both ends of the step */
    wi_pair_key key[WI_LANES];    /* the triangles that they belong to */
    uint32_t vertex[WI_LANES][4]; /* what the points are */
    uint8_t code[WI_LANES];       /* which features of the triangles they are */
    bool is_b_first[WI_LANES];    /* the first of the two features is of body b, not of a */
    unsigned count;
} wi_feature_queue;

/* Up to eight pairs of triangles at both ends of a step. */
typedef struct wi_movers {
    wi_tri8 a[2], b[2];
    wi_pair_key key[WI_LANES];
    unsigned count;
} wi_movers;

/* What pairs of features go through before they are decided one by one. */
typedef enum wi_feature_filter {
    WI_FILTER_NONE,  /* a body is BRUTE: nothing is left to filters but features of mixed sizes */
    WI_FILTER_STILL, /* nothing moves: one look */
    WI_FILTER_MOVING /* a look at the whole step, and then at parts of it */
} wi_feature_filter;

typedef struct wi_step_walk {
    wi_descent down; /* the first member: see wi_step_walk_of */
    const struct wi_step_kernels *kernels;
    struct wi_leaf_cache *end_caches; /* leaves at the end of the step; NULL until it is needed */
    WI_ARRAY(wi_contact) contacts;    /* those found */
    wi_movers movers;                 /* triangles that wait */
    wi_feature_queue queues[2];       /* features that wait: of vertices and faces, of edges */
    wi_feature_queue late[2];         /* the same for those that a look at the whole step leaves */
    wi_feature_filter filter;         /* of the two bodies at hand */
    wi_step step;                     /* how these move */
    uint32_t pair;                    /* their number in the question */
    bool is_over; /* what touches at the start was found: there can be no earlier impact */
} wi_step_walk;

/* The walk that a descent is the beginning of. */
static inline wi_step_walk *wi_step_walk_of(wi_descent *down)
{
    _Static_assert(offsetof(wi_step_walk, down) == 0, "a descent begins its walk");
    return (wi_step_walk *)(void *)down;
}

typedef struct wi_step_kernels {
    /* Opens one pair of nodes of the two bodies at hand: pushes their children's pairs, meets those
     * of leaves and decides all that waits. False if there is no memory. */
    bool (*open)(wi_step_walk *walk, const wi_walk_item *item);

    /* Opens until the stack is empty, and decides all that waits. */
    bool (*run)(wi_step_walk *walk);

    const wi_leaf_ops *leaf; /* by wi_kinship */
    wi_features_apart *features_apart;
} wi_step_kernels;

/* Sends waiting movers through their filter, and those that may touch to their features: a kernel
 * of its own. False if there is no memory. */
typedef bool wi_step_decide(wi_step_walk *walk);

/* Until wi_step_walk_free the reader must not move. */
void wi_step_walk_init(wi_step_walk *walk, wi_reader *reader);
void wi_step_walk_free(wi_step_walk *walk);

/* Forgets what an earlier query left. */
void wi_step_walk_start(wi_step_walk *walk, const wi_walk_rules *rules);

/* The two bodies at hand from now on: how they move, and which pair of the question they are. False
 * if there is no memory. */
bool wi_step_walk_take(wi_step_walk *walk, const wi_step *step, uint32_t pair);

/* Puts the roots of the two bodies at hand on the stack, and fans below them; nothing if one has no
 * tree. False if there is no memory. */
bool wi_step_walk_seed(wi_step_walk *walk);

/* Forgets what waits, when the walk is over. */
void wi_step_walk_drop(wi_step_walk *walk);

/* Before nodes of the two bodies at hand are opened: what happens to leaves. False if there is no
 * memory. */
bool wi_step_walk_begin(wi_step_walk *walk);

#endif
