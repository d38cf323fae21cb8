/* Fans and cones of hundreds of triangles round one vertex: all questions within a body have the
 * answers of BRUTE, and the tests that trees take grow with the triangles, not with their square.
 */
#include <stdlib.h>
#include <string.h>
#include "base/trig.h"
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { MOST = 4200 };

/* At the start and at the end of a step. */
typedef struct surface {
    float at[2][MOST][3];
    uint32_t tris[MOST][3];
    uint32_t vertex_count, tri_count;
    uint64_t random;
} surface;

static double between(surface *s, double low, double high)
{
    return test_random_between(&s->random, low, high);
}

static uint32_t below(surface *s, uint32_t limit)
{
    return (uint32_t)(test_random(&s->random) % limit);
}

static uint32_t add_vertex(surface *s, const double at[3], double move)
{
    assert_true(s->vertex_count < MOST);
    for (int axis = 0; axis < 3; axis++) {
        s->at[0][s->vertex_count][axis] = (float)at[axis];
        s->at[1][s->vertex_count][axis] = (float)(at[axis] + between(s, -move, move));
    }
    return s->vertex_count++;
}

static void add_tri(surface *s, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t tri[3] = {a, b, c}, turn = below(s, 3);
    assert_true(s->tri_count < MOST);
    for (uint32_t i = 0; i < 3; i++) s->tris[s->tri_count][i] = tri[(i + turn) % 3];
    s->tri_count++;
}

/* What a cone is like, and how it moves. */
typedef struct cone {
    uint32_t count;
    double at[3], height;
    double turns;  /* of the rim */
    double noise;  /* of the rim, and */
    double spread; /* how much shorter some radii are */
    double spoke;  /* how much longer one radius is, or 0 */
    double move;   /* in the step */
} cone;

static void add_cone(surface *s, const cone *c)
{
    const double top[3] = {c->at[0], c->at[1], c->at[2] + c->height};
    const uint32_t apex = add_vertex(s, top, c->move);
    for (uint32_t i = 0; i < c->count; i++) {
        const double angle = 6.283185307179586 * c->turns * i / c->count;
        const double radius = i == 0 && c->spoke > 0 ? c->spoke : 1 - between(s, 0, c->spread);
        const double rim[3] = {c->at[0] + radius * wi_cos(angle), c->at[1] + radius * wi_sin(angle),
                               c->at[2] + between(s, -c->noise, c->noise)};
        (void)add_vertex(s, rim, c->move);
    }
    for (uint32_t i = 0; i < c->count; i++)
        add_tri(s, apex, apex + 1 + i, apex + 1 + (i + 1) % c->count);
}

/* ---- kinds ---- */

static void make_flat(surface *s) { add_cone(s, &(cone){.count = 300, .turns = 1}); }

static void make_cone(surface *s)
{
    add_cone(s, &(cone){.count = 400, .height = 1, .turns = 1, .noise = 0.01, .move = 0.05});
}

static void make_twice_round(surface *s)
{
    add_cone(s, &(cone){.count = 120, .height = 0.5, .turns = 2, .noise = 0.2, .move = 0.02});
}

/* In whole coordinates, forth and back, so that many touch or lie on each other. */
static void make_folded(surface *s)
{
    const uint32_t apex = add_vertex(s, (double[3]){0, 0, 0}, 0);
    for (uint32_t i = 0; i < 90; i++) {
        const double p[3] = {(double)below(s, 7) - 3, (double)below(s, 7) - 3,
                             (double)(i % 3 == 0)};
        const uint32_t at = add_vertex(s, p, 0);
        for (int axis = 0; axis < 3; axis++) s->at[1][at][axis] += (float)((int)below(s, 3) - 1);
        if (i > 0) add_tri(s, apex, at - 1, at);
    }
}

