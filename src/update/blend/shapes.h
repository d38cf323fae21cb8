/* shapes.h - what the tree of a morphing body knows of its shapes: for every node, and every shape
 * that moves something below it, the boxes of the children in that shape.
 *
 * The boxes of a node, whatever the weights, are sums of these (update/blend/blend_kernel.c), and
 * so no vertex has to be computed until a leaf is reached. Shapes that have few vertices have boxes
 * at the nodes above these only. A box of offsets contains 0 if one vertex below has none.
 *
 * There is a second form of the same sums. Of offsets from a base it has absolute boxes, of base
 * and offset together: where little but one target is in use these are tighter. Of absolute targets
 * it has offsets from the first one: where many are in use, or weights are far from summing up to
 * one, these are. Whoever wants both has the boxes that are in both (C4).
 *
 * Where two absolute targets alone have weights, boxes of shapes between these may be kept, too: a
 * vertex is then between the two nearest of them, whose boxes are closer to each other.
 *
 * Positions of leaves that a query has reached are kept until the body is somewhere else: they are
 * computed once, by whoever comes first. After Larsson 2003, paper B. */
#ifndef WI_UPDATE_BLEND_SHAPES_H
#define WI_UPDATE_BLEND_SHAPES_H

#include "base/check.h"
#include "base/containers/ranks.h"
#include "tree/tree.h"

typedef struct wi_blend_shape {
    wi_lanes *lanes; /* by node, or of the nodes in `has`, in order */
    wi_slabs *slabs; /* the same; NULL: not kept */
    wi_spheres *spheres;
    uint32_t count;
    wi_ranks has; /* none: all nodes */
} wi_blend_shape;

/* From one absolute target to another: shapes at equal distances between them. */
enum { WI_MAX_BETWEEN = 15 };

typedef struct wi_blend_way {
    uint32_t from, to;
    wi_blend_shape *shapes; /* NULL: they would not pay */
} wi_blend_way;

/* The two shapes of a way that the body is between, and their weights; `a` is NULL where it is on
 * none. */
typedef struct wi_blend_span {
    const wi_blend_shape *a, *b;
    double weight_a, weight_b, slack;
} wi_blend_span;

typedef struct wi_blend {
    wi_blend_shape *shapes; /* as the morph has them; NULL: none were made */
    wi_blend_shape
        *others; /* the second form, if it is kept; that of the first shape is the same */
    uint32_t shape_count, node_count;
    uint64_t morph; /* its number */
    double slack;   /* of the second form, for the weights of now */
    double sum;     /* of all weights */
    double size; /* no coordinate of a vertex, of a centre or along a diagonal is larger than twice
                    this, now */
    wi_blend_way *ways;
    uint32_t way_count, between; /* how many shapes a way has */
    wi_blend_span span;
    wi_volumes volumes; /* of now, by node; what is not kept is NULL */
    wi_leaf_points kept;
} wi_blend;

/* The boxes of a node in a shape; NULL if the shape moves nothing below it. */
static inline const wi_lanes *wi_blend_lanes(const wi_blend_shape *shape, uint32_t node)
{
    WI_ASSERT(shape->has.bits || node < shape->count);
    if (shape->has.bits == NULL) return &shape->lanes[node];
    if (!wi_ranks_has(&shape->has, node)) return NULL;
    WI_ASSERT(wi_ranks_of(&shape->has, node) < shape->count);
    return &shape->lanes[wi_ranks_of(&shape->has, node)];
}

/* For a tree that is there, of a mesh that is morphed, in place of what there was; `blend` is the
 * state of who acts. False if there is no memory: there is then none. */
bool wi_blend_make(wi_memory *memory, wi_tree *h, wi_blend *blend);
void wi_blend_free(wi_memory *memory, wi_tree *h, wi_blend *blend);
size_t wi_blend_bytes(const wi_blend *blend);

/* After the weights have changed. */
void wi_blend_weigh(const wi_tree *h);

/* The keeper whose state this is. */
extern const wi_keeper_ops wi_blend_keeper;

/* Of a tree whose boxes are blended now. */
static inline wi_blend *wi_blend_of(const wi_tree *h)
{
    WI_ASSERT(h->boxes.acting.ops == &wi_blend_keeper && h->boxes.acting.state);
    return h->boxes.acting.state;
}

/* NULL, or the words for what is broken. */
const char *wi_blend_validate(const wi_tree *h, const wi_blend *blend);

#endif
