/* linear_bvh.c - the tree over boxes (broad/body_tree.h), kept from step to step.
 *
 * Way in: the wi_kept_ops of it. Made for boxes of any sizes of which many stand still or are
 * searched for: while the same boxes live, nodes take their new bounds, which is one sweep; the
 * tree is built afresh when boxes come or go, or when its nodes overlap a quarter more than when it
 * was built. */
#include "broad/linear_bvh.h"

#include "base/kernel.h"
#include "broad/kept.h"

static const double WORSE = 1.25;

typedef struct bvh_state {
    wi_body_tree tree;
    double fresh_spread;
    wi_workspace workspace;
} bvh_state;

static wi_box_list bvh_boxes(const wi_kept *kept)
{
    return (wi_box_list){kept->boxes, sizeof *kept->boxes, kept->count};
}

static bool bvh_build(wi_kept *kept, bvh_state *s)
{
    const wi_box_list boxes = bvh_boxes(kept);
    if (!wi_body_tree_reserve(kept->memory, &s->tree, boxes.count) ||
        !wi_workspace_reserve(kept->memory, &s->workspace, wi_body_tree_build_size(boxes.count)))
        return false;
    wi_body_tree_build(&s->tree, &boxes, &s->workspace);
    s->fresh_spread = s->tree.spread;
    kept->rebuilds++;
    return true;
}

static bool bvh_update(wi_kept *kept, const wi_kept_change *change)
{
    bvh_state *s = kept->state;
    if (change->all || !change->same_live) return bvh_build(kept, s);
    const wi_box_list boxes = bvh_boxes(kept);
    wi_body_tree_refit(&s->tree, &boxes);
    return s->tree.spread <= WORSE * s->fresh_spread || bvh_build(kept, s);
}

static bool bvh_pairs(wi_kept *kept, wi_body_pairs *out)
{
    const bvh_state *s = kept->state;
    const wi_broad_ops *ops = WI_KERNELS_FOR(kept->kernel, broad_linear_bvh);
    wi_broad_search search = {.nodes = s->tree.nodes, .count = s->tree.node_count};
    return ops->more(kept->memory, &search, SIZE_MAX, out);
}

static bool bvh_find(const wi_kept *kept, wi_memory *memory, const wi_probe *probe,
                     wi_body_numbers *out)
{
    const bvh_state *s = kept->state;
    uint32_t stack[WI_BODY_TREE_STACK], count = 0;
    if (s->tree.node_count > 0) stack[count++] = 0;
    while (count > 0) {
        const wi_body_node *node = &s->tree.nodes[stack[--count]];
        for (unsigned lane = 0; lane < node->count; lane++) {
            const wi_box box = wi_body_node_box(node, lane);
            if (!wi_probe_meets(probe, &box)) continue;
            const bool is_leaf = (node->leaf_mask >> lane & 1) != 0;
            WI_ASSERT(is_leaf || count < WI_BODY_TREE_STACK);
            if (!is_leaf)
                stack[count++] = node->child[lane];
            else if (!wi_array_push(memory, out, node->child[lane]))
                return false;
        }
    }
    return true;
}

static void bvh_count(const wi_kept *kept, willow_broad_stats *out)
{
    const bvh_state *s = kept->state;
    out->entries = s->tree.body_count;
    out->nodes = s->tree.node_count;
}

static const char *bvh_validate(const wi_kept *kept)
{
    const bvh_state *s = kept->state;
    const wi_box_list boxes = bvh_boxes(kept);
    return wi_body_tree_validate(&s->tree, &boxes);
}

static void bvh_free(wi_kept *kept)
{
    bvh_state *s = kept->state;
    wi_body_tree_free(kept->memory, &s->tree);
    wi_workspace_free(kept->memory, &s->workspace);
}

const wi_kept_ops wi_kept_linear_bvh = {.state_size = sizeof(bvh_state),
                                        .update = bvh_update,
                                        .pairs = bvh_pairs,
                                        .find = bvh_find,
                                        .count = bvh_count,
                                        .validate = bvh_validate,
                                        .free = bvh_free};
