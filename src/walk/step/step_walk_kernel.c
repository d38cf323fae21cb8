/* step_walk_kernel.c - tree against tree, and tree against itself, over a step.
 *
 * Way in: wi_step_kernels. The loops are those of walk/pairs/open_pairs.h, with moving boxes;
 * leaves are met in step_leaf_kernel.c. */
#include "base/kernel.h"
#include "walk/pairs/open_pairs.h"
#include "walk/step/features.h"

extern wi_features_apart WI_KERNEL(features_apart);
extern wi_step_decide WI_KERNEL(step_decide);
extern const wi_leaf_ops WI_KERNEL(step_leaves)[WI_KINSHIPS];

static wi_opener step_opener(wi_step_walk *walk)
{
    return (wi_opener){.down = &walk->down,
                       .reader = walk->down.reader,
                       .a = walk->step.a.start,
                       .b = walk->step.b.start,
                       .step = &walk->step};
}

static bool step_decide_all(wi_step_walk *walk)
{
    const bool ok = walk->is_over || (WI_KERNEL(step_decide)(walk) && wi_decide_features(walk));
    if (walk->is_over) wi_step_walk_drop(walk);
    return ok;
}

static bool step_open(wi_step_walk *walk, const wi_walk_item *item)
{
    if (!wi_step_walk_begin(walk)) return false;
    const wi_opener o = step_opener(walk);
    return wi_open_item(&o, item, WI_OVER_STEP) && step_decide_all(walk);
}

static bool step_run(wi_step_walk *walk)
{
    if (!wi_step_walk_begin(walk)) return false;
    const wi_opener o = step_opener(walk);
    wi_walk_items *stack = &walk->down.stack;
    while (stack->count > 0 && !walk->is_over) {
        const wi_walk_item item = stack->items[--stack->count];
        if (!wi_open_item(&o, &item, WI_OVER_STEP)) return false;
    }
    return step_decide_all(walk);
}

extern const wi_step_kernels WI_KERNEL(step_kernels);
const wi_step_kernels WI_KERNEL(step_kernels) = {step_open, step_run, WI_KERNEL(step_leaves),
                                                 WI_KERNEL(features_apart)};
