/* Every method and setting against every other in every question, posed or not: no cell may be
 * empty or another than that of BRUTE against BRUTE. Rows and columns come from the tables of
 * methods and of settings, so a new one is in. */
#include "support/test.h"
#include "support/zoo_world.h"

/* X(enum, name, check) */
#define QUESTIONS(X)                                                                               \
    X(PAIRS, "pairs", zoo_check_pairs)                                                             \
    X(SELF, "self pairs", zoo_check_self_pairs)                                                    \
    X(FIRST, "first pair", zoo_check_first)                                                        \
    X(VISIT, "visit pairs", zoo_check_visit)                                                       \
    X(BOX, "visit box", zoo_check_box)

enum {
#define QUESTION_ENTRY(name, words, check) QUESTION_##name,
    QUESTIONS(QUESTION_ENTRY)
#undef QUESTION_ENTRY
        QUESTION_COUNT
};

typedef size_t check(zoo_world *w, const zoo_question *question, const zoo_answers *expected);

static const struct {
    const char *name;
    check *ask;
} questions[QUESTION_COUNT] = {
#define QUESTION_ENTRY(name, words, check) [QUESTION_##name] = {words, check},
    QUESTIONS(QUESTION_ENTRY)
#undef QUESTION_ENTRY
};

/* Which of the two bodies are posed, a bit each. */
static const struct {
    const char *name;
    unsigned bodies;
} poses[] = {{"no poses", 0}, {"first posed", 1}, {"second posed", 2}, {"both posed", 3}};

enum { FRAMES = 3, ROWS = ZOO_VARIANT_COUNT, POSES = sizeof poses / sizeof poses[0] };

typedef struct cell {
    size_t counts[QUESTION_COUNT]; /* found, over all frames */
    uint64_t hash;                 /* of the lists of pairs */
} cell;

static uint64_t hash_of_pairs(zoo_world *w)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(w->world, w->scratch, NULL, &pairs));
    return willow_pairs_hash(&pairs);
}

/* In odd frames only poses change, if there are any. */
static void move(zoo_scene *scene, uint32_t frame, unsigned posed)
{
    zoo_scene_stay(scene);
    if (posed == 0 || frame % 2 == 0) zoo_scene_move_all(scene, frame);
    for (uint32_t i = 0; i < 2; i++) {
        if ((posed >> i & 1) == 0) continue;
        scene->bodies[i].pose = zoo_pose_make(ZOO_POSE_TURNED, 0, 2 * frame + i);
        scene->bodies[i].is_turned = true;
    }
}

static void make_scene(zoo_scene *scene)
{
    *scene = (zoo_scene){0};
    zoo_scene_add(scene, ZOO_KIND_ROLLED, 98, 1);
    zoo_scene_add(scene, ZOO_KIND_CRUMPLED, 98, 2);
}

/* By loops over all triangles, the same for all cells. */
static void find_answers(unsigned posed, zoo_answers answers[FRAMES])
{
    zoo_scene scene;
    zoo_question question = zoo_question_plain();
    make_scene(&scene);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (frame > 0) move(&scene, frame, posed);
        zoo_answers_find(&scene, &question, &answers[frame]);
    }
    zoo_scene_destroy(&scene);
}

/* A rolled sheet of variant `a` and a crumpled one of variant `b`, in motion. Of the questions
 * another one is the first in every frame and cell. */
static cell run_cell(uint32_t a, uint32_t b, unsigned posed, const zoo_answers answers[FRAMES])
{
    cell result = {0};
    zoo_scene scene;
    zoo_world w;
    zoo_question question = zoo_question_plain();
    make_scene(&scene);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, willow_tree_def_default());
    setup.trees[0] = zoo_variant_tree(a, 8, 1);
    setup.trees[1] = zoo_variant_tree(b, 2, 2);
    zoo_world_create(&w, &scene, &setup);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (frame > 0) {
            move(&scene, frame, posed);
            zoo_world_follow(&w, frame);
        }
        for (uint32_t i = 0; i < QUESTION_COUNT; i++) {
            const uint32_t q = (i + a + b + frame) % QUESTION_COUNT;
            result.counts[q] += questions[q].ask(&w, &question, &answers[frame]);
        }
        result.hash = 31 * result.hash + hash_of_pairs(&w);
    }
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
    return result;
}

static void print_matrix(int question, const char *pose, const cell (*cells)[ROWS])
{
    print_message("%s, %s\n%14s", questions[question].name, pose, "");
    for (uint32_t b = 0; b < ROWS; b++) print_message(" %12s", zoo_variant_name(b));
    print_message("\n");
    for (uint32_t a = 0; a < ROWS; a++) {
        print_message("  %-12s", zoo_variant_name(a));
        for (uint32_t b = 0; b < ROWS; b++) print_message(" %12zu", cells[a][b].counts[question]);
        print_message("\n");
    }
}

static void check_matrix(const cell (*cells)[ROWS], const cell *oracle)
{
    for (uint32_t a = 0; a < ROWS; a++)
        for (uint32_t b = 0; b < ROWS; b++) {
            for (int q = 0; q < QUESTION_COUNT; q++) {
                assert_true(cells[a][b].counts[q] > 0);
                assert_int_equal(cells[a][b].counts[q], oracle->counts[q]);
            }
            assert_true(cells[a][b].hash == oracle->hash);
        }
}

/* Under ASan each two methods meet under one of the poses. */
static void every_method_meets_every_method_in_every_question(void **state)
{
    (void)state;
    for (int pose = 0; pose < POSES; pose++) {
        const unsigned posed = poses[pose].bodies;
        zoo_answers answers[FRAMES] = {0};
        find_answers(posed, answers);
        cell oracle = run_cell(WILLOW_METHOD_BRUTE, WILLOW_METHOD_BRUTE, posed, answers);
        cell cells[ROWS][ROWS];
        for (uint32_t a = 0; a < ROWS; a++)
            for (uint32_t b = 0; b < ROWS; b++) {
                const bool is_left_out = TEST_HAS_ASAN && (a + b + (uint32_t)pose) % POSES != 0;
                cells[a][b] = is_left_out ? oracle : run_cell(a, b, posed, answers);
            }
        for (int q = 0; q < QUESTION_COUNT; q++)
            print_matrix(q, poses[pose].name, (const cell(*)[ROWS])cells);
        check_matrix((const cell(*)[ROWS])cells, &oracle);
        for (int frame = 0; frame < FRAMES; frame++) zoo_answers_free(&answers[frame]);
    }
}

static void the_table_has_every_method_by_name(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < WILLOW_METHOD_COUNT; i++) {
        willow_method found = WILLOW_METHOD_COUNT;
        assert_true(willow_method_from_name(zoo_variant_name(i), &found));
        assert_int_equal(found, i);
        assert_int_equal(zoo_variant_tree(i, 8, 0).method, i);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_table_has_every_method_by_name),
    cmocka_unit_test(every_method_meets_every_method_in_every_question),
};

TEST_GROUP(matrix, tests);
