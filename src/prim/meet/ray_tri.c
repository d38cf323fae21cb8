/* ray_tri.c - rays against triangles: double precision with proven bounds, then expansions.
 *
 * Way in: wi_ray_meets_tri. Made for the few triangles of a leaf that the wide filter leaves over:
 * most are decided in some 100 operations.
 *
 * Let o and d be origin and direction, a, b, c the corners, A = a - o and so on, and det the
 * determinant of three vectors.
 *   1. wa = det(d, B, c - b), wb = det(d, C, a - c), wc = det(d, A, b - a) say on which side of the
 *      line each edge is. Their sum is D = d . N, with the normal N = (b - a) x (c - a).
 *   2. If two of them have opposite signs, the line misses the triangle. If D is not 0 it meets the
 *      plane outside. If D is 0 it is parallel to the plane and not in it: in it all three are 0;
 *      so they are where the corners are on one line that has a point in common with the ray's.
 *   3. If they are not all 0, they have the sign of D, so the line crosses the plane, in the
 *      triangle, at t = (A . N) / D, with wa / D, wb / D, wc / D as shares of the corners. t is at
 *      least t_min if A . N - t_min D = (A - t_min d) . N is 0 or has the sign of D.
 *   4. If all are 0, all lies in a plane, or corners are on a line. The first common point is where
 *      the ray starts, if that is inside, else it is on an edge. All of that is done exactly.
 *
 * The filters are those of orient.c: of a determinant of which every entry is rounded at most once,
 * each monomial goes through at most 8 roundings, so 9 * 2^-53 of the sum of their sizes is a
 * bound. What is not known to 2^-31 of itself is computed exactly: so t, a quotient of two such
 * numbers, is within 2^-29 of itself.
 *
 * Why nothing underflows or overflows: coordinates are multiples of 2^-149 below 2^128, and no
 * product has more than four of them, so all are multiples of 2^-596 below 2^520. */
#include "prim/meet/ray_tri.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/larger.h"
#include "prim/signs/expansion.h"
#include "willow/prim.h"

#define UNIT 0x1p-53
#define WELL_KNOWN 0x1p-31

/* A number, and by how much it may be off. */
typedef struct measured {
    double value, bound;
} measured;

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static void subtract(const float a[3], const float b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = (double)a[i] - (double)b[i];
}

static measured determinant(const double u[3], const double v[3], const double w[3])
{
    measured m = {0.0, 0.0};
    for (int x = 0; x < 3; x++) {
        const int y = (x + 1) % 3, z = (x + 2) % 3;
        const double left = v[y] * w[z], right = v[z] * w[y];
        m.value += u[x] * (left - right);
        m.bound += fabs(u[x]) * (fabs(left) + fabs(right));
    }
    m.bound *= 9.0 * UNIT;
    return m;
}

/* ---- exactly ---- */

typedef struct exact_vector {
    wi_expansion axis[3];
} exact_vector;

static void exact_difference(const float a[3], const float b[3], exact_vector *out)
{
    for (int i = 0; i < 3; i++) wi_expansion_difference((double)a[i], (double)b[i], &out->axis[i]);
}

static void exact_direction(const wi_ray *ray, exact_vector *out)
{
    for (int i = 0; i < 3; i++)
        wi_expansion_difference((double)ray->direction[i], 0.0, &out->axis[i]);
}

/* p - (o + t d) */
static void exact_from_ray(const float p[3], const wi_ray *ray, float t, exact_vector *out)
{
    for (int i = 0; i < 3; i++)
        wi_expansion_difference_less((double)p[i], (double)ray->origin[i], (double)t,
                                     (double)ray->direction[i], &out->axis[i]);
}

static measured exact_determinant(const exact_vector *u, const exact_vector *v,
                                  const exact_vector *w)
{
    wi_expansion e;
    wi_expansion_determinant(u->axis, v->axis, w->axis, &e);
    return (measured){wi_expansion_value(&e), 0.0};
}

/* Coordinate `axis` of the cross product. */
static double exact_cross(const exact_vector *v, const exact_vector *w, int axis)
{
    const int x = (axis + 1) % 3, y = (axis + 2) % 3;
    wi_expansion e;
    wi_expansion_minor(&v->axis[x], &v->axis[y], &w->axis[x], &w->axis[y], &e);
    return wi_expansion_value(&e);
}

