/* Bodies that turn while they move: no impact is later than the first contact on the way, as dense
 * samples of the way show, and what is said to touch is near.
 *
 * The rotation at a time is that of (1 - t) q0 + t q1, the shorter way round, and the origin of the
 * mesh goes straight (willow_body_set_target_pose). Samples are poses of float32, so they are right
 * within some roundings of it: nothing here is decided by less than ROUNDING. */
#include <math.h>
#include <stdlib.h>
#include "base/trig.h"
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/mesh_features.h"
#include "support/plain_distance.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

#define PI 3.14159265358979323846
#define ROUNDING 2e-6
enum { BODIES = 2, SAMPLES = 60 };

/* ---- poses on the way ---- */

static willow_quat turn_about(const double axis[3], double angle)
{
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double s = wi_sin(0.5 * angle) / length;
    return (willow_quat){(float)(s * axis[0]), (float)(s * axis[1]), (float)(s * axis[2]),
                         (float)wi_cos(0.5 * angle)};
}

static float between(float from, float to, double time)
{
    return (float)((1 - time) * (double)from + time * (double)to);
}

static willow_pose pose_at(const willow_pose *from, const willow_pose *to, double time)
{
    const willow_quat *p = &from->rotation;
    willow_quat q = to->rotation;
    const double cosine = (double)p->x * (double)q.x + (double)p->y * (double)q.y +
                          (double)p->z * (double)q.z + (double)p->w * (double)q.w;
    if (cosine < 0) q = (willow_quat){-q.x, -q.y, -q.z, -q.w};
    return (willow_pose){.translation = {between(from->translation.x, to->translation.x, time),
                                         between(from->translation.y, to->translation.y, time),
                                         between(from->translation.z, to->translation.z, time)},
                         .rotation = {between(p->x, q.x, time), between(p->y, q.y, time),
                                      between(p->z, q.z, time), between(p->w, q.w, time)}};
}

/* ---- steps ---- */

typedef struct mover {
    zoo_mesh mesh;
    mesh_features features;
    willow_pose from, to;
    float (*goal)[3]; /* of vertices, or NULL: the pose is what changes */
    float thickness;
} mover;

typedef struct step {
    mover movers[BODIES];
    willow_vec3 *at[BODIES]; /* where the vertices are at the time last looked at */
    double reach;
    uint64_t seed;
} step;

static double random_sign(uint64_t *random) { return test_random(random) % 2 == 0 ? -1 : 1; }

static willow_pose random_pose(uint64_t *random, double side)
{
    double axis[3];
    for (int i = 0; i < 3; i++) axis[i] = test_random_between(random, -1, 1);
    willow_pose pose = {.rotation = turn_about(axis, test_random_between(random, 0, PI))};
    pose.translation.x = (float)(side * test_random_between(random, 1.0, 2.5));
    pose.translation.y = (float)test_random_between(random, -0.5, 0.5);
    pose.translation.z = (float)test_random_between(random, -0.5, 0.5);
    return pose;
}

/* From there by up to so many radians about any axis, and towards the other side. */
static willow_pose random_goal(uint64_t *random, const willow_pose *from, double most)
{
    double axis[3];
    for (int i = 0; i < 3; i++) axis[i] = test_random_between(random, -1, 1);
    const willow_quat p = from->rotation,
                      q = turn_about(axis, test_random_between(random, 0, most));
    const float sign = (float)random_sign(random); /* the same rotation either way */
    willow_pose to = *from;
    to.rotation = (willow_quat){sign * (q.w * p.x + q.x * p.w + q.y * p.z - q.z * p.y),
                                sign * (q.w * p.y - q.x * p.z + q.y * p.w + q.z * p.x),
                                sign * (q.w * p.z + q.x * p.y - q.y * p.x + q.z * p.w),
                                sign * (q.w * p.w - q.x * p.x - q.y * p.y - q.z * p.z)};
    to.translation.x *= (float)test_random_between(random, -1, 1);
    to.translation.y += (float)test_random_between(random, -0.5, 0.5);
    return to;
}

