/* boundary_loops.h - the leaves around a leaf, or around all leaves of a node, and the loop of the
 * surface that they form.
 *
 * A cluster is a leaf, or all leaves of a node that has only leaves. Where a surface is smooth, a
 * cluster does not meet the leaves around it, and that can be seen at once
 * (src/walk/self/fold_kernel.c) by the loop of all of them: the edges of their triangles that are
 * left over when each edge is taken away together with the same edge the other way round. This is
 * the boundary of a chain, as topology has it, so it is right for surfaces of any kind. Only trees
 * with lists of kin have loops; a cluster at the border of the surface, or near an edge of three
 * triangles, has none. */
#ifndef WI_TREE_SELF_BOUNDARY_LOOPS_H
#define WI_TREE_SELF_BOUNDARY_LOOPS_H

#include "base/containers/array.h"
#include "base/workspace.h"
#include "tree/self/vertex_fans.h"

struct wi_tree;

/* The edges of a loop run from each of its vertices to the next: it is one closed way, or is left
 * out. The way ends where it begins; then it stays there up to a whole number of lanes. */
typedef struct wi_boundary_loop {
    size_t first_around;   /* in `around`: the leaves of the cluster, then the others */
    size_t first_vertex;   /* in `vertices` */
    uint16_t own_count;    /* leaves of the cluster */
    uint16_t around_count; /* the other leaves within the loop; up to WI_MAX_AROUND */
    uint16_t vertex_count; /* up to WI_MAX_LOOP; 0: there is no loop */
} wi_boundary_loop;

enum { WI_MAX_AROUND = 256, WI_MAX_LOOP = 256 };

typedef struct wi_boundary_loops {
    wi_boundary_loop *items; /* by cluster: by leaf, then by node; NULL: there are none. Of a linked
                                tree by room */
    uint32_t *nodes;         /* by leaf: the cluster of the node that has it */
    uint32_t leaf_count, cluster_count; /* of a linked tree what there is room for */
    WI_ARRAY(uint32_t) around;          /* leaves */
    WI_ARRAY(wi_spot) vertices;
} wi_boundary_loops;

/* The lists of kin are there. False if there is no memory. Uses the workspace. */
bool wi_boundary_loops_make(wi_memory *memory, wi_workspace *workspace, struct wi_tree *h);
void wi_boundary_loops_free(wi_memory *memory, wi_boundary_loops *loops);
size_t wi_boundary_loops_bytes(const wi_boundary_loops *loops);

/* NULL, or the words for the invariant that is broken (I14). Samples some loops, evenly spaced.
 */
enum { WI_LOOPS_SAMPLED = 8 };
const char *wi_boundary_loops_validate(const struct wi_tree *h);

#endif
