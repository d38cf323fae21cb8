/* split_centres_kernel.c - parting a run of centres at the k-th lowest.
 *
 * Way in: wi_split_kernels. Short runs are sorted. Long ones take two streams. The first counts the
 * centres in equal bins along the axis, which tells the bin of the k-th. The second moves those in
 * bins below to the left end upwards, those above to the right end downwards, and the few in its
 * bin aside; these are sorted and fill the gap. Eight are moved at a time, packed by a table, and
 * eight lanes are written whatever the number: what is too much falls into the gap. Should all fall
 * into one bin, the radix sort is still linear, so no input degrades it. */
#include "tree/build/split_centres.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "base/wide_bits.h"

static void copy_one(const wi_centres *from, uint32_t i, const wi_centres *to, uint32_t at)
{
    for (int axis = 0; axis < 3; axis++) to->axis[axis][at] = from->axis[axis][i];
    to->slot[at] = from->slot[i];
}

static void sort_few(const wi_centres *c, uint32_t count, int axis)
{
    for (uint32_t i = 1; i < count; i++) {
        float x = c->axis[0][i], y = c->axis[1][i], z = c->axis[2][i], key = c->axis[axis][i];
        uint32_t slot = c->slot[i], at = i;
        for (; at > 0 && c->axis[axis][at - 1] > key; at--) copy_one(c, at - 1, c, at);
        c->axis[0][at] = x;
        c->axis[1][at] = y;
        c->axis[2][at] = z;
        c->slot[at] = slot;
    }
}

/* Writes the middle, sorted by coordinate, to `to` from `at` on. */
static void sort_middle(wi_split_work *work, uint32_t count, int axis, const wi_centres *to,
                        uint32_t at)
{
    const wi_centres *middle = &work->middle;
    if (count <= 24) {
        sort_few(middle, count, axis);
        for (uint32_t i = 0; i < count; i++) copy_one(middle, i, to, at + i);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        work->keys[i] = (uint64_t)wi_float_key(middle->axis[axis][i]) << 32 | i;
    wi_sort_u64(work->keys, work->spare_keys, count);
    for (uint32_t i = 0; i < count; i++) copy_one(middle, (uint32_t)work->keys[i], to, at + i);
}

static inline void put_centre(const wi_centres *out, uint32_t at, uint32_t slot, wi_quad a,
                              wi_quad b, wi_quad c)
{
    const wi_quad eighth = wi_quad_all(0.125F);
    wi_quad low = wi_quad_min(wi_quad_min(a, b), c), high = wi_quad_max(wi_quad_max(a, b), c);
    float centre[4];
    wi_quad_store(centre, wi_quad_add(wi_quad_mul(low, eighth), wi_quad_mul(high, eighth)));
    for (int axis = 0; axis < 3; axis++) out->axis[axis][at] = centre[axis];
    out->slot[at] = slot;
}

static void split_centres_collect(const wi_mesh *mesh, const uint32_t *slots, uint32_t count,
                                  const wi_centres *out)
{
    const wi_centres to = *out;
    const wi_point *positions = mesh->positions;
    const uint32_t *place = mesh->place;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t slot = slots ? slots[i] : i;
        const uint32_t *tri = mesh->tris[slot];
        if (positions)
            put_centre(&to, i, slot, wi_quad_load(positions[place[tri[0]]].axis),
                       wi_quad_load(positions[place[tri[1]]].axis),
                       wi_quad_load(positions[place[tri[2]]].axis));
        else
            put_centre(&to, i, slot, wi_quad_load3(wi_mesh_position(mesh, tri[0])),
                       wi_quad_load3(wi_mesh_position(mesh, tri[1])),
                       wi_quad_load3(wi_mesh_position(mesh, tri[2])));
    }
}

