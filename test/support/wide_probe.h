/* wide_probe.h - every operation of base/wide.h and base/wide_bits.h on given lanes, with AVX2 and
 * with the scalar twin.
 *
 * wide_probe.inc is compiled into both; where the build has no AVX2, the first ones are missing and
 * WIDE_PROBE_HAS_AVX2 is 0. */
#ifndef WI_TEST_WIDE_PROBE_H
#define WI_TEST_WIDE_PROBE_H

#include <stdalign.h>
#include <stdint.h>

#if defined(__x86_64__)
#    define WIDE_PROBE_HAS_AVX2 1
#else
#    define WIDE_PROBE_HAS_AVX2 0
#endif

enum { WIDE_PROBE_LANES = 8 };

/* Operations whose result is a wide; those up to div are the ones that make new NaNs. */
#define WIDE_PROBE_VALUES(X)                                                                       \
    X(add)                                                                                         \
    X(sub)                                                                                         \
    X(mul) X(sqrt) X(div) X(min) X(max) X(abs) X(negate) X(load) X(all) X(x) X(y) X(z) X(select)
#define WIDE_PROBE_MASKS(X) X(less) X(less_equal) X(mask_and) X(mask_or)

enum {
#define WIDE_PROBE_ENTRY(name) WIDE_PROBE_##name,
    WIDE_PROBE_VALUES(WIDE_PROBE_ENTRY) WIDE_PROBE_VALUE_COUNT
};
enum { WIDE_PROBE_MASKS(WIDE_PROBE_ENTRY) WIDE_PROBE_MASK_COUNT };
#undef WIDE_PROBE_ENTRY

typedef struct wide_probe {
    float values[WIDE_PROBE_VALUE_COUNT][WIDE_PROBE_LANES];
    unsigned masks[WIDE_PROBE_MASK_COUNT];
    float least, greatest; /* of the first operand */
} wide_probe;

typedef struct wide_input {
    float a[WIDE_PROBE_LANES], b[WIDE_PROBE_LANES];
    alignas(16) float vertices[WIDE_PROBE_LANES][4];
} wide_input;

wide_probe wide_probe_scalar(const wide_input *in);
wide_probe wide_probe_avx2(const wide_input *in);

/* The same for base/wide_bits.h. */
enum { WIDE_PROBE_KEYS = 64 };

typedef struct wide_bits_input {
    int32_t a[WIDE_PROBE_LANES], b[WIDE_PROBE_LANES];
    float values[WIDE_PROBE_LANES];
    uint8_t lanes[WIDE_PROBE_LANES];
    int16_t keys[WIDE_PROBE_KEYS];
    uint32_t key_count;
} wide_bits_input;

typedef struct wide_bits_probe {
    int32_t load[WIDE_PROBE_LANES], all[WIDE_PROBE_LANES], truncate[WIDE_PROBE_LANES];
    int32_t permute[WIDE_PROBE_LANES];
    unsigned more;
    int16_t ranks[WIDE_PROBE_KEYS]; /* of the keys that are there; else 0 */
} wide_bits_probe;

wide_bits_probe wide_bits_probe_scalar(const wide_bits_input *in);
wide_bits_probe wide_bits_probe_avx2(const wide_bits_input *in);

#endif
