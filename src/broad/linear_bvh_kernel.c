/* linear_bvh_kernel.c - pairs of bodies from a tree over their boxes.
 *
 * Ways in: the wi_broad_ops of it. Made for hundreds of bodies and more, of any sizes. A tree that
 * the world keeps over the same bodies is copied and given the boxes that the question is about,
 * which is linear; else one is built. Then the bodies of each node, eight at most, go down the tree
 * together, in the box around them. Nodes are come to in their order, and only those after the own
 * one are looked into, so that every pair is found once. A search that has stopped goes down again
 * to where it was: its state is two nodes and a count, and no stack. */
#include <string.h>

#include "base/kernel.h"
#include "broad/linear_bvh.h"

/* The children whose boxes meet a box, a bit each. */
static inline unsigned bvh_lanes_met(const wi_body_node *node, const wi_box *box)
{
    wi_mask apart = wi_wide_less(wi_wide_all(box->upper[0]), wi_wide_load(node->lower[0]));
    apart =
        wi_mask_or(apart, wi_wide_less(wi_wide_load(node->upper[0]), wi_wide_all(box->lower[0])));
    for (int axis = 1; axis < 3; axis++) {
        const wi_wide low = wi_wide_all(box->lower[axis]), high = wi_wide_all(box->upper[axis]);
        apart = wi_mask_or(apart, wi_wide_less(high, wi_wide_load(node->lower[axis])));
        apart = wi_mask_or(apart, wi_wide_less(wi_wide_load(node->upper[axis]), low));
    }
    return ~wi_mask_bits(apart) & ((1U << node->count) - 1U);
}

static inline unsigned bvh_take_lowest(unsigned *bits)
{
    const unsigned lowest = (unsigned)__builtin_ctz(*bits);
    *bits &= *bits - 1;
    return lowest;
}

/* ---- the tree ---- */

static uint32_t bvh_count_boxes(const wi_box_list *boxes)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < boxes->count; i++) count += !wi_box_is_empty(wi_box_list_at(boxes, i));
    return count;
}

static bool bvh_make_tree(wi_memory *memory, wi_workspace *workspace, const wi_box_list *boxes,
                          const wi_body_tree *known, wi_body_tree *out)
{
    const bool is_known = known != NULL && known->body_count == bvh_count_boxes(boxes);
    const uint32_t most = is_known ? known->node_count : wi_body_tree_most_nodes(boxes->count);
    const size_t size = wi_workspace_size(most, sizeof *out->nodes) +
                        (is_known ? 0 : wi_body_tree_build_size(boxes->count));
    if (!wi_workspace_reserve(memory, workspace, size)) return false;
    *out = (wi_body_tree){.capacity = most};
    out->nodes = wi_workspace_take(workspace, most, sizeof *out->nodes);
    if (!is_known) {
        wi_body_tree_build(out, boxes, workspace);
        return true;
    }
    out->node_count = known->node_count;
    out->body_count = known->body_count;
    if (most > 0) memcpy(out->nodes, known->nodes, most * sizeof *out->nodes);
    wi_body_tree_refit(out, boxes);
    return true;
}

static bool bvh_begin(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                      wi_broad_search *out)
{
    wi_body_tree tree;
    *out = (wi_broad_search){.bodies = crowd->bodies};
    if (crowd->count < 2) return true;
    const wi_box_list boxes = {&crowd->bodies[0].box, sizeof crowd->bodies[0], crowd->count};
    if (!bvh_make_tree(memory, workspace, &boxes, crowd->tree, &tree)) return false;
    out->nodes = tree.nodes;
    out->count = tree.node_count;
    return true;
}

/* ---- the search ---- */

/* The box around the bodies that are children of a node. */
static wi_box bvh_box_of_leaves(const wi_body_node *node)
{
    wi_box box = wi_box_empty();
    for (unsigned leaves = node->leaf_mask; leaves != 0;) {
        const wi_box own = wi_body_node_box(node, bvh_take_lowest(&leaves));
        wi_box_add_box(&box, &own);
    }
    return box;
}

