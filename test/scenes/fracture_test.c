/* Scenes whose triangles come and go: closed surfaces in every frame, as many triangles as the
 * paper has, pieces that come apart, contact where it is promised. */
#include <stdlib.h>
#include <string.h>
#include "scenes/live_triangles.h"
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

static const char *const specs[] = {
    "splitting:triangles=5660",          "splitting:triangles=5660,variant=deforming",
    "splitting:triangles=5660,frames=4", "splitting:triangles=5660,frames=10",
    "apple:triangles=1500,frames=100",   "pumpkin:triangles=2500",
    "pumpkin:triangles=2500,parts=64",   "shatter:triangles=1500"};

enum { SPEC_COUNT = sizeof specs / sizeof specs[0] };

static int compare_edges(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Every edge is gone along as often one way as the other. */
static void check_closed(const scene_body *body, uint32_t frame, uint64_t *there, uint64_t *back)
{
    size_t count = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) {
        if (!scene_has_triangle(body, t, frame)) continue;
        for (int k = 0; k < 3; k++) {
            const uint64_t a = body->indices[3 * (size_t)t + (size_t)k];
            const uint64_t b = body->indices[3 * (size_t)t + (size_t)(k + 1) % 3];
            there[count] = a << 32 | b;
            back[count++] = b << 32 | a;
        }
    }
    qsort(there, count, sizeof *there, compare_edges);
    qsort(back, count, sizeof *back, compare_edges);
    assert_memory_equal(there, back, count * sizeof *there);
}

static void surfaces_are_closed_in_every_frame(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        scene *s = fixture_scene(specs[i]);
        const scene_body *body = &s->bodies[0];
        const size_t room = 3 * (size_t)body->triangle_count;
        uint64_t *there = calloc(room, sizeof *there), *back = calloc(room, sizeof *back);
        assert_true(scene_has_lives(s) && there && back);
        for (uint32_t frame = 0; frame<s->frame_count; frame += s->frame_count> 20 ? 7 : 1)
            check_closed(body, frame, there, back);
        free(there);
        free(back);
        scene_destroy(s);
    }
}

static void check_life(const scene_body *body, uint32_t t)
{
    const scene_life *life = &body->lives[t];
    if (t > 0) assert_true(life->born >= body->lives[t - 1].born);
    assert_true(life->dies > life->born);
    if (life->replaces != UINT32_MAX)
        assert_int_equal(body->lives[life->replaces].dies, life->born);
}

/* So that edits give vertices the numbers of the scene: those of a frame are the first so many. */
static void vertices_are_in_the_order_in_which_they_are_needed(void **state)
{
    (void)state;
    for (int i = 0; i < SPEC_COUNT; i++) {
        scene *s = fixture_scene(specs[i]);
        const scene_body *body = &s->bodies[0];
        bool *is_used = calloc(body->vertex_count, sizeof *is_used);
        uint32_t used = 0, end = 0;
        assert_non_null(is_used);
        for (uint32_t t = 0; t < body->triangle_count; t++) {
            check_life(body, t);
            for (int k = 0; k < 3; k++) {
                const uint32_t v = body->indices[3 * (size_t)t + (size_t)k];
                used += !is_used[v];
                is_used[v] = true;
                if (v >= end) end = v + 1;
            }
            const bool is_last =
                t + 1 == body->triangle_count || body->lives[t + 1].born != body->lives[t].born;
            if (is_last) assert_int_equal(used, end);
        }
        assert_int_equal(used, body->vertex_count);
        free(is_used);
        scene_destroy(s);
    }
}

static uint32_t count_there(const scene_body *body, uint32_t frame)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < body->triangle_count; t++) count += scene_has_triangle(body, t, frame);
    return count;
}

static void assert_near(double found, double wanted)
{
    print_message("found %.2f, the paper has %.2f\n", found, wanted);
    assert_true(found >= 0.8 * wanted && found <= 1.2 * wanted);
}

/* Table 1 of the paper: old triangles that are split, which become three each, and triangles of the
 * crack, for each step. */
