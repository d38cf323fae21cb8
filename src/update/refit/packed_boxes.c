/* packed_boxes.c - makes and checks the lists of a narrow tree. */
#include "update/refit/packed_boxes.h"

#include "base/check.h"
#include "tree/tree.h"

/* Subtrees for threads are at most this part of the tree, and worth a task. */
enum { PARTS = 64, LEAST_NODES = 128 };

void wi_packed_boxes_free(wi_memory *memory, wi_packed_boxes *c)
{
    wi_free_array(memory, c->boxes, c->node_count, sizeof *c->boxes);
    wi_free_array(memory, c->last_node, c->node_count, sizeof *c->last_node);
    wi_free_array(memory, c->shapes, c->node_count, sizeof *c->shapes);
    wi_free_array(memory, c->places, c->leaf_count, sizeof *c->places);
    wi_free_array(memory, c->vertex_at, c->place_count, sizeof *c->vertex_at);
    wi_free_array(memory, c->parts, c->part_count, sizeof *c->parts);
    wi_free_array(memory, c->above, c->above_count, sizeof *c->above);
    *c = (wi_packed_boxes){0};
}

size_t wi_packed_boxes_bytes(const wi_packed_boxes *c)
{
    return (c->boxes ? c->node_count * sizeof *c->boxes : 0) +
           c->node_count * (sizeof *c->last_node + sizeof *c->shapes) +
           (c->places ? c->leaf_count * sizeof *c->places : 0) +
           c->place_count * sizeof *c->vertex_at + c->part_count * sizeof *c->parts +
           c->above_count * sizeof *c->above;
}

static bool packed_allocate(wi_memory *memory, const wi_tree *h, wi_packed_boxes *c)
{
    const wi_leaf *last = &h->shape->leaves[h->shape->leaf_count - 1];
    const bool has_places = h->def.leaf_triangles == 1;
    WI_ASSERT(last->first_place + last->owned_count <= h->mesh->vertex_count);
    c->node_count = h->shape->node_count;
    c->leaf_count = h->shape->leaf_count;
    c->place_count = last->first_place + last->owned_count;
    c->last_node = wi_alloc_array(memory, c->node_count, sizeof *c->last_node);
    c->shapes = wi_alloc_array(memory, c->node_count, sizeof *c->shapes);
    c->vertex_at = wi_alloc_array(memory, c->place_count, sizeof *c->vertex_at);
    if (has_places) c->places = wi_alloc_array(memory, c->leaf_count, sizeof *c->places);
    return c->last_node && c->shapes && c->vertex_at && (c->places || !has_places);
}

/* Below a node is all that is below its last child. */
static uint32_t find_last_node(const wi_tree *h, const wi_packed_boxes *c, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    const unsigned nodes = wi_node_inner_lanes(view);
    if (nodes == 0) return node + 1;
    return c->last_node[view->child[31 - __builtin_clz(nodes)]];
}

static void list_nodes(const wi_tree *h, wi_packed_boxes *c)
{
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = &h->boxes.nodes[node];
        const unsigned leaves = (unsigned)__builtin_popcount(view->leaf_mask);
        c->shapes[node] = WI_CHILD_COUNTS(leaves, view->count - leaves);
        c->last_node[node] = find_last_node(h, c, node);
        WI_ASSERT(c->last_node[node] > node && c->last_node[node] <= c->node_count);
    }
}

static void list_places(const wi_tree *h, wi_packed_boxes *c)
{
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        WI_ASSERT(h->shape->leaves[number].tri_count == 1 || c->places == NULL);
        const wi_leaf *leaf = &h->shape->leaves[number];
        for (unsigned i = 0; i < leaf->owned_count; i++)
            c->vertex_at[leaf->first_place + i] = h->shape->leaf_vertices[leaf->first_vertex + i];
        for (unsigned i = 0; i < 3 && c->places; i++)
            c->places[number][i] = wi_leaf_place(h, leaf, h->shape->corners[leaf->first_tri][i]);
    }
}

/* Where the leaves of the nodes before this one end. */
static uint32_t leaf_behind(const wi_tree *h, uint32_t node)
{
    while (node < h->shape->node_count && h->boxes.nodes[node].leaf_mask == 0) node++;
    if (node == h->shape->node_count) return h->shape->leaf_count;
    return h->boxes.nodes[node].child[__builtin_ctz(h->boxes.nodes[node].leaf_mask)];
}

