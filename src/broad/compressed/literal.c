/* literal.c - a compressed tree brought to the next step by refining, filling and pruning it.
 *
 * Way in: wi_literal_step. T, the tree of this step, is not changed. T1 is a finer one, of which
 * each leaf has a small number of leaves of T around it; what is in a leaf in the next step comes
 * from those. It is filled with boxes and corners as soon as a leaf of it is known, which splits
 * leaves further, and pruned at the end.
 *
 * A node v of T1 has pointers to T, one for each cell of its size around it and one for its own:
 * the smallest square of T that has the whole cell (near). They are found from those of its parent.
 *
 *   case 1   one of them is split: v is split
 *   case 2   a hole of T is in v, or beside it. Holes are mirrored: one in v over its own sides,
 *            one in a neighbour over the side that it shares with v, if it touches that. The
 *            smallest canonical cell with all mirrored ones (scs) is
 *            a   nothing: v is a leaf
 *            b   v: v is split
 *            c   smaller: v gets it as its hole, and a donut, which is a leaf
 *   case 3   otherwise v is a leaf
 *
 * In the plane the four neighbours over sides decide, and corners only hand on what they have. In
 * space the six over sides and the twelve over edges decide. A hole that lies at an edge is
 * mirrored over that edge, and one that lies at a side also beside its mirror image, since what
 * leaves it across the side and along it at once must not come into a donut from many leaves. */
#include "broad/compressed/literal.h"

#include <string.h>

#include "broad/compressed/cells.h"

#define NONE UINT32_MAX

enum { MOST_AROUND = 27 };

/* A canonical cell. Coordinates may lie outside of the root, on either side. */
typedef struct wide_cell {
    int64_t at[3];
    uint8_t bits;
} wide_cell;

/* A node of T1 whose turn comes. A donut waits until all that is in its hole is done, since
 * filling it may move the hole. */
typedef struct literal_item {
    uint32_t number;
    uint32_t near[MOST_AROUND]; /* of T, by direction; NONE outside of the root */
} literal_item;

typedef struct literal {
    wi_memory *memory;
    const wi_ctree *now;
    const wi_cell_range *ranges;
    wi_ctree *next;
    willow_broad_refinement *counts;
    uint32_t axes, around, own; /* how many directions, and which of them is none */
    WI_ARRAY(literal_item) stack;
    WI_ARRAY(uint32_t) walk;    /* of T */
    WI_ARRAY(uint32_t) sources; /* of T, for the leaf that is filled */
} literal;

/* ---- directions ---- */

/* -1, 0 or 1 along an axis. */
static int step_of(uint32_t direction, uint32_t axis)
{
    static const uint32_t powers[3] = {1, 3, 9};
    return (int)(direction / powers[axis] % 3) - 1;
}

/* Across how many axes a direction goes: 1 a side, 2 an edge (a corner in the plane), and so on. */
static uint32_t order_of(const literal *l, uint32_t direction)
{
    uint32_t order = 0;
    for (uint32_t axis = 0; axis < l->axes; axis++) order += step_of(direction, axis) != 0;
    return order;
}

/* Whether neighbours in this direction decide what becomes of a node, as it does itself. */
static bool decides(const literal *l, uint32_t direction)
{
    return order_of(l, direction) < l->axes;
}

static int64_t edge_of(uint8_t bits) { return INT64_C(1) << bits; }

static wide_cell cell_of(const wi_ctree_node *n)
{
    return (wide_cell){{n->at.x[0], n->at.x[1], n->at.x[2]}, n->bits};
}

static wide_cell cell_beside(const literal *l, wide_cell cell, uint32_t direction)
{
    for (uint32_t axis = 0; axis < l->axes; axis++)
        cell.at[axis] += step_of(direction, axis) * edge_of(cell.bits);
    return cell;
}

static bool has_cell(const literal *l, const wide_cell *outer, const wide_cell *inner)
{
    for (uint32_t axis = 0; axis < l->axes; axis++)
        if (inner->at[axis] < outer->at[axis] ||
            inner->at[axis] + edge_of(inner->bits) > outer->at[axis] + edge_of(outer->bits))
            return false;
    return true;
}

/* ---- pointers ---- */

