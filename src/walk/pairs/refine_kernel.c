/* refine_kernel.c - slabs and spheres of nodes whose boxes meet: do these meet, too?
 *
 * Way in: wi_refine. Volumes beyond boxes are those of BLEND (update/blend/shapes.h). Where both
 * trees have some, or one of them, every pair of kinds has its test: k-DOP and k-DOP, or a box
 * along the six diagonals, if both are in one frame; a turned k-DOP is met through its box alone
 *     sphere and sphere            by the distance of their centres, in any two frames
 *     sphere and box, or k-DOP     by the distance of the centre from the box, in the frame of the
 *                                  box
 * All contain the vertices below as queries see them, so two that miss each other have no pair of
 * triangles. Numbers here are floats: what is computed of them is off by some units of 2^-24, and a
 * little more is allowed for; where the frames differ, the slack of the turn. */
#include <float.h>
#include <math.h>

#include "base/check.h"
#include "base/kernel.h"
#include "walk/pairs/pair_walk.h"
#include "walk/reader/bits.h"
#include "walk/reader/leaf_block.h"

extern wi_refine WI_KERNEL(refine);

/* One of the two nodes. */
typedef struct side {
    const wi_node *view;
    const wi_slabs *slabs;     /* or NULL */
    const wi_spheres *spheres; /* or NULL; in the frame of the other side */
    wi_spheres turned;
    wi_slabs made;
} side;

/* A little more than what a number may be off by after a few operations. */
static inline wi_wide more(wi_wide x)
{
    return wi_wide_add(wi_wide_mul(wi_wide_abs(x), wi_wide_all(0x1p-21F)), wi_wide_all(0x1p-140F));
}

/* ---- diagonals ---- */

/* Those of boxes, rounded outward. */
static void refine_make_slabs(const wi_node *view, wi_slabs *out)
{
    static const int first[] = {0, 0, 0, 0, 1, 1}, second[] = {1, 1, 2, 2, 2, 2};
    for (int i = 0; i < WI_DIAGONALS; i++) {
        const int a = first[i], b = second[i];
        const bool is_sum = i % 2 == 0;
        const float *low_b = is_sum ? view->lower[b] : view->upper[b];
        const float *high_b = is_sum ? view->upper[b] : view->lower[b];
        wi_wide low = wi_wide_load(low_b), high = wi_wide_load(high_b);
        low = wi_wide_add(wi_wide_load(view->lower[a]), is_sum ? low : wi_wide_negate(low));
        high = wi_wide_add(wi_wide_load(view->upper[a]), is_sum ? high : wi_wide_negate(high));
        low = wi_wide_min(low, wi_wide_all(FLT_MAX)); /* no difference of infinities */
        high = wi_wide_max(high, wi_wide_all(-FLT_MAX));
        wi_wide_store(out->lower[i], wi_wide_sub(low, more(low)));
        wi_wide_store(out->upper[i], wi_wide_add(high, more(high)));
    }
}

static unsigned slabs_met(const wi_slabs *a, unsigned lane, const wi_slabs *b)
{
    unsigned met = 0xFF;
    for (int i = 0; i < WI_DIAGONALS && met != 0; i++) {
        const wi_wide low = wi_wide_all(a->lower[i][lane]), high = wi_wide_all(a->upper[i][lane]);
        met &= wi_mask_bits(wi_mask_and(wi_wide_less_equal(wi_wide_load(b->lower[i]), high),
                                        wi_wide_less_equal(low, wi_wide_load(b->upper[i]))));
    }
    return met;
}

static uint64_t refine_slabs(const side *a, const side *b, uint64_t pairs)
{
    uint64_t kept = 0;
    for (unsigned lane = 0; lane < a->view->count; lane++) {
        const uint64_t row = pairs >> 8 * lane & 0xFF;
        if (row != 0) kept |= (row & slabs_met(a->slabs, lane, b->slabs)) << 8 * lane;
    }
    return kept;
}

/* ---- spheres ---- */

static void turn_spheres(const wi_turn *turn, const wi_spheres *from, wi_spheres *to)
{
    for (int row = 0; row < 3; row++) {
        wi_wide at = wi_wide_all(turn->translation[row]);
        for (int k = 0; k < 3; k++)
            at = wi_wide_add(at, wi_wide_mul(wi_wide_all(turn->rotation[row][k]),
                                             wi_wide_load(from->centre[k])));
        wi_wide_store(to->centre[row], at);
    }
    /* The slack is for every coordinate: of the middle of a box, which a centre is. */
    const wi_wide radius = wi_wide_load(from->radius);
    wi_wide_store(to->radius, wi_wide_add(radius, wi_wide_all(4.0F * turn->slack)));
}

