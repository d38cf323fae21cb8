/* Boxes with a margin: they are true as long as they are used, whatever the motion and wherever on
 * the line of floats it happens, and they save work where it is slow. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/chorus.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/tight_boxes.h"
#include "support/zoo_cases.h"

/* ---- two bodies that move ---- */

enum { BODIES = 2 };

typedef struct stage {
    chorus c;
    zoo_mesh meshes[BODIES]; /* as they were at first */
    float (*at[BODIES])[3];  /* where they are now; what a borrowing body reads */
    bool borrows;
    float scale, margin;
    uint64_t random;
    size_t pairs;
} stage;

/* Never beyond what floats hold. */
static float within_floats(double x)
{
    return (float)(x > (double)FLT_MAX ? (double)FLT_MAX
                                       : (x < (double)-FLT_MAX ? (double)-FLT_MAX : x));
}

static void open_stage(stage *s, zoo_kind kind, uint32_t size, float margin, float scale,
                       bool borrows, uint64_t seed)
{
    *s = (stage){.scale = scale, .margin = margin, .random = seed, .borrows = borrows};
    chorus_open(&s->c, zoo_kind_name(kind), seed);
    chorus_add_brute(&s->c);
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_tree_def tree = zoo_tree(method, zoo_arities[(seed + method) % ZOO_ARITIES], 3);
        tree.margin = margin;
        tree.build = zoo_build(seed + method);
        if (method != WILLOW_METHOD_BRUTE)
            chorus_add(&s->c, tree, WILLOW_KERNEL_AUTO, 1 + (seed % 4 == 0));
    }
    for (uint32_t i = 0; i < BODIES; i++) {
        zoo_mesh *mesh = &s->meshes[i];
        zoo_mesh_create(mesh, kind, size, seed + i);
        s->at[i] = malloc(mesh->vertex_count * sizeof *s->at[i] + 1);
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            for (int axis = 0; axis < 3; axis++)
                s->at[i][v][axis] = within_floats((double)mesh->positions[v][axis] * (double)scale);
        chorus_add_body(&s->c,
                        &(willow_mesh_def){.positions = s->at[i],
                                           .vertex_count = mesh->vertex_count,
                                           .indices = mesh->tris,
                                           .triangle_count = mesh->triangle_count,
                                           .triangle_groups = mesh->groups,
                                           .group_masks = mesh->masks,
                                           .group_count = mesh->mask_count,
                                           .weld_exact = mesh->weld,
                                           .borrow = borrows},
                        true);
    }
    chorus_update(&s->c);
}

static void close_stage(stage *s)
{
    chorus_close(&s->c);
    for (int i = 0; i < BODIES; i++) {
        zoo_mesh_destroy(&s->meshes[i]);
        free(s->at[i]);
    }
}

static void update_and_compare(stage *s)
{
    chorus_update(&s->c);
    s->pairs += chorus_compare(&s->c);
    for (uint32_t i = 1; i < s->c.voice_count; i++)
        for (uint32_t body = 0; body < BODIES; body++)
            chorus_expect(&s->c, &s->c.voices[i],
                          count_boxes(chorus_hierarchy(&s->c.voices[i], body)).too_small == 0,
                          "a box is too small");
}

/* ---- motions ---- */

/* Where a vertex is in a frame, from where it was at first. */
typedef double motion(double start, uint32_t frame, uint32_t vertex, double margin,
                      uint64_t *random);

static double stay(double start, uint32_t frame, uint32_t vertex, double margin, uint64_t *random)
{
    (void)frame;
    (void)vertex;
    (void)margin;
    (void)random;
    return start;
}

static double creep(double start, uint32_t frame, uint32_t vertex, double margin, uint64_t *random)
{
    (void)random;
    return start + frame * (vertex % 5 == 0 ? 0.3 : 0.24) * margin;
}

static double run(double start, uint32_t frame, uint32_t vertex, double margin, uint64_t *random)
{
    (void)vertex;
    (void)random;
    return start + frame * 2.5 * margin;
}

/* To and fro, to the very margin and back. */
static double swing(double start, uint32_t frame, uint32_t vertex, double margin, uint64_t *random)
{
    static const double at[] = {0, 0.5, 1, 1, 0.5, 0, -0.5, -1};
    (void)random;
    return start + at[(frame + vertex % 2) % 8] * margin;
}

