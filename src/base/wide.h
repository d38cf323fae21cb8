/* wide.h - eight floats side by side, and a scalar twin with the same bits (C10).
 *
 * Only operations whose result is fixed by IEEE 754 are here, none is fused, and min and max are
 * those of SSE: the second operand where the two are equal or unordered. Lanes are moved as
 * 16-byte vertices (x, y, z and one float of no meaning), transposed eight at a time. */
#ifndef WI_BASE_WIDE_H
#define WI_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "base/check.h"

enum { WI_LANES = 8 };

#if defined(WI_KERNEL_AVX2)

#    include <immintrin.h>

typedef __m256 wi_wide;
typedef __m256 wi_mask;

static inline wi_wide wi_wide_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void wi_wide_store(float *p, wi_wide a) { _mm256_storeu_ps(p, a); }
static inline wi_wide wi_wide_all(float a) { return _mm256_set1_ps(a); }
static inline wi_wide wi_wide_add(wi_wide a, wi_wide b) { return _mm256_add_ps(a, b); }
static inline wi_wide wi_wide_sub(wi_wide a, wi_wide b) { return _mm256_sub_ps(a, b); }
static inline wi_wide wi_wide_mul(wi_wide a, wi_wide b) { return _mm256_mul_ps(a, b); }
static inline wi_wide wi_wide_div(wi_wide a, wi_wide b) { return _mm256_div_ps(a, b); }
static inline wi_wide wi_wide_min(wi_wide a, wi_wide b) { return _mm256_min_ps(a, b); }
static inline wi_wide wi_wide_max(wi_wide a, wi_wide b) { return _mm256_max_ps(a, b); }
static inline wi_wide wi_wide_abs(wi_wide a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), a); }
static inline wi_wide wi_wide_negate(wi_wide a) { return _mm256_xor_ps(_mm256_set1_ps(-0.0F), a); }

static inline wi_mask wi_wide_less(wi_wide a, wi_wide b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline wi_mask wi_wide_less_equal(wi_wide a, wi_wide b)
{
    return _mm256_cmp_ps(a, b, _CMP_LE_OQ);
}
static inline wi_mask wi_wide_equal(wi_wide a, wi_wide b)
{
    return _mm256_cmp_ps(a, b, _CMP_EQ_OQ);
}
static inline wi_wide wi_wide_sqrt(wi_wide a) { return _mm256_sqrt_ps(a); }

/* Lane by lane: `a` where the mask says so, else `b`. */
static inline wi_wide wi_wide_select(wi_mask mask, wi_wide a, wi_wide b)
{
    return _mm256_blendv_ps(b, a, mask);
}
static inline wi_mask wi_mask_and(wi_mask a, wi_mask b) { return _mm256_and_ps(a, b); }
static inline wi_mask wi_mask_or(wi_mask a, wi_mask b) { return _mm256_or_ps(a, b); }
static inline unsigned wi_mask_bits(wi_mask a) { return (unsigned)_mm256_movemask_ps(a); }

/* out[axis] holds coordinate `axis` of the vertices with these numbers. */
static inline void wi_wide_gather(const float (*vertices)[4], const unsigned number[WI_LANES],
                                  wi_wide out[3])
{
    WI_ASSERT((uintptr_t)vertices % 16 == 0);
    const float *v0 = vertices[number[0]], *v1 = vertices[number[1]];
    const float *v2 = vertices[number[2]], *v3 = vertices[number[3]];
    const float *v4 = vertices[number[4]], *v5 = vertices[number[5]];
    const float *v6 = vertices[number[6]], *v7 = vertices[number[7]];
    __m256 v04 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(v0)), _mm_load_ps(v4), 1);
    __m256 v15 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(v1)), _mm_load_ps(v5), 1);
    __m256 v26 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(v2)), _mm_load_ps(v6), 1);
    __m256 v37 = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(v3)), _mm_load_ps(v7), 1);
    __m256 xy01 = _mm256_unpacklo_ps(v04, v15); /* x0 x1 y0 y1 */
    __m256 xy23 = _mm256_unpacklo_ps(v26, v37);
    __m256 zw01 = _mm256_unpackhi_ps(v04, v15);
    __m256 zw23 = _mm256_unpackhi_ps(v26, v37);
    out[0] = _mm256_shuffle_ps(xy01, xy23, 0x44);
    out[1] = _mm256_shuffle_ps(xy01, xy23, 0xEE);
    out[2] = _mm256_shuffle_ps(zw01, zw23, 0x44);
}

