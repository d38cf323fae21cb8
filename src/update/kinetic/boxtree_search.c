/* boxtree_search.c - who holds a plane, and until when: a search depth-first.
 *
 * Two passes over the rivals at least. The first finds the foremost, and of those that are level
 * with it the leader, as far as the foremost was known by then; the second corrects that, in which
 * case it is done again, and finds who overtakes the leader. Where the holder was true until now
 * the second comes first, and is often enough. On keyframes a subtree of which nobody
 * is further in the next one than the holder is skipped: all are behind it now. */
#include <math.h>

#include "base/check.h"
#include "update/kinetic/boxtree.h"

static bool is_on_keys(const wi_outlook *out) { return wi_mesh_plan(out->h->mesh)->paths == NULL; }

static inline wi_rider rider_of(const wi_outlook *out, unsigned end, uint32_t place)
{
    WI_ASSERT(end < WI_ROOT_PARTS && place < out->h->mesh->vertex_count);
    const unsigned axis = end < 3 ? end : end - 3;
    const double sign = end < 3 ? -1.0 : 1.0;
    if (is_on_keys(out)) {
        const size_t at = 3 * (size_t)place + axis;
        const double a = (double)out->from[at], b = (double)out->to[at];
        return (wi_rider){sign * (a + out->at.share * (b - a)), sign * b, 0.0, place};
    }
    const wi_plan *plan = wi_mesh_plan(out->h->mesh);
    const wi_course c = wi_plan_course(plan, &out->at, place, (int)axis);
    const double moves = wi_plan_stands(plan, &out->at, place) ? 0.0 : sign;
    return (wi_rider){sign * c.x, moves * c.v, moves * c.a, place};
}

wi_rider wi_rider_of(const wi_outlook *out, unsigned end, uint32_t place)
{
    return rider_of(out, end, place);
}

bool wi_rider_leads(const wi_rider *a, const wi_rider *b, uint32_t now)
{
    if (a->v != b->v) return a->v > b->v;
    if (a->a != b->a) return a->a > b->a;
    if (a->place == now || b->place == now) return a->place == now;
    if (a->x != b->x) return a->x > b->x;
    return a->place < b->place;
}

double wi_rider_overtakes(const wi_outlook *out, const wi_rider *rival, const wi_rider *lead)
{
    double wait;
    if (is_on_keys(out)) {
        if (!(rival->v > lead->v)) return (double)INFINITY;
        const double gap = lead->x > rival->x ? lead->x - rival->x : 0.0;
        const double share = gap / (gap + (rival->v - lead->v));
        wait = share * (wi_mesh_plan(out->h->mesh)->times[out->at.to] - out->at.time);
    } else {
        wait = wi_time_to_overtake(lead->x - rival->x, rival->v - lead->v, rival->a - lead->a);
    }
    const double when = wi_later(out->at.time, out->at.time + wait);
    return when < out->until ? when : (double)INFINITY;
}

/* ---- the way through the rivals ---- */

typedef struct search {
    const wi_outlook *out;
    const wi_boxtree *b;
    unsigned end;
    uint32_t now;
    bool skips; /* subtrees of which nobody is further than `skip` in the next keyframe */
    double skip;

    double foremost;
    wi_rider lead;
    bool has_lead, is_other; /* there is one; the second pass found another one */
    wi_rider heir;
    double first, second; /* when the heir overtakes the leader, and when the next one does */
    double most;          /* on keyframes: nobody is further in the next one */
    size_t seen;
} search;

/* A rival; nobody whom it stands for is further than `limit` in the next keyframe. */
typedef void see_rival(search *s, uint32_t place, double limit);

static inline void see_leaf(search *s, uint32_t number, see_rival *see)
{
    const wi_tree *h = s->out->h;
    const wi_leaf *leaf = &h->shape->leaves[number];
    const uint32_t *border = wi_leaf_border(h, leaf);
    const unsigned owned = leaf->owned_count;
    for (unsigned i = 0; i < owned; i++) see(s, leaf->first_place + i, -(double)INFINITY);
    for (unsigned i = owned; i < leaf->vertex_count; i++)
        see(s, border[i - owned], -(double)INFINITY);
}

static inline double box_end(const search *s, uint32_t node)
{
    WI_ASSERT(s->b->boxes && node < s->b->node_count);
    const double x = (double)s->b->boxes[node][wi_boxtree_end_at(s->end)];
    return s->end < 3 ? -x : x;
}

/* Parts of a node, one after the other. */
typedef struct run {
    uint32_t node;
    uint8_t at, last;
} run;

/* All below a child of a node: its vertices are seen, or its parts are on the stack. */
static inline void search_enter(search *s, uint32_t node, unsigned lane, run *stack,
                                unsigned *depth, see_rival *see)
{
    const wi_tree *h = s->out->h;
    for (;;) { /* a node with one child has no parts */
        const wi_node *view = &h->boxes.nodes[node];
        if (view->leaf_mask >> lane & 1) {
            see_leaf(s, view->child[lane], see);
            return;
        }
        node = view->child[lane];
        if (s->skips && box_end(s, node) <= s->skip) return;
        if (h->boxes.nodes[node].count > 1) break;
        lane = 0;
    }
    WI_ASSERT(*depth < WI_MOST_DEPTH);
    stack[(*depth)++] = (run){node, 0, (uint8_t)wi_parts_of(h->boxes.nodes[node].count)};
}

