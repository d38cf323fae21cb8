/* walk_kernel.c - tree against tree, tree against itself, tree against box.
 *
 * Way in: wi_walk_kernels. Made for coherent meshes that meet along a curve or lie on each other: a
 * few percent of the nodes are opened, and most time goes into leaves. Both sides are opened at
 * once, eight children against eight, after lanes that miss the other side's box are dropped;
 * a leaf waits while the other side is opened. Pairs of leaves are tested at once, not pushed.
 * Where a body is posed the two sides are in different frames (van den Bergen 1997), but only above
 * the leaves: blocks of leaves are in the world. */
#include "base/kernel.h"
#include "walk/pairs/walk.h"
#include "walk/reader/bits.h"
#include "walk/reader/turn8.h"
#include "walk/step/features.h"
#include "walk/step/moving8.h"

extern wi_meet_leaves WI_KERNEL(meet_leaves);
extern wi_meet_leaf_itself WI_KERNEL(meet_leaf_itself);
extern wi_meet_leaf_box WI_KERNEL(meet_leaf_box);
extern wi_meet_pairs WI_KERNEL(meet_pairs);
extern wi_refine WI_KERNEL(refine);
extern wi_run_fans WI_KERNEL(run_fans);
extern wi_features_apart WI_KERNEL(features_apart);
extern wi_step_leaves WI_KERNEL(step_leaves);
extern wi_step_leaf_itself WI_KERNEL(step_leaf_itself);
extern wi_step_fans WI_KERNEL(step_stars);
extern wi_step_decide WI_KERNEL(step_decide);

static inline uint32_t child_of(const wi_node *view, unsigned lane)
{
    return view->child[lane] | ((view->leaf_mask >> lane & 1) != 0 ? WI_IS_LEAF : 0);
}

/* How boxes are compared. A constant where it is inlined: the loops exist three times. */
typedef enum frames {
    ONE_FRAME,
    TWO_FRAMES, /* that of each body: one of them is posed */
    OVER_STEP   /* the world's, where both bodies may move */
} frames;

#define IN_ALL_LOOPS static inline __attribute__((always_inline))

IN_ALL_LOOPS bool visit(wi_walk *walk, const wi_tree *ha, const wi_tree *hb,
                        const wi_walk_item *item, frames in)
{
    if ((item->a & item->b & WI_IS_LEAF) == 0)
        return wi_array_push(walk->memory, &walk->stack, *item);
    return in == OVER_STEP ? WI_KERNEL(step_leaves)(walk, item)
                           : WI_KERNEL(meet_leaves)(walk, ha, hb, item);
}

static inline const wi_node *open_node(wi_walk *walk, const wi_tree *h, uint32_t node)
{
    walk->stats.nodes_opened++;
    return wi_open(h, node, &walk->openings);
}

/* The children of a node: in two frames also as the other side sees them, over a step at both of
 * its ends. */
typedef struct sight {
    const wi_node *view;
    wi_moving8 moving;
    wi_box8 turned, turned_end;
} sight;

/* One of the two bodies at hand: how its frame lies to the other's, or how it moves. */
typedef struct viewpoint {
    const wi_tree *h;
    const wi_turn *turn;
    const wi_side *side;
} viewpoint;

static inline viewpoint from_a(const wi_walk *walk, const wi_tree *h)
{
    return (viewpoint){h, &walk->relation.a_to_b, &walk->step.a};
}

static inline viewpoint from_b(const wi_walk *walk, const wi_tree *h)
{
    return (viewpoint){h, &walk->relation.b_to_a, &walk->step.b};
}

static inline void see_over_step(wi_walk *walk, sight *s, const wi_side *side, uint32_t node)
{
    const wi_tree *end = side->motion.end;
    const wi_node *view = s->view;
    const wi_node *last =
        end->nodes == side->start->nodes ? view : wi_open(end, node, &walk->openings);
    s->moving = (wi_moving8){view->lower, view->upper, last->lower, last->upper};
    if (!side->is_turned) return;
    wi_turn8(&side->turn_start, view->lower, view->upper, &s->turned);
    wi_turn8(&side->turn_end, last->lower, last->upper, &s->turned_end);
    s->moving = (wi_moving8){(const float(*)[WI_LANES])s->turned.lower,
                             (const float(*)[WI_LANES])s->turned.upper,
                             (const float(*)[WI_LANES])s->turned_end.lower,
                             (const float(*)[WI_LANES])s->turned_end.upper};
}

