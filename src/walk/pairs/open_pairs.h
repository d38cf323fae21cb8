/* open_pairs.h - the loops of a descent: node against node, node against itself. For kernels.
 *
 * Way in: wi_open_item. Made for coherent meshes that meet along a curve or lie on each other: a
 * few percent of the nodes are opened, and most time goes into leaves. Both sides are opened at
 * once, eight children against eight, after lanes that miss the other side's box are dropped; a
 * leaf waits while the other side is opened. Pairs of leaves are met at once, not pushed.
 *
 * The loops exist once for each kind of frames, which is a constant where they are inlined: in
 * pair_walk_kernel.c for one and two, in step_walk_kernel.c over a step. */
#ifndef WI_WALK_PAIRS_OPEN_PAIRS_H
#define WI_WALK_PAIRS_OPEN_PAIRS_H

#include "walk/pairs/pair_walk.h"
#include "walk/reader/bits.h"
#include "walk/reader/sight.h"
#include "walk/step/moving8.h"
#include "walk/step/step.h"

/* Two bodies, or one with itself, whose nodes are opened. */
typedef struct wi_opener {
    wi_descent *down;            /* whose stack gets what is to be opened later */
    wi_reader *reader;           /* of the same */
    const wi_tree *a, *b;        /* one for pairs within a body */
    const wi_relation *relation; /* in two frames; else NULL */
    wi_refine *refine;           /* for volumes beyond boxes, or NULL; none over a step */
    const wi_step *step;         /* over a step; else NULL */
} wi_opener;

/* One of the two: how its frame lies to the other's, or how it moves. */
typedef struct wi_viewpoint {
    const wi_tree *h;
    const wi_turn *turn;
    const wi_side *side;
} wi_viewpoint;

WI_IN_ALL_LOOPS wi_viewpoint wi_from_a(const wi_opener *o, wi_frames in)
{
    return (wi_viewpoint){o->a, in == WI_TWO_FRAMES ? &o->relation->a_to_b : NULL,
                          in == WI_OVER_STEP ? &o->step->a : NULL};
}

WI_IN_ALL_LOOPS wi_viewpoint wi_from_b(const wi_opener *o, wi_frames in)
{
    return (wi_viewpoint){o->b, in == WI_TWO_FRAMES ? &o->relation->b_to_a : NULL,
                          in == WI_OVER_STEP ? &o->step->b : NULL};
}

/* The children of a node, over a step at both of its ends. */
typedef struct wi_pair_sight {
    wi_sight at;
    wi_box8 turned_end;
    wi_moving8 moving;
} wi_pair_sight;

static inline void wi_pair_see_over_step(const wi_opener *o, wi_pair_sight *s, const wi_side *side,
                                         uint32_t node)
{
    const wi_tree *end = side->motion.end;
    const wi_node *view = s->at.view;
    const wi_node *last = end->boxes.nodes == side->start->boxes.nodes
                              ? view
                              : wi_open(end, node, &o->reader->openings);
    s->moving = (wi_moving8){view->lower, view->upper, last->lower, last->upper};
    if (!side->is_turned) return;
    wi_turn8(&side->turn_start, view->lower, view->upper, &s->at.turned);
    wi_turn8(&side->turn_end, last->lower, last->upper, &s->turned_end);
    s->moving = (wi_moving8){(const float(*)[WI_LANES])s->at.turned.lower,
                             (const float(*)[WI_LANES])s->at.turned.upper,
                             (const float(*)[WI_LANES])s->turned_end.lower,
                             (const float(*)[WI_LANES])s->turned_end.upper};
}

WI_IN_ALL_LOOPS void wi_pair_see(const wi_opener *o, wi_pair_sight *s, const wi_viewpoint *from,
                                 uint32_t node, wi_frames in)
{
    wi_see(o->reader, &s->at, from->h, node, from->turn, in);
    if (in == WI_OVER_STEP) wi_pair_see_over_step(o, s, from->side, node);
}

