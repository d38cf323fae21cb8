/* links.c - the memory of linked shapes, and their smallest changes.
 *
 * Way in: wi_links_begin, and then one triangle or child after the other. None of it knows of
 * balance (balance.c). */
#include "tree/linked/avl.h"
#include "tree/linked/wear.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/columns.h"
#include "tree/self/self_edit.h"

/* ---- room ---- */

enum { LEAF_BLOCKS = 13, NODE_BLOCKS = 6, AVL_BLOCKS = 2 };

static int list_leaf_blocks(wi_shape *s, wi_column out[LEAF_BLOCKS + AVL_BLOCKS])
{
    wi_links *l = s->links;
    const size_t tris = l->tris_per_leaf, entries = l->entries_per_leaf;
    const wi_column blocks[LEAF_BLOCKS] = {
        {(void **)&s->leaves, sizeof *s->leaves, 1, false},
        {(void **)&s->slots, sizeof *s->slots, tris, false},
        {(void **)&s->corners, sizeof *s->corners, tris, false},
        {(void **)&s->leaf_vertices, sizeof(uint32_t), entries, false},
        {(void **)&s->borders, sizeof(uint32_t), entries, false},
        {(void **)&l->next_entry, sizeof(uint32_t), entries, false},
        {(void **)&l->previous_entry, sizeof(uint32_t), entries, false},
        {(void **)&l->leaf_node, sizeof(uint32_t), 1, false},
        {(void **)&l->free_leaves, sizeof(uint32_t), 1, false},
        {(void **)&l->small_leaves, sizeof(uint32_t), 1, false},
        {(void **)&l->leaf_lane, sizeof(uint8_t), 1, false},
        {(void **)&l->leaf_marks, sizeof(uint8_t), 1, true},
        {(void **)&l->leaf_revision, sizeof(uint64_t), 1, true}};
    memcpy(out, blocks, sizeof blocks);
    if (l->avl == NULL) return LEAF_BLOCKS;
    out[LEAF_BLOCKS] = (wi_column){(void **)&l->avl->leaf_boxes, sizeof(wi_box), 1, true};
    out[LEAF_BLOCKS + 1] = (wi_column){(void **)&l->avl->leaf_parent, sizeof(uint32_t), 1, true};
    return LEAF_BLOCKS + AVL_BLOCKS;
}

static int list_node_blocks(wi_boxes *boxes, wi_shape *s, wi_column out[NODE_BLOCKS + AVL_BLOCKS])
{
    wi_links *l = s->links;
    const wi_column blocks[NODE_BLOCKS] = {{(void **)&boxes->nodes, sizeof *boxes->nodes, 1, false},
                                           {(void **)&l->free_nodes, sizeof(uint32_t), 1, false},
                                           {(void **)&l->changed_nodes, sizeof(uint32_t), 1, false},
                                           {(void **)&l->level, sizeof(uint8_t), 1, false},
                                           {(void **)&l->is_changed, sizeof(bool), 1, true},
                                           {(void **)&l->work, sizeof(float), 1, false}};
    memcpy(out, blocks, sizeof blocks);
    if (l->avl == NULL) return NODE_BLOCKS;
    out[NODE_BLOCKS] = (wi_column){(void **)&l->avl->nodes, sizeof(wi_avl_node), 1, true};
    out[NODE_BLOCKS + 1] = (wi_column){(void **)&l->avl->order, sizeof(uint32_t), 1, true};
    return NODE_BLOCKS + AVL_BLOCKS;
}

/* A quarter more than is wanted, so that many small edits copy little. */
static uint32_t room_for(uint64_t wanted)
{
    const uint64_t room = wanted + wanted / 4 + 8;
    return room < WI_IS_LEAF ? (uint32_t)room : WI_IS_LEAF - 1;
}

static bool reserve_leaves(wi_memory *memory, wi_tree *h, uint32_t more)
{
    wi_shape *s = h->shape;
    const uint64_t wanted = (uint64_t)s->leaf_count - s->links->free_leaf_count + more;
    wi_column blocks[LEAF_BLOCKS + AVL_BLOCKS];
    if (wanted <= s->leaf_room) return true;
    const uint32_t room = room_for(wanted);
    const uint64_t entries = (uint64_t)room * s->links->entries_per_leaf;
    if (room < wanted || entries > UINT32_MAX) return false; /* more than can be numbered */
    const int count = list_leaf_blocks(s, blocks);
    if (!wi_columns_grow(memory, blocks, count, s->leaf_room, room)) return false;
    s->leaf_room = room;
    s->tri_room = room * s->links->tris_per_leaf;
    s->leaf_vertex_count = s->border_count = (uint32_t)entries;
    return true;
}