IN_ALL_LOOPS void see(wi_walk *walk, sight *s, const viewpoint *from, uint32_t node, frames in)
{
    s->view = open_node(walk, from->h, node);
    if (in == TWO_FRAMES) wi_turn8(from->turn, s->view->lower, s->view->upper, &s->turned);
    if (in == OVER_STEP) see_over_step(walk, s, from->side, node);
}

/* The box of a child that goes with it: over a step where it is at both of its ends. */
IN_ALL_LOOPS wi_box child_box(const sight *s, unsigned lane, frames in)
{
    if (in != OVER_STEP) return wi_node_box(s->view, lane);
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        const wi_moving8 *m = &s->moving;
        box.lower[axis] = fminf(m->lower0[axis][lane], m->lower1[axis][lane]);
        box.upper[axis] = fmaxf(m->upper0[axis][lane], m->upper1[axis][lane]);
    }
    return box;
}

/* A box; in two frames also as the other side sees it, over a step at both ends of it. */
typedef struct target {
    wi_box own, turned;
    wi_mover mover;
} target;

IN_ALL_LOOPS target aim_at(const wi_walk *walk, const wi_box *box, const viewpoint *from, frames in)
{
    target t;
    t.own = *box;
    if (in == TWO_FRAMES) t.turned = wi_turn_box(from->turn, box);
    if (in == OVER_STEP) t.mover = wi_mover_of(box, box, walk->step.widen);
    return t;
}

IN_ALL_LOOPS target aim_at_child(const wi_walk *walk, const sight *s, unsigned lane, frames in)
{
    target t;
    if (in != OVER_STEP) t.own = wi_node_box(s->view, lane);
    for (int axis = 0; axis < 3 && in == TWO_FRAMES; axis++) {
        t.turned.lower[axis] = s->turned.lower[axis][lane];
        t.turned.upper[axis] = s->turned.upper[axis][lane];
    }
    if (in == OVER_STEP) {
        wi_box start, end;
        for (int axis = 0; axis < 3; axis++) {
            start.lower[axis] = s->moving.lower0[axis][lane];
            start.upper[axis] = s->moving.upper0[axis][lane];
            end.lower[axis] = s->moving.lower1[axis][lane];
            end.upper[axis] = s->moving.upper1[axis][lane];
        }
        t.mover = wi_mover_of(&start, &end, walk->step.widen);
    }
    return t;
}

/* Which children may meet a target of the other side. In two frames they are held against it along
 * the axes of both, which is the cheap part of the separating axis test. */
IN_ALL_LOOPS unsigned children_met(wi_walk *walk, const sight *s, const target *t, frames in)
{
    const wi_node *view = s->view;
    walk->stats.volume_tests += view->count;
    if (in == ONE_FRAME) return wi_boxes_met(view->lower, view->upper, &t->own);
    const unsigned lanes = wi_lanes_mask(view->count);
    if (in == OVER_STEP)
        return wi_moving_met(&s->moving, &t->mover, walk->step.horizon, true, lanes);
    return wi_boxes_met(view->lower, view->upper, &t->turned) &
           wi_boxes_met(s->turned.lower, s->turned.upper, &t->own) & lanes;
}

/* Of some children of a node those with a group that is tested against one below `other`, a node or
 * leaf of the same body, which has group masks. */
static unsigned children_tested(const wi_tree *h, const wi_node *view, unsigned lanes,
                                uint32_t other)
{
    unsigned tested = 0;
    while (lanes != 0) {
        const unsigned lane = wi_take_lowest(&lanes);
        const bool is_apart = wi_group_sets_apart(&h->sets, child_of(view, lane), other);
        tested |= (unsigned)!is_apart << lane;
    }
    return tested;
}

/* The same for pairs of children of two nodes, a row of eight bits for each of a. */
static uint64_t pairs_tested(const wi_tree *h, const wi_node *a, const wi_node *b, uint64_t pairs)
{
    uint64_t tested = 0;
    for (unsigned lane = 0; lane < a->count; lane++) {
        const unsigned row = (unsigned)(pairs >> 8 * lane & 0xFF);
        tested |= (uint64_t)children_tested(h, b, row, child_of(a, lane)) << 8 * lane;
    }
    return tested;
}

IN_ALL_LOOPS bool open_a(wi_walk *walk, const wi_tree *ha, const wi_tree *hb,
                         const wi_walk_item *item, frames in)
{
    const viewpoint a = from_a(walk, ha), b = from_b(walk, hb);
    sight s;
    see(walk, &s, &a, item->a, in);
    const target t = aim_at(walk, &item->box_b, &b, in);
    unsigned met = children_met(walk, &s, &t, in);
    if (walk->masked) met = children_tested(ha, s.view, met, item->b);
    while (met != 0) {
        unsigned lane = wi_take_lowest(&met);
        wi_walk_item child = {child_of(s.view, lane), item->b, child_box(&s, lane, in),
                              item->box_b};
        if (!visit(walk, ha, hb, &child, in)) return false;
    }
    return true;
}

