/* tri_tri.c - the exact decision for two triangles, whatever their shape.
 *
 * Way in: wi_tris_meet and its two forms for neighbours. Made for the pairs that the wide filter
 * leaves over, and for BRUTE, which uses nothing else. Triangles may be segments or points; every
 * step below holds for closed point sets of any dimension.
 *
 * Derivation.
 *   1. Two triangles meet if and only if an edge of one meets the other: if they cross, an end of
 *      the common segment lies on an edge of one; if they are coplanar and no edges cross, one
 *      contains the other and so its edges. A segment or point as a triangle is its own edges.
 *   2. An edge pq against a triangle t that is not degenerate, by the sides sp, sq of p and q of
 *      the plane of t: equal and not zero, they are apart. Both zero, the question is planar and
 *      is asked in a projection along an axis that keeps the area of t from vanishing, which maps
 *      the plane one to one. Otherwise line pq crosses the plane in one point, on the segment; it
 *      lies in t if and only if it is not strictly left of one edge and strictly right of another,
 *      that is if the volumes pq with each edge of t do not have both signs.
 *   3. A degenerate t is the segment between its least and greatest corner in lexicographic order,
 *      which is monotone along any line. Segment against segment: apart unless coplanar; then in a
 *      projection as in 2; if all four points are on one line, by lexicographic intervals.
 *   4. Neighbours with one common vertex v (C2): the intersection is convex and contains v. If it
 *      has another point x, follow the ray from v through x until it leaves the first of the two
 *      triangles: that point is on the edge opposite v of this triangle and in the other. So they
 *      are a pair if and only if one's opposite edge meets the other in a point that is not v. That
 *      v lies on the opposite edge happens only in a degenerate triangle; its two halves from v
 *      are then asked one by one whether they run into the other triangle (step 5).
 *   5. A segment from v to p, p not v, in more than v: it runs inside the other triangle v, c, d
 *      for some way if p is in it or if the segment leaves it through cd. If v lies on cd too, all
 *      is on lines through v: compare directions.
 *   6. Neighbours with a common edge uv: unless all is coplanar they meet in uv only. If both are
 *      not degenerate, they overlap if and only if their third corners are on the same side of uv.
 *      If only one is degenerate, it lies on line uv, where the other covers just uv. If both are,
 *      they extend beyond uv together if both third corners lie beyond u or both beyond v. */
#include "prim/meet/tri_tri.h"

#include "base/check.h"
#include "prim/signs/orient.h"

static const int next[3] = {1, 2, 0};

