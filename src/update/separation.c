/* separation.c - keeps separation lists.
 *
 * Ways in: wi_separation_run_out, then wi_separation_follow, in every update. Events are taken in
 * the order of their times only if somebody wants to hear of them; else each pair that has one is
 * looked at once, as it is at the end of the step. */
#include "update/separation.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "update/chords.h"

extern wi_sep_fill wi_sep_fill_scalar, wi_sep_fill_avx2;
extern wi_sep_look wi_sep_look_scalar, wi_sep_look_avx2;

/* What everything below works on. */
typedef struct keeper {
    wi_memory *memory;
    wi_separation *list;
    const wi_hierarchy *h[2];
    willow_kernel kernel;
    wi_sep_fill *fill;
    wi_sep_look *look;
} keeper;

static keeper keeper_of(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                        const wi_hierarchy *a, const wi_hierarchy *b)
{
    return (keeper){.memory = memory,
                    .list = list,
                    .h = {a, b},
                    .kernel = kernel,
                    .fill = WI_KERNELS_FOR(kernel, sep_fill),
                    .look = WI_KERNELS_FOR(kernel, sep_look)};
}

/* ---- memory ---- */

void wi_separation_free(wi_memory *memory, wi_separation *list)
{
    for (int side = 0; side < 2; side++) {
        wi_array_free(memory, &list->broods[side]);
        wi_array_free(memory, &list->boxes[side]);
        wi_free_array(memory, list->brood_of[side], list->node_count[side],
                      sizeof *list->brood_of[side]);
        list->brood_of[side] = NULL;
        list->node_count[side] = 0;
    }
    wi_array_free(memory, &list->pairs);
    wi_array_free(memory, &list->todo);
    wi_array_free(memory, &list->log);
    wi_queue_free(memory, &list->queue);
    list->structure[0] = list->structure[1] = 0;
    list->free_pair = WI_NO_PAIR;
    list->leaf_pairs = list->pair_count = 0;
}

static size_t brood_bytes(const wi_separation *list, int side)
{
    return list->broods[side].capacity * sizeof(wi_brood) +
           list->boxes[side].capacity * sizeof(wi_brood_boxes) +
           list->node_count[side] * sizeof *list->brood_of[side];
}

size_t wi_separation_bytes(const wi_separation *list)
{
    return brood_bytes(list, 0) + brood_bytes(list, 1) +
           list->pairs.capacity * sizeof *list->pairs.items +
           list->todo.capacity * sizeof *list->todo.items +
           list->log.capacity * sizeof *list->log.items + wi_queue_bytes(&list->queue);
}

/* Whether so many bytes more may be had. */
static bool is_within_limit(wi_separation *list, size_t bytes)
{
    const size_t held = wi_separation_bytes(list);
    list->is_over =
        list->max_bytes > 0 && (held > list->max_bytes || bytes > list->max_bytes - held);
    return !list->is_over;
}

/* Whether an array may have one item more. Growing holds the old block until the new one is
 * filled. */
static bool may_push(wi_separation *list, size_t count, size_t capacity, size_t item_bytes)
{
    if (count < capacity) return true;
    return is_within_limit(list, (capacity < 8 ? 8 : capacity + capacity / 2) * item_bytes);
}

static bool push_todo(wi_memory *memory, wi_separation *list, uint32_t pair)
{
    return may_push(list, list->todo.count, list->todo.capacity, sizeof pair) &&
           wi_array_push(memory, &list->todo, pair);
}

/* Room for twice as many pairs, in all that is about pairs. */
static bool grow(keeper *keep)
{
    wi_separation *list = keep->list;
    const size_t room = list->pairs.capacity < 64 ? 64 : 2 * list->pairs.capacity;
    const size_t per_pair = sizeof(wi_sep_pair) + 3 * sizeof(uint32_t) + sizeof(wi_event_cell);
    if (room >= UINT32_MAX / 2 || !is_within_limit(list, room * per_pair)) return false;
    if (!wi_array_reserve(keep->memory, &list->pairs, room)) return false;
    const uint32_t slots = (uint32_t)list->pairs.capacity;
    return wi_queue_widen(keep->memory, &list->queue, slots) &&
           wi_queue_reserve(keep->memory, &list->queue, slots - list->queue.count);
}

/* ---- broods ---- */