/* The apex twice or thrice, other vertices twice, where the apex is, or beyond it on one line. */
static void make_degenerate(surface *s)
{
    const uint32_t apex = add_vertex(s, (double[3]){0.5, 0.25, 0}, 0);
    for (uint32_t i = 0; i < 80; i++) {
        const double p[3] = {(double)below(s, 5) - 2, (double)below(s, 5) - 2, 0};
        const uint32_t at = add_vertex(s, p, i % 4 == 0 ? 0.5 : 0);
        if (i % 9 == 5) memcpy(s->at[0][at], s->at[0][apex], sizeof s->at[0][at]);
        if (i % 18 == 5) memcpy(s->at[1][at], s->at[1][apex], sizeof s->at[1][at]);
        switch (i % 8) {
        case 0: add_tri(s, apex, apex, at); break;
        case 1: add_tri(s, apex, at, at); break;
        case 2:
            add_tri(s, apex, at - 1, at); /* and once more */
        /* fall through */
        default: add_tri(s, apex, i > 0 ? at - 1 : apex, at); break;
        }
    }
    add_tri(s, apex, apex, apex);
    add_tri(s, apex, apex, apex);
}

/* Radii of which some are a million times shorter. */
static void make_uneven(surface *s)
{
    add_cone(s, &(cone){.count = 150,
                        .height = 0.25,
                        .turns = 1,
                        .spread = 0.999999,
                        .noise = 0.3,
                        .move = 0.1});
}

/* Radii of 1 and of half, a quarter and so on of that, down to 2^-44. */
static void make_scales(surface *s)
{
    const uint32_t apex = add_vertex(s, (double[3]){0, 0, 0}, 0);
    for (uint32_t i = 0; i < 160; i++) {
        const double size =
            1.0 / (double)(UINT64_C(1) << (i % 5 == 0 ? below(s, 45) : below(s, 2)));
        const double p[3] = {size * between(s, -1, 1), size * between(s, -1, 1),
                             size * between(s, -0.5, 0.5)};
        const uint32_t at = add_vertex(s, p, 0.2 * size);
        if (i > 0) add_tri(s, apex, at - 1, at);
    }
}

/* Cones that cut each other, on a sheet of pages round an edge. */
static void make_crossing(surface *s)
{
    for (int i = 0; i < 3; i++)
        add_cone(s, &(cone){.count = 150,
                            .at = {0.7 * i, 0.1 * i, 0},
                            .height = 1 - 0.4 * i,
                            .turns = 1,
                            .noise = 0.01,
                            .move = 0.2});
    const uint32_t page = s->vertex_count;
    for (uint32_t i = 0; i < 60; i++) {
        const double p[3] = {between(s, -1, 2), between(s, -1, 1), between(s, -1, 1)};
        (void)add_vertex(s, p, 0.1);
        if (i > 1) add_tri(s, page, page + 1, page + i);
    }
}

/* X(kind, words, whether anything meets or touches) */
#define KINDS(X)                                                                                   \
    X(flat, "an exactly flat fan", false)                                                          \
    X(cone, "a cone", true)                                                                        \
    X(twice_round, "a fan that goes round twice", true)                                            \
    X(folded, "a fan that is folded among whole coordinates", true)                                \
    X(degenerate, "triangles that are segments and points", true)                                  \
    X(uneven, "radii of any length", true)                                                         \
    X(scales, "radii of all sizes", true)                                                          \
    X(crossing, "cones that cut each other, and a book", true)

static const struct {
    void (*make)(surface *s);
    const char *words;
    bool meets;
} kinds[] = {
#define KIND_ENTRY(name, words, meets) {make_##name, words, meets},
    KINDS(KIND_ENTRY)
#undef KIND_ENTRY
};
enum { KINDS_COUNT = sizeof kinds / sizeof kinds[0] };

/* ---- questions ---- */

typedef struct place {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body;
} place;

static place open_place(const surface *s, willow_method method, uint32_t leaf_triangles,
                        willow_kernel kernel)
{
    willow_world_def world_def = willow_world_def_default();
    willow_body_def def = willow_body_def_default();
    world_def.kernel = kernel;
    def.mesh = FIXTURE_MESH(s->at[0], s->vertex_count, s->tris, s->tri_count);
    def.self = true;
    def.tree.method = method;
    def.tree.leaf_triangles = leaf_triangles;
    place p = {.world = fixture_world(&world_def)};
    p.body = fixture_body(p.world, &def);
    p.scratch = fixture_scratch(p.world);
    assert_ok(willow_body_set_target(p.world, p.body, 0, s->vertex_count, s->at[1], 0));
    assert_ok(willow_world_update(p.world, 0.0, NULL));
    assert_true(willow_world_validate(p.world, NULL, 0));
    return p;
}

