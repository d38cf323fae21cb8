/* certificates.c - events: vertices overtake each other, and boxes get other ends.
 *
 * Way in: wi_kinetic_advance. Made for long smooth motion, where few vertices overtake each other
 * between two updates. When events are handled, and in which order, is in event_loop.h; here is
 * what they do. After Zachmann and Weller 2006, sections 3 to 5. */
#include "update/kinetic/certificates.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/kernel.h"
#include "update/kinetic/event_loop.h"
#include "update/kinetic/straight_spans.h"

/* The first chooses all ends as they are in a keyframe, the second adds those to what is pending
 * that are not the ends there, and notes which are certain. */
extern wi_kinetic_with_key wi_kinetic_choose_scalar, wi_kinetic_choose_avx2;
extern wi_kinetic_with_key wi_kinetic_sweep_scalar, wi_kinetic_sweep_avx2;

static uint32_t certificates_item_count(const wi_kinetic *k)
{
    return k->node_count + k->leaf_count;
}

/* No vertex of the item is beyond this one now, if nobody overtakes it: is that so until the next
 * keyframe? Of a node that has to be known of all vertices below, not only of those that are ends
 * now. */
static bool is_certain(const wi_event_loop *s, uint32_t item, unsigned end, uint32_t place)
{
    const wi_kinetic *k = s->k;
    if (!s->sweeps) return false;
    if (item >= k->node_count) return true;
    const unsigned axis = end < 3 ? end : end - 3;
    const float *box = k->key_boxes[item];
    return s->out.to[3 * (size_t)place + axis] == box[end < 3 ? axis : 4 + axis];
}

/* A vertex becomes an end; true if it is another one. */
static inline bool put_end(wi_event_loop *s, uint32_t item, unsigned end, uint32_t place)
{
    wi_kinetic *k = s->k;
    WI_ASSERT(end < WI_ENDS && place < s->h->mesh->vertex_count);
    if (k->items[item].ends[end] == place) return false;
    k->items[item].ends[end] = place;
    if (k->lanes) k->lanes_key[k->items[item].parent] = 0;
    s->u->kinetic.values++;
    return true;
}

static inline void note_certain(wi_kinetic *k, uint32_t item, unsigned end, bool is)
{
    const unsigned others = k->items[item].certain & ~(1U << end);
    WI_ASSERT(end < WI_ENDS && item < certificates_item_count(k));
    k->items[item].certain = (uint8_t)(others | (unsigned)is << end);
}

/* Looks at one end of an item; *did_change if it is another vertex now. False for want of memory.
 */
static bool certificates_settle(wi_event_loop *s, uint32_t item, unsigned end, bool *did_change)
{
    wi_kinetic *k = s->k;
    const wi_certificate c = wi_certify(&s->out, item, end, k->items[item].ends[end]);
    const bool fails = c.failure < (double)INFINITY;
    s->u->kinetic.checked++;
    s->u->vertices_evaluated += c.rivals;
    *did_change = put_end(s, item, end, c.place);
    note_certain(k, item, end, !fails && is_certain(s, item, end, c.place));
    k->items[item].heirs[end] = s->sweeps ? c.heir : WI_NO_HEIR;
    return wi_event_loop_set_event(s, WI_ENDS * item + end, c.failure);
}

/* The event of an end has come, and nothing else has happened to it: its heir takes over. */
static bool certificates_succeed(wi_event_loop *s, uint32_t item, unsigned end)
{
    const uint32_t heir = s->k->items[item].heirs[end];
    WI_ASSERT(heir != WI_NO_HEIR);
    note_certain(s->k, item, end, is_certain(s, item, end, heir));
    return put_end(s, item, end, heir);
}

/* ---- from nothing ---- */

static bool settle_all_ends(wi_event_loop *s, uint32_t item)
{
    bool did_change;
    for (unsigned end = 0; end < WI_ENDS; end++)
        if (!certificates_settle(s, item, end, &did_change)) return false;
    return true;
}

/* Items follow their parents, leaves all nodes: a backward sweep meets children first. */
static bool settle_everything(wi_event_loop *s)
{
    for (uint32_t item = certificates_item_count(s->k); item-- > 0;)
        if (!settle_all_ends(s, item)) return false;
    return true;
}

/* ---- items to look at again ---- */

static void list_pending(wi_kinetic *k, uint32_t number)
{
    wi_kinetic_item *item = &k->items[number];
    WI_ASSERT(number < certificates_item_count(k) && item->depth < WI_MOST_DEPTH);
    if (item->check != 0 || item->due != 0) return;
    item->next = k->first_pending[item->depth];
    k->first_pending[item->depth] = number + 1;
}

void wi_kinetic_add_pending(wi_kinetic *k, uint32_t item, unsigned ends)
{
    WI_ASSERT(ends != 0 && ends >> WI_ENDS == 0);
    list_pending(k, item);
    k->items[item].check = (uint8_t)(k->items[item].check | ends);
}

static void certificates_add_event(wi_event_loop *s, uint32_t slot)
{
    wi_kinetic *k = s->k;
    const uint32_t item = slot / WI_ENDS;
    WI_ASSERT(slot < WI_ENDS * certificates_item_count(k));
    list_pending(k, item);
    k->items[item].due = (uint8_t)(k->items[item].due | 1U << slot % WI_ENDS);
}

/* Events that were in vain, and how far up changes have come; returns the latter. */
static uint8_t count_changes(wi_event_loop *s, const wi_kinetic_item *was, unsigned changed)
{
    for (unsigned in_vain = was->due & ~changed; in_vain != 0; in_vain &= in_vain - 1)
        s->u->kinetic.internal++;
    if (changed == 0) return 0;
    const uint8_t rise = (uint8_t)(was->rise + 1);
    if (rise > s->u->kinetic.most_values) s->u->kinetic.most_values = rise;
    return rise;
}

