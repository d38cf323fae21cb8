/* straight_spans.c - spans of time in which boxes go straight, and when the next one begins.
 *
 * Way in: wi_straight_boxes_advance. Made for motion that is known in advance and asked about
 * often: an update within a span costs nothing but the paths that were changed since the last one.
 * On keyframes a span is from one to the next, and half of what it needs is there already.
 * Elsewhere its length is a guess, a long one at first. Looks at some of the boxes, after 1, 2, 4
 * and so on updates, tell whether it was too long; it ends then, and the next is shorter. One in
 * which boxes were tight whenever they were looked at may be followed by a longer one. */
#include "update/kinetic/straight_spans.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "base/larger.h"
#include "update/kinetic/certificates.h"
#include "update/refit/packed_update.h"

extern wi_straight_boxes_sweep wi_straight_boxes_sweep_scalar, wi_straight_boxes_sweep_avx2;
extern wi_straight_boxes_look wi_straight_boxes_look_scalar, wi_straight_boxes_look_avx2;
extern wi_straight_boxes_anchor wi_straight_boxes_anchor_scalar, wi_straight_boxes_anchor_avx2;
extern wi_refresh wi_straight_boxes_open_scalar, wi_straight_boxes_open_avx2;

/* How many updates a span serves without keyframes: at least, and at most, which is the first
 * guess. Parabolas leave their chords by the square of its length, so for them it is a shorter one.
 */
enum { LEAST_UPDATES = 2, FIRST_UPDATES_BENT = 16, MOST_UPDATES = 256 };

/* How loose boxes are: up to here the next span may be twice as long, from there on this one is
 * over. */
static const double TIGHT = 1.05, LOOSE = 1.2;

/* A look is at one node of so many, but not at more than that. */
enum { LOOK_AT_ONE_OF = 128, MOST_LOOKED_AT = 64 };

/* Floats beyond this may have been cut off at the end of their range, or be when they are anchored:
 * that makes them up to 7 times as large. */
static const float FAR = FLT_MAX / 16.0F;

wi_refresh *wi_straight_boxes_refresh_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, straight_boxes_open);
}

/* ---- boxes at the ends of a span ---- */

/* Narrow trees have lists that make it faster. */
static void spans_sweep(wi_update *u, const float *at, size_t stride, wi_padded_box *boxes)
{
    const wi_packed_boxes *packed = &wi_kinetic_of(u->h)->packed;
    WI_ASSERT((stride == 3 || stride == 4) && boxes);
    if (packed->shapes)
        wi_packed_boxes_kernels_for(u->kernel)->sweep_at(u->h, packed, at, stride, boxes);
    else
        WI_KERNELS_FOR(u->kernel, straight_boxes_sweep)(u->h, at, stride, boxes);
    u->kinetic.bounded += u->mesh->vertex_count;
    u->kinetic.values += (size_t)WI_ENDS * u->h->shape->node_count;
    u->nodes_updated += u->h->shape->node_count;
}

static void sweep_key(wi_update *u, uint32_t key, wi_padded_box *boxes)
{
    spans_sweep(u, wi_plan_key(wi_mesh_plan(u->mesh), key, 0), 3, boxes);
}

/* While queries read the plan what is stored is nobody's: there is room for all vertices. */
static void sweep_moment(wi_update *u, const wi_moment *at, wi_padded_box *boxes)
{
    wi_mesh *mesh = u->mesh;
    wi_plan *plan = wi_mesh_plan(mesh);
    const wi_moment now = plan->now;
    plan->now = *at;
    wi_mesh_fill_for(u->kernel)(mesh, 0, mesh->vertex_count);
    plan->now = now;
    u->is_stored = false;
    u->vertices_evaluated += mesh->vertex_count;
    spans_sweep(u, mesh->positions->axis, 4, boxes);
}

