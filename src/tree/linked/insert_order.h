/* insert_order.h - in which order triangles come to a tree that is edited. */
#ifndef WI_TREE_LINKED_INSERT_ORDER_H
#define WI_TREE_LINKED_INSERT_ORDER_H

#include "tree/linked/links.h"

/* Slots that no leaf has, each once, in the order of a breadth-first search over the mesh from the
 * triangles that leaves have: so each has a neighbour in the tree when its turn comes, if it has
 * any way to one; then the others, in their own order, each followed by those that it leads to. */
typedef struct wi_insert_order {
    uint32_t *slots;
    size_t count, room;
} wi_insert_order;

/* Of the slots in the list that collide; some may be in it several times. False if there is no
 * memory; free it in any case. */
bool wi_insert_order_make(wi_memory *memory, const wi_tree *h, const uint32_t *slots, size_t count,
                          wi_insert_order *out);
void wi_insert_order_free(wi_memory *memory, wi_insert_order *order);

#endif
