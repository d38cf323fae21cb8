/* boxtree.c - events: vertices overtake each other, and planes get other holders.
 *
 * Way in: wi_boxtree_advance. When events are handled, and in which order, is in event_loop.h. A
 * part that has another holder tells the next part above that has the same end. There the two
 * holders are compared (`meet`); a search is made where that decides nothing. With `exact_events`
 * there always is one: events are then as late as they can be, at the cost of a search for each. */
#include "update/kinetic/boxtree.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "geom/outward.h"
#include "update/kinetic/event_loop.h"

/* Handovers without a search, each of which may lose an eighth of the slack. */
enum { MOST_HANDOVERS = 8 };

/* ---- parts that wait ---- */

/* At equal times the deepest come first. */
static uint32_t slot_of(const wi_event_loop *s, uint32_t part)
{
    WI_ASSERT(part < wi_boxtree_part_count(&s->k->box));
    return wi_boxtree_part_count(&s->k->box) - 1 - part;
}

static void add_waiting(wi_event_loop *s, uint32_t number, unsigned flag)
{
    wi_boxtree *b = &s->k->box;
    b->parts[number].flags = (uint8_t)(b->parts[number].flags | flag);
    if (number < WI_ROOT_PARTS) {
        b->root_waits = (uint8_t)(b->root_waits | 1U << number);
        return;
    }
    WI_ASSERT(number < wi_boxtree_part_count(b) && b->stride <= WI_MOST_PARTS);
    const uint32_t node = (number - WI_ROOT_PARTS) / b->stride;
    wi_knot *knot = &b->knots[node];
    if (knot->parts == 0) {
        knot->next = s->k->first_pending[knot->depth];
        s->k->first_pending[knot->depth] = node + 1;
    }
    knot->parts = (uint16_t)(knot->parts | 1U << (number - WI_ROOT_PARTS) % b->stride);
}

static void boxtree_add_event(wi_event_loop *s, uint32_t slot)
{
    add_waiting(s, slot_of(s, slot), WI_PART_DUE);
}

/* ---- one part ---- */

static bool boxtree_set_event(wi_event_loop *s, uint32_t number, double when)
{
    return wi_event_loop_set_event(s, slot_of(s, number), when);
}

