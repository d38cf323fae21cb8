/* tris_boxes_kernel.c - eight triangles against boxes by separating axes, in float32; what these
 * leave undecided is decided exactly.
 *
 * Way in: wi_tris_meet_boxes. Made for cells of a sphere-tree, which are as large as triangles or
 * larger: most triangles have a corner in a cell, or miss it along an axis.
 *
 * Three looks, each of the lanes that are left:
 *   1. The bounds of the triangle miss the box: apart. Comparisons only, so exact.
 *   2. A corner is in the box: they meet. The same.
 *   3. The ten other axes: the normal of the triangle, and the products of its edges with the axes.
 *      Along each axis the triangle and the box are intervals around 0, once the centre of the box
 *      is the origin. Apart along one of them: apart. Overlapping along all: they meet.
 *
 * Why 3 is certain. u = 2^-24. Let c be the computed centre of the box, h what the box reaches from
 * it at most, v a corner less c; m bounds all coordinates of these, and C = m + |c|.
 *   1. Coordinates of c are off by u|c|, those of h and v by another rounding: 3 u C at most.
 *   2. Edges: off by 8 u C, and no coordinate is larger than 2 m.
 *   3. Along a product of an edge with an axis: two products of at most 2 m^2 each for a corner,
 * and two for the reach of the box. Each is off by 2 m 3 u C + m 8 u C + 2 u m^2 <= 16 u m C; with
 *      their sums less than 80 u m C for both sides. 128 u m C is taken.
 *   4. The normal: coordinates of at most 8 m^2, off by 2 (2 2 m 8 u C + 4 u m^2) + 8 u m^2 <=
 *      88 u m C. Along it, three products each for a corner and for the box, each off by m 88 u m C
 *      + 8 m^2 3 u C + 8 u m^3 <= 120 u m^2 C; with their sums less than 850 u m^2 C for both
 *      sides. 2048 u m^2 C is taken.
 *   5. Underflow adds less than 2^-145 to a product; 2^-100 is added to the bounds.
 *   6. Nothing is certain where m is 2^30 or more, so that nothing overflows. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/meet/tri_box.h"
#include "prim/meet/tris_boxes.h"
#include "prim/vec8.h"

/* Corners of eight triangles, and their bounds. */
typedef struct tris_seen {
    wi_wide corner[3][3]; /* by corner, axis */
    wi_wide lower[3], upper[3];
} tris_seen;

static inline tris_seen tris_see(const wi_tri8 *tris)
{
    tris_seen t;
    for (int i = 0; i < 3; i++) wi_wide_transpose(tris->corner[i], t.corner[i]);
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide a = t.corner[0][axis], b = t.corner[1][axis], c = t.corner[2][axis];
        t.lower[axis] = wi_wide_min(wi_wide_min(a, b), c);
        t.upper[axis] = wi_wide_max(wi_wide_max(a, b), c);
    }
    return t;
}

static inline unsigned bounds_met(const tris_seen *t, const wi_box *box)
{
    unsigned met = WI_ALL_LANES;
    for (int axis = 0; axis < 3; axis++)
        met &= wi_mask_bits(wi_wide_less_equal(t->lower[axis], wi_wide_all(box->upper[axis]))) &
               wi_mask_bits(wi_wide_less_equal(wi_wide_all(box->lower[axis]), t->upper[axis]));
    return met;
}

static inline unsigned corners_within(const tris_seen *t, const wi_box *box)
{
    unsigned within = 0;
    for (int i = 0; i < 3; i++) {
        unsigned in = WI_ALL_LANES;
        for (int axis = 0; axis < 3; axis++) {
            const wi_wide at = t->corner[i][axis];
            in &= wi_mask_bits(wi_wide_less_equal(at, wi_wide_all(box->upper[axis]))) &
                  wi_mask_bits(wi_wide_less_equal(wi_wide_all(box->lower[axis]), at));
        }
        within |= in;
    }
    return within;
}

/* Triangles with the centre of a box as the origin. */
typedef struct tris_centred {
    wi_wide corner[3][3];
    float half[3];
    wi_wide m, reach; /* as above, and C */
} tris_centred;

static inline tris_centred tris_centre(const tris_seen *t, const wi_box *box)
{
    tris_centred s = {.m = wi_wide_all(0.0F)};
    float farthest = 0.0F;
    for (int axis = 0; axis < 3; axis++) {
        const float centre = 0.5F * box->lower[axis] + 0.5F * box->upper[axis];
        const float above = box->upper[axis] - centre, below = centre - box->lower[axis];
        const float away = centre < 0.0F ? -centre : centre;
        s.half[axis] = above > below ? above : below;
        farthest = away > farthest ? away : farthest;
        s.m = wi_wide_max(s.m, wi_wide_all(s.half[axis]));
        for (int i = 0; i < 3; i++) {
            s.corner[i][axis] = wi_wide_sub(t->corner[i][axis], wi_wide_all(centre));
            s.m = wi_wide_max(s.m, wi_wide_abs(s.corner[i][axis]));
        }
    }
    s.reach = wi_wide_add(s.m, wi_wide_all(farthest));
    return s;
}

/* Where intervals are along one axis: lanes that are certainly apart, and that certainly overlap.
 */
typedef struct axis_look {
    unsigned apart, overlap;
} axis_look;

