/* straight_boxes_kernel.c - bounds a tree at one end of a span; looks at, changes and opens nodes
 * within it.
 *
 * Way in: wi_straight_boxes_sweep, wi_straight_boxes_look, wi_straight_boxes_anchor,
 * wi_straight_boxes_open. A sweep is a refit that stores boxes of nodes only: one stream over
 * vertices and nodes, once for many updates. Boxes of leaves are found when a query looks at them:
 * in wide trees at both ends of the span, and kept lane by lane, in narrow ones, whose leaves are
 * small, as they are now. */
#include "base/check.h"
#include "base/kernel.h"
#include "update/bounds.h"
#include "update/claim.h"
#include "update/kinetic/end_lanes.h"
#include "update/kinetic/straight_spans.h"

extern wi_straight_boxes_sweep WI_KERNEL(straight_boxes_sweep);
extern wi_straight_boxes_look WI_KERNEL(straight_boxes_look);
extern wi_straight_boxes_anchor WI_KERNEL(straight_boxes_anchor);
extern wi_straight_boxes_child WI_KERNEL(straight_boxes_child);
extern wi_refresh WI_KERNEL(straight_boxes_open);

static inline wi_bounds straight_load_box(const wi_padded_box *box)
{
    return (wi_bounds){wi_quad_load(box->lower), wi_quad_load(box->upper)};
}

/* ---- the sweep ---- */

static inline wi_bounds bound_children(const wi_tree *h, const wi_node *view, const float *at,
                                       size_t stride, const wi_padded_box *boxes)
{
    wi_bounds all = wi_bounds_none();
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const wi_bounds b = (view->leaf_mask >> lane & 1) != 0
                                ? wi_bounds_of_leaf(h, &h->shape->leaves[child], at, stride)
                                : straight_load_box(&boxes[child]);
        all = wi_bounds_join(&all, &b);
    }
    return all;
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
static inline __attribute__((always_inline)) void
straight_sweep(const wi_tree *h, const float *at, size_t stride, wi_padded_box *boxes)
{
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_bounds b = bound_children(h, &h->boxes.nodes[node], at, stride, boxes);
        wi_quad_store(boxes[node].lower, b.lower);
        wi_quad_store(boxes[node].upper, b.upper);
    }
}

void WI_KERNEL(straight_boxes_sweep)(const wi_tree *h, const float *at, size_t stride,
                                     wi_padded_box *boxes)
{
    WI_ASSERT((stride == 3 || stride == 4) && boxes);
    if (stride == 3)
        straight_sweep(h, at, 3, boxes);
    else
        straight_sweep(h, at, 4, boxes);
}

/* ---- leaves ---- */

/* As tight as can be, at any time. */
static inline wi_bounds bound_leaf_at(const wi_tree *h, const wi_leaf *leaf, const wi_moment *at)
{
    wi_bounds b = wi_bounds_none();
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        wi_bounds_add(&b, wi_plan_quad(wi_mesh_plan(h->mesh), at, wi_leaf_place(h, leaf, i)));
    return b;
}

/* ---- chords ---- */

typedef struct chord {
    wi_bounds from, to;
} chord;

static inline chord chord_of_node(const wi_straight_boxes *c, uint32_t node)
{
    WI_ASSERT(node < c->node_count);
    return (chord){straight_load_box(&c->from[node]), straight_load_box(&c->to[node])};
}

/* A time in the span, from which on a chord is right. */
typedef struct since {
    const wi_moment *at;
    double share;
} since;

static since since_anchor(const wi_straight_boxes *c)
{
    return (since){&c->anchor, c->anchor_share};
}

/* Where something is at such a time, not rounded, and at the end of the span. */
typedef struct course {
    wi_quad64 lower, upper;
    wi_bounds to;
} course;