static double event_of(const wi_event_loop *s, uint32_t number)
{
    return wi_queue_time(&s->k->queue, slot_of(s, number));
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
static void boxtree_put(wi_event_loop *s, uint32_t number, uint32_t place)
{
    wi_box_part *part = &s->k->box.parts[number];
    WI_ASSERT(place < s->h->mesh->vertex_count);
    if (part->place == place) return;
    part->place = place;
    s->u->kinetic.values++;
    if (!s->is_whole) add_waiting(s, number, WI_PART_TOLD);
}

/* False for want of memory. */
static bool search(wi_event_loop *s, uint32_t number)
{
    wi_box_part *part = &s->k->box.parts[number];
    const wi_found found =
        wi_boxtree_search(&s->out, number, part->place, s->is_whole && part->place != UINT32_MAX);
    s->u->kinetic.checked++;
    s->u->vertices_evaluated += found.seen;
    if ((part->flags & WI_PART_DUE) != 0 && part->place == found.place) s->u->kinetic.internal++;
    set_flag(part, WI_PART_DUE | WI_PART_SEARCH, false);
    boxtree_put(s, number, found.place);
    set_flag(part, WI_PART_CERTAIN, found.is_certain);
    set_flag(part, WI_PART_HEIR_CERTAIN, found.is_heir_certain);
    set_heir(part, s->u->def->exact_events ? WI_NO_HEIR : found.heir, found.second);
    part->handovers = 0;
    return boxtree_set_event(s, number, found.failure);
}

/* The holder gives the plane to one who is ahead of it, if only by a rounding. Others stay behind
 * it until `until`, and so behind the other while that one is ahead. False if that cannot be, or
 * for want of memory: a search has to be made. */
static bool hand_over(wi_event_loop *s, uint32_t number, const wi_rider *from, const wi_rider *to,
                      double until)
{
    wi_box_part *part = &s->k->box.parts[number];
    WI_ASSERT(part->place == from->place && part->handovers <= MOST_HANDOVERS);
    if (to->x < from->x - 0.125 * s->out.slack || part->handovers == MOST_HANDOVERS) return false;
    const double back = wi_rider_overtakes(&s->out, from, to);
    if (!boxtree_set_event(s, number, back < until ? back : until)) return false;
    set_flag(part, WI_PART_DUE, false);
    set_heir(part, WI_NO_HEIR, (double)INFINITY);
    part->handovers++;
    boxtree_put(s, number, to->place);
    return true;
}

/* The event of a part has come: its heir takes over, if it still can. */
static bool boxtree_succeed(wi_event_loop *s, uint32_t number)
{
    wi_box_part *part = &s->k->box.parts[number];
    if (part->heir == WI_NO_HEIR || !((double)part->second > s->out.at.time) ||
        wi_kinetic_has_changed(s->k, part->place) || wi_kinetic_has_changed(s->k, part->heir))
        return false;
    const bool is_certain = (part->flags & WI_PART_HEIR_CERTAIN) != 0;
    const wi_rider from = wi_rider_of(&s->out, part->end, part->place);
    const wi_rider to = wi_rider_of(&s->out, part->end, part->heir);
    const double until = is_certain ? (double)INFINITY : (double)part->second;
    s->u->kinetic.checked++;
    s->u->vertices_evaluated += 2;
    if (!hand_over(s, number, &from, &to, until)) return false;
    set_flag(part, WI_PART_CERTAIN, is_certain);
    set_flag(part, WI_PART_HEIR_CERTAIN, false);
    return true;
}

/* Somebody has become a rival of the holder, or has a new path: compares the two. False for want of
 * memory. */
static bool meet(wi_event_loop *s, uint32_t number, uint32_t place)
{
    wi_box_part *part = &s->k->box.parts[number];
    const double slack = s->out.slack;
    const wi_rider lead = wi_rider_of(&s->out, part->end, part->place);
    const wi_rider rival = wi_rider_of(&s->out, part->end, place);
    const double event = event_of(s, number);
    s->u->kinetic.checked++;
    s->u->vertices_evaluated += 2;
    const bool leads = wi_rider_leads(&rival, &lead, part->place);
    if (rival.x > lead.x || (rival.x == lead.x && leads)) {
        if (!hand_over(s, number, &lead, &rival, event)) add_waiting(s, number, WI_PART_SEARCH);
        return true;
    }
    if (rival.x >= lead.x - slack && leads) {
        add_waiting(s, number, WI_PART_SEARCH);
        return true;
    }
    const double when = wi_rider_overtakes(&s->out, &rival, &lead);
    if (when < event) {
        set_heir(part, rival.a >= lead.a ? place : WI_NO_HEIR, event);
        set_flag(part, WI_PART_HEIR_CERTAIN, false);
        return boxtree_set_event(s, number, when);
    }
    if (part->heir != WI_NO_HEIR && part->heir != place && when < (double)part->second)
        set_heir(part, part->heir, when);
    return true;
}

/* A part hears of a vertex below it that holds a plane now, or has a new path. */
static bool tell(wi_event_loop *s, uint32_t number, uint32_t place)
{
    wi_box_part *part = &s->k->box.parts[number];
    if ((part->flags & (WI_PART_CERTAIN | WI_PART_SEARCH)) != 0) return true;
    const bool is_new = wi_kinetic_has_changed(s->k, part->place);
    if (part->place == place && !is_new) return true;
    const bool is_due = (part->flags & WI_PART_DUE) != 0;
    if (is_new || s->u->def->exact_events || (is_due && !boxtree_succeed(s, number))) {
        add_waiting(s, number, WI_PART_SEARCH);
        return true;
    }
    const bool is_known = part->heir == place && !wi_kinetic_has_changed(s->k, place);
    return is_known || part->place == place || meet(s, number, place);
}

/* ---- all that wait ---- */

/* The next part above with the same end. */
static uint32_t above_of(const wi_event_loop *s, uint32_t number)
{
    WI_ASSERT(number >= WI_ROOT_PARTS);
    const wi_boxtree *b = &s->k->box;
    const uint32_t node = (number - WI_ROOT_PARTS) / b->stride;
    const unsigned local = (number - WI_ROOT_PARTS) % b->stride;
    return wi_boxtree_above(s->h, node, wi_part_shapes[s->h->boxes.nodes[node].count][local].above,
                            b->parts[number].end);
}

static bool boxtree_settle(wi_event_loop *s, uint32_t number)
{
    wi_kinetic *k = s->k;
    wi_box_part *part = &s->k->box.parts[number];
    const bool is_due = (part->flags & WI_PART_DUE) != 0;
    if ((part->flags & WI_PART_SEARCH) != 0 || (is_due && !boxtree_succeed(s, number)))
        if (!search(s, number)) return false;
    const bool is_told = (part->flags & WI_PART_TOLD) != 0;
    const uint8_t rise = (uint8_t)(part->rise + 1);
    set_flag(part, WI_PART_WAITS, false);
    part->rise = 0;
    if (is_told && rise > s->u->kinetic.most_values) s->u->kinetic.most_values = rise;
    if (number < WI_ROOT_PARTS || !(is_told || wi_kinetic_has_changed(k, part->place))) return true;
    const uint32_t above = above_of(s, number);
    WI_ASSERT(above < number); /* what is above comes before */
    if (is_told && rise > s->k->box.parts[above].rise) s->k->box.parts[above].rise = rise;
    if (!tell(s, above, part->place)) return false;
    if ((s->k->box.parts[above].flags & WI_PART_WAITS) == 0) s->k->box.parts[above].rise = 0;
    return true;
}

static bool settle_node(wi_event_loop *s, uint32_t node)
{
    wi_knot *knot = &s->k->box.knots[node];
    while (knot->parts != 0) {
        const unsigned local = 31U - (unsigned)__builtin_clz(knot->parts);
        if (!boxtree_settle(s, wi_boxtree_first(&s->k->box, node) + local)) return false;
        knot->parts = (uint16_t)(knot->parts & ~(1U << local));
    }
    return true;
}

static bool boxtree_settle_depth(wi_event_loop *s, unsigned depth)
{
    wi_kinetic *k = s->k;
    while (k->first_pending[depth] != 0) {
        const uint32_t node = k->first_pending[depth] - 1;
        WI_ASSERT(node < k->box.node_count && k->box.knots[node].depth == depth);
        k->first_pending[depth] = k->box.knots[node].next;
        if (!settle_node(s, node)) return false;
    }
    return true;
}

static bool settle_root(wi_event_loop *s)
{
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        if ((s->k->box.root_waits >> end & 1) != 0 && !boxtree_settle(s, end)) return false;
    s->k->box.root_waits = 0;
    return true;
}

/* A vertex below a part has another path. It may hold its plane, or be its heir, even where it is
 * no rival any more; if it is one, the part is told. */
static bool tell_of_change(wi_event_loop *s, uint32_t number, uint32_t place, bool is_rival)
{
    wi_box_part *part = &s->k->box.parts[number];
    if (part->heir == place) set_heir(part, WI_NO_HEIR, (double)INFINITY);
    if (is_rival) return tell(s, number, place);
    if (part->place == place) add_waiting(s, number, WI_PART_SEARCH);
    return true;
}

/* All parts above a leaf of such a vertex. It is a rival in the first ones for each of six ends. */
static bool add_change_in(wi_event_loop *s, uint32_t leaf, uint32_t place)
{
    const wi_tree *h = s->h;
    const wi_boxtree *b = &s->k->box;
    unsigned ends = (1U << WI_ROOT_PARTS) - 1;
    uint32_t node = b->leaf_node[leaf];
    unsigned local = wi_boxtree_leaf_part(h, leaf);
    for (;;) {
        const wi_node *view = &h->boxes.nodes[node];
        for (; local != WI_NO_PART; local = wi_part_shapes[view->count][local].above) {
            const uint32_t number = wi_boxtree_first(b, node) + local;
            const unsigned end = b->parts[number].end;
            if (!tell_of_change(s, number, place, (ends >> end & 1) != 0)) return false;
            ends &= ~(1U << end);
        }
        if (node == 0) break;
        node = view->parent;
        local = wi_lane_parts[h->boxes.nodes[node].count][view->parent_lane];
    }
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        if (!tell_of_change(s, end, place, (ends >> end & 1) != 0)) return false;
    return true;
}

static bool boxtree_add_changed(wi_event_loop *s)
{
    const wi_path_changes *c = &s->k->changes;
    WI_ASSERT(c->count == 0 || c->first_leaf);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t at = c->first_leaf[c->places[i]]; at < c->first_leaf[c->places[i] + 1]; at++)
            if (!add_change_in(s, c->leaves[at], c->places[i])) return false;
    return true;
}

