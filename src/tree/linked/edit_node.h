/* edit_node.h - nodes and leaves while an edit works on them: what has changed is marked, and the
 * boxes of what is about to change are made true. */
#ifndef WI_TREE_LINKED_EDIT_NODE_H
#define WI_TREE_LINKED_EDIT_NODE_H

#include "tree/linked/tree_edit.h"

/* A child on its way from one node to another. */
typedef struct wi_edit_child {
    uint32_t number; /* leaves with WI_IS_LEAF */
    wi_box box;
} wi_edit_child;

wi_box wi_edit_box_of_tri(const wi_tree *h, uint32_t slot);
wi_box wi_edit_box_of_lanes(const wi_node *view);

/* How much a box grows, by half of its surface. */
double wi_edit_growth(const wi_box *box, const wi_box *more);

/* The children of a node are about to change, and their boxes are to be true. */
void wi_edit_open_node(wi_tree *h, const wi_tree_changes *c, uint32_t node);

/* A node that was made of parts of open ones. */
void wi_edit_stamp_node(wi_tree *h, const wi_tree_changes *c, uint32_t node);

/* They are among what wi_tree_edit_bound looks at. */
void wi_edit_mark_node(wi_tree *h, uint32_t node);
void wi_edit_mark_leaf(wi_tree *h, uint32_t leaf);

/* Lists the children of a node; takes them all away. */
unsigned wi_edit_list_children(const wi_tree *h, uint32_t node, wi_edit_child *out);
void wi_edit_empty_node(wi_tree *h, uint32_t node);

#endif
