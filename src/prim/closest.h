/* closest.h - closest points of points, segments and triangles, in double.
 *
 * Not exact: each answer is within some roundings of the truth. Segments and triangles may be
 * points. */
#ifndef WI_PRIM_CLOSEST_H
#define WI_PRIM_CLOSEST_H

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

/* The point of the triangle that is closest to p. */
void wi_closest_on_tri(const double p[3], const double tri[3][3], double out[3]);

/* Points of the segments ea and eb that are closest to each other. */
void wi_closest_on_edges(const double ea[2][3], const double eb[2][3], double out_a[3],
                         double out_b[3]);

#endif