static inline course straight_course_of(const chord *c, double share_of_span)
{
    const wi_quad64 share = wi_quad64_all(share_of_span);
    const wi_quad64 from_low = wi_quad64_of(c->from.lower), to_low = wi_quad64_of(c->to.lower);
    const wi_quad64 from_high = wi_quad64_of(c->from.upper), to_high = wi_quad64_of(c->to.upper);
    const wi_quad64 down = wi_quad64_mul(share, wi_quad64_sub(to_low, from_low));
    const wi_quad64 up = wi_quad64_mul(share, wi_quad64_sub(to_high, from_high));
    return (course){wi_quad64_add(from_low, down), wi_quad64_add(from_high, up), c->to};
}

/* As its vertices are. */
static inline course course_of_leaf(const wi_tree *h, const wi_leaf *leaf, since time)
{
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    wi_bounds now = wi_bounds_none(), to = wi_bounds_none();
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        const uint32_t place = wi_leaf_place(h, leaf, i);
        wi_bounds_add(&now, wi_plan_quad(plan, time.at, place));
        wi_bounds_add(&to, wi_plan_quad(plan, &wi_kinetic_of(h)->straight.last, place));
    }
    return (course){wi_quad64_of(now.lower), wi_quad64_of(now.upper), to};
}

/* A chord of the whole span that is right for it from then on. Not for the last part of a span:
 * `from` would be anywhere. */
static inline chord straight_anchor(const course *c, double share)
{
    WI_ASSERT(wi_straight_boxes_can_anchor(share));
    const wi_quad64 s = wi_quad64_all(share), scale = wi_quad64_all(1.0 / (1.0 - share));
    const wi_quad64 low = wi_quad64_sub(c->lower, wi_quad64_mul(s, wi_quad64_of(c->to.lower)));
    const wi_quad64 high = wi_quad64_sub(c->upper, wi_quad64_mul(s, wi_quad64_of(c->to.upper)));
    return (chord){
        {wi_quad_below(wi_quad64_mul(low, scale)), wi_quad_above(wi_quad64_mul(high, scale))},
        c->to};
}

/* On paths that is as tight as can be, and right for paths that have changed. In the last part of a
 * span it is by where these paths would have been at its beginning. */
static chord chord_of_leaf(const wi_tree *h, uint32_t number, since time)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_plan *plan = wi_mesh_plan(h->mesh);
    const wi_leaf *leaf = &h->shape->leaves[number];
    if (c->is_on_keys)
        return (chord){wi_bounds_of_leaf(h, leaf, wi_plan_key(plan, c->first.from, 0), 3),
                       wi_bounds_of_leaf(h, leaf, wi_plan_key(plan, c->first.to, 0), 3)};
    if (!wi_straight_boxes_can_anchor(time.share))
        return (chord){bound_leaf_at(h, leaf, &c->first), bound_leaf_at(h, leaf, &c->last)};
    const course of = course_of_leaf(h, leaf, time);
    return straight_anchor(&of, time.share);
}

/* ---- lanes ---- */

static void put_lane(wi_end_lanes *lanes, unsigned lane, const chord *c)
{
    const wi_box from = wi_bounds_box(&c->from), to = wi_bounds_box(&c->to);
    WI_ASSERT(lane < WI_LANES);
    for (int axis = 0; axis < 3; axis++) {
        lanes->from[axis][lane] = from.lower[axis];
        lanes->from[3 + axis][lane] = from.upper[axis];
        lanes->to[axis][lane] = to.lower[axis];
        lanes->to[3 + axis][lane] = to.upper[axis];
    }
}

static chord get_lane(const wi_end_lanes *lanes, unsigned lane)
{
    WI_ASSERT(lane < WI_LANES);
    float ends[4][4] = {{0}};
    for (int axis = 0; axis < 3; axis++) {
        ends[0][axis] = lanes->from[axis][lane];
        ends[1][axis] = lanes->from[3 + axis][lane];
        ends[2][axis] = lanes->to[axis][lane];
        ends[3][axis] = lanes->to[3 + axis][lane];
    }
    return (chord){{wi_quad_load(ends[0]), wi_quad_load(ends[1])},
                   {wi_quad_load(ends[2]), wi_quad_load(ends[3])}};
}

