/* rational_tri.c - triangles and boxes as linear programs. See rational_tri.h.
 *
 * 1. A float is an integer times a power of two. The coordinates of one question are scaled by one
 *    common power of two to integers, which changes no answer.
 * 2. A point of the hull of a[0..2] is the sum of u[i] * a[i] with u >= 0 that add up to 1. So the
 *    hulls have a common point if and only if this has a solution u, v >= 0:
 *        sum u = 1,  sum v = 1,  sum u[i] * a[i] - sum v[i] * b[i] = 0.
 * 3. The common points are a convex set C, and it holds the hull H of the shared vertices. C is
 *    more than H if and only if some linear function is greater somewhere on C than anywhere on H.
 *    Of those functions few need to be tried: H is the intersection of the half-spaces given by
 *      a point p:       +-x, +-y, +-z;
 *      a segment p, q:  +- the three coordinates of cross(d, x), and +-dot(d, x), with d = q - p.
 */
#include "rational_tri.h"

#include "rational_lp.h"

#include <math.h>

/* The exponent of the last bit of `value` that is set; `highest` for zero. */
static int last_bit(float value, int highest)
{
    if (value == 0) return highest;
    int exponent;
    long digits = (long)ldexpf(frexpf(value, &exponent), 24);
    exponent -= 24;
    for (; digits % 2 == 0; digits /= 2) exponent++;
    return exponent;
}

static int least_last_bit(const float *values, int count, int least)
{
    for (int i = 0; i < count; i++) {
        int bit = last_bit(values[i], least);
        if (bit < least) least = bit;
    }
    return least;
}

/* out = value / 2^last. The quotient has at most 277 bits, so it passes through a double. */
static void set_scaled(mpz_t out, float value, int last)
{
    mpz_set_d(out, ldexp((double)value, -last));
}

enum { HIGHEST_BIT = 128 };

/* The program of step 2. Columns 0..2 are u, columns 3..5 are v. */
static void write_meeting(rational_lp *lp, const float a[3][3], const float b[3][3])
{
    int last = least_last_bit(&a[0][0], 9, least_last_bit(&b[0][0], 9, HIGHEST_BIT));
    rational_lp_init(lp, 5, 6);
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            set_scaled(lp->cell[axis][i], a[i][axis], last);
            set_scaled(lp->cell[axis][3 + i], -b[i][axis], last);
        }
        mpz_set_ui(lp->cell[3][i], 1);
        mpz_set_ui(lp->cell[4][3 + i], 1);
    }
    mpz_set_ui(lp->right[3], 1);
    mpz_set_ui(lp->right[4], 1);
}

/* A shortcut that is exact too: true only if one coordinate tells the triangles apart. */
static bool are_apart_on_an_axis(const float a[3][3], const float b[3][3])
{
    for (int axis = 0; axis < 3; axis++) {
        float a_min = fminf(fminf(a[0][axis], a[1][axis]), a[2][axis]);
        float a_max = fmaxf(fmaxf(a[0][axis], a[1][axis]), a[2][axis]);
        float b_min = fminf(fminf(b[0][axis], b[1][axis]), b[2][axis]);
        float b_max = fmaxf(fmaxf(b[0][axis], b[1][axis]), b[2][axis]);
        if (a_max < b_min || b_max < a_min) return true;
    }
    return false;
}

bool rational_tris_meet(const float a[3][3], const float b[3][3])
{
    if (are_apart_on_an_axis(a, b)) return false;
    rational_lp lp;
    write_meeting(&lp, a, b);
    bool meet = rational_lp_find_feasible(&lp);
    rational_lp_clear(&lp);
    return meet;
}

unsigned rational_shared_corners(const uint32_t ia[3], const uint32_t ib[3], unsigned corner[3])
{
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++) {
        bool in_b = ia[i] == ib[0] || ia[i] == ib[1] || ia[i] == ib[2];
        bool is_new = true;
        for (unsigned k = 0; k < count; k++) is_new = is_new && ia[corner[k]] != ia[i];
        if (in_b && is_new) corner[count++] = i;
    }
    return count;
}

/* Step 3: the set C of common points, the corners of A, the shared hull among them, and scratch. */
typedef struct neighbours {
    rational_lp common;
    mpz_t corner[3][3];
    mpz_t shared[2][3]; /* the same twice if only one vertex is shared */
    mpz_t weight[6];
    mpz_t bound;
} neighbours;

static void neighbours_init(neighbours *n, const float a[3][3], const float b[3][3],
                            const unsigned *shared, unsigned shared_count)
{
    write_meeting(&n->common, a, b);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) mpz_init_set(n->corner[i][axis], n->common.cell[axis][i]);
        for (unsigned k = 0; k < 2; k++)
            mpz_init_set(n->shared[k][axis], n->corner[shared[k < shared_count ? k : 0]][axis]);
    }
    for (int j = 0; j < 6; j++) mpz_init(n->weight[j]);
    mpz_init(n->bound);
}

