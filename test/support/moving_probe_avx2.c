/* moving_probe_avx2.c - what moves as AVX2 does it. How AVX2 is turned on: see wide_probe_avx2.c.
 */
#include "support/moving_probe.h"

#if WIDE_PROBE_HAS_AVX2

#    if defined(__clang__)
#        include <immintrin.h>
#        include <stdatomic.h>
#        include <string.h>
#        pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#    else
#        pragma GCC target("avx2")
#    endif

#    define WI_KERNEL_AVX2
#    define MOVING_PROBE_FUNCTION moving_probe_avx2
#    define LENGTH_PROBE_FUNCTION length_probe_avx2
#    include "support/moving_probe.inc"

#    if defined(__clang__)
#        pragma clang attribute pop
#    endif

#endif
