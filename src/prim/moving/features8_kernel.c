/* features8_kernel.c - tells moving vertices and faces, and moving edges, apart: eight at once.
 *
 * Way in: wi_features_apart. Made for the features of triangles that nearly touch: most of them
 * stay on one side of each other all the time, or pass beside each other.
 *
 * All differences of points of the two are the hull of w, w + u, w + v and for edges w + u + v (see
 * swept_hull.h); they touch where that comes within reach of the origin.
 *   1. Volume. w.(u x v) is of degree three in time. If its four Bernstein coefficients have one
 *      sign, the plane of the hull never goes through the origin, and it stays as far from it as
 *      the least of them over the greatest |u x v|, which is bounded by its own coefficients.
 *   2. Along a direction d the least of d.q over the corners q is a concave function of time, so if
 *      it exceeds reach |d| at both ends it does so all the time. Tried are the axes, and in the
 *      plane of the hull, as it lies in the middle of the step, the directions across its sides.
 *
 * Why it is certain. E = 2^-24. Coordinates of w, u and v are differences of given numbers, off by
 * E of their size; W, U and V are the greatest of them in size at both ends, per lane.
 *   3. A coefficient (three times it for the inner two) is a sum of at most 18 products of three,
 *      each at most W U V, with 3 roundings for its factors, 2 for its products and at most 7 for
 *      sums. 18 * 13 E W U V is less than 2^8 E W U V; 2^-15 W U V is taken.
 *   4. |u x v|: each coefficient within 16 E U V of what it should be, and 2^-18 U V is added to
 * the greatest length of the three.
 *   5. d.q: q is a sum of up to three differences, at most W + U + V in size and off by 4 E of
 * that; the product with d adds 3 E: with s the sum of the absolute coordinates of d, it is off by
 *      8 E (W + U + V) s, and 2^-19 (W + U + V) s is taken.
 *   6. Underflow of d.q is less than 2^-145 for each product, and 2^-100 is added to the bound.
 * That of u x v is of no matter: what is used is some d(t), the same in all coefficients, and they
 *      say that d(t).w(t) is more than reach |d(t)|. It must be at a right angle to u and v. Where
 *      U V is below 2^-130, so that 2^-145 counts, U and V are below 2^20, and d.u below 2^-120.
 *   7. Where the whole step is too long for these, its halves are tried, and theirs. A place in the
 *      middle is half a sum: off by E of W, U or V more for each halving. Steps 3 to 5 have room
 * for five of them in the place of one: 18 * 25 E and 16 E.
 *   8. Overflow makes bounds infinite, or values that are not numbers: nothing is certain then. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/moving/features8.h"
#include "prim/vec8.h"

typedef struct hull8 {
    wi_vec8 w, u, v;
} hull8;

typedef struct swept8 {
    hull8 at[2];
    wi_wide w, u, v; /* the greatest coordinates, at both ends */
    float reach;
} swept8;

/* Constants where they are inlined. */
#define FOR_EACH_KIND static inline __attribute__((always_inline))

FOR_EACH_KIND hull8 hull_of(const float points[4][WI_LANES][4], bool are_edges)
{
    const wi_vec8 p0 = wi_vec8_of(points[0]), p1 = wi_vec8_of(points[1]),
                  p2 = wi_vec8_of(points[2]), p3 = wi_vec8_of(points[3]);
    if (are_edges) return (hull8){wi_vec8_sub(p0, p2), wi_vec8_sub(p1, p0), wi_vec8_sub(p2, p3)};
    return (hull8){wi_vec8_sub(p0, p1), wi_vec8_sub(p1, p2), wi_vec8_sub(p1, p3)};
}

