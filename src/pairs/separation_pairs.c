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

/* ---- the pairs of a brood ---- */

static uint32_t *first_of(wi_separation *list, const wi_sep_pair *pair, int side)
{
    return &list->boxes[list->is_within ? 0 : side].items[pair->brood[side]].first_pair[side];
}

static void link_brood(wi_separation *list, uint32_t number, int side)
{
    wi_sep_pair *pairs = list->pairs.items;
    uint32_t *first = first_of(list, &pairs[number], side);
    WI_ASSERT(number < list->pairs.count && *first != number);
    pairs[number].next_of[side] = *first;
    pairs[number].last_of[side] = WI_NO_PAIR;
    if (*first != WI_NO_PAIR) pairs[*first].last_of[side] = number;
    *first = number;
}

static void unlink_brood(wi_separation *list, uint32_t number, int side)
{
    wi_sep_pair *pairs = list->pairs.items;
    const uint32_t last = pairs[number].last_of[side], next = pairs[number].next_of[side];
    *(last != WI_NO_PAIR ? &pairs[last].next_of[side] : first_of(list, &pairs[number], side)) =
        next;
    if (next != WI_NO_PAIR) pairs[next].last_of[side] = last;
}

static void forget_broods(wi_separation *list)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < list->boxes[side].count; i++)
            for (int of = 0; of < 2; of++) list->boxes[side].items[i].first_pair[of] = WI_NO_PAIR;
}

/* ---- making and removing pairs ---- */

static unsigned lane_count(const wi_separation *list, const wi_sep_pair *pair, int side)
{
    return pair->lane[side] == WI_ALL_LANES
               ? wi_separation_brood(list, side, pair->brood[side])->count
               : 1;
}

uint32_t wi_separation_entries(const wi_separation *list, const wi_sep_pair *pair)
{
    const unsigned rows = lane_count(list, pair, 0), columns = lane_count(list, pair, 1);
    WI_ASSERT(rows <= WI_LANES && columns <= WI_LANES);
    return pair->is_itself ? rows * (rows + 1) / 2 : rows * columns;
}

/* It is in place `number`, and is in no list of pairs yet. */
static void enter_pair(wi_separation *list, uint32_t number)
{
    list->entry_count += wi_separation_entries(list, &list->pairs.items[number]);
    for (int side = 0; side < 2; side++) link_brood(list, number, side);
}

static void leave_pair(wi_separation *list, uint32_t number)
{
    list->entry_count -= wi_separation_entries(list, &list->pairs.items[number]);
    for (int side = 0; side < 2; side++) unlink_brood(list, number, side);
    list->pairs.items[number].is_due = false;
}

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
    enter_pair(list, *number);
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
        list->counts.leaves_apart += count_bits(pair->meets & pair->leaves);
        set_meets(list, number, 0);
        wi_queue_remove(&list->queue, number);
        WI_ASSERT(number != 0 && list->pair_count > 0);
        leave_pair(list, number);
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
    if (boxes->range != list->courses[side].range) {
        keep->fill(keep->h[side], &list->courses[side], brood, (1U << brood->count) - 1U,
                   &boxes->lanes);
        for (unsigned lane = 0; lane < brood->count; lane++)
            wi_sep_widen(&list->courses[side], lane, &boxes->lanes);
        wi_sep_bound(brood->count, boxes);
        boxes->range = list->courses[side].range;
    }
    return (wi_sep_side){brood, boxes};
}

wi_sep_sight wi_sep_look_now(const wi_sep_keeper *keep, const wi_sep_pair *pair)
{
    const wi_sep_side a = look_up(keep, pair, 0);
    return keep->look(keep->list, a, pair->is_itself ? a : look_up(keep, pair, 1), pair);
}

static void count_bits_of(wi_separation *list, const wi_sep_pair *pair, uint64_t begun,
                          uint64_t ended)
{
    if (list->is_searching) return;
    list->counts.overlaps += count_bits(begun);
    list->counts.fathers_apart += count_bits(ended & ~pair->leaves);
    list->counts.leaves_apart += count_bits(ended & pair->leaves);
}

/* Finds the bits of a pair anew; new pairs below it are left in `todo`. */
static bool separation_look_at(wi_sep_keeper *keep, uint32_t number)
{
    wi_separation *list = keep->list;
    wi_sep_pair *pair = &list->pairs.items[number];
    const wi_sep_sight sight = wi_sep_look_now(keep, pair);
    list->counts.looks++;
    list->counts.entries += wi_separation_entries(list, pair);
    const uint64_t begun = sight.meets & ~pair->meets, ended = pair->meets & ~sight.meets;
    count_bits_of(list, pair, begun, ended);
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
    forget_broods(list);
    list->entry_count = 0;
    root.leaves = leaf_bits(list, &root);
    list->pairs.items[0] = root;
    list->pairs.count = list->pair_count = 1;
    enter_pair(list, 0);
    list->is_searching = true;
    const bool ok = wi_sep_look_down(keep, 0);
    list->is_searching = false;
    return ok;
}

/* Over the lanes of broods that are in a pair. */
static void add_brood(const wi_separation *list, int side, uint32_t number, uint64_t entries[2],
                      wi_sep_locality *sum)
{
    const wi_brood *brood = &list->broods[side].items[number];
    for (unsigned lane = 0; lane < brood->count; lane++) {
        uint64_t own = 0;
        for (int of = 0; of < 2; of++)
            for (uint32_t pair = list->boxes[side].items[number].first_pair[of]; pair != WI_NO_PAIR;
                 pair = list->pairs.items[pair].next_of[of]) {
                const wi_sep_pair *p = &list->pairs.items[pair];
                if (p->lane[of] == WI_ALL_LANES || p->lane[of] == lane)
                    own += lane_count(list, p, 1 - of);
            }
        if (own == 0) continue;
        entries[0] += own;
        entries[1]++;
        if (own > sum->most) sum->most = own;
    }
}

wi_sep_locality wi_separation_locality(const wi_separation *list)
{
    wi_sep_locality sum = {0};
    uint64_t entries[2] = {0}; /* of all boxes, and how many boxes there are */
    for (int side = 0; side < (list->is_within ? 1 : 2); side++)
        for (uint32_t i = 0; i < list->broods[side].count; i++)
            add_brood(list, side, i, entries, &sum);
    if (entries[1] > 0) sum.mean = (double)entries[0] / (double)entries[1];
    return sum;
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
