/* literal.h - a compressed tree brought to the next step as in the paper of de Berg, Roeloffzen and
 * Speckmann 2012: refined, filled and pruned as a whole.
 *
 * Way in: wi_literal_step. It comes to the very tree that changing in place comes to, and looks at
 * everything in every step; it is there to be measured and to be compared with. */
#ifndef WI_BROAD_COMPRESSED_LITERAL_H
#define WI_BROAD_COMPRESSED_LITERAL_H

#include "broad/compressed/tree.h"

/* Makes the tree of the next step: `now` is the tree over corners as they were, with the ranges in
 * it; no box in it moves a corner by more than a unit along any axis. `ranges`, by box, are those
 * of the next step; `next` has room for boxes up to the same number. Counts are written to *counts.
 * False if there is no memory: `next` is then of no use before the next build or step. */
bool wi_literal_step(wi_memory *memory, const wi_ctree *now, const wi_cell_range *ranges,
                     wi_ctree *next, willow_broad_refinement *counts);

#endif
