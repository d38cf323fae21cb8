/* fold_kernel.c - proves that the surface around a cluster of leaves does not fold.
 *
 * Way in: wi_find_fold. Made for surfaces that are smooth at the size of a few leaves: there a leaf
 * meets the leaves around it only where they share vertices, and one look along the normals shows
 * it, for a part of the work of testing these leaves. Surfaces of any kind may be asked about; the
 * answer is then that it may fold. The known test of a contour in projection asks that the whole
 * boundary of a patch be simple, which is costly, and must exclude patches of other shape than a
 * disk; here the boundary need only keep away from the cluster and go round it once.
 *
 * Theorem. Let L be the triangles of a cluster, C these and those of the leaves around, all seen
 * along a direction D. If
 *   (a) every triangle of C is seen from its front: D.n > 0 for its normal n,
 *   (b) there is a convex region K of the view that contains L, and no edge of the loop of C is
 * seen in K, nor in its border, and (c) the loop goes round K once, then no triangle of L is a pair
 * (C2) with another one of C.
 *
 * Proof.
 *   1. Take a point y of the view that is seen on no edge. The triangles of C that cover y are as
 *      many as the times that the sum of their boundaries goes round y, since each goes once round
 *      those that it covers, in the same sense, by (a). Edges that occur both ways cancel in this
 *      sum, and the loop is left. So for all y in K it is one and the same number, by (b), and that
 *      is one, by (c): each y in K that is on no edge is covered exactly once.
 *   2. Let a triangle t of L and another t' of C have a point z in common, and s be the face of t
 *      (vertex, edge or all of it) that has z in its inside. z is seen at a point y of K. s is not
 *      on the loop, by (b). So the triangles of C that have s cover all of a neighbourhood of y:
 * for an edge, because there is one on either side, or it would not cancel; for a vertex, because
 *      the far sides of its triangles form cycles, as the edges at the vertex cancel, and these go
 *      round y at least once, by (a).
 *   3. t' is not degenerate, by (a), and contains z, so it covers some area in every neighbourhood
 *      of y; by step 1 it is then itself one of the triangles that have s. So z lies in s, which t
 *      and t' share: they meet in no more than that.
 *
 * How it is seen. w0 and w2 are any two vectors; a point v is seen at (w0.v, w2.v), along
 * D = w0 x w2. K is the octagon that L touches along these two axes and the two between; it
 * contains c, a vertex of L. An edge is outside of K if both ends are beyond K along the same one
 * of the eight directions. The loop goes round c as often as its edges cross the ray from c along
 * +w0, counted with their sense. An edge crosses the line of the ray if its ends are on different
 * sides of it along w2; it is the ray that is crossed, and not the other half of the line, if it is
 * beyond K along one of the three directions that point along +w0, since only there is the ray.
 *
 * Why it is certain. u = 2^-24. w0 has coordinates of at most 2, w2 of at most 8.
 *   4. A normal from differences of at most m: off by 8 u m^2 (fan_kernel.c, step 4) and an
 *      underflow of at most 2^-148. Divided by its greatest coordinate g it is off by (8 u m^2 +
 *      2^-148) / g and 4 u for the division; boxes are widened by 16 u m^2 / g + 8 u. g has to be
 *      above 2^-100, m below 2^60, and the sum below 1.
 *   5. D as computed is at most 2 W and off by 4 u W, W the product of the greatest coordinates of
 *      w0 and w2. With normals of at most 2 that is 24 u W, and the roundings of the sum of three
 *      products are 36 u W. 128 u W is safe, and 2^-100 more covers underflow where w0 and w2 are
 *      tiny.
 *   6. w.(v - c): three terms of at most w S, S the greatest coordinate of any v - c, off by
 *      12 u w S; sums of two: 25 u (w0 + w2) S, and 2^-147 for underflow. Two such are compared, so
 *      2^-17 (w0 + w2) S + 2^-120 is safe. S has to be below 2^120, so that nothing overflows.
 *   7. Crossings are counted with the signs of w2.(v - c) as computed. Vertices moved to where they
 *      are computed to be stay, on the way, beyond K on the side that they were found to be beyond;
 *      so edges do not pass over c, and the loop goes round it as often as before.
 *
 * Over a step, in which vertices move on straight lines from where they are in one hierarchy to
 * where they are in another, `end`, the theorem holds at all times t from 0 to 1, with one D, w0
 * and w2, and with K and c of that time, if
 *   8. all three vectors that a normal is mixed of (fan_kernel.c, step 8) are along D for every
 *      triangle of C: so (a). Boxes have all three. The one in between is a mean of two normals,
 *      off by 10 u m^2, and 2^-147 for underflow: within what step 4 widens boxes by.
 *   9. each edge of the loop is beyond K along a direction at the start, and along the same one at
 *      the end: so (b). How far a vertex of the loop is along it changes evenly; how far K is, is
 *      the greatest of what changes evenly, and so at no time more than the even change from its
 *      start to its end.
 *  10. (c) holds at the start. It then holds at all times, as no edge of the loop touches K, which
 *      has c, so that none passes over c.
 * At no time, then, is a triangle of L a pair with another one of C. By (a) they are not
 * degenerate: of two of them, nothing touches that has no vertex in common (fan_kernel.c, step
 * 10).
 *
 * Within a reach r > 0. Let (a) to (c) hold with K made larger on all sides by what r is seen as
 * along them, and let every triangle of C be seen with heights above r on all of its sides. Then
 * what has no vertex in common, of L and of C, is farther than r apart.
 *  11. Steps 1 to 3 hold for all that is seen in K, of L or not: no point of C is seen at the same
 *      place as another one, and every place of K is covered.
 *  12. Take a vertex, edge or triangle F of L, and G of C, without a common vertex. Let f be the
 *      function that is 1 at the vertices of F, 0 at all others, and linear in every triangle: as
 *      C has all triangles around the vertices of L, it is known in all of C. Of x in F and y in G
 *      with |x - y| <= r, x is seen in the smaller K, so y is seen in the larger, and so is the
 *      straight line between them as seen. Along it f goes from 1 to 0 without a jump, by step 11.
 *      In a triangle f changes by no more than 1 over one of its heights: if it is 1 at one vertex
 *      or at two, it is constant along the side across from the odd one. So the line is longer than
 *      r as seen, and x and y are no nearer than that.
 *  13. A height as seen is twice the area as seen, D.n / |D|, over a side, of which no more is seen
 *      than its length. Over a step the area is not less than the least of the three parts of step
 *      8, and no side is longer than at one of the ends. */
