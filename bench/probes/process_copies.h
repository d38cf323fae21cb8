/* process_copies.h - copies of this process that do the same work at the same time.
 *
 * What a machine gives to several programs that know nothing of each other is what threads are
 * measured against. Copies are told when to begin by the clock, which all of them share. */
#ifndef BENCH_PROBES_PROCESS_COPIES_H
#define BENCH_PROBES_PROCESS_COPIES_H

#include <stdbool.h>
#include <stdint.h>

/* A block of frames of a scene. */
typedef struct frame_block {
    uint32_t first, count;
} frame_block;

/* What a copy does. Functions return false on failure, which they have then said on standard
 * error. */
typedef struct copied_work {
    bool (*create)(void *context);                     /* once, before all blocks */
    bool (*prepare)(void *context, frame_block block); /* for a block; not timed */
    bool (*run)(void *context);                        /* that block: timed */
    uint64_t (*answer)(const void *context);           /* what came out of it */
    void *context;                                     /* every copy has its own copy of this */
} copied_work;

typedef struct process_copy process_copy;

typedef struct copies {
    process_copy *items;
    uint32_t count;
} copies;

/* Starts so many copies, from a process that has no threads yet. False on failure; end them in any
 * case. */
bool copies_start(copies *c, uint32_t count, const copied_work *work);

/* Lets all of them run the block at once. *ms is how long it took from when the first began until
 * the last was done, *answer what came out; false if a copy failed. *differ turns true if answers
 * are not equal. */
bool copies_run(copies *c, frame_block block, double *ms, uint64_t *answer, bool *differ);

void copies_end(copies *c);

#endif