/* The smallest square of T below a node that has a whole cell, which is in that node. */
static uint32_t smallest_around(const literal *l, uint32_t from, const wide_cell *cell)
{
    const wi_ctree_node *nodes = l->now->nodes.items;
    const wi_cell_at at = {{(uint32_t)cell->at[0], (uint32_t)cell->at[1], (uint32_t)cell->at[2]}};
    for (;;) {
        const wi_ctree_node *n = &nodes[from];
        if (n->kind == WI_CTREE_SPLIT && cell->bits < n->bits) {
            from = n->child + wi_cell_half(l->axes, n->bits, &at);
        } else if (n->kind == WI_CTREE_COMPRESSED && cell->bits <= nodes[n->child].bits &&
                   wi_cell_has_unit(&nodes[n->child], l->axes, &at)) {
            from = n->child;
        } else {
            return from;
        }
    }
}

/* From the pointers of a node those of a cell in it. */
static void find_near(const literal *l, const wide_cell *parent, const literal_item *of,
                      const wide_cell *cell, literal_item *out)
{
    static const uint32_t powers[3] = {1, 3, 9};
    for (uint32_t direction = 0; direction < l->around; direction++) {
        const wide_cell beside = cell_beside(l, *cell, direction);
        uint32_t where = 0;
        for (uint32_t axis = 0; axis < l->axes; axis++) {
            const bool is_before = beside.at[axis] < parent->at[axis];
            const bool is_past = beside.at[axis] >= parent->at[axis] + edge_of(parent->bits);
            where += powers[axis] * (is_before ? 0U : is_past ? 2U : 1U);
        }
        out->near[direction] =
            of->near[where] == NONE ? NONE : smallest_around(l, of->near[where], &beside);
    }
}

static bool push_child(literal *l, const wide_cell *parent, const literal_item *of, uint32_t number)
{
    literal_item item = {.number = number};
    const wide_cell cell = cell_of(&l->next->nodes.items[number]);
    find_near(l, parent, of, &cell, &item);
    return wi_array_push(l->memory, &l->stack, item);
}

/* ---- mirrored holes ---- */

/* The units from the lowest to the highest of mirrored cells. */
typedef struct mirrored {
    wi_cell_at low, high;
    bool is_there;
} mirrored;

static void add_mirrored(const literal *l, const wide_cell *v, const wide_cell *cell, mirrored *m)
{
    if (!has_cell(l, v, cell)) return;
    for (uint32_t axis = 0; axis < l->axes; axis++) {
        const uint32_t low = (uint32_t)cell->at[axis];
        const uint32_t high = (uint32_t)(cell->at[axis] + edge_of(cell->bits) - 1);
        if (!m->is_there || low < m->low.x[axis]) m->low.x[axis] = low;
        if (!m->is_there || high > m->high.x[axis]) m->high.x[axis] = high;
    }
    m->is_there = true;
}

/* A hole in v, over all of its sides; it is in the middle of these. */
static void mirror_own(const literal *l, const wide_cell *v, const wide_cell *hole, mirrored *m)
{
    for (uint32_t direction = 0; direction < l->around; direction++) {
        if (order_of(l, direction) > 1) continue;
        const wide_cell image = cell_beside(l, *hole, direction);
        add_mirrored(l, v, &image, m);
    }
}

/* Whether a hole in the neighbour in some direction touches what that shares with v. */
static bool touches(const literal *l, const wide_cell *beside, uint32_t direction,
                    const wide_cell *hole)
{
    for (uint32_t axis = 0; axis < l->axes; axis++) {
        const int step = step_of(direction, axis);
        const int64_t last = beside->at[axis] + edge_of(beside->bits) - edge_of(hole->bits);
        if ((step > 0 && hole->at[axis] != beside->at[axis]) ||
            (step < 0 && hole->at[axis] != last))
            return false;
    }
    return true;
}

static void mirror_neighbour(const literal *l, const wide_cell *v, uint32_t direction,
                             const wide_cell *hole, mirrored *m)
{
    wide_cell image = *hole;
    for (uint32_t axis = 0; axis < l->axes; axis++)
        image.at[axis] -= step_of(direction, axis) * edge_of(hole->bits);
    add_mirrored(l, v, &image, m);
    if (l->axes < 3 || order_of(l, direction) != 1) return;
    for (uint32_t aside = 0; aside < l->around; aside++) {
        bool is_along = order_of(l, aside) == 1;
        for (uint32_t axis = 0; axis < l->axes; axis++)
            is_along = is_along && (step_of(aside, axis) == 0 || step_of(direction, axis) == 0);
        const wide_cell beside = cell_beside(l, image, aside);
        if (is_along) add_mirrored(l, v, &beside, m);
    }
}