static double tremble(double start, uint32_t frame, uint32_t vertex, double margin,
                      uint64_t *random)
{
    (void)frame;
    (void)vertex;
    return start + test_random_between(random, -1, 1) * margin;
}

/* Far away, back, and on by little. */
static double leap(double start, uint32_t frame, uint32_t vertex, double margin, uint64_t *random)
{
    (void)random;
    if (frame % 6 == 2) return start + (vertex % 2 == 0 ? 1e30 : -1e30) * (margin + 1e-30);
    return start + frame * 0.2 * margin;
}

static motion *const motions[] = {stay, creep, run, swing, tremble, leap};
enum { MOTIONS = sizeof motions / sizeof motions[0] };

static void move_body(stage *s, motion *how, uint32_t body, uint32_t frame)
{
    const zoo_mesh *mesh = &s->meshes[body];
    /* Bodies do not go farther than they are large, or they meet no more. */
    const double reach = (double)(s->margin < 0.3F * s->scale ? s->margin : 0.3F * s->scale);
    if (s->borrows) chorus_begin(&s->c, body);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            const double start = (double)mesh->positions[v][axis] * (double)s->scale;
            s->at[body][v][axis] = within_floats(how(start, frame, v + body, reach, &s->random));
        }
    if (!s->borrows) chorus_set(&s->c, body, 0, mesh->vertex_count, s->at[body], WILLOW_OK);
}

static void pose_bodies(stage *s, uint32_t frame)
{
    for (uint32_t body = 0; body < BODIES; body++) {
        willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, frame + body);
        pose.translation.x *= s->scale;
        pose.translation.y *= s->scale;
        pose.translation.z *= s->scale;
        chorus_pose(&s->c, body, &pose);
    }
}

static size_t run_motion(zoo_kind kind, uint32_t size, uint32_t frames, motion *how, float margin,
                         float scale, uint64_t seed)
{
    stage s;
    open_stage(&s, kind, size, margin, scale, seed % 5 == 4, seed);
    for (uint32_t frame = 1; frame <= frames; frame++) {
        if (seed % 3 == 0 && frame % 4 == 0) pose_bodies(&s, frame);
        move_body(&s, how, 0, frame);
        if (seed % 2 == 0) move_body(&s, how, 1, frame / 2);
        if (frame % 6 == 2)
            chorus_update(&s.c); /* nobody asks; who leaps is far away now, all in one point */
        else
            update_and_compare(&s);
    }
    close_stage(&s);
    return s.pairs;
}

static const float margins[] = {0x1p-149F, 0x1p-126F, 1e-6F,       0.02F,
                                0.3F,      1e4F,      FLT_MAX / 4, FLT_MAX};
enum { MARGINS = sizeof margins / sizeof margins[0] };

static void all_margins_and_motions_give_the_answers_of_brute(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_GRID,   ZOO_KIND_WEB,   ZOO_KIND_SEAMS,
                                     ZOO_KIND_GROUPS, ZOO_KIND_LOOSE, ZOO_KIND_SPHERE};
    size_t pairs = 0;
    uint64_t seed = 0;
    for (int m = 0; m < MARGINS; m++)
        for (int how = 0; how < MOTIONS; how++, seed++)
            pairs += run_motion(kinds[seed % 6], 40, 12, motions[how], margins[m], 1.0F, seed);
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

