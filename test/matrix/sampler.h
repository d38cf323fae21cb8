/* sampler.h - cases of the matrix: few of the many, in which any two values of two factors meet.
 *
 * First every method meets every method under every choice of poses; then pairs of values that have
 * not met are sought out, greedily; then values are drawn at random, but for those of a theme in
 * every second case: values that mean something only together. The list is a function of the
 * factors alone. */
#ifndef TEST_MATRIX_SAMPLER_H
#define TEST_MATRIX_SAMPLER_H

#include "matrix/factors.h"

/* Fills `cases`; returns how many of them it took until all pairs had met, or UINT32_MAX if they
 * have not. */
uint32_t matrix_sample(matrix_case *cases, uint32_t count);

#endif
