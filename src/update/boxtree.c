/* boxtree.c - events: vertices overtake each other, and planes get other holders.
 *
 * Way in: wi_boxtree_advance. A step is made as in kinetic.c: in a batch all parts whose events
 * come in it are looked at once, at its end, from the deepest up; in a stream one by one at their
 * own times; and at keyframes, where all paths have corners, every part is. A part that has another
 * holder tells the next part above that has the same end. There the two holders are compared
 * (`meet`); a search is made where that decides nothing. With `exact_events` there always is one:
 * events are then as late as they can be, at the cost of a search for each. */
#include "update/boxtree.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "update/kinetic.h"
#include "update/outward.h"

/* Handovers without a search, each of which may lose an eighth of the slack. */
enum { MOST_HANDOVERS = 8 };

typedef struct keeper {
    wi_update *u;
    wi_hierarchy *h;
    wi_kinetic *k;
    wi_boxtree *b;
    wi_outlook out;
    bool sweeps;   /* all vertices are on keyframes */
    bool is_exact; /* a search for every change */
    bool is_whole; /* all parts are being looked at: nobody needs to be told */
} keeper;

static void look_from(keeper *keep, double time)
{
    const wi_moment at = wi_plan_moment(&keep->h->mesh->plan, time);
    keep->out = wi_outlook_at(keep->h, &at, false);
}

/* ---- parts that wait ---- */

/* At equal times the deepest come first. */
static uint32_t slot_of(const keeper *keep, uint32_t part)
{
    return wi_boxtree_part_count(keep->b) - 1 - part;
}

static void add_waiting(keeper *keep, uint32_t number, unsigned flag)
{
    wi_boxtree *b = keep->b;
    b->parts[number].flags = (uint8_t)(b->parts[number].flags | flag);
    if (number < WI_ROOT_PARTS) {
        b->root_waits = (uint8_t)(b->root_waits | 1U << number);
        return;
    }
    const uint32_t node = (number - WI_ROOT_PARTS) / b->stride;
    wi_knot *knot = &b->knots[node];
    if (knot->parts == 0) {
        knot->next = keep->k->first_pending[knot->depth];
        keep->k->first_pending[knot->depth] = node + 1;
    }
    knot->parts = (uint16_t)(knot->parts | 1U << (number - WI_ROOT_PARTS) % b->stride);
}

static void add_event(keeper *keep, const wi_event *event)
{
    keep->u->kinetic.events++;
    add_waiting(keep, slot_of(keep, event->slot), WI_PART_DUE);
}

static void add_due(keeper *keep, double until)
{
    wi_event event;
    while (wi_queue_take_any(&keep->k->queue, until, &event)) add_event(keep, &event);
}

/* ---- one part ---- */

static bool set_event(keeper *keep, uint32_t number, double when)
{
    wi_event_queue *queue = &keep->k->queue;
    const uint32_t slot = slot_of(keep, number);
    if (!(when < (double)INFINITY)) {
        wi_queue_remove(queue, slot);
        return true;
    }
    if (!wi_queue_reserve(keep->u->memory, queue, 1)) return false;
    wi_queue_set(queue, slot, when);
    return true;
}

static double event_of(const keeper *keep, uint32_t number)
{
    return wi_queue_time(&keep->k->queue, slot_of(keep, number));
}

static void set_flag(wi_box_part *part, unsigned flag, bool is)
{
    part->flags = (uint8_t)((part->flags & ~flag) | (is ? flag : 0));
}

static void set_heir(wi_box_part *part, uint32_t heir, double second)
{
    part->heir = heir;
    part->second = second < (double)INFINITY ? wi_float_below(second) : INFINITY;
}

/* Another vertex holds the plane: what is above has to hear of it. */
static void put(keeper *keep, uint32_t number, uint32_t place)
{
    wi_box_part *part = &keep->b->parts[number];
    if (part->place == place) return;
    part->place = place;
    keep->u->kinetic.values++;
    if (!keep->is_whole) add_waiting(keep, number, WI_PART_TOLD);
}