#include "base/check.h"
#include "base/kernel.h"
#include "prim/vec8.h"
#include "walk/reader/gather_vertices.h"
#include "walk/reader/leaf_block.h"
#include "walk/reader/tree_parts.h"
#include "walk/self/folds.h"

/* ---- how a leaf faces ---- */

/* The corners of up to eight triangles of a leaf; lanes past the last repeat the first. */
static inline void read_corners(const uint8_t (*corners)[3], unsigned count,
                                const float (*positions)[4], wi_vec8 out[3])
{
    for (unsigned i = 0; i < 3; i++) {
        unsigned number[WI_LANES];
        wi_wide axes[3];
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            number[lane] = corners[count == WI_LANES || lane < count ? lane : 0][i];
        wi_wide_gather(positions, number, axes);
        out[i] = (wi_vec8){axes[0], axes[1], axes[2]};
    }
}

/* Boxes of normals; the greatest coordinates of edges, and the least of those of normals. */
typedef struct facing8 {
    wi_vec8 lower, upper;
    wi_wide m, g;
    wi_wide height; /* as in wi_facing, if there is a reach */
} facing8;

/* Whether there is a reach is a constant where these are inlined. */
#define WITH_REACH_OR_NOT static inline __attribute__((always_inline))

static inline wi_vec8 min8(wi_vec8 a, wi_vec8 b)
{
    return (wi_vec8){wi_wide_min(a.x, b.x), wi_wide_min(a.y, b.y), wi_wide_min(a.z, b.z)};
}

static inline wi_vec8 max8(wi_vec8 a, wi_vec8 b)
{
    return (wi_vec8){wi_wide_max(a.x, b.x), wi_wide_max(a.y, b.y), wi_wide_max(a.z, b.z)};
}

/* Returns what they are divided by. */
static inline wi_wide add_normals(facing8 *f, wi_vec8 n)
{
    const wi_wide g = wi_vec8_greatest(n), scale = wi_wide_div(wi_wide_all(1.0F), g);
    const wi_vec8 unit = {wi_wide_mul(n.x, scale), wi_wide_mul(n.y, scale),
                          wi_wide_mul(n.z, scale)};
    f->lower = min8(f->lower, unit);
    f->upper = max8(f->upper, unit);
    f->g = wi_wide_min(f->g, g);
    return g;
}

