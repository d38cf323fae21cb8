/* Clips through a world: whatever motion a clip has, what meets is what meets at its positions, set
 * by hand; what does not change is not touched; triangles may change; rest is rest. */
#include "bench/play/clip_player.h"
#include "bench/play/clip_reader.h"
#include "bench/play/scene_clip.h"
#include "io/clip_build.h"
#include "support/fixture.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static clip_role *all_roles(const clip *c)
{
    clip_role *roles = calloc(c->body_count + 1, sizeof *roles);
    assert_non_null(roles);
    for (uint32_t i = 0; i < c->body_count; i++) {
        roles[i] = (clip_role){
            .is_played = true, .self = true, .category_bits = 1, .mask_bits = UINT64_MAX};
    }
    return roles;
}

/* ---- scenes ---- */

/* A world that knows positions only. */
typedef struct by_hand {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id *bodies;
    float **positions;
} by_hand;

static by_hand by_hand_create(const scene *s)
{
    by_hand h = {.world = fixture_world(NULL),
                 .bodies = calloc(s->body_count + 1, sizeof *h.bodies),
                 .positions = calloc(s->body_count + 1, sizeof *h.positions)};
    assert_non_null(h.bodies);
    assert_non_null(h.positions);
    for (uint32_t i = 0; i < s->body_count; i++) {
        const scene_body *from = &s->bodies[i];
        willow_body_def def = willow_body_def_default();
        h.positions[i] = calloc(3 * (size_t)from->vertex_count + 1, sizeof(float));
        assert_non_null(h.positions[i]);
        scene_positions(s, 0, i, h.positions[i]);
        def.mesh =
            FIXTURE_MESH(h.positions[i], from->vertex_count, from->indices, from->triangle_count);
        def.self = true;
        h.bodies[i] = fixture_body(h.world, &def);
    }
    h.scratch = fixture_scratch(h.world);
    return h;
}

static void by_hand_go(by_hand *h, const scene *s, uint32_t frame)
{
    for (uint32_t i = 0; i < s->body_count; i++) {
        scene_positions(s, frame, i, h->positions[i]);
        assert_ok(willow_body_set_vertices(h->world, h->bodies[i], 0, s->bodies[i].vertex_count,
                                           h->positions[i], 0));
    }
    assert_ok(willow_world_update(h->world, frame, NULL));
}

static void by_hand_destroy(by_hand *h, const scene *s)
{
    fixture_close(h->world, h->scratch);
    for (uint32_t i = 0; i < s->body_count; i++) free(h->positions[i]);
    free(h->positions);
    free(h->bodies);
}

static void expect_equal_pairs(const willow_pairs *a, const willow_pairs *b)
{
    assert_int_equal(a->run_count, b->run_count);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->run_count; i++) {
        assert_int_equal(a->runs[i].body_a.index1, b->runs[i].body_a.index1);
        assert_int_equal(a->runs[i].body_b.index1, b->runs[i].body_b.index1);
        assert_int_equal(a->runs[i].count, b->runs[i].count);
    }
    if (a->count > 0) assert_memory_equal(a->items, b->items, a->count * sizeof *a->items);
}

static size_t compare_scene(const char *spec, const engine_options *engine)
{
    io_error error;
    scene *s = fixture_scene(spec);
    clip *c = scene_clip_create(s, &error);
    assert_non_null(c);
    assert_int_equal(c->key_count, s->frame_count);
    clip_role *roles = all_roles(c);
    clip_reader *reader = clip_reader_create(c, c->keys, c->key_count, 1);
    assert_non_null(reader);
    clip_player p = {0};
    const clip_player_def def = {.clip = c, .roles = roles, .engine = engine};
    by_hand h = by_hand_create(s);
    size_t found = 0;
    for (uint32_t frame = 0; frame < s->frame_count; frame++) {
        const clip_frame *now = clip_reader_get(reader, frame, &error);
        assert_non_null(now);
        if (frame == 0) {
            assert_true(clip_player_create(&p, &def, now));
        } else {
            clip_player_prepare(&p, now);
            assert_true(clip_player_go(&p, now));
        }
        willow_pairs played, wanted;
        assert_true(clip_player_find_pairs(&p, &played));
        by_hand_go(&h, s, frame);
        assert_ok(willow_find_pairs(h.world, h.scratch, NULL, &wanted));
        expect_equal_pairs(&played, &wanted);
        found += wanted.count;
        clip_reader_release(reader, frame + 1);
    }
    by_hand_destroy(&h, s);
    clip_player_destroy(&p);
    clip_reader_destroy(reader);
    free(roles);
    clip_close(c);
    scene_destroy(s);
    return found;
}

