/* kinetic.c - events: vertices overtake each other, and boxes get other ends.
 *
 * Way in: wi_kinetic_advance. Made for long smooth motion, where few vertices overtake each other
 * between two updates. In a batch only the state at the end of the step counts: all items whose
 * certificates fail in it are looked at once, at its end, from the deepest up. In a stream events
 * are handled one by one at their own times. Paths have corners at keyframes, all at once: there
 * every certificate is looked at again, unless it has looked beyond (wi_outlook). After Zachmann
 * and Weller 2006, sections 3 to 5 and 8. */
#include "update/kinetic.h"

#include <math.h>

#include "base/check.h"
#include "update/certify.h"

/* If more than this part of all vertices have other paths, all certificates are made anew. */
enum { MANY_CHANGES = 4 };

typedef struct keeper {
    wi_update *u;
    wi_hierarchy *h;
    wi_kinetic *k;
    wi_outlook out;
} keeper;

static uint32_t item_count(const wi_kinetic *k) { return k->node_count + k->leaf_count; }

static uint32_t parent_of(const wi_hierarchy *h, uint32_t item)
{
    return item < h->node_count ? h->views[item].parent
                                : h->kinetic.leaf_parent[item - h->node_count];
}

static unsigned depth_of(const wi_kinetic *k, uint32_t item)
{
    return item < k->node_count ? k->depth[item]
                                : k->depth[k->leaf_parent[item - k->node_count]] + 1U;
}

static void look_from(keeper *keep, double time)
{
    const wi_moment at = wi_plan_moment(&keep->h->mesh->plan, time);
    keep->out = wi_outlook_at(keep->h, &at, keep->u->def->search_keyframes);
}

/* Looks at one end of an item; *did_change if it is another vertex now. False for want of memory.
 */
static bool settle(keeper *keep, uint32_t item, unsigned end, bool *did_change)
{
    wi_kinetic *k = keep->k;
    const uint32_t slot = WI_ENDS * item + end, now = k->ends[item][end];
    const wi_certificate c = wi_certify(&keep->out, item, end, now);
    keep->u->kinetic.checked++;
    keep->u->vertices_evaluated += c.rivals;
    *did_change = c.place != now;
    if (*did_change) {
        k->ends[item][end] = c.place;
        keep->u->kinetic.values++;
    }
    if (c.failure == (double)INFINITY) {
        wi_queue_remove(&k->queue, slot);
        return true;
    }
    if (!wi_queue_reserve(keep->u->memory, &k->queue, 1)) return false;
    wi_queue_set(&k->queue, slot, c.failure);
    return true;
}

/* ---- from nothing ---- */

static bool settle_all_ends(keeper *keep, uint32_t item)
{
    bool did_change;
    for (unsigned end = 0; end < WI_ENDS; end++)
        if (!settle(keep, item, end, &did_change)) return false;
    return true;
}

/* Items follow their parents, leaves all nodes: a backward sweep meets children first. */
static bool settle_everything(keeper *keep)
{
    for (uint32_t item = item_count(keep->k); item-- > 0;)
        if (!settle_all_ends(keep, item)) return false;
    return true;
}

static bool set_up(keeper *keep)
{
    wi_kinetic *k = keep->k;
    wi_queue_clear(&k->queue);
    for (uint32_t item = 0; item < item_count(k); item++)
        for (unsigned end = 0; end < WI_ENDS; end++) k->ends[item][end] = UINT32_MAX;
    const size_t values = keep->u->kinetic.values;
    if (!settle_everything(keep)) return false;
    keep->u->kinetic.values = values; /* these were not changed, but made */
    keep->u->kinetic.setups++;
    k->is_set_up = true;
    return true;
}

/* ---- items to look at again ---- */

static void add_pending(wi_kinetic *k, uint32_t item, unsigned ends)
{
    if (k->pending[item] == 0) {
        uint32_t *first = &k->first_pending[depth_of(k, item)];
        k->next_pending[item] = *first;
        *first = item + 1;
    }
    k->pending[item] = (uint8_t)(k->pending[item] | ends);
}

static void add_event(keeper *keep, const wi_event *event)
{
    const uint32_t item = event->slot / WI_ENDS;
    const unsigned end = 1U << event->slot % WI_ENDS;
    keep->u->kinetic.events++;
    keep->k->tally[item].due = (uint8_t)(keep->k->tally[item].due | end);
    add_pending(keep->k, item, end);
}

/* Events that were in vain, and how far up changes have come. */
static void count_changes(keeper *keep, uint32_t item, unsigned changed)
{
    wi_kinetic *k = keep->k;
    const wi_tally tally = k->tally[item];
    k->tally[item] = (wi_tally){0};
    for (unsigned in_vain = tally.due & ~changed; in_vain != 0; in_vain &= in_vain - 1)
        keep->u->kinetic.internal++;
    if (changed == 0) return;
    const uint8_t rise = (uint8_t)(tally.rise + 1);
    k->most_values = rise > k->most_values ? rise : k->most_values;
    if (item == 0) return;
    wi_tally *above = &k->tally[parent_of(keep->h, item)];
    above->rise = rise > above->rise ? rise : above->rise;
}

/* An item above which an end has to be looked at, too: it is another vertex, or one with another
 * path. */
