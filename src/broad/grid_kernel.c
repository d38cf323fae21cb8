/* grid_kernel.c - cells as large as boxes, a grid for each class of sizes.
 *
 * Way in: the wi_kept_ops of it. Made for thousands to millions of boxes of which most move in
 * every step: all grids are filled afresh by a counting sort, with one entry for each box.
 *
 * A box is in the cell of its lower corner, in the grid (level) of its size. No box of a level is
 * longer than `reach`, so boxes that meet a given one have their lower corners between its lower
 * corner less `reach` and its upper corner: two or three cells along each axis. Cells along x are
 * neighbours in memory, so that what is searched is a few runs of entries (rows). Within a level a
 * box is compared with entries after it alone; between levels the larger one looks for the smaller
 * ones, which are in the place that it takes up, so that hardly a comparison is in vain.
 *
 * A level that is full has a cell for every place (dense). One that is mostly empty, since a few
 * boxes are far away, has rows that are found by a hash: rows that share a place cost comparisons,
 * and whoever comes through one of them passes over entries of the others.
 *
 * Coordinates are computed in double from bounds that are clamped to finite floats; sums, products
 * and the cut to integers are monotone, so that no cell is left out by rounding. */
#include <stdalign.h>
#include <string.h>

#include "base/kernel.h"
#include "broad/kept.h"

/* Bounds as one register: that of another box with both halves swapped and negated is less or equal
 * in all of them if the two meet. */
typedef struct grid_entry {
    alignas(32) float minus_lower[3];
    uint32_t number;
    float upper[3];
    uint32_t unused;
} grid_entry;

_Static_assert(sizeof(grid_entry) == WI_LANES * sizeof(float), "an entry is one register");

enum {
    BIN_COUNT = 1024,    /* of sizes: four for each power of two */
    LEVEL_BINS = 5,      /* sizes in a level: a factor of 2 to 2.5 */
    MOST_LEVELS = 32,    /* what is smaller than those of the last one is in it, too */
    FEW_BOXES = 16,      /* so few smaller ones make no level of their own */
    CELLS_PER_BOX = 4,   /* a dense level has no more */
    BLOCK_BITS = 4,      /* cells of a row that follow each other where rows are hashed */
    MET = 0x77,          /* the lanes that are bounds */
    MOST_CELLS = 1 << 30 /* along an axis: what is past them is in the last one */
};

static const double LONGEST_SCALE = 4.0;

typedef struct grid_level {
    double origin[4], inverse[4]; /* where cells begin, and how many there are in a unit */
    double minus_reach[4];        /* the longest box, rounded up and negated; last ones are 0 */
    wi_box box;                   /* around all */
    uint32_t cells[3];            /* dense: their numbers; hashed: along x those of a block */
    uint32_t row_count;           /* hashed: a power of two */
    size_t first_cell;            /* in `starts` */
    uint32_t first, count;        /* entries */
    bool is_hashed;
} grid_level;

typedef struct grid_state {
    grid_entry *entries; /* by level, then by cell, then by number */
    uint32_t *starts;    /* by cell: the first entry; one more for each level, which is its end */
    uint32_t *cell_of;   /* by box, while the grid is filled */
    uint16_t *bin_of;    /* by box */
    size_t entry_capacity, start_capacity, cell_of_capacity, bin_capacity;
    size_t cell_count;
    uint32_t level_count;
    grid_level levels[MOST_LEVELS];
    uint8_t level_of_bin[BIN_COUNT];
} grid_state;

/* ---- coordinates ---- */

static inline double grid_finite(float value)
{
    return value < -FLT_MAX ? -(double)FLT_MAX : value > FLT_MAX ? (double)FLT_MAX : (double)value;
}

static inline uint32_t grid_row(const grid_level *l, uint32_t block, uint32_t y, uint32_t z)
{
    if (!l->is_hashed) return y + l->cells[1] * z;
    const uint64_t mixed = (block * UINT64_C(0x9E3779B97F4A7C15)) ^
                           (y * UINT64_C(0xC2B2AE3D27D4EB4F)) ^ (z * UINT64_C(0x165667B19E3779F9));
    return (uint32_t)((mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9) >> 32) &
           (l->row_count - 1);
}

static inline uint32_t grid_block(const grid_level *l, uint32_t x)
{
    return l->is_hashed ? x >> BLOCK_BITS : 0;
}

