/* split_boxes.h - triangles as boxes in a row, for builders that part space: MIDPOINT, MEAN, SAH.
 */
#ifndef WI_TREE_BUILD_SPLIT_BOXES_H
#define WI_TREE_BUILD_SPLIT_BOXES_H

#include "base/kernel.h"
#include "tree/build/builder.h"

/* The box of a triangle and its slot: half a cache line, moved in one piece. `ends` are the lower
 * ends on three axes, the upper ends, and 0, so that four floats can be read from both; the fourth
 * is a number and means nothing. */
typedef struct wi_tri_box {
    _Alignas(32) float ends[7];
    uint32_t slot;
} wi_tri_box;

_Static_assert(sizeof(wi_tri_box) == 32, "half a cache line");

/* Where a box is: a quarter of the sum of its bounds, which is half of its centre, so that no
 * difference of two of them overflows. */
static inline float wi_tri_box_at(const wi_tri_box *box, int axis)
{
    WI_ASSERT(axis >= 0 && axis < 3);
    return 0.25F * box->ends[axis] + 0.25F * box->ends[3 + axis];
}

/* The box of a run of boxes, and the box of where they are. */
typedef struct wi_run_bounds {
    wi_box boxes, places;
} wi_run_bounds;

/* A plane across an axis: below it is what is at a place with (place - low) * scale < limit. */
typedef struct wi_plane {
    int axis;
    float low, scale, limit;
} wi_plane;

enum { WI_SAH_BINS = 24 };

/* What falls into one of equal intervals of an axis. */
typedef struct wi_bin {
    _Alignas(16) float lower[4];
    float upper[4];
    uint32_t count;
} wi_bin;

/* Bins along all axes. With a scale of 0 an axis has one bin. */
typedef struct wi_bins {
    float low[4], scale[4];
    wi_bin bins[3][WI_SAH_BINS];
} wi_bins;

/* What lies on the two sides of each plane between bins, in order: half of its surface, in double
 * so that one far box does not spoil it, and how many boxes. */
typedef struct wi_sweep {
    double area[2][WI_SAH_BINS - 1];
    uint32_t count[2][WI_SAH_BINS - 1];
} wi_sweep;

typedef struct wi_box_kernels {
    /* The boxes of the triangles in these slots, in their order; NULL: of all in the mesh. */
    void (*collect)(const wi_mesh *mesh, const uint32_t *slots, uint32_t count, wi_tri_box *out);

    /* Of every `every`-th box of a run. */
    wi_run_bounds (*bound)(const wi_tri_box *boxes, uint32_t count, uint32_t every);

    /* Sorts every `every`-th box of a run into bins, which `low` and `scale` define. */
    void (*fill_bins)(const wi_tri_box *boxes, uint32_t count, uint32_t every, wi_bins *bins);

    void (*sweep)(const wi_bin bins[WI_SAH_BINS], wi_sweep *out);

    /* Moves a run, what is below the plane to the front; returns how many these are. */
    uint32_t (*part)(const wi_tri_box *from, wi_tri_box *to, uint32_t count, const wi_plane *plane);
} wi_box_kernels;

const wi_box_kernels *wi_box_kernels_for(willow_kernel kernel);

/* What these builders have as their work. */
typedef struct wi_split_boxes {
    const wi_box_kernels *kernels;
    wi_tri_box *buffers[2];
} wi_split_boxes;

static inline const wi_tri_box *wi_split_boxes_of(const wi_builder *b, const wi_range *r)
{
    const wi_split_boxes *work = b->work;
    WI_ASSERT(r->buffer < 2);
    return work->buffers[r->buffer] + r->first;
}

/* For their tables: see wi_build_ops. */
void wi_split_boxes_count(uint32_t tris, const willow_tree_def *def, uint32_t *nodes,
                          uint32_t *leaves);
size_t wi_split_boxes_work_size(const wi_mesh *mesh, size_t tris);
void wi_split_boxes_begin(wi_builder *b, wi_workspace *workspace, uint32_t tris);
wi_range_slots wi_split_boxes_slots(const wi_builder *b, const wi_range *r);

/* Cuts parts[at] at the plane and returns the new number of parts: one more, or the same where all
 * of it is on one side. */
unsigned wi_split_boxes_cut(wi_builder *b, wi_range *parts, unsigned count, unsigned at,
                            const wi_plane *plane);

/* Cuts parts[at] into two halves along the longest axis of where its boxes are. Always possible. */
unsigned wi_split_boxes_halve(wi_builder *b, wi_range *parts, unsigned count, unsigned at);

/* Deeper than this a tree is no good: ranges are halved from there on. */
enum { WI_DEEP = 48 };

#endif
