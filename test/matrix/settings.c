/* settings.c - see settings.h. */
#include "matrix/settings.h"

#include <math.h>
#include <stddef.h>

#define NAME_OF(names, value) ((value) < sizeof names / sizeof names[0] ? names[value] : NULL)

const char *matrix_method_name(uint32_t value) { return willow_method_name((willow_method)value); }
const char *matrix_events_name(uint32_t value) { return willow_events_name((willow_events)value); }
const char *matrix_volume_name(uint32_t value) { return willow_volume_name((willow_volume)value); }
const char *matrix_build_name(uint32_t value) { return willow_build_name((willow_build)value); }

static const char *const arity_names[] = {"2", "4", "8"};
static const char *const leaf_names[] = {"default", "1"};
static const char *const margin_names[] = {"0", "0.05"};
static const char *const workers_names[] = {"1", "4"};

const char *matrix_arity_name(uint32_t value) { return NAME_OF(arity_names, value); }
const char *matrix_leaf_name(uint32_t value) { return NAME_OF(leaf_names, value); }
const char *matrix_margin_name(uint32_t value) { return NAME_OF(margin_names, value); }
const char *matrix_workers_name(uint32_t value) { return NAME_OF(workers_names, value); }

/* Kernels from SCALAR on that this machine and build have: they are the first ones. */
static bool has_kernel(willow_kernel kernel)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    def.kernel = kernel;
    const bool is_there = willow_world_create(&def, &world) == WILLOW_OK;
    willow_world_destroy(world);
    return is_there;
}

const char *matrix_kernel_name(uint32_t value)
{
    const willow_kernel kernel = (willow_kernel)(WILLOW_KERNEL_SCALAR + value);
    return kernel < WILLOW_KERNEL_COUNT && has_kernel(kernel) ? willow_kernel_name(kernel) : NULL;
}

/* Sees something in every second cell, whatever is there, and sometimes cannot look. */
static bool see_anything(void *context, const willow_occupancy_question *question, uint32_t *counts)
{
    float corners[3][3];
    (void)context;
    question->corners(question, question->triangle_count - 1, corners);
    for (uint32_t i = 0; i < question->cell_count; i++)
        counts[i] = (i + question->triangle_count) % 2;
    return question->triangle_count % 5 != 0;
}

/* What a method may be told beyond its defaults, and others do not look at.
 * X(name, what is set) */
#define TUNINGS(X)                                                                                 \
    X("plain", (void)tree)                                                                         \
    X("level=1", tree->hybrid_level = 1)                                                           \
    X("level=2", tree->hybrid_level = 2)                                                           \
    X("level=all", tree->hybrid_level = UINT32_MAX)                                                \
    X("ratio=1", tree->rebuild_ratio = 1.0F)                                                       \
    X("ratio=never", tree->rebuild_ratio = INFINITY)                                               \
    X("search", tree->search_keyframes = true)                                                     \
    X("exact", tree->exact_events = true)                                                          \
    X("base", tree->reference = WILLOW_REFERENCE_BASE)                                             \
    X("target", (tree->reference = WILLOW_REFERENCE_TARGET, tree->reference_target = 1))           \
    X("best", tree->reference = WILLOW_REFERENCE_BEST)                                             \
    X("both", tree->blend_both = true)                                                             \
    X("between", tree->in_between = 3)                                                             \
    X("bono", (tree->cells = WILLOW_CELLS_BONO, tree->max_time = 0.01F))                           \
    X("depth=1", tree->collision_depth = 1)                                                        \
    X("depth=16", (tree->collision_depth = 16, tree->max_time = INFINITY))                         \
    X("whole", (tree->grow_whole = true, tree->collision_depth = 4))                               \
    X("backend", tree->occupancy.count = see_anything)

static const char *const tuning_names[] = {
#define TUNING_ENTRY(name, set) name,
    TUNINGS(TUNING_ENTRY)
#undef TUNING_ENTRY
};

const char *matrix_tuning_name(uint32_t value) { return NAME_OF(tuning_names, value); }

static void tune(willow_tree_def *tree, uint32_t row)
{
    uint32_t at = 0;
#define TUNING_ENTRY(name, set)                                                                    \
    if (at++ == row) set;
    TUNINGS(TUNING_ENTRY)
#undef TUNING_ENTRY
}

willow_tree_def matrix_tree(const matrix_case *c, uint32_t body)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = (willow_method)c->value[body == 0 ? FACTOR_METHOD_A : FACTOR_METHOD_B];
    tree.arity = 2U << (c->value[FACTOR_ARITY] + (body == 0 ? 0 : c->number)) % 3;
    tree.leaf_triangles = c->value[FACTOR_LEAF] == 0 ? 0 : 1;
    tree.margin = c->value[FACTOR_MARGIN] == 0 ? 0 : 0.05F;
    tree.events = (willow_events)c->value[FACTOR_EVENTS];
    tree.volume = (willow_volume)c->value[FACTOR_VOLUME];
    tree.build = (willow_build)c->value[FACTOR_BUILD];
    tune(&tree, c->value[body == 0 ? FACTOR_TUNING_A : FACTOR_TUNING_B]);
    return tree;
}

willow_world_def matrix_world_def(const matrix_case *c)
{
    willow_world_def def = willow_world_def_default();
    def.kernel = (willow_kernel)(WILLOW_KERNEL_SCALAR + c->value[FACTOR_KERNEL]);
    def.thread_count = c->value[FACTOR_WORKERS] == 0 ? 1 : 4;
    return def;
}