/* The least and the greatest lane, reduced by halves. */
static inline float wi_wide_least(wi_wide a)
{
    __m128 m = _mm_min_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_min_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_min_ss(m, _mm_shuffle_ps(m, m, 1)));
}
static inline float wi_wide_greatest(wi_wide a)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps(a, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    return _mm_cvtss_f32(_mm_max_ss(m, _mm_shuffle_ps(m, m, 1)));
}

/* A vertex: x, y, z and a float of no meaning. */
typedef __m128 wi_quad;

static inline wi_quad wi_quad_all(float a) { return _mm_set1_ps(a); }
static inline wi_quad wi_quad_load(const float p[4]) { return _mm_loadu_ps(p); }
static inline wi_quad wi_quad_load3(const float p[3])
{
    return _mm_movelh_ps(_mm_castsi128_ps(_mm_loadu_si64(p)), _mm_load_ss(p + 2));
}
static inline void wi_quad_store(float p[4], wi_quad a) { _mm_storeu_ps(p, a); }
static inline wi_quad wi_wide_half(wi_wide a, bool upper)
{
    return upper ? _mm256_extractf128_ps(a, 1) : _mm256_castps256_ps128(a);
}
static inline wi_wide wi_wide_swap_halves(wi_wide a) { return _mm256_permute2f128_ps(a, a, 1); }
/* The first three of a, the first three of b, and two of no meaning. */
static inline wi_wide wi_wide_pack3(wi_quad a, wi_quad b)
{
    const wi_wide both = _mm256_insertf128_ps(_mm256_castps128_ps256(a), b, 1);
    return _mm256_permutevar8x32_ps(both, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7));
}
/* Coordinate i of points[number[i]] and of points[number[3 + i]], as wi_wide_pack3 has them. Eight
 * numbers can be read, of which the last two have no meaning. */
static inline wi_wide wi_wide_gather3(const float (*points)[3], const uint32_t number[WI_LANES])
{
    const __m256i at = _mm256_loadu_si256((const __m256i *)(const void *)number);
    const __m256i axis = _mm256_setr_epi32(0, 1, 2, 0, 1, 2, 0, 0);
    const __m256i index = _mm256_add_epi32(_mm256_add_epi32(at, _mm256_slli_epi32(at, 1)), axis);
    const __m256i six = _mm256_setr_epi32(-1, -1, -1, -1, -1, -1, 0, 0);
    return _mm256_mask_i32gather_ps(_mm256_setzero_ps(), (const float *)points, index,
                                    _mm256_castsi256_ps(six), sizeof(float));
}
static inline wi_quad wi_quad_add(wi_quad a, wi_quad b) { return _mm_add_ps(a, b); }
static inline wi_quad wi_quad_sub(wi_quad a, wi_quad b) { return _mm_sub_ps(a, b); }
static inline wi_quad wi_quad_mul(wi_quad a, wi_quad b) { return _mm_mul_ps(a, b); }
static inline wi_quad wi_quad_or(wi_quad a, wi_quad b) { return _mm_or_ps(a, b); }
static inline wi_quad wi_quad_abs(wi_quad a) { return _mm_andnot_ps(_mm_set1_ps(-0.0F), a); }
static inline wi_quad wi_quad_min(wi_quad a, wi_quad b) { return _mm_min_ps(a, b); }
static inline wi_quad wi_quad_max(wi_quad a, wi_quad b) { return _mm_max_ps(a, b); }
/* Which of the first three are the same, a bit each. */
static inline unsigned wi_quad_same3(wi_quad a, wi_quad b)
{
    return (unsigned)_mm_movemask_ps(_mm_cmpeq_ps(a, b)) & 7;
}

