/* brood.c - collects those below a node that fill eight lanes. */
#include "pairs/brood.h"

#include "base/check.h"

/* The lane of a brood is replaced by its children, if there is room for them and it is a node. */
static bool open_lane(const wi_tree *h, wi_brood *brood, unsigned lane)
{
    const uint32_t node = brood->child[lane];
    const wi_node *view = &h->boxes.nodes[node];
    if ((brood->leaf_mask >> lane & 1) != 0 || brood->count + view->count > WI_LANES + 1U)
        return false;
    for (unsigned i = 0; i < view->count; i++) {
        const unsigned to = i == 0 ? lane : brood->count++;
        WI_ASSERT(to < WI_LANES);
        brood->node[to] = node;
        brood->lane[to] = (uint8_t)i;
        brood->child[to] = view->child[i];
        brood->leaf_mask = (uint8_t)(brood->leaf_mask & ~(1U << to));
        brood->leaf_mask = (uint8_t)(brood->leaf_mask | (view->leaf_mask >> i & 1U) << to);
    }
    return true;
}

/* Level by level, so that those in it are about as deep as each other. */
wi_brood wi_brood_below(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    wi_brood brood = {.count = 1, .child = {node}};
    bool has_opened = open_lane(h, &brood, 0);
    while (has_opened) {
        const unsigned count = brood.count;
        has_opened = false;
        for (unsigned lane = 0; lane < count; lane++)
            has_opened = open_lane(h, &brood, lane) || has_opened;
    }
    return brood;
}
