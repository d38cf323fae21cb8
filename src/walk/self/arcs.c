/* arcs.c - finds the boxes of arcs, and sorts them for a sweep.
 *
 * Way in: wi_arcs_find. Made for cones and fans of tens to thousands of slivers: a direction or two
 * for each of them, and a radix sort. Whoever sweeps along the first axis then meets few arcs at a
 * time, unless the fan is folded many times over.
 *
 * Derivation. The centre is the origin at all times, and p and q are the other corners of a
 * triangle.
 *   1. Directions. A point of the triangle that is not the origin has the direction of a point of
 *      its opposite edge pq. Over a step p and q go straight, so that all points of pq at all times
 *      are in the hull of p and q at both ends: of two or four points r[i].
 *   2. Box. Let u[i] be the directions of r[i], and a any unit vector with a.u[i] >= c > 0 for all
 *      i. A point of the hull has the direction of some y = sum w[i] u[i] with weights that are not
 *      negative and add up to 1. y is in the box of all u[i], and its length is between c and 1, so
 *      that y/|y| is no further from y than 1 - c. So the box of all u[i], wider by 1 - c, has all
 *      directions. For slivers 1 - c is about an eighth of the square of their angle.
 *   3. Where c is not clearly positive, or an r[i] is the origin, the box is all of space. This is
 *      where the opposite edge goes through the origin, or may do so on the way: a triangle that is
 *      degenerate there.
 *   4. A corner that is the centre itself, by its number, has no direction and needs none: the
 *      triangle is the segment to the other corner, if that is another one.
 *
 * Why nothing is lost. Directions and sums are computed in double from differences of floats, off
 * by some 2^-50; boxes are wider by 2^-20 on all sides and then rounded to float, which is 2^-24.
 *   5. Triangles whose boxes are apart have only the origin in common, so they are no pair (C2).
 *   6. Contacts within a reach r: of two features without a common vertex one is on the opposite
 *      edge of its triangle. A point x of that edge is at least s = c min |r[i]| from the
 *      origin, as a.x is. Its distance from a ray at an angle f to it is |x| sin f up to a right
 *      angle, and |x| beyond. Where the direction of the ray is further than w from that of x,
 *      w < 2 sin(f / 2), and sin f is at least w / sqrt(2) up to a right angle. So if the box of
 *      each triangle is wider by w = sqrt(2) r / s on all sides, and s > r, triangles whose boxes
 *      are apart are farther than r from each other in all such features.
 *   7. Times of impact are found with roundings (prim/moving/toi.c, step 5): what comes within some
 *      100 * 2^-53 of the sizes may be said to touch, and must not be lost here. Sizes are at most
 *      four times the greatest |r[i]| of all triangles. So 2^-40 of that is added to the reach,
 *      which is ten times as much; also where that is 0. Short triangles then have wider boxes, and
 *      all of space if they are shorter than that; but one long triangle changes little in the
 *      boxes of all others. */
#include "walk/self/arcs.h"

#include <math.h>

#include "base/check.h"
#include "base/containers/sort.h"

static const double least_cosine = 0.125;
static const float wider = 0x1p-20F;
static const double rounding = 0x1p-40; /* of the greatest length, in contacts */
static const double more_than_root_2 = 1.415;

enum { MOST_POINTS = 4 };

/* The points of the opposite edge, from the centre. */
typedef struct rays {
    double at[MOST_POINTS][3];
    double length[MOST_POINTS];
    unsigned count;
} rays;

/* The centre at the start and at the end. */
typedef struct apex {
    float at[2][4];
} apex;

static void arcs_add_ray(rays *r, const wi_mesh *mesh, uint32_t vertex, const float centre[4])
{
    float p[4];
    WI_ASSERT(r->count < MOST_POINTS);
    double *at = r->at[r->count], sum = 0.0;
    wi_mesh_world_position(mesh, vertex, p);
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = (double)p[axis] - (double)centre[axis];
        sum += at[axis] * at[axis];
    }
    r->length[r->count++] = sqrt(sum);
}

static rays arcs_read(const wi_arc_fan *fan, const apex *centre, uint32_t slot)
{
    const uint32_t *tri = fan->start->tris[slot];
    rays r = {.count = 0};
    unsigned corners = 0;
    for (int i = 0; i < 3 && corners < 2; i++) {
        if (tri[i] == fan->centre) continue;
        corners++;
        arcs_add_ray(&r, fan->start, tri[i], centre->at[0]);
        if (fan->end) arcs_add_ray(&r, fan->end, tri[i], centre->at[1]);
    }
    return r;
}

static wi_arc all_directions(uint32_t slot)
{
    return (wi_arc){{-2.0F, -2.0F, -2.0F}, {2.0F, 2.0F, 2.0F}, slot};
}

/* Makes them unit vectors; false if one has no length, or is not finite. */
static bool arcs_normalise(rays *r)
{
    for (unsigned i = 0; i < r->count; i++) {
        if (!(r->length[i] > 0.0 && r->length[i] < INFINITY)) return false;
        for (int axis = 0; axis < 3; axis++) r->at[i][axis] /= r->length[i];
    }
    return r->count > 0;
}

/* The greatest c of step 2 for a vector in the middle of all; or less than least_cosine. */
static double arcs_least_cosine(const rays *r)
{
    double middle[3] = {0.0, 0.0, 0.0}, least = 1.0;
    for (unsigned i = 0; i < r->count; i++)
        for (int axis = 0; axis < 3; axis++) middle[axis] += r->at[i][axis];
    const double length =
        sqrt(middle[0] * middle[0] + middle[1] * middle[1] + middle[2] * middle[2]);
    if (!(length > least_cosine)) return 0.0;
    for (unsigned i = 0; i < r->count; i++) {
        const double *u = r->at[i];
        const double cosine = (u[0] * middle[0] + u[1] * middle[1] + u[2] * middle[2]) / length;
        least = cosine < least ? cosine : least;
    }
    return least;
}

