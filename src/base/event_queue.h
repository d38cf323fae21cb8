/* event_queue.h - events by time: an indexed heap.
 *
 * A slot has at most one event. Events come in the order of their times; of those at the same time
 * the one with the lower rank first, then the one with the lower number of slot. Ranks are of
 * groups of slots, WI_QUEUE_GROUP each. Made for tens of thousands of events of which a few percent
 * change between two looks. */
#ifndef WI_BASE_EVENT_QUEUE_H
#define WI_BASE_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/memory.h"

enum { WI_QUEUE_GROUP = 6 };

typedef struct wi_event {
    double time;
    uint32_t slot;
} wi_event;

typedef struct wi_event_queue {
    wi_event *events; /* the heap */
    uint32_t count, room;
    uint32_t *where; /* by slot: one more than its place in the heap, 0 if it has no event */
    uint32_t slot_count;
    const uint32_t *ranks; /* by slot / WI_QUEUE_GROUP; the caller's; NULL: all the same */
    uint64_t operations;   /* entered, moved and taken out, since it was made */
} wi_event_queue;

/* An empty queue for slots [0, slot_count). False if there is no memory: there is no queue then. */
bool wi_queue_make(wi_memory *memory, wi_event_queue *queue, uint32_t slot_count,
                   const uint32_t *ranks);
void wi_queue_free(wi_memory *memory, wi_event_queue *queue);
size_t wi_queue_bytes(const wi_event_queue *queue);

/* Makes room for so many events more; false if there is no memory. */
bool wi_queue_reserve(wi_memory *memory, wi_event_queue *queue, uint32_t more);

/* Takes all events out. */
void wi_queue_clear(wi_event_queue *queue);

/* Gives a slot its event, or another time to the one that it has. There is room. */
void wi_queue_set(wi_event_queue *queue, uint32_t slot, double time);

/* Takes the event of a slot out, if it has one. */
void wi_queue_remove(wi_event_queue *queue, uint32_t slot);

/* The first event, if there is one. */
static inline bool wi_queue_first(const wi_event_queue *queue, wi_event *first)
{
    if (queue->count > 0) *first = queue->events[0];
    return queue->count > 0;
}

/* Takes the first event out if it is not later than `until`. */
bool wi_queue_take(wi_event_queue *queue, double until, wi_event *first);

static inline bool wi_queue_has(const wi_event_queue *queue, uint32_t slot)
{
    return queue->where[slot] != 0;
}

/* NULL, or the words for what is broken. */
const char *wi_queue_validate(const wi_event_queue *queue);

#endif