/* The number of the brood of a node, which is made if there is none; false for want of room. */
static bool get_brood(keeper *keep, int side, uint32_t node, uint32_t *number)
{
    wi_separation *list = keep->list;
    const int at = list->is_within ? 0 : side;
    uint32_t *known = &list->brood_of[at][node];
    if (*known == 0) {
        const wi_brood brood = wi_brood_below(keep->h[side], node);
        const wi_brood_boxes unknown = {.range = 0};
        if (!may_push(list, list->broods[at].count, list->broods[at].capacity,
                      sizeof brood + sizeof unknown))
            return false;
        if (!wi_array_push(keep->memory, &list->broods[at], brood) ||
            !wi_array_push(keep->memory, &list->boxes[at], unknown))
            return false;
        *known = (uint32_t)list->broods[at].count;
    }
    *number = *known - 1;
    return true;
}

/* With its boxes, as they are for the time at hand. */
static wi_sep_side look_up(const keeper *keep, const wi_sep_pair *pair, int side)
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

static bool start_broods(keeper *keep)
{
    wi_separation *list = keep->list;
    for (int side = 0; side < (list->is_within ? 1 : 2); side++) {
        const uint32_t count = keep->h[side]->node_count;
        list->broods[side].count = list->boxes[side].count = 0;
        if (list->node_count[side] != count) {
            wi_free_array(keep->memory, list->brood_of[side], list->node_count[side],
                          sizeof *list->brood_of[side]);
            list->brood_of[side] = NULL;
            list->node_count[side] = 0;
            if (!is_within_limit(list, count * sizeof *list->brood_of[side])) return false;
            list->brood_of[side] =
                wi_alloc_array(keep->memory, count, sizeof *list->brood_of[side]);
            if (list->brood_of[side] == NULL) return false;
            list->node_count[side] = count;
        }
        memset(list->brood_of[side], 0, count * sizeof *list->brood_of[side]);
    }
    return true;
}

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
    return wi_leaf_pair_of(wi_separation_brood(list, 0, pair->brood[0])->child[bit / 8],
                           wi_separation_brood(list, 1, pair->brood[1])->child[bit % 8],
                           list->is_within);
}

/* Lists them in the order of their bits. */
static bool log_leaves(keeper *keep, const wi_sep_pair *pair, uint64_t bits, bool begins)
{
    wi_separation *list = keep->list;
    for (; list->logs && bits != 0; bits &= bits - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(bits);
        const wi_leaf_pair leaves = leaves_of(list, pair, bit);
        const willow_leaf_event event = {time_at(list, list->at), keep->h[0]->node_count + leaves.a,
                                         keep->h[1]->node_count + leaves.b, begins};
        if (!may_push(list, list->log.count, list->log.capacity, sizeof event) ||
            !wi_array_push(keep->memory, &list->log, event))
            return false;
    }
    return true;
}

/* ---- pairs that have leaves that meet ---- */

static void link_met(wi_separation *list, uint32_t number)
{
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
    list->leaf_pairs -= count_bits(pair->meets & pair->leaves);
    pair->meets = meets;
    if (number == 0 || had == has) return;
    if (has)
        link_met(list, number);
    else
        unlink_met(list, number);
}

/* ---- making and removing pairs ---- */

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
    list->pair_count++;
    if (number == WI_NO_PAIR) return (uint32_t)list->pairs.count++;
    list->free_pair = list->pairs.items[number].parent;
    return number;
}

/* A side of the pair below another: the leaf that it is, or the brood of a node. False for want of
 * room. */
static bool go_below(keeper *keep, const wi_sep_pair *above, int side, unsigned lane,
                     wi_sep_pair *out)
{
    const wi_brood *brood = wi_separation_brood(keep->list, side, above->brood[side]);
    const bool is_leaf = (brood->leaf_mask >> lane & 1) != 0;
    out->brood[side] = above->brood[side];
    out->lane[side] = is_leaf ? (uint8_t)lane : (uint8_t)WI_ALL_LANES;
    return is_leaf || get_brood(keep, side, brood->child[lane], &out->brood[side]);
}

/* The pair that a bit of another stands for; nothing in it meets yet. There is room for it. False
 * for want of room for its broods. */
static bool make_below(keeper *keep, uint32_t parent, unsigned bit, uint32_t *number)
{
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
static bool remove_all(keeper *keep, uint32_t top)
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
        pair->parent = list->free_pair;
        list->free_pair = number;
        list->pair_count--;
    }
    return true;
}

