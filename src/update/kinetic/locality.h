/* locality.h - in how many certificates of a kinetic tree its vertices have a part. */
#ifndef WI_UPDATE_KINETIC_LOCALITY_H
#define WI_UPDATE_KINETIC_LOCALITY_H

#include "update/kinetic/kinetic.h"

/* Of the vertices below the tree; all 0 if its certificates are not set up. */
typedef struct wi_locality {
    double mean;
    uint32_t most;
} wi_locality;

/* Looks at all items. False if there is no memory. */
bool wi_kinetic_locality(wi_memory *memory, const wi_tree *h, const wi_kinetic *k,
                         wi_locality *out);

#endif
