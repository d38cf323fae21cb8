/* closest.c - closest points, by looking at all the features that they may lie on.
 *
 * A triangle's closest point is the foot of the perpendicular if that is inside, else on an edge.
 * Two segments are closest at the feet of their common perpendicular if both are inside, else at an
 * end of one of them (Ericson, Real-Time Collision Detection 2005, section 5.1). Looking at all of
 * them and taking the best is slower than telling them apart, and cannot go wrong by a sign. */
#include "prim/closest.h"

#include <string.h>

static double clamp_share(double share)
{
    return share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0; /* NaN becomes 0 */
}

static void closest_on_edge(const double p[3], const double from[3], const double to[3],
                            double out[3])
{
    double along[3], way[3];
    wi_sub3(to, from, along);
    wi_sub3(p, from, way);
    double length2 = wi_dot3(along, along);
    wi_mix3(from, to, length2 > 0.0 ? clamp_share(wi_dot3(way, along) / length2) : 0.0, out);
}

/* The foot of the perpendicular from p, if it is inside of a triangle that has an area. The second
 * round starts from the first foot: of a thin triangle that one is far off, by a share of its way
 * to p, and the way that is left is short. */
static int foot_inside(const double p[3], const double tri[3][3], double out[3])
{
    double u[3], v[3], w[3], normal[3], cross[3], s = 0.0, t = 0.0;
    wi_sub3(tri[1], tri[0], u);
    wi_sub3(tri[2], tri[0], v);
    wi_cross3(u, v, normal);
    double area2 = wi_dot3(normal, normal);
    if (!(area2 > 0.0)) return 0;
    memcpy(out, tri[0], 3 * sizeof *out);
    for (int round = 0; round < 2; round++) {
        wi_sub3(p, out, w);
        wi_cross3(w, v, cross);
        s += wi_dot3(cross, normal) / area2;
        wi_cross3(u, w, cross);
        t += wi_dot3(cross, normal) / area2;
        for (int i = 0; i < 3; i++) out[i] = tri[0][i] + (s * u[i] + t * v[i]);
    }
    return s >= 0.0 && t >= 0.0 && s + t <= 1.0;
}

/* The edges are looked at even if the foot is inside: of a triangle that is thin beyond all
 * roundings any point may seem to be. */
void wi_closest_on_tri(const double p[3], const double tri[3][3], double out[3])
{
    int has_one = foot_inside(p, tri, out);
    for (int i = 0; i < 3; i++) {
        double at[3];
        closest_on_edge(p, tri[i], tri[(i + 1) % 3], at);
        if (!has_one || wi_distance2(p, at) < wi_distance2(p, out)) memcpy(out, at, sizeof at);
        has_one = 1;
    }
}

/* A pair of points, kept if it is the closest so far. */
typedef struct closest {
    double *a, *b;
    double distance2;
} closest;

static void keep_closer(closest *best, const double a[3], const double b[3])
{
    double distance2 = wi_distance2(a, b);
    if (!(distance2 < best->distance2)) return;
    best->distance2 = distance2;
    memcpy(best->a, a, 3 * sizeof *a);
    memcpy(best->b, b, 3 * sizeof *b);
}

/* The feet of the common perpendicular, moved into the segments; ends beyond are tried elsewhere.
 */
static void try_perpendicular(const double ea[2][3], const double eb[2][3], closest *best)
{
    double u[3], v[3], w[3], at_a[3], at_b[3];
    wi_sub3(ea[1], ea[0], u);
    wi_sub3(eb[1], eb[0], v);
    wi_sub3(ea[0], eb[0], w);
    double uu = wi_dot3(u, u), uv = wi_dot3(u, v), vv = wi_dot3(v, v);
    double uw = wi_dot3(u, w), vw = wi_dot3(v, w), det = uu * vv - uv * uv;
    if (!(det > 0.0)) return;
    wi_mix3(ea[0], ea[1], clamp_share((uv * vw - vv * uw) / det), at_a);
    closest_on_edge(at_a, eb[0], eb[1], at_b);
    closest_on_edge(at_b, ea[0], ea[1], at_a);
    keep_closer(best, at_a, at_b);
}

void wi_closest_on_edges(const double ea[2][3], const double eb[2][3], double out_a[3],
                         double out_b[3])
{
    closest best = {out_a, out_b, wi_distance2(ea[0], eb[0])};
    memcpy(out_a, ea[0], 3 * sizeof *out_a);
    memcpy(out_b, eb[0], 3 * sizeof *out_b);
    for (int end = 0; end < 2; end++) {
        double at[3];
        closest_on_edge(ea[end], eb[0], eb[1], at);
        keep_closer(&best, ea[end], at);
        closest_on_edge(eb[end], ea[0], ea[1], at);
        keep_closer(&best, at, eb[end]);
    }
    try_perpendicular(ea, eb, &best);
}
