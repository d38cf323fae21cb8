/* Poses and the one commit: what a new pose costs, and when it is seen. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_world.h"

typedef struct posed_world {
    zoo_scene scene;
    zoo_world w;
} posed_world;

/* A sphere of about so many triangles and a small sheet through it. */
static void make_world(posed_world *p, willow_method method, uint32_t size)
{
    *p = (posed_world){0};
    zoo_scene_add(&p->scene, ZOO_KIND_SPHERE, size, 2);
    zoo_scene_add(&p->scene, ZOO_KIND_GRID, 32, 1);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(method, 8, 4));
    zoo_world_create(&p->w, &p->scene, &setup);
}

static void free_world(posed_world *p)
{
    zoo_world_destroy(&p->w);
    zoo_scene_destroy(&p->scene);
}

static willow_body_stats stats_of(const zoo_world *w, uint32_t number)
{
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(w->world, w->bodies[number].id, &stats));
    return stats;
}

static void set_pose(const zoo_world *w, uint32_t number, const willow_pose *pose)
{
    assert_ok(willow_body_set_pose(w->world, w->bodies[number].id, pose));
}

static uint64_t pairs_hash(const zoo_world *w, size_t *count)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(w->world, w->scratch, NULL, &pairs));
    *count = pairs.count;
    return willow_pairs_hash(&pairs);
}

static void check_report(const willow_update_report *report, size_t moved, size_t updated,
                         size_t built)
{
    assert_int_equal(report->bodies_moved, moved);
    assert_int_equal(report->bodies_updated, updated);
    assert_int_equal(report->bodies_built, built);
}

static void check_same_tree(const willow_body_stats *a, const willow_body_stats *b)
{
    assert_true(a->builds == b->builds && a->cost == b->cost);
    assert_int_equal(a->node_count, b->node_count);
    assert_int_equal(a->leaf_count, b->leaf_count);
    assert_int_equal(a->height, b->height);
}

static void a_pose_alone_touches_no_hierarchy_however_large(void **state)
{
    (void)state;
    for (willow_method method = WILLOW_METHOD_AUTO; method < WILLOW_METHOD_COUNT; method++)
        for (uint32_t size = 20; size <= 2000; size *= 10) {
            posed_world p;
            make_world(&p, method, size);
            willow_body_stats before = stats_of(&p.w, 0);
            for (zoo_pose_kind kind = 0; kind < ZOO_POSE_COUNT; kind++) {
                willow_update_report report;
                willow_pose pose = zoo_pose_make(kind, 1, 1), other = zoo_pose_make(kind, 1, 2);
                set_pose(&p.w, 0, &other);
                set_pose(&p.w, 0, &pose);
                assert_ok(willow_world_update(p.w.world, 0, &report));
                check_report(&report, 1, 0, 0);
                assert_int_equal(report.nodes_updated, 0);
                willow_body_stats after = stats_of(&p.w, 0);
                check_same_tree(&before, &after);
            }
            free_world(&p);
        }
}

static void a_pose_and_vertices_are_one_update(void **state)
{
    (void)state;
    willow_update_report report;
    posed_world p;
    make_world(&p, WILLOW_METHOD_BOTTOM_UP, 60);
    const zoo_mesh *mesh = &p.scene.bodies[0].mesh;
    willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, 1);
    set_pose(&p.w, 0, &pose);
    assert_ok(willow_body_set_vertices(p.w.world, p.w.bodies[0].id, 0, mesh->vertex_count,
                                       mesh->positions, 0));
    set_pose(&p.w, 1, &pose);
    assert_ok(willow_world_update(p.w.world, 0, &report));
    check_report(&report, 1, 1, 0);
    assert_true(report.nodes_updated > 0);
    assert_ok(willow_world_update(p.w.world, 0, &report));
    check_report(&report, 0, 0, 0);
    free_world(&p);
}

/* Far away there are no pairs, and back there are the same: no cache is of another pose. */
static void a_pose_is_seen_after_the_update_and_not_before(void **state)
{
    (void)state;
    for (willow_method method = WILLOW_METHOD_AUTO; method < WILLOW_METHOD_COUNT; method++) {
        posed_world p;
        size_t count, count_away;
        const willow_pose away = {{100, 0, 0}, {0, 0, 0, 1}}, home = willow_pose_identity();
        willow_pairs pairs;
        make_world(&p, method, 60);
        uint64_t hash = pairs_hash(&p.w, &count);
        assert_true(count > 0);
        for (uint32_t number = 0; number < 2; number++) {
            set_pose(&p.w, number, &away);
            assert_int_equal(willow_find_pairs(p.w.world, p.w.scratch, NULL, &pairs), WILLOW_STALE);
            assert_true(strlen(willow_scratch_message(p.w.scratch)) > 0);
            assert_ok(willow_world_update(p.w.world, 0, NULL));
            (void)pairs_hash(&p.w, &count_away);
            assert_true(count_away < count);
            set_pose(&p.w, number, &home);
            assert_int_equal(willow_find_pairs(p.w.world, p.w.scratch, NULL, &pairs), WILLOW_STALE);
            assert_ok(willow_world_update(p.w.world, 0, NULL));
            assert_true(pairs_hash(&p.w, &count_away) == hash);
        }
        free_world(&p);
    }
}

