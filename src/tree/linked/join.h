/* join.h - linked trees that fall apart, and that become one.
 *
 * Subtrees that belong wholly to one new mesh are kept: they are copied, and joined as B-trees are
 * (Blelloch, Ferizovic and Sun 2016 describe it for trees of many kinds): the lower one becomes a
 * child of a node of the higher one at its own height, and nodes that are full are split upward.
 * Here it is the node whose box grows least. What is left, single triangles of leaves that several
 * meshes share, is for an edit of the new tree. */
#ifndef WI_TREE_LINKED_JOIN_H
#define WI_TREE_LINKED_JOIN_H

#include "tree/linked/links.h"
#include "willow/edit.h"

/* Where the triangles of a tree go. */
typedef struct wi_join {
    const wi_tree *from;              /* linked */
    const willow_part_triangle *tris; /* by slot of its mesh: which new tree, and the slot there;
                                         WILLOW_NO_PART: it is gone */
    const uint32_t *edited;           /* slots of which the tree is not true any more */
    size_t edited_count;
    wi_tree *const *to; /* over the new meshes: without nodes, or made by an earlier join */
    uint32_t to_count;
} wi_join;

/* Makes trees of what is kept, with boxes that are hints (WI_EDIT_OLD). A tree may stay without
 * nodes. False if there is no memory: the new trees can only be destroyed. */
bool wi_tree_join(wi_memory *memory, const wi_join *join);

/* A leaf of the old tree comes to a new one, which has room; its number there. It is in no node. */
uint32_t wi_join_copy_leaf(const wi_join *join, uint32_t leaf, wi_tree *to);

/* Whatever is joined is there: leaves that are too small are joined, groups and lists for pairs
 * within the body are made. The same failures. */
bool wi_tree_join_end(wi_memory *memory, wi_tree *h);

/* Slots of triangles that collide and that no leaf has: how many, and where there is room for them
 * which. */
uint32_t wi_tree_missing(const wi_tree *h, uint32_t *slots);

#endif
