/* walk_kernel.c - tree against tree, tree against itself, tree against box.
 *
 * Way in: wi_walk_kernels. Made for coherent meshes that meet along a curve or lie on each other: a
 * few percent of the nodes are opened, and most time goes into leaves. Both sides are opened at
 * once, eight children against eight, after lanes that miss the other side's box are dropped;
 * a leaf waits while the other side is opened. Pairs of leaves are tested at once, not pushed.
 * Where a body is posed the two sides are in different frames (van den Bergen 1997), but only above
 * the leaves: blocks of leaves are in the world. */
#include "base/kernel.h"
#include "walk/bits.h"
#include "walk/turn8.h"
#include "walk/walk.h"

extern wi_meet_leaves WI_KERNEL(meet_leaves);
extern wi_meet_leaf_itself WI_KERNEL(meet_leaf_itself);
extern wi_meet_leaf_box WI_KERNEL(meet_leaf_box);
extern wi_run_stars WI_KERNEL(run_stars);

static inline uint32_t child_of(const wi_view *view, unsigned lane)
{
    return view->child[lane] | ((view->leaf_mask >> lane & 1) != 0 ? WI_IS_LEAF : 0);
}

static inline bool visit(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                         const wi_walk_item *item)
{
    if ((item->a & item->b & WI_IS_LEAF) != 0) return WI_KERNEL(meet_leaves)(walk, ha, hb, item);
    return wi_array_push(walk->memory, &walk->stack, *item);
}

static inline const wi_view *open_node(wi_walk *walk, const wi_hierarchy *h, uint32_t node)
{
    walk->stats.nodes_opened++;
    return wi_open(h, node, &walk->openings);
}

/* In all below `related` is a constant where it is inlined: the loops exist twice, for one frame
 * and for two. */
#define IN_BOTH_LOOPS static inline __attribute__((always_inline))

/* The children of a node; in two frames also as the other side sees them. */
typedef struct sight {
    const wi_view *view;
    wi_box8 turned;
} sight;

IN_BOTH_LOOPS void see(sight *s, const wi_view *view, const wi_turn *turn, bool related)
{
    s->view = view;
    if (related) wi_turn8(turn, view->lower, view->upper, &s->turned);
}

/* A box; in two frames also as the other side sees it. */
typedef struct target {
    wi_box own, turned;
} target;

IN_BOTH_LOOPS target aim_at(const wi_box *box, const wi_turn *turn, bool related)
{
    target t = {.own = *box};
    if (related) t.turned = wi_turn_box(turn, box);
    return t;
}

IN_BOTH_LOOPS target aim_at_child(const sight *s, unsigned lane, bool related)
{
    target t = {.own = wi_view_box(s->view, lane)};
    for (int axis = 0; axis < 3 && related; axis++) {
        t.turned.lower[axis] = s->turned.lower[axis][lane];
        t.turned.upper[axis] = s->turned.upper[axis][lane];
    }
    return t;
}

/* Which children may meet a target of the other side. In two frames they are held against it along
 * the axes of both, which is the cheap part of the separating axis test. */
IN_BOTH_LOOPS unsigned children_met(wi_walk *walk, const sight *s, const target *t, bool related)
{
    const wi_view *view = s->view;
    walk->stats.volume_tests += view->count;
    if (!related) return wi_boxes_met(view->lower, view->upper, &t->own);
    return wi_boxes_met(view->lower, view->upper, &t->turned) &
           wi_boxes_met(s->turned.lower, s->turned.upper, &t->own) & wi_lanes_mask(view->count);
}

/* Of some children of a node those with a group that is tested against one below `other`, a node or
 * leaf of the same body, which has group masks. */
