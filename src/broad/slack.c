/* slack.c - boxes with slack: how much, who left, and the pairs of given boxes.
 *
 * Ways in: wi_slack_choose, wi_slack_follow. The share of slack is chosen by counts alone, so that
 * it is the same everywhere: it begins with what would let a sixteenth of the boxes leave in an
 * update if all went on as in the last one, is doubled while too many leave, and halved while
 * hardly any do. After Verlet 1967, whose lists of neighbours of particles are such pairs. */
#include "broad/slack.h"

#include <string.h>

#include "broad/kept_pairs.h"

enum {
    LEAST_BOXES = 128, /* with fewer, everything else is as fast */
    MOST_LEAVE = 16, /* share of boxes that may leave in an update: more get more slack, or none */
    FEWEST_LEAVE = 512, /* fewer get less */
    WINDOW = 8,         /* updates over which is counted */
    PATIENCE = 8,       /* windows: after a start all boxes are in the middle of larger ones */
    FETCH_AHEAD = 16    /* pairs whose second box is fetched early */
};

static const float LEAST_SHARE = 0x1p-6F, MOST_SHARE = 0x1p-3F;

/* ---- boxes ---- */

static float slack_size(const wi_box *box)
{
    float longest = 0.0F;
    for (int axis = 0; axis < 3; axis++) {
        const float length = box->upper[axis] - box->lower[axis];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Differences and sums of floats are monotone, so that nothing is needed for their rounding.
 * Infinite boxes have no slack. */
static wi_box slack_around(const wi_kept *kept, const wi_box *box)
{
    const float size = slack_size(box);
    wi_box out = *box;
    if (wi_box_is_empty(box) || !(size < FLT_MAX)) return out;
    for (uint32_t axis = 0; axis < kept->dimensions; axis++) {
        out.lower[axis] -= size * kept->slack.share;
        out.upper[axis] += size * kept->slack.share;
    }
    return out;
}

/* Without a branch, since both outcomes are common. */
static inline bool slack_meet(const wi_box *a, const wi_box *b)
{
    return (a->lower[0] <= b->upper[0]) & (b->lower[0] <= a->upper[0]) &
           (a->lower[1] <= b->upper[1]) & (b->lower[1] <= a->upper[1]) &
           (a->lower[2] <= b->upper[2]) & (b->lower[2] <= a->upper[2]);
}

/* An empty box is in no other, and no other is in it. */
static inline bool slack_holds(const wi_box *larger, const wi_box *box)
{
    return wi_box_contains(larger, box) && !wi_box_is_empty(box);
}

bool wi_slack_reserve(wi_kept *kept, uint32_t count)
{
    wi_slack *s = &kept->slack;
    if (!wi_array_reserve(kept->memory, &s->is_stray, count)) return false;
    while (s->is_stray.count < count) s->is_stray.items[s->is_stray.count++] = 0;
    if (count <= s->capacity) return true;
    const size_t more = (size_t)count + count / 2;
    wi_box *block = wi_alloc_array(kept->memory, more, 2 * sizeof *block);
    if (block == NULL) return false;
    if (s->capacity > 0) {
        memcpy(block, s->block, s->capacity * sizeof *block);
        memcpy(block + more, wi_slack_larger(s), s->capacity * sizeof *block);
    }
    if (kept->given != kept->boxes) kept->given = block;
    wi_free_array(kept->memory, s->block, s->capacity, 2 * sizeof *s->block);
    s->block = block;
    s->capacity = more;
    return true;
}

void wi_slack_free(wi_memory *memory, wi_slack *s)
{
    wi_free_array(memory, s->block, s->capacity, 2 * sizeof *s->block);
    wi_array_free(memory, &s->is_stray);
    wi_array_free(memory, &s->strays);
    wi_array_free(memory, &s->left);
    wi_array_free(memory, &s->near);
    wi_array_free(memory, &s->spare);
    wi_array_free(memory, &s->found);
}

/* ---- how much ---- */

void wi_slack_sample(wi_slack *s, const wi_box *before, const wi_box *now)
{
    const double size = slack_size(now);
    double farthest = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = fabs((double)now->lower[axis] - (double)before->lower[axis]);
        const double high = fabs((double)now->upper[axis] - (double)before->upper[axis]);
        farthest = low > farthest ? low : farthest;
        farthest = high > farthest ? high : farthest;
    }
    s->moved += farthest < size ? farthest / size : 1.0; /* infinite ones, too */
    s->sampled++;
}

/* The least share with which few boxes leave, if all go straight on; 0 if there is none. */
static float slack_first_share(const wi_kept *kept, const wi_kept_change *change)
{
    const wi_slack *s = &kept->slack;
    if (s->sampled == 0) return 0.0F;
    const double distance = s->moved / s->sampled;
    const double moving = (double)change->count / (double)kept->living;
    for (float share = LEAST_SHARE; share <= MOST_SHARE; share *= 2.0F) {
        const double leaving = distance < (double)share ? distance / (double)share : 1.0;
        if (moving * leaving * MOST_LEAVE <= 1.0) return share;
    }
    return 0.0F;
}

/* What comes of the counts of a window: another share, or the same. */
static float slack_next_share(wi_kept *kept)
{
    wi_slack *s = &kept->slack;
    const uint64_t boxes = (uint64_t)kept->living * WINDOW;
    const bool has_few = s->left_count * FEWEST_LEAVE < boxes;
    s->quiet_windows = has_few ? s->quiet_windows + 1 : 0;
    if (s->left_count * MOST_LEAVE > 2 * boxes)
        return s->share < MOST_SHARE ? 2.0F * s->share : 0.0F;
    if (s->quiet_windows > PATIENCE && s->share > LEAST_SHARE) return 0.5F * s->share;
    return s->share;
}

static bool slack_is_wanted(const wi_kept *kept, const wi_kept_change *change)
{
    return kept->wanted == WILLOW_BROAD_AUTO && !change->all && kept->living >= LEAST_BOXES;
}

static void slack_count_anew(wi_slack *s)
{
    s->moved = 0.0;
    s->sampled = s->updates = 0;
    s->left_count = 0;
}

void wi_slack_stop(wi_kept *kept)
{
    wi_slack *s = &kept->slack;
    slack_count_anew(s);
    s->share = 0.0F;
    s->quiet_windows = 0;
    if (kept->given == kept->boxes) return;
    memcpy(kept->boxes, kept->given, kept->count * sizeof *kept->boxes);
    for (size_t i = 0; i < s->strays.count; i++) s->is_stray.items[s->strays.items[i]] = 0;
    s->strays.count = 0;
    kept->given = kept->boxes;
}

bool wi_slack_choose(wi_kept *kept, wi_kept_change *change)
{
    wi_slack *s = &kept->slack;
    if (!slack_is_wanted(kept, change)) {
        change->all = change->all || s->share > 0.0F;
        wi_slack_stop(kept);
        return false;
    }
    float share = s->share;
    if (!(share > 0.0F))
        share = slack_first_share(kept, change);
    else if (s->updates == WINDOW)
        share = slack_next_share(kept);
    else
        return true;
    const bool is_other = share != s->share;
    slack_count_anew(s);
    if (!is_other) return share > 0.0F;
    change->all = true;
    wi_slack_stop(kept);
    s->share = share;
    return share > 0.0F;
}

/* ---- who left ---- */

/* Boxes that left get new larger ones. */
static bool slack_find_left(wi_kept *kept, const wi_kept_change *change)
{
    wi_slack *s = &kept->slack;
    wi_box *larger = wi_slack_larger(s);
    s->left.count = 0;
    if (!wi_array_reserve(kept->memory, &s->left, change->count)) return false;
    for (uint32_t i = 0; i < change->count; i++) {
        const uint32_t number = change->numbers[i];
        const wi_box *box = &kept->given[number];
        if (slack_holds(&larger[number], box)) continue;
        larger[number] = slack_around(kept, box);
        s->left.items[s->left.count++] = number;
    }
    s->updates++;
    s->left_count += s->left.count;
    return true;
}

/* As many as make what the kind costs for being told, over the updates until then, about what
 * searches cost for looking at them. */
static bool slack_has_many_strays(const wi_kept *kept)
{
    const uint64_t strays = kept->slack.strays.count + kept->slack.left.count;
    return strays * strays > 16 * (uint64_t)kept->living;
}

static bool slack_add_strays(wi_kept *kept)
{
    wi_slack *s = &kept->slack;
    if (!wi_array_reserve(kept->memory, &s->strays, s->strays.count + s->left.count)) return false;
    for (size_t i = 0; i < s->left.count; i++) {
        const uint32_t number = s->left.items[i];
        if (s->is_stray.items[number]) continue;
        s->is_stray.items[number] = 1;
        s->strays.items[s->strays.count++] = number;
    }
    return true;
}

/* There are no strays after that. */
static bool slack_tell_kind(wi_kept *kept, const wi_kept_change *given)
{
    wi_slack *s = &kept->slack;
    const wi_box *larger = wi_slack_larger(s);
    wi_body_numbers_sort(&s->strays);
    for (size_t i = 0; i < s->strays.count; i++) {
        const uint32_t number = s->strays.items[i];
        s->is_stray.items[number] = 0;
        kept->boxes[number] = larger[number];
    }
    wi_kept_change change = *given;
    change.numbers = s->strays.items;
    change.count = (uint32_t)s->strays.count;
    s->strays.count = 0;
    return kept->ops->update(kept, &change);
}

/* ---- near pairs ---- */

static bool slack_find_all_near(wi_kept *kept)
{
    wi_slack *s = &kept->slack;
    s->near.count = 0;
    return kept->ops->pairs(kept, &s->near) && wi_kept_sort_pairs(kept, &s->near);
}

/* What a box that left meets, as far as the pair is not found from another. */
static bool slack_find_near_of(wi_kept *kept, uint32_t a)
{
    wi_slack *s = &kept->slack;
    const wi_box *larger = wi_slack_larger(s);
    const wi_probe probe = {.box = larger[a]};
    kept->met.count = 0;
    if (!kept->ops->find(kept, kept->memory, &probe, &kept->met) ||
        !wi_array_reserve(kept->memory, &s->found,
                          s->found.count + kept->met.count + s->strays.count))
        return false;
    for (size_t i = 0; i < kept->met.count; i++) {
        const uint32_t b = kept->met.items[i];
        if (a == b || s->is_stray.items[b] || (b < a && kept->is_new.items[b])) continue;
        s->found.items[s->found.count++] = (wi_body_pair){a < b ? a : b, a < b ? b : a};
    }
    for (size_t i = 0; i < s->strays.count; i++) {
        const uint32_t b = s->strays.items[i];
        if (a == b || !slack_meet(&larger[a], &larger[b]) || wi_box_is_empty(&larger[b]) ||
            (b < a && kept->is_new.items[b]))
            continue;
        s->found.items[s->found.count++] = (wi_body_pair){a < b ? a : b, a < b ? b : a};
    }
    kept->candidates += kept->met.count + s->strays.count;
    return true;
}

/* Near pairs of two boxes that did not leave stay; all others are in `found`. Both are sorted. */
static bool slack_merge_near(wi_kept *kept)
{
    wi_slack *s = &kept->slack;
    size_t f = 0, count = 0;
    if (!wi_array_reserve(kept->memory, &s->spare, s->near.count + s->found.count)) return false;
    for (size_t i = 0; i < s->near.count; i++) {
        const wi_body_pair pair = s->near.items[i];
        for (; f < s->found.count && wi_pair_key(&s->found.items[f]) < wi_pair_key(&pair); f++)
            s->spare.items[count++] = s->found.items[f];
        s->spare.items[count] = pair;
        count += (kept->is_new.items[pair.a] | kept->is_new.items[pair.b]) == 0;
    }
    for (; f < s->found.count; f++) s->spare.items[count++] = s->found.items[f];
    s->spare.count = count;
    const wi_body_pairs before = s->near;
    s->near = s->spare;
    s->spare = before;
    return true;
}

static bool slack_find_some_near(wi_kept *kept)
{
    wi_slack *s = &kept->slack;
    s->found.count = 0;
    if (!wi_kept_mark(kept, s->left.items, s->left.count)) return false;
    for (size_t i = 0; i < s->left.count; i++)
        if (!wi_box_is_empty(&kept->given[s->left.items[i]]) &&
            !slack_find_near_of(kept, s->left.items[i]))
            return false;
    return wi_kept_sort_pairs(kept, &s->found) && slack_merge_near(kept);
}

/* ---- pairs of given boxes ---- */

/* Near pairs that meet are the pairs; held against those of the step before, in the same pass. A
 * pair that was there and is not near any more comes up before a later one. */
static bool slack_take_pairs(wi_kept *kept)
{
    const wi_slack *s = &kept->slack;
    const wi_box *given = kept->given;
    const size_t near_count = s->near.count, before_count = kept->pairs.count;
    if (!wi_array_reserve(kept->memory, &kept->next, near_count) ||
        !wi_array_reserve(kept->memory, &kept->begun, near_count) ||
        !wi_array_reserve(kept->memory, &kept->ended, before_count))
        return false;
    const wi_body_pair *near = s->near.items, *before = kept->pairs.items;
    size_t next = 0, begun = 0, ended = 0, b = 0;
    for (size_t i = 0; i < near_count; i++) {
        const wi_body_pair pair = near[i];
        if (i + FETCH_AHEAD < near_count) __builtin_prefetch(&given[near[i + FETCH_AHEAD].b]);
        for (; b < before_count && wi_pair_key(&before[b]) < wi_pair_key(&pair); b++)
            kept->ended.items[ended++] = before[b];
        const bool did = b < before_count && wi_pair_key(&before[b]) == wi_pair_key(&pair);
        const bool does = slack_meet(&given[pair.a], &given[pair.b]);
        kept->next.items[next] = pair;
        next += does;
        b += did;
        if (did == does) continue;
        if (does)
            kept->begun.items[begun++] = pair;
        else
            kept->ended.items[ended++] = pair;
    }
    for (; b < before_count; b++) kept->ended.items[ended++] = before[b];
    kept->next.count = next;
    kept->begun.count = begun;
    kept->ended.count = ended;
    kept->candidates += near_count;
    wi_kept_take_next(kept);
    return true;
}

/* ---- updating ---- */

/* The kind learns all larger boxes. */
static bool slack_start(wi_kept *kept, const wi_kept_change *change)
{
    wi_slack *s = &kept->slack;
    if (!wi_slack_reserve(kept, kept->count)) return false;
    wi_box *larger = wi_slack_larger(s);
    if (kept->given == kept->boxes) memcpy(s->block, kept->boxes, kept->count * sizeof *larger);
    kept->given = s->block;
    for (uint32_t i = 0; i < kept->count; i++)
        kept->boxes[i] = larger[i] = slack_around(kept, &kept->given[i]);
    return kept->ops->update(kept, change) && slack_find_all_near(kept);
}

static bool slack_go_on(wi_kept *kept, const wi_kept_change *change)
{
    wi_slack *s = &kept->slack;
    if (!slack_find_left(kept, change)) return false;
    const bool is_told = slack_has_many_strays(kept) || !change->same_live || change->has_more;
    if (!slack_add_strays(kept) || (is_told && !slack_tell_kind(kept, change))) return false;
    const wi_kept_change left = {.numbers = s->left.items, .count = (uint32_t)s->left.count};
    if (is_told && !wi_kept_is_few(kept, &left)) return slack_find_all_near(kept);
    return s->left.count == 0 || slack_find_some_near(kept);
}

bool wi_slack_follow(wi_kept *kept, const wi_kept_change *change)
{
    WI_ASSERT(kept->slack.share > 0.0F);
    kept->candidates = 0;
    return (change->all ? slack_start(kept, change) : slack_go_on(kept, change)) &&
           slack_take_pairs(kept);
}

/* ---- checks ---- */

const char *wi_slack_validate(const wi_kept *kept)
{
    const wi_slack *s = &kept->slack;
    if (!(s->share > 0.0F))
        return kept->given == kept->boxes ? NULL : "B14: the kind knows other boxes without slack";
    const wi_box *larger = wi_slack_larger(s);
    size_t strays = 0;
    for (uint32_t i = 0; i < kept->count; i++) {
        const wi_box *box = &kept->given[i];
        const bool is_there = !wi_box_is_empty(box);
        if (is_there != !wi_box_is_empty(&larger[i]) || (is_there && !slack_holds(&larger[i], box)))
            return "B14: a box is not in its larger one";
        if (!s->is_stray.items[i] && memcmp(&larger[i], &kept->boxes[i], sizeof *larger) != 0)
            return "B14: the kind knows another box, and it is no stray";
        strays += s->is_stray.items[i];
    }
    if (strays != s->strays.count) return "B14: a stray is not in the list once";
    if (!wi_body_pairs_are_sorted(&s->near, kept->count)) return "B14: near pairs are not sorted";
    for (size_t i = 0; i < s->near.count; i++)
        if (!slack_meet(&larger[s->near.items[i].a], &larger[s->near.items[i].b]))
            return "B14: a near pair does not meet";
    return NULL;
}
