/* build.c - builds trees: nodes and leaves from triangles that one of the builders parts.
 *
 * Way in: wi_tree_build. A range of at most leaf_triangles becomes a leaf, any other a node
 * whose children are the parts that the builder makes of it. The stack is explicit. Nodes and
 * leaves go to blocks of the size that the builder expects, which grow where that was a guess. */
#include <string.h>

#include "base/check.h"
#include "tree/build/builder.h"

/* While a leaf is gathered, the vertices of its border are numbered from here. */
enum { BORDER = 128 };
_Static_assert((int)WI_MAX_LEAF_VERTICES <= (int)BORDER, "numbers of vertices fit in seven bits");

/* Numbers the vertices of the leaf's triangles: those without a place yet are its own and get the
 * next ones, the others are its border. A vertex carries a stamp of the last leaf that met it, and
 * its number there. */
static void gather_tris(wi_builder *b, wi_leaf *leaf, uint64_t leaf1, const uint32_t *slots)
{
    wi_tree *h = b->tree;
    uint32_t *vertices = b->leaf_vertices + h->shape->leaf_vertex_count;
    uint32_t border[WI_MAX_LEAF_VERTICES], border_count = 0;
    const uint32_t first_place = b->place_count;
    const unsigned corner_count = 3U * leaf->tri_count;
    uint8_t *corners = h->shape->corners[leaf->first_tri], *corner = corners;
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        const uint32_t *named = b->mesh->tris[slots[tri]];
        for (int i = 0; i < 3; i++) {
            const uint32_t vertex = named[i];
            uint64_t stamp = b->stamps[vertex];
            if (stamp >> 8 != leaf1) {
                uint32_t number;
                if (b->place[vertex] == WI_NO_PLACE) {
                    number = b->place_count - first_place;
                    b->place[vertex] = b->place_count++;
                    vertices[number] = vertex;
                } else {
                    WI_ASSERT(border_count < WI_MAX_LEAF_VERTICES);
                    number = BORDER + border_count;
                    border[border_count++] = vertex;
                }
                stamp = b->stamps[vertex] = leaf1 << 8 | number;
            }
            *corner++ = (uint8_t)stamp;
        }
    }
    const uint32_t owned_count = b->place_count - first_place;
    WI_ASSERT(owned_count + border_count <= WI_MAX_LEAF_VERTICES);
    WI_ASSERT(b->place_count <= b->mesh->vertex_count);
    for (unsigned i = 0; i < corner_count; i++)
        corners[i] =
            (uint8_t)(corners[i] < BORDER ? corners[i] : corners[i] - BORDER + owned_count);
    memcpy(vertices + owned_count, border, border_count * sizeof *border);
    memcpy(h->shape->slots + leaf->first_tri, slots, leaf->tri_count * sizeof *slots);
    leaf->owned_count = (uint8_t)owned_count;
    leaf->vertex_count = (uint8_t)(owned_count + border_count);
}

/* The same for a single triangle with three vertices, which needs no stamps: in a tree of these
 * there are as many leaves as triangles. */
static void gather_tri(wi_builder *b, wi_leaf *leaf, uint32_t slot)
{
    wi_tree *h = b->tree;
    const uint32_t *named = b->mesh->tris[slot];
    uint32_t *vertices = b->leaf_vertices + h->shape->leaf_vertex_count;
    uint8_t *corners = h->shape->corners[leaf->first_tri], owned = 0, next;
    bool is_owned[3];
    for (int i = 0; i < 3; i++) {
        is_owned[i] = b->place[named[i]] == WI_NO_PLACE;
        owned = (uint8_t)(owned + is_owned[i]);
    }
    next = owned;
    owned = 0;
    for (int i = 0; i < 3; i++) {
        corners[i] = is_owned[i] ? owned++ : next++;
        vertices[corners[i]] = named[i];
        if (is_owned[i]) b->place[named[i]] = b->place_count++;
    }
    h->shape->slots[leaf->first_tri] = slot;
    leaf->owned_count = owned;
    leaf->vertex_count = 3;
}

static bool has_three_vertices(const wi_builder *b, uint32_t slot)
{
    const uint32_t *named = b->mesh->tris[slot];
    return named[0] != named[1] && named[1] != named[2] && named[2] != named[0];
}