static unsigned children_tested(const wi_hierarchy *h, const wi_view *view, unsigned lanes,
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
static uint64_t pairs_tested(const wi_hierarchy *h, const wi_view *a, const wi_view *b,
                             uint64_t pairs)
{
    uint64_t tested = 0;
    for (unsigned lane = 0; lane < a->count; lane++) {
        const unsigned row = (unsigned)(pairs >> 8 * lane & 0xFF);
        tested |= (uint64_t)children_tested(h, b, row, child_of(a, lane)) << 8 * lane;
    }
    return tested;
}

IN_BOTH_LOOPS bool open_a(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                          const wi_walk_item *item, bool related)
{
    sight s;
    see(&s, open_node(walk, ha, item->a), &walk->relation.a_to_b, related);
    target t = aim_at(&item->box_b, &walk->relation.b_to_a, related);
    unsigned met = children_met(walk, &s, &t, related);
    if (walk->masked) met = children_tested(ha, s.view, met, item->b);
    while (met != 0) {
        unsigned lane = wi_take_lowest(&met);
        wi_walk_item child = {child_of(s.view, lane), item->b, wi_view_box(s.view, lane),
                              item->box_b};
        if (!visit(walk, ha, hb, &child)) return false;
    }
    return true;
}

IN_BOTH_LOOPS bool open_b(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                          const wi_walk_item *item, bool related)
{
    sight s;
    see(&s, open_node(walk, hb, item->b), &walk->relation.b_to_a, related);
    target t = aim_at(&item->box_a, &walk->relation.a_to_b, related);
    unsigned met = children_met(walk, &s, &t, related);
    if (walk->masked) met = children_tested(hb, s.view, met, item->a);
    while (met != 0) {
        unsigned lane = wi_take_lowest(&met);
        wi_walk_item child = {item->a, child_of(s.view, lane), item->box_a,
                              wi_view_box(s.view, lane)};
        if (!visit(walk, ha, hb, &child)) return false;
    }
    return true;
}

IN_BOTH_LOOPS bool open_both(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                             const wi_walk_item *item, bool related)
{
    const wi_turn *a_to_b = &walk->relation.a_to_b, *b_to_a = &walk->relation.b_to_a;
    sight a, b;
    see(&a, open_node(walk, ha, item->a), a_to_b, related);
    see(&b, open_node(walk, hb, item->b), b_to_a, related);
    const target whole_a = aim_at(&item->box_a, a_to_b, related);
    const target whole_b = aim_at(&item->box_b, b_to_a, related);
    unsigned met_a = children_met(walk, &a, &whole_b, related);
    const unsigned met_b = children_met(walk, &b, &whole_a, related);
    uint64_t met = 0; /* a row of eight bits for each child of a; see tri_rows */
    while (met_a != 0 && met_b != 0) {
        const unsigned lane_a = wi_take_lowest(&met_a);
        const target t = aim_at_child(&a, lane_a, related);
        met |= (uint64_t)(children_met(walk, &b, &t, related) & met_b) << 8 * lane_a;
    }
    if (walk->masked) met = pairs_tested(ha, a.view, b.view, met);
    for (; met != 0; met &= met - 1) {
        const unsigned bit = (unsigned)__builtin_ctzll(met), lane_a = bit / 8, lane_b = bit % 8;
        const wi_walk_item child = {child_of(a.view, lane_a), child_of(b.view, lane_b),
                                    wi_view_box(a.view, lane_a), wi_view_box(b.view, lane_b)};
        if (!visit(walk, ha, hb, &child)) return false;
    }
    return true;
}

static inline bool visit_itself(wi_walk *walk, const wi_hierarchy *h, const wi_walk_item *item)
{
    if (walk->masked && wi_group_sets_apart(&h->sets, item->a, item->a)) return true;
    if ((item->a & WI_IS_LEAF) != 0)
        return WI_KERNEL(meet_leaf_itself)(walk, h, item->a & ~WI_IS_LEAF);
    return wi_array_push(walk->memory, &walk->stack, *item);
}

/* Children against themselves and against later ones: each pair of leaves comes up once. Both
 * frames are the same, but vertices that a pose rounds may meet where their boxes do not. */
IN_BOTH_LOOPS bool open_itself(wi_walk *walk, const wi_hierarchy *h, const wi_walk_item *item,
                               bool related)
{
    sight s;
    see(&s, open_node(walk, h, item->a), &walk->relation.a_to_b, related);
    for (unsigned lane = 0; lane < s.view->count; lane++) {
        target t = aim_at_child(&s, lane, related);
        wi_walk_item child = {child_of(s.view, lane), WI_ITSELF, t.own, {{0}, {0}}};
        bool ok = visit_itself(walk, h, &child);
        unsigned met = children_met(walk, &s, &t, related) & ~wi_lanes_mask(lane + 1);
        if (walk->masked) met = children_tested(h, s.view, met, child.a);
        while (ok && met != 0) {
            unsigned other = wi_take_lowest(&met);
            child.b = child_of(s.view, other);
            child.box_b = wi_view_box(s.view, other);
            ok = visit(walk, h, h, &child);
        }
        if (!ok) return false;
    }
    return true;
}

/* Of two inner nodes both are opened at once, or the larger one alone. */
IN_BOTH_LOOPS bool open_pair(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                             const wi_walk_item *item, bool related)
{
    if (item->b == WI_ITSELF) return open_itself(walk, ha, item, related);
    if (item->b == WI_STARS) return WI_KERNEL(run_stars)(walk, ha, item->a);
    if ((item->a & WI_IS_LEAF) != 0) return open_b(walk, ha, hb, item, related);
    if ((item->b & WI_IS_LEAF) != 0) return open_a(walk, ha, hb, item, related);
    if (!walk->rules.descend_larger) return open_both(walk, ha, hb, item, related);
    return wi_box_half_area(&item->box_a) >= wi_box_half_area(&item->box_b)
               ? open_a(walk, ha, hb, item, related)
               : open_b(walk, ha, hb, item, related);
}

IN_BOTH_LOOPS bool open_until_pause(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                                    bool related)
{
    while (walk->stack.count > 0 && walk->keys.count < walk->pause_at) {
        wi_walk_item item = walk->stack.items[--walk->stack.count];
        if (!open_pair(walk, ha, hb, &item, related)) return false;
    }
    return walk->stack.count > 0 || wi_walk_decide_all(walk);
}

static bool step(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb,
                 const wi_walk_item *item)
{
    if (!wi_walk_begin(walk, ha, hb)) return false;
    return walk->is_related ? open_pair(walk, ha, hb, item, true)
                            : open_pair(walk, ha, hb, item, false);
}

static bool run(wi_walk *walk, const wi_hierarchy *ha, const wi_hierarchy *hb)
{
    if (!wi_walk_begin(walk, ha, hb)) return false;
    return walk->is_related ? open_until_pause(walk, ha, hb, true)
                            : open_until_pause(walk, ha, hb, false);
}

IN_BOTH_LOOPS bool open_towards(wi_walk *walk, const wi_hierarchy *h, const target *t, bool related)
{
    while (walk->stack.count > 0 && walk->keys.count < walk->pause_at) {
        sight s;
        see(&s, open_node(walk, h, walk->stack.items[--walk->stack.count].a),
            &walk->relation.a_to_b, related);
        unsigned met = children_met(walk, &s, t, related);
        while (met != 0) {
            unsigned lane = wi_take_lowest(&met);
            wi_walk_item child = {s.view->child[lane], 0, wi_view_box(s.view, lane), t->own};
            bool is_leaf = (s.view->leaf_mask >> lane & 1) != 0;
            bool ok = is_leaf ? WI_KERNEL(meet_leaf_box)(walk, h, child.a, &t->own)
                              : wi_array_push(walk->memory, &walk->stack, child);
            if (!ok) return false;
        }
    }
    return true;
}

static bool run_box(wi_walk *walk, const wi_hierarchy *h, const wi_box *box)
{
    wi_walk_relate_box(walk, h, box);
    target t = aim_at(box, &walk->relation.b_to_a, walk->is_related);
    return walk->is_related ? open_towards(walk, h, &t, true) : open_towards(walk, h, &t, false);
}

extern const wi_walk_kernels WI_KERNEL(walk_kernels);
const wi_walk_kernels WI_KERNEL(walk_kernels) = {step, run, run_box};
