/* closest.h - closest points of points, segments and triangles, in double.
 *
 * Not exact: each answer is within some roundings of the truth, relative to the largest difference
 * of coordinates. Segments and triangles may be points. */
#ifndef WI_PRIM_DISTANCE_CLOSEST_H
#define WI_PRIM_DISTANCE_CLOSEST_H

#include <stdbool.h>

static inline double wi_dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

static inline void wi_sub3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

/* from + share * (to - from) */
static inline void wi_mix3(const double from[3], const double to[3], double share, double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = from[i] + share * (to[i] - from[i]);
}

static inline void wi_cross3(const double a[3], const double b[3], double out[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
}

static inline double wi_distance2(const double a[3], const double b[3])
{
    double apart[3];
    wi_sub3(a, b, apart);
    return wi_dot3(apart, apart);
}

/* A segment, made ready for many questions. */
typedef struct wi_span {
    double from[3], along[3];
    double length2, inverse; /* the inverse of length2; 0 for a point */
} wi_span;

wi_span wi_span_of(const double from[3], const double to[3]);

/* The point of the segment that is closest to p, and which share of the way along it that is. */
void wi_closest_on_span(const double p[3], const wi_span *span, double out[3]);
double wi_share_on_span(const double p[3], const wi_span *span);

/* The feet of the common perpendicular of two segments; false if one of them is not inside, or if
 * the two are parallel: an end of one of them is then closest to the other. */
bool wi_common_feet(const wi_span *a, const wi_span *b, double out_a[3], double out_b[3]);

/* A triangle, made ready for many questions: `side` i runs from corner i. */
typedef struct wi_spanned_tri {
    wi_span side[3];
    int base;          /* the longest side */
    double across[3];  /* from the base to the third corner, at a right angle */
    double inverse;    /* of the square of its length; 0 for a triangle without area */
    double apex_share; /* where along the base the third corner is */
} wi_spanned_tri;

wi_spanned_tri wi_spanned_tri_of(const double tri[3][3]);

/* The foot of the perpendicular from p, if it is inside of a triangle that has an area; and of a
 * foot that is inside the shares of the three corners. */
bool wi_foot_on_tri(const double p[3], const wi_spanned_tri *tri, double out[3]);
void wi_weigh_foot(const double p[3], const wi_spanned_tri *tri, double weights[3]);

/* The shares of the corners of a triangle in the point of a side that is closest to p. */
void wi_weigh_side(const double p[3], const wi_spanned_tri *tri, int side, double weights[3]);

/* The point of the triangle that is closest to p; the last also gives the shares of the corners in
 * it. */
void wi_closest_on_tri(const double p[3], const double tri[3][3], double out[3]);
void wi_closest_on_spanned_tri(const double p[3], const wi_spanned_tri *tri, double out[3]);
void wi_weigh_on_tri(const double p[3], const double tri[3][3], double out[3], double weights[3]);

/* The closest points so far, and a pair that may be closer. */
typedef struct wi_pair_of_points {
    double on_a[3], on_b[3];
    double distance2;
    int which; /* the number of that pair */
} wi_pair_of_points;

void wi_keep_closer(wi_pair_of_points *best, const double a[3], const double b[3], int which);

/* Points of the segments ea and eb that are closest to each other; the second also gives how far
 * along them these are, from 0 to 1. */
void wi_closest_on_edges(const double ea[2][3], const double eb[2][3], double out_a[3],
                         double out_b[3]);
void wi_weigh_on_edges(const double ea[2][3], const double eb[2][3], double out_a[3],
                       double out_b[3], double share[2]);

#endif