enum { QUESTIONS = 9 };

typedef struct answers {
    uint64_t hash[QUESTIONS];
    size_t count[QUESTIONS];
} answers;

static answers ask(const place *p)
{
    answers all = {{0}, {0}};
    willow_query_options o = willow_query_options_default();
    willow_pairs pairs;
    willow_impacts impacts;
    willow_first_impact first;
    willow_near near;
    for (int i = 0; i < 2; i++) {
        o.skip_neighbours = i == 1;
        assert_ok(willow_find_self_pairs(p->world, p->scratch, &o, &pairs));
        all.hash[i] = willow_pairs_hash(&pairs);
        all.count[i] = pairs.count;
        o.near_distance = 0.02;
        assert_ok(willow_find_near(p->world, p->scratch, &o, &near));
        all.hash[2 + i] = hash_near(&near);
        all.count[2 + i] = near.count;
        o.near_distance = 0;
    }
    assert_ok(willow_find_impacts(p->world, p->scratch, &o, &impacts));
    all.hash[4] = hash_impacts(&impacts);
    all.count[4] = impacts.count;
    assert_ok(willow_time_of_impact(p->world, p->scratch, &o, &first));
    if (first.found) memcpy(&all.hash[5], &first.impact.time, sizeof all.hash[5]);
    all.count[5] = first.found;
    o.touch_distance = 0.02;
    assert_ok(willow_find_impacts(p->world, p->scratch, &o, &impacts));
    all.hash[6] = hash_impacts(&impacts);
    all.count[6] = impacts.count;
    o.features = true;
    for (int i = 0; i < 2; i++) {
        o.near_distance = i == 0 ? 0.02 : 0;
        assert_ok(willow_find_near(p->world, p->scratch, &o, &near));
        all.hash[7 + i] = hash_near(&near);
        all.count[7 + i] = near.count;
    }
    return all;
}

static void expect_equal(const answers *tree, const answers *brute, const char *words)
{
    static const char *const names[QUESTIONS] = {
        "pairs", "pairs of strangers", "near", "near strangers", "impacts", "first impact"};
    for (int i = 0; i < QUESTIONS; i++)
        if (tree->hash[i] != brute->hash[i] || tree->count[i] != brute->count[i])
            fail_msg("%s, %s: %zu, and BRUTE has %zu", words, names[i], tree->count[i],
                     brute->count[i]);
}

static void check_kind(size_t kind, uint64_t seed, size_t found[QUESTIONS])
{
    static const struct {
        willow_method method;
        uint32_t leaf_triangles;
        willow_kernel kernel;
    } trees[] = {{WILLOW_METHOD_BOTTOM_UP, 1, WILLOW_KERNEL_SCALAR},
                 {WILLOW_METHOD_BOTTOM_UP, 0, WILLOW_KERNEL_AUTO},
                 {WILLOW_METHOD_HYBRID, 4, WILLOW_KERNEL_AUTO}};
    static surface s;
    memset(&s, 0, sizeof s);
    s.random = seed + 1;
    kinds[kind].make(&s);
    place p = open_place(&s, WILLOW_METHOD_BRUTE, 0, WILLOW_KERNEL_SCALAR);
    const answers brute = ask(&p);
    fixture_close(p.world, p.scratch);
    for (size_t i = TEST_HAS_ASAN ? 2 : 0; i < sizeof trees / sizeof trees[0]; i++) {
        p = open_place(&s, trees[i].method, trees[i].leaf_triangles, trees[i].kernel);
        const answers tree = ask(&p);
        expect_equal(&tree, &brute, kinds[kind].words);
        fixture_close(p.world, p.scratch);
    }
    for (int i = 0; i < QUESTIONS; i++) found[i] += brute.count[i];
}

