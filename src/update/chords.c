/* chords.c - spans of time in which boxes go straight, and when the next one begins.
 *
 * Way in: wi_chords_advance. Made for motion that is known in advance and asked about often: an
 * update within a span costs nothing but the paths that were changed since the last one. On
 * keyframes a span is from one to the next, and half of what it needs is there already. Elsewhere
 * its length is a guess: so many updates as the last one was long. It is renewed half-way, where
 * boxes are loosest, and how loose they are there says whether the next may be longer. */
#include "update/chords.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "update/compact.h"
#include "update/kinetic.h"

extern wi_chords_sweep wi_chords_sweep_scalar, wi_chords_sweep_avx2;
extern wi_chords_anchor wi_chords_anchor_scalar, wi_chords_anchor_avx2;
extern wi_refresh wi_chords_open_scalar, wi_chords_open_avx2;

/* How many updates a span serves without keyframes: at first, at least and at most. */
enum { FIRST_UPDATES = 16, LEAST_UPDATES = 2, MOST_UPDATES = 128 };

/* How much longer than need be the edges of boxes half-way are: up to here spans may be twice as
 * long, from there on half as long. */
static const double TIGHT = 1.05, LOOSE = 1.2;

/* Floats beyond this may have been cut off at the end of their range, or be when they are anchored:
 * that makes them up to 7 times as large. */
static const float FAR = FLT_MAX / 16.0F;

wi_refresh *wi_chords_refresh_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, chords_open);
}

/* ---- boxes at the ends of a span ---- */

/* Narrow trees have lists that make it faster. */
static double sweep(const wi_update *u, const float *at, size_t stride, wi_padded_box *boxes)
{
    wi_chords_sweep *const run = u->h->compact.shapes ? wi_compact_kernels_for(u->kernel)->sweep_at
                                                      : WI_KERNELS_FOR(u->kernel, chords_sweep);
    return run(u->h, at, stride, boxes);
}

static double sweep_key(const wi_update *u, uint32_t key, wi_padded_box *boxes)
{
    return sweep(u, wi_plan_key(&u->mesh->plan, key, 0), 3, boxes);
}

/* While queries read the plan what is stored is nobody's: there is room for all vertices. */
static double sweep_moment(wi_update *u, const wi_moment *at, wi_padded_box *boxes)
{
    wi_mesh *mesh = u->mesh;
    const wi_moment now = mesh->moment;
    mesh->moment = *at;
    wi_mesh_fill_for(u->kernel)(mesh, 0, mesh->vertex_count);
    mesh->moment = now;
    u->is_stored = false;
    u->vertices_evaluated += mesh->vertex_count;
    return sweep(u, mesh->positions->axis, 4, boxes);
}

static void count_sweep(wi_update *u)
{
    u->kinetic.bounded += u->mesh->vertex_count;
    u->kinetic.values += (size_t)WI_ENDS * u->h->node_count;
    u->nodes_updated += u->h->node_count;
}

/* Lanes of older spans have lower numbers. */
static void number_span(const wi_update *u, wi_chords *c)
{
    c->course = u->revision;
    c->anchor = c->first;
    c->anchor_share = 0.0;
    if (++c->span != 0) return;
    if (c->lanes_span) memset(c->lanes_span, 0, c->node_count * sizeof *c->lanes_span);
    c->span = 1;
}

/* ---- on keyframes ---- */

static void begin_on_keys(wi_update *u, bool goes_on)
{
    wi_chords *c = &u->h->kinetic.chords;
    const wi_moment *now = &u->mesh->moment;
    if (goes_on && now->from == c->first.to) {
        wi_padded_box *const boxes = c->from;
        c->from = c->to;
        c->to = boxes;
        c->extent[0] = c->extent[1];
    } else {
        c->extent[0] = sweep_key(u, now->from, c->from);
        count_sweep(u);
    }
    c->extent[1] = sweep_key(u, now->to, c->to);
    count_sweep(u);
    c->first = c->last = *now;
    c->bulge = 0.0;
    c->is_on_keys = true;
    number_span(u, c);
}

/* ---- elsewhere ---- */

static double larger(double a, double b) { return a > b ? a : b; }

/* Half-way from one end to the other a parabola is this far from its chord, at most. */
static double bulge_over(const wi_plan *plan, double duration)
{
    return plan->top_acceleration * duration * duration / 8.0;
}

/* Far from its start a path stands, which is no straight line. */
static bool goes_straight(const wi_plan *plan, double from, double to)
{
    const double most = WI_PLAN_LONGEST / 4.0;
    return fabs(from - plan->first_since) < most && fabs(from - plan->last_since) < most &&
           fabs(to - plan->first_since) < most && fabs(to - plan->last_since) < most &&
           bulge_over(plan, to - from) < (double)FAR;
}

