/* kept_choose.c - which broad phase AUTO stands for.
 *
 * Way in: wi_kept_choose, in every update. By counts alone, so that it is the same everywhere: how
 * many boxes live, whether few of them move, whether their sizes are spread, and whether the same
 * ones live on. The borders are where kinds took the same time (docs/broad.md). A number between
 * two kinds does not make them take turns: who acts stays until the number is a quarter past the
 * border. How far boxes move decides about slack (broad/slack.h), which makes any kind cheaper. */
#include "broad/kept.h"

#include "base/containers/sort.h"

/* Kinds, and the number of boxes up to which each is taken. */
typedef struct choose_row {
    uint32_t until;
    willow_broad kind;
} choose_row;

enum { CHOICES = 4 };

/* By dimensions less 2, and by whether sizes are spread. */
static const choose_row choose_rows[2][2][CHOICES] = {
    {{{64, WILLOW_BROAD_ALL_PAIRS},
      {2048, WILLOW_BROAD_ONE_AXIS},
      {UINT32_MAX, WILLOW_BROAD_GRID},
      {UINT32_MAX, WILLOW_BROAD_GRID}},
     {{64, WILLOW_BROAD_ALL_PAIRS},
      {8192, WILLOW_BROAD_ONE_AXIS},
      {49152, WILLOW_BROAD_LINEAR_BVH},
      {UINT32_MAX, WILLOW_BROAD_GRID}}},
    {{{64, WILLOW_BROAD_ALL_PAIRS},
      {512, WILLOW_BROAD_ONE_AXIS},
      {UINT32_MAX, WILLOW_BROAD_GRID},
      {UINT32_MAX, WILLOW_BROAD_GRID}},
     {{64, WILLOW_BROAD_ALL_PAIRS},
      {2048, WILLOW_BROAD_ONE_AXIS},
      {20480, WILLOW_BROAD_LINEAR_BVH},
      {UINT32_MAX, WILLOW_BROAD_GRID}}},
};

/* ---- sizes ---- */

enum { SAMPLE = 255, CENSUS_LASTS = 64 };

static float choose_size_of(const wi_box *box)
{
    float longest = 0.0F;
    for (int axis = 0; axis < 3; axis++) {
        const float length = box->upper[axis] - box->lower[axis];
        longest = length > longest ? length : longest;
    }
    return longest;
}

/* Sizes of living boxes, evenly taken and sorted; how many. */
static uint32_t choose_sizes(const wi_kept *kept, uint64_t keys[2 * SAMPLE])
{
    const uint32_t stride = kept->count / SAMPLE + 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < kept->count && count < SAMPLE; i += stride)
        if (!wi_box_is_empty(&kept->given[i]))
            keys[count++] = wi_float_key(choose_size_of(&kept->given[i]));
    wi_sort_u64(keys, keys + SAMPLE, count);
    return count;
}

/* Sizes are spread if one box in sixteen is more than twice as large as the middle one; they are
 * not any more if none of these is one and a half times as large. */
static bool choose_is_spread(const wi_kept *kept, bool was_spread)
{
    uint64_t keys[2 * SAMPLE];
    const uint32_t count = choose_sizes(kept, keys);
    if (count == 0) return false;
    const double middle = (double)wi_float_of_key((uint32_t)keys[count / 2]);
    const double large = (double)wi_float_of_key((uint32_t)keys[count - 1 - count / 16]);
    return large > middle * (was_spread ? 1.5 : 2.0);
}

/* Sizes are looked at anew when boxes have become more or fewer by a quarter, and now and then. */
static void choose_take_census(wi_kept *kept)
{
    wi_kept_census *census = &kept->census;
    const uint64_t living = kept->living, then = census->living;
    census->lasting = kept->same_live ? census->lasting + (census->lasting < UINT32_MAX) : 0;
    if (census->age > 0 && 4 * living <= 5 * then && 4 * living >= 3 * then) {
        census->age--;
        return;
    }
    census->is_spread = choose_is_spread(kept, census->is_spread);
    census->living = kept->living;
    census->age = CENSUS_LASTS;
}

/* ---- kinds ---- */

/* The place of the acting kind among the rows; CHOICES if it is in none. */
static int choose_place(const wi_kept *kept, const choose_row *rows)
{
    for (int i = 0; i < CHOICES; i++)
        if (rows[i].kind == kept->acting) return i;
    return CHOICES;
}

static bool choose_is_below(const wi_kept *kept, const choose_row *row, int place, int acting)
{
    const bool is_calm = kept->changed.count < kept->living / 8;
    const bool is_small = row->kind == WILLOW_BROAD_ALL_PAIRS;
    const uint64_t until = (uint64_t)row->until << (is_calm && is_small);
    if (row->until == UINT32_MAX) return true;
    if (acting == CHOICES) return kept->living < until;
    return kept->living < (acting <= place ? until + until / 4 : until - until / 4);
}

/* The tree is made anew when boxes are born or die, the grid is in any case. */
static bool choose_lives(const wi_kept *kept, willow_broad kind)
{
    enum { LASTING = 8 };
    if (kind != WILLOW_BROAD_LINEAR_BVH) return true;
    return kept->census.lasting >= (kept->acting == kind ? 1U : LASTING);
}

willow_broad wi_kept_choose(wi_kept *kept)
{
    choose_take_census(kept);
    const choose_row *rows = choose_rows[kept->dimensions - 2][kept->census.is_spread];
    const int acting = choose_place(kept, rows);
    for (int i = 0; i < CHOICES; i++)
        if (choose_is_below(kept, &rows[i], i, acting) && choose_lives(kept, rows[i].kind))
            return rows[i].kind;
    return WILLOW_BROAD_GRID;
}
