/* Worlds find what is near what, by triangles and by features, as loops over all of them do with
 * the distances of single ones: the same pairs, distances and points, bit for bit, in the same
 * order. */
#include "support/test.h"
#include "support/trial_world.h"

typedef struct tally {
    size_t scenes, pairs[2], within[2], touching; /* of triangles, of features */
} tally;

static void check_question(trial_world *worlds, uint32_t count, const trial_scene *scene,
                           const trial_question *question, tally *sum)
{
    trial_answers answers;
    trial_find_near(scene, question, &answers);
    for (uint32_t i = 0; i < count; i++) trial_world_check_near(&worlds[i], question, &answers);
    sum->pairs[question->features] += answers.all.count;
    sum->within[question->features] += answers.within;
    sum->touching += answers.touching;
    trial_answers_free(&answers);
}

/* Trials are set, but do not show; then they end. */
static void check_scene(uint32_t size, trial_groups groups, uint64_t seed, tally *sum)
{
    enum { WORLDS = 3 };
    trial_scene scene;
    trial_world worlds[WORLDS];
    trial_scene_make(&scene, size, groups, seed);
    for (uint32_t i = 0; i < WORLDS; i++)
        trial_world_create(&worlds[i], &scene, 1U << i, WORLDS * seed + i);
    for (uint64_t turn = 0; turn < 4; turn++) {
        trial_question question = trial_question_random(&scene, 10 * seed + turn);
        question.features = turn % 2 == 0;
        if (turn == 2) {
            for (uint32_t i = 0; i < WORLDS; i++) trial_world_settle(&worlds[i]);
            trial_scene_settle(&scene);
        }
        check_question(worlds, WORLDS, &scene, &question, sum);
    }
    for (uint32_t i = 0; i < WORLDS; i++) trial_world_destroy(&worlds[i]);
    trial_scene_destroy(&scene);
    sum->scenes++;
}

static void check_scenes(uint32_t size, trial_groups groups, uint64_t first, uint64_t count)
{
    tally sum = {0};
    for (uint64_t seed = first; seed < first + count; seed++) check_scene(size, groups, seed, &sum);
    print_message("%zu scenes: %zu triangles near others, %zu within a body; %zu features, %zu "
                  "within; %zu touch\n",
                  sum.scenes, sum.pairs[0], sum.within[0], sum.pairs[1], sum.within[1],
                  sum.touching);
    for (int i = 0; i < 2; i++) assert_true(sum.within[i] > 0 && sum.pairs[i] > sum.within[i]);
    assert_true(sum.touching > 0 && sum.touching < sum.pairs[0] + sum.pairs[1]);
}

static void small_worlds_find_what_is_near_in_its_place(void **state)
{
    (void)state;
    check_scenes(8, TRIAL_GROUPS_APART, 1, 150);
}

static void worlds_of_several_leaves_find_what_is_near_in_its_place(void **state)
{
    (void)state;
    check_scenes(40, TRIAL_GROUPS_APART, 1000, 20);
}

static void groups_that_share_vertices_find_what_is_near_any_of_them(void **state)
{
    (void)state;
    check_scenes(10, TRIAL_GROUPS_SHARING, 2000, 60);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(small_worlds_find_what_is_near_in_its_place),
    cmocka_unit_test(worlds_of_several_leaves_find_what_is_near_in_its_place),
    cmocka_unit_test(groups_that_share_vertices_find_what_is_near_any_of_them),
};

TEST_GROUP(near_oracle, tests);
