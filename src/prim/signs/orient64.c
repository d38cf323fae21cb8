/* orient64.c - orientation of points with coordinates in double: exact, behind a filter.
 *
 * Way in: wi_orient3d64, wi_orient2d64, and the same without the filter for callers that have one.
 * Made for the start of a motion: once for a pair of moving primitives that seem to touch there.
 *
 * An exact determinant is an expansion: a sum of doubles that do not overlap, smallest first, so
 * that the last one has the sign of all. After Dekker 1971 and Shewchuk 1997.
 *
 * Why nothing underflows or overflows. Coordinates are 0 or at least 1e-90 > 2^-299 in size, so
 * they are multiples of 2^-351; so are their differences, and of products of three, exact or
 * rounded, any part is a multiple of 2^-1053, which double can hold. None exceeds 2^910, and no
 * factor that is split exceeds 2^610. The floats of orient.c are multiples of 2^-149 below 2^128.
 * The bounds of the filters are those of orient.c: their operations are the same. */
#include "prim/signs/orient64.h"

#include <math.h>
#include <stdbool.h>

#include "base/check.h"

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

static expansion difference(double a, double b)
{
    expansion e = {.count = 0};
    double rest, sum = two_sum(a, -b, &rest);
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
    WI_ASSERT(b->count <= 2);
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

int wi_orient3d_exact(const double a[3], const double b[3], const double c[3], const double d[3])
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

int wi_orient2d_exact(const double a[3], const double b[3], const double c[3], int axis)
{
    WI_ASSERT(axis >= 0 && axis < 3);
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    expansion ax = difference(a[x], c[x]), ay = difference(a[y], c[y]);
    expansion bx = difference(b[x], c[x]), by = difference(b[y], c[y]);
    expansion m;
    minor(&ax, &ay, &bx, &by, &m);
    return sign_of_expansion(&m);
}

int wi_orient3d64(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double bound = 9.0 * 0x1p-53;
    double det = 0.0, size = 0.0;
    for (int x = 0; x < 3; x++) {
        int y = (x + 1) % 3, z = (x + 2) % 3;
        double left = (b[y] - d[y]) * (c[z] - d[z]), right = (b[z] - d[z]) * (c[y] - d[y]);
        det += (a[x] - d[x]) * (left - right);
        size += fabs(a[x] - d[x]) * (fabs(left) + fabs(right));
    }
    if (fabs(det) > bound * size) return sign_of(det);
    return size == 0.0 ? 0 : wi_orient3d_exact(a, b, c, d);
}

int wi_orient2d64(const double a[3], const double b[3], const double c[3], int axis)
{
    WI_ASSERT(axis >= 0 && axis < 3);
    const double bound = 5.0 * 0x1p-53;
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double left = (a[x] - c[x]) * (b[y] - c[y]), right = (a[y] - c[y]) * (b[x] - c[x]);
    double det = left - right, size = fabs(left) + fabs(right);
    if (fabs(det) > bound * size) return sign_of(det);
    return size == 0.0 ? 0 : wi_orient2d_exact(a, b, c, axis);
}
