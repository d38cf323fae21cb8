/* Bodies that are given their paths once are where the scene has them in every frame, to the bit:
 * in a world, and in the pass that makes positions for peers. */
#include <string.h>
#include "support/fixture.h"
#include "support/test.h"

#include "bench/play/player.c"
#include "bench/play/watches.c"

/* What the options of the tool come to. */
willow_world_def engine_world_def(const engine_options *e)
{
    (void)e;
    return willow_world_def_default();
}

willow_query_options engine_query_options(const engine_options *e)
{
    (void)e;
    return willow_query_options_default();
}

/* ---- a scene on its way ---- */

typedef struct run {
    scene *scene;
    paths paths;
    float **wanted, **made;
    willow_vec3 *copied;
    path_follower follower;
    player player;
    willow_update_report sum;
} run;

static run *begin(const char *spec, uint32_t frames, willow_method method, engine_poses poses)
{
    static const bool self[8];
    run *r = calloc(1, sizeof *r);
    engine_options engine = {
        .threads = 1, .tree = willow_tree_def_default(), .plans = true, .poses = poses};
    engine.tree.method = method;
    r->scene = fixture_scene(spec);
    assert_true(r->scene->body_count <= sizeof self);
    assert_true(paths_create(&r->paths, r->scene, frames));
    r->wanted = scene_arrays_create(r->scene);
    r->made = scene_arrays_create(r->scene);
    r->copied = calloc(scene_triangle_total(r->scene) * 3, sizeof *r->copied);
    scene_arrays_fill(r->scene, 0, r->wanted);
    scene_arrays_fill(r->scene, 0, r->made);
    assert_true(path_follower_create(&r->follower, &r->paths, r->wanted));
    assert_true(
        player_create_on_paths(&r->player, r->scene, &r->paths, r->wanted, self, &engine, &r->sum));
    return r;
}

static void end(run *r)
{
    player_destroy(&r->player);
    path_follower_destroy(&r->follower);
    free(r->copied);
    scene_arrays_destroy(r->scene, r->made);
    scene_arrays_destroy(r->scene, r->wanted);
    paths_destroy(&r->paths);
    scene_destroy(r->scene);
    free(r);
}

/* How many coordinates are not those of the scene. */
static size_t count_differences(const run *r, uint32_t body, const void *got)
{
    size_t size = 3 * sizeof(float), count = 0;
    for (size_t i = 0; i < r->scene->bodies[body].vertex_count; i++) {
        count += memcmp((const char *)got + i * size, r->wanted[body] + 3 * i, size) != 0;
    }
    return count;
}

static void compare(run *r)
{
    for (uint32_t i = 0; i < r->scene->body_count; i++) {
        willow_result result = willow_body_copy_vertices(
            r->player.world, r->player.bodies[i], 0, r->scene->bodies[i].vertex_count, r->copied);
        assert_int_equal(result, WILLOW_OK);
        assert_int_equal(count_differences(r, i, r->copied), 0);
        if (scene_body_has_path(r->scene, i)) {
            assert_int_equal(count_differences(r, i, r->made[i]), 0);
        }
    }
}

/* Goes through all frames; how many positions of bodies with paths differ from those of frame 0. */
static size_t play(run *r, uint32_t frames)
{
    size_t moved = 0;
    for (uint32_t frame = 0; frame < frames; frame++) {
        willow_update_report report;
        scene_arrays_fill(r->scene, frame, r->wanted);
        if (frame > 0) {
            path_follower_go(&r->follower, frame, r->made);
            player_prepare(&r->player, frame);
            assert_true(player_go(&r->player, frame, &report));
            player_add_report(&r->sum, &report);
        }
        compare(r);
    }
    for (uint32_t i = 0; i < r->scene->body_count; i++) {
        if (!scene_body_has_path(r->scene, i)) continue;
        scene_positions(r->scene, 0, i, r->made[i]);
        moved += count_differences(r, i, r->made[i]);
    }
    return moved;
}

static void play_all(const char *spec, uint32_t frames, engine_poses poses)
{
    static const willow_method methods[] = {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_KINETIC_AABB};
    for (int i = 0; i < 2; i++) {
        run *r = begin(spec, frames, methods[i], poses);
        assert_int_equal(r->scene->frame_count >= frames, true);
        assert_true(play(r, frames) > 0);
        if (methods[i] == WILLOW_METHOD_KINETIC_AABB) assert_true(r->sum.setups > 0);
        end(r);
    }
}

/* ---- the tests ---- */

static void keyframes_are_followed_to_the_bit(void **state)
{
    (void)state;
    play_all("avatar:triangles=300,frames=45,inbetween=6", 45, POSES_NONE);
    play_all("avatar:triangles=300,frames=45,inbetween=0,variant=dress", 45, POSES_ALL);
    play_all("tablecloth:triangles=200,frames=50,inbetween=20", 50, POSES_NONE);
    play_all("tablecloth:triangles=200,frames=50,inbetween=9", 23, POSES_GIVEN);
    play_all("selfcloth:triangles=200,frames=30,inbetween=3", 30, POSES_NONE);
}

/* 200 frames have all changes at frames; 150, 73 and 20 have them in between too. */
static void changes_of_plans_are_made_at_their_own_times(void **state)
{
    (void)state;
    play_all("spheres:triangles=320,frames=200", 200, POSES_NONE);
    play_all("spheres:triangles=320,frames=150", 150, POSES_ALL);
    play_all("spheres:triangles=320,frames=73", 73, POSES_NONE);
    play_all("spheres:triangles=320,frames=20", 20, POSES_NONE);
}

static void all_changes_of_the_frames_are_made(void **state)
{
    (void)state;
    run *r = begin("spheres:triangles=320,frames=200", 200, WILLOW_METHOD_KINETIC_AABB, POSES_NONE);
    size_t wanted = 0;
    for (uint32_t i = 0; i < 2; i++) {
        size_t count;
        const scene_change *changes = scene_changes(r->scene, i, &count);
        for (size_t k = 0; k < count; k++) wanted += changes[k].time < scene_time(r->scene, 199);
    }
    size_t before = r->player.next_change[0] + r->player.next_change[1];
    assert_int_equal(before, r->scene->bodies[0].vertex_count + r->scene->bodies[1].vertex_count);
    play(r, 200);
    assert_int_equal(r->player.next_change[0] + r->player.next_change[1], wanted);
    assert_true(wanted > before);
    end(r);
}

/* As many keyframes as the frames need, and no more. */
static void only_the_keyframes_of_the_run_are_made(void **state)
{
    (void)state;
    static const uint32_t frames[] = {1, 2, 8, 9, 44, 45}, keys[] = {1, 2, 2, 3, 8, 8};
    scene *s = fixture_scene("avatar:triangles=300,frames=45,inbetween=6");
    for (int i = 0; i < 6; i++) {
        paths p;
        assert_true(paths_create(&p, s, frames[i]));
        assert_int_equal(p.key_count, keys[i]);
        paths_destroy(&p);
    }
    scene_destroy(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(keyframes_are_followed_to_the_bit),
    cmocka_unit_test(changes_of_plans_are_made_at_their_own_times),
    cmocka_unit_test(all_changes_of_the_frames_are_made),
    cmocka_unit_test(only_the_keyframes_of_the_run_are_made),
};

TEST_GROUP(plans, tests);