/* The same in double. */
typedef __m256d wi_quad64;

static inline wi_quad64 wi_quad64_all(double a) { return _mm256_set1_pd(a); }
static inline wi_quad64 wi_quad64_load(const double p[4]) { return _mm256_loadu_pd(p); }
static inline void wi_quad64_store(double p[4], wi_quad64 a) { _mm256_storeu_pd(p, a); }
static inline wi_quad64 wi_quad64_of(wi_quad a) { return _mm256_cvtps_pd(a); }
static inline wi_quad64 wi_quad64_add(wi_quad64 a, wi_quad64 b) { return _mm256_add_pd(a, b); }
static inline wi_quad64 wi_quad64_sub(wi_quad64 a, wi_quad64 b) { return _mm256_sub_pd(a, b); }
static inline wi_quad64 wi_quad64_mul(wi_quad64 a, wi_quad64 b) { return _mm256_mul_pd(a, b); }
static inline wi_quad64 wi_quad64_min(wi_quad64 a, wi_quad64 b) { return _mm256_min_pd(a, b); }
static inline wi_quad64 wi_quad64_max(wi_quad64 a, wi_quad64 b) { return _mm256_max_pd(a, b); }
static inline wi_quad wi_quad64_round(wi_quad64 a) { return _mm256_cvtpd_ps(a); }
/* Towards zero. All fit into int32_t. */
static inline void wi_quad64_truncate(int32_t out[4], wi_quad64 a)
{
    _mm_storeu_si128((__m128i *)(void *)out, _mm256_cvttpd_epi32(a));
}
static inline unsigned wi_quad64_same3(wi_quad64 a, wi_quad64 b)
{
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_EQ_OQ)) & 7;
}

#else

typedef struct wi_wide {
    float lane[WI_LANES];
} wi_wide;
typedef struct wi_mask {
    int32_t lane[WI_LANES]; /* 0 or -1 */
} wi_mask;

#    define WI_WIDE_EACH(T, expression)                                                            \
        T r;                                                                                       \
        for (int i = 0; i < WI_LANES; i++) r.lane[i] = (expression);                               \
        return r

static inline wi_wide wi_wide_load(const float *p)
{
    wi_wide r;
    memcpy(r.lane, p, sizeof r.lane);
    return r;
}
static inline void wi_wide_store(float *p, wi_wide a) { memcpy(p, a.lane, sizeof a.lane); }
static inline wi_wide wi_wide_all(float a) { WI_WIDE_EACH(wi_wide, a); }
static inline wi_wide wi_wide_add(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, a.lane[i] + b.lane[i]);
}
static inline wi_wide wi_wide_sub(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, a.lane[i] - b.lane[i]);
}
static inline wi_wide wi_wide_mul(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, a.lane[i] * b.lane[i]);
}
static inline wi_wide wi_wide_div(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, a.lane[i] / b.lane[i]);
}
static inline wi_wide wi_wide_min(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline wi_wide wi_wide_max(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline wi_wide wi_wide_abs(wi_wide a) { WI_WIDE_EACH(wi_wide, __builtin_fabsf(a.lane[i])); }
static inline wi_wide wi_wide_negate(wi_wide a) { WI_WIDE_EACH(wi_wide, -a.lane[i]); }

static inline wi_mask wi_wide_less(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_mask, -(int32_t)(a.lane[i] < b.lane[i]));
}
static inline wi_mask wi_wide_equal(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_mask, a.lane[i] == b.lane[i] ? -1 : 0);
}
static inline wi_mask wi_wide_less_equal(wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_mask, -(int32_t)(a.lane[i] <= b.lane[i]));
}
static inline wi_wide wi_wide_sqrt(wi_wide a) { WI_WIDE_EACH(wi_wide, __builtin_sqrtf(a.lane[i])); }
static inline wi_wide wi_wide_select(wi_mask mask, wi_wide a, wi_wide b)
{
    WI_WIDE_EACH(wi_wide, mask.lane[i] != 0 ? a.lane[i] : b.lane[i]);
}
static inline wi_mask wi_mask_and(wi_mask a, wi_mask b)
{
    WI_WIDE_EACH(wi_mask, a.lane[i] & b.lane[i]);
}
static inline wi_mask wi_mask_or(wi_mask a, wi_mask b)
{
    WI_WIDE_EACH(wi_mask, a.lane[i] | b.lane[i]);
}
static inline unsigned wi_mask_bits(wi_mask a)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < WI_LANES; i++) bits |= (unsigned)(a.lane[i] & 1) << i;
    return bits;
}

