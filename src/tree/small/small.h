/* small.h - a mesh of one leaf and all that is known of it, in one block.
 *
 * Made for worlds of very many bodies of a few triangles, where what a tree and its mesh take
 * beside the triangles is most of what a world weighs: there is no node, no keeper and no list
 * here, and no room for positions to come. Whoever reads one gets a mesh and a tree put together
 * for that time (tree/small/instance.h), and whoever changes more than its pose makes it a mesh and
 * a tree for good (wi_small_unpack). Nothing of a block changes after it was filled, but for its
 * owners, which questions make, and its revision.
 *
 * Places are in the order in which the triangles name their vertices, as in a tree that is built,
 * so the number of a vertex in the leaf is its place. */
#ifndef WI_TREE_SMALL_SMALL_H
#define WI_TREE_SMALL_SMALL_H

#include "tree/tree.h"

typedef struct wi_small {
    _Atomic(struct wi_owners *) owners; /* see mesh/owners.h; NULL until they are asked for */
    const willow_tree_def *def;         /* resolved; outlives it */
    uint64_t revision;                  /* when it was taken in, for its tree; 0: not yet */
    wi_box bounds;
    uint8_t vertex_count, tri_count;
    _Alignas(16) wi_point positions[]; /* by place; what follows is below */
} wi_small;

/* True if the mesh may be kept so, by its counts and settings, under this def, which is resolved.
 */
bool wi_small_suits(const willow_mesh_def *mesh, const willow_tree_def *def);

/* The bytes of one of a mesh that suits. */
size_t wi_small_size(uint32_t vertex_count, uint32_t tri_count);

/* Fills a block of that size. False if the mesh is one for which more is needed, or a bad one: the
 * block may hold anything then, and has nothing that has to be freed. */
bool wi_small_fill(wi_small *small, const willow_mesh_def *mesh, const willow_tree_def *def);

/* Gives back what questions made; the block is the caller's. */
void wi_small_forget(wi_memory *memory, wi_small *small);

/* The arrays behind the positions. */
static inline uint32_t (*wi_small_tris(const wi_small *small))[3]
{
    return (uint32_t(*)[3])(uintptr_t)(small->positions + small->vertex_count);
}

static inline uint32_t *wi_small_places(const wi_small *small)
{
    return (uint32_t *)(wi_small_tris(small) + small->tri_count);
}

static inline uint32_t *wi_small_leaf_vertices(const wi_small *small)
{
    return wi_small_places(small) + small->vertex_count;
}

static inline uint8_t (*wi_small_corners(const wi_small *small))[3]
{
    return (uint8_t(*)[3])(wi_small_leaf_vertices(small) + small->vertex_count);
}

#endif
