/* certificates_open.c - the boxes of a kinetic tree: its ends, where they are now, or its chords.
 */
#include "base/check.h"
#include "base/kernel.h"
#include "geom/outward.h"
#include "update/claim.h"
#include "update/kinetic/boxtree.h"
#include "update/kinetic/certificates.h"
#include "update/kinetic/straight_spans.h"

static double coordinate(const wi_mesh *mesh, uint32_t place, unsigned axis)
{
    WI_ASSERT(place < mesh->vertex_count && axis < 3);
    return wi_plan_course(wi_mesh_plan(mesh), wi_mesh_moment(mesh), place, (int)axis).x;
}

static wi_box box_of_chord(const wi_tree *h, uint32_t node)
{
    const wi_straight_boxes *c = &wi_kinetic_of(h)->straight;
    const wi_padded_box *from = &c->from[node], *to = &c->to[node];
    WI_ASSERT(node < c->node_count && c->share >= 0.0 && c->share <= 1.0);
    const double width = wi_kinetic_of(h)->width;
    wi_box box;
    for (unsigned axis = 0; axis < 3; axis++) {
        const double low = (double)from->lower[axis], high = (double)from->upper[axis];
        const double down = (double)to->lower[axis] - low, up = (double)to->upper[axis] - high;
        box.lower[axis] = wi_float_below(low + c->share * down - width);
        box.upper[axis] = wi_float_above(high + c->share * up + width);
    }
    return box;
}

static wi_box certificates_box_of(const wi_tree *h, uint32_t item)
{
    if (wi_kinetic_of(h)->straight.from) return box_of_chord(h, item);
    const double width = wi_kinetic_of(h)->width;
    WI_ASSERT(item < wi_kinetic_of(h)->node_count + wi_kinetic_of(h)->leaf_count);
    WI_ASSERT(width >= 0.0);
    const uint32_t *ends = wi_kinetic_of(h)->items[item].ends;
    wi_box box;
    for (unsigned axis = 0; axis < 3; axis++) {
        box.lower[axis] = wi_float_below(coordinate(h->mesh, ends[axis], axis) - width);
        box.upper[axis] = wi_float_above(coordinate(h->mesh, ends[3 + axis], axis) + width);
    }
    return box;
}

static void certificates_refresh(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t first = view->leaf_mask >> lane & 1 ? h->shape->node_count : 0;
        const wi_box box = certificates_box_of(h, first + view->child[lane]);
        wi_node_set_box(view, lane, &box);
    }
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

extern wi_refresh wi_kinetic_open_scalar, wi_kinetic_open_avx2;

wi_refresh *wi_kinetic_refresh_for(const wi_tree *h, willow_kernel kernel)
{
    if (wi_kinetic_of(h)->straight.from) return wi_straight_boxes_refresh_for(kernel);
    const bool is_between_keys = wi_kinetic_of(h)->lanes && wi_mesh_plan(h->mesh)->paths == NULL;
    return is_between_keys ? WI_KERNELS_FOR(kernel, kinetic_open) : certificates_refresh;
}

wi_box wi_kinetic_bounds(const wi_tree *h) { return certificates_box_of(h, 0); }

/* A leaf, seen from one of the items that it is below. */
static const char *check_leaf(const wi_tree *h, const wi_box *box, const wi_leaf *leaf)
{
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        double x[3];
        wi_plan_read(wi_mesh_plan(h->mesh), wi_mesh_moment(h->mesh), wi_leaf_place(h, leaf, i), x);
        for (int axis = 0; axis < 3; axis++) {
            const float at = wi_plan_round(x[axis]);
            if (at < box->lower[axis] || at > box->upper[axis])
                return "K3: a vertex is beyond the end of a box";
        }
    }
    return NULL;
}

/* A leaf, seen from an item and all above it. */
static const char *check_above(const wi_tree *h, uint32_t item, const wi_leaf *leaf)
{
    for (;;) {
        const wi_box box = certificates_box_of(h, item);
        const char *broken = check_leaf(h, &box, leaf);
        if (broken || item == 0) return broken;
        item = wi_kinetic_of(h)->items ? wi_kinetic_of(h)->items[item].parent
                                       : h->boxes.nodes[item].parent;
    }
}

/* Chords are of nodes alone. */
const char *wi_kinetic_check(const wi_tree *h)
{
    if (wi_kinetic_of(h)->box.parts) return wi_boxtree_check(h, wi_mesh_moment(h->mesh));
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const uint32_t number = view->child[__builtin_ctz(leaves)];
            const uint32_t item = wi_kinetic_of(h)->items ? h->shape->node_count + number : node;
            const char *broken = check_above(h, item, &h->shape->leaves[number]);
            if (broken) return broken;
        }
    }
    return NULL;
}
