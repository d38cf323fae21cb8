/* wear.h - how far a kept tree has decayed, and what the queries since the last update opened.
 *
 * The spread of a node is the surface of its children's boxes over that of the box of all of them:
 * how many of them something that meets the node meets, about. It does not depend on how large the
 * body is, and boxes that were computed for other reasons tell it. A fresh tree notes it in every
 * node; where triangles that were neighbours have parted since, it has grown. */
#ifndef WI_UPDATE_WEAR_H
#define WI_UPDATE_WEAR_H

#include "tree/hierarchy.h"

typedef struct wi_wear {
    double now, fresh;         /* spreads of nodes whose boxes are computed, summed up */
    uint32_t open, open_above; /* such nodes, below the cut and above */
    uint32_t below;            /* all nodes below the cut */
    uint32_t worn;             /* subtrees at the cut that have decayed by the ratio */
} wi_wear;

/* Notes the spread of all nodes that have none yet. All boxes are computed. */
void wi_wear_note(wi_hierarchy *h);

/* Looks at all nodes whose boxes are computed, subtree by subtree at this level. Lists worn ones in
 * `nodes`, in order, if that is not NULL: there is room for as many as there are nodes. */
wi_wear wi_wear_survey(const wi_hierarchy *h, uint32_t level, double ratio, uint32_t *nodes);

#endif
