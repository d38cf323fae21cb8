/* distance.c - distances of points, edges and triangles, 0 if and only if they meet.
 *
 * Way in: the three wi_..._closest. Made for the candidates that a search leaves over.
 *
 * Two triangles that are apart are closest at a corner and a point of the other, or at two points
 * of edges. Of two that meet, an edge may pass through the other far from all of these, so whether
 * they meet is asked first; where their boxes are apart, as they mostly are, that costs nothing.
 * A point and a triangle, or two edges, that meet are found to be 0 apart up to roundings
 * (closest.c has the derivation), so there the exact test is only asked where the distance found
 * is tiny, with a margin of five digits. What is apart after all is never 0 apart.
 * Everything is relative to a corner, so that far from the origin nothing is lost. */
#include "prim/distance/distance.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "prim/distance/closest.h"
#include "prim/meet/tri_tri.h"
#include "prim/meet/witness.h"
#include "willow/prim.h"

/* Apart without doubt, in parts of the size. */
#define CLEARLY_APART 1e-9

static void relate(const float p[3], const float origin[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = (double)p[i] - (double)origin[i];
}

static void relate_tri(const wi_tri *tri, const float origin[3], double out[3][3])
{
    for (int i = 0; i < 3; i++) relate(tri->corner[i], origin, out[i]);
}

static wi_box box_of(const float p[][3], int count)
{
    wi_box box = wi_box_empty();
    WI_ASSERT(count > 0);
    for (int i = 0; i < count; i++) wi_box_add_point(&box, p[i]);
    return box;
}

/* The longest side of the smallest box around both. */
static double size_of(const wi_box *a, const wi_box *b)
{
    wi_box both = *a;
    wi_box_add_box(&both, b);
    double size = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double side = (double)both.upper[axis] - (double)both.lower[axis];
        size = side > size ? side : size;
    }
    return size;
}

/* Of two things whose closest points are known and that do not meet. */
static double distance_apart(const wi_pair_of_points *best, double box_distance2)
{
    double distance2 = best->distance2 > box_distance2 ? best->distance2 : box_distance2;
    WI_ASSERT(box_distance2 >= 0.0);
    return distance2 > 0.0 ? sqrt(distance2) : DBL_MIN;
}

/* The same with the points; weights are left to the caller. */
static void put_apart(const wi_pair_of_points *best, const float origin[3], double box_distance2,
                      wi_closest_points *out)
{
    out->distance = distance_apart(best, box_distance2);
    WI_ASSERT(out->distance > 0.0);
    for (int i = 0; i < 3; i++) {
        out->on_a[i] = (double)origin[i] + best->on_a[i];
        out->on_b[i] = (double)origin[i] + best->on_b[i];
        out->way[i] = best->on_b[i] - best->on_a[i];
    }
}

static void put_meeting(const double p[3], wi_closest_points *out)
{
    out->distance = 0.0;
    memmove(out->on_a, p, sizeof out->on_a);
    memmove(out->on_b, p, sizeof out->on_b);
    memset(out->way, 0, sizeof out->way);
}

/* Whether a distance that was found is so small that only the exact test can tell. */
static bool may_meet(const wi_pair_of_points *best, const wi_box *a, const wi_box *b)
{
    double limit = CLEARLY_APART * size_of(a, b);
    return best->distance2 <= limit * limit;
}

/* Roundings of what is compared below, in parts of the size, and what distances may be off. */
#define BEYOND_SLACK 1e-12

/* The least and the greatest of the points along a direction; *size2 is raised to the greatest
 * squared length among them. */
static void project(const double p[][3], int count, const double along[3], double *least,
                    double *greatest, double *size2)
{
    *least = INFINITY;
    *greatest = -INFINITY;
    for (int i = 0; i < count; i++) {
        double at = wi_dot3(p[i], along), length2 = wi_dot3(p[i], p[i]);
        *least = at < *least ? at : *least;
        *greatest = at > *greatest ? at : *greatest;
        *size2 = length2 > *size2 ? length2 : *size2;
    }
}