static void neighbours_clear(neighbours *n)
{
    rational_lp_clear(&n->common);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) mpz_clear(n->corner[i][axis]);
        for (int k = 0; k < 2; k++) mpz_clear(n->shared[k][axis]);
    }
    for (int j = 0; j < 6; j++) mpz_clear(n->weight[j]);
    mpz_clear(n->bound);
}

static void dot(mpz_t out, mpz_t a[3], mpz_t b[3])
{
    mpz_mul(out, a[0], b[0]);
    mpz_addmul(out, a[1], b[1]);
    mpz_addmul(out, a[2], b[2]);
}

/* Is dot(normal, x) greater somewhere on C than anywhere on the shared hull? */
static bool reaches_beyond(neighbours *n, mpz_t normal[3])
{
    mpz_t other;
    mpz_init(other);
    dot(n->bound, normal, n->shared[0]);
    dot(other, normal, n->shared[1]);
    if (mpz_cmp(other, n->bound) > 0) mpz_set(n->bound, other);
    mpz_clear(other);
    for (int i = 0; i < 3; i++) dot(n->weight[i], normal, n->corner[i]);
    return rational_lp_maximum_exceeds(&n->common, n->weight, n->bound);
}

static bool reaches_beyond_either_way(neighbours *n, mpz_t normal[3])
{
    if (reaches_beyond(n, normal)) return true;
    for (int axis = 0; axis < 3; axis++) mpz_neg(normal[axis], normal[axis]);
    return reaches_beyond(n, normal);
}

/* out = cross(d, unit vector of `axis`), whose dot with x is, up to sign, coordinate `axis` of
 * cross(d, x). Where d is zero, which is a point, the unit vector itself. */
static void make_normal(mpz_t out[3], mpz_t d[3], int axis)
{
    int next = (axis + 1) % 3, after = (axis + 2) % 3;
    bool is_point = mpz_sgn(d[0]) == 0 && mpz_sgn(d[1]) == 0 && mpz_sgn(d[2]) == 0;
    mpz_set_ui(out[axis], is_point ? 1 : 0);
    mpz_set(out[next], d[after]);
    mpz_neg(out[after], d[next]);
}

static bool is_more_than_shared(neighbours *n)
{
    mpz_t d[3], normal[3];
    for (int axis = 0; axis < 3; axis++) {
        mpz_inits(d[axis], normal[axis], NULL);
        mpz_sub(d[axis], n->shared[1][axis], n->shared[0][axis]);
    }
    bool more = false;
    for (int axis = 0; axis < 3 && !more; axis++) {
        make_normal(normal, d, axis);
        more = reaches_beyond_either_way(n, normal);
    }
    more = more || reaches_beyond_either_way(n, d);
    for (int axis = 0; axis < 3; axis++) mpz_clears(d[axis], normal[axis], NULL);
    return more;
}

bool rational_tris_pair(const float a[3][3], const uint32_t ia[3], const float b[3][3],
                        const uint32_t ib[3])
{
    unsigned shared[3];
    unsigned shared_count = rational_shared_corners(ia, ib, shared);
    if (shared_count == 0) return rational_tris_meet(a, b);
    if (shared_count == 3) return true;
    neighbours n;
    neighbours_init(&n, a, b, shared, shared_count);
    bool pair = rational_lp_find_feasible(&n.common) && is_more_than_shared(&n);
    neighbours_clear(&n);
    return pair;
}

/* The point of the triangle is lower + w with w >= 0 and w + rest = upper - lower. Columns 0..2 are
 * u, 3..5 are w, 6..8 are rest. */
bool rational_tri_box_meet(const float t[3][3], const float lower[3], const float upper[3])
{
    int last = least_last_bit(&t[0][0], 9, HIGHEST_BIT);
    last = least_last_bit(upper, 3, least_last_bit(lower, 3, last));
    rational_lp lp;
    rational_lp_init(&lp, 7, 9);
    for (int axis = 0; axis < 3; axis++) {
        for (int i = 0; i < 3; i++) set_scaled(lp.cell[axis][i], t[i][axis], last);
        mpz_set_si(lp.cell[axis][3 + axis], -1);
        set_scaled(lp.right[axis], lower[axis], last);
        mpz_set_ui(lp.cell[3 + axis][3 + axis], 1);
        mpz_set_ui(lp.cell[3 + axis][6 + axis], 1);
        set_scaled(lp.right[3 + axis], upper[axis], last);
        mpz_sub(lp.right[3 + axis], lp.right[3 + axis], lp.right[axis]);
        mpz_set_ui(lp.cell[6][axis], 1);
    }
    mpz_set_ui(lp.right[6], 1);
    bool meet = rational_lp_find_feasible(&lp);
    rational_lp_clear(&lp);
    return meet;
}
