/* Every method against every method in every question, posed or not: no cell may be empty or
 * another than that of BRUTE against BRUTE. Rows and columns come from the table of methods, so a
 * new one is in. */
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

static const willow_method methods[] = {
#define METHOD_ENTRY(name, words, what) WILLOW_METHOD_##name,
    WILLOW_METHODS(METHOD_ENTRY)
#undef METHOD_ENTRY
};

/* Which of the two bodies are posed, a bit each. */
static const struct {
    const char *name;
    unsigned bodies;
} poses[] = {{"no poses", 0}, {"first posed", 1}, {"second posed", 2}, {"both posed", 3}};

enum {
    FRAMES = 4,
    METHODS = sizeof methods / sizeof methods[0],
    POSES = sizeof poses / sizeof poses[0]
};

typedef struct cell {
    size_t counts[QUESTION_COUNT]; /* found, over all frames */
    uint64_t hash;                 /* of the lists of pairs */
} cell;

static uint64_t hash_of_pairs(zoo_world *w)
{
    willow_pairs pairs;
    assert_int_equal(willow_find_pairs(w->world, w->scratch, NULL, &pairs), WILLOW_OK);
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

/* A rolled sheet of method `a` and a crumpled one of method `b`, in motion. */
static cell run_cell(willow_method a, willow_method b, unsigned posed)
{
    cell result = {0};
    zoo_scene scene = {0};
    zoo_world w;
    zoo_answers answers = {0};
    zoo_question question = zoo_question_plain();
    zoo_scene_add(&scene, ZOO_KIND_ROLLED, 128, 1);
    zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 162, 2);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, willow_tree_def_default());
    setup.trees[0].method = a;
    setup.trees[1].method = b;
    zoo_world_create(&w, &scene, &setup);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        if (frame > 0) {
            move(&scene, frame, posed);
            zoo_world_follow(&w, frame);
        }
        zoo_answers_find(&scene, &question, &answers);
        for (int q = 0; q < QUESTION_COUNT; q++)
            result.counts[q] += questions[q].ask(&w, &question, &answers);
        result.hash = 31 * result.hash + hash_of_pairs(&w);
    }
    zoo_world_destroy(&w);
    zoo_answers_free(&answers);
    zoo_scene_destroy(&scene);
    return result;
}

static void print_matrix(int question, const char *pose, const cell (*cells)[METHODS])
{
    print_message("%s, %s\n%12s", questions[question].name, pose, "");
    for (int b = 0; b < METHODS; b++) print_message(" %10s", willow_method_name(methods[b]));
    print_message("\n");
    for (int a = 0; a < METHODS; a++) {
        print_message("  %-10s", willow_method_name(methods[a]));
        for (int b = 0; b < METHODS; b++) print_message(" %10zu", cells[a][b].counts[question]);
        print_message("\n");
    }
}

static void check_matrix(const cell (*cells)[METHODS], const cell *oracle)
{
    for (int a = 0; a < METHODS; a++)
        for (int b = 0; b < METHODS; b++) {
            for (int q = 0; q < QUESTION_COUNT; q++) {
                assert_true(cells[a][b].counts[q] > 0);
                assert_int_equal(cells[a][b].counts[q], oracle->counts[q]);
            }
            assert_true(cells[a][b].hash == oracle->hash);
        }
}

static void every_method_meets_every_method_in_every_question(void **state)
{
    (void)state;
    for (int pose = 0; pose < POSES; pose++) {
        const unsigned posed = poses[pose].bodies;
        cell oracle = run_cell(WILLOW_METHOD_BRUTE, WILLOW_METHOD_BRUTE, posed);
        cell cells[METHODS][METHODS];
        for (int a = 0; a < METHODS; a++)
            for (int b = 0; b < METHODS; b++) cells[a][b] = run_cell(methods[a], methods[b], posed);
        for (int q = 0; q < QUESTION_COUNT; q++)
            print_matrix(q, poses[pose].name, (const cell(*)[METHODS])cells);
        check_matrix((const cell(*)[METHODS])cells, &oracle);
    }
}

static void the_table_has_every_method_by_name(void **state)
{
    (void)state;
    assert_int_equal(METHODS, WILLOW_METHOD_COUNT);
    for (int i = 0; i < METHODS; i++) {
        willow_method found = WILLOW_METHOD_COUNT;
        assert_true(willow_method_from_name(willow_method_name(methods[i]), &found));
        assert_int_equal(found, methods[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_every_method_by_name),
        cmocka_unit_test(every_method_meets_every_method_in_every_question),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
