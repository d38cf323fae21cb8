/* wide_probe_avx2.c - the operations of base/wide.h and base/wide_bits.h as AVX2 does them.
 * The file turns AVX2 on by itself, since test files are all compiled alike. The intrinsics come
 * first: clang's have targets of their own, to which nothing may be added. */
#include "support/wide_probe.h"

#if WIDE_PROBE_HAS_AVX2

#    if defined(__clang__)
#        include <immintrin.h>
#        include <string.h>
#        pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#    else
#        pragma GCC target("avx2")
#    endif

#    define WI_KERNEL_AVX2
#    define WIDE_PROBE_FUNCTION wide_probe_avx2
#    define WIDE_BITS_PROBE_FUNCTION wide_bits_probe_avx2
#    include "support/wide_probe.inc"

#    if defined(__clang__)
#        pragma clang attribute pop
#    endif

#endif
