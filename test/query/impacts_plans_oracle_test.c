/* impacts_plans_oracle_test.c - random flight plans: impacts are what a body that is taken along
 * its plan meets, also where watches know of them.
 *
 * A second world follows the same plans in small steps and asks where triangles meet, and how far
 * bodies are apart: no sample before the first impact may show a contact, and at the time of the
 * impact the two are near. Positions of samples are rounded to float32, and so are the ends of the
 * paths that impacts follow, so nothing here is decided by less than ROUNDING. */
#include <math.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/flight_world.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "world/world.h"

#define ROUNDING 2e-6

enum { BODIES = 2, MOST_KEYS = 5, SAMPLES = 40, CASES = 60 };

/* How a body gets along. */
typedef enum way_kind { STANDS, STRAIGHT, THROWN, KEYED, MIXED, TRIED, WAY_KINDS } way_kind;

static const char *const way_names[WAY_KINDS] = {"stands", "straight", "thrown",
                                                 "keyed",  "mixed",    "tried"};

typedef struct flyer {
    zoo_mesh mesh;
    way_kind kind;
    bool is_posed, self;
    willow_pose pose;
    float thickness;
    uint32_t key_count;
    double times[MOST_KEYS];
    float (*keys)[3]; /* keyframe after keyframe; as much for velocities and accelerations */
} flyer;

typedef struct scene {
    flyer flyers[BODIES];
    double from, to; /* the step; plans begin at 0 */
    uint64_t seed;
} scene;

static void random_vector(uint64_t *random, double size, double along_x, float out[3])
{
    for (int axis = 0; axis < 3; axis++)
        out[axis] = (float)(test_random_between(random, -size, size) + (axis == 0 ? along_x : 0.0));
}

static void make_keys(flyer *f, uint64_t *random, double towards)
{
    double time = test_random_between(random, -0.5, 0.5);
    f->key_count = 2 + (uint32_t)(test_random(random) % (MOST_KEYS - 1));
    for (uint32_t k = 0; k < f->key_count; k++) {
        float shift[3];
        f->times[k] = time;
        time += test_random_between(random, 0.125, 1.0);
        random_vector(random, 0.5, k % 2 == 1 ? towards : 0.0, shift);
        for (uint32_t v = 0; v < f->mesh.vertex_count; v++) {
            float wobble[3], *out = f->keys[k * f->mesh.vertex_count + v];
            random_vector(random, 0.125, 0.0, wobble);
            for (int axis = 0; axis < 3; axis++)
                out[axis] = f->mesh.positions[v][axis] + shift[axis] + wobble[axis];
        }
    }
}

/* Velocities in the first part, accelerations in the second. */
static void make_rays(flyer *f, uint64_t *random, double towards)
{
    float velocity[3], acceleration[3];
    random_vector(random, 0.5, towards, velocity);
    random_vector(random, 1.0, -1.5 * towards, acceleration);
    for (uint32_t v = 0; v < f->mesh.vertex_count; v++) {
        float wobble[2][3];
        random_vector(random, 0.125, 0.0, wobble[0]);
        random_vector(random, 0.25, 0.0, wobble[1]);
        for (int axis = 0; axis < 3; axis++) {
            f->keys[v][axis] = velocity[axis] + wobble[0][axis];
            f->keys[f->mesh.vertex_count + v][axis] = acceleration[axis] + wobble[1][axis];
        }
    }
}

static void make_goal(flyer *f, uint64_t *random, double towards)
{
    float shift[3];
    random_vector(random, 0.5, towards, shift);
    for (uint32_t v = 0; v < f->mesh.vertex_count; v++) {
        float wobble[3];
        random_vector(random, 0.125, 0.0, wobble);
        for (int axis = 0; axis < 3; axis++)
            f->keys[v][axis] = f->mesh.positions[v][axis] + shift[axis] + wobble[axis];
    }
}

