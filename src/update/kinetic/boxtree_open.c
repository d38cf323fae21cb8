/* boxtree_open.c - the boxes of a BoxTree: those above, cut by its planes. */
#include <math.h>

#include "base/check.h"
#include "geom/outward.h"
#include "update/claim.h"
#include "update/kinetic/boxtree.h"

wi_box wi_boxtree_leaf_box(const wi_tree *h, const wi_moment *at, const wi_leaf *leaf)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        float p[3];
        wi_plan_point(wi_mesh_plan(h->mesh), at, wi_leaf_place(h, leaf, i), p);
        wi_box_add_point(&box, p);
    }
    return box;
}

/* Every level of certificates may be behind by the slack for its choice, by as much for roundings
 * of its time, and by as much for handovers. */
double wi_boxtree_width(const wi_tree *h, double time)
{
    const double levels = h->def.arity == 8 ? 3.0 : h->def.arity == 4 ? 2.0 : 1.0;
    return (3.0 * levels * h->shape->height + 4.0) * wi_plan_slack(wi_mesh_plan(h->mesh), time);
}

static float plane_of(const wi_tree *h, const wi_moment *at, double width, const wi_box_part *part)
{
    const int axis = part->end % 3;
    const double x = wi_plan_course(wi_mesh_plan(h->mesh), at, part->place, axis).x;
    WI_ASSERT(part->end < WI_ROOT_PARTS && part->place < h->mesh->vertex_count && width >= 0.0);
    return part->end < 3 ? wi_float_below(x - width) : wi_float_above(x + width);
}

static void boxtree_cut(wi_box *box, unsigned end, float plane)
{
    WI_ASSERT(end < WI_ROOT_PARTS);
    if (end < 3)
        box->lower[end] = plane;
    else
        box->upper[end - 3] = plane;
}

wi_box wi_boxtree_bounds(const wi_tree *h)
{
    const wi_kinetic *k = wi_kinetic_of(h);
    wi_box box = wi_box_empty();
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        boxtree_cut(&box, end, plane_of(h, wi_mesh_moment(h->mesh), k->width, &k->box.parts[end]));
    return box;
}

/* A plane may be further out than one above, by the slack. */
static void boxtree_narrow(wi_box *box, unsigned end, float plane)
{
    if (end < 3 ? plane > box->lower[end] : plane < box->upper[end - 3])
        boxtree_cut(box, end, plane);
}

static void show(const wi_tree *h, uint32_t node, wi_node *view)
{
    const wi_kinetic *k = wi_kinetic_of(h);
    const wi_box_part *parts = k->box.parts + wi_boxtree_first(&k->box, node);
    const wi_part_shape *shapes = wi_part_shapes[view->count];
    const wi_box own =
        node == 0 ? h->boxes.bounds : wi_node_box(&h->boxes.nodes[view->parent], view->parent_lane);
    wi_box boxes[WI_MOST_PARTS];
    if (view->count == 1) wi_node_set_box(view, 0, &own);
    for (unsigned i = 0; i < wi_parts_of(view->count); i++) {
        boxes[i] = shapes[i].above == WI_NO_PART ? own : boxes[shapes[i].above];
        boxtree_narrow(&boxes[i], parts[i].end,
                       plane_of(h, wi_mesh_moment(h->mesh), k->width, &parts[i]));
        if (shapes[i].count == 1) wi_node_set_box(view, shapes[i].first, &boxes[i]);
    }
}

/* The node above is open. */
static void boxtree_open_one(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    WI_ASSERT(node == 0 || wi_is_open(h, view->parent));
    show(h, node, view);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

/* A box is made of those above it, so these come first: who has claimed a node waits for nobody. */
void wi_boxtree_refresh(const wi_tree *h, uint32_t node, wi_openings *count)
{
    uint32_t closed[WI_MOST_DEPTH];
    unsigned depth = 0;
    for (; !wi_is_open(h, node); node = h->boxes.nodes[node].parent) {
        WI_ASSERT(depth < WI_MOST_DEPTH);
        closed[depth++] = node;
        if (node == 0) break;
    }
    while (depth-- > 0) boxtree_open_one(h, closed[depth], count);
}

/* ---- for checked builds ---- */

static bool is_beyond(const wi_box *box, unsigned end, float plane)
{
    return end < 3 ? box->lower[end] < plane : box->upper[end - 3] > plane;
}

const char *wi_boxtree_check(const wi_tree *h, const wi_moment *at)
{
    const wi_boxtree *b = &wi_kinetic_of(h)->box;
    const double width = wi_boxtree_width(h, at->time);
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        const wi_box box = wi_boxtree_leaf_box(h, at, &h->shape->leaves[number]);
        uint32_t node = b->leaf_node[number];
        unsigned part = wi_boxtree_leaf_part(h, number);
        for (;;) {
            const wi_node *view = &h->boxes.nodes[node];
            const wi_box_part *parts = b->parts + wi_boxtree_first(b, node);
            for (; part != WI_NO_PART; part = wi_part_shapes[view->count][part].above)
                if (is_beyond(&box, parts[part].end, plane_of(h, at, width, &parts[part])))
                    return "K7: a vertex is beyond a plane above it";
            if (node == 0) break;
            node = view->parent;
            part = wi_lane_parts[h->boxes.nodes[node].count][view->parent_lane];
        }
        for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
            if (is_beyond(&box, end, plane_of(h, at, width, &b->parts[end])))
                return "K7: a vertex is beyond an end of the whole";
    }
    return NULL;
}
