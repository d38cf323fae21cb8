/* orient.c - orientation of points: double precision with a proven bound, then expansions.
 *
 * Way in: wi_orient3d, wi_orient2d. Made for calls that the wide float filter could not decide:
 * most are decided by the double filter in some 40 operations; the rest are truly degenerate or
 * within 1e-15 of it and are worth a microsecond.
 *
 * Why the double filter is right. u = 2^-53; every operation below gives (exact)(1 + d), |d| <= u,
 * since nothing underflows: inputs are multiples of 2^-149, so all exact sums and products of up to
 * three differences are multiples of 2^-447 and below 2^390, far inside the range of double.
 *   1. In wi_orient3d each of the six monomials x*y*z goes through at most 8 roundings: three
 *      differences, two products, one subtraction, two additions. So the computed determinant is
 *      off by at most ((1 + u)^8 - 1) P, where P is the sum of the monomials' absolute values.
 *   2. P is computed along with it, also with at most 8 roundings each, so P <= P' / (1 - u)^8.
 *   3. ((1 + u)^8 - 1) / (1 - u)^8 < 8.001 u; the product with the factor rounds once more. A bound
 *      of 9 u P' is safe.
 *   4. wi_orient2d: two differences, one product, one subtraction: 4 roundings, 5 u P' is safe.
 *
 * When the filter cannot tell, the determinant is formed without any rounding as an expansion: a
 * sum of doubles that do not overlap, smallest first, so that the last one has the sign of all.
 * After Dekker 1971 and Shewchuk 1997. */
#include "prim/orient.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#if defined(__FAST_MATH__)
#    error "exact tests need IEEE 754 arithmetic: build without -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "float and double expressions are rounded to their own type");

static const double bound3d = 9.0 * 0x1p-53;
static const double bound2d = 5.0 * 0x1p-53;

/* 2 terms per difference, 8 per product of two, 16 per minor, 64 per minor times a difference,
 * 192 for three of these. */
enum { MAX_TERMS = 192 };

typedef struct expansion {
    int count;
    double term[MAX_TERMS];
} expansion;

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

/* a + b = sum + *rest exactly. */
static double two_sum(double a, double b, double *rest)
{
    double sum = a + b;
    double b_part = sum - a;
    *rest = (a - (sum - b_part)) + (b - b_part);
    return sum;
}

/* a * b = product + *rest exactly, by splitting both factors into halves of 26 bits. */
static double two_product(double a, double b, double *rest)
{
    const double splitter = 0x1p27 + 1.0;
    double a_big = splitter * a, b_big = splitter * b;
    double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    double a_low = a - a_high, b_low = b - b_high;
    double product = a * b;
    *rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    return product;
}

/* Finite input never fills it; input that is not, which no caller may give, must not spoil memory
 * all the same. */
static void append(expansion *e, double term)
{
    if (term != 0.0 && e->count < MAX_TERMS) e->term[e->count++] = term;
}

static expansion difference(float a, float b)
{
    expansion e = {.count = 0};
    double rest, sum = two_sum((double)a, -(double)b, &rest);
    append(&e, rest);
    append(&e, sum);
    return e;
}

/* Merges by magnitude and carries the running sum upwards. */
static void add(const expansion *a, const expansion *b, expansion *out)
{
    int i = 0, j = 0;
    double carry = 0.0;
    out->count = 0;
    while (i < a->count || j < b->count) {
        bool take_a = j == b->count || (i < a->count && fabs(a->term[i]) < fabs(b->term[j]));
        double next = take_a ? a->term[i++] : b->term[j++];
        double rest;
        carry = two_sum(carry, next, &rest);
        append(out, rest);
    }
    append(out, carry);
}

