/* impacts_plans_test.c - what touches on the way along flight plans, where that is known: straight
 * plans are trial steps, parabolas have roots, keyframes have corners. Random plans are in
 * impacts_plans_oracle_test.c. */
#include <math.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/flight_world.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"

#define TOLERANCE 1e-6

static const float floor_corners[3][3] = {{-8, -8, 0}, {8, -8, 0}, {0, 12, 0}};
static const float tip_corners[3][3] = {{0, 0, 1}, {1, 0, 3}, {0, 1, 3}}; /* one tip is lowest */
static const uint32_t one_tri[1][3] = {{0, 1, 2}};

static willow_body_id add_tri(flight_world *w, const float corners[3][3])
{
    return flight_world_add(w, flight_body(corners, 3, one_tri, 1));
}

/* Never late, and early by the tolerance at most. */
static void expect_time(double time, long double truth)
{
    if ((long double)time > truth || (long double)time < truth - (long double)TOLERANCE - 1e-12L)
        fail_msg("an impact at %.17g; it is at %.17Lg", time, truth);
}

static void expect_none(flight_world *w)
{
    const double time = flight_world_first(w);
    if (time <= 1.0) fail_msg("an impact at %.17g; there is none", time);
}

/* ---- straight ---- */

enum { KINDS = 6, SIZE = 40 };

static const zoo_kind kinds[KINDS] = {ZOO_KIND_SPHERE, ZOO_KIND_GRID,  ZOO_KIND_SOUP,
                                      ZOO_KIND_FOLDED, ZOO_KIND_SEAMS, ZOO_KIND_LATTICE};

/* Multiples of 2^-10: half of the sum of two is a float. */
static float coarse(double x) { return (float)(floor(x * 1024.0) / 1024.0); }

typedef struct straight {
    zoo_mesh mesh[2];
    float (*goal[2])[3];
    float (*velocity[2])[3];
    double distance;
} straight;

static void make_straight(straight *s, uint64_t seed)
{
    uint64_t random = seed;
    for (int i = 0; i < 2; i++) {
        zoo_mesh *mesh = &s->mesh[i];
        zoo_mesh_create(mesh, kinds[test_random(&random) % KINDS], SIZE, seed);
        s->goal[i] = calloc((size_t)mesh->vertex_count + 1, sizeof *s->goal[i]);
        s->velocity[i] = calloc((size_t)mesh->vertex_count + 1, sizeof *s->velocity[i]);
        assert_non_null(s->goal[i]);
        assert_non_null(s->velocity[i]);
        for (uint32_t k = 0; k < 3 * mesh->vertex_count; k++) {
            float *x = &mesh->positions[k / 3][k % 3];
            const double to = test_random_between(&random, -0.5, 0.5) + (i == 0 ? 1.0 : -1.0);
            *x = coarse((double)*x);
            s->velocity[i][k / 3][k % 3] = coarse(to);
            s->goal[i][k / 3][k % 3] = *x + 0.5F * s->velocity[i][k / 3][k % 3];
        }
    }
    s->distance = seed % 3 == 0 ? 0.0625 : 0.0;
}

static void free_straight(straight *s)
{
    for (int i = 0; i < 2; i++) {
        zoo_mesh_destroy(&s->mesh[i]);
        free(s->goal[i]);
        free(s->velocity[i]);
    }
}

typedef enum straight_way { BY_TARGETS, BY_VELOCITIES, BY_KEYFRAMES, BY_EACH_WAY } straight_way;

static void set_way(flight_world *w, const straight *s, int i, willow_body_id id, straight_way way)
{
    const uint32_t count = s->mesh[i].vertex_count;
    const double times[2] = {2.0, 2.5};
    if (way == BY_EACH_WAY) way = i == 0 ? BY_TARGETS : BY_KEYFRAMES;
    if (way == BY_TARGETS) assert_ok(willow_body_set_target(w->world, id, 0, count, s->goal[i], 0));
    if (way == BY_VELOCITIES)
        assert_ok(willow_body_set_velocities(w->world, id, 0, count, s->velocity[i], 0));
    if (way != BY_KEYFRAMES) return;
    float(*keys)[3] = calloc(2 * (size_t)count + 1, sizeof *keys);
    assert_non_null(keys);
    memcpy(keys, s->mesh[i].positions, count * sizeof *keys);
    memcpy(keys + count, s->goal[i], count * sizeof *keys);
    flight_world_keys(w, id, (const float(*)[3])keys, times, 2);
    free(keys);
}