/* Lanes of older spans have lower numbers. */
static void number_span(const wi_update *u, wi_straight_boxes *c)
{
    wi_box_changes_note_all(&wi_kinetic_of(u->h)->boxes, u->revision);
    c->anchor = c->first;
    c->anchor_share = 0.0;
    c->served = 0;
    c->loosest = 0.0;
    if (++c->span != 0) return;
    if (c->lanes_span) memset(c->lanes_span, 0, c->node_count * sizeof *c->lanes_span);
    c->span = 1;
}

/* ---- on keyframes ---- */

static void begin_on_keys(wi_update *u, bool goes_on)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    const wi_moment *now = wi_mesh_moment(u->mesh);
    WI_ASSERT(now->from <= now->to && now->to < wi_mesh_plan(u->mesh)->key_count);
    if (goes_on && now->from == c->first.to) {
        wi_padded_box *const boxes = c->from;
        c->from = c->to;
        c->to = boxes;
    } else {
        sweep_key(u, now->from, c->from);
    }
    sweep_key(u, now->to, c->to);
    c->first = c->last = *now;
    c->is_on_keys = c->was_on_keys = true;
    number_span(u, c);
}

/* ---- elsewhere ---- */

/* Half-way from one end to the other a parabola is this far from its chord, at most. */
static double bulge_over(const wi_plan *plan, double duration)
{
    WI_ASSERT(duration >= 0.0);
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

static uint32_t first_updates(const wi_plan *plan)
{
    return plan->top_acceleration > 0.0 ? FIRST_UPDATES_BENT : MOST_UPDATES;
}

static double end_of_span(const wi_update *u, double step)
{
    const wi_plan *plan = wi_mesh_plan(u->mesh);
    const wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    const double guess = wi_mesh_moment(u->mesh)->time + c->updates * step / WI_STRAIGHT_SERVES;
    const double corner = wi_plan_until(plan, wi_mesh_moment(u->mesh));
    const double until = guess < corner ? guess : corner;
    WI_ASSERT(c->updates >= LEAST_UPDATES && c->updates <= MOST_UPDATES);
    return step > 0.0 && goes_straight(plan, c->first.time, until) ? until : c->first.time;
}

/* A span that is a single moment: what comes later is not known. */
static void end_now(wi_straight_boxes *c)
{
    c->last = c->first;
    c->renew_at = c->first.time;
    memcpy(c->to, c->from, c->node_count * sizeof *c->to);
}

static bool is_far(const wi_padded_box *box) { return wi_padded_box_size(box) > (double)FAR; }

/* The boxes at its beginning are there. False if they are all that there is. */
static bool extend_span(wi_update *u, double until)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    const wi_plan *plan = wi_mesh_plan(u->mesh);
    const double since = c->first.time;
    if (!(until > since)) return false;
    WI_ASSERT(!c->is_on_keys);
    c->last = wi_plan_moment(plan, until);
    c->renew_at = until < wi_plan_until(plan, &c->first)
                      ? since + WI_STRAIGHT_SERVES * (until - since)
                      : until;
    sweep_moment(u, &c->last, c->to);
    return !is_far(&c->from[0]) && !is_far(&c->to[0]);
}

/* `step` is the time since the last update, or 0. */
static void begin_span(wi_update *u, double step)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    c->is_on_keys = c->was_on_keys = false;
    c->first = *wi_mesh_moment(u->mesh);
    sweep_moment(u, &c->first, c->from);
    if (!extend_span(u, end_of_span(u, step))) {
        end_now(c);
        if (step > 0.0 && c->updates > LEAST_UPDATES) c->updates /= 2; /* it led too far */
    }
    number_span(u, c);
}

/* The first update of a body does not know when the next one will be, so its span is a moment. The
 * next one need not look at that again, if paths go straight from there to now. */
static bool extend_moment(wi_update *u, double step)
{
    const wi_kinetic *k = wi_kinetic_of(u->h);
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    const bool is_moment = c->first.time == k->time && c->last.time == k->time;
    if (!is_moment || k->changes.count > 0 ||
        !(wi_mesh_moment(u->mesh)->time < wi_plan_until(wi_mesh_plan(u->mesh), &c->first)) ||
        !extend_span(u, end_of_span(u, step)))
        return false;
    number_span(u, c);
    return true;
}

