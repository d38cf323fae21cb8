/* kept.c - a compressed quadtree or octree (broad/compressed/tree.h) that is kept from
 * step to step: in place, literally as in the paper (broad/compressed/literal.h), or built afresh.
 *
 * Way in: the wi_kept_ops of it. Made for crowds of low density whose boxes move by less than a
 * cell in a step: then most corners stay in their leaves, and only boxes with a corner that came
 * into another unit cell are looked at. Boxes that move farther, are born or die cost the same.
 *
 * The unit is given (willow_broad_def.cell), or chosen: it begins with the middle size of a sample
 * of boxes, and is doubled or halved while a tree that is built with it costs less, counted in
 * nodes, entries of lists and pairs to compare. The root is as large as whole coordinates allow and
 * lies around the middle of the sample; boxes beyond it are in its outermost cells, and if they
 * become many the tree is made anew around them. */
#include "broad/kept.h"
#include "broad/compressed/literal.h"
#include "broad/compressed/tree.h"

#include <string.h>

#include "base/containers/sort.h"

typedef struct ct_state {
    wi_ctree tree;
    double origin[3], inverse; /* where units begin, and how many there are in a length of 1 */
    double unit;
    double size;           /* of boxes in the middle, when the unit was chosen */
    wi_cell_range *ranges; /* by box, as they should be */
    bool *is_alive;        /* in the tree */
    uint32_t box_count;    /* for which these two have a meaning */
    size_t range_capacity, alive_capacity;
    WI_ARRAY(uint32_t) moved; /* boxes whose range is another */
    WI_ARRAY(uint32_t) list;  /* of a leaf */
    wi_ctree next;            /* LITERAL: where the tree of the next step is made */
    size_t far;               /* LITERAL: boxes that moved too far for that, in the last update */
    willow_broad_refinement refinement;
} ct_state;

/* ---- coordinates ---- */

/* Monotone, so that boxes that meet have ranges that meet. */
static uint32_t ct_unit_of(const ct_state *s, int axis, float at)
{
    const double last = (double)(UINT32_C(1) << wi_ctree_bits(&s->tree)) - 1.0;
    const double unit = ((double)at - s->origin[axis]) * s->inverse;
    return unit <= 0.0 ? 0 : unit >= last ? (uint32_t)last : (uint32_t)unit;
}

static wi_cell_range ct_range(const ct_state *s, const wi_box *box)
{
    wi_cell_range r = {{{0}}, {{0}}};
    for (uint32_t axis = 0; axis < s->tree.axes; axis++) {
        r.low.x[axis] = ct_unit_of(s, (int)axis, box->lower[axis]);
        r.high.x[axis] = ct_unit_of(s, (int)axis, box->upper[axis]);
    }
    return r;
}

static bool ct_is_beyond(const ct_state *s, const wi_cell_range *r)
{
    const uint32_t last = (UINT32_C(1) << wi_ctree_bits(&s->tree)) - 1U;
    for (uint32_t axis = 0; axis < s->tree.axes; axis++)
        if (r->low.x[axis] == 0 || r->high.x[axis] == last) return true;
    return false;
}

/* ---- the unit ---- */

enum { SAMPLE = 255 };

static double ct_finite(float value)
{
    return value < -FLT_MAX ? -(double)FLT_MAX : value > FLT_MAX ? (double)FLT_MAX : (double)value;
}

/* The middle one of some numbers. */
static double ct_middle(const float *values, uint32_t count)
{
    uint64_t keys[2 * SAMPLE];
    WI_ASSERT(count > 0 && count <= SAMPLE);
    for (uint32_t i = 0; i < count; i++) keys[i] = wi_float_key(values[i]);
    wi_sort_u64(keys, keys + SAMPLE, count);
    return (double)wi_float_of_key((uint32_t)keys[count / 2]);
}

