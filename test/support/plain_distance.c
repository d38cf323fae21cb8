/* plain_distance.c - the least of the distances to all parts. See plain_distance.h. */
#include "support/plain_distance.h"

#include <math.h>

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) out[axis] = a[axis] - b[axis];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        out[axis] = a[next] * b[last] - a[last] * b[next];
    }
}

static double length(const double a[3]) { return sqrt(dot(a, a)); }

static double point_segment(const double p[3], const double a[3], const double b[3])
{
    double along[3], to[3];
    subtract(b, a, along);
    subtract(p, a, to);
    const double squared = dot(along, along);
    double share = squared > 0 ? dot(to, along) / squared : 0;
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    for (int axis = 0; axis < 3; axis++) to[axis] -= share * along[axis];
    return length(to);
}

/* Above the face: on the inner side of all three planes through an edge and the normal. */
static int is_above(const double p[3], const double corners[3][3], const double normal[3])
{
    for (int i = 0; i < 3; i++) {
        double along[3], inward[3], to[3];
        subtract(corners[(i + 1) % 3], corners[i], along);
        cross(normal, along, inward);
        subtract(p, corners[i], to);
        if (dot(inward, to) < 0) return 0;
    }
    return 1;
}

double plain_vertex_face_distance(const double points[4][3])
{
    const double(*corners)[3] = points + 1;
    double sides[2][3], normal[3], to[3], least = INFINITY;
    for (int i = 0; i < 3; i++)
        least = fmin(least, point_segment(points[0], corners[i], corners[(i + 1) % 3]));
    subtract(corners[1], corners[0], sides[0]);
    subtract(corners[2], corners[0], sides[1]);
    cross(sides[0], sides[1], normal);
    subtract(points[0], corners[0], to);
    if (length(normal) > 0 && is_above(points[0], corners, normal))
        least = fmin(least, fabs(dot(normal, to)) / length(normal));
    return least;
}

/* The shares of both edges at which their lines are closest; false if these are parallel. */
static int closest_shares(const double points[4][3], double shares[2])
{
    double a[3], b[3], apart[3];
    subtract(points[1], points[0], a);
    subtract(points[3], points[2], b);
    subtract(points[2], points[0], apart);
    const double aa = dot(a, a), ab = dot(a, b), bb = dot(b, b);
    const double area = aa * bb - ab * ab;
    if (!(area > 0)) return 0;
    shares[0] = (dot(apart, a) * bb - dot(apart, b) * ab) / area;
    shares[1] = (dot(apart, a) * ab - dot(apart, b) * aa) / area;
    return 1;
}

double plain_edge_edge_distance(const double points[4][3])
{
    double shares[2], least = INFINITY, apart[3];
    for (int i = 0; i < 2; i++) {
        least = fmin(least, point_segment(points[i], points[2], points[3]));
        least = fmin(least, point_segment(points[2 + i], points[0], points[1]));
    }
    if (!closest_shares(points, shares) || shares[0] < 0 || shares[0] > 1 || shares[1] < 0 ||
        shares[1] > 1)
        return least;
    for (int axis = 0; axis < 3; axis++) {
        const double at_a = points[0][axis] + shares[0] * (points[1][axis] - points[0][axis]);
        const double at_b = points[2][axis] + shares[1] * (points[3][axis] - points[2][axis]);
        apart[axis] = at_b - at_a;
    }
    return fmin(least, length(apart));
}

void plain_points_at(const double start[4][3], const double end[4][3], double time,
                     double out[4][3])
{
    for (int i = 0; i < 12; i++)
        out[i / 3][i % 3] = start[i / 3][i % 3] + time * (end[i / 3][i % 3] - start[i / 3][i % 3]);
}
