/* tri_filter_kernel.c - the wide float filter in front of the exact triangle test.
 *
 * Way in: wi_filter_kernels. Made for the inner loop of queries: eight candidate pairs with
 * overlapping boxes, most of them apart, nearly all of them clear. There is no case analysis:
 * signs of determinants are certain or not, and the lanes that need an uncertain one are left to
 * the exact test.
 *
 * Derivation, for pairs without a common vertex. Corners a0 a1 a2 and b0 b1 b2; edge i of a
 * triangle runs from corner i to corner i+1. The origin is a0, so that a's corners are 0, p1, p2
 * and b's are q0, q1, q2; n = p1 x p2 is the normal of a.
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
 *   5. All fifteen come from ten products. Edge j of b has the moment Vj = qj x qk, k = j+1. With
 *      Aj = n.qj, Sj = p1.Vj, Tj = p2.Vj and D = q0.V1:
 *        plane_a[j] = Aj,  side[0][j] = Sj,  side[2][j] = -Tj,
 *        side[1][j] = (Tj - Sj) + (Ak - Aj)     (direction and moment of edge 1: p2 - p1 and n),
 *        plane_b[0] = D,  plane_b[1] = D - (S0 + S1 + S2),  plane_b[2] = D - (T0 + T1 + T2)
 *      (the moments add up to the normal of b).
 *
 * Why a sign is certain. u = 2^-24; m is the greatest coordinate of p1, p2, q0, q1, q2 as computed,
 * which are differences of input and so exact but for a factor (1 + d), |d| <= u.
 *   6. A, S, T, D: six monomials of at most m^3, each through at most 8 roundings (three
 *      differences, two products, one subtraction, two additions): off by at most 6 * 8 u m^3,
 *      and all terms of higher order. 64 u m^3 is safe.
 *   7. side[1][j]: four of these, 192 u m^3; the two differences are at most 12 m^3 and round by
 *      12 u m^3 each, their sum by 24 u m^3: 240 u m^3. plane_b[1], plane_b[2]: four of these, and
 *      sums of at most 12, 18 and 24 m^3: 246 u m^3. 256 u m^3 is safe for both.
 *   8. Underflow adds at most 2^-150 to each product, of which those of two are multiplied by at
 *      most m: below 36 (1 + m) 2^-150 in all, while 2^-115 is added to every bound.
 *   9. Nothing above exceeds 24 m^3. The bounds are multiples of 64 m^3 = (4 m)^3, so where
 * anything overflows, they are infinite, and no comparison with infinity holds.
 *
 * Neighbours: a common vertex o, the origin (tri_tri.c, step 4).
 *  10. If for any vector w at all w.p > 0 for both other corners p of a and w.q < 0 for those of b,
 *      the plane through o parts them: apart. w runs between their midpoints. Most neighbours in a
 *      smooth mesh end here. w has coordinates of at most 4 m; 4 roundings of three monomials:
 *      48 u m^2, 64 u m^2 is safe, as a multiple of 16 m^2, which is more than any sum.
 *  11. Otherwise only the opposite edges matter. Edges through o have no moment. With the normals
 *      n and k of a and b, A1 = n.q1, A2 = n.q2, B1 = k.p1, B2 = k.p2 and
 *      side = (B2 - B1) + (A2 - A1), the volumes of a's opposite edge with b's edges are A1, side
 *      and -A2, those of b's opposite edge with a's edges B1, side and -B2; bounds as in 6 and 7.
 *      A piercing point is not o, since o on the opposite edge would make a normal vanish.
 *
 * Neighbours: a common edge e from o (tri_tri.c, step 6).
 *  12. n.k < 0 for the normals n = e x p, k = e x q: if the four corners are coplanar, p and q are
 *      on different sides of e; if not, the triangles meet in e only. Apart either way. Normals
 *      are at most 2 m^2 and off by 8 u m^2; the sum of three products is off by
 *      3 * 32 u m^4 for that and 32 u m^4 for its own roundings: 256 u m^4 is safe, as a multiple
 *      of 16 m^4, which is more than any sum. Otherwise not coplanar, n.q not 0 (step 6): apart.
 *      The rest is left over. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/meet/tri_filter.h"
#include "prim/vec8.h"

/* 64 u m^3 and 256 u m^3 as multiples of 64 m^3; 64 u m^2 of 16 m^2; 256 u m^4 of 16 m^4. */
static const float bound_of_products = 0x1p-24F;
static const float bound_of_sums = 0x1p-22F;
static const float bound_of_w = 0x1p-22F;
static const float bound_of_normals = 0x1p-20F;
static const float tiny = 0x1p-115F;

