/* renew.h - what is below a node of a linked tree is made afresh. */
#ifndef WI_TREE_LINKED_RENEW_H
#define WI_TREE_LINKED_RENEW_H

#include "tree/linked/tree_edit.h"

/* Parts the triangles below a node, which is not the root, into leaves and nodes of its levels
 * anew, by where they are now and whatever was there before. The node keeps its number, and so does
 * everything that is not below it. Boxes are true; all is marked. False if there is no memory: the
 * tree can only be destroyed. */
bool wi_renew_below(wi_memory *memory, wi_tree *h, const wi_tree_changes *c, uint32_t node);

#endif
