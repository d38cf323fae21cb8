/* kept.c - what all kept broad phases have in common: boxes, sorted pairs, events, AUTO.
 *
 * Way in: wi_kept_update. It takes boxes over, lets the acting kind bring its state up to date,
 * gathers and sorts pairs, and compares them with those of the step before, which gives events in
 * one pass over both. */
#include "broad/kept.h"

#include <string.h>

#include "base/containers/sort.h"
#include "base/kernel.h"

/* ---- making ---- */

void wi_kept_init(wi_kept *kept, wi_memory *memory, willow_broad wanted, willow_kernel kernel,
                  uint32_t dimensions)
{
    WI_ASSERT((unsigned)wanted < WILLOW_BROAD_COUNT && kernel != WILLOW_KERNEL_AUTO);
    WI_ASSERT(dimensions == 2 || dimensions == 3);
    *kept = (wi_kept){.memory = memory, .wanted = wanted, .kernel = kernel};
    kept->dimensions = dimensions;
}

static const wi_kept_ops *ops_of(willow_broad broad, willow_kernel kernel)
{
    const wi_kept_ops *const table[WILLOW_BROAD_COUNT] = {
        [WILLOW_BROAD_ALL_PAIRS] = &wi_kept_all_pairs,
        [WILLOW_BROAD_ONE_AXIS] = WI_KERNELS_FOR(kernel, kept_one_axis),
        [WILLOW_BROAD_SWEEP_AND_PRUNE] = &wi_kept_sweep_and_prune,
        [WILLOW_BROAD_LINEAR_BVH] = &wi_kept_linear_bvh,
        [WILLOW_BROAD_GRID] = WI_KERNELS_FOR(kernel, kept_grid),
        [WILLOW_BROAD_COMPRESSED_TREE] = &wi_kept_compressed_tree};
    WI_ASSERT((unsigned)broad < WILLOW_BROAD_COUNT && table[broad] != NULL);
    return table[broad];
}

static void free_state(wi_kept *kept)
{
    if (kept->acting == WILLOW_BROAD_AUTO) return;
    if (kept->state) kept->ops->free(kept);
    wi_free(kept->memory, kept->state, kept->ops->state_size);
    kept->state = NULL;
    kept->acting = WILLOW_BROAD_AUTO;
}

void wi_kept_free(wi_kept *kept)
{
    free_state(kept);
    wi_free_array(kept->memory, kept->boxes, kept->capacity, sizeof *kept->boxes);
    wi_array_free(kept->memory, &kept->pairs);
    wi_array_free(kept->memory, &kept->begun);
    wi_array_free(kept->memory, &kept->ended);
    wi_array_free(kept->memory, &kept->next);
    wi_array_free(kept->memory, &kept->found);
    wi_array_free(kept->memory, &kept->keys);
    wi_array_free(kept->memory, &kept->changed);
    wi_array_free(kept->memory, &kept->met);
    wi_array_free(kept->memory, &kept->is_new);
}

bool wi_kept_block(wi_kept *kept, void **block, size_t *capacity, size_t count, size_t item_size)
{
    if (count <= *capacity) return true;
    const size_t more = count + count / 4;
    void *larger = wi_alloc_array(kept->memory, more, item_size);
    if (larger == NULL) return false;
    wi_free_array(kept->memory, *block, *capacity, item_size);
    *block = larger;
    *capacity = more;
    return true;
}

/* ---- boxes ---- */

static bool reserve_boxes(wi_kept *kept, uint32_t count)
{
    if (count <= kept->capacity) return true;
    const uint64_t half = (uint64_t)kept->capacity + kept->capacity / 2;
    const uint32_t more = half > count && half < UINT32_MAX ? (uint32_t)half : count;
    wi_box *boxes = wi_alloc_array(kept->memory, more, sizeof *boxes);
    if (boxes == NULL) return false;
    if (kept->count > 0) memcpy(boxes, kept->boxes, kept->count * sizeof *boxes);
    wi_free_array(kept->memory, kept->boxes, kept->capacity, sizeof *boxes);
    kept->boxes = boxes;
    kept->capacity = more;
    return true;
}

wi_box wi_kept_read(const wi_kept *kept, const wi_kept_input *input, uint32_t number)
{
    const char *at = (const char *)input->boxes + number * input->stride;
    wi_box box = {{0}, {0}};
    if (kept->dimensions == 3) {
        memcpy(&box, at, sizeof box);
        return box;
    }
    memcpy(box.lower, at, 2 * sizeof box.lower[0]);
    memcpy(box.upper, at + 2 * sizeof box.lower[0], 2 * sizeof box.lower[0]);
    return box;
}