static inline axis_look look_along(wi_wide least, wi_wide greatest, wi_wide reach, wi_wide error)
{
    const wi_wide outer = wi_wide_add(reach, error), inner = wi_wide_sub(reach, error);
    return (axis_look){
        .apart = wi_mask_bits(wi_wide_less(outer, least)) |
                 wi_mask_bits(wi_wide_less(greatest, wi_wide_negate(outer))),
        .overlap = wi_mask_bits(wi_wide_less(least, inner)) &
                   wi_mask_bits(wi_wide_less(wi_wide_negate(inner), greatest)),
    };
}

/* Along the product of an edge with an axis, both ends of the edge are in one place. */
static inline axis_look look_along_edge(const tris_centred *s, int i, int axis, wi_wide error)
{
    const int b = (axis + 1) % 3, c = (axis + 2) % 3;
    const wi_wide *p = s->corner[i], *q = s->corner[(i + 1) % 3], *r = s->corner[(i + 2) % 3];
    const wi_wide edge_b = wi_wide_sub(q[b], p[b]), edge_c = wi_wide_sub(q[c], p[c]);
    const wi_wide at_p = wi_wide_sub(wi_wide_mul(edge_b, p[c]), wi_wide_mul(edge_c, p[b]));
    const wi_wide at_r = wi_wide_sub(wi_wide_mul(edge_b, r[c]), wi_wide_mul(edge_c, r[b]));
    const wi_wide reach = wi_wide_add(wi_wide_mul(wi_wide_abs(edge_b), wi_wide_all(s->half[c])),
                                      wi_wide_mul(wi_wide_abs(edge_c), wi_wide_all(s->half[b])));
    return look_along(wi_wide_min(at_p, at_r), wi_wide_max(at_p, at_r), reach, error);
}

static inline wi_vec8 tris_edge(const tris_centred *s, int i)
{
    const wi_wide *p = s->corner[i], *q = s->corner[(i + 1) % 3];
    return (wi_vec8){wi_wide_sub(q[0], p[0]), wi_wide_sub(q[1], p[1]), wi_wide_sub(q[2], p[2])};
}

static inline axis_look look_along_normal(const tris_centred *s, wi_wide error)
{
    const wi_vec8 n = wi_vec8_cross(tris_edge(s, 0), tris_edge(s, 1));
    const wi_vec8 p = {s->corner[0][0], s->corner[0][1], s->corner[0][2]};
    const wi_vec8 size = {wi_wide_abs(n.x), wi_wide_abs(n.y), wi_wide_abs(n.z)};
    const wi_vec8 half = {wi_wide_all(s->half[0]), wi_wide_all(s->half[1]),
                          wi_wide_all(s->half[2])};
    const wi_wide at = wi_vec8_dot(n, p);
    return look_along(at, at, wi_vec8_dot(size, half), error);
}

/* Of lanes whose bounds meet the box: which meet it, and which are not decided. */
static inline unsigned look_closer(const tris_seen *t, const wi_box *box, unsigned lanes,
                                   unsigned *undecided)
{
    const tris_centred s = tris_centre(t, box);
    const wi_wide scale = wi_wide_mul(s.m, s.reach), tiny = wi_wide_all(0x1p-100F);
    const wi_wide error = wi_wide_add(wi_wide_mul(scale, wi_wide_all(0x1p-17F)), tiny);
    const wi_wide error3 =
        wi_wide_add(wi_wide_mul(wi_wide_mul(scale, s.m), wi_wide_all(0x1p-13F)), tiny);
    const unsigned small = wi_mask_bits(wi_wide_less(s.m, wi_wide_all(0x1p30F)));
    axis_look all = look_along_normal(&s, error3);
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++) {
            const axis_look one = look_along_edge(&s, i, axis, error);
            all.apart |= one.apart;
            all.overlap &= one.overlap;
        }
    WI_ASSERT((all.apart & all.overlap) == 0);
    *undecided = lanes & ~(small & (all.apart | all.overlap));
    return lanes & small & all.overlap;
}

static unsigned meet_exactly(const wi_tri8 *tris, const wi_box *box, unsigned lanes,
                             uint64_t *exact_tests)
{
    unsigned met = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(lanes);
        wi_tri tri;
        for (int i = 0; i < 3; i++)
            memcpy(tri.corner[i], tris->corner[i][lane], sizeof tri.corner[i]);
        met |= (unsigned)wi_tri_meets_box(&tri, box->lower, box->upper) << lane;
        ++*exact_tests;
    }
    return met;
}

static unsigned meet_box(const wi_tri8 *tris, const tris_seen *t, unsigned lanes, const wi_box *box,
                         uint64_t *exact_tests)
{
    lanes &= bounds_met(t, box);
    if (lanes == 0 || wi_box_is_empty(box)) return 0;
    unsigned met = lanes & corners_within(t, box), undecided = 0;
    const unsigned left = lanes & ~met;
    if (left != 0) met |= look_closer(t, box, left, &undecided);
    return undecided == 0 ? met : met | meet_exactly(tris, box, undecided, exact_tests);
}

extern wi_tris_meet_boxes WI_KERNEL(tris_meet_boxes);
void WI_KERNEL(tris_meet_boxes)(const wi_tri8 *tris, unsigned tri_count, const wi_box *boxes,
                                unsigned box_count, uint8_t *meet, uint64_t *exact_tests)
{
    WI_ASSERT(tri_count <= WI_LANES && (uintptr_t)tris % alignof(wi_tri8) == 0);
    const tris_seen t = tris_see(tris);
    const unsigned lanes = (1U << tri_count) - 1U;
    for (unsigned k = 0; k < box_count; k++)
        meet[k] = (uint8_t)meet_box(tris, &t, lanes, &boxes[k], exact_tests);
}