static void splitting_has_the_numbers_of_the_paper(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        double old, crack;
        uint32_t first, last;
    } rows[] = {{"splitting:triangles=5660", 16.27, 62.00, 5660, 6702},
                {"splitting:triangles=22640", 29.73, 125.09, 22640, 24672},
                {"splitting:triangles=90560", 57.45, 248.55, 90560, 94560}};
    for (int i = 0; i < 3; i++) {
        scene *s = fixture_scene(rows[i].spec);
        const scene_body *body = &s->bodies[0];
        const uint32_t first = count_there(body, 0), last = count_there(body, 11);
        uint32_t old = 0;
        for (uint32_t t = 0; t < body->triangle_count; t++)
            old += body->lives[t].born == 0 && body->lives[t].dies != UINT32_MAX;
        assert_int_equal(first, rows[i].first);
        assert_near(last, rows[i].last);
        assert_near(old / 11.0, rows[i].old);
        assert_near((last - first - 2.0 * old) / 11, rows[i].crack);
        scene_destroy(s);
    }
}

/* The scene's own body as if it were of others, a bit aside. */
static void splitting_takes_a_surface_of_others(void **state)
{
    (void)state;
    char error[200];
    scene *own = fixture_scene("splitting:triangles=5660");
    scene_mesh mesh = {.indices = own->bodies[0].indices,
                       .triangle_count = count_there(&own->bodies[0], 0)};
    const size_t coordinates = 3 * (size_t)own->bodies[0].vertex_count;
    float *positions = calloc(coordinates, sizeof *positions);
    assert_non_null(positions);
    scene_positions(own, 0, 0, positions);
    for (size_t i = 0; i < coordinates; i += 3) positions[i] += 0.013F;
    for (uint32_t i = 0; i < 3 * mesh.triangle_count; i++)
        if (mesh.indices[i] >= mesh.vertex_count) mesh.vertex_count = mesh.indices[i] + 1;
    mesh.positions = positions;
    scene *s = scene_create_with("splitting:variant=deforming", &mesh, error, sizeof error);
    assert_non_null(s);
    free(positions);
    const scene_body *body = &s->bodies[0];
    const size_t room = 3 * (size_t)body->triangle_count;
    uint64_t *there = calloc(room, sizeof *there), *back = calloc(room, sizeof *back);
    assert_true(there && back);
    for (uint32_t frame = 0; frame < s->frame_count; frame++) {
        check_closed(body, frame, there, back);
        if (frame > 0) assert_true(count_there(body, frame) > count_there(body, frame - 1));
    }
    assert_int_equal(s->params.triangles, 5660);
    free(there);
    free(back);
    scene_destroy(s);
    assert_null(scene_create_with("bumpy", &mesh, error, sizeof error));
    assert_non_null(strstr(error, "its own bodies"));
    scene_destroy(own);
}

static void apple_and_pumpkin_grow_as_in_the_paper(void **state)
{
    (void)state;
    scene *apple = fixture_scene("apple"), *pumpkin = fixture_scene("pumpkin");
    assert_int_equal(count_there(&apple->bodies[0], 0), 6124);
    assert_near(count_there(&apple->bodies[0], 799), 11152);
    assert_int_equal(count_there(&pumpkin->bodies[0], 0), 10000);
    assert_near(count_there(&pumpkin->bodies[0], 199), 16136);
    scene_destroy(apple);
    scene_destroy(pumpkin);
}

/* ---- in a world ---- */

typedef struct show {
    scene *scene;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
    float *xyz[2];
} show;

static void show_start(show *s, const char *spec)
{
    *s = (show){.scene = fixture_scene(spec), .world = fixture_world(NULL)};
    s->scratch = fixture_scratch(s->world);
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        const scene_body *body = &s->scene->bodies[i];
        s->xyz[i] = malloc(12 * (size_t)body->vertex_count);
        assert_non_null(s->xyz[i]);
        scene_positions(s->scene, 0, i, s->xyz[i]);
        willow_body_def def = willow_body_def_default();
        def.mesh = FIXTURE_MESH(s->xyz[i], body->vertex_count, body->indices, body->triangle_count);
        uint16_t *groups = body->lives ? live_triangle_groups(body, 0) : NULL;
        def.mesh.triangle_groups = groups;
        def.self = body->self;
        s->bodies[i] = fixture_body(s->world, &def);
        free(groups);
    }
}