/* Where floats are dense, and where they end. */
static void margins_hold_near_zero_and_near_the_largest_float(void **state)
{
    (void)state;
    static const float scales[] = {0x1p-147F, 0x1p-130F, 0x1p100F, FLT_MAX / 2, FLT_MAX};
    static const float parts[] = {1e-3F, 0.1F, 1.0F};
    size_t pairs = 0;
    uint64_t seed = 1000;
    for (int i = 0; i < 5; i++)
        for (int part = 0; part < 3; part++)
            for (int how = 0; how < MOTIONS; how++, seed++) {
                const float margin = scales[i] * parts[part];
                pairs += run_motion(seed % 2 == 0 ? ZOO_KIND_GRID : ZOO_KIND_SPHERE, 16, 8,
                                    motions[how], margin > 0 ? margin : 0x1p-149F, scales[i], seed);
            }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

/* ---- kept cases ---- */

/* Ranges are not measured; the whole set after them, which moves nothing more, must not hide it. */
static void a_range_that_is_set_before_all_leaves_its_margin(void **state)
{
    (void)state;
    for (uint32_t count = 1; count < 50; count += 19)
        for (int times = 1; times < 3; times++) {
            stage s;
            open_stage(&s, ZOO_KIND_GRID, 120, 0.1F, 1.0F, false, count);
            for (uint32_t frame = 0; frame < 3; frame++) {
                move_body(&s, stay, 0, frame);
                update_and_compare(&s);
            }
            for (uint32_t v = 10; v < 10 + count; v++) s.at[0][v][2] += 3.0F;
            float(*const at)[3] = s.at[0];
            chorus_set(&s.c, 0, 10, count, at + 10, WILLOW_OK);
            for (int i = 0; i < times; i++)
                chorus_set(&s.c, 0, 0, s.meshes[0].vertex_count, at, WILLOW_OK);
            update_and_compare(&s);
            assert_true(s.pairs > 0);
            close_stage(&s);
        }
}

/* Beside the length of a leap small moves are nothing in a sum of floating-point numbers; they
 * leave the margin all the same. */
static void slow_motion_after_a_leap_leaves_its_margin(void **state)
{
    (void)state;
    static const float lengths[] = {1e8F, 1e14F, 1e20F, 1e38F, FLT_MAX};
    for (int i = 0; i < 5; i++) {
        stage s;
        open_stage(&s, ZOO_KIND_GRID, 120, 0.01F, 1.0F, false, 1);
        for (uint32_t frame = 0; frame < 40; frame++) {
            for (uint32_t v = 0; v < s.meshes[0].vertex_count; v++) {
                s.at[0][v][2] = s.meshes[0].positions[v][2] - 0.05F + 0.003F * (float)frame;
                if (frame == 3) s.at[0][v][2] = lengths[i];
                if (frame == 4) s.at[0][v][2] = -lengths[i];
            }
            chorus_set(&s.c, 0, 0, s.meshes[0].vertex_count, s.at[0], WILLOW_OK);
            update_and_compare(&s);
        }
        assert_true(s.pairs > 0);
        close_stage(&s);
    }
}

/* ---- what is saved ---- */

/* Two bodies of `bumpy` where they overlap, in worlds without a margin and with one. */
typedef struct race {
    chorus c;
    scene *s;
    float (*start[BODIES])[3], (*at[BODIES])[3];
    size_t updated[CHORUS_VOICES], refreshed[CHORUS_VOICES];
} race;

static bool is_lazy(willow_method method)
{
    return method == WILLOW_METHOD_TOP_DOWN || method == WILLOW_METHOD_HYBRID ||
           method == WILLOW_METHOD_AUTO;
}

static void open_race(race *r, const char *spec, float margin)
{
    *r = (race){0};
    chorus_open(&r->c, spec, 0);
    r->s = fixture_scene(spec);
    for (int turn = 0; turn < 2; turn++)
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
            willow_tree_def tree = zoo_tree(method, 8, 4);
            tree.margin = turn == 0 ? 0.0F : margin;
            if (is_lazy(method) || method == WILLOW_METHOD_BOTTOM_UP)
                chorus_add(&r->c, tree, WILLOW_KERNEL_AUTO, 1);
        }
    for (uint32_t i = 0; i < BODIES; i++) {
        const scene_body *body = &r->s->bodies[i];
        r->start[i] = malloc(body->vertex_count * sizeof *r->start[i]);
        r->at[i] = malloc(body->vertex_count * sizeof *r->at[i]);
        scene_positions(r->s, 120, i, r->start[i][0]);
        memcpy(r->at[i], r->start[i], body->vertex_count * sizeof *r->at[i]);
        chorus_add_body(
            &r->c, &FIXTURE_MESH(r->at[i], body->vertex_count, body->indices, body->triangle_count),
            false);
    }
    chorus_update(&r->c);
}

static void close_race(race *r)
{
    chorus_close(&r->c);
    scene_destroy(r->s);
    for (int i = 0; i < BODIES; i++) {
        free(r->start[i]);
        free(r->at[i]);
    }
}

