/* pair_walk.c - walks over pairs: beginning them, and deciding their candidates. */
#include "walk/pairs/pair_walk.h"

#include "base/kernel.h"

extern const wi_pair_kernels wi_pair_kernels_scalar, wi_pair_kernels_avx2;

void wi_pair_walk_init(wi_pair_walk *walk, wi_reader *reader)
{
    memset(walk, 0, sizeof *walk);
    walk->down.reader = reader;
    walk->kernels = WI_KERNELS_FOR(reader->kernel, pair_kernels);
    walk->filters = wi_filter_kernels_for(reader->kernel);
}

void wi_pair_walk_free(wi_pair_walk *walk)
{
    wi_memory *memory = walk->down.reader->memory;
    wi_descent_free(memory, &walk->down);
    wi_array_free(memory, &walk->keys);
    wi_array_free(memory, &walk->kept_keys);
    wi_array_free(memory, &walk->leaf_pairs);
}

void wi_pair_walk_start(wi_pair_walk *walk, const wi_walk_rules *rules, size_t pause_at)
{
    WI_ASSERT(!wi_wants_contacts(rules) && pause_at > 0);
    wi_descent_start(&walk->down, walk->down.reader, rules);
    walk->keys.count = 0;
    walk->kept_keys.count = 0;
    walk->leaf_pairs.count = 0;
    for (unsigned shared = 0; shared < 3; shared++) walk->candidates[shared].count = 0;
    walk->pause_at = pause_at;
}

bool wi_pair_walk_seed(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b)
{
    wi_descent *down = &walk->down;
    if (a->boxes.nodes == NULL || b->boxes.nodes == NULL ||
        !wi_boxes_meet(&a->boxes.world_bounds, &b->boxes.world_bounds))
        return true;
    if (a == b && !down->rules.skip_neighbours && !wi_descent_push_fans(down, a)) return false;
    return wi_descent_push_roots(down, a, &a->boxes.bounds, b, &b->boxes.bounds);
}

static wi_kinship pair_kinship(const wi_tree *a, const wi_tree *b)
{
    if (a != b) return WI_OF_TWO_BODIES;
    return wi_shared_of(a) ? WI_KIN_LISTED : WI_KIN_UNLISTED;
}

bool wi_pair_walk_begin(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b)
{
    const wi_frame frame_a = wi_tree_frame(a), frame_b = wi_tree_frame(b);
    const wi_kinship kinship = pair_kinship(a, b);
    walk->frames = wi_relate(&frame_a, &frame_b, &walk->relation);
    walk->leaf_boxes = walk->frames == WI_ONE_FRAME ? WI_BOXES_OF_NODES : WI_BOXES_OF_BLOCKS;
    walk->refine = wi_has_volumes(a) || wi_has_volumes(b) ? walk->kernels->refine : NULL;
    return wi_descent_begin(&walk->down, a, b, &walk->kernels->leaf[kinship], kinship,
                            (wi_self_step){0});
}

/* Of the lanes that the filter leaves over those that a direction tells apart: it looks at volumes,
 * which vanish where triangles lie in one plane. Triangles that share a vertex are never told
 * apart so. */
static unsigned find_apart(const wi_pair_walk *walk, const wi_candidates *c, unsigned lanes)
{
    return lanes == 0 ? 0 : walk->kernels->apart(&c->a, &c->b, 0.0F, false, lanes);
}

bool wi_pair_walk_decide(wi_pair_walk *walk, unsigned shared)
{
    WI_ASSERT(shared < 3 && walk->candidates[shared].count <= WI_LANES);
    wi_reader *reader = walk->down.reader;
    wi_candidates *c = &walk->candidates[shared];
    if (!wi_array_reserve(reader->memory, &walk->keys, walk->keys.count + c->count)) return false;
    wi_filter_result result = walk->filters->sharing[shared](&c->a, &c->b);
    /* Those that may meet, in order; the rest is apart. */
    unsigned open = ~result.apart & ((1U << c->count) - 1);
    if (shared == 0 && (open & ~result.meet) != 0) {
        result.meet |= open & walk->kernels->corners(&c->a, &c->b);
        open &= ~find_apart(walk, c, open & ~result.meet);
    }
    for (; open != 0; open &= open - 1) {
        unsigned lane = (unsigned)__builtin_ctz(open);
        bool meets = (result.meet >> lane & 1) != 0;
        if (!meets) {
            reader->stats.exact_tests++;
            meets = wi_tri8_meet_exact(shared, &c->a, &c->b, lane);
        }
        walk->keys.items[walk->keys.count] = c->key[lane];
        walk->keys.count += meets;
    }
    reader->stats.triangle_tests += c->count;
    c->count = 0;
    return true;
}

bool wi_pair_walk_decide_all(wi_pair_walk *walk)
{
    for (unsigned shared = 0; shared < 3; shared++)
        if (walk->candidates[shared].count > 0 && !wi_pair_walk_decide(walk, shared)) return false;
    return true;
}

/* ---- leaves that are only listed ---- */

static bool list_two(wi_descent *down, const wi_tree *a, const wi_tree *b, const wi_walk_item *item)
{
    wi_pair_walk *walk = wi_pair_walk_of(down);
    const uint32_t leaf_a = item->a & ~WI_IS_LEAF, leaf_b = item->b & ~WI_IS_LEAF;
    WI_ASSERT(leaf_a < a->shape->leaf_count && leaf_b < b->shape->leaf_count);
    const bool is_swapped = a == b && leaf_a > leaf_b;
    const wi_walk_item pair = {WI_NODES, is_swapped ? leaf_b : leaf_a, is_swapped ? leaf_a : leaf_b,
                               is_swapped ? item->box_b : item->box_a,
                               is_swapped ? item->box_a : item->box_b};
    return wi_array_push(down->reader->memory, &walk->leaf_pairs, pair);
}

static bool list_itself(wi_descent *down, const wi_tree *h, uint32_t leaf)
{
    const wi_walk_item item = {.kind = WI_NODES, .a = leaf, .b = leaf};
    return list_two(down, h, h, &item);
}

const wi_leaf_ops wi_list_leaves = {list_two, list_itself, NULL};