static bool reserve_nodes(wi_memory *memory, wi_tree *h, uint32_t more)
{
    const uint64_t wanted =
        (uint64_t)h->shape->node_count - h->shape->links->free_node_count + more;
    wi_column blocks[NODE_BLOCKS + AVL_BLOCKS];
    if (wanted <= h->boxes.node_room) return true;
    const uint32_t room = room_for(wanted);
    if (room < wanted) return false;
    const int count = list_node_blocks(&h->boxes, h->shape, blocks);
    if (!wi_columns_grow(memory, blocks, count, h->boxes.node_room, room)) return false;
    h->boxes.node_room = h->shape->links->node_room = room;
    return true;
}

bool wi_links_reserve(wi_memory *memory, wi_tree *h, uint32_t leaves, uint32_t nodes)
{
    WI_ASSERT(wi_shape_is_linked(h->shape) && h->shape->users == 1);
    const uint32_t old_nodes = h->boxes.node_room, old_leaves = h->shape->leaf_room;
    if (!reserve_leaves(memory, h, leaves) || !reserve_nodes(memory, h, nodes)) return false;
    const bool grew = old_nodes < h->boxes.node_room || old_leaves < h->shape->leaf_room;
    return !grew || (wi_group_sets_follow_room(memory, h) && wi_self_edit_follow_room(memory, h));
}

/* New ones have none. */
static bool grow_table(wi_memory *memory, uint32_t **table, uint32_t *room, uint32_t wanted)
{
    if (wanted <= *room) return true;
    const wi_column one = {(void **)table, sizeof **table, 1, false};
    if (!wi_columns_grow(memory, &one, 1, *room, wanted)) return false;
    memset(*table + *room, 0xFF, (wanted - *room) * sizeof **table);
    *room = wanted;
    return true;
}

bool wi_links_reserve_mesh(wi_memory *memory, wi_tree *h)
{
    wi_links *l = wi_links_of(h);
    return grow_table(memory, &l->first_entry, &l->vertex_room, h->mesh->vertex_room) &&
           grow_table(memory, &l->leaf_of, &l->slot_room, h->mesh->tri_room) &&
           wi_self_edit_follow_room(memory, h);
}

bool wi_links_begin(wi_memory *memory, wi_tree *h, uint32_t tris_per_leaf)
{
    WI_ASSERT(h->shape->users == 1 && h->shape->leaf_room == 0 && h->boxes.node_room == 0);
    WI_ASSERT(tris_per_leaf > 0 && tris_per_leaf <= WI_MAX_LEAF_TRIS);
    wi_links *l = wi_alloc(memory, sizeof *l);
    if (l == NULL) return false;
    *l = (wi_links){.tris_per_leaf = tris_per_leaf, .entries_per_leaf = 3 * tris_per_leaf};
    h->shape->links = l;
    return wi_links_reserve_mesh(memory, h);
}

/* What a packed shape has, too, is given back with it. */
void wi_links_free(wi_memory *memory, wi_shape *s)
{
    wi_links *l = s->links;
    wi_boxes none = {.nodes = NULL};
    wi_column blocks[LEAF_BLOCKS + AVL_BLOCKS];
    if (l == NULL) return;
    const int leaf_blocks = list_leaf_blocks(s, blocks);
    for (int i = 5; i < leaf_blocks; i++)
        wi_free_array(memory, *blocks[i].items, s->leaf_room * blocks[i].per, blocks[i].item_size);
    const int node_blocks = list_node_blocks(&none, s, blocks);
    for (int i = 1; i < node_blocks; i++)
        wi_free_array(memory, *blocks[i].items, l->node_room, blocks[i].item_size);
    wi_free_array(memory, l->first_entry, l->vertex_room, sizeof *l->first_entry);
    wi_free_array(memory, l->leaf_of, l->slot_room, sizeof *l->leaf_of);
    wi_avl_free(memory, s);
    wi_free(memory, l, sizeof *l);
    s->links = NULL;
}

