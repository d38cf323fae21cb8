/* orient.c - orientation of points: double precision with a proven bound, then expansions.
 *
 * Way in: wi_orient3d, wi_orient2d. Made for calls that the wide float filter could not decide:
 * most are decided by the double filter in some 40 operations; the rest are truly degenerate or
 * within 1e-15 of it, and are worth some more.
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
 * When the filter cannot tell, orient_whole.c forms the determinant of whole numbers, and where
 * that takes too many digits orient64.c forms it without any rounding. */
#include "prim/signs/orient.h"

#include <float.h>
#include <math.h>
#include "base/check.h"
#include "base/larger.h"
#include "prim/signs/orient64.h"
#include "prim/signs/orient_whole.h"

#if defined(__FAST_MATH__)
#    error "exact tests need IEEE 754 arithmetic: build without -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "float and double expressions are rounded to their own type");

static const double bound3d = 9.0 * 0x1p-53;
static const double bound2d = 5.0 * 0x1p-53;

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

/* The greatest of three numbers in size. */
static double greatest(double x, double y, double z)
{
    return wi_larger(fabs(x), wi_larger(fabs(y), fabs(z)));
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
    if (size == 0.0) return 0;
    const double most = greatest(greatest(ax, ay, az), greatest(bx, by, bz), greatest(cx, cy, cz));
    int sign;
    if (wi_orient3d_whole(a, b, c, d, most, &sign)) return sign;
    const double wide[4][3] = {
        {a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {c[0], c[1], c[2]}, {d[0], d[1], d[2]}};
    return wi_orient3d_exact(wide[0], wide[1], wide[2], wide[3]);
}

int wi_orient2d(const float a[3], const float b[3], const float c[3], int axis)
{
    WI_ASSERT(axis >= 0 && axis < 3);
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    double ax = (double)a[x] - (double)c[x], ay = (double)a[y] - (double)c[y];
    double bx = (double)b[x] - (double)c[x], by = (double)b[y] - (double)c[y];
    double left = ax * by, right = ay * bx;
    double det = left - right;
    double size = fabs(left) + fabs(right);
    if (fabs(det) > bound2d * size) return sign_of(det);
    if (size == 0.0) return 0;
    int sign;
    if (wi_orient2d_whole(a, b, c, axis, wi_larger(greatest(ax, ay, bx), fabs(by)), &sign))
        return sign;
    const double wide[3][3] = {{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {c[0], c[1], c[2]}};
    return wi_orient2d_exact(wide[0], wide[1], wide[2], axis);
}
