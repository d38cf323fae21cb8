/* hubs.h - vertices that many leaves have, and which triangles have them.
 *
 * The apex of a cone or the middle of a fan may be in thousands of triangles. All of these are kin:
 * listed by pairs of leaves, as in tree/self/shared_vertices.h, that would be quadratic. So what
 * shares a hub is listed leaf by leaf, and two leaves are compared when they meet. Where all
 * triangles below two nodes have one and the same hub, nothing below them is a stranger to
 * anything, and walks over strangers leave both out. */
#ifndef WI_TREE_SELF_HUBS_H
#define WI_TREE_SELF_HUBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/check.h"
#include "base/memory.h"
#include "tree/node.h"

/* A vertex in more leaves than this is a hub; where leaves have one triangle each, the pole of a
 * sphere in as many as its meridians is none. */
enum { WI_MOST_LEAVES_OF_A_VERTEX = 32, WI_MOST_SINGLES_OF_A_VERTEX = 64 };

static inline uint32_t wi_most_leaves_of_a_vertex(uint32_t leaf_triangles)
{
    WI_ASSERT(leaf_triangles > 0);
    return leaf_triangles == 1 ? WI_MOST_SINGLES_OF_A_VERTEX : WI_MOST_LEAVES_OF_A_VERTEX;
}

/* In the place of a vertex: there is no hub. */
#define WI_NO_HUB UINT32_MAX

/* A hub in a leaf. */
typedef struct wi_hub {
    uint32_t vertex;
    uint32_t tris; /* of the leaf, that have it, a bit each */
} wi_hub;

typedef struct wi_hubs {
    wi_hub *items;       /* leaf by leaf, by vertex; NULL: there are no hubs */
    uint32_t *first;     /* by leaf, and one more: in items */
    uint32_t *of_leaves; /* by leaf: a hub that all its triangles have, or WI_NO_HUB */
    uint32_t *of_nodes;  /* by node: the same for all triangles below it */
    uint32_t count, leaf_count, node_count;
} wi_hubs;

struct wi_tree;

/* Room for so many items. There are none yet. False if there is no memory. */
bool wi_hubs_reserve(wi_memory *memory, wi_hubs *hubs, const struct wi_tree *h, uint32_t count);

/* Finds what all triangles of leaves and nodes have; items and firsts are there. */
void wi_hubs_find_common(wi_hubs *hubs, const struct wi_tree *h);

void wi_hubs_free(wi_memory *memory, wi_hubs *hubs);
size_t wi_hubs_bytes(const wi_hubs *hubs);

/* NULL, or the words for what of I12 is broken. */
const char *wi_hubs_validate(const wi_hubs *hubs, const struct wi_tree *h);

/* All triangles below `a` share a vertex with all below `b`: numbers of nodes, or of leaves with
 * WI_IS_LEAF; both may be the same. There are hubs. */
static inline bool wi_hubs_join(const wi_hubs *hubs, uint32_t a, uint32_t b)
{
    const uint32_t number_a = a & ~WI_IS_LEAF, number_b = b & ~WI_IS_LEAF;
    WI_ASSERT(number_a < ((a & WI_IS_LEAF) != 0 ? hubs->leaf_count : hubs->node_count));
    WI_ASSERT(number_b < ((b & WI_IS_LEAF) != 0 ? hubs->leaf_count : hubs->node_count));
    const uint32_t hub_a = ((a & WI_IS_LEAF) != 0 ? hubs->of_leaves : hubs->of_nodes)[number_a];
    const uint32_t hub_b = ((b & WI_IS_LEAF) != 0 ? hubs->of_leaves : hubs->of_nodes)[number_b];
    return hub_a == hub_b && hub_a != WI_NO_HUB;
}

/* The triangles of a leaf that share a hub with a triangle of another leaf. */
static inline uint32_t wi_hubs_row(const wi_hubs *hubs, uint32_t leaf_a, unsigned tri_a,
                                   uint32_t leaf_b)
{
    WI_ASSERT(leaf_a < hubs->leaf_count && leaf_b < hubs->leaf_count && tri_a < 32);
    const wi_hub *a = hubs->items + hubs->first[leaf_a];
    const wi_hub *end_a = hubs->items + hubs->first[leaf_a + 1];
    const wi_hub *b = hubs->items + hubs->first[leaf_b];
    const wi_hub *end_b = hubs->items + hubs->first[leaf_b + 1];
    uint32_t row = 0;
    while (a < end_a && b < end_b) {
        if (a->vertex == b->vertex && (a->tris >> tri_a & 1) != 0) row |= b->tris;
        const bool a_goes_on = a->vertex <= b->vertex, b_goes_on = b->vertex <= a->vertex;
        a += a_goes_on;
        b += b_goes_on;
    }
    return row;
}

static inline bool wi_hubs_has_leaf(const wi_hubs *hubs, uint32_t leaf)
{
    WI_ASSERT(leaf < hubs->leaf_count);
    return hubs->first[leaf] < hubs->first[leaf + 1];
}

#endif
