/* build.c - a compressed tree over all corners at once, by sorting them.
 *
 * Way in: wi_ctree_build. Corners become codes, the bits of their coordinates interleaved, so that
 * those of a cell follow each other when sorted; a node is then a range of codes. */
#include "broad/compressed/nodes.h"

#include "base/containers/sort.h"

/* ---- codes ---- */

/* Bits of x at every axes-th place. */
static uint64_t spread_bits(uint32_t x, uint32_t axes)
{
    uint64_t v = x;
    if (axes == 2) {
        v = (v | v << 16) & UINT64_C(0x0000FFFF0000FFFF);
        v = (v | v << 8) & UINT64_C(0x00FF00FF00FF00FF);
        v = (v | v << 4) & UINT64_C(0x0F0F0F0F0F0F0F0F);
        v = (v | v << 2) & UINT64_C(0x3333333333333333);
        return (v | v << 1) & UINT64_C(0x5555555555555555);
    }
    v = (v | v << 32) & UINT64_C(0x001F00000000FFFF);
    v = (v | v << 16) & UINT64_C(0x001F0000FF0000FF);
    v = (v | v << 8) & UINT64_C(0x100F00F00F00F00F);
    v = (v | v << 4) & UINT64_C(0x10C30C30C30C30C3);
    return (v | v << 2) & UINT64_C(0x1249249249249249);
}

static uint32_t gather_bits(uint64_t v, uint32_t axes)
{
    uint32_t x = 0;
    for (uint32_t bit = 0; bit * axes < 63; bit++) x |= (uint32_t)(v >> bit * axes & 1) << bit;
    return x;
}

static uint64_t code_of(const wi_cell_at *at, uint32_t axes)
{
    uint64_t code = 0;
    for (uint32_t axis = 0; axis < axes; axis++) code |= spread_bits(at->x[axis], axes) << axis;
    return code;
}

static wi_cell_at at_of_code(uint64_t code, uint32_t axes)
{
    wi_cell_at at = {{0}};
    for (uint32_t axis = 0; axis < axes; axis++) at.x[axis] = gather_bits(code >> axis, axes);
    return at;
}

/* A node to be made over codes [first, end). */
typedef struct node_to_make {
    uint32_t number;
    size_t first, end;
} node_to_make;

typedef WI_ARRAY(node_to_make) nodes_to_make;

/* The first of the sorted codes in [first, end) that is at least `code`. */
static size_t first_code(const uint64_t *codes, size_t first, size_t end, uint64_t code)
{
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (codes[middle] < code)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool push_halves(wi_memory *memory, const wi_ctree *t, const node_to_make *of,
                        nodes_to_make *stack)
{
    const wi_ctree_node *n = &t->nodes.items[of->number];
    size_t first = of->first;
    if (!wi_array_reserve(memory, stack, stack->count + 8)) return false;
    for (uint32_t half = 0; half < wi_ctree_split_size(t); half++) {
        size_t end = of->end;
        if (half + 1 < wi_ctree_split_size(t)) {
            const uint64_t next = code_of(&t->nodes.items[n->child + half + 1].at, t->axes);
            end = first_code(t->codes.items, first, of->end, next);
        }
        if (end > first) stack->items[stack->count++] = (node_to_make){n->child + half, first, end};
        first = end;
    }
    return true;
}

static bool make_node(wi_memory *memory, wi_ctree *t, const node_to_make *of, nodes_to_make *stack)
{
    wi_ctree_node *n = &t->nodes.items[of->number];
    const wi_cell_at low = at_of_code(t->codes.items[of->first], t->axes);
    if (of->end - of->first == 1 || n->bits == 0) {
        n->point = low;
        n->points = (uint32_t)(of->end - of->first);
        return true;
    }
    const wi_cell_at high = at_of_code(t->codes.items[of->end - 1], t->axes);
    const uint8_t bits = wi_cell_common_bits(t->axes, &low, &high);
    if (bits == n->bits)
        return wi_ctree_split(memory, t, of->number) && push_halves(memory, t, of, stack);
    if (!wi_ctree_compress(memory, t, of->number, wi_cell_around(t->axes, bits, &low), bits))
        return false;
    const node_to_make hole = {t->nodes.items[of->number].child, of->first, of->end};
    return wi_array_push(memory, stack, hole);
}

static bool gather_codes(wi_memory *memory, wi_ctree *t, const wi_cell_range *ranges,
                         const bool *is_alive, uint32_t box_count, size_t *out)
{
    size_t living = 0, count = 0;
    for (uint32_t i = 0; i < box_count; i++) living += is_alive[i];
    if (!wi_array_reserve(memory, &t->codes, 2 * living * wi_ctree_split_size(t))) return false;
    for (uint32_t i = 0; i < box_count; i++)
        for (uint32_t corner = 0; is_alive[i] && corner < wi_ctree_split_size(t); corner++) {
            const wi_cell_at at = wi_cell_corner(&ranges[i], corner);
            t->codes.items[count++] = code_of(&at, t->axes);
        }
    wi_sort_u64(t->codes.items, t->codes.items + count, count);
    *out = count;
    return true;
}

static bool make_nodes(wi_memory *memory, wi_ctree *t, size_t code_count)
{
    nodes_to_make stack = {0};
    const node_to_make all = {0, 0, code_count};
    bool ok = code_count == 0 || wi_array_push(memory, &stack, all);
    while (ok && stack.count > 0) {
        const node_to_make next = stack.items[--stack.count];
        ok = make_node(memory, t, &next, &stack);
    }
    wi_array_free(memory, &stack);
    return ok;
}

bool wi_ctree_build(wi_memory *memory, wi_ctree *tree, const wi_cell_range *ranges,
                    const bool *is_alive, uint32_t box_count)
{
    size_t code_count;
    if (!wi_ctree_reserve(memory, tree, box_count) || !wi_ctree_start(memory, tree) ||
        !gather_codes(memory, tree, ranges, is_alive, box_count, &code_count) ||
        !make_nodes(memory, tree, code_count))
        return false;
    for (uint32_t i = 0; i < box_count; i++)
        if (is_alive[i] && !wi_ctree_put_in(memory, tree, i, &ranges[i])) return false;
    return true;
}
