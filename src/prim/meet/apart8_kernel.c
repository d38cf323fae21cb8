/* apart8_kernel.c - looks for a direction along which two moving triangles are apart.
 *
 * Way in: wi_apart8. Seen along a fixed direction d the gap between two triangles, the least of
 * d.p over the corners of b less the greatest over those of a, is a concave function of time: least
 * values of linear functions are. So if it is large enough at both ends of the step it is so at all
 * times, however far both have gone meanwhile. Directions that are tried: those that separate the
 * two triangles where they are in the middle of the step, if any does: their normals, and the
 * normals of their edges in their planes. (Products of two edges, which would complete the test of
 * separating axes, cost more than they save: what they tell is told of pairs of edges later.)
 *
 * Why it is certain. u = 2^-24. Points are taken relative to a corner: off by u of their size, and
 * m is the greatest coordinate of all of them. d is whatever was computed: it is exact; s is the
 * sum of its absolute coordinates.
 *   1. d.p: three products of at most m times a coordinate of d; u each for the point, the product
 *      and two sums: 4 u m s, and 5 u m s with the higher terms. Two of them and their difference:
 *      12 u m s; 32 u m s is taken.
 *   2. The distance along d is the gap over |d|, so it must exceed reach |d|.
 *   3. Underflow adds less than 2^-145 to a product; 2^-120 is added to the bound.
 *   4. Where something overflows the bound is infinite or not a number, or the gap is not a number:
 *      nothing is certain then. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/meet/apart8.h"
#include "prim/vec8.h"

/* Three corners of eight triangles. */
typedef struct tri_of8 {
    wi_vec8 corner[3];
} tri_of8;

typedef struct scene8 {
    tri_of8 a[2], b[2]; /* at both ends of the step, relative to a corner of a there */
    wi_wide m;
    float reach;
} scene8;

/* `is_moving` is a constant where it is inlined: else both ends of the step are the same. */
#define MOVING_OR_NOT static inline __attribute__((always_inline))

static inline void read_relative(const wi_tri8 *from, wi_vec8 origin, tri_of8 *out, wi_wide *m)
{
    for (int i = 0; i < 3; i++) {
        out->corner[i] = wi_vec8_sub(wi_vec8_of(from->corner[i]), origin);
        *m = wi_wide_max(*m, wi_vec8_greatest(out->corner[i]));
    }
}

static inline void extent_along(const tri_of8 *tri, wi_vec8 d, wi_wide *least, wi_wide *greatest)
{
    const wi_wide x = wi_vec8_dot(d, tri->corner[0]), y = wi_vec8_dot(d, tri->corner[1]),
                  z = wi_vec8_dot(d, tri->corner[2]);
    *least = wi_wide_min(wi_wide_min(x, y), z);
    *greatest = wi_wide_max(wi_wide_max(x, y), z);
}

/* The lanes that are apart along d or against it. */
MOVING_OR_NOT unsigned apart_along(const scene8 *s, wi_vec8 d, bool is_moving)
{
    wi_wide least_a, greatest_a, least_b, greatest_b;
    extent_along(&s->a[0], d, &least_a, &greatest_a);
    extent_along(&s->b[0], d, &least_b, &greatest_b);
    wi_wide along = wi_wide_sub(least_b, greatest_a), against = wi_wide_sub(least_a, greatest_b);
    if (is_moving) {
        extent_along(&s->a[1], d, &least_a, &greatest_a);
        extent_along(&s->b[1], d, &least_b, &greatest_b);
        along = wi_wide_min(along, wi_wide_sub(least_b, greatest_a));
        against = wi_wide_min(against, wi_wide_sub(least_a, greatest_b));
    }
    const wi_wide sum =
        wi_wide_add(wi_wide_add(wi_wide_abs(d.x), wi_wide_abs(d.y)), wi_wide_abs(d.z));
    wi_wide bound = wi_wide_mul(wi_wide_mul(s->m, sum), wi_wide_all(0x1p-19F));
    bound = wi_wide_add(bound, wi_wide_all(0x1p-120F));
    if (s->reach > 0.0F)
        bound = wi_wide_add(bound, wi_wide_mul(wi_wide_all(s->reach), wi_vec8_length_above(d)));
    return wi_mask_bits(wi_wide_less(bound, along)) | wi_mask_bits(wi_wide_less(bound, against));
}

/* Twice where it is in the middle of the step. */
MOVING_OR_NOT tri_of8 middle_of(const tri_of8 ends[2], bool is_moving)
{
    if (!is_moving) return ends[0];
    tri_of8 tri;
    for (int i = 0; i < 3; i++) tri.corner[i] = wi_vec8_add(ends[0].corner[i], ends[1].corner[i]);
    return tri;
}

static inline void edges_of(const tri_of8 *tri, wi_vec8 edge[3])
{
    for (int i = 0; i < 3; i++) edge[i] = wi_vec8_sub(tri->corner[(i + 1) % 3], tri->corner[i]);
}

MOVING_OR_NOT unsigned find_direction(const scene8 *s, unsigned lanes, bool is_moving)
{
    const tri_of8 a = middle_of(s->a, is_moving), b = middle_of(s->b, is_moving);
    wi_vec8 edge_a[3], edge_b[3];
    edges_of(&a, edge_a);
    edges_of(&b, edge_b);
    const wi_vec8 normal_a = wi_vec8_cross(edge_a[0], edge_a[1]);
    const wi_vec8 normal_b = wi_vec8_cross(edge_b[0], edge_b[1]);
    unsigned left = lanes & ~apart_along(s, normal_a, is_moving);
    if (left != 0) left &= ~apart_along(s, normal_b, is_moving);
    for (int i = 0; i < 3 && left != 0; i++)
        left &= ~apart_along(s, wi_vec8_cross(normal_a, edge_a[i]), is_moving);
    for (int i = 0; i < 3 && left != 0; i++)
        left &= ~apart_along(s, wi_vec8_cross(normal_b, edge_b[i]), is_moving);
    return lanes & ~left;
}

extern wi_apart8 WI_KERNEL(apart8);
unsigned WI_KERNEL(apart8)(const wi_tri8 a[2], const wi_tri8 b[2], float reach, bool is_moving,
                           unsigned lanes)
{
    WI_ASSERT(lanes <= WI_ALL_LANES && reach >= 0.0F);
    WI_ASSERT((uintptr_t)a % alignof(wi_tri8) == 0 && (uintptr_t)b % alignof(wi_tri8) == 0);
    scene8 s = {.m = wi_wide_all(0.0F), .reach = reach};
    for (int end = 0; end < (is_moving ? 2 : 1); end++) {
        const wi_vec8 origin = wi_vec8_of(a[end].corner[0]);
        read_relative(&a[end], origin, &s.a[end], &s.m);
        read_relative(&b[end], origin, &s.b[end], &s.m);
    }
    return is_moving ? find_direction(&s, lanes, true) : find_direction(&s, lanes, false);
}
