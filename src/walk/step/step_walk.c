/* step_walk.c - beginning walks over steps. */
#include "walk/step/step_walk.h"

#include <string.h>

#include "base/kernel.h"

extern const wi_step_kernels wi_step_kernels_scalar, wi_step_kernels_avx2;

void wi_step_walk_init(wi_step_walk *walk, wi_reader *reader)
{
    memset(walk, 0, sizeof *walk);
    walk->down.reader = reader;
    walk->kernels = WI_KERNELS_FOR(reader->kernel, step_kernels);
}

void wi_step_walk_free(wi_step_walk *walk)
{
    wi_memory *memory = walk->down.reader->memory;
    wi_descent_free(memory, &walk->down);
    wi_leaf_caches_free(memory, walk->end_caches);
    wi_array_free(memory, &walk->contacts);
}

void wi_step_walk_start(wi_step_walk *walk, const wi_walk_rules *rules)
{
    WI_ASSERT(wi_wants_contacts(rules));
    wi_descent_start(&walk->down, walk->down.reader, rules);
    walk->contacts.count = 0;
    wi_step_walk_drop(walk);
}

void wi_step_walk_drop(wi_step_walk *walk)
{
    walk->down.stack.count = 0;
    walk->movers.count = 0;
    for (int kind = 0; kind < 2; kind++) walk->queues[kind].count = walk->late[kind].count = 0;
}

static wi_feature_filter step_filter(const wi_step *step)
{
    if (step->a.start->boxes.nodes == NULL || step->b.start->boxes.nodes == NULL)
        return WI_FILTER_NONE;
    return step->is_moving ? WI_FILTER_MOVING : WI_FILTER_STILL;
}

bool wi_step_walk_take(wi_step_walk *walk, const wi_step *step, uint32_t pair)
{
    walk->step = *step;
    walk->pair = pair;
    walk->is_over = false;
    walk->filter = step_filter(step);
    if (!step->is_moving || walk->end_caches) return true;
    walk->end_caches = wi_leaf_caches_create(walk->down.reader->memory);
    return walk->end_caches != NULL;
}

/* Stars and folds say of which neighbours something without a common vertex may touch: the wrong
 * question where triangles are near because they share a vertex. */
static wi_kinship step_kinship(const wi_step_walk *walk)
{
    const wi_step *step = &walk->step;
    const wi_walk_rules *rules = &walk->down.rules;
    if (step->a.start != step->b.start) return WI_OF_TWO_BODIES;
    const bool counts_sharing = rules->wanted == WI_NEAR_TRIS && !rules->skip_neighbours;
    return wi_shared_of(step->a.start) && !counts_sharing ? WI_KIN_LISTED : WI_KIN_UNLISTED;
}

static bool asks_fans(const wi_step_walk *walk)
{
    return step_kinship(walk) == WI_KIN_LISTED && walk->down.rules.wanted != WI_NEAR_TRIS;
}

bool wi_step_walk_seed(wi_step_walk *walk)
{
    const wi_tree *a = walk->step.a.start, *b = walk->step.b.start;
    if (a->boxes.nodes == NULL || b->boxes.nodes == NULL) return true;
    if (asks_fans(walk) && !wi_descent_push_fans(&walk->down, a)) return false;
    const wi_box box_a = wi_motion_bounds(a, &walk->step.a.motion, 0.0);
    const wi_box box_b = wi_motion_bounds(b, &walk->step.b.motion, 0.0);
    return wi_descent_push_roots(&walk->down, a, &box_a, b, &box_b);
}

bool wi_step_walk_begin(wi_step_walk *walk)
{
    const wi_step *step = &walk->step;
    const wi_kinship kinship = step_kinship(walk);
    return wi_descent_begin(&walk->down, step->a.start, step->b.start,
                            &walk->kernels->leaf[kinship], kinship, wi_step_within(step));
}
