/* plan_account.h - whether following a flight plan pays, for AUTO.
 *
 * Both ways are compared in the same unit: what a refit does for one vertex. A refit costs as many
 * as there are vertices, whatever the motion; following a plan costs what its certificates do, and
 * setting these up some tens of refits. Without events it costs what its spans do, which are dear
 * where there are keyframes in nearly every update. And whoever reaches a leaf computes where its
 * vertices are, which are stored after a refit. So it is tried, and has a credit: it grows by
 * what is saved in an update, up to a limit, and falls by what is lost. Once it is used up the body
 * is refitted for a while, which is twice as long each time that following did not even earn its
 * set-up. The while is shorter if updates are calmer, in a row, than the one in which it ended:
 * with fewer changes of paths, or with smaller steps. All of this follows from counts (C10). */
#ifndef WI_UPDATE_AUTO_PLAN_ACCOUNT_H
#define WI_UPDATE_AUTO_PLAN_ACCOUNT_H

#include "base/backoff.h"
#include "update/method.h"

struct wi_auto;

typedef struct wi_plan_account {
    bool has_begun;   /* it was tried before */
    int64_t credit;   /* what it may still lose against refitting */
    int64_t gain;     /* what it has saved since it was last begun, setting it up included */
    int64_t setup;    /* what that cost */
    wi_backoff tries; /* while refitting, in updates: it did not pay */
    uint32_t calm, calm_needed; /* updates in a row that were calm, and how many are enough */
    uint32_t changes;    /* of paths: in the update in which it ended, or in a later one if more */
    uint32_t until_look; /* updates until what queries reached is looked at */
    int64_t asked;       /* vertices that they reached, at the last look */
    double time, step;   /* of the last update, and to the one in which it ended */
} wi_plan_account;

/* Before the update of a body that has a plan: whether it is followed in it. */
bool wi_plan_account_follows(wi_update *u, struct wi_auto *state);

/* After an update in which it was; queries have opened what was opened since that revision. */
void wi_plan_account_count(wi_update *u, struct wi_auto *state, uint64_t since);

/* There was no memory for it: the body is refitted for a while. */
void wi_plan_account_give_up(struct wi_auto *state);

#endif
