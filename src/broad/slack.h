/* slack.h - boxes with slack: the acting kind of a kept broad phase knows larger boxes than the
 * given ones, and hears of a box only when that leaves its larger one.
 *
 * Ways in: wi_slack_choose in every update, then wi_slack_follow where it says so. The slack of a
 * box is a share of its size. While motion is little against it, an update costs one look at each
 * box and one at each pair of larger boxes that meet ("near"), both in the order of memory. What
 * left its larger box since the kind was told is a stray: searches look at all strays, and when
 * they have become many the kind is told of them. Answers are those for the given boxes in any
 * case. */
#ifndef WI_BROAD_SLACK_H
#define WI_BROAD_SLACK_H

#include "broad/broad.h"

typedef struct wi_kept wi_kept;
typedef struct wi_kept_change wi_kept_change;

typedef struct wi_slack {
    float share;     /* of the size, on each side of a box; 0: there is no slack */
    wi_box *block;   /* given boxes by number, then larger ones */
    size_t capacity; /* of each of both */

    WI_ARRAY(uint8_t) is_stray;       /* by number */
    wi_body_numbers strays;           /* since the kind was told */
    wi_body_numbers left;             /* in this update */
    wi_body_pairs near, spare, found; /* pairs of larger boxes, sorted; where others are made */

    /* Counts that the share is chosen by. */
    double moved;     /* without slack: sum of how far boxes of a sample moved, over their size */
    uint32_t sampled; /* how many these were, in this update */
    uint32_t updates; /* in this window */
    uint32_t quiet_windows; /* one after the other, in which hardly a box left */
    uint64_t left_count;    /* boxes that left, in this one */
} wi_slack;

/* Takes part in how far boxes move in an update without slack. */
void wi_slack_sample(wi_slack *slack, const wi_box *before, const wi_box *now);

/* Whether this update is with slack. Where there was some and is none any more, the kind has to
 * begin anew (change->all). */
bool wi_slack_choose(wi_kept *kept, wi_kept_change *change);

/* An update with slack: the kind, pairs, events. False if there is no memory. */
bool wi_slack_follow(wi_kept *kept, const wi_kept_change *change);

/* The kind knows given boxes from now on, and has to begin anew. */
void wi_slack_stop(wi_kept *kept);

/* Room for larger boxes; false if there is no memory. */
bool wi_slack_reserve(wi_kept *kept, uint32_t count);

static inline wi_box *wi_slack_larger(const wi_slack *slack)
{
    return slack->block + slack->capacity;
}

/* NULL, or the words for the invariant that is broken (B14). */
const char *wi_slack_validate(const wi_kept *kept);
void wi_slack_free(wi_memory *memory, wi_slack *slack);

#endif
