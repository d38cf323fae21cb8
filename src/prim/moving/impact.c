/* impact.c - the contact at the time of an impact.
 *
 * Ways in: wi_vertex_face_contact, wi_edge_edge_contact. Made for the few pairs of features that do
 * touch. Points are the closest ones at that time, in double, relative to the first point and
 * scaled by a power of two, so that no product overflows or vanishes.
 *
 * The normal, for n the cross product of two sides of the face, or of both edges:
 *   1. With a reach the two are that far apart, and it goes from point to point. That is off by
 *      roundings over the distance, so it counts only where the distance is clear: beyond 1e-8 of
 *      the size, and far beyond what coordinates are off by (step 5).
 *   2. Where that does not make it clear, since features are small and far from the origin: the way
 *      between inner points is along n, which is known better, and only has to tell its sign. Where
 *      it does not, or one of the points is on the rim of its feature, there is none.
 *   3. Else it is n, up to its sign, since the two are as good as in touch. On which side the first
 *      one is at the start is an exact sign: for a vertex v and a face (a, b, c) that of
 *      (a - v) . ((b - a) x (c - a)), which is positive if n goes from the vertex to the face; for
 *      edges (a, b) and (c, d) that of (c - a) . ((b - a) x (d - c)). Both are wi_orient3d64.
 *   4. Where that sign is 0, or n is not clear of the roundings of its sides, there is none.
 *   5. A place at a time is a sum of two products with the places at both ends, off by a few
 *      roundings of the largest coordinate at the start and then, which bound that at the end.
 *      Sides are differences of two. A closest point may slide along a sliver by more than that, so
 *      that the way is off by the root of that over its length at worst: 2^-7; mostly 2^-14. */
#include "prim/moving/impact.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "prim/distance/closest.h"
#include "prim/moving/toi.h"
#include "prim/signs/orient64.h"

/* Apart without doubt, in parts of the size: then a direction is right in six digits. */
#define CLEARLY_APART 1e-8

/* How much longer than what coordinates are off by is the way between points whose direction is
 * right; a way between inner points whose sign is; and n, in parts of its sides. */
#define CLEAR_WAY 0x1p14
#define CLEAR_SIGN 0x1p4
#define CLEAR_NORMAL 0x1p8

/* Four points relative to the first, the farthest between 1 and 2 away along some axis; or all in
 * one place. */
typedef struct near_points {
    double p[4][3];
    double unit; /* that length, in the world */
    double off;  /* what coordinates are off by */
} near_points;

static near_points points_near(const double start[4][3], const double at[4][3])
{
    near_points out;
    double size = 0.0, largest = 0.0;
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++) {
            out.p[i][axis] = at[i][axis] - at[0][axis];
            size = wi_larger(size, fabs(out.p[i][axis]));
            largest = wi_larger(largest, wi_larger(fabs(start[i][axis]), fabs(at[i][axis])));
        }
    out.unit = size > 0x1p-500 ? wi_power_in(size) : 1.0;
    const double scale = 1.0 / out.unit;
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++) out.p[i][axis] *= scale;
    out.off = 0x1p-51 * largest * scale;
    return out;
}

static double length_of(const double v[3]) { return sqrt(wi_dot3(v, v)); }

static void set_normal(const double along[3], double factor, willow_contact *out)
{
    out->normal = (willow_vec3){(float)(along[0] * factor), (float)(along[1] * factor),
                                (float)(along[2] * factor)};
    out->has_normal = true;
}

/* How the two lie to each other. */
typedef struct lie {
    int side;          /* the sign at the start */
    double u[3], v[3]; /* the sides whose cross product is the normal */
    double way[3];     /* from point to point */
    bool is_on_rim;    /* at an end of an edge, or at an edge of the face */
} lie;

/* On which side of n the first one is, by steps 2 and 3; 0 if nothing tells. */
static int side_of(const near_points *near, const lie *l, const double n[3], double reach)
{
    if (!(reach > 0.0 && CLEAR_WAY * near->off > CLEARLY_APART)) return l->side;
    if (l->is_on_rim || !(length_of(l->way) > CLEAR_SIGN * near->off)) return 0;
    return wi_dot3(l->way, n) > 0.0 ? 1 : -1;
}

static void find_normal(const near_points *near, const lie *l, double reach, willow_contact *out)
{
    const double distance = length_of(l->way);
    if (reach > 0.0 && distance > wi_larger(CLEARLY_APART, CLEAR_WAY * near->off)) {
        set_normal(l->way, 1.0 / distance, out);
        return;
    }
    double n[3];
    wi_cross3(l->u, l->v, n);
    const int side = side_of(near, l, n, reach);
    const double length = length_of(n), length_u = length_of(l->u), length_v = length_of(l->v);
    const double off =
        CLEAR_NORMAL * near->off * (length_u + length_v) + 0x1p-46 * length_u * length_v;
    if (side != 0 && length > off) set_normal(n, side / length, out);
}