static inline uint32_t grid_in_block(const grid_level *l, uint32_t x)
{
    return l->is_hashed ? x & ((1U << BLOCK_BITS) - 1U) : x;
}

/* Of a point: three cells, and one number of no meaning. */
typedef struct grid_point {
    int32_t cell[4];
} grid_point;

/* Monotone along each axis; `more` is added to each coordinate first. */
static inline grid_point grid_cells(const grid_level *l, wi_quad at, wi_quad64 more)
{
    grid_point out;
    const wi_quad64 moved = wi_quad64_add(wi_quad64_of(at), more);
    wi_quad64 cells =
        wi_quad64_mul(wi_quad64_sub(moved, wi_quad64_load(l->origin)), wi_quad64_load(l->inverse));
    cells = wi_quad64_max(cells, wi_quad64_all(0.0));
    cells = wi_quad64_min(cells, wi_quad64_all(MOST_CELLS));
    wi_quad64_truncate(out.cell, cells);
    return out;
}

/* The place in `starts` of the cell of a point. */
static inline size_t grid_place(const grid_level *l, const float at[3])
{
    const grid_point p = grid_cells(l, wi_quad_load3(at), wi_quad64_all(0.0));
    const uint32_t x = (uint32_t)p.cell[0];
    const uint32_t row = grid_row(l, grid_block(l, x), (uint32_t)p.cell[1], (uint32_t)p.cell[2]);
    return l->first_cell + (size_t)row * l->cells[0] + grid_in_block(l, x);
}

/* ---- filling ---- */

static inline float grid_size(const wi_box *box)
{
    float longest = 0.0F;
    for (int axis = 0; axis < 3; axis++) {
        const float half = 0.5F * box->upper[axis] - 0.5F * box->lower[axis];
        longest = half > longest ? half : longest;
    }
    return longest < FLT_MAX ? longest : FLT_MAX;
}

/* Exponent and two digits. */
static inline uint16_t grid_bin(const wi_box *box)
{
    const float size = grid_size(box);
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    return (uint16_t)(bits >> 21);
}

enum { DEAD_BIN = BIN_COUNT };

static void grid_find_bins(const wi_kept *kept, grid_state *s, uint32_t counts[BIN_COUNT])
{
    memset(counts, 0, BIN_COUNT * sizeof counts[0]);
    for (uint32_t i = 0; i < kept->count; i++) {
        const wi_box *box = &kept->boxes[i];
        const uint16_t bin = wi_box_is_empty(box) ? DEAD_BIN : grid_bin(box);
        s->bin_of[i] = bin;
        if (bin != DEAD_BIN) counts[bin]++;
    }
}

/* Levels from the smallest boxes on, since these are mostly many. A level of few goes on with
 * larger ones: a box may be smaller than its level, but not larger. */
static void grid_cut_levels(grid_state *s, const uint32_t counts[BIN_COUNT])
{
    int end = 0;
    s->level_count = 0;
    for (int bin = 0; bin < BIN_COUNT; bin++) {
        if (counts[bin] == 0) continue;
        if (s->level_count == 0 || (bin >= end && s->level_count < MOST_LEVELS)) {
            if (s->level_count == 0 || s->levels[s->level_count - 1].count > FEW_BOXES)
                s->levels[s->level_count++] = (grid_level){.box = wi_box_empty()};
            end = bin + LEVEL_BINS;
        }
        s->level_of_bin[bin] = (uint8_t)(s->level_count - 1);
        s->levels[s->level_count - 1].count += counts[bin];
    }
}

/* What levels must know of their boxes: where lower corners begin and end, and the longest. */
typedef struct grid_extent {
    wi_box corners;
    float reach[3];
} grid_extent;

static void grid_measure(const wi_kept *kept, grid_state *s, grid_extent out[MOST_LEVELS])
{
    for (uint32_t i = 0; i < s->level_count; i++)
        out[i] = (grid_extent){.corners = wi_box_empty(), .reach = {0}};
    for (uint32_t i = 0; i < kept->count; i++) {
        if (s->bin_of[i] == DEAD_BIN) continue;
        const uint32_t level = s->level_of_bin[s->bin_of[i]];
        const wi_box *box = &kept->boxes[i];
        wi_box_add_point(&out[level].corners, box->lower);
        wi_box_add_box(&s->levels[level].box, box);
        for (int axis = 0; axis < 3; axis++) {
            const float length = box->upper[axis] - box->lower[axis];
            float *reach = &out[level].reach[axis];
            *reach = length > *reach ? length : *reach;
        }
    }
}