/* ---- all parts ---- */

/* Unless it is certain: there is no event then, and no heir. */
static bool search_or_rest(wi_event_loop *s, uint32_t number)
{
    wi_box_part *part = &s->k->box.parts[number];
    if ((part->flags & WI_PART_CERTAIN) == 0) return search(s, number);
    set_heir(part, WI_NO_HEIR, (double)INFINITY);
    wi_queue_remove(&s->k->queue, slot_of(s, number));
    return true;
}

/* What is above a part comes before it, so a backward sweep is from the deepest up. */
static bool search_all(wi_event_loop *s)
{
    for (uint32_t node = s->k->box.node_count; node-- > 0;)
        for (unsigned i = wi_parts_of(s->h->boxes.nodes[node].count); i-- > 0;)
            if (!search_or_rest(s, wi_boxtree_first(&s->k->box, node) + i)) return false;
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        if (!search_or_rest(s, end)) return false;
    return true;
}

/* All planes are true for the keyframe. */
static bool boxtree_look_at_next_key(wi_event_loop *s)
{
    if (s->sweeps) {
        if (!wi_boxtree_make_boxes(s->u->memory, &s->k->box)) return false;
        WI_KERNELS_FOR(s->u->kernel, boxtree_compare)(s->h, s->out.at.to);
        wi_event_loop_count_sweep(s, wi_boxtree_part_count(&s->k->box));
    }
    return search_all(s);
}

