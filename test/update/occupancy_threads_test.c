/* Who else looks at cells (willow/occupancy.h): the exact test decides, so that trees and answers
 * are the same whatever a backend says, and only queries that say so ask it. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include "prim/meet/tri_box.h"
#include "support/cell_models.h"
#include "support/fixture.h"
#include "support/test.h"

static cell_model model;

/* ---- backends ---- */

typedef struct spy {
    uint64_t calls, cells, triangles;
    bool is_wrong; /* something that it was asked about is not as the header says */
    pthread_t thread;
} spy;

/* What all backends look at: triangles are finite, and each touches one of the cells. */
static unsigned look(spy *s, const willow_occupancy_question *question, uint32_t *counts)
{
    s->calls++;
    s->cells += question->cell_count;
    s->triangles += question->triangle_count;
    s->thread = pthread_self();
    if (question->cell_count < 1 || question->cell_count > 8 || question->triangle_count < 1)
        s->is_wrong = true;
    for (uint32_t t = 0; t < question->triangle_count; t++) {
        wi_tri tri;
        bool touches = false;
        question->corners(question, t, tri.corner);
        for (uint32_t i = 0; i < question->cell_count; i++) {
            const willow_box *cell = &question->cells[i];
            const float lower[3] = {cell->lower.x, cell->lower.y, cell->lower.z};
            const float upper[3] = {cell->upper.x, cell->upper.y, cell->upper.z};
            const bool meets = wi_tri_meets_box(&tri, lower, upper);
            counts[i] += meets;
            touches = touches || meets;
        }
        if (!touches) s->is_wrong = true;
    }
    return question->cell_count;
}

static bool say_truth(void *context, const willow_occupancy_question *question, uint32_t *counts)
{
    (void)look(context, question, counts);
    return true;
}

static bool say_nothing(void *context, const willow_occupancy_question *question, uint32_t *counts)
{
    const unsigned count = look(context, question, counts);
    for (unsigned i = 0; i < count; i++) counts[i] = 0;
    return true;
}

static bool say_everything(void *context, const willow_occupancy_question *question,
                           uint32_t *counts)
{
    const unsigned count = look(context, question, counts);
    for (unsigned i = 0; i < count; i++) counts[i] = UINT32_MAX;
    return true;
}

static bool say_the_contrary(void *context, const willow_occupancy_question *question,
                             uint32_t *counts)
{
    const unsigned count = look(context, question, counts);
    for (unsigned i = 0; i < count; i++) counts[i] = counts[i] == 0;
    return true;
}

static bool refuse(void *context, const willow_occupancy_question *question, uint32_t *counts)
{
    (void)look(context, question, counts);
    return false;
}

/* ---- trees ---- */

static willow_query_options asking(bool use_occupancy, bool use_threads)
{
    willow_query_options options = willow_query_options_default();
    options.use_occupancy = use_occupancy;
    options.use_threads = use_threads;
    return options;
}

static void assert_right(const willow_occupancy_stats *stats, int backend)
{
    const uint64_t cells = stats->seen + stats->missed + stats->empty + stats->wrong;
    assert_int_equal(cells > 0, backend < 4);
    assert_int_equal(stats->refused, backend < 4 ? 0 : stats->questions);
    if (backend == 0) assert_int_equal(stats->missed + stats->wrong, 0);
    if (backend == 1) assert_int_equal(stats->seen + stats->wrong, 0);
    if (backend == 2) assert_int_equal(stats->missed + stats->empty, 0);
    if (backend == 3) assert_int_equal(stats->seen + stats->empty, 0);
    if (backend < 4) assert_true(stats->seen + stats->missed > 0);
}

static void a_tree_is_the_same_whatever_a_backend_says(void **state)
{
    (void)state;
    bool (*const says[])(void *, const willow_occupancy_question *, uint32_t *) = {
        say_truth, say_nothing, say_everything, say_the_contrary, refuse};
    for (int shape = 0; shape < CELL_SHAPE_COUNT; shape++)
        for (int cells = 0; cells < WILLOW_CELLS_COUNT; cells++) {
            const willow_query_options options = asking(true, false);
            cell_pair none, with;
            cell_model_make(&model, (cell_shape)shape);
            cell_pair_open(&none, &model, (willow_cells)cells, NULL);
            const uint64_t pairs = cell_pair_ask(&none, &options);
            const uint64_t trees = cell_pair_hash_trees(&none);
            assert_int_equal(cell_pair_stats(&none).questions, 0);
            for (int i = 0; i < 5; i++) {
                spy s = {0};
                const willow_occupancy backend = {says[i], &s};
                cell_pair_open(&with, &model, (willow_cells)cells, &backend);
                assert_int_equal(cell_pair_ask(&with, &options), pairs);
                const willow_occupancy_stats stats = cell_pair_stats(&with);
                assert_right(&stats, i);
                assert_true(stats.questions > 0 && stats.questions <= s.calls);
                assert_true(s.calls > 10 && s.triangles > s.calls && !s.is_wrong);
                assert_int_equal(cell_pair_hash_trees(&with), trees);
                cell_pair_close(&with);
            }
            cell_pair_close(&none);
        }
}

