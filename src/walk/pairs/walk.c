/* walk.c - what all traversals have in common: the stack, the candidates and their decision. */
#include "walk/pairs/walk.h"

#include "base/kernel.h"
#include "walk/reader/leaf_block.h"

extern const wi_walk_kernels wi_walk_kernels_scalar, wi_walk_kernels_avx2;

static void empty_caches(wi_leaf_cache caches[2])
{
    for (int side = 0; side < 2; side++)
        for (unsigned i = 0; i < WI_CACHED_BLOCKS; i++) caches[side].blocks[i].placement = 0;
}

bool wi_walk_init(wi_walk *walk, wi_memory *memory, willow_kernel kernel)
{
    memset(walk, 0, sizeof *walk);
    walk->memory = memory;
    walk->kernels = WI_KERNELS_FOR(kernel, walk_kernels);
    walk->filters = wi_filter_kernels_for(kernel);
    walk->caches = wi_alloc_array(memory, 2, sizeof *walk->caches);
    if (walk->caches == NULL) return false;
    empty_caches(walk->caches);
    return true;
}

void wi_walk_free(wi_walk *walk)
{
    wi_free_array(walk->memory, walk->end_caches, 2, sizeof *walk->end_caches);
    wi_array_free(walk->memory, &walk->contacts);
    wi_array_free(walk->memory, &walk->leaf_pairs);
    wi_array_free(walk->memory, &walk->kept_keys);
    wi_free_array(walk->memory, walk->caches, 2, sizeof *walk->caches);
    wi_array_free(walk->memory, &walk->stack);
    wi_array_free(walk->memory, &walk->keys);
    wi_folds_free(walk->memory, &walk->folds);
}

void wi_walk_start(wi_walk *walk, const wi_walk_rules *rules, size_t pause_at)
{
    walk->stack.count = 0;
    walk->keys.count = 0;
    walk->contacts.count = 0;
    walk->leaf_pairs.count = 0;
    walk->kept_keys.count = 0;
    walk->lists_leaves = walk->is_listed = false;
    walk->movers.count = 0;
    for (int kind = 0; kind < 2; kind++) walk->queues[kind].count = walk->late[kind].count = 0;
    for (unsigned shared = 0; shared < 3; shared++) walk->candidates[shared].count = 0;
    walk->rules = *rules;
    walk->pause_at = pause_at;
}

/* Lower on the stack than the tree: where one pair is wanted, strangers come first. */
static bool seed_stars(wi_walk *walk, const wi_tree *h)
{
    for (uint32_t lot = 0; lot < wi_fan_lots(h); lot++) {
        const wi_walk_item item = {.a = lot, .b = WI_FANS};
        if (!wi_array_push(walk->memory, &walk->stack, item)) return false;
    }
    return true;
}

bool wi_walk_begin_step(wi_walk *walk, const wi_step *step, uint32_t pair)
{
    walk->step = *step;
    walk->pair = pair;
    walk->is_brute = step->a.start->nodes == NULL || step->b.start->nodes == NULL;
    if (!step->is_moving || walk->end_caches) return true;
    walk->end_caches = wi_alloc_array(walk->memory, 2, sizeof *walk->end_caches);
    if (walk->end_caches) empty_caches(walk->end_caches);
    return walk->end_caches != NULL;
}

/* Stars and folds say what touches at no distance, while vertices move on straight lines. */
static bool can_use_kin(const wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    const wi_step *step = &walk->step;
    const bool is_about_steps =
        walk->rules.wanted == WI_IMPACTS || walk->rules.wanted == WI_FIRST_IMPACT;
    return a == b && is_about_steps && a->shared.first_tie && step->reach == 0.0 && !step->is_bent;
}

static bool seed_step(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    if (can_use_kin(walk, a, b) && !seed_stars(walk, a)) return false;
    const wi_box box_a = wi_motion_bounds(a, &walk->step.a.motion, 0.0);
    const wi_box box_b = wi_motion_bounds(b, &walk->step.b.motion, 0.0);
    const wi_walk_item item = {0, a == b ? WI_ITSELF : 0, box_a, box_b};
    return wi_array_push(walk->memory, &walk->stack, item);
}

bool wi_walk_seed(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    if (wi_walk_wants_contacts(walk))
        return a->nodes == NULL || b->nodes == NULL || seed_step(walk, a, b);
    if (a->nodes == NULL || b->nodes == NULL || !wi_boxes_meet(&a->world_bounds, &b->world_bounds))
        return true;
    if (a == b && !walk->rules.skip_neighbours && !seed_stars(walk, a)) return false;
    wi_walk_item item = {0, a == b ? WI_ITSELF : 0, a->bounds, b->bounds};
    return wi_array_push(walk->memory, &walk->stack, item);
}

