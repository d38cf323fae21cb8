/* stage.c - see stage.h. */
#include "golden/stage.h"

#include <stdlib.h>

#include "support/test.h"

static void expect_ok(const stage *s, willow_result result)
{
    if (result == WILLOW_OK) return;
    fail_msg("%s: %s", willow_result_name(result), willow_world_message(s->world));
}

static uint32_t frame_of(const stage *s, uint32_t turn)
{
    return s->play.first_frame + turn * s->play.frame_step;
}

static double time_of(const stage *s, uint32_t frame)
{
    return s->scene->kind->time != NULL ? scene_time(s->scene, frame) : (double)frame;
}

static uint32_t vertices_of(const stage *s, uint32_t body)
{
    return s->scene->bodies[body].vertex_count;
}

static bool is_posed(const stage *s, uint32_t body)
{
    return s->play.motion == STAGE_POSED && s->scene->bodies[body].is_rigid;
}

static bool is_morph(const stage *s, uint32_t body)
{
    return s->play.motion == STAGE_MORPHS && s->scene->bodies[body].motion == SCENE_MORPH;
}

/* ---- positions ---- */

static void set_copied(stage *s, uint32_t body, uint32_t turn)
{
    scene_positions(s->scene, frame_of(s, turn), body, s->positions[body]);
    expect_ok(s, willow_body_set_vertices(s->world, s->bodies[body], 0, vertices_of(s, body),
                                          s->positions[body], 0));
}

/* Another half of the vertices in every turn. */
static void set_partial(stage *s, uint32_t body, uint32_t turn)
{
    const uint32_t count = vertices_of(s, body) / 2, first = turn % 3 * (count / 2);
    scene_positions(s->scene, frame_of(s, turn), body, s->next[body]);
    memcpy(s->positions[body] + 3 * first, s->next[body] + 3 * first, 3 * count * sizeof(float));
    expect_ok(s, willow_body_set_vertices(s->world, s->bodies[body], first, count,
                                          s->positions[body] + 3 * first, 0));
}

static void set_borrowed(stage *s, uint32_t body, uint32_t turn)
{
    expect_ok(s, willow_body_begin_vertices(s->world, s->bodies[body]));
    scene_positions(s->scene, frame_of(s, turn), body, s->positions[body]);
}

static void target_positions(stage *s, uint32_t body, uint32_t turn)
{
    scene_positions(s->scene, frame_of(s, turn) + 1, body, s->next[body]);
    expect_ok(s, willow_body_set_target(s->world, s->bodies[body], 0, vertices_of(s, body),
                                        s->next[body], 0));
}

/* ---- poses ---- */

static void set_pose(stage *s, uint32_t body, uint32_t turn)
{
    willow_pose pose;
    scene_pose(s->scene, frame_of(s, turn), body, &pose);
    expect_ok(s, willow_body_set_pose(s->world, s->bodies[body], &pose));
}

static void set_posed(stage *s, uint32_t body, uint32_t turn)
{
    if (is_posed(s, body))
        set_pose(s, body, turn);
    else
        set_copied(s, body, turn);
}

static void target_pose(stage *s, uint32_t body, uint32_t turn)
{
    willow_pose pose;
    scene_pose(s->scene, frame_of(s, turn) + 1, body, &pose);
    if (is_posed(s, body))
        expect_ok(s, willow_body_set_target_pose(s->world, s->bodies[body], &pose));
    else
        target_positions(s, body, turn);
}

/* ---- flight plans ---- */

/* Velocities towards the frame that follows for all vertices, accelerations for every third turn's
 * share of them, and one path of its own. */
static void set_flight(stage *s, uint32_t body, uint32_t turn)
{
    const uint32_t count = vertices_of(s, body), third = count / 3;
    const float share = 1.0F / (float)s->play.frame_step;
    if (turn % 2 == 1) return;
    scene_positions(s->scene, frame_of(s, turn), body, s->positions[body]);
    scene_positions(s->scene, frame_of(s, turn + 1), body, s->next[body]);
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        s->next[body][i] = (s->next[body][i] - s->positions[body][i]) * share;
    expect_ok(s, willow_body_set_velocities(s->world, s->bodies[body], 0, count, s->next[body], 0));
    for (size_t i = 0; i < 3 * (size_t)third; i++) s->next[body][i] *= -0.125F * share;
    expect_ok(s, willow_body_set_accelerations(s->world, s->bodies[body], third, third,
                                               s->next[body], 0));
    const willow_vertex_plan plan = {.velocity = {0.001F, 0, 0}, .acceleration = {0, 0.0001F, 0}};
    expect_ok(s, willow_body_set_vertex_plan(s->world, s->bodies[body], count - 1, &plan));
}

