/* kernel.c - which kernels this build has and this machine runs.
 * Way in: wi_kernel_choose, once per world; the world then keeps the tables of that kernel (C8).
 * The build defines WILLOW_HAS_AVX2 when it compiled the AVX2 set. */
#include "base/kernel.h"

#include "base/names.h"

static const char *const names[WILLOW_KERNEL_COUNT] = {
#define KERNEL_NAME(name, words, what) [WILLOW_KERNEL_##name] = words,
    WILLOW_KERNELS(KERNEL_NAME)
#undef KERNEL_NAME
};

static bool has_avx2(void)
{
#if defined(WILLOW_HAS_AVX2)
    return __builtin_cpu_supports("avx2") != 0;
#else
    return false;
#endif
}

willow_kernel wi_kernel_choose(willow_kernel wanted)
{
    switch (wanted) {
    case WILLOW_KERNEL_AUTO: return has_avx2() ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_SCALAR;
    case WILLOW_KERNEL_SCALAR: return WILLOW_KERNEL_SCALAR;
    case WILLOW_KERNEL_AVX2: return has_avx2() ? WILLOW_KERNEL_AVX2 : WILLOW_KERNEL_AUTO;
    case WILLOW_KERNEL_COUNT: break;
    }
    return WILLOW_KERNEL_AUTO;
}

const char *willow_kernel_name(willow_kernel kernel)
{
    return (unsigned)kernel < WILLOW_KERNEL_COUNT ? names[kernel] : NULL;
}

bool willow_kernel_from_name(const char *name, willow_kernel *out)
{
    int found = wi_name_find(names, WILLOW_KERNEL_COUNT, name);
    if (found >= 0) *out = (willow_kernel)found;
    return found >= 0;
}