FOR_EACH_KIND swept8 sweep_of(const wi_feature8 *f, bool are_edges, float reach, bool is_moving)
{
    swept8 s = {.reach = reach};
    s.at[0] = s.at[1] = hull_of(f->point[0], are_edges);
    if (is_moving) s.at[1] = hull_of(f->point[1], are_edges);
    s.w = wi_wide_max(wi_vec8_greatest(s.at[0].w), wi_vec8_greatest(s.at[1].w));
    s.u = wi_wide_max(wi_vec8_greatest(s.at[0].u), wi_vec8_greatest(s.at[1].u));
    s.v = wi_wide_max(wi_vec8_greatest(s.at[0].v), wi_vec8_greatest(s.at[1].v));
    return s;
}

/* Step 4: more than the greatest area on the way. */
FOR_EACH_KIND wi_wide area_above(const swept8 *s, wi_vec8 first, wi_vec8 mixed, wi_vec8 last,
                                 bool is_moving)
{
    wi_wide area = wi_vec8_length_above(first);
    if (is_moving) {
        const wi_wide half = wi_wide_mul(wi_vec8_length_above(mixed), wi_wide_all(0.5F));
        area = wi_wide_max(wi_wide_max(area, half), wi_vec8_length_above(last));
    }
    return wi_wide_add(area, wi_wide_mul(wi_wide_mul(s->u, s->v), wi_wide_all(0x1p-18F)));
}

/* Step 1. */
FOR_EACH_KIND unsigned apart_by_volume(const swept8 *s, bool is_moving)
{
    const hull8 *a = &s->at[0], *b = &s->at[1];
    const wi_vec8 first = wi_vec8_cross(a->u, a->v);
    wi_vec8 mixed = first, last = first;
    wi_wide least = wi_vec8_dot(a->w, first), most = least;
    if (is_moving) {
        const wi_wide third = wi_wide_all(1.0F / 3.0F);
        mixed = wi_vec8_add(wi_vec8_cross(a->u, b->v), wi_vec8_cross(b->u, a->v));
        last = wi_vec8_cross(b->u, b->v);
        const wi_wide d1 =
            wi_wide_mul(wi_wide_add(wi_vec8_dot(b->w, first), wi_vec8_dot(a->w, mixed)), third);
        const wi_wide d2 =
            wi_wide_mul(wi_wide_add(wi_vec8_dot(b->w, mixed), wi_vec8_dot(a->w, last)), third);
        const wi_wide d3 = wi_vec8_dot(b->w, last);
        least = wi_wide_min(wi_wide_min(least, d1), wi_wide_min(d2, d3));
        most = wi_wide_max(wi_wide_max(most, d1), wi_wide_max(d2, d3));
    }
    wi_wide bound = wi_wide_mul(wi_wide_mul(wi_wide_mul(s->u, s->v), s->w), wi_wide_all(0x1p-15F));
    bound = wi_wide_add(bound, wi_wide_all(0x1p-100F));
    if (s->reach > 0.0F)
        bound = wi_wide_add(bound, wi_wide_mul(wi_wide_all(s->reach),
                                               area_above(s, first, mixed, last, is_moving)));
    return wi_mask_bits(wi_wide_less(bound, least)) |
           wi_mask_bits(wi_wide_less(bound, wi_wide_negate(most)));
}

/* The least and the greatest of d.q at one end of the step, given d.w, d.u and d.v. */
FOR_EACH_KIND void extent_of(wi_wide w, wi_wide u, wi_wide v, bool are_edges, wi_wide *least,
                             wi_wide *most)
{
    const wi_wide zero = wi_wide_all(0.0F);
    if (are_edges) {
        *least = wi_wide_add(w, wi_wide_add(wi_wide_min(u, zero), wi_wide_min(v, zero)));
        *most = wi_wide_add(w, wi_wide_add(wi_wide_max(u, zero), wi_wide_max(v, zero)));
    } else {
        *least = wi_wide_add(w, wi_wide_min(wi_wide_min(u, v), zero));
        *most = wi_wide_add(w, wi_wide_max(wi_wide_max(u, v), zero));
    }
}

