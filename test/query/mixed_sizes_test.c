/* Coordinates from 1e-30 to 1e30 in one pair of triangles: what touches in a step, and what is
 * near, must not depend on the method, and where rationals know, they decide. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/rational_distance.h"
#include "support/rational_toi.h"
#include "support/test.h"

enum { MOST_TRIS = 2, MOST_VERTICES = 3 * MOST_TRIS };

/* Two bodies of triangles with corners of their own, and where these go. */
typedef struct setting {
    float at[2][MOST_VERTICES][3], to[2][MOST_VERTICES][3];
    uint32_t tris;
    bool is_moving;
    double reach; /* of impacts */
    double limit; /* of near pairs */
} setting;

typedef struct answers {
    uint64_t impacts, near[2];
    size_t impact_count, near_count[2];
} answers;

static void open_setting(const setting *s, willow_method method, willow_world **world,
                         willow_scratch **scratch)
{
    static const uint32_t corners[MOST_VERTICES] = {0, 1, 2, 3, 4, 5};
    *world = fixture_world(NULL);
    *scratch = fixture_scratch(*world);
    for (int b = 0; b < 2; b++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(s->at[b], 3 * s->tris, corners, s->tris);
        def.tree.method = method;
        def.tree.leaf_triangles = 1;
        const willow_body_id id = fixture_body(*world, &def);
        if (s->is_moving)
            assert_ok(willow_body_set_target(*world, id, 0, 3 * s->tris, s->to[b], 0));
    }
    assert_ok(willow_world_update(*world, 0.0, NULL));
}

static answers ask(const setting *s, willow_method method)
{
    willow_world *world;
    willow_scratch *scratch;
    willow_impacts impacts;
    willow_query_options options = willow_query_options_default();
    answers found;
    open_setting(s, method, &world, &scratch);
    options.touch_distance = s->reach;
    options.tolerance = 1e-4;
    assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
    found.impacts = hash_impacts(&impacts);
    found.impact_count = impacts.count;
    options.near_distance = s->limit;
    for (int features = 0; features < 2; features++) {
        willow_near near;
        options.features = features == 1;
        assert_ok(willow_find_near(world, scratch, &options, &near));
        found.near[features] = hash_near(&near);
        found.near_count[features] = near.count;
    }
    fixture_close(world, scratch);
    return found;
}

/* With all methods; returns what BRUTE says. */
static answers ask_all(const setting *s, const char *name, unsigned number)
{
    const answers right = ask(s, WILLOW_METHOD_BRUTE);
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        const answers found = ask(s, method);
        if (found.impacts != right.impacts)
            fail_msg("%s %u: %zu impacts with %s, %zu with brute", name, number, found.impact_count,
                     willow_method_name(method), right.impact_count);
        for (int i = 0; i < 2; i++)
            if (found.near[i] != right.near[i])
                fail_msg("%s %u: %zu near with %s, %zu with brute", name, number,
                         found.near_count[i], willow_method_name(method), right.near_count[i]);
    }
    return right;
}

/* ---- kept cases ---- */

/* One edge of each triangle passes one of the other within 3e-6, where that is 4e28 long. Double
 * alone calls that an impact. */
