/* wide_bits.h - eight 32-bit numbers side by side, and a scalar twin with the same bits (C10).
 *
 * For kernels that sort: lanes become bins, are compared, and are packed in an order from a table.
 * The twin is for results, not for speed: WI_HAS_WIDE_BITS says whether lanes are registers, so
 * that a loop over single numbers can be taken where they are not. */
#ifndef WI_BASE_WIDE_BITS_H
#define WI_BASE_WIDE_BITS_H

#include "base/check.h"
#include "base/wide.h"

/* wi_rank16 reads and writes blocks of this many. */
enum { WI_RANK_BLOCK = 32 };

#if defined(WI_KERNEL_AVX2)

enum { WI_HAS_WIDE_BITS = 1 };

typedef __m256i wi_wide_bits;

/* Eight of any 32-bit type. */
static inline wi_wide_bits wi_wide_bits_load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}
static inline void wi_wide_bits_store(void *p, wi_wide_bits a)
{
    _mm256_storeu_si256((__m256i *)p, a);
}
static inline wi_wide_bits wi_wide_bits_all(int32_t a) { return _mm256_set1_epi32(a); }

/* Rounded towards zero. All lanes fit into int32_t. */
static inline wi_wide_bits wi_wide_truncate(wi_wide a) { return _mm256_cvttps_epi32(a); }

/* The lanes in which a > b, a bit each; signed. */
static inline unsigned wi_wide_bits_more(wi_wide_bits a, wi_wide_bits b)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b)));
}

/* For wi_wide_bits_permute: the number of a lane for each lane. */
static inline wi_wide_bits wi_wide_bits_order(const uint8_t lanes[WI_LANES])
{
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)lanes));
}
/* Lane i becomes lane order[i] of a. */
static inline wi_wide_bits wi_wide_bits_permute(wi_wide_bits a, wi_wide_bits order)
{
    return _mm256_permutevar8x32_epi32(a, order);
}

static inline void wi_rank16_block(const int16_t *keys, uint32_t first, uint32_t count,
                                   int16_t *ranks)
{
    enum { HALF = WI_RANK_BLOCK / 2 };
    const __m256i keys0 = _mm256_loadu_si256((const __m256i *)(const void *)(keys + first));
    const __m256i keys1 = _mm256_loadu_si256((const __m256i *)(const void *)(keys + first + HALF));
    __m256i ranks0 = _mm256_setzero_si256(), ranks1 = ranks0;
    for (uint32_t k = 0; k < count; k++) {
        const __m256i other = _mm256_set1_epi16(keys[k]);
        ranks0 = _mm256_sub_epi16(ranks0, _mm256_cmpgt_epi16(keys0, other));
        ranks1 = _mm256_sub_epi16(ranks1, _mm256_cmpgt_epi16(keys1, other));
    }
    _mm256_storeu_si256((__m256i *)(void *)(ranks + first), ranks0);
    _mm256_storeu_si256((__m256i *)(void *)(ranks + first + HALF), ranks1);
}

#else

enum { WI_HAS_WIDE_BITS = 0 };

typedef struct wi_wide_bits {
    int32_t lane[WI_LANES];
} wi_wide_bits;

static inline wi_wide_bits wi_wide_bits_load(const void *p)
{
    wi_wide_bits r;
    memcpy(r.lane, p, sizeof r.lane);
    return r;
}
static inline void wi_wide_bits_store(void *p, wi_wide_bits a) { memcpy(p, a.lane, sizeof a.lane); }
static inline wi_wide_bits wi_wide_bits_all(int32_t a)
{
    wi_wide_bits r;
    for (int i = 0; i < WI_LANES; i++) r.lane[i] = a;
    return r;
}
static inline wi_wide_bits wi_wide_truncate(wi_wide a)
{
    wi_wide_bits r;
    for (int i = 0; i < WI_LANES; i++) {
        WI_ASSERT(a.lane[i] >= -0x1p31F && a.lane[i] < 0x1p31F);
        r.lane[i] = (int32_t)a.lane[i];
    }
    return r;
}
static inline unsigned wi_wide_bits_more(wi_wide_bits a, wi_wide_bits b)
{
    unsigned more = 0;
    for (unsigned i = 0; i < WI_LANES; i++) more |= (unsigned)(a.lane[i] > b.lane[i]) << i;
    return more;
}
static inline wi_wide_bits wi_wide_bits_order(const uint8_t lanes[WI_LANES])
{
    wi_wide_bits r;
    for (int i = 0; i < WI_LANES; i++) r.lane[i] = lanes[i];
    return r;
}
static inline wi_wide_bits wi_wide_bits_permute(wi_wide_bits a, wi_wide_bits order)
{
    wi_wide_bits r;
    for (int i = 0; i < WI_LANES; i++) {
        WI_ASSERT(order.lane[i] >= 0 && order.lane[i] < WI_LANES);
        r.lane[i] = a.lane[order.lane[i]];
    }
    return r;
}

static inline void wi_rank16_block(const int16_t *keys, uint32_t first, uint32_t count,
                                   int16_t *ranks)
{
    for (uint32_t i = first; i < count && i < first + WI_RANK_BLOCK; i++) {
        ranks[i] = 0;
        for (uint32_t k = 0; k < count; k++) ranks[i] = (int16_t)(ranks[i] + (keys[i] > keys[k]));
    }
}

#endif

/* How many of the `count` keys are less than each. Quadratic, without a branch on the data. Both
 * arrays have room for the next multiple of WI_RANK_BLOCK; what is past `count` has no meaning. */
static inline void wi_rank16(const int16_t *keys, uint32_t count, int16_t *ranks)
{
    WI_ASSERT(count <= INT16_MAX);
    for (uint32_t i = 0; i < count; i += WI_RANK_BLOCK) wi_rank16_block(keys, i, count, ranks);
}

#endif
