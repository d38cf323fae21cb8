/* choices.h - what a script does next: from a seed, or from the bytes that a fuzzer gives. */
#ifndef TEST_CHOICES_H
#define TEST_CHOICES_H

#include "support/test.h"

typedef struct choices {
    const uint8_t *bytes; /* NULL: from the seed */
    size_t left;
    uint64_t seed;
} choices;

static inline choices choices_of_seed(uint64_t seed) { return (choices){.seed = seed}; }

static inline choices choices_of_bytes(const uint8_t *bytes, size_t count)
{
    static const uint8_t nothing[1];
    return (choices){.bytes = count > 0 ? bytes : nothing, .left = count};
}

/* No bytes are left: all later choices are 0. */
static inline bool choices_are_over(const choices *c) { return c->bytes && c->left == 0; }

static inline uint32_t choose_byte(choices *c)
{
    if (c->left == 0) return 0;
    c->left--;
    return *c->bytes++;
}

/* One of [0, bound). As few bytes as that takes. */
static inline uint32_t choose(choices *c, uint32_t bound)
{
    uint32_t value = 0;
    if (c->bytes == NULL) return (uint32_t)(test_random(&c->seed) % bound);
    for (uint32_t most = bound - 1; most > 0; most >>= 8) value = value << 8 | choose_byte(c);
    return value % bound;
}

/* True in one of so many cases. */
static inline bool choose_one_in(choices *c, uint32_t cases)
{
    return choose(c, cases) == cases - 1;
}

/* From [-1, 1): an eighth, so that many things meet at once, or anything. */
static inline double choose_number(choices *c, bool is_coarse)
{
    return is_coarse ? (double)choose(c, 16) / 8.0 - 1.0
                     : (double)choose(c, 1U << 24) * 0x1p-23 - 1.0;
}

#endif
