/* larger.h - the larger and the smaller of two. Where they are equal or unordered: the second. */
#ifndef WI_BASE_LARGER_H
#define WI_BASE_LARGER_H

#include <stdint.h>

static inline double wi_larger(double a, double b) { return a > b ? a : b; }
static inline double wi_smaller(double a, double b) { return a < b ? a : b; }
static inline uint32_t wi_smaller_u32(uint32_t a, uint32_t b) { return a < b ? a : b; }

#endif