static bool points_equal(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool lexicographically_less(const float a[3], const float b[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (a[axis] != b[axis]) return a[axis] < b[axis];
    return false;
}

/* Of points on one line: does segment pq meet segment rs? */
static bool collinear_segments_meet(const float p[3], const float q[3], const float r[3],
                                    const float s[3])
{
    bool p_first = lexicographically_less(p, q), r_first = lexicographically_less(r, s);
    const float *pq_low = p_first ? p : q, *pq_high = p_first ? q : p;
    const float *rs_low = r_first ? r : s, *rs_high = r_first ? s : r;
    return !lexicographically_less(pq_high, rs_low) && !lexicographically_less(rs_high, pq_low);
}

/* An axis along which the triangle is seen with its area, or -1 if it has none. */
static int axis_that_shows(const float a[3], const float b[3], const float c[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (wi_orient2d(a, b, c, axis) != 0) return axis;
    return -1;
}

/* Of points in a plane that is seen along `axis`. If all four orientations vanish, the points are
 * on one line (or a segment is a point on the other's line). */
static bool planar_segments_meet(const float p[3], const float q[3], const float r[3],
                                 const float s[3], int axis)
{
    int pqr = wi_orient2d(p, q, r, axis), pqs = wi_orient2d(p, q, s, axis);
    int rsp = wi_orient2d(r, s, p, axis), rsq = wi_orient2d(r, s, q, axis);
    if (pqr == 0 && pqs == 0 && rsp == 0 && rsq == 0) return collinear_segments_meet(p, q, r, s);
    return pqr * pqs <= 0 && rsp * rsq <= 0;
}

static bool segments_meet(const float p[3], const float q[3], const float r[3], const float s[3])
{
    if (wi_orient3d(p, q, r, s) != 0) return false;
    int axis = axis_that_shows(p, q, r);
    if (axis < 0) axis = axis_that_shows(p, q, s);
    if (axis < 0) axis = axis_that_shows(r, s, p);
    if (axis < 0) axis = axis_that_shows(r, s, q);
    if (axis < 0) return collinear_segments_meet(p, q, r, s);
    return planar_segments_meet(p, q, r, s, axis);
}

static bool planar_point_in_tri(const float p[3], const wi_tri *t, int axis)
{
    int a = wi_orient2d(t->corner[0], t->corner[1], p, axis);
    int b = wi_orient2d(t->corner[1], t->corner[2], p, axis);
    int c = wi_orient2d(t->corner[2], t->corner[0], p, axis);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

static bool planar_segment_meets_tri(const float p[3], const float q[3], const wi_tri *t, int axis)
{
    if (planar_point_in_tri(p, t, axis)) return true;
    for (int i = 0; i < 3; i++)
        if (planar_segments_meet(p, q, t->corner[i], t->corner[next[i]], axis)) return true;
    return false;
}

static bool segment_meets_degenerate_tri(const float p[3], const float q[3], const wi_tri *t)
{
    const float *low = t->corner[0], *high = t->corner[0];
    for (int i = 1; i < 3; i++) {
        if (lexicographically_less(t->corner[i], low)) low = t->corner[i];
        if (lexicographically_less(high, t->corner[i])) high = t->corner[i];
    }
    return segments_meet(p, q, low, high);
}

/* Step 2; `p_side` and `q_side` are the orientations of p and q to t. */
static bool sided_segment_meets_tri(const float p[3], const float q[3], int p_side, int q_side,
                                    const wi_tri *t)
{
    WI_ASSERT(p_side >= -1 && p_side <= 1 && q_side >= -1 && q_side <= 1);
    if (p_side * q_side > 0) return false;
    if (p_side == 0 && q_side == 0) {
        int axis = axis_that_shows(t->corner[0], t->corner[1], t->corner[2]);
        return axis < 0 ? segment_meets_degenerate_tri(p, q, t)
                        : planar_segment_meets_tri(p, q, t, axis);
    }
    int first = wi_orient3d(p, q, t->corner[0], t->corner[1]);
    int second = wi_orient3d(p, q, t->corner[1], t->corner[2]);
    if (first * second < 0) return false;
    int third = wi_orient3d(p, q, t->corner[2], t->corner[0]);
    return first * third >= 0 && second * third >= 0;
}

static bool segment_meets_tri(const float p[3], const float q[3], const wi_tri *t)
{
    return sided_segment_meets_tri(p, q, wi_orient3d(t->corner[0], t->corner[1], t->corner[2], p),
                                   wi_orient3d(t->corner[0], t->corner[1], t->corner[2], q), t);
}

static bool boxes_meet(const wi_tri *a, const wi_tri *b)
{
    for (int axis = 0; axis < 3; axis++) {
        bool a_below = true, b_below = true;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                a_below = a_below && a->corner[i][axis] < b->corner[j][axis];
                b_below = b_below && b->corner[j][axis] < a->corner[i][axis];
            }
        if (a_below || b_below) return false;
    }
    return true;
}

/* The sides of b's corners of the plane of a; false if all are strictly on one side. */
static bool reaches_plane(const wi_tri *a, const wi_tri *b, int side[3])
{
    for (int i = 0; i < 3; i++)
        side[i] = wi_orient3d(a->corner[0], a->corner[1], a->corner[2], b->corner[i]);
    return side[0] == 0 || side[0] != side[1] || side[0] != side[2];
}

bool wi_tris_meet(const wi_tri *a, const wi_tri *b)
{
    int a_side[3], b_side[3];
    if (!boxes_meet(a, b)) return false;
    if (!reaches_plane(a, b, b_side) || !reaches_plane(b, a, a_side)) return false;
    for (int i = 0; i < 3; i++) {
        int k = next[i];
        if (sided_segment_meets_tri(a->corner[i], a->corner[k], a_side[i], a_side[k], b))
            return true;
        if (sided_segment_meets_tri(b->corner[i], b->corner[k], b_side[i], b_side[k], a))
            return true;
    }
    return false;
}

static bool is_between(const float v[3], const float p[3], const float q[3])
{
    return axis_that_shows(v, p, q) < 0 && collinear_segments_meet(v, v, p, q);
}

/* Do the segments from v to p and from v to q have more in common than v? */
static bool directions_agree(const float v[3], const float p[3], const float q[3])
{
    if (axis_that_shows(v, p, q) >= 0 || points_equal(v, p) || points_equal(v, q)) return false;
    return lexicographically_less(v, p) == lexicographically_less(v, q);
}

/* Step 5: does the segment from t[0] to p run in t beyond t[0]? */
static bool runs_into_tri(const float p[3], const wi_tri *t)
{
    const float *v = t->corner[0];
    if (points_equal(v, p)) return false;
    if (is_between(v, t->corner[1], t->corner[2]))
        return directions_agree(v, p, t->corner[1]) || directions_agree(v, p, t->corner[2]);
    return segment_meets_tri(p, p, t) || segments_meet(v, p, t->corner[1], t->corner[2]);
}

/* Step 4 for the edge opposite corner 0 of a. */
static bool opposite_edge_meets_tri(const wi_tri *a, const wi_tri *t)
{
    if (is_between(a->corner[0], a->corner[1], a->corner[2]))
        return runs_into_tri(a->corner[1], t) || runs_into_tri(a->corner[2], t);
    return segment_meets_tri(a->corner[1], a->corner[2], t);
}

bool wi_tris_meet_beyond_vertex(const wi_tri *a, const wi_tri *b)
{
    WI_ASSERT(points_equal(a->corner[0], b->corner[0]));
    return opposite_edge_meets_tri(a, b) || opposite_edge_meets_tri(b, a);
}

/* Of points on line uv, u not v: does p lie beyond u, seen from v? */
static bool lies_beyond(const float p[3], const float u[3], const float v[3])
{
    return !points_equal(p, u) && lexicographically_less(p, u) == lexicographically_less(u, v);
}

bool wi_tris_meet_beyond_edge(const wi_tri *a, const wi_tri *b)
{
    WI_ASSERT(points_equal(a->corner[0], b->corner[0]));
    WI_ASSERT(points_equal(a->corner[1], b->corner[1]));
    const float *u = a->corner[0], *v = a->corner[1], *p = a->corner[2], *q = b->corner[2];
    if (points_equal(u, v)) return directions_agree(u, p, q);
    if (wi_orient3d(u, v, p, q) != 0) return false;
    int p_axis = axis_that_shows(u, v, p), q_axis = axis_that_shows(u, v, q);
    if (p_axis >= 0 && q_axis >= 0)
        return wi_orient2d(u, v, p, p_axis) == wi_orient2d(u, v, q, p_axis);
    if (p_axis >= 0 || q_axis >= 0) return false;
    return (lies_beyond(p, u, v) && lies_beyond(q, u, v)) ||
           (lies_beyond(p, v, u) && lies_beyond(q, v, u));
}

bool wi_tris_meet_beyond(unsigned shared, const wi_tri *a, const wi_tri *b)
{
    WI_ASSERT(shared <= 3);
    switch (shared) {
    case 0: return wi_tris_meet(a, b);
    case 1: return wi_tris_meet_beyond_vertex(a, b);
    case 2: return wi_tris_meet_beyond_edge(a, b);
    default: return true;
    }
}

/* Appends the corners that are not among the first `count`. */
static void complete_order(uint8_t order[3], unsigned count)
{
    WI_ASSERT(count <= 3);
    for (uint8_t corner = 0; count < 3; corner++) {
        bool taken = false;
        for (unsigned i = 0; i < count; i++) taken = taken || order[i] == corner;
        WI_ASSERT(corner < 3);
        if (!taken) order[count++] = corner;
    }
}

unsigned wi_share_order(const uint32_t a[3], const uint32_t b[3], uint8_t order_a[3],
                        uint8_t order_b[3])
{
    unsigned shared = 0;
    for (uint8_t i = 0; i < 3; i++) {
        bool is_repeated = (i > 0 && a[i] == a[0]) || (i > 1 && a[i] == a[1]);
        for (uint8_t j = 0; j < 3 && !is_repeated; j++)
            if (a[i] == b[j]) {
                order_a[shared] = i;
                order_b[shared++] = j;
                break;
            }
    }
    complete_order(order_a, shared);
    complete_order(order_b, shared);
    WI_ASSERT(order_a[0] + order_a[1] + order_a[2] == 3 &&
              order_b[0] + order_b[1] + order_b[2] == 3);
    return shared;
}

bool wi_tris_are_pair(const wi_tri *a, const uint32_t a_vertices[3], const wi_tri *b,
                      const uint32_t b_vertices[3])
{
    uint8_t order_a[3], order_b[3];
    wi_tri a_ordered, b_ordered;
    unsigned shared = wi_share_order(a_vertices, b_vertices, order_a, order_b);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            a_ordered.corner[i][axis] = a->corner[order_a[i]][axis];
            b_ordered.corner[i][axis] = b->corner[order_b[i]][axis];
        }
    return wi_tris_meet_beyond(shared, &a_ordered, &b_ordered);
}
