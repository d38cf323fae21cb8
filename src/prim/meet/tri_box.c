/* tri_box.c - triangle against box by separating axes, with exact signs.
 *
 * Way in: wi_tri_meets_box. Made for box queries, where most triangles are settled by the boxes.
 *
 * Two convex polytopes are apart if and only if a plane parallel to a face of one, or to an edge of
 * each, parts them, and it can be chosen to touch the one that it is taken from.
 *   1. Faces of the box: compare coordinates.
 *   2. The plane of the triangle: the corners of the box are strictly on one side. If the triangle
 *      is degenerate it has no plane; all orientations are 0 and nothing is claimed.
 *   3. An edge of the triangle and one of the box, parallel to `axis`: seen along that axis, the
 *      plane is the line of the triangle's edge pq. It parts them if the corners of the box are
 *      strictly on the side where the third corner r is not; if r is seen on the line, either side
 *      will do. */
#include "prim/meet/tri_box.h"

#include <string.h>

#include "base/check.h"
#include "prim/signs/orient.h"
#include "willow/prim.h"

static void box_corner(const float lower[3], const float upper[3], int number, float out[3])
{
    for (int axis = 0; axis < 3; axis++) out[axis] = number >> axis & 1 ? upper[axis] : lower[axis];
}

static bool box_axis_parts(const wi_tri *t, const float lower[3], const float upper[3])
{
    for (int axis = 0; axis < 3; axis++) {
        bool all_below = true, all_above = true;
        for (int i = 0; i < 3; i++) {
            all_below = all_below && t->corner[i][axis] < lower[axis];
            all_above = all_above && t->corner[i][axis] > upper[axis];
        }
        if (all_below || all_above || lower[axis] > upper[axis]) return true;
    }
    return false;
}

static bool plane_parts(const wi_tri *t, const float lower[3], const float upper[3])
{
    int first = 0;
    for (int number = 0; number < 8; number++) {
        float corner[3];
        box_corner(lower, upper, number, corner);
        int side = wi_orient3d(t->corner[0], t->corner[1], t->corner[2], corner);
        if (number == 0) first = side;
        if (side == 0 || side != first) return false;
    }
    return true;
}

static bool edge_parts(const float p[3], const float q[3], const float r[3], int axis,
                       const float lower[3], const float upper[3])
{
    int r_side = wi_orient2d(p, q, r, axis), first = 0;
    WI_ASSERT(lower[0] <= upper[0] && lower[1] <= upper[1] && lower[2] <= upper[2]);
    for (int number = 0; number < 8; number++) {
        if (number >> axis & 1) continue; /* seen as the corner without this bit */
        float corner[3];
        box_corner(lower, upper, number, corner);
        int side = wi_orient2d(p, q, corner, axis);
        if (number == 0) first = side;
        if (side == 0 || side != first || side == r_side) return false;
    }
    return true;
}

bool wi_tri_meets_box(const wi_tri *t, const float lower[3], const float upper[3])
{
    if (box_axis_parts(t, lower, upper)) return false;
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 3; i++)
            if (edge_parts(t->corner[i], t->corner[(i + 1) % 3], t->corner[(i + 2) % 3], axis,
                           lower, upper))
                return false;
    return !plane_parts(t, lower, upper);
}

bool willow_tri_box_meet(const willow_vec3 tri[3], const willow_box *box)
{
    wi_tri t;
    float lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    float upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    memcpy(&t, tri, sizeof t);
    return wi_tri_meets_box(&t, lower, upper);
}