/* Positions, poses, keyframes, plans, morphs with a base and without. */
static void scenes_as_clips_meet_where_their_positions_do(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "bumpy:triangles=320,frames=9",
        "tumble:triangles=80,frames=9",
        "many:triangles=80,frames=5",
        "selfcloth:triangles=128,frames=6",
        "faces:triangles=200,frames=6",
        "morphing:triangles=320,frames=6",
        "degenerate:frames=4",
        "soup:triangles=60,frames=4",
        "walker:triangles=400,frames=6,variant=self",
    };
    static const engine_poses poses[] = {POSES_GIVEN, POSES_NONE, POSES_APPLY};
    size_t found = 0;
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        for (size_t k = 0; k < 3; k++) {
            engine_options engine = engine_options_default();
            engine.poses = poses[k];
            engine.has_watches = k == 1;
            found += compare_scene(specs[i], &engine);
        }
    }
    print_message("%zu pairs\n", found);
    assert_true(found > 0);
}

/* ---- clips by hand ---- */

/* A strip of triangles, rows apart by one along x. */
enum { ROWS = 5, STRIP_VERTICES = 2 * ROWS, STRIP_TRIS = 2 * (ROWS - 1), JOINTS = 2 };

static clip_body *add_strip(clip *c, const char *name)
{
    clip_body *body = clip_add_body(c, name);
    assert_non_null(body);
    clip_mesh *mesh = &body->mesh;
    mesh->vertex_count = STRIP_VERTICES;
    mesh->triangle_count = STRIP_TRIS;
    mesh->positions = io_alloc(c->memory, 3 * STRIP_VERTICES, sizeof(float));
    mesh->indices = io_alloc(c->memory, 3 * STRIP_TRIS, sizeof(uint32_t));
    assert_non_null(mesh->positions);
    assert_non_null(mesh->indices);
    for (uint32_t i = 0; i < STRIP_VERTICES; i++) {
        mesh->positions[3 * i] = (float)(i / 2);
        mesh->positions[3 * i + 1] = (float)(i % 2);
    }
    for (uint32_t i = 0; i < STRIP_TRIS; i++) {
        for (uint32_t k = 0; k < 3; k++) mesh->indices[3 * i + k] = i + k;
    }
    return body;
}

static void give_offsets(clip *c, clip_body *body)
{
    body->morph.offsets = io_alloc(c->memory, 1, sizeof(float *));
    assert_non_null(body->morph.offsets);
    body->morph.target_count = 1;
    body->morph.offsets[0] = io_alloc(c->memory, 3 * STRIP_VERTICES, sizeof(float));
    assert_non_null(body->morph.offsets[0]);
    for (uint32_t i = 0; i < STRIP_VERTICES; i++) {
        body->morph.offsets[0][3 * i + 2] = 0.25F * (float)(i % 3);
    }
}

/* The far half follows the second joint, the middle both. */
static void give_joints(clip *c, clip_body *body)
{
    clip_skin *skin = &body->skin;
    skin->joint_count = JOINTS;
    skin->first = io_alloc(c->memory, STRIP_VERTICES + 1, sizeof(uint32_t));
    skin->joints = io_alloc(c->memory, 2 * STRIP_VERTICES, sizeof(uint32_t));
    skin->weights = io_alloc(c->memory, 2 * STRIP_VERTICES, sizeof(float));
    skin->inverse_bind = io_alloc(c->memory, JOINTS, sizeof *skin->inverse_bind);
    assert_true(skin->first != NULL && skin->joints != NULL && skin->weights != NULL &&
                skin->inverse_bind != NULL);
    uint32_t used = 0;
    for (uint32_t i = 0; i < STRIP_VERTICES; i++) {
        const float share = (float)(i / 2) / (ROWS - 1);
        for (uint32_t j = 0; j < JOINTS; j++) {
            const float weight = j == 0 ? 1 - share : share;
            if (!(weight > 0)) continue;
            skin->joints[used] = j;
            skin->weights[used++] = weight;
        }
        skin->first[i + 1] = used;
    }
    for (int j = 0; j < JOINTS; j++) {
        for (int k = 0; k < 3; k++) skin->inverse_bind[j][5 * k] = 1;
        skin->inverse_bind[j][3] = -2 * j;
    }
}

