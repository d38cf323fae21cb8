/* orient64.c - orientation of points with coordinates in double: exact, behind a filter.
 *
 * Way in: wi_orient3d64, wi_orient2d64, and the same without the filter for callers that have one.
 * Made for the start of a motion: once for a pair of moving primitives that seem to touch there.
 *
 * An exact determinant is an expansion (prim/signs/expansion.h).
 *
 * Why nothing underflows or overflows. Coordinates are 0 or at least 1e-90 > 2^-299 in size, so
 * they are multiples of 2^-351; so are their differences, and of products of three, exact or
 * rounded, any part is a multiple of 2^-1053, which double can hold. None exceeds 2^910, and no
 * factor that is split exceeds 2^610. The floats of orient.c are multiples of 2^-149 below 2^128.
 * The bounds of the filters are those of orient.c: their operations are the same. */
#include "prim/signs/orient64.h"

#include <math.h>

#include "base/check.h"
#include "prim/signs/expansion.h"

static int sign_of(double x) { return (x > 0.0) - (x < 0.0); }

static void differences(const double a[3], const double b[3], wi_expansion out[3])
{
    for (int i = 0; i < 3; i++) wi_expansion_difference(a[i], b[i], &out[i]);
}

int wi_orient3d_exact(const double a[3], const double b[3], const double c[3], const double d[3])
{
    wi_expansion da[3], db[3], dc[3], determinant;
    differences(a, d, da);
    differences(b, d, db);
    differences(c, d, dc);
    wi_expansion_determinant(da, db, dc, &determinant);
    return wi_expansion_sign(&determinant);
}

int wi_orient2d_exact(const double a[3], const double b[3], const double c[3], int axis)
{
    WI_ASSERT(axis >= 0 && axis < 3);
    int x = (axis + 1) % 3, y = (axis + 2) % 3;
    wi_expansion da[3], db[3], minor;
    differences(a, c, da);
    differences(b, c, db);
    wi_expansion_minor(&da[x], &da[y], &db[x], &db[y], &minor);
    return wi_expansion_sign(&minor);
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