static void make_flyer(flyer *f, uint64_t *random, double side, bool is_still_allowed)
{
    static const zoo_kind kinds[] = {ZOO_KIND_SPHERE, ZOO_KIND_GRID,   ZOO_KIND_SOUP,
                                     ZOO_KIND_SINGLE, ZOO_KIND_FOLDED, ZOO_KIND_NEEDLES};
    *f = (flyer){.pose = willow_pose_identity()};
    zoo_mesh_create(&f->mesh, kinds[test_random(random) % 6],
                    4 + (uint32_t)(test_random(random) % 16), test_random(random) % 100);
    for (uint32_t v = 0; v < f->mesh.vertex_count; v++)
        f->mesh.positions[v][0] += (float)(1.5 * side);
    f->kind = (way_kind)(test_random(random) % WAY_KINDS);
    if (!is_still_allowed && (f->kind == STANDS || f->kind == TRIED)) f->kind = KEYED;
    f->is_posed = test_random(random) % 3 == 0;
    f->self = test_random(random) % 2 == 0;
    f->thickness = test_random(random) % 3 == 0 ? 0.03125F : 0.0F;
    if (f->is_posed) {
        f->pose.rotation = (willow_quat){0.125F, 0.25F, -0.0625F, 1.0F};
        f->pose.translation.y = 0.125F;
    }
    f->keys = calloc((size_t)MOST_KEYS * f->mesh.vertex_count + 1, sizeof *f->keys);
    assert_non_null(f->keys);
    if (f->kind == KEYED || f->kind == MIXED)
        make_keys(f, random, -2.5 * side);
    else if (f->kind == TRIED)
        make_goal(f, random, -2.5 * side);
    else
        make_rays(f, random, -2.5 * side);
}

static void make_scene(scene *s, uint64_t seed)
{
    uint64_t random = seed;
    *s = (scene){.seed = seed};
    for (int i = 0; i < BODIES; i++) make_flyer(&s->flyers[i], &random, i == 0 ? -1 : 1, i == 1);
    s->from = test_random_between(&random, 0.0, 0.25);
    s->to = s->from + test_random_between(&random, 0.5, 2.0);
}

static void free_scene(scene *s)
{
    for (int i = 0; i < BODIES; i++) {
        zoo_mesh_destroy(&s->flyers[i].mesh);
        free(s->flyers[i].keys);
    }
}

/* ---- worlds ---- */

/* Half of the vertices of a mixed body leave their keyframes. */
static void set_mixed(flight_world *w, const flyer *f, willow_body_id id)
{
    flight_world_keys(w, id, (const float(*)[3])f->keys, f->times, f->key_count);
    for (uint32_t v = 0; v < f->mesh.vertex_count; v += 2) {
        const float x = (float)(v % 3), y = (float)(v % 5);
        const willow_vertex_plan plan = {{0.25F * x - 0.25F, 0.125F * y, 0.125F},
                                         {0.125F * y, -0.25F, 0.25F * x}};
        assert_ok(willow_body_set_vertex_plan(w->world, id, v, &plan));
    }
}

static void set_plan(flight_world *w, const flyer *f, willow_body_id id)
{
    const uint32_t count = f->mesh.vertex_count;
    if (f->kind == STRAIGHT || f->kind == THROWN)
        assert_ok(willow_body_set_velocities(w->world, id, 0, count, f->keys, 0));
    if (f->kind == THROWN)
        assert_ok(willow_body_set_accelerations(w->world, id, 0, count, f->keys + count, 0));
    if (f->kind == KEYED)
        flight_world_keys(w, id, (const float(*)[3])f->keys, f->times, f->key_count);
    if (f->kind == MIXED) set_mixed(w, f, id);
}

/* All bodies with their plans, at time 0. */
static void open_scene(flight_world *w, const scene *s, willow_method method, uint32_t threads,
                       willow_body_id ids[BODIES])
{
    flight_world_open(w, method, threads);
    for (int i = 0; i < BODIES; i++) {
        const flyer *f = &s->flyers[i];
        willow_body_def def =
            flight_body((const float(*)[3])f->mesh.positions, f->mesh.vertex_count,
                        (const uint32_t(*)[3])f->mesh.tris, f->mesh.triangle_count);
        def.self = f->self;
        def.pose = f->pose;
        def.thickness = f->thickness;
        ids[i] = flight_world_add(w, def);
        set_plan(w, f, ids[i]);
    }
    assert_ok(willow_world_update(w->world, 0.0, NULL));
}