static bool settle_pending(keeper *keep, uint32_t item, unsigned ends)
{
    wi_kinetic *k = keep->k;
    unsigned above = 0, changed = 0;
    for (unsigned end = 0; end < WI_ENDS; end++) {
        bool did_change;
        if ((ends >> end & 1) == 0) continue;
        if (!settle(keep, item, end, &did_change)) return false;
        if (did_change) changed |= 1U << end;
        if (did_change || wi_kinetic_has_changed(k, k->ends[item][end])) above |= 1U << end;
    }
    count_changes(keep, item, changed);
    if (above != 0 && item != 0) add_pending(k, parent_of(keep->h, item), above);
    return true;
}

/* From the deepest up, each item once. */
static bool settle_all_pending(keeper *keep)
{
    wi_kinetic *k = keep->k;
    for (unsigned depth = keep->h->height + 1; depth-- > 0;)
        while (k->first_pending[depth] != 0) {
            const uint32_t item = k->first_pending[depth] - 1;
            const unsigned ends = k->pending[item];
            k->first_pending[depth] = k->next_pending[item];
            k->pending[item] = 0;
            if (!settle_pending(keep, item, ends)) return false;
        }
    return true;
}

/* The leaves of vertices that have another path: all of their ends, since whoever was never ahead
 * may be so now. */
static void add_changed(keeper *keep)
{
    wi_kinetic *k = keep->k;
    const wi_path_changes *c = &k->changes;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t at = c->first_leaf[c->places[i]]; at < c->first_leaf[c->places[i] + 1]; at++)
            add_pending(k, k->node_count + c->leaves[at], (1U << WI_ENDS) - 1);
}

static void add_due(keeper *keep, double until)
{
    wi_event event;
    while (wi_queue_take(&keep->k->queue, until, &event)) add_event(keep, &event);
}

/* ---- keyframes ---- */

static bool is_looking_again(const keeper *keep)
{
    return keep->h->mesh->plan.key_count > 0 && !keep->out.searches_keys;
}

/* The next corner of all paths after a time. */
static double corner_after(const keeper *keep, double time)
{
    const wi_plan *plan = &keep->h->mesh->plan;
    const wi_moment at = wi_plan_moment(plan, time);
    return is_looking_again(keep) ? wi_plan_until(plan, &at) : (double)INFINITY;
}

/* ---- a step ---- */

static bool advance_batch(keeper *keep, double time)
{
    wi_kinetic *k = keep->k;
    const bool turns = corner_after(keep, k->time) <= time;
    add_changed(keep);
    look_from(keep, time);
    if (turns) {
        add_due(keep, time);
        return settle_all_pending(keep) && settle_everything(keep);
    }
    add_due(keep, time);
    return settle_all_pending(keep);
}

static bool run_event(keeper *keep, const wi_event *event)
{
    look_from(keep, event->time);
    add_event(keep, event);
    return settle_all_pending(keep);
}

static bool run_corner(keeper *keep, double time)
{
    look_from(keep, time);
    return settle_everything(keep);
}

static bool advance_stream(keeper *keep, double time)
{
    wi_kinetic *k = keep->k;
    wi_event event;
    look_from(keep, k->time);
    add_changed(keep);
    if (!settle_all_pending(keep)) return false;
    wi_kinetic_clear_changes(k);
    double corner = corner_after(keep, k->time);
    for (;;) {
        const double until = corner < time ? corner : time;
        if (wi_queue_take(&k->queue, until, &event)) {
            if (!run_event(keep, &event)) return false;
        } else if (corner <= time) {
            if (!run_corner(keep, corner)) return false;
            corner = corner_after(keep, corner);
        } else {
            return true;
        }
    }
}

static bool is_too_much(const keeper *keep)
{
    const wi_path_changes *c = &keep->k->changes;
    return c->count > c->place_count / MANY_CHANGES;
}

static bool advance(keeper *keep, double time)
{
    wi_kinetic *k = keep->k;
    keep->u->kinetic.changes += k->changes.count;
    look_from(keep, time);
    if (!k->is_set_up || time < k->time || is_too_much(keep)) return set_up(keep);
    return keep->u->def->events == WILLOW_EVENTS_STREAM ? advance_stream(keep, time)
                                                        : advance_batch(keep, time);
}

willow_result wi_kinetic_advance(wi_update *u)
{
    wi_hierarchy *h = u->h;
    wi_kinetic *k = &h->kinetic;
    const double time = u->mesh->moment.time;
    if (k->ends == NULL && !wi_kinetic_make(u->memory, h)) return WILLOW_OUT_OF_MEMORY;
    keeper keep = {.u = u, .h = h, .k = k};
    const uint64_t operations = k->queue.operations;
    if (!advance(&keep, time)) {
        wi_kinetic_free(u->memory, k);
        return WILLOW_OUT_OF_MEMORY;
    }
    u->kinetic.queue_ops += k->queue.operations - operations;
    k->most_events = k->queue.count > k->most_events ? k->queue.count : k->most_events;
    k->fresh_values += u->kinetic.values;
    k->time = time;
    wi_kinetic_clear_changes(k);
    return WILLOW_OK;
}

double wi_kinetic_width(const wi_hierarchy *h, double time)
{
    return (2.0 * h->height + 4.0) * wi_plan_slack(&h->mesh->plan, time);
}
