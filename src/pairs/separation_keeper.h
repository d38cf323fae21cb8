/* separation_keeper.h - what those who keep a separation list share: who they are, the room that
 * they have, and a look at its pairs.
 *
 * separation.c says when pairs are looked at, separation_range.c for which time boxes go straight,
 * separation_changes.c what follows if one of them does no longer, separation_pairs.c what follows
 * from a look, and separation_room.c what there is room for. All that return false do so for want
 * of room. */
#ifndef WI_PAIRS_SEPARATION_KEEPER_H
#define WI_PAIRS_SEPARATION_KEEPER_H

#include "pairs/separation.h"

/* A list, and all that is needed to keep it. */
typedef struct wi_sep_keeper {
    wi_memory *memory;
    wi_separation *list;
    const wi_tree *h[2];
    willow_kernel kernel;
    wi_sep_fill *fill;
    wi_sep_look *look;
} wi_sep_keeper;

wi_sep_keeper wi_sep_keeper_of(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                               const wi_tree *a, const wi_tree *b);

/* ---- room ---- */

/* Whether an array may have one item more. */
bool wi_sep_may_push(wi_separation *list, size_t count, size_t capacity, size_t item_bytes);

/* Room for twice as many pairs, in all that is about pairs. */
bool wi_sep_grow(wi_sep_keeper *keep);

/* No brood is known, and there is room to note those of all nodes. */
bool wi_sep_start_broods(wi_sep_keeper *keep);

/* The number of the brood of a node, which is made if there is none. */
bool wi_sep_get_brood(wi_sep_keeper *keep, int side, uint32_t node, uint32_t *number);

/* ---- time ---- */

/* The time that the boxes of both go straight for from now on. */
void wi_sep_set_range(wi_sep_keeper *keep);

/* The state of a body since which no box has taken another course but those that it lists; and how
 * many these are. */
uint64_t wi_sep_state_of(const wi_tree *h);
uint32_t wi_sep_changes_of(const wi_tree *h);

/* Paths have changed: boxes that are found from now on are as wide as they need be. False if those
 * that are there may not be. */
bool wi_sep_widen_course(wi_sep_keeper *keep, int side);

/* Looks at all pairs of boxes that have taken another course since it was last asked. */
bool wi_sep_look_at_changes(wi_sep_keeper *keep);

/* ---- pairs ---- */

/* Makes a chord as wide as it has to be since a path has changed; ends are so from the start. */
void wi_sep_widen(const wi_sep_course *course, unsigned lane, wi_end_lanes *lanes);

/* So many lanes of some boxes are there, or are others: finds what is of all of them. */
void wi_sep_bound(unsigned count, wi_brood_boxes *boxes);

/* What is to be seen of a pair now. */
wi_sep_sight wi_sep_look_now(const wi_sep_keeper *keep, const wi_sep_pair *pair);

/* Finds the bits of a pair anew, and of all that is new below it. */
bool wi_sep_look_down(wi_sep_keeper *keep, uint32_t number);

/* Those of every pair that there is. */
bool wi_sep_look_at_all(wi_sep_keeper *keep);

/* Makes all pairs anew, from the roots. Broods have been started. */
bool wi_sep_search(wi_sep_keeper *keep);

#endif