static void forget_all(wi_event_loop *s)
{
    wi_boxtree *b = &s->k->box;
    wi_queue_clear(&s->k->queue);
    b->boxes_key = UINT32_MAX;
    for (uint32_t i = 0; i < wi_boxtree_part_count(b); i++)
        b->parts[i] =
            (wi_box_part){.place = UINT32_MAX, .heir = WI_NO_HEIR, .end = b->parts[i].end};
}

static bool boxtree_begin(wi_event_loop *s)
{
    wi_boxtree *b = &s->k->box;
    if (!wi_boxtree_make_boxes(s->u->memory, b)) return false;
    forget_all(s);
    wi_boxtree_choose_ends(s->h, &s->out.at);
    if (!search_all(s)) return false;
    if (s->sweeps) return boxtree_look_at_next_key(s);
    wi_boxtree_free_boxes(s->u->memory, b);
    return true;
}

static void boxtree_forget_certain(wi_event_loop *s)
{
    wi_boxtree *b = &s->k->box;
    for (uint32_t i = 0; i < wi_boxtree_part_count(b); i++)
        set_flag(&b->parts[i], WI_PART_CERTAIN | WI_PART_HEIR_CERTAIN, false);
    wi_boxtree_free_boxes(s->u->memory, b);
}

/* ---- the whole ---- */

static const wi_event_loop_ops ops = {.begin = boxtree_begin,
                                      .look_at_next_key = boxtree_look_at_next_key,
                                      .forget_certain = boxtree_forget_certain,
                                      .add_event = boxtree_add_event,
                                      .add_changed = boxtree_add_changed,
                                      .compares_changed = true,
                                      .settle_depth = boxtree_settle_depth,
                                      .settle_root = settle_root,
                                      .width = wi_boxtree_width,
                                      .check = wi_boxtree_check};

willow_result wi_boxtree_advance(wi_update *u)
{
    wi_kinetic *k = wi_kinetic_of(u->h);
    if (k->box.parts == NULL && !wi_boxtree_make(u->memory, u->h, k)) return WILLOW_OUT_OF_MEMORY;
    return wi_event_loop_advance(u, &ops, false);
}
