/* sah.c - SAH: planes where the expected work of a query is least.
 *
 * A query that meets a box meets a part of it about as often as the part's surface is large against
 * the box's (the surface area heuristic, Goldsmith and Salmon 1987). Boxes are sorted into equal
 * bins along the three axes and the planes between bins are compared (Wald 2007); of long runs a
 * sample is enough to choose a plane. Nodes of more than two children are made by cutting the part
 * with the largest surface again.
 *
 * The work in a part counts in full subtrees, those of whole powers of the arity in leaves, and a
 * part that fits one is not cut again at this node. So subtrees and leaves come out nearly full: on
 * `bumpy` with half of the nodes that cutting until all lanes are used takes, and no slower. */
#include "tree/build/split_boxes.h"

#include <float.h>

#include "base/check.h"

/* About so many boxes of a run are looked at. */
enum { SAMPLE = 1024 };

/* A plane, and what it is worth: half the surfaces of what is on its sides. */
typedef struct choice {
    wi_plane plane;
    double area[2];
    double cost;
} choice;

static double sah_leaves_for(uint32_t tris, uint32_t most)
{
    return (double)(tris / most + (tris % most != 0));
}

/* Compares the planes across one axis with the best so far. Of equal ones the first stays; one
 * whose surfaces overflow is never better. */
static void try_axis(const wi_split_boxes *work, const wi_bins *bins, int axis, uint32_t every,
                     uint32_t most, choice *best)
{
    wi_sweep sides;
    work->kernels->sweep(bins->bins[axis], &sides);
    for (int i = 0; i + 1 < WI_SAH_BINS; i++) {
        const uint32_t below = sides.count[0][i], above = sides.count[1][i];
        if (below == 0 || above == 0) continue;
        const double area = sides.area[0][i], other = sides.area[1][i];
        const double cost = area * sah_leaves_for(below * every, most) +
                            other * sah_leaves_for(above * every, most);
        if (!(cost < best->cost)) continue;
        *best = (choice){
            {axis, bins->low[axis], bins->scale[axis], (float)(i + 1)}, {area, other}, cost};
    }
}

/* False if all boxes are at one place. */
static bool set_bins(const wi_box *places, wi_bins *bins)
{
    bool has_width = false;
    for (int axis = 0; axis < 3; axis++) {
        float scale = (float)WI_SAH_BINS / (places->upper[axis] - places->lower[axis]);
        bool is_wide = scale <= FLT_MAX;
        bins->low[axis] = places->lower[axis];
        bins->scale[axis] = is_wide ? scale : 0.0F;
        has_width = has_width || is_wide;
    }
    bins->low[3] = bins->scale[3] = 0.0F;
    return has_width;
}

static bool sah_choose(const wi_builder *b, const wi_range *r, uint32_t most, choice *best)
{
    const wi_split_boxes *work = b->work;
    const wi_tri_box *boxes = wi_split_boxes_of(b, r);
    const uint32_t every = r->count < 2 * SAMPLE ? 1 : r->count / SAMPLE;
    const wi_run_bounds bounds = work->kernels->bound(boxes, r->count, every);
    wi_bins bins;
    best->cost = INFINITY;
    if (!set_bins(&bounds.places, &bins)) return false;
    work->kernels->fill_bins(boxes, r->count, every, &bins);
    for (int axis = 0; axis < 3; axis++)
        if (bins.scale[axis] > 0.0F) try_axis(work, &bins, axis, every, most, best);
    return best->cost < INFINITY;
}

/* A part and half of its surface, as far as it is known. */
typedef struct parts {
    wi_range *ranges;
    double area[WI_LANES];
    unsigned count;
    uint32_t most; /* triangles that a part need not exceed */
} parts;

static void sah_cut(wi_builder *b, parts *p, unsigned at)
{
    WI_ASSERT(at < p->count && p->count < WI_LANES);
    choice best;
    unsigned count = p->count;
    bool is_deep = p->ranges[at].depth > WI_DEEP;
    if (!is_deep && sah_choose(b, &p->ranges[at], p->most, &best))
        count = wi_split_boxes_cut(b, p->ranges, p->count, at, &best.plane);
    if (count == p->count) {
        count = wi_split_boxes_halve(b, p->ranges, p->count, at);
        best.area[0] = best.area[1] = p->area[at];
    }
    for (unsigned i = p->count; i > at; i--) p->area[i] = p->area[i - 1];
    p->area[at] = best.area[0];
    p->area[at + 1] = best.area[1];
    p->count = count;
}

/* The part with the largest surface of those that are too large, or none. */
static int sah_next_to_cut(const parts *p)
{
    int next = -1;
    for (int i = 0; i < (int)p->count; i++) {
        if (p->ranges[i].count <= p->most) continue;
        if (next < 0 || p->area[i] > p->area[next]) next = i;
    }
    return next;
}

static unsigned sah_part(wi_builder *b, const wi_range *whole, wi_range ranges[WI_LANES])
{
    const willow_tree_def *def = &b->tree->def;
    parts p = {.ranges = ranges, .count = 1, .most = wi_full_part(def, whole->count)};
    ranges[0] = *whole;
    for (int at = 0; at >= 0 && p.count < def->arity; at = sah_next_to_cut(&p))
        sah_cut(b, &p, (unsigned)at);
    return p.count;
}

const wi_build_ops wi_sah_ops = {.build = WILLOW_BUILD_SAH,
                                 .count = wi_split_boxes_count,
                                 .work_size = wi_split_boxes_work_size,
                                 .begin = wi_split_boxes_begin,
                                 .part = sah_part,
                                 .slots = wi_split_boxes_slots};
