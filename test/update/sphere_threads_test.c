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

enum { MOST_SIDES = 24, FEW_SIDES = 8, MOST_VERTICES = MOST_SIDES * MOST_SIDES };

/* A bumpy ring. */
typedef struct ring {
    uint32_t vertex_count, tri_count;
    float at[MOST_VERTICES][3];
    uint32_t tris[2 * MOST_VERTICES][3];
} ring;

static void fill_ring_of(ring *r, uint32_t sides)
{
    const float turn = 6.2831853F;
    const uint32_t vertices = sides * sides;
    r->vertex_count = vertices;
    r->tri_count = 2 * vertices;
    for (uint32_t i = 0; i < vertices; i++) {
        const float a = turn * (float)(i / sides) / (float)sides;
        const float b = turn * (float)(i % sides) / (float)sides;
        const float width = 0.4F + 0.05F * sinf(5.0F * a) * cosf(3.0F * b);
        const float p[3] = {(1.0F + width * cosf(b)) * cosf(a), (1.0F + width * cosf(b)) * sinf(a),
                            width * sinf(b)};
        memcpy(r->at[i], p, sizeof p);
    }
    for (uint32_t i = 0; i < vertices; i++) {
        const uint32_t k = i / sides * sides, right = k + (i + 1) % sides;
        const uint32_t up = (i + sides) % vertices, both = (right + sides) % vertices;
        const uint32_t two[2][3] = {{i, up, right}, {right, up, both}};
        memcpy(r->tris[2 * i], two, sizeof two);
    }
}

static void fill_ring(ring *r) { fill_ring_of(r, MOST_SIDES); }

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
        def.mesh = FIXTURE_MESH(r->at, r->vertex_count, r->tris, r->tri_count);
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
    assert_ok(place(&brute, 1.7F, 0.0));
    assert_ok(ask(&brute, false, &expected));
    for (int i = 1; i <= 16; i++) { /* as the pool grows, so does the tree */
        assert_ok(place(&s, 1.7F, 0.1 * i));
        assert_ok(ask(&s, i % 2 == 0, &hash));
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
    assert_ok(willow_body_set_vertices(s.world, s.bodies[0], 0, r.vertex_count, r.at, 0));
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    const willow_sphere_stats dropped = measure(&s, 0);
    assert_int_equal(cells_of(&dropped), 1);
    assert_sound(&s);
    close_site(&s);
}

/* Updates look after branches whether bodies move or not, and count those that do. */
static void bodies_whose_branches_age_do_not_move(void **state)
{
    (void)state;
    static ring r;
    site s;
    willow_body_id borrower;
    willow_body_def def = willow_body_def_default();
    willow_update_report report;
    const willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE);
    uint64_t hash;
    fill_ring(&r);
    open_site(&s, &r, &sphere);
    def.share = s.bodies[0];
    def.pose = pose_at(0.5F, 0, 0);
    assert_ok(willow_body_create(s.world, &def, &borrower));
    assert_ok(place(&s, 1.7F, 0.0));
    for (int i = 1; i <= 4; i++) {
        const willow_pose pose = pose_at(0.01F * (float)i, 0, 0);
        assert_ok(ask(&s, false, &hash));
        assert_ok(willow_world_update(s.world, 0.1 * i, &report));
        assert_int_equal(report.bodies_moved, 0);
        assert_ok(willow_body_set_pose(s.world, s.bodies[0], &pose));
        assert_ok(willow_world_update(s.world, 0.1 * i, &report));
        assert_int_equal(report.bodies_moved, 1);
        assert_ok(willow_body_set_pose(s.world, borrower, &pose));
        assert_ok(willow_world_update(s.world, 0.1 * i, &report));
        assert_int_equal(report.bodies_moved, 1);
        assert_int_equal(report.bodies_updated, 0);
        assert_sound(&s);
    }
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

/* One body of both sites becomes a ring that is a little rougher. */
static void deform(const site *s, const site *other, ring *r, uint64_t *seed)
{
    const uint64_t body = test_random(seed) % BODIES;
    for (uint32_t i = 0; i < r->vertex_count; i++)
        r->at[i][2] += 0.001F * (float)(test_random(seed) % 21) - 0.01F;
    assert_ok(willow_body_set_vertices(s->world, s->bodies[body], 0, r->vertex_count, r->at, 0));
    assert_ok(
        willow_body_set_vertices(other->world, other->bodies[body], 0, r->vertex_count, r->at, 0));
}

/* Time goes on, stands still, and goes back now and then. */
static double next_time(double time, uint64_t *seed)
{
    const uint64_t choice = test_random(seed) % 16;
    return choice == 0 ? time - 3.0 : time + (double)(choice % 3);
}

static void run_at_random(ring *r, const willow_tree_def *sphere, uint64_t seed, int steps)
{
    const willow_tree_def none = tree_of(WILLOW_METHOD_BOTTOM_UP);
    site s, other;
    double time = 0.0;
    open_site(&s, r, sphere);
    open_site(&other, r, &none);
    for (int step = 0; step < steps; step++) {
        const float apart = 0.5F + 3.0F * (float)(test_random(&seed) % 100) / 100.0F;
        asker askers[2];
        uint64_t expected, hash;
        time = next_time(time, &seed);
        if (test_random(&seed) % 8 == 0) deform(&s, &other, r, &seed);
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
    static const uint32_t depths[] = {0, 4, 9}, leaf_triangles[] = {0, 5, 1};
    static ring r;
    const int steps = test_is_slow() ? 250 : 12;
    for (unsigned i = 0; i < 3; i++)
        for (willow_cells cells = 0; cells < WILLOW_CELLS_COUNT; cells++) {
            willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE);
            sphere.cells = cells;
            sphere.collision_depth = depths[i];
            sphere.leaf_triangles = leaf_triangles[i];
            fill_ring_of(&r, test_is_slow() ? MOST_SIDES : 12);
            run_at_random(&r, &sphere, 2 * i + cells, steps);
        }
}

/* ---- memory ---- */

static willow_result play(const ring *r, const willow_allocator *allocator, uint64_t *sum)
{
    willow_world_def def = willow_world_def_default();
    willow_tree_def sphere = tree_of(WILLOW_METHOD_SPHERE);
    const int steps = test_is_slow() ? 12 : 4;
    site s;
    uint64_t hash = 0;
    def.allocator = *allocator;
    *sum = 0;
    willow_result result = make_site(&s, r, &sphere, &def);
    for (int step = 0; step < steps && result == WILLOW_OK; step++) {
        const bool is_far = step % 6 >= 4; /* branches go: 4 is twice the default max_time */
        result = place(&s, is_far ? 9.0F : 1.6F, is_far ? 4 * step : step);
        if (result == WILLOW_OK) result = ask(&s, false, &hash);
        *sum += hash;
    }
    if (s.world && !willow_world_validate(s.world, NULL, 0)) fail();
    close_site(&s);
    return result;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    static ring r;
    fill_ring_of(&r, test_is_slow() ? 2 * FEW_SIDES : FEW_SIDES);
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
    cmocka_unit_test(bodies_whose_branches_age_do_not_move),
    cmocka_unit_test(long_runs_of_growing_and_forgetting_answer_as_others_do),
    cmocka_unit_test(any_allocation_may_fail),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(long_runs_of_growing_and_forgetting_answer_as_others_do),
    cmocka_unit_test(any_allocation_may_fail),
};

TEST_GROUP_WITH_SLOW(sphere_threads, tests, slow_tests);