static void look_ahead(flight_world *w, const scene *s, const willow_body_id ids[BODIES])
{
    for (int i = 0; i < BODIES; i++)
        if (s->flyers[i].kind == TRIED)
            assert_ok(willow_body_set_target(w->world, ids[i], 0, s->flyers[i].mesh.vertex_count,
                                             s->flyers[i].keys, 0));
    flight_world_look(w, s->from, s->to);
}

/* ---- what samples show ---- */

typedef struct guide {
    flight_world world; /* that follows the plans */
    willow_body_id ids[BODIES];
    const scene *scene;
} guide;

/* At a share of the step. */
static void go_to(guide *g, double share)
{
    const scene *s = g->scene;
    for (int i = 0; i < BODIES; i++) {
        const flyer *f = &s->flyers[i];
        if (f->kind != TRIED) continue;
        float(*at)[3] = calloc((size_t)f->mesh.vertex_count + 1, sizeof *at);
        assert_non_null(at);
        for (uint32_t k = 0; k < 3 * f->mesh.vertex_count; k++)
            at[k / 3][k % 3] = (float)((1 - share) * (double)f->mesh.positions[k / 3][k % 3] +
                                       share * (double)f->keys[k / 3][k % 3]);
        assert_ok(
            willow_body_set_vertices(g->world.world, g->ids[i], 0, f->mesh.vertex_count, at, 0));
        free(at);
    }
    assert_ok(willow_world_update(g->world.world, s->from + share * (s->to - s->from), NULL));
}

static double reach_of(const scene *s)
{
    return (double)s->flyers[0].thickness + (double)s->flyers[1].thickness;
}

static double distance_at(guide *g, double share)
{
    const willow_body_set a = {&g->ids[0], 1}, b = {&g->ids[1], 1};
    willow_closest_pair closest;
    go_to(g, share);
    assert_ok(willow_distance(g->world.world, g->world.scratch, &a, &b, NULL, &closest));
    return closest.found ? closest.distance : (double)INFINITY;
}

static void expect_apart_until(guide *g, double end)
{
    const double reach = reach_of(g->scene);
    const double last = end < 1.0 ? end - 1e-5 : 1.0;
    for (int i = 0; i <= SAMPLES && last > 0; i++) {
        const double share = last * i / SAMPLES, apart = distance_at(g, share);
        if (i == 0 && apart <= 0.0) return; /* they cross: features need not touch */
        if (apart <= 0.0 || apart < reach - ROUNDING)
            fail_msg("scene %llu (%s, %s): they are %g apart at %.9g, and the first impact is %g",
                     (unsigned long long)g->scene->seed, way_names[g->scene->flyers[0].kind],
                     way_names[g->scene->flyers[1].kind], apart, share, end);
    }
}

/* Within one body, if nothing crosses at the start: neighbours are left out. */
static void expect_whole_until(guide *g, int body, double end)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.bodies = &g->ids[body];
    options.body_count = 1;
    options.skip_neighbours = true;
    const double last = end < 1.0 ? end - 1e-5 : 1.0;
    for (int i = 0; i <= SAMPLES && last > 0; i++) {
        go_to(g, last * i / SAMPLES);
        assert_ok(willow_find_self_pairs(g->world.world, g->world.scratch, &options, &pairs));
        if (pairs.count > 0 && i == 0) return;
        if (pairs.count > 0)
            fail_msg("scene %llu: body %d meets itself at %.9g, and its first impact is %g",
                     (unsigned long long)g->scene->seed, body, last * i / SAMPLES, end);
    }
}

typedef struct tally {
    size_t hit, missed, within, impacts, by_kind[WAY_KINDS];
} tally;

/* The earliest of a run, or 1 if there is none. */
static double earliest(const willow_impacts *impacts, uint32_t index_a, uint32_t index_b)
{
    double time = 1.0;
    for (size_t i = 0; i < impacts->run_count; i++) {
        const willow_pair_run *run = &impacts->runs[i];
        if (run->body_a.index1 != index_a || run->body_b.index1 != index_b) continue;
        for (size_t k = run->first; k < run->first + run->count; k++) {
            assert_true(impacts->items[k].is_decided);
            time = fmin(time, impacts->items[k].time);
        }
    }
    return time;
}