/* 64 m^3 */
static inline wi_wide cube_of(wi_wide m)
{
    const wi_wide m4 = wi_wide_mul(wi_wide_all(4.0F), m);
    return wi_wide_mul(wi_wide_mul(m4, m4), m4);
}

static inline wi_wide bound(float factor, wi_wide power)
{
    return wi_wide_add(wi_wide_mul(wi_wide_all(factor), power), wi_wide_all(tiny));
}

static inline wi_signs8 negated(wi_signs8 s) { return (wi_signs8){s.negative, s.positive}; }
static inline unsigned same_side(wi_signs8 a, wi_signs8 b)
{
    return (a.positive & b.positive) | (a.negative & b.negative);
}
static inline unsigned other_sides(wi_signs8 a, wi_signs8 b) { return same_side(a, negated(b)); }
static inline unsigned one_sign(wi_signs8 a, wi_signs8 b, wi_signs8 c)
{
    return (a.positive & b.positive & c.positive) | (a.negative & b.negative & c.negative);
}
static inline unsigned both_signs(wi_signs8 a, wi_signs8 b, wi_signs8 c)
{
    return (a.positive | b.positive | c.positive) & (a.negative | b.negative | c.negative);
}

static wi_filter_result filter_strangers(const wi_tri8 *a, const wi_tri8 *b)
{
    const wi_vec8 a0 = wi_vec8_of(a->corner[0]);
    const wi_vec8 p1 = wi_vec8_sub(wi_vec8_of(a->corner[1]), a0),
                  p2 = wi_vec8_sub(wi_vec8_of(a->corner[2]), a0);
    const wi_vec8 q[3] = {wi_vec8_sub(wi_vec8_of(b->corner[0]), a0),
                          wi_vec8_sub(wi_vec8_of(b->corner[1]), a0),
                          wi_vec8_sub(wi_vec8_of(b->corner[2]), a0)};
    const wi_wide m =
        wi_wide_max(wi_wide_max(wi_wide_max(wi_vec8_greatest(p1), wi_vec8_greatest(p2)),
                                wi_vec8_greatest(q[0])),
                    wi_wide_max(wi_vec8_greatest(q[1]), wi_vec8_greatest(q[2])));
    const wi_wide cube = cube_of(m);
    const wi_wide error = bound(bound_of_products, cube);
    const wi_wide error_of_sums = bound(bound_of_sums, cube);
    wi_wide A[3], S[3], T[3];
    wi_signs8 plane_a[3], plane_b[3], side[3][3];

    const wi_vec8 n = wi_vec8_cross(p1, p2);
    for (int j = 0; j < 3; j++) {
        A[j] = wi_vec8_dot(n, q[j]);
        plane_a[j] = wi_certain8(A[j], error);
    }
    unsigned apart = one_sign(plane_a[0], plane_a[1], plane_a[2]);
    if (apart == WI_ALL_LANES) return (wi_filter_result){0, apart};

    const wi_vec8 V[3] = {wi_vec8_cross(q[0], q[1]), wi_vec8_cross(q[1], q[2]),
                          wi_vec8_cross(q[2], q[0])};
    for (int j = 0; j < 3; j++) {
        S[j] = wi_vec8_dot(p1, V[j]);
        T[j] = wi_vec8_dot(p2, V[j]);
    }
    const wi_wide D = wi_vec8_dot(q[0], V[1]);
    plane_b[0] = wi_certain8(D, error);
    plane_b[1] =
        wi_certain8(wi_wide_sub(D, wi_wide_add(wi_wide_add(S[0], S[1]), S[2])), error_of_sums);
    plane_b[2] =
        wi_certain8(wi_wide_sub(D, wi_wide_add(wi_wide_add(T[0], T[1]), T[2])), error_of_sums);
    apart |= one_sign(plane_b[0], plane_b[1], plane_b[2]);
    if (apart == WI_ALL_LANES) return (wi_filter_result){0, apart};

    for (int j = 0; j < 3; j++) {
        side[0][j] = wi_certain8(S[j], error);
        side[1][j] = wi_certain8(
            wi_wide_add(wi_wide_sub(T[j], S[j]), wi_wide_sub(A[(j + 1) % 3], A[j])), error_of_sums);
        side[2][j] = negated(wi_certain8(T[j], error));
    }

    unsigned meet = 0, missed = WI_ALL_LANES;
    for (int i = 0; i < 3; i++) {
        int k = (i + 1) % 3;
        meet |= other_sides(plane_b[i], plane_b[k]) & one_sign(side[i][0], side[i][1], side[i][2]);
        meet |= other_sides(plane_a[i], plane_a[k]) & one_sign(side[0][i], side[1][i], side[2][i]);
        missed &=
            same_side(plane_b[i], plane_b[k]) | both_signs(side[i][0], side[i][1], side[i][2]);
        missed &=
            same_side(plane_a[i], plane_a[k]) | both_signs(side[0][i], side[1][i], side[2][i]);
    }
    WI_ASSERT((meet & (apart | missed)) == 0);
    return (wi_filter_result){meet, apart | missed};
}