static willow_vec3 place_of(const double origin[3], const double p[3], double unit)
{
    return (willow_vec3){(float)(origin[0] + p[0] * unit), (float)(origin[1] + p[1] * unit),
                         (float)(origin[2] + p[2] * unit)};
}

willow_contact wi_vertex_face_contact(const double start[4][3], const double at[4][3], double reach)
{
    WI_ASSERT(reach >= 0.0);
    const near_points near = points_near(start, at);
    const double(*tri)[3] = near.p + 1;
    willow_contact out = {.weights_a = {1.0F, 0.0F, 0.0F}};
    lie l;
    double on[3], weights[3];
    wi_weigh_on_tri(near.p[0], tri, on, weights);
    for (int i = 0; i < 3; i++) out.weights_b[i] = (float)weights[i];
    out.point_a = place_of(at[0], near.p[0], near.unit);
    out.point_b = place_of(at[0], on, near.unit);
    wi_sub3(tri[1], tri[0], l.u);
    wi_sub3(tri[2], tri[0], l.v);
    memcpy(l.way, on, sizeof l.way);
    l.side = wi_orient3d64(start[1], start[2], start[3], start[0]);
    l.is_on_rim = !(weights[0] > 0.0 && weights[1] > 0.0 && weights[2] > 0.0);
    find_normal(&near, &l, reach, &out);
    return out;
}

willow_contact wi_edge_edge_contact(const double start[4][3], const double at[4][3], double reach)
{
    WI_ASSERT(reach >= 0.0);
    const near_points near = points_near(start, at);
    const double(*ea)[3] = near.p, (*eb)[3] = near.p + 2;
    willow_contact out = {.has_normal = false};
    lie l;
    double on_a[3], on_b[3], share[2];
    wi_weigh_on_edges(ea, eb, on_a, on_b, share);
    out.weights_a[0] = (float)(1.0 - share[0]);
    out.weights_a[1] = (float)share[0];
    out.weights_b[0] = (float)(1.0 - share[1]);
    out.weights_b[1] = (float)share[1];
    out.point_a = place_of(at[0], on_a, near.unit);
    out.point_b = place_of(at[0], on_b, near.unit);
    wi_sub3(ea[1], ea[0], l.u);
    wi_sub3(eb[1], eb[0], l.v);
    wi_sub3(on_b, on_a, l.way);
    l.side = wi_orient3d64(start[0], start[1], start[2], start[3]);
    l.is_on_rim = !(share[0] > 0.0 && share[0] < 1.0 && share[1] > 0.0 && share[1] < 1.0);
    find_normal(&near, &l, reach, &out);
    return out;
}

willow_contact wi_contact_swapped(const willow_contact *c)
{
    willow_contact out = *c;
    out.point_a = c->point_b;
    out.point_b = c->point_a;
    memcpy(out.weights_a, c->weights_b, sizeof out.weights_a);
    memcpy(out.weights_b, c->weights_a, sizeof out.weights_b);
    if (c->has_normal) out.normal = (willow_vec3){-c->normal.x, -c->normal.y, -c->normal.z};
    return out;
}

/* ---- straight paths, for everyone ---- */

/* The four points at a time, as walks over steps have them; false for numbers that are refused. */
static bool place_straight(const double start[4][3], const double end[4][3], double touch_distance,
                           double time, double at[4][3])
{
    if (!wi_toi_takes(start, end, touch_distance) || !(time >= 0.0 && time <= 1.0)) return false;
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++)
            at[i][axis] = (1.0 - time) * start[i][axis] + time * end[i][axis];
    return true;
}

bool(willow_vertex_face_contact)(const double start[4][3], const double end[4][3],
                                 double touch_distance, double time, willow_contact *out)
{
    double at[4][3];
    *out = (willow_contact){.has_normal = false};
    if (!place_straight(start, end, touch_distance, time, at)) return false;
    *out = wi_vertex_face_contact(start, (const double(*)[3])at, touch_distance);
    return true;
}

bool(willow_edge_edge_contact)(const double start[4][3], const double end[4][3],
                               double touch_distance, double time, willow_contact *out)
{
    double at[4][3];
    *out = (willow_contact){.has_normal = false};
    if (!place_straight(start, end, touch_distance, time, at)) return false;
    *out = wi_edge_edge_contact(start, (const double(*)[3])at, touch_distance);
    return true;
}
