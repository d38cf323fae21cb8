/* kept.c - what all kept broad phases have in common: boxes, sorted pairs, events, AUTO.
 *
 * Way in: wi_kept_update. It takes boxes over, lets the acting kind bring its state up to date,
 * gathers and sorts pairs, and compares them with those of the step before, which gives events in
 * one pass over both. */
#include "broad/kept_pairs.h"

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
    wi_slack_free(kept->memory, &kept->slack);
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
    if (kept->given != kept->boxes && !wi_slack_reserve(kept, count)) return false;
    if (count <= kept->capacity) return true;
    const uint64_t half = (uint64_t)kept->capacity + kept->capacity / 2;
    const uint32_t more = half > count && half < UINT32_MAX ? (uint32_t)half : count;
    wi_box *boxes = wi_alloc_array(kept->memory, more, sizeof *boxes);
    if (boxes == NULL) return false;
    if (kept->count > 0) memcpy(boxes, kept->boxes, kept->count * sizeof *boxes);
    wi_free_array(kept->memory, kept->boxes, kept->capacity, sizeof *boxes);
    if (kept->given == kept->boxes) kept->given = boxes;
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

/* How far boxes move is looked at where AUTO may give them slack. */
static bool is_sampled(const wi_kept *kept, uint32_t number)
{
    enum { STRIDE = 8 };
    return number % STRIDE == 0 && kept->wanted == WILLOW_BROAD_AUTO && kept->given == kept->boxes;
}

static void set_box(wi_kept *kept, const wi_kept_input *input, uint32_t number)
{
    const wi_box box = wi_kept_read(kept, input, number);
    wi_box *own = &kept->given[number];
    if (memcmp(own, &box, sizeof box) == 0) return;
    const bool lives = !wi_box_is_empty(&box), lived = !wi_box_is_empty(own);
    kept->living += (uint32_t)lives - (uint32_t)lived;
    kept->same_live = kept->same_live && lives == lived;
    if (lives && lived && is_sampled(kept, number)) wi_slack_sample(&kept->slack, own, &box);
    *own = box;
    kept->changed.items[kept->changed.count++] = number;
}

/* Boxes that come are empty before, and boxes that go are empty now: kinds know no other way. */
static void set_count(wi_kept *kept, uint32_t count)
{
    for (; kept->count < count; kept->count++) {
        kept->boxes[kept->count] = kept->given[kept->count] = wi_box_empty();
        if (kept->given != kept->boxes) wi_slack_larger(&kept->slack)[kept->count] = wi_box_empty();
    }
    for (; kept->count > count; kept->count--)
        kept->living -= (uint32_t)!wi_box_is_empty(&kept->given[kept->count - 1]);
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
    *out = (wi_kept_change){.numbers = kept->changed.items,
                            .count = (uint32_t)kept->changed.count,
                            .all = kept->is_lost || has_fewer || !kept->has_update,
                            .same_live = kept->same_live,
                            .has_more = former < input->count};
    return true;
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

/* The state of the kind, pairs and events. */
static bool follow(wi_kept *kept, wi_kept_change *change)
{
    if (wi_slack_choose(kept, change)) return wi_slack_follow(kept, change);
    return kept->ops->update(kept, change) && wi_kept_renew_pairs(kept, change);
}

bool wi_kept_update(wi_kept *kept, const wi_kept_input *input)
{
    wi_kept_change change;
    if (!take_boxes(kept, input, &change)) return false;
    kept->is_lost = true;
    if (!make_state(kept, &change)) return false;
    /* Kinds learn of numbers that are new, even if their boxes are empty. */
    if (change.count == 0 && !change.all && !change.has_more)
        kept->begun.count = kept->ended.count = 0;
    else if (!follow(kept, &change))
        return false;
    kept->is_lost = false;
    kept->has_update = true;
    WI_ASSERT_SLOW(wi_kept_validate(kept) == NULL);
    return true;
}

/* ---- searching ---- */

/* Those of larger boxes that were found which the probe meets as they are, and strays. */
static bool keep_given(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                       wi_body_numbers *numbers)
{
    const wi_slack *slack = &kept->slack;
    size_t count = 0;
    for (size_t i = 0; i < numbers->count; i++) {
        const uint32_t number = numbers->items[i];
        numbers->items[count] = number;
        count += !slack->is_stray.items[number] && wi_probe_meets(probe, &kept->given[number]);
    }
    numbers->count = count;
    for (size_t i = 0; i < slack->strays.count; i++) {
        const uint32_t number = slack->strays.items[i];
        const wi_box *box = &kept->given[number];
        if (!wi_box_is_empty(box) && wi_probe_meets(probe, box) &&
            !wi_array_push(memory, numbers, number))
            return false;
    }
    return true;
}

bool wi_kept_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                  wi_body_numbers *out)
{
    WI_ASSERT(out->count == 0 && !wi_kept_is_stale(kept));
    if (kept->living == 0 || wi_box_is_empty(&probe->box)) return true;
    if (!kept->ops->find(kept, memory, probe, out)) return false;
    if (kept->given != kept->boxes && !keep_given(kept, memory, probe, out)) return false;
    wi_body_numbers_sort(out);
    return true;
}

bool wi_kept_find_near(const wi_kept *kept, wi_memory *memory, double distance, wi_body_pairs *out)
{
    wi_body_numbers met = {0};
    bool ok = true;
    WI_ASSERT(out->count == 0 && distance >= 0.0);
    for (uint32_t a = 0; a < kept->count && ok; a++) {
        const wi_probe probe = wi_probe_box(&kept->given[a], distance);
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
                                .rebuilds = kept->rebuilds,
                                .slack = (double)kept->slack.share};
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
            if (wi_box_is_empty(&kept->given[a]) || wi_box_is_empty(&kept->given[b]) ||
                !wi_boxes_meet(&kept->given[a], &kept->given[b]))
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
    for (uint32_t i = 0; i < kept->count; i++) living += !wi_box_is_empty(&kept->given[i]);
    if (living != kept->living) return "B5: the number of boxes is another";
    if (!wi_body_pairs_are_sorted(&kept->pairs, kept->count)) return "B6: pairs are not sorted";
    if (kept->count <= CHECKED_BOXES) {
        const char *broken = validate_pairs(kept);
        if (broken) return broken;
    }
    const char *broken = wi_slack_validate(kept);
    return broken ? broken : kept->ops->validate(kept);
}