/* Step 1: det(d, p - o, q - p). */
static measured exact_edge(const wi_ray *ray, const float p[3], const float q[3])
{
    exact_vector direction, to_p, edge;
    exact_direction(ray, &direction);
    exact_difference(p, ray->origin, &to_p);
    exact_difference(q, p, &edge);
    return exact_determinant(&direction, &to_p, &edge);
}

/* (A - t d) . N, and D. */
static measured exact_height(const wi_ray *ray, const wi_tri *tri, float t)
{
    exact_vector to_a, ab, ac;
    exact_from_ray(tri->corner[0], ray, t, &to_a);
    exact_difference(tri->corner[1], tri->corner[0], &ab);
    exact_difference(tri->corner[2], tri->corner[0], &ac);
    return exact_determinant(&to_a, &ab, &ac);
}

static measured exact_slope(const wi_ray *ray, const wi_tri *tri)
{
    exact_vector direction, ab, ac;
    exact_direction(ray, &direction);
    exact_difference(tri->corner[1], tri->corner[0], &ab);
    exact_difference(tri->corner[2], tri->corner[0], &ac);
    return exact_determinant(&direction, &ab, &ac);
}

/* ---- all in one plane ---- */

/* A point of the ray, and the shares of two corners in it. */
typedef struct edge_point {
    double t, share; /* share of the second end */
} edge_point;

static bool is_from(const wi_expansion *over_t, double denominator)
{
    return wi_expansion_sign(over_t) * sign_of(denominator) >= 0;
}

/* The edge is on the line of the ray: the two overlap, or not. */
static bool overlaps_edge(const wi_ray *ray, const float p[3], const float q[3], edge_point *out)
{
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (fabsf(ray->direction[i]) > fabsf(ray->direction[axis])) axis = i;
    const double slope = (double)ray->direction[axis];
    double t[2];
    bool is_late[2], is_early[2]; /* at least t_min, at most t_max */
    for (int end = 0; end < 2; end++) {
        const double at = (double)(end == 0 ? p : q)[axis], origin = (double)ray->origin[axis];
        wi_expansion e;
        t[end] = (at - origin) / slope;
        wi_expansion_difference_less(at, origin, (double)ray->t_min, slope, &e);
        is_late[end] = is_from(&e, slope);
        is_early[end] = true;
        if (ray->t_max < INFINITY) {
            wi_expansion_difference_less(at, origin, (double)ray->t_max, slope, &e);
            is_early[end] = is_from(&e, -slope);
        }
    }
    if ((!is_late[0] && !is_late[1]) || (!is_early[0] && !is_early[1])) return false;
    const double first = t[0] < t[1] ? t[0] : t[1];
    out->t = wi_larger(first, (double)ray->t_min);
    out->share = t[0] != t[1] ? (out->t - t[0]) / (t[1] - t[0]) : 0.0;
    return true;
}

/* Where a ray meets an edge that is in one plane with it. */
static bool meets_edge(const wi_ray *ray, const float p[3], const float q[3], edge_point *out)
{
    exact_vector direction, to_p, to_q, edge, from;
    exact_direction(ray, &direction);
    exact_difference(p, ray->origin, &to_p);
    exact_difference(q, ray->origin, &to_q);
    exact_difference(q, p, &edge);
    for (int axis = 0; axis < 3; axis++) {
        /* o + t d = p + s e, so t (d x e) = (p - o) x e, and s (d x e) = (p - o) x d. */
        const double slope = exact_cross(&direction, &edge, axis);
        if (slope == 0.0) continue;
        const double side_p = exact_cross(&direction, &to_p, axis);
        const double side_q = exact_cross(&direction, &to_q, axis);
        if (sign_of(side_p) * sign_of(side_q) > 0) return false;
        exact_from_ray(p, ray, ray->t_min, &from);
        if (sign_of(exact_cross(&from, &edge, axis)) * sign_of(slope) < 0) return false;
        if (ray->t_max < INFINITY) {
            exact_from_ray(p, ray, ray->t_max, &from);
            if (sign_of(exact_cross(&from, &edge, axis)) * sign_of(slope) > 0) return false;
        }
        *out = (edge_point){exact_cross(&to_p, &edge, axis) / slope, -side_p / slope};
        return true;
    }
    for (int axis = 0; axis < 3; axis++)
        if (exact_cross(&direction, &to_p, axis) != 0.0) return false;
    return overlaps_edge(ray, p, q, out);
}

