/* rest.c - see rest.h. A node is opened over the vertices below its children, as TOP_DOWN does, but
 * each is computed on the way and none is stored: queries may share the body (C9). */
#include "update/rest/rest.h"

#include <math.h>

#include "geom/outward.h"
#include "tree/linked/tree_edit.h"
#include "update/claim.h"

bool wi_rest_suits(const wi_tree *h)
{
    return h->boxes.nodes && !wi_shape_is_grown(h->shape) &&
           (wi_mesh_is_computed(h->mesh) || h->mesh->borrowed);
}

/* ---- opening a node ---- */

static wi_box rest_box_below(const wi_tree *h, uint32_t node)
{
    wi_box box = wi_box_empty();
    if (wi_shape_is_linked(h->shape)) return wi_linked_box_below(h, node);
    const uint32_t last = wi_tree_last_leaf(h, node);
    for (uint32_t i = wi_tree_first_leaf(h, node); i <= last; i++) {
        const wi_box leaf = wi_leaf_box(h, &h->shape->leaves[i]);
        wi_box_add_box(&box, &leaf);
    }
    return box;
}

static void rest_open_node(const wi_tree *h, uint32_t node, wi_openings *count)
{
    wi_node *view = &h->boxes.nodes[node];
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    for (unsigned lane = 0; lane < view->count; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const wi_box box = is_leaf ? wi_leaf_box(h, &h->shape->leaves[view->child[lane]])
                                   : rest_box_below(h, view->child[lane]);
        wi_node_set_box(view, lane, &box);
    }
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

/* ---- the whole ---- */

/* A box in the frame of the body that contains all that the pose takes into a box of the world: the
 * extent of that box along each axis of the body, and some roundings more. */
static wi_box rest_bounds(const wi_pose *pose, const wi_box *world_box)
{
    if (pose == NULL) return *world_box;
    wi_box bounds;
    double middle[3], half[3], turned[3];
    for (int axis = 0; axis < 3; axis++) {
        const double low = world_box->lower[axis], high = world_box->upper[axis];
        middle[axis] = 0.5 * low + 0.5 * high - pose->translation[axis];
        half[axis] = 0.5 * high - 0.5 * low;
    }
    wi_pose_turn_back(pose, middle, turned);
    for (int axis = 0; axis < 3; axis++) {
        double reach = 0.0, far = 0.0;
        for (int row = 0; row < 3; row++) {
            reach += fabs(pose->column[axis][row]) * half[row];
            far += fabs(middle[row]) + fabs(pose->translation[row]) + half[row];
        }
        reach += 0x1p-40 * far;
        bounds.lower[axis] = wi_float_below(turned[axis] - reach);
        bounds.upper[axis] = wi_float_above(turned[axis] + reach);
    }
    return bounds;
}

void wi_rest_begin(wi_tree *h, wi_mesh *mesh, const wi_box *world_box, uint64_t revision)
{
    WI_ASSERT(wi_rest_suits(h) && h->mesh == mesh && revision > h->boxes.revision);
    WI_ASSERT(!wi_box_is_empty(world_box));
    if (wi_mesh_is_computed(mesh)) mesh->stored = WI_STORED_OLD;
    wi_tree_act(h, &(wi_keeper){0}, rest_open_node);
    h->boxes.revision = h->boxes.valid_from = revision;
    h->boxes.bounds = rest_bounds(wi_mesh_pose(mesh), world_box);
}

void wi_rest_place(wi_tree *h, const wi_box *world_box, uint64_t placement)
{
    wi_tree_place(h, placement);
    h->boxes.world_bounds = *world_box;
}
