/* Well-known models, as they are and bent: every method finds the same pairs within them, whether
 * their triangles share vertices, are given apart and welded, or are given apart and stay so. */
#include <math.h>
#include <stdlib.h>
#include "base/trig.h"
#include "support/chorus.h"
#include "support/mesh_text.h"
#include "support/real_data.h"
#include "support/sweep_oracle.h"
#include "support/test.h"

static const char *const names[] = {
    "meshes/cow.obj",       "meshes/dolphins.ply",       "meshes/dragon.obj",
    "meshes/igl_bunny.off", "meshes/spot.obj",           "meshes/triceratops.off",
    "meshes/armadillo.off", "meshes/stanford-bunny.obj", "fcl/rob.obj",
    "fcl/env.obj",
};
enum { NAMES = sizeof names / sizeof names[0] };

/* The sizes, in triangles, up to which models are taken at all, asked in every way, and asked what
 * takes longest. */
#ifdef WILLOW_CHECKED
enum { LARGE = 6000, SMALL = 3000, TINY = 1000 };
#else
enum { LARGE = 100000, SMALL = 6000, TINY = 3000 };
#endif

/* ---- models ---- */

enum { AT_REST, BENT, SHAPES };

typedef struct model {
    const char *name;
    text_mesh mesh; /* as the file has it */
    float (*shapes[SHAPES])[3];
    uint32_t (*welded)[3]; /* its triangles, with the first of the vertices at each place */
} model;

static model models[NAMES];
static uint32_t model_count;

/* A wave runs through the model and takes its vertices along. */
typedef struct wave {
    double along[3], moves[3], phase;
} wave;

enum { WAVES = 3 };

static double largest_extent(const text_mesh *mesh)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < mesh->vertex_count; i++) {
            low = fmin(low, mesh->positions[i][axis]);
            high = fmax(high, mesh->positions[i][axis]);
        }
        most = fmax(most, high - low);
    }
    return most;
}

/* Up to two periods over the model, which move it by up to a tenth of its size: with three of
 * them it folds in some places. */
static wave make_wave(uint64_t *random, double extent)
{
    wave w = {.phase = test_random_between(random, 0, 6.28)};
    for (int axis = 0; axis < 3; axis++) {
        w.along[axis] = test_random_between(random, -15, 15) / extent;
        w.moves[axis] = test_random_between(random, -1, 1) * extent / 10;
    }
    return w;
}

static void bend(const wave waves[WAVES], const float from[3], float to[3])
{
    double at[3] = {(double)from[0], (double)from[1], (double)from[2]};
    for (int i = 0; i < WAVES; i++) {
        const wave *w = &waves[i];
        double height = wi_sin(w->along[0] * (double)from[0] + w->along[1] * (double)from[1] +
                               w->along[2] * (double)from[2] + w->phase);
        for (int axis = 0; axis < 3; axis++) at[axis] += w->moves[axis] * height;
    }
    for (int axis = 0; axis < 3; axis++) to[axis] = (float)at[axis];
}

static void bend_all(model *m, uint64_t seed)
{
    wave waves[WAVES];
    const double extent = largest_extent(&m->mesh);
    for (int i = 0; i < WAVES; i++) waves[i] = make_wave(&seed, extent);
    for (uint32_t i = 0; i < m->mesh.vertex_count; i++)
        bend(waves, m->shapes[AT_REST][i], m->shapes[BENT][i]);
}

typedef struct place {
    float at[3];
    uint32_t vertex;
} place;

/* By where they are, then by number. */
static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    for (int axis = 0; axis < 3; axis++)
        if (x->at[axis] != y->at[axis]) return x->at[axis] < y->at[axis] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static bool places_equal(const place *a, const place *b)
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/* Welding by sorting, which is not how Willow does it. */
static void weld(model *m)
{
    const uint32_t count = m->mesh.vertex_count;
    place *places = calloc(count, sizeof *places);
    uint32_t *first = calloc(count, sizeof *first);
    assert_true(places != NULL && first != NULL);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(places[i].at, m->mesh.positions[i], sizeof places[i].at);
        places[i].vertex = i;
    }
    qsort(places, count, sizeof *places, compare_places);
    for (uint32_t i = 0; i < count; i++) {
        bool is_other = i == 0 || !places_equal(&places[i], &places[i - 1]);
        first[places[i].vertex] = is_other ? places[i].vertex : first[places[i - 1].vertex];
    }
    for (uint32_t i = 0; i < m->mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++) m->welded[i][k] = first[m->mesh.tris[i][k]];
    free(first);
    free(places);
}

