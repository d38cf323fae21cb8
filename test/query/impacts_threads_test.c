/* Questions about trial steps and nearness from many threads and with many workers: equal answers
 * and equal counts (C9, C10). The first to ask makes the owners of vertices and edges, and of
 * several first ones one does. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { BODIES = 4, ASKERS = 4, ROUNDS = 2, QUESTIONS = 5, MAX_WORKERS = 4 };

typedef struct scene {
    zoo_mesh meshes[BODIES];
    float (*goals[BODIES])[3];
} scene;

typedef struct site {
    test_allocator allocator;
    willow_world *world;
    willow_body_id ids[BODIES];
} site;

/* Bodies that cross each other on their way, and fold. */
static void make_scene(scene *s)
{
    static const struct {
        zoo_kind kind;
        uint32_t size;
    } wanted[BODIES] = {
        {ZOO_KIND_ROLLED, 90}, {ZOO_KIND_CRUMPLED, 72}, {ZOO_KIND_LAYERS, 54}, {ZOO_KIND_SOUP, 24}};
    uint64_t random = 9;
    for (int i = 0; i < BODIES; i++) {
        zoo_mesh *mesh = &s->meshes[i];
        zoo_mesh_create(mesh, wanted[i].kind, wanted[i].size, (uint64_t)i + 1);
        s->goals[i] = calloc(mesh->vertex_count + 1, sizeof *s->goals[i]);
        assert_non_null(s->goals[i]);
        for (uint32_t k = 0; k < 3 * mesh->vertex_count; k++)
            s->goals[i][k / 3][k % 3] =
                mesh->positions[k / 3][k % 3] + (float)test_random_between(&random, -0.06, 0.06);
    }
}

static void free_scene(scene *s)
{
    for (int i = 0; i < BODIES; i++) {
        zoo_mesh_destroy(&s->meshes[i]);
        free(s->goals[i]);
    }
}

/* Trees that are true after the update, and trees whose boxes are computed by who asks first. */
static const willow_method families[2][BODIES] = {
    {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_REBUILD, WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_BRUTE},
    {WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID, WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_BRUTE},
};

static void set_all(site *w, const scene *s)
{
    const willow_pose turned = {{0.05F, 0, 0}, {0, 0, 0.05F, 1}};
    for (int i = 0; i < BODIES; i++) {
        const uint32_t count = s->meshes[i].vertex_count;
        assert_ok(
            willow_body_set_vertices(w->world, w->ids[i], 0, count, s->meshes[i].positions, 0));
        assert_ok(willow_body_set_target(w->world, w->ids[i], 0, count, s->goals[i], 0));
    }
    assert_ok(willow_body_set_target_pose(w->world, w->ids[1], &turned));
    assert_ok(willow_world_update(w->world, 0, NULL));
}

static void open_site(site *w, const scene *s, int family, uint32_t workers, willow_kernel kernel)
{
    willow_world_def def = willow_world_def_default();
    memset(w, 0, sizeof *w);
    def.allocator = test_allocator_functions(&w->allocator);
    def.thread_count = workers;
    def.kernel = kernel;
    w->world = fixture_world(&def);
    for (int i = 0; i < BODIES; i++) {
        const zoo_mesh *mesh = &s->meshes[i];
        willow_body_def body = willow_body_def_default();
        body.mesh = (willow_mesh_def){.positions = mesh->positions,
                                      .vertex_count = mesh->vertex_count,
                                      .indices = mesh->tris,
                                      .triangle_count = mesh->triangle_count,
                                      .triangle_groups = mesh->groups,
                                      .group_masks = mesh->masks,
                                      .group_count = mesh->mask_count};
        body.tree.method = families[family][i];
        body.tree.leaf_triangles = 3;
        body.self = i != 3;
        body.keep_rest = true;
        body.thickness = 0.005F;
        w->ids[i] = fixture_body(w->world, &body);
    }
    assert_ok(willow_world_update(w->world, 0, NULL));
    set_all(w, s);
}

static void close_site(site *w)
{
    willow_world_destroy(w->world);
    assert_true(test_allocator_is_clean(&w->allocator));
}

/* ---- what is asked ---- */

typedef struct notes {
    uint64_t hashes[QUESTIONS];
    willow_query_stats stats[QUESTIONS];
    size_t found;
    bool failed;
} notes;

/* What does not depend on who was first to open a node. */
static willow_query_stats settled(willow_query_stats stats)
{
    stats.nodes_refreshed = stats.claims_lost = 0;
    return stats;
}

static bool keep_some(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    return (a.tri + b.tri) % 3 != 0;
}

static willow_result ask(const willow_world *world, willow_scratch *scratch, int question,
                         bool is_shared, notes *out)
{
    willow_query_options options = willow_query_options_default();
    willow_impacts impacts = {0};
    willow_near near = {0};
    willow_first_impact first = {0};
    willow_result result;
    options.use_threads = is_shared;
    options.near_distance = options.touch_distance = 0.01;
    options.skip_close_at_rest = question == 4;
    options.features = question == 3;
    if (question == 0 || question == 4) {
        options.filter = question == 4 ? keep_some : NULL;
        result = willow_find_impacts(world, scratch, &options, &impacts);
        out->hashes[question] = hash_impacts(&impacts) ^ hash_impact_contacts(&impacts);
    } else if (question == 1) {
        result = willow_time_of_impact(world, scratch, &options, &first);
        out->hashes[question] = hash_first_impact(&first);
    } else {
        options.max_results = question == 2 ? 60 : 0;
        result = willow_find_near(world, scratch, &options, &near);
        out->hashes[question] = hash_near(&near) ^ hash_near_contacts(&near);
    }
    out->found += impacts.count + near.count + first.found;
    return result;
}