/* The changes of velocity from the turn before on until now: all of a vertex but the last one are
 * as if they had not been. */
static void set_changes(stage *s, uint32_t body, uint32_t turn)
{
    size_t count;
    const scene_change *changes = scene_changes(s->scene, body, &count);
    const double now = time_of(s, frame_of(s, turn));
    const double before = turn == 0 ? -1 : time_of(s, frame_of(s, turn - 1));
    for (size_t i = 0; i < count && changes[i].time <= now; i++) {
        if (changes[i].time <= before) continue;
        const float *v = changes[i].velocity;
        const willow_vertex_plan plan = {.velocity = {v[0], v[1], v[2]}};
        expect_ok(s,
                  willow_body_set_vertex_plan(s->world, s->bodies[body], changes[i].vertex, &plan));
    }
}

static void set_keyframes(stage *s, uint32_t body)
{
    const size_t size = 3 * (size_t)vertices_of(s, body);
    const uint32_t last = frame_of(s, s->play.frame_count);
    uint32_t count = 1;
    while (count < scene_key_count(s->scene) && scene_key_frame(s->scene, count - 1) <= last)
        count++;
    float *keys = calloc(size * count + 1, sizeof *keys);
    double *times = calloc(count, sizeof *times);
    for (uint32_t i = 0; i < count; i++) {
        scene_key_positions(s->scene, i, body, keys + size * i);
        times[i] = time_of(s, scene_key_frame(s->scene, i));
    }
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = count;
    expect_ok(s, willow_body_set_flightplan(s->world, s->bodies[body], &plan));
    free(keys);
    free(times);
}

static void set_plans(stage *s, uint32_t body, uint32_t turn)
{
    const scene_motion motion = s->scene->bodies[body].motion;
    if (motion == SCENE_PLANS) set_changes(s, body, turn);
    if (motion == SCENE_KEYFRAMES && turn == 0) set_keyframes(s, body);
    if (motion != SCENE_PLANS && motion != SCENE_KEYFRAMES) set_copied(s, body, turn);
}

/* ---- morphs ---- */

static void begin_morph(stage *s, uint32_t body)
{
    const bool offsets = scene_has_offsets(s->scene);
    willow_morph_target targets[SCENE_REFERENCE_MAX] = {0};
    willow_morph morph = willow_morph_default();
    morph.kind = offsets ? WILLOW_MORPH_OFFSETS : WILLOW_MORPH_ABSOLUTE;
    morph.base = offsets ? scene_reference(s->scene, body, 0) : NULL;
    morph.targets = targets;
    morph.target_count = scene_reference_count(s->scene) - offsets;
    for (uint32_t i = 0; i < morph.target_count; i++)
        targets[i].values = scene_reference(s->scene, body, i + offsets);
    expect_ok(s, willow_body_set_morph_targets(s->world, s->bodies[body], &morph));
}

static void set_morphs(stage *s, uint32_t body, uint32_t turn)
{
    const bool offsets = scene_has_offsets(s->scene);
    float weights[SCENE_REFERENCE_MAX];
    if (!is_morph(s, body)) {
        set_copied(s, body, turn);
        return;
    }
    if (turn == 0) begin_morph(s, body);
    scene_weights(s->scene, frame_of(s, turn), body, weights);
    expect_ok(s, willow_body_set_morph_weights(s->world, s->bodies[body], weights + offsets,
                                               scene_reference_count(s->scene) - offsets));
    set_pose(s, body, turn);
}

static void target_weights(stage *s, uint32_t body, uint32_t turn)
{
    const bool offsets = scene_has_offsets(s->scene);
    float weights[SCENE_REFERENCE_MAX];
    willow_pose pose;
    if (!is_morph(s, body)) {
        target_positions(s, body, turn);
        return;
    }
    scene_weights(s->scene, frame_of(s, turn) + 1, body, weights);
    expect_ok(s, willow_body_set_target_weights(s->world, s->bodies[body], weights + offsets,
                                                scene_reference_count(s->scene) - offsets));
    scene_pose(s->scene, frame_of(s, turn) + 1, body, &pose);
    if (turn % 2 == 1) expect_ok(s, willow_body_set_target_pose(s->world, s->bodies[body], &pose));
}

/* ---- a deformation of the user's own ---- */

static bend bend_of(uint32_t frame)
{
    bend b = bend_straight();
    b.shear = 0.0625F * (float)(frame % 9) - 0.25F;
    b.curve = 0.125F * (float)(frame % 7) - 0.375F;
    return b;
}