/* On keyframes: how far anybody below a part may be in the next one, if not its holder. */
static inline double search_limit_of(const search *s, const wi_node *view,
                                     const wi_part_shape *shape, const wi_box_part *part)
{
    if ((part->flags & WI_PART_CERTAIN) != 0) return -(double)INFINITY;
    if (!s->skips || shape->count > 1 || (view->leaf_mask >> shape->first & 1) != 0)
        return (double)INFINITY;
    return box_end(s, view->child[shape->first]);
}

static inline void see_all(search *s, uint32_t number, see_rival *see)
{
    const wi_tree *h = s->out->h;
    run stack[WI_MOST_DEPTH];
    unsigned depth = 0;
    if (number < WI_ROOT_PARTS) {
        if (h->boxes.nodes[0].count > 1)
            stack[depth++] = (run){0, 0, (uint8_t)wi_parts_of(h->boxes.nodes[0].count)};
        else
            search_enter(s, 0, 0, stack, &depth, see);
    } else {
        const uint32_t node = (number - WI_ROOT_PARTS) / s->b->stride;
        const unsigned local = (number - WI_ROOT_PARTS) % s->b->stride;
        const wi_part_shape *shape = &wi_part_shapes[h->boxes.nodes[node].count][local];
        if (shape->count > 1)
            stack[depth++] = (run){node, (uint8_t)(local + 1), shape->behind};
        else
            search_enter(s, node, shape->first, stack, &depth, see);
    }
    while (depth > 0) {
        run *r = &stack[depth - 1];
        if (r->at == r->last) {
            depth--;
            continue;
        }
        WI_ASSERT(r->at < r->last && r->last <= WI_MOST_PARTS);
        const wi_node *view = &h->boxes.nodes[r->node];
        const wi_box_part *part = &s->b->parts[wi_boxtree_first(s->b, r->node) + r->at];
        const wi_part_shape *shape = &wi_part_shapes[view->count][r->at];
        if (part->end == s->end) {
            see(s, part->place, search_limit_of(s, view, shape, part));
            r->at = shape->behind;
            continue;
        }
        r->at++; /* its halves follow */
        if (shape->count == 1) search_enter(s, r->node, shape->first, stack, &depth, see);
    }
}

/* ---- what is looked for ---- */

/* On keyframes: behind the holder now, and in the next one. */
static inline bool is_short(const search *s, uint32_t place)
{
    if (!s->skips) return false;
    const double x = (double)s->out->to[3 * (size_t)place + s->end % 3];
    return (s->end < 3 ? -x : x) <= s->skip;
}

static inline void see_foremost(search *s, uint32_t place, double limit)
{
    if (is_short(s, place)) return;
    const wi_rider r = rider_of(s->out, s->end, place);
    (void)limit;
    s->seen++;
    if (!s->has_lead || r.x > s->foremost) s->foremost = r.x;
    const double level = s->foremost - s->out->slack;
    if (!s->has_lead || s->lead.x < level || (r.x >= level && wi_rider_leads(&r, &s->lead, s->now)))
        s->lead = r;
    s->has_lead = true;
}

static inline void see_overtaking(search *s, uint32_t place, double limit)
{
    s->most = limit > s->most ? limit : s->most;
    if (place == s->lead.place || place == s->heir.place || is_short(s, place)) return;
    const wi_rider r = rider_of(s->out, s->end, place);
    s->most = r.v > s->most ? r.v : s->most;
    s->seen++;
    if (r.x > s->foremost + s->out->slack ||
        (r.x >= s->foremost - s->out->slack && wi_rider_leads(&r, &s->lead, s->now))) {
        s->lead = r;
        s->is_other = true;
        return;
    }
    const double when = wi_rider_overtakes(s->out, &r, &s->lead);
    if (when < s->first) {
        s->second = s->first;
        s->first = when;
        s->heir = r;
    } else if (when < s->second) {
        s->second = when;
    }
}

static void find_overtaking(search *s, uint32_t part)
{
    WI_ASSERT(s->has_lead);
    s->is_other = false;
    s->first = s->second = (double)INFINITY;
    s->heir.place = WI_NO_HEIR;
    s->most = s->lead.v;
    see_all(s, part, see_overtaking);
}

static void lead_from(search *s, uint32_t place)
{
    s->lead = rider_of(s->out, s->end, place);
    s->foremost = s->lead.x;
    s->has_lead = true;
}

wi_found wi_boxtree_search(const wi_outlook *out, uint32_t part, uint32_t now, bool is_true)
{
    const wi_boxtree *b = &wi_kinetic_of(out->h)->box;
    search s = {.out = out, .b = b, .end = b->parts[part].end, .now = now, .is_other = true};
    s.skips = is_on_keys(out) && b->boxes && b->boxes_key == out->at.to && now != UINT32_MAX;
    if (s.skips) s.skip = rider_of(out, s.end, now).v;
    if (is_true) {
        lead_from(&s, now);
        find_overtaking(&s, part);
    }
    if (s.is_other) {
        s.has_lead = false;
        if (s.skips) lead_from(&s, now);
        see_all(&s, part, see_foremost);
        do find_overtaking(&s, part);
        while (s.is_other);
    }
    const bool has_heir = s.first < (double)INFINITY && s.heir.a >= s.lead.a;
    return (wi_found){.place = s.lead.place,
                      .failure = s.first,
                      .heir = has_heir ? s.heir.place : WI_NO_HEIR,
                      .second = s.second,
                      .is_certain = s.skips && s.lead.v >= s.most,
                      .is_heir_certain = s.skips && has_heir && s.heir.v >= s.most,
                      .seen = s.seen + 1};
}
