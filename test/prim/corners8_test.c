/* Corners in the same place are found in the lanes that have them, by all kernels alike. */
#include <math.h>
#include "base/kernel.h"
#include "prim/meet/corners8.h"
#include "support/test.h"

extern wi_corners8 wi_corners8_scalar, wi_corners8_avx2;

typedef struct eight {
    wi_tri8 a, b;
} eight;

/* Coordinates are few, so that some corners agree in one or two of them. */
static void fill(eight *e, uint64_t *seed)
{
    static const float values[] = {-1.0F, -0.0F, 0.0F, 1.0F, 0x1p-149F, 1.00000012F, 3e38F};
    for (int i = 0; i < 3; i++)
        for (int lane = 0; lane < WI_LANES; lane++) {
            for (int axis = 0; axis < 3; axis++) {
                e->a.corner[i][lane][axis] = values[test_random(seed) % 7];
                e->b.corner[i][lane][axis] = values[test_random(seed) % 7];
            }
            e->a.corner[i][lane][3] = e->b.corner[i][lane][3] = NAN; /* of no meaning */
        }
}

static unsigned expected(const eight *e)
{
    unsigned lanes = 0;
    for (unsigned lane = 0; lane < WI_LANES; lane++)
        for (int i = 0; i < 9; i++) {
            const float *p = e->a.corner[i / 3][lane], *q = e->b.corner[i % 3][lane];
            if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2]) lanes |= 1U << lane;
        }
    return lanes;
}

static void corners_in_the_same_place_are_found(void **state)
{
    uint64_t seed = 3;
    unsigned found = 0;
    (void)state;
    for (int round = 0; round < 4000; round++) {
        eight e;
        fill(&e, &seed);
        const unsigned lanes = expected(&e);
        assert_int_equal(wi_corners8_scalar(&e.a, &e.b), lanes);
#if defined(WILLOW_HAS_AVX2)
        if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2)
            assert_int_equal(wi_corners8_avx2(&e.a, &e.b), lanes);
#endif
        found += (unsigned)__builtin_popcount(lanes);
    }
    print_message("%u of %u\n", found, 4000U * WI_LANES);
    assert_in_range(found, 500, 8000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(corners_in_the_same_place_are_found),
};

TEST_GROUP(corners8, tests);
