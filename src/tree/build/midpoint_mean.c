/* midpoint_mean.c - MIDPOINT and MEAN: one, two or three planes through a point, at once.
 *
 * After Larsson and Akenine-Moeller 2001: with an arity of 2 the longest side of the box is split,
 * with 4 the two longest, with 8 all three; triangles go by the midpoints of their boxes, and empty
 * children are dropped. The planes go through the centre of the box (MIDPOINT) or through the mean
 * of the midpoints (MEAN). Where they part nothing, the range is halved. Trees of the papers have
 * one triangle per leaf; with more, ranges that fit a leaf are not parted further. */
#include "tree/build/split_boxes.h"

/* In the scale of wi_tri_box_at: half of the coordinates. */
typedef void point_of_range(const wi_builder *b, const wi_range *r, const wi_box *box,
                            float point[3]);

static void midpoint_of(const wi_builder *b, const wi_range *r, const wi_box *box, float point[3])
{
    (void)b;
    (void)r;
    for (int i = 0; i < 3; i++) point[i] = 0.25F * box->lower[i] + 0.25F * box->upper[i];
}

static void mean_of(const wi_builder *b, const wi_range *r, const wi_box *box, float point[3])
{
    const wi_tri_box *boxes = wi_split_boxes_of(b, r);
    (void)box;
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < r->count; i++) sum += (double)wi_tri_box_at(&boxes[i], axis);
        point[axis] = (float)(sum / r->count);
    }
}

/* Cuts every part that does not fit a leaf. */
static unsigned cut_all(wi_builder *b, wi_range parts[WI_LANES], unsigned count,
                        const wi_plane *plane)
{
    for (unsigned at = 0; at < count; at++) {
        if (parts[at].count <= b->tree->def.leaf_triangles) continue;
        unsigned more = wi_split_boxes_cut(b, parts, count, at, plane);
        at += more - count;
        count = more;
    }
    return count;
}

static unsigned part_at(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES],
                        point_of_range *find_point)
{
    const wi_split_boxes *work = b->work;
    const wi_box box = work->kernels->bound(wi_split_boxes_of(b, whole), whole->count, 1).boxes;
    unsigned count = 1;
    int axes[3];
    float point[3];
    parts[0] = *whole;
    if (whole->depth > WI_DEEP) return wi_split_boxes_halve(b, parts, count, 0);
    wi_box_sort_axes(&box, axes);
    find_point(b, whole, &box, point);
    for (uint32_t i = 0; 1U << i < b->tree->def.arity; i++) {
        const wi_plane plane = {.axis = axes[i], .scale = 1.0F, .limit = point[axes[i]]};
        count = cut_all(b, parts, count, &plane);
    }
    return count > 1 ? count : wi_split_boxes_halve(b, parts, count, 0);
}

static unsigned part_at_midpoint(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES])
{
    return part_at(b, whole, parts, midpoint_of);
}

static unsigned part_at_mean(wi_builder *b, const wi_range *whole, wi_range parts[WI_LANES])
{
    return part_at(b, whole, parts, mean_of);
}

const wi_build_ops wi_midpoint_ops = {.build = WILLOW_BUILD_MIDPOINT,
                                      .count = wi_split_boxes_count,
                                      .work_size = wi_split_boxes_work_size,
                                      .begin = wi_split_boxes_begin,
                                      .part = part_at_midpoint,
                                      .slots = wi_split_boxes_slots};

const wi_build_ops wi_mean_ops = {.build = WILLOW_BUILD_MEAN,
                                  .count = wi_split_boxes_count,
                                  .work_size = wi_split_boxes_work_size,
                                  .begin = wi_split_boxes_begin,
                                  .part = part_at_mean,
                                  .slots = wi_split_boxes_slots};
