/* toi_cases.h - moving primitives that are hard on purpose, and all of them at once. */
#ifndef TEST_TOI_CASES_H
#define TEST_TOI_CASES_H

#include "support/toi_check.h"

enum { TOI_FAMILIES = 8 };

/* What the cases of a family have in common. */
const char *toi_family_name(int family);

/* The next case of a family, with min_distance 0 or more. */
toi_case toi_make_case(int family, uint64_t *random);

/* Checks that many cases of every family, counts what came out, and says it. */
void toi_check_families(uint64_t seed, uint64_t cases_per_family);

#endif
