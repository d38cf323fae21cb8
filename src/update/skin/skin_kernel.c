/* skin_kernel.c - the boxes of a node of a skinned body: those of joints, moved and put together.
 *
 * Way in: wi_skin_open. It takes time for each joint that moves something below a child.
 *
 * A vertex is at the sum of w x over its joints, where x is the place to which a joint takes it and
 * the weights w sum up to one. With least weights a, which all vertices below have at least,
 *
 *     sum of w x = sum of a x + (1 - sum of a) times a point of the hull of all x,
 *
 * so with the boxes of all x in the place of x this contains the vertex, but for rounding, for
 * which the boxes are widened (wi_skin_boxes_measure). A matrix takes an interval of each
 * coordinate to an interval: the ends of its products are those of the two ends, in one order or
 * the other. */
#include <math.h>

#include "base/check.h"
#include "base/kernel.h"
#include "mesh/motion/morph_quad.h"
#include "update/claim.h"
#include "update/outward_quad.h"
#include "update/skin/joint_boxes.h"

extern wi_refresh WI_KERNEL(skin_open);

/* Two corners of a box. */
typedef struct corners {
    wi_quad64 lower, upper;
} corners;

/* Adds what a column of a matrix makes of an interval. */
static inline void add_interval(corners *c, const double column[4], double low, double high)
{
    const wi_quad64 m = wi_quad64_load(column);
    const wi_quad64 a = wi_quad64_mul(m, wi_quad64_all(low));
    const wi_quad64 b = wi_quad64_mul(m, wi_quad64_all(high));
    c->lower = wi_quad64_add(c->lower, wi_quad64_min(a, b));
    c->upper = wi_quad64_add(c->upper, wi_quad64_max(a, b));
}

/* What targets come to below each lane. */
typedef struct added {
    double lower[3][WI_LANES], upper[3][WI_LANES];
} added;

static void add_targets(const wi_tree *h, uint32_t node, added *out)
{
    const wi_morph *source = wi_mesh_morph(h->mesh);
    const wi_skin_boxes *boxes = wi_skin_boxes_of(h);
    for (int i = 0; i < 3 * WI_LANES; i++)
        out->lower[i / WI_LANES][i % WI_LANES] = out->upper[i / WI_LANES][i % WI_LANES] = 0.0;
    for (uint32_t i = source->has_base; i < source->term_count; i++) {
        const wi_term *term = &source->terms[i];
        WI_ASSERT(term->shape < boxes->shape_count);
        const wi_lanes *lanes = wi_blend_lanes(&boxes->shapes[term->shape], node);
        if (lanes == NULL) continue;
        const bool turns = term->weight < 0.0;
        for (int k = 0; k < 3 * WI_LANES; k++) {
            const int axis = k / WI_LANES, lane = k % WI_LANES;
            const double low = term->weight * (double)lanes->lower[axis][lane];
            const double high = term->weight * (double)lanes->upper[axis][lane];
            out->lower[axis][lane] += turns ? high : low;
            out->upper[axis][lane] += turns ? low : high;
        }
    }
}

/* Where a joint takes what is below a lane. */
static inline corners moved(const wi_skin *skin, const wi_joint_box *box, const added *targets,
                            unsigned lane)
{
    const wi_columns *frame = &skin->frames[box->joint], *move = &skin->moves[box->joint];
    const bool has_base = skin->source->has_base;
    corners c;
    c.lower = c.upper = wi_quad64_load(has_base ? frame->column[3] : move->column[3]);
    for (int axis = 0; axis < 3 && has_base; axis++)
        add_interval(&c, frame->column[axis], (double)box->lower[axis], (double)box->upper[axis]);
    for (int axis = 0; axis < 3 && targets; axis++)
        add_interval(&c, move->column[axis], targets->lower[axis][lane],
                     targets->upper[axis][lane]);
    return c;
}

static inline void bound_lane(const wi_tree *h, uint32_t node, unsigned lane, const added *targets)
{
    const wi_skin *skin = wi_mesh_skin(h->mesh);
    const wi_skin_boxes *boxes = wi_skin_boxes_of(h);
    const wi_joint_list *list = wi_joint_list_at(boxes, node, lane);
    const wi_joint_box *box = boxes->boxes.items + list->first;
    corners hull = {wi_quad64_all((double)INFINITY), wi_quad64_all(-(double)INFINITY)};
    corners sure = {wi_quad64_all(0.0), wi_quad64_all(0.0)};
    double rest = 1.0;
    float low[4], high[4];
    WI_ASSERT(list->count > 0);
    for (uint32_t i = 0; i < list->count; i++, box++) {
        const corners c = moved(skin, box, targets, lane);
        hull.lower = wi_quad64_min(hull.lower, c.lower);
        hull.upper = wi_quad64_max(hull.upper, c.upper);
        if (!(box->least > 0.0F)) continue;
        const wi_quad64 least = wi_quad64_all((double)box->least);
        sure.lower = wi_quad64_add(sure.lower, wi_quad64_mul(least, c.lower));
        sure.upper = wi_quad64_add(sure.upper, wi_quad64_mul(least, c.upper));
        rest -= (double)box->least;
    }
    const wi_quad64 part = wi_quad64_all(rest > 0.0 ? rest : 0.0);
    const wi_quad64 slack = wi_quad64_all(boxes->slack);
    const wi_quad64 lower = wi_quad64_add(sure.lower, wi_quad64_mul(part, hull.lower));
    const wi_quad64 upper = wi_quad64_add(sure.upper, wi_quad64_mul(part, hull.upper));
    wi_quad_store(low, wi_quad_below(wi_quad64_sub(lower, slack)));
    wi_quad_store(high, wi_quad_above(wi_quad64_add(upper, slack)));
    wi_node *view = &h->boxes.nodes[node];
    for (int axis = 0; axis < 3; axis++) {
        WI_ASSERT(low[axis] <= high[axis]);
        view->lower[axis][lane] = low[axis];
        view->upper[axis][lane] = high[axis];
    }
}

void WI_KERNEL(skin_open)(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_box nowhere = wi_box_empty();
    wi_node *view = &h->boxes.nodes[node];
    added targets;
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    WI_ASSERT(node < wi_skin_boxes_of(h)->node_count && view->count <= WI_LANES);
    const bool has_targets = wi_skin_boxes_of(h)->shapes != NULL;
    if (has_targets) add_targets(h, node, &targets);
    for (unsigned lane = 0; lane < view->count; lane++)
        bound_lane(h, node, lane, has_targets ? &targets : NULL);
    for (unsigned lane = view->count; lane < WI_LANES; lane++)
        wi_node_set_box(view, lane, &nowhere);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}