/* False for want of memory. */
static bool search(keeper *keep, uint32_t number)
{
    wi_box_part *part = &keep->b->parts[number];
    const wi_found found = wi_boxtree_search(&keep->out, number, part->place,
                                             keep->is_whole && part->place != UINT32_MAX);
    keep->u->kinetic.checked++;
    keep->u->vertices_evaluated += found.seen;
    if ((part->flags & WI_PART_DUE) != 0 && part->place == found.place) keep->u->kinetic.internal++;
    set_flag(part, WI_PART_DUE | WI_PART_SEARCH, false);
    put(keep, number, found.place);
    set_flag(part, WI_PART_CERTAIN, found.is_certain);
    set_flag(part, WI_PART_HEIR_CERTAIN, found.is_heir_certain);
    set_heir(part, keep->is_exact ? WI_NO_HEIR : found.heir, found.second);
    part->handovers = 0;
    return set_event(keep, number, found.failure);
}

/* The holder gives the plane to one who is ahead of it, if only by a rounding. Others stay behind
 * it until `until`, and so behind the other while that one is ahead. False if that cannot be, or
 * for want of memory: a search has to be made. */
static bool hand_over(keeper *keep, uint32_t number, const wi_rider *from, const wi_rider *to,
                      double until)
{
    wi_box_part *part = &keep->b->parts[number];
    if (to->x < from->x - 0.125 * keep->out.slack || part->handovers == MOST_HANDOVERS)
        return false;
    const double back = wi_rider_overtakes(&keep->out, from, to);
    if (!set_event(keep, number, back < until ? back : until)) return false;
    set_flag(part, WI_PART_DUE, false);
    set_heir(part, WI_NO_HEIR, (double)INFINITY);
    part->handovers++;
    put(keep, number, to->place);
    return true;
}

/* The event of a part has come: its heir takes over, if it still can. */
static bool succeed(keeper *keep, uint32_t number)
{
    wi_box_part *part = &keep->b->parts[number];
    if (part->heir == WI_NO_HEIR || !((double)part->second > keep->out.at.time) ||
        wi_kinetic_has_changed(keep->k, part->place) || wi_kinetic_has_changed(keep->k, part->heir))
        return false;
    const bool is_certain = (part->flags & WI_PART_HEIR_CERTAIN) != 0;
    const wi_rider from = wi_rider_of(&keep->out, part->end, part->place);
    const wi_rider to = wi_rider_of(&keep->out, part->end, part->heir);
    const double until = is_certain ? (double)INFINITY : (double)part->second;
    keep->u->kinetic.checked++;
    keep->u->vertices_evaluated += 2;
    if (!hand_over(keep, number, &from, &to, until)) return false;
    set_flag(part, WI_PART_CERTAIN, is_certain);
    set_flag(part, WI_PART_HEIR_CERTAIN, false);
    return true;
}

/* Somebody has become a rival of the holder, or has a new path: compares the two. False for want of
 * memory. */
static bool meet(keeper *keep, uint32_t number, uint32_t place)
{
    wi_box_part *part = &keep->b->parts[number];
    const double slack = keep->out.slack;
    const wi_rider lead = wi_rider_of(&keep->out, part->end, part->place);
    const wi_rider rival = wi_rider_of(&keep->out, part->end, place);
    const double event = event_of(keep, number);
    keep->u->kinetic.checked++;
    keep->u->vertices_evaluated += 2;
    const bool leads = wi_rider_leads(&rival, &lead, part->place);
    if (rival.x > lead.x || (rival.x == lead.x && leads)) {
        if (!hand_over(keep, number, &lead, &rival, event))
            add_waiting(keep, number, WI_PART_SEARCH);
        return true;
    }
    if (rival.x >= lead.x - slack && leads) {
        add_waiting(keep, number, WI_PART_SEARCH);
        return true;
    }
    const double when = wi_rider_overtakes(&keep->out, &rival, &lead);
    if (when < event) {
        set_heir(part, rival.a >= lead.a ? place : WI_NO_HEIR, event);
        set_flag(part, WI_PART_HEIR_CERTAIN, false);
        return set_event(keep, number, when);
    }
    if (part->heir != WI_NO_HEIR && part->heir != place && when < (double)part->second)
        set_heir(part, part->heir, when);
    return true;
}