/* ---- now ---- */

static double share_at(const wi_straight_boxes *c, const wi_moment *now)
{
    const double span = c->last.time - c->first.time;
    if (c->is_on_keys) return now->share;
    return span > 0.0 ? (now->time - c->first.time) / span : 0.0;
}

void wi_straight_boxes_range(const wi_tree *h, double *since, double *until)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const double *times = wi_mesh_plan(h->mesh)->times;
    const bool goes = c->is_on_keys && c->first.from != c->first.to;
    *since = goes ? times[c->first.from] : c->first.time;
    *until = goes ? times[c->first.to] : c->last.time;
}

double wi_straight_boxes_share(const wi_tree *h, double time)
{
    double since, until;
    wi_straight_boxes_range(h, &since, &until);
    return until > since ? (time - since) / (until - since) : 0.0;
}

/* By how much boxes are wider than their chords say:
 *   1. paths are rounded where they are read, at both ends of the span and now (wi_plan_slack);
 *   2. on keyframes that is all: a box and what is in it are between the same two keyframes;
 *   3. elsewhere where paths are at the ends is stored in floats, each 2^-24 of itself away, or
 *      less than the least float next to 0. Where the root was anchored in between, a path may
 *      have begun farther out than the root: by (1 + s) / (1 - s), if that was at the share s. It
 *      has (1 - s) of that weight left, and s is WI_STRAIGHT_SERVES at most: 2.5 * 2^-24 of the
 * root in all;
 *   4. once it has changed its leaf may be beyond its node by WI_STRAIGHT_EASE;
 *   5. nodes are beyond those above by roundings of doubles, each some 2^-50: next to nothing
 *      with the 128 levels that there may be. 3 and 5 are less than WI_STRAIGHT_EASE;
 *   6. it leaves its chord by as much as a parabola does. */
double wi_straight_boxes_width(const wi_tree *h)
{
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    double since, until;
    wi_straight_boxes_range(h, &since, &until);
    double slack = wi_larger(wi_plan_slack(plan, since), wi_plan_slack(plan, until));
    slack = wi_larger(slack, wi_plan_slack(plan, wi_mesh_moment(h->mesh)->time));
    if (c->is_on_keys) return 4.0 * slack;
    const double size = wi_larger(wi_padded_box_size(&c->from[0]), wi_padded_box_size(&c->to[0]));
    const double rounding = 2.0 * WI_STRAIGHT_EASE * size + 0x1p-140;
    return 4.0 * slack + rounding + bulge_over(plan, until - since);
}

/* ---- paths that change ---- */

/* Vertices leave the keyframes in the middle of a span: it goes on, as one that has two ends in
 * time. What still follows keyframes is at these ends where the boxes have it. */
static void leave_keys(wi_update *u)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    const wi_plan *plan = wi_mesh_plan(u->mesh);
    WI_ASSERT(c->is_on_keys && c->first.from < c->first.to && plan->paths);
    c->last = wi_plan_moment(plan, plan->times[c->first.to]);
    c->first = wi_plan_moment(plan, plan->times[c->first.from]);
    c->renew_at = c->last.time;
    c->anchor = c->first;
    c->anchor_share = 0.0;
    c->updates = first_updates(plan);
    c->served = 0;
    c->loosest = 0.0;
    c->is_on_keys = false;
}

/* The leaves below a node that have paths that changed. */
static void note_leaves(wi_update *u, uint32_t node, unsigned changed)
{
    const wi_node *view = &u->h->boxes.nodes[node];
    for (unsigned leaves = changed & view->leaf_mask; leaves != 0; leaves &= leaves - 1)
        wi_box_changes_note(&wi_kinetic_of(u->h)->boxes,
                            u->h->shape->node_count + view->child[__builtin_ctz(leaves)],
                            u->revision);
}

