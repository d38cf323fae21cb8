/* pair_walk_kernel.c - tree against tree, and tree against itself, where nothing moves.
 *
 * Way in: wi_pair_kernels. The loops are those of open_pairs.h, for bodies in one frame and in two;
 * leaves are met in leaf_kernel.c, where all positions are in the world. */
#include "base/kernel.h"
#include "walk/pairs/open_pairs.h"

extern wi_meet_pairs WI_KERNEL(meet_pairs);
extern wi_refine WI_KERNEL(refine);
extern wi_apart8 WI_KERNEL(apart8);
extern wi_corners8 WI_KERNEL(corners8);
extern const wi_leaf_ops WI_KERNEL(pair_leaves)[WI_KINSHIPS];

static wi_opener pair_opener(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b)
{
    return (wi_opener){.down = &walk->down,
                       .reader = walk->down.reader,
                       .a = a,
                       .b = b,
                       .relation = &walk->relation,
                       .refine = walk->refine};
}

WI_IN_ALL_LOOPS bool pairs_until_pause(wi_pair_walk *walk, const wi_opener *o, wi_frames in)
{
    wi_walk_items *stack = &walk->down.stack;
    while (stack->count > 0 && walk->keys.count < walk->pause_at) {
        const wi_walk_item item = stack->items[--stack->count];
        if (!wi_open_item(o, &item, in)) return false;
    }
    return stack->count > 0 || wi_pair_walk_decide_all(walk);
}

static bool pairs_go_on(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b)
{
    const wi_opener o = pair_opener(walk, a, b);
    return walk->frames == WI_TWO_FRAMES ? pairs_until_pause(walk, &o, WI_TWO_FRAMES)
                                         : pairs_until_pause(walk, &o, WI_ONE_FRAME);
}

static bool pairs_open(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b,
                       const wi_walk_item *item)
{
    if (!wi_pair_walk_begin(walk, a, b)) return false;
    const wi_opener o = pair_opener(walk, a, b);
    return (walk->frames == WI_TWO_FRAMES ? wi_open_item(&o, item, WI_TWO_FRAMES)
                                          : wi_open_item(&o, item, WI_ONE_FRAME)) &&
           wi_pair_walk_decide_all(walk);
}

static bool pairs_run(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b)
{
    return wi_pair_walk_begin(walk, a, b) && pairs_go_on(walk, a, b);
}

static bool pairs_list(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b)
{
    if (!wi_pair_walk_begin(walk, a, b)) return false;
    walk->down.leaf = wi_list_leaves;
    return pairs_go_on(walk, a, b);
}

extern const wi_pair_kernels WI_KERNEL(pair_kernels);
const wi_pair_kernels WI_KERNEL(pair_kernels) = {pairs_open,
                                                 pairs_run,
                                                 pairs_list,
                                                 WI_KERNEL(meet_pairs),
                                                 WI_KERNEL(pair_leaves),
                                                 WI_KERNEL(refine),
                                                 WI_KERNEL(apart8),
                                                 WI_KERNEL(corners8)};
