/* broad.h - which pairs of bodies may meet. Each broad phase is a pair of functions behind one
 * table. */
#ifndef WI_BROAD_BROAD_H
#define WI_BROAD_BROAD_H

#include "base/check.h"
#include "base/containers/array.h"
#include "base/workspace.h"
#include "broad/body_tree.h"
#include "willow/world.h"

/* What a broad phase knows of a body. */
typedef struct wi_broad_body {
    wi_box box;
    uint64_t category_bits, mask_bits;
} wi_broad_body;

/* Numbers in the list of bodies, a < b. */
typedef willow_broad_pair wi_body_pair;

typedef WI_ARRAY(wi_body_pair) wi_body_pairs;

/* All pairs of boxes that meet, kept from the last update: those of boxes that have other numbers.
 */
typedef struct wi_known_pairs {
    const wi_body_pairs *pairs; /* sorted; fewer than 2^32 */
    const uint32_t *numbers;    /* by number there: that in the crowd, in the same order;
                                   WI_NOT_IN_CROWD where it has none. NULL: they are the same */
} wi_known_pairs;

#define WI_NOT_IN_CROWD UINT32_MAX

/* What a search for pairs is about. */
typedef struct wi_broad_crowd {
    const wi_broad_body *bodies;
    uint32_t count;
    const wi_body_tree *tree;    /* of the same bodies, whose boxes may be others by now; or NULL */
    const wi_known_pairs *known; /* pairs of these boxes; or NULL */
} wi_broad_crowd;

/* Where a search for pairs is, so that it can stop and go on. */
typedef struct wi_broad_search {
    const wi_broad_body *bodies; /* in the order in which they are compared, or by number; NULL for
                                    a tree whose bodies all want each other */
    const uint64_t *keys; /* by place in that order: the lower bits are the number of the body */
    const wi_body_node *nodes;   /* of the tree, if there is one */
    const wi_known_pairs *known; /* if pairs are */
    uint32_t count;              /* of bodies in that order, or of nodes */
    uint32_t first, second;      /* the next two to compare; done when `first` is `count` */
    uint32_t skip;               /* pairs of two nodes that were found before the search stopped */
    int axis;                    /* along which they are sorted */
} wi_broad_search;

static inline bool wi_broad_is_done(const wi_broad_search *search)
{
    return search->first >= search->count;
}

/* A broad phase. All are false if there is no memory. */
typedef struct wi_broad_ops {
    /* Begins a search. The bodies, and the workspace, must stay as they are until it is done. */
    bool (*begin)(wi_memory *memory, wi_workspace *workspace, const wi_broad_crowd *crowd,
                  wi_broad_search *out);

    /* Adds pairs of bodies that want each other and whose boxes meet, each once in a search, until
     * *out has `limit` of them or the search is done. */
    bool (*more)(wi_memory *memory, wi_broad_search *search, size_t limit, wi_body_pairs *out);

    bool is_in_order; /* pairs come sorted by (a, b) */
} wi_broad_ops;

/* Never NULL: where pairs are known they are read off; AUTO is the best there is for so many
 * bodies. */
const wi_broad_ops *wi_broad_for(willow_broad broad, const wi_broad_crowd *crowd,
                                 willow_kernel kernel);

/* Fills *out, which is empty, with all pairs, sorted by (a, b). False if there is no memory. */
bool wi_broad_find(const wi_broad_ops *ops, wi_memory *memory, wi_workspace *workspace,
                   const wi_broad_crowd *crowd, wi_body_pairs *out);

/* Sorts pairs by (a, b). Both have room for as many keys. */
void wi_broad_sort(wi_body_pairs *pairs, uint64_t *keys, uint64_t *spare);

/* For checks: a < b in every pair, and pairs follow each other by (a, b), none twice. */
static inline bool wi_body_pairs_are_sorted(const wi_body_pairs *pairs, uint32_t body_count)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const wi_body_pair *p = &pairs->items[i], *before = i > 0 ? p - 1 : NULL;
        if (p->a >= p->b || p->b >= body_count) return false;
        if (before && (before->a > p->a || (before->a == p->a && before->b >= p->b))) return false;
    }
    return true;
}

static inline bool wi_bodies_want_each_other(const wi_broad_body *a, const wi_broad_body *b)
{
    return (a->category_bits & b->mask_bits) != 0 && (b->category_bits & a->mask_bits) != 0;
}

#endif