/* Which body is hidden from this time on. */
enum { HIDDEN_BODY = 1 };
static double hidden_from = 100;

/* Turns the second joint about y at x = 2 by the angle that is the time. */
static bool read_strip(const clip *c, uint32_t first_body, const void *data, clip_frame *frame,
                       void **kept, io_error *error)
{
    (void)data;
    (void)kept;
    (void)error;
    const double s = sin(frame->time), k = cos(frame->time);
    for (uint32_t i = first_body; i < c->body_count; i++) {
        clip_state *state = &frame->bodies[i];
        state->is_hidden = i == HIDDEN_BODY && frame->time >= hidden_from;
        if (c->bodies[i].morph.target_count > 0) state->weights[0] = (float)frame->time;
        if (c->bodies[i].motion == CLIP_RIGID || c->bodies[i].motion == CLIP_MORPH) {
            state->pose.translation.z = (float)(frame->time - 1);
        }
        if (c->bodies[i].motion != CLIP_SKIN) continue;
        const double still[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
        const double turned[12] = {k, 0, s, 2, 0, 1, 0, 0, -s, 0, k, 0};
        memcpy(state->joints[0], still, sizeof still);
        memcpy(state->joints[1], turned, sizeof turned);
    }
    return true;
}

static const clip_source strip_source = {.read = read_strip};

static clip *strips_create(void)
{
    static const double times[] = {0, 0.5, 1, 1.5, 2, 2.5, 3};
    io_error error;
    const clip_options options = clip_options_default();
    clip *c = clip_create(&options);
    assert_non_null(c);
    add_strip(c, "still")->motion = CLIP_STILL;
    add_strip(c, "rigid")->motion = CLIP_RIGID;
    clip_body *morph = add_strip(c, "morph");
    morph->motion = CLIP_MORPH;
    give_offsets(c, morph);
    clip_body *skin = add_strip(c, "skin");
    skin->motion = CLIP_SKIN;
    give_joints(c, skin);
    clip_body *both = add_strip(c, "morph and skin");
    both->motion = CLIP_SKIN;
    give_offsets(c, both);
    give_joints(c, both);
    assert_true(clip_add_keys(c, times, 7));
    assert_true(clip_add_part(c, 0, &strip_source, NULL));
    assert_true(clip_finish(c, "strips", &error));
    return c;
}

static void expect_positions(const clip_player *p, const clip_frame *frame)
{
    for (uint32_t i = 0; i < p->clip->body_count; i++) {
        float wanted[3 * STRIP_VERTICES];
        willow_vec3 got[STRIP_VERTICES];
        clip_positions(p->clip, frame, i, wanted);
        assert_ok(willow_body_copy_vertices(p->world, p->bodies[i], 0, STRIP_VERTICES, got));
        const float *values = (const float *)(const void *)got;
        for (int k = 0; k < 3 * STRIP_VERTICES; k++) {
            assert_true(fabs((double)values[k] - (double)wanted[k]) < 1e-6);
        }
    }
}

static void every_motion_is_where_its_formula_says(void **state)
{
    (void)state;
    io_error error;
    clip *c = strips_create();
    clip_role *roles = all_roles(c);
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    const engine_options engine = engine_options_default();
    const clip_player_def def = {.clip = c, .roles = roles, .engine = &engine};
    clip_player p = {0};
    for (uint32_t i = 0; i < c->key_count; i++) {
        assert_true(clip_frame_read(c, c->keys[i], frame, &error));
        if (i > 0) clip_player_prepare(&p, frame);
        assert_true(i == 0 ? clip_player_create(&p, &def, frame) : clip_player_go(&p, frame));
        expect_positions(&p, frame);
    }
    assert_int_equal(p.remade, 0);
    clip_player_destroy(&p);
    assert_true(clip_player_create_at_rest(&p, &def, frame));
    willow_vec3 got[STRIP_VERTICES];
    assert_ok(willow_body_copy_vertices(p.world, p.bodies[4], 0, STRIP_VERTICES, got));
    assert_memory_equal(got, c->bodies[4].mesh.positions, sizeof got);
    clip_player_destroy(&p);
    clip_frame_destroy(c, frame);
    free(roles);
    clip_close(c);
}

/* A trial step ends where the next frame is: what is apart in both may touch on the way. */
static void steps_go_to_the_next_frame(void **state)
{
    (void)state;
    io_error error;
    bool can_step = false;
    clip *c = strips_create();
    clip_role *roles = all_roles(c);
    clip_frame *from = clip_frame_create(c), *to = clip_frame_create(c);
    assert_true(from != NULL && to != NULL);
    const engine_options engine = engine_options_default();
    const clip_player_def def = {.clip = c, .roles = roles, .engine = &engine};
    clip_player p = {0};
    for (uint32_t i = 0; i < c->body_count; i++) roles[i].is_played = i < 2;
    assert_true(clip_frame_read(c, 0.5, from, &error));
    assert_true(clip_frame_read(c, 1.5, to, &error));
    assert_true(clip_player_create(&p, &def, from));
    assert_true(clip_player_aim(&p, to, &can_step));
    assert_true(can_step);
    willow_pairs pairs;
    willow_first_impact impact;
    assert_true(clip_player_find_pairs(&p, &pairs));
    assert_int_equal(pairs.count, 0);
    assert_ok(willow_time_of_impact(p.world, p.scratch, &p.query, &impact));
    assert_true(impact.found && fabs(impact.impact.time - 0.5) < 1e-4);
    assert_int_equal(clip_player_number(&p, impact.body_b), 1);
    clip_player_destroy(&p);
    clip_frame_destroy(c, from);
    clip_frame_destroy(c, to);
    free(roles);
    clip_close(c);
}

/* Pairs of all bodies, or of all but that one. */
static size_t count_pairs(clip_player *p, bool without_hidden)
{
    willow_pairs pairs;
    size_t count = 0;
    assert_true(clip_player_find_pairs(p, &pairs));
    for (size_t i = 0; i < pairs.run_count; i++) {
        const willow_pair_run *run = &pairs.runs[i];
        const bool is_hidden = run->user_data_a == HIDDEN_BODY || run->user_data_b == HIDDEN_BODY;
        if (!without_hidden || !is_hidden) count += run->count;
    }
    return count;
}

static void compare_hidden(const engine_options *engine)
{
    io_error error;
    bool can_step = false;
    clip *c = strips_create();
    clip_role *roles = all_roles(c);
    clip_frame *frame = clip_frame_create(c);
    const clip_player_def def = {.clip = c, .roles = roles, .engine = engine};
    clip_player all = {0}, p = {0};
    size_t less = 0;
    /* There and back, so that it comes again. */
    for (uint32_t i = 0; i < 2 * c->key_count - 1; i++) {
        const double time = c->keys[i < c->key_count ? i : 2 * c->key_count - 2 - i];
        for (int is_hiding = 0; is_hiding < 2; is_hiding++) {
            clip_player *player = is_hiding ? &p : &all;
            hidden_from = is_hiding ? 1 : 100;
            assert_true(clip_frame_read(c, time, frame, &error));
            if (i > 0) clip_player_prepare(player, frame);
            assert_true(i == 0 ? clip_player_create(player, &def, frame)
                               : clip_player_go(player, frame));
        }
        const bool is_hidden = time >= hidden_from;
        less += count_pairs(&all, false) - count_pairs(&p, false);
        assert_int_equal(count_pairs(&p, false), count_pairs(&all, is_hidden));
    }
    assert_true(less > 0);
    assert_int_equal(p.hidden, 2 * c->key_count - 5); /* at two times of seven it is there */
    assert_int_equal(all.hidden, 0);
    clip_player_prepare(&p, frame);
    assert_true(clip_player_aim(&p, frame, &can_step));
    assert_true(can_step);
    clip_player_destroy(&all);
    clip_player_destroy(&p);
    assert_true(clip_frame_read(c, 2, frame, &error));
    assert_true(clip_player_create_at_rest(&p, &def, frame));
    assert_int_equal(count_pairs(&p, false), count_pairs(&p, true));
    clip_player_destroy(&p);
    hidden_from = 100;
    clip_frame_destroy(c, frame);
    free(roles);
    clip_close(c);
}

static void what_is_hidden_meets_nothing(void **state)
{
    (void)state;
    static const engine_poses poses[] = {POSES_GIVEN, POSES_NONE, POSES_APPLY};
    for (size_t i = 0; i < 6; i++) {
        engine_options engine = engine_options_default();
        engine.poses = poses[i % 3];
        engine.has_watches = i >= 3;
        compare_hidden(&engine);
    }
}

/* What is hidden at one end of a step stays where it is, or is not there. */
static void no_step_goes_to_what_is_hidden(void **state)
{
    (void)state;
    io_error error;
    bool can_step = false;
    clip *c = strips_create();
    clip_role *roles = all_roles(c);
    clip_frame *frame = clip_frame_create(c);
    const engine_options engine = engine_options_default();
    const clip_player_def def = {.clip = c, .roles = roles, .engine = &engine};
    for (uint32_t i = 0; i < c->body_count; i++) roles[i].is_played = i < 2;
    for (int is_hiding = 0; is_hiding < 2; is_hiding++) {
        clip_player p = {0};
        willow_first_impact impact;
        hidden_from = is_hiding ? 1 : 100;
        assert_true(clip_frame_read(c, 0.5, frame, &error));
        assert_true(clip_player_create(&p, &def, frame));
        assert_true(clip_frame_read(c, 1.5, frame, &error));
        assert_true(clip_player_aim(&p, frame, &can_step));
        assert_ok(willow_time_of_impact(p.world, p.scratch, &p.query, &impact));
        assert_int_equal(impact.found, !is_hiding);
        clip_player_destroy(&p);
    }
    hidden_from = 100;
    clip_frame_destroy(c, frame);
    free(roles);
    clip_close(c);
}

/* Going to the frame where it is changes nothing, so that no tree and no pair is looked at again.
 */
static void what_does_not_change_is_not_touched(void **state)
{
    (void)state;
    io_error error;
    scene *s = fixture_scene("selfcloth:triangles=128,frames=6");
    clip *c = scene_clip_create(s, &error);
    assert_non_null(c);
    clip_role *roles = all_roles(c);
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    const engine_options engine = engine_options_default();
    const clip_player_def def = {.clip = c, .roles = roles, .engine = &engine};
    clip_player p = {0};
    willow_pairs pairs;
    assert_true(clip_frame_read(c, c->keys[5], frame, &error));
    assert_true(clip_player_create(&p, &def, frame));
    assert_true(clip_player_find_pairs(&p, &pairs));
    const size_t count = pairs.count;
    assert_true(willow_scratch_stats(p.scratch).nodes_opened > 0);
    assert_true(clip_frame_read(c, c->keys[5], frame, &error));
    assert_true(clip_player_go(&p, frame));
    willow_scratch_reset_stats(p.scratch);
    assert_true(clip_player_find_pairs(&p, &pairs));
    assert_int_equal(pairs.count, count);
    assert_int_equal(willow_scratch_stats(p.scratch).nodes_opened, 0);
    clip_player_destroy(&p);
    clip_frame_destroy(c, frame);
    free(roles);
    clip_close(c);
    scene_destroy(s);
}

/* With more and more memory it is refused in words until it is enough. */
static void memory_is_limited(void **state)
{
    (void)state;
    io_error error;
    scene *s = fixture_scene("soup:triangles=400,frames=2");
    clip *c = scene_clip_create(s, &error);
    assert_non_null(c);
    clip_role *roles = all_roles(c);
    clip_frame *frame = clip_frame_create(c);
    assert_non_null(frame);
    assert_true(clip_frame_read(c, c->keys[0], frame, &error));
    const engine_options engine = engine_options_default();
    clip_player_def def = {.clip = c, .roles = roles, .engine = &engine, .memory_limit = 1024};
    uint32_t refused_bodies = 0, refused_questions = 0;
    for (bool is_enough = false; !is_enough; def.memory_limit += 4096) {
        clip_player p = {0};
        willow_pairs pairs;
        const bool has_bodies = clip_player_create(&p, &def, frame);
        is_enough = has_bodies && clip_player_find_pairs(&p, &pairs);
        if (!is_enough) assert_non_null(strstr(p.message, "take more than"));
        refused_bodies += !has_bodies;
        refused_questions += has_bodies && !is_enough;
        clip_player_destroy(&p);
    }
    assert_true(refused_bodies > 0 && refused_questions > 0);
    clip_frame_destroy(c, frame);
    free(roles);
    clip_close(c);
    scene_destroy(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_is_limited),
    cmocka_unit_test(scenes_as_clips_meet_where_their_positions_do),
    cmocka_unit_test(every_motion_is_where_its_formula_says),
    cmocka_unit_test(steps_go_to_the_next_frame),
    cmocka_unit_test(what_is_hidden_meets_nothing),
    cmocka_unit_test(no_step_goes_to_what_is_hidden),
    cmocka_unit_test(what_does_not_change_is_not_touched),
};

TEST_GROUP(clip_player, tests);