/* A node that has changed touches the one above it. */
static void spans_anchor(wi_update *u, uint32_t node)
{
    wi_tree *h = u->h;
    const unsigned changed = h->moved->lanes[node];
    WI_ASSERT(node < h->shape->node_count);
    if (changed == 0) return;
    note_leaves(u, node, changed);
    if (!WI_KERNELS_FOR(u->kernel, straight_boxes_anchor)(h, node, changed)) return;
    wi_box_changes_note(&wi_kinetic_of(h)->boxes, node, u->revision);
    u->kinetic.values += WI_ENDS;
    u->nodes_updated++;
    if (node != 0) wi_moved_vertices_parent(h, node);
}

/* The nodes above paths that have changed, children first. False if the next span has to begin
 * instead: too many have, or one leads too far. */
static bool anchor_changed(wi_update *u)
{
    wi_tree *h = u->h;
    wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_path_changes *changes = &wi_kinetic_of(h)->changes;
    if (changes->count == 0) return true;
    WI_ASSERT(h->moved && h->moved->touched == 0);
    c->anchor =
        wi_plan_moment(wi_mesh_plan(u->mesh), wi_kinetic_of(h)->time); /* paths changed then */
    c->anchor_share = share_at(c, &c->anchor);
    if (!goes_straight(wi_mesh_plan(u->mesh), c->first.time, c->last.time)) return false;
    for (uint32_t i = 0; i < changes->count; i++)
        wi_moved_vertices_leaves_of(h, changes->places[i]);
    const bool is_all = h->moved->is_all;
    if (!is_all)
        for (uint32_t node = wi_moved_vertices_next(h->moved, h->shape->node_count);
             node != UINT32_MAX; node = wi_moved_vertices_next(h->moved, node))
            spans_anchor(u, node);
    wi_moved_vertices_clear(h->moved);
    if (is_all) return false;
    u->vertices_evaluated += changes->count;
    return !is_far(&c->from[0]) && !is_far(&c->to[0]);
}

/* ---- how long spans are ---- */

/* By how much boxes are wider than chords since the span is long, and not a moment: the rest would
 * be the same in a shorter one. */
static double width_of_length(const wi_tree *h)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const double from = wi_padded_box_size(&c->from[0]), to = wi_padded_box_size(&c->to[0]);
    return bulge_over(wi_mesh_plan(h->mesh), c->last.time - c->first.time) +
           2.0 * WI_STRAIGHT_EASE * wi_larger(0.0, to - from);
}

/* How much longer than need be the edges of boxes are. */
static double looseness(wi_update *u)
{
    const wi_tree *h = u->h;
    const uint32_t some = 1 + h->shape->node_count / LOOK_AT_ONE_OF;
    const uint32_t count = some < MOST_LOOKED_AT ? some : MOST_LOOKED_AT;
    const wi_straight_boxes_sample sum = WI_KERNELS_FOR(u->kernel, straight_boxes_look)(h, count);
    const double chords = sum.chords + (double)(WI_ENDS * sum.boxes) * width_of_length(h);
    u->vertices_evaluated += sum.vertices;
    u->kinetic.bounded += sum.vertices;
    return chords <= sum.tight ? 1.0 : chords / sum.tight;
}

static bool is_power_of_two(uint32_t n) { return (n & (n - 1)) == 0; }

/* A span that serves no longer, since it was too long a guess. Boxes go apart from what is in them
 * less quickly in a shorter one, so the next may be longer than this was good for. */
static bool is_too_loose(wi_update *u)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    if (c->was_on_keys || !is_power_of_two(++c->served)) return false;
    c->share = share_at(c, wi_mesh_moment(u->mesh));
    const double loose = looseness(u);
    c->loosest = wi_larger(c->loosest, loose);
    if (loose < LOOSE) return false;
    const uint32_t half = c->updates / 2, next = 2 * c->served < half ? 2 * c->served : half;
    c->updates = next > LEAST_UPDATES ? next : LEAST_UPDATES;
    return true;
}

/* ---- an update ---- */

