/* Worlds in which bodies try a step find what loops over all of their features find, bit for bit
 * and in the same order: impacts, with the tests on moving primitives; and what is near what, by
 * triangles and by features, with the distances of single ones. */
#include "support/test.h"
#include "support/trial_world.h"

/* What is asked for; trials are set, but do not show in what is near. */
typedef enum asked { IMPACTS, NEAR_TRIANGLES, NEAR_FEATURES, ASKED } asked;

typedef struct tally {
    size_t scenes, found[ASKED], within[ASKED], touching[ASKED], undecided;
} tally;

enum { WORLDS = 3 }; /* of one, two and four threads */

static void check_question(trial_world worlds[WORLDS], const trial_scene *scene, uint64_t seed,
                           asked what, tally *sum)
{
    trial_answers answers;
    trial_question question = trial_question_random(scene, seed);
    if (what != IMPACTS) question.features = what == NEAR_FEATURES;
    (what == IMPACTS ? trial_find_impacts : trial_find_near)(scene, &question, &answers);
    for (uint32_t i = 0; i < WORLDS; i++)
        (what == IMPACTS ? trial_world_check_impacts : trial_world_check_near)(&worlds[i],
                                                                               &question, &answers);
    sum->found[what] += answers.all.count;
    sum->within[what] += answers.within;
    sum->touching[what] += answers.touching;
    sum->undecided += answers.undecided;
    trial_answers_free(&answers);
}

/* Both are asked twice; then the trials end, some of them with the bodies at their goals, and
 * everything stands still. */
static void check_scene(uint32_t size, trial_groups groups, uint64_t seed, bool asks_near,
                        tally *sum)
{
    const uint64_t turns = asks_near ? 4 : 3;
    trial_scene scene;
    trial_world worlds[WORLDS];
    trial_scene_make(&scene, size, groups, seed);
    for (uint32_t i = 0; i < WORLDS; i++)
        trial_world_create(&worlds[i], &scene, 1U << i, WORLDS * seed + i);
    for (uint64_t turn = 0; turn < turns; turn++) {
        const asked near = turn % 2 == 0 ? NEAR_FEATURES : NEAR_TRIANGLES;
        if (turn == 2) {
            for (uint32_t i = 0; i < WORLDS; i++) trial_world_settle(&worlds[i]);
            trial_scene_settle(&scene);
        }
        check_question(worlds, &scene, 10 * seed + turn, asks_near ? near : IMPACTS, sum);
    }
    for (uint32_t i = 0; i < WORLDS; i++) trial_world_destroy(&worlds[i]);
    trial_scene_destroy(&scene);
    sum->scenes++;
}

/* Where triangles of several groups have a feature, any of them may be what touches. */
static const struct {
    uint32_t size;
    trial_groups groups;
    uint64_t first, impact_count, near_count; /* seeds */
} scenes[] = {
    {8, TRIAL_GROUPS_APART, 1, 150, 150},
    {40, TRIAL_GROUPS_APART, 1000, 12, 20}, /* several leaves */
    {10, TRIAL_GROUPS_SHARING, 2000, 60, 60},
};

static void check_scenes(bool asks_near)
{
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        const uint64_t count = asks_near ? scenes[i].near_count : scenes[i].impact_count;
        tally sum = {0};
        for (uint64_t seed = scenes[i].first; seed < scenes[i].first + count; seed++)
            check_scene(scenes[i].size, scenes[i].groups, seed, asks_near, &sum);
        for (asked what = asks_near ? NEAR_TRIANGLES : IMPACTS; what < (asks_near ? ASKED : 1);
             what++) {
            print_message("%zu scenes: %zu found, %zu within a body, %zu touching, %zu undecided\n",
                          sum.scenes, sum.found[what], sum.within[what], sum.touching[what],
                          sum.undecided);
            assert_true(sum.within[what] > 0 && sum.found[what] > sum.within[what]);
        }
        const size_t touching =
            sum.touching[IMPACTS] + sum.touching[NEAR_TRIANGLES] + sum.touching[NEAR_FEATURES];
        assert_true(touching > 0 && touching < sum.found[IMPACTS] + sum.found[NEAR_TRIANGLES] +
                                                   sum.found[NEAR_FEATURES]);
    }
}

static void every_impact_is_found_in_its_place(void **state)
{
    (void)state;
    check_scenes(false);
}

static void what_is_near_is_found_in_its_place(void **state)
{
    (void)state;
    check_scenes(true);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_impact_is_found_in_its_place),
    cmocka_unit_test(what_is_near_is_found_in_its_place),
};

TEST_GROUP(contacts_oracle, tests);
