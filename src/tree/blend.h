/* blend.h - what the tree of a morphing body knows of its shapes: for every node, and every shape
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
 * A body whose deformation only its user knows has no shapes: it has what the user is told of nodes
 * and leaves (tree/parts.h) in their place.
 *
 * Positions of leaves that a query has reached are kept until the body is somewhere else: they are
 * computed once, by whoever comes first. After Larsson 2003, paper B. */
#ifndef WI_TREE_BLEND_H
#define WI_TREE_BLEND_H

#include <stdalign.h>
#include <stdatomic.h>
#include "base/ranks.h"
#include "base/wide.h"
#include "mesh/mesh.h"
#include "tree/parts.h"

/* Boxes of children side by side; 0 where there is none. */
typedef struct wi_lanes {
    alignas(64) float lower[3][WI_LANES];
    float upper[3][WI_LANES];
} wi_lanes;

/* Slabs of children along x + y, x - y, x + z, x - z, y + z and y - z: with their boxes k-DOPs of
 * 18 planes. */
enum { WI_DIAGONALS = 6 };

typedef struct wi_slabs {
    alignas(64) float lower[WI_DIAGONALS][WI_LANES];
    float upper[WI_DIAGONALS][WI_LANES];
} wi_slabs;

typedef struct wi_spheres {
    alignas(64) float centre[3][WI_LANES];
    float radius[WI_LANES];
} wi_spheres;

/* One coordinate along a diagonal: exact but for one rounding. */
static inline double wi_diagonal(int number, const double p[3])
{
    static const int first[] = {0, 0, 0, 0, 1, 1}, second[] = {1, 1, 2, 2, 2, 2};
    const double q = p[second[number]];
    return p[first[number]] + (number % 2 == 0 ? q : -q);
}

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
    uint32_t shape_count, node_count, leaf_count, point_count;
    uint64_t morph; /* the number of the morph, or of the rest shape */
    double slack;   /* of the second form, for the weights of now */
    double sum;     /* of all weights */
    double size; /* no coordinate of a vertex, of a centre or along a diagonal is larger than twice
                    this, now */
    wi_blend_way *ways;
    uint32_t way_count, between; /* how many shapes a way has */
    wi_blend_span span;
    wi_slabs *slabs; /* by node: those of now, true as its boxes are; NULL: not kept */
    wi_spheres *spheres;

    wi_part *parts; /* of a mesh that is deformed, and then there are no shapes: of nodes, leaves */

    wi_point *points; /* by vertex of a leaf, as in leaf_vertices; as queries see them */
    _Atomic uint64_t
        *stamps; /* by leaf: the placement that its points are of; see wi_leaf_points */
} wi_blend;

/* The boxes of a node in a shape; NULL if the shape moves nothing below it. */
static inline const wi_lanes *wi_blend_lanes(const wi_blend_shape *shape, uint32_t node)
{
    if (shape->has.bits == NULL) return &shape->lanes[node];
    if (!wi_ranks_has(&shape->has, node)) return NULL;
    return &shape->lanes[wi_ranks_of(&shape->has, node)];
}

struct wi_tree;

/* For a tree that is there, of a mesh that is morphed; in place of what there was. False if there
 * is no memory: there is then none. */
bool wi_blend_make(wi_memory *memory, struct wi_tree *h);

/* The same for a mesh that is deformed: it has parts, and no shapes. */
bool wi_blend_make_parts(wi_memory *memory, struct wi_tree *h);
void wi_blend_free(wi_memory *memory, wi_blend *blend);
size_t wi_blend_bytes(const wi_blend *blend);

/* After the weights have changed. */
void wi_blend_weigh(struct wi_tree *h);

/* NULL, or the words for what is broken. */
const char *wi_blend_validate(const struct wi_tree *h);

#endif