/* Mirrors the hole of T that is in the cell in some direction from v, or in v. True if v has to do
 * with a hole at all (case 2). */
static bool mirror_hole(const literal *l, const wide_cell *v, uint32_t direction, uint32_t node,
                        mirrored *m)
{
    const wi_ctree_node *n = &l->now->nodes.items[node];
    if (n->kind != WI_CTREE_COMPRESSED) return false;
    const wide_cell hole = cell_of(&l->now->nodes.items[n->child]);
    const wide_cell beside = cell_beside(l, *v, direction);
    if (!has_cell(l, &beside, &hole)) return direction == l->own;
    if (direction == l->own) {
        mirror_own(l, v, &hole, m);
        return true;
    }
    if (!touches(l, &beside, direction, &hole)) return false;
    mirror_neighbour(l, v, direction, &hole, m);
    return true;
}

/* ---- filling leaves ---- */

/* Units beside v in some direction, but for those from which nothing comes into its donut: `inner`,
 * if it is one. */
typedef struct fringe {
    wi_cell_range range, inner;
    bool has_inner;
} fringe;

/* False if it is outside of the root, where nothing is. */
static fringe fringe_of(const literal *l, const wide_cell *v, uint32_t direction,
                        const wide_cell *hole)
{
    fringe f = {.has_inner = hole != NULL};
    for (uint32_t axis = 0; axis < l->axes; axis++) {
        const int step = step_of(direction, axis);
        const int64_t first = v->at[axis], last = first + edge_of(v->bits) - 1;
        const int64_t low = step < 0 ? first - 1 : step > 0 ? last + 1 : first;
        const int64_t high = step < 0 ? low : step > 0 ? low : last;
        f.range.low.x[axis] = (uint32_t)low;
        f.range.high.x[axis] = (uint32_t)high;
        if (!f.has_inner) continue;
        const int64_t hole_first = hole->at[axis], hole_last = hole_first + edge_of(hole->bits) - 1;
        const int64_t inner_low = hole_first == first ? first : hole_first + 1;
        const int64_t inner_high = hole_last == last ? last : hole_last - 1;
        const bool touches_it = step < 0   ? hole_first == first
                                : step > 0 ? hole_last == last
                                           : inner_low <= inner_high;
        f.has_inner = touches_it;
        f.inner.low.x[axis] = (uint32_t)(step == 0 ? inner_low : low);
        f.inner.high.x[axis] = (uint32_t)(step == 0 ? inner_high : high);
    }
    return f;
}

static bool add_source(literal *l, uint32_t leaf)
{
    for (size_t i = 0; i < l->sources.count; i++)
        if (l->sources.items[i] == leaf) return true;
    return wi_array_push(l->memory, &l->sources, leaf);
}

/* Those below a node that meet a range. */
static bool add_sources_in(literal *l, uint32_t from, const wi_cell_range *range)
{
    const wi_ctree_node *nodes = l->now->nodes.items;
    l->walk.count = 0;
    if (!wi_array_push(l->memory, &l->walk, from)) return false;
    while (l->walk.count > 0) {
        const uint32_t number = l->walk.items[--l->walk.count];
        const wi_ctree_node *n = &nodes[number];
        if (!wi_cell_meets(n, l->axes, range) ||
            (n->kind == WI_CTREE_DONUT && !wi_cell_donut_meets(n, l->axes, range)))
            continue;
        if (wi_ctree_is_leaf(n) && !add_source(l, number)) return false;
        for (uint32_t i = 0; i < wi_ctree_child_count(l->now, n); i++)
            if (!wi_array_push(l->memory, &l->walk, n->child + i)) return false;
    }
    return true;
}

