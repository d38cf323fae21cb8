/* broad.h - which pairs of bodies may meet. Each broad phase is one function behind one table. */
#ifndef WI_BROAD_BROAD_H
#define WI_BROAD_BROAD_H

#include "base/check.h"
#include "base/containers/array.h"
#include "base/workspace.h"
#include "geom/box.h"
#include "willow/world.h"

/* What a broad phase knows of a body. */
typedef struct wi_broad_body {
    wi_box box;
    uint64_t category_bits, mask_bits;
} wi_broad_body;

/* Numbers in the list of bodies, a < b. */
typedef struct wi_body_pair {
    uint32_t a, b;
} wi_body_pair;

typedef WI_ARRAY(wi_body_pair) wi_body_pairs;

/* Fills *out, which is empty, with all pairs of bodies that want each other and whose boxes meet,
 * sorted by (a, b). False if there is no memory. */
typedef bool wi_broad_find(wi_memory *memory, wi_workspace *workspace, const wi_broad_body *bodies,
                           uint32_t count, wi_body_pairs *out);

/* Never NULL: AUTO is the best there is for so many bodies. */
wi_broad_find *wi_broad_for(willow_broad broad, size_t body_count);

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