static uint64_t hash_straight(const straight *s, willow_method method, straight_way way,
                              uint32_t threads, size_t *found)
{
    flight_world w;
    const willow_impact *first;
    willow_query_options options = willow_query_options_default();
    flight_world_open(&w, method, threads);
    assert_ok(willow_world_update(w.world, 2.0, NULL));
    for (int i = 0; i < 2; i++) {
        const zoo_mesh *mesh = &s->mesh[i];
        willow_body_def def = flight_body((const float(*)[3])mesh->positions, mesh->vertex_count,
                                          (const uint32_t(*)[3])mesh->tris, mesh->triangle_count);
        def.mesh.weld_exact = mesh->weld;
        def.self = true;
        set_way(&w, s, i, flight_world_add(&w, def), way);
    }
    flight_world_look(&w, 2.0, 2.5);
    options.touch_distance = s->distance;
    const willow_impacts impacts = flight_world_ask(&w, &options, &first);
    const uint64_t hash = hash_impacts(&impacts);
    *found += impacts.count;
    flight_world_close(&w);
    return hash;
}

static void straight_plans_are_trial_steps_bit_for_bit(void **state)
{
    size_t found = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        straight s;
        make_straight(&s, seed);
        const uint64_t expected = hash_straight(&s, WILLOW_METHOD_BRUTE, BY_TARGETS, 1, &found);
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
            for (straight_way way = BY_TARGETS; way <= BY_EACH_WAY; way++) {
                const uint32_t threads = 1U << ((unsigned)method + (unsigned)way) % 3;
                if (hash_straight(&s, method, way, threads, &found) != expected)
                    fail_msg("seed %llu: %s, way %d, %u threads: other impacts",
                             (unsigned long long)seed, willow_method_name(method), (int)way,
                             threads);
            }
        free_straight(&s);
    }
    printf("%zu impacts\n", found);
    assert_true(found > 0);
}

/* ---- parabolas ---- */

/* When x + v t + a t^2 / 2 is first 0 in (0, 1]; infinity if it is not. x > 0. */
static long double root_of(long double x, long double v, long double a)
{
    const long double square = v * v - 2 * a * x;
    if (square < 0) return INFINITY;
    long double least = INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        const long double below = v + (long double)sign * sqrtl(square);
        const long double t = below != 0 ? -2 * x / below : INFINITY;
        if (t > 0 && t <= 1 && t < least) least = t;
    }
    return least;
}

/* A ball above the floor is thrown up and falls; everything is exact in float at both ends. */
static void a_ball_lands_when_its_lowest_vertex_does(void **state)
{
    zoo_mesh ball;
    size_t landed = 0;
    (void)state;
    zoo_mesh_create(&ball, ZOO_KIND_SPHERE, 40, 3);
    for (uint32_t k = 0; k < 3 * ball.vertex_count; k++)
        ball.positions[k / 3][k % 3] = coarse((double)ball.positions[k / 3][k % 3]);
    for (int height = 2; height < 12; height++)
        for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
            const float velocity[3] = {0.5F, 0.25F, 6}, fall[3] = {0, 0, -24};
            long double least = INFINITY;
            flight_world w;
            flight_world_open(&w, method, 1);
            willow_body_def def = flight_body((const float(*)[3])ball.positions, ball.vertex_count,
                                              (const uint32_t(*)[3])ball.tris, ball.triangle_count);
            (void)add_tri(&w, floor_corners);
            const float up = (float)height;
            for (uint32_t i = 0; i < ball.vertex_count; i++) {
                const long double z = (long double)ball.positions[i][2] + (long double)up;
                least = fminl(least, root_of(z, 6, -24));
                ball.positions[i][2] += up;
            }
            const willow_body_id id = flight_world_add(&w, def);
            for (uint32_t i = 0; i < ball.vertex_count; i++) ball.positions[i][2] -= up;
            flight_world_throw(&w, id, velocity, fall);
            flight_world_look(&w, 0.0, 1.0);
            if (least <= 1.0L)
                expect_time(flight_world_first(&w), least);
            else
                expect_none(&w);
            landed += least <= 1.0L;
            flight_world_close(&w);
        }
    zoo_mesh_destroy(&ball);
    printf("landed %zu times\n", landed);
    assert_true(landed > 0);
}

