/* grown.c - the memory of grown shapes: blocks, numbers, and what is cut off. */
#include "tree/grown/grown.h"

#include <string.h>

#include "base/check.h"
#include "prim/meet/tri_box.h"

/* ---- blocks ---- */

static void free_grown(wi_memory *memory, wi_grown *g, uint32_t node_room, uint32_t leaf_room)
{
    wi_free_array(memory, g->nodes, node_room, sizeof *g->nodes);
    wi_free_array(memory, g->leaves, leaf_room, sizeof *g->leaves);
    wi_free_array(memory, g->used, node_room, sizeof *g->used);
    wi_free_array(memory, g->free_nodes, node_room, sizeof *g->free_nodes);
    wi_free_array(memory, g->free_leaves, leaf_room, sizeof *g->free_leaves);
}

void wi_grown_free(wi_memory *memory, wi_shape *shape)
{
    wi_grown *g = shape->grown;
    if (g == NULL) return;
    free_grown(memory, g, shape->node_count, shape->leaf_room);
    wi_free(memory, g, sizeof *g);
    shape->grown = NULL;
}

static size_t bytes_of(wi_grown_pool room)
{
    const size_t node = sizeof(wi_grown_cell) + sizeof(double) + sizeof(uint32_t);
    const size_t leaf = sizeof(wi_grown_cell) + sizeof(uint32_t);
    return room.nodes * node + room.leaves * leaf;
}

size_t wi_grown_bytes(const wi_shape *shape)
{
    if (shape->grown == NULL) return 0;
    return sizeof *shape->grown + bytes_of((wi_grown_pool){shape->node_count, shape->leaf_room, 0});
}

/* With what is not kept by the shape itself. */
static size_t all_bytes_of(wi_grown_pool room)
{
    return bytes_of(room) + room.nodes * sizeof(wi_node) + room.leaves * sizeof(wi_leaf) +
           room.entries * sizeof(uint32_t);
}

static wi_grown_pool room_of(const wi_tree *h)
{
    return (wi_grown_pool){h->boxes.node_room, h->shape->leaf_room, h->shape->tri_room};
}

size_t wi_grown_live_bytes(const wi_tree *h) { return all_bytes_of(wi_grown_live(h)); }
size_t wi_grown_pool_bytes(const wi_tree *h) { return all_bytes_of(room_of(h)); }

/* All blocks of a tree; the pointers of one that is not there yet are NULL. */
typedef struct blocks {
    wi_node *boxes;
    wi_leaf *shape_leaves;
    uint32_t *slots;
    wi_grown of_pool;
} blocks;

static void free_blocks(wi_memory *memory, blocks *b, wi_grown_pool room)
{
    wi_free_array(memory, b->boxes, room.nodes, sizeof *b->boxes);
    wi_free_array(memory, b->shape_leaves, room.leaves, sizeof *b->shape_leaves);
    wi_free_array(memory, b->slots, room.entries, sizeof *b->slots);
    free_grown(memory, &b->of_pool, room.nodes, room.leaves);
}

static bool make_blocks(wi_memory *memory, wi_grown_pool room, blocks *b)
{
    wi_grown *g = &b->of_pool;
    *b = (blocks){.boxes = wi_alloc_array(memory, room.nodes, sizeof *b->boxes),
                  .shape_leaves = wi_alloc_array(memory, room.leaves, sizeof *b->shape_leaves),
                  .slots = wi_alloc_array(memory, room.entries, sizeof *b->slots)};
    g->nodes = wi_alloc_array(memory, room.nodes, sizeof *g->nodes);
    g->leaves = wi_alloc_array(memory, room.leaves, sizeof *g->leaves);
    g->used = wi_alloc_array(memory, room.nodes, sizeof *g->used);
    g->free_nodes = wi_alloc_array(memory, room.nodes, sizeof *g->free_nodes);
    g->free_leaves = wi_alloc_array(memory, room.leaves, sizeof *g->free_leaves);
    const bool ok = b->boxes && b->shape_leaves && b->slots && g->nodes && g->leaves && g->used &&
                    g->free_nodes && g->free_leaves;
    if (!ok) free_blocks(memory, b, room);
    return ok;
}

