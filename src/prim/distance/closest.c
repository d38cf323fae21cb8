/* closest.c - closest points, by looking at all the features that they may lie on.
 *
 * A triangle's closest point is the foot of the perpendicular if that is inside, else on an edge.
 * Two segments are closest at the feet of their common perpendicular if both are inside, else at an
 * end of one of them (Ericson, Real-Time Collision Detection 2005, section 5.1). Looking at all of
 * them and taking the best is slower than telling them apart, and cannot go wrong by a sign.
 *
 * How far off an answer may be, for coordinates and differences up to L and roundings e:
 *   1. Every point found lies on its feature up to some e * L, so no distance is too small by more.
 *   2. The closest point of a segment is off by e * L along it.
 *   3. A foot on a triangle of height h over its longest side is found along that side, which is
 *      safe, and across it, where the direction has the error e * L / h: at distance d the foot is
 *      off by d * e * L / h, which makes the way longer by d * (e * L / h)^2 / 2. If it is
 *      taken to be outside, an edge is as near as that. An edge is never farther than
 *      h^2 / (2 * d) more. The lesser of the two is at most e * L.
 *   4. The same holds for the feet of two segments at a small angle, with h the sine of the angle
 *      times L: their cross product has the error e * L * L and the length h * L. Gram's
 *      determinant, which is its square, would lose half of the digits. */
#include "prim/distance/closest.h"

#include <string.h>

#include "base/check.h"

static double clamp_share(double share)
{
    return share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0; /* NaN becomes 0 */
}

static void add_share(const double from[3], const double along[3], double share, double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = from[i] + share * along[i];
}

wi_span wi_span_of(const double from[3], const double to[3])
{
    wi_span span;
    memcpy(span.from, from, sizeof span.from);
    wi_sub3(to, from, span.along);
    span.length2 = wi_dot3(span.along, span.along);
    span.inverse = span.length2 > 0.0 ? 1.0 / span.length2 : 0.0;
    return span;
}

double wi_share_on_span(const double p[3], const wi_span *span)
{
    WI_ASSERT(span->length2 >= 0.0 && span->inverse >= 0.0);
    double way[3];
    wi_sub3(p, span->from, way);
    return clamp_share(wi_dot3(way, span->along) * span->inverse);
}

void wi_closest_on_span(const double p[3], const wi_span *span, double out[3])
{
    add_share(span->from, span->along, wi_share_on_span(p, span), out);
}

bool wi_common_feet(const wi_span *a, const wi_span *b, double out_a[3], double out_b[3])
{
    double normal[3], way[3], cross[3];
    wi_cross3(a->along, b->along, normal);
    double normal2 = wi_dot3(normal, normal);
    if (!(normal2 > 0.0)) return false;
    wi_sub3(b->from, a->from, way);
    wi_cross3(way, b->along, cross);
    double share_a = wi_dot3(cross, normal);
    if (!(share_a >= 0.0 && share_a <= normal2)) return false;
    wi_cross3(way, a->along, cross);
    double share_b = wi_dot3(cross, normal);
    if (!(share_b >= 0.0 && share_b <= normal2)) return false;
    add_share(a->from, a->along, share_a / normal2, out_a);
    wi_closest_on_span(out_a, b, out_b);
    return true;
}

wi_spanned_tri wi_spanned_tri_of(const double tri[3][3])
{
    wi_spanned_tri out;
    out.base = 0;
    for (int i = 0; i < 3; i++) {
        out.side[i] = wi_span_of(tri[i], tri[(i + 1) % 3]);
        if (out.side[i].length2 > out.side[out.base].length2) out.base = i;
    }
    const wi_span *base = &out.side[out.base];
    double way[3];
    wi_sub3(tri[(out.base + 2) % 3], base->from, way);
    out.apex_share = wi_dot3(way, base->along) * base->inverse;
    add_share(way, base->along, -out.apex_share, out.across);
    double height2 = wi_dot3(out.across, out.across);
    out.inverse = height2 > 0.0 ? 1.0 / height2 : 0.0;
    return out;
}

/* Where the perpendicular from p meets the plane of a triangle that has an area: how far along its
 * base, and how far up to the third corner. */
typedef struct foot {
    double share, height;
} foot;

static inline foot foot_of(const double p[3], const wi_spanned_tri *tri)
{
    WI_ASSERT(tri->base >= 0 && tri->base < 3);
    const wi_span *base = &tri->side[tri->base];
    double way[3], rest[3];
    foot f;
    wi_sub3(p, base->from, way);
    f.share = wi_dot3(way, base->along) * base->inverse;
    add_share(way, base->along, -f.share, rest);
    f.height = wi_dot3(rest, tri->across) * tri->inverse;
    return f;
}

bool wi_foot_on_tri(const double p[3], const wi_spanned_tri *tri, double out[3])
{
    const wi_span *base = &tri->side[tri->base];
    if (!(tri->inverse > 0.0)) return false;
    const foot f = foot_of(p, tri);
    const double low = f.height * tri->apex_share;
    if (!(f.height >= 0.0 && f.share >= low && f.share - low + f.height <= 1.0)) return false;
    for (int i = 0; i < 3; i++)
        out[i] = base->from[i] + (f.share * base->along[i] + f.height * tri->across[i]);
    return true;
}

