/* build.c - builds trees: equal halves along the longest axis (MEDIAN), full nodes.
 *
 * Way in: wi_hierarchy_build. Made for a million triangles in less than a tenth of a second, since
 * REBUILD does it every step.
 *
 * A range of triangles becomes ceil(n / leaf_triangles) leaves, all full but the last. A node takes
 * a range of L leaves, more than one, and splits it into at most `arity` parts that are whole
 * powers of the arity in leaves, all but the last: so every node below is full too, and few lanes
 * are wasted. Parts are made by halving: the k triangles with the lowest centres go left, k a
 * multiple of the part's size nearest to half. Depth is logarithmic whatever the input; the stack
 * is explicit. */
#include <string.h>

#include "base/check.h"
#include "tree/hierarchy.h"
#include "tree/split.h"

#define NO_PLACE UINT32_MAX

/* Triangles [first, first + count) of one of the two buffers, to become the child in a lane of a
 * node. */
typedef struct range {
    uint32_t first, count;
    uint32_t parent;
    uint32_t depth;
    uint8_t lane;
    uint8_t buffer;
} range;

typedef struct builder {
    wi_memory *memory;
    wi_mesh *mesh;
    wi_hierarchy *tree;
    const wi_split_kernels *kernels;
    wi_split_work work;
    wi_centres buffers[2];
    uint32_t *place;  /* by vertex; becomes the mesh's */
    uint64_t *stamps; /* by vertex: leaf + 1, and 8 bits for the number of the vertex there */
    uint32_t place_count;
    uint32_t leaf_capacity, node_capacity;
    uint32_t *leaf_vertices; /* room for every corner */
    range *stack;            /* ranges that wait: at most all nodes */
    uint32_t stack_count;
} builder;

/* Nodes over `leaves` leaves: parts are full but the last, so it is a sum over the levels. */
static uint32_t count_nodes(uint32_t leaves, uint32_t arity)
{
    uint32_t nodes = 1;
    while (leaves > 1) {
        uint64_t part = 1, part_nodes = 0;
        while (part * arity < leaves) {
            part_nodes = part_nodes * arity + 1;
            part *= arity;
        }
        uint32_t full = (uint32_t)((leaves - 1) / part);
        uint32_t rest = leaves - full * (uint32_t)part;
        nodes += full * (uint32_t)part_nodes;
        if (rest > 1) nodes++;
        leaves = rest;
    }
    return nodes;
}

/* While a leaf is gathered, the vertices of its border are numbered from here. */
enum { BORDER = 128 };
_Static_assert((int)WI_MAX_LEAF_VERTICES <= (int)BORDER, "numbers of vertices fit in seven bits");

/* Numbers the vertices of the leaf's triangles: those without a place yet are its own and get the
 * next ones, the others are its border. A vertex carries a stamp of the last leaf that met it, and
 * its number there. */
static void gather_leaf(builder *b, wi_leaf *leaf, uint64_t leaf1, const uint32_t *slots)
{
    wi_hierarchy *h = b->tree;
    uint32_t *vertices = b->leaf_vertices + h->leaf_vertex_count;
    uint32_t border[WI_MAX_LEAF_VERTICES], border_count = 0;
    const uint32_t first_place = b->place_count;
    const unsigned corner_count = 3U * leaf->tri_count;
    uint8_t *corners = h->corners[leaf->first_tri], *corner = corners;
    for (unsigned tri = 0; tri < leaf->tri_count; tri++) {
        const uint32_t *named = b->mesh->tris[slots[tri]];
        for (int i = 0; i < 3; i++) {
            const uint32_t vertex = named[i];
            uint64_t stamp = b->stamps[vertex];
            if (stamp >> 8 != leaf1) {
                uint32_t number;
                if (b->place[vertex] == NO_PLACE) {
                    number = b->place_count - first_place;
                    b->place[vertex] = b->place_count++;
                    vertices[number] = vertex;
                } else {
                    number = BORDER + border_count;
                    border[border_count++] = vertex;
                }
                stamp = b->stamps[vertex] = leaf1 << 8 | number;
            }
            *corner++ = (uint8_t)stamp;
        }
    }
    const uint32_t owned_count = b->place_count - first_place;
    for (unsigned i = 0; i < corner_count; i++)
        corners[i] =
            (uint8_t)(corners[i] < BORDER ? corners[i] : corners[i] - BORDER + owned_count);
    memcpy(vertices + owned_count, border, border_count * sizeof *border);
    memcpy(h->slots + leaf->first_tri, slots, leaf->tri_count * sizeof *slots);
    leaf->first_vertex = h->leaf_vertex_count;
    leaf->first_place = first_place;
    leaf->owned_count = (uint8_t)owned_count;
    leaf->vertex_count = (uint8_t)(owned_count + border_count);
    h->leaf_vertex_count += leaf->vertex_count;
}