/* The box of a child that goes with it: over a step where it is at both of its ends. */
WI_IN_ALL_LOOPS wi_box wi_child_box(const wi_pair_sight *s, unsigned lane, wi_frames in)
{
    if (in != WI_OVER_STEP) return wi_node_box(s->at.view, lane);
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        const wi_moving8 *m = &s->moving;
        box.lower[axis] = fminf(m->lower0[axis][lane], m->lower1[axis][lane]);
        box.upper[axis] = fmaxf(m->upper0[axis][lane], m->upper1[axis][lane]);
    }
    return box;
}

/* What children are held against: a box, over a step at both ends of it. */
typedef struct wi_aim {
    wi_target at;
    wi_mover mover;
} wi_aim;

WI_IN_ALL_LOOPS wi_aim wi_aim_whole(const wi_box *box, const wi_viewpoint *from, wi_frames in)
{
    wi_aim t;
    if (in == WI_OVER_STEP)
        t.mover = wi_mover_of(box, box);
    else
        t.at = wi_aim_at(box, from->turn, in);
    return t;
}

WI_IN_ALL_LOOPS wi_aim wi_aim_child(const wi_pair_sight *s, unsigned lane, wi_frames in)
{
    wi_aim t;
    if (in == WI_OVER_STEP) {
        wi_box start, end;
        for (int axis = 0; axis < 3; axis++) {
            start.lower[axis] = s->moving.lower0[axis][lane];
            start.upper[axis] = s->moving.upper0[axis][lane];
            end.lower[axis] = s->moving.lower1[axis][lane];
            end.upper[axis] = s->moving.upper1[axis][lane];
        }
        t.mover = wi_mover_of(&start, &end);
    } else {
        t.at = wi_aim_at_child(&s->at, lane, in);
    }
    return t;
}

/* Which children may meet what they are held against. */
WI_IN_ALL_LOOPS unsigned wi_pair_met(const wi_opener *o, const wi_pair_sight *s, const wi_aim *t,
                                     wi_frames in)
{
    const wi_node *view = s->at.view;
    o->reader->stats.volume_tests += view->count;
    if (in != WI_OVER_STEP) return wi_children_met(&s->at, &t->at, in);
    const wi_meeting_rule rule = {o->step->widen, o->step->horizon, o->step->is_moving, true};
    return wi_moving_met(&s->moving, &t->mover, rule, wi_lanes_mask(view->count));
}

/* ---- groups and hubs ---- */

/* Within a body some nodes and leaves need not be held against each other: no group below the one
 * is tested against one below the other, or all triangles below both share a hub. */
static inline bool wi_leaves_out_some(const wi_descent *down) { return down->masked || down->hubs; }

static bool wi_is_left_out(const wi_descent *down, const wi_tree *h, uint32_t a, uint32_t b)
{
    return (down->masked && wi_has_sets(h) && wi_group_sets_apart(wi_sets_of(h), a, b)) ||
           (down->hubs && wi_hubs_join(down->hubs, a, b));
}

/* Of some children of a node those that are held against `other`, a node or leaf of the same body.
 * Few bodies have groups or hubs, so it is kept out of the loops, as is the next. */
static __attribute__((noinline)) unsigned wi_children_left(const wi_descent *down, const wi_tree *h,
                                                           const wi_node *view, unsigned lanes,
                                                           uint32_t other)
{
    unsigned left = 0;
    while (lanes != 0) {
        const unsigned lane = wi_take_lowest(&lanes);
        left |= (unsigned)!wi_is_left_out(down, h, wi_child_of(view, lane), other) << lane;
    }
    return left;
}

/* The same for pairs of children of two nodes, a row of eight bits for each of a. */
static __attribute__((noinline)) uint64_t wi_pairs_left(const wi_descent *down, const wi_tree *h,
                                                        const wi_node *a, const wi_node *b,
                                                        uint64_t pairs)
{
    uint64_t left = 0;
    for (unsigned lane = 0; lane < a->count; lane++) {
        const unsigned row = (unsigned)(pairs >> 8 * lane & 0xFF);
        left |= (uint64_t)wi_children_left(down, h, b, row, wi_child_of(a, lane)) << 8 * lane;
    }
    return left;
}

