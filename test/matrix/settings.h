/* settings.h - the trees and worlds of the matrix.
 *
 * Methods are all those that the library has a name for, so a new one is in the matrix at once. */
#ifndef TEST_MATRIX_SETTINGS_H
#define TEST_MATRIX_SETTINGS_H

#include "matrix/factors.h"
#include "willow/willow.h"

const char *matrix_method_name(uint32_t value);
const char *matrix_tuning_name(uint32_t value);
const char *matrix_arity_name(uint32_t value);
const char *matrix_leaf_name(uint32_t value);
const char *matrix_margin_name(uint32_t value);
const char *matrix_events_name(uint32_t value);
const char *matrix_volume_name(uint32_t value);
const char *matrix_build_name(uint32_t value);
const char *matrix_kernel_name(uint32_t value);
const char *matrix_workers_name(uint32_t value);

/* The tree of body 0 or 1, and the world. */
willow_tree_def matrix_tree(const matrix_case *c, uint32_t body);
willow_world_def matrix_world_def(const matrix_case *c);

#endif