static void gather_leaf(wi_builder *b, const wi_range *r, wi_leaf *leaf)
{
    const wi_range_slots from = b->ops->slots(b, r);
    uint32_t slots[WI_MAX_LEAF_TRIS];
    leaf->first_vertex = b->tree->shape->leaf_vertex_count;
    leaf->first_place = b->place_count;
    if (b->ops->gather == NULL || !b->ops->gather(b, r, leaf)) {
        for (uint32_t i = 0; i < r->count; i++) slots[i] = from.first[i * from.step];
        if (leaf->tri_count == 1 && has_three_vertices(b, slots[0]))
            gather_tri(b, leaf, slots[0]);
        else
            gather_tris(b, leaf, b->tree->shape->leaf_count, slots);
    }
    b->tree->shape->leaf_vertex_count += leaf->vertex_count;
}

/* Triangles and what is known of their vertices lie anywhere in memory. So the triangles of a node
 * whose children are leaves are asked for before they are split, and their vertices before the
 * leaves are gathered: the wait is for many at once, behind other work. */
static void fetch_tris(const wi_builder *b, const wi_range *r)
{
    wi_range_slots slots = b->ops->slots(b, r);
    for (uint32_t i = 0; i < r->count; i++)
        __builtin_prefetch(b->mesh->tris[slots.first[i * slots.step]]);
}

static void fetch_stamps(const wi_builder *b, const wi_range *r)
{
    wi_range_slots slots = b->ops->slots(b, r);
    for (uint32_t i = 0; i < r->count; i++)
        for (int k = 0; k < 3; k++)
            __builtin_prefetch(&b->stamps[b->mesh->tris[slots.first[i * slots.step]][k]]);
}

static bool is_leaf(const wi_builder *b, const wi_range *r)
{
    return r->count <= b->tree->def.leaf_triangles;
}

static void build_add_leaf(wi_builder *b, wi_node *view, const wi_range *r)
{
    wi_tree *h = b->tree;
    WI_ASSERT(r->count > 0 && h->shape->leaf_count < h->shape->leaf_room);
    WI_ASSERT(r->count <= WI_MAX_LEAF_TRIS && r->lane < WI_LANES);
    WI_ASSERT(h->shape->tri_count + r->count <= h->shape->tri_room);
    wi_leaf *leaf = &h->shape->leaves[h->shape->leaf_count];
    view->child[r->lane] = h->shape->leaf_count++;
    view->leaf_mask = (uint8_t)(view->leaf_mask | 1U << r->lane);
    *leaf = (wi_leaf){.first_tri = h->shape->tri_count, .tri_count = (uint8_t)r->count};
    gather_leaf(b, r, leaf);
    h->shape->tri_count += r->count;
}

/* Copies a block of `count` items into one of `new_room`; NULL if there is no memory, and the block
 * is then as it was. */
static void *enlarge(wi_memory *memory, void *items, size_t item_size, uint32_t count,
                     uint32_t *room, uint32_t new_room)
{
    WI_ASSERT(count <= *room && *room < new_room);
    void *larger = wi_alloc_array(memory, new_room, item_size);
    if (larger == NULL) return NULL;
    if (count > 0) memcpy(larger, items, count * item_size);
    wi_free_array(memory, items, *room, item_size);
    *room = new_room;
    return larger;
}

static bool reserve_nodes(wi_builder *b, uint32_t nodes)
{
    wi_tree *h = b->tree;
    if (nodes <= h->boxes.node_room) return true;
    wi_node *larger =
        enlarge(b->memory, h->boxes.nodes, sizeof *h->boxes.nodes, h->shape->node_count,
                &h->boxes.node_room, wi_grown_room(h->boxes.node_room, nodes));
    if (larger) h->boxes.nodes = larger;
    return larger != NULL;
}

static bool reserve_leaves(wi_builder *b, uint32_t leaves)
{
    wi_tree *h = b->tree;
    if (leaves <= h->shape->leaf_room) return true;
    wi_leaf *larger =
        enlarge(b->memory, h->shape->leaves, sizeof *h->shape->leaves, h->shape->leaf_count,
                &h->shape->leaf_room, wi_grown_room(h->shape->leaf_room, leaves));
    if (larger) h->shape->leaves = larger;
    return larger != NULL;
}

static wi_node *new_node(wi_builder *b, const wi_range *r)
{
    wi_tree *h = b->tree;
    WI_ASSERT(h->shape->node_count < h->boxes.node_room && r->parent <= h->shape->node_count);
    const uint32_t node = h->shape->node_count++;
    wi_node *view = &h->boxes.nodes[node];
    memcpy(view, &b->empty, sizeof *view);
    view->parent = r->parent;
    view->parent_lane = r->lane;
    h->boxes.nodes[r->parent].child[r->lane] = node; /* the root's first child is set again later */
    h->shape->height = r->depth > h->shape->height ? r->depth : h->shape->height;
    return view;
}