static uint32_t grid_power_of_two(uint32_t least)
{
    uint32_t power = 1;
    while (power < least && power < UINT32_C(1) << 31) power *= 2;
    return power;
}

/* Cells `scale` times as long as the longest box; a little longer than nothing where all are flat.
 * False if a dense level would have too many. */
static bool grid_make_dense(grid_level *l, const grid_extent *e, double scale)
{
    double cells = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = grid_finite(e->corners.lower[axis]);
        const double span = grid_finite(e->corners.upper[axis]) - low;
        /* Longer than the longest by more than a rounding; at most the longest that there is. */
        const double reach = e->reach[axis] < FLT_MAX
                                 ? (double)e->reach[axis] * (1.0 + 0x1p-22) + (double)FLT_MIN
                                 : 2.0 * (double)FLT_MAX;
        double edge = reach * scale;
        if (edge < span * 0x1p-20) edge = span * 0x1p-20;
        l->origin[axis] = low;
        l->inverse[axis] = edge > 0x1p-140 ? 1.0 / edge : 1.0;
        l->minus_reach[axis] = -reach;
    }
    const grid_point last = grid_cells(l, wi_quad_load3(e->corners.upper), wi_quad64_all(0.0));
    for (int axis = 0; axis < 3; axis++) {
        l->cells[axis] = (uint32_t)last.cell[axis] + 1;
        cells *= l->cells[axis];
    }
    l->row_count = cells <= (double)CELLS_PER_BOX * l->count + 64 ? l->cells[1] * l->cells[2] : 0;
    return l->row_count > 0;
}

static void grid_make_hashed(grid_level *l)
{
    l->is_hashed = true;
    l->cells[0] = 1U << BLOCK_BITS;
    l->row_count = grid_power_of_two(l->count / (1U << (BLOCK_BITS - 2)) + 1);
}

/* Cells somewhat longer than boxes are better than hashed rows; cells much longer are not, where
 * boxes are in a few places. */
static void grid_make_level(grid_level *l, const grid_extent *e)
{
    for (double scale = 1.0; scale < LONGEST_SCALE; scale *= 1.125)
        if (grid_make_dense(l, e, scale)) return;
    (void)grid_make_dense(l, e, 1.0);
    grid_make_hashed(l);
}

static void grid_make_levels(wi_kept *kept, grid_state *s)
{
    grid_extent extents[MOST_LEVELS];
    uint32_t first = 0;
    grid_measure(kept, s, extents);
    s->cell_count = 0;
    for (uint32_t i = 0; i < s->level_count; i++) {
        grid_level *l = &s->levels[i];
        grid_make_level(l, &extents[i]);
        l->first = first;
        l->first_cell = s->cell_count;
        first += l->count;
        s->cell_count += (size_t)l->row_count * l->cells[0] + 1;
    }
    WI_ASSERT(first == kept->living);
}

/* Boxes whose cell is fetched while others are counted or filled in: cells of neighbouring numbers
 * may be anywhere. */
enum { FETCH_AHEAD = 24 };

static void grid_find_cells(const wi_kept *kept, grid_state *s)
{
    for (uint32_t i = 0; i < kept->count; i++) {
        if (s->bin_of[i] == DEAD_BIN) continue;
        const size_t place =
            grid_place(&s->levels[s->level_of_bin[s->bin_of[i]]], kept->boxes[i].lower);
        WI_ASSERT(place < s->cell_count);
        s->cell_of[i] = (uint32_t)place;
    }
}

static void grid_count_cells(const wi_kept *kept, grid_state *s)
{
    if (s->cell_count > 0) memset(s->starts, 0, s->cell_count * sizeof *s->starts);
    for (uint32_t i = 0; i < kept->count; i++) {
        if (i + FETCH_AHEAD < kept->count && s->bin_of[i + FETCH_AHEAD] != DEAD_BIN)
            __builtin_prefetch(&s->starts[s->cell_of[i + FETCH_AHEAD]], 1);
        if (s->bin_of[i] != DEAD_BIN) s->starts[s->cell_of[i]]++;
    }
}

