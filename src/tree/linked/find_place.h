/* find_place.h - to which leaf a new triangle comes. */
#ifndef WI_TREE_LINKED_FIND_PLACE_H
#define WI_TREE_LINKED_FIND_PLACE_H

#include "tree/linked/tree_edit.h"

/* The leaf of a neighbour, if leaves have vertices of it: the one whose box grows least. Else that
 * of the nearest triangle. `box` is that of the triangle. */
uint32_t wi_find_place(wi_tree *h, const wi_tree_changes *c, uint32_t slot, const wi_box *box);

/* The triangle of a slot has other vertices now, and a box: true if its leaf contains it and has a
 * neighbour across an edge, so that it may stay there. */
bool wi_place_stays(const wi_tree *h, uint32_t slot, const wi_box *box);

#endif