size_t wi_links_bytes(const wi_shape *s)
{
    const wi_links *l = s->links;
    if (l == NULL) return 0;
    const size_t by_leaf = 3 * sizeof(uint32_t) + 2 * sizeof(uint8_t) + sizeof(uint64_t);
    const size_t by_node = 2 * sizeof(uint32_t) + sizeof(uint8_t) + sizeof(bool) + sizeof(float);
    return sizeof *l + wi_avl_bytes(s) + s->leaf_room * by_leaf + l->node_room * by_node +
           2 * (size_t)s->leaf_vertex_count * sizeof(uint32_t) +
           ((size_t)l->vertex_room + l->slot_room) * sizeof(uint32_t);
}

/* ---- numbers ---- */

uint32_t wi_links_take_leaf(wi_tree *h)
{
    wi_shape *s = h->shape;
    wi_links *l = s->links;
    const bool is_used = l->free_leaf_count > 0;
    const uint32_t leaf = is_used ? l->free_leaves[--l->free_leaf_count] : s->leaf_count++;
    WI_ASSERT(s->leaf_count <= s->leaf_room);
    s->leaves[leaf] =
        (wi_leaf){.first_tri = leaf * l->tris_per_leaf, .first_vertex = leaf * l->entries_per_leaf};
    l->leaf_marks[leaf] = 0;
    return leaf;
}

uint32_t wi_links_take_node(wi_tree *h, uint32_t level)
{
    wi_links *l = h->shape->links;
    const bool is_used = l->free_node_count > 0;
    const uint32_t node = is_used ? l->free_nodes[--l->free_node_count] : h->shape->node_count++;
    wi_node *view = &h->boxes.nodes[node];
    const wi_box empty = wi_box_empty();
    WI_ASSERT(h->shape->node_count <= h->boxes.node_room && level <= UINT8_MAX);
    view->count = view->leaf_mask = 0;
    view->spread = 0.0F;
    view->parent = view->parent_lane = 0;
    atomic_store_explicit(&view->stamp, WI_STAMP_NONE, memory_order_relaxed);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        wi_node_set_box(view, lane, &empty);
        view->child[lane] = 0;
    }
    l->level[node] = (uint8_t)level;
    l->work[node] = 0.0F;
    return node;
}

void wi_links_give_leaf(wi_tree *h, uint32_t leaf)
{
    wi_links *l = h->shape->links;
    WI_ASSERT(h->shape->leaves[leaf].tri_count == 0 && h->shape->leaves[leaf].vertex_count == 0);
    wi_self_edit_give_leaf(h, leaf);
    l->leaf_node[leaf] = WI_NO_LINK;
    l->free_leaves[l->free_leaf_count++] = leaf;
}

void wi_links_give_node(wi_tree *h, uint32_t node)
{
    wi_links *l = h->shape->links;
    WI_ASSERT(node > 0 && h->boxes.nodes[node].count == 0);
    wi_self_edit_give_node(h, node);
    l->free_nodes[l->free_node_count++] = node;
}

/* ---- entries ---- */

static void link_entry(wi_links *l, uint32_t entry, uint32_t vertex)
{
    const uint32_t next = l->first_entry[vertex];
    WI_ASSERT(vertex < l->vertex_room);
    l->next_entry[entry] = next;
    l->previous_entry[entry] = WI_NO_LINK;
    if (next != WI_NO_LINK) l->previous_entry[next] = entry;
    l->first_entry[vertex] = entry;
}

static void unlink_entry(wi_links *l, uint32_t entry, uint32_t vertex)
{
    const uint32_t next = l->next_entry[entry], previous = l->previous_entry[entry];
    if (next != WI_NO_LINK) l->previous_entry[next] = previous;
    if (previous != WI_NO_LINK)
        l->next_entry[previous] = next;
    else
        l->first_entry[vertex] = next;
}

static void set_vertex(wi_tree *h, uint32_t entry, uint32_t vertex)
{
    h->shape->leaf_vertices[entry] = vertex;
    h->shape->borders[entry] = wi_mesh_spot(h->mesh, vertex);
    link_entry(h->shape->links, entry, vertex);
}

/* The number of a vertex in a leaf, which gets it if it has not. */
static uint8_t corner_for(wi_tree *h, wi_leaf *leaf, uint32_t vertex)
{
    wi_shape *s = h->shape;
    uint32_t *vertices = s->leaf_vertices + leaf->first_vertex;
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        if (vertices[i] == vertex) return (uint8_t)i;
    const uint8_t number = leaf->vertex_count++;
    WI_ASSERT(number < s->links->entries_per_leaf);
    set_vertex(h, leaf->first_vertex + number, vertex);
    return number;
}

