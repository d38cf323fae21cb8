/* event_queue.c - a heap of events with four children to a parent. */
#include "base/event_queue.h"

#include <string.h>

#include "base/check.h"

enum { CHILDREN = 4 };

bool wi_queue_make(wi_memory *memory, wi_event_queue *queue, uint32_t slot_count,
                   const uint32_t *ranks)
{
    *queue = (wi_event_queue){.slot_count = slot_count, .ranks = ranks};
    queue->where = wi_alloc_array(memory, slot_count, sizeof *queue->where);
    if (queue->where == NULL) {
        *queue = (wi_event_queue){0};
        return slot_count == 0;
    }
    memset(queue->where, 0, slot_count * sizeof *queue->where);
    return true;
}

void wi_queue_free(wi_memory *memory, wi_event_queue *queue)
{
    wi_free_array(memory, queue->where, queue->slot_count, sizeof *queue->where);
    wi_free_array(memory, queue->events, queue->room, sizeof *queue->events);
    *queue = (wi_event_queue){0};
}

size_t wi_queue_bytes(const wi_event_queue *queue)
{
    return queue->slot_count * sizeof *queue->where + queue->room * sizeof *queue->events;
}

bool wi_queue_reserve(wi_memory *memory, wi_event_queue *queue, uint32_t more)
{
    uint32_t wanted = queue->count + more;
    if (wanted > queue->slot_count) wanted = queue->slot_count;
    if (wanted <= queue->room) return true;
    uint32_t room = queue->room + queue->room / 2;
    if (room < wanted) room = wanted;
    if (room > queue->slot_count) room = queue->slot_count;
    wi_event *events = wi_alloc_array(memory, room, sizeof *events);
    if (events == NULL) return false;
    if (queue->count > 0) memcpy(events, queue->events, queue->count * sizeof *events);
    wi_free_array(memory, queue->events, queue->room, sizeof *queue->events);
    queue->events = events;
    queue->room = room;
    return true;
}

void wi_queue_clear(wi_event_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++) queue->where[queue->events[i].slot] = 0;
    queue->count = 0;
}

static bool is_tie_before(const wi_event_queue *queue, uint32_t a, uint32_t b)
{
    if (queue->ranks) {
        const uint32_t rank_a = queue->ranks[a / WI_QUEUE_GROUP];
        const uint32_t rank_b = queue->ranks[b / WI_QUEUE_GROUP];
        if (rank_a != rank_b) return rank_a < rank_b;
    }
    return a < b;
}

static inline bool is_before(const wi_event_queue *queue, const wi_event *a, const wi_event *b)
{
    return a->time < b->time || (a->time == b->time && is_tie_before(queue, a->slot, b->slot));
}

static inline void put(wi_event_queue *queue, uint32_t at, const wi_event *event)
{
    queue->events[at] = *event;
    queue->where[event->slot] = at + 1;
}

/* Moves a hole at `at` up until `event` fits in. */
static void rise(wi_event_queue *queue, uint32_t at, const wi_event *event)
{
    while (at > 0) {
        const uint32_t parent = (at - 1) / CHILDREN;
        if (!is_before(queue, event, &queue->events[parent])) break;
        put(queue, at, &queue->events[parent]);
        at = parent;
    }
    put(queue, at, event);
}

/* The same down. */
static void sink(wi_event_queue *queue, uint32_t at, const wi_event *event)
{
    for (;;) {
        const size_t first = (size_t)CHILDREN * at + 1;
        if (first >= queue->count) break;
        uint32_t least = (uint32_t)first;
        for (uint32_t i = least + 1; i < first + CHILDREN && i < queue->count; i++)
            if (is_before(queue, &queue->events[i], &queue->events[least])) least = i;
        if (!is_before(queue, &queue->events[least], event)) break;
        put(queue, at, &queue->events[least]);
        at = least;
    }
    put(queue, at, event);
}

static void settle(wi_event_queue *queue, uint32_t at, const wi_event *event)
{
    if (at > 0 && is_before(queue, event, &queue->events[(at - 1) / CHILDREN]))
        rise(queue, at, event);
    else
        sink(queue, at, event);
}

void wi_queue_set(wi_event_queue *queue, uint32_t slot, double time)
{
    const wi_event event = {time, slot};
    const uint32_t where = queue->where[slot];
    queue->operations++;
    if (where != 0) {
        settle(queue, where - 1, &event);
        return;
    }
    WI_ASSERT(queue->count < queue->room);
    rise(queue, queue->count++, &event);
}

static void remove_at(wi_event_queue *queue, uint32_t at)
{
    const wi_event last = queue->events[--queue->count];
    queue->where[queue->events[at].slot] = 0;
    queue->operations++;
    if (at < queue->count) settle(queue, at, &last);
}

void wi_queue_remove(wi_event_queue *queue, uint32_t slot)
{
    if (queue->where[slot] != 0) remove_at(queue, queue->where[slot] - 1);
}

bool wi_queue_take(wi_event_queue *queue, double until, wi_event *first)
{
    if (queue->count == 0 || queue->events[0].time > until) return false;
    *first = queue->events[0];
    remove_at(queue, 0);
    return true;
}

const char *wi_queue_validate(const wi_event_queue *queue)
{
    for (uint32_t i = 0; i < queue->count; i++) {
        if (queue->where[queue->events[i].slot] != i + 1)
            return "Q1: a slot does not know its event";
        if (i > 0 && is_before(queue, &queue->events[i], &queue->events[(i - 1) / CHILDREN]))
            return "Q2: an event is before its parent";
    }
    return NULL;
}