IN_ALL_LOOPS bool open_b(wi_walk *walk, const wi_tree *ha, const wi_tree *hb,
                         const wi_walk_item *item, frames in)
{
    const viewpoint a = from_a(walk, ha), b = from_b(walk, hb);
    sight s;
    see(walk, &s, &b, item->b, in);
    const target t = aim_at(walk, &item->box_a, &a, in);
    unsigned met = children_met(walk, &s, &t, in);
    if (walk->masked) met = children_tested(hb, s.view, met, item->a);
    while (met != 0) {
        unsigned lane = wi_take_lowest(&met);
        wi_walk_item child = {item->a, child_of(s.view, lane), item->box_a,
                              child_box(&s, lane, in)};
        if (!visit(walk, ha, hb, &child, in)) return false;
    }
    return true;
}

IN_ALL_LOOPS bool open_both(wi_walk *walk, const wi_tree *ha, const wi_tree *hb,
                            const wi_walk_item *item, frames in)
{
    const viewpoint from[2] = {from_a(walk, ha), from_b(walk, hb)};
    sight a, b;
    see(walk, &a, &from[0], item->a, in);
    see(walk, &b, &from[1], item->b, in);
    const target whole_a = aim_at(walk, &item->box_a, &from[0], in);
    const target whole_b = aim_at(walk, &item->box_b, &from[1], in);
    unsigned met_a = children_met(walk, &a, &whole_b, in);
    const unsigned met_b = children_met(walk, &b, &whole_a, in);
    uint64_t met = 0; /* a row of eight bits for each child of a; see tri_rows */
    while (met_a != 0 && met_b != 0) {
        const unsigned lane_a = wi_take_lowest(&met_a);
        const target t = aim_at_child(walk, &a, lane_a, in);
        met |= (uint64_t)(children_met(walk, &b, &t, in) & met_b) << 8 * lane_a;
    }
    if (in != OVER_STEP && walk->refines)
        met = WI_KERNEL(refine)(walk, ha, item->a, hb, item->b, met);
    if (walk->masked) met = pairs_tested(ha, a.view, b.view, met);
    for (; met != 0; met &= met - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(met), lane_a = bit / 8, lane_b = bit % 8;
        const wi_walk_item child = {child_of(a.view, lane_a), child_of(b.view, lane_b),
                                    child_box(&a, lane_a, in), child_box(&b, lane_b, in)};
        if (!visit(walk, ha, hb, &child, in)) return false;
    }
    return true;
}

IN_ALL_LOOPS bool visit_itself(wi_walk *walk, const wi_tree *h, const wi_walk_item *item, frames in)
{
    if (walk->masked && wi_group_sets_apart(&h->sets, item->a, item->a)) return true;
    if ((item->a & WI_IS_LEAF) == 0) return wi_array_push(walk->memory, &walk->stack, *item);
    return in == OVER_STEP ? WI_KERNEL(step_leaf_itself)(walk, item->a & ~WI_IS_LEAF)
                           : WI_KERNEL(meet_leaf_itself)(walk, h, item->a & ~WI_IS_LEAF);
}

/* Children against themselves and against later ones: each pair of leaves comes up once. Both
 * frames are the same, but vertices that a pose rounds may meet where their boxes do not. */
IN_ALL_LOOPS bool open_itself(wi_walk *walk, const wi_tree *h, const wi_walk_item *item, frames in)
{
    const viewpoint from = from_a(walk, h);
    sight s;
    see(walk, &s, &from, item->a, in);
    for (unsigned lane = 0; lane < s.view->count; lane++) {
        const target t = aim_at_child(walk, &s, lane, in);
        wi_walk_item child = {
            child_of(s.view, lane), WI_ITSELF, child_box(&s, lane, in), {{0}, {0}}};
        bool ok = visit_itself(walk, h, &child, in);
        unsigned met = children_met(walk, &s, &t, in) & ~wi_lanes_mask(lane + 1);
        if (walk->masked) met = children_tested(h, s.view, met, child.a);
        while (ok && met != 0) {
            unsigned other = wi_take_lowest(&met);
            child.b = child_of(s.view, other);
            child.box_b = child_box(&s, other, in);
            ok = visit(walk, h, h, &child, in);
        }
        if (!ok) return false;
    }
    return true;
}

