/* join.c - finds the subtrees that stay whole, and joins them from the highest on, so that each is
 * no higher than the tree that it comes to, unless that is of other pieces. */
#include "tree/linked/join.h"

#include <string.h>

#include "base/check.h"
#include "tree/linked/avl.h"
#include "tree/linked/wear.h"
#include "tree/self/self_edit.h"

/* In the place of a new tree: what is below goes to several, or is not true any more. */
#define SEVERAL UINT32_MAX

typedef struct joiner {
    wi_memory *memory;
    const wi_join *join;
    uint32_t *of_leaves, *of_nodes; /* by number: the new tree of all that is below */
    uint32_t *leaves, *nodes;       /* by new tree: how many of them it gets */
} joiner;

/* ---- what stays whole ---- */

static uint32_t tree_of_leaf(const wi_join *j, const wi_leaf *leaf)
{
    const uint32_t *slots = j->from->shape->slots + leaf->first_tri;
    const uint32_t first = j->tris[slots[0]].part;
    if (first == WILLOW_NO_PART) return SEVERAL;
    for (unsigned i = 1; i < leaf->tri_count; i++)
        if (j->tris[slots[i]].part != first) return SEVERAL;
    return first;
}

/* A node with too few children can be nothing but a root. */
static uint32_t tree_of_node(const joiner *j, const wi_node *view)
{
    const uint32_t *of = view->leaf_mask != 0 ? j->of_leaves : j->of_nodes;
    const uint32_t first = of[view->child[0]];
    if (view->count < WI_LEAST_CHILDREN) return SEVERAL;
    for (unsigned lane = 1; lane < view->count; lane++)
        if (of[view->child[lane]] != first) return SEVERAL;
    return first;
}

static void find_whole(joiner *j)
{
    const wi_join *join = j->join;
    const wi_shape *s = join->from->shape;
    for (uint32_t leaf = 0; leaf < s->leaf_count; leaf++)
        j->of_leaves[leaf] =
            wi_links_have_leaf(s->links, leaf) ? tree_of_leaf(join, &s->leaves[leaf]) : SEVERAL;
    for (size_t i = 0; i < join->edited_count; i++) {
        const uint32_t slot = join->edited[i];
        const uint32_t leaf = slot < s->links->slot_room ? s->links->leaf_of[slot] : WI_NO_LINK;
        if (leaf != WI_NO_LINK) j->of_leaves[leaf] = SEVERAL;
    }
    memset(j->of_nodes, 0xFF, s->node_count * sizeof *j->of_nodes);
    for (unsigned level = 0; level < s->height; level++)
        for (uint32_t node = 0; node < s->node_count; node++)
            if (s->links->level[node] == level && wi_tree_has_node(join->from, node))
                j->of_nodes[node] = tree_of_node(j, &join->from->boxes.nodes[node]);
}

static void count_whole(joiner *j)
{
    const wi_shape *s = j->join->from->shape;
    memset(j->leaves, 0, j->join->to_count * sizeof *j->leaves);
    memset(j->nodes, 0, j->join->to_count * sizeof *j->nodes);
    for (uint32_t leaf = 0; leaf < s->leaf_count; leaf++)
        if (j->of_leaves[leaf] != SEVERAL) j->leaves[j->of_leaves[leaf]]++;
    for (uint32_t node = 0; node < s->node_count; node++)
        if (j->of_nodes[node] != SEVERAL) j->nodes[j->of_nodes[node]]++;
}

/* ---- it is copied ---- */

uint32_t wi_join_copy_leaf(const wi_join *join, uint32_t number, wi_tree *to)
{
    const wi_shape *from = join->from->shape;
    const wi_leaf *old = &from->leaves[number];
    const uint8_t(*corners)[3] = (const uint8_t(*)[3])(from->corners + old->first_tri);
    const uint32_t copy = wi_links_take_leaf(to);
    uint32_t slots[WI_MAX_LEAF_TRIS], vertices[WI_MAX_LEAF_VERTICES];
    for (unsigned i = 0; i < old->tri_count; i++) {
        slots[i] = join->tris[from->slots[old->first_tri + i]].triangle;
        for (int k = 0; k < 3; k++) vertices[corners[i][k]] = to->mesh->tris[slots[i]][k];
    }
    const wi_leaf_content content = {corners, slots, vertices, old->tri_count, old->vertex_count};
    wi_links_fill_leaf(to, copy, &content);
    return copy;
}

/* A node still to be filled, and the one that it is a copy of. */
typedef struct copying {
    uint32_t from, to;
} copying;

