/* fold_report.h - what to say when a tree and BRUTE differ. */
#ifndef TEST_FOLD_REPORT_H
#define TEST_FOLD_REPORT_H

#include "support/fold_world.h"

/* Prints the case, the first pair that only one of the two has, and the few triangles that are left
 * when those are dropped without which they still differ. Fails the test. */
void fold_report(const fold_case *c, const fold_setup *setup, fold_ask ask,
                 const willow_pairs *expected, const willow_pairs *got);

#endif
