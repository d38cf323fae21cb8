/* volume_quality.h - how well the boxes of a tree fit, as Otaduy and others 2007 measure it. */
#ifndef WI_TREE_VOLUME_QUALITY_H
#define WI_TREE_VOLUME_QUALITY_H

#include "tree/tree.h"

/* The squared volumes of all nodes and leaves over that of the root, all boxes being computed; 0
 * where the root has no volume, or there is no tree. */
double wi_tree_volume_quality(const wi_tree *h);

/* Nodes on the longest way from the root to a leaf; of an AVL tree its own nodes, not views. */
uint32_t wi_tree_own_depth(const wi_tree *h);

#endif