/* ---- who asks ---- */

static void only_queries_that_say_so_ask_the_backend_and_on_their_thread(void **state)
{
    (void)state;
    spy s = {0};
    const willow_occupancy backend = {say_truth, &s};
    const willow_query_options with_threads = asking(true, true), without = asking(false, false),
                               alone = asking(true, false);
    willow_ray_options of_ray = willow_ray_options_default();
    const willow_ray ray = {.origin = {1.0F, 0.0F, -5.0F}, .direction = {0, 0, 1}, .t_max = 10.0F};
    willow_casts casts;
    cell_pair pair;
    cell_model_make(&model, CELL_RING);
    cell_pair_open(&pair, &model, WILLOW_CELLS_OCTREE, &backend);
    const uint64_t expected = cell_pair_ask(&pair, &without);
    assert_int_equal(cell_pair_ask(&pair, &with_threads), expected);
    (void)cell_pair_hash_trees(&pair); /* opens all the others */
    assert_int_equal(s.calls, 0);
    assert_int_equal(cell_pair_stats(&pair).questions, 0);
    cell_pair_close(&pair);

    cell_pair_open(&pair, &model, WILLOW_CELLS_OCTREE, &backend);
    of_ray.use_occupancy = true;
    assert_ok(willow_cast_rays(pair.world, pair.scratch, &ray, 1, &of_ray, &casts));
    const uint64_t of_rays = s.calls;
    assert_true(of_rays > 0);
    assert_int_equal(cell_pair_ask(&pair, &alone), expected);
    assert_true(s.calls > of_rays && !s.is_wrong);
    assert_true(pthread_equal(s.thread, pthread_self()));
    const uint64_t calls = s.calls; /* what has grown is not asked about again */
    assert_int_equal(cell_pair_ask(&pair, &alone), expected);
    assert_int_equal(s.calls, calls);
    cell_pair_close(&pair);
}

/* ---- beside others ---- */

typedef struct asker {
    pthread_t thread;
    const cell_pair *pair;
    willow_scratch *scratch;
    willow_query_options options;
    uint64_t hash;
} asker;

static void *run_asker(void *arg)
{
    asker *a = arg;
    willow_pairs pairs;
    if (willow_find_pairs(a->pair->world, a->scratch, &a->options, &pairs) == WILLOW_OK)
        a->hash = willow_pairs_hash(&pairs);
    return NULL;
}

static void one_thread_asks_the_backend_beside_others_that_do_not(void **state)
{
    (void)state;
    for (int round = 0; round < 8; round++) {
        spy s = {0};
        const willow_occupancy backend = {say_the_contrary, &s};
        cell_pair pair;
        asker askers[2];
        cell_model_make(&model, (cell_shape)(round % CELL_SHAPE_COUNT));
        cell_pair_open(&pair, &model, WILLOW_CELLS_BONO, &backend);
        for (int i = 0; i < 2; i++) {
            askers[i] = (asker){.pair = &pair,
                                .scratch = fixture_scratch(pair.world),
                                .options = asking(i == 0, false)};
            assert_int_equal(pthread_create(&askers[i].thread, NULL, run_asker, &askers[i]), 0);
        }
        for (int i = 0; i < 2; i++) {
            assert_int_equal(pthread_join(askers[i].thread, NULL), 0);
            willow_scratch_destroy(askers[i].scratch);
        }
        assert_int_equal(askers[0].hash, askers[1].hash);
        assert_true(askers[0].hash != 0 && !s.is_wrong);
        const willow_query_options options = asking(false, false);
        assert_int_equal(cell_pair_ask(&pair, &options), askers[0].hash);
        cell_pair_close(&pair);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_tree_is_the_same_whatever_a_backend_says),
    cmocka_unit_test(only_queries_that_say_so_ask_the_backend_and_on_their_thread),
    cmocka_unit_test(one_thread_asks_the_backend_beside_others_that_do_not),
};

TEST_GROUP(occupancy_threads, tests);
