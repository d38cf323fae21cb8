/* one_axis.c - boxes sorted along one axis, and compared while they overlap there.
 *
 * Ways in: the wi_broad_ops of it. Made for hundreds to hundreds of thousands of bodies that are
 * spread out. The axis is the one along which they are spread most; it is sorted afresh in every
 * query, which is linear (radix sort) and needs no state that could be old. After Baraff 1992 and
 * Cohen, Lin, Manocha and Ponamgi 1995, without their coherence. */
#include "broad/one_axis.h"

#include "base/containers/sort.h"

/* The axis along which the centres vary most. */
static int widest_axis(const wi_broad_body *bodies, uint32_t count)
{
    double widest = -1.0;
    int best = 0;
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0, squares = 0.0, number = 0.0;
        for (uint32_t i = 0; i < count; i++) {
            if (wi_box_is_empty(&bodies[i].box)) continue;
            double at = (double)bodies[i].box.lower[axis] + (double)bodies[i].box.upper[axis];
            sum += at;
            squares += at * at;
            number += 1.0;
        }
        double variance = number * squares - sum * sum;
        if (variance <= widest) continue;
        widest = variance;
        best = axis;
    }
    return best;
}

/* What one sweep has: bodies in the order of the axis, and their numbers. */
typedef struct line {
    wi_broad_body *bodies;
    uint64_t *keys, *spare; /* the lower bits are the number of the body */
    uint32_t count;
    int axis;
} line;

static bool take_line(wi_memory *memory, wi_workspace *workspace, uint32_t count, line *out)
{
    size_t keys = wi_workspace_size(count, sizeof *out->keys);
    size_t size = 2 * keys + wi_workspace_size(count, sizeof *out->bodies);
    if (!wi_workspace_reserve(memory, workspace, size)) return false;
    out->keys = wi_workspace_take(workspace, count, sizeof *out->keys);
    out->spare = wi_workspace_take(workspace, count, sizeof *out->spare);
    out->bodies = wi_workspace_take(workspace, count, sizeof *out->bodies);
    return true;
}

/* Bodies without a box meet nothing and are left out. */
static void sort_line(line *l, const wi_broad_body *bodies, uint32_t count)
{
    l->axis = widest_axis(bodies, count);
    l->count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!wi_box_is_empty(&bodies[i].box))
            l->keys[l->count++] = (uint64_t)wi_float_key(bodies[i].box.lower[l->axis]) << 32 | i;
    WI_ASSERT(l->count <= count);
    wi_sort_u64(l->keys, l->spare, l->count);
    for (uint32_t i = 0; i < l->count; i++) l->bodies[i] = bodies[(uint32_t)l->keys[i]];
}

static bool sweep_begin(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                        wi_broad_search *out)
{
    line l;
    *out = (wi_broad_search){.second = 1};
    if (crowd->count < 2) return true;
    if (!take_line(memory, workspace, crowd->count, &l)) return false;
    sort_line(&l, crowd->bodies, crowd->count);
    out->bodies = l.bodies;
    out->keys = l.keys;
    out->count = l.count;
    out->axis = l.axis;
    return true;
}

/* Pairs come in the order of the axis. */
static bool sweep_more(wi_memory *memory, wi_broad_search *s, size_t limit, wi_body_pairs *out)
{
    const wi_broad_body *bodies = s->bodies;
    const int axis = s->axis;
    for (uint32_t i = s->first; i < s->count; i++, s->second = i + 1) {
        const wi_broad_body *body = &bodies[i];
        const float end = body->box.upper[axis];
        s->first = i;
        for (uint32_t k = s->second; k < s->count && bodies[k].box.lower[axis] <= end; k++) {
            if (!wi_boxes_meet(&body->box, &bodies[k].box) ||
                !wi_bodies_want_each_other(body, &bodies[k]))
                continue;
            s->second = k;
            if (out->count >= limit) return true;
            uint32_t a = (uint32_t)s->keys[i], b = (uint32_t)s->keys[k];
            wi_body_pair pair = {a < b ? a : b, a < b ? b : a};
            if (!wi_array_push(memory, out, pair)) return false;
        }
    }
    s->first = s->count;
    return true;
}

const wi_broad_ops wi_broad_one_axis = {sweep_begin, sweep_more, .is_in_order = false};
