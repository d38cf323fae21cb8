/* flight_test.c - steps along plans: where they stop, that they are the plan but for a rounding to
 * float32, and that nothing leaves the straight way by more than is said. */
#include "mesh/motion/flight.h"

#include <math.h>

#include "support/test.h"
#include "support/test_allocator.h"

enum { VERTICES = 12, KEYS = 6, SAMPLES = 16, CASES = 200 };

typedef struct flight_case {
    test_allocator allocator;
    wi_memory memory;
    wi_message message;
    wi_mesh mesh;
    wi_pose pose; /* of the mesh */
    wi_flight flight;
    double from, to;
} flight_case;

static void random_points(uint64_t *random, double size, float out[][3], int count)
{
    for (int i = 0; i < 3 * count; i++)
        out[i / 3][i % 3] = (float)test_random_between(random, -size, size);
}

static void follow_keys(flight_case *c, uint64_t *random)
{
    float keys[KEYS * VERTICES][3];
    double times[KEYS];
    wi_plan plan;
    random_points(random, 2.0, keys, KEYS * VERTICES);
    for (int k = 0; k < KEYS; k++) times[k] = 0.5 * k + test_random_between(random, 0.0, 0.5);
    willow_flightplan def = willow_flightplan_default();
    def.positions = keys;
    def.times = times;
    def.keyframe_count = KEYS;
    assert_int_equal(
        wi_plan_make(&c->memory, &def, VERTICES, c->mesh.place, NULL, &c->message, &plan),
        WILLOW_OK);
    assert_true(wi_mesh_begin_plan(&c->memory, &c->mesh, &plan, 0.0));
}

/* Every second vertex, or all. */
static void follow_rays(flight_case *c, uint64_t *random, uint32_t every)
{
    assert_true(wi_mesh_reserve_paths(&c->memory, &c->mesh, 0.0));
    for (uint32_t place = 0; place < VERTICES; place += every) {
        float v[2][3];
        random_points(random, 3.0, v, 2);
        const wi_moment now = wi_plan_moment(wi_mesh_plan(&c->mesh), 0.0);
        wi_path ray = wi_plan_path_from(wi_mesh_plan(&c->mesh), &now, place);
        memcpy(ray.velocity, v[0], sizeof v[0]);
        memcpy(ray.acceleration, v[1], sizeof v[1]);
        wi_plan_set_path(wi_mesh_plan(&c->mesh), place, &ray);
    }
}

static void make_case(flight_case *c, uint64_t seed)
{
    uint64_t random = seed;
    float positions[VERTICES][3];
    const uint32_t tri[1][3] = {{0, 1, 2}};
    *c = (flight_case){0};
    const willow_allocator functions = test_allocator_functions(&c->allocator);
    wi_memory_init(&c->memory, &functions);
    random_points(&random, 2.0, positions, VERTICES);
    const willow_mesh_def def = {
        .positions = positions, .vertex_count = VERTICES, .indices = tri, .triangle_count = 1};
    assert_ok(wi_mesh_create(&c->memory, &def, &c->message, &c->mesh));
    if (seed % 3 != 0) follow_keys(c, &random);
    if (seed % 3 != 1) follow_rays(c, &random, seed % 3 == 0 ? 1 : 2);
    if (seed % 2 == 0) {
        willow_pose pose = {.translation = {1, -2, 0.5F}, .rotation = {0.25F, -0.5F, 0.125F, 1}};
        wi_mesh_set_pose(&c->mesh, &pose, &c->pose);
    }
    c->from = test_random_between(&random, -0.5, 1.0);
    c->to = c->from + test_random_between(&random, 0.125, 3.0);
    assert_true(wi_flight_make(&c->memory, wi_mesh_plan(&c->mesh), c->from, c->to, &c->flight));
}

static void free_case(flight_case *c)
{
    wi_flight_free(&c->memory, &c->flight);
    wi_mesh_end_motion(&c->memory, &c->mesh);
    wi_mesh_destroy(&c->memory, &c->mesh);
    assert_true(test_allocator_is_clean(&c->allocator));
}

/* The path of a step, between two stops. */
static void path_at(const flight_case *c, uint32_t stop, uint32_t place, double v, double out[3])
{
    const wi_stop *stops = &c->flight.stops[stop];
    float a[4], b[4];
    double bulge[3];
    wi_flight_at(&c->mesh, &stops[0], place, a);
    wi_flight_at(&c->mesh, &stops[1], place, b);
    (void)wi_flight_bulge(&c->mesh, stops, place, bulge);
    for (int axis = 0; axis < 3; axis++)
        out[axis] =
            (1.0 - v) * (double)a[axis] + v * (double)b[axis] + 4.0 * v * (1.0 - v) * bulge[axis];
}

static double apart(const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sqrt(sum);
}

