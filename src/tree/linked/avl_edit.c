/* avl_edit.c - edits of a mesh, carried out in an AVL tree over it.
 *
 * After Otaduy and others 2007, section 4.1: a triangle that is replaced stays where it was; a new
 * one comes beside a neighbour that is there, in the order of a search over the mesh, and, where it
 * has none, beside the nearest. */
#include "base/check.h"
#include "tree/linked/avl.h"
#include "tree/linked/insert_order.h"
#include "tree/self/self_edit.h"

/* How many of the leaves around a vertex are looked at. */
enum { MOST_AROUND = 16 };

static void mark_avl_leaf(wi_tree *h, uint32_t leaf, uint64_t revision)
{
    h->shape->links->leaf_revision[leaf] = revision;
    wi_avl_of(h)->leaf_boxes[leaf] = wi_leaf_box(h, &h->shape->leaves[leaf]);
    wi_avl_mark(h, leaf);
}

/* Lists for pairs within the body follow. */
static void tell_lists(wi_tree *h, uint32_t slot, uint32_t leaf)
{
    for (int i = 0; i < 3; i++) wi_self_edit_touch_vertex(h, h->mesh->tris[slot][i]);
    wi_self_edit_change_leaf(h, leaf);
}

static void replace_tri(wi_tree *h, uint32_t slot, uint64_t revision)
{
    const uint32_t leaf = h->shape->links->leaf_of[slot];
    wi_links_remove_tri(h, slot);
    wi_links_add_tri(h, leaf, slot);
    tell_lists(h, slot, leaf);
    mark_avl_leaf(h, leaf, revision);
}

static void remove_leaf(wi_tree *h, uint32_t slot, uint64_t revision)
{
    const uint32_t leaf = h->shape->links->leaf_of[slot];
    wi_links_remove_tri(h, slot);
    wi_avl_remove(h, leaf);
    wi_links_give_leaf(h, leaf);
    h->shape->links->leaf_revision[leaf] = revision;
}

static void remove_or_replace(wi_tree *h, const wi_tree_changes *c)
{
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t slot = c->slots[i];
        if (h->shape->links->leaf_of[slot] == WI_NO_LINK) continue;
        if (wi_mesh_has_tri(h->mesh, slot) && wi_mesh_collides(h->mesh, slot))
            replace_tri(h, slot, c->revision);
        else
            remove_leaf(h, slot, c->revision);
    }
}

/* ---- triangles come ---- */

static unsigned shared_vertices(const wi_tree *h, uint32_t leaf, const uint32_t tri[3])
{
    const wi_leaf *l = &h->shape->leaves[leaf];
    unsigned shared = 0;
    for (unsigned i = 0; i < l->vertex_count; i++) {
        const uint32_t vertex = h->shape->leaf_vertices[l->first_vertex + i];
        shared += vertex == tri[0] || vertex == tri[1] || vertex == tri[2];
    }
    return shared;
}

static double area_with(const wi_tree *h, uint32_t leaf, const wi_box *box)
{
    wi_box both = wi_avl_of(h)->leaf_boxes[leaf];
    wi_box_add_box(&both, box);
    return wi_box_half_area(&both);
}

/* The neighbour with the most vertices in common, and of these the one that makes the smallest box
 * with it; WI_NO_LINK: there is none. */
static uint32_t best_neighbour(const wi_tree *h, uint32_t slot, const wi_box *box)
{
    const wi_links *l = h->shape->links;
    const uint32_t *tri = h->mesh->tris[slot];
    uint32_t best = WI_NO_LINK;
    unsigned most = 0;
    double least = 0.0;
    for (int k = 0; k < 3; k++) {
        uint32_t entry = l->first_entry[tri[k]];
        for (int i = 0; i < MOST_AROUND && entry != WI_NO_LINK; i++, entry = l->next_entry[entry]) {
            const uint32_t leaf = entry / l->entries_per_leaf;
            const unsigned shared = shared_vertices(h, leaf, tri);
            const double area = area_with(h, leaf, box);
            if (shared < most || (shared == most && best != WI_NO_LINK && !(area < least)))
                continue;
            best = leaf;
            most = shared;
            least = area;
        }
    }
    return best;
}

static void insert_leaf(wi_tree *h, uint32_t slot, uint64_t revision)
{
    wi_avl *avl = wi_avl_of(h);
    const uint32_t leaf = wi_links_take_leaf(h);
    wi_box box = wi_box_empty();
    for (int i = 0; i < 3; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, h->mesh->tris[slot][i], p);
        wi_box_add_point(&box, p);
    }
    avl->leaf_parent[leaf] = WI_NO_LINK;
    avl->leaf_boxes[leaf] = box;
    if (avl->root == WI_NO_LINK) {
        avl->root = leaf | WI_IS_LEAF;
    } else {
        const uint32_t near = best_neighbour(h, slot, &box);
        wi_avl_insert(h, leaf, near == WI_NO_LINK ? wi_avl_nearest(h, &box) : near);
    }
    wi_links_add_tri(h, leaf, slot);
    tell_lists(h, slot, leaf);
    h->shape->links->leaf_node[leaf] = 0; /* until it is in a view */
    h->shape->links->leaf_revision[leaf] = revision;
}

willow_result wi_avl_edit(wi_memory *memory, wi_tree *h, wi_tree_changes *c)
{
    wi_insert_order order;
    if (!wi_links_reserve_mesh(memory, h)) return WILLOW_OUT_OF_MEMORY;
    remove_or_replace(h, c);
    bool fine = wi_insert_order_make(memory, h, c->slots, c->count, &order) &&
                wi_links_reserve(memory, h, (uint32_t)order.count, (uint32_t)order.count + 1);
    for (size_t i = 0; fine && i < order.count; i++) insert_leaf(h, order.slots[i], c->revision);
    wi_insert_order_free(memory, &order);
    if (!fine) return WILLOW_OUT_OF_MEMORY;
    if (h->shape->tri_count == 0) {
        wi_tree_destroy(memory, h);
        return WILLOW_OK;
    }
    return wi_self_edit_finish(memory, h) ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}

/* ---- from a packed tree ---- */

/* Children follow their parent (I1), so a backward sweep meets them first. What is balanced stays
 * as it is. */
bool wi_avl_gather(wi_memory *memory, const wi_tree *packed, wi_tree *h)
{
    wi_avl *avl = wi_avl_of(h);
    const uint32_t count = packed->shape->node_count;
    uint32_t *made = wi_alloc_array(memory, count, sizeof *made);
    if (made == NULL) return false;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        avl->leaf_parent[leaf] = WI_NO_LINK;
        avl->leaf_boxes[leaf] = wi_leaf_box(h, &h->shape->leaves[leaf]);
        h->shape->links->leaf_node[leaf] = 0;
    }
    (void)wi_links_take_node(h, 0); /* the view of the root */
    for (uint32_t node = count; node-- > 0;) {
        const wi_node *view = &packed->boxes.nodes[node];
        made[node] = WI_NO_LINK;
        for (unsigned lane = 0; lane < view->count; lane++) {
            const uint32_t child = view->child[lane];
            const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            made[node] = wi_avl_join(h, made[node], is_leaf ? child | WI_IS_LEAF : made[child]);
        }
    }
    avl->root = made[0];
    wi_free_array(memory, made, count, sizeof *made);
    return true;
}