static void all_questions_about_large_fans_have_the_answers_of_brute_force(void **state)
{
    (void)state;
    for (size_t kind = 0; kind < KINDS_COUNT; kind++) {
        size_t found[QUESTIONS] = {0};
        for (uint64_t seed = 0; seed < (test_is_slow() ? 4 : 1); seed++)
            check_kind(kind, seed, found);
        print_message(
            "%s: %zu pairs, %zu of strangers; %zu near, %zu of strangers; %zu impacts, %zu "
            "within a reach; %zu features near, %zu touch\n",
            kinds[kind].words, found[0], found[1], found[2], found[3], found[4], found[6], found[7],
            found[8]);
        assert_int_equal(found[4] > 0, kinds[kind].meets);
        assert_true(found[2] > 0 && (found[6] > 0 || !kinds[kind].meets));
    }
}

/* ---- how much is tested ---- */

typedef void question(const place *p, willow_query_options *o);

static void ask_pairs(const place *p, willow_query_options *o)
{
    willow_pairs pairs;
    assert_ok(willow_find_self_pairs(p->world, p->scratch, o, &pairs));
}

static void ask_impacts(const place *p, willow_query_options *o)
{
    willow_impacts impacts;
    assert_ok(willow_find_impacts(p->world, p->scratch, o, &impacts));
}

static void ask_impacts_within(const place *p, willow_query_options *o)
{
    o->near_distance = o->touch_distance = 1e-5;
    ask_impacts(p, o);
}

static void ask_near(const place *p, willow_query_options *o)
{
    willow_near near;
    o->near_distance = 0.001;
    assert_ok(willow_find_near(p->world, p->scratch, o, &near));
}

static void ask_near_features(const place *p, willow_query_options *o)
{
    willow_near near;
    o->features = true;
    o->near_distance = o->touch_distance = 1e-5;
    assert_ok(willow_find_near(p->world, p->scratch, o, &near));
}

static void tests_grow_with_the_triangles_of_a_fan(void **state)
{
    (void)state;
    static const struct {
        question *ask;
        bool skip_neighbours;
        unsigned most; /* tests for each triangle */
    } rows[] = {{ask_pairs, false, 12},   {ask_pairs, true, 1},
                {ask_impacts, false, 16}, {ask_impacts_within, false, 16},
                {ask_near, true, 1},      {ask_near_features, false, 16}};
    static const cone cones[] = {
        {.turns = 1}, {.turns = 1, .height = 1}, {.turns = 1, .height = 1, .spoke = 10000}};
    static surface s;
    for (uint32_t size = 2000; size <= 4000;
         size += 1000) /* so that the vertex is in many leaves */
        for (size_t k = 0; k < sizeof cones / sizeof cones[0]; k++) {
            cone c = cones[k];
            c.count = size;
            memset(&s, 0, sizeof s);
            add_cone(&s, &c);
            const place p = open_place(&s, WILLOW_METHOD_AUTO, 0, WILLOW_KERNEL_AUTO);
            for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
                willow_query_options o = willow_query_options_default();
                o.skip_neighbours = rows[i].skip_neighbours;
                const willow_query_stats before = willow_scratch_stats(p.scratch);
                rows[i].ask(&p, &o);
                const willow_query_stats after = willow_scratch_stats(p.scratch);
                const uint64_t tests = (after.triangle_tests - before.triangle_tests) +
                                       (after.feature_tests - before.feature_tests) +
                                       (after.volume_tests - before.volume_tests);
                if (tests > (uint64_t)rows[i].most * size)
                    fail_msg("row %zu, cone %zu: %llu tests for %u triangles", i, k,
                             (unsigned long long)tests, size);
            }
            fixture_close(p.world, p.scratch);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_questions_about_large_fans_have_the_answers_of_brute_force),
    cmocka_unit_test(tests_grow_with_the_triangles_of_a_fan),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(all_questions_about_large_fans_have_the_answers_of_brute_force),
};

TEST_GROUP_WITH_SLOW(large_fans, tests, slow_tests);
