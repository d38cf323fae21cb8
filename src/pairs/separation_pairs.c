/* separation_pairs.c - the pairs of a separation list: what follows from a look at one of them.
 *
 * Way in: wi_sep_look_down. Where bits of a pair have changed, pairs below it are made and looked
 * at, or removed with all below them; the leaves that begin or cease to meet are counted and, if
 * somebody wants to hear of them, logged. */
#include "pairs/separation_keeper.h"

#include "base/check.h"

/* ---- the log ---- */

/* Roundings lead to no time that is not of the update. */
static double time_at(const wi_separation *list, float at)
{
    const double time = list->since + (double)at * (list->until - list->since);
    if (!(time > list->log_since)) return list->log_since;
    return time < list->log_until ? time : list->log_until;
}

/* The leaves that a bit of a pair stands for. */
static wi_leaf_pair leaves_of(const wi_separation *list, const wi_sep_pair *pair, unsigned bit)
{
    WI_ASSERT(bit < 64 && (pair->leaves >> bit & 1) != 0);
    return wi_leaf_pair_of(wi_separation_brood(list, 0, pair->brood[0])->child[bit / 8],
                           wi_separation_brood(list, 1, pair->brood[1])->child[bit % 8],
                           list->is_within);
}

/* Lists them in the order of their bits. */
static bool log_leaves(wi_sep_keeper *keep, const wi_sep_pair *pair, uint64_t bits, bool begins)
{
    wi_separation *list = keep->list;
    for (; list->logs && bits != 0; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits);
        const wi_leaf_pair leaves = leaves_of(list, pair, bit);
        const willow_leaf_event event = {time_at(list, list->at),
                                         keep->h[0]->shape->node_count + leaves.a,
                                         keep->h[1]->shape->node_count + leaves.b, begins};
        if (!wi_sep_may_push(list, list->log.count, list->log.capacity, sizeof event) ||
            !wi_array_push(keep->memory, &list->log, event))
            return false;
    }
    return true;
}

/* ---- pairs that have leaves that meet ---- */

static void link_met(wi_separation *list, uint32_t number)
{
    WI_ASSERT(number != 0 && number < list->pairs.count);
    wi_sep_pair *pairs = list->pairs.items;
    const uint32_t last = pairs[0].last_met;
    pairs[number].next_met = 0;
    pairs[number].last_met = last;
    pairs[last].next_met = pairs[0].last_met = number;
}

static void unlink_met(wi_separation *list, uint32_t number)
{
    wi_sep_pair *pairs = list->pairs.items;
    const wi_sep_pair *pair = &pairs[number];
    pairs[pair->last_met].next_met = pair->next_met;
    pairs[pair->next_met].last_met = pair->last_met;
}

static size_t count_bits(uint64_t bits) { return (size_t)__builtin_popcountll(bits); }

/* The root is always in the ring. */
static void set_meets(wi_separation *list, uint32_t number, uint64_t meets)
{
    wi_sep_pair *pair = &list->pairs.items[number];
    const bool had = (pair->meets & pair->leaves) != 0, has = (meets & pair->leaves) != 0;
    list->leaf_pairs += count_bits(meets & pair->leaves);
    WI_ASSERT(list->leaf_pairs >= count_bits(pair->meets & pair->leaves));
    list->leaf_pairs -= count_bits(pair->meets & pair->leaves);
    pair->meets = meets;
    if (number == 0 || had == has) return;
    if (has)
        link_met(list, number);
    else
        unlink_met(list, number);
}

/* ---- making and removing pairs ---- */

static bool push_todo(wi_memory *memory, wi_separation *list, uint32_t pair)
{
    return wi_sep_may_push(list, list->todo.count, list->todo.capacity, sizeof pair) &&
           wi_array_push(memory, &list->todo, pair);
}

static unsigned leaf_lanes(const wi_brood *brood, uint8_t lane)
{
    return lane == WI_ALL_LANES ? brood->leaf_mask : 1U << lane;
}

static uint64_t leaf_bits(const wi_separation *list, const wi_sep_pair *pair)
{
    const unsigned rows = leaf_lanes(wi_separation_brood(list, 0, pair->brood[0]), pair->lane[0]);
    const unsigned columns =
        leaf_lanes(wi_separation_brood(list, 1, pair->brood[1]), pair->lane[1]);
    uint64_t bits = 0;
    for (unsigned left = rows; left != 0; left &= left - 1)
        bits |= (uint64_t)columns << 8 * (unsigned)__builtin_ctz(left);
    return bits;
}

