/* edit_node.c - see edit_node.h. */
#include "tree/linked/edit_node.h"

#include "base/check.h"

/* ---- boxes ---- */

wi_box wi_edit_box_of_tri(const wi_tree *h, uint32_t slot)
{
    wi_box box = wi_box_empty();
    for (int i = 0; i < 3; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, h->mesh->tris[slot][i], p);
        wi_box_add_point(&box, p);
    }
    return box;
}

wi_box wi_edit_box_of_lanes(const wi_node *view)
{
    wi_box box = wi_box_empty();
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box child = wi_node_box(view, lane);
        wi_box_add_box(&box, &child);
    }
    return box;
}

double wi_edit_growth(const wi_box *box, const wi_box *more)
{
    wi_box both = *box;
    wi_box_add_box(&both, more);
    return wi_box_half_area(&both) - wi_box_half_area(box);
}

/* Open nodes know; what is below closed ones is looked at. */
wi_box wi_linked_box_below(const wi_tree *h, uint32_t node)
{
    uint32_t stack[WI_MOST_HEIGHT * WI_LANES];
    unsigned count = 0;
    wi_box box = wi_box_empty();
    stack[count++] = node;
    while (count > 0) {
        const uint32_t at = stack[--count];
        const wi_node *view = &h->boxes.nodes[at];
        if (wi_is_open(h, at)) {
            const wi_box known = wi_edit_box_of_lanes(view);
            wi_box_add_box(&box, &known);
            continue;
        }
        WI_ASSERT(count + view->count <= WI_MOST_HEIGHT * WI_LANES);
        for (unsigned lane = 0; lane < view->count; lane++) {
            if ((view->leaf_mask >> lane & 1) == 0) { /* AVL trees have both in one view */
                stack[count++] = view->child[lane];
                continue;
            }
            const wi_box leaf = wi_leaf_box(h, &h->shape->leaves[view->child[lane]]);
            wi_box_add_box(&box, &leaf);
        }
    }
    return box;
}

static wi_box box_of_child(const wi_tree *h, const wi_node *view, unsigned lane)
{
    const uint32_t child = view->child[lane];
    return (view->leaf_mask >> lane & 1) != 0 ? wi_leaf_box(h, &h->shape->leaves[child])
                                              : wi_linked_box_below(h, child);
}

void wi_edit_open_node(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    wi_node *view = &h->boxes.nodes[node];
    if (c->boxes == WI_EDIT_OLD || wi_is_open(h, node)) return;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box box = box_of_child(h, view, lane);
        wi_node_set_box(view, lane, &box);
    }
    atomic_store_explicit(&view->stamp, c->revision, memory_order_relaxed);
}

void wi_edit_stamp_node(wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    if (c->boxes == WI_EDIT_TRUE)
        atomic_store_explicit(&h->boxes.nodes[node].stamp, c->revision, memory_order_relaxed);
}

/* ---- marks ---- */

void wi_edit_mark_node(wi_tree *h, uint32_t node)
{
    wi_links *l = h->shape->links;
    if (l->is_changed[node]) return;
    l->is_changed[node] = true;
    l->changed_nodes[l->changed_node_count++] = node;
}

void wi_edit_mark_leaf(wi_tree *h, uint32_t leaf)
{
    wi_links *l = h->shape->links;
    l->leaf_marks[leaf] |= WI_LEAF_CHANGED;
    wi_edit_mark_node(h, l->leaf_node[leaf]);
}

/* ---- children ---- */

unsigned wi_edit_list_children(const wi_tree *h, uint32_t node, wi_edit_child *out)
{
    const wi_node *view = &h->boxes.nodes[node];
    for (unsigned lane = 0; lane < view->count; lane++)
        out[lane] = (wi_edit_child){view->child[lane] | (view->leaf_mask != 0 ? WI_IS_LEAF : 0),
                                    wi_node_box(view, lane)};
    return view->count;
}

void wi_edit_empty_node(wi_tree *h, uint32_t node)
{
    while (h->boxes.nodes[node].count > 0)
        wi_links_remove_child(h, node, h->boxes.nodes[node].count - 1U);
}
