/* zoo_cases.c - drives worlds of the zoo through frames.
 * Way in: zoo_run_every_tree and zoo_run_random. Answers are found once per frame and question, and
 * held against all worlds; the first world is always BRUTE. */
#include "support/zoo_cases.h"

#include <stdlib.h>
#include "support/test.h"

const uint32_t zoo_leaf_sizes[ZOO_LEAF_SIZES] = {1, 2, 3, 7, 8, 16, 31, 32};
const uint32_t zoo_arities[ZOO_ARITIES] = {2, 4, 8};

static const willow_kernel kernels[] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AVX2};

enum {
    KERNELS = sizeof kernels / sizeof kernels[0],
    MAX_WORLDS = KERNELS * WILLOW_METHOD_COUNT * ZOO_ARITIES * ZOO_LEAF_SIZES
};

typedef struct many_worlds {
    zoo_scene scene;
    zoo_world *worlds;
    uint32_t count;
    zoo_answers answers;
} many_worlds;

static void add_world(many_worlds *all, const zoo_setup *setup)
{
    assert_true(all->count < MAX_WORLDS);
    if (zoo_has_kernel(setup->world.kernel))
        zoo_world_create(&all->worlds[all->count++], &all->scene, setup);
}

static void check_other(zoo_world *w, const zoo_question *question, const zoo_answers *expected,
                        uint32_t turn)
{
    switch (turn % 4) {
    case 0: (void)zoo_check_self_pairs(w, question, expected); break;
    case 1: (void)zoo_check_first(w, question, expected); break;
    case 2: (void)zoo_check_visit(w, question, expected); break;
    default: (void)zoo_check_box(w, question, expected); break;
    }
}

/* All worlds find the pairs; the other forms of the question go round among them, and each is by
 * turns the first that is asked. */
static void check_in_turns(many_worlds *all, const zoo_question *question, uint32_t turn,
                           zoo_tally *tally)
{
    zoo_answers_find(&all->scene, question, &all->answers);
    for (uint32_t i = 0; i < all->count; i++) {
        zoo_world *w = &all->worlds[i];
        const bool is_first = (i / 4 + turn) % 2 == 0;
        if (is_first) check_other(w, question, &all->answers, i + turn);
        tally->pairs += zoo_check_pairs(w, question, &all->answers);
        tally->posed += all->answers.posed;
        tally->cases++;
        if (!is_first) check_other(w, question, &all->answers, i + turn);
    }
}

static void check_all(many_worlds *all, const zoo_question *question, zoo_tally *tally)
{
    zoo_answers_find(&all->scene, question, &all->answers);
    for (uint32_t i = 0; i < all->count; i++) {
        tally->pairs += zoo_world_check(&all->worlds[i], question, &all->answers);
        if (question->max_results == 0) tally->posed += all->answers.posed;
        tally->cases++;
    }
}

static void free_all(many_worlds *all)
{
    for (uint32_t i = 0; i < all->count; i++) zoo_world_destroy(&all->worlds[i]);
    free(all->worlds);
    zoo_answers_free(&all->answers);
    zoo_scene_destroy(&all->scene);
}

/* ---- every tree ---- */

static void add_every_tree(many_worlds *all, willow_kernel kernel, willow_method method,
                           uint32_t share, uint64_t turn)
{
    for (uint32_t a = 0; a < ZOO_ARITIES; a++)
        for (uint32_t l = 0; l < ZOO_LEAF_SIZES; l++) {
            const uint32_t number = a * ZOO_LEAF_SIZES + l;
            if ((number + turn) % share != 0) continue;
            willow_tree_def tree = zoo_tree(method, zoo_arities[a], zoo_leaf_sizes[l]);
            zoo_setup setup = zoo_setup_with(kernel, tree);
            setup.formats = number;
            for (uint32_t i = 0; i < ZOO_MAX_BODIES; i++)
                zoo_tree_vary(&setup.trees[i], a + l + i + turn);
            add_world(all, &setup);
            /* No tree, or one of another method. */
            if (method == WILLOW_METHOD_BRUTE || method == WILLOW_METHOD_AUTO) return;
        }
}