/* There is room. */
static uint32_t take_pair(wi_separation *list)
{
    const uint32_t number = list->free_pair;
    WI_ASSERT(number != WI_NO_PAIR || list->pairs.count < list->pairs.capacity);
    list->pair_count++;
    if (number == WI_NO_PAIR) return (uint32_t)list->pairs.count++;
    list->free_pair = list->pairs.items[number].parent;
    return number;
}

/* A side of the pair below another: the leaf that it is, or the brood of a node. False for want of
 * room. */
static bool go_below(wi_sep_keeper *keep, const wi_sep_pair *above, int side, unsigned lane,
                     wi_sep_pair *out)
{
    const wi_brood *brood = wi_separation_brood(keep->list, side, above->brood[side]);
    const bool is_leaf = (brood->leaf_mask >> lane & 1) != 0;
    out->brood[side] = above->brood[side];
    out->lane[side] = is_leaf ? (uint8_t)lane : (uint8_t)WI_ALL_LANES;
    return is_leaf || wi_sep_get_brood(keep, side, brood->child[lane], &out->brood[side]);
}

/* The pair that a bit of another stands for; nothing in it meets yet. There is room for it. False
 * for want of room for its broods. */
static bool make_below(wi_sep_keeper *keep, uint32_t parent, unsigned bit, uint32_t *number)
{
    WI_ASSERT(bit < 64 && parent < keep->list->pairs.count);
    wi_separation *list = keep->list;
    const wi_sep_pair above = list->pairs.items[parent];
    wi_sep_pair pair = {.bit = (uint8_t)bit,
                        .is_itself = above.is_itself && bit / 8 == bit % 8,
                        .parent = parent,
                        .child = WI_NO_PAIR,
                        .next = above.child};
    if (!go_below(keep, &above, 0, bit / 8, &pair) || !go_below(keep, &above, 1, bit % 8, &pair))
        return false;
    pair.leaves = leaf_bits(list, &pair);
    *number = take_pair(list);
    list->pairs.items[*number] = pair;
    list->pairs.items[parent].child = *number;
    return true;
}

/* A pair and all below it; the caller has taken it out of the list of its parent. */
static bool remove_all(wi_sep_keeper *keep, uint32_t top)
{
    wi_separation *list = keep->list;
    const size_t first = list->todo.count;
    if (!push_todo(keep->memory, list, top)) return false;
    while (list->todo.count > first) {
        const uint32_t number = list->todo.items[--list->todo.count];
        wi_sep_pair *pair = &list->pairs.items[number];
        if (!log_leaves(keep, pair, pair->meets & pair->leaves, false)) return false;
        for (uint32_t child = pair->child; child != WI_NO_PAIR;
             child = list->pairs.items[child].next)
            if (!push_todo(keep->memory, list, child)) return false;
        set_meets(list, number, 0);
        wi_queue_remove(&list->queue, number);
        WI_ASSERT(number != 0 && list->pair_count > 0);
        pair->parent = list->free_pair;
        list->free_pair = number;
        list->pair_count--;
    }
    return true;
}

/* The pairs of bits that are cleared. */
static bool remove_below(wi_sep_keeper *keep, uint32_t number, uint64_t bits)
{
    wi_separation *list = keep->list;
    for (uint32_t *link = &list->pairs.items[number].child; *link != WI_NO_PAIR;) {
        const uint32_t child = *link;
        wi_sep_pair *below_it = &list->pairs.items[child];
        if ((bits >> below_it->bit & 1) == 0) {
            link = &below_it->next;
            continue;
        }
        *link = below_it->next;
        if (!remove_all(keep, child)) return false;
    }
    return true;
}

/* ---- looking ---- */

/* There is room for an event of each pair. */
static void separation_set_event(wi_separation *list, uint32_t number, float next)
{
    if (next <= 1.0F)
        wi_queue_set(&list->queue, number, (double)next);
    else
        wi_queue_remove(&list->queue, number);
}

