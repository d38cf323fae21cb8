/* kernel.h - code that is compiled once per instruction set.
 *
 * A file named *_kernel.c is compiled for the baseline and, on x86-64, again with AVX2 and
 * WI_KERNEL_AVX2 defined. Its external functions are named through WI_KERNEL, so both sets live
 * in one library, and each room offers them as one table per kernel. */
#ifndef WI_BASE_KERNEL_H
#define WI_BASE_KERNEL_H

#include "willow/base.h"

#if defined(WI_KERNEL_AVX2)
#    define WI_KERNEL(name) wi_##name##_avx2
#else
#    define WI_KERNEL(name) wi_##name##_scalar
#endif

/* The table of `kernel` (as wi_kernel_choose returned it) of those that WI_KERNEL(name) defines:
 *     extern const wi_x_kernels wi_x_kernels_scalar, wi_x_kernels_avx2;
 *     return WI_KERNELS_FOR(kernel, x_kernels); */
#if defined(WILLOW_HAS_AVX2)
#    define WI_KERNELS_FOR(kernel, name)                                                           \
        ((kernel) == WILLOW_KERNEL_AVX2 ? &wi_##name##_avx2 : &wi_##name##_scalar)
#else
#    define WI_KERNELS_FOR(kernel, name) ((void)(kernel), &wi_##name##_scalar)
#endif

/* The kernel that `wanted` stands for here: the best one for AUTO; AUTO where this build or
 * machine does not have the one wanted. */
willow_kernel wi_kernel_choose(willow_kernel wanted);

#endif