/* Each place gets the end of its cell; filling backwards then moves it to its beginning. */
static void grid_fill(const wi_kept *kept, grid_state *s)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < s->cell_count; i++) s->starts[i] = sum += s->starts[i];
    for (uint32_t i = kept->count; i-- > 0;) {
        if (i >= 2 * FETCH_AHEAD && s->bin_of[i - 2 * FETCH_AHEAD] != DEAD_BIN)
            __builtin_prefetch(&s->starts[s->cell_of[i - 2 * FETCH_AHEAD]], 1);
        if (i >= FETCH_AHEAD && s->bin_of[i - FETCH_AHEAD] != DEAD_BIN)
            __builtin_prefetch(&s->entries[s->starts[s->cell_of[i - FETCH_AHEAD]] - 1U], 1);
        if (s->bin_of[i] == DEAD_BIN) continue;
        const wi_box *box = &kept->boxes[i];
        s->entries[--s->starts[s->cell_of[i]]] =
            (grid_entry){{-box->lower[0], -box->lower[1], -box->lower[2]},
                         i,
                         {box->upper[0], box->upper[1], box->upper[2]},
                         0};
    }
}

static bool grid_reserve_boxes(wi_kept *kept, grid_state *s)
{
    return wi_kept_block(kept, (void **)&s->entries, &s->entry_capacity, kept->living,
                         sizeof *s->entries) &&
           wi_kept_block(kept, (void **)&s->cell_of, &s->cell_of_capacity, kept->count,
                         sizeof *s->cell_of) &&
           wi_kept_block(kept, (void **)&s->bin_of, &s->bin_capacity, kept->count,
                         sizeof *s->bin_of);
}

static bool grid_update(wi_kept *kept, const wi_kept_change *change)
{
    grid_state *s = kept->state;
    uint32_t counts[BIN_COUNT];
    (void)change;
    if (!grid_reserve_boxes(kept, s)) return false;
    grid_find_bins(kept, s, counts);
    grid_cut_levels(s, counts);
    grid_make_levels(kept, s);
    if (!wi_kept_block(kept, (void **)&s->starts, &s->start_capacity, s->cell_count,
                       sizeof *s->starts))
        return false;
    grid_find_cells(kept, s);
    grid_count_cells(kept, s);
    grid_fill(kept, s);
    kept->rebuilds++;
    return true;
}

/* ---- searching ---- */

/* Cells in which lower corners of boxes may be that meet a box. */
typedef struct grid_range {
    uint32_t low[3], high[3];
} grid_range;

/* Lower and upper corner as registers: the last number has no meaning. */
static inline grid_range grid_range_of(const grid_level *l, wi_quad lower, wi_quad upper)
{
    const grid_point low = grid_cells(l, lower, wi_quad64_load(l->minus_reach));
    const grid_point high = grid_cells(l, upper, wi_quad64_all(0.0));
    grid_range r;
    for (int axis = 0; axis < 3; axis++) {
        const uint32_t last = l->is_hashed ? MOST_CELLS : l->cells[axis] - 1;
        r.low[axis] = (uint32_t)low.cell[axis] < last ? (uint32_t)low.cell[axis] : last;
        r.high[axis] = (uint32_t)high.cell[axis] < last ? (uint32_t)high.cell[axis] : last;
    }
    return r;
}

static inline double grid_row_count(const grid_level *l, const grid_range *r)
{
    const double blocks = grid_block(l, r->high[0]) - (double)grid_block(l, r->low[0]) + 1.0;
    return blocks * (r->high[1] - (double)r->low[1] + 1.0) * (r->high[2] - (double)r->low[2] + 1.0);
}

/* Entries that follow each other. */
typedef struct grid_run {
    uint32_t first, end;
    uint32_t block, y, z; /* where they should be */
} grid_run;

static inline grid_run grid_run_of(const grid_state *s, const grid_level *l, const grid_range *r,
                                   uint32_t block, uint32_t y, uint32_t z)
{
    const uint32_t low = block == grid_block(l, r->low[0]) ? grid_in_block(l, r->low[0]) : 0;
    const uint32_t high =
        block == grid_block(l, r->high[0]) ? grid_in_block(l, r->high[0]) : l->cells[0] - 1;
    const uint32_t *starts =
        &s->starts[l->first_cell + (size_t)grid_row(l, block, y, z) * l->cells[0]];
    WI_ASSERT(low <= high);
    return (grid_run){starts[low], starts[high + 1], block, y, z};
}

static inline wi_wide grid_load(const grid_entry *e)
{
    return wi_wide_load((const float *)(const void *)e);
}

