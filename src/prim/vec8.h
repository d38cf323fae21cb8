/* vec8.h - eight vectors side by side, and the certain signs of eight numbers. For kernels. */
#ifndef WI_PRIM_VEC8_H
#define WI_PRIM_VEC8_H

#include "base/check.h"
#include "base/wide.h"

typedef struct wi_vec8 {
    wi_wide x, y, z;
} wi_vec8;

/* Bit i speaks of lane i. No bit is set in both; in neither if the sign is not certain. */
typedef struct wi_signs8 {
    unsigned positive, negative;
} wi_signs8;

enum { WI_ALL_LANES = 0xFF };

/* Eight vertices: x, y, z and a float of no meaning each. */
static inline wi_vec8 wi_vec8_of(const float vertices[WI_LANES][4])
{
    wi_wide axes[3];
    wi_wide_transpose(vertices, axes);
    return (wi_vec8){axes[0], axes[1], axes[2]};
}

static inline wi_vec8 wi_vec8_sub(wi_vec8 a, wi_vec8 b)
{
    return (wi_vec8){wi_wide_sub(a.x, b.x), wi_wide_sub(a.y, b.y), wi_wide_sub(a.z, b.z)};
}

static inline wi_vec8 wi_vec8_add(wi_vec8 a, wi_vec8 b)
{
    return (wi_vec8){wi_wide_add(a.x, b.x), wi_wide_add(a.y, b.y), wi_wide_add(a.z, b.z)};
}

static inline wi_wide wi_vec8_dot(wi_vec8 a, wi_vec8 b)
{
    return wi_wide_add(wi_wide_add(wi_wide_mul(a.x, b.x), wi_wide_mul(a.y, b.y)),
                       wi_wide_mul(a.z, b.z));
}

static inline wi_vec8 wi_vec8_cross(wi_vec8 a, wi_vec8 b)
{
    return (wi_vec8){wi_wide_sub(wi_wide_mul(a.y, b.z), wi_wide_mul(a.z, b.y)),
                     wi_wide_sub(wi_wide_mul(a.z, b.x), wi_wide_mul(a.x, b.z)),
                     wi_wide_sub(wi_wide_mul(a.x, b.y), wi_wide_mul(a.y, b.x))};
}

/* The greatest absolute coordinate. */
static inline wi_wide wi_vec8_greatest(wi_vec8 a)
{
    return wi_wide_max(wi_wide_max(wi_wide_abs(a.x), wi_wide_abs(a.y)), wi_wide_abs(a.z));
}

/* The length, or a little more: within 2^-20 of its size and 2^-147. Scaled, so that no square
 * underflows; products that are denormal may lose all digits but one, which the last sum makes up
 * for. Of nothing it is not a number, nor is it where something overflows. */
static inline wi_wide wi_vec8_length_above(wi_vec8 a)
{
    const wi_wide g = wi_vec8_greatest(a);
    const wi_vec8 unit = {wi_wide_div(a.x, g), wi_wide_div(a.y, g), wi_wide_div(a.z, g)};
    const wi_wide length = wi_wide_mul(wi_wide_mul(g, wi_wide_sqrt(wi_vec8_dot(unit, unit))),
                                       wi_wide_all(1.0F + 0x1p-20F));
    return wi_wide_add(length, wi_wide_all(0x1p-148F));
}

/* The signs of numbers that are off by no more than `error`. */
static inline wi_signs8 wi_certain8(wi_wide value, wi_wide error)
{
    const wi_signs8 signs = {wi_mask_bits(wi_wide_less(error, value)),
                             wi_mask_bits(wi_wide_less(value, wi_wide_negate(error)))};
    WI_ASSERT((signs.positive & signs.negative) == 0);
    return signs;
}

#endif
