/* test_allocator.h - an allocator that fails when told to and remembers what it gave.
 *
 *     for (size_t n = 1; !done; n++) {
 *         test_allocator allocator = {.fail_at = n};
 *         ...                                              // the n-th allocation fails
 *         assert_true(test_allocator_is_clean(&allocator));
 *     }
 *
 * Safe from many threads, as the library asks of its users. */
#ifndef WI_TEST_TEST_ALLOCATOR_H
#define WI_TEST_TEST_ALLOCATOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "willow/base.h"

typedef struct test_allocator {
    size_t fail_at;         /* the call that fails, from 1; 0 for none */
    bool fails_from_now_on; /* all calls fail */
    atomic_size_t calls;    /* failed ones included */
    atomic_size_t blocks, bytes;
    atomic_size_t wrong_frees; /* with a size or an alignment that was not the one asked for */
} test_allocator;

willow_allocator test_allocator_functions(test_allocator *allocator);

/* True if all that was given came back, with the right sizes. */
bool test_allocator_is_clean(const test_allocator *allocator);

#endif
