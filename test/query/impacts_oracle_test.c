/* Worlds in which bodies try a step find what loops over all vertices, faces and edges find with
 * the tests on moving primitives: the same features, the same bits of time, in the same order. */
#include "support/test.h"
#include "support/trial_world.h"

typedef struct tally {
    size_t scenes, impacts, within, undecided, touching;
} tally;

static void add_answers(tally *sum, const trial_answers *answers)
{
    sum->impacts += answers->all.count;
    sum->within += answers->within;
    sum->undecided += answers->undecided;
    sum->touching += answers->touching;
}

static void print_tally(const tally *sum)
{
    print_message("%zu scenes: %zu impacts, %zu within a body, %zu undecided, %zu at the start\n",
                  sum->scenes, sum->impacts, sum->within, sum->undecided, sum->touching);
    assert_true(sum->within > 0 && sum->impacts > sum->within && sum->impacts > sum->touching);
}

/* One scene in worlds of one, two and four threads. Then the trials end, some of them with the
 * bodies at their goals, and everything stands still. */
static void check_scene(uint32_t size, trial_groups groups, uint64_t seed, tally *sum)
{
    enum { WORLDS = 3 };
    trial_scene scene;
    trial_world worlds[WORLDS];
    trial_answers answers;
    trial_scene_make(&scene, size, groups, seed);
    for (uint32_t i = 0; i < WORLDS; i++)
        trial_world_create(&worlds[i], &scene, 1U << i, WORLDS * seed + i);
    for (uint64_t turn = 0; turn < 3; turn++) {
        const trial_question question = trial_question_random(&scene, 10 * seed + turn);
        if (turn == 2) {
            for (uint32_t i = 0; i < WORLDS; i++) trial_world_settle(&worlds[i]);
            trial_scene_settle(&scene);
        }
        trial_find_impacts(&scene, &question, &answers);
        for (uint32_t i = 0; i < WORLDS; i++)
            trial_world_check_impacts(&worlds[i], &question, &answers);
        add_answers(sum, &answers);
        trial_answers_free(&answers);
    }
    for (uint32_t i = 0; i < WORLDS; i++) trial_world_destroy(&worlds[i]);
    trial_scene_destroy(&scene);
    sum->scenes++;
}

static void check_scenes(uint32_t size, trial_groups groups, uint64_t first, uint64_t count)
{
    tally sum = {0};
    for (uint64_t seed = first; seed < first + count; seed++) check_scene(size, groups, seed, &sum);
    print_tally(&sum);
}

static void small_worlds_find_every_impact_in_its_place(void **state)
{
    (void)state;
    check_scenes(8, TRIAL_GROUPS_APART, 1, 150);
}

static void worlds_of_several_leaves_find_every_impact_in_its_place(void **state)
{
    (void)state;
    check_scenes(40, TRIAL_GROUPS_APART, 1000, 12);
}

/* Where triangles of several groups have a feature, any of them may be what touches. */
static void groups_that_share_vertices_find_what_any_of_them_may_touch(void **state)
{
    (void)state;
    check_scenes(10, TRIAL_GROUPS_SHARING, 2000, 60);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_worlds_find_every_impact_in_its_place),
    cmocka_unit_test(worlds_of_several_leaves_find_every_impact_in_its_place),
    cmocka_unit_test(groups_that_share_vertices_find_what_any_of_them_may_touch),
};

TEST_GROUP(impacts_oracle, tests);
