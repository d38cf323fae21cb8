/* order.c - the vertices of a body in the order in which its hierarchy meets them.
 *
 * Way in: willow_body_copy_order. Made for callers who can choose the order of their own array,
 * once, before a long run: a borrowed array in this order is read as a stream. So it is a sweep
 * over all vertices, whichever of them are asked for. */
#include "base/check.h"
#include "tree/linked/links.h"
#include "world/world.h"

/* A window on the order: what lies outside of it is counted and dropped. */
typedef struct window {
    uint32_t first, count;
    uint32_t at; /* where in the order the next vertex is */
    uint32_t *out;
} window;

static void put(window *w, uint32_t vertex)
{
    WI_ASSERT(w->out != NULL || w->count == 0);
    uint32_t place = w->at++ - w->first; /* those before it are huge numbers */
    if (place < w->count) w->out[place] = vertex;
}

/* Leaves follow each other in the order of the vertices that they own (I2, I3). */
static void put_owned(window *w, const wi_tree *h)
{
    for (uint32_t i = 0; i < h->shape->leaf_count; i++) {
        const wi_leaf *leaf = &h->shape->leaves[i];
        for (unsigned k = 0; k < leaf->owned_count; k++)
            put(w, h->shape->leaf_vertices[leaf->first_vertex + k]);
    }
}

/* In a linked tree a vertex is that of the first leaf in its list. */
static void put_linked(window *w, const wi_tree *h)
{
    const wi_links *links = wi_links_of(h);
    const wi_mesh *mesh = h->mesh;
    wi_twig twig = {0, 1, 0};
    do {
        const wi_node *view = &h->boxes.nodes[twig.node];
        for (unsigned lanes = view->leaf_mask; lanes != 0; lanes &= lanes - 1) {
            const wi_leaf *leaf = &h->shape->leaves[view->child[__builtin_ctz(lanes)]];
            for (unsigned i = 0; i < leaf->vertex_count; i++) {
                const uint32_t vertex = h->shape->leaf_vertices[leaf->first_vertex + i];
                if (links->first_entry[vertex] == leaf->first_vertex + i) put(w, vertex);
            }
        }
    } while (wi_tree_next_node(h, &twig));
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        if (wi_mesh_stands_for_itself(mesh, vertex) && links->first_entry[vertex] == WI_NO_LINK)
            put(w, vertex);
}

/* Merged vertices are behind all others, so that in a mesh that is renumbered by this order the
 * same ones stand for them. */
static void put_merged(window *w, const wi_mesh *mesh)
{
    for (uint32_t vertex = 0; mesh->stand_in && vertex < mesh->vertex_count; vertex++)
        if (!wi_mesh_stands_for_itself(mesh, vertex)) put(w, vertex);
}

static void put_all(window *w, const wi_tree *h, const wi_mesh *mesh)
{
    if (h->boxes.nodes == NULL || wi_shape_is_grown(h->shape)) {
        for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) put(w, vertex);
        return;
    }
    if (wi_shape_is_linked(h->shape)) {
        put_linked(w, h);
    } else {
        put_owned(w, h);
        for (uint32_t i = 0; i < h->shape->loose_count; i++) put(w, h->shape->loose[i]);
    }
    put_merged(w, mesh);
}

willow_result willow_body_copy_order(const willow_world *world, willow_body_id id, uint32_t first,
                                     uint32_t count, uint32_t *out)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    wi_instance room;
    const wi_tree *h = wi_body_see_tree(body, &room);
    const uint32_t has = h->mesh->vertex_count;
    if (first > has || count > has - first || (count > 0 && out == NULL))
        return WILLOW_BAD_ARGUMENT;
    if (body->state >= WI_BODY_DIRTY) return WILLOW_STALE;
    window w = {.first = first, .count = count, .out = out};
    put_all(&w, h, h->mesh);
    WI_ASSERT(w.at == has);
    return WILLOW_OK;
}