/* Which of eight squares of distances are within a reach. */
static inline unsigned within(wi_wide way2, wi_wide reach)
{
    reach = wi_wide_add(reach, more(reach));
    return wi_mask_bits(wi_wide_less_equal(way2, wi_wide_mul(reach, reach)));
}

/* Centres are rounded, and so are their differences: that is some units of the coordinates, which
 * the radius has room for (update/blend/blend_kernel.c). */
static unsigned spheres_met(const wi_spheres *a, unsigned lane, const wi_spheres *b)
{
    wi_wide way2 = wi_wide_all(0.0F);
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide way =
            wi_wide_sub(wi_wide_load(b->centre[axis]), wi_wide_all(a->centre[axis][lane]));
        way2 = wi_wide_add(way2, wi_wide_mul(way, way));
    }
    return within(way2, wi_wide_add(wi_wide_load(b->radius), wi_wide_all(a->radius[lane])));
}

/* How far a number is from an interval. */
static inline wi_wide outside(wi_wide at, wi_wide low, wi_wide high)
{
    const wi_wide below = wi_wide_sub(low, at), above = wi_wide_sub(at, high);
    return wi_wide_max(wi_wide_max(below, above), wi_wide_all(0.0F));
}

static unsigned boxes_met_by_sphere(const wi_node *boxes, const wi_spheres *s, unsigned lane)
{
    wi_wide way2 = wi_wide_all(0.0F);
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide way =
            outside(wi_wide_all(s->centre[axis][lane]), wi_wide_load(boxes->lower[axis]),
                    wi_wide_load(boxes->upper[axis]));
        way2 = wi_wide_add(way2, wi_wide_mul(way, way));
    }
    return within(way2, wi_wide_all(s->radius[lane]));
}

static unsigned spheres_met_by_box(const wi_spheres *s, const wi_node *boxes, unsigned lane)
{
    wi_wide way2 = wi_wide_all(0.0F);
    for (int axis = 0; axis < 3; axis++) {
        const wi_wide way =
            outside(wi_wide_load(s->centre[axis]), wi_wide_all(boxes->lower[axis][lane]),
                    wi_wide_all(boxes->upper[axis][lane]));
        way2 = wi_wide_add(way2, wi_wide_mul(way, way));
    }
    return within(way2, wi_wide_load(s->radius));
}

/* Spheres of a, if there are any, are in the frame of b, and those of b, if only b has some, in the
 * frame of a. */
static unsigned row_met(const side *a, unsigned lane, const side *b)
{
    if (a->spheres && b->spheres) return spheres_met(a->spheres, lane, b->spheres);
    if (a->spheres) return boxes_met_by_sphere(b->view, a->spheres, lane);
    return spheres_met_by_box(b->spheres, a->view, lane);
}

static uint64_t refine_spheres(const side *a, const side *b, uint64_t pairs)
{
    uint64_t kept = 0;
    for (unsigned lane = 0; lane < a->view->count; lane++) {
        const uint64_t row = pairs >> 8 * lane & 0xFF;
        if (row != 0) kept |= (row & row_met(a, lane, b)) << 8 * lane;
    }
    return kept;
}

/* ---- both ---- */

static void refine_look(side *s, const wi_tree *h, uint32_t node)
{
    s->view = &h->boxes.nodes[node];
    s->slabs = wi_slabs_of(h, node);
    s->spheres = wi_spheres_of(h, node);
}

/* Where only one has slabs, those of the other's boxes do. */
static void make_missing(side *s)
{
    if (s->slabs) return;
    refine_make_slabs(s->view, &s->made);
    s->slabs = &s->made;
}

uint64_t WI_KERNEL(refine)(const wi_relation *relation, const wi_tree *ha, uint32_t node_a,
                           const wi_tree *hb, uint32_t node_b, uint64_t pairs)
{
    side a, b;
    WI_ASSERT(node_a < ha->shape->node_count && node_b < hb->shape->node_count);
    if (pairs == 0) return 0;
    refine_look(&a, ha, node_a);
    refine_look(&b, hb, node_b);
    if ((a.slabs || b.slabs) && relation == NULL) {
        side *const missing = a.slabs ? &b : &a;
        make_missing(missing);
        pairs = refine_slabs(&a, &b, pairs);
    }
    if (a.spheres == NULL && b.spheres == NULL) return pairs;
    if (relation) {
        side *const s = a.spheres ? &a : &b;
        const wi_turn *turn = a.spheres ? &relation->a_to_b : &relation->b_to_a;
        turn_spheres(turn, s->spheres, &s->turned);
        s->spheres = &s->turned;
    }
    return refine_spheres(&a, &b, pairs);
}