static void make_mover(mover *m, uint64_t *random, double side, bool deforms)
{
    static const zoo_kind kinds[] = {ZOO_KIND_SPHERE, ZOO_KIND_GRID, ZOO_KIND_SOUP, ZOO_KIND_SINGLE,
                                     ZOO_KIND_NEEDLES};
    *m = (mover){0};
    zoo_mesh_create(&m->mesh, kinds[test_random(random) % 5],
                    4 + (uint32_t)(test_random(random) % 12), test_random(random) % 100);
    mesh_features_make(&m->features, (const uint32_t(*)[3])m->mesh.tris, NULL,
                       m->mesh.triangle_count);
    m->from = random_pose(random, side);
    m->to = random_goal(random, &m->from, 0.95 * PI);
    m->thickness = test_random(random) % 2 == 0 ? 0 : 0.03125F;
    if (!deforms) return;
    m->to = m->from;
    m->goal = calloc((size_t)m->mesh.vertex_count + 1, sizeof *m->goal);
    assert_non_null(m->goal);
    for (uint32_t i = 0; i < 3 * m->mesh.vertex_count; i++)
        m->goal[i / 3][i % 3] =
            m->mesh.positions[i / 3][i % 3] + (float)test_random_between(random, -0.25, 0.25);
}

/* The second body may also deform, or stand still. */
static void make_step(step *s, uint64_t seed)
{
    uint64_t random = seed;
    *s = (step){.seed = seed};
    for (int i = 0; i < BODIES; i++) {
        mover *m = &s->movers[i];
        const uint64_t choice = test_random(&random) % 3;
        make_mover(m, &random, i == 0 ? -1 : 1, i == 1 && choice == 0);
        if (i == 1 && choice == 1) m->to = m->from;
        s->at[i] = calloc((size_t)m->mesh.vertex_count + 1, sizeof *s->at[i]);
        assert_non_null(s->at[i]);
    }
    s->reach = (double)s->movers[0].thickness + (double)s->movers[1].thickness;
}

static void free_step(step *s)
{
    for (int i = 0; i < BODIES; i++) {
        mesh_features_free(&s->movers[i].features);
        zoo_mesh_destroy(&s->movers[i].mesh);
        free(s->movers[i].goal);
        free(s->at[i]);
    }
}

/* ---- what a sample shows ---- */

static void go_to(step *s, double time)
{
    for (int i = 0; i < BODIES; i++) {
        const mover *m = &s->movers[i];
        const willow_pose pose = pose_at(&m->from, &m->to, time);
        for (uint32_t v = 0; v < m->mesh.vertex_count; v++) {
            float at[3];
            memcpy(at, m->mesh.positions[v], sizeof at);
            for (int axis = 0; axis < 3 && m->goal != NULL; axis++)
                at[axis] = between(at[axis], m->goal[v][axis], time);
            willow_pose_apply(&pose, at, 0, 1, &s->at[i][v]);
        }
    }
}

static bool do_meet(const step *s)
{
    const mesh_features *a = &s->movers[0].features, *b = &s->movers[1].features;
    for (uint32_t i = 0; i < a->face_count; i++)
        for (uint32_t k = 0; k < b->face_count; k++) {
            willow_vec3 x[3], y[3];
            for (int c = 0; c < 3; c++) {
                x[c] = s->at[0][a->faces[i].vertices[c]];
                y[c] = s->at[1][b->faces[k].vertices[c]];
            }
            if (willow_tri_tri_meet(x, y)) return true;
        }
    return false;
}

static double features_distance(const step *s, const mesh_feature *a, const mesh_feature *b)
{
    const mesh_feature *features[BODIES] = {a, b};
    const bool is_turned = mesh_feature_size(a) > mesh_feature_size(b);
    double points[4][3];
    int count = 0;
    for (int i = 0; i < BODIES; i++) {
        const int body = is_turned ? 1 - i : i;
        for (int k = 0; k < mesh_feature_size(features[body]); k++, count++) {
            const willow_vec3 at = s->at[body][features[body]->vertices[k]];
            points[count][0] = (double)at.x;
            points[count][1] = (double)at.y;
            points[count][2] = (double)at.z;
        }
    }
    return a->name.kind == WILLOW_FEATURE_EDGE
               ? plain_edge_edge_distance((const double(*)[3])points)
               : plain_vertex_face_distance((const double(*)[3])points);
}

