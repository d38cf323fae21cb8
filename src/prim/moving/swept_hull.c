/* swept_hull.c - certificates: that a moving hull stays off the origin, or that it meets it.
 *
 * Way in: the functions of swept_hull.h. Made for toi.c, which asks them about shorter and shorter
 * spans of time: most pairs of primitives are told apart by a coordinate or by the volume, at once,
 * without a division or a root.
 *
 * Derivation. u = 2^-53, second-order terms are covered by rounding the constants up. A span goes
 * from s to e; places at s and e are computed, and what is between is on straight lines.
 *   1. Sizes. M bounds the coordinates of w along an axis as they are given, at s and e, and m
 *      those of u and v. They are off by o for w and by o' for u and v; the true ones are at most T
 *      = M + o and T' = m + o'. The o here are a quarter more than what is known (toi.c, step 2),
 *      which covers the roundings of all bounds that are computed from them.
 *   2. Along a direction. For any vector n, n.w + n.u + n.v as computed, or with fewer of them, is
 *      off by at most the sum over the axes of |n| (o + 2 o' + 5 u (M + 2 m)): 3 roundings for the
 *      product with n, 2 for the sums. 6 u is taken, and products that underflow are off by 2^-1074
 *      each: 2^-1040 is added.
 *   3. If n.q - reach |n| - error > 0 for every corner q at s and at e, it is so for every point of
 *      the hull at any time between, since that is a mean of these with weights that are not
 *      negative. No such point is within reach of the origin. If it is so at s but not at e, each
 *      corner is beyond until the root of a straight line, a / (a - b) of the span. a and b are
 *      rounded once and the quotient twice: all is within 2^-50, and 2^-40 is taken off.
 *   4. The volume. d(t) = w.(u x v) is of degree three. With C0 = u x v at s, C2 at e, and C1 =
 *      u(s) x v(e) + u(e) x v(s), its coefficients in Bernstein form are
 *          w(s).C0,  (w(e).C0 + w(s).C1) / 3,  (w(e).C1 + w(s).C2) / 3,  w(e).C2.
 *      Each is, with its factor of a third, at most a mean of 6 monomials, one for each order of
 *      the axes i, j, k, of which each has three factors and at most 10 roundings. So it is off by
 *      at most the sum of o_i T'_j T'_k + T_i o'_j T'_k + T_i T'_j o'_k + 10 u T_i T'_j T'_k.
 *   5. The hull lies in a plane at the distance |d| / |u x v| from the origin. |u x v| is at most
 *      the greatest length of C0, C1 / 2 and C2. Coordinate i of these is off by at most
 *      2 (o'_j T'_k + T'_j o'_k) + 8 u T'_j T'_k. If all coefficients of d are beyond reach times
 *      that, nothing touches. (Where u x v = 0, d = 0, and nothing is certified.)
 *   6. d is above the lower hull of its coefficients, taken at 0, 1/3, 2/3 and 1. That hull first
 *      comes down to 0 on a segment between two of them. As in step 3, 2^-40 is taken off. The same
 *      backwards gives the share from which on nothing touches.
 *   7. A proof of contact. Let d have different signs at s and e: at some time between, w, u and v
 *      are coplanar. Let c be any vector such that c.(q x q') > 0 for every corner q and the next
 *      one q', at all times of the span. Seen along c the hull then turns around the origin, which
 *      is inside; and since it is seen with an area, no two points of its plane are seen as one. So
 *      when the plane goes through the origin, the hull does. q x q' = q x (q' - q), of degree two
 *      in t; its coefficients are products at s, those at e, and for the mean the sum of the two
 *      mixed ones. Let q be at most Q = T + 2 T' and off by p = o + 2 o' + 2 u (M + 2 m); q' - q,
 *      which is u, v or v - u, is at most D = 2 T' and off by p' = 2 o' + 2 u m. Coordinate i of a
 *      mixed coefficient has 4 products and 7 roundings: off by 2 (p_j D_k + Q_j p'_k + 8 u Q_j
 *      D_k) and the same with j and k exchanged. In the plane of a hull that is seen at the middle
 *      of the span with an area this is the best c.
 *   8. The distance at s or e. The closest points as computed are on the primitives within 16
 * roundings of the sizes, and their distance within as many: 64 u times the sum of all sizes is
 * safe, with what the places are off by.
 *   9. Seen along c. Let q be a corner such that c.(q x q') > 0 for all other corners q'. Then
 *      nothing touches: if a mean of the corners were the origin, the same mean of c.(q x .) would
 *      be 0, so the weight of all others would be 0, and q itself the origin, which it is not.
 *      Corners that are one with q at all times may be left out. These are the coefficients of step
 *      7, and shares of the span are those of step 6. This tells rotating primitives apart that
 *      move in one plane, where the volume is 0 and directions hold for a short time only. */
