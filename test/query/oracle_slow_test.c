/* The cases of oracle_test.c, in thousands, with larger meshes and more frames. */
#include "support/test.h"
#include "support/zoo_cases.h"

static void every_tree_finds_the_pairs_of_every_kind_of_mesh(void **state)
{
    (void)state;
    zoo_tally sum = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
        zoo_tally tally = {0};
        zoo_run_every_tree(kind, 60, 3, 1, 100 + kind, &tally);
        zoo_tally_print(zoo_kind_name(kind), &tally);
        zoo_tally_add(&sum, &tally);
    }
    zoo_tally_print("all kinds", &sum);
    assert_true(sum.posed > 0);
}

static void every_tree_finds_the_pairs_of_meshes_many_leaves_deep(void **state)
{
    (void)state;
    zoo_tally tally = {0};
    zoo_run_every_tree(ZOO_KIND_GRID, 600, 2, 1, 200, &tally);
    zoo_run_every_tree(ZOO_KIND_SPHERE, 400, 2, 1, 202, &tally);
    zoo_run_every_tree(ZOO_KIND_ROLLED, 300, 2, 1, 204, &tally);
    zoo_tally_print("deep trees", &tally);
}

static void bodies_in_every_pose_meet_as_their_vertices_do(void **state)
{
    (void)state;
    zoo_tally sum = {0};
    for (zoo_pose_kind pose = 0; pose < ZOO_POSE_COUNT; pose++) {
        zoo_tally tally = {0};
        for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
            for (uint64_t seed = 0; seed < 3; seed++)
                zoo_run_poses(kind, pose, 32, 4, 1000 * seed + kind, &tally);
        zoo_tally_print(zoo_pose_kind_name(pose), &tally);
        assert_true(pose == ZOO_POSE_IDENTITY ? tally.posed == 0 : tally.posed > 0);
        zoo_tally_add(&sum, &tally);
    }
    zoo_tally_print("all poses", &sum);
}

static void random_worlds_answer_random_questions(void **state)
{
    (void)state;
    zoo_tally tally = {0};
    for (uint64_t seed = 0; seed < 250; seed++) zoo_run_random(70, 4, 10000 + seed, &tally);
    for (uint64_t seed = 0; seed < 8; seed++) zoo_run_random(500, 3, 20000 + seed, &tally);
    zoo_tally_print("random worlds", &tally);
    assert_true(tally.posed > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_tree_finds_the_pairs_of_every_kind_of_mesh),
        cmocka_unit_test(every_tree_finds_the_pairs_of_meshes_many_leaves_deep),
        cmocka_unit_test(bodies_in_every_pose_meet_as_their_vertices_do),
        cmocka_unit_test(random_worlds_answer_random_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