/* Triangles and what is known of their vertices lie anywhere in memory. So the triangles of a node
 * whose children are leaves are asked for before they are split, and their vertices before the
 * leaves are gathered: the wait is for many at once, behind other work. */
static void fetch_tris(const builder *b, const range *r)
{
    const uint32_t *slots = b->buffers[r->buffer].slot + r->first;
    for (uint32_t i = 0; i < r->count; i++) __builtin_prefetch(b->mesh->tris[slots[i]]);
}

static void fetch_stamps(const builder *b, const range *r)
{
    const uint32_t *slots = b->buffers[r->buffer].slot + r->first;
    for (uint32_t i = 0; i < r->count; i++)
        for (int k = 0; k < 3; k++) __builtin_prefetch(&b->stamps[b->mesh->tris[slots[i]][k]]);
}

static void add_leaf(builder *b, wi_view *view, const range *r)
{
    wi_hierarchy *h = b->tree;
    WI_ASSERT(h->leaf_count < b->leaf_capacity);
    wi_leaf *leaf = &h->leaves[h->leaf_count];
    view->child[r->lane] = h->leaf_count++;
    view->leaf_mask = (uint8_t)(view->leaf_mask | 1U << r->lane);
    *leaf = (wi_leaf){.first_tri = h->tri_count, .tri_count = (uint8_t)r->count};
    gather_leaf(b, leaf, h->leaf_count, b->buffers[r->buffer].slot + r->first);
    h->tri_count += r->count;
}

static uint32_t leaves_for(const builder *b, uint32_t tris)
{
    uint32_t most = b->tree->def.leaf_triangles;
    return tris / most + (tris % most != 0);
}

/* Splits `whole` into parts of at most `part_tris` triangles by halving; returns their number. They
 * are in order: parts[0] is the lowest. */
static unsigned split_into_parts(builder *b, range whole, uint32_t part_tris, range parts[WI_LANES])
{
    unsigned count = 1;
    parts[0] = whole;
    for (unsigned at = 0; at < count;) {
        range *r = &parts[at];
        uint32_t units = r->count / part_tris + (r->count % part_tris != 0);
        if (units <= 1) {
            at++;
            continue;
        }
        uint32_t k = units / 2 * part_tris;
        const wi_centres *from = &b->buffers[r->buffer], *to = &b->buffers[!r->buffer];
        b->kernels->split(&b->work, from, to, r->first, r->count, k);
        memmove(r + 2, r + 1, (count - at - 1) * sizeof *r);
        r[0].buffer = !r[0].buffer;
        r[1] = r[0];
        r[1].first += k;
        r[1].count -= k;
        r[0].count = k;
        count++;
    }
    return count;
}

static void add_node(builder *b, const range *r)
{
    wi_hierarchy *h = b->tree;
    uint32_t arity = h->def.arity, node = h->node_count++;
    WI_ASSERT(node < b->node_capacity);
    wi_view *view = &h->views[node];
    memset(view, 0, sizeof *view);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        wi_box empty = wi_box_empty();
        wi_view_set_box(view, lane, &empty);
    }
    view->parent = r->parent;
    view->parent_lane = r->lane;
    h->views[r->parent].child[r->lane] = node; /* the root's first child is set again below */
    h->height = r->depth > h->height ? r->depth : h->height;

    uint64_t part_tris = h->def.leaf_triangles;
    while (part_tris * arity < r->count) part_tris *= arity;
    const bool has_leaves = part_tris == h->def.leaf_triangles;
    range parts[WI_LANES];
    if (has_leaves) fetch_tris(b, r);
    unsigned count = split_into_parts(b, *r, (uint32_t)part_tris, parts);
    view->count = (uint8_t)count;
    for (unsigned lane = 0; lane < count && has_leaves; lane++) fetch_stamps(b, &parts[lane]);
    for (unsigned lane = 0; lane < count; lane++) {
        parts[lane].lane = (uint8_t)lane;
        parts[lane].parent = node;
        parts[lane].depth = r->depth + 1;
        if (leaves_for(b, parts[lane].count) == 1) add_leaf(b, view, &parts[lane]);
    }
    /* The last is pushed first, so that the first child is the next node. */
    for (unsigned lane = count; lane-- > 0;)
        if (leaves_for(b, parts[lane].count) > 1) b->stack[b->stack_count++] = parts[lane];
}

