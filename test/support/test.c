#include "support/test.h"

static bool slow_rows;

bool test_is_slow(void) { return slow_rows; }

void test_set_slow(bool is_slow) { slow_rows = is_slow; }
