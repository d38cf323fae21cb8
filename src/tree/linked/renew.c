/* renew.c - see renew.h.
 *
 * Triangles are sorted along the three axes once; a run is cut where the surface of its two sides,
 * times the subtrees that they need, is least (the surface area heuristic of Goldsmith and Salmon
 * 1987), and the orders are kept on either side. What a cut leaves must fit a subtree of the level
 * below: with enough triangles for three children on every level, and no more than eight can take.
 * The part with the largest surface is cut again until all are of about the same size. */
#include "tree/linked/renew.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "tree/linked/edit_node.h"
#include "tree/linked/wear.h"

/* Leaves are filled to this share, in fourths, so that there is room for the next triangles. */
enum { FILL = 3 };

/* Triangles of a part: the same places of all three orders. */
typedef struct run {
    uint32_t first, count;
    double area;
} run;

/* How many triangles a child may have, and should; children that are still to be made. */
typedef struct sizes {
    uint64_t least, most, wanted;
} sizes;

/* A run that becomes what is below a node. */
typedef struct pending {
    uint32_t node;
    run run;
} pending;

typedef struct renewal {
    wi_memory *memory;
    wi_tree *h;
    const wi_tree_changes *c;
    uint32_t count, room;
    uint32_t *slots;
    wi_box *boxes;
    uint32_t *order[3], *spare;
    double *behind; /* surface of the boxes from each place of a run on */
    bool *is_first; /* by triangle: it is on the first side of a cut */
} renewal;

/* ---- what there was ---- */

static bool renewal_reserve(renewal *r)
{
    r->slots = wi_alloc_array(r->memory, r->room, sizeof *r->slots);
    r->boxes = wi_alloc_array(r->memory, r->room, sizeof *r->boxes);
    for (int axis = 0; axis < 3; axis++)
        r->order[axis] = wi_alloc_array(r->memory, r->room, sizeof *r->order[axis]);
    r->spare = wi_alloc_array(r->memory, r->room, sizeof *r->spare);
    r->behind = wi_alloc_array(r->memory, r->room, sizeof *r->behind);
    r->is_first = wi_alloc_array(r->memory, r->room, sizeof *r->is_first);
    return r->slots && r->boxes && r->order[0] && r->order[1] && r->order[2] && r->spare &&
           r->behind && r->is_first;
}

static void renewal_free(renewal *r)
{
    wi_free_array(r->memory, r->slots, r->room, sizeof *r->slots);
    wi_free_array(r->memory, r->boxes, r->room, sizeof *r->boxes);
    for (int axis = 0; axis < 3; axis++)
        wi_free_array(r->memory, r->order[axis], r->room, sizeof *r->order[axis]);
    wi_free_array(r->memory, r->spare, r->room, sizeof *r->spare);
    wi_free_array(r->memory, r->behind, r->room, sizeof *r->behind);
    wi_free_array(r->memory, r->is_first, r->room, sizeof *r->is_first);
}

static uint32_t tris_of_leaves(const wi_tree *h, const wi_node *view)
{
    uint32_t tris = 0;
    for (unsigned lane = 0; lane < view->count; lane++)
        tris += h->shape->leaves[view->child[lane]].tri_count;
    return tris;
}

/* Nodes below a node, itself first, parents before their children. */
static uint32_t list_below(const wi_tree *h, uint32_t node, uint32_t *out)
{
    uint32_t count = 0;
    out[count++] = node;
    for (uint32_t i = 0; i < count; i++) {
        const wi_node *view = &h->boxes.nodes[out[i]];
        for (unsigned lane = 0; lane < view->count && view->leaf_mask == 0; lane++)
            out[count++] = view->child[lane];
    }
    return count;
}

/* Leaves and nodes are given up, but for the first one. */
static void take_apart(renewal *r, const uint32_t *nodes, uint32_t count)
{
    wi_tree *h = r->h;
    for (uint32_t i = count; i-- > 0;) {
        const wi_node *view = &h->boxes.nodes[nodes[i]];
        while (view->count > 0) {
            const unsigned last = view->count - 1U;
            const uint32_t child = view->child[last];
            const bool is_leaf = view->leaf_mask != 0;
            wi_links_remove_child(h, nodes[i], last);
            if (!is_leaf) continue;
            r->count += wi_links_empty_leaf(h, child, r->slots + r->count);
            wi_links_give_leaf(h, child);
        }
        if (i > 0) wi_links_give_node(h, nodes[i]);
    }
}

/* ---- orders ---- */

/* Floats in the order of their values. */
static uint32_t sortable(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits >> 31) != 0 ? ~bits : bits | UINT32_C(0x80000000);
}