/* True only if the distance of the two, as it would be found, is more than the limit: if they are
 * that far apart along the line between their middles. Among surfaces that face each other this
 * tells most pairs that boxes do not. */
static bool are_beyond(const double a[][3], int count_a, const double b[3][3], double limit)
{
    WI_ASSERT(count_a == 1 || count_a == 3);
    WI_ASSERT(limit >= 0.0);
    double along[3], low_a, high_a, low_b, high_b, size2 = 0.0;
    for (int i = 0; i < 3; i++) {
        double middle_a = count_a == 1 ? a[0][i] : (a[0][i] + a[1][i] + a[2][i]) * (1.0 / 3.0);
        along[i] = (b[0][i] + b[1][i] + b[2][i]) * (1.0 / 3.0) - middle_a;
    }
    project(a, count_a, along, &low_a, &high_a, &size2);
    project(b, 3, along, &low_b, &high_b, &size2);
    double gap = low_b - high_a, reach = limit + BEYOND_SLACK * sqrt(size2);
    return gap > 0.0 && gap * gap > wi_dot3(along, along) * (reach * reach) * (1.0 + BEYOND_SLACK);
}

wi_closest_points wi_point_tri_closest(const float p[3], const wi_tri *tri)
{
    const double zero[3] = {0.0, 0.0, 0.0};
    const wi_box box_p = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    const wi_box box_tri = box_of(tri->corner, 3);
    wi_closest_points out = {.weight_a = {1.0, 0.0, 0.0}};
    double corner[3][3], on[3];
    relate_tri(tri, p, corner);
    wi_weigh_on_tri(zero, (const double(*)[3])corner, on, out.weight_b);
    wi_pair_of_points best = {.distance2 = INFINITY};
    wi_keep_closer(&best, zero, on, 0);
    put_apart(&best, p, wi_box_distance2(&box_p, &box_tri), &out);
    if (may_meet(&best, &box_p, &box_tri)) {
        wi_tri point;
        for (int i = 0; i < 3; i++) memcpy(point.corner[i], p, sizeof point.corner[i]);
        const double at[3] = {p[0], p[1], p[2]};
        if (wi_tris_meet(&point, tri)) put_meeting(at, &out);
    }
    return out;
}

/* The shares of the ends of the edge that begins at a corner, and 0 for the third. */
static void weigh_edge(double share, int corner, double weights[3])
{
    WI_ASSERT(share >= 0.0 && share <= 1.0);
    weights[corner] = 1.0 - share;
    weights[(corner + 1) % 3] = share;
    weights[(corner + 2) % 3] = 0.0;
}

/* The edge as a triangle without area. */
static wi_tri flat_tri(const float edge[2][3])
{
    wi_tri tri;
    for (int i = 0; i < 3; i++) memcpy(tri.corner[i], edge[i > 0], sizeof tri.corner[i]);
    return tri;
}

wi_closest_points wi_edge_edge_closest(const float a[2][3], const float b[2][3])
{
    const wi_box box_a = box_of(a, 2), box_b = box_of(b, 2);
    wi_closest_points out;
    double ea[2][3], eb[2][3], on_a[3], on_b[3], share[2];
    for (int i = 0; i < 2; i++) {
        relate(a[i], a[0], ea[i]);
        relate(b[i], a[0], eb[i]);
    }
    wi_weigh_on_edges((const double(*)[3])ea, (const double(*)[3])eb, on_a, on_b, share);
    wi_pair_of_points best = {.distance2 = INFINITY};
    wi_keep_closer(&best, on_a, on_b, 0);
    put_apart(&best, a[0], wi_box_distance2(&box_a, &box_b), &out);
    weigh_edge(share[0], 0, out.weight_a);
    weigh_edge(share[1], 0, out.weight_b);
    if (may_meet(&best, &box_a, &box_b)) {
        const wi_tri flat_a = flat_tri(a), flat_b = flat_tri(b);
        if (wi_tris_meet(&flat_a, &flat_b)) put_meeting(out.on_a, &out);
    }
    return out;
}

