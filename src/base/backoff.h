/* backoff.h - tried in vain: wait twice as long (exponential back-off).
 *
 * For things that pay on some inputs only, and that only a try can tell: they are tried, left alone
 * for some steps if they did not pay, and tried again. Every failure in a row doubles the wait, up
 * to a limit, so that on inputs on which they never pay the tries cost next to nothing. What a step
 * is (an update, a query) and how long the first wait is, the caller says. */
#ifndef WI_BASE_BACKOFF_H
#define WI_BASE_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"

enum { WI_MOST_DOUBLINGS = 6 };

/* All zero: due, and nothing has failed yet. */
typedef struct wi_backoff {
    uint32_t wait;     /* steps until the next try; 0: it is due */
    uint32_t failures; /* in a row, WI_MOST_DOUBLINGS at most */
} wi_backoff;

static inline bool wi_backoff_is_due(const wi_backoff *b) { return b->wait == 0; }

/* `first`, doubled once for every failure. */
static inline uint32_t wi_backoff_doubled(const wi_backoff *b, uint32_t first)
{
    WI_ASSERT(b->failures <= WI_MOST_DOUBLINGS && first <= UINT32_MAX >> WI_MOST_DOUBLINGS);
    return first << b->failures;
}

static inline void wi_backoff_wait(wi_backoff *b, uint32_t first)
{
    b->wait = wi_backoff_doubled(b, first);
}

static inline void wi_backoff_count_failure(wi_backoff *b)
{
    if (b->failures < WI_MOST_DOUBLINGS) b->failures++;
}

/* It did not pay: waits, and the next time twice as long. */
static inline void wi_backoff_failed(wi_backoff *b, uint32_t first)
{
    wi_backoff_wait(b, first);
    wi_backoff_count_failure(b);
}

/* It paid: the next failure counts as the first. Does not change the wait. */
static inline void wi_backoff_succeeded(wi_backoff *b) { b->failures = 0; }

/* One step less to wait; true if the try is due now, or was before. */
static inline bool wi_backoff_step(wi_backoff *b)
{
    if (b->wait > 0) b->wait--;
    return b->wait == 0;
}

#endif