static void set_box(wi_kept *kept, const wi_kept_input *input, uint32_t number)
{
    const wi_box box = wi_kept_read(kept, input, number);
    wi_box *own = &kept->boxes[number];
    if (memcmp(own, &box, sizeof box) == 0) return;
    const bool lives = !wi_box_is_empty(&box), lived = !wi_box_is_empty(own);
    kept->living += (uint32_t)lives - (uint32_t)lived;
    kept->same_live = kept->same_live && lives == lived;
    *own = box;
    kept->changed.items[kept->changed.count++] = number;
}

/* Boxes that come are empty before, and boxes that go are empty now: kinds know no other way. */
static void set_count(wi_kept *kept, uint32_t count)
{
    for (; kept->count < count; kept->count++) kept->boxes[kept->count] = wi_box_empty();
    for (; kept->count > count; kept->count--)
        kept->living -= (uint32_t)!wi_box_is_empty(&kept->boxes[kept->count - 1]);
}

/* Numbers that a caller listed come in any order, and those past the former count twice: each is
 * taken once, since the second time it is the same box. */
static void sort_changed(wi_kept *kept)
{
    uint32_t *numbers = kept->changed.items;
    const size_t count = kept->changed.count;
    bool is_sorted = true;
    for (size_t i = 1; i < count && is_sorted; i++) is_sorted = numbers[i - 1] < numbers[i];
    if (is_sorted) return;
    uint64_t *keys = kept->keys.items;
    for (size_t i = 0; i < count; i++) keys[i] = numbers[i];
    wi_sort_u64(keys, keys + count, count);
    for (size_t i = 0; i < count; i++) numbers[i] = (uint32_t)keys[i];
}

static bool take_boxes(wi_kept *kept, const wi_kept_input *input, wi_kept_change *out)
{
    const uint32_t former = kept->count < input->count ? kept->count : input->count;
    const bool has_fewer = input->count < kept->count;
    if (!reserve_boxes(kept, input->count) ||
        !wi_array_reserve(kept->memory, &kept->changed, input->count) ||
        (input->changed && !wi_array_reserve(kept->memory, &kept->keys, 2 * (size_t)input->count)))
        return false;
    kept->changed.count = 0;
    kept->same_live = true;
    set_count(kept, input->count);
    if (input->changed) {
        for (uint32_t i = 0; i < input->changed_count; i++) set_box(kept, input, input->changed[i]);
        for (uint32_t i = former; i < input->count; i++) set_box(kept, input, i);
        sort_changed(kept);
    } else {
        for (uint32_t i = 0; i < input->count; i++) set_box(kept, input, i);
    }
    *out = (wi_kept_change){kept->changed.items, (uint32_t)kept->changed.count,
                            kept->is_lost || has_fewer || !kept->has_update, kept->same_live};
    return true;
}

/* ---- pairs ---- */

static uint64_t key_of(const wi_body_pair *pair) { return (uint64_t)pair->a << 32 | pair->b; }

static bool sort_pairs(wi_kept *kept, wi_body_pairs *pairs)
{
    const size_t count = pairs->count;
    if (!wi_array_reserve(kept->memory, &kept->keys, 2 * count)) return false;
    wi_broad_sort(pairs, kept->keys.items, kept->keys.items + count);
    return true;
}

/* What is in `from` and not in `others` goes to *out. Both are sorted. */
static bool find_missing(wi_memory *memory, const wi_body_pairs *from, const wi_body_pairs *others,
                         wi_body_pairs *out)
{
    size_t k = 0;
    out->count = 0;
    for (size_t i = 0; i < from->count; i++) {
        const uint64_t key = key_of(&from->items[i]);
        while (k < others->count && key_of(&others->items[k]) < key) k++;
        if (k < others->count && key_of(&others->items[k]) == key) continue;
        if (!wi_array_push(memory, out, from->items[i])) return false;
    }
    return true;
}

static void take_next(wi_kept *kept)
{
    const wi_body_pairs before = kept->pairs;
    kept->pairs = kept->next;
    kept->next = before;
}

static bool find_pairs(wi_kept *kept)
{
    kept->next.count = 0;
    kept->candidates = 0;
    if (!kept->ops->pairs(kept, &kept->next) || !sort_pairs(kept, &kept->next) ||
        !find_missing(kept->memory, &kept->next, &kept->pairs, &kept->begun) ||
        !find_missing(kept->memory, &kept->pairs, &kept->next, &kept->ended))
        return false;
    take_next(kept);
    return true;
}

/* Sorted, each once. */
static bool take_events(wi_kept *kept, wi_body_pairs *from, wi_body_pairs *out)
{
    if (!sort_pairs(kept, from) || !wi_array_reserve(kept->memory, out, from->count)) return false;
    out->count = 0;
    for (size_t i = 0; i < from->count; i++)
        if (i == 0 || key_of(&from->items[i - 1]) != key_of(&from->items[i]))
            out->items[out->count++] = from->items[i];
    return true;
}

