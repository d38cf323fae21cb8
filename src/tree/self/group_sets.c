/* group_sets.c - gathers groups from the triangles up.
 *
 * Way in: wi_group_sets_make. A sweep over the triangles in the order of the leaves and one over
 * the nodes, once per build and once per change of the matrix. */
#include "tree/self/group_sets.h"

#include <string.h>

#include "base/check.h"
#include "tree/linked/links.h"

static void add_set(wi_group_set *set, const wi_group_set *other)
{
    set->below |= other->below;
    set->tested |= other->tested;
}

static wi_group_set set_of_leaf(const wi_tree *h, const wi_leaf *leaf)
{
    const wi_mesh *mesh = h->mesh;
    wi_group_set set = {0};
    for (uint32_t i = 0; i < leaf->tri_count; i++) {
        const uint16_t group = mesh->groups[h->shape->slots[leaf->first_tri + i]];
        WI_ASSERT(group < mesh->masks.count && group < 64);
        set.below |= UINT64_C(1) << group;
        set.tested |= mesh->masks.rows[group];
    }
    return set;
}

static wi_group_set set_of_node(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    wi_group_set set = {0};
    for (unsigned lane = 0; lane < view->count; lane++)
        add_set(&set, (view->leaf_mask >> lane & 1) != 0
                          ? &h->shape->sets.leaves[view->child[lane]]
                          : &h->shape->sets.nodes[view->child[lane]]);
    return set;
}

bool wi_group_sets_reserve(wi_memory *memory, wi_tree *h)
{
    wi_group_sets *sets = &h->shape->sets;
    const bool is_linked = wi_shape_is_linked(h->shape);
    *sets = (wi_group_sets){.node_count = is_linked ? h->boxes.node_room : h->shape->node_count,
                            .leaf_count = is_linked ? h->shape->leaf_room : h->shape->leaf_count};
    sets->nodes = wi_alloc_array(memory, sets->node_count, sizeof *sets->nodes);
    sets->leaves = wi_alloc_array(memory, sets->leaf_count, sizeof *sets->leaves);
    if (sets->nodes && sets->leaves) return true;
    wi_group_sets_free(memory, sets);
    return false;
}

void wi_group_sets_follow_leaf(wi_tree *h, uint32_t leaf)
{
    wi_group_sets *sets = &h->shape->sets;
    if (sets->leaves) sets->leaves[leaf] = set_of_leaf(h, &h->shape->leaves[leaf]);
}

void wi_group_sets_follow_node(wi_tree *h, uint32_t node)
{
    wi_group_sets *sets = &h->shape->sets;
    if (sets->nodes) sets->nodes[node] = set_of_node(h, node);
}

bool wi_group_sets_follow_room(wi_memory *memory, wi_tree *h)
{
    wi_group_sets old = h->shape->sets;
    if (old.nodes == NULL) return true;
    if (!wi_group_sets_reserve(memory, h)) {
        h->shape->sets = old;
        return false;
    }
    memcpy(h->shape->sets.nodes, old.nodes, old.node_count * sizeof *old.nodes);
    memcpy(h->shape->sets.leaves, old.leaves, old.leaf_count * sizeof *old.leaves);
    wi_group_sets_free(memory, &old);
    return true;
}

/* Level by level: children come first. */
static void fill_linked(wi_tree *h)
{
    const wi_links *links = wi_links_of(h);
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) wi_group_sets_follow_leaf(h, leaf);
    for (uint32_t level = 0; level < h->shape->height; level++)
        for (uint32_t node = 0; node < h->shape->node_count; node++)
            if (links->level[node] == level) wi_group_sets_follow_node(h, node);
}

void wi_group_sets_fill(wi_tree *h)
{
    if (wi_shape_is_linked(h->shape)) {
        fill_linked(h);
        return;
    }
    for (uint32_t leaf = 0; leaf < h->shape->sets.leaf_count; leaf++)
        h->shape->sets.leaves[leaf] = set_of_leaf(h, &h->shape->leaves[leaf]);
    /* Children follow their parent (I1), so a backward sweep meets them first. */
    for (uint32_t node = h->shape->sets.node_count; node-- > 0;)
        h->shape->sets.nodes[node] = set_of_node(h, node);
}

bool wi_group_sets_make(wi_memory *memory, wi_tree *h)
{
    if (wi_shape_is_grown(h->shape)) return true; /* groups are told apart triangle by triangle */
    if (h->boxes.nodes == NULL) return true;
    wi_group_sets old = h->shape->sets;
    h->shape->sets = (wi_group_sets){0};
    if (h->mesh->masks.rows && !wi_group_sets_reserve(memory, h)) {
        h->shape->sets = old;
        return false;
    }
    wi_group_sets_free(memory, &old);
    wi_group_sets_fill(h);
    return true;
}

void wi_group_sets_free(wi_memory *memory, wi_group_sets *sets)
{
    wi_free_array(memory, sets->nodes, sets->node_count, sizeof *sets->nodes);
    wi_free_array(memory, sets->leaves, sets->leaf_count, sizeof *sets->leaves);
    *sets = (wi_group_sets){0};
}

size_t wi_group_sets_bytes(const wi_group_sets *sets)
{
    return sets->node_count * sizeof *sets->nodes + sets->leaf_count * sizeof *sets->leaves;
}

static bool are_equal(wi_group_set a, wi_group_set b)
{
    return a.below == b.below && a.tested == b.tested;
}

const char *wi_group_sets_validate(const wi_tree *h)
{
    const wi_group_sets *sets = &h->shape->sets;
    const bool is_wanted = h->boxes.nodes && h->mesh->masks.rows;
    if (is_wanted != (sets->nodes != NULL))
        return "I11: a tree has sets of groups without group masks, or none with them";
    if (!is_wanted) return NULL;
    const bool is_linked = wi_shape_is_linked(h->shape);
    if (sets->node_count != (is_linked ? h->boxes.node_room : h->shape->node_count) ||
        sets->leaf_count != (is_linked ? h->shape->leaf_room : h->shape->leaf_count))
        return "I11: sets of groups are of another tree";
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++)
        if (h->shape->leaves[leaf].tri_count > 0 &&
            !are_equal(sets->leaves[leaf], set_of_leaf(h, &h->shape->leaves[leaf])))
            return "I11: a leaf has other groups";
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        if (h->boxes.nodes[node].count > 0 && !are_equal(sets->nodes[node], set_of_node(h, node)))
            return "I11: a node has other groups";
    return NULL;
}