/* What an item waits for. Ends of its parent have to be looked at, too, where an end is another
 * vertex, or one with another path; unless nothing below can change them. */
static bool settle_pending(wi_event_loop *s, uint32_t number)
{
    wi_kinetic *k = s->k;
    wi_kinetic_item *item = &k->items[number];
    const wi_kinetic_item was = *item;
    unsigned above = 0, changed = 0;
    item->check = item->due = item->rise = 0;
    for (unsigned ends = was.check | was.due; ends != 0; ends &= ends - 1) {
        const unsigned end = (unsigned)__builtin_ctz(ends);
        bool did_change;
        if ((was.check >> end & 1) == 0 && was.heirs[end] != WI_NO_HEIR)
            did_change = certificates_succeed(s, number, end);
        else if (!certificates_settle(s, number, end, &did_change))
            return false;
        if (did_change) changed |= 1U << end;
        if (did_change || wi_kinetic_has_changed(k, item->ends[end])) above |= 1U << end;
    }
    const uint8_t rise = count_changes(s, &was, changed);
    if (above != 0) wi_box_changes_note(&k->boxes, number, s->u->revision);
    wi_kinetic_item *parent = &k->items[was.parent];
    above &= ~(unsigned)parent->certain;
    if (number == 0 || above == 0) return true;
    WI_ASSERT(parent->depth < was.depth); /* whose list is still to come */
    wi_kinetic_add_pending(k, was.parent, above);
    if (rise > parent->rise) parent->rise = rise;
    return true;
}

static bool certificates_settle_depth(wi_event_loop *s, unsigned depth)
{
    wi_kinetic *k = s->k;
    while (k->first_pending[depth] != 0) {
        const uint32_t item = k->first_pending[depth] - 1;
        WI_ASSERT(item < certificates_item_count(k) && k->items[item].depth == depth);
        k->first_pending[depth] = k->items[item].next;
        if (!settle_pending(s, item)) return false;
    }
    return true;
}

/* The leaves of vertices that have another path: all of their ends, since whoever was never ahead
 * may be so now. */
static bool certificates_add_changed(wi_event_loop *s)
{
    wi_kinetic *k = s->k;
    const wi_path_changes *c = &k->changes;
    WI_ASSERT(c->count == 0 || c->first_leaf);
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t at = c->first_leaf[c->places[i]]; at < c->first_leaf[c->places[i] + 1]; at++)
            wi_kinetic_add_pending(k, k->node_count + c->leaves[at], (1U << WI_ENDS) - 1);
    return true;
}

/* ---- keyframes ---- */

static void with_key(wi_event_loop *s, wi_kinetic_with_key *visit, uint32_t key)
{
    visit(s->h, wi_plan_key(wi_mesh_plan(s->h->mesh), key, 0));
    wi_event_loop_count_sweep(s, (size_t)WI_ENDS * certificates_item_count(s->k));
}

/* All ends are true for the keyframe. */
static bool certificates_look_at_next_key(wi_event_loop *s)
{
    if (!s->sweeps) return settle_everything(s);
    with_key(s, WI_KERNELS_FOR(s->u->kernel, kinetic_sweep), s->out.at.to);
    return true;
}

/* On keyframes: as it was in the last one, and on from there. */
static bool certificates_begin(wi_event_loop *s)
{
    wi_kinetic *k = s->k;
    wi_queue_clear(&k->queue);
    if (s->sweeps) {
        with_key(s, WI_KERNELS_FOR(s->u->kernel, kinetic_choose), s->out.at.from);
        if (k->lanes) memset(k->lanes_key, 0, k->node_count * sizeof *k->lanes_key);
        return certificates_look_at_next_key(s);
    }
    for (uint32_t item = 0; item < certificates_item_count(k); item++)
        for (unsigned end = 0; end < WI_ENDS; end++) k->items[item].ends[end] = UINT32_MAX;
    return settle_everything(s);
}

static void certificates_forget_certain(wi_event_loop *s)
{
    for (uint32_t item = 0; item < certificates_item_count(s->k); item++)
        s->k->items[item].certain = 0;
}

/* ---- the whole ---- */

bool wi_kinetic_begins_anew(const wi_tree *h, const wi_kinetic *k)
{
    return k->straight.from ? wi_straight_boxes_begin_anew(h, k) : wi_event_loop_begins_anew(h, k);
}

double wi_kinetic_width(const wi_tree *h, double time)
{
    return (2.0 * h->shape->height + 4.0) * wi_plan_slack(wi_mesh_plan(h->mesh), time);
}

double wi_kinetic_next_event(const wi_tree *h) { return wi_queue_next(&wi_kinetic_of(h)->queue); }

static const wi_event_loop_ops ops = {.begin = certificates_begin,
                                      .look_at_next_key = certificates_look_at_next_key,
                                      .forget_certain = certificates_forget_certain,
                                      .add_event = certificates_add_event,
                                      .add_changed = certificates_add_changed,
                                      .settle_depth = certificates_settle_depth,
                                      .width = wi_kinetic_width};

willow_result wi_kinetic_advance(wi_update *u)
{
    wi_kinetic *k = wi_kinetic_of(u->h);
    if (k->items == NULL && !wi_kinetic_make(u->memory, u->h, k)) return WILLOW_OUT_OF_MEMORY;
    return wi_event_loop_advance(u, &ops, u->def->search_keyframes);
}
