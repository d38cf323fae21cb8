/* tri_filter_kernel.c - the wide float filter in front of the exact triangle test.
 *
 * Way in: wi_filter_kernels. Made for the inner loop of queries: eight candidate pairs with
 * overlapping boxes, most of them apart, nearly all of them clear. There is no case analysis:
 * signs of determinants are certain or not, and the lanes that need an uncertain one are left to
 * the exact test.
 *
 * Derivation, for pairs without a common vertex. Corners a0 a1 a2 and b0 b1 b2; edge i of a
 * triangle runs from corner i to corner i+1.
 *   1. plane_a[j] is the side of b's corner j of the plane of a, plane_b[i] likewise: six volumes.
 *      All three strictly on one side: apart.
 *   2. side[i][j] is the volume spanned by edge i of a and edge j of b: nine volumes.
 *   3. Edge i of a pierces b if its ends are strictly on different sides of b and side[i][0..2] are
 *      strictly of one sign. One piercing edge, of a or of b: they meet.
 *   4. Edge i of a misses b if its ends are strictly on the same side, or if side[i][0..2] have
 *      both signs strictly: if the line of the edge met b, then in a point that is not strictly
 *      left of one edge and strictly right of another; if b is a segment or the line lies in its
 *      plane, a common point would make all three volumes vanish. All six edges miss: apart, since
 *      triangles that meet do so along an edge of one (tri_tri.c, step 1).
 *   5. With the origin in a0, edge i of a has the Pluecker coordinates (u, v): direction and
 * moment. Edges 0 and 2 go through the origin, v = 0; edge 1 has v = p1 x p2, the normal of a. With
 *      (U, V) of edge j of b, V = qj x qk, side = u.V + v.U.
 *
 * Why a sign is certain. u = 2^-24. Differences are taken of the input itself, so each coordinate
 * difference is exact but for a factor (1 + d), |d| <= u.
 *   6. Each monomial of plane_a, plane_b goes through at most 8 roundings (three differences, two
 *      products, one subtraction, two additions), of side[1][j] through 9 (one more addition). As
 *      in orient.c the error is at most 9.001 u times the computed sum of absolute monomials,
 *      the `size`; 10 u size is safe.
 *   7. Underflow adds at most 2^-150 to a product of two, which may then be multiplied by the third
 *      factor, and the same to a product of three. Adding tiny = 2^-120 to the size of every normal
 *      or moment and to the size of the whole covers both: 10 u tiny > 2^-141 is more than the
 *      6 * 2^-150 that can occur.
 *   8. Overflow makes the size infinite or not a number, and no comparison with it holds.
 *
 * Neighbours: a common vertex o, corners 0 (tri_tri.c, step 4).
 *   9. If for any vector w at all w.p > 0 for both other corners p of a and w.q < 0 for those of b,
 *      seen from o, the plane through o parts them: apart. w runs between their midpoints. Most
 *      neighbours in a smooth mesh end here. 4 roundings; 5 u is safe.
 *  10. Otherwise only the opposite edges matter. In step 5 all edges through o have no moment,
 *      so side[1][0] = plane_a[1], side[1][2] = -plane_a[2], and the same with a and b exchanged:
 *      four volumes and side[1][1] decide. A piercing point is not o, since o on the opposite edge
 *      would make the normal vanish.
 * Neighbours: a common edge e from o (tri_tri.c, step 6).
 *  11. n.m < 0 for the normals n = e x p, m = e x q: if the four corners are coplanar, p and q are
 *      on different sides of e; if not, the triangles meet in e only. Apart either way. At most
 *      11 roundings; 12 u is safe. Otherwise not coplanar: apart. The rest is left over. */
#include "base/kernel.h"
#include "prim/tri_filter.h"

typedef struct vec8 {
    wi_wide x, y, z;
} vec8;

/* A vector with, for each coordinate, the sum of the absolute monomials that it was made of. */
typedef struct sized_vec8 {
    vec8 value, size;
} sized_vec8;

typedef struct signs {
    unsigned positive, negative;
} signs;

enum { ALL_LANES = 0xFF };

static const float tiny = 0x1p-120F;
static const float bound5 = 5.0F * 0x1p-24F;
static const float bound10 = 10.0F * 0x1p-24F;
static const float bound12 = 12.0F * 0x1p-24F;

static inline vec8 load(const float vertices[WI_LANES][4])
{
    wi_wide axes[3];
    wi_wide_transpose(vertices, axes);
    return (vec8){axes[0], axes[1], axes[2]};
}

static inline vec8 sub(vec8 a, vec8 b)
{
    return (vec8){wi_wide_sub(a.x, b.x), wi_wide_sub(a.y, b.y), wi_wide_sub(a.z, b.z)};
}

