/* ask.h - a question to the world of a player, whichever it is, and its answer. */
#ifndef BENCH_RUN_ASK_H
#define BENCH_RUN_ASK_H

#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/run/question.h"

/* What was answered last; only the one that was asked for has a meaning. */
typedef struct bench_answer {
    bench_question question;
    willow_pairs pairs;
    willow_first_pair first;
    willow_impacts impacts;
    willow_first_impact first_impact;
    willow_near near;
    willow_closest_pair closest;
} bench_answer;

/* Makes a player ready for a question: targets for steps, which are in these arrays, and the
 * distance that it was not told. The arrays that the player has must be filled. False on failure,
 * with words in its message. */
bool bench_get_ready(player *p, bench_question question, const engine_options *engine,
                     float *const *targets);

/* Goes to a frame, that was prepared, with the step from there if the question is about it. False
 * on failure. */
bool bench_go(player *p, bench_question question, uint32_t frame, willow_update_report *report);

/* Asks. False on failure. */
bool bench_ask(player *p, bench_question question, bench_answer *out);

/* How many there are, and a number that stands for all of them: bodies by their numbers in the
 * scene, features, and the bits of times, distances and points. Which pair is the first is free
 * (C3), so for that only whether there is one counts. */
size_t bench_answer_count(const bench_answer *answer);
uint64_t bench_answer_digest(const player *p, const bench_answer *answer);

/* How far what was asked for the distance of is apart; 0 if there was nothing. */
double bench_answer_distance(const bench_answer *answer);

#endif
