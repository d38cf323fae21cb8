/* one_axis_kernel.c - boxes sorted along one axis, and compared while they overlap there, eight at
 * once.
 *
 * Way in: the wi_kept_ops of it. Made for hundreds to some ten thousand boxes of any sizes: bounds
 * lie side by side in the order of the axis, so that eight comparisons are one. What it costs grows
 * with the boxes that overlap along the axis, n^(5/3) in space. The axis is that along which
 * middles vary most; it is sorted afresh in every step, which is linear. */
#include <string.h>

#include "base/containers/sort.h"
#include "base/kernel.h"
#include "broad/kept.h"

/* Bounds in the order of lower bounds along the axis, followed by WI_LANES places that are past
 * every end. */
typedef struct line_state {
    float *lower[3], *upper[3];
    uint32_t *numbers;
    size_t capacity[7];
    uint64_t *keys; /* two for each */
    size_t key_capacity;
    uint32_t count;
    int axis;
    double longest; /* extent along the axis, rounded up */
} line_state;

/* Variances along all axes in one pass. */
static int line_axis(const wi_kept *kept)
{
    double sum[3] = {0}, squares[3] = {0}, number = 0.0;
    for (uint32_t i = 0; i < kept->count; i++) {
        const wi_box *box = &kept->boxes[i];
        if (wi_box_is_empty(box)) continue;
        number += 1.0;
        for (int axis = 0; axis < 3; axis++) {
            const double at = (double)box->lower[axis] + (double)box->upper[axis];
            const double here = isfinite(at) ? at : 0.0;
            sum[axis] += here;
            squares[axis] += here * here;
        }
    }
    int best = 0;
    double widest = -1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double variance = number * squares[axis] - sum[axis] * sum[axis];
        if (variance <= widest) continue;
        widest = variance;
        best = axis;
    }
    return best;
}

static bool line_reserve(wi_kept *kept, line_state *s)
{
    const size_t count = (size_t)kept->living + WI_LANES;
    bool ok = wi_kept_block(kept, (void **)&s->keys, &s->key_capacity, 2 * count, sizeof *s->keys);
    for (int axis = 0; axis < 3 && ok; axis++)
        ok = wi_kept_block(kept, (void **)&s->lower[axis], &s->capacity[axis], count,
                           sizeof(float)) &&
             wi_kept_block(kept, (void **)&s->upper[axis], &s->capacity[3 + axis], count,
                           sizeof(float));
    return ok &&
           wi_kept_block(kept, (void **)&s->numbers, &s->capacity[6], count, sizeof *s->numbers);
}

static void line_put(line_state *s, uint32_t at, const wi_box *box, uint32_t number)
{
    for (int axis = 0; axis < 3; axis++) {
        s->lower[axis][at] = box->lower[axis];
        s->upper[axis][at] = box->upper[axis];
    }
    s->numbers[at] = number;
}

static bool line_update(wi_kept *kept, const wi_kept_change *change)
{
    line_state *s = kept->state;
    (void)change;
    if (!line_reserve(kept, s)) return false;
    const int axis = line_axis(kept);
    s->axis = axis;
    s->count = 0;
    for (uint32_t i = 0; i < kept->count; i++)
        if (!wi_box_is_empty(&kept->boxes[i]))
            s->keys[s->count++] = (uint64_t)wi_float_key(kept->boxes[i].lower[axis]) << 32 | i;
    wi_sort_u64(s->keys, s->keys + s->count, s->count);
    s->longest = 0.0;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t number = (uint32_t)s->keys[i];
        const wi_box *box = &kept->boxes[number];
        const double length = (double)box->upper[axis] - (double)box->lower[axis];
        s->longest = length > s->longest ? length : s->longest;
        line_put(s, i, box, number);
    }
    s->longest *= 1.0 + 0x1p-50;
    const wi_box none = wi_box_empty();
    for (uint32_t i = 0; i < WI_LANES; i++) line_put(s, s->count + i, &none, UINT32_MAX);
    kept->rebuilds++;
    return true;
}

/* The lanes from `first` on that begin before `end`. */
static inline unsigned line_begun(const line_state *s, uint32_t first, wi_wide end)
{
    return wi_mask_bits(wi_wide_less_equal(wi_wide_load(&s->lower[s->axis][first]), end));
}

/* The lanes from `first` on whose other two extents meet those of a box. Places past the end hold
 * +inf, which meets the end of no box but an infinite one: callers cut them off. */
