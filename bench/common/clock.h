/* clock.h - how long something took, and the middle of several such times. */
#ifndef BENCH_COMMON_CLOCK_H
#define BENCH_COMMON_CLOCK_H

#include <stdint.h>

/* Milliseconds of a clock that never goes back. */
double now_ms(void);

/* The median of the values, which are reordered; 0 if there are none. */
double median_of(double *values, uint32_t count);

#endif