/* A root has one child where the whole body is one leaf. */
static unsigned build_part(wi_builder *b, const wi_range *r, wi_range parts[WI_LANES])
{
    parts[0] = *r;
    return is_leaf(b, r) ? 1 : b->ops->part(b, r, parts);
}

static unsigned count_leaves(const wi_builder *b, const wi_range *parts, unsigned count)
{
    unsigned leaves = 0;
    for (unsigned i = 0; i < count; i++) leaves += is_leaf(b, &parts[i]);
    return leaves;
}

/* False if there is no memory. */
static bool build_add_node(wi_builder *b, const wi_range *r)
{
    const willow_tree_def *def = &b->tree->def;
    const uint32_t node = b->tree->shape->node_count;
    const bool has_leaves = r->count <= def->arity * def->leaf_triangles;
    wi_range parts[WI_LANES];
    if (has_leaves && !b->ops->gather) fetch_tris(b, r);
    const unsigned count = build_part(b, r, parts), leaves = count_leaves(b, parts, count);
    if (!reserve_nodes(b, node + 1) || !reserve_leaves(b, b->tree->shape->leaf_count + leaves) ||
        !wi_array_reserve(b->memory, &b->stack, b->stack.count + count - leaves))
        return false;
    WI_ASSERT(count >= 1 && count <= def->arity && (count > 1 || is_leaf(b, r)));
    wi_node *view = new_node(b, r);
    view->count = (uint8_t)count;
    for (unsigned lane = 0; lane < count && has_leaves && !b->ops->gather; lane++)
        fetch_stamps(b, &parts[lane]);
    for (unsigned lane = 0; lane < count; lane++) {
        parts[lane].lane = (uint8_t)lane;
        parts[lane].parent = node;
        parts[lane].depth = r->depth + 1;
        if (is_leaf(b, &parts[lane])) build_add_leaf(b, view, &parts[lane]);
    }
    /* The last is pushed first, so that the first child is the next node. */
    for (unsigned lane = count; lane-- > 0;)
        if (!is_leaf(b, &parts[lane])) b->stack.items[b->stack.count++] = parts[lane];
    return true;
}

/* What nodes are before they have children. */
static void make_empty(wi_node *view)
{
    const wi_box empty = wi_box_empty();
    memset(view, 0, sizeof *view);
    for (unsigned lane = 0; lane < WI_LANES; lane++) wi_node_set_box(view, lane, &empty);
}

bool wi_builder_add(wi_builder *b, wi_range r)
{
    make_empty(&b->empty);
    r.parent = b->tree->shape->node_count;
    bool ok = build_add_node(b, &r);
    while (ok && b->stack.count > 0) {
        r = b->stack.items[--b->stack.count];
        ok = build_add_node(b, &r);
    }
    return ok;
}

/* Gives the vertices that no leaf has the last places, and merged ones their stand-in's. Those that
 * were removed have places, too, since their numbers may be used again. */
static bool place_loose(wi_builder *b)
{
    wi_tree *h = b->tree;
    const wi_mesh *mesh = b->mesh;
    uint32_t count = 0;
    if (b->place_count == mesh->vertex_count) return true; /* all have one, as in most meshes */
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        count += b->place[vertex] == WI_NO_PLACE && wi_mesh_stands_for_itself(mesh, vertex);
    h->shape->loose = wi_alloc_array(b->memory, count, sizeof *h->shape->loose);
    if (count > 0 && h->shape->loose == NULL) return false;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_has_vertex(mesh, vertex)) {
            b->place[vertex] = b->place_count++;
        } else if (!wi_mesh_stands_for_itself(mesh, vertex)) {
            b->place[vertex] = b->place[mesh->stand_in[vertex]]; /* which is an earlier vertex */
        } else if (b->place[vertex] == WI_NO_PLACE) {
            h->shape->loose[h->shape->loose_count++] = vertex;
            b->place[vertex] = b->place_count++;
        }
    }
    return true;
}

static const uint32_t *build_list_colliding(const wi_mesh *mesh, wi_workspace *workspace,
                                            uint32_t tris)
{
    uint32_t *slots = wi_workspace_take(workspace, tris, sizeof *slots), count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        if (wi_mesh_collides(mesh, slot)) slots[count++] = slot;
    WI_ASSERT(count == tris);
    return slots;
}

