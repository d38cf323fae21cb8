/* tri_cross.c - the exact decision whether two triangles cross: whether their insides have a point
 * in common that is no touching in one plane.
 *
 * Way in: wi_tris_cross. Made for the pairs that wi_tris_meet lets through, so for few.
 *
 * Derivation.
 *   1. The inside of a meets the plane of b, and is not in it, if and only if a has corners
 * strictly on both sides of that plane. So each triangle needs that of the other's plane. A
 * triangle without area has no plane: all volumes with it vanish, and it crosses nothing.
 *   2. Then the planes cross in a line, on which the insides are two open intervals; the triangles
 *      cross if and only if these overlap.
 *   3. One corner p of each triangle is alone on its side of the other's plane, since the third
 *      corner is on the far side or in the plane. The interval of a triangle ends where its edges
 * pq and pr meet the plane. With b turned so that p_a is on its positive side, and a likewise, the
 * intervals have opposite directions, and the order of two ends along the line is the sign of the
 * volume of their edges (Guigue and Devillers 2003). An open interval needs both orders strictly.
 */
#include "prim/meet/tri_cross.h"

#include "base/check.h"
#include "prim/signs/orient.h"
#include "willow/prim.h"

#include <string.h>

/* Corners in an order that puts the one first that is alone on its side. */
typedef struct turned_tri {
    const float *p, *q, *r;
    int side; /* of p */
} turned_tri;

/* False if the corners are not strictly on both sides. */
static bool turn_lone_first(const wi_tri *t, const wi_tri *plane, turned_tri *out)
{
    int side[3], above = 0, below = 0;
    for (int i = 0; i < 3; i++) {
        side[i] = wi_orient3d(plane->corner[0], plane->corner[1], plane->corner[2], t->corner[i]);
        above += side[i] > 0;
        below += side[i] < 0;
    }
    if (above == 0 || below == 0) return false;
    const int lone = above == 1 ? 1 : -1;
    int first = 0;
    while (side[first] != lone) first++;
    WI_ASSERT(first < 3);
    *out = (turned_tri){t->corner[first], t->corner[(first + 1) % 3], t->corner[(first + 2) % 3],
                        lone};
    return true;
}

static void turn_over(turned_tri *t)
{
    const float *q = t->q;
    t->q = t->r;
    t->r = q;
}

bool wi_tris_cross(const wi_tri *a, const wi_tri *b)
{
    turned_tri ta, tb;
    if (!turn_lone_first(a, b, &ta) || !turn_lone_first(b, a, &tb)) return false;
    if (ta.side < 0) turn_over(&tb);
    if (tb.side < 0) turn_over(&ta);
    return wi_orient3d(ta.p, ta.q, tb.p, tb.q) < 0 && wi_orient3d(ta.p, ta.r, tb.r, tb.p) < 0;
}

bool willow_tri_tri_cross(const willow_vec3 a[3], const willow_vec3 b[3])
{
    wi_tri ta, tb;
    memcpy(&ta, a, sizeof ta);
    memcpy(&tb, b, sizeof tb);
    return wi_tris_cross(&ta, &tb);
}