/* A part hears of a vertex below it that holds a plane now, or has a new path. */
static bool tell(keeper *keep, uint32_t number, uint32_t place)
{
    wi_box_part *part = &keep->b->parts[number];
    if ((part->flags & (WI_PART_CERTAIN | WI_PART_SEARCH)) != 0) return true;
    const bool is_new = wi_kinetic_has_changed(keep->k, part->place);
    if (part->place == place && !is_new) return true;
    const bool is_due = (part->flags & WI_PART_DUE) != 0;
    if (is_new || keep->is_exact || (is_due && !succeed(keep, number))) {
        add_waiting(keep, number, WI_PART_SEARCH);
        return true;
    }
    const bool is_known = part->heir == place && !wi_kinetic_has_changed(keep->k, place);
    return is_known || part->place == place || meet(keep, number, place);
}

/* ---- all that wait ---- */

/* The next part above with the same end. */
static uint32_t above_of(const keeper *keep, uint32_t number)
{
    const wi_boxtree *b = keep->b;
    const uint32_t node = (number - WI_ROOT_PARTS) / b->stride;
    const unsigned local = (number - WI_ROOT_PARTS) % b->stride;
    return wi_boxtree_above(keep->h, node, wi_part_shapes[keep->h->views[node].count][local].above,
                            b->parts[number].end);
}

static bool settle(keeper *keep, uint32_t number)
{
    wi_kinetic *k = keep->k;
    wi_box_part *part = &keep->b->parts[number];
    const bool is_due = (part->flags & WI_PART_DUE) != 0;
    if ((part->flags & WI_PART_SEARCH) != 0 || (is_due && !succeed(keep, number)))
        if (!search(keep, number)) return false;
    const bool is_told = (part->flags & WI_PART_TOLD) != 0;
    const uint8_t rise = (uint8_t)(part->rise + 1);
    set_flag(part, WI_PART_WAITS, false);
    part->rise = 0;
    if (is_told && rise > k->most_values) k->most_values = rise;
    if (number < WI_ROOT_PARTS || !(is_told || wi_kinetic_has_changed(k, part->place))) return true;
    const uint32_t above = above_of(keep, number);
    if (is_told && rise > keep->b->parts[above].rise) keep->b->parts[above].rise = rise;
    if (!tell(keep, above, part->place)) return false;
    if ((keep->b->parts[above].flags & WI_PART_WAITS) == 0) keep->b->parts[above].rise = 0;
    return true;
}

static bool settle_node(keeper *keep, uint32_t node)
{
    wi_knot *knot = &keep->b->knots[node];
    while (knot->parts != 0) {
        const unsigned local = 31U - (unsigned)__builtin_clz(knot->parts);
        if (!settle(keep, wi_boxtree_first(keep->b, node) + local)) return false;
        knot->parts = (uint16_t)(knot->parts & ~(1U << local));
    }
    return true;
}

/* From the deepest up, each part once. */
static bool settle_all(keeper *keep)
{
    wi_kinetic *k = keep->k;
    for (unsigned depth = keep->h->height + 1; depth-- > 0;)
        while (k->first_pending[depth] != 0) {
            const uint32_t node = k->first_pending[depth] - 1;
            k->first_pending[depth] = keep->b->knots[node].next;
            if (!settle_node(keep, node)) return false;
        }
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        if ((keep->b->root_waits >> end & 1) != 0 && !settle(keep, end)) return false;
    keep->b->root_waits = 0;
    return true;
}

/* A vertex below a part has another path. It may hold its plane, or be its heir, even where it is
 * no rival any more; if it is one, the part is told. */
static bool tell_of_change(keeper *keep, uint32_t number, uint32_t place, bool is_rival)
{
    wi_box_part *part = &keep->b->parts[number];
    if (part->heir == place) set_heir(part, WI_NO_HEIR, (double)INFINITY);
    if (is_rival) return tell(keep, number, place);
    if (part->place == place) add_waiting(keep, number, WI_PART_SEARCH);
    return true;
}

