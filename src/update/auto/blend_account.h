/* blend_account.h - whether blending boxes pays, for AUTO on bodies that morph, or whose user
 * bounds them; and moving those of joints, on bodies with a skin, which is blending here, too.
 *
 * A tree that blends computes the vertices of leaves that queries reach, those on borders several
 * times, and its boxes are larger than they need be. A refit computes all vertices, once. So where
 * queries reach most of the body a refit is cheaper. At first every update, then every few of them
 * count what the queries since the last one reached, and compare both in one unit. While the body
 * is refitted, how many nodes are opened tells when to go back; and now and then it is tried, each
 * time that this was in vain after twice as long. What the tree knows of shapes is kept meanwhile.
 * All of this follows from counts, so it is the same with any number of threads (C10). */
#ifndef WI_UPDATE_AUTO_BLEND_ACCOUNT_H
#define WI_UPDATE_AUTO_BLEND_ACCOUNT_H

#include "base/backoff.h"
#include "update/method.h"

struct wi_auto;

typedef struct wi_blend_account {
    uint64_t number;     /* of the morph, the skin or the rest shape that it is about */
    uint32_t until_look; /* updates until what queries reached is looked at */
    uint32_t looks;      /* since it was last begun */
    wi_backoff tries;    /* while refitting, in updates: it did not pay for long */
    uint32_t open;       /* nodes that were open when a refit was first looked at; 0: it was not */
    double price;        /* of blending, in refits, at the last look */
} wi_blend_account;

/* What AUTO stands for while it blends. */
static inline bool wi_blend_account_is_mode(willow_method mode)
{
    return mode == WILLOW_METHOD_BLEND || mode == WILLOW_METHOD_SKIN;
}

/* Whether the coming update blends, of a mesh that suits; notes it in the mode of the state. Boxes
 * are still those of the last update. */
bool wi_blend_account_blends(wi_update *u, struct wi_auto *state);

/* After an update that refitted, and whose survey tells what was opened. */
void wi_blend_account_survey(wi_update *u, struct wi_auto *state);

#endif