/* All children that are nodes, and those of the leaves. */
static void straight_collect_lanes(const wi_tree *h, uint32_t node, unsigned leaves, since time)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(c->lanes && node < c->node_count);
    for (unsigned lane = 0; lane < view->count; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        if (is_leaf && (leaves >> lane & 1) == 0) continue;
        const uint32_t child = view->child[lane];
        const chord of = is_leaf ? chord_of_leaf(h, child, time) : chord_of_node(c, child);
        put_lane(&c->lanes[node], lane, &of);
    }
    const chord nothing = {{wi_quad_all(0.0F), wi_quad_all(0.0F)},
                           {wi_quad_all(0.0F), wi_quad_all(0.0F)}};
    for (unsigned lane = view->count; lane < WI_LANES; lane++)
        put_lane(&c->lanes[node], lane, &nothing);
    c->lanes_span[node] = c->span;
}

void WI_KERNEL(straight_boxes_child)(const wi_tree *h, uint32_t node, unsigned lane,
                                     wi_end_lanes *out, unsigned out_lane)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_node *view = &h->boxes.nodes[node];
    const since time = since_anchor(c);
    chord of;
    if (c->lanes) {
        if (c->lanes_span[node] != c->span) straight_collect_lanes(h, node, view->leaf_mask, time);
        of = get_lane(&c->lanes[node], lane);
    } else {
        of = (view->leaf_mask >> lane & 1) != 0 ? chord_of_leaf(h, view->child[lane], time)
                                                : chord_of_node(c, view->child[lane]);
    }
    put_lane(out, out_lane, &of);
}

/* ---- paths that change ---- */

static inline wi_quad64 straight_size_of(wi_quad64 x)
{
    return wi_quad64_max(x, wi_quad64_sub(wi_quad64_all(0.0), x));
}

/* Where a leaf is was rounded to floats, and outward; its node need not be beyond that, since boxes
 * are wider than chords by as much (WI_STRAIGHT_EASE). */
static inline course eased(course c)
{
    const wi_quad64 ease = wi_quad64_all(WI_STRAIGHT_EASE);
    c.lower = wi_quad64_add(c.lower, wi_quad64_mul(ease, straight_size_of(c.lower)));
    c.upper = wi_quad64_sub(c.upper, wi_quad64_mul(ease, straight_size_of(c.upper)));
    return c;
}

static inline course course_of_child(const wi_tree *h, uint32_t node, unsigned lane)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_node *view = &h->boxes.nodes[node];
    const uint32_t child = view->child[lane];
    const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
    if (is_leaf && c->lanes == NULL)
        return eased(course_of_leaf(h, &h->shape->leaves[child], since_anchor(c)));
    const chord of = c->lanes ? get_lane(&c->lanes[node], lane) : chord_of_node(c, child);
    const course at_anchor = straight_course_of(&of, c->anchor_share);
    return is_leaf ? eased(at_anchor) : at_anchor;
}

static inline course straight_join(const course *a, const course *b)
{
    return (course){wi_quad64_min(a->lower, b->lower), wi_quad64_max(a->upper, b->upper),
                    wi_bounds_join(&a->to, &b->to)};
}

/* From now on to the end of the span. Nothing is rounded here: what one node could be beyond the
 * next one above would add up on the way to the root. */
static inline bool is_within(const course *a, const course *b)
{
    return wi_quad64_same3(wi_quad64_max(a->lower, b->lower), a->lower) == 7 &&
           wi_quad64_same3(wi_quad64_min(a->upper, b->upper), a->upper) == 7 &&
           wi_quad_same3(wi_quad_max(a->to.lower, b->to.lower), a->to.lower) == 7 &&
           wi_quad_same3(wi_quad_min(a->to.upper, b->to.upper), a->to.upper) == 7;
}