static inline unsigned line_met(const line_state *s, uint32_t first, const wi_box *box)
{
    const int u = (s->axis + 1) % 3, v = (s->axis + 2) % 3;
    wi_mask met = wi_wide_less_equal(wi_wide_load(&s->lower[u][first]), wi_wide_all(box->upper[u]));
    met = wi_mask_and(
        met, wi_wide_less_equal(wi_wide_all(box->lower[u]), wi_wide_load(&s->upper[u][first])));
    met = wi_mask_and(
        met, wi_wide_less_equal(wi_wide_load(&s->lower[v][first]), wi_wide_all(box->upper[v])));
    met = wi_mask_and(
        met, wi_wide_less_equal(wi_wide_all(box->lower[v]), wi_wide_load(&s->upper[v][first])));
    return wi_mask_bits(met);
}

static inline unsigned line_rest(const line_state *s, uint32_t first)
{
    const uint32_t left = s->count - first;
    return left >= WI_LANES ? 0xFFU : (1U << left) - 1U;
}

static bool line_pairs_of(wi_kept *kept, const line_state *s, uint32_t i, wi_body_pairs *out)
{
    const uint32_t number = s->numbers[i];
    const wi_box *box = &kept->boxes[number];
    const wi_wide end = wi_wide_all(box->upper[s->axis]);
    for (uint32_t k = i + 1; k < s->count; k += WI_LANES) {
        const unsigned begun = line_begun(s, k, end) & line_rest(s, k);
        kept->candidates += (unsigned)__builtin_popcount(begun);
        if (begun == 0) break;
        if (!wi_array_reserve(kept->memory, out, out->count + WI_LANES)) return false;
        for (unsigned met = begun & line_met(s, k, box); met != 0; met &= met - 1) {
            const uint32_t other = s->numbers[k + (unsigned)__builtin_ctz(met)];
            out->items[out->count++] =
                (wi_body_pair){number < other ? number : other, number < other ? other : number};
        }
        if (begun != 0xFFU) break;
    }
    return true;
}

static bool line_pairs(wi_kept *kept, wi_body_pairs *out)
{
    const line_state *s = kept->state;
    for (uint32_t i = 0; i < s->count; i++)
        if (!line_pairs_of(kept, s, i, out)) return false;
    return true;
}

/* The first place at which a box may begin that reaches to `from`. */
static uint32_t line_first(const line_state *s, float from)
{
    uint32_t low = 0, high = s->count;
    const double begins = (double)from - s->longest;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if ((double)s->lower[s->axis][middle] < begins)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool line_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                      wi_body_numbers *out)
{
    const line_state *s = kept->state;
    const uint32_t first =
        s->longest < (double)INFINITY ? line_first(s, probe->box.lower[s->axis]) : 0;
    const wi_wide end = wi_wide_all(probe->box.upper[s->axis]);
    for (uint32_t k = first; k < s->count; k += WI_LANES) {
        const unsigned begun = line_begun(s, k, end) & line_rest(s, k);
        for (unsigned met = begun & line_met(s, k, &probe->box); met != 0; met &= met - 1) {
            const uint32_t number = s->numbers[k + (unsigned)__builtin_ctz(met)];
            if (wi_probe_meets(probe, &kept->boxes[number]) && !wi_array_push(memory, out, number))
                return false;
        }
        if (begun != 0xFFU) break;
    }
    return true;
}

static void line_count(const wi_kept *kept, willow_broad_stats *out)
{
    const line_state *s = kept->state;
    out->entries = s->count;
}

static const char *line_validate(const wi_kept *kept)
{
    const line_state *s = kept->state;
    if (s->count != kept->living) return "B7: a box is not on the axis once";
    for (uint32_t i = 0; i < s->count; i++) {
        if (i > 0 && s->lower[s->axis][i - 1] > s->lower[s->axis][i])
            return "B7: boxes are not in the order of the axis";
        for (int axis = 0; axis < 3; axis++)
            if (s->lower[axis][i] != kept->boxes[s->numbers[i]].lower[axis] ||
                s->upper[axis][i] != kept->boxes[s->numbers[i]].upper[axis])
                return "B7: a box on the axis is another";
    }
    return NULL;
}

static void line_free(wi_kept *kept)
{
    line_state *s = kept->state;
    for (int axis = 0; axis < 3; axis++) {
        wi_free_array(kept->memory, s->lower[axis], s->capacity[axis], sizeof(float));
        wi_free_array(kept->memory, s->upper[axis], s->capacity[3 + axis], sizeof(float));
    }
    wi_free_array(kept->memory, s->numbers, s->capacity[6], sizeof *s->numbers);
    wi_free_array(kept->memory, s->keys, s->key_capacity, sizeof *s->keys);
}

extern const wi_kept_ops WI_KERNEL(kept_one_axis);
const wi_kept_ops WI_KERNEL(kept_one_axis) = {.state_size = sizeof(line_state),
                                              .update = line_update,
                                              .pairs = line_pairs,
                                              .find = line_find,
                                              .count = line_count,
                                              .validate = line_validate,
                                              .free = line_free};