static void check_scene(const scene *s, const willow_impacts *impacts, tally *sum)
{
    guide g = {.scene = s};
    open_scene(&g.world, s, WILLOW_METHOD_BOTTOM_UP, 1, g.ids);
    const double between = earliest(impacts, 1, 2);
    expect_apart_until(&g, between);
    if (between < 1.0 && between > 0.0) {
        const double apart = distance_at(&g, between);
        if (apart > reach_of(s) + 1e-4)
            fail_msg("scene %llu: what is said to touch at %.9g is %g apart",
                     (unsigned long long)s->seed, between, apart);
        sum->by_kind[s->flyers[0].kind]++;
    }
    sum->hit += between < 1.0;
    sum->missed += between == 1.0;
    for (int i = 0; i < BODIES; i++) {
        const uint32_t index = (uint32_t)i + 1;
        if (!s->flyers[i].self || s->flyers[i].thickness > 0) continue;
        const double within = earliest(impacts, index, index);
        expect_whole_until(&g, i, within);
        sum->within += within < 1.0;
    }
    flight_world_close(&g.world);
}

/* ---- tests ---- */

/* Of both bodies and of each with itself. Returns how many of them know the whole step. */
static size_t watch_all(flight_world *w, const scene *s, const willow_body_id ids[BODIES],
                        uint64_t *hash)
{
    static const int of[3][2] = {{0, 1}, {0, 0}, {1, 1}};
    willow_watch_def def = willow_watch_def_default();
    willow_watch *watches[3];
    const willow_impact *first;
    size_t known = 0;
    def.kind = WILLOW_WATCH_LIST;
    for (int i = 0; i < 3; i++)
        assert_ok(willow_watch_create(w->world, &def, ids[of[i][0]], ids[of[i][1]], &watches[i]));
    look_ahead(w, s, ids);
    for (int i = 0; i < 3; i++)
        known += wi_watch_has_list(watches[i]) && wi_separation_knows(&watches[i]->list, s->to);
    const willow_impacts impacts = flight_world_ask(w, NULL, &first);
    *hash = hash_impacts(&impacts);
    return known;
}

static uint64_t hash_scene(const scene *s, willow_method method, uint32_t threads, tally *sum)
{
    flight_world w;
    willow_body_id ids[BODIES];
    const willow_impact *first;
    open_scene(&w, s, method, threads, ids);
    look_ahead(&w, s, ids);
    const willow_impacts impacts = flight_world_ask(&w, NULL, &first);
    if (sum) check_scene(s, &impacts, sum);
    if (sum) sum->impacts += impacts.count;
    const uint64_t hash = hash_impacts(&impacts);
    flight_world_close(&w);
    return hash;
}

static void impacts_are_what_bodies_meet_along_their_plans(void **state)
{
    tally sum = {0};
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        scene s;
        make_scene(&s, seed);
        const willow_method method =
            seed % 2 ? WILLOW_METHOD_KINETIC_BOXTREE : WILLOW_METHOD_KINETIC_AABB;
        (void)hash_scene(&s, method, 1, &sum);
        free_scene(&s);
    }
    printf("%zu hit, %zu missed, %zu hit themselves, %zu impacts\n", sum.hit, sum.missed,
           sum.within, sum.impacts);
    assert_true(sum.hit > CASES / 4 && sum.missed > 4 && sum.within > 0);
    for (int kind = STRAIGHT; kind <= MIXED; kind++) assert_true(sum.by_kind[kind] > 0);
}

static void lists_know_where_impacts_are(void **state)
{
    size_t known = 0;
    (void)state;
    for (uint64_t seed = 0; seed < CASES; seed++) {
        scene s;
        flight_world w;
        willow_body_id ids[BODIES];
        uint64_t hash;
        make_scene(&s, seed);
        const uint64_t expected = hash_scene(&s, WILLOW_METHOD_BRUTE, 1, NULL);
        open_scene(&w, &s, WILLOW_METHOD_KINETIC_AABB, 1U << seed % 3, ids);
        known += watch_all(&w, &s, ids, &hash);
        if (hash != expected)
            fail_msg("scene %llu: with watches others are found", (unsigned long long)seed);
        flight_world_close(&w);
        free_scene(&s);
    }
    printf("%zu lists knew the whole step\n", known);
    assert_true(known > CASES / 8);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(impacts_are_what_bodies_meet_along_their_plans),
    cmocka_unit_test(lists_know_where_impacts_are),
};

TEST_GROUP(impacts_plans_oracle, tests);