/* Sizes and places of living boxes, evenly taken. */
static double ct_sample(const wi_kept *kept, double centre[3])
{
    float at[3][SAMPLE], size[SAMPLE];
    uint32_t count = 0;
    const uint32_t stride = kept->count / SAMPLE + 1;
    for (uint32_t i = 0; i < kept->count && count < SAMPLE; i += stride) {
        const wi_box *box = &kept->boxes[i];
        double longest = 0.0;
        if (wi_box_is_empty(box)) continue;
        for (int axis = 0; axis < 3; axis++) {
            const double low = ct_finite(box->lower[axis]), high = ct_finite(box->upper[axis]);
            at[axis][count] = (float)(0.5 * low + 0.5 * high);
            longest = high - low > longest ? high - low : longest;
        }
        size[count++] = longest < (double)FLT_MAX ? (float)longest : FLT_MAX;
    }
    for (int axis = 0; axis < 3; axis++)
        centre[axis] = count > 0 ? ct_middle(at[axis], count) : 0.0;
    const double middle = count > 0 ? ct_middle(size, count) : 0.0;
    return middle > 0.0 ? middle : 1.0;
}

static void ct_set_unit(ct_state *s, double unit, const double centre[3])
{
    /* Units far below the last digit of coordinates would not be whole numbers of anything. */
    const double least = 1e-30, most = 1e30;
    s->unit = unit < least ? least : unit > most ? most : unit;
    s->inverse = 1.0 / s->unit;
    const double half = 0.5 * s->unit * (double)(UINT64_C(1) << wi_ctree_bits(&s->tree));
    /* On a coarse lattice, so that a tree that is built later mostly has the same cells. */
    for (int axis = 0; axis < 3; axis++)
        s->origin[axis] = floor(centre[axis] / half * 2.0 + 0.5) * 0.5 * half - half;
}

/* What a step with this tree costs, counted: nodes to keep, entries, pairs to compare. */
static double ct_cost(const ct_state *s)
{
    double cost = (double)s->tree.node_count + 2.0 * (double)s->tree.entry_count;
    for (size_t i = 0; i < s->tree.nodes.count; i++) {
        const wi_ctree_node *n = &s->tree.nodes.items[i];
        double length = 0.0;
        if (n->kind != WI_CTREE_LEAF && n->kind != WI_CTREE_DONUT) continue;
        for (uint32_t e = n->entry; e != UINT32_MAX; e = s->tree.entries.items[e].next)
            length += 1.0;
        cost += 0.5 * length * length;
    }
    return cost;
}

/* ---- building ---- */

/* With the cells that there are. */
static bool ct_build_again(wi_kept *kept, ct_state *s)
{
    for (uint32_t i = 0; i < kept->count; i++) {
        s->is_alive[i] = !wi_box_is_empty(&kept->boxes[i]);
        s->ranges[i] = ct_range(s, &kept->boxes[i]);
    }
    s->box_count = kept->count;
    kept->rebuilds++;
    return wi_ctree_build(kept->memory, &s->tree, s->ranges, s->is_alive, kept->count);
}

static bool ct_build(wi_kept *kept, ct_state *s, double unit, const double centre[3])
{
    ct_set_unit(s, unit, centre);
    return ct_build_again(kept, s);
}

/* Doubles the unit, or halves it, while that is cheaper. */
static bool ct_choose_unit(wi_kept *kept, ct_state *s, const double centre[3])
{
    enum { MOST_TRIES = 4 };
    double best_unit = s->unit, best_cost = ct_cost(s);
    for (int way = 0; way < 2; way++) {
        const double factor = way == 0 ? 2.0 : 0.5, before = best_unit;
        for (int i = 0; i < MOST_TRIES; i++) {
            if (!ct_build(kept, s, best_unit * factor, centre)) return false;
            const double cost = ct_cost(s);
            if (cost >= best_cost) break;
            best_cost = cost;
            best_unit = s->unit;
        }
        if (best_unit != before) break;
    }
    return s->unit == best_unit || ct_build(kept, s, best_unit, centre);
}

static bool ct_start(wi_kept *kept, ct_state *s)
{
    double centre[3];
    if (!wi_kept_block(kept, (void **)&s->ranges, &s->range_capacity, kept->count,
                       sizeof *s->ranges) ||
        !wi_kept_block(kept, (void **)&s->is_alive, &s->alive_capacity, kept->count,
                       sizeof *s->is_alive))
        return false;
    if (s->tree.axes == 0) {
        wi_ctree_init(&s->tree, kept->dimensions);
        wi_ctree_init(&s->next, kept->dimensions);
    }
    const double size = ct_sample(kept, centre);
    if (kept->cell > 0.0) return ct_build(kept, s, kept->cell, centre);
    const bool is_chosen = s->size > 0.5 * size && s->size < 2.0 * size;
    if (is_chosen) return ct_build(kept, s, s->unit, centre);
    s->size = 0.0;
    if (!ct_build(kept, s, size, centre) || !ct_choose_unit(kept, s, centre)) return false;
    s->size = size;
    return true;
}