/* Moved together, two bodies stay as they are to each other; small shifts by eighths are exact. */
static void every_step_of_a_motion_is_seen(void **state)
{
    (void)state;
    enum { STEPS = 40 };
    posed_world p;
    zoo_answers answers = {0};
    zoo_question question = zoo_question_plain();
    size_t pairs = 0, changes = 0, before = 0;
    make_world(&p, WILLOW_METHOD_BOTTOM_UP, 200);
    for (uint32_t step = 0; step < STEPS; step++) {
        zoo_scene_stay(&p.scene);
        p.scene.bodies[1].pose.translation.z = (float)step / 16.0F - 1.25F;
        p.scene.bodies[1].is_turned = true;
        zoo_world_follow(&p.w, step);
        zoo_answers_find(&p.scene, &question, &answers);
        size_t count = zoo_world_check(&p.w, &question, &answers);
        changes += count != before;
        before = count;
        pairs += count;
    }
    print_message("%zu pairs found, %zu changes\n", pairs, changes);
    assert_true(pairs > 0 && changes > STEPS / 4);
    zoo_answers_free(&answers);
    free_world(&p);
}

static void the_box_of_a_body_contains_its_vertices_in_every_pose(void **state)
{
    (void)state;
    size_t vertices = 0;
    for (zoo_pose_kind kind = 0; kind < ZOO_POSE_COUNT; kind++)
        for (uint64_t seed = 0; seed < 20; seed++) {
            posed_world p;
            make_world(&p, (willow_method)(seed % WILLOW_METHOD_COUNT), 60);
            willow_pose pose = zoo_pose_make(kind, seed, seed);
            uint32_t count = p.scene.bodies[0].mesh.vertex_count;
            willow_vec3 *copied = calloc(count, sizeof *copied);
            willow_body_info info;
            set_pose(&p.w, 0, &pose);
            assert_ok(willow_world_update(p.w.world, 0, NULL));
            assert_ok(willow_body_get_info(p.w.world, p.w.bodies[0].id, &info));
            assert_ok(willow_body_copy_vertices(p.w.world, p.w.bodies[0].id, 0, count, copied));
            for (uint32_t i = 0; i < count; i++) {
                assert_true(info.box.lower.x <= copied[i].x && copied[i].x <= info.box.upper.x);
                assert_true(info.box.lower.y <= copied[i].y && copied[i].y <= info.box.upper.y);
                assert_true(info.box.lower.z <= copied[i].z && copied[i].z <= info.box.upper.z);
                vertices++;
            }
            free(copied);
            free_world(&p);
        }
    assert_true(vertices > 0);
}

/* Copies are of the pose last set, the box is of the last update. */
static void copies_do_not_wait_for_the_update(void **state)
{
    (void)state;
    posed_world p;
    const willow_pose pose = {{0.5F, -2, 8}, {0, 0, 1, 1}};
    willow_vec3 expected[4], copied[4];
    willow_body_info before, after;
    make_world(&p, WILLOW_METHOD_BOTTOM_UP, 60);
    assert_ok(willow_body_get_info(p.w.world, p.w.bodies[0].id, &before));
    set_pose(&p.w, 0, &pose);
    willow_pose_apply(&pose, p.scene.bodies[0].mesh.positions[2], 0, 4, expected);
    assert_ok(willow_body_copy_vertices(p.w.world, p.w.bodies[0].id, 2, 4, copied));
    assert_memory_equal(copied, expected, sizeof copied);
    assert_ok(willow_body_get_info(p.w.world, p.w.bodies[0].id, &after));
    assert_memory_equal(&after.pose, &pose, sizeof pose);
    assert_memory_equal(&after.box, &before.box, sizeof before.box);
    assert_ok(willow_world_update(p.w.world, 0, NULL));
    assert_ok(willow_body_get_info(p.w.world, p.w.bodies[0].id, &after));
    assert_true(memcmp(&after.box, &before.box, sizeof before.box) != 0);
    free_world(&p);
}

static void the_hash_of_a_world_has_its_poses(void **state)
{
    (void)state;
    posed_world p;
    make_world(&p, WILLOW_METHOD_BOTTOM_UP, 60);
    const willow_pose home = p.scene.bodies[1].pose;
    uint64_t hash = willow_world_hash(p.w.world), seen[7];
    for (size_t place = 0; place < 7; place++) {
        willow_pose pose = home;
        memcpy((char *)&pose + place * sizeof(float), &(float){0.25F}, sizeof(float));
        set_pose(&p.w, 1, &pose);
        seen[place] = willow_world_hash(p.w.world);
        assert_true(seen[place] != hash);
        for (size_t i = 0; i < place; i++) assert_true(seen[place] != seen[i]);
    }
    set_pose(&p.w, 1, &home);
    assert_true(willow_world_hash(p.w.world) == hash);
    free_world(&p);
}

