/* event_queue.h - events by time: a calendar.
 *
 * A slot has at most one event. Events come in the order of their times; of those at the same time
 * the one with the lower rank first, then the one with the lower number of slot. Ranks are of
 * groups of slots, WI_QUEUE_GROUP each. Made for tens of thousands of events of which a few percent
 * change between two looks: to enter, to move and to take out cost the same for any number of
 * them, unless very many are at almost the same time. */
#ifndef WI_BASE_CONTAINERS_EVENT_QUEUE_H
#define WI_BASE_CONTAINERS_EVENT_QUEUE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/check.h"
#include "base/memory.h"

enum { WI_QUEUE_GROUP = 6 };

typedef struct wi_event {
    double time;
    uint32_t slot;
} wi_event;

/* An event in its list, or in the heap of those that are near. */
typedef struct wi_event_cell {
    double time;
    uint32_t slot;
    uint32_t list;           /* by its time; before the list at hand it is near */
    uint32_t next, previous; /* in its list; for a cell that is near `previous` is its place */
} wi_event_cell;

typedef struct wi_event_queue {
    wi_event_cell *cells;
    uint32_t *near;      /* a heap of cells: all those in lists before `at` */
    uint32_t *lists;     /* the first cell of each; the last list has all that is far */
    uint32_t count;      /* of events */
    uint32_t near_count; /* of them, in the heap */
    uint32_t room;       /* for so many */
    uint32_t free_cell;
    uint32_t far;             /* the number of the last list */
    uint32_t at;              /* the list at hand */
    double start, per_time;   /* list 0 begins at `start`; so many lists are one unit of time */
    uint32_t count_at_spread; /* events when lists were made */
    uint32_t *where;          /* by slot: one more than its cell, 0 if it has no event */
    uint32_t slot_count;
    const uint32_t *ranks; /* by slot / WI_QUEUE_GROUP; the caller's; NULL: all the same */
    uint64_t operations;   /* entered, moved and taken out, since it was made */
} wi_event_queue;

/* An empty queue for slots [0, slot_count). False if there is no memory: there is no queue then. */
bool wi_queue_make(wi_memory *memory, wi_event_queue *queue, uint32_t slot_count,
                   const uint32_t *ranks);
void wi_queue_free(wi_memory *memory, wi_event_queue *queue);

/* Makes it a queue for slots [0, slot_count), if it is for fewer; one that is all zero becomes a
 * queue without ranks. False if there is no memory: it is as it was. */
bool wi_queue_widen(wi_memory *memory, wi_event_queue *queue, uint32_t slot_count);
size_t wi_queue_bytes(const wi_event_queue *queue);

/* Makes room for so many events more; false if there is no memory: the queue is as it was. */
bool wi_queue_reserve(wi_memory *memory, wi_event_queue *queue, uint32_t more);

/* Takes all events out. */
void wi_queue_clear(wi_event_queue *queue);

/* Gives a slot its event, or another time to the one that it has. The time is finite, and there is
 * room. */
void wi_queue_set(wi_event_queue *queue, uint32_t slot, double time);

static inline bool wi_queue_has(const wi_event_queue *queue, uint32_t slot)
{
    WI_ASSERT(slot < queue->slot_count);
    return queue->where[slot] != 0;
}

/* The time of its event, or infinity. */
static inline double wi_queue_time(const wi_event_queue *queue, uint32_t slot)
{
    return wi_queue_has(queue, slot) ? queue->cells[queue->where[slot] - 1].time : (double)INFINITY;
}

/* Takes the event of a slot out, which has one. */
void wi_queue_remove_event(wi_event_queue *queue, uint32_t slot);

/* The same, if it has one: most have none. */
static inline void wi_queue_remove(wi_event_queue *queue, uint32_t slot)
{
    if (wi_queue_has(queue, slot)) wi_queue_remove_event(queue, slot);
}

/* The time of the first event, or infinity. */
double wi_queue_next(wi_event_queue *queue);

/* Takes the first event out if it is not later than `until`. */
bool wi_queue_take(wi_event_queue *queue, double until, wi_event *first);

/* Takes out any event that is not later than `until`. For those who want all of them, in whatever
 * order: it is cheaper. */
bool wi_queue_take_any(wi_event_queue *queue, double until, wi_event *any);

/* NULL, or the words for what is broken. */
const char *wi_queue_validate(const wi_event_queue *queue);

#endif