static void add_nodes(builder *b, uint32_t tri_count)
{
    b->stack[b->stack_count++] = (range){.count = tri_count, .depth = 1};
    while (b->stack_count > 0) {
        range r = b->stack[--b->stack_count];
        add_node(b, &r);
    }
}

/* Gives the vertices that no leaf has the last places, and merged ones their stand-in's. */
static bool place_loose(builder *b)
{
    wi_hierarchy *h = b->tree;
    const wi_mesh *mesh = b->mesh;
    uint32_t count = 0;
    if (b->place_count == mesh->vertex_count) return true; /* all have one, as in most meshes */
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++)
        count += b->place[vertex] == NO_PLACE && wi_mesh_stands_for_itself(mesh, vertex);
    h->loose = wi_alloc_array(b->memory, count, sizeof *h->loose);
    if (count > 0 && h->loose == NULL) return false;
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_stands_for_itself(mesh, vertex)) {
            b->place[vertex] = b->place[mesh->stand_in[vertex]]; /* which is an earlier vertex */
        } else if (b->place[vertex] == NO_PLACE) {
            h->loose[h->loose_count++] = vertex;
            b->place[vertex] = b->place_count++;
        }
    }
    return true;
}

static size_t centres_size(size_t count) { return 4 * wi_workspace_size(count, sizeof(float)); }

static wi_centres take_centres(wi_workspace *workspace, size_t count)
{
    wi_centres c;
    for (int axis = 0; axis < 3; axis++)
        c.axis[axis] = wi_workspace_take(workspace, count, sizeof(float));
    c.slot = wi_workspace_take(workspace, count, sizeof(uint32_t));
    return c;
}

/* Everything that is gone when the tree is built, and the places, which the mesh gets. */
static bool take_working(builder *b, wi_workspace *workspace, size_t tris, size_t vertices)
{
    size_t middle = tris + WI_LANES; /* eight are written at a time */
    size_t size = 2 * centres_size(tris) + centres_size(middle) +
                  2 * wi_workspace_size(tris, sizeof(uint64_t)) +
                  wi_workspace_size(vertices, sizeof(uint64_t)) +
                  wi_workspace_size(3 * tris, sizeof(uint32_t)) +
                  wi_workspace_size(b->node_capacity, sizeof(range));
    if (!wi_workspace_reserve(b->memory, workspace, size)) return false;
    b->buffers[0] = take_centres(workspace, tris);
    b->buffers[1] = take_centres(workspace, tris);
    b->work.middle = take_centres(workspace, middle);
    b->work.keys = wi_workspace_take(workspace, tris, sizeof *b->work.keys);
    b->work.spare_keys = wi_workspace_take(workspace, tris, sizeof *b->work.spare_keys);
    b->stamps = wi_workspace_take(workspace, vertices, sizeof *b->stamps);
    b->leaf_vertices = wi_workspace_take(workspace, 3 * tris, sizeof *b->leaf_vertices);
    b->stack = wi_workspace_take(workspace, b->node_capacity, sizeof *b->stack);
    wi_split_work_init(&b->work);
    b->place = wi_alloc_array(b->memory, vertices, sizeof *b->place);
    if (b->place == NULL) return false;
    memset(b->place, 0xFF, vertices * sizeof *b->place);
    memset(b->stamps, 0, vertices * sizeof *b->stamps);
    return true;
}

static bool allocate_tree(builder *b, uint32_t tris)
{
    wi_hierarchy *h = b->tree;
    if (h->views) return true; /* recycled */
    h->views = wi_alloc_array(b->memory, b->node_capacity, sizeof *h->views);
    h->leaves = wi_alloc_array(b->memory, b->leaf_capacity, sizeof *h->leaves);
    h->corners = wi_alloc_array(b->memory, tris, sizeof *h->corners);
    h->slots = wi_alloc_array(b->memory, tris, sizeof *h->slots);
    return h->views && h->leaves && h->corners && h->slots;
}