/* ---- in place ---- */

/* Boxes that are new are not in the tree yet. */
static bool ct_take_more(wi_kept *kept, ct_state *s)
{
    if (!wi_ctree_reserve(kept->memory, &s->tree, kept->count)) return false;
    for (; s->box_count < kept->count; s->box_count++) {
        s->is_alive[s->box_count] = false;
        s->ranges[s->box_count] = (wi_cell_range){{{0}}, {{0}}};
    }
    return true;
}

static bool ct_find_moved(wi_kept *kept, ct_state *s, const wi_kept_change *change)
{
    s->moved.count = 0;
    if (!wi_array_reserve(kept->memory, &s->moved, change->count)) return false;
    for (uint32_t i = 0; i < change->count; i++) {
        const uint32_t number = change->numbers[i];
        const bool lives = !wi_box_is_empty(&kept->boxes[number]);
        const wi_cell_range r = lives ? ct_range(s, &kept->boxes[number]) : s->ranges[number];
        if (lives == s->is_alive[number] && memcmp(&r, &s->ranges[number], sizeof r) == 0) continue;
        s->moved.items[s->moved.count++] = number;
        s->ranges[number] = r;
    }
    return true;
}

/* Where boxes beyond the root are many. */
static bool ct_has_outgrown(const wi_kept *kept, const ct_state *s)
{
    size_t beyond = 0;
    for (size_t i = 0; i < s->moved.count; i++)
        beyond += ct_is_beyond(s, &s->ranges[s->moved.items[i]]);
    return beyond > 16 && beyond > kept->living / 8;
}

static bool ct_move_points(wi_kept *kept, ct_state *s, uint32_t number)
{
    const wi_cell_range *from = &s->tree.ranges.items[number], *to = &s->ranges[number];
    const bool lives = !wi_box_is_empty(&kept->boxes[number]), lived = s->is_alive[number];
    for (uint32_t corner = 0; corner < 1U << s->tree.axes; corner++) {
        const wi_cell_at a = wi_cell_corner(from, corner), b = wi_cell_corner(to, corner);
        const bool ok = lives && lived ? wi_ctree_move_point(kept->memory, &s->tree, &a, &b)
                        : lives        ? wi_ctree_add_point(kept->memory, &s->tree, &b)
                        : lived        ? wi_ctree_remove_point(kept->memory, &s->tree, &a)
                                       : true;
        if (!ok) return false;
    }
    return true;
}

/* Boxes first leave all lists, so that leaves which are split or joined hand on no old ones. */
static bool ct_follow_in_place(wi_kept *kept, ct_state *s)
{
    for (size_t i = 0; i < s->moved.count; i++)
        if (s->is_alive[s->moved.items[i]] &&
            !wi_ctree_take_out(kept->memory, &s->tree, s->moved.items[i]))
            return false;
    for (size_t i = 0; i < s->moved.count; i++)
        if (!ct_move_points(kept, s, s->moved.items[i])) return false;
    for (size_t i = 0; i < s->moved.count; i++) {
        const uint32_t number = s->moved.items[i];
        s->is_alive[number] = !wi_box_is_empty(&kept->boxes[number]);
        if (s->is_alive[number] &&
            !wi_ctree_put_in(kept->memory, &s->tree, number, &s->ranges[number]))
            return false;
    }
    return true;
}

/* ---- literally ---- */

/* The step of the paper is for boxes that live before and after it and move by a unit at most. */
static bool ct_is_far(const wi_kept *kept, const ct_state *s, uint32_t number)
{
    const wi_cell_range *from = &s->tree.ranges.items[number], *to = &s->ranges[number];
    if (!s->is_alive[number] || wi_box_is_empty(&kept->boxes[number])) return true;
    for (uint32_t axis = 0; axis < s->tree.axes; axis++)
        if (from->low.x[axis] + 1 < to->low.x[axis] || to->low.x[axis] + 1 < from->low.x[axis] ||
            from->high.x[axis] + 1 < to->high.x[axis] || to->high.x[axis] + 1 < from->high.x[axis])
            return true;
    return false;
}

