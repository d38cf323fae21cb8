/* kinetic_counts.h - what keeping a kinetic hierarchy came to. */
#ifndef WI_UPDATE_KINETIC_KINETIC_COUNTS_H
#define WI_UPDATE_KINETIC_KINETIC_COUNTS_H

#include <stddef.h>
#include <stdint.h>

typedef struct wi_kinetic_counts {
    size_t events;    /* certificates that failed */
    size_t internal;  /* of these: the end was the same vertex in the end */
    size_t values;    /* ends of boxes that another vertex became */
    size_t queue_ops; /* events that were entered, moved or taken out */
    size_t checked;   /* certificates that were made, or looked at again */
    size_t swept;     /* of these: in one sweep over all, at a keyframe */
    size_t bounded;   /* vertices that sweeps bounded at the end of a span */
    size_t changes;   /* vertices whose path changed */
    size_t setups;
    size_t most_events;   /* in the queue at the end of an update */
    uint32_t most_values; /* that changed one above the other, at once */
} wi_kinetic_counts;

static inline void wi_kinetic_counts_add(wi_kinetic_counts *sum, const wi_kinetic_counts *more)
{
    sum->events += more->events;
    sum->internal += more->internal;
    sum->values += more->values;
    sum->queue_ops += more->queue_ops;
    sum->checked += more->checked;
    sum->changes += more->changes;
    sum->setups += more->setups;
    if (more->most_events > sum->most_events) sum->most_events = more->most_events;
    if (more->most_values > sum->most_values) sum->most_values = more->most_values;
}

#endif