/* Pairs of points of two triangles, by number: corner i of a and the foot on b, or its side k, at
 * 4 i + k; the same of b and a; edges i and k at EDGES + 3 i + k. */
enum { FOOT = 3, CORNERS_OF_B = 12, EDGES = 24 };

static void try_corners(wi_pair_of_points *best, const double a[3][3], const wi_spanned_tri *b,
                        int first)
{
    for (int i = 0; i < 3; i++) {
        double on[3];
        if (wi_foot_on_tri(a[i], b, on)) wi_keep_closer(best, a[i], on, first + 4 * i + FOOT);
        for (int k = 0; k < 3; k++) {
            wi_closest_on_span(a[i], &b->side[k], on);
            wi_keep_closer(best, a[i], on, first + 4 * i + k);
        }
    }
}

/* What try_corners has found. */
static void weigh_corner(int which, const double a[3][3], const wi_spanned_tri *b,
                         double weight_a[3], double weight_b[3])
{
    const int corner = which / 4, side = which % 4;
    WI_ASSERT(which >= 0 && corner < 3);
    weigh_edge(0.0, corner, weight_a);
    if (side == FOOT)
        wi_weigh_foot(a[corner], b, weight_b);
    else
        wi_weigh_side(a[corner], b, side, weight_b);
}