static bool ct_take_out(wi_kept *kept, ct_state *s, uint32_t number)
{
    if (!s->is_alive[number]) return true;
    if (!wi_ctree_take_out(kept->memory, &s->tree, number)) return false;
    for (uint32_t corner = 0; corner < 1U << s->tree.axes; corner++) {
        const wi_cell_at at = wi_cell_corner(&s->tree.ranges.items[number], corner);
        if (!wi_ctree_remove_point(kept->memory, &s->tree, &at)) return false;
    }
    return true;
}

static bool ct_put_in(wi_kept *kept, ct_state *s, uint32_t number)
{
    s->is_alive[number] = !wi_box_is_empty(&kept->boxes[number]);
    if (!s->is_alive[number]) return true;
    for (uint32_t corner = 0; corner < 1U << s->tree.axes; corner++) {
        const wi_cell_at at = wi_cell_corner(&s->ranges[number], corner);
        if (!wi_ctree_add_point(kept->memory, &s->tree, &at)) return false;
    }
    return wi_ctree_put_in(kept->memory, &s->tree, number, &s->ranges[number]);
}

/* Those that move too far stay in `moved`; the others follow with the tree. */
static bool ct_take_far_out(wi_kept *kept, ct_state *s)
{
    size_t count = 0;
    s->far = 0;
    for (size_t i = 0; i < s->moved.count; i++) {
        const uint32_t number = s->moved.items[i];
        if (!ct_is_far(kept, s, number)) continue;
        s->far += s->is_alive[number] && !wi_box_is_empty(&kept->boxes[number]);
        if (!ct_take_out(kept, s, number)) return false;
        s->moved.items[count++] = number;
    }
    s->moved.count = count;
    return true;
}

static bool ct_follow_literally(wi_kept *kept, ct_state *s)
{
    if (!wi_ctree_reserve(kept->memory, &s->next, (uint32_t)s->tree.ranges.count) ||
        !ct_take_far_out(kept, s) ||
        !wi_literal_step(kept->memory, &s->tree, s->ranges, &s->next, &s->refinement))
        return false;
    const wi_ctree before = s->tree;
    s->tree = s->next;
    s->next = before;
    for (size_t i = 0; i < s->moved.count; i++)
        if (!ct_put_in(kept, s, s->moved.items[i])) return false;
    return true;
}

static bool ct_follow(wi_kept *kept, ct_state *s)
{
    switch (kept->upkeep) {
    case WILLOW_UPKEEP_LITERAL: return ct_follow_literally(kept, s);
    case WILLOW_UPKEEP_FRESH: return ct_build_again(kept, s);
    default: return ct_follow_in_place(kept, s);
    }
}

static bool ct_update(wi_kept *kept, const wi_kept_change *change)
{
    ct_state *s = kept->state;
    s->far = 0;
    s->refinement = (willow_broad_refinement){.nodes = 0};
    if (change->all || kept->count > s->range_capacity || kept->count > s->alive_capacity)
        return ct_start(kept, s);
    if (!ct_take_more(kept, s) || !ct_find_moved(kept, s, change)) return false;
    return ct_has_outgrown(kept, s) ? ct_start(kept, s) : ct_follow(kept, s);
}

/* ---- pairs ---- */

/* A pair is of the leaf with the lower corner of what the two have in common, in units: both are in
 * the list of that leaf, and of no other such. */
static bool ct_is_here(const ct_state *s, uint32_t leaf, uint32_t a, uint32_t b)
{
    const wi_cell_range *ra = &s->tree.ranges.items[a], *rb = &s->tree.ranges.items[b];
    wi_cell_at at;
    for (int axis = 0; axis < 3; axis++)
        at.x[axis] = ra->low.x[axis] > rb->low.x[axis] ? ra->low.x[axis] : rb->low.x[axis];
    return wi_ctree_leaf_has(&s->tree, leaf, &at);
}

static bool ct_take_list(wi_kept *kept, ct_state *s, uint32_t leaf)
{
    s->list.count = 0;
    for (uint32_t e = s->tree.nodes.items[leaf].entry; e != UINT32_MAX;
         e = s->tree.entries.items[e].next)
        if (!wi_array_push(kept->memory, &s->list, s->tree.entries.items[e].box)) return false;
    return true;
}