/* The corners; the last number is none, and becomes 0 where cells are computed. */
static inline wi_quad grid_lower(const grid_entry *e)
{
    return wi_wide_half(wi_wide_negate(grid_load(e)), false);
}
static inline wi_quad grid_upper(const grid_entry *e) { return wi_wide_half(grid_load(e), true); }

static inline grid_point grid_cell_of(const grid_level *l, const grid_entry *e)
{
    return grid_cells(l, grid_lower(e), wi_quad64_all(0.0));
}

/* Whether an entry is in the row that a run is of, and not in another one that shares its place. */
static inline bool grid_is_of_run(const grid_level *l, const grid_run *run, const grid_entry *e)
{
    if (!l->is_hashed) return true;
    const grid_point p = grid_cell_of(l, e);
    return run->block == grid_block(l, (uint32_t)p.cell[0]) && run->y == (uint32_t)p.cell[1] &&
           run->z == (uint32_t)p.cell[2];
}

/* What entries are compared with. */
static inline wi_wide grid_query(const grid_entry *e)
{
    return wi_wide_swap_halves(wi_wide_negate(grid_load(e)));
}

static inline bool grid_meets(wi_wide query, const grid_entry *e)
{
    return (wi_mask_bits(wi_wide_less_equal(query, grid_load(e))) & MET) == MET;
}

/* Room for so many pairs more. */
static inline bool grid_reserve(wi_kept *kept, wi_body_pairs *out, size_t more)
{
    return out->count + more <= out->capacity ||
           wi_array_reserve(kept->memory, out, out->count + more);
}

static inline wi_body_pair grid_pair(uint32_t a, uint32_t b)
{
    return (wi_body_pair){a < b ? a : b, a < b ? b : a};
}

/* Adds pairs of a box with entries. Every pair is written, and kept if it is one. */
static inline bool grid_pair_entries(wi_kept *kept, uint32_t first, uint32_t end, wi_wide query,
                                     uint32_t number, wi_body_pairs *out)
{
    const grid_state *s = kept->state;
    if (first >= end) return true;
    if (!grid_reserve(kept, out, end - first)) return false;
    kept->candidates += end - first;
    wi_body_pair *items = out->items;
    size_t count = out->count;
    for (uint32_t i = first; i < end; i++) {
        items[count] = grid_pair(number, s->entries[i].number);
        count += grid_meets(query, &s->entries[i]);
    }
    out->count = count;
    return true;
}

/* Rows before that of `own` have entries before it. */
static bool grid_pair_dense(wi_kept *kept, const grid_level *l, const grid_entry *e,
                            const grid_range *r, const grid_point *own, uint32_t after,
                            wi_body_pairs *out)
{
    const grid_state *s = kept->state;
    const wi_wide query = grid_query(e);
    const uint32_t own_y = (uint32_t)own->cell[1], own_z = (uint32_t)own->cell[2];
    for (uint32_t z = after > 0 ? own_z : r->low[2]; z <= r->high[2]; z++)
        for (uint32_t y = after > 0 && z == own_z ? own_y : r->low[1]; y <= r->high[1]; y++) {
            const size_t row = l->first_cell + (size_t)(y + l->cells[1] * z) * l->cells[0];
            const uint32_t first = s->starts[row + r->low[0]];
            if (!grid_pair_entries(kept, first > after ? first : after,
                                   s->starts[row + r->high[0] + 1], query, e->number, out))
                return false;
        }
    return true;
}

static bool grid_pair_hashed_run(wi_kept *kept, const grid_level *l, const grid_entry *e,
                                 const grid_run *run, uint32_t after, wi_body_pairs *out)
{
    const grid_state *s = kept->state;
    const wi_wide query = grid_query(e);
    for (uint32_t i = run->first > after ? run->first : after; i < run->end; i++) {
        kept->candidates++;
        if (!grid_meets(query, &s->entries[i]) || !grid_is_of_run(l, run, &s->entries[i])) continue;
        if (!wi_array_push(kept->memory, out, grid_pair(e->number, s->entries[i].number)))
            return false;
    }
    return true;
}

static bool grid_pair_hashed(wi_kept *kept, const grid_level *l, const grid_entry *e,
                             const grid_range *r, uint32_t after, wi_body_pairs *out)
{
    for (uint32_t z = r->low[2]; z <= r->high[2]; z++)
        for (uint32_t y = r->low[1]; y <= r->high[1]; y++)
            for (uint32_t b = grid_block(l, r->low[0]); b <= grid_block(l, r->high[0]); b++) {
                const grid_run run = grid_run_of(kept->state, l, r, b, y, z);
                if (!grid_pair_hashed_run(kept, l, e, &run, after, out)) return false;
            }
    return true;
}