/* A tip is thrown up at 4 and falls at 8: it comes up by 1, at half of the time. */
static double hits_ceiling(float height, willow_method method, bool is_posed)
{
    const float ceiling[3][3] = {{-8, -8, height}, {8, -8, height}, {0, 12, height}};
    const float arrow[3][3] = {{0, 0, 1}, {1, 0, -1}, {0, 1, -1}};
    const float up[3] = {0, 0, 4}, fall[3] = {0, 0, -8};
    const float side[3] = {4, 0, 0}, slow[3] = {-8, 0, 0};
    flight_world w;
    flight_world_open(&w, method, 1);
    (void)add_tri(&w, ceiling);
    willow_body_def def = flight_body(arrow, 3, one_tri, 1);
    const float lying[3][3] = {{1, 0, 0}, {-1, 1, 0}, {-1, 0, 1}}; /* x is up under the pose */
    if (is_posed) {
        def.mesh.positions = lying;
        def.pose.rotation = (willow_quat){0, -0.70710678F, 0, 0.70710678F};
    }
    const willow_body_id id = flight_world_add(&w, def);
    flight_world_throw(&w, id, is_posed ? side : up, is_posed ? slow : fall);
    flight_world_look(&w, 0.0, 1.0);
    const double time = flight_world_first(&w);
    flight_world_close(&w);
    return time;
}

static void a_tip_that_turns_below_the_ceiling_misses_it(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (int is_posed = 0; is_posed < 2; is_posed++) {
            assert_true(hits_ceiling(2.00001F, method, is_posed) > 1.0);
            assert_true(hits_ceiling(2.5F, method, is_posed) > 1.0);
            const double time = hits_ceiling(1.875F, method, is_posed); /* 4 t - 4 t^2 = 7 / 8 */
            const double truth = 0.5 - sqrt(0.03125);
            assert_true(time <= truth + 1e-7 && time > truth - 1e-5);
        }
}

static void a_tip_that_turns_at_the_ceiling_touches_it(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        const double time = hits_ceiling(2.0F, method, false);
        assert_true(time <= 0.5 && time > 0.5 - 1e-5);
    }
}

/* ---- corners ---- */

enum { MOST_KEYS = 8 };

/* Heights of the tip at times; all else of it is higher. */
typedef struct hops {
    uint32_t count;
    double times[MOST_KEYS];
    float heights[MOST_KEYS];
} hops;

static void set_hops(flight_world *w, willow_body_id id, const float corners[3][3], const hops *h)
{
    float keys[3 * MOST_KEYS][3];
    for (uint32_t k = 0; k < h->count; k++)
        for (int i = 0; i < 3; i++) {
            memcpy(keys[3 * k + (uint32_t)i], corners[i], sizeof *keys);
            keys[3 * k + (uint32_t)i][2] += h->heights[k] - corners[0][2];
        }
    flight_world_keys(w, id, (const float(*)[3])keys, h->times, h->count);
}

static double when_landing(const hops *h, willow_method method, double from, double to)
{
    flight_world w;
    flight_world_open(&w, method, 1);
    (void)add_tri(&w, floor_corners);
    set_hops(&w, add_tri(&w, tip_corners), tip_corners, h);
    flight_world_look(&w, from, to);
    const double time = flight_world_first(&w);
    flight_world_close(&w);
    return time;
}