static double end_of_span(const wi_update *u, double step)
{
    const wi_plan *plan = &u->mesh->plan;
    const wi_moment *now = &u->mesh->moment;
    const double guess = now->time + 2.0 * u->h->kinetic.chords.updates * step;
    const double corner = wi_plan_until(plan, now);
    const double until = guess < corner ? guess : corner;
    return step > 0.0 && goes_straight(plan, now->time, until) ? until : now->time;
}

/* A span that is a single moment: what comes later is not known. */
static void end_now(wi_chords *c)
{
    c->last = c->first;
    c->renew_at = c->first.time;
    c->bulge = 0.0;
    c->extent[1] = c->extent[0];
    memcpy(c->to, c->from, c->node_count * sizeof *c->to);
}

static bool is_far(const wi_padded_box *box) { return wi_padded_box_size(box) > (double)FAR; }

/* `step` is the time since the last update, or 0. */
static void begin_span(wi_update *u, double step)
{
    wi_chords *c = &u->h->kinetic.chords;
    const wi_plan *plan = &u->mesh->plan;
    const double until = end_of_span(u, step);
    c->is_on_keys = false;
    c->first = u->mesh->moment;
    c->last = wi_plan_moment(plan, until);
    c->extent[0] = sweep_moment(u, &c->first, c->from);
    count_sweep(u);
    number_span(u, c);
    if (!(until > c->first.time)) {
        end_now(c);
        return;
    }
    c->bulge = bulge_over(plan, until - c->first.time);
    c->renew_at = until < wi_plan_until(plan, &c->first) ? 0.5 * (c->first.time + until) : until;
    c->extent[1] = sweep_moment(u, &c->last, c->to);
    count_sweep(u);
    if (is_far(&c->from[0]) || is_far(&c->to[0])) end_now(c);
}

/* ---- now ---- */

static double share_at(const wi_chords *c, const wi_moment *now)
{
    const double span = c->last.time - c->first.time;
    if (c->is_on_keys) return now->share;
    return span > 0.0 ? (now->time - c->first.time) / span : 0.0;
}

/* The edges of all boxes, as wide as they are now. */
static double extent_at(const wi_chords *c, double share)
{
    return c->extent[0] + share * (c->extent[1] - c->extent[0]) + 6.0 * c->bulge * c->node_count;
}

/* A span that was renewed half-way: was it as long as it pays? */
static void learn(wi_chords *c, double was)
{
    const double is = c->extent[0];
    if (!(was < LOOSE * is)) c->updates = c->updates > LEAST_UPDATES ? c->updates / 2 : c->updates;
    if (was < TIGHT * is) c->updates = c->updates < MOST_UPDATES ? c->updates * 2 : c->updates;
}

void wi_chords_range(const wi_hierarchy *h, double *since, double *until)
{
    const wi_chords *c = &h->kinetic.chords;
    const double *times = h->mesh->plan.times;
    const bool goes = c->is_on_keys && c->first.from != c->first.to;
    *since = goes ? times[c->first.from] : c->first.time;
    *until = goes ? times[c->first.to] : c->last.time;
}

double wi_chords_share(const wi_hierarchy *h, double time)
{
    double since, until;
    wi_chords_range(h, &since, &until);
    return until > since ? (time - since) / (until - since) : 0.0;
}

/* By how much boxes are wider than their chords say:
 *   1. paths are rounded where they are read, at both ends of the span and now (wi_plan_slack);
 *   2. on keyframes that is all: a box and what is in it are between the same two keyframes;
 *   3. elsewhere where paths are at the ends is stored in floats, each 2^-24 of itself away, or
 *      less than the least float next to 0. Where the root was anchored in between, a path may
 *      have begun farther out than the root: by (1 + s) / (1 - s), if that was at the share s. It
 *      has (1 - s) of that weight left, and s is 0.75 at most: 2.5 * 2^-24 of the root in all;
 *   4. once it has changed its leaf may be beyond its node by WI_CHORDS_EASE;
 *   5. nodes are beyond those above by roundings of doubles, each some 2^-50: next to nothing
 *      with the 128 levels that there may be. 3 and 5 are less than WI_CHORDS_EASE;
 *   6. it leaves its chord by as much as a parabola does. */
double wi_chords_width(const wi_hierarchy *h)
{
    const wi_plan *plan = &h->mesh->plan;
    const wi_chords *c = &h->kinetic.chords;
    double since, until;
    wi_chords_range(h, &since, &until);
    double slack = larger(wi_plan_slack(plan, since), wi_plan_slack(plan, until));
    slack = larger(slack, wi_plan_slack(plan, h->mesh->moment.time));
    if (c->is_on_keys) return 4.0 * slack;
    const double size = larger(wi_padded_box_size(&c->from[0]), wi_padded_box_size(&c->to[0]));
    const double rounding = 2.0 * WI_CHORDS_EASE * size + 0x1p-140;
    return 4.0 * slack + rounding + bulge_over(plan, until - since);
}

/* ---- paths that change ---- */

static double edges_of(const wi_padded_box *box)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) sum += (double)box->upper[axis] - (double)box->lower[axis];
    return sum;
}