/* The bounds of eight centres in `every` * 8, at least; with 1 of all. */
static wi_box bounds(const wi_centres *centres, uint32_t first, uint32_t count, uint32_t every)
{
    const float *x = centres->axis[0] + first, *y = centres->axis[1] + first;
    const float *z = centres->axis[2] + first;
    wi_wide low_x = wi_wide_all(INFINITY), low_y = low_x, low_z = low_x;
    wi_wide high_x = wi_wide_all(-INFINITY), high_y = high_x, high_z = high_x;
    uint32_t i = 0;
    for (; i + WI_LANES <= count; i += WI_LANES * every) {
        wi_wide vx = wi_wide_load(x + i), vy = wi_wide_load(y + i), vz = wi_wide_load(z + i);
        low_x = wi_wide_min(vx, low_x);
        low_y = wi_wide_min(vy, low_y);
        low_z = wi_wide_min(vz, low_z);
        high_x = wi_wide_max(vx, high_x);
        high_y = wi_wide_max(vy, high_y);
        high_z = wi_wide_max(vz, high_z);
    }
    wi_box box = {{wi_wide_least(low_x), wi_wide_least(low_y), wi_wide_least(low_z)},
                  {wi_wide_greatest(high_x), wi_wide_greatest(high_y), wi_wide_greatest(high_z)}};
    for (; i < count; i++) wi_box_add_point(&box, (const float[3]){x[i], y[i], z[i]});
    return box;
}

/* Of long runs an eighth tells the longest axis and where most centres are; those outside fall
 * into the first or last bin. */
enum { LONG_RUN = 1024, SAMPLED = 8 };

static wi_box estimate_bounds(const wi_centres *centres, uint32_t first, uint32_t count)
{
    if (count >= LONG_RUN) {
        wi_box box = bounds(centres, first, count, SAMPLED);
        int axis = wi_box_longest_axis(&box);
        if (box.lower[axis] < box.upper[axis]) return box;
    }
    return bounds(centres, first, count, 1);
}

typedef struct binning {
    float low, scale;
    float last; /* the number of the last bin */
} binning;

static inline int32_t bin_of(const binning *b, float value)
{
    float bin = (value - b->low) * b->scale;
    bin = bin > 0.0F ? bin : 0.0F;
    WI_ASSERT(b->last < (float)WI_MAX_BINS);
    return (int32_t)(bin < b->last ? bin : b->last);
}

/* Of short runs every centre is compared with every other: no branch depends on the data. A key is
 * the distance from the low end in 512ths of the width, with the centre's number in the lowest
 * bits, so that no two are equal. */
enum { SHORT_RUN = 64, KEY_STEPS = 511 };

_Static_assert(SHORT_RUN % WI_RANK_BLOCK == 0, "ranks are found in whole blocks");
_Static_assert((KEY_STEPS + 1) * SHORT_RUN - 1 <= INT16_MAX, "keys fit");

static void sort_short_run(const wi_centres *from, const wi_centres *to, uint32_t first,
                           uint32_t count, int axis, const wi_box *box)
{
    int16_t key[SHORT_RUN] = {0}, rank[SHORT_RUN];
    WI_ASSERT(count <= SHORT_RUN);
    const float *values = from->axis[axis] + first, low = box->lower[axis];
    const binning b = {low, (float)KEY_STEPS / (box->upper[axis] - low), (float)KEY_STEPS};
    const bool has_width = b.scale <= FLT_MAX; /* else all are equal, and any order will do */
    for (uint32_t i = 0; i < count; i++)
        key[i] = (int16_t)((has_width ? bin_of(&b, values[i]) : 0) * SHORT_RUN + (int32_t)i);
    wi_rank16(key, count, rank);
    for (uint32_t i = 0; i < count; i++) copy_one(from, first + i, to, first + (uint16_t)rank[i]);
}

/* Of the shortest ones a tree of single triangles has more than of all others. */
enum { TINY_RUN = 4 };

static inline float width_of(const float *values, uint32_t count)
{
    float low = values[0], high = values[0];
    for (uint32_t i = 1; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    return high - low;
}

static inline void sort_tiny_run(const wi_centres *from, const wi_centres *to, uint32_t first,
                                 uint32_t count)
{
    int longest = 0;
    float most = width_of(from->axis[0] + first, count);
    for (int axis = 1; axis < 3; axis++) {
        const float width = width_of(from->axis[axis] + first, count);
        longest = width > most ? axis : longest;
        most = width > most ? width : most;
    }
    const float *values = from->axis[longest] + first;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = 0;
        for (uint32_t k = 0; k < i; k++) rank += values[k] <= values[i];
        for (uint32_t k = i + 1; k < count; k++) rank += values[k] < values[i];
        copy_one(from, first + i, to, first + rank);
    }
}