static void hits_are_found_in_every_piece_of_the_way(void **state)
{
    static const hops first = {4, {0, 0.25, 0.5, 1}, {1, -1, 2, 3}};
    static const hops second = {4, {0, 0.25, 0.5, 1}, {1, 3, -1, 3}};
    static const hops third = {4, {0, 0.25, 0.5, 1}, {1, 3, 1, -1}};
    static const hops late = {6, {0, 1, 2, 3, 4, 5}, {1, 3, 1, 4, 1, -4}};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        expect_time(when_landing(&first, method, 0, 1), 0.125L);
        expect_time(when_landing(&second, method, 0, 1), 0.4375L);
        expect_time(when_landing(&third, method, 0, 1), 0.75L);
        expect_time(when_landing(&late, method, 0, 5), 4.2L / 5);
        expect_time(when_landing(&late, method, 2.5, 4.5), 1.7L / 2); /* from 2.5 on */
        expect_time(when_landing(&late, method, -5, 15), 9.2L / 20);  /* it stands before */
        assert_true(when_landing(&late, method, 2.5, 4.125) > 1.0);
        assert_true(when_landing(&late, method, 5, 6) > 1.0); /* and stands after */
    }
}

static void a_corner_above_the_floor_is_a_miss_and_one_on_it_a_touch(void **state)
{
    static const hops above = {3, {0, 0.5, 1}, {1, 0x1p-20F, 1}};
    static const hops on_it = {3, {0, 0.5, 1}, {1, 0, 1}};
    static const hops below = {3, {0, 0.5, 1}, {1, -0x1p-20F, 1}};
    static const hops odd = {3, {0, 0.3, 0.9}, {1, 0, 1}};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        assert_true(when_landing(&above, method, 0, 1) > 1.0);
        expect_time(when_landing(&on_it, method, 0, 1), 0.5L);
        expect_time(when_landing(&below, method, 0, 1), 0.5L / (1 + 0x1p-20L));
        expect_time(when_landing(&odd, method, 0, 0.9), (long double)0.3 / (long double)0.9);
    }
}

/* Nothing lies between two keyframes but an instant: the way between them counts all the same. */
static void a_leap_between_two_keyframes_is_a_way(void **state)
{
    static const hops leap = {4, {0, 0.5, 0.5 + 0x1p-52, 1}, {1, 1, -1, -1}};
    static const hops high = {4, {0, 0.5, 0.5 + 0x1p-52, 1}, {1, 1, 2, 2}};
    static const hops long_ago = {4, {0, 1, 2, 0x1p60}, {1, -1, 1, 2}};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        expect_time(when_landing(&leap, method, 0, 1), 0.5L + 0x1p-53L);
        assert_true(when_landing(&high, method, 0, 1) > 1.0);
        const double time = when_landing(&long_ago, method, 0, 0x1p60);
        assert_true(time <= 0x1p-61);
    }
}

static double when_meeting(const hops *upper, const hops *lower, willow_method method)
{
    static const float flat[3][3] = {{-8, -8, 0}, {8, -8, 0}, {0, 12, 0}};
    flight_world w;
    flight_world_open(&w, method, 1);
    set_hops(&w, add_tri(&w, flat), flat, lower);
    set_hops(&w, add_tri(&w, tip_corners), tip_corners, upper);
    flight_world_look(&w, 0, 1);
    const double time = flight_world_first(&w);
    flight_world_close(&w);
    return time;
}

static void bodies_meet_between_corners_of_both(void **state)
{
    static const hops sinks = {3, {0, 0.375, 1}, {4, 1, 1}};
    static const hops rises = {3, {0, 0.625, 1}, {0, 0, 3}}; /* at 0.625 + 0.375 / 3 */
    static const hops follows = {4, {0, 0.3, 0.7, 1}, {0, 0, 0.5F, 0.5F}};
    static const hops ducks = {4, {0, 0.375, 0.7, 1}, {0, 0.875F, -1, -1}};
    static const hops waits = {2, {0, 1}, {0.5F, 0.5F}};
    static const hops dips = {3, {0, 0.5, 1}, {4, 2, 2}};
    static const hops climbs = {2, {0, 1}, {0, 3}}; /* over the corner of the other one */
    static const hops dives = {4, {0, 0.3, 0.6, 1}, {4, 1, 0.5F, 4}};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        expect_time(when_meeting(&sinks, &rises, method), 0.75L);
        assert_true(when_meeting(&sinks, &follows, method) > 1.0);
        assert_true(when_meeting(&sinks, &ducks, method) > 1.0);
        expect_time(when_meeting(&dips, &climbs, method), 2.0L / 3);
        expect_time(when_meeting(&dives, &waits, method), (long double)0.6);
        assert_true(when_meeting(&sinks, &waits, method) > 1.0);
    }
}