/* ---- pairs ---- */

/* Meets two leaves, and pushes all others. */
static inline bool wi_visit_item(const wi_opener *o, const wi_walk_item *item)
{
    WI_ASSERT(item->kind == WI_NODES);
    if ((item->a & item->b & WI_IS_LEAF) == 0) return wi_descent_push(o->down, item);
    return o->down->leaf.two(o->down, o->a, o->b, item);
}

static inline bool wi_visit_itself(const wi_opener *o, const wi_walk_item *item)
{
    wi_descent *down = o->down;
    WI_ASSERT(item->kind == WI_NODE_ITSELF && o->a == o->b);
    if (wi_leaves_out_some(down) && wi_is_left_out(down, o->a, item->a, item->a)) return true;
    if ((item->a & WI_IS_LEAF) == 0) return wi_descent_push(down, item);
    return down->leaf.itself(down, o->a, item->a & ~WI_IS_LEAF);
}

WI_IN_ALL_LOOPS bool wi_open_a(const wi_opener *o, const wi_walk_item *item, wi_frames in)
{
    const wi_viewpoint a = wi_from_a(o, in), b = wi_from_b(o, in);
    wi_pair_sight s;
    wi_pair_see(o, &s, &a, item->a, in);
    const wi_aim t = wi_aim_whole(&item->box_b, &b, in);
    unsigned met = wi_pair_met(o, &s, &t, in);
    if (wi_leaves_out_some(o->down)) met = wi_children_left(o->down, o->a, s.at.view, met, item->b);
    while (met != 0) {
        unsigned lane = wi_take_lowest(&met);
        wi_walk_item child = {WI_NODES, wi_child_of(s.at.view, lane), item->b,
                              wi_child_box(&s, lane, in), item->box_b};
        if (!wi_visit_item(o, &child)) return false;
    }
    return true;
}

WI_IN_ALL_LOOPS bool wi_open_b(const wi_opener *o, const wi_walk_item *item, wi_frames in)
{
    const wi_viewpoint a = wi_from_a(o, in), b = wi_from_b(o, in);
    wi_pair_sight s;
    wi_pair_see(o, &s, &b, item->b, in);
    const wi_aim t = wi_aim_whole(&item->box_a, &a, in);
    unsigned met = wi_pair_met(o, &s, &t, in);
    if (wi_leaves_out_some(o->down)) met = wi_children_left(o->down, o->b, s.at.view, met, item->a);
    while (met != 0) {
        unsigned lane = wi_take_lowest(&met);
        wi_walk_item child = {WI_NODES, item->a, wi_child_of(s.at.view, lane), item->box_a,
                              wi_child_box(&s, lane, in)};
        if (!wi_visit_item(o, &child)) return false;
    }
    return true;
}

WI_IN_ALL_LOOPS bool wi_open_both(const wi_opener *o, const wi_walk_item *item, wi_frames in)
{
    const wi_viewpoint from_a = wi_from_a(o, in), from_b = wi_from_b(o, in);
    wi_pair_sight a, b;
    wi_pair_see(o, &a, &from_a, item->a, in);
    wi_pair_see(o, &b, &from_b, item->b, in);
    const wi_aim whole_a = wi_aim_whole(&item->box_a, &from_a, in);
    const wi_aim whole_b = wi_aim_whole(&item->box_b, &from_b, in);
    unsigned met_a = wi_pair_met(o, &a, &whole_b, in);
    const unsigned met_b = wi_pair_met(o, &b, &whole_a, in);
    uint64_t met = 0; /* a row of eight bits for each child of a; see tri_rows */
    while (met_a != 0 && met_b != 0) {
        const unsigned lane_a = wi_take_lowest(&met_a);
        const wi_aim t = wi_aim_child(&a, lane_a, in);
        met |= (uint64_t)(wi_pair_met(o, &b, &t, in) & met_b) << 8 * lane_a;
    }
    if (in != WI_OVER_STEP && o->refine)
        met =
            o->refine(in == WI_TWO_FRAMES ? o->relation : NULL, o->a, item->a, o->b, item->b, met);
    if (wi_leaves_out_some(o->down)) met = wi_pairs_left(o->down, o->a, a.at.view, b.at.view, met);
    for (; met != 0; met &= met - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(met), lane_a = bit / 8, lane_b = bit % 8;
        const wi_walk_item child = {WI_NODES, wi_child_of(a.at.view, lane_a),
                                    wi_child_of(b.at.view, lane_b), wi_child_box(&a, lane_a, in),
                                    wi_child_box(&b, lane_b, in)};
        if (!wi_visit_item(o, &child)) return false;
    }
    return true;
}

