/* Neighbours found star by star are those that every two triangles with a common vertex, looked at
 * alone, are: around fans that go round less than once, once and twice, forth and back, and by a
 * hair; each once, with every kernel. Most stars of smooth fans are cleared at one look. */
#include <math.h>
#include <stdlib.h>
#include "base/containers/sort.h"
#include "base/kernel.h"
#include "prim/meet/tri_tri.h"
#include "support/kept.h"
#include "support/self_lists.h"
#include "support/test.h"
#include "support/zoo_cases.h"
#include "support/zoo_pose.h"
#include "walk/pairs/pair_walk.h"

extern wi_run_fans wi_run_fans_scalar, wi_run_fans_avx2;

enum { FANS = 48, MOST_TRIS = 40, PER_FAN = MOST_TRIS + 8, VERTICES = FANS * PER_FAN };

/* How a fan goes round its centre. */
typedef enum fan_kind {
    FAN_SMOOTH,    /* about once, or a part of it, in even steps */
    FAN_ANY,       /* steps of any size, up to more than half a turn */
    FAN_TWICE,     /* two or three turns in even steps */
    FAN_FULL,      /* open, and ends where it begins, or by a hair before or behind */
    FAN_COLLINEAR, /* some steps are next to nothing, forth or back */
    FAN_FORTH_AND_BACK,
    FAN_IN_PLANE, /* forth and back among few points of a plane, so that triangles overlap */
    FAN_EXTREME,  /* where products of four vanish or overflow */
    FAN_KINDS
} fan_kind;

typedef struct fans {
    fan_kind kind;
    uint64_t random;
    float at[VERTICES][3];
    uint32_t tris[FANS * PER_FAN][3];
    uint32_t tri_count;
} fans;

static double between(fans *f, double low, double high)
{
    return test_random_between(&f->random, low, high);
}

static uint32_t below(fans *f, uint32_t limit)
{
    return (uint32_t)(test_random(&f->random) % limit);
}

static void add_tri(fans *f, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t tri[2][3] = {{a, b, c}, {c, b, a}};
    memcpy(f->tris[f->tri_count++], tri[below(f, 4) == 0], sizeof tri[0]);
}

/* The angle between a vertex of the ring and the next. */
static double step_of(fans *f, uint32_t count, bool is_closed, double turns)
{
    const double even = 6.283185307179586 * turns / count;
    switch (f->kind) {
    case FAN_ANY: return between(f, 0, is_closed ? 2 * even : 4);
    case FAN_EXTREME:
    case FAN_IN_PLANE:
    case FAN_FORTH_AND_BACK: return between(f, -even, 2 * even);
    case FAN_FULL: return even;
    default: return even * between(f, 0.7, 1.3);
    }
}

static double turns_of(fans *f, bool is_closed)
{
    if (f->kind == FAN_TWICE) return 2 + below(f, 2);
    if (is_closed || f->kind == FAN_FULL) return 1;
    return between(f, 0.2, 1.2);
}

/* A vertex on the ray of another one, as near as rounding allows, or by a few bits off it. */
static void put_on_ray(fans *f, const float centre[3], const float from[3], float out[3])
{
    const double along = between(f, 0.3, 3);
    for (int axis = 0; axis < 3; axis++) {
        const double ray = (double)from[axis] - centre[axis];
        out[axis] = (float)(centre[axis] + along * ray);
        if (below(f, 3) == 0) out[axis] = nextafterf(out[axis], below(f, 2) ? 1e30F : -1e30F);
    }
}

static double scale_of(fans *f)
{
    if (f->kind == FAN_EXTREME && below(f, 2) == 0) return ldexp(1, -34 - (int)below(f, 6));
    const int reach = f->kind == FAN_EXTREME ? 45 : 20;
    return ldexp(1, (int)below(f, 2 * (uint32_t)reach + 1) - reach);
}

/* In the plane all coordinates are quarters, and none of them is a slope. */
static double relief_at(fans *f, const double tilt[2], double relief, double x, double y)
{
    const double noise = relief * between(f, -1, 1);
    return f->kind == FAN_IN_PLANE ? 0 : tilt[0] * x + tilt[1] * y + noise;
}

static double coordinate(const fans *f, double at)
{
    return f->kind == FAN_IN_PLANE ? floor(4 * at + 0.5) / 4 : at;
}