static void a_miss_beside_a_huge_edge_is_no_impact(void **state)
{
    (void)state;
    static const float at[2][3][3] = {{{0x1.ad5d8ep-20F, -0x1.521deep-19F, 0x1.6dae2ap-24F},
                                       {0x1.dcba2ap+51F, 0x1.a3099p+54F, -0x1.24399ep+53F},
                                       {0x1.291528p+95F, 0x1.67f3acp+94F, -0x1.92ab72p+94F}},
                                      {{-0x1.9e4cp+85F, 0x1.53a574p+85F, -0x1.69854ap+84F},
                                       {-0x1.27c1ccp-74F, -0x1.1b04c6p-75F, -0x1.b19a46p-75F},
                                       {0x1.5547ap-19F, 0x1.950e9ap-20F, -0x1.a4964p-18F}}};
    static const float to[2][3][3] = {{{0x1.c0b9cp-19F, -0x1.521deep-19F, -0x1.ab545ap-19F},
                                       {-0x1.a226bep+54F, 0x1.a3099p+54F, -0x1.2ab8a8p+53F},
                                       {0x1.291528p+95F, 0x1.67f3acp+94F, -0x1.92ab72p+94F}},
                                      {{-0x1.10de64p+85F, -0x1.b36e9ap+83F, 0x1.2559e8p+85F},
                                       {0x1.dfded2p-75F, -0x1.1b04c6p-75F, -0x1.4b81fep-74F},
                                       {0x1.5547ap-19F, 0x1.4373d8p-18F, -0x1.d96a74p-19F}}};
    static const int edges[2][2] = {{0, 2}, {1, 2}};
    setting s = {.tris = 1, .is_moving = true};
    double start[4][3], end[4][3], time;
    rational_motion motion;
    mpq_t nothing;
    for (int b = 0; b < 2; b++) {
        memcpy(s.at[b], at[b], sizeof at[b]);
        memcpy(s.to[b], to[b], sizeof to[b]);
        for (int i = 0; i < 6; i++) {
            start[2 * b + i / 3][i % 3] = (double)at[b][edges[b][i / 3]][i % 3];
            end[2 * b + i / 3][i % 3] = (double)to[b][edges[b][i / 3]][i % 3];
        }
    }
    mpq_init(nothing);
    rational_motion_init(&motion, true, (const double(*)[3])start, (const double(*)[3])end);
    assert_int_equal(rational_look(&motion, 0.0, 1.0, true, nothing), RATIONAL_APART);
    assert_int_equal(willow_edge_edge_toi((const double(*)[3])start, (const double(*)[3])end, 0.0,
                                          1e-4, 10000, &time),
                     WILLOW_TOI_IMPACT); /* C4: the safe way to be wrong */
    rational_motion_clear(&motion);
    mpq_clear(nothing);
    assert_int_equal(ask_all(&s, "a miss", 0).impact_count, 7);
}

/* A tiny triangle and a huge one: a direction of denormals is longer than its rounded length. */
static void a_tiny_triangle_is_as_near_as_it_is(void **state)
{
    (void)state;
    static const float tiny[3][3] = {{-0x1.1898d4p-74F, -0x1.a39958p-76F, -0x1.c4d808p-74F},
                                     {-0x1.10c2cp-75F, -0x1.696aecp-78F, 0x1.7ca81p-74F},
                                     {-0x1.7722d8p-74F, 0x1.5e8a1cp-76F, 0x1.c6e30cp-76F}};
    static const float other[3][3] = {{0x1.e1692cp-79F, -0x1.dc32d8p-74F, 0x1.b33b06p-76F},
                                      {0x1.03964ap-74F, 0x1.245c5p-77F, -0x1.cf11b2p-74F},
                                      {-0x1.89ebd2p-74F, 0x1.7cd5aap-75F, 0x1.c2e20cp-76F}};
    static const float huge[3][3] = {{-0x1.a9633ep+74F, -0x1.dc32d8p-74F, 0x1.b33b06p-76F},
                                     {-0x1.75b256p+74F, -0x1.c14542p+71F, -0x1.cf11b2p-74F},
                                     {-0x1.89ebd2p-74F, -0x1.715622p+74F, -0x1.5bf124p+66F}};
    setting s = {.tris = 2, .limit = 0x1.1b1326c47069ap+74};
    memcpy(s.at[0][0], tiny, sizeof tiny);
    memcpy(s.at[0][3], other, sizeof other);
    memcpy(s.at[1][0], huge, sizeof huge);
    memcpy(s.at[1][3], huge, sizeof huge);
    const rational_distance exact = rational_tri_tri(tiny, huge, s.limit);
    assert_true(exact.exact < 0.99 * s.limit);
    assert_int_equal(ask_all(&s, "a tiny triangle", 0).near_count[0], 4);
}

/* Further apart than the distance asked for by less than double can say: near, by its definition,
 * and an impact within roundings. Boxes are exact there. */