static void try_edges(wi_pair_of_points *best, const wi_spanned_tri *a, const wi_spanned_tri *b)
{
    double on_a[3], on_b[3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (wi_common_feet(&a->side[i], &b->side[k], on_a, on_b))
                wi_keep_closer(best, on_a, on_b, EDGES + 3 * i + k);
}

static void swap_sides(wi_pair_of_points *best)
{
    double kept[3];
    memcpy(kept, best->on_a, sizeof kept);
    memcpy(best->on_a, best->on_b, sizeof kept);
    memcpy(best->on_b, kept, sizeof kept);
}

/* Two triangles relative to the first corner of the one. */
typedef struct two_tris {
    double a[3][3], b[3][3];
    wi_spanned_tri spanned_a, spanned_b;
} two_tris;

/* They do not meet. */
static wi_pair_of_points find_apart(const wi_tri *a, const wi_tri *b, two_tris *t)
{
    relate_tri(a, a->corner[0], t->a);
    relate_tri(b, a->corner[0], t->b);
    t->spanned_a = wi_spanned_tri_of((const double(*)[3])t->a);
    t->spanned_b = wi_spanned_tri_of((const double(*)[3])t->b);
    wi_pair_of_points best = {.distance2 = INFINITY};
    try_corners(&best, (const double(*)[3])t->a, &t->spanned_b, 0);
    swap_sides(&best);
    try_corners(&best, (const double(*)[3])t->b, &t->spanned_a, CORNERS_OF_B);
    swap_sides(&best);
    try_edges(&best, &t->spanned_a, &t->spanned_b);
    return best;
}

static void weigh_apart(const wi_pair_of_points *best, const two_tris *t, wi_closest_points *out)
{
    const int which = best->which;
    if (which < CORNERS_OF_B) {
        weigh_corner(which, t->a, &t->spanned_b, out->weight_a, out->weight_b);
    } else if (which < EDGES) {
        weigh_corner(which - CORNERS_OF_B, t->b, &t->spanned_a, out->weight_b, out->weight_a);
    } else {
        const int i = (which - EDGES) / 3, k = (which - EDGES) % 3;
        weigh_edge(wi_share_on_span(best->on_a, &t->spanned_a.side[i]), i, out->weight_a);
        weigh_edge(wi_share_on_span(best->on_b, &t->spanned_b.side[k]), k, out->weight_b);
    }
}

/* The shares of the corners of a triangle in a point of it. */
static void weigh_point(const double p[3], const wi_tri *tri, double weights[3])
{
    const double zero[3] = {0.0, 0.0, 0.0};
    double corner[3][3], on[3];
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            corner[i][axis] = (double)tri->corner[i][axis] - p[axis];
    wi_weigh_on_tri(zero, (const double(*)[3])corner, on, weights);
}

static void put_meeting_tris(const wi_tri *a, const wi_tri *b, wi_closest_points *out)
{
    const willow_vec3 witness = wi_tri_tri_witness(a, b);
    const double at[3] = {witness.x, witness.y, witness.z};
    put_meeting(at, out);
    weigh_point(at, a, out->weight_a);
    weigh_point(at, b, out->weight_b);
}

wi_closest_points wi_tri_tri_closest(const wi_tri *a, const wi_tri *b)
{
    const wi_box box_a = box_of(a->corner, 3), box_b = box_of(b->corner, 3);
    double box_distance2 = wi_box_distance2(&box_a, &box_b);
    wi_closest_points out;
    if (box_distance2 > 0.0 || !wi_tris_meet(a, b)) {
        two_tris t;
        const wi_pair_of_points best = find_apart(a, b, &t);
        put_apart(&best, a->corner[0], box_distance2, &out);
        weigh_apart(&best, &t, &out);
    } else {
        put_meeting_tris(a, b, &out);
    }
    return out;
}

/* True only if the two are too far apart, by what is quickly found. */
static bool are_tris_beyond(const wi_tri *a, const wi_tri *b, double limit)
{
    double ra[3][3], rb[3][3];
    relate_tri(a, a->corner[0], ra);
    relate_tri(b, a->corner[0], rb);
    return are_beyond((const double(*)[3])ra, 3, (const double(*)[3])rb, limit);
}

bool wi_tri_tri_closest_within(const wi_tri *a, const wi_tri *b, double limit,
                               wi_closest_points *out)
{
    if (are_tris_beyond(a, b, limit)) return false;
    const wi_box box_a = box_of(a->corner, 3), box_b = box_of(b->corner, 3);
    double box_distance2 = wi_box_distance2(&box_a, &box_b);
    if (box_distance2 == 0.0 && wi_tris_meet(a, b)) {
        put_meeting_tris(a, b, out);
        return true;
    }
    two_tris t;
    const wi_pair_of_points best = find_apart(a, b, &t);
    if (!(distance_apart(&best, box_distance2) <= limit)) return false;
    put_apart(&best, a->corner[0], box_distance2, out);
    weigh_apart(&best, &t, out);
    return true;
}

double wi_tri_tri_distance_within(const wi_tri *a, const wi_tri *b, double limit)
{
    if (are_tris_beyond(a, b, limit)) return INFINITY;
    const wi_box box_a = box_of(a->corner, 3), box_b = box_of(b->corner, 3);
    double box_distance2 = wi_box_distance2(&box_a, &box_b);
    if (box_distance2 == 0.0 && wi_tris_meet(a, b)) return 0.0;
    two_tris t;
    const wi_pair_of_points best = find_apart(a, b, &t);
    return distance_apart(&best, box_distance2);
}

double wi_point_tri_distance_within(const float p[3], const wi_tri *tri, double limit)
{
    const double zero[1][3] = {{0.0, 0.0, 0.0}};
    double corner[3][3];
    relate_tri(tri, p, corner);
    if (are_beyond(zero, 1, (const double(*)[3])corner, limit)) return INFINITY;
    return wi_point_tri_closest(p, tri).distance;
}

static willow_vec3 to_float(const double p[3])
{
    return (willow_vec3){(float)p[0], (float)p[1], (float)p[2]};
}

static void write_point(const double p[3], willow_vec3 *out)
{
    if (out) *out = to_float(p);
}

willow_contact wi_contact_between(const wi_closest_points *p, bool is_swapped)
{
    const double length = sqrt(wi_dot3(p->way, p->way)), sign = is_swapped ? -1.0 : 1.0;
    willow_contact out = {.point_a = to_float(is_swapped ? p->on_b : p->on_a),
                          .point_b = to_float(is_swapped ? p->on_a : p->on_b),
                          .has_normal = length > 0.0};
    const double *weight_a = is_swapped ? p->weight_b : p->weight_a;
    const double *weight_b = is_swapped ? p->weight_a : p->weight_b;
    for (int i = 0; i < 3; i++) {
        out.weights_a[i] = (float)weight_a[i];
        out.weights_b[i] = (float)weight_b[i];
    }
    if (!out.has_normal) return out;
    const double scale = sign / length;
    out.normal = (willow_vec3){(float)(p->way[0] * scale), (float)(p->way[1] * scale),
                               (float)(p->way[2] * scale)};
    return out;
}

static wi_tri tri_of(const willow_vec3 corners[3])
{
    wi_tri tri;
    for (int i = 0; i < 3; i++) memcpy(tri.corner[i], &corners[i], sizeof tri.corner[i]);
    return tri;
}

static wi_closest_points point_tri(const willow_vec3 *point, const willow_vec3 tri[3])
{
    const float p[3] = {point->x, point->y, point->z};
    const wi_tri t = tri_of(tri);
    return wi_point_tri_closest(p, &t);
}

static wi_closest_points edge_edge(const willow_vec3 a[2], const willow_vec3 b[2])
{
    float ea[2][3], eb[2][3];
    for (int i = 0; i < 2; i++) {
        memcpy(ea[i], &a[i], sizeof ea[i]);
        memcpy(eb[i], &b[i], sizeof eb[i]);
    }
    return wi_edge_edge_closest((const float(*)[3])ea, (const float(*)[3])eb);
}

static wi_closest_points tri_tri(const willow_vec3 a[3], const willow_vec3 b[3])
{
    const wi_tri ta = tri_of(a), tb = tri_of(b);
    return wi_tri_tri_closest(&ta, &tb);
}

double willow_point_tri_distance(const willow_vec3 *point, const willow_vec3 tri[3],
                                 willow_vec3 *on_tri)
{
    const wi_closest_points points = point_tri(point, tri);
    write_point(points.on_b, on_tri);
    return points.distance;
}

double willow_edge_edge_distance(const willow_vec3 a[2], const willow_vec3 b[2], willow_vec3 *on_a,
                                 willow_vec3 *on_b)
{
    const wi_closest_points points = edge_edge(a, b);
    write_point(points.on_a, on_a);
    write_point(points.on_b, on_b);
    return points.distance;
}

double willow_tri_tri_distance(const willow_vec3 a[3], const willow_vec3 b[3], willow_vec3 *on_a,
                               willow_vec3 *on_b)
{
    const wi_closest_points points = tri_tri(a, b);
    write_point(points.on_a, on_a);
    write_point(points.on_b, on_b);
    return points.distance;
}

double willow_point_tri_closest(const willow_vec3 *point, const willow_vec3 tri[3],
                                willow_contact *out)
{
    const wi_closest_points points = point_tri(point, tri);
    *out = wi_contact_between(&points, false);
    return points.distance;
}

double willow_edge_edge_closest(const willow_vec3 a[2], const willow_vec3 b[2], willow_contact *out)
{
    const wi_closest_points points = edge_edge(a, b);
    *out = wi_contact_between(&points, false);
    return points.distance;
}

double willow_tri_tri_closest(const willow_vec3 a[3], const willow_vec3 b[3], willow_contact *out)
{
    const wi_closest_points points = tri_tri(a, b);
    *out = wi_contact_between(&points, false);
    return points.distance;
}