/* All vertices of a flat sheet land at the same time: the first impact is the first in order,
 * whichever of them is found first. */
static void of_many_first_impacts_after_corners_the_first_in_order_is_told(void **state)
{
    enum { SIDE = 9, KEYS = 4, CORNERS = SIDE * SIDE, TRIS = 2 * (SIDE - 1) * (SIDE - 1) };
    static const double times[KEYS] = {0, 0.1, 0.7, 1};
    static const float heights[KEYS] = {1, 2, 0x1p-16F, -0.7F}; /* just after a corner */
    static float keys[KEYS * CORNERS][3];
    static uint32_t tris[TRIS][3];
    (void)state;
    for (uint32_t i = 0; i < KEYS * CORNERS; i++) {
        keys[i][0] = 0.25F * (float)(i % SIDE);
        keys[i][1] = 0.25F * (float)(i % CORNERS / SIDE);
        keys[i][2] = heights[i / CORNERS];
    }
    for (uint32_t i = 0; i < TRIS; i++) {
        const uint32_t at = i / 2 + i / 2 / (SIDE - 1);
        const uint32_t corners[4] = {at, at + 1, at + SIDE, at + SIDE + 1};
        const uint32_t slot = (i * 37 + 64) % TRIS; /* in an order that no tree has */
        for (uint32_t k = 0; k < 3; k++) tris[slot][k] = corners[i % 2 + k];
    }
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (double end = 0.9; end <= 1.0; end += 0.01) {
            flight_world w;
            const willow_impact *first;
            flight_world_open(&w, method, 1);
            flight_world_keys(&w,
                              flight_world_add(&w, flight_body((const float(*)[3])keys, CORNERS,
                                                               (const uint32_t(*)[3])tris, TRIS)),
                              (const float(*)[3])keys, times, KEYS);
            (void)add_tri(&w, floor_corners);
            flight_world_look(&w, 0.0, end);
            const willow_impacts impacts = flight_world_ask(&w, NULL, &first);
            assert_true(impacts.count >= CORNERS && first == impacts.items);
            flight_world_close(&w);
        }
}

/* The way through keyframes is that of one step after the other. */
static void a_way_with_corners_is_its_pieces_one_after_the_other(void **state)
{
    enum { KEYS = 4 };
    static const double times[KEYS] = {0, 0.25, 0.5, 1};
    size_t found = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        uint64_t random = seed;
        zoo_mesh mesh;
        flight_world whole, part;
        const willow_impact *first;
        zoo_mesh_create(&mesh, kinds[seed % KINDS], SIZE, seed);
        float(*keys)[3] = calloc((size_t)KEYS * mesh.vertex_count + 1, sizeof *keys);
        assert_non_null(keys);
        for (uint32_t k = 0; k < KEYS * mesh.vertex_count; k++)
            for (int axis = 0; axis < 3; axis++)
                keys[k][axis] = mesh.positions[k % mesh.vertex_count][axis] +
                                (float)test_random_between(&random, -0.25, 0.25);
        willow_body_def def = flight_body((const float(*)[3])mesh.positions, mesh.vertex_count,
                                          (const uint32_t(*)[3])mesh.tris, mesh.triangle_count);
        def.self = true;
        flight_world_open(&whole, WILLOW_METHOD_KINETIC_AABB, 1);
        flight_world_open(&part, WILLOW_METHOD_HYBRID, 1);
        flight_world_keys(&whole, flight_world_add(&whole, def), (const float(*)[3])keys, times,
                          KEYS);
        flight_world_keys(&part, flight_world_add(&part, def), (const float(*)[3])keys, times,
                          KEYS);
        flight_world_look(&whole, 0, 1);
        const willow_impacts all = flight_world_ask(&whole, NULL, &first);
        size_t seen = 0;
        for (int piece = 0; piece + 1 < KEYS; piece++) {
            const double s = times[piece], length = times[piece + 1] - s;
            willow_query_options options = willow_query_options_default();
            options.tolerance = TOLERANCE / length;
            flight_world_look(&part, s, times[piece + 1]);
            const willow_impacts some = flight_world_ask(&part, &options, &first);
            for (size_t i = 0, k = 0; i < some.count; i++, k++) {
                const willow_impact *x = &some.items[i];
                while (k < all.count && (memcmp(&all.items[k].a, &x->a, sizeof x->a) != 0 ||
                                         memcmp(&all.items[k].b, &x->b, sizeof x->b) != 0))
                    k++;
                if (k == all.count)
                    fail_msg("seed %llu: an impact is lost in the whole", (unsigned long long)seed);
                const double time = s + x->time * length;
                const double known = all.items[k].time;
                if (known < s * (1 - 0x1p-40)) continue; /* they touched before */
                assert_true(known == time - time * 0x1p-50);
                seen++;
            }
        }
        assert_int_equal(seen, all.count);
        found += seen;
        free(keys);
        zoo_mesh_destroy(&mesh);
        flight_world_close(&whole);
        flight_world_close(&part);
    }
    printf("%zu impacts\n", found);
    assert_true(found > 0);
}

