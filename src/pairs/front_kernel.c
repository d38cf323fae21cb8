/* front_kernel.c - which leaves of a front have moved, and what meets of those that have.
 *
 * Ways in: move and meet of wi_front_kernels. Leaves that moved are met as in any query. Pairs that
 * rest for the first time are met by themselves, all candidates decided before and after, so that
 * it is known which keys are theirs; from then on they are not looked into. Keys are kept without
 * regard to groups, whose masks may change, and filtered when they are used. */
#include "base/check.h"
#include "base/kernel.h"
#include "pairs/front.h"
#include "walk/reader/leaf_block.h"

static void front_move_leaf(wi_front_leaf *leaf, wi_front_point *points, const wi_tree *h,
                            wi_openings *count)
{
    const wi_leaf *of = &h->shape->leaves[leaf->leaf];
    alignas(16) float now[WI_MAX_LEAF_VERTICES][4];
    wi_leaf_read_positions(h, of, now, &count->blended);
    unsigned same = 7; /* by axis */
    for (unsigned i = 0; i < of->vertex_count; i++) {
        const wi_quad at = wi_quad_load(now[i]);
        same &= wi_quad_same3(at, wi_quad_load(points[i].axis));
        wi_quad_store(points[i].axis, at);
    }
    leaf->is_moved = leaf->is_new || same != 7;
    leaf->is_new = false;
}

static void front_move(wi_front_side *side, const wi_tree *h, size_t first, size_t last,
                       wi_openings *count)
{
    const bool rests = side->placement == h->boxes.placement;
    WI_ASSERT(first <= last && last <= side->leaves.count &&
              side->leaf_count == h->shape->leaf_count);
    for (size_t place = first; place < last; place++) {
        wi_front_leaf *leaf = &side->leaves.items[place];
        if (leaf->leaf == WI_NO_LEAF) continue;
        if (rests && !leaf->is_new)
            leaf->is_moved = false;
        else
            front_move_leaf(leaf, side->points.items + place * side->stride, h, count);
    }
}

static bool front_meet_leaves(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b,
                              const wi_walk_item *item)
{
    wi_descent *down = &walk->down;
    WI_ASSERT(item->a < a->shape->leaf_count && item->b < b->shape->leaf_count);
    if (a == b && item->a == item->b) return down->leaf.itself(down, a, item->a);
    return down->leaf.two(down, a, b, item);
}

/* Leaves out of the keys from number `first` on those of groups that are not tested. */
static void front_drop_untested(wi_pair_walk *walk, size_t first)
{
    size_t kept = first;
    if (walk->down.masked == NULL) return;
    for (size_t i = first; i < walk->keys.count; i++) {
        const wi_pair_key key = walk->keys.items[i];
        if (wi_descent_tests(&walk->down, (uint32_t)(key >> 32), (uint32_t)key))
            walk->keys.items[kept++] = key;
    }
    walk->keys.count = kept;
}

static bool front_add_keys(wi_pair_walk *walk, const wi_pair_key *keys, size_t count)
{
    const size_t first = walk->keys.count;
    if (!wi_array_reserve(walk->down.reader->memory, &walk->keys, first + count)) return false;
    for (size_t i = 0; i < count; i++) walk->keys.items[walk->keys.count++] = keys[i];
    front_drop_untested(walk, first);
    return true;
}

/* Meets two leaves that rest, and keeps what is found. */
static bool front_meet_and_keep(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b,
                                const wi_walk_item *item, wi_front_pair *pair)
{
    const wi_mesh *masked = walk->down.masked;
    if (!wi_pair_walk_decide_all(walk)) return false;
    const size_t first = walk->keys.count;
    walk->down.masked = NULL;
    const bool ok = front_meet_leaves(walk, a, b, item) && wi_pair_walk_decide_all(walk);
    walk->down.masked = masked;
    const size_t count = walk->keys.count - first;
    if (!ok || !wi_array_reserve(walk->down.reader->memory, &walk->kept_keys,
                                 walk->kept_keys.count + count))
        return false;
    pair->first = (uint32_t)walk->kept_keys.count;
    pair->count = (uint32_t)count;
    pair->is_known = true;
    for (size_t i = first; i < walk->keys.count; i++)
        walk->kept_keys.items[walk->kept_keys.count++] = walk->keys.items[i];
    front_drop_untested(walk, first);
    return true;
}

static bool front_meet_pair(wi_pair_walk *walk, const wi_front *front, const wi_tree *a,
                            const wi_tree *b, const wi_walk_item *item, wi_front_pair *pair)
{
    const wi_front_side *side_b = &front->sides[!front->is_within];
    WI_ASSERT(pair->a == item->a && pair->b == item->b);
    WI_ASSERT(pair->place_a < front->sides[0].leaves.count && pair->place_b < side_b->leaves.count);
    const bool is_moved = front->sides[0].leaves.items[pair->place_a].is_moved ||
                          side_b->leaves.items[pair->place_b].is_moved;
    if (pair->is_known && !is_moved) {
        pair->was_met = false;
        return pair->count == 0 ||
               front_add_keys(walk, front->keys.items + pair->first, pair->count);
    }
    pair->was_met = true;
    pair->is_known = false;
    pair->first = pair->count = 0;
    return is_moved ? front_meet_leaves(walk, a, b, item)
                    : front_meet_and_keep(walk, a, b, item, pair);
}

static bool front_meet(wi_pair_walk *walk, wi_front *front, const wi_tree *a, const wi_tree *b,
                       const wi_walk_item *items, uint32_t worker, size_t first, size_t last)
{
    WI_ASSERT(first <= last && last <= front->pairs.count);
    for (size_t i = first; i < last; i++) {
        wi_front_pair *pair = &front->pairs.items[i];
        if (!front_meet_pair(walk, front, a, b, &items[i], pair)) return false;
        if (pair->was_met) pair->finder = worker + 1;
    }
    return wi_pair_walk_decide_all(walk);
}

extern const wi_front_kernels WI_KERNEL(front_kernels);
const wi_front_kernels WI_KERNEL(front_kernels) = {front_move, front_meet};