/* Step 2: given what is seen along d at both ends, and what it must exceed. */
FOR_EACH_KIND unsigned apart_beyond(const wi_wide seen[2][3], wi_wide bound, bool are_edges,
                                    bool is_moving)
{
    wi_wide least, most, least_end, most_end;
    extent_of(seen[0][0], seen[0][1], seen[0][2], are_edges, &least, &most);
    if (is_moving) {
        extent_of(seen[1][0], seen[1][1], seen[1][2], are_edges, &least_end, &most_end);
        least = wi_wide_min(least, least_end);
        most = wi_wide_max(most, most_end);
    }
    return wi_mask_bits(wi_wide_less(bound, least)) |
           wi_mask_bits(wi_wide_less(bound, wi_wide_negate(most)));
}

/* What is seen along a direction must exceed this but for the reach; `sum` is that of the absolute
 * coordinates of the direction. */
static inline wi_wide rounding_along(const swept8 *s, wi_wide sum)
{
    const wi_wide size = wi_wide_add(s->w, wi_wide_add(s->u, s->v));
    return wi_wide_add(wi_wide_mul(wi_wide_mul(size, sum), wi_wide_all(0x1p-19F)),
                       wi_wide_all(0x1p-100F));
}

FOR_EACH_KIND unsigned apart_along_axes(const swept8 *s, bool are_edges, bool is_moving)
{
    const wi_wide bound = wi_wide_add(rounding_along(s, wi_wide_all(1.0F)), wi_wide_all(s->reach));
    const hull8 *a = &s->at[0], *b = &s->at[1];
    const wi_wide x[2][3] = {{a->w.x, a->u.x, a->v.x}, {b->w.x, b->u.x, b->v.x}};
    const wi_wide y[2][3] = {{a->w.y, a->u.y, a->v.y}, {b->w.y, b->u.y, b->v.y}};
    const wi_wide z[2][3] = {{a->w.z, a->u.z, a->v.z}, {b->w.z, b->u.z, b->v.z}};
    return apart_beyond(x, bound, are_edges, is_moving) |
           apart_beyond(y, bound, are_edges, is_moving) |
           apart_beyond(z, bound, are_edges, is_moving);
}

FOR_EACH_KIND unsigned apart_along(const swept8 *s, wi_vec8 d, bool are_edges, bool is_moving)
{
    const wi_wide sum =
        wi_wide_add(wi_wide_add(wi_wide_abs(d.x), wi_wide_abs(d.y)), wi_wide_abs(d.z));
    wi_wide seen[2][3], bound = rounding_along(s, sum);
    if (s->reach > 0.0F)
        bound = wi_wide_add(bound, wi_wide_mul(wi_wide_all(s->reach), wi_vec8_length_above(d)));
    for (int end = 0; end < (is_moving ? 2 : 1); end++) {
        seen[end][0] = wi_vec8_dot(d, s->at[end].w);
        seen[end][1] = wi_vec8_dot(d, s->at[end].u);
        seen[end][2] = wi_vec8_dot(d, s->at[end].v);
    }
    return apart_beyond((const wi_wide(*)[3])seen, bound, are_edges, is_moving);
}

/* Over the whole span. */
FOR_EACH_KIND unsigned apart_throughout(const swept8 *s, bool are_edges, bool is_moving,
                                        unsigned lanes)
{
    unsigned left = lanes & ~apart_along_axes(s, are_edges, is_moving);
    if (left != 0) left &= ~apart_by_volume(s, is_moving);
    if (left == 0) return lanes;
    const wi_vec8 u = wi_vec8_add(s->at[0].u, s->at[1].u);
    const wi_vec8 v = wi_vec8_add(s->at[0].v, s->at[1].v);
    const wi_vec8 normal = wi_vec8_cross(u, v);
    left &= ~apart_along(s, wi_vec8_cross(normal, u), are_edges, is_moving);
    if (left != 0) left &= ~apart_along(s, wi_vec8_cross(normal, v), are_edges, is_moving);
    if (left != 0 && !are_edges)
        left &= ~apart_along(s, wi_vec8_cross(normal, wi_vec8_sub(u, v)), are_edges, is_moving);
    return lanes & ~left;
}