/* A box with those of a level: of its own one with entries from `after` on, of others from 0. */
static bool grid_pair_level(wi_kept *kept, const grid_level *l, const grid_entry *e, uint32_t after,
                            wi_body_pairs *out)
{
    const grid_range r = grid_range_of(l, grid_lower(e), grid_upper(e));
    if (grid_row_count(l, &r) > l->count)
        return grid_pair_entries(kept, after > l->first ? after : l->first, l->first + l->count,
                                 grid_query(e), e->number, out);
    if (l->is_hashed) return grid_pair_hashed(kept, l, e, &r, after, out);
    const grid_point own = grid_cell_of(l, e);
    return grid_pair_dense(kept, l, e, &r, &own, after, out);
}

static bool grid_pairs(wi_kept *kept, wi_body_pairs *out)
{
    const grid_state *s = kept->state;
    for (uint32_t level = 0; level < s->level_count; level++) {
        const grid_level *l = &s->levels[level];
        for (uint32_t i = l->first; i < l->first + l->count; i++) {
            if (!grid_pair_level(kept, l, &s->entries[i], i + 1, out)) return false;
            for (uint32_t smaller = 0; smaller < level; smaller++)
                if (!grid_pair_level(kept, &s->levels[smaller], &s->entries[i], 0, out))
                    return false;
        }
    }
    return true;
}

/* ---- probes ---- */

static inline wi_box grid_entry_box(const grid_entry *e)
{
    return (wi_box){{-e->minus_lower[0], -e->minus_lower[1], -e->minus_lower[2]},
                    {e->upper[0], e->upper[1], e->upper[2]}};
}

static bool grid_find_run(const grid_state *s, wi_memory *memory, const grid_level *l,
                          const grid_run *run, const wi_probe *probe, wi_body_numbers *out)
{
    for (uint32_t i = run->first; i < run->end; i++) {
        const grid_entry *e = &s->entries[i];
        const wi_box box = grid_entry_box(e);
        if (wi_probe_meets(probe, &box) && grid_is_of_run(l, run, e) &&
            !wi_array_push(memory, out, e->number))
            return false;
    }
    return true;
}

static bool grid_find_all(const grid_state *s, wi_memory *memory, const grid_level *l,
                          const wi_probe *probe, wi_body_numbers *out)
{
    const grid_run all = {l->first, l->first + l->count, 0, 0, 0};
    const grid_level open = {.is_hashed = false};
    return grid_find_run(s, memory, &open, &all, probe, out);
}

/* Those of a level in a box that meet the probe. */
static bool grid_find_level(const grid_state *s, wi_memory *memory, const grid_level *l,
                            const wi_box *box, const wi_probe *probe, wi_body_numbers *out)
{
    const grid_range r = grid_range_of(l, wi_quad_load3(box->lower), wi_quad_load3(box->upper));
    if (grid_row_count(l, &r) > l->count) return grid_find_all(s, memory, l, probe, out);
    for (uint32_t z = r.low[2]; z <= r.high[2]; z++)
        for (uint32_t y = r.low[1]; y <= r.high[1]; y++)
            for (uint32_t b = grid_block(l, r.low[0]); b <= grid_block(l, r.high[0]); b++) {
                const grid_run run = grid_run_of(s, l, &r, b, y, z);
                if (!grid_find_run(s, memory, l, &run, probe, out)) return false;
            }
    return true;
}

/* The box around a piece of a ray, widened. */
static wi_box grid_piece(const wi_probe *probe, double t0, double t1)
{
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        const double a = probe->origin[axis] + t0 * probe->direction[axis];
        const double b = probe->origin[axis] + t1 * probe->direction[axis];
        const double low = a < b ? a : b, high = a < b ? b : a;
        box.lower[axis] = (float)(low - wi_probe_slack(probe->origin[axis], low));
        box.upper[axis] = (float)(high + wi_probe_slack(probe->origin[axis], high));
    }
    return wi_box_widened(&box, probe->wider + 0x1p-126);
}

