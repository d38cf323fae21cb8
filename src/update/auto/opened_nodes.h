/* opened_nodes.h - the nodes that queries have opened since an update, for AUTO.
 *
 * Going over them costs what they do and not what the tree does: nodes below a closed one are
 * closed. Which they are does not depend on who opened them (C9). */
#ifndef WI_UPDATE_AUTO_OPENED_NODES_H
#define WI_UPDATE_AUTO_OPENED_NODES_H

#include "base/check.h"
#include "tree/tree.h"

typedef struct wi_opened_nodes {
    const wi_tree *h;
    uint64_t since; /* the revision that it is about, which may not be the last */
    wi_twig twig;
    uint32_t node; /* the one that it is at */
} wi_opened_nodes;

static inline bool wi_was_opened(const wi_tree *h, uint32_t node, uint64_t since)
{
    WI_ASSERT(node < h->shape->node_count);
    return atomic_load_explicit(&h->boxes.nodes[node].stamp, memory_order_relaxed) >= since;
}

/* At the root, whether that is open or not. */
static inline wi_opened_nodes wi_opened_nodes_from_root(const wi_tree *h, uint64_t since)
{
    WI_ASSERT(h->boxes.nodes && since >= WI_FIRST_REVISION);
    return (wi_opened_nodes){.h = h, .since = since, .twig = {.node = 0, .depth = 1}};
}

/* To the next one, parents first. False if there is none. */
static inline bool wi_opened_nodes_next(wi_opened_nodes *at)
{
    const wi_tree *h = at->h;
    for (; wi_tree_next_twig(h, &at->twig); at->twig.lane++) {
        const uint32_t node = h->boxes.nodes[at->twig.node].child[at->twig.lane];
        if (!wi_was_opened(h, node, at->since)) continue;
        at->twig = (wi_twig){node, at->twig.depth + 1, 0};
        at->node = node;
        return true;
    }
    return false;
}

#endif