/* The tree has these blocks from now on; *b gets those that it had. */
static void swap_blocks(wi_tree *h, blocks *b)
{
    wi_grown *g = h->shape->grown;
    blocks old = {
        .boxes = h->boxes.nodes, .shape_leaves = h->shape->leaves, .slots = h->shape->slots};
    old.of_pool.nodes = g->nodes, g->nodes = b->of_pool.nodes;
    old.of_pool.leaves = g->leaves, g->leaves = b->of_pool.leaves;
    old.of_pool.used = g->used, g->used = b->of_pool.used;
    old.of_pool.free_nodes = g->free_nodes, g->free_nodes = b->of_pool.free_nodes;
    old.of_pool.free_leaves = g->free_leaves, g->free_leaves = b->of_pool.free_leaves;
    h->boxes.nodes = b->boxes;
    h->shape->leaves = b->shape_leaves;
    h->shape->slots = b->slots;
    *b = old;
}

static void set_room(wi_tree *h, wi_grown_pool room)
{
    h->boxes.node_room = h->shape->node_count = room.nodes;
    h->shape->leaf_room = h->shape->leaf_count = room.leaves;
    h->shape->tri_room = room.entries;
}

/* ---- numbers ---- */

/* Nobody has this number. */
static void clear_node(wi_tree *h, uint32_t node)
{
    static const wi_box empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    wi_node *view = &h->boxes.nodes[node];
    memset(view, 0, sizeof *view);
    atomic_init(&view->stamp, WI_STAMP_NONE);
    for (unsigned lane = 0; lane < WI_LANES; lane++) wi_node_set_box(view, lane, &empty);
    h->shape->grown->nodes[node] = (wi_grown_cell){.kind = WI_GROWN_FREE};
    h->shape->grown->used[node] = -(double)INFINITY;
}

static void free_number(wi_tree *h, uint32_t node)
{
    wi_grown *g = wi_grown_of(h);
    clear_node(h, node);
    WI_ASSERT(g->next_node == 0 && g->free_node_count < h->boxes.node_room);
    g->free_nodes[g->free_node_count++] = node;
}

static void free_leaf(wi_tree *h, uint32_t leaf)
{
    wi_grown *g = wi_grown_of(h);
    h->shape->leaves[leaf] = (wi_leaf){0};
    g->leaves[leaf] = (wi_grown_cell){.kind = WI_GROWN_FREE};
    WI_ASSERT(g->next_leaf == 0 && g->free_leaf_count < h->shape->leaf_room);
    g->free_leaves[g->free_leaf_count++] = leaf;
}

/* Free numbers come first in their lists again. */
static void settle(wi_grown *g)
{
    const uint32_t node = g->next_node, leaf = g->next_leaf;
    g->free_node_count -= node;
    g->free_leaf_count -= leaf;
    memmove(g->free_nodes, g->free_nodes + node, g->free_node_count * sizeof *g->free_nodes);
    memmove(g->free_leaves, g->free_leaves + leaf, g->free_leaf_count * sizeof *g->free_leaves);
    g->next_node = g->next_leaf = 0;
}

uint32_t wi_grown_take_node(wi_grown *g)
{
    const uint32_t at = atomic_fetch_add_explicit(&g->next_node, 1, memory_order_relaxed);
    WI_ASSERT(at < g->free_node_count);
    return g->free_nodes[at];
}

uint32_t wi_grown_take_leaf(wi_grown *g)
{
    const uint32_t at = atomic_fetch_add_explicit(&g->next_leaf, 1, memory_order_relaxed);
    WI_ASSERT(at < g->free_leaf_count);
    return g->free_leaves[at];
}

static void free_new_numbers(wi_tree *h, wi_grown_pool from)
{
    for (uint32_t node = from.nodes; node < h->boxes.node_room; node++) free_number(h, node);
    for (uint32_t leaf = from.leaves; leaf < h->shape->leaf_room; leaf++) free_leaf(h, leaf);
}

/* ---- the root ---- */

static uint32_t list_colliding(const wi_mesh *mesh, uint32_t *slots)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        if (!wi_mesh_collides(mesh, slot)) continue;
        if (slots) slots[count] = slot;
        count++;
    }
    return count;
}

static bool has_room(const wi_tree *h, wi_grown_pool room)
{
    return wi_shape_is_grown(h->shape) && h->shape->users == 1 &&
           h->boxes.node_room >= room.nodes && h->shape->leaf_room >= room.leaves &&
           h->shape->tri_room >= room.entries;
}