/* Everything that is gone when the tree is built, and the places, which the mesh gets. */
static bool build_take_working(wi_builder *b, wi_workspace *workspace, uint32_t tris,
                               size_t vertices)
{
    const bool needs_list = tris < b->mesh->tri_count;
    size_t size = b->ops->work_size(b->mesh, tris) + wi_workspace_size(vertices, sizeof(uint64_t)) +
                  wi_workspace_size(3 * (size_t)tris, sizeof(uint32_t)) +
                  (needs_list ? wi_workspace_size(tris, sizeof(uint32_t)) : 0);
    if (!wi_workspace_reserve(b->memory, workspace, size)) return false;
    if (needs_list) b->slots = build_list_colliding(b->mesh, workspace, tris);
    b->stamps = wi_workspace_take(workspace, vertices, sizeof *b->stamps);
    b->leaf_vertices = wi_workspace_take(workspace, 3 * (size_t)tris, sizeof *b->leaf_vertices);
    b->place = wi_alloc_array(b->memory, b->mesh->vertex_room, sizeof *b->place);
    if (b->place == NULL) return false;
    memset(b->place, 0xFF, vertices * sizeof *b->place);
    memset(b->stamps, 0, vertices * sizeof *b->stamps);
    b->ops->begin(b, workspace, tris);
    return true;
}

void wi_builder_list_borders(const wi_builder *b, wi_tree *h, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        const wi_leaf *leaf = &h->shape->leaves[i];
        const uint32_t *vertices = h->shape->leaf_vertices + leaf->first_vertex + leaf->owned_count;
        const unsigned count = (unsigned)leaf->vertex_count - leaf->owned_count;
        WI_ASSERT(leaf->owned_count <= leaf->vertex_count);
        WI_ASSERT(leaf->first_vertex - leaf->first_place + count <= h->shape->border_count);
        uint32_t *border = h->shape->borders + (leaf->first_vertex - leaf->first_place);
        for (unsigned k = 0; k < count; k++) border[k] = b->place[vertices[k]];
    }
}

/* Copies the leaves' vertices into a block of their own size, and lists the places of borders. */
static bool keep_leaf_vertices(wi_builder *b)
{
    wi_tree *h = b->tree;
    size_t count = h->shape->leaf_vertex_count, borders = 0;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        borders += h->shape->leaves[leaf].vertex_count - h->shape->leaves[leaf].owned_count;
    h->shape->leaf_vertices = wi_alloc_array(b->memory, count, sizeof *h->shape->leaf_vertices);
    h->shape->borders = wi_alloc_array(b->memory, borders, sizeof *h->shape->borders);
    h->shape->border_count = (uint32_t)borders; /* also what a failure gives back */
    if (h->shape->leaf_vertices == NULL || (borders > 0 && h->shape->borders == NULL)) return false;
    memcpy(h->shape->leaf_vertices, b->leaf_vertices, count * sizeof *h->shape->leaf_vertices);
    wi_builder_list_borders(b, h, 0, h->shape->leaf_count);
    return true;
}

static uint32_t count_colliding(const wi_mesh *mesh)
{
    uint32_t count = 0;
    if (mesh->groups == NULL) return mesh->tri_count;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_collides(mesh, slot);
    return count;
}

/* The blocks of an old tree fit a new one that will have about so many nodes and leaves. */
static bool fits(const wi_tree *old, uint32_t tris, uint32_t nodes, uint32_t leaves)
{
    return old->boxes.nodes && old->shape->users == 1 && old->shape->tri_room == tris &&
           old->boxes.node_room <= 2 * nodes && old->shape->leaf_room <= 2 * leaves;
}

/* Gives the old tree back, but for blocks that the new one can use: a rebuild every step then
 * writes to memory that it has. False if there is no memory for a shape. */
