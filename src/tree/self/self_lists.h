/* self_lists.h - what is listed of a tree for pairs within its body: which triangles share
 * vertices, the fans of vertices, and the boundary loops around clusters of leaves. */
#ifndef WI_TREE_SELF_SELF_LISTS_H
#define WI_TREE_SELF_SELF_LISTS_H

#include "tree/self/boundary_loops.h"
#include "tree/self/shared_vertices.h"
#include "tree/self/vertex_fans.h"

typedef struct wi_self_lists {
    wi_shared_vertices shared;
    wi_vertex_fans fans;     /* only where sharing is listed */
    wi_boundary_loops loops; /* the same, and if they are worth it */
    struct wi_self_edit
        *edit; /* how they follow edits, of a linked tree (self_edit.h); else NULL */
} wi_self_lists;

struct wi_tree;

/* Boundary loops take longer to find than they save in one query; and with fewer triangles in a
 * leaf the loop around it is longer than the leaves are worth. */
static inline bool wi_self_lists_want_loops(const willow_tree_def *def)
{
    enum { LEAST_TRIS = 6 };
    return def->leaf_triangles >= LEAST_TRIS && def->method != WILLOW_METHOD_REBUILD;
}

/* Room for them in the shape of a tree, without lists, if there is none yet. False if there is no
 * memory. */
bool wi_self_lists_reserve(wi_memory *memory, struct wi_tree *h);

/* Lists all of it anew; loops only if they are wanted. False if there is no memory. Uses the
 * workspace. */
bool wi_self_lists_make(wi_memory *memory, wi_workspace *workspace, struct wi_tree *h,
                        bool with_loops);
void wi_self_lists_free(wi_memory *memory, wi_self_lists *lists);
size_t wi_self_lists_bytes(const wi_self_lists *lists);

/* NULL, or the words for the invariant that is broken (I12 to I14). */
const char *wi_self_lists_validate(const struct wi_tree *h);

#endif
