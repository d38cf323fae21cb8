/* factors.c - see factors.h. */
#include "matrix/factors.h"

#include "matrix/motions.h"
#include "matrix/questions.h"
#include "matrix/settings.h"
#include "support/test.h"

typedef const char *namer(uint32_t value); /* NULL beyond the last value */

static const struct {
    const char *name;
    namer *value_name;
} factors[FACTOR_COUNT] = {
    [FACTOR_METHOD_A] = {"method_a", matrix_method_name},
    [FACTOR_METHOD_B] = {"method_b", matrix_method_name},
    [FACTOR_POSED] = {"posed", matrix_posed_name},
    [FACTOR_QUESTION] = {"question", matrix_question_name},
    [FACTOR_MOTION_A] = {"motion_a", matrix_motion_name},
    [FACTOR_MOTION_B] = {"motion_b", matrix_motion_name},
    [FACTOR_TRIAL_A] = {"trial_a", matrix_trial_name},
    [FACTOR_TRIAL_B] = {"trial_b", matrix_trial_name},
    [FACTOR_TUNING_A] = {"tuning_a", matrix_tuning_name},
    [FACTOR_TUNING_B] = {"tuning_b", matrix_tuning_name},
    [FACTOR_ARITY] = {"arity", matrix_arity_name},
    [FACTOR_LEAF] = {"leaf", matrix_leaf_name},
    [FACTOR_MARGIN] = {"margin", matrix_margin_name},
    [FACTOR_EVENTS] = {"events", matrix_events_name},
    [FACTOR_VOLUME] = {"volume", matrix_volume_name},
    [FACTOR_BUILD] = {"build", matrix_build_name},
    [FACTOR_MANNER] = {"manner", matrix_manner_name},
    [FACTOR_MESHES] = {"meshes", matrix_meshes_name},
    [FACTOR_SHARED] = {"shared", matrix_shared_name},
    [FACTOR_KERNEL] = {"kernel", matrix_kernel_name},
    [FACTOR_WORKERS] = {"workers", matrix_workers_name},
};

uint32_t factor_size(matrix_factor factor)
{
    uint32_t size = 0;
    while (factors[factor].value_name(size) != NULL) size++;
    return size;
}

const char *factor_name(matrix_factor factor) { return factors[factor].name; }

const char *factor_value_name(matrix_factor factor, uint32_t value)
{
    return factors[factor].value_name(value);
}

uint8_t factor_find(matrix_factor factor, const char *name)
{
    const uint32_t size = factor_size(factor);
    for (uint32_t i = 0; i < size; i++)
        if (strcmp(factor_value_name(factor, i), name) == 0) return (uint8_t)i;
    fail_msg("%s has no value %s", factor_name(factor), name);
    return 0;
}

void matrix_case_print(const matrix_case *c, char *out, uint32_t size)
{
    uint32_t length = 0;
    for (matrix_factor i = 0; i < FACTOR_COUNT && length < size; i++)
        length += (uint32_t)snprintf(out + length, size - length, "%s%s=%s", i == 0 ? "" : " ",
                                     factor_name(i), factor_value_name(i, c->value[i]));
}
