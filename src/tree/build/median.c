/* median.c - MEDIAN: equal halves along the longest axis, full nodes.
 *
 * Made for a million triangles in less than a tenth of a second, since REBUILD does it every step.
 *
 * A range of triangles becomes ceil(n / leaf_triangles) leaves, all full but the last. A node takes
 * a range of L leaves, more than one, and splits it into at most `arity` parts that are whole
 * powers of the arity in leaves, all but the last: so every node below is full too, and few lanes
 * are wasted. Parts are made by halving: the k triangles with the lowest centres go left, k a
 * multiple of the part's size nearest to half. Depth is logarithmic whatever the input. */
#include "base/check.h"
#include "tree/build/builder.h"
#include "tree/build/split_centres.h"

typedef struct median {
    const wi_split_kernels *kernels;
    wi_split_work split;
    wi_centres buffers[2];
} median;

static uint32_t median_leaves_for(uint32_t tris, uint32_t most)
{
    return tris / most + (tris % most != 0);
}

/* Nodes over `leaves` leaves: parts are full but the last, so it is a sum over the levels. */
static uint32_t count_nodes(uint32_t leaves, uint32_t arity)
{
    uint32_t nodes = 1;
    while (leaves > 1) {
        uint64_t part = 1, part_nodes = 0;
        while (part * arity < leaves) {
            part_nodes = part_nodes * arity + 1;
            part *= arity;
        }
        uint32_t full = (uint32_t)((leaves - 1) / part);
        uint32_t rest = leaves - full * (uint32_t)part;
        nodes += full * (uint32_t)part_nodes;
        if (rest > 1) nodes++;
        leaves = rest;
    }
    return nodes;
}

static void median_count_all(uint32_t tris, const willow_tree_def *def, uint32_t *nodes,
                             uint32_t *leaves)
{
    *leaves = median_leaves_for(tris, def->leaf_triangles);
    *nodes = count_nodes(*leaves, def->arity);
}

static size_t centres_size(size_t count) { return 4 * wi_workspace_size(count, sizeof(float)); }

static wi_centres take_centres(wi_workspace *workspace, size_t count)
{
    wi_centres c;
    for (int axis = 0; axis < 3; axis++)
        c.axis[axis] = wi_workspace_take(workspace, count, sizeof(float));
    c.slot = wi_workspace_take(workspace, count, sizeof(uint32_t));
    return c;
}

/* Eight are written aside at a time. */
static size_t middle_count(size_t tris) { return tris + WI_LANES; }

static size_t median_work_size(const wi_mesh *mesh, size_t tris)
{
    (void)mesh;
    return wi_workspace_size(1, sizeof(median)) + 2 * centres_size(tris) +
           centres_size(middle_count(tris)) + 2 * wi_workspace_size(tris, sizeof(uint64_t));
}

static void median_begin(wi_builder *b, wi_workspace *workspace, uint32_t tris)
{
    median *m = wi_workspace_take(workspace, 1, sizeof *m);
    m->kernels = wi_split_kernels_for(b->kernel);
    m->buffers[0] = take_centres(workspace, tris);
    m->buffers[1] = take_centres(workspace, tris);
    m->split.middle = take_centres(workspace, middle_count(tris));
    m->split.keys = wi_workspace_take(workspace, tris, sizeof *m->split.keys);
    m->split.spare_keys = wi_workspace_take(workspace, tris, sizeof *m->split.spare_keys);
    wi_split_work_init(&m->split);
    m->kernels->collect(b->mesh, b->slots, tris, &m->buffers[0]);
    b->work = m;
}

static wi_range_slots median_slots(const wi_builder *b, const wi_range *r)
{
    const median *m = b->work;
    return (wi_range_slots){m->buffers[r->buffer].slot + r->first, 1};
}

/* Parts are in order: parts[0] is the lowest. */
static unsigned median_part(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES])
{
    median *m = b->work;
    const uint32_t part_tris = wi_full_part(&b->tree->def, whole->count);
    unsigned count = 1;
    parts[0] = *whole;
    for (unsigned at = 0; at < count;) {
        wi_range *r = &parts[at];
        if (r->count <= part_tris) {
            at++;
            continue;
        }
        const uint32_t k = median_leaves_for(r->count, part_tris) / 2 * part_tris;
        WI_ASSERT(k > 0 && k < r->count && k % part_tris == 0);
        m->kernels->split(&m->split, &m->buffers[r->buffer], &m->buffers[!r->buffer], r->first,
                          r->count, k);
        r->buffer = !r->buffer;
        count = wi_range_cut(parts, count, at, k);
    }
    WI_ASSERT(count >= 2 && count <= b->tree->def.arity);
    return count;
}

const wi_build_ops wi_median_ops = {.build = WILLOW_BUILD_MEDIAN,
                                    .count = median_count_all,
                                    .work_size = median_work_size,
                                    .begin = median_begin,
                                    .part = median_part,
                                    .slots = median_slots};