/* Of all features, for bodies that do not meet. */
static double least_distance(const step *s)
{
    const mesh_features *a = &s->movers[0].features, *b = &s->movers[1].features;
    double least = INFINITY;
    for (uint32_t i = 0; i < a->vertex_count; i++)
        for (uint32_t k = 0; k < b->face_count; k++)
            least = fmin(least, features_distance(s, &a->vertices[i], &b->faces[k]));
    for (uint32_t i = 0; i < a->face_count; i++)
        for (uint32_t k = 0; k < b->vertex_count; k++)
            least = fmin(least, features_distance(s, &a->faces[i], &b->vertices[k]));
    for (uint32_t i = 0; i < a->edge_count; i++)
        for (uint32_t k = 0; k < b->edge_count; k++)
            least = fmin(least, features_distance(s, &a->edges[i], &b->edges[k]));
    return least;
}

static void expect_apart_at(step *s, double time)
{
    go_to(s, time);
    if (do_meet(s)) fail_msg("step %llu: they meet at %.9g", (unsigned long long)s->seed, time);
    if (s->reach > 0 && least_distance(s) < s->reach - ROUNDING)
        fail_msg("step %llu: they are closer than both layers at %.9g", (unsigned long long)s->seed,
                 time);
}

/* Apart from the start up to just before `end`. */
static void expect_apart_until(step *s, double end)
{
    const double last = end - 1e-5;
    for (int i = 0; i <= SAMPLES && last > 0; i++) expect_apart_at(s, last * i / SAMPLES);
}

/* ---- worlds ---- */

typedef struct turning_world {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id ids[BODIES];
} turning_world;

static void add_body(turning_world *w, int number, const mover *m, willow_method method)
{
    willow_body_def def = willow_body_def_default();
    def.mesh =
        FIXTURE_MESH(m->mesh.positions, m->mesh.vertex_count, m->mesh.tris, m->mesh.triangle_count);
    def.pose = m->from;
    def.tree.method = method;
    def.tree.leaf_triangles = 2;
    def.thickness = m->thickness;
    w->ids[number] = fixture_body(w->world, &def);
    if (m->goal != NULL)
        assert_ok(
            willow_body_set_target(w->world, w->ids[number], 0, m->mesh.vertex_count, m->goal, 0));
    else
        assert_ok(willow_body_set_target_pose(w->world, w->ids[number], &m->to));
}

static void open_world(turning_world *w, const step *s, willow_method method, uint32_t threads)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = threads;
    w->world = fixture_world(&def);
    w->scratch = fixture_scratch(w->world);
    for (int i = 0; i < BODIES; i++) add_body(w, i, &s->movers[i], method);
    assert_ok(willow_world_update(w->world, 0, NULL));
}

static void close_world(turning_world *w) { fixture_close(w->world, w->scratch); }

static const mesh_feature *find_feature(const mesh_features *all, const willow_feature *name)
{
    const bool is_vertex = name->kind == WILLOW_FEATURE_VERTEX,
               is_edge = name->kind == WILLOW_FEATURE_EDGE;
    const mesh_feature *items = is_vertex ? all->vertices : is_edge ? all->edges : all->faces;
    const uint32_t count = is_vertex ? all->vertex_count
                           : is_edge ? all->edge_count
                                     : all->face_count;
    for (uint32_t i = 0; i < count; i++)
        if (items[i].name.number[0] == name->number[0] &&
            items[i].name.number[1] == name->number[1])
            return &items[i];
    fail_msg("a feature that is not there");
    return NULL;
}

