/* shared_vertices.h - which triangles of a body share vertices, by leaf and by pair of leaves.
 *
 * Nearly every box of a smooth surface meets those of its neighbours, and hardly any of these pairs
 * is real. So that a walk within one body need not compare vertex numbers, what shares a vertex
 * with what is listed once per tree, a bit for each triangle of a leaf: kin. All other triangles
 * are strangers. What shares only a hub, a vertex of many leaves, is not tied but in `hubs`. Only
 * bodies that ask for pairs within themselves have these lists. */
#ifndef WI_TREE_SELF_SHARED_VERTICES_H
#define WI_TREE_SELF_SHARED_VERTICES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"
#include "base/containers/array.h"
#include "base/workspace.h"
#include "tree/self/hubs.h"

struct wi_tree;
struct wi_leaf;

/* A leaf that shares vertices with an earlier one. */
typedef struct wi_tie {
    uint32_t leaf;
    uint32_t tris;      /* of the earlier leaf: those that have kin in this one, a bit each */
    uint32_t first_row; /* of these, in order: their kin in this one, a bit each, in `rows` */
} wi_tie;

typedef struct wi_shared_vertices {
    uint32_t *within;      /* by triangle of a leaf: its kin in the same leaf, a bit each */
    uint32_t *first_tie;   /* by leaf, and one more: its ties; NULL: nothing is listed */
    uint32_t *last_tie;    /* by leaf: behind them; of a packed tree the same array, from 1 on */
    WI_ARRAY(wi_tie) ties; /* to later leaves, in order */
    WI_ARRAY(uint32_t) rows;
    wi_hubs hubs;
    uint32_t tri_count, leaf_count; /* of a linked tree what there is room for */
} wi_shared_vertices;

/* Lists the kin of all triangles, or nothing where so many vertices are in so many leaves that the
 * lists would be much longer than the tree. False if there is no memory. Uses the workspace. */
bool wi_shared_vertices_make(wi_memory *memory, wi_workspace *workspace, struct wi_tree *h);
void wi_shared_vertices_free(wi_memory *memory, wi_shared_vertices *kin);
size_t wi_shared_vertices_bytes(const wi_shared_vertices *kin);

/* One leaf's ties while they are gathered, by triangle of it: its kin in the other leaf. */
typedef struct wi_gathered_tie {
    uint32_t leaf;
    uint32_t rows[32];
} wi_gathered_tie;

/* What is listed of one leaf: kin within it, of which `within` has those of all leaves; and ties,
 * which are put in order and written behind all others. False if there is no memory. */
void wi_shared_vertices_within(const struct wi_tree *h, const struct wi_leaf *leaf,
                               uint32_t *within);
void wi_shared_vertices_sort(wi_gathered_tie *ties, uint32_t count);
bool wi_shared_vertices_write(wi_memory *memory, wi_shared_vertices *kin,
                              const wi_gathered_tie *ties, uint32_t count);

/* NULL, or the words for the invariant that is broken (I12). */
const char *wi_shared_vertices_validate(const struct wi_tree *h);

/* The tie of a leaf with a later one, or NULL: they have no vertex in common but for hubs. */
static inline const wi_tie *wi_shared_vertices_tie(const wi_shared_vertices *kin, uint32_t leaf,
                                                   uint32_t later)
{
    WI_ASSERT(leaf < kin->leaf_count && later < kin->leaf_count && kin->first_tie != NULL);
    const wi_tie *tie = kin->ties.items + kin->first_tie[leaf];
    const wi_tie *end = kin->ties.items + kin->last_tie[leaf];
    while (tie < end && tie->leaf < later) tie++;
    return tie < end && tie->leaf == later ? tie : NULL;
}

/* The kin of a triangle of the earlier leaf in the later one, by the vertices that tie them. */
static inline uint32_t wi_shared_vertices_row(const wi_shared_vertices *kin, const wi_tie *tie,
                                              unsigned tri)
{
    WI_ASSERT(tri < 32);
    if ((tie->tris >> tri & 1) == 0) return 0;
    const uint32_t before = tie->tris & ((UINT32_C(1) << tri) - 1);
    WI_ASSERT(tie->first_row + (size_t)__builtin_popcount(before) < kin->rows.count);
    return kin->rows.items[tie->first_row + (uint32_t)__builtin_popcount(before)];
}

/* Two leaves, the earlier one first, and what their triangles share. */
typedef struct wi_leaf_kin {
    const wi_shared_vertices *kin;
    const wi_tie *tie; /* or NULL */
    uint32_t a, b;
    bool has_hubs; /* both have some */
} wi_leaf_kin;

static inline wi_leaf_kin wi_shared_vertices_between(const wi_shared_vertices *kin, uint32_t leaf,
                                                     uint32_t later)
{
    WI_ASSERT(leaf < later);
    const bool has_hubs = kin->hubs.items && wi_hubs_has_leaf(&kin->hubs, leaf) &&
                          wi_hubs_has_leaf(&kin->hubs, later);
    return (wi_leaf_kin){kin, wi_shared_vertices_tie(kin, leaf, later), leaf, later, has_hubs};
}

/* All kin of a triangle of the earlier leaf in the later one. */
static inline uint32_t wi_leaf_kin_row(const wi_leaf_kin *leaves, unsigned tri)
{
    uint32_t row = leaves->tie ? wi_shared_vertices_row(leaves->kin, leaves->tie, tri) : 0;
    if (leaves->has_hubs) row |= wi_hubs_row(&leaves->kin->hubs, leaves->a, tri, leaves->b);
    return row;
}

#endif