/* All parts above a leaf of such a vertex. It is a rival in the first ones for each of six ends. */
static bool add_change_in(keeper *keep, uint32_t leaf, uint32_t place)
{
    const wi_hierarchy *h = keep->h;
    const wi_boxtree *b = keep->b;
    unsigned ends = (1U << WI_ROOT_PARTS) - 1;
    uint32_t node = b->leaf_node[leaf];
    unsigned local = wi_boxtree_leaf_part(h, leaf);
    for (;;) {
        const wi_view *view = &h->views[node];
        for (; local != WI_NO_PART; local = wi_part_shapes[view->count][local].above) {
            const uint32_t number = wi_boxtree_first(b, node) + local;
            const unsigned end = b->parts[number].end;
            if (!tell_of_change(keep, number, place, (ends >> end & 1) != 0)) return false;
            ends &= ~(1U << end);
        }
        if (node == 0) break;
        node = view->parent;
        local = wi_lane_parts[h->views[node].count][view->parent_lane];
    }
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        if (!tell_of_change(keep, end, place, (ends >> end & 1) != 0)) return false;
    return true;
}

static bool add_changed(keeper *keep)
{
    const wi_path_changes *c = &keep->k->changes;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t at = c->first_leaf[c->places[i]]; at < c->first_leaf[c->places[i] + 1]; at++)
            if (!add_change_in(keep, c->leaves[at], c->places[i])) return false;
    return true;
}

/* ---- all parts ---- */

/* Unless it is certain: there is no event then, and no heir. */
static bool search_or_rest(keeper *keep, uint32_t number)
{
    wi_box_part *part = &keep->b->parts[number];
    if ((part->flags & WI_PART_CERTAIN) == 0) return search(keep, number);
    set_heir(part, WI_NO_HEIR, (double)INFINITY);
    wi_queue_remove(&keep->k->queue, slot_of(keep, number));
    return true;
}

/* What is above a part comes before it, so a backward sweep is from the deepest up. */
static bool search_all(keeper *keep)
{
    keep->is_whole = true;
    for (uint32_t node = keep->b->node_count; node-- > 0;)
        for (unsigned i = wi_parts_of(keep->h->views[node].count); i-- > 0;)
            if (!search_or_rest(keep, wi_boxtree_first(keep->b, node) + i)) return false;
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        if (!search_or_rest(keep, end)) return false;
    keep->is_whole = false;
    return true;
}

/* At a keyframe, after which `out` looks. All planes are true for it. */
static bool look_at_next_key(keeper *keep)
{
    if (keep->sweeps) {
        if (!wi_boxtree_make_boxes(keep->u->memory, keep->b)) return false;
        WI_KERNELS_FOR(keep->u->kernel, boxtree_compare)(keep->h, keep->out.at.to);
        keep->u->kinetic.checked += wi_boxtree_part_count(keep->b);
        keep->u->kinetic.swept += wi_boxtree_part_count(keep->b);
    }
    return search_all(keep);
}

static void forget_all(keeper *keep)
{
    wi_boxtree *b = keep->b;
    wi_queue_clear(&keep->k->queue);
    b->boxes_key = UINT32_MAX;
    for (uint32_t i = 0; i < wi_boxtree_part_count(b); i++)
        b->parts[i] =
            (wi_box_part){.place = UINT32_MAX, .heir = WI_NO_HEIR, .end = b->parts[i].end};
}