static bool has_corner(const wi_shape *s, const wi_leaf *leaf, uint8_t number)
{
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        const uint8_t *corners = s->corners[leaf->first_tri + tri];
        if (corners[0] == number || corners[1] == number || corners[2] == number) return true;
    }
    return false;
}

static void renumber_corner(wi_shape *s, const wi_leaf *leaf, uint8_t from, uint8_t to)
{
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++) {
            uint8_t *corner = &s->corners[leaf->first_tri + tri][i];
            if (*corner == from) *corner = to;
        }
}

/* The last vertex of the leaf takes the number of the one that goes. */
static void drop_vertex(wi_tree *h, wi_leaf *leaf, uint8_t number)
{
    wi_shape *s = h->shape;
    const uint8_t last = --leaf->vertex_count;
    const uint32_t entry = leaf->first_vertex + number, moved = leaf->first_vertex + last;
    wi_self_edit_leave_vertex(h, s->leaf_vertices[entry]);
    unlink_entry(s->links, entry, s->leaf_vertices[entry]);
    if (number == last) return;
    const uint32_t vertex = s->leaf_vertices[moved];
    unlink_entry(s->links, moved, vertex);
    set_vertex(h, entry, vertex);
    renumber_corner(s, leaf, last, number);
}

/* ---- triangles ---- */

void wi_links_add_tri(wi_tree *h, uint32_t number, uint32_t slot)
{
    wi_shape *s = h->shape;
    wi_leaf *leaf = &s->leaves[number];
    WI_ASSERT(leaf->tri_count < s->links->tris_per_leaf && slot < s->links->slot_room);
    WI_ASSERT(s->links->leaf_of[slot] == WI_NO_LINK && wi_mesh_collides(h->mesh, slot));
    const uint32_t tri = leaf->first_tri + leaf->tri_count++;
    s->slots[tri] = slot;
    for (int i = 0; i < 3; i++) s->corners[tri][i] = corner_for(h, leaf, h->mesh->tris[slot][i]);
    s->links->leaf_of[slot] = number;
    s->tri_count++;
}

void wi_links_fill_leaf(wi_tree *h, uint32_t number, const wi_leaf_content *content)
{
    wi_shape *s = h->shape;
    wi_leaf *leaf = &s->leaves[number];
    WI_ASSERT(leaf->tri_count == 0 && content->tri_count <= s->links->tris_per_leaf);
    leaf->tri_count = (uint8_t)content->tri_count;
    leaf->vertex_count = (uint8_t)content->vertex_count;
    memcpy(s->corners[leaf->first_tri], content->corners[0],
           content->tri_count * sizeof *s->corners);
    for (unsigned i = 0; i < content->tri_count; i++) {
        s->slots[leaf->first_tri + i] = content->slots[i];
        s->links->leaf_of[content->slots[i]] = number;
    }
    for (unsigned i = 0; i < content->vertex_count; i++)
        set_vertex(h, leaf->first_vertex + i, content->vertices[i]);
    s->tri_count += content->tri_count;
}

static unsigned number_in(const wi_shape *s, const wi_leaf *leaf, uint32_t slot)
{
    unsigned tri = 0;
    while (s->slots[leaf->first_tri + tri] != slot) tri++;
    WI_ASSERT(tri < leaf->tri_count);
    return tri;
}

void wi_links_remove_tri(wi_tree *h, uint32_t slot)
{
    wi_shape *s = h->shape;
    wi_leaf *leaf = &s->leaves[s->links->leaf_of[slot]];
    const uint32_t tri = leaf->first_tri + number_in(s, leaf, slot);
    const uint32_t last = leaf->first_tri + --leaf->tri_count;
    uint8_t corners[3];
    memcpy(corners, s->corners[tri], sizeof corners);
    for (int i = 0; i < 3; i++)
        wi_self_edit_touch_vertex(h, s->leaf_vertices[leaf->first_vertex + corners[i]]);
    memcpy(s->corners[tri], s->corners[last], sizeof corners);
    s->slots[tri] = s->slots[last];
    /* From the highest number down: what takes the number of another is none of those to come. */
    for (int round = 0; round < 3; round++) {
        int highest = 0;
        for (int i = 1; i < 3; i++)
            if (corners[i] > corners[highest]) highest = i;
        const uint8_t number = corners[highest];
        corners[highest] = 0;
        if (number < leaf->vertex_count && !has_corner(s, leaf, number))
            drop_vertex(h, leaf, number);
    }
    s->links->leaf_of[slot] = WI_NO_LINK;
    s->tri_count--;
}

