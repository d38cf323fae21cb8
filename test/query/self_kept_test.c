/* Pairs within bodies that were once lost, or that once went wrong on the way: cases that reviews
 * and random meshes found, kept. */
#include <stdlib.h>
#include <string.h>
#include "base/trig.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

static const willow_kernel kernels[] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AUTO};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

typedef struct surface {
    const float (*positions)[3];
    const uint32_t (*tris)[3];
    uint32_t vertex_count, tri_count;
} surface;

/* The pairs of a surface with itself, as hash and number. */
typedef struct answer {
    uint64_t hash;
    size_t count;
} answer;

static answer ask(const surface *s, willow_method method, willow_kernel kernel)
{
    willow_world_def world_def = willow_world_def_default();
    willow_body_def def = willow_body_def_default();
    willow_pairs pairs;
    world_def.kernel = kernel;
    def.mesh.positions = s->positions[0];
    def.mesh.vertex_count = s->vertex_count;
    def.mesh.indices = s->tris[0];
    def.mesh.index_type = WILLOW_INDEX_U32;
    def.mesh.triangle_count = s->tri_count;
    def.self = true;
    def.tree.method = method;
    willow_world *world = fixture_world(&world_def);
    (void)fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0.0, NULL));
    assert_true(willow_world_validate(world, NULL, 0));
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_find_self_pairs(world, scratch, NULL, &pairs));
    const answer found = {willow_pairs_hash(&pairs), pairs.count};
    fixture_close(world, scratch);
    return found;
}

static size_t check(const surface *s)
{
    const answer brute = ask(s, WILLOW_METHOD_BRUTE, WILLOW_KERNEL_SCALAR);
    for (int i = 0; i < KERNELS; i++) {
        const answer tree = ask(s, WILLOW_METHOD_BOTTOM_UP, kernels[i]);
        assert_int_equal(tree.count, brute.count);
        assert_true(tree.hash == brute.hash);
    }
    return brute.count;
}

/* Sums of three products went to infinity before the bound of their error did, and a star that
 * folds was taken for one that turns once. */
static void large_stars_do_not_overflow_into_certainty(void **state)
{
    static const float positions[][3] = {
        {0.0F, 0.0F, 0.0F},
        {-0x1.346c6ap+31F, -0x1.c94c1cp+30F, -0x1.10e68ap+30F},
        {0x1.86fc46p+31F, 0x1.764f4ap+29F, -0x1.3a0bc4p+29F},
        {0x1.4615e2p+30F, 0x1.d17a3cp+31F, -0x1.3721e6p+29F},
        {-0x1.bcb4bp+31F, -0x1.515f84p+29F, -0x1.002056p+32F},
        {-0x1.d78c84p+31F, 0x1.dba14p+29F, 0x1.989972p+31F},
        {-0x1.01dbc4p+32F, 0x1.614ff2p+31F, -0x1.4396aap+31F},
    };
    static const uint32_t tris[][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4},
                                       {0, 4, 5}, {0, 5, 6}, {0, 6, 1}};
    (void)state;
    assert_true(check(&(surface){positions, tris, 7, 6}) > 0);
}

/* The lid of a cylinder: all its triangles meet at one vertex, and around a leaf there are more
 * ends of edges than edges while the rim is being listed. */
static void a_vertex_may_have_hundreds_of_triangles(void **state)
{
    enum { MOST = 1200, RINGS = 3 };
    static float positions[1 + RINGS * MOST][3];
    static uint32_t tris[(2 * RINGS - 1) * MOST][3];
    (void)state;
    for (uint32_t sides = 300; sides <= MOST; sides *= 2) {
        uint32_t count = 0;
        for (uint32_t ring = 0; ring < RINGS; ring++)
            for (uint32_t i = 0; i < sides; i++) {
                const double angle = 6.283185307179586 * i / sides;
                float *p = positions[1 + ring * sides + i];
                p[0] = (float)((1.0 + ring) * wi_cos(angle));
                p[1] = (float)((1.0 + ring) * wi_sin(angle));
                p[2] = 0.25F * (float)ring;
                const uint32_t at = 1 + ring * sides + i, next = 1 + ring * sides + (i + 1) % sides;
                const uint32_t below = at - sides, next_below = next - sides;
                const uint32_t corners[2][3] = {{ring == 0 ? 0 : next_below, at, next},
                                                {below, at, next_below}};
                for (int k = 0; k < (ring == 0 ? 1 : 2); k++)
                    memcpy(tris[count++], corners[k], sizeof corners[k]);
            }
        (void)check(&(surface){(const float(*)[3])positions, (const uint32_t(*)[3])tris,
                               1 + RINGS * sides, count});
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(large_stars_do_not_overflow_into_certainty),
    cmocka_unit_test(a_vertex_may_have_hundreds_of_triangles),
};

TEST_GROUP(self_kept, tests);