/* All questions, beginning with another one by turns. */
static void ask_all(const willow_world *world, willow_scratch *scratch, int begin, bool is_shared,
                    notes *out)
{
    for (int i = 0; i < QUESTIONS; i++) {
        const int question = (begin + i) % QUESTIONS;
        willow_scratch_reset_stats(scratch);
        if (ask(world, scratch, question, is_shared, out) != WILLOW_OK) out->failed = true;
        out->stats[question] = settled(willow_scratch_stats(scratch));
    }
}

static void expect_same(const notes *got, const notes *expected)
{
    assert_false(got->failed);
    for (int i = 0; i < QUESTIONS; i++) {
        if (got->hashes[i] != expected->hashes[i]) fail_msg("other answers to question %d", i);
        if (memcmp(&got->stats[i], &expected->stats[i], sizeof got->stats[i]) != 0)
            fail_msg("other counts of question %d: %llu and %llu feature tests, %llu and %llu "
                     "exact tests, %llu and %llu volume tests",
                     i, (unsigned long long)got->stats[i].feature_tests,
                     (unsigned long long)expected->stats[i].feature_tests,
                     (unsigned long long)got->stats[i].exact_tests,
                     (unsigned long long)expected->stats[i].exact_tests,
                     (unsigned long long)got->stats[i].volume_tests,
                     (unsigned long long)expected->stats[i].volume_tests);
    }
}

/* By one thread, with one worker. */
static notes ask_alone(const scene *s, int family, willow_kernel kernel)
{
    site w;
    notes alone = {.failed = false};
    open_site(&w, s, family, 1, kernel);
    willow_scratch *scratch = fixture_scratch(w.world);
    ask_all(w.world, scratch, 0, false, &alone);
    assert_false(alone.failed);
    assert_true(alone.found > 100);
    willow_scratch_destroy(scratch);
    close_site(&w);
    return alone;
}

/* ---- many workers ---- */

static void any_number_of_workers_finds_and_counts_the_same(void **state)
{
    (void)state;
    scene s;
    make_scene(&s);
    for (int family = 0; family < 2; family++) {
        const notes alone = ask_alone(&s, family, WILLOW_KERNEL_AUTO);
        for (uint32_t workers = 1; workers <= MAX_WORKERS; workers *= TEST_HAS_TSAN ? 4 : 2) {
            site w;
            open_site(&w, &s, family, workers, WILLOW_KERNEL_AUTO);
            willow_scratch *scratch = fixture_scratch(w.world);
            for (int round = 0; round < 4; round++) {
                notes shared = {.failed = false};
                ask_all(w.world, scratch, round, round % 2 == 0, &shared);
                expect_same(&shared, &alone);
                if (round == 2) set_all(&w, &s);
            }
            willow_scratch_destroy(scratch);
            close_site(&w);
        }
        print_message("%zu impacts and near pairs found\n", alone.found);
    }
    free_scene(&s);
}

static void every_kernel_finds_and_counts_the_same(void **state)
{
    (void)state;
    scene s;
    make_scene(&s);
    for (int family = 0; family < 2; family++) {
        const notes scalar = ask_alone(&s, family, WILLOW_KERNEL_SCALAR);
        const notes best = ask_alone(&s, family, WILLOW_KERNEL_AUTO);
        expect_same(&best, &scalar);
    }
    free_scene(&s);
}

/* ---- many threads ---- */

/* cmocka's asserts belong to the main thread, so askers only take notes. */
typedef struct asker {
    pthread_t thread;
    const willow_world *world;
    int number;
    notes rounds[ROUNDS];
    bool failed;
} asker;

static void *asker_main(void *arg)
{
    asker *self = arg;
    willow_scratch *scratch = NULL;
    if (willow_scratch_create(self->world, &scratch) != WILLOW_OK) {
        self->failed = true;
        return NULL;
    }
    for (int round = 0; round < ROUNDS; round++)
        ask_all(self->world, scratch, self->number + round, (self->number + round) % 2 == 1,
                &self->rounds[round]);
    willow_scratch_destroy(scratch);
    return NULL;
}

static void many_threads_ask_at_once_and_hear_the_same(void **state)
{
    (void)state;
    scene s;
    make_scene(&s);
    for (int family = 0; family < 2; family++) {
        const notes alone = ask_alone(&s, family, WILLOW_KERNEL_AUTO);
        for (int repeat = 0; repeat < 2; repeat++) {
            site w;
            asker askers[ASKERS];
            open_site(&w, &s, family, 2, WILLOW_KERNEL_AUTO);
            for (int i = 0; i < ASKERS; i++) {
                askers[i] = (asker){.world = w.world, .number = repeat == 0 ? 0 : i};
                assert_int_equal(pthread_create(&askers[i].thread, NULL, asker_main, &askers[i]),
                                 0);
            }
            for (int i = 0; i < ASKERS; i++) pthread_join(askers[i].thread, NULL);
            for (int i = 0; i < ASKERS; i++) {
                assert_false(askers[i].failed);
                for (int round = 0; round < ROUNDS; round++)
                    expect_same(&askers[i].rounds[round], &alone);
            }
            close_site(&w);
        }
    }
    free_scene(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_number_of_workers_finds_and_counts_the_same),
    cmocka_unit_test(every_kernel_finds_and_counts_the_same),
    cmocka_unit_test(many_threads_ask_at_once_and_hear_the_same),
};

TEST_GROUP(impacts_threads, tests);