void wi_weigh_foot(const double p[3], const wi_spanned_tri *tri, double weights[3])
{
    const foot f = foot_of(p, tri);
    const double along = f.share - f.height * tri->apex_share;
    weights[tri->base] = 1.0 - (along + f.height);
    weights[(tri->base + 1) % 3] = along;
    weights[(tri->base + 2) % 3] = f.height;
    WI_ASSERT(weights[0] >= 0.0 && weights[1] >= 0.0 && weights[2] >= 0.0);
}

void wi_weigh_side(const double p[3], const wi_spanned_tri *tri, int side, double weights[3])
{
    WI_ASSERT(side >= 0 && side < 3);
    const double share = wi_share_on_span(p, &tri->side[side]);
    weights[side] = 1.0 - share;
    weights[(side + 1) % 3] = share;
    weights[(side + 2) % 3] = 0.0;
}

enum { ON_FACE = -1 };

/* Returns the number of the side on which the point is, or ON_FACE. The edges are looked at even if
 * the foot is inside: of a triangle that is thin beyond all roundings any point may seem to be. */
static int find_on_tri(const double p[3], const wi_spanned_tri *tri, double out[3])
{
    bool has_one = wi_foot_on_tri(p, tri, out);
    int where = ON_FACE;
    for (int i = 0; i < 3; i++) {
        double at[3];
        wi_closest_on_span(p, &tri->side[i], at);
        if (!has_one || wi_distance2(p, at) < wi_distance2(p, out)) {
            memcpy(out, at, sizeof at);
            where = i;
        }
        has_one = true;
    }
    return where;
}

void wi_closest_on_tri(const double p[3], const double tri[3][3], double out[3])
{
    const wi_spanned_tri spanned = wi_spanned_tri_of(tri);
    (void)find_on_tri(p, &spanned, out);
}

void wi_closest_on_spanned_tri(const double p[3], const wi_spanned_tri *tri, double out[3])
{
    (void)find_on_tri(p, tri, out);
}

void wi_weigh_on_tri(const double p[3], const double tri[3][3], double out[3], double weights[3])
{
    const wi_spanned_tri spanned = wi_spanned_tri_of(tri);
    const int where = find_on_tri(p, &spanned, out);
    if (where == ON_FACE)
        wi_weigh_foot(p, &spanned, weights);
    else
        wi_weigh_side(p, &spanned, where, weights);
}

void wi_keep_closer(wi_pair_of_points *best, const double a[3], const double b[3], int which)
{
    WI_ASSERT(best->distance2 >= 0.0);
    const double distance2 = wi_distance2(a, b);
    if (!(distance2 < best->distance2)) return;
    best->which = which;
    best->distance2 = distance2;
    memcpy(best->on_a, a, sizeof best->on_a);
    memcpy(best->on_b, b, sizeof best->on_b);
}

/* Pairs of points by number: an end of a and b, an end of b and a, the feet, and the first ends. */
enum { END_OF_A, END_OF_B = END_OF_A + 2, FEET = END_OF_B + 2, FIRST_ENDS };

static wi_pair_of_points find_on_edges(const double ea[2][3], const double eb[2][3],
                                       const wi_span *a, const wi_span *b)
{
    wi_pair_of_points best = {.distance2 = wi_distance2(ea[0], eb[0]), .which = FIRST_ENDS};
    double at[3], at_b[3];
    memcpy(best.on_a, ea[0], sizeof best.on_a);
    memcpy(best.on_b, eb[0], sizeof best.on_b);
    for (int end = 0; end < 2; end++) {
        wi_closest_on_span(ea[end], b, at);
        wi_keep_closer(&best, ea[end], at, END_OF_A + end);
        wi_closest_on_span(eb[end], a, at);
        wi_keep_closer(&best, at, eb[end], END_OF_B + end);
    }
    if (wi_common_feet(a, b, at, at_b)) wi_keep_closer(&best, at, at_b, FEET);
    return best;
}

void wi_closest_on_edges(const double ea[2][3], const double eb[2][3], double out_a[3],
                         double out_b[3])
{
    const wi_span a = wi_span_of(ea[0], ea[1]), b = wi_span_of(eb[0], eb[1]);
    const wi_pair_of_points best = find_on_edges(ea, eb, &a, &b);
    memcpy(out_a, best.on_a, sizeof best.on_a);
    memcpy(out_b, best.on_b, sizeof best.on_b);
}

void wi_weigh_on_edges(const double ea[2][3], const double eb[2][3], double out_a[3],
                       double out_b[3], double share[2])
{
    const wi_span a = wi_span_of(ea[0], ea[1]), b = wi_span_of(eb[0], eb[1]);
    const wi_pair_of_points best = find_on_edges(ea, eb, &a, &b);
    memcpy(out_a, best.on_a, sizeof best.on_a);
    memcpy(out_b, best.on_b, sizeof best.on_b);
    share[0] = share[1] = 0.0;
    if (best.which == FIRST_ENDS) return;
    const bool is_end_of_a = best.which < END_OF_B;
    const bool is_end_of_b = !is_end_of_a && best.which < FEET;
    share[0] = is_end_of_a ? best.which - END_OF_A : wi_share_on_span(best.on_a, &a);
    share[1] = is_end_of_b ? best.which - END_OF_B : wi_share_on_span(best.on_b, &b);
}