#include "prim/moving/swept_hull.h"

#include <math.h>
#include <string.h>
#include "base/check.h"
#include "base/larger.h"
#include "prim/distance/closest.h"

static const double tiny = 0x1p-1040;        /* beyond all underflows */
static const double shortened = 1 - 0x1p-40; /* steps 3 and 6 */

void wi_swept_measure(wi_swept_hull *h)
{
    const wi_hull *s = &h->start, *e = &h->end;
    for (int i = 0; i < 3; i++) {
        h->size_w[i] = wi_larger(fabs(s->w[i]), fabs(e->w[i]));
        h->size_uv[i] = wi_larger(wi_larger(fabs(s->u[i]), fabs(e->u[i])),
                                  wi_larger(fabs(s->v[i]), fabs(e->v[i])));
    }
}

/* ---- along a direction ---- */

/* Step 2, for one axis. */
static double error_along(const wi_swept_hull *h, int i)
{
    return (h->off_w[i] + 2.0 * h->off_uv[i]) +
           6.0 * h->unit * (h->size_w[i] + 2.0 * h->size_uv[i]);
}

/* The least and the greatest of all corners along a line, on which w, u and v are these. */
static double least(bool is_quad, double w, double u, double v)
{
    return w +
           (is_quad ? wi_smaller(u, 0.0) + wi_smaller(v, 0.0) : wi_smaller(wi_smaller(u, v), 0.0));
}

static double most(bool is_quad, double w, double u, double v)
{
    return w + (is_quad ? wi_larger(u, 0.0) + wi_larger(v, 0.0) : wi_larger(wi_larger(u, v), 0.0));
}

bool wi_swept_clear_on_axis(const wi_swept_hull *h)
{
    const wi_hull *s = &h->start, *e = &h->end;
    for (int i = 0; i < 3; i++) {
        const double margin = h->reach + error_along(h, i);
        if (least(h->is_quad, s->w[i], s->u[i], s->v[i]) > margin &&
            least(h->is_quad, e->w[i], e->u[i], e->v[i]) > margin)
            return true;
        if (most(h->is_quad, s->w[i], s->u[i], s->v[i]) < -margin &&
            most(h->is_quad, e->w[i], e->u[i], e->v[i]) < -margin)
            return true;
    }
    return false;
}

/* From a > 0 at the start to b at the end: the share up to which it is certainly positive. */
static double positive_share(double a, double b)
{
    WI_ASSERT(a > 0.0);
    return b > 0.0 ? 1.0 : a / (a - b) * shortened;
}

/* Corners along n at one time, less what they must exceed. */
static void corners_along(const wi_hull *h, bool is_quad, const double n[3], double margin,
                          double out[4])
{
    const double w = wi_dot3(n, h->w), u = wi_dot3(n, h->u), v = wi_dot3(n, h->v);
    out[0] = w - margin;
    out[1] = (w + u) - margin;
    out[2] = (w + v) - margin;
    out[3] = is_quad ? (w + (u + v)) - margin : out[0];
}

/* Steps 2 and 3. */
double wi_swept_clear_along(const wi_swept_hull *h, const double n[3])
{
    double at_start[4], at_end[4], share = 1.0;
    WI_ASSERT(h->reach >= 0.0 && h->unit > 0.0);
    double margin = tiny;
    for (int i = 0; i < 3; i++) margin += fabs(n[i]) * error_along(h, i);
    if (h->reach > 0.0) margin += h->reach * sqrt(wi_dot3(n, n)) * (1.0 + 8.0 * h->unit);
    corners_along(&h->start, h->is_quad, n, margin, at_start);
    for (int i = 0; i < 4; i++)
        if (!(at_start[i] > 0.0)) return 0.0;
    corners_along(&h->end, h->is_quad, n, margin, at_end);
    for (int i = 0; i < 4; i++) share = wi_smaller(share, positive_share(at_start[i], at_end[i]));
    WI_ASSERT(share >= 0.0 && share <= 1.0);
    return share;
}