/* Of two inner nodes both are opened at once, or the larger one alone. Leaves come here only where
 * a search begins with them. */
IN_ALL_LOOPS bool open_pair(wi_walk *walk, const wi_tree *ha, const wi_tree *hb,
                            const wi_walk_item *item, frames in)
{
    if (item->b == WI_ITSELF)
        return (item->a & WI_IS_LEAF) != 0 ? visit_itself(walk, ha, item, in)
                                           : open_itself(walk, ha, item, in);
    if (item->b == WI_FANS)
        return in == OVER_STEP ? WI_KERNEL(step_stars)(walk, item->a)
                               : WI_KERNEL(run_fans)(walk, ha, item->a);
    if ((item->a & item->b & WI_IS_LEAF) != 0) return visit(walk, ha, hb, item, in);
    if ((item->a & WI_IS_LEAF) != 0) return open_b(walk, ha, hb, item, in);
    if ((item->b & WI_IS_LEAF) != 0) return open_a(walk, ha, hb, item, in);
    if (!walk->rules.descend_larger) return open_both(walk, ha, hb, item, in);
    return wi_box_half_area(&item->box_a) >= wi_box_half_area(&item->box_b)
               ? open_a(walk, ha, hb, item, in)
               : open_b(walk, ha, hb, item, in);
}

IN_ALL_LOOPS bool open_until_pause(wi_walk *walk, const wi_tree *ha, const wi_tree *hb, frames in)
{
    while (walk->stack.count > 0 && walk->keys.count < walk->pause_at) {
        wi_walk_item item = walk->stack.items[--walk->stack.count];
        if (!open_pair(walk, ha, hb, &item, in)) return false;
    }
    if (in == OVER_STEP) return WI_KERNEL(step_decide)(walk) && wi_decide_features(walk);
    return walk->stack.count > 0 || wi_walk_decide_all(walk);
}

static bool step(wi_walk *walk, const wi_tree *ha, const wi_tree *hb, const wi_walk_item *item)
{
    if (!wi_walk_begin(walk, ha, hb)) return false;
    if (wi_walk_wants_contacts(walk))
        return open_pair(walk, ha, hb, item, OVER_STEP) && WI_KERNEL(step_decide)(walk) &&
               wi_decide_features(walk);
    return (walk->is_related ? open_pair(walk, ha, hb, item, TWO_FRAMES)
                             : open_pair(walk, ha, hb, item, ONE_FRAME)) &&
           wi_walk_decide_all(walk);
}

static bool run(wi_walk *walk, const wi_tree *ha, const wi_tree *hb)
{
    if (!wi_walk_begin(walk, ha, hb)) return false;
    if (wi_walk_wants_contacts(walk)) return open_until_pause(walk, ha, hb, OVER_STEP);
    return walk->is_related ? open_until_pause(walk, ha, hb, TWO_FRAMES)
                            : open_until_pause(walk, ha, hb, ONE_FRAME);
}

IN_ALL_LOOPS bool open_towards(wi_walk *walk, const wi_tree *h, const target *t, frames in)
{
    const viewpoint from = from_a(walk, h);
    while (walk->stack.count > 0 && walk->keys.count < walk->pause_at) {
        sight s;
        see(walk, &s, &from, walk->stack.items[--walk->stack.count].a, in);
        unsigned met = children_met(walk, &s, t, in);
        while (met != 0) {
            unsigned lane = wi_take_lowest(&met);
            wi_walk_item child = {s.view->child[lane], 0, wi_node_box(s.view, lane), t->own};
            bool is_leaf = (s.view->leaf_mask >> lane & 1) != 0;
            bool ok = is_leaf ? WI_KERNEL(meet_leaf_box)(walk, h, child.a, &t->own)
                              : wi_array_push(walk->memory, &walk->stack, child);
            if (!ok) return false;
        }
    }
    return true;
}

static bool run_box(wi_walk *walk, const wi_tree *h, const wi_box *box)
{
    wi_walk_relate_box(walk, h, box);
    const viewpoint from = from_b(walk, h);
    const target t = aim_at(walk, box, &from, walk->is_related ? TWO_FRAMES : ONE_FRAME);
    return walk->is_related ? open_towards(walk, h, &t, TWO_FRAMES)
                            : open_towards(walk, h, &t, ONE_FRAME);
}

extern const wi_walk_kernels WI_KERNEL(walk_kernels);
const wi_walk_kernels WI_KERNEL(walk_kernels) = {step, run, WI_KERNEL(meet_pairs), run_box,
                                                 WI_KERNEL(features_apart)};
