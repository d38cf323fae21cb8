/* A cloth with a layer around it: what is near itself, by features and by triangles, and what
 * touches in a step, is what BRUTE finds, at and away from the origin; and where nothing is near,
 * nothing is looked at two by two. Squares have sides of 1. */
#include <math.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

typedef struct cloth {
    uint32_t squares, vertex_count, tri_count;
    float (*at[2])[3]; /* at both ends of a step */
    uint32_t (*tris)[3];
} cloth;

static void open_cloth(cloth *c, uint32_t squares)
{
    const uint32_t row = squares + 1;
    *c = (cloth){squares, row * row, 2 * squares * squares, {NULL, NULL}, NULL};
    for (int end = 0; end < 2; end++) c->at[end] = calloc(c->vertex_count, sizeof *c->at[end]);
    c->tris = calloc(c->tri_count, sizeof *c->tris);
    for (uint32_t i = 0; i < squares * squares; i++) {
        const uint32_t a = i / squares * row + i % squares;
        const uint32_t two[2][3] = {{a, a + 1, a + row + 1}, {a, a + row + 1, a + row}};
        memcpy(c->tris[(size_t)2 * i], two, sizeof two);
    }
}

static void close_cloth(cloth *c)
{
    free(c->at[0]);
    free(c->at[1]);
    free(c->tris);
}

/* Where a point of the plane goes, at the start and at the end of the step. */
typedef void drape(double x, double y, int end, double out[3]);

static void drape_in_waves(double x, double y, int end, double out[3])
{
    out[0] = x, out[1] = y;
    out[2] = 3 * sin(0.11 * x + 0.05 * y + 0.1 * end) + 1.5 * sin(0.17 * y - 0.04 * x - 0.1 * end);
}

/* Folded once: the upper half is above the lower, the nearer the fold the closer, and its border
 * comes down in the step. */
static void drape_in_folds(double x, double y, int end, double out[3])
{
    const double fold = 15, from = x > fold ? x - fold : 0.0;
    out[0] = x > fold ? fold - from : x;
    out[1] = y + 0.1 * sin(x);
    out[2] = 0.1 * sin(0.5 * y + 0.3 * x) + (0.3 - 0.35 * end) * from;
    if (x > fold) out[2] += 0.4 * (1 - end);
}

/* Shifted away and rounded there; and shifted back again if that is wanted. */
static void lay(cloth *c, drape *shape, double away, bool is_back)
{
    const uint32_t row = c->squares + 1;
    for (uint32_t i = 0; i < c->vertex_count; i++)
        for (int end = 0; end < 2; end++) {
            double p[3];
            shape(i % row, i / row, end, p);
            for (int axis = 0; axis < 3; axis++) {
                const float far = (float)(p[axis] + away);
                c->at[end][i][axis] = is_back ? (float)((double)far - away) : far;
            }
        }
}

static willow_world *make_world(const cloth *c, willow_method method)
{
    willow_world_def world_def = willow_world_def_default();
    world_def.thread_count = 1;
    willow_world *world = fixture_world(&world_def);
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = c->at[0];
    def.mesh.vertex_count = c->vertex_count;
    def.mesh.indices = c->tris;
    def.mesh.triangle_count = c->tri_count;
    def.self = true;
    def.tree.method = method;
    def.tree.leaf_triangles = 8;
    willow_body_id body = fixture_body(world, &def);
    assert_ok(willow_body_set_target(world, body, 0, c->vertex_count, c->at[1], 0));
    assert_ok(willow_world_update(world, 0, NULL));
    return world;
}

typedef enum question {
    NEAR_FEATURES,
    NEAR_STRANGERS,
    NEAR_TRIANGLES,
    IMPACTS,
    QUESTIONS
} question;

typedef struct answer {
    size_t count;
    uint64_t hash;
    willow_query_stats stats;
} answer;

static answer ask(const willow_world *world, question what, double distance)
{
    answer out = {0};
    willow_near near;
    willow_impacts impacts;
    willow_query_options options = willow_query_options_default();
    options.near_distance = options.touch_distance = distance;
    options.features = what == NEAR_FEATURES;
    options.skip_neighbours = what == NEAR_STRANGERS;
    willow_scratch *scratch = fixture_scratch(world);
    if (what == IMPACTS) {
        assert_ok(willow_find_impacts(world, scratch, &options, &impacts));
        out.count = impacts.count;
        out.hash = hash_impacts(&impacts);
    } else {
        assert_ok(willow_find_near(world, scratch, &options, &near));
        out.count = near.count;
        out.hash = hash_near(&near);
    }
    out.stats = willow_scratch_stats(scratch);
    willow_scratch_destroy(scratch);
    return out;
}

