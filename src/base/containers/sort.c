/* sort.c - least significant digit radix sort with digits cut to fit the keys.
 * Way in: wi_sort_u64. Made for keys (triangle a << 32 | triangle b) of which 10 to 22 bits of each
 * half vary. One look at all keys finds the varying bits; each half's span of them is then cut into
 * equal digits of at most 11 bits, which makes two passes per half where fixed bytes need three.
 * Equal digits matter too: a left-over digit of one bit makes every key wait for the counter that
 * the key before it has just written. Measured on 10^3 to 10^6 keys of 17 and 20 bits per half:
 * 7 to 13 ns per key, against 20 to 25 with fixed digits of 8 bits and 16 to 25 with 11. */
#include "base/containers/sort.h"

#include <string.h>

#include "base/check.h"

enum {
    SMALL_COUNT = 64,      /* insertion sort up to here */
    MEDIUM_COUNT = 512,    /* clearing wide histograms costs more than passes up to here */
    MEDIUM_DIGIT_BITS = 7, /* at most this many bits per digit then */
    DIGIT_BITS = 11        /* and this many beyond: 2048 counters are half of a first-level cache */
};

_Static_assert(MEDIUM_DIGIT_BITS <= DIGIT_BITS, "counters are for the widest digits");

static void insertion_sort(uint64_t *keys, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint64_t key = keys[i];
        size_t hole = i;
        for (; hole > 0 && keys[hole - 1] > key; hole--) keys[hole] = keys[hole - 1];
        keys[hole] = key;
    }
}

/* The bits in which some key differs from the first. */
static uint64_t varying_bits(const uint64_t *keys, size_t count)
{
    uint64_t varying = 0;
    for (size_t i = 1; i < count; i++) varying |= keys[i] ^ keys[0];
    return varying;
}

/* Writes the keys of `from` to `to`, ordered by `bits` bits from `shift` on, equal ones as they
 * came. */
static void sort_by_digit(const uint64_t *from, uint64_t *to, size_t count, unsigned shift,
                          unsigned bits)
{
    size_t place[1U << DIGIT_BITS];
    WI_ASSERT(bits > 0 && bits <= DIGIT_BITS && shift < 64);
    size_t digit_count = (size_t)1 << bits, digit_mask = digit_count - 1;
    memset(place, 0, digit_count * sizeof place[0]);
    for (size_t i = 0; i < count; i++) place[(from[i] >> shift) & digit_mask]++;

    size_t next = 0;
    for (size_t digit = 0; digit < digit_count; digit++) {
        size_t here = place[digit];
        place[digit] = next;
        next += here;
    }
    WI_ASSERT(next == count);
    for (size_t i = 0; i < count; i++) to[place[(from[i] >> shift) & digit_mask]++] = from[i];
}

/* Sorts by the bits of `varying`, which lie within one half of the key. Keys and spare change
 * places with every pass; *keys is where they end. */
static void sort_by_half(uint64_t **keys, uint64_t **spare, size_t count, uint64_t varying)
{
    if (varying == 0) return;
    unsigned first = (unsigned)__builtin_ctzll(varying);
    unsigned span = 64 - (unsigned)__builtin_clzll(varying) - first;
    unsigned max_bits = count <= MEDIUM_COUNT ? MEDIUM_DIGIT_BITS : DIGIT_BITS;
    unsigned digit_count = (span + max_bits - 1) / max_bits;
    unsigned bits = (span + digit_count - 1) / digit_count;
    for (unsigned shift = first; shift < first + span; shift += bits) {
        sort_by_digit(*keys, *spare, count, shift, bits);
        uint64_t *sorted = *spare;
        *spare = *keys;
        *keys = sorted;
    }
}

void wi_sort_u64(uint64_t *keys, uint64_t *spare, size_t count)
{
    WI_ASSERT(count <= SMALL_COUNT || (keys != spare && spare != NULL));
    if (count <= SMALL_COUNT) {
        insertion_sort(keys, count);
        return;
    }
    uint64_t varying = varying_bits(keys, count);
    uint64_t *from = keys, *to = spare;
    sort_by_half(&from, &to, count, varying & UINT32_MAX);
    sort_by_half(&from, &to, count, varying & ~(uint64_t)UINT32_MAX);
    if (from != keys) memcpy(keys, from, count * sizeof *keys);
    WI_ASSERT_SLOW(wi_is_sorted_u64(keys, count));
}