static inline vec8 add(vec8 a, vec8 b)
{
    return (vec8){wi_wide_add(a.x, b.x), wi_wide_add(a.y, b.y), wi_wide_add(a.z, b.z)};
}

static inline vec8 absolute(vec8 a)
{
    return (vec8){wi_wide_abs(a.x), wi_wide_abs(a.y), wi_wide_abs(a.z)};
}

static inline wi_wide dot(vec8 a, vec8 b)
{
    return wi_wide_add(wi_wide_add(wi_wide_mul(a.x, b.x), wi_wide_mul(a.y, b.y)),
                       wi_wide_mul(a.z, b.z));
}

static inline void sized_minor(wi_wide a, wi_wide b, wi_wide c, wi_wide d, wi_wide *value,
                               wi_wide *size)
{
    wi_wide ad = wi_wide_mul(a, d), bc = wi_wide_mul(b, c);
    *value = wi_wide_sub(ad, bc);
    *size = wi_wide_add(wi_wide_add(wi_wide_abs(ad), wi_wide_abs(bc)), wi_wide_all(tiny));
}

static inline sized_vec8 cross(vec8 a, vec8 b)
{
    sized_vec8 r;
    sized_minor(a.y, a.z, b.y, b.z, &r.value.x, &r.size.x);
    sized_minor(a.z, a.x, b.z, b.x, &r.value.y, &r.size.y);
    sized_minor(a.x, a.y, b.x, b.y, &r.value.z, &r.size.z);
    return r;
}

static inline signs certain_signs(wi_wide value, wi_wide size, float factor)
{
    wi_wide bound = wi_wide_mul(wi_wide_all(factor), wi_wide_add(size, wi_wide_all(tiny)));
    return (signs){wi_mask_bits(wi_wide_less(bound, value)),
                   wi_mask_bits(wi_wide_less(value, wi_wide_negate(bound)))};
}

/* The sign of n.p for a normal n. */
static inline signs plane_signs(const sized_vec8 *n, vec8 p)
{
    return certain_signs(dot(n->value, p), dot(n->size, absolute(p)), bound10);
}

/* The sign of u.V + v.U: step 5. */
static inline signs side_signs(vec8 u, const sized_vec8 *v, vec8 U, const sized_vec8 *V)
{
    wi_wide value = wi_wide_add(dot(u, V->value), dot(v->value, U));
    wi_wide size = wi_wide_add(dot(absolute(u), V->size), dot(v->size, absolute(U)));
    return certain_signs(value, size, bound10);
}

static inline signs negated(signs s) { return (signs){s.negative, s.positive}; }
static inline unsigned same_side(signs a, signs b)
{
    return (a.positive & b.positive) | (a.negative & b.negative);
}
static inline unsigned other_sides(signs a, signs b) { return same_side(a, negated(b)); }
static inline unsigned one_sign(signs a, signs b, signs c)
{
    return (a.positive & b.positive & c.positive) | (a.negative & b.negative & c.negative);
}
static inline unsigned both_signs(signs a, signs b, signs c)
{
    return (a.positive | b.positive | c.positive) & (a.negative | b.negative | c.negative);
}

static wi_filter_result filter_strangers(const wi_tri8 *a, const wi_tri8 *b)
{
    const vec8 a0 = load(a->corner[0]), a1 = load(a->corner[1]), a2 = load(a->corner[2]);
    const vec8 b0 = load(b->corner[0]), b1 = load(b->corner[1]), b2 = load(b->corner[2]);
    const vec8 p1 = sub(a1, a0), p2 = sub(a2, a0);
    const vec8 q[3] = {sub(b0, a0), sub(b1, a0), sub(b2, a0)};
    signs plane_a[3], plane_b[3], side[3][3];

    const sized_vec8 normal_a = cross(p1, p2);
    for (int j = 0; j < 3; j++) plane_a[j] = plane_signs(&normal_a, q[j]);
    unsigned apart = one_sign(plane_a[0], plane_a[1], plane_a[2]);
    if (apart == ALL_LANES) return (wi_filter_result){0, apart};

    const vec8 edge_b[3] = {sub(b1, b0), sub(b2, b1), sub(b0, b2)};
    const sized_vec8 normal_b = cross(edge_b[0], edge_b[1]);
    plane_b[0] = negated(plane_signs(&normal_b, q[0]));
    plane_b[1] = plane_signs(&normal_b, sub(a1, b0));
    plane_b[2] = plane_signs(&normal_b, sub(a2, b0));
    apart |= one_sign(plane_b[0], plane_b[1], plane_b[2]);
    if (apart == ALL_LANES) return (wi_filter_result){0, apart};

    const vec8 edge_a1 = sub(a2, a1);
    for (int j = 0; j < 3; j++) {
        const sized_vec8 moment_b = cross(q[j], q[(j + 1) % 3]);
        side[0][j] = plane_signs(&moment_b, p1);
        side[1][j] = side_signs(edge_a1, &normal_a, edge_b[j], &moment_b);
        side[2][j] = negated(plane_signs(&moment_b, p2));
    }

    unsigned meet = 0, missed = ALL_LANES;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        meet |= other_sides(plane_b[i], plane_b[k]) & one_sign(side[i][0], side[i][1], side[i][2]);
        meet |= other_sides(plane_a[i], plane_a[k]) & one_sign(side[0][i], side[1][i], side[2][i]);
        missed &=
            same_side(plane_b[i], plane_b[k]) | both_signs(side[i][0], side[i][1], side[i][2]);
        missed &=
            same_side(plane_a[i], plane_a[k]) | both_signs(side[0][i], side[1][i], side[2][i]);
    }
    return (wi_filter_result){meet, apart | missed};
}