static void open_model(model *m, const char *name)
{
    char path[REAL_DATA_PATH];
    m->name = name;
    real_data_path(name, path);
    mesh_file_read(path, &m->mesh);
    assert_true(m->mesh.vertex_count > 0 && m->mesh.triangle_count > 0);
    m->shapes[AT_REST] = m->mesh.positions;
    m->shapes[BENT] = calloc(m->mesh.vertex_count, sizeof *m->shapes[BENT]);
    m->welded = calloc(m->mesh.triangle_count, sizeof *m->welded);
    assert_true(m->shapes[BENT] != NULL && m->welded != NULL);
    bend_all(m, m->mesh.vertex_count);
    weld(m);
}

static void close_model(model *m)
{
    free(m->shapes[BENT]);
    free(m->welded);
    text_mesh_free(&m->mesh);
}

static int open_models(void **state)
{
    (void)state;
    for (int i = 0; i < NAMES; i++) {
        model *m = &models[model_count];
        if (!real_data_has(names[i])) {
            print_message("left out: there is no %s\n", names[i]);
            continue;
        }
        open_model(m, names[i]);
        model_count++;
        if (m->mesh.triangle_count > LARGE) close_model(&models[--model_count]);
    }
    return 0;
}

static int close_models(void **state)
{
    (void)state;
    while (model_count > 0) close_model(&models[--model_count]);
    return 0;
}

/* ---- triangles that are given apart ---- */

typedef struct soup {
    float (*shapes[SHAPES])[3];
    uint32_t *indices; /* 0, 1, 2 and so on */
} soup;

static soup make_soup(const model *m)
{
    const size_t corners = 3 * (size_t)m->mesh.triangle_count;
    const uint32_t *vertices = &m->mesh.tris[0][0];
    soup s = {.indices = calloc(corners, sizeof *s.indices)};
    assert_non_null(s.indices);
    for (size_t i = 0; i < corners; i++) s.indices[i] = (uint32_t)i;
    for (int shape = 0; shape < SHAPES; shape++) {
        s.shapes[shape] = calloc(corners, sizeof *s.shapes[shape]);
        assert_non_null(s.shapes[shape]);
        for (size_t i = 0; i < corners; i++)
            memcpy(s.shapes[shape][i], m->shapes[shape][vertices[i]], sizeof s.shapes[shape][i]);
    }
    return s;
}

static void free_soup(soup *s)
{
    for (int shape = 0; shape < SHAPES; shape++) free(s->shapes[shape]);
    free(s->indices);
}

/* ---- answers ---- */

static void show(chorus *all, uint32_t vertex_count, const float (*positions)[3])
{
    chorus_set(all, 0, 0, vertex_count, positions, WILLOW_OK);
    chorus_update(all);
}

/* One world, with the vertices of the file and the triangles that are welded here. */
static void open_reference(chorus *one, const model *m)
{
    chorus_open(one, m->name, 0);
    chorus_add(one, willow_tree_def_default(), WILLOW_KERNEL_AUTO, 1);
    chorus_add_body(one,
                    &(willow_mesh_def){.positions = m->mesh.positions,
                                       .vertex_count = m->mesh.vertex_count,
                                       .indices = m->welded,
                                       .triangle_count = m->mesh.triangle_count},
                    true);
}

static void open_soup(chorus *all, const model *m, const soup *s, bool weld_exact)
{
    chorus_open(all, m->name, 0);
    chorus_add_methods(all);
    chorus_add_body(all,
                    &(willow_mesh_def){.positions = s->shapes[AT_REST],
                                       .vertex_count = 3 * m->mesh.triangle_count,
                                       .indices = s->indices,
                                       .triangle_count = m->mesh.triangle_count,
                                       .weld_exact = weld_exact},
                    true);
}