/* Two edges of each of eight triangles. */
typedef struct edges8 {
    wi_vec8 p, q;
} edges8;

static inline edges8 add_edges(facing8 *f, const wi_vec8 corner[3])
{
    const edges8 e = {wi_vec8_sub(corner[1], corner[0]), wi_vec8_sub(corner[2], corner[0])};
    f->m = wi_wide_max(f->m, wi_wide_max(wi_vec8_greatest(e.p), wi_vec8_greatest(e.q)));
    return e;
}

static inline wi_wide longest2_of(edges8 e)
{
    const wi_vec8 third = wi_vec8_sub(e.q, e.p);
    return wi_wide_max(wi_vec8_dot(third, third),
                       wi_wide_max(wi_vec8_dot(e.p, e.p), wi_vec8_dot(e.q, e.q)));
}

/* Squares that underflow are made up for. */
static inline void add_heights(facing8 *f, wi_wide g, wi_wide longest2)
{
    const wi_wide longest = wi_wide_sqrt(wi_wide_add(longest2, wi_wide_all(0x1p-140F)));
    f->height = wi_wide_min(f->height, wi_wide_div(g, longest));
}

WITH_REACH_OR_NOT void add_eight(facing8 *f, const wi_vec8 corner[3], bool has_reach)
{
    const edges8 e = add_edges(f, corner);
    const wi_wide g = add_normals(f, wi_vec8_cross(e.p, e.q));
    if (has_reach) add_heights(f, g, longest2_of(e));
}

/* Step 8. */
WITH_REACH_OR_NOT void add_eight_swept(facing8 *f, const wi_vec8 start[3], const wi_vec8 end[3],
                                       bool has_reach)
{
    const edges8 s = add_edges(f, start), e = add_edges(f, end);
    const wi_vec8 two = wi_vec8_add(wi_vec8_cross(s.p, e.q), wi_vec8_cross(e.p, s.q));
    const wi_wide half = wi_wide_all(0.5F);
    wi_wide g = add_normals(f, wi_vec8_cross(s.p, s.q));
    g = wi_wide_min(g, add_normals(f, (wi_vec8){wi_wide_mul(two.x, half), wi_wide_mul(two.y, half),
                                                wi_wide_mul(two.z, half)}));
    g = wi_wide_min(g, add_normals(f, wi_vec8_cross(e.p, e.q)));
    if (has_reach) add_heights(f, g, wi_wide_max(longest2_of(s), longest2_of(e)));
}