/* Where it changes its node it is a child of the next one above that has. */
static void anchor(wi_update *u, uint32_t node)
{
    wi_hierarchy *h = u->h;
    wi_chords *c = &h->kinetic.chords;
    uint8_t *changed = h->touch.lanes;
    const wi_view *view = &h->views[node];
    const double from = edges_of(&c->from[node]), to = edges_of(&c->to[node]);
    if (changed[node] == 0) return;
    if (!WI_KERNELS_FOR(u->kernel, chords_anchor)(h, node, changed[node])) return;
    c->extent[0] += edges_of(&c->from[node]) - from;
    c->extent[1] += edges_of(&c->to[node]) - to;
    u->kinetic.values += WI_ENDS;
    u->nodes_updated++;
    if (node == 0) return;
    changed[view->parent] = (uint8_t)(changed[view->parent] | 1U << view->parent_lane);
}

/* The nodes above paths that have changed, children first. False if the next span has to begin
 * instead: too many have, or one leads too far. */
static bool anchor_changed(wi_update *u)
{
    wi_hierarchy *h = u->h;
    wi_chords *c = &h->kinetic.chords;
    const wi_path_changes *changes = &h->kinetic.changes;
    if (changes->count == 0) return true;
    c->anchor = wi_plan_moment(&u->mesh->plan, h->kinetic.time); /* paths changed then */
    c->anchor_share = share_at(c, &c->anchor);
    if (!wi_chords_can_anchor(c->anchor_share) ||
        !goes_straight(&u->mesh->plan, c->first.time, c->last.time))
        return false;
    for (uint32_t i = 0; i < changes->count; i++) wi_touch_place(h, changes->places[i]);
    if (h->touch.is_all) return false;
    for (uint32_t node = wi_touch_next(&h->touch, h->node_count); node != UINT32_MAX;
         node = wi_touch_next(&h->touch, node))
        anchor(u, node);
    u->vertices_evaluated += changes->count;
    c->course = u->revision;
    return !is_far(&c->from[0]) && !is_far(&c->to[0]);
}

/* ---- an update ---- */

bool wi_chords_begin_anew(const wi_hierarchy *h)
{
    const wi_kinetic *k = &h->kinetic;
    const double time = h->mesh->moment.time;
    return !k->is_set_up || time < k->time ||
           k->chords.is_on_keys != (h->mesh->plan.rays == NULL) || wi_kinetic_has_many_changes(k);
}

static void begin(wi_update *u)
{
    wi_chords *c = &u->h->kinetic.chords;
    const size_t values = u->kinetic.values;
    c->updates = FIRST_UPDATES;
    if (u->mesh->plan.rays == NULL)
        begin_on_keys(u, false);
    else
        begin_span(u, 0.0);
    u->kinetic.values = values; /* these were not changed, but made */
    u->kinetic.setups++;
}

static bool is_over(const wi_chords *c, const wi_moment *now)
{
    return c->is_on_keys ? now->from != c->first.from || now->to != c->first.to
                         : now->time > c->renew_at;
}

static void go_on(wi_update *u)
{
    wi_kinetic *k = &u->h->kinetic;
    wi_chords *c = &k->chords;
    if (c->is_on_keys) {
        begin_on_keys(u, true);
        return;
    }
    const double share = share_at(c, &u->mesh->moment);
    const bool tells = share > 0.0 && share <= 1.0;
    const double was = extent_at(c, share);
    begin_span(u, u->mesh->moment.time - k->time);
    if (tells) learn(c, was);
}

/* What has rays will get others. */
static bool make(wi_update *u)
{
    wi_hierarchy *h = u->h;
    if (u->mesh->plan.rays && !wi_touch_make(u->memory, h)) return false;
    if (h->kinetic.chords.from) return true;
    wi_kinetic_free(u->memory, &h->kinetic);
    const bool has_lists = h->def.arity == WI_LANES || h->compact.shapes; /* of a fresh tree */
    return (has_lists || wi_compact_list(u->memory, h)) &&
           wi_chords_make(u->memory, h, &h->kinetic.chords);
}

willow_result wi_chords_advance(wi_update *u)
{
    wi_kinetic *k = &u->h->kinetic;
    wi_chords *c = &k->chords;
    if (!make(u)) return WILLOW_OUT_OF_MEMORY;
    u->kinetic.changes += k->changes.count;
    if (wi_chords_begin_anew(u->h))
        begin(u);
    else if (is_over(c, &u->mesh->moment) || !anchor_changed(u))
        go_on(u);
    c->share = share_at(c, &u->mesh->moment);
    k->width = wi_chords_width(u->h);
    k->fresh_values += u->kinetic.values / 8; /* a sweep of them is no sign of much wear */
    k->time = u->mesh->moment.time;
    k->is_set_up = true;
    wi_kinetic_clear_changes(k);
    return WILLOW_OK;
}