bool wi_walk_seed_box(wi_walk *walk, const wi_tree *h, const wi_box *box)
{
    if (h->nodes == NULL || !wi_boxes_meet(&h->world_bounds, box)) return true;
    wi_walk_item item = {0, 0, h->bounds, *box};
    return wi_array_push(walk->memory, &walk->stack, item);
}

static bool has_volumes(const wi_tree *h)
{
    return (h->blend.slabs || h->blend.spheres) && wi_mesh_is_live(h->mesh);
}

static void relate(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    wi_frame frame_a = wi_tree_frame(a), frame_b = wi_tree_frame(b);
    walk->is_related = frame_a.pose || frame_b.pose;
    if (walk->is_related) walk->relation = wi_relation_between(&frame_a, &frame_b);
}

static bool begin_step(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    walk->knows_kin = can_use_kin(walk, a, b);
    walk->knows_folds = walk->knows_kin && a->loops.items && !walk->rules.test_flat;
    return !walk->knows_folds ||
           wi_folds_start(walk->memory, &walk->folds, a, walk->step.a.motion.end);
}

bool wi_walk_begin(wi_walk *walk, const wi_tree *a, const wi_tree *b)
{
    walk->masked = a == b && a->sets.nodes ? a->mesh : NULL;
    if (wi_walk_wants_contacts(walk)) return begin_step(walk, a, b);
    relate(walk, a, b);
    walk->refines = has_volumes(a) || has_volumes(b);
    walk->knows_folds = a == b && a->loops.items && !walk->rules.test_flat;
    return !walk->knows_folds || wi_folds_start(walk->memory, &walk->folds, a, NULL);
}

void wi_walk_relate_box(wi_walk *walk, const wi_tree *h, const wi_box *box)
{
    wi_frame frame = wi_tree_frame(h), world = {NULL, wi_box_size(box), false};
    walk->is_related = frame.pose != NULL;
    if (walk->is_related) walk->relation = wi_relation_between(&frame, &world);
}

bool wi_walk_decide(wi_walk *walk, unsigned shared)
{
    wi_candidates *c = &walk->candidates[shared];
    if (!wi_array_reserve(walk->memory, &walk->keys, walk->keys.count + c->count)) return false;
    wi_filter_result result = walk->filters->sharing[shared](&c->a, &c->b);
    /* Those that may meet, in order; the rest is apart. */
    unsigned open = ~result.apart & ((1U << c->count) - 1);
    for (; open != 0; open &= open - 1) {
        unsigned lane = (unsigned)__builtin_ctz(open);
        bool meets = (result.meet >> lane & 1) != 0;
        if (!meets) {
            walk->stats.exact_tests++;
            meets = wi_tri8_meet_exact(shared, &c->a, &c->b, lane);
        }
        walk->keys.items[walk->keys.count] = c->key[lane];
        walk->keys.count += meets;
    }
    walk->stats.triangle_tests += c->count;
    c->count = 0;
    return true;
}

bool wi_walk_decide_all(wi_walk *walk)
{
    for (unsigned shared = 0; shared < 3; shared++)
        if (walk->candidates[shared].count > 0 && !wi_walk_decide(walk, shared)) return false;
    return true;
}

void wi_walk_add_stats(const wi_walk *walk, willow_query_stats *sum)
{
    const willow_query_stats *own = &walk->stats;
    sum->body_pairs += own->body_pairs;
    sum->nodes_opened += own->nodes_opened;
    sum->nodes_refreshed += walk->openings.refreshed;
    sum->claims_lost += walk->openings.lost;
    sum->vertices_blended += walk->openings.blended + walk->folds.blended;
    sum->volume_tests += own->volume_tests;
    sum->leaf_pairs += own->leaf_pairs;
    sum->leaf_pairs_culled += own->leaf_pairs_culled;
    sum->stars += own->stars;
    sum->stars_left += own->stars_left;
    sum->triangle_tests += own->triangle_tests;
    sum->exact_tests += own->exact_tests;
    sum->feature_tests += own->feature_tests;
}

void wi_walk_reset_stats(wi_walk *walk)
{
    walk->stats = (willow_query_stats){0};
    walk->openings = (wi_openings){0};
    walk->folds.blended = 0;
}
