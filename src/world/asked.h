/* asked.h - whether queries have asked for something that updates could keep for them.
 *
 * What answers depend on does not depend on it: what is not kept is found by the query itself. It
 * follows from the queries between two updates, in whatever order and on whatever thread they ran
 * (C9, C10). */
#ifndef WI_WORLD_ASKED_H
#define WI_WORLD_ASKED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Updates in a row without a question, after which nothing is kept. */
enum { WI_ASKED_PATIENCE = 16 };

typedef struct wi_asked {
    atomic_bool is_new; /* since the last update */
    uint32_t left;      /* updates that it is still kept for */
} wi_asked;

/* Queries, on any thread. */
static inline void wi_asked_note(wi_asked *asked)
{
    if (!atomic_load_explicit(&asked->is_new, memory_order_relaxed))
        atomic_store_explicit(&asked->is_new, true, memory_order_relaxed);
}

/* Once in an update, which comes to nobody else meanwhile. */
static inline void wi_asked_count(wi_asked *asked)
{
    if (atomic_load_explicit(&asked->is_new, memory_order_relaxed))
        asked->left = WI_ASKED_PATIENCE;
    else if (asked->left > 0)
        asked->left--;
    atomic_store_explicit(&asked->is_new, false, memory_order_relaxed);
}

static inline bool wi_asked_is_wanted(const wi_asked *asked) { return asked->left > 0; }

#endif