/* ---- the target time ---- */

static void a_target_time_stays_until_it_is_reached(void **state)
{
    const float down[3] = {0, 0, -1};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        flight_world w;
        flight_world_open(&w, method, 1);
        (void)add_tri(&w, floor_corners);
        const willow_body_id tip = add_tri(&w, tip_corners);
        flight_world_throw(&w, tip, down, NULL); /* it lands at 1 */
        assert_ok(willow_world_update(w.world, 0.0, NULL));
        expect_none(&w);
        const uint64_t before = willow_world_hash(w.world);
        flight_world_look(&w, 0.0, 2.0);
        assert_true(willow_world_hash(w.world) != before);
        expect_time(flight_world_first(&w), 0.5L);
        assert_ok(willow_world_update(w.world, 0.5, NULL));
        expect_time(flight_world_first(&w), 1.0L / 3);
        assert_ok(willow_world_update(w.world, 0.25, NULL)); /* and back */
        expect_time(flight_world_first(&w), 0.75L / 1.75L);
        assert_ok(willow_world_update(w.world, 2.0, NULL));
        expect_none(&w);
        assert_ok(willow_world_update(w.world, 0.5, NULL));
        expect_none(&w); /* it was ended */
        flight_world_look(&w, 0.5, 0.25);
        expect_none(&w); /* and one that lies before never began */
        flight_world_close(&w);
    }
}

/* A trial of its own is what counts, and the plan again after it. */
static void a_trial_comes_before_a_plan(void **state)
{
    const float down[3] = {0, 0, -2};
    const float lower[3][3] = {{0, 0, 0.5F}, {1, 0, 2.5F}, {0, 1, 2.5F}};
    const float under[3][3] = {{0, 0, -1}, {1, 0, 1}, {0, 1, 1}};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        flight_world w;
        willow_pose below = willow_pose_identity();
        flight_world_open(&w, method, 1);
        (void)add_tri(&w, floor_corners);
        const willow_body_id tip = add_tri(&w, tip_corners);
        flight_world_throw(&w, tip, down, NULL);
        flight_world_look(&w, 0.0, 1.0);
        expect_time(flight_world_first(&w), 0.5L);
        assert_ok(willow_body_set_target(w.world, tip, 0, 3, lower, 0));
        flight_world_look(&w, 0.0, 1.0);
        expect_none(&w);
        assert_ok(willow_body_set_target(w.world, tip, 0, 3, under, 0));
        flight_world_look(&w, 0.25, 1.0); /* from 0.5 to -1 */
        expect_time(flight_world_first(&w), 1.0L / 3);
        assert_ok(willow_body_set_pose(w.world, tip, &below)); /* ends it */
        flight_world_look(&w, 0.0, 1.0);
        expect_time(flight_world_first(&w), 0.5L);
        below.translation.z = -4;
        assert_ok(willow_body_set_target_pose(w.world, tip, &below));
        flight_world_look(&w, 0.25, 1.0); /* 0.5 above, and down by 4 */
        expect_time(flight_world_first(&w), 0.125L);
        flight_world_close(&w);
    }
}