/* What lies around the inner part is a slab before it and one behind it along each axis. */
static bool add_sources_beside(literal *l, uint32_t from, const fringe *f)
{
    if (!f->has_inner) return add_sources_in(l, from, &f->range);
    for (uint32_t axis = 0; axis < l->axes; axis++) {
        wi_cell_range before = f->range, behind = f->range;
        before.high.x[axis] = f->inner.low.x[axis] - 1U;
        behind.low.x[axis] = f->inner.high.x[axis] + 1U;
        if (f->inner.low.x[axis] > f->range.low.x[axis] && !add_sources_in(l, from, &before))
            return false;
        if (f->inner.high.x[axis] < f->range.high.x[axis] && !add_sources_in(l, from, &behind))
            return false;
    }
    return true;
}

/* The leaves of T from which boxes come into a leaf of T1, or into a donut around `hole`: its own,
 * which is a leaf or a donut, and those around. */
static bool find_sources(literal *l, const wide_cell *v, const literal_item *item,
                         const wide_cell *hole)
{
    const wi_ctree_node *own = &l->now->nodes.items[item->near[l->own]];
    WI_ASSERT(own->kind == WI_CTREE_LEAF || own->kind == WI_CTREE_COMPRESSED);
    l->sources.count = 0;
    if (!add_source(l, own->kind == WI_CTREE_LEAF ? item->near[l->own] : own->child + 1))
        return false;
    for (uint32_t direction = 0; direction < l->around; direction++) {
        if (direction == l->own || item->near[direction] == NONE) continue;
        const fringe f = fringe_of(l, v, direction, hole);
        if (!add_sources_beside(l, item->near[direction], &f)) return false;
    }
    return true;
}

static void count_leaf(const literal *l)
{
    l->counts->leaves++;
    l->counts->leaves_looked += l->sources.count;
    if (l->sources.count > l->counts->most_leaves_looked)
        l->counts->most_leaves_looked = l->sources.count;
}

/* Boxes that meet the leaf in the next step go to its list, each once. */
static bool list_boxes(literal *l, uint32_t leaf)
{
    wi_ctree *t = l->next;
    wi_ctree_new_mark(t);
    for (size_t i = 0; i < l->sources.count; i++)
        for (uint32_t e = l->now->nodes.items[l->sources.items[i]].entry; e != NONE;
             e = l->now->entries.items[e].next) {
            const uint32_t box = l->now->entries.items[e].box;
            l->counts->boxes_looked++;
            if (t->marks.items[box] == t->mark) continue;
            t->marks.items[box] = t->mark;
            if (wi_ctree_leaf_meets(t, &t->nodes.items[leaf], &l->ranges[box]) &&
                !wi_ctree_list(l->memory, t, leaf, box))
                return false;
        }
    return true;
}

/* Corners in the leaf are those of boxes in its list, which is gone when it is split: they are
 * gathered first. */
static bool add_points(literal *l, uint32_t leaf)
{
    wi_ctree *t = l->next;
    const bool is_donut = t->nodes.items[leaf].kind == WI_CTREE_DONUT;
    const uint32_t top = is_donut ? t->nodes.items[leaf].parent : leaf;
    WI_ARRAY(wi_cell_at) points = {0};
    bool ok = true;
    for (uint32_t e = t->nodes.items[leaf].entry; e != NONE && ok; e = t->entries.items[e].next)
        for (uint32_t i = 0; i < wi_ctree_split_size(t) && ok; i++) {
            const wi_cell_at at = wi_cell_corner(&l->ranges[t->entries.items[e].box], i);
            ok = !wi_ctree_leaf_has(t, leaf, &at) || wi_array_push(l->memory, &points, at);
        }
    for (size_t i = 0; i < points.count && ok; i++)
        ok = wi_ctree_add_point_below(l->memory, t, top, &points.items[i]);
    wi_array_free(l->memory, &points);
    return ok;
}

static bool fill_leaf(literal *l, const wide_cell *v, const literal_item *item,
                      const wide_cell *hole)
{
    if (!find_sources(l, v, item, hole)) return false;
    count_leaf(l);
    return list_boxes(l, item->number) && add_points(l, item->number);
}

/* ---- refining ---- */