/* Places the ring of `points` vertices from number `first + 1` on around vertex `first`. */
static void place_fan(fans *f, uint32_t first, uint32_t count, uint32_t points, bool is_closed)
{
    const double relief = below(f, 3) == 0 ? 0 : pow(2, between(f, -20, 1));
    const double turns = turns_of(f, is_closed), scale = scale_of(f);
    const double tilt[2] = {between(f, -2, 2), between(f, -2, 2)};
    const bool is_central = f->kind == FAN_IN_PLANE || below(f, 2) == 0;
    float(*at)[3] = f->at + first;
    double angle = between(f, 0, 6);
    for (int axis = 0; axis < 3; axis++)
        at[0][axis] = is_central ? 0.0F : (float)(scale * between(f, -2, 2));
    for (uint32_t i = 1; i <= points; i++) {
        const double r = between(f, 0.5, 2);
        const double x = coordinate(f, r * cos(angle)), y = coordinate(f, r * sin(angle));
        const double z = relief_at(f, tilt, relief, x, y);
        const double p[3] = {x, y, z};
        for (int axis = 0; axis < 3; axis++)
            at[i][axis] = (float)(at[0][axis] + scale * p[((uint32_t)axis + first) % 3]);
        if (f->kind == FAN_COLLINEAR && i > 1 && below(f, 4) == 0)
            put_on_ray(f, at[0], at[i - 1], at[i]);
        else
            angle += step_of(f, count, is_closed, turns);
    }
    if (f->kind == FAN_FULL && !is_closed) put_on_ray(f, at[0], at[1], at[points]);
}

/* Some have other triangles at their vertices, which make these odd: alone, on an edge, the same
 * once more, or with a vertex twice. */
static void add_odd(fans *f, uint32_t first, uint32_t points)
{
    const uint32_t extra = first + points + 1;
    for (int axis = 0; axis < 3; axis++)
        f->at[extra][axis] = f->at[first + 1][axis] + (float)between(f, -1, 1);
    switch (below(f, 12)) {
    case 0: add_tri(f, first + 1 + below(f, points), extra, extra + 1); break;
    case 1: add_tri(f, first, first + 1 + below(f, points), extra); break;
    case 2: add_tri(f, first, first + 1, first + 2); break;
    case 3: add_tri(f, first + 1, first + 1, first + 2); break;
    default: break;
    }
}

static void make_fans(fans *f, fan_kind kind, uint64_t seed)
{
    f->kind = kind;
    f->random = seed * FAN_KINDS + kind;
    f->tri_count = 0;
    memset(f->at, 0, sizeof f->at);
    for (uint32_t fan = 0; fan < FANS; fan++) {
        const uint32_t first = fan * PER_FAN, count = 2 + below(f, MOST_TRIS - 1);
        const bool is_closed = count > 2 && below(f, 2) == 0;
        const uint32_t points = is_closed ? count : count + 1;
        place_fan(f, first, count, points, is_closed);
        for (uint32_t i = 0; i < count; i++)
            add_tri(f, first, first + 1 + i, first + 1 + (i + 1) % points);
        add_odd(f, first, points);
    }
}

static void open_tree(tree_site *s, const fans *f, uint64_t seed)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 8);
    tree.build = WILLOW_BUILD_MEDIAN;
    tree_site_open(s, &(willow_mesh_def){.positions = f->at,
                                         .vertex_count = VERTICES,
                                         .indices = f->tris,
                                         .triangle_count = f->tri_count,
                                         .borrow = seed % 3 == 2});
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    self_lists_make(s);
    assert_true(kept_self(&s->h)->fans.are_made);
    const willow_pose pose = zoo_pose_make(ZOO_POSE_TURNED, 0, seed);
    if (seed % 4 == 3) wi_mesh_set_pose(&s->mesh, &pose, &s->pose);
}

/* ---- pairs ---- */

typedef struct pair_list {
    WI_ARRAY(uint64_t) keys;
} pair_list;

/* Every two triangles with a vertex in common, alone. */
static void find_alone(tree_site *s, pair_list *out)
{
    const wi_mesh *mesh = &s->mesh;
    for (uint32_t a = 0; a < mesh->tri_count; a++)
        for (uint32_t b = a + 1; b < mesh->tri_count; b++) {
            uint8_t order_a[3], order_b[3];
            if (mesh->tris[a][0] / PER_FAN != mesh->tris[b][0] / PER_FAN) continue;
            if (wi_share_order(mesh->tris[a], mesh->tris[b], order_a, order_b) == 0) continue;
            const wi_tri tri_a = wi_mesh_tri(mesh, a), tri_b = wi_mesh_tri(mesh, b);
            if (wi_tris_are_pair(&tri_a, mesh->tris[a], &tri_b, mesh->tris[b]))
                assert_true(wi_array_push(&s->memory, &out->keys, wi_pair_key_of(a, b)));
        }
}