static const char *shape_name(int shape) { return shape == AT_REST ? "at rest" : "bent"; }

/* ---- as the files have them ---- */

static void compare_model(const model *m)
{
    static chorus all;
    chorus_open(&all, m->name, 0);
    if (m->mesh.triangle_count <= SMALL)
        chorus_add_methods_in_every_way(&all);
    else
        chorus_add_methods(&all);
    chorus_add_body(&all,
                    &(willow_mesh_def){.positions = m->mesh.positions,
                                       .vertex_count = m->mesh.vertex_count,
                                       .indices = m->mesh.tris,
                                       .triangle_count = m->mesh.triangle_count},
                    true);
    for (int shape = 0; shape < SHAPES; shape++) {
        show(&all, m->mesh.vertex_count, (const float(*)[3])m->shapes[shape]);
        size_t skipping = chorus_ask(&all, true).count, whole = chorus_ask(&all, false).count;
        print_message("%s, %s: %u triangles, %zu pairs found, %zu of them neighbours\n", m->name,
                      shape_name(shape), m->mesh.triangle_count, whole, whole - skipping);
        assert_true(skipping <= whole);
        assert_true(shape == AT_REST || whole > 0);
    }
    chorus_close(&all);
}

static void every_method_finds_the_same_in_every_model(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < model_count; i++) compare_model(&models[i]);
}

/* ---- rational numbers ---- */

static size_t check_with_oracle(const model *m, chorus *one, int shape)
{
    const float(*positions)[3] = (const float(*)[3])m->shapes[shape];
    sweep_pairs expected =
        sweep_find(positions, (const uint32_t(*)[3])m->welded, m->mesh.triangle_count);
    show(one, m->mesh.vertex_count, positions);
    for (int skip = 0; skip < 2; skip++) {
        const willow_pairs pairs = chorus_ask(one, skip != 0);
        sweep_check(&expected, skip != 0, pairs.items, pairs.count);
    }
    print_message("%s, %s: %zu boxes meet, %zu pairs found, %zu of them neighbours\n", m->name,
                  shape_name(shape), expected.decided_count, expected.count,
                  expected.neighbour_count);
    size_t count = expected.count;
    sweep_free(&expected);
    return count;
}

static void rational_numbers_find_the_same(void **state)
{
    (void)state;
    static chorus one;
    size_t sum = 0;
    for (uint32_t i = 0; i < model_count; i++) {
        if (models[i].mesh.triangle_count > SMALL) continue;
        open_reference(&one, &models[i]);
        if (models[i].mesh.triangle_count <= TINY)
            sum += check_with_oracle(&models[i], &one, AT_REST);
        sum += check_with_oracle(&models[i], &one, BENT);
        chorus_close(&one);
    }
    assert_true(sum > 0);
}

/* ---- welding ---- */

static void expect_same(const model *m, const willow_pairs *got, const willow_pairs *expected)
{
    if (got->count != expected->count || willow_pairs_hash(got) != willow_pairs_hash(expected))
        fail_msg("%s: %zu pairs of the welded soup, and %zu of the model", m->name, got->count,
                 expected->count);
}

static size_t check_welded(const model *m)
{
    static chorus one, all;
    size_t sum = 0;
    soup s = make_soup(m);
    open_reference(&one, m);
    open_soup(&all, m, &s, true);
    for (int shape = 0; shape < SHAPES; shape++) {
        show(&one, m->mesh.vertex_count, (const float(*)[3])m->shapes[shape]);
        show(&all, 3 * m->mesh.triangle_count, (const float(*)[3])s.shapes[shape]);
        for (int skip = 0; skip < 2; skip++) {
            const willow_pairs expected = chorus_ask(&one, skip != 0),
                               got = chorus_ask(&all, skip != 0);
            expect_same(m, &got, &expected);
            sum += got.count;
        }
    }
    chorus_close(&all);
    chorus_close(&one);
    free_soup(&s);
    return sum;
}