static bool split_node(literal *l, const wide_cell *v, const literal_item *item)
{
    if (!wi_ctree_split(l->memory, l->next, item->number)) return false;
    const uint32_t child = l->next->nodes.items[item->number].child;
    l->counts->nodes_refined += wi_ctree_split_size(l->next);
    for (uint32_t i = 0; i < wi_ctree_split_size(l->next); i++)
        if (!push_child(l, v, item, child + i)) return false;
    return true;
}

static bool compress_node(literal *l, const wide_cell *v, const literal_item *item, wi_cell_at at,
                          uint8_t bits)
{
    if (!wi_ctree_compress(l->memory, l->next, item->number, at, bits)) return false;
    const uint32_t hole = l->next->nodes.items[item->number].child;
    literal_item donut = *item; /* its pointers are those of the node */
    donut.number = hole + 1;
    l->counts->nodes_refined += 2;
    return wi_array_push(l->memory, &l->stack, donut) && push_child(l, v, item, hole);
}

static bool has_split_neighbour(const literal *l, const literal_item *item)
{
    for (uint32_t direction = 0; direction < l->around; direction++) {
        const uint32_t near = item->near[direction];
        if (near != NONE && decides(l, direction) &&
            l->now->nodes.items[near].kind == WI_CTREE_SPLIT)
            return true;
    }
    return false;
}

static bool refine_by_holes(literal *l, const wide_cell *v, const literal_item *item)
{
    mirrored m = {.is_there = false};
    bool has_hole = false;
    for (uint32_t direction = 0; direction < l->around; direction++)
        if (item->near[direction] != NONE && decides(l, direction) &&
            mirror_hole(l, v, direction, item->near[direction], &m))
            has_hole = true;
    if (!m.is_there) {
        l->counts->cases[has_hole ? WILLOW_REFINE_2A : WILLOW_REFINE_3]++;
        return fill_leaf(l, v, item, NULL);
    }
    const uint8_t bits = wi_cell_common_bits(l->axes, &m.low, &m.high);
    if (bits == v->bits) {
        l->counts->cases[WILLOW_REFINE_2B]++;
        return split_node(l, v, item);
    }
    l->counts->cases[WILLOW_REFINE_2C]++;
    return compress_node(l, v, item, wi_cell_around(l->axes, bits, &m.low), bits);
}

static bool refine_node(literal *l, const literal_item *item)
{
    const wi_ctree_node *n = &l->next->nodes.items[item->number];
    const wide_cell v = cell_of(n);
    if (n->kind == WI_CTREE_DONUT) {
        const wide_cell hole = cell_of(n - 1);
        return fill_leaf(l, &v, item, &hole);
    }
    if (!has_split_neighbour(l, item)) return refine_by_holes(l, &v, item);
    l->counts->cases[WILLOW_REFINE_1]++;
    return split_node(l, &v, item);
}

static bool refine_all(literal *l)
{
    literal_item root = {.number = 0};
    for (uint32_t direction = 0; direction < l->around; direction++)
        root.near[direction] = direction == l->own ? 0 : NONE;
    bool ok = wi_ctree_start(l->memory, l->next) && wi_array_push(l->memory, &l->stack, root);
    l->counts->nodes_refined = 1;
    while (ok && l->stack.count > 0) {
        const literal_item item = l->stack.items[--l->stack.count];
        ok = refine_node(l, &item);
    }
    return ok;
}

bool wi_literal_step(wi_memory *memory, const wi_ctree *now, const wi_cell_range *ranges,
                     wi_ctree *next, willow_broad_refinement *counts)
{
    literal l = {.memory = memory, .now = now, .ranges = ranges, .next = next, .counts = counts};
    WI_ASSERT(now->axes == next->axes && next->marks.count >= now->ranges.count);
    l.axes = now->axes;
    l.around = l.axes == 2 ? 9 : 27;
    l.own = l.around / 2;
    *counts = (willow_broad_refinement){.nodes = now->node_count};
    memcpy(next->ranges.items, ranges, now->ranges.count * sizeof *ranges);
    const bool ok = refine_all(&l) && wi_ctree_prune_all(memory, next);
    wi_array_free(memory, &l.stack);
    wi_array_free(memory, &l.walk);
    wi_array_free(memory, &l.sources);
    /* In the plane: the own leaf, eight around it, and two at the ends of a hole at the border. */
    WI_ASSERT(!ok || l.axes == 3 || counts->most_leaves_looked <= 11);
    return ok;
}
