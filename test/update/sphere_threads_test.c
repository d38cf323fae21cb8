/* A tree of cells grows where queries come and is cut where none do, and answers never depend on
 * it: every state is compared with BRUTE. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include "support/choices.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { RINGS = 24, SIDES = 24, VERTICES = RINGS * SIDES, TRIS = 2 * VERTICES };

/* A bumpy ring. */
typedef struct ring {
    float at[VERTICES][3];
    uint32_t tris[TRIS][3];
} ring;

static void fill_ring(ring *r)
{
    const float turn = 6.2831853F;
    for (uint32_t i = 0; i < VERTICES; i++) {
        const float a = turn * (float)(i / SIDES) / RINGS, b = turn * (float)(i % SIDES) / SIDES;
        const float width = 0.4F + 0.05F * sinf(5.0F * a) * cosf(3.0F * b);
        const float p[3] = {(1.0F + width * cosf(b)) * cosf(a), (1.0F + width * cosf(b)) * sinf(a),
                            width * sinf(b)};
        memcpy(r->at[i], p, sizeof p);
    }
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t k = i / SIDES * SIDES, right = k + (i + 1) % SIDES;
        const uint32_t up = (i + SIDES) % VERTICES, both = (right + SIDES) % VERTICES;
        const uint32_t two[2][3] = {{i, up, right}, {right, up, both}};
        memcpy(r->tris[2 * i], two, sizeof two);
    }
}

enum { BODIES = 3 };

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[BODIES];
} site;

static willow_result make_site(site *s, const ring *r, const willow_tree_def *tree,
                               const willow_world_def *world_def)
{
    *s = (site){.world = NULL};
    willow_result result = willow_world_create(world_def, &s->world);
    if (result == WILLOW_OK) result = willow_scratch_create(s->world, &s->scratch);
    for (int i = 0; i < BODIES && result == WILLOW_OK; i++) {
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(r->at, VERTICES, r->tris, TRIS);
        def.tree = *tree;
        result = willow_body_create(s->world, &def, &s->bodies[i]);
    }
    return result;
}

static void close_site(site *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
}

static void open_site(site *s, const ring *r, const willow_tree_def *tree)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = 2;
    assert_ok(make_site(s, r, tree, &def));
}

static willow_pose pose_at(float x, float y, float z)
{
    return (willow_pose){.translation = {x, y, z}, .rotation = {0, 0, 0, 1}};
}

static willow_result place(site *s, float apart, double time)
{
    for (int i = 1; i < BODIES; i++) {
        const willow_pose pose = pose_at(apart * (float)i, 0.3F * apart, 0.2F);
        const willow_result result = willow_body_set_pose(s->world, s->bodies[i], &pose);
        if (result != WILLOW_OK) return result;
    }
    return willow_world_update(s->world, time, NULL);
}

static willow_result ask(site *s, bool use_threads, uint64_t *hash)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.use_threads = use_threads;
    const willow_result result = willow_find_pairs(s->world, s->scratch, &options, &pairs);
    *hash = result == WILLOW_OK ? willow_pairs_hash(&pairs) : 0;
    return result;
}

static willow_sphere_stats measure(const site *s, int body)
{
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(s->world, s->bodies[body], &stats));
    return stats.sphere;
}

static uint32_t cells_of(const willow_sphere_stats *stats)
{
    uint32_t sum = 0;
    for (unsigned level = 0; level < WILLOW_MAX_CELL_DEPTH + 2; level++) sum += stats->cells[level];
    return sum;
}

static void assert_sound(const site *s)
{
    char reason[200];
    if (!willow_world_validate(s->world, reason, sizeof reason)) fail_msg("%s", reason);
}

static willow_tree_def tree_of(willow_method method)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = method;
    return tree;
}

/* ---- growing and forgetting ---- */

static void branches_come_where_queries_do_and_go_after_a_while(void **state)
{
    (void)state;
    static ring r;
    site s, brute;
    const willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE),
                          none = tree_of(WILLOW_METHOD_BRUTE);
    fill_ring(&r);
    open_site(&s, &r, &sphere);
    open_site(&brute, &r, &none);
    uint64_t hash, expected;
    assert_ok(place(&s, 5.0F, 0.0));
    const willow_sphere_stats at_first = measure(&s, 0);
    assert_int_equal(cells_of(&at_first), 1);
    for (int i = 1; i <= 16; i++) { /* as the pool grows, so does the tree */
        assert_ok(place(&s, 1.7F, 0.1 * i));
        assert_ok(place(&brute, 1.7F, 0.1 * i));
        assert_ok(ask(&s, i % 2 == 0, &hash));
        assert_ok(ask(&brute, false, &expected));
        assert_int_equal(hash, expected);
        assert_sound(&s);
    }
    const willow_sphere_stats grown = measure(&s, 0);
    assert_true(grown.cells[6] > 0 && grown.pool_enlarged > 0);
    assert_true(grown.bytes_live <= grown.bytes_pool);
    for (int i = 1; i <= 3; i++) { /* nobody asks: the last question was at 1.6 */
        assert_ok(place(&s, 5.0F, 1.6 + 0.99 * i));
        const willow_sphere_stats now = measure(&s, 0);
        assert_int_equal(cells_of(&now) == 1, i == 3);
        assert_sound(&s);
    }
    const willow_sphere_stats at_last = measure(&s, 0);
    assert_int_equal(at_last.bytes_live, at_first.bytes_live);
    assert_int_equal(at_last.forgotten, at_last.grown);
    close_site(&s);
    close_site(&brute);
}