unsigned wi_links_empty_leaf(wi_tree *h, uint32_t number, uint32_t *slots)
{
    wi_shape *s = h->shape;
    wi_leaf *leaf = &s->leaves[number];
    const unsigned count = leaf->tri_count;
    for (unsigned i = 0; i < count; i++) {
        slots[i] = s->slots[leaf->first_tri + i];
        s->links->leaf_of[slots[i]] = WI_NO_LINK;
    }
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        const uint32_t entry = leaf->first_vertex + i;
        wi_self_edit_leave_vertex(h, s->leaf_vertices[entry]);
        unlink_entry(s->links, entry, s->leaf_vertices[entry]);
    }
    leaf->tri_count = leaf->vertex_count = 0;
    s->tri_count -= count;
    return count;
}

/* ---- children ---- */

void wi_links_set_child(wi_tree *h, uint32_t node, unsigned lane, uint32_t child)
{
    wi_links *l = h->shape->links;
    wi_node *view = &h->boxes.nodes[node];
    const uint32_t number = child & ~WI_IS_LEAF;
    WI_ASSERT(lane < view->count);
    view->child[lane] = number;
    view->leaf_mask = (uint8_t)(view->leaf_mask & ~(1U << lane));
    if (number != child) {
        view->leaf_mask = (uint8_t)(view->leaf_mask | 1U << lane);
        l->leaf_node[number] = node;
        l->leaf_lane[number] = (uint8_t)lane;
    } else {
        h->boxes.nodes[number].parent = node;
        h->boxes.nodes[number].parent_lane = (uint8_t)lane;
    }
}

void wi_links_add_child(wi_tree *h, uint32_t node, uint32_t child, const wi_box *box)
{
    wi_node *view = &h->boxes.nodes[node];
    WI_ASSERT(view->count < WI_LANES);
    const unsigned lane = view->count++;
    wi_links_set_child(h, node, lane, child);
    wi_node_set_box(view, lane, box);
}

void wi_links_remove_child(wi_tree *h, uint32_t node, unsigned lane)
{
    wi_node *view = &h->boxes.nodes[node];
    const wi_box empty = wi_box_empty();
    WI_ASSERT(lane < view->count);
    const unsigned last = view->count - 1U;
    if (lane != last) {
        const wi_box box = wi_node_box(view, last);
        const bool is_leaf = (view->leaf_mask >> last & 1) != 0;
        wi_links_set_child(h, node, lane, view->child[last] | (is_leaf ? WI_IS_LEAF : 0));
        wi_node_set_box(view, lane, &box);
    }
    view->leaf_mask = (uint8_t)(view->leaf_mask & ~(1U << last));
    view->count = (uint8_t)last;
    view->child[last] = 0;
    wi_node_set_box(view, last, &empty);
}

/* ---- is it all true? ---- */

static const char *validate_entries(const wi_tree *h, uint32_t number)
{
    const wi_shape *s = h->shape;
    const wi_leaf *leaf = &s->leaves[number];
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        const uint32_t entry = leaf->first_vertex + i, vertex = s->leaf_vertices[entry];
        if (s->borders[entry] != wi_mesh_spot(h->mesh, vertex))
            return "I22: a leaf's border is not where its vertices are";
        if (!has_corner(s, leaf, (uint8_t)i)) return "I22: a leaf has a vertex without a triangle";
        const uint32_t next = s->links->next_entry[entry], before = s->links->previous_entry[entry];
        if ((next != WI_NO_LINK &&
             (s->leaf_vertices[next] != vertex || s->links->previous_entry[next] != entry)) ||
            (before == WI_NO_LINK ? s->links->first_entry[vertex] : s->links->next_entry[before]) !=
                entry)
            return "I23: the leaves of a vertex are not in its list";
    }
    return NULL;
}

