/* nodes.h - what the files of a compressed tree share: its nodes and lists, changed by
 * hand. */
#ifndef WI_BROAD_COMPRESSED_NODES_H
#define WI_BROAD_COMPRESSED_NODES_H

#include "broad/compressed/cells.h"

/* `count` nodes that follow each other are used again. */
void wi_ctree_give_nodes_back(wi_ctree *t, uint32_t first, uint32_t count);

/* A node goes to the place of another, with what is below it. */
void wi_ctree_move_node(wi_ctree *t, uint32_t from, uint32_t to);

/* The leaf or donut below a node that a unit is in. */
uint32_t wi_ctree_find_leaf_below(const wi_ctree *t, uint32_t number, const wi_cell_at *at);

/* All halves of a node but one are empty leaves, or all of them: which one; UINT32_MAX if two are
 * not. */
uint32_t wi_ctree_only_half(const wi_ctree *t, const wi_ctree_node *n);

/* A list that was `entry` goes to the leaves below a node, but for what is below `skip`. False if
 * there is no memory. */
bool wi_ctree_hand_down(wi_memory *memory, wi_ctree *t, uint32_t number, uint32_t skip,
                        uint32_t entry);

/* Moves a list to a leaf, but for boxes that were met since the mark was new. */
void wi_ctree_join_list(wi_ctree *t, uint32_t entry, uint32_t leaf);

#endif