/* ---- directions ---- */

/* The normal of the hull, to the side that it is on. */
static void plane_direction(const wi_hull *h, double n[3])
{
    wi_cross3(h->u, h->v, n);
    if (wi_dot3(n, h->w) < 0.0)
        for (int i = 0; i < 3; i++) n[i] = -n[i];
}

/* From the origin to the line through q along d. However near that is, it is at right angles to d,
 * which matters more than where it points else. */
static void line_direction(const double q[3], const double d[3], double n[3])
{
    double across[3];
    wi_cross3(d, q, across);
    wi_cross3(across, d, n);
}

static void add3(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[i] + b[i];
}

/* Ericson, Real-Time Collision Detection 2005, section 5.1.5, for the point 0. */
static void tri_direction(const wi_hull *h, double n[3])
{
    const double uu = wi_dot3(h->u, h->u), uv = wi_dot3(h->u, h->v), vv = wi_dot3(h->v, h->v);
    const double d1 = -wi_dot3(h->u, h->w), d2 = -wi_dot3(h->v, h->w);
    const double d3 = d1 - uu, d4 = d2 - uv, d5 = d1 - uv, d6 = d2 - vv;
    const double on_u = d1 * d4 - d3 * d2, on_v = d5 * d2 - d1 * d6, across = d3 * d6 - d5 * d4;
    if (d1 <= 0.0 && d2 <= 0.0) {
        memcpy(n, h->w, sizeof h->w);
    } else if (d3 >= 0.0 && d4 <= d3) {
        add3(h->w, h->u, n);
    } else if (d6 >= 0.0 && d5 <= d6) {
        add3(h->w, h->v, n);
    } else if (uu > 0.0 && on_u <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        line_direction(h->w, h->u, n);
    } else if (vv > 0.0 && on_v <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        line_direction(h->w, h->v, n);
    } else if (across <= 0.0 && d4 >= d3 && d5 >= d6) {
        double q[3], d[3];
        add3(h->w, h->u, q);
        wi_sub3(h->v, h->u, d);
        line_direction(q, d, n);
    } else {
        plane_direction(h, n);
    }
}

/* x / y, moved into 0 to 1; y is not negative. */
static double clamped(double x, double y) { return x > 0.0 ? (x < y ? x / y : 1.0) : 0.0; }

/* The same, section 5.1.9. */
static void quad_direction(const wi_hull *h, double n[3])
{
    const double uu = wi_dot3(h->u, h->u), uv = wi_dot3(h->u, h->v), vv = wi_dot3(h->v, h->v);
    const double uw = wi_dot3(h->u, h->w), vw = wi_dot3(h->v, h->w);
    const double det = uu * vv - uv * uv;
    const double on_u = uv * vw - vv * uw, on_v = uv * uw - uu * vw; /* times det */
    if (on_u > 0.0 && on_u < det && on_v > 0.0 && on_v < det) {
        plane_direction(h, n);
        return;
    }
    const double b = clamped(-(uv * clamped(on_u, det) + vw), vv);
    const double a = clamped(-(uv * b + uw), uu);
    double q[3];
    for (int i = 0; i < 3; i++)
        q[i] = h->w[i] + ((a == 1.0 ? h->u[i] : 0.0) + (b == 1.0 ? h->v[i] : 0.0));
    if (a > 0.0 && a < 1.0)
        line_direction(q, h->u, n);
    else if (b > 0.0 && b < 1.0)
        line_direction(q, h->v, n);
    else
        memcpy(n, q, sizeof q);
}

void wi_hull_direction(const wi_hull *h, bool is_quad, double n[3])
{
    if (is_quad)
        quad_direction(h, n);
    else
        tri_direction(h, n);
}

/* To a line, and to the point from which it goes. */
static double clear_along_edge(const wi_swept_hull *h, const double q[3], const double d[3])
{
    double n[3];
    line_direction(q, d, n);
    return wi_larger(wi_swept_clear_along(h, q), wi_swept_clear_along(h, n));
}