/* Poses that move something, but not those that make everything meet: there are many worlds. */
static zoo_pose_kind pose_for(uint64_t turn)
{
    return (zoo_pose_kind)(ZOO_POSE_SHIFTED + turn % (ZOO_POSE_REMOTE - ZOO_POSE_SHIFTED));
}

void zoo_run_every_tree(zoo_kind kind, uint32_t size, uint32_t frames, uint32_t share,
                        uint64_t seed, zoo_tally *tally)
{
    many_worlds all = {.worlds = calloc(MAX_WORLDS, sizeof *all.worlds)};
    zoo_scene_add(&all.scene, kind, size, seed);
    zoo_scene_add(&all.scene, kind, size, seed + 1);
    zoo_scene_add(&all.scene, seed % 2 == 0 ? ZOO_KIND_CRUMPLED : ZOO_KIND_WEB, size, seed + 2);
    for (int k = 0; k < KERNELS; k++)
        for (willow_method method = WILLOW_METHOD_COUNT; method-- > WILLOW_METHOD_AUTO;)
            add_every_tree(&all, kernels[k], method, share, seed / 2 + (uint64_t)k + method);
    for (uint32_t frame = 0; frame < frames; frame++) {
        zoo_question question = zoo_question_plain();
        question.skip_neighbours = frame % 2 == 1;
        question.descend = (willow_descend)((seed + frame) % WILLOW_DESCEND_COUNT);
        zoo_scene_stay(&all.scene);
        if (frame % 2 == 1) zoo_scene_move_all(&all.scene, frame);
        if (frame >= 2) zoo_scene_pose_all(&all.scene, pose_for(seed / 2 + frame), seed, frame);
        if (frame >= 1) zoo_scene_mask_some(&all.scene, seed + frame);
        for (uint32_t i = 0; i < all.count && frame > 0; i++)
            zoo_world_follow(&all.worlds[i], seed + frame);
        check_in_turns(&all, &question, frame, tally);
    }
    free_all(&all);
}

/* ---- random worlds ---- */

static void add_random_bodies(zoo_scene *scene, uint32_t size, uint64_t *random)
{
    uint32_t count = 1 + (uint32_t)(test_random(random) % 5);
    bool has_masks = test_random(random) % 3 == 0;
    for (uint32_t i = 0; i < count; i++) {
        zoo_kind kind = (zoo_kind)(test_random(random) % ZOO_KIND_COUNT);
        uint64_t seed = test_random(random) % 1000;
        zoo_scene_add(scene, kind, 1 + (uint32_t)(test_random(random) % size), seed);
        zoo_body *body = &scene->bodies[i];
        body->self = test_random(random) % 2 == 0;
        if (seed % 3 == 0) zoo_mesh_group(&body->mesh, seed);
        if (!has_masks) continue;
        body->category_bits = UINT64_C(1) << (test_random(random) % 2 * 63);
        body->mask_bits = test_random(random);
    }
}

static willow_tree_def random_tree(uint64_t *random)
{
    willow_method method = (willow_method)(test_random(random) % WILLOW_METHOD_COUNT);
    uint32_t leaf_triangles = (uint32_t)(test_random(random) % 33);
    uint32_t arity = zoo_arities[test_random(random) % ZOO_ARITIES];
    willow_tree_def tree = zoo_tree(method, arity, leaf_triangles);
    zoo_tree_vary(&tree, test_random(random));
    return tree;
}

static zoo_setup random_setup(uint64_t *random)
{
    willow_tree_def tree = random_tree(random);
    zoo_setup setup = zoo_setup_with(kernels[test_random(random) % KERNELS], tree);
    for (int i = 0; i < ZOO_MAX_BODIES; i++) setup.trees[i] = random_tree(random);
    setup.world.thread_count = 1 + (uint32_t)(test_random(random) % 5);
    setup.formats = test_random(random);
    return setup;
}

