/* group_sets.h - the groups below the nodes and leaves of a tree, for bodies whose groups are not
 * all tested against each other.
 *
 * Two subtrees of one body need not be held against each other if no group of the one is tested
 * against any of the other. Sets follow from the tree and the matrix alone, so motion does not
 * change them. Trees of bodies without a matrix have none. */
#ifndef WI_TREE_SELF_GROUP_SETS_H
#define WI_TREE_SELF_GROUP_SETS_H

#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"
#include "base/memory.h"
#include "tree/node.h"

/* A bit for each group. */
typedef struct wi_group_set {
    uint64_t below;  /* groups of the triangles below */
    uint64_t tested; /* groups that any of these is tested against */
} wi_group_set;

typedef struct wi_group_sets {
    wi_group_set *nodes, *leaves;    /* by number; NULL: the body has no matrix, or no tree */
    uint32_t node_count, leaf_count; /* of a linked tree what there is room for */
} wi_group_sets;

struct wi_tree;

/* Replaces the sets of a tree by those of the matrix that its mesh has now. False if there is no
 * memory; they are then as they were. */
bool wi_group_sets_make(wi_memory *memory, struct wi_tree *h);

/* The same in two steps, for a tree that is to have so many nodes and leaves: room, in a hierarchy
 * without sets, and their contents. */
bool wi_group_sets_reserve(wi_memory *memory, struct wi_tree *h);
void wi_group_sets_fill(struct wi_tree *h);

/* The same for one leaf and for one node, whose children are done, of a linked tree, which may have
 * no sets; and room for as many nodes and leaves as it has. */
void wi_group_sets_follow_leaf(struct wi_tree *h, uint32_t leaf);
void wi_group_sets_follow_node(struct wi_tree *h, uint32_t node);
bool wi_group_sets_follow_room(wi_memory *memory, struct wi_tree *h);

void wi_group_sets_free(wi_memory *memory, wi_group_sets *sets);

size_t wi_group_sets_bytes(const wi_group_sets *sets);

/* NULL, or the words for what of I11 is broken; the tree itself is sound. */
const char *wi_group_sets_validate(const struct wi_tree *h);

static inline const wi_group_set *wi_group_set_at(const wi_group_sets *sets, uint32_t number)
{
    WI_ASSERT((number & WI_IS_LEAF) != 0 ? (number & ~WI_IS_LEAF) < sets->leaf_count
                                         : number < sets->node_count);
    return (number & WI_IS_LEAF) != 0 ? &sets->leaves[number & ~WI_IS_LEAF] : &sets->nodes[number];
}

/* No group below `a` is tested against any below `b`: numbers of nodes, or of leaves with
 * WI_IS_LEAF; both may be the same. There are sets. */
static inline bool wi_group_sets_apart(const wi_group_sets *sets, uint32_t a, uint32_t b)
{
    return (wi_group_set_at(sets, a)->tested & wi_group_set_at(sets, b)->below) == 0;
}

#endif