double wi_swept_clear_along_any(const wi_swept_hull *h)
{
    const wi_hull *s = &h->start;
    double n[3], q[4][3], minus_u[3], minus_v[3], third[3], share;
    plane_direction(s, n);
    share = wi_swept_clear_along(h, n);
    for (int i = 0; i < 3; i++) {
        q[0][i] = s->w[i];
        q[1][i] = s->w[i] + s->u[i];
        q[2][i] = s->w[i] + s->v[i];
        q[3][i] = s->w[i] + (s->u[i] + s->v[i]);
        minus_u[i] = -s->u[i];
        minus_v[i] = -s->v[i];
        third[i] = s->v[i] - s->u[i];
        const double axis[2][3] = {{i == 0, i == 1, i == 2}, {-(i == 0), -(i == 1), -(i == 2)}};
        for (int side = 0; side < 2; side++)
            share = wi_larger(share, wi_swept_clear_along(h, axis[side]));
    }
    wi_hull_direction(s, h->is_quad, n);
    share = wi_larger(share, wi_swept_clear_along(h, n));
    share = wi_larger(share, clear_along_edge(h, q[0], s->u));
    share = wi_larger(share, clear_along_edge(h, q[2], minus_v));
    if (h->is_quad) {
        share = wi_larger(share, clear_along_edge(h, q[1], s->v));
        return wi_larger(share, clear_along_edge(h, q[3], minus_u));
    }
    return wi_larger(share, clear_along_edge(h, q[1], third));
}

/* ---- by the volume ---- */

/* Step 6: coefficients of that degree, less what they must exceed. */
double wi_bernstein_share(const double *lower, int degree)
{
    double share = 2.0 * degree; /* beyond the span */
    WI_ASSERT(degree > 0 && degree <= 3);
    if (!(lower[0] > 0.0)) return 0.0;
    for (int i = 1; i <= degree; i++) {
        if (lower[i] > 0.0) continue;
        for (int k = 0; k < i; k++)
            if (lower[k] > 0.0)
                share = wi_smaller(share, k + (i - k) * (lower[k] / (lower[k] - lower[i])));
    }
    WI_ASSERT(share >= 0.0);
    return share > degree ? 1.0 : share / degree * shortened;
}

/* The same of the volume, in the order d[0], d[step], d[2 step], d[3 step]. */
static double volume_share(const double *d, int step, double margin)
{
    const double sign = d[0] > 0.0 ? 1.0 : -1.0;
    double above[4];
    WI_ASSERT(step == 1 || step == -1);
    for (int i = 0; i < 4; i++) above[i] = sign * d[i * step] - margin;
    return wi_bernstein_share(above, 3);
}

static void mixed_cross(const wi_swept_hull *h, double out[3])
{
    double other[3];
    wi_cross3(h->start.u, h->end.v, out);
    wi_cross3(h->end.u, h->start.v, other);
    for (int i = 0; i < 3; i++) out[i] += other[i];
}

/* What the true coordinates are bounded by, and for each axis i the product of those of u and v on
 * the two others with what it is off by: T'_j T'_k and o'_j T'_k + T'_j o'_k. */
typedef struct bounds {
    double w[3], uv[3];
    double product[3], off[3];
} bounds;

static void find_bounds(const wi_swept_hull *h, bounds *b)
{
    for (int i = 0; i < 3; i++) {
        b->w[i] = h->size_w[i] + h->off_w[i];
        b->uv[i] = h->size_uv[i] + h->off_uv[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        b->product[i] = b->uv[j] * b->uv[k];
        b->off[i] = h->off_uv[j] * b->uv[k] + b->uv[j] * h->off_uv[k];
    }
}

/* Step 4: both orders of j and k. */
static double volume_error(const wi_swept_hull *h, const bounds *b)
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += (h->off_w[i] + 10.0 * h->unit * b->w[i]) * b->product[i] + b->w[i] * b->off[i];
    return 2.0 * sum + tiny;
}

double wi_swept_volume_error(const wi_swept_hull *h)
{
    bounds b;
    find_bounds(h, &b);
    return volume_error(h, &b);
}

/* Step 5: reach times the greatest area. */
static double reach_of_plane(const wi_swept_hull *h, const bounds *b, const double c[3][3])
{
    const double area2 =
        wi_larger(wi_larger(wi_dot3(c[0], c[0]), 0.25 * wi_dot3(c[1], c[1])), wi_dot3(c[2], c[2]));
    double off = 0.0;
    for (int i = 0; i < 3; i++) off += 2.0 * b->off[i] + 8.0 * h->unit * b->product[i];
    return h->reach * (sqrt(area2) + off) * (1.0 + 16.0 * h->unit);
}