static inline void wi_wide_gather(const float (*vertices)[4], const unsigned number[WI_LANES],
                                  wi_wide out[3])
{
    WI_ASSERT((uintptr_t)vertices % 16 == 0); /* as its twin needs it */
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < WI_LANES; i++) out[axis].lane[i] = vertices[number[i]][axis];
}

static inline float wi_wide_least(wi_wide a)
{
    for (int half = WI_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            a.lane[i] = a.lane[i] < a.lane[i + half] ? a.lane[i] : a.lane[i + half];
    return a.lane[0];
}
static inline float wi_wide_greatest(wi_wide a)
{
    for (int half = WI_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            a.lane[i] = a.lane[i] > a.lane[i + half] ? a.lane[i] : a.lane[i + half];
    return a.lane[0];
}

typedef struct wi_quad {
    float lane[4];
} wi_quad;

#    define WI_QUAD_EACH(expression)                                                               \
        wi_quad r;                                                                                 \
        for (int i = 0; i < 4; i++) r.lane[i] = (expression);                                      \
        return r

static inline wi_quad wi_quad_all(float a) { WI_QUAD_EACH(a); }
static inline wi_quad wi_quad_load(const float p[4]) { WI_QUAD_EACH(p[i]); }
static inline wi_quad wi_quad_load3(const float p[3]) { WI_QUAD_EACH(i < 3 ? p[i] : 0.0F); }
static inline void wi_quad_store(float p[4], wi_quad a) { memcpy(p, a.lane, sizeof a.lane); }
static inline wi_quad wi_wide_half(wi_wide a, bool upper)
{
    WI_QUAD_EACH(a.lane[upper ? i + 4 : i]);
}
static inline wi_wide wi_wide_swap_halves(wi_wide a)
{
    WI_WIDE_EACH(wi_wide, a.lane[(i + 4) % WI_LANES]);
}
static inline wi_wide wi_wide_pack3(wi_quad a, wi_quad b)
{
    wi_wide r;
    for (int i = 0; i < WI_LANES; i++) r.lane[i] = i < 3 ? a.lane[i] : b.lane[i < 6 ? i - 3 : 3];
    return r;
}
static inline wi_wide wi_wide_gather3(const float (*points)[3], const uint32_t number[WI_LANES])
{
    wi_wide r;
    for (int i = 0; i < WI_LANES; i++) r.lane[i] = i < 6 ? points[number[i]][i % 3] : 0.0F;
    return r;
}
static inline wi_quad wi_quad_add(wi_quad a, wi_quad b) { WI_QUAD_EACH(a.lane[i] + b.lane[i]); }
static inline wi_quad wi_quad_sub(wi_quad a, wi_quad b) { WI_QUAD_EACH(a.lane[i] - b.lane[i]); }
static inline wi_quad wi_quad_mul(wi_quad a, wi_quad b) { WI_QUAD_EACH(a.lane[i] * b.lane[i]); }
static inline wi_quad wi_quad_or(wi_quad a, wi_quad b)
{
    uint32_t bits_a[4], bits_b[4];
    memcpy(bits_a, a.lane, sizeof bits_a);
    memcpy(bits_b, b.lane, sizeof bits_b);
    for (int i = 0; i < 4; i++) bits_a[i] |= bits_b[i];
    memcpy(a.lane, bits_a, sizeof bits_a);
    return a;
}
static inline wi_quad wi_quad_abs(wi_quad a) { WI_QUAD_EACH(__builtin_fabsf(a.lane[i])); }
static inline wi_quad wi_quad_min(wi_quad a, wi_quad b)
{
    WI_QUAD_EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline wi_quad wi_quad_max(wi_quad a, wi_quad b)
{
    WI_QUAD_EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}

typedef struct wi_quad64 {
    double lane[4];
} wi_quad64;

#    define WI_QUAD64_EACH(expression)                                                             \
        wi_quad64 r;                                                                               \
        for (int i = 0; i < 4; i++) r.lane[i] = (expression);                                      \
        return r

static inline wi_quad64 wi_quad64_all(double a) { WI_QUAD64_EACH(a); }
static inline wi_quad64 wi_quad64_load(const double p[4]) { WI_QUAD64_EACH(p[i]); }
static inline void wi_quad64_store(double p[4], wi_quad64 a) { memcpy(p, a.lane, sizeof a.lane); }
static inline wi_quad64 wi_quad64_of(wi_quad a) { WI_QUAD64_EACH((double)a.lane[i]); }
static inline wi_quad64 wi_quad64_sub(wi_quad64 a, wi_quad64 b)
{
    WI_QUAD64_EACH(a.lane[i] - b.lane[i]);
}
static inline wi_quad64 wi_quad64_add(wi_quad64 a, wi_quad64 b)
{
    WI_QUAD64_EACH(a.lane[i] + b.lane[i]);
}
static inline wi_quad64 wi_quad64_mul(wi_quad64 a, wi_quad64 b)
{
    WI_QUAD64_EACH(a.lane[i] * b.lane[i]);
}
static inline wi_quad64 wi_quad64_min(wi_quad64 a, wi_quad64 b)
{
    WI_QUAD64_EACH(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline wi_quad64 wi_quad64_max(wi_quad64 a, wi_quad64 b)
{
    WI_QUAD64_EACH(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]);
}
static inline wi_quad wi_quad64_round(wi_quad64 a) { WI_QUAD_EACH((float)a.lane[i]); }
static inline void wi_quad64_truncate(int32_t out[4], wi_quad64 a)
{
    for (int i = 0; i < 4; i++) out[i] = (int32_t)a.lane[i];
}
static inline unsigned wi_quad_same3(wi_quad a, wi_quad b)
{
    unsigned same = 0;
    for (unsigned i = 0; i < 3; i++) same |= (unsigned)(a.lane[i] == b.lane[i]) << i;
    return same;
}
static inline unsigned wi_quad64_same3(wi_quad64 a, wi_quad64 b)
{
    unsigned same = 0;
    for (unsigned i = 0; i < 3; i++) same |= (unsigned)(a.lane[i] == b.lane[i]) << i;
    return same;
}

#    undef WI_QUAD64_EACH
#    undef WI_QUAD_EACH
#    undef WI_WIDE_EACH
#endif

/* The same for eight vertices in a row. */
static inline void wi_wide_transpose(const float vertices[WI_LANES][4], wi_wide out[3])
{
    static const unsigned in_order[WI_LANES] = {0, 1, 2, 3, 4, 5, 6, 7};
    wi_wide_gather(vertices, in_order, out);
}

/* The sum of the first three. */
static inline double wi_quad64_sum3(wi_quad64 a)
{
    double sum[4];
    wi_quad64_store(sum, a);
    return (sum[0] + sum[1]) + sum[2];
}

#endif
