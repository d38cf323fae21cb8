/* distance.h - how far apart points, edges and triangles are, and where.
 *
 * The distance is 0 if and only if the two meet, which is decided exactly. Else it is within
 * WI_DISTANCE_ERROR times the largest difference of two coordinates on one axis, and never less
 * than that of the boxes of the two (wi_box_distance2), so that a search that passes over boxes
 * which are too far apart misses nothing. Same bits everywhere (C10). */
#ifndef WI_PRIM_DISTANCE_DISTANCE_H
#define WI_PRIM_DISTANCE_DISTANCE_H

#include "base/check.h"
#include "geom/box.h"
#include "geom/tri.h"
#include "willow/prim.h"

#define WI_DISTANCE_ERROR 1e-14

typedef struct wi_closest_points {
    double distance;
    double on_a[3], on_b[3]; /* closest to each other; the same point if the distance is 0 */
    double weight_a[3], weight_b[3]; /* the shares of the corners in them; 0 for those not there */
    double way[3];                   /* from one to the other, as it is where nothing is far */
} wi_closest_points;

wi_closest_points wi_point_tri_closest(const float p[3], const wi_tri *tri);
wi_closest_points wi_edge_edge_closest(const float a[2][3], const float b[2][3]);
wi_closest_points wi_tri_tri_closest(const wi_tri *a, const wi_tri *b);

/* As programs see it; with a and b exchanged if `is_swapped`. */
willow_contact wi_contact_between(const wi_closest_points *points, bool is_swapped);

/* The same if the distance is at most `limit`; else false. */
bool wi_tri_tri_closest_within(const wi_tri *a, const wi_tri *b, double limit,
                               wi_closest_points *out);

/* The distance alone, the same bits, if it is at most `limit`; else that, or INFINITY. Much cheaper
 * where the two are clearly farther, and where they meet. */
double wi_tri_tri_distance_within(const wi_tri *a, const wi_tri *b, double limit);
double wi_point_tri_distance_within(const float p[3], const wi_tri *tri, double limit);

/* The squared distance of two boxes that are not empty, rounded: each step keeps the order, so the
 * square for larger boxes is not larger, and its root is at most any distance above. */
static inline double wi_box_distance2(const wi_box *a, const wi_box *b)
{
    WI_ASSERT(!wi_box_is_empty(a) && !wi_box_is_empty(b));
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double below = (double)b->lower[axis] - (double)a->upper[axis];
        double above = (double)a->lower[axis] - (double)b->upper[axis];
        double gap = below > above ? below : above;
        gap = gap > 0.0 ? gap : 0.0;
        sum += gap * gap;
    }
    return sum;
}

#endif
