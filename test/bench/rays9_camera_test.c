/* What the camera of rays9 sees: as in the paper it stands for, the number of visible bodies
 * varies, more than half of them are visible in most frames, and in some frames none is. */
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"

#include "bench/rays/ray_frame.c"

enum { BODIES = 9, EVERY = 4 };

typedef struct seen_world {
    scene *scene;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id ids[BODIES];
    float *xyz;
} seen_world;

static void open_seen(seen_world *w)
{
    *w = (seen_world){.scene = fixture_scene("rays9:triangles=320,sampling=16"),
                      .world = fixture_world(NULL)};
    assert_int_equal(w->scene->body_count, BODIES);
    w->xyz = calloc(3 * (size_t)w->scene->bodies[0].vertex_count, sizeof *w->xyz);
    for (uint32_t i = 0; i < BODIES; i++) {
        const scene_body *body = &w->scene->bodies[i];
        willow_body_def def = willow_body_def_default();
        scene_positions(w->scene, 0, i, w->xyz);
        def.mesh = FIXTURE_MESH(w->xyz, body->vertex_count, body->indices, body->triangle_count);
        def.user_data = i;
        w->ids[i] = fixture_body(w->world, &def);
    }
    w->scratch = fixture_scratch(w->world);
}

static void close_seen(seen_world *w)
{
    fixture_close(w->world, w->scratch);
    scene_destroy(w->scene);
    free(w->xyz);
}

static uint32_t count_visible(seen_world *w, ray_frame *f, uint32_t frame)
{
    scene_camera camera;
    willow_casts casts;
    unsigned seen = 0;
    for (uint32_t i = 0; i < BODIES; i++) {
        scene_positions(w->scene, frame, i, w->xyz);
        assert_ok(willow_body_set_vertices(w->world, w->ids[i], 0, w->scene->bodies[i].vertex_count,
                                           w->xyz, 0));
    }
    assert_ok(willow_world_update(w->world, frame, NULL));
    scene_get_camera(w->scene, frame, &camera);
    assert_true(ray_frame_aim(f, &camera));
    const ray_batch *b = &f->batches[RAYS_PRIMARY];
    assert_ok(willow_cast_rays(w->world, w->scratch, b->rays, b->count, NULL, &casts));
    for (size_t i = 0; i < b->count; i++)
        if (casts.states[i] == WILLOW_RAY_HIT) seen |= 1U << casts.hits[i].user_data;
    return (uint32_t)__builtin_popcount(seen);
}

static void the_number_of_visible_bodies_varies(void **state)
{
    (void)state;
    seen_world w;
    uint32_t frames[BODIES + 1] = {0}, all = 0, most = 0, kinds = 0;
    open_seen(&w);
    ray_frame f = {.picture = ray_picture_default(w.scene)};
    for (uint32_t frame = 0; frame < w.scene->frame_count; frame += EVERY, all++)
        frames[count_visible(&w, &f, frame)]++;
    for (uint32_t i = 0; i <= BODIES; i++) {
        print_message("%u bodies are visible in %u of %u frames\n", i, frames[i], all);
        kinds += frames[i] > 0;
        if (2 * i > BODIES) most += frames[i];
    }
    assert_true(kinds >= 4 && 2 * most > all && frames[0] > 0);
    ray_frame_destroy(&f);
    close_seen(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_number_of_visible_bodies_varies),
};

TEST_GROUP(rays9_camera, tests);
