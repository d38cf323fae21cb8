/* The first impact of a step is the first of all impacts with the least time, or one of those at
 * its start, whatever the trees: also where the tolerance is so coarse that times are far before
 * the boxes of trees meet. */
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { BODIES = 3, TRIS = 40, VERTICES = 3 * TRIS };

/* Small triangles here and there, of which every corner goes its own way. */
typedef struct swarm {
    float start[VERTICES][3], end[VERTICES][3];
} swarm;

static float random_between(uint64_t *random, double low, double high)
{
    return (float)test_random_between(random, low, high);
}

static void scatter(swarm *s, uint64_t *random)
{
    float middle[3] = {0};
    for (int i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++) {
            if (i % 3 == 0) middle[axis] = random_between(random, -1.0, 1.0);
            s->start[i][axis] = middle[axis] + random_between(random, -0.1, 0.1);
            s->end[i][axis] = s->start[i][axis] + random_between(random, -0.2, 0.2);
        }
}

static willow_world *make_world(const swarm *swarms, willow_method method, uint32_t arity)
{
    uint32_t tris[VERTICES];
    willow_world_def world_def = willow_world_def_default();
    world_def.thread_count = 1;
    willow_world *world = fixture_world(&world_def);
    for (uint32_t i = 0; i < VERTICES; i++) tris[i] = i;
    for (int i = 0; i < BODIES; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh.positions = swarms[i].start;
        def.mesh.vertex_count = VERTICES;
        def.mesh.indices = tris;
        def.mesh.triangle_count = TRIS;
        def.tree.method = method;
        def.tree.arity = arity;
        def.tree.leaf_triangles = 2;
        willow_body_id body = fixture_body(world, &def);
        assert_ok(willow_body_set_target(world, body, 0, VERTICES, swarms[i].end, 0));
    }
    assert_ok(willow_world_update(world, 0, NULL));
    return world;
}

/* True if the first impact is not at the start. */
static bool check_world(const willow_world *world, double tolerance)
{
    willow_query_options options = willow_query_options_default();
    willow_first_impact first;
    willow_impacts impacts;
    options.tolerance = tolerance;
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_time_of_impact(world, scratch, &options, &first));
    assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
    const char *words = impacts_differ_first(&impacts, &first);
    if (words) fail_msg("the first impact: %s", words);
    willow_scratch_destroy(scratch);
    return first.found && first.impact.time > 0.0;
}

static void the_first_impact_has_the_least_time_of_all(void **state)
{
    static const double tolerances[] = {1.0, 0.5, 0.1, 1e-3};
    static const uint32_t arities[] = {2, 4, 8};
    (void)state;
    int later = 0;
    for (uint64_t seed = 180; seed < 260; seed++) { /* of 185, 202, 229, 256 it once had not */
        uint64_t random = seed;
        swarm swarms[BODIES];
        for (int i = 0; i < BODIES; i++) scatter(&swarms[i], &random);
        for (int i = 0; i < 3; i++) {
            willow_world *world = make_world(swarms, WILLOW_METHOD_BOTTOM_UP, arities[i]);
            for (int k = 0; k < 4; k++) later += check_world(world, tolerances[k]);
            willow_world_destroy(world);
        }
    }
    assert_true(later > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_first_impact_has_the_least_time_of_all),
};

TEST_GROUP(first_impact, tests);
