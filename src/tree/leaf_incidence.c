/* leaf_incidence.c - lists leaves by place, with a counting sort. */
#include "tree/leaf_incidence.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/runs.h"
#include "tree/tree.h"

/* Counts, makes the counts the ends of runs, and fills these from the back, so that the ends become
 * the firsts and leaves are in order. Of each leaf the vertices from first_of(leaf) on are listed:
 * those on its border follow those that it owns. */
static inline void list(const wi_tree *h, uint32_t place_count,
                        unsigned (*first_of)(const wi_leaf *), uint32_t *first, uint32_t *leaves)
{
    memset(first, 0, ((size_t)place_count + 1) * sizeof *first);
    for (uint32_t number = 0; number < h->shape->leaf_count; number++) {
        const wi_leaf *leaf = &h->shape->leaves[number];
        for (unsigned i = first_of(leaf); i < leaf->vertex_count; i++) {
            WI_ASSERT(wi_leaf_place(h, leaf, i) < place_count);
            first[wi_leaf_place(h, leaf, i)]++;
        }
    }
    wi_runs_end(first, place_count);
    for (uint32_t number = h->shape->leaf_count; number-- > 0;) {
        const wi_leaf *leaf = &h->shape->leaves[number];
        for (unsigned i = first_of(leaf); i < leaf->vertex_count; i++)
            leaves[--first[wi_leaf_place(h, leaf, i)]] = number;
    }
    WI_ASSERT(first[0] == 0);
}

static unsigned first_on_border(const wi_leaf *leaf) { return leaf->owned_count; }

static unsigned first_of_all(const wi_leaf *leaf)
{
    (void)leaf;
    return 0;
}

void wi_leaves_by_border(const wi_tree *h, uint32_t place_count, uint32_t *first, uint32_t *leaves)
{
    list(h, place_count, first_on_border, first, leaves);
    WI_ASSERT(first[place_count] == h->shape->border_count);
}

void wi_leaves_by_place(const wi_tree *h, uint32_t place_count, uint32_t *first, uint32_t *leaves)
{
    list(h, place_count, first_of_all, first, leaves);
    WI_ASSERT(first[place_count] == h->shape->leaf_vertex_count);
}
