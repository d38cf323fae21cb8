/* cells.h - cells of a compressed tree (broad/compressed/tree.h): which has which, and
 * what meets them. */
#ifndef WI_BROAD_COMPRESSED_CELLS_H
#define WI_BROAD_COMPRESSED_CELLS_H

#include "broad/compressed/tree.h"

static inline bool wi_cell_has_unit(const wi_ctree_node *n, uint32_t axes, const wi_cell_at *at)
{
    for (uint32_t axis = 0; axis < axes; axis++)
        if (at->x[axis] >> n->bits != n->at.x[axis] >> n->bits) return false;
    return true;
}

static inline bool wi_cell_has_cell(const wi_ctree_node *outer, uint32_t axes,
                                    const wi_ctree_node *inner)
{
    return inner->bits <= outer->bits && wi_cell_has_unit(outer, axes, &inner->at);
}

static inline bool wi_cell_meets(const wi_ctree_node *n, uint32_t axes, const wi_cell_range *r)
{
    for (uint32_t axis = 0; axis < axes; axis++)
        if (r->high.x[axis] >> n->bits < n->at.x[axis] >> n->bits ||
            r->low.x[axis] >> n->bits > n->at.x[axis] >> n->bits)
            return false;
    return true;
}

/* Whether a range, which meets the cell of a donut, meets it outside of its hole, too. */
static inline bool wi_cell_donut_meets(const wi_ctree_node *donut, uint32_t axes,
                                       const wi_cell_range *r)
{
    const wi_ctree_node *hole = donut - 1;
    for (uint32_t axis = 0; axis < axes; axis++) {
        const uint32_t first = donut->at.x[axis];
        const uint32_t last = first + (uint32_t)((UINT64_C(1) << donut->bits) - 1);
        const uint32_t low = r->low.x[axis] > first ? r->low.x[axis] : first;
        const uint32_t high = r->high.x[axis] < last ? r->high.x[axis] : last;
        if (low >> hole->bits != hole->at.x[axis] >> hole->bits ||
            high >> hole->bits != hole->at.x[axis] >> hole->bits)
            return true;
    }
    return false;
}

/* The edge, as a power of two, of the smallest canonical cell with two units. */
static inline uint8_t wi_cell_common_bits(uint32_t axes, const wi_cell_at *a, const wi_cell_at *b)
{
    uint32_t differ = 0;
    for (uint32_t axis = 0; axis < axes; axis++) differ |= a->x[axis] ^ b->x[axis];
    return (uint8_t)(differ == 0 ? 0 : 32 - __builtin_clz(differ));
}

/* Which half of a cell of 2^bits units a unit is in, a bit for each axis. */
static inline uint32_t wi_cell_half(uint32_t axes, uint8_t bits, const wi_cell_at *at)
{
    uint32_t half = 0;
    WI_ASSERT(bits > 0);
    for (uint32_t axis = 0; axis < axes; axis++) half |= (at->x[axis] >> (bits - 1) & 1) << axis;
    return half;
}

static inline wi_cell_at wi_cell_around(uint32_t axes, uint8_t bits, const wi_cell_at *at)
{
    wi_cell_at cell = {{0}};
    for (uint32_t axis = 0; axis < axes; axis++)
        cell.x[axis] = (uint32_t)((uint64_t)at->x[axis] >> bits << bits);
    return cell;
}

static inline uint32_t wi_ctree_split_size(const wi_ctree *t) { return 1U << t->axes; }

static inline bool wi_ctree_is_leaf(const wi_ctree_node *n)
{
    return n->kind == WI_CTREE_LEAF || n->kind == WI_CTREE_DONUT;
}

static inline uint32_t wi_ctree_child_count(const wi_ctree *t, const wi_ctree_node *n)
{
    return n->kind == WI_CTREE_SPLIT        ? wi_ctree_split_size(t)
           : n->kind == WI_CTREE_COMPRESSED ? 2
                                            : 0;
}

/* Whether a range meets a leaf, or a donut outside of its hole. */
static inline bool wi_ctree_leaf_meets(const wi_ctree *t, const wi_ctree_node *n,
                                       const wi_cell_range *r)
{
    return wi_cell_meets(n, t->axes, r) &&
           (n->kind == WI_CTREE_LEAF || wi_cell_donut_meets(n, t->axes, r));
}

#endif
