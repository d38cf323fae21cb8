/* event_loop.c - which events are due, and in which order they are handled. */
#include "update/kinetic/event_loop.h"

#include <math.h>

#include "base/check.h"

static void look_from(wi_event_loop *s, double time)
{
    const wi_moment at = wi_plan_moment(wi_mesh_plan(s->h->mesh), time);
    s->out = wi_outlook_at(s->h, &at, s->searches_keys);
}

/* ---- what waits ---- */

static void loop_add_event(wi_event_loop *s, const wi_event *event)
{
    s->u->kinetic.events++;
    s->ops->add_event(s, event->slot);
}

/* In any order: all of them are looked at at once. */
static void add_due(wi_event_loop *s, double until)
{
    wi_event event;
    while (wi_queue_take_any(&s->k->queue, until, &event)) loop_add_event(s, &event);
}

/* From the deepest up, each once. */
static bool settle_all(wi_event_loop *s)
{
    WI_ASSERT(s->h->shape->height + 1 < WI_MOST_DEPTH);
    for (unsigned depth = s->h->shape->height + 1; depth-- > 0;)
        if (s->k->first_pending[depth] != 0 && !s->ops->settle_depth(s, depth)) return false;
    for (unsigned depth = 0; depth <= s->h->shape->height; depth++)
        WI_ASSERT(s->k->first_pending[depth] == 0);
    return s->ops->settle_root == NULL || s->ops->settle_root(s);
}

/* ---- everything ---- */

static bool loop_begin(wi_event_loop *s)
{
    const size_t values = s->u->kinetic.values;
    s->is_whole = true;
    if (!s->ops->begin(s)) return false;
    s->is_whole = false;
    if (!settle_all(s)) return false;
    s->u->kinetic.values = values; /* these were not changed, but made */
    wi_box_changes_note_all(&s->k->boxes, s->u->revision);
    return true;
}

static bool loop_look_at_next_key(wi_event_loop *s)
{
    s->is_whole = true;
    if (!s->ops->look_at_next_key(s)) return false;
    s->is_whole = false;
    wi_box_changes_note_all(&s->k->boxes, s->u->revision);
    return true;
}

bool wi_event_loop_begins_anew(const wi_tree *h, const wi_kinetic *k)
{
    return !k->is_set_up || wi_mesh_moment(h->mesh)->time < k->time ||
           wi_plan_waits(wi_mesh_plan(h->mesh), k->time) || wi_kinetic_has_many_changes(k);
}

static bool set_up(wi_event_loop *s)
{
    s->u->kinetic.setups++;
    s->k->is_set_up = loop_begin(s);
    return s->k->is_set_up;
}

/* ---- a batch ---- */

/* The next corner of all paths after a time, if certificates end there. */
static double corner_after(const wi_event_loop *s, double time)
{
    const wi_plan *plan = wi_mesh_plan(s->h->mesh);
    const wi_moment at = wi_plan_moment(plan, time);
    return s->out.searches_keys ? (double)INFINITY : wi_plan_until(plan, &at);
}

/* Over a keyframe: to it, and on from there. Who leaps over several has to begin anew. */
static bool turn_corner(wi_event_loop *s, double corner, double time)
{
    WI_ASSERT(corner <= time);
    if (corner_after(s, corner) <= time) return loop_begin(s);
    look_from(s, corner);
    add_due(s, corner);
    if (!settle_all(s) || !loop_look_at_next_key(s)) return false;
    look_from(s, time);
    return true;
}

static bool advance_batch(wi_event_loop *s, double time)
{
    const wi_event_loop_ops *ops = s->ops;
    const double corner = corner_after(s, s->k->time);
    WI_ASSERT(time >= s->k->time);
    if (!ops->compares_changed && !ops->add_changed(s)) return false;
    if (corner <= time && !turn_corner(s, corner, time)) return false;
    add_due(s, time);
    if (ops->compares_changed && !ops->add_changed(s)) return false;
    return settle_all(s);
}

/* ---- a stream ---- */

/* In checked builds a tree that is small is looked at after every event. */
static bool run_event(wi_event_loop *s, const wi_event *event)
{
    enum { FEW_LEAVES = 64 };
    look_from(s, event->time);
    loop_add_event(s, event);
    if (!settle_all(s)) return false;
    WI_ASSERT_SLOW(s->ops->check == NULL || s->h->shape->leaf_count > FEW_LEAVES ||
                   s->ops->check(s->h, &s->out.at) == NULL);
    return true;
}

static bool run_corner(wi_event_loop *s, double time)
{
    look_from(s, time);
    return loop_look_at_next_key(s) && settle_all(s);
}

static bool advance_stream(wi_event_loop *s, double time)
{
    wi_kinetic *k = s->k;
    wi_event event;
    look_from(s, k->time);
    if (!s->ops->add_changed(s) || !settle_all(s)) return false;
    wi_kinetic_clear_changes(k);
    double corner = corner_after(s, k->time);
    for (;;) {
        const double until = corner < time ? corner : time;
        if (wi_queue_take(&k->queue, until, &event)) {
            WI_ASSERT(event.time <= until);
            if (!run_event(s, &event)) return false;
        } else if (corner <= time) {
            if (!run_corner(s, corner)) return false;
            WI_ASSERT(corner_after(s, corner) > corner); /* or it would never end */
            corner = corner_after(s, corner);
        } else {
            return true;
        }
    }
}

/* ---- a step ---- */

static bool advance(wi_event_loop *s, double time)
{
    wi_kinetic *k = s->k;
    s->u->kinetic.changes += k->changes.count;
    look_from(s, time);
    s->sweeps = wi_mesh_plan(s->h->mesh)->paths == NULL && !s->out.searches_keys;
    if (!s->sweeps && k->knows_certain) s->ops->forget_certain(s);
    k->knows_certain = s->sweeps;
    if (wi_event_loop_begins_anew(s->h, k)) return set_up(s);
    return s->u->def->events == WILLOW_EVENTS_STREAM ? advance_stream(s, time)
                                                     : advance_batch(s, time);
}

willow_result wi_event_loop_advance(wi_update *u, const wi_event_loop_ops *ops, bool searches_keys)
{
    wi_kinetic *k = wi_kinetic_of(u->h);
    wi_event_loop s = {.ops = ops, .u = u, .h = u->h, .k = k, .searches_keys = searches_keys};
    const double time = wi_mesh_moment(u->mesh)->time;
    const uint64_t operations = k->queue.operations;
    if (!advance(&s, time)) {
        wi_kinetic_free(u->memory, k);
        return WILLOW_OUT_OF_MEMORY;
    }
    u->kinetic.queue_ops += k->queue.operations - operations;
    u->kinetic.most_events = k->queue.count;
    k->fresh_values += u->kinetic.values;
    k->time = time;
    k->width = ops->width(u->h, time);
    wi_kinetic_clear_changes(k);
    return WILLOW_OK;
}