typedef enum bvh_outcome { BVH_DONE, BVH_FULL, BVH_NO_MEMORY } bvh_outcome;

/* Adds a pair, unless it was added before the search stopped. */
static bvh_outcome bvh_add(wi_memory *memory, wi_broad_search *s, uint32_t *place, uint32_t a,
                           uint32_t b, size_t limit, wi_body_pairs *out)
{
    if (s->bodies && !wi_bodies_want_each_other(&s->bodies[a], &s->bodies[b])) return BVH_DONE;
    if ((*place)++ < s->skip) return BVH_DONE;
    if (out->count >= limit) return BVH_FULL;
    s->skip = *place;
    const wi_body_pair pair = {a < b ? a : b, a < b ? b : a};
    return wi_array_push(memory, out, pair) ? BVH_DONE : BVH_NO_MEMORY;
}

/* The bodies of node s->first with those of s->second. */
static bvh_outcome bvh_pair_leaves(wi_memory *memory, wi_broad_search *s, size_t limit,
                                   wi_body_pairs *out)
{
    const wi_body_node *first = &s->nodes[s->first], *second = &s->nodes[s->second];
    uint32_t place = 0;
    for (unsigned leaves = first->leaf_mask; leaves != 0;) {
        const unsigned lane = bvh_take_lowest(&leaves);
        const wi_box box = wi_body_node_box(first, lane);
        unsigned met = bvh_lanes_met(second, &box) & second->leaf_mask;
        if (first == second) met &= leaves; /* those after it */
        while (met != 0) {
            const uint32_t other = second->child[bvh_take_lowest(&met)];
            const bvh_outcome outcome =
                bvh_add(memory, s, &place, first->child[lane], other, limit, out);
            if (outcome != BVH_DONE) return outcome;
        }
    }
    return BVH_DONE;
}

/* The bodies of node s->first with those of all nodes from s->second on. */
static bvh_outcome bvh_search_node(wi_memory *memory, wi_broad_search *s, size_t limit,
                                   wi_body_pairs *out)
{
    uint32_t stack[WI_BODY_TREE_STACK], count = 0;
    const wi_box box = bvh_box_of_leaves(&s->nodes[s->first]);
    stack[count++] = 0;
    while (count > 0) {
        const uint32_t number = stack[--count];
        const wi_body_node *node = &s->nodes[number];
        const unsigned met = bvh_lanes_met(node, &box);
        if (number >= s->second && (met & node->leaf_mask) != 0) {
            s->skip = number == s->second ? s->skip : 0;
            s->second = number;
            const bvh_outcome outcome = bvh_pair_leaves(memory, s, limit, out);
            if (outcome != BVH_DONE) return outcome;
        }
        /* The last first, so that they are taken off in order. */
        for (unsigned inner = met & ~(unsigned)node->leaf_mask; inner != 0;) {
            const unsigned lane = 31U - (unsigned)__builtin_clz(inner);
            inner &= ~(1U << lane);
            if (s->nodes[node->child[lane]].end <= s->second) continue;
            WI_ASSERT(count < WI_BODY_TREE_STACK);
            stack[count++] = node->child[lane];
        }
    }
    return BVH_DONE;
}

static bool bvh_more(wi_memory *memory, wi_broad_search *s, size_t limit, wi_body_pairs *out)
{
    for (; s->first < s->count; s->first++, s->second = s->first, s->skip = 0) {
        if (s->nodes[s->first].leaf_mask == 0) continue;
        const bvh_outcome outcome = bvh_search_node(memory, s, limit, out);
        if (outcome != BVH_DONE) return outcome == BVH_FULL;
    }
    return true;
}

extern const wi_broad_ops WI_KERNEL(broad_linear_bvh);
const wi_broad_ops WI_KERNEL(broad_linear_bvh) = {bvh_begin, bvh_more, .is_in_order = false};
