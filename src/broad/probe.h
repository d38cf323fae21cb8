/* probe.h - what a kept broad phase is searched with: a box, or a ray.
 *
 * A probe meets a box if it meets all boxes around it, so that trees and cells can be asked with
 * the same function as the boxes in them: all sums and products are monotone in the bounds. */
#ifndef WI_BROAD_PROBE_H
#define WI_BROAD_PROBE_H

#include "geom/box.h"
#include "geom/ray.h"

typedef struct wi_probe {
    wi_box box; /* widened; that around the ray */
    bool is_ray;
    double wider; /* for rays: boxes are widened by so much */
    double origin[3], direction[3], inverse[3], t_min, t_max;
} wi_probe;

static inline wi_probe wi_probe_box(const wi_box *box, double wider)
{
    return (wi_probe){.box = wi_box_is_empty(box) ? *box : wi_box_widened(box, wider)};
}

/* Rounding moves a point of a ray by less than this. */
static inline double wi_probe_slack(double from, double to)
{
    return 0x1p-40 * (fabs(from) + fabs(to)) + 0x1p-149;
}

/* The smallest and the largest coordinate that a ray comes to, rounded outward. */
static inline void wi_probe_ray_span(const wi_ray *ray, int axis, double out[2])
{
    const double at = ray->origin[axis], along = ray->direction[axis];
    const double a = along == 0.0 ? at : at + along * (double)ray->t_min;
    const double b = along == 0.0 ? at : at + along * (double)ray->t_max;
    const double low = a < b ? a : b, high = a < b ? b : a;
    out[0] = low - wi_probe_slack(at, low);
    out[1] = high + wi_probe_slack(at, high);
}

static inline wi_probe wi_probe_ray(const wi_ray *ray, double wider)
{
    wi_probe probe = {.is_ray = true, .wider = wider, .t_min = ray->t_min, .t_max = ray->t_max};
    for (int axis = 0; axis < 3; axis++) {
        double span[2];
        wi_probe_ray_span(ray, axis, span);
        probe.box.lower[axis] = span[0] < -(double)FLT_MAX ? -FLT_MAX : (float)span[0];
        probe.box.upper[axis] = span[1] > (double)FLT_MAX ? FLT_MAX : (float)span[1];
        probe.origin[axis] = ray->origin[axis];
        probe.direction[axis] = ray->direction[axis];
        probe.inverse[axis] = 1.0 / (double)ray->direction[axis]; /* infinite for zero */
    }
    probe.box = wi_box_widened(&probe.box, wider + 0x1p-126);
    return probe;
}

/* The part of a ray, *low to *high, that is in a box, widened; false if there is none. Some boxes
 * that a ray passes within roundings are met, none that it goes through is missed: t is widened by
 * 2^-40 of itself, and rounding moves it by some 2^-52. */
static inline bool wi_probe_clip(const wi_probe *probe, const wi_box *box, double *low,
                                 double *high)
{
    *low = probe->t_min;
    *high = probe->t_max;
    for (int axis = 0; axis < 3; axis++) {
        const double lower = (double)box->lower[axis] - probe->wider - probe->origin[axis];
        const double upper = (double)box->upper[axis] + probe->wider - probe->origin[axis];
        if (isinf(probe->inverse[axis])) {
            if (lower > 0.0 || upper < 0.0) return false;
            continue;
        }
        const bool is_down = probe->inverse[axis] < 0.0;
        double near = (is_down ? upper : lower) * probe->inverse[axis];
        double far = (is_down ? lower : upper) * probe->inverse[axis];
        near -= fabs(near) * 0x1p-40;
        far += fabs(far) * 0x1p-40;
        *low = near > *low ? near : *low;
        *high = far < *high ? far : *high;
    }
    return *low <= *high;
}

static inline bool wi_probe_ray_meets(const wi_probe *probe, const wi_box *box)
{
    double low, high;
    return wi_probe_clip(probe, box, &low, &high);
}

static inline bool wi_probe_meets(const wi_probe *probe, const wi_box *box)
{
    return wi_boxes_meet(&probe->box, box) && (!probe->is_ray || wi_probe_ray_meets(probe, box));
}

#endif
