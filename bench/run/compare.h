/* compare.h - who answers as whom: wrong methods, and what peers lose. */
#ifndef BENCH_RUN_COMPARE_H
#define BENCH_RUN_COMPARE_H

#include "bench/run/pair_list.h"
#include "bench/run/question.h"
#include "bench/run/result.h"

/* What is needed to compare answers. */
typedef struct bench_jury {
    const scene *scene;
    bench_question question;
    bench_result *results; /* by contender: what was found goes there */
    uint32_t count;
    uint32_t listed; /* differences that were told, or not any more */
} bench_jury;

/* Adds up and compares the answers to one frame, one list per contender; neighbours may be gone
 * from the lists then. False for want of memory. */
bool bench_compare_frame(bench_jury *jury, pair_list *lists, uint32_t frame);

/* Tells how many differences were not told. */
void bench_jury_close(const bench_jury *jury);

#endif
