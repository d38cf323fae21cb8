/* swept_hull.h - the differences of two primitives over a short time: what certainly keeps them off
 * the origin, and what certainly takes them through it.
 *
 * All differences p - f of a vertex p and points f of a triangle are a triangle, and those of two
 * edges a parallelogram: the hull of the corners w, w + u, (w + u + v,) w + v, with
 *     vertex, face   w = p - f0,    u = f0 - f1,    v = f0 - f2
 *     edge, edge     w = a0 - b0,   u = a1 - a0,    v = b0 - b1
 * The primitives are as far apart as the hull is from the origin. */
#ifndef WI_PRIM_MOVING_SWEPT_HULL_H
#define WI_PRIM_MOVING_SWEPT_HULL_H

#include <stdbool.h>

typedef struct wi_hull {
    double w[3], u[3], v[3];
} wi_hull;

/* A hull over a span of time. Shares of the span are from 0, its start, to 1, its end; each corner
 * goes from its place at the start to that at the end on a straight line, but for what `reach`
 * makes up for. */
typedef struct wi_swept_hull {
    wi_hull start, end;
    bool is_quad; /* the parallelogram of two edges */
    double unit;  /* half of the last bit of the numbers that are used */
    double reach; /* to touch is to come this near to the origin */
    double off_w[3],
        off_uv[3]; /* what coordinates of w, and of u and v, are off by, and a quarter more */
    double size_w[3], size_uv[3]; /* those given are no larger in size, at the start and the end */
    double volume[4];             /* w.(u x v) in Bernstein form, once wi_swept_volume was called */
    double volume_error;          /* of each of the four */
} wi_swept_hull;

/* Sets the sizes. */
void wi_swept_measure(wi_swept_hull *h);

/* True only if a coordinate tells that nothing touches over the whole span. */
bool wi_swept_clear_on_axis(const wi_swept_hull *h);

/* The share of the span up to which the direction n certainly keeps the hull off the origin, from 0
 * to 1; 1 only if that is all of it. Any n will do. */
double wi_swept_clear_along(const wi_swept_hull *h, const double n[3]);

/* The direction from the origin to the closest point of the hull, of any length and within some
 * roundings. */
void wi_hull_direction(const wi_hull *h, bool is_quad, double n[3]);

/* The best of wi_swept_clear_along over the directions of all features at the start. */
double wi_swept_clear_along_any(const wi_swept_hull *h);

/* The volume w.(u x v) is 0 where the plane of the hull goes through the origin. Returns the share
 * up to which it certainly does not come within reach, and in *last the share from which on. */
double wi_swept_volume(wi_swept_hull *h, double *last);

/* The share of the span up to which it is certain, seen along the normal of the hull, that it stays
 * beside the origin. For a reach of 0; else 0. */
double wi_swept_clear_seen(const wi_swept_hull *h);

/* True only if the plane of the hull goes through the origin at some time of the span, since it is
 * on different sides of it at the two ends. The volume was asked for. */
bool wi_swept_changes_side(const wi_swept_hull *h);

/* True only if the hull goes through the origin at some time of the span, whose volume was asked
 * for. */
bool wi_swept_surely_meets(const wi_swept_hull *h);

/* True only if the hull has a point within reach of the origin where it is `at`: at the start of
 * the span, or at its end. */
bool wi_swept_surely_within_reach(const wi_swept_hull *h, const wi_hull *at, double reach);

/* ---- what swept_hull.c shares with fine_hull.c ---- */

/* A direction along which a hull is seen with an area, or on edge if it has none: its normal. */
void wi_swept_normal(const wi_swept_hull *h, double c[3]);

/* What a coefficient of the volume is off by, and one of c.(q x q'), which may be doubled. */
double wi_swept_volume_error(const wi_swept_hull *h);
double wi_swept_turn_error(const wi_swept_hull *h, const double c[3]);

/* The share of the span up to which a polynomial is positive, from lower bounds of its coefficients
 * in Bernstein form. */
double wi_bernstein_share(const double *lower, int degree);

#endif
