/* leaf_points.h - positions of leaves that queries have reached, kept while the body stays where it
 * is: computed once, by whoever comes first. */
#ifndef WI_TREE_LEAF_POINTS_H
#define WI_TREE_LEAF_POINTS_H

#include <stdatomic.h>
#include "mesh/mesh.h"

struct wi_tree;

typedef struct wi_leaf_points {
    wi_point *points;         /* by vertex of a leaf, as in leaf_vertices; as queries see them */
    _Atomic uint64_t *stamps; /* by leaf: the placement that its points are of */
    uint32_t point_count, leaf_count;
} wi_leaf_points;

/* Room for all leaves of a tree, none of them reached yet. False if there is no memory; what there
 * is can be freed. */
bool wi_leaf_points_make(wi_memory *memory, const struct wi_tree *h, wi_leaf_points *points);
void wi_leaf_points_free(wi_memory *memory, wi_leaf_points *points);
size_t wi_leaf_points_bytes(const wi_leaf_points *points);

#endif