/* The pairs of bits that are cleared. */
static bool remove_below(keeper *keep, uint32_t number, uint64_t bits)
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
static void set_event(wi_separation *list, uint32_t number, float next)
{
    if (next <= 1.0F)
        wi_queue_set(&list->queue, number, (double)next);
    else
        wi_queue_remove(&list->queue, number);
}

static wi_sep_sight look(const keeper *keep, const wi_sep_pair *pair)
{
    const wi_sep_side a = look_up(keep, pair, 0);
    return keep->look(keep->list, a, pair->is_itself ? a : look_up(keep, pair, 1), pair);
}

/* Finds the bits of a pair anew; new pairs below it are left in `todo`. */
static bool look_at(keeper *keep, uint32_t number)
{
    wi_separation *list = keep->list;
    wi_sep_pair *pair = &list->pairs.items[number];
    const wi_sep_sight sight = look(keep, pair);
    list->counts.looks++;
    const uint64_t begun = sight.meets & ~pair->meets, ended = pair->meets & ~sight.meets;
    set_event(list, number, sight.next);
    if ((begun | ended) == 0) return true;
    if (!log_leaves(keep, pair, ended & pair->leaves, false)) return false;
    if ((ended & ~pair->leaves) != 0 && !remove_below(keep, number, ended)) return false;
    if (!log_leaves(keep, pair, begun & pair->leaves, true)) return false;
    const uint64_t inner = begun & ~pair->leaves;
    set_meets(list, number, sight.meets);
    for (uint64_t bits = inner; bits != 0; bits &= bits - 1) {
        if (list->free_pair == WI_NO_PAIR && list->pairs.count == list->pairs.capacity &&
            !grow(keep))
            return false;
        uint32_t child;
        if (!make_below(keep, number, (unsigned)__builtin_ctzll(bits), &child) ||
            !push_todo(keep->memory, list, child))
            return false;
    }
    return true;
}

static bool look_at_todo(keeper *keep)
{
    wi_separation *list = keep->list;
    while (list->todo.count > 0)
        if (!look_at(keep, list->todo.items[--list->todo.count])) return false;
    return true;
}

/* A pair, and all that is new below it. */
static bool look_down(keeper *keep, uint32_t number)
{
    return push_todo(keep->memory, keep->list, number) && look_at_todo(keep);
}

/* Every pair that there is: what goes with its parent is not looked at. */
static bool look_at_all(keeper *keep)
{
    for (uint32_t number = 0; number != WI_NO_PAIR;
         number = wi_separation_after(keep->list, number))
        if (!look_down(keep, number)) return false;
    return true;
}

/* ---- time ---- */

/* One after the other, or all at the end. In checked builds a small list is compared with a search
 * after every event, before the next one at a later time. */
static bool run_until(keeper *keep, float until)
{
    enum { FEW_PAIRS = 64 };
    wi_separation *list = keep->list;
    wi_event event;
    if (!list->logs) list->at = until;
    while (list->logs ? wi_queue_take(&list->queue, (double)until, &event)
                      : wi_queue_take_any(&list->queue, (double)until, &event)) {
        WI_ASSERT_SLOW(!list->logs || (float)event.time == list->at ||
                       list->pair_count > FEW_PAIRS ||
                       wi_separation_validate_pairs(list, keep->kernel, keep->h[0], keep->h[1],
                                                    event.slot) == NULL);
        list->counts.events++;
        if (list->logs) list->at = (float)event.time;
        if (!look_down(keep, event.slot)) return false;
    }
    list->at = until;
    return true;
}

static bool has_chords(const wi_hierarchy *h) { return h->kinetic.chords.from != NULL; }

/* Where there are no chords a body stands until it is another state. */
static uint64_t course_of(const wi_hierarchy *h)
{
    return has_chords(h) ? h->kinetic.chords.course : h->revision;
}

static double larger(double a, double b) { return a > b ? a : b; }

/* The largest coordinate of a tree while its boxes go straight. What is in them is rounded where it
 * comes to, which may be far from where it is now. */
static double size_of_course(const wi_hierarchy *h)
{
    const wi_chords *c = &h->kinetic.chords;
    if (!has_chords(h)) return h->size;
    return larger(h->size, larger(wi_padded_box_size(&c->from[0]), wi_padded_box_size(&c->to[0])));
}

