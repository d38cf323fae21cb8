/* The session of allocations_test.c, where each allocation fails in all of its tests. */
#define EVERY_ALLOCATION
#include "allocations_test.c"
