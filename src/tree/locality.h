/* locality.h - in how many certificates of a kinetic tree its vertices have a part. */
#ifndef WI_TREE_LOCALITY_H
#define WI_TREE_LOCALITY_H

#include "tree/tree.h"

/* Of the vertices below the tree; all 0 if its certificates are not set up. */
typedef struct wi_locality {
    double mean;
    uint32_t most;
} wi_locality;

/* Looks at all items. False if there is no memory. */
bool wi_kinetic_locality(wi_memory *memory, const wi_tree *h, wi_locality *out);

#endif