/* Steps 4 to 6. */
double wi_swept_volume(wi_swept_hull *h, double *last)
{
    const wi_hull *s = &h->start, *e = &h->end;
    double c[3][3], *d = h->volume;
    bounds b;
    wi_cross3(s->u, s->v, c[0]);
    mixed_cross(h, c[1]);
    wi_cross3(e->u, e->v, c[2]);
    d[0] = wi_dot3(s->w, c[0]);
    d[1] = (wi_dot3(e->w, c[0]) + wi_dot3(s->w, c[1])) * (1.0 / 3.0);
    d[2] = (wi_dot3(e->w, c[1]) + wi_dot3(s->w, c[2])) * (1.0 / 3.0);
    d[3] = wi_dot3(e->w, c[2]);
    find_bounds(h, &b);
    h->volume_error = volume_error(h, &b);
    double margin = h->volume_error;
    if (h->reach > 0.0) margin += reach_of_plane(h, &b, (const double(*)[3])c);

    *last = 1.0;
    if ((d[0] > margin && d[1] > margin && d[2] > margin && d[3] > margin) ||
        (d[0] < -margin && d[1] < -margin && d[2] < -margin && d[3] < -margin))
        return 1.0;
    const double back = volume_share(d + 3, -1, margin);
    if (back > 0x1p-10) *last = 1.0 - back; /* 2^-40 of it is more than the rounding here */
    WI_ASSERT(*last >= 0.0 && *last <= 1.0);
    return volume_share(d, 1, margin);
}

/* ---- seen along a direction ---- */

/* The p_j D_k + Q_j p'_k + 8 u Q_j D_k of step 7. */
static double turn_error_of(const wi_swept_hull *h, int j, int k)
{
    const double size = h->size_w[j] + 2.0 * h->size_uv[j];
    const double off = h->off_w[j] + 2.0 * h->off_uv[j];
    const double off_way = 2.0 * h->off_uv[k] + 2.0 * h->unit * h->size_uv[k];
    const double way = 2.0 * (h->size_uv[k] + h->off_uv[k]);
    return (off + 2.0 * h->unit * size) * way + (size + off) * (off_way + 8.0 * h->unit * way);
}

double wi_swept_turn_error(const wi_swept_hull *h, const double c[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        sum += 2.0 * fabs(c[i]) * (turn_error_of(h, j, k) + turn_error_of(h, k, j));
    }
    return sum + tiny;
}

/* The corners in order. */
static int go_around(const wi_hull *h, bool is_quad, double q[4][3])
{
    memcpy(q[0], h->w, sizeof q[0]);
    add3(h->w, h->u, q[1]);
    add3(h->w, h->v, q[is_quad ? 3 : 2]);
    for (int i = 0; i < 3 && is_quad; i++) q[2][i] = h->w[i] + (h->u[i] + h->v[i]);
    return is_quad ? 4 : 3;
}

/* The way from corner i to corner k, not by way of the corners. */
static void way_between(const wi_hull *h, bool is_quad, int i, int k, double out[3])
{
    WI_ASSERT(i >= 0 && i < (is_quad ? 4 : 3) && k >= 0 && k < (is_quad ? 4 : 3));
    static const double by_u[4] = {0, 1, 1, 0}, by_v[4] = {0, 0, 1, 1};
    const int from = i == 2 && !is_quad ? 3 : i, to = k == 2 && !is_quad ? 3 : k;
    const double u = by_u[to] - by_u[from], v = by_v[to] - by_v[from];
    for (int x = 0; x < 3; x++) out[x] = u * h->u[x] + v * h->v[x];
}

/* A hull over a span as it is seen along c. */
typedef struct view {
    const wi_swept_hull *hull;
    const double *c;
    double margin;
    double start[4][3], end[4][3]; /* corners */
    int count;
} view;

static void look_along(const wi_swept_hull *h, const double c[3], view *out)
{
    out->hull = h;
    out->c = c;
    out->margin = wi_swept_turn_error(h, c);
    out->count = go_around(&h->start, h->is_quad, out->start);
    go_around(&h->end, h->is_quad, out->end);
}

/* The coefficients of c.(q x q') for the corners i and k; the mean one is doubled, as its bound is.
 * False if the two are one corner at all times. */
