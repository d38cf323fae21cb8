/* orient_whole.c - determinants of whole numbers of 128 bits.
 *
 * Way in: wi_orient3d_whole, wi_orient2d_whole.
 *   1. Coordinates are multiplied by a power of two, which is exact, so that the greatest
 * difference is just below 2^BITS. If all are whole numbers then, and below 2^61, their differences
 * are whole numbers of 64 bits. Floats have 24 digits, so this is so if no coordinate is smaller
 *      than 2^(24 - BITS) of the differences, unless it is 0 or has few digits.
 *   2. With differences up to 2^41 products of two are at most 2^82, a minor 2^83, its product with
 *      a third one 2^124, and the sum of three below 2^126. In two dimensions there is room for
 * more than 45 bits, but with more of them what is far from the origin exceeds 2^61. */
#include "prim/signs/orient_whole.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"

__extension__ typedef __int128 wide_int;

enum { BITS_3D = 41, BITS_2D = 45 };

static int sign_of_wide(wide_int x) { return (x > 0) - (x < 0); }

/* The power of two that makes a number of this size at least 2^(bits - 2) and below 2^(bits - 1),
 * so that one that is rounded is below 2^bits. */
static double power_for(double size, int bits)
{
    uint64_t number;
    double power;
    WI_ASSERT(size >= 0x1p-150 && size < 0x1p130);
    memcpy(&number, &size, sizeof number);
    const uint64_t biased = 2 * UINT64_C(1023) + (uint64_t)bits - 2 - (number >> 52);
    number = biased << 52;
    memcpy(&power, &number, sizeof power);
    return power;
}

/* False if it is not a whole number, or too large. */
static inline bool to_whole(float x, double power, int64_t *out)
{
    const double scaled = (double)x * power;
    if (!(fabs(scaled) < 0x1p61)) return false;
    *out = (int64_t)scaled;
    return (double)*out == scaled;
}

static inline bool are_within(const int64_t *values, int count, int bits)
{
    const int64_t limit = (int64_t)1 << bits;
    for (int i = 0; i < count; i++)
        if (values[i] > limit || values[i] < -limit) return false;
    return true;
}

bool wi_orient3d_whole(const float a[3], const float b[3], const float c[3], const float d[3],
                       double size, int *sign)
{
    const float *const points[4] = {d, a, b, c};
    const double power = power_for(size, BITS_3D);
    int64_t at[4][3], v[9];
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++)
            if (!to_whole(points[i][axis], power, &at[i][axis])) return false;
    for (int i = 0; i < 9; i++) v[i] = at[1 + i / 3][i % 3] - at[0][i % 3];
    if (!are_within(v, 9, BITS_3D)) return false;
    const wide_int x = (wide_int)v[4] * v[8] - (wide_int)v[5] * v[7];
    const wide_int y = (wide_int)v[5] * v[6] - (wide_int)v[3] * v[8];
    const wide_int z = (wide_int)v[3] * v[7] - (wide_int)v[4] * v[6];
    *sign = sign_of_wide(v[0] * x + v[1] * y + v[2] * z);
    return true;
}

bool wi_orient2d_whole(const float a[3], const float b[3], const float c[3], int axis, double size,
                       int *sign)
{
    const float *const points[3] = {c, a, b};
    const double power = power_for(size, BITS_2D);
    const int axes[2] = {(axis + 1) % 3, (axis + 2) % 3};
    int64_t at[3][2], v[4];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            if (!to_whole(points[i][axes[k]], power, &at[i][k])) return false;
    for (int i = 0; i < 4; i++) v[i] = at[1 + i / 2][i % 2] - at[0][i % 2];
    if (!are_within(v, 4, BITS_2D)) return false;
    *sign = sign_of_wide((wide_int)v[0] * v[3] - (wide_int)v[1] * v[2]);
    return true;
}