static void stops_are_the_ends_and_the_keyframes_between(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        flight_case c;
        make_case(&c, seed);
        const wi_plan *plan = wi_mesh_plan(&c.mesh);
        uint32_t between = 0;
        for (uint32_t k = 0; k < plan->key_count; k++)
            between += plan->times[k] > c.from && plan->times[k] < c.to;
        assert_int_equal(c.flight.count, between + 2);
        assert_true(c.flight.stops[0].share == 0.0 && c.flight.stops[0].moment.time == c.from);
        assert_true(c.flight.stops[between + 1].share == 1.0);
        assert_true(c.flight.stops[between + 1].moment.time == c.to);
        for (uint32_t i = 0; i < c.flight.count; i++) {
            const wi_stop *stop = &c.flight.stops[i];
            const double time = c.from + stop->share * (c.to - c.from);
            assert_true(fabs(time - stop->moment.time) < 1e-14);
            assert_true(i == 0 || stop->share > stop[-1].share);
        }
        free_case(&c);
    }
}

static void paths_are_those_of_the_plan_but_for_a_rounding(void **state)
{
    size_t looked_at = 0;
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        flight_case c;
        make_case(&c, seed);
        for (uint32_t i = 0; i + 1 < c.flight.count; i++)
            for (uint32_t k = 0; k <= SAMPLES * VERTICES; k++) {
                const double v = (double)(k / VERTICES) / SAMPLES;
                const wi_stop *stop = &c.flight.stops[i];
                const double time = (1.0 - v) * stop->moment.time + v * stop[1].moment.time;
                const wi_moment at = wi_plan_moment(wi_mesh_plan(&c.mesh), time);
                const wi_stop there = {.moment = at};
                float seen[4];
                double path[3], wide[3];
                wi_flight_at(&c.mesh, &there, k % VERTICES, seen);
                path_at(&c, i, k % VERTICES, v, path);
                for (int axis = 0; axis < 3; axis++) wide[axis] = (double)seen[axis];
                assert_true(apart(path, wide) < 64.0 * 0x1p-23);
                looked_at++;
            }
        free_case(&c);
    }
    printf("%zu places\n", looked_at);
}

static void nothing_leaves_the_straight_way_by_more_than_the_bend(void **state)
{
    double closest = 0.0;
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        flight_case c;
        make_case(&c, seed);
        const double bend = wi_flight_bend(&c.mesh, &c.flight);
        const uint32_t last = c.flight.count - 2;
        assert_true(last == 0 || bend > 0.0);
        for (uint32_t place = 0; place < VERTICES; place++) {
            double start[3], end[3], at[3], chord[3];
            path_at(&c, 0, place, 0.0, start);
            path_at(&c, last, place, 1.0, end);
            for (uint32_t k = 0; k < (last + 1) * SAMPLES; k++) {
                const wi_stop *stop = &c.flight.stops[k / SAMPLES];
                const double v = (double)(k % SAMPLES) / SAMPLES;
                const double t = (1.0 - v) * stop->share + v * stop[1].share;
                path_at(&c, k / SAMPLES, place, v, at);
                for (int axis = 0; axis < 3; axis++)
                    chord[axis] = (1.0 - t) * start[axis] + t * end[axis];
                assert_true(apart(at, chord) <= bend || (bend == 0.0 && apart(at, chord) < 1e-14));
                if (bend > 0.0) closest = fmax(closest, apart(at, chord) / bend);
            }
        }
        free_case(&c);
    }
    printf("up to %.3f of the bend\n", closest);
    assert_true(closest > 0.9); /* it is not much too large either */
}

static void what_does_not_move_stands(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < CASES; seed += 3) { /* keyframes only */
        flight_case c;
        make_case(&c, seed);
        const double *times = wi_mesh_plan(&c.mesh)->times;
        wi_flight *f = &c.flight;
        assert_true(wi_flight_make(&c.memory, wi_mesh_plan(&c.mesh), times[0] - 2, times[0], f));
        assert_true(wi_flight_stands(wi_mesh_plan(&c.mesh), f));
        assert_true(
            wi_flight_make(&c.memory, wi_mesh_plan(&c.mesh), times[KEYS - 1], times[0] + 99, f));
        assert_true(wi_flight_stands(wi_mesh_plan(&c.mesh), f));
        assert_true(
            wi_flight_make(&c.memory, wi_mesh_plan(&c.mesh), times[0] - 2, times[0] + 1e-9, f));
        assert_false(wi_flight_stands(wi_mesh_plan(&c.mesh), f));
        assert_true(
            wi_flight_make(&c.memory, wi_mesh_plan(&c.mesh), times[0], times[KEYS - 1] + 9, f));
        assert_false(wi_flight_stands(wi_mesh_plan(&c.mesh), f));
        free_case(&c);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(stops_are_the_ends_and_the_keyframes_between),
    cmocka_unit_test(paths_are_those_of_the_plan_but_for_a_rounding),
    cmocka_unit_test(nothing_leaves_the_straight_way_by_more_than_the_bend),
    cmocka_unit_test(what_does_not_move_stands),
};

TEST_GROUP(flight, tests);