/* A move in progress. */
typedef struct parting {
    wi_split_work *work;
    binning binning;
    int32_t middle_bin;
    int axis;
    const wi_centres *from, *to;
    uint32_t left;   /* where the next one goes in `to` */
    uint32_t right;  /* where the last one went in `to` */
    uint32_t middle; /* how many are in work->middle */
} parting;

static inline void move_one(parting *p, uint32_t i)
{
    int32_t bin = bin_of(&p->binning, p->from->axis[p->axis][i]);
    if (bin < p->middle_bin)
        copy_one(p->from, i, p->to, p->left++);
    else if (bin > p->middle_bin)
        copy_one(p->from, i, p->to, --p->right);
    else
        copy_one(p->from, i, &p->work->middle, p->middle++);
}

static inline wi_wide_bits bins_of(const binning *b, const float *values)
{
    const wi_wide offset = wi_wide_sub(wi_wide_load(values), wi_wide_all(b->low));
    const wi_wide bin = wi_wide_max(wi_wide_mul(offset, wi_wide_all(b->scale)), wi_wide_all(0.0F));
    return wi_wide_truncate(wi_wide_min(bin, wi_wide_all(b->last)));
}

/* In two steps per block, so that bins go from register to counter through memory, which is faster
 * than taking a register apart. Neighbours tend to fall into the same bin, so every other one has a
 * counter of its own: an increment need not wait for the one before. */
static void count_bins_wide(wi_split_work *work, const binning *b, const float *values,
                            uint32_t count)
{
    enum { BLOCK = 32 * WI_LANES };
    const uint32_t bins = (uint32_t)b->last + 1;
    uint32_t *even = work->bins, *odd = work->odd_bins, i = 0;
    int32_t bin[BLOCK];
    memset(odd, 0, bins * sizeof *odd);
    while (i + WI_LANES <= count) {
        uint32_t used = count - i < BLOCK ? (count - i) / WI_LANES * WI_LANES : BLOCK;
        for (uint32_t k = 0; k < used; k += WI_LANES)
            wi_wide_bits_store(bin + k, bins_of(b, values + i + k));
        for (uint32_t k = 0; k < used; k += WI_LANES)
            for (uint32_t lane = 0; lane < WI_LANES; lane += 2) {
                even[bin[k + lane]]++;
                odd[bin[k + lane + 1]]++;
            }
        i += used;
    }
    for (; i < count; i++) even[bin_of(b, values[i])]++;
    for (uint32_t k = 0; k < bins; k++) even[k] += odd[k];
}

static void count_bins(wi_split_work *work, const binning *b, const float *values, uint32_t count)
{
    if (WI_HAS_WIDE_BITS)
        count_bins_wide(work, b, values, count);
    else
        for (uint32_t i = 0; i < count; i++) work->bins[bin_of(b, values[i])]++;
}

/* Eight centres in registers: x, y, z and slot, as bits. */
typedef struct centres8 {
    wi_wide_bits part[4];
} centres8;

static inline centres8 load8(const wi_centres *from, uint32_t i)
{
    return (centres8){{wi_wide_bits_load(from->axis[0] + i), wi_wide_bits_load(from->axis[1] + i),
                       wi_wide_bits_load(from->axis[2] + i), wi_wide_bits_load(from->slot + i)}};
}

/* Writes eight lanes, those that `lanes` names. */
static inline void pack8(const centres8 *c, const uint8_t lanes[WI_LANES], const wi_centres *to,
                         uint32_t at)
{
    const wi_wide_bits order = wi_wide_bits_order(lanes);
    for (int axis = 0; axis < 3; axis++)
        wi_wide_bits_store(to->axis[axis] + at, wi_wide_bits_permute(c->part[axis], order));
    wi_wide_bits_store(to->slot + at, wi_wide_bits_permute(c->part[3], order));
}