static bool make_tree(wi_memory *memory, wi_tree *h, wi_grown_pool room)
{
    wi_tree_destroy(memory, h);
    wi_shape *shape = wi_shape_make(memory);
    wi_grown *g = shape ? wi_alloc(memory, sizeof *g) : NULL;
    blocks b;
    if (g == NULL || !make_blocks(memory, room, &b)) {
        if (g) wi_free(memory, g, sizeof *g);
        if (shape) wi_shape_release(memory, shape);
        return false;
    }
    memset(g, 0, sizeof *g);
    shape->grown = g;
    h->shape = shape;
    swap_blocks(h, &b);
    set_room(h, room);
    return true;
}

bool wi_grown_begin(wi_memory *memory, wi_tree *h, wi_grown_pool room)
{
    if (!has_room(h, room) && !make_tree(memory, h, room)) return false;
    wi_grown *g = wi_grown_of(h);
    g->free_node_count = g->free_leaf_count = 0;
    g->next_node = g->next_leaf = 0;
    free_new_numbers(h, (wi_grown_pool){0, 0, 0});
    g->next_node = 1; /* the root is node 0 */
    settle(g);
    const uint32_t count = list_colliding(h->mesh, h->shape->slots);
    WI_ASSERT(count > 0 && count <= h->shape->tri_room);
    h->shape->tri_count = count;
    h->boxes.bounds = wi_grown_box(h, 0, count);
    g->nodes[0] = (wi_grown_cell){
        .cell = wi_cell_root(), .count = count, .owned = count, .kind = WI_GROWN_BUD};
    g->exhausted = 0;
    wi_grown_recount(h);
    return true;
}

/* ---- walking ---- */

static unsigned children_of(const wi_tree *h, uint32_t node)
{
    return h->boxes.nodes[node].count + wi_grown_of(h)->nodes[node].hidden;
}

static unsigned leaves_of(const wi_tree *h, uint32_t node)
{
    const wi_grown_cell *cell = &wi_grown_of(h)->nodes[node];
    return cell->kind == WI_GROWN_BRANCH ? cell->is_leaf : h->boxes.nodes[node].leaf_mask;
}

bool wi_grown_next(const wi_tree *h, wi_twig *twig)
{
    for (;;) {
        const wi_node *view = &h->boxes.nodes[twig->node];
        const unsigned count = children_of(h, twig->node), leaves = leaves_of(h, twig->node);
        while (twig->lane < count && (leaves >> twig->lane & 1) != 0) twig->lane++;
        if (twig->lane < count) {
            *twig = (wi_twig){view->child[twig->lane], twig->depth + 1, 0};
            return true;
        }
        if (twig->node == 0) return false;
        *twig = (wi_twig){view->parent, twig->depth - 1, view->parent_lane + 1U};
    }
}

wi_box wi_grown_box(const wi_tree *h, uint32_t first, uint32_t count)
{
    wi_box box = wi_box_empty();
    WI_ASSERT(first <= h->shape->tri_room && count <= h->shape->tri_room - first);
    for (uint32_t i = first; i < first + count; i++)
        for (int corner = 0; corner < 3; corner++) {
            float p[3];
            wi_mesh_model_position(h->mesh, h->mesh->tris[h->shape->slots[i]][corner], p);
            wi_box_add_point(&box, p);
        }
    return box;
}

/* ---- cutting ---- */

/* Frees the leaves of a node, and lists the nodes below it among the free ones. */
static void list_below(wi_tree *h, uint32_t node)
{
    wi_grown *g = wi_grown_of(h);
    const wi_node *view = &h->boxes.nodes[node];
    const unsigned count = children_of(h, node), leaves = leaves_of(h, node);
    for (unsigned lane = 0; lane < count; lane++) {
        if ((leaves >> lane & 1) != 0) {
            free_leaf(h, view->child[lane]);
            continue;
        }
        WI_ASSERT(g->free_node_count < h->boxes.node_room);
        g->free_nodes[g->free_node_count++] = view->child[lane];
    }
}

void wi_grown_cut(wi_tree *h, uint32_t node)
{
    wi_grown *g = wi_grown_of(h);
    wi_grown_cell bud = g->nodes[node];
    const uint32_t parent = h->boxes.nodes[node].parent, first = g->free_node_count;
    const uint8_t lane = h->boxes.nodes[node].parent_lane;
    WI_ASSERT(g->next_node == 0 && g->next_leaf == 0); /* wi_grown_recount was last */
    list_below(h, node);
    for (uint32_t i = first; i < g->free_node_count; i++) {
        list_below(h, g->free_nodes[i]);
        g->counts.forgotten += g->nodes[g->free_nodes[i]].kind == WI_GROWN_BRANCH;
        clear_node(h, g->free_nodes[i]);
    }
    g->counts.forgotten += bud.kind == WI_GROWN_BRANCH;
    clear_node(h, node);
    bud.kind = WI_GROWN_BUD;
    bud.hidden = bud.is_leaf = 0;
    g->nodes[node] = bud;
    h->boxes.nodes[node].parent = parent;
    h->boxes.nodes[node].parent_lane = lane;
}

