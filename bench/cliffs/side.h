/* side.h - one of the two sides of a row: a scene in a world of its own, and a question to it. */
#ifndef BENCH_CLIFFS_SIDE_H
#define BENCH_CLIFFS_SIDE_H

#include "bench/cliffs/cliffs.h"
#include "bench/play/player.h"
#include "bench/run/ask.h"

typedef struct side {
    const cliff_question *question;
    scene *scene;
    float **now, **next; /* positions of frame 0, and of frame 1 for steps */
    bool *self;
    player player;
    bench_answer answer;
    double spent_ms; /* on questions, all of them */
    cliff_side outcome;
} side;

/* An exit code; destroy it in any case. */
int side_create(side *d, const cliff_question *question, const bench_options *options);
void side_destroy(side *d);

/* Gives all bodies their positions anew, so that nothing is left of what was known about them, and
 * asks. An exit code. */
int side_ask(side *d);

/* Asks once more after an update in which nothing has changed; what that takes is noted in `out`,
 * not in the side. An exit code. */
int side_ask_again(side *d, cliff_side *out);

#endif
