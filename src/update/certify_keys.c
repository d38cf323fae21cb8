/* certify_keys.c - certificates of vertices that follow keyframes.
 *
 * Between two keyframes all go straight on, for the same time: so of two that are level the one
 * that is ahead in the next keyframe is the faster one, and who is behind now and in the next
 * keyframe is never ahead between. There is nothing to divide but for those who do overtake. Beyond
 * the next keyframe the first one is looked for in which somebody is ahead (the paper's Algorithm
 * 3). */
#include <math.h>

#include "base/check.h"
#include "update/certify.h"

/* Those who may be an end: where they are now and in the next keyframe, mirrored for lower ends, so
 * that the greatest leads. */
typedef struct field {
    unsigned count;
    uint32_t place[WI_MAX_LEAF_VERTICES];
    double x[WI_MAX_LEAF_VERTICES], next[WI_MAX_LEAF_VERTICES];
} field;

/* The axis of an end in two keyframes, three floats per place. */
typedef struct axis_between_keys {
    const float *from, *to;
    double share, sign;
} axis_between_keys;

static inline void enter(const axis_between_keys *keys, field *f, uint32_t place)
{
    const size_t at = 3 * (size_t)place;
    const double a = (double)keys->from[at], b = (double)keys->to[at];
    f->place[f->count] = place;
    f->x[f->count] = keys->sign * (a + keys->share * (b - a));
    f->next[f->count++] = keys->sign * b;
}

static inline void enter_leaf(const axis_between_keys *keys, field *f, const wi_hierarchy *h,
                              const wi_leaf *leaf)
{
    const uint32_t *border = wi_leaf_border(h, leaf);
    const unsigned owned = leaf->owned_count, others = leaf->vertex_count - leaf->owned_count;
    for (unsigned i = 0; i < owned; i++) enter(keys, f, leaf->first_place + i);
    for (unsigned i = 0; i < others; i++) enter(keys, f, border[i]);
}

static inline void enter_children(const axis_between_keys *keys, field *f, const wi_kinetic *k,
                                  uint32_t node, unsigned end)
{
    const uint32_t *children = k->children + (size_t)k->arity * node;
    for (unsigned i = 0; i < k->child_count[node]; i++) {
        const uint32_t place = k->ends[children[i]][end];
        if (i == 0 || place != f->place[f->count - 1]) enter(keys, f, place);
    }
}

/* Of two that are level. */
static inline bool leads(const field *f, unsigned a, unsigned b, uint32_t now)
{
    if (f->next[a] != f->next[b]) return f->next[a] > f->next[b];
    if (f->place[a] == now || f->place[b] == now) return f->place[a] == now;
    if (f->x[a] != f->x[b]) return f->x[a] > f->x[b];
    return f->place[a] < f->place[b];
}

static inline unsigned leader_of(const field *f, double slack, uint32_t now)
{
    double foremost = f->x[0];
    for (unsigned i = 1; i < f->count; i++) foremost = f->x[i] > foremost ? f->x[i] : foremost;
    const double level = foremost - slack;
    unsigned leader = UINT32_MAX;
    for (unsigned i = 0; i < f->count; i++)
        if (f->x[i] >= level && (leader == UINT32_MAX || leads(f, i, leader, now))) leader = i;
    WI_ASSERT(leader < f->count);
    return leader;
}

/* The share of the time between two keyframes after which the first of those who are ahead in the
 * second overtakes the leader; 2 if there is none. */
static inline double first_share(const double *x, const double *next, unsigned count,
                                 unsigned leader)
{
    double least = 2.0;
    for (unsigned i = 0; i < count; i++) {
        if (!(next[i] > next[leader])) continue;
        const double gap = x[leader] > x[i] ? x[leader] - x[i] : 0.0;
        const double share = gap / (gap + (next[i] - next[leader]));
        least = share < least ? share : least;
    }
    return least;
}

static double when_of(const wi_outlook *out, double since, double until, double share)
{
    const double when = since + share * (until - since);
    return wi_later(out->at.time, when < until ? when : until);
}

static double failure_later(const wi_outlook *out, field *f, unsigned leader, unsigned end)
{
    const wi_plan *plan = &out->h->mesh->plan;
    const double sign = end < 3 ? -1.0 : 1.0;
    for (uint32_t key = out->at.to + 1; key < plan->key_count; key++) {
        for (unsigned i = 0; i < f->count; i++) {
            f->x[i] = f->next[i];
            f->next[i] = sign * (double)wi_plan_key(plan, key, f->place[i])[end % 3];
        }
        const double share = first_share(f->x, f->next, f->count, leader);
        if (share <= 1.0) return when_of(out, plan->times[key - 1], plan->times[key], share);
    }
    return (double)INFINITY;
}

wi_certificate wi_certify_on_keys(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now)
{
    const wi_hierarchy *h = out->h;
    const unsigned axis = end < 3 ? end : end - 3;
    const axis_between_keys keys = {out->from + axis, out->to + axis, out->at.share,
                                    end < 3 ? -1.0 : 1.0};
    field f;
    f.count = 0;
    if (item < h->node_count)
        enter_children(&keys, &f, &h->kinetic, item, end);
    else
        enter_leaf(&keys, &f, h, &h->leaves[item - h->node_count]);
    const unsigned leader = leader_of(&f, out->slack, now), rivals = f.count;
    const double share = first_share(f.x, f.next, f.count, leader);
    wi_certificate c = {f.place[leader], (double)INFINITY, rivals};
    if (share <= 1.0)
        c.failure = when_of(out, out->at.time, h->mesh->plan.times[out->at.to], share);
    else if (out->searches_keys)
        c.failure = failure_later(out, &f, leader, end);
    return c;
}