/* ---- what is in use ---- */

/* What of the lists a node and its leaves have: parts have none of their own. */
static uint32_t entries_of(const wi_tree *h, uint32_t node)
{
    const wi_grown *g = wi_grown_of(h);
    const wi_grown_cell *cell = &g->nodes[node];
    if (cell->kind == WI_GROWN_PART) return 0;
    uint32_t sum = cell->count;
    if (cell->kind != WI_GROWN_BRANCH) return sum;
    for (unsigned leaves = cell->is_leaf; leaves != 0; leaves &= leaves - 1)
        sum += g->leaves[h->boxes.nodes[node].child[__builtin_ctz(leaves)]].count;
    return sum;
}

/* What its bundle would take, of a node that may still become one. */
static wi_grown_pool set_aside_for(const wi_tree *h, uint32_t node)
{
    const wi_grown_cell *cell = &wi_grown_of(h)->nodes[node];
    if (wi_grown_is_opened(h, node)) return (wi_grown_pool){0, 0, 0};
    return (wi_grown_pool){wi_bundle_nodes(cell->owned, h->def.leaf_triangles),
                           wi_bundle_leaves(cell->owned, h->def.leaf_triangles), 0};
}

void wi_grown_recount(wi_tree *h)
{
    wi_grown *g = wi_grown_of(h);
    wi_twig twig = {0, 1, 0};
    wi_grown_pool aside = {0, 0, 0};
    settle(g);
    do {
        const wi_grown_pool one = set_aside_for(h, twig.node);
        aside.nodes += one.nodes;
        aside.leaves += one.leaves;
    } while (wi_grown_next(h, &twig));
    if (g->nodes[0].kind != WI_GROWN_BRANCH)
        g->list_end = g->nodes[0].count; /* there is no other */
    g->spare[WI_GROWN_NODES] = (int64_t)g->free_node_count - aside.nodes;
    g->spare[WI_GROWN_LEAVES] = (int64_t)g->free_leaf_count - aside.leaves;
    g->spare[WI_GROWN_ENTRIES] = (int64_t)h->shape->tri_room - g->list_end;
    for (int i = 0; i < WI_GROWN_RESOURCES; i++) WI_ASSERT(g->spare[i] >= 0);
}

wi_grown_pool wi_grown_live(const wi_tree *h)
{
    const wi_grown *g = wi_grown_of(h);
    const uint32_t free_nodes = g->free_node_count - g->next_node;
    const uint32_t free_leaves = g->free_leaf_count - g->next_leaf;
    wi_grown_pool live = {h->boxes.node_room - free_nodes, h->shape->leaf_room - free_leaves, 0};
    wi_twig twig = {0, 1, 0};
    do {
        live.entries += entries_of(h, twig.node);
    } while (wi_grown_next(h, &twig));
    return live;
}

/* Cells that are leaves are counted with the node above them. */
static void count_cells(const wi_tree *h, uint32_t node, uint32_t *by_level)
{
    const wi_grown_cell *cell = &wi_grown_of(h)->nodes[node];
    if (cell->kind == WI_GROWN_PART) return;
    by_level[cell->cell.level]++;
    if (cell->kind == WI_GROWN_BRANCH)
        by_level[cell->cell.level + 1] += (uint32_t)__builtin_popcount(cell->is_leaf);
}

void wi_grown_note_occupancy(wi_grown *g, const willow_occupancy_stats *seen)
{
    uint64_t counts[WI_OCCUPANCY_COUNTS];
    _Static_assert(sizeof counts == sizeof *seen, "it has counts alone");
    memcpy(counts, seen, sizeof counts);
    for (int i = 0; i < WI_OCCUPANCY_COUNTS; i++)
        atomic_fetch_add_explicit(&g->counts.occupancy[i], counts[i], memory_order_relaxed);
}

static willow_occupancy_stats occupancy_of(const wi_grown *g)
{
    uint64_t counts[WI_OCCUPANCY_COUNTS];
    willow_occupancy_stats sum;
    for (int i = 0; i < WI_OCCUPANCY_COUNTS; i++)
        counts[i] = atomic_load_explicit(&g->counts.occupancy[i], memory_order_relaxed);
    memcpy(&sum, counts, sizeof sum);
    return sum;
}

