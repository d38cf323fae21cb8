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
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "update/certify.h"
#include "update/chords.h"

/* The first chooses all ends as they are in a keyframe, the second adds those to what is pending
 * that are not the ends there, and notes which are certain. */
extern wi_kinetic_with_key wi_kinetic_choose_scalar, wi_kinetic_choose_avx2;
extern wi_kinetic_with_key wi_kinetic_sweep_scalar, wi_kinetic_sweep_avx2;

typedef struct keeper {
    wi_update *u;
    wi_hierarchy *h;
    wi_kinetic *k;
    wi_outlook out;
    bool sweeps; /* all vertices are on keyframes, at each of which all ends are looked at */
} keeper;

static uint32_t item_count(const wi_kinetic *k) { return k->node_count + k->leaf_count; }

static void look_from(keeper *keep, double time)
{
    const wi_moment at = wi_plan_moment(&keep->h->mesh->plan, time);
    keep->out = wi_outlook_at(keep->h, &at, keep->u->def->search_keyframes);
}

/* No vertex of the item is beyond this one now, if nobody overtakes it: is that so until the next
 * keyframe? Of a node that has to be known of all vertices below, not only of those that are ends
 * now. */
static bool is_certain(const keeper *keep, uint32_t item, unsigned end, uint32_t place)
{
    const wi_kinetic *k = keep->k;
    if (!keep->sweeps) return false;
    if (item >= k->node_count) return true;
    const unsigned axis = end < 3 ? end : end - 3;
    const float *box = k->key_boxes[item];
    return keep->out.to[3 * (size_t)place + axis] == box[end < 3 ? axis : 4 + axis];
}

/* A vertex becomes an end; true if it is another one. */
static inline bool put_end(keeper *keep, uint32_t item, unsigned end, uint32_t place)
{
    wi_kinetic *k = keep->k;
    if (k->items[item].ends[end] == place) return false;
    k->items[item].ends[end] = place;
    if (k->lanes) k->lanes_key[k->items[item].parent] = 0;
    keep->u->kinetic.values++;
    return true;
}

static inline void note_certain(wi_kinetic *k, uint32_t item, unsigned end, bool is)
{
    const unsigned others = k->items[item].certain & ~(1U << end);
    k->items[item].certain = (uint8_t)(others | (unsigned)is << end);
}

/* Looks at one end of an item; *did_change if it is another vertex now. False for want of memory.
 */
static bool settle(keeper *keep, uint32_t item, unsigned end, bool *did_change)
{
    wi_kinetic *k = keep->k;
    const uint32_t slot = WI_ENDS * item + end;
    const wi_certificate c = wi_certify(&keep->out, item, end, k->items[item].ends[end]);
    const bool fails = c.failure < (double)INFINITY;
    keep->u->kinetic.checked++;
    keep->u->vertices_evaluated += c.rivals;
    *did_change = put_end(keep, item, end, c.place);
    note_certain(k, item, end, !fails && is_certain(keep, item, end, c.place));
    k->items[item].heirs[end] = keep->sweeps ? c.heir : WI_NO_HEIR;
    if (!fails) {
        wi_queue_remove(&k->queue, slot);
        return true;
    }
    if (!wi_queue_reserve(keep->u->memory, &k->queue, 1)) return false;
    wi_queue_set(&k->queue, slot, c.failure);
    return true;
}