static void scale(const expansion *a, double factor, expansion *out)
{
    double carry = 0.0;
    out->count = 0;
    for (int i = 0; i < a->count; i++) {
        double low, high = two_product(a->term[i], factor, &low);
        double rest, sum = two_sum(carry, low, &rest);
        append(out, rest);
        carry = two_sum(high, sum, &rest);
        append(out, rest);
    }
    append(out, carry);
}

/* `b` is a difference: it has at most two terms. */
static void multiply(const expansion *a, const expansion *b, expansion *out)
{
    expansion low, high;
    out->count = low.count = 0;
    if (b->count == 0) return;
    scale(a, b->term[b->count - 1], &high);
    if (b->count == 2) scale(a, b->term[0], &low);
    add(&low, &high, out);
}

/* a * d - b * c */
static void minor(const expansion *a, const expansion *b, const expansion *c, const expansion *d,
                  expansion *out)
{
    expansion ad, bc;
    multiply(a, d, &ad);
    multiply(b, c, &bc);
    for (int i = 0; i < bc.count; i++) bc.term[i] = -bc.term[i];
    add(&ad, &bc, out);
}

static int sign_of_expansion(const expansion *e)
{
    return e->count == 0 ? 0 : sign_of(e->term[e->count - 1]);
}

static int orient3d_exact(const float a[3], const float b[3], const float c[3], const float d[3])
{
    expansion sum = {.count = 0};
    for (int x = 0; x < 3; x++) {
        int y = (x + 1) % 3, z = (x + 2) % 3;
        expansion ax = difference(a[x], d[x]);
        expansion by = difference(b[y], d[y]), bz = difference(b[z], d[z]);
        expansion cy = difference(c[y], d[y]), cz = difference(c[z], d[z]);
        expansion m, term, next;
        minor(&by, &bz, &cy, &cz, &m);
        multiply(&m, &ax, &term);
        add(&sum, &term, &next);
        sum = next;
    }
    return sign_of_expansion(&sum);
}

static int orient2d_exact(const float a[3], const float b[3], const float c[3], int x, int y)
{
    expansion ax = difference(a[x], c[x]), ay = difference(a[y], c[y]);
    expansion bx = difference(b[x], c[x]), by = difference(b[y], c[y]);
    expansion m;
    minor(&ax, &ay, &bx, &by, &m);
    return sign_of_expansion(&m);
}

int wi_orient3d(const float a[3], const float b[3], const float c[3], const float d[3])
{
    double ax = (double)a[0] - (double)d[0], ay = (double)a[1] - (double)d[1];
    double az = (double)a[2] - (double)d[2], bx = (double)b[0] - (double)d[0];
    double by = (double)b[1] - (double)d[1], bz = (double)b[2] - (double)d[2];
    double cx = (double)c[0] - (double)d[0], cy = (double)c[1] - (double)d[1];
    double cz = (double)c[2] - (double)d[2];

    double bycz = by * cz, bzcy = bz * cy, bzcx = bz * cx;
    double bxcz = bx * cz, bxcy = bx * cy, bycx = by * cx;
    double det = ax * (bycz - bzcy) + ay * (bzcx - bxcz) + az * (bxcy - bycx);
    double size = fabs(ax) * (fabs(bycz) + fabs(bzcy)) + fabs(ay) * (fabs(bzcx) + fabs(bxcz)) +
                  fabs(az) * (fabs(bxcy) + fabs(bycx));
    if (fabs(det) > bound3d * size) return sign_of(det);
    return size == 0.0 ? 0 : orient3d_exact(a, b, c, d);
}

int wi_orient2d(const float a[3], const float b[3], const float c[3], int axis)
{
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double left = ((double)a[x] - (double)c[x]) * ((double)b[y] - (double)c[y]);
    double right = ((double)a[y] - (double)c[y]) * ((double)b[x] - (double)c[x]);
    double det = left - right;
    double size = fabs(left) + fabs(right);
    if (fabs(det) > bound2d * size) return sign_of(det);
    return size == 0.0 ? 0 : orient2d_exact(a, b, c, x, y);
}
