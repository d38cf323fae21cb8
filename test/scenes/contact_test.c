/* The spheres of `bumpy` meet first near step 60, whatever their size. */
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/test.h"
#include "willow/willow.h"

/* A scene in a world. */
typedef struct show {
    scene *scene;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
    float *xyz[2];
} show;

static void add_body(show *s, uint32_t i)
{
    const scene_body *body = &s->scene->bodies[i];
    s->xyz[i] = malloc(12 * (size_t)body->vertex_count);
    assert_non_null(s->xyz[i]);
    scene_positions(s->scene, 0, i, s->xyz[i]);
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = s->xyz[i];
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    assert_int_equal(willow_body_create(s->world, &def, &s->bodies[i]), WILLOW_OK);
}

static void start(show *s, const char *spec)
{
    char error[512];
    s->scene = scene_create(spec, error, sizeof error);
    assert_non_null(s->scene);
    willow_world_def def = willow_world_def_default();
    assert_int_equal(willow_world_create(&def, &s->world), WILLOW_OK);
    assert_int_equal(willow_scratch_create(s->world, &s->scratch), WILLOW_OK);
    for (uint32_t i = 0; i < 2; i++) add_body(s, i);
}

static void stop(show *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
    free(s->xyz[0]);
    free(s->xyz[1]);
    scene_destroy(s->scene);
}

static bool is_in_contact(show *s, uint32_t frame)
{
    for (uint32_t i = 0; i < 2; i++) {
        scene_positions(s->scene, frame, i, s->xyz[i]);
        assert_int_equal(willow_body_set_vertices(s->world, s->bodies[i], 0,
                                                  s->scene->bodies[i].vertex_count, s->xyz[i], 12),
                         WILLOW_OK);
    }
    willow_first_pair first;
    assert_int_equal(willow_world_update(s->world, frame, NULL), WILLOW_OK);
    assert_int_equal(willow_find_first_pair(s->world, s->scratch, NULL, &first), WILLOW_OK);
    return first.found;
}

static uint32_t first_contact(const char *spec)
{
    show s = {0};
    start(&s, spec);
    uint32_t frame = 0;
    while (frame < s.scene->frame_count && !is_in_contact(&s, frame)) frame++;
    bool lasts = is_in_contact(&s, s.scene->frame_count - 1);
    stop(&s);
    assert_true(lasts);
    print_message("%s: first contact at step %u\n", spec, (unsigned)frame);
    return frame;
}

static void bumpy_spheres_of_every_size_meet_near_step_60(void **state)
{
    (void)state;
    static const char *const specs[] = {"bumpy:triangles=1280", "bumpy:triangles=5120",
                                        "bumpy:triangles=20480"};
    for (int i = 0; i < 3; i++) assert_in_range(first_contact(specs[i]), 50, 70);
}

static void bumpy_spheres_of_other_seeds_meet_near_step_60(void **state)
{
    (void)state;
    static const char *const specs[] = {"bumpy:triangles=1280,seed=2",
                                        "bumpy:triangles=1280,seed=3",
                                        "bumpy:triangles=1280,seed=4"};
    for (int i = 0; i < 3; i++) assert_in_range(first_contact(specs[i]), 50, 70);
}

static void fewer_frames_show_the_same_motion(void **state)
{
    (void)state;
    assert_in_range(first_contact("bumpy:triangles=1280,frames=50"), 50 / 4, 70 / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bumpy_spheres_of_every_size_meet_near_step_60),
        cmocka_unit_test(bumpy_spheres_of_other_seeds_meet_near_step_60),
        cmocka_unit_test(fewer_frames_show_the_same_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
