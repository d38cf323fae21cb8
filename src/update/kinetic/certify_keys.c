/* certify_keys.c - certificates of vertices that follow keyframes.
 *
 * Between two keyframes all go straight on, for the same time: so of two that are level the one
 * that is ahead in the next keyframe is the faster one, and who is behind now and in the next
 * keyframe is never ahead between. There is nothing to divide but for those who do overtake. Who
 * overtakes the leader and is the foremost in the next keyframe stays in front until then: the
 * heir. Beyond the next keyframe the first one is looked for in which somebody is ahead (the
 * paper's Algorithm 3). */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/certify.h"

/* Those who may be an end: where they are now and in the next keyframe, mirrored for lower ends, so
 * that the greatest leads. There is one at least. */
typedef struct field {
    unsigned count;
    uint32_t place[WI_MAX_LEAF_VERTICES];
    double x[WI_MAX_LEAF_VERTICES], next[WI_MAX_LEAF_VERTICES];
} field;

/* Where they are; returns where the foremost is. */
static inline double keys_locate(const wi_outlook *out, unsigned end, field *f)
{
    WI_ASSERT(out->from && out->to && end < WI_ENDS);
    const unsigned axis = end < 3 ? end : end - 3, count = f->count;
    const float *from = out->from + axis, *to = out->to + axis;
    const double share = out->at.share, sign = end < 3 ? -1.0 : 1.0;
    double foremost = -(double)INFINITY;
    for (unsigned i = 0; i < count; i++) {
        const size_t at = 3 * (size_t)f->place[i];
        const double a = (double)from[at], b = (double)to[at];
        const double x = sign * (a + share * (b - a));
        f->x[i] = x;
        f->next[i] = sign * b;
        foremost = x > foremost ? x : foremost;
    }
    return foremost;
}

/* Of two that are level. */
static inline bool keys_leads(const field *f, unsigned a, unsigned b, uint32_t now)
{
    if (f->next[a] != f->next[b]) return f->next[a] > f->next[b];
    if (f->place[a] == now || f->place[b] == now) return f->place[a] == now;
    if (f->x[a] != f->x[b]) return f->x[a] > f->x[b];
    return f->place[a] < f->place[b];
}

/* Among those who are level with the foremost. */
static inline unsigned keys_leader_of(const field *f, double level, uint32_t now)
{
    unsigned leader = 0;
    while (leader + 1 < f->count && f->x[leader] < level) leader++;
    for (unsigned i = leader + 1; i < f->count; i++)
        if (f->x[i] >= level && keys_leads(f, i, leader, now)) leader = i;
    return leader;
}

/* Who overtakes the leader first before the next keyframe, and after which share of the time until
 * then. */
typedef struct overtaking {
    double share; /* 2 if nobody does */
    unsigned by;
    double foremost; /* in the next keyframe */
} overtaking;

static inline overtaking first_overtaking(const field *f, unsigned leader)
{
    WI_ASSERT(leader < f->count);
    const double x = f->x[leader], next = f->next[leader];
    overtaking first = {2.0, leader, next};
    for (unsigned i = 0; i < f->count; i++) {
        if (!(f->next[i] > next)) continue;
        const double gap = x > f->x[i] ? x - f->x[i] : 0.0;
        const double share = gap / (gap + (f->next[i] - next));
        if (share < first.share || (share == first.share && f->next[i] > f->next[first.by])) {
            first.share = share;
            first.by = i;
        }
        first.foremost = f->next[i] > first.foremost ? f->next[i] : first.foremost;
    }
    return first;
}

static double when_of(const wi_outlook *out, double since, double until, double share)
{
    const double when = since + share * (until - since);
    WI_ASSERT(share >= 0.0 && share <= 1.0 && since <= until);
    return wi_later(out->at.time, when < until ? when : until);
}

static double failure_later(const wi_outlook *out, field *f, unsigned leader, unsigned end)
{
    const wi_plan *plan = wi_mesh_plan(out->h->mesh);
    const double sign = end < 3 ? -1.0 : 1.0;
    for (uint32_t key = out->at.to + 1; key < plan->key_count; key++) {
        for (unsigned i = 0; i < f->count; i++) {
            f->x[i] = f->next[i];
            f->next[i] = sign * (double)wi_plan_key(plan, key, f->place[i])[end % 3];
        }
        const overtaking first = first_overtaking(f, leader);
        if (first.share <= 1.0)
            return when_of(out, plan->times[key - 1], plan->times[key], first.share);
    }
    return (double)INFINITY;
}

wi_certificate wi_certify_on_keys(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now)
{
    const wi_tree *h = out->h;
    field f; /* one of them is there at least */
    f.x[0] = f.next[0] = 0.0;
    f.count = wi_list_rivals(h, item, end, f.place);
    WI_ASSERT(f.count > 0 && f.count <= WI_MAX_LEAF_VERTICES);
    const double level = keys_locate(out, end, &f) - out->slack;
    const unsigned leader = keys_leader_of(&f, level, now);
    const overtaking first = first_overtaking(&f, leader);
    wi_certificate c = {f.place[leader], (double)INFINITY, WI_NO_HEIR, f.count};
    if (first.share <= 1.0) {
        c.failure =
            when_of(out, out->at.time, wi_mesh_plan(h->mesh)->times[out->at.to], first.share);
        if (f.next[first.by] == first.foremost) c.heir = f.place[first.by];
    } else if (out->searches_keys) {
        c.failure = failure_later(out, &f, leader, end);
    }
    return c;
}
