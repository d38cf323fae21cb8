/* link.c - turns a packed tree into a linked one, once, in linear time.
 *
 * The leaves are those of the packed tree, in their order. They are grouped from below into nodes
 * of three to eight, and these into nodes again, until eight or fewer are left for the root: so all
 * leaves are at one depth. Groups end where the packed tree had borders, as far as these fit: a
 * group that cuts through a node of it would be of things that are far from each other. */
#include <string.h>

#include "base/check.h"
#include "tree/linked/avl.h"
#include "tree/linked/wear.h"
#include "tree/self/self_edit.h"

/* What is grouped: leaves, and then nodes, in order. */
typedef struct grouping {
    wi_tree *h;          /* the new tree */
    uint32_t *items;     /* leaves with WI_IS_LEAF */
    uint32_t *closeness; /* of an item and the one before it: the depth down to which they were
                            below one node */
    float *cost;         /* of the best way to group the first so many */
    uint8_t *last; /* how many of them are the last group of it; then by the first of a group */
    uint32_t count, room;
} grouping;

static bool grouping_reserve(wi_memory *memory, grouping *g)
{
    g->items = wi_alloc_array(memory, g->room, sizeof *g->items);
    g->closeness = wi_alloc_array(memory, g->room, sizeof *g->closeness);
    g->cost = wi_alloc_array(memory, (size_t)g->room + 1, sizeof *g->cost);
    g->last = wi_alloc_array(memory, (size_t)g->room + 1, sizeof *g->last);
    return g->items && g->closeness && g->cost && g->last;
}

static void grouping_free(wi_memory *memory, grouping *g)
{
    wi_free_array(memory, g->items, g->room, sizeof *g->items);
    wi_free_array(memory, g->closeness, g->room, sizeof *g->closeness);
    wi_free_array(memory, g->cost, (size_t)g->room + 1, sizeof *g->cost);
    wi_free_array(memory, g->last, (size_t)g->room + 1, sizeof *g->last);
}

/* ---- leaves ---- */

/* How deep the lowest node is that is above both or one of them. */
static uint32_t common_depth(const wi_tree *packed, uint32_t node_a, uint32_t depth_a,
                             uint32_t node_b, uint32_t depth_b)
{
    const wi_node *nodes = packed->boxes.nodes;
    for (; depth_a > depth_b; depth_a--) node_a = nodes[node_a].parent;
    for (; depth_b > depth_a; depth_b--) node_b = nodes[node_b].parent;
    for (; node_a != node_b; depth_a--) {
        node_a = nodes[node_a].parent;
        node_b = nodes[node_b].parent;
    }
    return depth_a;
}

/* Leaves are numbered in the order of their nodes (I2). */
static void list_leaves(const wi_tree *packed, grouping *g)
{
    wi_twig twig = {0, 1, 0};
    uint32_t before = 0, before_depth = 1, leaf = 0;
    do {
        const wi_node *view = &packed->boxes.nodes[twig.node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1, leaf++) {
            g->items[leaf] = leaf | WI_IS_LEAF;
            g->closeness[leaf] = twig.node == before ? twig.depth
                                                     : common_depth(packed, before, before_depth,
                                                                    twig.node, twig.depth);
            before = twig.node;
            before_depth = twig.depth;
        }
    } while (wi_tree_next_node(packed, &twig));
    WI_ASSERT(leaf == packed->shape->leaf_count);
    g->count = leaf;
}

/* The mesh may have been edited since, so vertices are those that the leaf had. */
static void copy_leaf(const wi_shape *from, const wi_leaf *old, wi_tree *h)
{
    const wi_leaf_content content = {.corners =
                                         (const uint8_t(*)[3])(from->corners + old->first_tri),
                                     .slots = from->slots + old->first_tri,
                                     .vertices = from->leaf_vertices + old->first_vertex,
                                     .tri_count = old->tri_count,
                                     .vertex_count = old->vertex_count};
    wi_links_fill_leaf(h, wi_links_take_leaf(h), &content);
}

/* ---- groups ---- */

/* The depth from which on a border of the packed tree is no place for a cut: as many borders as
 * possible may be cut, so long as groups are of three on average. */
static uint32_t depth_to_cut(const grouping *g)
{
    enum { DEPTHS = 64 };
    uint32_t count[DEPTHS] = {0}, sum = 1, depth = 0;
    for (uint32_t i = 1; i < g->count; i++)
        count[g->closeness[i] < DEPTHS ? g->closeness[i] : DEPTHS - 1]++;
    while (depth < DEPTHS && (sum + count[depth]) * (uint64_t)WI_LEAST_CHILDREN <= g->count)
        sum += count[depth++];
    return depth;
}

/* A group costs little, and one that begins where the packed tree had no border much. */
static float cost_of_cut(const grouping *g, uint32_t at, uint32_t depth)
{
    if (at == 0 || g->closeness[at] < depth) return 1.0F;
    return 1.0F + 8.0F * (float)(1 + g->closeness[at] - depth);
}

/* The cheapest way for all of them. */
static void find_groups(grouping *g)
{
    const uint32_t depth = depth_to_cut(g);
    g->cost[0] = 0.0F;
    for (uint32_t end = 1; end <= g->count; end++) {
        g->cost[end] = INFINITY;
        for (uint32_t size = WI_LEAST_CHILDREN; size <= WI_LANES && size <= end; size++) {
            const float cost = g->cost[end - size] + cost_of_cut(g, end - size, depth);
            if (!(cost < g->cost[end])) continue;
            g->cost[end] = cost;
            g->last[end] = (uint8_t)size;
        }
    }
    WI_ASSERT(g->cost[g->count] < INFINITY);
}