/* The ray, which is in the plane of the triangle, starts in it. Fills the shares of the corners. */
static bool starts_inside(const wi_ray *ray, const wi_tri *tri, double shares[3])
{
    exact_vector edge[3], from[3];
    for (int i = 0; i < 3; i++) {
        exact_difference(tri->corner[(i + 1) % 3], tri->corner[i], &edge[i]);
        exact_from_ray(tri->corner[i], ray, ray->t_min, &from[i]);
    }
    for (int axis = 0; axis < 3; axis++) {
        const double area = exact_cross(&edge[0], &edge[1], axis);
        if (area == 0.0) continue;
        for (int i = 0; i < 3; i++) {
            shares[(i + 2) % 3] = -exact_cross(&edge[i], &from[i], axis) / area;
            if (shares[(i + 2) % 3] < 0.0) return false;
        }
        return true;
    }
    return false;
}

static float share_between(double share, double most)
{
    share = share > 0.0 ? share : 0.0;
    return (float)(share < most ? share : most);
}

static void write_shares(const double shares[3], wi_ray_point *out)
{
    out->u = share_between(shares[1], 1.0);
    out->v = share_between(shares[2], 1.0 - (double)out->u);
}

static double within_ray(const wi_ray *ray, double t)
{
    t = wi_larger(t, (double)ray->t_min);
    return t < (double)ray->t_max ? t : (double)ray->t_max;
}

/* Step 4. */
static wi_ray_side meets_in_plane(const wi_ray *ray, const wi_tri *tri, wi_ray_point *out)
{
    double shares[3];
    bool found = starts_inside(ray, tri, shares);
    out->t = (double)ray->t_min;
    for (int i = 0; i < 3 && !(found && out->t <= (double)ray->t_min); i++) {
        edge_point point;
        const int next = (i + 1) % 3;
        if (!meets_edge(ray, tri->corner[i], tri->corner[next], &point)) continue;
        if (found && point.t >= out->t) continue;
        found = true;
        out->t = within_ray(ray, point.t);
        shares[i] = 1.0 - point.share;
        shares[next] = point.share;
        shares[(i + 2) % 3] = 0.0;
    }
    if (!found) return WI_RAY_MISSES;
    write_shares(shares, out);
    return WI_RAY_MEETS_EDGE_ON;
}

/* ---- one point ---- */

/* The sign of height - t slope: where the point is as seen from t, if the slope is positive. */
static int sign_beyond(const wi_ray *ray, const wi_tri *tri, measured height, measured slope,
                       float t)
{
    const double at = (double)t * slope.value, over = height.value - at;
    const double bound = 1.001 * (height.bound + fabs((double)t) * slope.bound +
                                  2.0 * UNIT * (fabs(height.value) + fabs(at)));
    return sign_of(fabs(over) > bound ? over : exact_height(ray, tri, t).value);
}

/* Step 3: the line goes through the triangle. */
static bool meets_at_point(const wi_ray *ray, const wi_tri *tri, const double to_a[3],
                           measured edges[3], int sign, wi_ray_point *out)
{
    double ab[3], ac[3];
    const double d[3] = {ray->direction[0], ray->direction[1], ray->direction[2]};
    subtract(tri->corner[1], tri->corner[0], ab);
    subtract(tri->corner[2], tri->corner[0], ac);
    measured slope = determinant(d, ab, ac), height = determinant(to_a, ab, ac);
    if (sign_beyond(ray, tri, height, slope, ray->t_min) == -sign ||
        (ray->t_max < INFINITY && sign_beyond(ray, tri, height, slope, ray->t_max) == sign))
        return false;
    if (slope.bound > WELL_KNOWN * fabs(slope.value)) slope = exact_slope(ray, tri);
    if (height.bound > WELL_KNOWN * fabs(height.value)) height = exact_height(ray, tri, 0.0F);
    WI_ASSERT(sign_of(slope.value) == sign);
    out->t = within_ray(ray, height.value / slope.value);
    double shares[3];
    for (int i = 0; i < 3; i++) {
        /* edges[i] goes from corner i to the next, and is for the one after that. */
        if (edges[i].bound > WELL_KNOWN * fabs(slope.value))
            edges[i] = exact_edge(ray, tri->corner[i], tri->corner[(i + 1) % 3]);
        shares[(i + 2) % 3] = edges[i].value / slope.value;
    }
    write_shares(shares, out);
    return true;
}