/* All that is below a node, into a node that has nothing. There is room. */
static void copy_below(const joiner *j, uint32_t node, wi_tree *to, uint32_t root)
{
    const wi_tree *from = j->join->from;
    copying stack[WI_MOST_HEIGHT * WI_LANES];
    unsigned count = 0;
    stack[count++] = (copying){node, root};
    while (count > 0) {
        const copying at = stack[--count];
        const wi_node *view = &from->boxes.nodes[at.from];
        WI_ASSERT(count + view->count <= WI_MOST_HEIGHT * WI_LANES);
        wi_wear_inherit(to, at.to, from, at.from);
        for (unsigned lane = 0; lane < view->count; lane++) {
            const uint32_t child = view->child[lane];
            const wi_box box = wi_node_box(view, lane);
            uint32_t copy;
            if (view->leaf_mask != 0) {
                copy = wi_join_copy_leaf(j->join, child, to) | WI_IS_LEAF;
            } else {
                copy = wi_links_take_node(to, from->shape->links->level[child]);
                stack[count++] = (copying){child, copy};
            }
            wi_links_add_child(to, at.to, copy, &box);
        }
    }
}

static wi_box box_of_whole(const wi_node *view)
{
    wi_box box = wi_box_empty();
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box one = wi_node_box(view, lane);
        wi_box_add_box(&box, &one);
    }
    return box;
}

/* On its way from one node to another. */
typedef struct loose_child {
    uint32_t number; /* leaves with WI_IS_LEAF */
    wi_box box;
} loose_child;

static loose_child take_last(wi_tree *to, uint32_t node)
{
    const wi_node *view = &to->boxes.nodes[node];
    const unsigned last = view->count - 1U;
    const loose_child child = {view->child[last] | (view->leaf_mask != 0 ? WI_IS_LEAF : 0),
                               wi_node_box(view, last)};
    wi_links_remove_child(to, node, last);
    return child;
}

static void begin_root(wi_tree *to, uint32_t level)
{
    const uint32_t root = wi_links_take_node(to, level);
    WI_ASSERT(root == 0), (void)root;
    to->shape->height = level + 1;
}

/* The tree is lower than what comes, or its root has few children: it becomes a child of that, or
 * its children do. */
static bool join_to_node(const joiner *j, uint32_t node, wi_tree *to)
{
    const wi_tree *from = j->join->from;
    const uint32_t old_level = to->shape->links->level[0], level = from->shape->links->level[node];
    const wi_box box = box_of_whole(&to->boxes.nodes[0]);
    if (!wi_links_reserve(j->memory, to, 0, WI_LANES * (level + 2))) return false;
    const uint32_t old = wi_links_take_node(to, old_level);
    wi_wear_inherit(to, old, to, 0);
    while (to->boxes.nodes[0].count > 0) {
        const loose_child child = take_last(to, 0);
        wi_links_add_child(to, old, child.number, &child.box);
    }
    to->shape->links->level[0] = (uint8_t)level;
    to->shape->height = level + 1;
    copy_below(j, node, to, 0);
    if (to->boxes.nodes[old].count >= WI_LEAST_CHILDREN) {
        wi_tree_edit_add_below(to, old_level + 1, old, &box);
        return true;
    }
    while (to->boxes.nodes[old].count > 0) {
        const loose_child child = take_last(to, old);
        wi_tree_edit_add_below(to, old_level, child.number, &child.box);
    }
    wi_links_give_node(to, old);
    return true;
}

static bool join_node(const joiner *j, uint32_t node, wi_tree *to)
{
    const uint32_t level = j->join->from->shape->links->level[node];
    if (to->shape->node_count == 0) {
        begin_root(to, level);
        copy_below(j, node, to, 0);
        return true;
    }
    const bool is_root_small = to->boxes.nodes[0].count < WI_LEAST_CHILDREN;
    if (level > to->shape->links->level[0] ||
        (level == to->shape->links->level[0] && is_root_small))
        return join_to_node(j, node, to);
    if (!wi_links_reserve(j->memory, to, 0, to->shape->height + 2)) return false;
    const uint32_t copy = wi_links_take_node(to, level);
    const wi_box box = box_of_whole(&j->join->from->boxes.nodes[node]);
    copy_below(j, node, to, copy);
    wi_tree_edit_add_below(to, level + 1, copy, &box);
    return true;
}

static bool join_leaf(const joiner *j, uint32_t leaf, wi_tree *to)
{
    const wi_links *l = j->join->from->shape->links;
    if (to->shape->node_count == 0) begin_root(to, 0);
    if (!wi_links_reserve(j->memory, to, 0, to->shape->height + 2)) return false;
    const wi_box box =
        wi_node_box(&j->join->from->boxes.nodes[l->leaf_node[leaf]], l->leaf_lane[leaf]);
    const uint32_t copy = wi_join_copy_leaf(j->join, leaf, to) | WI_IS_LEAF;
    wi_tree_edit_add_below(to, 0, copy, &box);
    return true;
}

