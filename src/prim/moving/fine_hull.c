/* fine_hull.c - the volume and the view along the normal, in sums of two doubles.
 *
 * Way in: wi_fine_clear. Made for the few pairs that pass each other by less than the roundings of
 * double: cubes in a row, whose edges are on one line but for the last bit.
 *
 * Why the bounds of swept_hull.c hold with u = 2^-100. A number is a sum of two doubles, the second
 * no more than half of the last bit of the first.
 *   1. A sum is off by at most 2^-103 (|a| + |b|): two_sum loses nothing, and of the two roundings
 *      that are left each is 2^-53 of terms that are at most 2^-52 (|a| + |b|). A product is off by
 *      2^-102 |a b|: the product of the low parts is left out, 2^-106, and three roundings of terms
 *      of 2^-53 are kept within 2^-103. (Dekker 1971; constants here are rounded up.)
 *   2. Differences of given numbers are exact, so places are off by less than in toi.c, step 2.
 *      Every further step is that of swept_hull.c, with as many roundings.
 *   3. Products whose low parts underflow are off by 2^-1074 or so, times at most two more factors
 *      below 2^81; what swept_hull.c adds for that is more than that.
 *   4. Of the result the high part is taken, off by 2^-53 of itself: 2^-50 of it is taken off. */
#include "prim/moving/fine_hull.h"

#include <math.h>
#include <stdbool.h>
#include "base/check.h"
#include "prim/distance/closest.h"

typedef struct fine {
    double high, low;
} fine;

typedef fine fine3[3];

static fine two_sum(double a, double b)
{
    const double sum = a + b, b_part = sum - a;
    return (fine){sum, (a - (sum - b_part)) + (b - b_part)};
}

/* As two_sum, where |a| >= |b|. */
static fine quick_sum(double a, double b)
{
    const double sum = a + b;
    return (fine){sum, b - (sum - a)};
}

static fine two_product(double a, double b)
{
    const double splitter = 0x1p27 + 1.0;
    const double a_big = splitter * a, b_big = splitter * b;
    const double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    const double a_low = a - a_high, b_low = b - b_high, product = a * b;
    return (fine){product, a_low * b_low -
                               (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)};
}

static fine plus(fine a, fine b)
{
    const fine sum = two_sum(a.high, b.high);
    return two_sum(sum.high, sum.low + (a.low + b.low));
}

static fine negative(fine a) { return (fine){-a.high, -a.low}; }

static fine minus(fine a, fine b) { return plus(a, negative(b)); }

static fine times(fine a, fine b)
{
    const fine product = two_product(a.high, b.high);
    return quick_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static fine scaled(fine a, double power) { return (fine){a.high * power, a.low * power}; }

static fine dot(const fine3 a, const fine3 b)
{
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]));
}

static void cross(const fine3 a, const fine3 b, fine3 out)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = minus(times(a[j], b[k]), times(a[k], b[j]));
    }
}

static void add(const fine3 a, const fine3 b, fine3 out)
{
    for (int i = 0; i < 3; i++) out[i] = plus(a[i], b[i]);
}

/* ---- places ---- */

typedef struct fine_hull {
    fine3 w, u, v;
} fine_hull;

/* a - b at the time t */
static void difference_at(const wi_fine_motion *m, int a, int b, double t, fine3 out)
{
    WI_ASSERT(a >= 0 && a < 4 && b >= 0 && b < 4 && t >= 0.0 && t <= 1.0);
    for (int i = 0; i < 3; i++) {
        const fine start = scaled(two_sum(m->start[a][i], -m->start[b][i]), m->scale);
        const fine end = scaled(two_sum(m->end[a][i], -m->end[b][i]), m->scale);
        out[i] = plus(start, times((fine){t, 0.0}, minus(end, start)));
    }
}

static void hull_at(const wi_fine_motion *m, bool is_quad, double t, fine_hull *out)
{
    const int other = is_quad ? 2 : 1, back = is_quad ? 0 : 2;
    difference_at(m, 0, other, t, out->w);
    difference_at(m, 1, back, t, out->u);
    difference_at(m, other, 3, t, out->v);
}

/* ---- certificates ---- */

/* A lower bound of what exceeds the margin, on the side of `sign`. */
static double lower(fine x, double sign, double margin)
{
    WI_ASSERT((sign == 1.0 || sign == -1.0) && margin >= 0.0);
    return sign * x.high - (margin * (1.0 + 0x1p-50) + 0x1p-50 * fabs(x.high));
}

static double volume_share(const fine_hull *s, const fine_hull *e, double margin)
{
    const fine third = {1.0 / 3.0, 0x1.5555555555555p-56};
    fine3 first, mixed, other, last;
    double above[4];
    cross(s->u, s->v, first);
    cross(e->u, e->v, last);
    cross(s->u, e->v, mixed);
    cross(e->u, s->v, other);
    add(mixed, other, mixed);
    const fine d[4] = {dot(s->w, first), times(third, plus(dot(e->w, first), dot(s->w, mixed))),
                       times(third, plus(dot(e->w, mixed), dot(s->w, last))), dot(e->w, last)};
    const double sign = d[0].high > 0.0 ? 1.0 : -1.0;
    for (int i = 0; i < 4; i++) above[i] = lower(d[i], sign, margin);
    return wi_bernstein_share(above, 3);
}