static void a_distance_that_double_cannot_tell_from_the_limit_is_near(void **state)
{
    (void)state;
    static const float low[3][3] = {{0, 0, -1e-20F}, {1, 0, -1e-20F}, {0, 1, -1e-20F}};
    static const float high[3][3] = {{0, 0, 0.125F}, {1, 0, 0.125F}, {0, 1, 0.125F}};
    setting s = {.tris = 1, .is_moving = true, .reach = 0.125, .limit = 0.125};
    memcpy(s.at[0][0], low, sizeof low);
    memcpy(s.at[1][0], high, sizeof high);
    memcpy(s.to, s.at, sizeof s.to); /* a step, if of no length */
    const answers found = ask_all(&s, "a limit", 0);
    assert_int_equal(found.near_count[0], 1);
    assert_true(found.near_count[1] > 0 && found.impact_count > 0);
}

/* ---- a search ---- */

static double any_size(uint64_t *random) { return pow(10.0, test_random_between(random, -30, 30)); }

static void choose_setting(uint64_t *random, setting *s)
{
    const uint64_t kind =
        test_random(random) % 4; /* one size for a body, a vertex, an axis, each */
    double axes[3], bodies[2] = {any_size(random), any_size(random)};
    *s = (setting){.tris = 1 + (uint32_t)(test_random(random) % 2),
                   .is_moving = test_random(random) % 4 != 0};
    for (int k = 0; k < 3; k++) axes[k] = any_size(random);
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < MOST_VERTICES; i++) {
            const double own = any_size(random);
            for (int k = 0; k < 3; k++) {
                const double size = kind == 0   ? bodies[b]
                                    : kind == 1 ? own
                                    : kind == 2 ? axes[k]
                                                : any_size(random);
                s->at[b][i][k] = (float)(size * test_random_between(random, -1, 1));
                s->to[b][i][k] = (float)(size * test_random_between(random, -1, 1));
                if (test_random(random) % 4 == 0) s->to[b][i][k] = s->at[b][i][k];
                if (b == 1 && test_random(random) % 4 == 0) s->at[b][i][k] = s->at[0][i][k];
            }
        }
    if (test_random(random) % 2 == 0) s->reach = any_size(random);
}

/* One that occurs, to the bit. */
static double choose_limit(const setting *s, uint64_t *random)
{
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id ids[2];
    willow_closest_pair closest;
    willow_near near;
    willow_query_options options = willow_query_options_default();
    open_setting(s, WILLOW_METHOD_BRUTE, &world, &scratch);
    assert_int_equal(willow_world_copy_bodies(world, ids, 2), 2);
    const willow_body_set a = {ids, 1}, b = {ids + 1, 1};
    assert_ok(willow_distance(world, scratch, &a, &b, &options, &closest));
    double limit = closest.distance;
    options.near_distance = 4.0 * limit;
    options.features = true;
    assert_ok(willow_find_near(world, scratch, &options, &near));
    if (near.count > 0) limit = near.items[test_random(random) % near.count].distance;
    fixture_close(world, scratch);
    return limit;
}

static void no_answer_depends_on_the_method(void **state)
{
    (void)state;
    uint64_t random = 22;
    size_t impacts = 0, near = 0;
    const unsigned cases = (unsigned)test_seeds(400);
    for (unsigned i = 0; i < cases; i++) {
        setting s;
        choose_setting(&random, &s);
        s.limit = choose_limit(&s, &random);
        const answers found = ask_all(&s, "case", i);
        impacts += found.impact_count;
        near += found.near_count[0] + found.near_count[1];
    }
    print_message("%u cases, %zu impacts, %zu near\n", cases, impacts, near);
    assert_true(impacts > 0 && near > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_miss_beside_a_huge_edge_is_no_impact),
    cmocka_unit_test(a_tiny_triangle_is_as_near_as_it_is),
    cmocka_unit_test(a_distance_that_double_cannot_tell_from_the_limit_is_near),
    cmocka_unit_test(no_answer_depends_on_the_method),
};

TEST_GROUP(mixed_sizes, tests);