static wi_filter_result filter_vertex_neighbours(const wi_tri8 *a, const wi_tri8 *b)
{
    const wi_vec8 o = wi_vec8_of(a->corner[0]);
    const wi_vec8 p1 = wi_vec8_sub(wi_vec8_of(a->corner[1]), o),
                  p2 = wi_vec8_sub(wi_vec8_of(a->corner[2]), o);
    const wi_vec8 q1 = wi_vec8_sub(wi_vec8_of(b->corner[1]), o),
                  q2 = wi_vec8_sub(wi_vec8_of(b->corner[2]), o);
    const wi_wide m = wi_wide_max(wi_wide_max(wi_vec8_greatest(p1), wi_vec8_greatest(p2)),
                                  wi_wide_max(wi_vec8_greatest(q1), wi_vec8_greatest(q2)));
    const wi_wide m4 = wi_wide_mul(wi_wide_all(4.0F), m), cube = cube_of(m);

    const wi_vec8 w = wi_vec8_sub(wi_vec8_add(p1, p2), wi_vec8_add(q1, q2));
    const wi_wide error_of_w = bound(bound_of_w, wi_wide_mul(m4, m4));
    unsigned apart =
        wi_certain8(wi_wide_min(wi_vec8_dot(w, p1), wi_vec8_dot(w, p2)), error_of_w).positive &
        wi_certain8(wi_wide_max(wi_vec8_dot(w, q1), wi_vec8_dot(w, q2)), error_of_w).negative;
    if (apart == WI_ALL_LANES) return (wi_filter_result){0, apart};

    const wi_wide error = bound(bound_of_products, cube);
    const wi_vec8 normal_a = wi_vec8_cross(p1, p2), normal_b = wi_vec8_cross(q1, q2);
    const wi_wide A1 = wi_vec8_dot(normal_a, q1), A2 = wi_vec8_dot(normal_a, q2);
    const wi_wide B1 = wi_vec8_dot(normal_b, p1), B2 = wi_vec8_dot(normal_b, p2);
    const wi_signs8 a1 = wi_certain8(A1, error), a2 = wi_certain8(A2, error);
    const wi_signs8 b1 = wi_certain8(B1, error), b2 = wi_certain8(B2, error);
    apart |= same_side(a1, a2) | same_side(b1, b2);
    if (apart == WI_ALL_LANES) return (wi_filter_result){0, apart};

    const wi_signs8 side = wi_certain8(wi_wide_add(wi_wide_sub(B2, B1), wi_wide_sub(A2, A1)),
                                       bound(bound_of_sums, cube));
    unsigned meet = (other_sides(b1, b2) & one_sign(a1, negated(a2), side)) |
                    (other_sides(a1, a2) & one_sign(b1, negated(b2), side));
    unsigned missed = both_signs(a1, negated(a2), side) & both_signs(b1, negated(b2), side);
    WI_ASSERT((meet & (apart | missed)) == 0);
    return (wi_filter_result){meet, apart | missed};
}