static inline wi_vec8 between(wi_vec8 a, wi_vec8 b)
{
    const wi_wide half = wi_wide_all(0.5F);
    const wi_vec8 sum = wi_vec8_add(a, b);
    return (wi_vec8){wi_wide_mul(sum.x, half), wi_wide_mul(sum.y, half), wi_wide_mul(sum.z, half)};
}

static inline hull8 hull_between(const hull8 *a, const hull8 *b)
{
    return (hull8){between(a->w, b->w), between(a->u, b->u), between(a->v, b->v)};
}

/* Spans that are not clear are halved so many times at most. */
enum { HALVINGS = 3 };
_Static_assert(HALVINGS >= 1, "the stack begins with both halves");

/* Spans still to be looked at, the next one last, and for which lanes. */
typedef struct pending {
    hull8 end;
    int depth;
    unsigned lanes;
} pending;

/* Step 7: span by span, from the halves on. Lanes that are clear are not halved with others, so
 * that none depends on its neighbours (C10). Where one that cannot be halved is not clear, its
 * lanes are given up. */
FOR_EACH_KIND unsigned apart_in_spans(swept8 *s, bool are_edges, unsigned lanes)
{
    pending stack[HALVINGS + 1] = {{s->at[1], 1, lanes},
                                   {hull_between(&s->at[0], &s->at[1]), 1, lanes}};
    int count = 2;
    while (count > 0 && lanes != 0) {
        pending *span = &stack[count - 1];
        WI_ASSERT(span->depth >= 1 && span->depth <= HALVINGS);
        s->at[1] = span->end;
        span->lanes &= lanes;
        const unsigned open = span->lanes & ~apart_throughout(s, are_edges, true, span->lanes);
        if (open != 0 && span->depth < HALVINGS) {
            span->depth++;
            span->lanes = open;
            WI_ASSERT(count <= HALVINGS); /* the depth of a span is at least its place */
            stack[count] = (pending){hull_between(&s->at[0], &s->at[1]), span->depth, open};
            count++;
            continue;
        }
        lanes &= ~open;
        s->at[0] = span->end;
        count--;
    }
    return lanes;
}

FOR_EACH_KIND unsigned find_apart(const wi_feature8 *f, bool are_edges, float reach, wi_look look,
                                  unsigned lanes)
{
    swept8 s = sweep_of(f, are_edges, reach, look != WI_LOOK_STILL);
    return look == WI_LOOK_PARTS ? apart_in_spans(&s, are_edges, lanes)
                                 : apart_throughout(&s, are_edges, look != WI_LOOK_STILL, lanes);
}

FOR_EACH_KIND unsigned look_at(const wi_feature8 *f, bool are_edges, float reach, wi_look look,
                               unsigned lanes)
{
    if (look == WI_LOOK_STILL) return find_apart(f, are_edges, reach, WI_LOOK_STILL, lanes);
    if (look == WI_LOOK_WHOLE) return find_apart(f, are_edges, reach, WI_LOOK_WHOLE, lanes);
    return find_apart(f, are_edges, reach, WI_LOOK_PARTS, lanes);
}

extern wi_features_apart WI_KERNEL(features_apart);
unsigned WI_KERNEL(features_apart)(const wi_feature8 *f, bool are_edges, float reach, wi_look look,
                                   unsigned lanes)
{
    WI_ASSERT(lanes <= WI_ALL_LANES && reach >= 0.0F && look <= WI_LOOK_PARTS);
    WI_ASSERT((uintptr_t)f % alignof(wi_feature8) == 0);
    return are_edges ? look_at(f, true, reach, look, lanes) : look_at(f, false, reach, look, lanes);
}
