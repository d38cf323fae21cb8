/* contender.h - a kind of broad phase, or a peer, while it is measured. */
#ifndef BENCH_CROWDS_CONTENDER_H
#define BENCH_CROWDS_CONTENDER_H

#include "bench/crowds/crowds.h"

/* The boxes of a frame. */
typedef struct crowd_frame {
    const void *boxes;      /* as crowd_boxes has them */
    const willow_box *wide; /* the same in space, for peers */
    uint32_t count;
    const uint32_t *changed; /* NULL: all, or nothing is known */
    uint32_t changed_count;
} crowd_frame;

typedef struct crowd_contender {
    const crowd_method *method;
    willow_broad_phase *phase;
    void *peer;
    crowd_row *row;
} crowd_contender;

/* The row belongs to somebody else and is filled in. */
void contender_init(crowd_contender *c, const crowd_method *method, crowd_row *row);
void contender_free(crowd_contender *c);

/* Plays the next frame; *pairs is valid until the one after it. An exit code. */
int contender_play(crowd_contender *c, const crowd_frame *frame, bool is_counted,
                   willow_broad_pairs *pairs);

#endif