/* All vertices are so far from where they started, and all is asked for. */
static void run_lap(race *r, float far)
{
    for (uint32_t body = 0; body < BODIES; body++) {
        const uint32_t count = r->s->bodies[body].vertex_count;
        for (uint32_t v = 0; v < count; v++) r->at[body][v][1] = r->start[body][v][1] + far;
        chorus_set(&r->c, body, 0, count, r->at[body], WILLOW_OK);
    }
    chorus_update(&r->c);
    assert_true(chorus_compare(&r->c) > 0);
    for (uint32_t i = 0; i < r->c.voice_count; i++) {
        r->updated[i] = r->c.voices[i].report.nodes_updated;
        r->refreshed[i] = r->c.voices[i].stats.nodes_refreshed;
    }
}

/* What updates cannot save: the nodes above the cuts of both bodies. */
static size_t above_of(const chorus_voice *voice)
{
    return kept_patches(chorus_hierarchy(voice, 0))->above_count +
           kept_patches(chorus_hierarchy(voice, 1))->above_count;
}

static void motion_of_zero_computes_nothing_after_the_first_frame(void **state)
{
    (void)state;
    race r;
    open_race(&r, "bumpy:triangles=1280", 0.01F);
    for (uint32_t frame = 0; frame < 20; frame++) {
        run_lap(&r, 0.0F);
        for (uint32_t i = 0; i < r.c.voice_count; i++) {
            const chorus_voice *voice = &r.c.voices[i];
            const bool has_margin = voice->tree.margin > 0.0F;
            if (!has_margin)
                chorus_expect(&r.c, voice, r.updated[i] + r.refreshed[i] > 0, "nothing to save");
            if (!has_margin || frame == 0) continue;
            chorus_expect(&r.c, voice, r.updated[i] + r.refreshed[i] == above_of(voice),
                          "a node below the cut is computed");
        }
    }
    close_race(&r);
}

/* The margin is eight moves, so boxes are computed in every ninth frame. */
static void slow_motion_computes_a_part_of_what_it_does_without(void **state)
{
    (void)state;
    enum { FRAMES = 45 };
    size_t sums[CHORUS_VOICES] = {0};
    race r;
    open_race(&r, "bumpy:triangles=1280", 0.0162F);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        run_lap(&r, 0.002F * (float)frame);
        for (uint32_t i = 0; i < r.c.voice_count; i++) {
            const chorus_voice *voice = &r.c.voices[i];
            const size_t sum = r.updated[i] + r.refreshed[i];
            if (frame > 0) sums[i] += voice->tree.margin > 0.0F ? sum - above_of(voice) : sum;
        }
    }
    for (uint32_t i = 0; i < r.c.voice_count / 2; i++) {
        const uint32_t with = i + r.c.voice_count / 2;
        print_message("%s: %zu nodes, with a margin %zu\n",
                      willow_method_name(r.c.voices[i].tree.method), sums[i], sums[with]);
        chorus_expect(&r.c, &r.c.voices[with], sums[with] > 0, "nothing is ever computed");
        chorus_expect(&r.c, &r.c.voices[with], sums[with] < sums[i] / 4, "little is saved");
    }
    close_race(&r);
}

/* Positions that are refused were never there, so no box is computed for them. */
static void a_refused_set_costs_no_margin(void **state)
{
    (void)state;
    race r;
    open_race(&r, "bumpy:triangles=1280", 0.01F);
    run_lap(&r, 0.0F);
    for (uint32_t frame = 0; frame < 6; frame++) {
        const uint32_t count = r.s->bodies[0].vertex_count, bad = frame * 77 % count;
        r.at[0][bad][frame % 3] = frame % 2 == 0 ? NAN : INFINITY;
        r.at[0][bad / 2][0] += frame < 4 ? 1.0F : FLT_MAX;
        chorus_set(&r.c, 0, 0, count, r.at[0], WILLOW_BAD_MESH);
        memcpy(r.at[0], r.start[0], count * sizeof *r.at[0]);
        run_lap(&r, 0.0F);
        for (uint32_t i = 0; i < r.c.voice_count; i++)
            if (r.c.voices[i].tree.margin > 0.0F)
                chorus_expect(&r.c, &r.c.voices[i],
                              r.updated[i] + r.refreshed[i] == above_of(&r.c.voices[i]),
                              "a node below the cut is computed");
    }
    close_race(&r);
}