static void triangles_that_are_given_apart_and_welded_are_the_model_again(void **state)
{
    (void)state;
    size_t sum = 0;
    for (uint32_t i = 0; i < model_count; i++)
        if (models[i].mesh.triangle_count <= SMALL) sum += check_welded(&models[i]);
    print_message("%zu pairs found\n", sum);
    assert_true(sum > 0);
}

/* ---- no welding ---- */

static bool share_a_place(const model *m, willow_tri_pair pair)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (m->welded[pair.tri_a][i] == m->welded[pair.tri_b][k]) return true;
    return false;
}

/* How many pairs of triangles have a place in common, each pair once. */
static size_t count_sharing(const model *m)
{
    const uint32_t tris = m->mesh.triangle_count;
    uint32_t *newest = calloc(m->mesh.vertex_count, sizeof *newest);
    uint32_t(*older)[3] = calloc(tris, sizeof *older);
    uint32_t *seen_by = calloc(tris, sizeof *seen_by);
    size_t count = 0;
    assert_true(newest != NULL && older != NULL && seen_by != NULL);
    /* Corners are 3 * triangle + k + 1, and 0 is none: a chain of corners at each place. */
    for (uint32_t corner = 0; corner < 3 * tris; corner++) {
        uint32_t *last = &newest[m->welded[corner / 3][corner % 3]];
        for (uint32_t at = *last; at != 0; at = older[(at - 1) / 3][(at - 1) % 3]) {
            const uint32_t other = (at - 1) / 3;
            if (other == corner / 3 || seen_by[other] == corner / 3) continue;
            seen_by[other] = corner / 3; /* never 0: others come before */
            count++;
        }
        older[corner / 3][corner % 3] = *last;
        *last = corner + 1;
    }
    free(seen_by);
    free(older);
    free(newest);
    return count;
}

/* All that share a place, and those of the model that share none. */
static void expect_loose(const model *m, const willow_pairs *got, const willow_pairs *skipping)
{
    size_t sharing = 0, others = 0;
    for (size_t i = 0; i < got->count; i++) {
        if (share_a_place(m, got->items[i])) {
            sharing++;
            continue;
        }
        assert_true(others < skipping->count);
        assert_int_equal(got->items[i].tri_a, skipping->items[others].tri_a);
        assert_int_equal(got->items[i].tri_b, skipping->items[others].tri_b);
        others++;
    }
    assert_int_equal(others, skipping->count);
    assert_int_equal(sharing, count_sharing(m));
}

static size_t check_loose(const model *m)
{
    static chorus one, all;
    soup s = make_soup(m);
    open_reference(&one, m);
    open_soup(&all, m, &s, false);
    show(&one, m->mesh.vertex_count, (const float(*)[3])m->shapes[AT_REST]);
    show(&all, 3 * m->mesh.triangle_count, (const float(*)[3])s.shapes[AT_REST]);
    /* Nothing is shared, so there are no neighbours to skip. */
    const willow_pairs skipping = chorus_ask(&one, true),
                       got = chorus_ask(&all, m->mesh.triangle_count % 2 == 0);
    expect_loose(m, &got, &skipping);
    const size_t count = got.count;
    chorus_close(&all);
    chorus_close(&one);
    free_soup(&s);
    return count;
}

static void triangles_that_are_given_apart_meet_all_that_they_touch(void **state)
{
    (void)state;
    size_t sum = 0;
    for (uint32_t i = 0; i < model_count; i++)
        if (models[i].mesh.triangle_count <= TINY) sum += check_loose(&models[i]);
    print_message("%zu pairs found\n", sum);
    assert_true(sum > 0);
}

static bool has_any(void)
{
    for (int i = 0; i < NAMES; i++)
        if (real_data_has(names[i])) return true;
    return false;
}

TEST_GROUP_FUNCTION(meshes)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_finds_the_same_in_every_model),
        cmocka_unit_test(rational_numbers_find_the_same),
        cmocka_unit_test(triangles_that_are_given_apart_and_welded_are_the_model_again),
        cmocka_unit_test(triangles_that_are_given_apart_meet_all_that_they_touch),
    };
    if (!has_any()) return real_data_skip("meshes");
    return cmocka_run_group_tests(tests, open_models, close_models);
}