wi_ray_side wi_ray_meets_tri(const wi_ray *ray, const wi_tri *tri, wi_ray_point *out)
{
    const double d[3] = {ray->direction[0], ray->direction[1], ray->direction[2]};
    double to[3][3];
    measured edges[3];
    bool has_positive = false, has_negative = false;
    WI_ASSERT(ray->t_min <= ray->t_max);
    for (int i = 0; i < 3; i++) subtract(tri->corner[i], ray->origin, to[i]);
    for (int i = 0; i < 3; i++) {
        double edge[3];
        subtract(tri->corner[(i + 1) % 3], tri->corner[i], edge);
        edges[i] = determinant(d, to[i], edge);
        if (!(fabs(edges[i].value) > edges[i].bound) && edges[i].bound > 0.0)
            edges[i] = exact_edge(ray, tri->corner[i], tri->corner[(i + 1) % 3]);
        has_positive |= edges[i].value > 0.0;
        has_negative |= edges[i].value < 0.0;
        if (has_positive && has_negative) return WI_RAY_MISSES;
    }
    if (!has_positive && !has_negative) return meets_in_plane(ray, tri, out);
    if (!meets_at_point(ray, tri, to[0], edges, has_positive ? 1 : -1, out)) return WI_RAY_MISSES;
    return has_positive ? WI_RAY_MEETS_BACK : WI_RAY_MEETS_FRONT;
}

/* ---- the normal ---- */

void wi_tri_unit_normal(const wi_tri *tri, float out[3])
{
    double ab[3], ac[3], normal[3], most = 0.0, off = 0.0;
    subtract(tri->corner[1], tri->corner[0], ab);
    subtract(tri->corner[2], tri->corner[0], ac);
    for (int axis = 0; axis < 3; axis++) {
        const int x = (axis + 1) % 3, y = (axis + 2) % 3;
        const double left = ab[x] * ac[y], right = ab[y] * ac[x];
        normal[axis] = left - right;
        most = wi_larger(most, fabs(normal[axis]));
        off = wi_larger(off, 5.0 * UNIT * (fabs(left) + fabs(right)));
    }
    if (off > WELL_KNOWN * most) {
        exact_vector to_b, to_c;
        exact_difference(tri->corner[1], tri->corner[0], &to_b);
        exact_difference(tri->corner[2], tri->corner[0], &to_c);
        for (int axis = 0; axis < 3; axis++) normal[axis] = exact_cross(&to_b, &to_c, axis);
    }
    const double length =
        sqrt((normal[0] * normal[0] + normal[1] * normal[1]) + normal[2] * normal[2]);
    for (int axis = 0; axis < 3; axis++)
        out[axis] = length > 0.0 ? (float)(normal[axis] / length) : 0.0F;
}

/* ---- as users give them ---- */

/* 0, or NaN if a coordinate is not finite. */
static float finite_test(const willow_vec3 *v)
{
    return (v->x - v->x) + (v->y - v->y) + (v->z - v->z);
}

const char *wi_ray_fault(const willow_ray *ray)
{
    const willow_vec3 *d = &ray->direction;
    if (finite_test(&ray->origin) != 0.0F) return "its origin is not finite";
    if (finite_test(d) != 0.0F) return "its direction is not finite";
    if (d->x == 0.0F && d->y == 0.0F && d->z == 0.0F) return "its direction is zero";
    if (ray->t_min - ray->t_min != 0.0F) return "its t_min is not finite";
    if (ray->t_min <= ray->t_max) return NULL;
    return ray->t_max != ray->t_max ? "its t_max is not a number" : "its t_min is above its t_max";
}

bool willow_ray_tri(const willow_ray *ray, const willow_vec3 tri[3], willow_hit *out)
{
    const wi_ray r = wi_ray_of(ray);
    wi_tri t;
    wi_ray_point point;
    memcpy(&t, tri, sizeof t);
    if (wi_ray_fault(ray) || wi_ray_meets_tri(&r, &t, &point) == WI_RAY_MISSES) return false;
    if (out == NULL) return true;
    float normal[3];
    wi_tri_unit_normal(&t, normal);
    *out = (willow_hit){
        .t = point.t, .u = point.u, .v = point.v, .normal = {normal[0], normal[1], normal[2]}};
    return true;
}
