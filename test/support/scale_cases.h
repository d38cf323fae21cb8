/* scale_cases.h - many worlds and many bodies, in numbers that the quick and the slow test choose.
 * All of them fail the test that runs them. */
#ifndef TEST_SCALE_CASES_H
#define TEST_SCALE_CASES_H

#include <stdint.h>

/* Worlds one after the other, each with two triangles that meet, asked and destroyed. */
void scale_worlds_in_a_row(uint32_t count);

/* The same, all alive at once. */
void scale_worlds_at_once(uint32_t count);

/* So many worlds made after one do not know its body. Their numbers are 65,535, so fewer. */
void scale_worlds_apart(uint32_t count);

/* Bodies in pairs that meet, of which random ones move by vertices and by poses, are destroyed in
 * any order and made again, over some rounds. */
void scale_bodies(uint32_t count, uint32_t rounds);

#endif