/* Copies the leaves' vertices into a block of their own size, and lists the places of borders. */
static bool keep_leaf_vertices(builder *b)
{
    wi_hierarchy *h = b->tree;
    size_t count = h->leaf_vertex_count, borders = 0;
    for (uint32_t leaf = 0; leaf < h->leaf_count; leaf++)
        borders += h->leaves[leaf].vertex_count - h->leaves[leaf].owned_count;
    h->leaf_vertices = wi_alloc_array(b->memory, count, sizeof *h->leaf_vertices);
    h->borders = wi_alloc_array(b->memory, borders, sizeof *h->borders);
    h->border_count = (uint32_t)borders; /* also what a failure gives back */
    if (h->leaf_vertices == NULL || (borders > 0 && h->borders == NULL)) return false;
    memcpy(h->leaf_vertices, b->leaf_vertices, count * sizeof *h->leaf_vertices);
    for (uint32_t i = 0, at = 0; i < h->leaf_count; i++) {
        const wi_leaf *leaf = &h->leaves[i];
        for (unsigned k = leaf->owned_count; k < leaf->vertex_count; k++)
            h->borders[at++] = b->place[h->leaf_vertices[leaf->first_vertex + k]];
    }
    return true;
}

static void free_places(builder *b)
{
    wi_free_array(b->memory, b->place, b->mesh->vertex_count, sizeof *b->place);
}

/* A tree that failed half-way has its capacities, not its counts, to give back. */
static void discard(builder *b, uint32_t tris)
{
    b->tree->node_count = b->node_capacity;
    b->tree->leaf_count = b->leaf_capacity;
    b->tree->tri_count = tris;
    free_places(b);
    wi_hierarchy_destroy(b->memory, b->tree); /* a block that was not had is NULL and no matter */
}

static uint32_t count_colliding(const wi_mesh *mesh)
{
    uint32_t count = 0;
    if (mesh->groups == NULL) return mesh->tri_count;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) count += wi_mesh_collides(mesh, slot);
    return count;
}

/* Gives the old tree back, but for blocks that the new one needs in the same size: a rebuild every
 * step then writes to memory that it has. */
static void recycle_tree(builder *b, uint32_t tris)
{
    wi_hierarchy *h = b->tree, kept = {0};
    if (h->views && h->tri_count == tris && h->node_count == b->node_capacity &&
        h->leaf_count == b->leaf_capacity) {
        kept = *h;
        h->views = NULL;
        h->leaves = NULL;
        h->corners = NULL;
        h->slots = NULL;
    }
    wi_hierarchy_destroy(b->memory, h);
    h->views = kept.views;
    h->leaves = kept.leaves;
    h->corners = kept.corners;
    h->slots = kept.slots;
}

willow_result wi_hierarchy_build(wi_memory *memory, wi_workspace *workspace,
                                 const wi_split_kernels *kernels, wi_mesh *mesh,
                                 const willow_tree_def *def, wi_hierarchy *h)
{
    builder b = {.memory = memory, .kernels = kernels, .mesh = mesh, .tree = h};
    uint32_t tris = count_colliding(mesh);
    h->def = *def;
    if (tris == 0) { /* no tree: places stay as they are */
        wi_hierarchy_destroy(memory, h);
        return WILLOW_OK;
    }
    b.leaf_capacity = leaves_for(&b, tris);
    b.node_capacity = count_nodes(b.leaf_capacity, def->arity);
    recycle_tree(&b, tris);
    bool ok = take_working(&b, workspace, tris, mesh->vertex_count) && allocate_tree(&b, tris);
    if (ok) {
        kernels->collect(mesh, &b.buffers[0]);
        add_nodes(&b, tris);
        WI_ASSERT(h->node_count == b.node_capacity && h->leaf_count == b.leaf_capacity);
        ok = keep_leaf_vertices(&b) && place_loose(&b);
    }
    if (!ok) {
        discard(&b, tris);
        return WILLOW_OUT_OF_MEMORY;
    }
    if (mesh->positions)
        wi_mesh_reorder(memory, mesh, b.place);
    else
        free_places(&b);
    return WILLOW_OK;
}