/* A ray is followed in pieces that are some cells long. */
static bool grid_find_along(const grid_state *s, wi_memory *memory, const grid_level *l,
                            const wi_probe *probe, wi_body_numbers *out)
{
    enum { PIECE_CELLS = 3, PIECE_WORTH = 8 };
    double low, high, cells = 0.0;
    if (!wi_probe_clip(probe, &l->box, &low, &high)) return true;
    for (int axis = 0; axis < 3; axis++) {
        const double along = fabs((high - low) * probe->direction[axis]) * l->inverse[axis];
        cells = along > cells ? along : cells;
    }
    if (!(cells * PIECE_WORTH < (double)l->count * PIECE_CELLS))
        return grid_find_all(s, memory, l, probe, out);
    const uint32_t pieces = (uint32_t)(cells / PIECE_CELLS) + 1;
    for (uint32_t i = 0; i < pieces; i++) {
        const double t0 = low + (high - low) * i / pieces;
        const double t1 = i + 1 == pieces ? high : low + (high - low) * (i + 1) / pieces;
        const wi_box box = grid_piece(probe, t0, t1);
        if (!grid_find_level(s, memory, l, &box, probe, out)) return false;
    }
    return true;
}

static bool grid_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                      wi_body_numbers *out)
{
    const grid_state *s = kept->state;
    for (uint32_t level = 0; level < s->level_count; level++) {
        const grid_level *l = &s->levels[level];
        if (!(probe->is_ray ? grid_find_along(s, memory, l, probe, out)
                            : grid_find_level(s, memory, l, &probe->box, probe, out)))
            return false;
    }
    if (probe->is_ray) wi_body_numbers_sort_once(out); /* pieces find some boxes twice */
    return true;
}

/* ---- counts and checks ---- */

static void grid_count(const wi_kept *kept, willow_broad_stats *out)
{
    const grid_state *s = kept->state;
    out->entries = kept->living;
    out->nodes = s->cell_count;
    out->levels = s->level_count;
}

static const char *grid_validate_level(const wi_kept *kept, const grid_level *l)
{
    const grid_state *s = kept->state;
    const size_t cells = (size_t)l->row_count * l->cells[0];
    const uint32_t *starts = &s->starts[l->first_cell];
    if (starts[0] != l->first || starts[cells] != l->first + l->count)
        return "B8: a level begins or ends elsewhere";
    for (size_t cell = 0; cell < cells; cell++) {
        if (starts[cell] > starts[cell + 1]) return "B8: cells are not in order";
        for (uint32_t i = starts[cell]; i < starts[cell + 1]; i++) {
            const wi_box box = grid_entry_box(&s->entries[i]);
            if (grid_place(l, box.lower) != l->first_cell + cell)
                return "B8: a box is in another cell";
            for (int axis = 0; axis < 3; axis++)
                if (box.lower[axis] != kept->boxes[s->entries[i].number].lower[axis] ||
                    box.upper[axis] != kept->boxes[s->entries[i].number].upper[axis] ||
                    grid_finite(box.upper[axis]) - grid_finite(box.lower[axis]) >
                        -l->minus_reach[axis])
                    return "B8: a box in a grid is another, or too long";
        }
    }
    return NULL;
}

static const char *grid_validate(const wi_kept *kept)
{
    const grid_state *s = kept->state;
    uint32_t count = 0;
    for (uint32_t level = 0; level < s->level_count; level++) {
        const char *broken = grid_validate_level(kept, &s->levels[level]);
        if (broken) return broken;
        if (s->levels[level].first != count) return "B8: levels are not in order";
        count += s->levels[level].count;
    }
    return count == kept->living ? NULL : "B8: a box is not in a grid once";
}

static void grid_free(wi_kept *kept)
{
    grid_state *s = kept->state;
    wi_free_array(kept->memory, s->entries, s->entry_capacity, sizeof *s->entries);
    wi_free_array(kept->memory, s->starts, s->start_capacity, sizeof *s->starts);
    wi_free_array(kept->memory, s->cell_of, s->cell_of_capacity, sizeof *s->cell_of);
    wi_free_array(kept->memory, s->bin_of, s->bin_capacity, sizeof *s->bin_of);
}

extern const wi_kept_ops WI_KERNEL(kept_grid);
const wi_kept_ops WI_KERNEL(kept_grid) = {.state_size = sizeof(grid_state),
                                          .update = grid_update,
                                          .pairs = grid_pairs,
                                          .find = grid_find,
                                          .count = grid_count,
                                          .validate = grid_validate,
                                          .free = grid_free};
