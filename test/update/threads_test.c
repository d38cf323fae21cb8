/* Bodies that are large enough for workers to share the pass over their positions: the same boxes,
 * answers and counts with any number of workers (C10), and positions that are refused leave no
 * trace wherever they are (C6). */
#include <math.h>
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { MAX_WORKERS = 4, BODIES = 2, FRAMES = 3, FIRST_FRAME = 120 };

static const struct {
    willow_method method;
    float margin;
} methods[] = {{WILLOW_METHOD_BOTTOM_UP, 0.0F}, {WILLOW_METHOD_TOP_DOWN, 0.0F},
               {WILLOW_METHOD_HYBRID, 0.0F},    {WILLOW_METHOD_AUTO, 0.0F},
               {WILLOW_METHOD_HYBRID, 0.02F},   {WILLOW_METHOD_AUTO, 0.02F}};

enum { METHODS = sizeof methods / sizeof methods[0] };

static void print_counted(uint32_t m, size_t count, const char *what)
{
    print_message("%s, margin %g: %zu %s\n", willow_method_name(methods[m].method),
                  (double)methods[m].margin, count, what);
}

static scene *create_scene(void)
{
    scene *s = fixture_scene("bumpy:triangles=5120");
    assert_int_equal(s->body_count, BODIES);
    return s;
}

static float *positions_of(const scene *s, uint32_t frame, uint32_t body)
{
    float *positions = malloc(3 * sizeof(float) * s->bodies[body].vertex_count);
    assert_non_null(positions);
    scene_positions(s, frame, body, positions);
    return positions;
}

typedef struct stage {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[BODIES];
} stage;

static stage create_stage(const scene *s, const willow_world_def *def, uint32_t m)
{
    stage st = {0};
    st.world = fixture_world(def);
    for (uint32_t i = 0; i < BODIES; i++) {
        willow_body_def body = willow_body_def_default();
        float *positions = positions_of(s, FIRST_FRAME, i);
        body.mesh.positions = positions;
        body.mesh.vertex_count = s->bodies[i].vertex_count;
        body.mesh.indices = s->bodies[i].indices;
        body.mesh.triangle_count = s->bodies[i].triangle_count;
        body.tree.method = methods[m].method;
        body.tree.margin = methods[m].margin;
        st.bodies[i] = fixture_body(st.world, &body);
        free(positions);
    }
    assert_ok(willow_world_update(st.world, 0.0, NULL));
    st.scratch = fixture_scratch(st.world);
    return st;
}

static void destroy_stage(stage *st) { fixture_close(st->world, st->scratch); }

static void move_bodies(stage *st, const scene *s, uint32_t frame)
{
    for (uint32_t i = 0; i < BODIES; i++) {
        float *positions = positions_of(s, frame, i);
        assert_ok(willow_body_set_vertices(st->world, st->bodies[i], 0, s->bodies[i].vertex_count,
                                           positions, 0));
        free(positions);
    }
}

/* What a world says of a frame. */
typedef struct outcome {
    willow_update_report report;
    willow_query_stats stats;
    willow_box boxes[BODIES];
    size_t pairs;
    uint64_t hash;
} outcome;

static outcome look(stage *st)
{
    outcome o;
    willow_pairs pairs;
    willow_query_options options = willow_query_options_default();
    memset(&o, 0, sizeof o); /* outcomes are compared byte by byte */
    options.use_threads = true;
    assert_ok(willow_world_update(st->world, 0.0, &o.report));
    assert_true(willow_world_validate(st->world, NULL, 0));
    willow_scratch_reset_stats(st->scratch);
    assert_ok(willow_find_pairs(st->world, st->scratch, &options, &pairs));
    o.stats = willow_scratch_stats(st->scratch);
    o.stats.claims_lost = 0; /* depends on who is first */
    o.pairs = pairs.count;
    o.hash = willow_pairs_hash(&pairs);
    for (uint32_t i = 0; i < BODIES; i++) {
        willow_body_info info;
        assert_ok(willow_body_get_info(st->world, st->bodies[i], &info));
        o.boxes[i] = info.box;
    }
    return o;
}

static void boxes_answers_and_counts_do_not_depend_on_workers(void **state)
{
    (void)state;
    scene *s = create_scene();
    for (uint32_t m = 0; m < METHODS; m++) {
        outcome alone[FRAMES];
        size_t pairs = 0;
        for (uint32_t workers = 1; workers <= MAX_WORKERS; workers++) {
            willow_world_def def = willow_world_def_default();
            def.thread_count = workers;
            stage st = create_stage(s, &def, m);
            for (uint32_t i = 0; i < FRAMES; i++) {
                move_bodies(&st, s, FIRST_FRAME + 1 + i);
                outcome now = look(&st);
                if (workers == 1) alone[i] = now;
                assert_memory_equal(&now, &alone[i], sizeof now);
                pairs += now.pairs;
            }
            destroy_stage(&st);
        }
        print_counted(m, pairs, "pairs found");
        assert_true(pairs > 0);
    }
    scene_destroy(s);
}

/* One not-a-number at a time, all over the body. */
static void refused_positions_leave_no_trace(void **state)
{
    (void)state;
    scene *s = create_scene();
    willow_world_def def = willow_world_def_default();
    def.thread_count = 3;
    for (uint32_t m = 0; m < METHODS; m++) {
        stage st = create_stage(s, &def, m);
        outcome before = look(&st);
        uint32_t count = s->bodies[0].vertex_count;
        float *positions = positions_of(s, FIRST_FRAME + 20, 0);
        for (uint32_t vertex = 0; vertex < count; vertex += 200) {
            float *bad = &positions[3 * vertex + vertex % 3], good = *bad;
            *bad = NAN;
            assert_int_equal(
                willow_body_set_vertices(st.world, st.bodies[0], 0, count, positions, 0),
                WILLOW_BAD_MESH);
            *bad = good;
            outcome after = look(&st);
            assert_int_equal(after.pairs, before.pairs);
            assert_true(after.hash == before.hash);
            assert_memory_equal(after.boxes, before.boxes, sizeof after.boxes);
        }
        free(positions);
        destroy_stage(&st);
    }
    scene_destroy(s);
}

/* A host that notes the loop with the most tasks. */
static void note_and_run(void *context, uint32_t task_count, willow_task *run, void *arg)
{
    uint32_t *most = context;
    if (task_count > *most) *most = task_count;
    for (uint32_t task = task_count; task-- > 0;) run(arg, task, task % MAX_WORKERS);
}

static void one_body_is_shared_out(void **state)
{
    (void)state;
    scene *s = create_scene();
    for (uint32_t m = 0; m < METHODS; m++) {
        uint32_t most = 0;
        willow_world_def def = willow_world_def_default();
        def.tasks = (willow_tasks){MAX_WORKERS, note_and_run, &most};
        stage st = create_stage(s, &def, m);
        most = 0;
        move_bodies(&st, s, FIRST_FRAME + 1);
        print_counted(m, most, "tasks");
        if (methods[m].method == WILLOW_METHOD_TOP_DOWN)
            assert_int_equal(most, 1); /* it bounds the whole at once */
        else
            assert_true(most >= MAX_WORKERS);
        destroy_stage(&st);
    }
    scene_destroy(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_answers_and_counts_do_not_depend_on_workers),
    cmocka_unit_test(refused_positions_leave_no_trace),
    cmocka_unit_test(one_body_is_shared_out),
};

TEST_GROUP(threads, tests);