/* Both find the same; opening only the larger node opens them one by one. */
static void the_ways_to_descend_are_different_walks(void **state)
{
    (void)state;
    posed_world p;
    size_t count[2];
    uint64_t hash[2], opened[2];
    const willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, 3);
    make_world(&p, WILLOW_METHOD_BOTTOM_UP, 600);
    set_pose(&p.w, 1, &pose);
    assert_ok(willow_world_update(p.w.world, 0, NULL));
    for (int i = 0; i < 2; i++) {
        willow_query_options options = willow_query_options_default();
        willow_pairs pairs;
        options.descend = i == 0 ? WILLOW_DESCEND_BOTH : WILLOW_DESCEND_LARGER;
        willow_scratch_reset_stats(p.w.scratch);
        assert_ok(willow_find_pairs(p.w.world, p.w.scratch, &options, &pairs));
        hash[i] = willow_pairs_hash(&pairs);
        count[i] = pairs.count;
        opened[i] = willow_scratch_stats(p.w.scratch).nodes_opened;
    }
    print_message("%zu pairs found, %llu and %llu nodes opened\n", count[0],
                  (unsigned long long)opened[0], (unsigned long long)opened[1]);
    assert_true(count[0] > 0 && hash[0] == hash[1] && opened[0] != opened[1]);
    free_world(&p);
}

/* The larger node is opened whichever body it is of, so the order of bodies does not matter. */
static void the_larger_node_is_opened_on_either_side(void **state)
{
    (void)state;
    uint64_t opened[2];
    const willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, 3);
    for (int order = 0; order < 2; order++) {
        posed_world p = {0};
        willow_query_options options = willow_query_options_default();
        willow_pairs pairs;
        for (int i = 0; i < 2; i++) {
            bool is_small = i == order;
            zoo_scene_add(&p.scene, is_small ? ZOO_KIND_SPHERE : ZOO_KIND_CRUMPLED, 400, 2);
            p.scene.bodies[i].self = false;
            if (is_small) p.scene.bodies[i].pose = pose;
            zoo_mesh *mesh = &p.scene.bodies[i].mesh;
            for (uint32_t v = 0; v < mesh->vertex_count && is_small; v++)
                for (int axis = 0; axis < 3; axis++) mesh->positions[v][axis] *= 0.2F;
        }
        zoo_setup setup =
            zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 2));
        zoo_world_create(&p.w, &p.scene, &setup);
        options.descend = WILLOW_DESCEND_LARGER;
        assert_ok(willow_find_pairs(p.w.world, p.w.scratch, &options, &pairs));
        assert_true(pairs.count > 0);
        opened[order] = willow_scratch_stats(p.w.scratch).nodes_opened;
        free_world(&p);
    }
    print_message("%llu nodes opened\n", (unsigned long long)opened[0]);
    assert_true(opened[0] == opened[1]);
}

/* ---- no memory ---- */

/* Two bodies that wait for trees, of an allocator of which the n-th call of the update fails. */
static void an_update_that_goes_on_counts_every_body_once(void **state)
{
    (void)state;
    size_t failures = 0;
    bool has_failed = true;
    for (size_t n = 1; has_failed; n++) {
        test_allocator allocator = {0};
        posed_world p = {0};
        willow_update_report first, second = {0};
        zoo_scene_add(&p.scene, ZOO_KIND_SPHERE, 60, 1);
        zoo_scene_add(&p.scene, ZOO_KIND_SOUP, 60, 2);
        zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, willow_tree_def_default());
        setup.world.allocator = test_allocator_functions(&allocator);
        zoo_world_create(&p.w, &p.scene, &setup);
        for (int i = 0; i < 2; i++) {
            willow_tree_def other = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 2, 2);
            assert_ok(willow_body_set_tree(p.w.world, p.w.bodies[i].id, &other));
        }
        allocator.fail_at = atomic_load(&allocator.calls) + n;
        has_failed = willow_world_update(p.w.world, 0, &first) != WILLOW_OK;
        if (has_failed) assert_ok(willow_world_update(p.w.world, 0, &second));
        assert_int_equal(first.bodies_updated + second.bodies_updated, 2);
        assert_int_equal(first.bodies_moved + second.bodies_moved, 0);
        failures += has_failed;
        free_world(&p);
        assert_true(test_allocator_is_clean(&allocator));
    }
    print_message("%zu updates failed once\n", failures);
    assert_true(failures > 2);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_pose_alone_touches_no_hierarchy_however_large),
    cmocka_unit_test(a_pose_and_vertices_are_one_update),
    cmocka_unit_test(a_pose_is_seen_after_the_update_and_not_before),
    cmocka_unit_test(every_step_of_a_motion_is_seen),
    cmocka_unit_test(the_box_of_a_body_contains_its_vertices_in_every_pose),
    cmocka_unit_test(copies_do_not_wait_for_the_update),
    cmocka_unit_test(the_hash_of_a_world_has_its_poses),
    cmocka_unit_test(the_ways_to_descend_are_different_walks),
    cmocka_unit_test(the_larger_node_is_opened_on_either_side),
    cmocka_unit_test(an_update_that_goes_on_counts_every_body_once),
};

TEST_GROUP(pose_update, tests);