/* Children against themselves and against later ones: each pair of leaves comes up once. Both
 * frames are the same, but vertices that a pose rounds may meet where their boxes do not. */
WI_IN_ALL_LOOPS bool wi_open_itself(const wi_opener *o, const wi_walk_item *item, wi_frames in)
{
    const wi_viewpoint from = wi_from_a(o, in);
    wi_pair_sight s;
    wi_pair_see(o, &s, &from, item->a, in);
    for (unsigned lane = 0; lane < s.at.view->count; lane++) {
        const wi_aim t = wi_aim_child(&s, lane, in);
        wi_walk_item child = {WI_NODE_ITSELF,
                              wi_child_of(s.at.view, lane),
                              0,
                              wi_child_box(&s, lane, in),
                              {{0}, {0}}};
        bool ok = wi_visit_itself(o, &child);
        unsigned met = wi_pair_met(o, &s, &t, in) & ~wi_lanes_mask(lane + 1);
        if (wi_leaves_out_some(o->down))
            met = wi_children_left(o->down, o->a, s.at.view, met, child.a);
        child.kind = WI_NODES;
        while (ok && met != 0) {
            unsigned other = wi_take_lowest(&met);
            child.b = wi_child_of(s.at.view, other);
            child.box_b = wi_child_box(&s, other, in);
            ok = wi_visit_item(o, &child);
        }
        if (!ok) return false;
    }
    return true;
}

/* Of two inner nodes both are opened at once, or the larger one alone. Leaves come here only where
 * a search begins with them. */
WI_IN_ALL_LOOPS bool wi_open_nodes(const wi_opener *o, const wi_walk_item *item, wi_frames in)
{
    WI_ASSERT((item->a & ~WI_IS_LEAF) <
              ((item->a & WI_IS_LEAF) != 0 ? o->a->shape->leaf_count : o->a->shape->node_count));
    WI_ASSERT((item->b & ~WI_IS_LEAF) <
              ((item->b & WI_IS_LEAF) != 0 ? o->b->shape->leaf_count : o->b->shape->node_count));
    if ((item->a & item->b & WI_IS_LEAF) != 0) return wi_visit_item(o, item);
    if ((item->a & WI_IS_LEAF) != 0) return wi_open_b(o, item, in);
    if ((item->b & WI_IS_LEAF) != 0) return wi_open_a(o, item, in);
    if (!o->down->rules.descend_larger) return wi_open_both(o, item, in);
    return wi_box_half_area(&item->box_a) >= wi_box_half_area(&item->box_b)
               ? wi_open_a(o, item, in)
               : wi_open_b(o, item, in);
}

/* Opens one item. False if there is no memory. */
WI_IN_ALL_LOOPS bool wi_open_item(const wi_opener *o, const wi_walk_item *item, wi_frames in)
{
    switch (item->kind) {
    case WI_NODES: return wi_open_nodes(o, item, in);
    case WI_NODE_ITSELF:
        return (item->a & WI_IS_LEAF) != 0 ? wi_visit_itself(o, item) : wi_open_itself(o, item, in);
    case WI_FANS:
        WI_ASSERT(item->a < wi_fan_lots(o->a));
        return o->down->leaf.fans(o->down, o->a, item->a);
    }
    WI_ASSERT(false);
    return false;
}

#endif