/* Nodes of a tree that was just built are not larger for a margin, those that queries open are;
 * that is no reason to build it again. */
static void a_margin_is_no_decay(void **state)
{
    (void)state;
    for (int m = 0; m < MARGINS; m++) {
        race r;
        open_race(&r, "bumpy:triangles=320", margins[m]);
        for (uint32_t frame = 0; frame < 26; frame++) run_lap(&r, 0.0001F * (float)(frame % 8));
        for (uint32_t i = 0; i < r.c.voice_count; i++)
            chorus_expect(&r.c, &r.c.voices[i],
                          r.c.voices[i].built == 0 && r.c.voices[i].subtrees_built == 0,
                          "a tree is built again");
        close_race(&r);
    }
}

/* ---- kept cases ---- */

enum { GRID = 24, GRID_VERTICES = (GRID + 1) * (GRID + 1), GRID_TRIS = 2 * GRID * GRID };

static void make_grid(float (*positions)[3], uint32_t *indices)
{
    for (uint32_t i = 0; i < GRID_VERTICES; i++) {
        positions[i][0] = (float)(i % (GRID + 1));
        positions[i][1] = (float)(i / (GRID + 1));
        positions[i][2] = 0.0F;
    }
    for (uint32_t i = 0; i < GRID * GRID; i++) {
        const uint32_t a = i / GRID * (GRID + 1) + i % GRID, c = a + GRID + 1;
        const uint32_t square[6] = {a, a + 1, c, a + 1, c + 1, c};
        memcpy(indices + 6 * (size_t)i, square, sizeof square);
    }
}

/* A large node over children that are open still, of the fresh tree, which has no margins: its own
 * boxes must have one all the same, or the move after that is missed. */
static void boxes_over_open_children_have_their_own_margin(void **state)
{
    (void)state;
    static float positions[GRID_VERTICES][3];
    static uint32_t indices[3 * GRID_TRIS];
    const float plane[4][3] = {
        {-1, -1, 0.5F}, {GRID + 1, -1, 0.5F}, {-1, GRID + 1, 0.5F}, {GRID + 1, GRID + 1, 0.5F}};
    const uint32_t halves[6] = {0, 1, 2, 1, 3, 2};
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        chorus c;
        willow_tree_def tree = zoo_tree(method, 2, 1);
        tree.margin = 1.0F;
        make_grid(positions, indices);
        chorus_open(&c, "a grid below a plane", (uint64_t)method);
        chorus_add_brute(&c);
        chorus_add(&c, tree, WILLOW_KERNEL_AUTO, 1);
        chorus_add_body(&c, &FIXTURE_MESH(positions, GRID_VERTICES, indices, GRID_TRIS), false);
        chorus_add_body(&c, &FIXTURE_MESH(plane, 4, halves, 2), false);
        chorus_update(&c);
        assert_int_equal(chorus_compare(&c), 0);
        positions[0][2] = 0.7F;
        chorus_set(&c, 0, 0, 1, positions, WILLOW_OK);
        chorus_update(&c);
        assert_true(chorus_compare(&c) > 0);
        for (uint32_t i = 0; i < GRID_VERTICES; i++) positions[i][2] += 0.5F;
        chorus_set(&c, 0, 0, GRID_VERTICES, positions, WILLOW_OK);
        chorus_update(&c);
        assert_true(chorus_compare(&c) > 0);
        chorus_close(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_margins_and_motions_give_the_answers_of_brute),
    cmocka_unit_test(margins_hold_near_zero_and_near_the_largest_float),
    cmocka_unit_test(a_range_that_is_set_before_all_leaves_its_margin),
    cmocka_unit_test(slow_motion_after_a_leap_leaves_its_margin),
    cmocka_unit_test(motion_of_zero_computes_nothing_after_the_first_frame),
    cmocka_unit_test(slow_motion_computes_a_part_of_what_it_does_without),
    cmocka_unit_test(a_refused_set_costs_no_margin),
    cmocka_unit_test(a_margin_is_no_decay),
    cmocka_unit_test(boxes_over_open_children_have_their_own_margin),
};

TEST_GROUP(margin, tests);