/* Nothing is not a number while m is below 2^60, and where g is 0 it stays the least. */
WITH_REACH_OR_NOT wi_facing facing_of(const facing8 *f, bool has_reach)
{
    const float m = wi_wide_greatest(f->m), g = wi_wide_least(f->g);
    const float slack = 0x1p-20F * (m * m / g) + 0x1p-21F;
    if (!(g > 0x1p-100F && m < 0x1p60F && slack < 1.0F))
        return (wi_facing){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return (wi_facing){{wi_wide_least(f->lower.x) - slack, wi_wide_least(f->lower.y) - slack,
                        wi_wide_least(f->lower.z) - slack,
                        has_reach ? wi_wide_least(f->height) : 1.0F},
                       {wi_wide_greatest(f->upper.x) + slack, wi_wide_greatest(f->upper.y) + slack,
                        wi_wide_greatest(f->upper.z) + slack}};
}

static inline facing8 faces_nowhere(void)
{
    const wi_wide far = wi_wide_all(INFINITY), none = wi_wide_all(-INFINITY);
    return (facing8){{far, far, far}, {none, none, none}, wi_wide_all(0.0F), far, far};
}

WITH_REACH_OR_NOT wi_facing facing_at_rest(wi_folds *folds, const wi_tree *h, const wi_leaf *leaf,
                                           bool has_reach)
{
    const uint8_t(*corners)[3] = (const uint8_t(*)[3])(h->shape->corners + leaf->first_tri);
    facing8 f = faces_nowhere();
    alignas(16) float positions[WI_MAX_LEAF_VERTICES][4];
    wi_vec8 corner[3];
    wi_leaf_read_positions(h, leaf, positions, &folds->blended);
    for (unsigned first = 0; first < leaf->tri_count; first += WI_LANES) {
        const unsigned count = leaf->tri_count - first;
        read_corners(corners + first, count < WI_LANES ? count : WI_LANES,
                     (const float(*)[4])positions, corner);
        add_eight(&f, corner, has_reach);
    }
    return facing_of(&f, has_reach);
}

/* The same over a step. */
WITH_REACH_OR_NOT wi_facing facing_over_step(wi_folds *folds, const wi_tree *h, const wi_leaf *leaf,
                                             bool has_reach)
{
    const uint8_t(*corners)[3] = (const uint8_t(*)[3])(h->shape->corners + leaf->first_tri);
    facing8 f = faces_nowhere();
    alignas(16) float start_at[WI_MAX_LEAF_VERTICES][4], end_at[WI_MAX_LEAF_VERTICES][4];
    wi_vec8 start_corner[3], end_corner[3];
    wi_leaf_read_positions(h, leaf, start_at, &folds->blended);
    wi_leaf_read_positions(folds->step.end, leaf, end_at, &folds->blended);
    for (unsigned first = 0; first < leaf->tri_count; first += WI_LANES) {
        const unsigned left = leaf->tri_count - first, count = left < WI_LANES ? left : WI_LANES;
        read_corners(corners + first, count, (const float(*)[4])start_at, start_corner);
        read_corners(corners + first, count, (const float(*)[4])end_at, end_corner);
        add_eight_swept(&f, start_corner, end_corner, has_reach);
    }
    return facing_of(&f, has_reach);
}

static wi_facing find_facing(wi_folds *folds, const wi_tree *h, const wi_leaf *leaf)
{
    return folds->step.reach > 0.0F ? facing_at_rest(folds, h, leaf, true)
                                    : facing_at_rest(folds, h, leaf, false);
}

static wi_facing find_swept_facing(wi_folds *folds, const wi_tree *h, const wi_leaf *leaf)
{
    return folds->step.reach > 0.0F ? facing_over_step(folds, h, leaf, true)
                                    : facing_over_step(folds, h, leaf, false);
}

/* Of a leaf, and with it of all leaves of its node, whose positions lie side by side. */
static const wi_facing *facing_at(wi_folds *folds, const wi_tree *h, uint32_t number)
{
    const uint32_t node = wi_loops_of(h)->nodes[number] - wi_loops_of(h)->leaf_count;
    WI_ASSERT(number < h->shape->leaf_count && node < h->shape->node_count);
    if (!folds->is_facing.items[node]) {
        const wi_node *view = &h->boxes.nodes[node];
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const uint32_t leaf = view->child[__builtin_ctz(leaves)];
            const wi_leaf *at = &h->shape->leaves[leaf];
            folds->facings.items[leaf] =
                folds->step.end ? find_swept_facing(folds, h, at) : find_facing(folds, h, at);
        }
        folds->is_facing.items[node] = true;
    }
    return &folds->facings.items[number];
}

/* ---- the view ---- */

typedef struct view_plane {
    float w0[3], w2[3], d[3];
    float size0, size2; /* the greatest coordinates of w0 and w2 */
} view_plane;

static float greatest_of(const float v[3])
{
    const float x = fabsf(v[0]), y = fabsf(v[1]), z = fabsf(v[2]);
    const float greater = x > y ? x : y;
    return greater > z ? greater : z;
}