/* What is decided is within the layers, but for what a moment of the way may change. */
static void expect_near(step *s, const willow_impact *impact)
{
    if (!impact->is_decided) return;
    go_to(s, impact->time);
    const double apart = features_distance(s, find_feature(&s->movers[0].features, &impact->a),
                                           find_feature(&s->movers[1].features, &impact->b));
    if (apart > s->reach + 1e-3)
        fail_msg("step %llu: what is said to touch at %.9g is %g apart",
                 (unsigned long long)s->seed, impact->time, apart);
}

static bool is_same(const willow_impact *a, const willow_impact *b)
{
    return a->a.kind == b->a.kind && a->b.kind == b->b.kind &&
           memcmp(a->a.number, b->a.number, sizeof a->a.number) == 0 &&
           memcmp(a->b.number, b->b.number, sizeof a->b.number) == 0 &&
           memcmp(&a->time, &b->time, sizeof a->time) == 0 && a->is_decided == b->is_decided;
}

static const willow_impact *first_of(const willow_impacts *impacts)
{
    const willow_impact *first = NULL;
    for (size_t i = 0; i < impacts->count; i++)
        if (first == NULL || impacts->items[i].time < first->time) first = &impacts->items[i];
    return first;
}

/* The first impact, which is the same by both questions, or NULL. */
static const willow_impact *ask(const step *s, turning_world *w, bool use_threads,
                                willow_impacts *impacts)
{
    willow_query_options options = willow_query_options_default();
    willow_first_impact first;
    options.use_threads = use_threads;
    willow_scratch *other = fixture_scratch(w->world);
    assert_ok(willow_time_of_impact(w->world, other, &options, &first));
    willow_scratch_destroy(other);
    assert_ok(willow_find_impacts(w->world, w->scratch, &options, impacts));
    const char *words = impacts_differ_first(impacts, &first);
    if (words) fail_msg("step %llu: the first impact: %s", (unsigned long long)s->seed, words);
    return first_of(impacts);
}

typedef struct tally {
    size_t hit, missed, at_start;
} tally;

static void check_way(step *s, turning_world *w, tally *sum)
{
    willow_impacts impacts;
    const willow_impact *first = ask(s, w, false, &impacts);
    for (size_t i = 0; i < impacts.count; i++) expect_near(s, &impacts.items[i]);
    expect_apart_until(s, first == NULL ? 1 : first->time);
    if (first == NULL) expect_apart_at(s, 1);
    sum->hit += first != NULL;
    sum->missed += first == NULL;
    sum->at_start += first != NULL && first->time == 0;
}

/* Every method and number of threads says the same. */
static void check_methods(const step *s, turning_world *w)
{
    willow_impacts expected;
    (void)ask(s, w, false, &expected);
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        turning_world other;
        willow_impacts impacts;
        open_world(&other, s, method, 1 + method % 3);
        (void)ask(s, &other, true, &impacts);
        assert_int_equal(impacts.count, expected.count);
        for (size_t i = 0; i < impacts.count; i++)
            assert_true(is_same(&impacts.items[i], &expected.items[i]));
        close_world(&other);
    }
}

static void no_impact_of_turning_bodies_comes_late(void **state)
{
    (void)state;
    tally sum = {0};
    for (uint64_t seed = 1; seed <= 120; seed++) {
        step s;
        turning_world w;
        make_step(&s, seed);
        open_world(&w, &s, WILLOW_METHOD_AUTO, 1);
        check_way(&s, &w, &sum);
        if (seed % 6 == 0) check_methods(&s, &w);
        close_world(&w);
        free_step(&s);
    }
    print_message("%zu hit each other, %zu of them at the start; %zu do not\n", sum.hit,
                  sum.at_start, sum.missed);
    assert_true(sum.hit > sum.at_start && sum.missed > 0);
}

/* ---- a clock ---- */