/* Boxes of a body that stands are the same as before. */
static void set_side(keeper *keep, int side)
{
    wi_separation *list = keep->list;
    const wi_hierarchy *h = keep->h[side];
    const double first = has_chords(h) ? wi_chords_share(h, list->since) : 0.0;
    const double last = has_chords(h) ? wi_chords_share(h, list->until) : 1.0;
    double *shares = list->shares[side];
    if (list->course[side] != course_of(h) || shares[0] != first || shares[1] != last)
        list->range[side]++;
    list->course[side] = course_of(h);
    shares[0] = first;
    shares[1] = last;
}

/* The time that the boxes of both go straight for. */
static void set_range(keeper *keep)
{
    wi_separation *list = keep->list;
    double width = 0.0, size = 0.0;
    list->since = -(double)INFINITY;
    list->until = (double)INFINITY;
    for (int side = 0; side < 2; side++) {
        const wi_hierarchy *h = keep->h[side];
        size = larger(size, size_of_course(h));
        if (!has_chords(h)) continue;
        double since, until;
        wi_chords_range(h, &since, &until);
        width += wi_chords_width(h);
        if (!(until > since)) continue; /* it stands */
        list->since = larger(list->since, since);
        list->until = until < list->until ? until : list->until;
    }
    if (!(list->until - list->since <= DBL_MAX)) list->since = list->until = 0.0;
    for (int side = 0; side < 2; side++) set_side(keep, side);
    const double widen = width + 0x1p-20 * size;
    list->widen =
        widen < (double)FLT_MAX / 4.0 ? (float)widen * (1.0F + 0x1p-20F) + FLT_MIN : FLT_MAX / 4.0F;
}

/* ---- the whole ---- */

bool wi_separation_suits(const wi_hierarchy *a, const wi_hierarchy *b)
{
    const wi_hierarchy *const both[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        const wi_mesh *mesh = both[i]->mesh;
        if (both[i]->views == NULL || mesh->is_posed) return false;
        if (mesh->is_planned && !has_chords(both[i])) return false;
    }
    return has_chords(a) || has_chords(b);
}

bool wi_separation_is_true(const wi_separation *list, const wi_hierarchy *a, const wi_hierarchy *b)
{
    return list->structure[0] == a->structure && list->structure[1] == b->structure &&
           list->structure[0] != 0 && list->course[0] == course_of(a) &&
           list->course[1] == course_of(b);
}

/* All pairs anew, from the roots. */
static bool search(keeper *keep)
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
    if ((list->pairs.capacity == 0 && !grow(keep)) || !get_brood(keep, 0, 0, &root.brood[0]) ||
        !get_brood(keep, 1, 0, &root.brood[1]))
        return false;
    wi_queue_clear(&list->queue);
    root.leaves = leaf_bits(list, &root);
    list->pairs.items[0] = root;
    list->pairs.count = list->pair_count = 1;
    return look_down(keep, 0);
}

static bool start(keeper *keep)
{
    keep->list->counts.starts++;
    keep->list->is_within = keep->h[0] == keep->h[1];
    return start_broods(keep) && search(keep);
}

static bool fail(keeper *keep)
{
    wi_separation_free(keep->memory, keep->list);
    keep->list->has_gap = true;
    return false;
}

/* Of a list that is about these trees. */
static bool is_about(const wi_separation *list, const wi_hierarchy *a, const wi_hierarchy *b)
{
    return list->structure[0] != 0 && list->structure[0] == a->structure &&
           list->structure[1] == b->structure;
}

/* No path has changed, and what the chords were made of is there. */
static bool is_steady(const wi_hierarchy *h)
{
    if (!has_chords(h)) return !h->mesh->is_planned;
    return h->mesh->is_planned && h->kinetic.is_set_up && h->kinetic.changes.count == 0;
}

bool wi_separation_run_out(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                           const wi_hierarchy *a, const wi_hierarchy *b, double time)
{
    keeper keep = keeper_of(memory, kernel, list, a, b);
    if (!list->is_under_way) {
        list->log.count = 0;
        list->has_gap = false;
    }
    list->is_under_way = true;
    if (!list->logs || !wi_separation_is_true(list, a, b) || !is_steady(a) || !is_steady(b))
        return true;
    if (!(list->until > list->since) || !(time > list->seen)) return true;
    list->log_since = list->seen;
    list->log_until = list->seen = time < list->until ? time : list->until;
    return run_until(&keep, wi_separation_at(list, list->seen)) || fail(&keep);
}