/* By slots where centres are equal. */
static bool sort_all(renewal *r)
{
    uint64_t *keys = wi_alloc_array(r->memory, 2 * (size_t)r->count, sizeof *keys);
    if (keys == NULL) return false;
    for (uint32_t i = 0; i < r->count; i++) keys[i] = r->slots[i];
    wi_sort_u64(keys, keys + r->count, r->count);
    for (uint32_t i = 0; i < r->count; i++) {
        r->slots[i] = (uint32_t)keys[i];
        r->boxes[i] = wi_edit_box_of_tri(r->h, r->slots[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        for (uint32_t i = 0; i < r->count; i++) {
            const wi_box *box = &r->boxes[i];
            keys[i] =
                (uint64_t)sortable(0.5F * box->lower[axis] + 0.5F * box->upper[axis]) << 32 | i;
        }
        wi_sort_u64(keys, keys + r->count, r->count);
        for (uint32_t i = 0; i < r->count; i++) r->order[axis][i] = (uint32_t)keys[i];
    }
    wi_free_array(r->memory, keys, 2 * (size_t)r->count, sizeof *keys);
    return true;
}

static wi_box box_of_run(const renewal *r, const run *of)
{
    wi_box box = wi_box_empty();
    for (uint32_t i = of->first; i < of->first + of->count; i++)
        wi_box_add_box(&box, &r->boxes[r->order[0][i]]);
    return box;
}

/* ---- cuts ---- */

static uint64_t parts_for(uint64_t count, uint64_t size) { return (count + size - 1) / size; }

/* Where a run may be cut: so that no more children are needed than there are lanes for, `spare`
 * more than now, and so that there can be `least_parts` of them. */
static bool may_cut(const sizes *s, uint32_t count, uint32_t first, uint64_t spare,
                    uint64_t least_parts)
{
    const uint32_t rest = count - first;
    return first >= s->least && rest >= s->least &&
           parts_for(first, s->most) + parts_for(rest, s->most) <=
               parts_for(count, s->most) + spare &&
           first / s->least + rest / s->least >= least_parts;
}

typedef struct cut {
    double work, area[2];
    uint32_t first; /* how many are on the first side; 0: there is none */
    int axis;
} cut;

static void try_axis(renewal *r, const run *of, const sizes *s, uint64_t spare,
                     uint64_t least_parts, int axis, cut *best)
{
    const uint32_t *order = r->order[axis] + of->first;
    wi_box box = wi_box_empty();
    for (uint32_t i = of->count; i-- > 0;) {
        wi_box_add_box(&box, &r->boxes[order[i]]);
        r->behind[i] = wi_box_half_area(&box);
    }
    box = wi_box_empty();
    for (uint32_t i = 1; i < of->count; i++) {
        wi_box_add_box(&box, &r->boxes[order[i - 1]]);
        if (!may_cut(s, of->count, i, spare, least_parts)) continue;
        const double area = wi_box_half_area(&box);
        const double work = area * (double)parts_for(i, s->wanted) +
                            r->behind[i] * (double)parts_for(of->count - i, s->wanted);
        if (best->first == 0 || work < best->work)
            *best = (cut){work, {area, r->behind[i]}, i, axis};
    }
}

/* Either side keeps its triangles in order. */
static void keep_order(renewal *r, const run *of, int axis)
{
    uint32_t *order = r->order[axis] + of->first, first = 0, rest = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        if (r->is_first[order[i]])
            order[first++] = order[i];
        else
            r->spare[rest++] = order[i];
    }
    memcpy(order + first, r->spare, rest * sizeof *order);
}

/* Lanes that are left when every part has as many as it needs. */
static uint64_t spare_lanes(const run *parts, unsigned count, const sizes *s)
{
    uint64_t needed = 0;
    for (unsigned i = 0; i < count; i++) needed += parts_for(parts[i].count, s->most);
    WI_ASSERT(needed <= WI_LANES);
    return WI_LANES - needed;
}

static void cut_run(renewal *r, run *parts, unsigned count, unsigned at, const sizes *s)
{
    cut best = {.first = 0};
    run *of = &parts[at];
    const uint64_t spare = spare_lanes(parts, count, s);
    const uint64_t least_parts = count == 1 ? WI_LEAST_CHILDREN : 2;
    for (int axis = 0; axis < 3; axis++) try_axis(r, of, s, spare, least_parts, axis, &best);
    WI_ASSERT(best.first > 0);
    for (uint32_t i = 0; i < of->count; i++)
        r->is_first[r->order[best.axis][of->first + i]] = i < best.first;
    for (int axis = 0; axis < 3; axis++)
        if (axis != best.axis) keep_order(r, of, axis);
    parts[count] = (run){of->first + best.first, of->count - best.first, best.area[1]};
    of->count = best.first;
    of->area = best.area[0];
}

/* The part with the largest surface of those that are to be cut; `count` if there is none. */
static unsigned next_to_cut(const run *parts, unsigned count, const sizes *s)
{
    unsigned next = count;
    const bool is_spare = spare_lanes(parts, count, s) > 0, is_forced = count < WI_LEAST_CHILDREN;
    for (unsigned i = 0; i < count; i++) {
        const bool is_large = parts[i].count > s->wanted;
        if (parts[i].count < 2 * s->least || !(is_large || is_forced)) continue;
        if (!is_spare && parts[i].count <= s->most) continue;
        if (next == count || parts[i].area > parts[next].area) next = i;
    }
    return next;
}

static unsigned part_run(renewal *r, const run *whole, const sizes *s, run parts[WI_LANES])
{
    unsigned count = 1;
    parts[0] = *whole;
    while (count < WI_LANES) {
        const unsigned at = next_to_cut(parts, count, s);
        if (at == count) break;
        cut_run(r, parts, count++, at, s);
    }
    WI_ASSERT(count >= WI_LEAST_CHILDREN);
    return count;
}

/* ---- sizes ---- */

static uint64_t power(uint64_t base, uint32_t exponent)
{
    uint64_t result = 1;
    while (exponent-- > 0) result *= base;
    return result;
}

/* Of the children of a node at this level with so many triangles: all nodes below get about as many
 * children. */
static sizes sizes_below(const wi_links *l, uint32_t level, uint32_t tris)
{
    const uint64_t leaf = 1 + (uint64_t)FILL * (l->tris_per_leaf - 1) / 4;
    uint64_t fan = WI_LEAST_CHILDREN;
    while (fan < WI_LANES && power(fan, level + 1) * leaf < tris) fan++;
    sizes s = {.least = power(WI_LEAST_CHILDREN, level) * wi_least_tris(l),
               .most = power(WI_LANES, level) * l->tris_per_leaf};
    s.wanted = parts_for(tris, fan);
    if (s.wanted < s.least) s.wanted = s.least;
    if (s.wanted > s.most) s.wanted = s.most;
    return s;
}

/* ---- what there is ---- */

static void add_renewed_leaf(renewal *r, uint32_t node, const run *of)
{
    const wi_box box = box_of_run(r, of);
    const uint32_t leaf = wi_links_take_leaf(r->h);
    for (uint32_t i = of->first; i < of->first + of->count; i++)
        wi_links_add_tri(r->h, leaf, r->slots[r->order[0][i]]);
    wi_links_add_child(r->h, node, leaf | WI_IS_LEAF, &box);
    wi_edit_mark_leaf(r->h, leaf);
}

static uint32_t add_renewed_node(renewal *r, uint32_t node, uint32_t level, const run *of)
{
    const wi_box box = box_of_run(r, of);
    const uint32_t child = wi_links_take_node(r->h, level);
    wi_links_add_child(r->h, node, child, &box);
    return child;
}

static void make_below(renewal *r, uint32_t root)
{
    wi_tree *h = r->h;
    pending stack[(WI_MOST_WORN_LEVEL + 1) * WI_LANES];
    unsigned count = 0;
    stack[count++] = (pending){root, {0, r->count, 0.0}};
    while (count > 0) {
        const pending at = stack[--count];
        const uint32_t level = h->shape->links->level[at.node];
        const sizes s = sizes_below(h->shape->links, level, at.run.count);
        run parts[WI_LANES];
        const unsigned made = part_run(r, &at.run, &s, parts);
        for (unsigned i = 0; i < made; i++) {
            if (level == 0)
                add_renewed_leaf(r, at.node, &parts[i]);
            else
                stack[count++] =
                    (pending){add_renewed_node(r, at.node, level - 1, &parts[i]), parts[i]};
        }
        wi_wear_forget(h, at.node);
        wi_edit_stamp_node(h, r->c, at.node);
        wi_edit_mark_node(h, at.node);
    }
}

static bool renew(renewal *r, uint32_t node, uint32_t *nodes, uint32_t count)
{
    wi_tree *h = r->h;
    uint32_t tris = 0;
    for (uint32_t i = 0; i < count; i++) {
        const wi_node *view = &h->boxes.nodes[nodes[i]];
        if (view->leaf_mask != 0) tris += tris_of_leaves(h, view);
    }
    r->room = tris;
    if (!renewal_reserve(r)) return false;
    take_apart(r, nodes, count);
    WI_ASSERT(r->count == tris);
    const uint32_t leaves = tris / wi_least_tris(h->shape->links);
    if (!sort_all(r) || !wi_links_reserve(r->memory, h, leaves, leaves / 2 + 1)) return false;
    make_below(r, node);
    wi_node *view = &h->boxes.nodes[node];
    const wi_box box = wi_edit_box_of_lanes(view);
    wi_node_set_box(&h->boxes.nodes[view->parent], view->parent_lane, &box);
    return true;
}

bool wi_renew_below(wi_memory *memory, wi_tree *h, const wi_tree_changes *c, uint32_t node)
{
    enum { MOST_NODES = 1 + 8 + 64 };
    uint32_t nodes[MOST_NODES];
    renewal r = {.memory = memory, .h = h, .c = c};
    WI_ASSERT(node > 0 && h->shape->links->level[node] <= WI_MOST_WORN_LEVEL);
    wi_edit_open_node(h, c, h->boxes.nodes[node].parent);
    const bool ok = renew(&r, node, nodes, list_below(h, node, nodes));
    renewal_free(&r);
    return ok;
}
