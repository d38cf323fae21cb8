/* test.c - see test.h. */
#include "support/test.h"

static bool slow_rows;

bool test_is_slow(void) { return slow_rows; }

void test_set_slow(bool is_slow) { slow_rows = is_slow; }

void test_assert_ok(willow_result result, const char *call, const char *file, int line)
{
    if (result == WILLOW_OK) return;
    print_error("%s: %s\n", call, willow_result_name(result));
    _fail(file, line);
}