static void poses_keep_branches_and_deformations_drop_them(void **state)
{
    (void)state;
    static ring r;
    site s;
    const willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE);
    uint64_t hash;
    fill_ring(&r);
    open_site(&s, &r, &sphere);
    assert_ok(place(&s, 1.7F, 0.0));
    assert_ok(ask(&s, false, &hash));
    const willow_sphere_stats before = measure(&s, 0);
    const willow_pose pose = pose_at(0.01F, 0, 0);
    assert_ok(willow_body_set_pose(s.world, s.bodies[0], &pose));
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    const willow_sphere_stats after = measure(&s, 0);
    assert_true(cells_of(&before) > 1);
    assert_memory_equal(before.cells, after.cells, sizeof before.cells);
    assert_ok(willow_body_set_vertices(s.world, s.bodies[0], 0, VERTICES, r.at, 0));
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    const willow_sphere_stats dropped = measure(&s, 0);
    assert_int_equal(cells_of(&dropped), 1);
    assert_sound(&s);
    close_site(&s);
}

/* ---- long runs ---- */

typedef struct asker {
    pthread_t thread;
    const site *s;
    willow_scratch *scratch;
    uint64_t hash;
} asker;

static void *run_asker(void *arg)
{
    asker *a = arg;
    willow_pairs pairs;
    if (willow_find_pairs(a->s->world, a->scratch, NULL, &pairs) == WILLOW_OK)
        a->hash = willow_pairs_hash(&pairs);
    return NULL;
}

static void two_ask_at_once(const site *s, asker askers[2])
{
    for (int i = 0; i < 2; i++) {
        askers[i] = (asker){.s = s, .scratch = fixture_scratch(s->world)};
        assert_int_equal(pthread_create(&askers[i].thread, NULL, run_asker, &askers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
        willow_scratch_destroy(askers[i].scratch);
    }
}

static void run_at_random(const ring *r, const willow_tree_def *sphere, uint64_t seed)
{
    const willow_tree_def none = tree_of(WILLOW_METHOD_BOTTOM_UP);
    site s, other;
    double time = 0.0;
    open_site(&s, r, sphere);
    open_site(&other, r, &none);
    for (int step = 0; step < 25; step++) {
        const float apart = 0.5F + 3.0F * (float)(test_random(&seed) % 100) / 100.0F;
        asker askers[2];
        uint64_t expected, hash;
        time += (double)(test_random(&seed) % 3);
        assert_ok(place(&s, apart, time));
        assert_ok(place(&other, apart, time));
        if (test_random(&seed) % 4 == 0) continue;
        assert_ok(ask(&other, false, &expected));
        two_ask_at_once(&s, askers);
        assert_ok(ask(&s, true, &hash));
        assert_int_equal(hash, expected);
        assert_int_equal(askers[0].hash, expected);
        assert_int_equal(askers[1].hash, expected);
        assert_sound(&s);
    }
    close_site(&s);
    close_site(&other);
}

static void long_runs_of_growing_and_forgetting_answer_as_others_do(void **state)
{
    (void)state;
    static ring r;
    willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE);
    fill_ring(&r);
    run_at_random(&r, &sphere, 1);
    sphere.cells = WILLOW_CELLS_BONO;
    sphere.collision_depth = 4;
    sphere.leaf_triangles = 5;
    run_at_random(&r, &sphere, 2);
}

/* ---- memory ---- */

static willow_result play(const ring *r, const willow_allocator *allocator, uint64_t *sum)
{
    willow_world_def def = willow_world_def_default();
    willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE);
    site s;
    uint64_t hash = 0;
    def.allocator = *allocator;
    *sum = 0;
    willow_result result = make_site(&s, r, &sphere, &def);
    for (int step = 0; step < 4 && result == WILLOW_OK; step++) {
        result = place(&s, 1.6F, step);
        if (result == WILLOW_OK) result = ask(&s, false, &hash);
        if (s.world && !willow_world_validate(s.world, NULL, 0)) fail();
        *sum += hash;
    }
    close_site(&s);
    return result;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    static ring r;
    fill_ring(&r);
    uint64_t expected, sum;
    test_allocator all = {.fail_at = 0};
    willow_allocator functions = test_allocator_functions(&all);
    assert_ok(play(&r, &functions, &expected));
    const size_t calls = all.calls;
    for (size_t n = 1; n <= calls; n++) {
        test_allocator allocator = {.fail_at = n};
        functions = test_allocator_functions(&allocator);
        const willow_result result = play(&r, &functions, &sum);
        assert_true(result == WILLOW_OUT_OF_MEMORY || sum == expected);
        assert_true(test_allocator_is_clean(&allocator));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(branches_come_where_queries_do_and_go_after_a_while),
    cmocka_unit_test(poses_keep_branches_and_deformations_drop_them),
    cmocka_unit_test(long_runs_of_growing_and_forgetting_answer_as_others_do),
    cmocka_unit_test(any_allocation_may_fail),
};

TEST_GROUP(sphere_threads, tests);