static inline double straight_edges_of(const course *of)
{
    const wi_quad64 now = wi_quad64_sub(of->upper, of->lower);
    const wi_quad64 to = wi_quad64_of(wi_quad_sub(of->to.upper, of->to.lower));
    return wi_quad64_sum3(wi_quad64_add(now, to));
}

/* What is still right, and hardly larger than need be, is not worth a change of all above. */
static inline bool still_serves(const course *old, const course *tight)
{
    const double worth_it = 1.0625;
    return is_within(tight, old) && straight_edges_of(old) <= worth_it * straight_edges_of(tight);
}

static void store_chord(const wi_straight_boxes *c, uint32_t node, const chord *own)
{
    wi_quad_store(c->from[node].lower, own->from.lower);
    wi_quad_store(c->from[node].upper, own->from.upper);
    wi_quad_store(c->to[node].lower, own->to.lower);
    wi_quad_store(c->to[node].upper, own->to.upper);
}

static inline chord chord_of_child(const wi_tree *h, uint32_t node, unsigned lane)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_node *view = &h->boxes.nodes[node];
    if (c->lanes) return get_lane(&c->lanes[node], lane);
    return (view->leaf_mask >> lane & 1) != 0 ? chord_of_leaf(h, view->child[lane], since_anchor(c))
                                              : chord_of_node(c, view->child[lane]);
}

/* In the last part of a span: around the chords of the children, at both of its ends. That is right
 * from then on if these are, and not as tight as from an anchor, for as long as is left. */
static bool straight_surround(const wi_tree *h, uint32_t node)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const chord old = chord_of_node(c, node);
    chord all = chord_of_child(h, node, 0);
    for (unsigned lane = 1; lane < h->boxes.nodes[node].count; lane++) {
        const chord child = chord_of_child(h, node, lane);
        all = (chord){wi_bounds_join(&all.from, &child.from), wi_bounds_join(&all.to, &child.to)};
    }
    const course was = straight_course_of(&old, c->anchor_share);
    const course now = straight_course_of(&all, c->anchor_share);
    if (still_serves(&was, &now)) return false;
    store_chord(c, node, &all);
    return true;
}

bool WI_KERNEL(straight_boxes_anchor)(const wi_tree *h, uint32_t node, unsigned changed)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_node *view = &h->boxes.nodes[node];
    if (c->lanes)
        straight_collect_lanes(h, node, c->lanes_span[node] == c->span ? changed : view->leaf_mask,
                               since_anchor(c));
    WI_ASSERT(changed != 0 && changed >> view->count == 0);
    if (!wi_straight_boxes_can_anchor(c->anchor_share)) return straight_surround(h, node);
    course all = course_of_child(h, node, 0);
    for (unsigned lane = 1; lane < view->count; lane++) {
        const course child = course_of_child(h, node, lane);
        all = straight_join(&all, &child);
    }
    const chord old = chord_of_node(c, node);
    const course was = straight_course_of(&old, c->anchor_share);
    if (still_serves(&was, &all)) return false;
    const chord own = straight_anchor(&all, c->anchor_share);
    store_chord(c, node, &own);
    return true;
}

/* ---- how loose boxes are ---- */

/* From a node down to one with few leaves, or nothing but leaves. */
static uint32_t low_node(const wi_tree *h, uint32_t node)
{
    enum { FEW = 6 };
    while (wi_tree_last_leaf(h, node) - wi_tree_first_leaf(h, node) >= FEW) {
        const unsigned nodes = wi_node_inner_lanes(&h->boxes.nodes[node]);
        if (nodes == 0) break;
        node = h->boxes.nodes[node].child[__builtin_ctz(nodes)];
    }
    return node;
}