static void find_by_stars(tree_site *s, wi_run_fans *run, willow_kernel kernel, pair_list *out,
                          willow_query_stats *stats)
{
    wi_reader reader;
    wi_pair_walk walk;
    const size_t stars = kept_self(&s->h)->fans.groups.count + kept_self(&s->h)->fans.odd.count;
    assert_true(wi_reader_init(&reader, &s->memory, kernel));
    wi_pair_walk_init(&walk, &reader);
    wi_pair_walk_start(&walk, &(wi_walk_rules){0}, SIZE_MAX);
    assert_true(wi_pair_walk_begin(&walk, &s->h, &s->h));
    for (uint32_t lot = 0; lot * WI_FANS_PER_LOT < stars; lot++)
        assert_true(run(&walk.down, &s->h, lot));
    assert_true(wi_pair_walk_decide_all(&walk));
    uint64_t *spare = calloc(walk.keys.count + 1, sizeof *spare);
    wi_sort_u64(walk.keys.items, spare, walk.keys.count);
    free(spare);
    for (size_t i = 0; i < walk.keys.count; i++)
        assert_true(wi_array_push(&s->memory, &out->keys, walk.keys.items[i]));
    wi_reader_add_stats(&reader, stats);
    wi_pair_walk_free(&walk);
    wi_reader_free(&reader);
}

static void expect_equal(const pair_list *expected, const pair_list *got, fan_kind kind,
                         uint64_t seed)
{
    const size_t count = expected->keys.count;
    for (size_t i = 0; i < count || i < got->keys.count; i++) {
        const uint64_t wanted = i < count ? expected->keys.items[i] : UINT64_MAX;
        const uint64_t given = i < got->keys.count ? got->keys.items[i] : UINT64_MAX;
        if (wanted != given)
            fail_msg("kind %d, seed %llu: %s %u meets %u", (int)kind, (unsigned long long)seed,
                     wanted < given ? "lost" : "invented or twice",
                     (unsigned)((wanted < given ? wanted : given) >> 32),
                     (unsigned)(wanted < given ? wanted : given));
    }
}

static void check_fans(fans *f, fan_kind kind, uint64_t seed, willow_query_stats *stats,
                       size_t *pairs)
{
    tree_site s;
    pair_list expected = {0}, got = {0};
    make_fans(f, kind, seed);
    open_tree(&s, f, seed);
    find_alone(&s, &expected);
    willow_query_stats scalar = {0};
    find_by_stars(&s, wi_run_fans_scalar, WILLOW_KERNEL_SCALAR, &got, &scalar);
    expect_equal(&expected, &got, kind, seed);
    stats->stars += scalar.stars;
    stats->stars_left += scalar.stars_left;
#if defined(WILLOW_HAS_AVX2)
    if (wi_kernel_choose(WILLOW_KERNEL_AVX2) == WILLOW_KERNEL_AVX2) {
        willow_query_stats same = {0};
        got.keys.count = 0;
        find_by_stars(&s, wi_run_fans_avx2, WILLOW_KERNEL_AVX2, &got, &same);
        expect_equal(&expected, &got, kind, seed);
        assert_int_equal(same.stars_left, scalar.stars_left);
    }
#endif
    *pairs += expected.keys.count;
    wi_array_free(&s.memory, &expected.keys);
    wi_array_free(&s.memory, &got.keys);
    tree_site_close(&s);
}

static void neighbours_found_by_stars_are_those_that_are_pairs_alone(void **state)
{
    (void)state;
    static const char *const words[FAN_KINDS] = {
        "about once",       "any steps",      "twice",          "a full turn by a hair",
        "steps of nothing", "forth and back", "within a plane", "extreme scales"};
    static fans f;
    for (fan_kind kind = 0; kind < FAN_KINDS; kind++) {
        willow_query_stats stats = {0};
        size_t pairs = 0;
        for (uint64_t seed = 0; seed < 60; seed++) check_fans(&f, kind, seed, &stats, &pairs);
        const size_t cleared = stats.stars - stats.stars_left;
        print_message("%s: %zu stars cleared, %zu tested two by two; %zu pairs\n", words[kind],
                      cleared, (size_t)stats.stars_left, pairs);
        assert_true(cleared > 1000 && stats.stars_left > 1000 && pairs > 500);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(neighbours_found_by_stars_are_those_that_are_pairs_alone),
};

TEST_GROUP(fan, tests);