/* Pairs without those that ended and with those that began, all of them sorted. */
static void merge_events(wi_kept *kept)
{
    const wi_body_pairs *pairs = &kept->pairs, *begun = &kept->begun, *ended = &kept->ended;
    size_t e = 0, b = 0;
    kept->next.count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        const uint64_t key = key_of(&pairs->items[i]);
        while (b < begun->count && key_of(&begun->items[b]) < key)
            kept->next.items[kept->next.count++] = begun->items[b++];
        if (e < ended->count && key_of(&ended->items[e]) == key)
            e++;
        else
            kept->next.items[kept->next.count++] = pairs->items[i];
    }
    while (b < begun->count) kept->next.items[kept->next.count++] = begun->items[b++];
    WI_ASSERT(e == ended->count);
}

static bool follow_events(wi_kept *kept, wi_body_pairs *begun, wi_body_pairs *ended)
{
    if (!take_events(kept, begun, &kept->begun) || !take_events(kept, ended, &kept->ended) ||
        !wi_array_reserve(kept->memory, &kept->next, kept->pairs.count + kept->begun.count))
        return false;
    merge_events(kept);
    take_next(kept);
    return true;
}

/* ---- pairs of a few ---- */

static bool mark_changed(wi_kept *kept, const wi_kept_change *change)
{
    if (!wi_array_reserve(kept->memory, &kept->is_new, kept->count)) return false;
    kept->is_new.count = kept->count;
    if (kept->count > 0) memset(kept->is_new.items, 0, kept->count);
    for (uint32_t i = 0; i < change->count; i++) kept->is_new.items[change->numbers[i]] = 1;
    return true;
}

/* The pairs that boxes which changed are in now. One of two such boxes is found from the other. */
static bool find_pairs_of_changed(wi_kept *kept, const wi_kept_change *change, wi_body_pairs *out)
{
    out->count = 0;
    for (uint32_t i = 0; i < change->count; i++) {
        const uint32_t a = change->numbers[i];
        if (wi_box_is_empty(&kept->boxes[a])) continue;
        const wi_probe probe = {.box = kept->boxes[a]};
        kept->met.count = 0;
        if (!kept->ops->find(kept, kept->memory, &probe, &kept->met)) return false;
        kept->candidates += kept->met.count;
        for (size_t k = 0; k < kept->met.count; k++) {
            const uint32_t b = kept->met.items[k];
            if (a == b || (b < a && kept->is_new.items[b])) continue;
            const wi_body_pair pair = {a < b ? a : b, a < b ? b : a};
            if (!wi_array_push(kept->memory, out, pair)) return false;
        }
    }
    return sort_pairs(kept, out);
}

/* Pairs of two boxes that did not change stay; of all others those in `found` are. Both are sorted,
 * and there is room for all. */
static void merge_found(wi_kept *kept, const wi_body_pairs *found)
{
    size_t f = 0;
    kept->next.count = kept->begun.count = kept->ended.count = 0;
    for (size_t i = 0; i < kept->pairs.count; i++) {
        const wi_body_pair pair = kept->pairs.items[i];
        const uint64_t key = key_of(&pair);
        for (; f < found->count && key_of(&found->items[f]) < key; f++)
            kept->begun.items[kept->begun.count++] = kept->next.items[kept->next.count++] =
                found->items[f];
        const bool stays = !kept->is_new.items[pair.a] && !kept->is_new.items[pair.b];
        const bool is_found = f < found->count && key_of(&found->items[f]) == key;
        if (stays || is_found)
            kept->next.items[kept->next.count++] = pair;
        else
            kept->ended.items[kept->ended.count++] = pair;
        f += is_found;
    }
    for (; f < found->count; f++)
        kept->begun.items[kept->begun.count++] = kept->next.items[kept->next.count++] =
            found->items[f];
}

static bool renew_few(wi_kept *kept, const wi_kept_change *change)
{
    wi_body_pairs *found = &kept->found;
    kept->candidates = 0;
    if (!mark_changed(kept, change) || !find_pairs_of_changed(kept, change, found) ||
        !wi_array_reserve(kept->memory, &kept->next, kept->pairs.count + found->count) ||
        !wi_array_reserve(kept->memory, &kept->begun, found->count) ||
        !wi_array_reserve(kept->memory, &kept->ended, kept->pairs.count))
        return false;
    merge_found(kept, found);
    take_next(kept);
    return true;
}

static bool renew_pairs(wi_kept *kept, const wi_kept_change *change)
{
    wi_body_pairs *begun, *ended;
    if (kept->ops->events && kept->ops->events(kept, &begun, &ended))
        return follow_events(kept, begun, ended);
    return wi_kept_is_few(kept, change) ? renew_few(kept, change) : find_pairs(kept);
}

/* ---- updating ---- */

