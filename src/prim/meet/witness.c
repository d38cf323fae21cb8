/* witness.c - a point that two triangles have in common, as nearly as a float can say.
 *
 * Way in: wi_tri_tri_witness. That they meet is decided exactly elsewhere; this only shows where,
 * so double precision will do. What two triangles have in common is convex, so the mean of any
 * points of it is one of them: the points where edges of one pass through the other are collected,
 * and their mean is the middle of the segment in which the triangles cross. Where no edge passes
 * through (they lie in one plane, are degenerate, or are apart), or where the mean is not quite on
 * both, closest points of all features are found too, and the answer that is nearer to both stays.
 * Everything is relative to a corner, so that far from the origin nothing is lost. */
#include "prim/meet/witness.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "prim/distance/closest.h"
#include "willow/prim.h"

/* The sum of points so far. */
typedef struct mean {
    double sum[3];
    int count;
} mean;

static void add_point(mean *m, const double p[3])
{
    for (int i = 0; i < 3; i++) m->sum[i] += p[i];
    m->count++;
}

static void finish(const mean *m, double out[3])
{
    WI_ASSERT(m->count > 0);
    for (int i = 0; i < 3; i++) out[i] = m->sum[i] / m->count;
}

/* How far a point is from the farther one of the two triangles, squared. */
static double error_at(const double p[3], const double a[3][3], const double b[3][3])
{
    double on_a[3], on_b[3];
    wi_closest_on_tri(p, a, on_a);
    wi_closest_on_tri(p, b, on_b);
    double error_a = wi_distance2(p, on_a), error_b = wi_distance2(p, on_b);
    return error_a > error_b ? error_a : error_b;
}

/* The largest difference between two corners on an axis: what errors are measured by. */
static double size_of(const double a[3][3], const double b[3][3])
{
    double size = 0.0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            size = fabs(a[i][k]) > size ? fabs(a[i][k]) : size;
            size = fabs(b[i][k]) > size ? fabs(b[i][k]) : size;
        }
    return size;
}

/* Adds the points where edges of `from` pass through `through`, or come as near to it as roundings
 * may have moved them. */
static void add_crossings(mean *m, const double from[3][3], const double through[3][3],
                          double near2)
{
    double u[3], v[3], normal[3], height[3];
    wi_sub3(through[1], through[0], u);
    wi_sub3(through[2], through[0], v);
    wi_cross3(u, v, normal);
    for (int i = 0; i < 3; i++) {
        double way[3];
        wi_sub3(from[i], through[0], way);
        height[i] = wi_dot3(way, normal);
    }
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        double rise = height[i] - height[next], at[3], on[3];
        bool is_crossing = rise != 0.0 && ((height[i] <= 0.0 && height[next] >= 0.0) ||
                                           (height[i] >= 0.0 && height[next] <= 0.0));
        if (!is_crossing) continue;
        wi_mix3(from[i], from[next], height[i] / rise, at);
        wi_closest_on_tri(at, through, on);
        if (wi_distance2(at, on) <= near2) add_point(m, at);
    }
}

/* Candidates are pairs of closest points; those that are as close as the closest count. */
typedef struct closest_mean {
    mean points;
    double distance2, near2;
} closest_mean;

static void add_candidate(closest_mean *c, const double on_a[3], const double on_b[3])
{
    double middle[3], distance2 = wi_distance2(on_a, on_b);
    if (distance2 > c->distance2 + c->near2) return;
    if (distance2 + c->near2 < c->distance2) c->points = (mean){0};
    c->distance2 = distance2 < c->distance2 ? distance2 : c->distance2;
    wi_mix3(on_a, on_b, 0.5, middle);
    add_point(&c->points, middle);
}

static void add_corners(closest_mean *c, const double from[3][3], const double to[3][3])
{
    for (int i = 0; i < 3; i++) {
        double on[3];
        wi_closest_on_tri(from[i], to, on);
        add_candidate(c, from[i], on);
    }
}

static void find_closest(const double a[3][3], const double b[3][3], double near2, double out[3])
{
    closest_mean c = {.distance2 = INFINITY, .near2 = near2};
    WI_ASSERT(near2 >= 0.0);
    add_corners(&c, a, b);
    add_corners(&c, b, a);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double ea[2][3], eb[2][3], on_a[3], on_b[3];
            memcpy(ea[0], a[i], sizeof ea[0]);
            memcpy(ea[1], a[(i + 1) % 3], sizeof ea[1]);
            memcpy(eb[0], b[k], sizeof eb[0]);
            memcpy(eb[1], b[(k + 1) % 3], sizeof eb[1]);
            wi_closest_on_edges((const double(*)[3])ea, (const double(*)[3])eb, on_a, on_b);
            add_candidate(&c, on_a, on_b);
        }
    finish(&c.points, out);
}

static void find_witness(const double a[3][3], const double b[3][3], double out[3])
{
    const double near = 1e-12 * size_of(a, b), near2 = near * near;
    mean crossings = {0};
    double middle[3] = {0};
    double error = INFINITY;
    add_crossings(&crossings, a, b, near2);
    add_crossings(&crossings, b, a, near2);
    if (crossings.count > 0) {
        finish(&crossings, middle);
        error = error_at(middle, a, b);
    }
    if (error > near2) find_closest(a, b, near2, out);
    if (error <= near2 || error <= error_at(out, a, b)) memcpy(out, middle, sizeof middle);
}

/* Corners from the first one of `a` on, so that only their differences count. */
static void relate(const wi_tri *tri, const float origin[3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[i][k] = (double)tri->corner[i][k] - (double)origin[k];
}

willow_vec3 wi_tri_tri_witness(const wi_tri *a, const wi_tri *b)
{
    const float *origin = a->corner[0];
    double ra[3][3], rb[3][3], at[3];
    relate(a, origin, ra);
    relate(b, origin, rb);
    find_witness((const double(*)[3])ra, (const double(*)[3])rb, at);
    return (willow_vec3){(float)((double)origin[0] + at[0]), (float)((double)origin[1] + at[1]),
                         (float)((double)origin[2] + at[2])};
}

willow_vec3 willow_tri_tri_witness(const willow_vec3 a[3], const willow_vec3 b[3])
{
    wi_tri ta, tb;
    for (int i = 0; i < 3; i++) {
        memcpy(ta.corner[i], &a[i], sizeof ta.corner[i]);
        memcpy(tb.corner[i], &b[i], sizeof tb.corner[i]);
    }
    return wi_tri_tri_witness(&ta, &tb);
}