/* Only from one keyframe to the next there are boxes to go on with. */
static bool leaves_keys(const wi_tree *h, const wi_kinetic *k)
{
    const wi_straight_boxes *c = &k->straight;
    return c->is_on_keys && c->first.from < c->first.to && wi_mesh_plan(h->mesh)->paths;
}

bool wi_straight_boxes_begin_anew(const wi_tree *h, const wi_kinetic *k)
{
    const double time = wi_mesh_moment(h->mesh)->time;
    const bool is_on_keys = wi_mesh_plan(h->mesh)->paths == NULL;
    return !k->is_set_up || time < k->time || wi_kinetic_has_many_changes(k) ||
           (k->straight.is_on_keys != is_on_keys && !leaves_keys(h, k));
}

static void spans_begin(wi_update *u)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    const size_t values = u->kinetic.values;
    c->updates = first_updates(wi_mesh_plan(u->mesh));
    if (wi_mesh_plan(u->mesh)->paths == NULL)
        begin_on_keys(u, false);
    else
        begin_span(u, 0.0);
    u->kinetic.values = values; /* these were not changed, but made */
    u->kinetic.setups++;
}

static bool spans_is_over(const wi_straight_boxes *c, const wi_moment *now)
{
    return c->is_on_keys ? now->from != c->first.from || now->to != c->first.to
                         : now->time > c->renew_at;
}

static void spans_go_on(wi_update *u)
{
    const wi_kinetic *k = wi_kinetic_of(u->h);
    const double step = wi_mesh_moment(u->mesh)->time - k->time;
    if (k->straight.is_on_keys)
        begin_on_keys(u, true);
    else if (!extend_moment(u, step))
        begin_span(u, step);
}

/* One that was tight all the time may be followed by a longer one. */
static void end_span(wi_update *u)
{
    wi_straight_boxes *c = &wi_kinetic_of(u->h)->straight;
    if (c->served > 0 && c->loosest < TIGHT && c->updates < MOST_UPDATES) c->updates *= 2;
    spans_go_on(u);
}

/* What has paths will get others. */
static bool spans_make(wi_update *u, wi_kinetic *k)
{
    wi_tree *h = u->h;
    if (wi_mesh_plan(u->mesh)->paths && !wi_moved_vertices_make(u->memory, h)) return false;
    if (k->straight.from) return true;
    wi_packed_boxes packed = k->packed; /* of a fresh tree */
    k->packed = (wi_packed_boxes){0};
    wi_kinetic_free(u->memory, k);
    k->packed = packed;
    const bool has_lists = h->def.arity == WI_LANES || k->packed.shapes;
    return (has_lists || wi_packed_boxes_list(u->memory, h, &k->packed)) &&
           wi_straight_boxes_make(u->memory, h, &k->packed, &k->straight);
}

willow_result wi_straight_boxes_advance(wi_update *u)
{
    wi_kinetic *k = wi_kinetic_of(u->h);
    wi_straight_boxes *c = &k->straight;
    if (!spans_make(u, k)) return WILLOW_OUT_OF_MEMORY;
    u->kinetic.changes += k->changes.count;
    const bool begins = wi_straight_boxes_begin_anew(u->h, k);
    if (!begins && leaves_keys(u->h, k)) leave_keys(u);
    if (begins)
        spans_begin(u);
    else if (spans_is_over(c, wi_mesh_moment(u->mesh)))
        end_span(u);
    else if (!anchor_changed(u) || is_too_loose(u))
        spans_go_on(u);
    c->share = share_at(c, wi_mesh_moment(u->mesh));
    WI_ASSERT(c->share >= 0.0 && c->share <= 1.0);
    k->width = wi_straight_boxes_width(u->h);
    WI_ASSERT(k->width >= 0.0 && c->span > 0);
    k->fresh_values += u->kinetic.values / 8; /* a sweep of them is no sign of much wear */
    k->time = wi_mesh_moment(u->mesh)->time;
    k->is_set_up = true;
    wi_kinetic_clear_changes(k);
    return WILLOW_OK;
}