/* Step 9. */
static inline unsigned parted_at_vertex(const vec8 p[3], const vec8 q[3])
{
    const vec8 w = sub(add(p[1], p[2]), add(q[1], q[2])), w_size = absolute(w);
    unsigned parted = ALL_LANES;
    for (int i = 1; i < 3; i++) {
        parted &= certain_signs(dot(w, p[i]), dot(w_size, absolute(p[i])), bound5).positive;
        parted &= certain_signs(dot(w, q[i]), dot(w_size, absolute(q[i])), bound5).negative;
    }
    return parted;
}

static wi_filter_result filter_vertex_neighbours(const wi_tri8 *a, const wi_tri8 *b)
{
    const vec8 o = load(a->corner[0]);
    const vec8 a1 = load(a->corner[1]), a2 = load(a->corner[2]);
    const vec8 b1 = load(b->corner[1]), b2 = load(b->corner[2]);
    const vec8 p[3] = {o, sub(a1, o), sub(a2, o)}, q[3] = {o, sub(b1, o), sub(b2, o)};
    unsigned apart = parted_at_vertex(p, q);
    if (apart == ALL_LANES) return (wi_filter_result){0, apart};

    const sized_vec8 normal_a = cross(p[1], p[2]), normal_b = cross(q[1], q[2]);
    const signs plane_a1 = plane_signs(&normal_a, q[1]), plane_a2 = plane_signs(&normal_a, q[2]);
    const signs plane_b1 = plane_signs(&normal_b, p[1]), plane_b2 = plane_signs(&normal_b, p[2]);
    const unsigned a_same = same_side(plane_b1, plane_b2), b_same = same_side(plane_a1, plane_a2);
    apart |= a_same | b_same;
    if (apart == ALL_LANES) return (wi_filter_result){0, apart};

    const signs side = side_signs(sub(a2, a1), &normal_a, sub(b2, b1), &normal_b);
    const signs plane_a2_back = negated(plane_a2), plane_b2_back = negated(plane_b2);
    unsigned meet = (other_sides(plane_b1, plane_b2) & one_sign(plane_a1, plane_a2_back, side)) |
                    (other_sides(plane_a1, plane_a2) & one_sign(plane_b1, plane_b2_back, side));
    unsigned missed =
        both_signs(plane_a1, plane_a2_back, side) & both_signs(plane_b1, plane_b2_back, side);
    return (wi_filter_result){meet, apart | missed};
}

static wi_filter_result filter_edge_neighbours(const wi_tri8 *a, const wi_tri8 *b)
{
    const vec8 o = load(a->corner[0]);
    const vec8 e = sub(load(a->corner[1]), o);
    const vec8 p = sub(load(a->corner[2]), o), q = sub(load(b->corner[2]), o);
    const sized_vec8 normal_a = cross(e, p), normal_b = cross(e, q);
    unsigned apart = certain_signs(dot(normal_a.value, normal_b.value),
                                   dot(normal_a.size, normal_b.size), bound12)
                         .negative;
    if (apart == ALL_LANES) return (wi_filter_result){0, apart};
    const signs volume = plane_signs(&normal_a, q);
    return (wi_filter_result){0, apart | volume.positive | volume.negative};
}

extern const wi_filter_kernels WI_KERNEL(filter_kernels);
const wi_filter_kernels WI_KERNEL(filter_kernels) = {
    {filter_strangers, filter_vertex_neighbours, filter_edge_neighbours}};