static void add_to_sample(wi_straight_boxes_sample *sum, const chord *own, double share,
                          const wi_bounds *tight)
{
    const course now = straight_course_of(own, share);
    sum->tight += wi_quad64_sum3(wi_quad64_of(wi_quad_sub(tight->upper, tight->lower)));
    sum->chords += wi_quad64_sum3(wi_quad64_sub(now.upper, now.lower));
    sum->boxes++;
}

/* Narrow trees have chords of nodes alone. */
static void look_at_node(const wi_tree *h, uint32_t node, wi_straight_boxes_sample *sum)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const uint32_t last = wi_tree_last_leaf(h, node);
    const chord own = chord_of_node(c, node);
    wi_bounds tight = wi_bounds_none();
    for (uint32_t leaf = wi_tree_first_leaf(h, node); leaf <= last; leaf++) {
        const wi_bounds b = bound_leaf_at(h, &h->shape->leaves[leaf], wi_mesh_moment(h->mesh));
        tight = wi_bounds_join(&tight, &b);
        sum->vertices += h->shape->leaves[leaf].vertex_count;
    }
    add_to_sample(sum, &own, c->share, &tight);
}

/* In wide trees most chords are of leaves. Not by the lanes that are there: which these are depends
 * on queries, and how long a span is must not. */
static void look_at_leaves(const wi_tree *h, uint32_t node, wi_straight_boxes_sample *sum)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
        const uint32_t leaf = view->child[__builtin_ctz(leaves)];
        const chord own = chord_of_leaf(h, leaf, since_anchor(c));
        const wi_bounds tight = bound_leaf_at(h, &h->shape->leaves[leaf], wi_mesh_moment(h->mesh));
        add_to_sample(sum, &own, c->share, &tight);
        sum->vertices += h->shape->leaves[leaf].vertex_count;
    }
}

wi_straight_boxes_sample WI_KERNEL(straight_boxes_look)(const wi_tree *h, uint32_t count)
{
    WI_ASSERT(count > 0 && h->moved && h->moved->leaf_count == h->shape->leaf_count);
    wi_straight_boxes_sample sum = {0};
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t leaf = (uint64_t)i * h->shape->leaf_count / count;
        const uint32_t node = low_node(h, h->moved->leaf_node[leaf]);
        if (wi_kinetic_of(h)->straight.lanes)
            look_at_leaves(h, node, &sum);
        else
            look_at_node(h, node, &sum);
    }
    return sum;
}

/* ---- opening ---- */

static void open_wide(const wi_tree *h, uint32_t node)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const since now = {wi_mesh_moment(h->mesh), c->share};
    if (c->lanes_span[node] != c->span)
        straight_collect_lanes(h, node, h->boxes.nodes[node].leaf_mask, now);
    wi_show_lanes(&c->lanes[node], c->share, wi_kinetic_of(h)->width, &h->boxes.nodes[node]);
}

static inline wi_bounds bound_node_now(const wi_tree *h, uint32_t node)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_quad64 share = wi_quad64_all(c->share), width = wi_quad64_all(wi_kinetic_of(h)->width);
    const wi_quad64 low = wi_between_keys(c->from[node].lower, c->to[node].lower, share);
    const wi_quad64 high = wi_between_keys(c->from[node].upper, c->to[node].upper, share);
    return (wi_bounds){wi_quad_below(wi_quad64_sub(low, width)),
                       wi_quad_above(wi_quad64_add(high, width))};
}

static void open_narrow(const wi_tree *h, uint32_t node)
{
    wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(h->def.arity < WI_LANES);
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        const wi_bounds b =
            (view->leaf_mask >> lane & 1) != 0
                ? bound_leaf_at(h, &h->shape->leaves[child], wi_mesh_moment(h->mesh))
                : bound_node_now(h, child);
        wi_node_set_bounds(view, lane, &b);
    }
}

void WI_KERNEL(straight_boxes_open)(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    if (wi_kinetic_of(h)->straight.lanes)
        open_wide(h, node);
    else
        open_narrow(h, node);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}
