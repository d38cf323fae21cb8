/* box.h - closed axis-aligned boxes as values. */
#ifndef WI_GEOM_BOX_H
#define WI_GEOM_BOX_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include "base/check.h"
#include "willow/types.h"

typedef struct wi_box {
    float lower[3], upper[3];
} wi_box;

/* Contains nothing; merging with it changes nothing. */
static inline wi_box wi_box_empty(void)
{
    return (wi_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* All positions that there are. */
static inline wi_box wi_box_everything(void)
{
    return (wi_box){{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
}

static inline bool wi_box_is_empty(const wi_box *box)
{
    return !(box->lower[0] <= box->upper[0] && box->lower[1] <= box->upper[1] &&
             box->lower[2] <= box->upper[2]);
}

static inline bool wi_boxes_meet(const wi_box *a, const wi_box *b)
{
    return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
           b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

/* True if `inner` lies in `outer`. */
static inline bool wi_box_contains(const wi_box *outer, const wi_box *inner)
{
    return outer->lower[0] <= inner->lower[0] && inner->upper[0] <= outer->upper[0] &&
           outer->lower[1] <= inner->lower[1] && inner->upper[1] <= outer->upper[1] &&
           outer->lower[2] <= inner->lower[2] && inner->upper[2] <= outer->upper[2];
}

static inline void wi_box_add_point(wi_box *box, const float p[3])
{
    for (int axis = 0; axis < 3; axis++) {
        box->lower[axis] = p[axis] < box->lower[axis] ? p[axis] : box->lower[axis];
        box->upper[axis] = p[axis] > box->upper[axis] ? p[axis] : box->upper[axis];
    }
}

static inline void wi_box_add_box(wi_box *box, const wi_box *other)
{
    for (int axis = 0; axis < 3; axis++) {
        box->lower[axis] =
            other->lower[axis] < box->lower[axis] ? other->lower[axis] : box->lower[axis];
        box->upper[axis] =
            other->upper[axis] > box->upper[axis] ? other->upper[axis] : box->upper[axis];
    }
}

/* A box that contains all within `more` of this one, along the axes. */
static inline wi_box wi_box_widened(const wi_box *box, double more)
{
    wi_box out = *box;
    for (int axis = 0; axis < 3 && more > 0.0; axis++) {
        const double low = (double)box->lower[axis] - more, high = (double)box->upper[axis] + more;
        out.lower[axis] = (float)(low - fabs(low) * 0x1p-22 - 0x1p-126);
        out.upper[axis] = (float)(high + fabs(high) * 0x1p-22 + 0x1p-126);
    }
    WI_ASSERT(wi_box_is_empty(box) || wi_box_contains(&out, box));
    return out;
}

static inline double wi_box_squared_volume(const wi_box *box)
{
    double volume = 1.0;
    for (int axis = 0; axis < 3; axis++)
        volume *= (double)box->upper[axis] - (double)box->lower[axis];
    return volume * volume;
}

/* The first of the longest ones, if no side overflows. */
static inline int wi_box_longest_axis(const wi_box *box)
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++)
        if (box->upper[axis] - box->lower[axis] > box->upper[longest] - box->lower[longest])
            longest = axis;
    return longest;
}

/* The axes by length, the longest first; equal ones in order. */
static inline void wi_box_sort_axes(const wi_box *box, int axes[3])
{
    float length[3];
    for (int i = 0; i < 3; i++) length[i] = box->upper[i] * 0.5F - box->lower[i] * 0.5F;
    for (int i = 0; i < 3; i++) {
        int at = i;
        for (; at > 0 && length[axes[at - 1]] < length[i]; at--) axes[at] = axes[at - 1];
        axes[at] = i;
    }
    WI_ASSERT(axes[0] + axes[1] + axes[2] == 3 && axes[0] != axes[1] && axes[1] != axes[2]);
}

/* Half of the surface area, in double, so that huge boxes have one; 0 if empty. */
static inline double wi_box_half_area(const wi_box *box)
{
    if (wi_box_is_empty(box)) return 0.0;
    double x = (double)box->upper[0] - (double)box->lower[0];
    double y = (double)box->upper[1] - (double)box->lower[1];
    double z = (double)box->upper[2] - (double)box->lower[2];
    WI_ASSERT(x >= 0.0 && y >= 0.0 && z >= 0.0);
    return x * y + y * z + z * x;
}

/* How far two boxes are apart, squared, about: for choices, not for bounds. 0 if they meet. */
static inline double wi_box_squared_gap(const wi_box *a, const wi_box *b)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double below = (double)a->lower[axis] - (double)b->upper[axis];
        const double above = (double)b->lower[axis] - (double)a->upper[axis];
        const double gap = below > above ? below : above;
        if (gap > 0.0) sum += gap * gap;
    }
    return sum;
}

static inline willow_box wi_box_public(const wi_box *box)
{
    return (willow_box){{box->lower[0], box->lower[1], box->lower[2]},
                        {box->upper[0], box->upper[1], box->upper[2]}};
}

#endif