/* ---- from the highest on ---- */

static bool join_nodes_of(const joiner *j, unsigned level)
{
    const wi_tree *from = j->join->from;
    for (uint32_t node = 0; node < from->shape->node_count; node++) {
        if (j->of_nodes[node] == SEVERAL || from->shape->links->level[node] != level) continue;
        if (node > 0 && j->of_nodes[from->boxes.nodes[node].parent] != SEVERAL) continue;
        if (!join_node(j, node, j->join->to[j->of_nodes[node]])) return false;
    }
    return true;
}

static bool join_leaves(const joiner *j)
{
    const wi_shape *s = j->join->from->shape;
    for (uint32_t leaf = 0; leaf < s->leaf_count; leaf++)
        if (j->of_leaves[leaf] != SEVERAL && j->of_nodes[s->links->leaf_node[leaf]] == SEVERAL &&
            !join_leaf(j, leaf, j->join->to[j->of_leaves[leaf]]))
            return false;
    return true;
}

/* Trees that get nothing whole stay as they are. */
static bool reserve_trees(const joiner *j)
{
    const wi_links *l = j->join->from->shape->links;
    for (uint32_t i = 0; i < j->join->to_count; i++) {
        wi_tree *to = j->join->to[i];
        if (j->leaves[i] == 0) continue;
        if (to->shape == wi_shape_none()) {
            to->shape = wi_shape_make(j->memory);
            if (to->shape == NULL) {
                to->shape = wi_shape_none();
                return false;
            }
            if (!wi_links_begin(j->memory, to, l->tris_per_leaf)) return false;
        }
        if (!wi_links_reserve(j->memory, to, j->leaves[i], j->nodes[i] + 2)) return false;
    }
    return true;
}

static bool join_all(joiner *j)
{
    find_whole(j);
    count_whole(j);
    if (!reserve_trees(j)) return false;
    for (unsigned level = j->join->from->shape->height; level-- > 0;)
        if (!join_nodes_of(j, level)) return false;
    return join_leaves(j);
}

bool wi_tree_join(wi_memory *memory, const wi_join *join)
{
    const wi_shape *s = join->from->shape;
    joiner j = {.memory = memory, .join = join};
    WI_ASSERT(wi_shape_is_linked(s) && join->to_count > 0);
    if (wi_tree_is_avl(join->from)) return wi_avl_join_trees(memory, join);
    j.of_leaves = wi_alloc_array(memory, s->leaf_count, sizeof *j.of_leaves);
    j.of_nodes = wi_alloc_array(memory, s->node_count, sizeof *j.of_nodes);
    j.leaves = wi_alloc_array(memory, join->to_count, sizeof *j.leaves);
    j.nodes = wi_alloc_array(memory, join->to_count, sizeof *j.nodes);
    const bool ok = j.of_leaves && j.of_nodes && j.leaves && j.nodes && join_all(&j);
    wi_free_array(memory, j.of_leaves, s->leaf_count, sizeof *j.of_leaves);
    wi_free_array(memory, j.of_nodes, s->node_count, sizeof *j.of_nodes);
    wi_free_array(memory, j.leaves, join->to_count, sizeof *j.leaves);
    wi_free_array(memory, j.nodes, join->to_count, sizeof *j.nodes);
    return ok;
}

/* ---- the end ---- */

bool wi_tree_join_end(wi_memory *memory, wi_tree *h)
{
    wi_tree_changes changes = {.boxes = WI_EDIT_OLD};
    WI_ASSERT(wi_shape_is_linked(h->shape) && h->shape->node_count > 0);
    if (wi_tree_is_avl(h)) {
        (void)wi_avl_fit(h, WI_STAMP_NONE, true, false);
        h->boxes.valid_from = WI_FIRST_REVISION; /* no node is open */
    } else {
        wi_tree_edit_mark_small(h);
        wi_tree_edit_join_small(h, &changes);
        wi_tree_edit_end(h, &changes);
    }
    WI_ASSERT_SLOW(wi_links_validate(h) == NULL);
    return wi_group_sets_make(memory, h) && (!h->is_self || wi_self_edit_make(memory, h));
}

uint32_t wi_tree_missing(const wi_tree *h, uint32_t *slots)
{
    const wi_links *l = wi_links_of(h);
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < h->mesh->tri_count; slot++) {
        if (!wi_mesh_collides(h->mesh, slot) || l->leaf_of[slot] != WI_NO_LINK) continue;
        if (slots) slots[count] = slot;
        count++;
    }
    return count;
}