/* Corner k in order, as in swept_hull.c: w and by how much of u and v. */
static void corner(const fine_hull *h, double u, double v, bool with_w, fine3 out)
{
    for (int i = 0; i < 3; i++) {
        out[i] = plus(scaled(h->u[i], u), scaled(h->v[i], v));
        if (with_w) out[i] = plus(h->w[i], out[i]);
    }
}

typedef struct fine_view {
    const fine_hull *start, *end;
    fine3 c;
    double margin;
} fine_view;

static bool is_zero(const fine3 a)
{
    return a[0].high == 0.0 && a[1].high == 0.0 && a[2].high == 0.0;
}

/* c.(q x d) = (c x q).d over the span: a corner at both of its ends, seen so. */
typedef struct seen_corner {
    fine3 start, end; /* c x q */
} seen_corner;

static void see_corner(const fine_view *view, const double at[2], seen_corner *out)
{
    fine3 q;
    corner(view->start, at[0], at[1], true, q);
    cross(view->c, q, out->start);
    corner(view->end, at[0], at[1], true, q);
    cross(view->c, q, out->end);
}

/* The coefficients of c.(q x d), for a way that is another share of u and v; the mean one doubled.
 * False if the way is none at all times. */
static bool turn(const fine_view *view, const seen_corner *q, const double way[2], fine out[3])
{
    fine3 d_s, d_e;
    corner(view->start, way[0], way[1], false, d_s);
    corner(view->end, way[0], way[1], false, d_e);
    out[0] = dot(q->start, d_s);
    out[1] = plus(dot(q->start, d_e), dot(q->end, d_s));
    out[2] = dot(q->end, d_e);
    return !is_zero(d_s) || !is_zero(d_e);
}

static double seen_share(const fine_view *view, bool is_quad)
{
    static const double tri[3][2] = {{0, 0}, {1, 0}, {0, 1}};
    static const double quad[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const double(*corners)[2] = is_quad ? quad : tri;
    const int count = is_quad ? 4 : 3;
    double best = 0.0;
    for (int i = 0; i < count; i++) {
        double share = 1.0, sign = 0.0;
        seen_corner q;
        see_corner(view, corners[i], &q);
        for (int k = 0; k < count && share > best; k++) {
            const double way[2] = {corners[k][0] - corners[i][0], corners[k][1] - corners[i][1]};
            fine d[3];
            if (k == i || !turn(view, &q, way, d)) continue;
            if (sign == 0.0) sign = d[0].high > 0.0 ? 1.0 : -1.0;
            const double above[3] = {lower(d[0], sign, view->margin),
                                     0.5 * lower(d[1], sign, view->margin),
                                     lower(d[2], sign, view->margin)};
            const double part = wi_bernstein_share(above, 2);
            share = part < share ? part : share;
        }
        if (sign != 0.0 && share > best) best = share;
    }
    return best;
}

enum { VIEWS = 4 };

/* Along the normal, and in three ways across u or v, of which one shows what lies beside a hull
 * that is nearly a segment. */
static void choose_view(const wi_swept_hull *h, int number, double c[3])
{
    WI_ASSERT(number >= 0 && number < VIEWS);
    const double axis[3] = {number == 1, number == 2, number == 3};
    const double *along = wi_dot3(h->start.u, h->start.u) > 0.0 ? h->start.u : h->start.v;
    if (number == 0)
        wi_swept_normal(h, c);
    else
        wi_cross3(axis, along, c);
}

/* Is the hull nearly a segment? Then its normal in double may be anything. */
static bool is_thin(const wi_swept_hull *h)
{
    double normal[3];
    wi_cross3(h->start.u, h->start.v, normal);
    const double lengths = wi_dot3(h->start.u, h->start.u) * wi_dot3(h->start.v, h->start.v);
    return !(wi_dot3(normal, normal) > 0x1p-40 * lengths);
}

double wi_fine_clear(const wi_fine_motion *motion, const wi_swept_hull *h)
{
    WI_ASSERT(h->reach == 0.0 && h->unit == WI_FINE_UNIT);
    WI_ASSERT(motion->s <= motion->e && motion->scale > 0.0);
    fine_hull start, end;
    double c[3];
    hull_at(motion, h->is_quad, motion->s, &start);
    hull_at(motion, h->is_quad, motion->e, &end);
    const double by_volume = volume_share(&start, &end, wi_swept_volume_error(h));
    if (by_volume >= 1.0) return 1.0;

    double best = by_volume;
    const int views = is_thin(h) ? VIEWS : 1;
    for (int k = 0; k < views && best < 1.0; k++) {
        choose_view(h, k, c);
        const fine_view view = {.start = &start,
                                .end = &end,
                                .c = {{c[0], 0.0}, {c[1], 0.0}, {c[2], 0.0}},
                                .margin = wi_swept_turn_error(h, c)};
        const double share = seen_share(&view, h->is_quad);
        best = share > best ? share : best;
    }
    return best;
}