/* A brood with its boxes, as they are for the time at hand. */
static wi_sep_side look_up(const wi_sep_keeper *keep, const wi_sep_pair *pair, int side)
{
    const wi_separation *list = keep->list;
    const wi_brood *brood = wi_separation_brood(list, side, pair->brood[side]);
    wi_brood_boxes *boxes = &list->boxes[list->is_within ? 0 : side].items[pair->brood[side]];
    if (boxes->range != list->range[side]) {
        keep->fill(keep->h[side], list->shares[side], brood, boxes);
        boxes->range = list->range[side];
    }
    return (wi_sep_side){brood, boxes};
}

wi_sep_sight wi_sep_look_now(const wi_sep_keeper *keep, const wi_sep_pair *pair)
{
    const wi_sep_side a = look_up(keep, pair, 0);
    return keep->look(keep->list, a, pair->is_itself ? a : look_up(keep, pair, 1), pair);
}

/* Finds the bits of a pair anew; new pairs below it are left in `todo`. */
static bool separation_look_at(wi_sep_keeper *keep, uint32_t number)
{
    wi_separation *list = keep->list;
    wi_sep_pair *pair = &list->pairs.items[number];
    const wi_sep_sight sight = wi_sep_look_now(keep, pair);
    list->counts.looks++;
    const uint64_t begun = sight.meets & ~pair->meets, ended = pair->meets & ~sight.meets;
    separation_set_event(list, number, sight.next);
    if ((begun | ended) == 0) return true;
    if (!log_leaves(keep, pair, ended & pair->leaves, false)) return false;
    if ((ended & ~pair->leaves) != 0 && !remove_below(keep, number, ended)) return false;
    if (!log_leaves(keep, pair, begun & pair->leaves, true)) return false;
    const uint64_t inner = begun & ~pair->leaves;
    set_meets(list, number, sight.meets);
    for (uint64_t bits = inner; bits != 0; bits &= bits - 1) {
        if (list->free_pair == WI_NO_PAIR && list->pairs.count == list->pairs.capacity &&
            !wi_sep_grow(keep))
            return false;
        uint32_t child;
        if (!make_below(keep, number, (unsigned)__builtin_ctzll(bits), &child) ||
            !push_todo(keep->memory, list, child))
            return false;
    }
    return true;
}

static bool look_at_todo(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    while (list->todo.count > 0)
        if (!separation_look_at(keep, list->todo.items[--list->todo.count])) return false;
    return true;
}

bool wi_sep_look_down(wi_sep_keeper *keep, uint32_t number)
{
    return push_todo(keep->memory, keep->list, number) && look_at_todo(keep);
}

/* What goes with its parent is not looked at. */
bool wi_sep_look_at_all(wi_sep_keeper *keep)
{
    for (uint32_t number = 0; number != WI_NO_PAIR;
         number = wi_separation_after(keep->list, number))
        if (!wi_sep_look_down(keep, number)) return false;
    return true;
}

bool wi_sep_search(wi_sep_keeper *keep)
{
    wi_separation *list = keep->list;
    wi_sep_pair root = {.lane = {WI_ALL_LANES, WI_ALL_LANES},
                        .is_itself = list->is_within,
                        .child = WI_NO_PAIR,
                        .next = WI_NO_PAIR};
    list->has_gap = true;
    list->todo.count = 0;
    list->free_pair = WI_NO_PAIR;
    list->leaf_pairs = 0;
    if ((list->pairs.capacity == 0 && !wi_sep_grow(keep)) ||
        !wi_sep_get_brood(keep, 0, 0, &root.brood[0]) ||
        !wi_sep_get_brood(keep, 1, 0, &root.brood[1]))
        return false;
    wi_queue_clear(&list->queue);
    root.leaves = leaf_bits(list, &root);
    list->pairs.items[0] = root;
    list->pairs.count = list->pair_count = 1;
    return wi_sep_look_down(keep, 0);
}

void wi_separation_leaves(const wi_separation *list, wi_leaf_pair *out)
{
    const wi_sep_pair *pairs = list->pairs.items;
    uint32_t number = 0;
    do {
        const wi_sep_pair *pair = &pairs[number];
        for (uint64_t bits = pair->meets & pair->leaves; bits != 0; bits &= bits - 1)
            *out++ = leaves_of(list, pair, (unsigned)__builtin_ctzll(bits));
        number = pair->next_met;
    } while (number != 0);
}