static bool turn(const view *v, int i, int k, double out[3])
{
    double d_s[3], d_e[3], first[3], mixed[3], other[3], last[3];
    way_between(&v->hull->start, v->hull->is_quad, i, k, d_s);
    way_between(&v->hull->end, v->hull->is_quad, i, k, d_e);
    wi_cross3(v->start[i], d_s, first);
    wi_cross3(v->end[i], d_e, last);
    wi_cross3(v->start[i], d_e, mixed);
    wi_cross3(v->end[i], d_s, other);
    add3(mixed, other, mixed);
    out[0] = wi_dot3(v->c, first);
    out[1] = wi_dot3(v->c, mixed);
    out[2] = wi_dot3(v->c, last);
    return wi_dot3(d_s, d_s) > 0.0 || wi_dot3(d_e, d_e) > 0.0;
}

/* Step 9 for the corner i: all others are to the same side of it. */
static double clear_beside(const view *v, int i)
{
    WI_ASSERT(i >= 0 && i < v->count && v->count <= 4);
    double d[3], above[3], share = 1.0, sign = 0.0;
    for (int k = 0; k < v->count; k++) {
        if (k == i || !turn(v, i, k, d)) continue;
        if (sign == 0.0) sign = d[0] > 0.0 ? 1.0 : -1.0;
        above[0] = sign * d[0] - v->margin;
        above[1] = 0.5 * (sign * d[1] - v->margin);
        above[2] = sign * d[2] - v->margin;
        share = wi_smaller(share, wi_bernstein_share(above, 2));
    }
    return sign == 0.0 ? 0.0 : share;
}

void wi_swept_normal(const wi_swept_hull *h, double c[3])
{
    double u[3], v[3], w[3];
    add3(h->start.u, h->end.u, u);
    add3(h->start.v, h->end.v, v);
    add3(h->start.w, h->end.w, w);
    wi_cross3(u, v, c);
    if (wi_dot3(c, c) == 0.0) wi_cross3(u, w, c);
    if (wi_dot3(c, c) == 0.0) wi_cross3(v, w, c);
}

double wi_swept_clear_seen(const wi_swept_hull *h)
{
    double c[3], share = 0.0;
    view seen;
    if (h->reach > 0.0) return 0.0;
    wi_swept_normal(h, c);
    look_along(h, c, &seen);
    for (int i = 0; i < seen.count; i++) share = wi_larger(share, clear_beside(&seen, i));
    return share;
}

/* ---- contact ---- */

bool wi_swept_changes_side(const wi_swept_hull *h)
{
    const double *volume = h->volume;
    return (volume[0] > h->volume_error && volume[3] < -h->volume_error) ||
           (volume[0] < -h->volume_error && volume[3] > h->volume_error);
}

bool wi_swept_surely_meets(const wi_swept_hull *h)
{
    if (!wi_swept_changes_side(h)) return false;
    double c[3], d[3];
    view seen;
    wi_swept_normal(h, c);
    look_along(h, c, &seen);
    for (int i = 0; i < seen.count; i++)
        if (!turn(&seen, i, (i + 1) % seen.count, d) || !(d[0] > seen.margin) ||
            !(d[1] > seen.margin) || !(d[2] > seen.margin))
            return false;
    return true;
}

/* Step 8. The origin and the negative of the hull, or two edges whose differences are the hull. */
bool wi_swept_surely_within_reach(const wi_swept_hull *h, const wi_hull *at, double reach)
{
    WI_ASSERT(at == &h->start || at == &h->end);
    double tri[3][3], ea[2][3] = {{0}}, on_a[3] = {0}, on_b[3], error = 0.0;
    for (int i = 0; i < 3; i++) {
        tri[0][i] = -at->w[i];
        tri[1][i] = -at->w[i] - (h->is_quad ? at->v[i] : at->u[i]);
        tri[2][i] = -at->w[i] - at->v[i];
        ea[1][i] = at->u[i];
        error += (h->off_w[i] + 2.0 * h->off_uv[i]) +
                 64.0 * h->unit * (h->size_w[i] + 2.0 * h->size_uv[i]);
    }
    if (h->is_quad)
        wi_closest_on_edges((const double(*)[3])ea, (const double(*)[3])tri, on_a, on_b);
    else
        wi_closest_on_tri(on_a, (const double(*)[3])tri, on_b);
    return sqrt(wi_distance2(on_a, on_b)) + error <= reach;
}