/* Boxes have another course from the time on that it was true for last, or from a later one. */
static bool renew(keeper *keep)
{
    wi_separation *list = keep->list;
    set_range(keep);
    list->counts.renewals++;
    const bool goes = list->until > list->since;
    list->has_gap = list->has_gap || !goes || list->since > list->seen;
    list->at = wi_separation_at(list, goes ? larger(list->since, list->seen) : list->since);
    /* A search leaves what belongs together side by side, but says nothing of what was before. */
    if (!list->logs) return search(keep);
    wi_queue_clear(&list->queue);
    return look_at_all(keep);
}

bool wi_separation_follow(wi_memory *memory, willow_kernel kernel, wi_separation *list,
                          const wi_hierarchy *a, const wi_hierarchy *b)
{
    keeper keep = keeper_of(memory, kernel, list, a, b);
    const double time = a->mesh->is_planned ? a->mesh->moment.time : b->mesh->moment.time;
    bool ok = true;
    list->is_under_way = false;
    list->log_since = time < list->seen ? time : list->seen;
    list->log_until = time;
    if (!is_about(list, a, b) || time < list->seen) {
        set_range(&keep);
        list->at = wi_separation_at(list, time);
        list->seen = time;
        ok = start(&keep);
    } else if (!wi_separation_is_true(list, a, b)) {
        ok = renew(&keep);
    }
    if (ok && time > list->seen) ok = run_until(&keep, wi_separation_at(list, time));
    if (!ok) return fail(&keep);
    list->structure[0] = a->structure;
    list->structure[1] = b->structure;
    list->seen = time;
    WI_ASSERT_SLOW(wi_separation_validate(list, kernel, a, b) == NULL);
    return true;
}

/* ---- soundness ---- */

/* How many pairs are in the ring, and leaves that meet in them. */
static const char *validate_ring(const wi_separation *list)
{
    const wi_sep_pair *pairs = list->pairs.items;
    size_t leaf_pairs = 0;
    uint32_t number = 0;
    do {
        const wi_sep_pair *pair = &pairs[number];
        const size_t count = count_bits(pair->meets & pair->leaves);
        if (number != 0 && count == 0) return "S3: a pair without leaves that meet is listed";
        if (pairs[pair->next_met].last_met != number) return "S3: the ring of pairs is broken";
        leaf_pairs += count;
        number = pair->next_met;
    } while (number != 0);
    return leaf_pairs == list->leaf_pairs ? NULL : "S3: leaves that meet are not listed";
}

/* Its bits are as a look finds them now, and there is a pair for each that is not of leaves. */
static const char *validate_pair(const keeper *keep, uint32_t number, bool has_event)
{
    const wi_separation *list = keep->list;
    const wi_sep_pair *pair = &list->pairs.items[number];
    const wi_sep_sight sight = look(keep, pair);
    if (sight.meets != pair->meets) return "S1: the list is not what a search finds";
    if (has_event != (sight.next <= 1.0F)) return "S2: a pair has no event, or one in vain";
    uint64_t found = 0;
    for (uint32_t child = pair->child; child != WI_NO_PAIR; child = list->pairs.items[child].next) {
        if (list->pairs.items[child].parent != number) return "S4: a pair is below another";
        found |= UINT64_C(1) << list->pairs.items[child].bit;
    }
    return found == (pair->meets & ~pair->leaves) ? NULL : "S4: a pair is missing, or left over";
}

const char *wi_separation_validate_pairs(const wi_separation *list, willow_kernel kernel,
                                         const wi_hierarchy *a, const wi_hierarchy *b,
                                         uint32_t taken)
{
    wi_separation same = *list; /* nothing of it is changed */
    const keeper keep = keeper_of(NULL, kernel, &same, a, b);
    for (uint32_t number = 0; number != WI_NO_PAIR; number = wi_separation_after(list, number)) {
        const bool has_event = number == taken || wi_queue_has(&list->queue, number);
        const char *broken = validate_pair(&keep, number, has_event);
        if (broken) return broken;
    }
    return validate_ring(list);
}

const char *wi_separation_validate(const wi_separation *list, willow_kernel kernel,
                                   const wi_hierarchy *a, const wi_hierarchy *b)
{
    if (!wi_separation_is_true(list, a, b)) return "S5: the list is of other trees";
    return wi_separation_validate_pairs(list, kernel, a, b, WI_NO_PAIR);
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