static bool recycle_tree(wi_builder *b, uint32_t tris)
{
    wi_tree *h = b->tree;
    wi_shape kept = {0};
    wi_node *nodes = NULL;
    uint32_t node_room = 0, likely_nodes, likely_leaves;
    b->ops->count(tris, &h->def, &likely_nodes, &likely_leaves);
    if (fits(h, tris, likely_nodes, likely_leaves)) {
        wi_shape *old = h->shape;
        kept = (wi_shape){.leaves = old->leaves,
                          .corners = old->corners,
                          .slots = old->slots,
                          .leaf_room = old->leaf_room,
                          .tri_room = old->tri_room};
        nodes = h->boxes.nodes;
        node_room = h->boxes.node_room;
        old->leaves = NULL;
        old->corners = NULL;
        old->slots = NULL;
        h->boxes.nodes = NULL;
    }
    wi_tree_destroy(b->memory, h);
    h->boxes.nodes = nodes;
    h->boxes.node_room = node_room;
    wi_shape *shape = wi_shape_make(b->memory);
    if (shape == NULL) { /* nobody has the blocks then */
        wi_free_array(b->memory, kept.leaves, kept.leaf_room, sizeof *kept.leaves);
        wi_free_array(b->memory, kept.corners, kept.tri_room, sizeof *kept.corners);
        wi_free_array(b->memory, kept.slots, kept.tri_room, sizeof *kept.slots);
        return false;
    }
    kept.users = 1;
    *shape = kept;
    h->shape = shape;
    return true;
}

bool wi_builder_allocate(wi_builder *b)
{
    wi_tree *h = b->tree;
    h->boxes.nodes = wi_alloc_array(b->memory, h->boxes.node_room, sizeof *h->boxes.nodes);
    h->shape->leaves = wi_alloc_array(b->memory, h->shape->leaf_room, sizeof *h->shape->leaves);
    h->shape->corners = wi_alloc_array(b->memory, h->shape->tri_room, sizeof *h->shape->corners);
    h->shape->slots = wi_alloc_array(b->memory, h->shape->tri_room, sizeof *h->shape->slots);
    return h->boxes.nodes && h->shape->leaves && h->shape->corners && h->shape->slots;
}

static bool allocate_tree(wi_builder *b, uint32_t tris)
{
    wi_tree *h = b->tree;
    if (h->boxes.nodes) return true; /* recycled */
    b->ops->count(tris, &h->def, &h->boxes.node_room, &h->shape->leaf_room);
    h->shape->tri_room = tris;
    return wi_builder_allocate(b);
}

static void build_free_places(wi_builder *b)
{
    wi_free_array(b->memory, b->place, b->mesh->vertex_room, sizeof *b->place);
}

static bool build_tree(wi_builder *b, wi_workspace *workspace, uint32_t tris)
{
    const wi_range all = {.count = tris, .depth = 1};
    return recycle_tree(b, tris) && build_take_working(b, workspace, tris, b->mesh->vertex_count) &&
           allocate_tree(b, tris) && wi_builder_add(b, all) && keep_leaf_vertices(b) &&
           place_loose(b) && wi_group_sets_make(b->memory, b->tree);
}

const wi_build_ops *wi_build_ops_for(willow_build build)
{
    static const wi_build_ops *const table[] = {&wi_median_ops, &wi_midpoint_ops, &wi_mean_ops,
                                                &wi_connectivity_ops, &wi_sah_ops};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i]->build == build) return table[i];
    WI_ASSERT(false && "a builder without functions");
    return NULL;
}

willow_result wi_tree_build(wi_memory *memory, wi_workspace *workspace, willow_kernel kernel,
                            wi_mesh *mesh, const willow_tree_def *def, wi_tree *h)
{
    return wi_tree_build_with(memory, workspace, kernel, mesh, def, wi_build_ops_for(def->build),
                              NULL, h);
}

willow_result wi_tree_build_with(wi_memory *memory, wi_workspace *workspace, willow_kernel kernel,
                                 wi_mesh *mesh, const willow_tree_def *def, const wi_build_ops *ops,
                                 void *work, wi_tree *h)
{
    wi_builder b = {
        .memory = memory, .kernel = kernel, .mesh = mesh, .tree = h, .ops = ops, .work = work};
    uint32_t tris = count_colliding(mesh);
    h->def = *def;
    if (tris == 0) { /* no tree: places stay as they are */
        wi_tree_destroy(memory, h);
        return WILLOW_OK;
    }
    WI_ASSERT(def->arity >= 2 && def->arity <= WI_LANES);
    WI_ASSERT(def->leaf_triangles > 0 && def->leaf_triangles <= WI_MAX_LEAF_TRIS);
    bool ok = build_tree(&b, workspace, tris);
    wi_array_free(memory, &b.stack);
    if (!ok) {
        build_free_places(&b);
        wi_tree_destroy(memory, h);
        return WILLOW_OUT_OF_MEMORY;
    }
    if (mesh->positions)
        wi_mesh_reorder(memory, mesh, b.place);
    else
        build_free_places(&b);
    return WILLOW_OK;
}
