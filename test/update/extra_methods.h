/* extra_methods.h - methods that only tests have, beyond those of willow/tree.h: one line each.
 *
 * Programs that are linked with willow_extra (test/CMakeLists.txt) know them by name and by number,
 * from WILLOW_METHOD_COUNT on. No library does.
 * X(enum, name, functions) */
#ifndef TEST_UPDATE_EXTRA_METHODS_H
#define TEST_UPDATE_EXTRA_METHODS_H

#define WI_EXTRA_METHODS(X) X(TOY, "toy", wi_toy_ops)

#endif