/* Counts parts and nodes above them, and lists them where there is room. */
static void cut_parts(const wi_tree *h, wi_packed_boxes *c)
{
    const uint32_t share = c->node_count / PARTS;
    const uint32_t most = share > LEAST_NODES ? share : LEAST_NODES;
    uint32_t next;
    c->part_count = c->above_count = 0;
    for (uint32_t node = 0; node < c->node_count; node = next) {
        const bool is_part = c->last_node[node] - node <= most;
        next = is_part ? c->last_node[node] : node + 1;
        WI_ASSERT(next > node && next <= c->node_count);
        if (is_part && c->parts)
            c->parts[c->part_count] = (wi_packed_boxes_part){node, next, leaf_behind(h, next)};
        if (!is_part && c->above) c->above[c->above_count] = node;
        c->part_count += is_part;
        c->above_count += !is_part;
    }
}

static bool packed_make_parts(wi_memory *memory, const wi_tree *h, wi_packed_boxes *c)
{
    cut_parts(h, c);
    c->parts = wi_alloc_array(memory, c->part_count, sizeof *c->parts);
    c->above = wi_alloc_array(memory, c->above_count, sizeof *c->above);
    if ((c->part_count > 0 && !c->parts) || (c->above_count > 0 && !c->above)) return false;
    cut_parts(h, c);
    return true;
}

bool wi_packed_boxes_make(wi_memory *memory, const wi_tree *h, wi_packed_boxes *c)
{
    if (!wi_packed_boxes_list(memory, h, c)) return false;
    c->boxes = wi_alloc_array(memory, c->node_count, sizeof *c->boxes);
    if (c->boxes == NULL) wi_packed_boxes_free(memory, c);
    return c->boxes != NULL;
}

bool wi_packed_boxes_list(wi_memory *memory, const wi_tree *h, wi_packed_boxes *c)
{
    WI_ASSERT(h->mesh->positions && h->def.arity < 16);
    wi_packed_boxes_free(memory, c);
    bool ok = packed_allocate(memory, h, c);
    if (ok) {
        list_nodes(h, c);
        list_places(h, c);
        ok = packed_make_parts(memory, h, c);
    }
    if (!ok) wi_packed_boxes_free(memory, c);
    return ok;
}

/* ---- soundness ---- */

static const char *packed_validate_leaf(const wi_tree *h, const wi_packed_boxes *c, uint32_t number)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    for (unsigned i = 0; i < leaf->owned_count; i++)
        if (h->mesh->place[c->vertex_at[leaf->first_place + i]] != leaf->first_place + i)
            return "I15: a place names another vertex";
    for (int i = 0; i < 3 && c->places; i++) {
        const uint32_t vertex = h->mesh->tris[h->shape->slots[leaf->first_tri]][i];
        if (c->places[number][i] != h->mesh->place[vertex])
            return "I15: a triangle is not where its vertices are";
    }
    return NULL;
}

static const char *validate_node(const wi_tree *h, const wi_packed_boxes *c, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    uint32_t next = node + 1;
    unsigned leaves = 0;
    wi_box around = wi_box_empty();
    for (unsigned lane = 0; lane < view->count; lane++) {
        const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
        const uint32_t child = view->child[lane];
        const wi_box box = is_leaf ? wi_leaf_box(h, &h->shape->leaves[child])
                                   : wi_padded_box_get(&c->boxes[child]);
        if (!is_leaf && child != next) return "I15: a node begins elsewhere";
        if (!is_leaf) next = c->last_node[child];
        leaves += is_leaf;
        wi_box_add_box(&around, &box);
    }
    if (c->last_node[node] != next ||
        c->shapes[node] != WI_CHILD_COUNTS(leaves, view->count - leaves))
        return "I15: a node has other children";
    const wi_box box = wi_padded_box_get(&c->boxes[node]);
    if (!wi_box_contains(&box, &around) || !wi_box_contains(&around, &box))
        return "I15: a box is not that of the children";
    return NULL;
}

static const char *validate_parts(const wi_packed_boxes *c)
{
    uint32_t part = 0, above = 0;
    for (uint32_t node = 0; node < c->node_count;) {
        if (part < c->part_count && c->parts[part].first_node == node) {
            if (c->parts[part].last_node != c->last_node[node]) return "I15: a part is no subtree";
            node = c->parts[part++].last_node;
        } else if (above < c->above_count && c->above[above++] == node) {
            node++;
        } else {
            return "I15: a node is in no part";
        }
    }
    return part == c->part_count && above == c->above_count ? NULL : "I15: a part too many";
}

const char *wi_packed_boxes_validate(const wi_tree *h, const wi_packed_boxes *c)
{
    const char *broken = NULL;
    if (c->boxes == NULL) return NULL;
    if (c->node_count != h->shape->node_count || c->leaf_count != h->shape->leaf_count)
        return "I15: boxes are of another tree";
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count && broken == NULL; leaf++)
        broken = packed_validate_leaf(h, c, leaf);
    for (uint32_t node = h->shape->node_count; node-- > 0 && broken == NULL;)
        broken = validate_node(h, c, node);
    return broken ? broken : validate_parts(c);
}
