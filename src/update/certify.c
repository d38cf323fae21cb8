/* certify.c - chooses the ends of items, and finds out until when they are: on any paths. */
#include "update/certify.h"

#include <math.h>

#include "base/check.h"

/* Those who may be an end: their courses along its axis, mirrored for lower ends, so that the
 * greatest leads. */
typedef struct field {
    unsigned count;
    uint32_t place[WI_MAX_LEAF_VERTICES];
    wi_course course[WI_MAX_LEAF_VERTICES];
} field;

wi_outlook wi_outlook_at(const wi_hierarchy *h, const wi_moment *at, bool searches_keys)
{
    const wi_plan *plan = &h->mesh->plan;
    const bool searches = searches_keys && plan->rays == NULL;
    return (wi_outlook){.h = h,
                        .at = *at,
                        .slack = wi_plan_slack(plan, at->time),
                        .until = searches ? (double)INFINITY : wi_plan_until(plan, at),
                        .searches_keys = searches,
                        .from = plan->keys ? wi_plan_key(plan, at->from, 0) : NULL,
                        .to = plan->keys ? wi_plan_key(plan, at->to, 0) : NULL};
}

static double mirrored(unsigned end, double x) { return end < 3 ? -x : x; }

static wi_course course_of(const wi_outlook *out, unsigned end, uint32_t place)
{
    const wi_plan *plan = &out->h->mesh->plan;
    const wi_course c = wi_plan_course(plan, &out->at, place, (int)(end % 3));
    if (wi_plan_stands(plan, &out->at, place)) return (wi_course){mirrored(end, c.x), 0.0, 0.0};
    return (wi_course){mirrored(end, c.x), mirrored(end, c.v), mirrored(end, c.a)};
}

static void enter(const wi_outlook *out, unsigned end, uint32_t place, field *f)
{
    for (unsigned i = 0; i < f->count; i++)
        if (f->place[i] == place) return; /* children may share a vertex */
    f->course[f->count] = course_of(out, end, place);
    f->place[f->count++] = place;
}

/* The vertices of a leaf are different ones. */
static void enter_leaf(const wi_outlook *out, const wi_leaf *leaf, unsigned end, field *f)
{
    const uint32_t *border = wi_leaf_border(out->h, leaf);
    f->count = leaf->vertex_count;
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        f->place[i] = i < leaf->owned_count ? leaf->first_place + i : border[i - leaf->owned_count];
        f->course[i] = course_of(out, end, f->place[i]);
    }
}

static void enter_children(const wi_outlook *out, uint32_t node, unsigned end, field *f)
{
    const wi_hierarchy *h = out->h;
    const wi_kinetic *k = &h->kinetic;
    const uint32_t *children = k->children + (size_t)k->arity * node;
    f->count = 0;
    for (unsigned i = 0; i < k->child_count[node]; i++)
        enter(out, end, k->items[children[i]].ends[end], f);
}

/* Of two that are level. */
static bool leads(const field *f, unsigned a, unsigned b, uint32_t now)
{
    const wi_course *ca = &f->course[a], *cb = &f->course[b];
    if (ca->v != cb->v) return ca->v > cb->v;
    if (ca->a != cb->a) return ca->a > cb->a;
    if (f->place[a] == now || f->place[b] == now) return f->place[a] == now;
    if (ca->x != cb->x) return ca->x > cb->x;
    return f->place[a] < f->place[b];
}

static unsigned leader_of(const field *f, double slack, uint32_t now)
{
    double foremost = -(double)INFINITY;
    unsigned leader = UINT32_MAX;
    for (unsigned i = 0; i < f->count; i++)
        foremost = f->course[i].x > foremost ? f->course[i].x : foremost;
    for (unsigned i = 0; i < f->count; i++)
        if (f->course[i].x >= foremost - slack &&
            (leader == UINT32_MAX || leads(f, i, leader, now)))
            leader = i;
    WI_ASSERT(leader < f->count);
    return leader;
}

/* How long until a rival that is behind by `gap` is ahead: it gains `v` per unit of time, and `a`
 * of that speed. Who only draws level, and falls behind again, is never ahead. */
static double time_to_overtake(double gap, double v, double a)
{
    if (gap < 0.0) gap = 0.0; /* level, and slower */
    if (a == 0.0) return v > 0.0 ? gap / v : (double)INFINITY;
    const double square = v * v + 2.0 * a * gap;
    if (a > 0.0) {
        const double root = sqrt(square);
        return v > 0.0 ? 2.0 * gap / (v + root) : (root - v) / a;
    }
    if (!(v > 0.0) || !(square > 0.0)) return (double)INFINITY;
    return 2.0 * gap / (v + sqrt(square));
}

static double failure_of(const wi_outlook *out, const field *f, unsigned leader)
{
    const wi_course *lead = &f->course[leader];
    double least = (double)INFINITY;
    for (unsigned i = 0; i < f->count; i++) {
        if (i == leader) continue;
        const wi_course *c = &f->course[i];
        const double t = time_to_overtake(lead->x - c->x, c->v - lead->v, c->a - lead->a);
        least = t < least ? t : least;
    }
    const double when = wi_later(out->at.time, out->at.time + least);
    return when < out->until ? when : (double)INFINITY;
}

wi_certificate wi_certify(const wi_outlook *out, uint32_t item, unsigned end, uint32_t now)
{
    const wi_hierarchy *h = out->h;
    field f;
    if (h->mesh->plan.rays == NULL) return wi_certify_on_keys(out, item, end, now);
    if (item < h->node_count)
        enter_children(out, item, end, &f);
    else
        enter_leaf(out, &h->leaves[item - h->node_count], end, &f);
    const unsigned leader = leader_of(&f, out->slack, now);
    return (wi_certificate){f.place[leader], failure_of(out, &f, leader), WI_NO_HEIR, f.count};
}
