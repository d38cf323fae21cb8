/* inherited.h - trees of bodies that fell apart, made of the tree that these had.
 *
 * A packed tree lists its triangles in an order in which whatever is below a node is one run (I2),
 * and so is what each part has of it. So a part is built as any tree is, but for the choices: its
 * triangles are in the order of the old tree, and are parted where that had its borders. What lay
 * wholly below one node is below one node again. Linear, and nothing is sorted or measured.
 *
 * Way in: wi_inherit, and then wi_tree_build_inherited, which may be in a later update. */
#ifndef WI_TREE_BUILD_INHERITED_H
#define WI_TREE_BUILD_INHERITED_H

#include "base/workspace.h"
#include "tree/tree.h"
#include "willow/edit.h"

/* Where a run of triangles begins that one leaf of the old tree had: where it ends, the depth of
 * the lowest node of the old tree that is above it and the run before, and of a whole leaf where
 * its vertices are; of others there are none. */
typedef struct wi_inherited_run {
    uint32_t end, depth, first_vertex, vertex_count;
} wi_inherited_run;

typedef struct wi_inherited {
    uint32_t *slots;        /* of the part, in the order of the old tree */
    wi_inherited_run *runs; /* by where they begin among the slots; others have no meaning */
    uint8_t (*corners)[3];  /* by slot: of a whole leaf which of its vertices */
    uint32_t *vertices;     /* of the part, of whole leaves */
    uint32_t count, room, vertex_count, vertex_room;
    uint32_t arity, leaf_triangles; /* of the old tree */
} wi_inherited;

/* Where the triangles and vertices of a body go that falls apart: see willow_split. */
typedef struct wi_heirs {
    const willow_part_triangle *tris;
    const willow_part_vertex *vertices;
    const size_t *first_copy;
    wi_inherited *const *parts; /* which have nothing yet */
    uint32_t part_count;
} wi_heirs;

/* Hands on a packed tree that has exactly the triangles that collide. False if there is no memory:
 * the parts have to be freed all the same. */
bool wi_inherit(wi_memory *memory, const wi_tree *from, const wi_heirs *heirs);

void wi_inherited_free(wi_memory *memory, wi_inherited *inherited);

/* There is something, it is of exactly the triangles of the mesh that collide, and a tree of these
 * settings is wanted. */
bool wi_inherited_fits(const wi_inherited *inherited, const wi_mesh *mesh,
                       const willow_tree_def *def);

/* wi_tree_build, but as is inherited, which fits the mesh. */
willow_result wi_tree_build_inherited(wi_memory *memory, wi_workspace *workspace,
                                      willow_kernel kernel, wi_mesh *mesh,
                                      const willow_tree_def *def, const wi_inherited *inherited,
                                      wi_tree *h);

#endif