/* A world of BRUTE, and others of random trees. */
static void add_random_worlds(many_worlds *all, uint32_t count, uint64_t *random)
{
    zoo_setup plain = zoo_setup_with(WILLOW_KERNEL_SCALAR, zoo_tree(WILLOW_METHOD_BRUTE, 2, 1));
    add_world(all, &plain);
    while (all->count < count) {
        zoo_setup setup = random_setup(random);
        add_world(all, &setup);
    }
}

void zoo_run_poses(zoo_kind kind, zoo_pose_kind pose, uint32_t size, uint32_t frames, uint64_t seed,
                   zoo_tally *tally)
{
    enum { WORLDS = 4 };
    uint64_t random = seed;
    many_worlds all = {.worlds = calloc(WORLDS, sizeof *all.worlds)};
    zoo_scene_add(&all.scene, kind, size, seed);
    zoo_scene_add(&all.scene, kind, size, seed + (seed % 2)); /* of one mesh by turns */
    zoo_scene_add(&all.scene, ZOO_KIND_LATTICE, size / 2 + 1, seed + 2);
    zoo_scene_pose_all(&all.scene, pose, seed, 0);
    add_random_worlds(&all, WORLDS, &random);
    for (uint32_t frame = 0; frame < frames; frame++) {
        zoo_scene_stay(&all.scene);
        if (frame % 3 == 2) zoo_scene_move_some(&all.scene, frame, seed);
        if (frame > 0) zoo_scene_pose_some(&all.scene, pose, seed, frame);
        if (frame > 0) zoo_scene_mask_some(&all.scene, seed + frame);
        for (uint32_t i = 0; i < all.count && frame > 0; i++)
            zoo_world_follow(&all.worlds[i], test_random(&random));
        zoo_question question = zoo_question_random(&all.scene, test_random(&random));
        check_all(&all, &question, tally);
    }
    free_all(&all);
}

/* In every second frame some bodies stay where they are or get poses only. */
static void move_randomly(zoo_scene *scene, uint32_t size, uint32_t frame, uint64_t seed,
                          uint64_t *random)
{
    uint64_t choice = test_random(random);
    zoo_scene_stay(scene);
    if (choice % 4 != 0) zoo_scene_move_some(scene, frame, seed);
    if (choice % 3 != 0) zoo_scene_mask_some(scene, choice);
    if (choice / 4 % 2 == 0) return;
    /* Large bodies are not made one point: all their triangles would meet. */
    zoo_pose_kind kind = size > 100 ? pose_for(choice / 8) : choice / 8 % ZOO_POSE_COUNT;
    if (choice / 256 % 2 == 0)
        zoo_scene_pose_all(scene, kind, seed, choice);
    else
        zoo_scene_pose_some(scene, kind, seed, choice);
}

void zoo_run_random(uint32_t size, uint32_t frames, uint64_t seed, zoo_tally *tally)
{
    enum { WORLDS = 4 };
    uint64_t random = seed;
    many_worlds all = {.worlds = calloc(WORLDS, sizeof *all.worlds)};
    add_random_bodies(&all.scene, size, &random);
    if (seed % 2 == 0)
        zoo_scene_pose_some(&all.scene, size > 100 ? ZOO_POSE_TURNED : ZOO_POSE_MIXED, seed, seed);
    add_random_worlds(&all, WORLDS, &random);
    for (uint32_t frame = 0; frame < frames; frame++) {
        if (frame > 0) move_randomly(&all.scene, size, frame, seed, &random);
        for (uint32_t i = 0; i < all.count && frame > 0; i++)
            zoo_world_follow(&all.worlds[i], test_random(&random));
        zoo_question question = zoo_question_random(&all.scene, test_random(&random));
        check_all(&all, &question, tally);
    }
    free_all(&all);
}

void zoo_tally_print(const char *what, const zoo_tally *tally)
{
    print_message("%s: %zu cases, %zu pairs found, %zu of posed bodies\n", what, tally->cases,
                  tally->pairs, tally->posed);
    assert_true(tally->pairs > 0);
}

void zoo_tally_add(zoo_tally *sum, const zoo_tally *tally)
{
    sum->cases += tally->cases;
    sum->pairs += tally->pairs;
    sum->posed += tally->posed;
}