void wi_grown_measure(const wi_tree *h, willow_sphere_stats *out)
{
    const wi_grown *g = wi_grown_of(h);
    wi_twig twig = {0, 1, 0};
    *out = (willow_sphere_stats){.bytes_live = wi_grown_live_bytes(h),
                                 .bytes_pool = wi_grown_pool_bytes(h),
                                 .grown = g->counts.grown,
                                 .forgotten = g->counts.forgotten,
                                 .exact_tests = g->counts.exact_tests,
                                 .pool_enlarged = g->counts.exhausted,
                                 .occupancy = occupancy_of(g),
                                 .pool_exhausted = g->exhausted != 0};
    out->bytes_live_most =
        g->counts.most_live > out->bytes_live ? g->counts.most_live : out->bytes_live;
    do {
        count_cells(h, twig.node, out->cells);
    } while (wi_grown_next(h, &twig));
}

/* ---- moving ---- */

/* Copies a run of the lists to the end of the new ones. */
static uint32_t move_run(const wi_tree *h, uint32_t *slots, uint32_t *end, uint32_t first,
                         uint32_t count)
{
    const uint32_t to = *end;
    memcpy(slots + to, h->shape->slots + first, count * sizeof *slots);
    *end = to + count;
    return to;
}

/* Those of a node and of its leaves. */
static void move_lists_of(wi_tree *h, uint32_t node, uint32_t *slots, uint32_t *end)
{
    wi_grown *g = wi_grown_of(h);
    wi_grown_cell *cell = &g->nodes[node];
    WI_ASSERT(cell->kind == WI_GROWN_BRANCH || cell->kind == WI_GROWN_BUD);
    cell->first = move_run(h, slots, end, cell->first, cell->count);
    for (unsigned leaves = cell->is_leaf; leaves != 0; leaves &= leaves - 1) {
        const uint32_t leaf = h->boxes.nodes[node].child[__builtin_ctz(leaves)];
        g->leaves[leaf].first =
            move_run(h, slots, end, g->leaves[leaf].first, g->leaves[leaf].count);
        h->shape->leaves[leaf].first_tri = g->leaves[leaf].first;
    }
}

/* Parents come first, so that the list of the root is the first one. */
static void move_lists(wi_tree *h, uint32_t *slots)
{
    uint32_t end = 0;
    wi_twig twig = {0, 1, 0};
    do {
        move_lists_of(h, twig.node, slots, &end);
    } while (wi_grown_next(h, &twig));
    wi_grown_of(h)->list_end = end;
}

static void copy_blocks(const wi_tree *h, const wi_grown_pool room, blocks *to)
{
    const wi_grown *g = wi_grown_of(h);
    WI_ASSERT(g->next_node == 0 && g->next_leaf == 0);
    memcpy(to->boxes, h->boxes.nodes, room.nodes * sizeof *to->boxes);
    memcpy(to->shape_leaves, h->shape->leaves, room.leaves * sizeof *to->shape_leaves);
    memcpy(to->of_pool.nodes, g->nodes, room.nodes * sizeof *g->nodes);
    memcpy(to->of_pool.leaves, g->leaves, room.leaves * sizeof *g->leaves);
    memcpy(to->of_pool.used, g->used, room.nodes * sizeof *g->used);
    memcpy(to->of_pool.free_nodes, g->free_nodes, g->free_node_count * sizeof *g->free_nodes);
    memcpy(to->of_pool.free_leaves, g->free_leaves, g->free_leaf_count * sizeof *g->free_leaves);
}

bool wi_grown_move(wi_memory *memory, wi_tree *h, wi_grown_pool room)
{
    const wi_grown_pool old = room_of(h), live = wi_grown_live(h);
    blocks b;
    WI_ASSERT(room.nodes >= old.nodes && room.leaves >= old.leaves && room.entries >= live.entries);
    if (!make_blocks(memory, room, &b)) return false;
    move_lists(h, b.slots);
    copy_blocks(h, old, &b);
    swap_blocks(h, &b);
    set_room(h, room);
    free_blocks(memory, &b, old);
    free_new_numbers(h, old);
    wi_grown_recount(h);
    return true;
}

/* ---- soundness ---- */

