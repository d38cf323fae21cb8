/* balanced.h - trees that are edited: what BALANCED does, and AUTO where a body is cut.
 *
 * Before its first edit such a tree is kept as HYBRID keeps it. Then its shape is linked
 * (tree/linked/links.h). Where vertices have moved an update bounds the nodes down to a middle
 * level by the vertices below them, and the rest waits for queries; where only triangles came and
 * went it bounds what has changed. An AVL tree (tree/linked/avl.h) is bounded whole, and its
 * grandchildren are exchanged where that makes it fit better. */
#ifndef WI_UPDATE_BALANCED_BALANCED_H
#define WI_UPDATE_BALANCED_BALANCED_H

#include "tree/linked/join.h"
#include "update/method.h"

/* Compiled per instruction set. */
typedef struct wi_balanced_kernels {
    /* Bounds the children of a node by all vertices below them, and opens it. */
    void (*bound)(wi_tree *h, uint32_t node, uint64_t revision);
    /* Bounds them by their own children, which are open. */
    void (*merge)(wi_tree *h, uint32_t node, uint64_t revision);
    /* Bounds all leaves of an AVL tree. */
    void (*bound_leaves)(wi_tree *h);
    wi_refresh *refresh;
} wi_balanced_kernels;

const wi_balanced_kernels *wi_balanced_kernels_for(willow_kernel kernel);

/* The tree of this update is linked, or is to be: there was an edit that is not too large. */
bool wi_balanced_follows(const wi_update *u);

/* Triangles in the leaves of nodes that questions have opened since the last update, of a linked
 * tree, where the update left them closed. */
uint32_t wi_balanced_opened_tris(const wi_tree *h);

/* The update of such a tree. Whoever kept it has given its state up. After OUT_OF_MEMORY there is
 * no tree; nor where it needs to be built afresh after all (u->needs_build), since its lists for
 * pairs within the body would be much longer than the tree. */
willow_result wi_balanced_follow(wi_update *u);

/* The tree of a body that is about to go is handed on to new ones, as far as it stays whole (it is
 * `join->from`, whatever that was). It may then only be destroyed. False if there is no memory: the
 * new trees may only be destroyed, too. */
bool wi_balanced_give(wi_memory *memory, wi_join *join, wi_tree *from, uint64_t revision);

/* A new tree has got what it will get, and waits for an update, with an edit of what is missing.
 * False if it has got nothing, or if there is no memory: then it may only be destroyed. */
bool wi_balanced_take(wi_memory *memory, wi_tree *tree, uint64_t revision);

#endif
