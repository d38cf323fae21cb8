/* contact64.c - contact of a point and a triangle and of two edges, by orientations only.
 *
 * Way in: wi_point_touches_tri, wi_edges_touch. Made for the start of a motion, where it must be
 * known whether the time of impact is 0.
 *
 * Derivation. Four points that are not coplanar form primitives that do not touch. Of coplanar
 * ones:
 *   1. If three of them turn seen along an axis, their plane is seen without distortion of what is
 *      inside what: no two of its points are seen as one. What holds as seen then holds.
 *   2. A triangle that is seen to turn along some axis holds a point if and only if no edge sees
 *      the point on the other side. One that turns along none is as a set the union of its edges.
 *   3. A point is on a segment if and only if the three turn along no axis, so that they lie on one
 *      line, and the point lies in the box of the segment.
 *   4. Two segments in one plane touch if and only if an end of one is on the other, or they cross:
 *      each has the ends of the other on different sides, seen along any axis along which the plane
 *      is seen at all. */
#include "prim/moving/contact64.h"

#include "base/check.h"
#include "prim/signs/orient64.h"

static bool is_between(double x, double a, double b)
{
    return a < b ? a <= x && x <= b : b <= x && x <= a;
}

/* Step 3. */
static bool is_on_edge(const double p[3], const double from[3], const double to[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (!is_between(p[axis], from[axis], to[axis])) return false;
    for (int axis = 0; axis < 3; axis++)
        if (wi_orient2d64(from, to, p, axis) != 0) return false;
    return true;
}

/* Step 2. `turn` is how the triangle turns along the axis. */
static bool is_seen_inside(const double p[3], const double tri[3][3], int axis, int turn)
{
    WI_ASSERT(turn == 1 || turn == -1);
    for (int i = 0; i < 3; i++)
        if (wi_orient2d64(tri[i], tri[(i + 1) % 3], p, axis) == -turn) return false;
    return true;
}

bool wi_point_touches_tri(const double p[3], const double tri[3][3])
{
    if (wi_orient3d64(tri[0], tri[1], tri[2], p) != 0) return false;
    for (int axis = 0; axis < 3; axis++) {
        int turn = wi_orient2d64(tri[0], tri[1], tri[2], axis);
        if (turn != 0) return is_seen_inside(p, tri, axis, turn);
    }
    return is_on_edge(p, tri[0], tri[1]) || is_on_edge(p, tri[1], tri[2]) ||
           is_on_edge(p, tri[2], tri[0]);
}

/* Are p and q on different sides of the edge, seen along the axis? */
static bool parts(const double edge[2][3], const double p[3], const double q[3], int axis)
{
    return wi_orient2d64(edge[0], edge[1], p, axis) * wi_orient2d64(edge[0], edge[1], q, axis) < 0;
}

bool wi_edges_touch(const double ea[2][3], const double eb[2][3])
{
    if (wi_orient3d64(ea[0], ea[1], eb[0], eb[1]) != 0) return false;
    for (int i = 0; i < 2; i++)
        if (is_on_edge(ea[i], eb[0], eb[1]) || is_on_edge(eb[i], ea[0], ea[1])) return true;
    for (int axis = 0; axis < 3; axis++)
        if (parts(ea, eb[0], eb[1], axis) && parts(eb, ea[0], ea[1], axis)) return true;
    return false;
}