static const char *validate_number(const wi_tree *h, uint32_t node)
{
    const wi_grown *g = wi_grown_of(h);
    const wi_node *view = &h->boxes.nodes[node];
    const unsigned count = children_of(h, node);
    if (count > WI_LANES) return "G1: a node has many children";
    if (g->nodes[node].kind != WI_GROWN_PART &&
        wi_grown_is_opened(h, node) == (g->nodes[node].kind == WI_GROWN_BUD))
        return "G1: a bud was opened, or a branch was not";
    for (unsigned lane = 0; lane < count; lane++) {
        const bool is_leaf = (leaves_of(h, node) >> lane & 1) != 0;
        if (view->child[lane] >= (is_leaf ? h->shape->leaf_room : h->boxes.node_room))
            return "G1: a child is not there";
        const wi_grown_cell *cell =
            is_leaf ? &g->leaves[view->child[lane]] : &g->nodes[view->child[lane]];
        if (cell->kind == WI_GROWN_FREE) return "G1: a child is free";
        if (!is_leaf && (h->boxes.nodes[view->child[lane]].parent != node ||
                         h->boxes.nodes[view->child[lane]].parent_lane != lane))
            return "G1: a child does not know its parent";
        if ((cell->owned == 0) != (lane >= view->count))
            return "G2: a child that owns nothing is seen, or one that does is hidden";
    }
    return NULL;
}

/* Whether the box of a cell meets a triangle of its list: by the test of one. */
static const char *validate_list(const wi_tree *h, const wi_grown_cell *cell)
{
    const wi_box box = wi_cell_box(&wi_grown_of(h)->grid, cell->cell);
    if (cell->owned > cell->count || cell->first > h->shape->tri_room ||
        cell->count > h->shape->tri_room - cell->first)
        return "G3: a list is not there";
    for (uint32_t i = 0; i < cell->count; i++) {
        wi_tri tri;
        const uint32_t slot = h->shape->slots[cell->first + i];
        for (int corner = 0; corner < 3; corner++)
            wi_mesh_model_position(h->mesh, h->mesh->tris[slot][corner], tri.corner[corner]);
        if (!wi_tri_meets_box(&tri, box.lower, box.upper))
            return "G3: a triangle does not touch the cell that has it";
    }
    return NULL;
}

/* What the children of a node own is what it owns. */
static const char *validate_children(const wi_tree *h, uint32_t node)
{
    const wi_grown *g = wi_grown_of(h);
    const wi_node *view = &h->boxes.nodes[node];
    uint32_t owned = 0;
    if (!wi_grown_is_opened(h, node)) return NULL;
    for (unsigned lane = 0; lane < children_of(h, node); lane++) {
        const bool is_leaf = (leaves_of(h, node) >> lane & 1) != 0;
        const wi_grown_cell *cell =
            is_leaf ? &g->leaves[view->child[lane]] : &g->nodes[view->child[lane]];
        owned += cell->owned;
        if (is_leaf && (h->shape->leaves[view->child[lane]].first_tri != cell->first ||
                        h->shape->leaves[view->child[lane]].tri_count != cell->owned))
            return "G4: a leaf has other triangles than its cell";
        const wi_box box = wi_node_box(view, lane),
                     tight = wi_grown_box(h, cell->first, cell->owned);
        if (lane < view->count && !wi_box_contains(&box, &tight))
            return "I6: a child sticks out of its box";
    }
    return owned == g->nodes[node].owned ? NULL
                                         : "G4: children own other triangles than their node";
}

/* Of the end of a step: nodes that nobody has opened there are those of the start. */
static const char *validate_end(const wi_tree *h)
{
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const char *broken = wi_grown_is_opened(h, node) ? validate_children(h, node) : NULL;
        if (broken) return broken;
    }
    return NULL;
}

const char *wi_grown_validate(const wi_tree *h)
{
    const wi_grown *g = wi_grown_of(h);
    if (h->boxes.acting.state) return validate_end(h);
    wi_twig twig = {0, 1, 0};
    uint32_t nodes = 0;
    do {
        const wi_grown_cell *cell = &g->nodes[twig.node];
        const char *broken = validate_number(h, twig.node);
        if (broken == NULL && cell->kind != WI_GROWN_PART) broken = validate_list(h, cell);
        if (broken == NULL) broken = validate_children(h, twig.node);
        if (broken) return broken;
        nodes++;
    } while (wi_grown_next(h, &twig));
    if (nodes != wi_grown_live(h).nodes) return "G5: a node is neither in the tree nor free";
    return g->nodes[0].owned == h->shape->tri_count && g->nodes[0].count == h->shape->tri_count
               ? NULL
               : "I5: the root has other triangles";
}
