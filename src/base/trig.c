/* trig.c - sine and cosine from additions, multiplications and floor alone, in one fixed order.
 * Way in: wi_sin, wi_cos. Made for scenes, which bend a few hundred thousand vertices per frame by
 * angles of moderate size; the library proper has no use for it.
 *
 * 1. n = the integer nearest to x / (pi/2). Then x = n pi/2 + r with |r| <= pi/4, a hair more where
 *    the division rounded.
 * 2. pi/2 = A + B + C, A and B with 33 bits each. For |n| < 2^20 the products n A and n B are
 *    exact (53 bits), and so is x - n A (Cody and Waite): the error of r is two roundings near
 *    |r| <= pi/4, below 1.2e-16, and the part of pi/2 that C lacks, n times 1e-37.
 * 3. sin r and cos r from their Taylor series up to r^17 and r^16; the next terms are below 1e-19
 *    and 2.2e-18. Terms are summed from the smallest up, so the error is that of the last addition.
 * 4. n modulo 4 tells which of the two it is, and the sign.
 * Beyond |x| = 10^6 step 2 would lose bits without a word, so the answer is NaN there. */
#include "base/trig.h"

#include <math.h>

#include "base/check.h"

/* What is left of an angle after whole quarter turns. */
typedef struct reduced {
    double r;
    int quarter; /* 0 to 3 */
} reduced;

static reduced reduce(double x)
{
    static const double a = 0x1.921fb544p0, b = 0x1.0b4611a6p-34, c = 0x1.3198a2e037073p-69;
    static const double two_over_pi = 0x1.45f306dc9c883p-1;
    if (!(fabs(x) <= 1e6)) return (reduced){NAN, 0};
    double n = floor(x * two_over_pi + 0.5);
    double r = ((x - n * a) - n * b) - n * c;
    return (reduced){r, (int)(n - 4 * floor(n / 4))};
}

static double sin_near_zero(double r)
{
    double z = r * r;
    double p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return r + r * z * p;
}

static double cos_near_zero(double r)
{
    double z = r * r;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    return 1.0 - (0.5 * z - z * z * p);
}

static double sin_of_quarter(double r, int quarter)
{
    WI_ASSERT(quarter >= 0 && quarter < 4 && !(fabs(r) > 0.8));
    switch (quarter) {
    case 0: return sin_near_zero(r);
    case 1: return cos_near_zero(r);
    case 2: return -sin_near_zero(r);
    default: return -cos_near_zero(r);
    }
}

double wi_sin(double x)
{
    reduced angle = reduce(x);
    return sin_of_quarter(angle.r, angle.quarter);
}

double wi_cos(double x)
{
    reduced angle = reduce(x);
    return sin_of_quarter(angle.r, (angle.quarter + 1) % 4);
}