/* By how much the box of the corners is wider on all sides: step 2, and step 6; or infinity. */
static double arcs_margin(const rays *r, double reach)
{
    const double cosine = arcs_least_cosine(r);
    if (cosine < least_cosine) return INFINITY;
    double nearest = INFINITY;
    for (unsigned i = 0; i < r->count; i++)
        nearest = r->length[i] < nearest ? r->length[i] : nearest;
    if (reach >= 0.999 * cosine * nearest) return INFINITY;
    return (1.0 - cosine) + more_than_root_2 * reach / (cosine * nearest);
}

static wi_arc arc_of(rays *r, uint32_t slot, double reach)
{
    wi_arc arc = all_directions(slot);
    if (!arcs_normalise(r)) return arc;
    const double margin = arcs_margin(r, reach);
    if (margin > 2.0) return arc;
    for (int axis = 0; axis < 3; axis++) {
        double low = r->at[0][axis], high = low;
        for (unsigned i = 1; i < r->count; i++) {
            low = r->at[i][axis] < low ? r->at[i][axis] : low;
            high = r->at[i][axis] > high ? r->at[i][axis] : high;
        }
        arc.lower[axis] = (float)(low - margin) - wider;
        arc.upper[axis] = (float)(high + margin) + wider;
    }
    return arc;
}

/* How near is to touch, by step 7; pairs are exact. */
static double arcs_reach(const wi_arc_fan *fan, const apex *centre)
{
    double longest = 0.0;
    if (!fan->is_contact) return 0.0;
    for (uint32_t i = 0; i < fan->count; i++) {
        const rays r = arcs_read(fan, centre, fan->slots[i]);
        for (unsigned k = 0; k < r.count; k++)
            longest = r.length[k] > longest ? r.length[k] : longest;
    }
    return (double)fan->reach + rounding * longest;
}

/* Along which their middles are spread out most. */
static int arcs_widest_axis(const wi_arcs *arcs)
{
    double sum[3] = {0.0, 0.0, 0.0}, squares[3] = {0.0, 0.0, 0.0}, spread[3];
    const double count = (double)arcs->unsorted.count;
    for (size_t i = 0; i < arcs->unsorted.count; i++)
        for (int axis = 0; axis < 3; axis++) {
            const wi_arc *arc = &arcs->unsorted.items[i];
            const double middle = (double)arc->lower[axis] + (double)arc->upper[axis];
            sum[axis] += middle;
            squares[axis] += middle * middle;
        }
    for (int axis = 0; axis < 3; axis++)
        spread[axis] = squares[axis] - sum[axis] * sum[axis] / count;
    const int first = spread[1] > spread[0] ? 1 : 0;
    return spread[2] > spread[first] ? 2 : first;
}

static void arcs_sort(wi_arcs *arcs)
{
    const size_t count = arcs->unsorted.count;
    const int first = arcs_widest_axis(arcs);
    for (size_t i = 0; i < count; i++)
        arcs->keys.items[i] =
            (uint64_t)wi_float_key(arcs->unsorted.items[i].lower[first]) << 32 | i;
    wi_sort_u64(arcs->keys.items, arcs->spare.items, count);
    for (size_t i = 0; i < count; i++) {
        const wi_arc *from = &arcs->unsorted.items[(uint32_t)arcs->keys.items[i]];
        wi_arc *to = &arcs->items.items[i];
        to->slot = from->slot;
        for (int axis = 0; axis < 3; axis++) {
            to->lower[axis] = from->lower[(first + axis) % 3];
            to->upper[axis] = from->upper[(first + axis) % 3];
        }
    }
    arcs->items.count = count;
}

static bool arcs_reserve(wi_memory *memory, wi_arcs *arcs, size_t count)
{
    arcs->items.count = arcs->unsorted.count = arcs->keys.count = arcs->spare.count = 0;
    return wi_array_reserve(memory, &arcs->items, count) &&
           wi_array_reserve(memory, &arcs->unsorted, count) &&
           wi_array_reserve(memory, &arcs->keys, count) &&
           wi_array_reserve(memory, &arcs->spare, count);
}

bool wi_arcs_find(wi_memory *memory, wi_arcs *arcs, const wi_arc_fan *fan)
{
    apex centre;
    WI_ASSERT(fan->count > 0 && fan->reach >= 0.0F);
    WI_ASSERT(fan->is_contact || (fan->end == NULL && fan->reach == 0.0F));
    if (!arcs_reserve(memory, arcs, fan->count)) return false;
    wi_mesh_world_position(fan->start, fan->centre, centre.at[0]);
    if (fan->end) wi_mesh_world_position(fan->end, fan->centre, centre.at[1]);
    const double reach = arcs_reach(fan, &centre);
    for (uint32_t i = 0; i < fan->count; i++) {
        rays r = arcs_read(fan, &centre, fan->slots[i]);
        arcs->unsorted.items[arcs->unsorted.count++] = arc_of(&r, fan->slots[i], reach);
    }
    arcs_sort(arcs);
    return true;
}

void wi_arcs_free(wi_memory *memory, wi_arcs *arcs)
{
    wi_array_free(memory, &arcs->items);
    wi_array_free(memory, &arcs->unsorted);
    wi_array_free(memory, &arcs->keys);
    wi_array_free(memory, &arcs->spare);
}