/* Less than a triangle is high, so that nothing is near which has no vertex in common. */
static void a_smooth_cloth_is_not_looked_at_two_by_two(void **state)
{
    (void)state;
    cloth c;
    open_cloth(&c, 50);
    lay(&c, drape_in_waves, 0, false);
    willow_world *world = make_world(&c, WILLOW_METHOD_AUTO);
    for (question what = 0; what < QUESTIONS; what++) {
        if (what == NEAR_TRIANGLES) continue; /* those that share a vertex are near */
        for (int part = 1; part <= 6; part++) {
            const answer found = ask(world, what, 0.1 * part);
            assert_int_equal(found.count, 0);
            assert_int_equal(found.stats.feature_tests, 0);
            assert_int_equal(found.stats.exact_tests, 0);
            assert_int_equal(found.stats.stars_left, 0);
            assert_true(found.stats.triangle_tests < c.tri_count / 2);
        }
    }
    willow_world_destroy(world);
    close_cloth(&c);
}

/* Trees may differ, since the boxes that they are built by are rounded. */
static void expect_no_more(uint64_t found, uint64_t wanted)
{
    assert_true(found <= wanted + wanted / 8);
}

/* Sixteenths are all that there is a million from the origin. */
static void far_away_no_more_is_looked_at_than_at_the_origin(void **state)
{
    (void)state;
    static drape *const drapes[] = {drape_in_waves, drape_in_folds};
    cloth c;
    open_cloth(&c, 24);
    for (size_t i = 0; i < sizeof drapes / sizeof drapes[0]; i++) {
        willow_world *worlds[2];
        for (int is_back = 0; is_back < 2; is_back++) {
            lay(&c, drapes[i], 1e6, is_back);
            worlds[is_back] = make_world(&c, WILLOW_METHOD_AUTO);
        }
        for (question what = 0; what < QUESTIONS; what++)
            for (int part = 1; part <= 3; part++) {
                const answer far = ask(worlds[0], what, 0.3 * part);
                const answer back = ask(worlds[1], what, 0.3 * part);
                assert_int_equal(far.count, back.count);
                assert_true(far.count > 0 || part < 3);
                expect_no_more(far.stats.triangle_tests, back.stats.triangle_tests);
                expect_no_more(far.stats.feature_tests, back.stats.feature_tests);
                expect_no_more(far.stats.exact_tests, back.stats.exact_tests);
            }
        willow_world_destroy(worlds[0]);
        willow_world_destroy(worlds[1]);
    }
    close_cloth(&c);
}

static void layers_are_near_as_brute_finds_them(void **state)
{
    (void)state;
    static const double distances[] = {0, 0.2, 0.45, 0.75};
    static const willow_method methods[] = {WILLOW_METHOD_AUTO, WILLOW_METHOD_BOTTOM_UP,
                                            WILLOW_METHOD_TOP_DOWN};
    cloth c;
    size_t found[QUESTIONS] = {0}, culled = 0, cleared = 0;
    open_cloth(&c, 30);
    for (int place = 0; place < 3; place++) {
        lay(&c, drape_in_folds, place == 0 ? 0 : 1e6, place == 2);
        willow_world *brute = make_world(&c, WILLOW_METHOD_BRUTE);
        willow_world *world = make_world(&c, methods[place]);
        for (question what = 0; what < QUESTIONS; what++)
            for (size_t i = 0; i < sizeof distances / sizeof distances[0]; i++) {
                const answer right = ask(brute, what, distances[i]);
                const answer tried = ask(world, what, distances[i]);
                assert_int_equal(tried.count, right.count);
                assert_true(tried.hash == right.hash);
                found[what] += right.count;
                culled += distances[i] > 0 ? tried.stats.leaf_pairs_culled : 0;
                cleared += distances[i] > 0 ? tried.stats.stars - tried.stats.stars_left : 0;
            }
        willow_world_destroy(brute);
        willow_world_destroy(world);
    }
    close_cloth(&c);
    print_message("%zu features, %zu strangers, %zu triangles, %zu impacts; %zu pairs of leaves "
                  "and %zu stars were passed over\n",
                  found[NEAR_FEATURES], found[NEAR_STRANGERS], found[NEAR_TRIANGLES],
                  found[IMPACTS], culled, cleared);
    for (question what = 0; what < QUESTIONS; what++) assert_true(found[what] > 1000);
    assert_true(culled > 100 && cleared > 1000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_smooth_cloth_is_not_looked_at_two_by_two),
    cmocka_unit_test(far_away_no_more_is_looked_at_than_at_the_origin),
    cmocka_unit_test(layers_are_near_as_brute_finds_them),
};

TEST_GROUP(cloth_contacts, tests);
