/* brood.h - a node with those below it that fill eight lanes. In narrow trees these are some levels
 * down, so that eight can be held against eight whatever the tree. */
#ifndef WI_PAIRS_BROOD_H
#define WI_PAIRS_BROOD_H

#include "tree/tree.h"

typedef struct wi_brood {
    uint32_t child[WI_LANES]; /* by lane: the number of a node, or of a leaf, */
    uint32_t node[WI_LANES];  /* and the node that has it as a child, */
    uint8_t lane[WI_LANES];   /* in this lane */
    uint8_t count, leaf_mask;
} wi_brood;

wi_brood wi_brood_below(const wi_tree *h, uint32_t node);

#endif