/* Bodies that do not move are asked about as such. */
static void plans_that_stand_still_are_no_steps(void **state)
{
    const float none[3] = {0, 0, 0};
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        flight_world w;
        flight_world_open(&w, method, 1);
        (void)add_tri(&w, floor_corners);
        const willow_body_id tip = add_tri(&w, tip_corners);
        flight_world_throw(&w, tip, none, NULL);
        const size_t bytes = (flight_world_look(&w, 0.0, 1.0), willow_world_bytes(w.world));
        expect_none(&w);
        const float down[3] = {0, 0, -2};
        flight_world_throw(&w, tip, down, NULL);
        flight_world_look(&w, 0.0, 1.0);
        expect_time(flight_world_first(&w), 0.5L);
        assert_true(willow_world_bytes(w.world) > bytes); /* now there is an end to store */
        flight_world_close(&w);
    }
}

/* Other questions see bodies where they are. */
static void other_questions_do_not_look_ahead(void **state)
{
    const float down[3] = {0, 0, -2};
    flight_world w;
    willow_first_pair pair;
    (void)state;
    flight_world_open(&w, WILLOW_METHOD_KINETIC_AABB, 1);
    (void)add_tri(&w, floor_corners);
    flight_world_throw(&w, add_tri(&w, tip_corners), down, NULL);
    flight_world_look(&w, 0.25, 1.0);
    assert_ok(willow_find_first_pair(w.world, w.scratch, NULL, &pair));
    assert_false(pair.found);
    assert_ok(willow_world_update(w.world, 0.75, NULL));
    assert_ok(willow_find_first_pair(w.world, w.scratch, NULL, &pair));
    assert_true(pair.found);
    flight_world_close(&w);
}

/* ---- no memory ---- */

/* True if it went through. */
static bool look_with(test_allocator *allocator, willow_method method, size_t fail_at)
{
    static const hops path = {3, {0, 0.25, 1}, {1, 2, -2}};
    flight_world w = {.method = method};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(allocator);
    w.world = fixture_world(&def);
    w.scratch = fixture_scratch(w.world);
    w.second = fixture_scratch(w.world);
    (void)add_tri(&w, floor_corners);
    set_hops(&w, add_tri(&w, tip_corners), tip_corners, &path);
    assert_ok(willow_world_set_target_time(w.world, 1.0));
    allocator->fail_at = atomic_load(&allocator->calls) + fail_at;
    const willow_result result = willow_world_update(w.world, 0.0, NULL);
    allocator->fail_at = 0;
    assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
    if (result != WILLOW_OK) {
        willow_first_impact first;
        assert_int_equal(willow_time_of_impact(w.world, w.scratch, NULL, &first), WILLOW_STALE);
        assert_ok(willow_world_update(w.world, 0.0, NULL));
    }
    expect_time(flight_world_first(&w), 0.625L);
    flight_world_close(&w);
    assert_true(test_allocator_is_clean(allocator));
    return result == WILLOW_OK;
}

static void no_memory_for_a_look_ahead_can_be_repaired(void **state)
{
    (void)state;
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (size_t fail_at = 1;; fail_at++) {
            test_allocator allocator = {0};
            if (look_with(&allocator, method, fail_at)) break;
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(straight_plans_are_trial_steps_bit_for_bit),
    cmocka_unit_test(a_ball_lands_when_its_lowest_vertex_does),
    cmocka_unit_test(a_tip_that_turns_below_the_ceiling_misses_it),
    cmocka_unit_test(a_tip_that_turns_at_the_ceiling_touches_it),
    cmocka_unit_test(hits_are_found_in_every_piece_of_the_way),
    cmocka_unit_test(a_corner_above_the_floor_is_a_miss_and_one_on_it_a_touch),
    cmocka_unit_test(a_leap_between_two_keyframes_is_a_way),
    cmocka_unit_test(bodies_meet_between_corners_of_both),
    cmocka_unit_test(of_many_first_impacts_after_corners_the_first_in_order_is_told),
    cmocka_unit_test(a_way_with_corners_is_its_pieces_one_after_the_other),
    cmocka_unit_test(a_target_time_stays_until_it_is_reached),
    cmocka_unit_test(a_trial_comes_before_a_plan),
    cmocka_unit_test(plans_that_stand_still_are_no_steps),
    cmocka_unit_test(other_questions_do_not_look_ahead),
    cmocka_unit_test(no_memory_for_a_look_ahead_can_be_repaired),
};

TEST_GROUP(impacts_plans, tests);