static void fold_cross(const float a[3], const float b[3], float out[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* Along the middle of how all face: w0 is at right angles to it and to an axis, w2 to both. */
static view_plane fold_look_along(const wi_facing *all)
{
    float middle[3];
    for (int i = 0; i < 3; i++) middle[i] = 0.5F * all->lower[i] + 0.5F * all->upper[i];
    int least = fabsf(middle[1]) < fabsf(middle[0]) ? 1 : 0;
    least = fabsf(middle[2]) < fabsf(middle[least]) ? 2 : least;
    float axis[3] = {0.0F, 0.0F, 0.0F};
    axis[least] = 1.0F;
    view_plane view;
    fold_cross(middle, axis, view.w0);
    fold_cross(middle, view.w0, view.w2);
    fold_cross(view.w0, view.w2, view.d);
    view.size0 = greatest_of(view.w0);
    view.size2 = greatest_of(view.w2);
    return view;
}

/* Step 13: more than |D| times the reach. The roundings of D are those of step 5. */
static float reach_of_view(const view_plane *view, float reach)
{
    if (reach == 0.0F) return 0.0F;
    return wi_reach_along(view->d, reach) + 0x1p-19F * view->size0 * view->size2 * reach;
}

/* (a) for the triangles of a leaf: the least product of D with a vector of the box; and step 13. */
static inline bool is_seen_from_front(wi_quad d, float error, float reach, const wi_facing *facing)
{
    float least[4];
    wi_quad_store(least, wi_quad_min(wi_quad_mul(d, wi_quad_load(facing->lower)),
                                     wi_quad_mul(d, wi_quad_load(facing->upper))));
    return ((least[0] + least[1] + least[2]) - error) * facing->lower[3] > reach;
}

static inline wi_vec8 all8(const float v[3])
{
    return (wi_vec8){wi_wide_all(v[0]), wi_wide_all(v[1]), wi_wide_all(v[2])};
}

/* Those of the cluster, then those around it. */
static inline uint32_t leaf_within(const wi_tree *h, const wi_boundary_loop *loop, unsigned i)
{
    WI_ASSERT(i < (unsigned)loop->own_count + loop->around_count);
    return wi_loops_of(h)->around.items[loop->first_around + i];
}

static bool all_seen_from_front(wi_folds *folds, const wi_tree *h, const wi_boundary_loop *loop,
                                view_plane *view)
{
    const unsigned count = (unsigned)loop->own_count + loop->around_count;
    wi_quad lower = wi_quad_all(INFINITY), upper = wi_quad_all(-INFINITY);
    for (unsigned i = 0; i < count; i++) {
        const wi_facing *facing = facing_at(folds, h, leaf_within(h, loop, i));
        lower = wi_quad_min(lower, wi_quad_load(facing->lower));
        upper = wi_quad_max(upper, wi_quad_load(facing->upper));
    }
    wi_facing all;
    wi_quad_store(all.lower, lower);
    wi_quad_store(all.upper, upper);
    if (!(all.upper[0] < INFINITY)) return false;
    *view = fold_look_along(&all);
    const wi_quad d = wi_quad_load3(view->d);
    const float error = 0x1p-17F * view->size0 * view->size2 + 0x1p-100F;
    const float reach = reach_of_view(view, folds->step.reach);
    for (unsigned i = 0; i < count; i++)
        if (!is_seen_from_front(d, error, reach, &folds->facings.items[leaf_within(h, loop, i)]))
            return false;
    return true;
}

/* ---- the loop ---- */

/* +w0, +w0+w2, +w2, +w2-w0, and the same the other way. */
enum { AXES = 4 };

/* Of the eight sides of K those that the ray goes out of, or may: along +w0, +w0+w2 and +w0-w2. */
static const uint64_t SIDES_OF_RAY = 1 << 0 | 1 << 1 | 1 << 7;

enum { MAX_GROUPS = WI_MAX_LOOP / WI_LANES };

typedef struct eye {
    wi_vec8 c, w0, w2;
    wi_wide size; /* the greatest coordinates of what was looked at, from c */
    uint64_t *blended;
} eye;

/* Eight points along w0 and w2. */
typedef struct seen8 {
    wi_wide along0, along2;
} seen8;

static inline seen8 fold_look_at(eye *e, wi_vec8 points)
{
    const wi_vec8 v = wi_vec8_sub(points, e->c);
    e->size = wi_wide_max(e->size, wi_vec8_greatest(v));
    return (seen8){wi_vec8_dot(e->w0, v), wi_vec8_dot(e->w2, v)};
}

static inline wi_wide along(seen8 s, int axis)
{
    switch (axis) {
    case 0: return s.along0;
    case 1: return wi_wide_add(s.along0, s.along2);
    case 2: return s.along2;
    default: return wi_wide_sub(s.along2, s.along0);
    }
}

typedef struct octagon {
    float lower[AXES], upper[AXES];
} octagon;

/* The octagon while it grows. */
typedef struct octagon8 {
    wi_wide lower[AXES], upper[AXES];
} octagon8;

/* Points past the last, up to a whole group, are the first. */
static void fill_group(float (*points)[4], unsigned count)
{
    for (; count % WI_LANES != 0; count++) wi_quad_store(points[count], wi_quad_load(points[0]));
}

static void fold_add_leaf(octagon8 *k, eye *e, const wi_tree *h, const wi_leaf *leaf)
{
    alignas(32) float points[WI_MAX_LEAF_VERTICES][4];
    wi_leaf_read_positions(h, leaf, points, e->blended);
    fill_group(points, leaf->vertex_count);
    for (unsigned first = 0; first < leaf->vertex_count; first += WI_LANES) {
        wi_wide axes[3];
        wi_wide_transpose((const float(*)[4])(points + first), axes);
        const seen8 s = fold_look_at(e, (wi_vec8){axes[0], axes[1], axes[2]});
        for (int axis = 0; axis < AXES; axis++) {
            k->lower[axis] = wi_wide_min(k->lower[axis], along(s, axis));
            k->upper[axis] = wi_wide_max(k->upper[axis], along(s, axis));
        }
    }
}

/* Around the cluster. c is a vertex of it, which is seen at 0. */
static octagon octagon_around(eye *e, const wi_tree *h, const wi_boundary_loop *loop)
{
    octagon8 grown;
    octagon k;
    for (int axis = 0; axis < AXES; axis++)
        grown.lower[axis] = grown.upper[axis] = wi_wide_all(0.0F);
    for (unsigned i = 0; i < loop->own_count; i++)
        fold_add_leaf(&grown, e, h, &h->shape->leaves[leaf_within(h, loop, i)]);
    for (int axis = 0; axis < AXES; axis++) {
        k.lower[axis] = wi_wide_least(grown.lower[axis]);
        k.upper[axis] = wi_wide_greatest(grown.upper[axis]);
    }
    return k;
}

/* Eight rows of eight bits become columns. */
static inline uint64_t transpose_bits(uint64_t rows)
{
    uint64_t swap = (rows ^ rows >> 7) & UINT64_C(0x00AA00AA00AA00AA);
    rows ^= swap ^ swap << 7;
    swap = (rows ^ rows >> 14) & UINT64_C(0x0000CCCC0000CCCC);
    rows ^= swap ^ swap << 14;
    swap = (rows ^ rows >> 28) & UINT64_C(0x00000000F0F0F0F0);
    return rows ^ swap ^ swap << 28;
}

/* Of eight vertices of the loop, a byte for each: the sides of K that it is beyond, a bit each, and
 * 1 if it is on the left of the ray, else 0. */
typedef struct beyond8 {
    uint64_t sides, left;
} beyond8;

static const uint64_t EACH_BYTE = UINT64_C(0x0101010101010101);

/* 1 in each byte that is not 0. */
static inline uint64_t nonzero_bytes(uint64_t bytes)
{
    const uint64_t low = UINT64_C(0x7F) * EACH_BYTE;
    return (((bytes & low) + low) | bytes) >> 7 & EACH_BYTE;
}

/* K is larger by the margins. */
static inline beyond8 find_beyond(const octagon *k, seen8 s, const float margin[AXES])
{
    uint64_t rows = 0; /* by side: the lanes beyond it */
    for (int axis = 0; axis < AXES; axis++) {
        const wi_wide at = along(s, axis);
        const wi_mask above = wi_wide_less(wi_wide_all(k->upper[axis] + margin[axis]), at);
        const wi_mask below = wi_wide_less(at, wi_wide_all(k->lower[axis] - margin[axis]));
        rows |= (uint64_t)wi_mask_bits(above) << WI_LANES * axis;
        rows |= (uint64_t)wi_mask_bits(below) << WI_LANES * (axis + AXES);
    }
    const uint64_t left = wi_mask_bits(wi_wide_less_equal(wi_wide_all(0.0F), s.along2));
    const uint64_t bit_of_byte = UINT64_C(0x8040201008040201);
    return (beyond8){transpose_bits(rows), nonzero_bytes(left * EACH_BYTE & bit_of_byte)};
}

/* Each byte with the one after it: the last one with the first of the next eight. */
static inline uint64_t shifted(uint64_t bytes, uint64_t next) { return bytes >> 8 | next << 56; }

/* (b) and (c), edges from each byte to the next, eight at a time. The way is closed, so that it may
 * go on with its first vertex. */
static bool goes_round_once(const beyond8 *b, unsigned groups)
{
    int rounds = 0;
    for (unsigned i = 0; i < groups; i++) {
        const beyond8 *next = &b[i + 1 < groups ? i + 1 : 0];
        const uint64_t sides = b[i].sides & shifted(b[i].sides, next->sides);
        const uint64_t to = shifted(b[i].left, next->left), from = b[i].left;
        const uint64_t on_ray = nonzero_bytes(sides & SIDES_OF_RAY * EACH_BYTE);
        if (nonzero_bytes(sides) != EACH_BYTE) return false;
        rounds += __builtin_popcountll(to & ~from & on_ray);
        rounds -= __builtin_popcountll(from & ~to & on_ray);
    }
    return rounds == 1;
}

static wi_vec8 first_vertex_of(const wi_tree *h, const wi_boundary_loop *loop)
{
    const wi_leaf *leaf = &h->shape->leaves[leaf_within(h, loop, 0)];
    float c[4];
    wi_mesh_world_position(h->mesh, h->shape->leaf_vertices[leaf->first_vertex], c);
    return all8(c);
}

/* What is seen of the reach along the axes: w0, w0 + w2, w2 and w2 - w0. */
static void add_reach(const view_plane *view, float reach, float margin[AXES])
{
    float sum[3], difference[3];
    for (int i = 0; i < 3; i++) {
        sum[i] = view->w0[i] + view->w2[i];
        difference[i] = view->w2[i] - view->w0[i];
    }
    margin[0] += wi_reach_along(view->w0, reach);
    margin[1] += wi_reach_along(sum, reach);
    margin[2] += wi_reach_along(view->w2, reach);
    margin[3] += wi_reach_along(difference, reach);
}

/* What the loop is beyond; false if it is too large for that to be certain. */
static bool look_round(wi_folds *folds, const wi_tree *h, const wi_boundary_loop *loop,
                       const view_plane *view, beyond8 *b)
{
    const wi_spot *way = wi_loops_of(h)->vertices.items + loop->first_vertex;
    const unsigned groups = loop->vertex_count / WI_LANES;
    seen8 seen[MAX_GROUPS];
    eye e = {first_vertex_of(h, loop), all8(view->w0), all8(view->w2), wi_wide_all(0.0F),
             &folds->blended};
    const octagon k = octagon_around(&e, h, loop);
    for (unsigned i = 0; i < groups; i++)
        seen[i] = fold_look_at(&e, wi_gather_spots(h->mesh, way + (size_t)i * WI_LANES));
    const float size = wi_wide_greatest(e.size);
    if (!(size < 0x1p120F)) return false;
    const float off = 0x1p-17F * (view->size0 + view->size2) * size + 0x1p-120F;
    float margin[AXES] = {off, off, off, off};
    if (folds->step.reach > 0.0F) add_reach(view, folds->step.reach, margin);
    for (unsigned i = 0; i < groups; i++) b[i] = find_beyond(&k, seen[i], margin);
    return true;
}

/* Step 9: of the sides that vertices are beyond, leaves those that they are beyond at the end too.
 */
static bool look_round_at_end(wi_folds *folds, const wi_boundary_loop *loop, const view_plane *view,
                              beyond8 *b)
{
    beyond8 at_end[MAX_GROUPS];
    if (!look_round(folds, folds->step.end, loop, view, at_end)) return false;
    for (unsigned i = 0; i < loop->vertex_count / WI_LANES; i++) b[i].sides &= at_end[i].sides;
    return true;
}

static inline bool loop_goes_round(wi_folds *folds, const wi_tree *h, const wi_boundary_loop *loop,
                                   const view_plane *view)
{
    beyond8 b[MAX_GROUPS];
    if (!look_round(folds, h, loop, view, b)) return false;
    if (folds->step.end && !look_round_at_end(folds, loop, view, b)) return false;
    return goes_round_once(b, loop->vertex_count / WI_LANES);
}

extern wi_find_fold WI_KERNEL(find_fold);
wi_fold WI_KERNEL(find_fold)(wi_folds *folds, const wi_tree *h, uint32_t cluster)
{
    const wi_boundary_loop *loop = &wi_loops_of(h)->items[cluster];
    WI_ASSERT(folds->placement == h->boxes.placement && loop->vertex_count > 0);
    view_plane view;
    const bool cannot =
        all_seen_from_front(folds, h, loop, &view) && loop_goes_round(folds, h, loop, &view);
    return cannot ? WI_CANNOT_FOLD : WI_MAY_FOLD;
}
