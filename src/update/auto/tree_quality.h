/* tree_quality.h - how far a kept tree has decayed, and what the queries since the last update
 * opened.
 *
 * The spread of a node is the surface of its children's boxes over that of the box of all of them:
 * how many of them something that meets the node meets, about. It does not depend on how large the
 * body is, and boxes that were computed for other reasons tell it. A fresh tree notes it in every
 * node; where triangles that were neighbours have parted since, it has grown. On the way down a
 * query pays for the growth on every level, so the wear of a tree is the product over its levels of
 * the mean spread now over the mean spread then. */
#ifndef WI_UPDATE_AUTO_TREE_QUALITY_H
#define WI_UPDATE_AUTO_TREE_QUALITY_H

#include "base/check.h"
#include "tree/tree.h"

typedef struct wi_tree_quality {
    double above;              /* wear of the levels above the cut */
    double below;              /* and of those below, all subtrees together */
    double spread;             /* the mean spreads of all levels, multiplied */
    uint32_t open, open_above; /* nodes whose boxes are computed, below the cut and above */
    uint32_t node_count;       /* all nodes below the cut */
    uint32_t subtrees, seen;   /* subtrees at the cut, and those of them with open nodes */
    uint32_t worn;             /* those that have decayed */
} wi_tree_quality;

/* The spread of a node, by half of the surface of its children's boxes, added up, and of that of
 * all of them; 1 where nothing can be said, as of a node without a surface, or beyond all numbers.
 */
static inline float wi_spread(double children, double whole)
{
    WI_ASSERT(!(children < 0.0) && !(whole < 0.0));
    return whole > 0.0 && children < (double)INFINITY ? (float)(children / whole) : 1.0F;
}

/* Notes the spread of all nodes that have none yet. All boxes are computed. */
void wi_tree_quality_note(wi_tree *h);

/* Looks at all nodes whose boxes are computed. A subtree at this level has decayed if its wear is
 * above the ratio. Lists these in `nodes`, in order, if that is not NULL. */
wi_tree_quality wi_tree_quality_survey(const wi_tree *h, uint32_t level, double ratio,
                                       uint32_t *nodes);

#endif