/* A kind that takes over from another knows nothing yet. */
static bool make_state(wi_kept *kept, wi_kept_change *change)
{
    const willow_broad broad =
        kept->wanted == WILLOW_BROAD_AUTO ? wi_kept_choose(kept) : kept->wanted;
    if (kept->acting == broad) return true;
    const wi_kept_ops *ops = ops_of(broad, kept->kernel);
    void *state = NULL;
    if (ops->state_size > 0) {
        state = wi_alloc(kept->memory, ops->state_size);
        if (state == NULL) return false;
        memset(state, 0, ops->state_size);
    }
    free_state(kept);
    kept->ops = ops;
    kept->state = state;
    kept->acting = broad;
    change->all = true;
    return true;
}

bool wi_kept_update(wi_kept *kept, const wi_kept_input *input)
{
    const uint32_t former = kept->count;
    wi_kept_change change;
    if (!take_boxes(kept, input, &change)) return false;
    kept->is_lost = true;
    if (!make_state(kept, &change)) return false;
    /* Kinds learn of numbers that are new, even if their boxes are empty. */
    const bool is_same = change.count == 0 && !change.all && kept->count == former;
    if (!is_same && !kept->ops->update(kept, &change)) return false;
    if (is_same)
        kept->begun.count = kept->ended.count = 0;
    else if (!renew_pairs(kept, &change))
        return false;
    kept->is_lost = false;
    kept->has_update = true;
    WI_ASSERT_SLOW(wi_kept_validate(kept) == NULL);
    return true;
}

/* ---- searching ---- */

bool wi_kept_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                  wi_body_numbers *out)
{
    WI_ASSERT(out->count == 0 && !wi_kept_is_stale(kept));
    if (kept->living == 0 || wi_box_is_empty(&probe->box)) return true;
    if (!kept->ops->find(kept, memory, probe, out)) return false;
    wi_body_numbers_sort(out);
    return true;
}

bool wi_kept_find_near(const wi_kept *kept, wi_memory *memory, double distance, wi_body_pairs *out)
{
    wi_body_numbers met = {0};
    bool ok = true;
    WI_ASSERT(out->count == 0 && distance >= 0.0);
    for (uint32_t a = 0; a < kept->count && ok; a++) {
        const wi_probe probe = wi_probe_box(&kept->boxes[a], distance);
        met.count = 0;
        ok = wi_kept_find(kept, memory, &probe, &met);
        for (size_t i = 0; i < met.count && ok; i++) {
            const wi_body_pair pair = {a, met.items[i]};
            ok = pair.b <= a || wi_array_push(memory, out, pair);
        }
    }
    wi_array_free(memory, &met);
    return ok;
}

/* ---- counts and checks ---- */

willow_broad_stats wi_kept_stats(const wi_kept *kept)
{
    willow_broad_stats stats = {.acting = kept->acting,
                                .boxes = kept->living,
                                .pairs = kept->pairs.count,
                                .begun = kept->begun.count,
                                .ended = kept->ended.count,
                                .candidates = kept->candidates,
                                .levels = 1,
                                .rebuilds = kept->rebuilds};
    if (kept->acting == WILLOW_BROAD_AUTO)
        stats.acting = WILLOW_BROAD_ALL_PAIRS; /* what AUTO begins with */
    else if (!kept->is_lost && kept->has_update)
        kept->ops->count(kept, &stats);
    return stats;
}

/* Beyond so many, comparing all takes longer than a check may. */
enum { CHECKED_BOXES = 1000 };

static const char *validate_pairs(const wi_kept *kept)
{
    size_t at = 0;
    for (uint32_t a = 0; a < kept->count; a++)
        for (uint32_t b = a + 1; b < kept->count; b++) {
            if (wi_box_is_empty(&kept->boxes[a]) || wi_box_is_empty(&kept->boxes[b]) ||
                !wi_boxes_meet(&kept->boxes[a], &kept->boxes[b]))
                continue;
            if (at >= kept->pairs.count || kept->pairs.items[at].a != a ||
                kept->pairs.items[at].b != b)
                return "B6: a pair is missing, or too many";
            at++;
        }
    return at == kept->pairs.count ? NULL : "B6: there are pairs that do not meet";
}

const char *wi_kept_validate(const wi_kept *kept)
{
    uint32_t living = 0;
    if (kept->is_lost || !kept->has_update) return NULL;
    for (uint32_t i = 0; i < kept->count; i++) living += !wi_box_is_empty(&kept->boxes[i]);
    if (living != kept->living) return "B5: the number of boxes is another";
    if (!wi_body_pairs_are_sorted(&kept->pairs, kept->count)) return "B6: pairs are not sorted";
    if (kept->count <= CHECKED_BOXES) {
        const char *broken = validate_pairs(kept);
        if (broken) return broken;
    }
    return kept->ops->validate(kept);
}