/* A hand along x turns about z towards a plate that stands at an angle. */
static double impact_of_hand(double plate, double goal, float sign)
{
    static const uint32_t tri[3] = {0, 1, 2};
    const double along_z[3] = {0, 0, 1};
    const float c = (float)wi_cos(plate), d = (float)wi_sin(plate);
    const float hand[3][3] = {{1, 0, 0}, {2, 0, 0}, {1.5F, -0.25F, 0}};
    const float wall[3][3] = {
        {0.25F * c, 0.25F * d, -1}, {3 * c, 3 * d, -1}, {1.5F * c, 1.5F * d, 4}};
    willow_pose to = willow_pose_identity();
    turning_world w;
    willow_first_impact first;
    w.world = fixture_world(NULL);
    w.scratch = fixture_scratch(w.world);
    for (int i = 0; i < BODIES; i++) {
        willow_body_def body = willow_body_def_default();
        body.mesh = FIXTURE_MESH(i == 0 ? hand : wall, 3, tri, 1);
        w.ids[i] = fixture_body(w.world, &body);
    }
    to.rotation = turn_about(along_z, goal);
    to.rotation.z *= sign;
    to.rotation.w *= sign;
    assert_ok(willow_body_set_target_pose(w.world, w.ids[0], &to));
    assert_ok(willow_world_update(w.world, 0, NULL));
    assert_ok(willow_time_of_impact(w.world, w.scratch, NULL, &first));
    close_world(&w);
    return first.found ? first.impact.time : 2;
}

/* With q(t) = (1 - t) + t (cos + k sin) of half the goal the angle is that of
 * tan(angle / 2) = t sin / ((1 - t) + t cos), which is solved for t. */
static double time_of_angle(double angle, double goal)
{
    const double tangent = wi_sin(0.5 * angle) / wi_cos(0.5 * angle);
    return tangent / (wi_sin(0.5 * goal) + tangent * (1 - wi_cos(0.5 * goal)));
}

static void a_hand_of_a_clock_hits_when_it_must(void **state)
{
    (void)state;
    for (int i = 1; i < 18; i++)
        for (int k = 1; k < 18; k++) {
            const double plate = PI * i / 18, goal = PI * k / 18;
            const double found = impact_of_hand(plate, goal, k % 2 == 0 ? 1 : -1);
            if (i == k) continue; /* it may just arrive */
            const double expected = i < k ? time_of_angle(plate, goal) : 2;
            if (found > expected + ROUNDING || found < expected - 1e-6 - ROUNDING)
                fail_msg("plate at %d, goal %d: %.9g is found, and it is %.9g", 10 * i, 10 * k,
                         found, expected);
        }
}

/* ---- a point ---- */

/* All corners are where the frame of the body is, which turns while it goes through a plate. */
static willow_impact impact_of_point(float margin)
{
    static const uint32_t tri[3] = {0, 1, 2};
    const float point[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    const float plate[3][3] = {{-1, -1, 0}, {2, -1, 0.25F}, {-1, 2, 0.3F}};
    willow_pose to = {.rotation = {0, 0, 1, 1}, .translation = {0, 0, -1}};
    turning_world w;
    willow_first_impact first;
    w.world = fixture_world(NULL);
    w.scratch = fixture_scratch(w.world);
    for (int i = 0; i < BODIES; i++) {
        willow_body_def body = willow_body_def_default();
        body.mesh = FIXTURE_MESH(i == 0 ? point : plate, 3, tri, 1);
        body.tree.method = WILLOW_METHOD_BOTTOM_UP;
        body.tree.margin = margin;
        if (i == 0) body.pose.translation.z = 1;
        w.ids[i] = fixture_body(w.world, &body);
    }
    assert_ok(willow_body_set_target_pose(w.world, w.ids[0], &to));
    assert_ok(willow_world_update(w.world, 0, NULL));
    assert_ok(willow_time_of_impact(w.world, w.scratch, NULL, &first));
    close_world(&w);
    assert_true(first.found);
    return first.impact;
}

static void a_point_that_turns_hits_when_it_must_whatever_the_margin(void **state)
{
    (void)state;
    const willow_impact plain = impact_of_point(0.0F), with_margin = impact_of_point(0.125F);
    assert_true(is_same(&plain, &with_margin));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_impact_of_turning_bodies_comes_late),
    cmocka_unit_test(a_hand_of_a_clock_hits_when_it_must),
    cmocka_unit_test(a_point_that_turns_hits_when_it_must_whatever_the_margin),
};

TEST_GROUP(impacts_turning, tests);