static size_t show_pairs(show *s, uint32_t from, uint32_t frame)
{
    willow_pairs pairs;
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        const scene_body *body = &s->scene->bodies[i];
        scene_positions(s->scene, frame, i, s->xyz[i]);
        if (body->lives)
            assert_int_equal(live_triangles_edit(s->world, s->bodies[i], body, from, frame),
                             WILLOW_OK);
        assert_int_equal(
            willow_body_set_vertices(s->world, s->bodies[i], 0, body->vertex_count, s->xyz[i], 0),
            WILLOW_OK);
    }
    assert_int_equal(willow_world_update(s->world, frame, NULL), WILLOW_OK);
    assert_int_equal(willow_find_pairs(s->world, s->scratch, NULL, &pairs), WILLOW_OK);
    return pairs.count;
}

static void show_stop(show *s)
{
    fixture_close(s->world, s->scratch);
    for (uint32_t i = 0; i < s->scene->body_count; i++) free(s->xyz[i]);
    scene_destroy(s->scene);
}

static void a_ball_touches_what_is_split_in_every_frame(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        show s;
        show_start(&s, specs[i]);
        for (uint32_t frame = 0; frame < s.scene->frame_count; frame++)
            assert_true(show_pairs(&s, frame > 0 ? frame - 1 : 0, frame) > 0);
        show_stop(&s);
    }
}

static void peels_touch_themselves(void **state)
{
    (void)state;
    show s;
    show_start(&s, "apple:triangles=1500,frames=100");
    assert_int_equal(show_pairs(&s, 0, 0), 0);
    const size_t curled = show_pairs(&s, 0, 30), later = show_pairs(&s, 30, 99);
    assert_true(curled > 0 && later > curled);
    show_stop(&s);
}

/* Numbers of pieces, each connected. */
static void a_pumpkin_breaks_into_as_many_pieces_as_are_wanted(void **state)
{
    (void)state;
    static const uint32_t wanted[] = {2, 3, 8, 12, 31, 64};
    for (int i = 0; i < 6; i++) {
        char spec[64];
        uint32_t count;
        show s;
        snprintf(spec, sizeof spec, "pumpkin:triangles=10000,parts=%u", wanted[i]);
        show_start(&s, spec);
        const scene_body *body = &s.scene->bodies[0];
        const uint32_t frame = s.scene->kind->break_frame(s.scene, 0);
        uint32_t *part = calloc(body->triangle_count, sizeof *part);
        assert_non_null(part);
        willow_edit edit = willow_edit_default();
        willow_tri *gone = calloc(body->triangle_count, sizeof *gone);
        assert_non_null(gone);
        for (uint32_t t = 0; t < body->triangle_count; t++)
            if (!scene_has_triangle(body, t, frame)) gone[edit.remove_triangle_count++] = t;
        edit.remove_triangles = gone;
        assert_int_equal(willow_body_edit(s.world, s.bodies[0], &edit, NULL, NULL), WILLOW_OK);
        assert_int_equal(willow_body_find_parts(s.world, s.bodies[0], part, &count), WILLOW_OK);
        assert_int_equal(count, wanted[i]);
        for (uint32_t t = 1; t < body->triangle_count; t++)
            if (part[t] != WILLOW_NO_PART && part[t] == part[t - 1] &&
                part[t - 1] != WILLOW_NO_PART)
                assert_int_equal(s.scene->kind->piece(s.scene, 0, t),
                                 s.scene->kind->piece(s.scene, 0, t - 1));
        free(part);
        free(gone);
        show_stop(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(surfaces_are_closed_in_every_frame),
    cmocka_unit_test(vertices_are_in_the_order_in_which_they_are_needed),
    cmocka_unit_test(splitting_has_the_numbers_of_the_paper),
    cmocka_unit_test(splitting_takes_a_surface_of_others),
    cmocka_unit_test(apple_and_pumpkin_grow_as_in_the_paper),
    cmocka_unit_test(a_ball_touches_what_is_split_in_every_frame),
    cmocka_unit_test(peels_touch_themselves),
    cmocka_unit_test(a_pumpkin_breaks_into_as_many_pieces_as_are_wanted),
};

TEST_GROUP(fracture, tests);