/* The event of an end has come, and nothing else has happened to it: its heir takes over. */
static bool succeed(keeper *keep, uint32_t item, unsigned end)
{
    const uint32_t heir = keep->k->items[item].heirs[end];
    note_certain(keep->k, item, end, is_certain(keep, item, end, heir));
    return put_end(keep, item, end, heir);
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

/* ---- items to look at again ---- */

static void list_pending(wi_kinetic *k, uint32_t number)
{
    wi_kinetic_item *item = &k->items[number];
    if (item->check != 0 || item->due != 0) return;
    item->next = k->first_pending[item->depth];
    k->first_pending[item->depth] = number + 1;
}

void wi_kinetic_add_pending(wi_kinetic *k, uint32_t item, unsigned ends)
{
    list_pending(k, item);
    k->items[item].check = (uint8_t)(k->items[item].check | ends);
}

static void add_event(keeper *keep, const wi_event *event)
{
    wi_kinetic *k = keep->k;
    const uint32_t item = event->slot / WI_ENDS;
    keep->u->kinetic.events++;
    list_pending(k, item);
    k->items[item].due = (uint8_t)(k->items[item].due | 1U << event->slot % WI_ENDS);
}

/* Events that were in vain, and how far up changes have come; returns the latter. */
static uint8_t count_changes(keeper *keep, const wi_kinetic_item *was, unsigned changed)
{
    wi_kinetic *k = keep->k;
    for (unsigned in_vain = was->due & ~changed; in_vain != 0; in_vain &= in_vain - 1)
        keep->u->kinetic.internal++;
    if (changed == 0) return 0;
    const uint8_t rise = (uint8_t)(was->rise + 1);
    k->most_values = rise > k->most_values ? rise : k->most_values;
    return rise;
}

/* What an item waits for. Ends of its parent have to be looked at, too, where an end is another
 * vertex, or one with another path; unless nothing below can change them. */
static bool settle_pending(keeper *keep, uint32_t number)
{
    wi_kinetic *k = keep->k;
    wi_kinetic_item *item = &k->items[number];
    const wi_kinetic_item was = *item;
    unsigned above = 0, changed = 0;
    item->check = item->due = item->rise = 0;
    for (unsigned ends = was.check | was.due; ends != 0; ends &= ends - 1) {
        const unsigned end = (unsigned)__builtin_ctz(ends);
        bool did_change;
        if ((was.check >> end & 1) == 0 && was.heirs[end] != WI_NO_HEIR)
            did_change = succeed(keep, number, end);
        else if (!settle(keep, number, end, &did_change))
            return false;
        if (did_change) changed |= 1U << end;
        if (did_change || wi_kinetic_has_changed(k, item->ends[end])) above |= 1U << end;
    }
    const uint8_t rise = count_changes(keep, &was, changed);
    wi_kinetic_item *parent = &k->items[was.parent];
    above &= ~(unsigned)parent->certain;
    if (number == 0 || above == 0) return true;
    wi_kinetic_add_pending(k, was.parent, above);
    if (rise > parent->rise) parent->rise = rise;
    return true;
}

/* From the deepest up, each item once. */
static bool settle_all_pending(keeper *keep)
{
    wi_kinetic *k = keep->k;
    for (unsigned depth = keep->h->height + 1; depth-- > 0;)
        while (k->first_pending[depth] != 0) {
            const uint32_t item = k->first_pending[depth] - 1;
            k->first_pending[depth] = k->items[item].next;
            if (!settle_pending(keep, item)) return false;
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
            wi_kinetic_add_pending(k, k->node_count + c->leaves[at], (1U << WI_ENDS) - 1);
}

static void add_due(keeper *keep, double until)
{
    wi_event event;
    while (wi_queue_take_any(&keep->k->queue, until, &event)) add_event(keep, &event);
}

/* ---- keyframes ---- */

/* The next corner of all paths after a time, if certificates end there. */
static double corner_after(const keeper *keep, double time)
{
    const wi_plan *plan = &keep->h->mesh->plan;
    const wi_moment at = wi_plan_moment(plan, time);
    return keep->out.searches_keys ? (double)INFINITY : wi_plan_until(plan, &at);
}

static void with_key(keeper *keep, wi_kinetic_with_key *visit, uint32_t key)
{
    visit(keep->h, wi_plan_key(&keep->h->mesh->plan, key, 0));
    keep->u->kinetic.checked += (size_t)WI_ENDS * item_count(keep->k);
    keep->u->kinetic.swept += (size_t)WI_ENDS * item_count(keep->k);
}

/* At a keyframe, after which `out` looks. All ends are true for it. */
static bool look_at_next_key(keeper *keep)
{
    if (!keep->sweeps) return settle_everything(keep);
    with_key(keep, WI_KERNELS_FOR(keep->u->kernel, kinetic_sweep), keep->out.at.to);
    return true;
}

/* From nothing. On keyframes that is the last one, and on from there. */
static bool begin(keeper *keep)
{
    wi_kinetic *k = keep->k;
    const size_t values = keep->u->kinetic.values;
    wi_queue_clear(&k->queue);
    if (keep->sweeps) {
        with_key(keep, WI_KERNELS_FOR(keep->u->kernel, kinetic_choose), keep->out.at.from);
        if (k->lanes) memset(k->lanes_key, 0, k->node_count * sizeof *k->lanes_key);
        if (!look_at_next_key(keep) || !settle_all_pending(keep)) return false;
    } else {
        for (uint32_t item = 0; item < item_count(k); item++)
            for (unsigned end = 0; end < WI_ENDS; end++) k->items[item].ends[end] = UINT32_MAX;
        if (!settle_everything(keep)) return false;
    }
    keep->u->kinetic.values = values; /* these were not changed, but made */
    return true;
}

static bool set_up(keeper *keep)
{
    keep->u->kinetic.setups++;
    keep->k->is_set_up = begin(keep);
    return keep->k->is_set_up;
}

/* ---- a step ---- */

/* Over a keyframe: to it, and on from there. Who leaps over several has to begin anew. */
static bool turn_corner(keeper *keep, double corner, double time)
{
    if (corner_after(keep, corner) <= time) return begin(keep);
    look_from(keep, corner);
    add_due(keep, corner);
    if (!settle_all_pending(keep) || !look_at_next_key(keep)) return false;
    look_from(keep, time);
    return true;
}

static bool advance_batch(keeper *keep, double time)
{
    const double corner = corner_after(keep, keep->k->time);
    add_changed(keep);
    if (corner <= time && !turn_corner(keep, corner, time)) return false;
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
    return look_at_next_key(keep) && settle_all_pending(keep);
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

bool wi_kinetic_begins_anew(const wi_hierarchy *h)
{
    if (h->kinetic.chords.from) return wi_chords_begin_anew(h);
    const wi_kinetic *k = &h->kinetic;
    return !k->is_set_up || h->mesh->moment.time < k->time ||
           wi_plan_waits(&h->mesh->plan, k->time) || wi_kinetic_has_many_changes(k);
}

static bool advance(keeper *keep, double time)
{
    wi_kinetic *k = keep->k;
    keep->u->kinetic.changes += k->changes.count;
    look_from(keep, time);
    keep->sweeps = keep->h->mesh->plan.rays == NULL && !keep->out.searches_keys;
    if (!keep->sweeps && k->knows_certain)
        for (uint32_t item = 0; item < item_count(k); item++) k->items[item].certain = 0;
    k->knows_certain = keep->sweeps;
    if (wi_kinetic_begins_anew(keep->h)) return set_up(keep);
    return keep->u->def->events == WILLOW_EVENTS_STREAM ? advance_stream(keep, time)
                                                        : advance_batch(keep, time);
}

/* See certify.h. */
static double width_at(const wi_hierarchy *h, double time)
{
    return (2.0 * h->height + 4.0) * wi_plan_slack(&h->mesh->plan, time);
}

willow_result wi_kinetic_advance(wi_update *u)
{
    wi_hierarchy *h = u->h;
    wi_kinetic *k = &h->kinetic;
    const double time = u->mesh->moment.time;
    if (k->items == NULL && !wi_kinetic_make(u->memory, h)) return WILLOW_OUT_OF_MEMORY;
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
    k->width = width_at(h, time);
    wi_kinetic_clear_changes(k);
    return WILLOW_OK;
}