static wi_filter_result filter_edge_neighbours(const wi_tri8 *a, const wi_tri8 *b)
{
    const wi_vec8 o = wi_vec8_of(a->corner[0]);
    const wi_vec8 e = wi_vec8_sub(wi_vec8_of(a->corner[1]), o);
    const wi_vec8 p = wi_vec8_sub(wi_vec8_of(a->corner[2]), o),
                  q = wi_vec8_sub(wi_vec8_of(b->corner[2]), o);
    const wi_wide m =
        wi_wide_max(wi_wide_max(wi_vec8_greatest(e), wi_vec8_greatest(p)), wi_vec8_greatest(q));
    const wi_wide m2 = wi_wide_mul(wi_wide_all(2.0F), m), square = wi_wide_mul(m2, m2);
    const wi_vec8 normal_a = wi_vec8_cross(e, p), normal_b = wi_vec8_cross(e, q);
    unsigned apart = wi_certain8(wi_vec8_dot(normal_a, normal_b),
                                 bound(bound_of_normals, wi_wide_mul(square, square)))
                         .negative;
    if (apart == WI_ALL_LANES) return (wi_filter_result){0, apart};
    const wi_signs8 volume =
        wi_certain8(wi_vec8_dot(normal_a, q), bound(bound_of_products, cube_of(m)));
    return (wi_filter_result){0, apart | volume.positive | volume.negative};
}

/* Twelve bytes and no more: the end of the caller's array is not known. */
static inline void load_lane(wi_tri8 *out, unsigned lane, const willow_tri_source *source,
                             willow_tri tri)
{
    const size_t stride = source->stride != 0 ? source->stride : 3 * sizeof(float);
    WI_ASSERT(lane < WI_LANES && stride >= 3 * sizeof(float));
    for (size_t i = 0; i < 3; i++) {
        size_t vertex = source->indices[3 * (size_t)tri + i];
        const char *at = (const char *)source->positions + vertex * stride;
        wi_quad_store(out->corner[i][lane], wi_quad_load3((const float *)(const void *)at));
    }
}

static void meet_many(const willow_tri_source *a, const willow_tri_source *b,
                      const willow_tri_pair *pairs, size_t count, uint8_t *meet)
{
    wi_tri8 lanes_a = {0}, lanes_b = {0};
    for (size_t first = 0; first < count; first += WI_LANES) {
        unsigned used = count - first < WI_LANES ? (unsigned)(count - first) : WI_LANES;
        for (unsigned i = 0; i < used; i++) {
            load_lane(&lanes_a, i, a, pairs[first + i].tri_a);
            load_lane(&lanes_b, i, b, pairs[first + i].tri_b);
        }
        wi_filter_result result = filter_strangers(&lanes_a, &lanes_b);
        WI_ASSERT(used > 0 && used <= WI_LANES && (result.meet & result.apart) == 0);
        unsigned left_over = ~(result.meet | result.apart) & ((1U << used) - 1);
        for (unsigned i = 0; i < used; i++) meet[first + i] = result.meet >> i & 1;
        for (; left_over != 0; left_over &= left_over - 1) {
            unsigned i = (unsigned)__builtin_ctz(left_over);
            meet[first + i] = wi_tri8_meet_exact(0, &lanes_a, &lanes_b, i);
        }
    }
}

extern const wi_filter_kernels WI_KERNEL(filter_kernels);
const wi_filter_kernels WI_KERNEL(filter_kernels) = {
    .sharing = {filter_strangers, filter_vertex_neighbours, filter_edge_neighbours},
    .meet_many = meet_many};
