/* toi_check.h - asks for a time of impact and holds it against rational numbers. */
#ifndef TEST_TOI_CHECK_H
#define TEST_TOI_CHECK_H

#include "willow/prim.h"

typedef struct toi_case {
    bool is_edges;
    double start[4][3], end[4][3];
    double min_distance, tolerance;
    uint32_t max_iterations;
} toi_case;

typedef struct toi_answer {
    willow_toi verdict;
    double toi;
    bool is_proven; /* all of it, by the oracle; else only that nothing was found against it */
} toi_answer;

/* The answer, without a look at it. */
toi_answer toi_ask(const toi_case *c);

/* Fails the test, naming the case, if the time is late, or early by more than the tolerance, or 0
 * for no reason, or if an impact is not even near. */
toi_answer toi_check(const char *name, uint64_t number, const toi_case *c);

#endif