static bool ct_pairs_of(wi_kept *kept, ct_state *s, uint32_t leaf, wi_body_pairs *out)
{
    if (!ct_take_list(kept, s, leaf)) return false;
    for (size_t i = 0; i < s->list.count; i++)
        for (size_t k = i + 1; k < s->list.count; k++) {
            const uint32_t a = s->list.items[i], b = s->list.items[k];
            const wi_body_pair pair = {a < b ? a : b, a < b ? b : a};
            kept->candidates++;
            if (wi_boxes_meet(&kept->boxes[a], &kept->boxes[b]) && ct_is_here(s, leaf, a, b) &&
                !wi_array_push(kept->memory, out, pair))
                return false;
        }
    return true;
}

static bool ct_is_leaf(const ct_state *s, uint32_t node)
{
    const uint8_t kind = s->tree.nodes.items[node].kind;
    return kind == WI_CTREE_LEAF || kind == WI_CTREE_DONUT;
}

static bool ct_pairs(wi_kept *kept, wi_body_pairs *out)
{
    ct_state *s = kept->state;
    for (uint32_t i = 0; i < s->tree.nodes.count; i++)
        if (ct_is_leaf(s, i) && !ct_pairs_of(kept, s, i, out)) return false;
    return true;
}

/* ---- searching ---- */

typedef struct ct_search {
    const wi_kept *kept;
    wi_memory *memory;
    const wi_probe *probe;
    wi_body_numbers *out;
} ct_search;

static bool ct_find_in_leaf(void *context, uint32_t leaf)
{
    const ct_search *f = context;
    const ct_state *s = f->kept->state;
    for (uint32_t e = s->tree.nodes.items[leaf].entry; e != UINT32_MAX;
         e = s->tree.entries.items[e].next) {
        const uint32_t box = s->tree.entries.items[e].box;
        if (wi_probe_meets(f->probe, &f->kept->boxes[box]) &&
            !wi_array_push(f->memory, f->out, box))
            return false;
    }
    return true;
}

static bool ct_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                    wi_body_numbers *out)
{
    const ct_state *s = kept->state;
    ct_search search = {kept, memory, probe, out};
    const wi_cell_range range = ct_range(s, &probe->box);
    if (!wi_ctree_visit_leaves(memory, &s->tree, &range, ct_find_in_leaf, &search)) return false;
    wi_body_numbers_sort_once(out);
    return true;
}

/* ---- counts and checks ---- */

static void ct_count(const wi_kept *kept, willow_broad_stats *out)
{
    const ct_state *s = kept->state;
    out->leaves = 0;
    for (uint32_t i = 0; i < s->tree.nodes.count; i++) out->leaves += ct_is_leaf(s, i);
    out->entries = s->tree.entry_count;
    out->nodes = s->tree.node_count;
    out->cell = s->unit;
    out->far = s->far;
    out->refinement = s->refinement;
}

static const char *ct_validate(const wi_kept *kept)
{
    const ct_state *s = kept->state;
    for (uint32_t i = 0; i < kept->count; i++) {
        if (s->is_alive[i] == wi_box_is_empty(&kept->boxes[i]))
            return "B12: a box is dead and in the tree, or the other way";
        const wi_cell_range r = ct_range(s, &kept->boxes[i]);
        if (s->is_alive[i] && memcmp(&r, &s->tree.ranges.items[i], sizeof r) != 0)
            return "B12: a box is in other cells";
    }
    return wi_ctree_validate(&s->tree, s->is_alive, kept->count);
}

static void ct_free(wi_kept *kept)
{
    ct_state *s = kept->state;
    wi_ctree_free(kept->memory, &s->tree);
    wi_ctree_free(kept->memory, &s->next);
    wi_free_array(kept->memory, s->ranges, s->range_capacity, sizeof *s->ranges);
    wi_free_array(kept->memory, s->is_alive, s->alive_capacity, sizeof *s->is_alive);
    wi_array_free(kept->memory, &s->moved);
    wi_array_free(kept->memory, &s->list);
}

const wi_kept_ops wi_kept_compressed_tree = {.state_size = sizeof(ct_state),
                                             .update = ct_update,
                                             .pairs = ct_pairs,
                                             .find = ct_find,
                                             .count = ct_count,
                                             .validate = ct_validate,
                                             .free = ct_free};
