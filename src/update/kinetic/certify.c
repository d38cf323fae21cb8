/* certify.c - chooses the ends of items, and finds out until when they are: on any paths. */
#include "update/kinetic/certify.h"

#include "base/check.h"

#include <math.h>

/* Those who may be an end: their courses along its axis, mirrored for lower ends, so that the
 * greatest leads. */
typedef struct field {
    unsigned count;
    uint32_t place[WI_MAX_LEAF_VERTICES];
    wi_course course[WI_MAX_LEAF_VERTICES];
} field;

wi_outlook wi_outlook_at(const wi_tree *h, const wi_moment *at, bool searches_keys)
{
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const bool searches = searches_keys && plan->paths == NULL;
    return (wi_outlook){.h = h,
                        .at = *at,
                        .slack = wi_plan_slack(plan, at->time),
                        .until = searches ? (double)INFINITY : wi_plan_until(plan, at),
                        .searches_keys = searches,
                        .from = plan->keys ? wi_plan_key(plan, at->from, 0) : NULL,
                        .to = plan->keys ? wi_plan_key(plan, at->to, 0) : NULL};
}

/* Returns where the foremost is. */
static inline double certify_locate(const wi_outlook *out, unsigned end, field *f)
{
    const wi_plan *plan = wi_mesh_plan(out->h->mesh);
    const int axis = (int)(end < 3 ? end : end - 3);
    const double sign = end < 3 ? -1.0 : 1.0;
    double foremost = -(double)INFINITY;
    for (unsigned i = 0; i < f->count; i++) {
        const wi_course c = wi_plan_course(plan, &out->at, f->place[i], axis);
        const double moves = wi_plan_stands(plan, &out->at, f->place[i]) ? 0.0 : sign;
        f->course[i] = (wi_course){sign * c.x, moves * c.v, moves * c.a};
        foremost = sign * c.x > foremost ? sign * c.x : foremost;
    }
    return foremost;
}

/* Of two that are level. */
static bool certify_leads(const field *f, unsigned a, unsigned b, uint32_t now)
{
    const wi_course *ca = &f->course[a], *cb = &f->course[b];
    if (ca->v != cb->v) return ca->v > cb->v;
    if (ca->a != cb->a) return ca->a > cb->a;
    if (f->place[a] == now || f->place[b] == now) return f->place[a] == now;
    if (ca->x != cb->x) return ca->x > cb->x;
    return f->place[a] < f->place[b];
}

/* Among those who are level with the foremost. */
static inline unsigned certify_leader_of(const field *f, double level, uint32_t now)
{
    unsigned leader = 0;
    while (leader + 1 < f->count && f->course[leader].x < level) leader++;
    for (unsigned i = leader + 1; i < f->count; i++)
        if (f->course[i].x >= level && certify_leads(f, i, leader, now)) leader = i;
    return leader;
}

static double failure_of(const wi_outlook *out, const field *f, unsigned leader)
{
    const wi_course *lead = &f->course[leader];
    double least = (double)INFINITY;
    WI_ASSERT(leader < f->count);
    for (unsigned i = 0; i < f->count; i++) {
        if (i == leader) continue;
        const wi_course *c = &f->course[i];
        const double t = wi_time_to_overtake(lead->x - c->x, c->v - lead->v, c->a - lead->a);
        least = t < least ? t : least;
    }
    const double when = wi_later(out->at.time, out->at.time + least);
    return when < out->until ? when : (double)INFINITY;
}

wi_certificate wi_certify(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now)
{
    field f; /* one of them is there at least */
    if (wi_mesh_plan(out->h->mesh)->paths == NULL) return wi_certify_on_keys(out, item, end, now);
    f.course[0] = (wi_course){0};
    f.count = wi_list_rivals(out->h, item, end, f.place);
    WI_ASSERT(f.count > 0 && f.count <= WI_MAX_LEAF_VERTICES);
    const double level = certify_locate(out, end, &f) - out->slack;
    const unsigned leader = certify_leader_of(&f, level, now);
    return (wi_certificate){f.place[leader], failure_of(out, &f, leader), WI_NO_HEIR, f.count};
}