static wi_box add_items(wi_tree *h, uint64_t revision, uint32_t node, const uint32_t *items,
                        uint32_t count)
{
    wi_box whole = wi_box_empty();
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t number = items[i] & ~WI_IS_LEAF;
        const wi_box box = number != items[i] ? wi_leaf_box(h, &h->shape->leaves[number])
                                              : wi_linked_box_below(h, number);
        wi_links_add_child(h, node, items[i], &box);
        wi_box_add_box(&whole, &box);
    }
    atomic_store_explicit(&h->boxes.nodes[node].stamp, revision, memory_order_relaxed);
    return whole;
}

/* What is known at the ends of groups goes to their firsts: how many each of them has. */
static void turn_around(grouping *g)
{
    uint8_t size = g->last[g->count];
    for (uint32_t first = g->count; first > 0;) {
        first -= size;
        const uint8_t before = g->last[first];
        g->last[first] = size;
        size = before;
    }
}

/* The groups become the items. */
static void group_items(grouping *g, uint64_t revision, uint32_t level)
{
    uint32_t count = 0;
    turn_around(g);
    for (uint32_t first = 0; first < g->count; count++) {
        const uint32_t size = g->last[first];
        const uint32_t node = wi_links_take_node(g->h, level);
        (void)add_items(g->h, revision, node, g->items + first, size);
        g->closeness[count] = g->closeness[first];
        g->items[count] = node;
        first += size;
    }
    g->count = count;
}

static void group_all(grouping *g, uint64_t revision)
{
    wi_tree *h = g->h;
    uint32_t level = 0;
    const uint32_t root = wi_links_take_node(h, 0);
    WI_ASSERT(root == 0);
    for (; g->count > WI_LANES; level++) {
        find_groups(g);
        group_items(g, revision, level);
    }
    h->shape->links->level[root] = (uint8_t)level;
    h->shape->height = level + 1;
    h->boxes.bounds = add_items(h, revision, root, g->items, g->count);
}

/* ---- all of it ---- */

/* Views of an AVL tree are others all the time: loops around what is below them would be of no use.
 */
static bool take_lists(wi_memory *memory, wi_tree *packed, wi_tree *h)
{
    if (packed->shape->self == NULL) return true;
    if (!wi_self_edit_take(memory, packed, h)) return false;
    wi_boundary_loops_free(memory, &h->shape->self->loops);
    return true;
}

static bool link_leaves(wi_memory *memory, wi_tree *packed, grouping *g, uint64_t revision)
{
    wi_tree *h = g->h;
    const uint32_t leaves = packed->shape->leaf_count;
    h->shape = wi_shape_make(memory);
    if (h->shape == NULL) {
        h->shape = wi_shape_none();
        return false;
    }
    const uint32_t nodes = wi_def_wants_avl(&h->def) ? leaves : leaves / 2 + WI_LANES;
    if (!wi_links_begin(memory, h, packed->def.leaf_triangles) ||
        (wi_def_wants_avl(&h->def) && !wi_avl_begin(memory, h)) ||
        !wi_links_reserve(memory, h, leaves, nodes) || !grouping_reserve(memory, g))
        return false;
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        copy_leaf(packed->shape, &packed->shape->leaves[leaf], h);
    if (wi_tree_is_avl(h)) return wi_avl_gather(memory, packed, h) && take_lists(memory, packed, h);
    list_leaves(packed, g);
    group_all(g, revision);
    return packed->shape->self == NULL || wi_self_edit_take(memory, packed, h);
}

/* What the packed tree had and the linked one has not. */
static void replace(wi_memory *memory, wi_tree *packed, const wi_tree *linked)
{
    WI_ASSERT(packed->shape->users == 1);
    wi_free_array(memory, packed->boxes.nodes, packed->boxes.node_room,
                  sizeof *packed->boxes.nodes);
    wi_shape_release(memory, packed->shape);
    packed->shape = linked->shape;
    packed->boxes.nodes = linked->boxes.nodes;
    packed->boxes.node_room = linked->boxes.node_room;
    packed->boxes.bounds = linked->boxes.bounds;
    packed->boxes.valid_from = linked->boxes.valid_from;
}

bool wi_tree_link(wi_memory *memory, wi_tree *h, uint64_t revision)
{
    wi_tree linked = {.mesh = h->mesh, .def = h->def, .boxes = {.valid_from = revision}};
    grouping g = {.h = &linked, .room = h->shape->leaf_count};
    WI_ASSERT(h->boxes.nodes && !wi_shape_is_linked(h->shape) && h->shape->users == 1);
    WI_ASSERT(h->keeper.state == NULL || h->boxes.acting.state == NULL);
    const bool ok = link_leaves(memory, h, &g, revision);
    grouping_free(memory, &g);
    if (!ok) {
        wi_free_array(memory, linked.boxes.nodes, linked.boxes.node_room,
                      sizeof *linked.boxes.nodes);
        wi_shape_release(memory, linked.shape);
        return false;
    }
    replace(memory, h, &linked);
    h->shape->links->since = revision;
    if (wi_tree_is_avl(h)) {
        (void)wi_avl_fit(h, revision, true, false);
        wi_avl_of(h)->fresh_quality = wi_avl_quality(h);
        return wi_group_sets_make(memory, h) && wi_self_edit_finish(memory, h);
    }
    wi_wear_note_open(h);
    wi_tree_edit_mark_small(h);
    return wi_group_sets_make(memory, h) && wi_self_edit_finish(memory, h);
}