static const char *validate_leaf(const wi_tree *h, uint32_t number)
{
    const wi_shape *s = h->shape;
    const wi_leaf *leaf = &s->leaves[number];
    const bool is_alone = s->leaf_count - s->links->free_leaf_count == 1;
    if (leaf->first_tri != number * s->links->tris_per_leaf ||
        leaf->first_vertex != number * s->links->entries_per_leaf || leaf->first_place != 0 ||
        leaf->owned_count != 0)
        return "I22: a leaf is not in its room";
    if (leaf->tri_count > s->links->tris_per_leaf || leaf->tri_count == 0 ||
        (leaf->tri_count < wi_least_tris(s->links) && !is_alone))
        return "I25: a leaf has few or many triangles";
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        const uint32_t slot = s->slots[leaf->first_tri + tri];
        if (slot >= h->mesh->tri_count || s->links->leaf_of[slot] != number)
            return "I23: a triangle is in another leaf";
        for (int i = 0; i < 3; i++) {
            const unsigned corner = s->corners[leaf->first_tri + tri][i];
            if (corner >= leaf->vertex_count ||
                s->leaf_vertices[leaf->first_vertex + corner] != h->mesh->tris[slot][i])
                return "I5: a leaf's triangle is not the mesh's";
        }
    }
    return validate_entries(h, number);
}

/* What only a tree has that is as a B-tree is. */
static const char *validate_fill(const wi_tree *h, uint32_t node)
{
    const wi_links *l = h->shape->links;
    const wi_node *view = &h->boxes.nodes[node];
    const unsigned all = (1U << view->count) - 1U;
    if ((node > 0 && view->count < WI_LEAST_CHILDREN) ||
        (node == 0 && l->level[0] > 0 && view->count < 2))
        return "I25: a node has few or many children";
    if (view->leaf_mask != (l->level[node] == 0 ? all : 0))
        return "I24: leaves are at several depths";
    for (unsigned lane = 0; lane < view->count && l->level[node] > 0; lane++)
        if (l->level[view->child[lane]] + 1U != l->level[node])
            return "I24: leaves are at several depths";
    return wi_wear_validate(h, node);
}

static const char *validate_node(const wi_tree *h, uint32_t node)
{
    const wi_links *l = h->shape->links;
    const wi_node *view = &h->boxes.nodes[node];
    if (view->count > WI_LANES) return "I25: a node has few or many children";
    for (unsigned lane = 0; lane < view->count; lane++) {
        const uint32_t child = view->child[lane];
        if ((view->leaf_mask >> lane & 1) != 0) {
            if (child >= h->shape->leaf_count || l->leaf_node[child] != node ||
                l->leaf_lane[child] != lane)
                return "I23: a leaf does not know its node";
            const char *broken = validate_leaf(h, child);
            if (broken) return broken;
        } else if (child >= h->shape->node_count || !wi_tree_has_node(h, child) ||
                   h->boxes.nodes[child].parent != node ||
                   h->boxes.nodes[child].parent_lane != lane || l->level[child] >= l->level[node]) {
            return "I23: a child does not know its node";
        }
    }
    return l->avl ? NULL : validate_fill(h, node);
}

/* Everything that is in use is met once on the way through the tree, and the rest is free. */
static const char *validate_counts(const wi_tree *h, uint32_t nodes, uint32_t leaves, uint32_t tris)
{
    const wi_links *l = h->shape->links;
    uint32_t slots = 0;
    for (uint32_t slot = 0; slot < l->slot_room; slot++) slots += l->leaf_of[slot] != WI_NO_LINK;
    if (nodes != wi_shape_nodes(h->shape) || leaves != h->shape->leaf_count - l->free_leaf_count)
        return "I23: a node or a leaf is neither in use nor free";
    if (tris != h->shape->tri_count || slots != tris) return "I5: leaves have other triangles";
    if (h->shape->height != l->level[0] + 1U) return "I24: a tree is of another height";
    return l->changed_node_count + l->small_leaf_count == 0 ? NULL : "I25: an edit is not done";
}

const char *wi_links_validate(const wi_tree *h)
{
    uint32_t nodes = 0, leaves = 0, tris = 0;
    wi_twig twig = {0, 1, 0};
    do {
        const wi_node *view = &h->boxes.nodes[twig.node];
        const char *broken = validate_node(h, twig.node);
        if (broken) return broken;
        nodes++;
        for (unsigned lanes = view->leaf_mask; lanes != 0; lanes &= lanes - 1) {
            leaves++;
            tris += h->shape->leaves[view->child[__builtin_ctz(lanes)]].tri_count;
        }
    } while (wi_tree_next_node(h, &twig));
    const char *broken = validate_counts(h, nodes, leaves, tris);
    return broken == NULL && h->shape->links->avl ? wi_avl_validate(h) : broken;
}