/* Eight at a time, as far as that goes; the first that is left. */
static uint32_t move_wide(parting *p, uint32_t first, uint32_t last)
{
    /* Copies, out of reach of the stores, which the compiler must take for stores to anything. */
    const wi_centres from = *p->from, to = *p->to, aside = p->work->middle;
    const wi_split_work *work = p->work;
    const binning b = p->binning;
    const float *values = from.axis[p->axis];
    const wi_wide_bits middle_bin = wi_wide_bits_all(p->middle_bin);
    uint32_t i = first, left = p->left, right = p->right, middle = p->middle;
    /* With less room than two writes between the ends, one would hit what the other wrote. */
    for (; i + WI_LANES <= last && right - left >= 2 * WI_LANES; i += WI_LANES) {
        const wi_wide_bits bin = bins_of(&b, values + i);
        const unsigned go_left = wi_wide_bits_more(middle_bin, bin);
        const unsigned go_right = wi_wide_bits_more(bin, middle_bin);
        const unsigned stay = 0xFF & ~(go_left | go_right);
        const centres8 c = load8(&from, i);
        pack8(&c, work->up[go_left], &to, left);
        pack8(&c, work->down[go_right], &to, right - WI_LANES);
        left += (uint32_t)__builtin_popcount(go_left);
        right -= (uint32_t)__builtin_popcount(go_right);
        if (stay == 0) continue;
        pack8(&c, work->up[stay], &aside, middle);
        middle += (uint32_t)__builtin_popcount(stay);
    }
    p->left = left;
    p->right = right;
    p->middle = middle;
    return i;
}

static void move_all(parting *p, uint32_t first, uint32_t last)
{
    uint32_t i = WI_HAS_WIDE_BITS ? move_wide(p, first, last) : first;
    for (; i < last; i++) move_one(p, i);
}

static void split(wi_split_work *work, const wi_centres *from, const wi_centres *to, uint32_t first,
                  uint32_t count, uint32_t k)
{
    WI_ASSERT(count > 1 && k > 0 && k < count && from->slot != to->slot);
    if (count == 2) { /* known to the compiler */
        sort_tiny_run(from, to, first, 2);
        return;
    }
    if (count <= TINY_RUN) {
        sort_tiny_run(from, to, first, count);
        return;
    }
    const wi_box box = estimate_bounds(from, first, count);
    const int axis = wi_box_longest_axis(&box);
    if (count <= SHORT_RUN) {
        sort_short_run(from, to, first, count, axis, &box);
        return;
    }
    const int32_t bins = count < 2 * WI_MAX_BINS ? (int32_t)(count / 2 + 1) : WI_MAX_BINS;
    const binning b = {box.lower[axis], (float)bins / (box.upper[axis] - box.lower[axis]),
                       (float)(bins - 1)};
    if (!(b.scale <= FLT_MAX)) { /* no width to speak of: all are equal, and any k will do */
        for (uint32_t i = first; i < first + count; i++) copy_one(from, i, to, i);
        return;
    }
    memset(work->bins, 0, (size_t)bins * sizeof *work->bins);
    count_bins(work, &b, from->axis[axis] + first, count);
    int32_t middle_bin = 0;
    uint32_t below = 0;
    for (; below + work->bins[middle_bin] <= k; middle_bin++) below += work->bins[middle_bin];
    WI_ASSERT(middle_bin < bins);
    parting p = {.work = work,
                 .binning = b,
                 .middle_bin = middle_bin,
                 .axis = axis,
                 .from = from,
                 .to = to,
                 .left = first,
                 .right = first + count};
    move_all(&p, first, first + count);
    WI_ASSERT(p.left == first + below && p.right - p.left == p.middle);
    WI_ASSERT(p.left - first <= k && k < p.right - first); /* the k-th is in the middle */
    sort_middle(work, p.middle, axis, to, p.left);
}

extern const wi_split_kernels WI_KERNEL(split_kernels);
const wi_split_kernels WI_KERNEL(split_kernels) = {split_centres_collect, split};