static void set_user(stage *s, uint32_t body, uint32_t turn)
{
    const willow_deformation deformation = bend_deformation(&s->now);
    if (turn == 0)
        expect_ok(s, willow_body_set_deformation(s->world, s->bodies[body], &deformation));
    expect_ok(s, willow_body_touch_deformation(s->world, s->bodies[body]));
}

static void target_bend(stage *s, uint32_t body, uint32_t turn)
{
    (void)turn;
    expect_ok(s, willow_body_set_target_deformation(s->world, s->bodies[body], &s->then));
}

/* ---- the table ---- */

typedef void mover(stage *s, uint32_t body, uint32_t turn);

static const struct {
    const char *name;
    mover *move, *target; /* target NULL: by the time of the world */
} motions[STAGE_MOTION_COUNT] = {
#define STAGE_MOTION_ENTRY(name, words, move, target) [STAGE_##name] = {words, move, target},
    STAGE_MOTIONS(STAGE_MOTION_ENTRY)
#undef STAGE_MOTION_ENTRY
};

const char *stage_motion_name(stage_motion motion) { return motions[motion].name; }

static void add_body(stage *s, uint32_t i)
{
    const scene_body *from = &s->scene->bodies[i];
    willow_body_def def = willow_body_def_default();
    s->positions[i] = calloc(3 * (size_t)from->vertex_count + 1, sizeof *s->positions[i]);
    s->next[i] = calloc(3 * (size_t)from->vertex_count + 1, sizeof *s->next[i]);
    if (is_posed(s, i))
        scene_rest(s->scene, i, s->positions[i]);
    else if (is_morph(s, i))
        memcpy(s->positions[i], scene_reference(s->scene, i, 0),
               3 * (size_t)from->vertex_count * sizeof(float));
    else
        scene_positions(s->scene, s->play.first_frame, i, s->positions[i]);
    def.mesh = (willow_mesh_def){.positions = s->positions[i],
                                 .vertex_count = from->vertex_count,
                                 .indices = from->indices,
                                 .triangle_count = from->triangle_count,
                                 .borrow = s->play.motion == STAGE_BORROWED};
    def.self = from->self;
    def.tree = s->setup.tree;
    expect_ok(s, willow_body_create(s->world, &def, &s->bodies[i]));
}

void stage_open(stage *s, const scene *from, const stage_play *play, const stage_setup *setup)
{
    assert_true(from->body_count <= STAGE_BODIES);
    *s = (stage){.scene = from, .play = *play, .setup = *setup, .now = bend_straight()};
    willow_world_def def = willow_world_def_default();
    def.kernel = setup->kernel;
    def.thread_count = setup->threads;
    assert_int_equal(willow_world_create(&def, &s->world), WILLOW_OK);
    for (uint32_t i = 0; i < from->body_count; i++) add_body(s, i);
    assert_int_equal(willow_scratch_create(s->world, &s->scratch), WILLOW_OK);
    expect_ok(s, willow_world_update(s->world, time_of(s, play->first_frame), NULL));
}

void stage_close(stage *s)
{
    willow_scratch_destroy(s->scratch);
    willow_world_destroy(s->world);
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        free(s->positions[i]);
        free(s->next[i]);
    }
}

/* X(field) */
#define REPORT_FIELDS(X)                                                                           \
    X(bodies_moved)                                                                                \
    X(bodies_updated)                                                                              \
    X(bodies_built)                                                                                \
    X(subtrees_built)                                                                              \
    X(nodes_updated)                                                                               \
    X(vertices_evaluated)                                                                          \
    X(events)                                                                                      \
    X(values_updated)                                                                              \
    X(queue_operations)                                                                            \
    X(certificates_checked)                                                                        \
    X(plan_changes)                                                                                \
    X(setups)

static void add_report(willow_update_report *sums, const willow_update_report *report)
{
#define REPORT_ENTRY(field) sums->field += report->field;
    REPORT_FIELDS(REPORT_ENTRY)
#undef REPORT_ENTRY
}

void stage_go(stage *s, uint32_t turn)
{
    const uint32_t frame = frame_of(s, turn);
    mover *move = motions[s->play.motion].move, *target = motions[s->play.motion].target;
    willow_update_report report;
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        move(s, i, turn);
        if (s->play.has_steps && target != NULL) target(s, i, turn);
    }
    s->now = bend_of(frame); /* read from the update on */
    s->then = bend_of(frame + 1);
    if (s->play.has_steps && target == NULL)
        expect_ok(s, willow_world_set_target_time(s->world, time_of(s, frame + 1)));
    expect_ok(s, willow_world_update(s->world, time_of(s, frame), &report));
    add_report(&s->report, &report);
}
