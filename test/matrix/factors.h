/* factors.h - what a case of the matrix is made of: one value of every factor.
 *
 * A factor is a number below and a list of names, one for each of its values. The
 * sampler chooses values, settings.h, motions.h and questions.h say what they mean. */
#ifndef TEST_MATRIX_FACTORS_H
#define TEST_MATRIX_FACTORS_H

#include <stdint.h>

/* Those of both bodies come in two. */
typedef enum matrix_factor {
    FACTOR_METHOD_A,
    FACTOR_METHOD_B,
    FACTOR_POSED,
    FACTOR_QUESTION,
    FACTOR_MOTION_A,
    FACTOR_MOTION_B,
    FACTOR_TRIAL_A,
    FACTOR_TRIAL_B,
    FACTOR_TUNING_A,
    FACTOR_TUNING_B,
    FACTOR_ARITY,
    FACTOR_LEAF,
    FACTOR_MARGIN,
    FACTOR_EVENTS,
    FACTOR_VOLUME,
    FACTOR_BUILD,
    FACTOR_MANNER,
    FACTOR_MESHES,
    FACTOR_SHARED,
    FACTOR_KERNEL,
    FACTOR_WORKERS,
    FACTOR_COUNT
} matrix_factor;

enum { MATRIX_VALUES = 32 }; /* most values of a factor */

typedef struct matrix_case {
    uint32_t number;
    uint8_t value[FACTOR_COUNT];
} matrix_case;

/* How many values a factor has, and what one of them is called. */
uint32_t factor_size(matrix_factor factor);
const char *factor_name(matrix_factor factor);
const char *factor_value_name(matrix_factor factor, uint32_t value);

/* The value of that name, which must be there. */
uint8_t factor_find(matrix_factor factor, const char *name);

/* All values of a case in one line. */
void matrix_case_print(const matrix_case *c, char *out, uint32_t size);

#endif