/* From nothing, at the moment of `out`. */
static bool begin(keeper *keep)
{
    const size_t values = keep->u->kinetic.values;
    if (!wi_boxtree_make_boxes(keep->u->memory, keep->b)) return false;
    forget_all(keep);
    wi_boxtree_choose_ends(keep->h, &keep->out.at);
    if (!search_all(keep)) return false;
    if (keep->sweeps && !look_at_next_key(keep)) return false;
    if (!keep->sweeps) wi_boxtree_free_boxes(keep->u->memory, keep->b);
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

/* The next corner of all paths after a time. */
static double corner_after(const keeper *keep, double time)
{
    const wi_plan *plan = &keep->h->mesh->plan;
    const wi_moment at = wi_plan_moment(plan, time);
    return wi_plan_until(plan, &at);
}

/* Over a keyframe: to it, and on from there. Who leaps over several has to begin anew. */
static bool turn_corner(keeper *keep, double corner, double time)
{
    if (corner_after(keep, corner) <= time) return begin(keep);
    look_from(keep, corner);
    add_due(keep, corner);
    if (!settle_all(keep) || !look_at_next_key(keep)) return false;
    look_from(keep, time);
    return true;
}

static bool advance_batch(keeper *keep, double time)
{
    const double corner = corner_after(keep, keep->k->time);
    if (corner <= time && !turn_corner(keep, corner, time)) return false;
    add_due(keep, time);
    return add_changed(keep) && settle_all(keep);
}

static bool run_event(keeper *keep, const wi_event *event)
{
    look_from(keep, event->time);
    add_event(keep, event);
    return settle_all(keep);
}

static bool run_corner(keeper *keep, double time)
{
    look_from(keep, time);
    return look_at_next_key(keep);
}

static bool advance_stream(keeper *keep, double time)
{
    enum {
        FEW_LEAVES = 64
    }; /* so small a tree is looked at after every event, in checked builds */
    wi_kinetic *k = keep->k;
    wi_event event;
    look_from(keep, k->time);
    if (!add_changed(keep) || !settle_all(keep)) return false;
    wi_kinetic_clear_changes(k);
    double corner = corner_after(keep, k->time);
    for (;;) {
        const double until = corner < time ? corner : time;
        if (wi_queue_take(&k->queue, until, &event)) {
            if (!run_event(keep, &event)) return false;
            WI_ASSERT_SLOW(keep->h->leaf_count > FEW_LEAVES ||
                           wi_boxtree_check(keep->h, &keep->out.at) == NULL);
        } else if (corner <= time) {
            if (!run_corner(keep, corner)) return false;
            corner = corner_after(keep, corner);
        } else {
            return true;
        }
    }
}

static bool advance(keeper *keep, double time)
{
    wi_kinetic *k = keep->k;
    keep->u->kinetic.changes += k->changes.count;
    look_from(keep, time);
    keep->sweeps = keep->h->mesh->plan.rays == NULL;
    if (!keep->sweeps && k->knows_certain) {
        for (uint32_t i = 0; i < wi_boxtree_part_count(keep->b); i++)
            set_flag(&keep->b->parts[i], WI_PART_CERTAIN | WI_PART_HEIR_CERTAIN, false);
        wi_boxtree_free_boxes(keep->u->memory, keep->b);
    }
    k->knows_certain = keep->sweeps;
    if (wi_kinetic_begins_anew(keep->h)) return set_up(keep);
    return keep->u->def->events == WILLOW_EVENTS_STREAM ? advance_stream(keep, time)
                                                        : advance_batch(keep, time);
}

willow_result wi_boxtree_advance(wi_update *u)
{
    wi_hierarchy *h = u->h;
    wi_kinetic *k = &h->kinetic;
    const double time = u->mesh->moment.time;
    if (k->box.parts == NULL && !wi_boxtree_make(u->memory, h)) return WILLOW_OUT_OF_MEMORY;
    keeper keep = {.u = u, .h = h, .k = k, .b = &k->box, .is_exact = u->def->exact_events};
    const uint64_t operations = k->queue.operations;
    if (!advance(&keep, time)) {
        wi_kinetic_free(u->memory, k);
        return WILLOW_OUT_OF_MEMORY;
    }
    u->kinetic.queue_ops += k->queue.operations - operations;
    k->most_events = k->queue.count > k->most_events ? k->queue.count : k->most_events;
    k->fresh_values += u->kinetic.values;
    k->time = time;
    k->width = wi_boxtree_width(h, time);
    wi_kinetic_clear_changes(k);
    return WILLOW_OK;
}
