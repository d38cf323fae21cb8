/* Broken things from simulations: a body of all pieces, split, is the pieces loaded apart, at rest
 * and on paths; and merged again it is the one. */
#include <stdlib.h>
#include <string.h>
#include "support/fixture.h"
#include "support/mesh_text.h"
#include "support/real_data.h"
#include "support/test.h"

enum { MOST_PIECES = 100, STEPS = 3 };

typedef struct broken {
    const char *name;
    uint32_t piece_count;
    text_mesh pieces[MOST_PIECES];
    text_mesh whole;  /* all of them, one after the other */
    uint32_t *labels; /* by triangle of the whole: its piece, which may be of several parts */
    float (*velocities)[3];
} broken;

static broken cube = {.name = "cube", .piece_count = 8},
              wall = {.name = "wall", .piece_count = 100};

static void join_pieces(broken *b)
{
    text_mesh *whole = &b->whole;
    for (uint32_t i = 0; i < b->piece_count; i++) {
        whole->vertex_count += b->pieces[i].vertex_count;
        whole->triangle_count += b->pieces[i].triangle_count;
    }
    whole->positions = calloc(whole->vertex_count, sizeof *whole->positions);
    whole->tris = calloc(whole->triangle_count, sizeof *whole->tris);
    b->velocities = calloc(whole->vertex_count, sizeof *b->velocities);
    b->labels = calloc(whole->triangle_count, sizeof *b->labels);
    assert_true(whole->positions && whole->tris && b->velocities && b->labels);
    uint32_t vertex = 0, tri = 0;
    for (uint32_t i = 0; i < b->piece_count; i++) {
        const text_mesh *piece = &b->pieces[i];
        memcpy(whole->positions + vertex, piece->positions,
               piece->vertex_count * sizeof *piece->positions);
        for (uint32_t t = 0; t < piece->triangle_count; t++, tri++) {
            b->labels[tri] = i;
            for (int k = 0; k < 3; k++) whole->tris[tri][k] = vertex + piece->tris[t][k];
        }
        vertex += piece->vertex_count;
    }
}

/* Pieces drift, and wobble on the way. */
static void choose_velocities(broken *b)
{
    uint64_t seed = 25;
    uint32_t vertex = 0;
    for (uint32_t i = 0; i < b->piece_count; i++) {
        double drift[3];
        for (int k = 0; k < 3; k++) drift[k] = test_random_between(&seed, -0.1, 0.1);
        for (uint32_t v = 0; v < b->pieces[i].vertex_count; v++, vertex++)
            for (int k = 0; k < 3; k++)
                b->velocities[vertex][k] =
                    (float)(drift[k] + test_random_between(&seed, -0.01, 0.01));
    }
}

static void read_pieces(broken *b)
{
    for (uint32_t i = 0; i < b->piece_count; i++) {
        char name[100], path[REAL_DATA_PATH];
        const bool is_cube = b == &cube;
        (void)snprintf(name, sizeof name,
                       is_cube ? "fracture/rigid-ipc-%s/cell-%u.obj"
                               : "fracture/rigid-ipc-%s/wall-piece-%05u.obj",
                       b->name, i);
        real_data_path(name, path);
        mesh_file_read(path, &b->pieces[i]);
    }
    join_pieces(b);
    choose_velocities(b);
}

static void free_pieces(broken *b)
{
    for (uint32_t i = 0; i < b->piece_count; i++) text_mesh_free(&b->pieces[i]);
    free(b->whole.positions);
    free(b->whole.tris);
    free(b->velocities);
    free(b->labels);
}

/* ---- worlds ---- */

typedef struct site {
    willow_world *world;
    willow_scratch *scratch;
} site;

static site open_site(void)
{
    site s = {.world = fixture_world(NULL)};
    s.scratch = fixture_scratch(s.world);
    return s;
}

static willow_body_id add_body(site *s, const text_mesh *mesh, float (*velocities)[3])
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(mesh->positions, mesh->vertex_count, mesh->tris, mesh->triangle_count);
    def.self = true;
    const willow_body_id id = fixture_body(s->world, &def);
    assert_ok(willow_body_set_velocities(s->world, id, 0, mesh->vertex_count, velocities, 0));
    return id;
}

static willow_pairs ask(site *s, double time)
{
    willow_pairs pairs;
    assert_ok(willow_world_update(s->world, time, NULL));
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &pairs));
    return pairs;
}

/* Bodies of both worlds are in the same order, and so are their pairs. */
static void assert_same_pairs(const willow_pairs *a, const willow_pairs *b, uint32_t first_a,
                              uint32_t first_b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->run_count, b->run_count);
    for (size_t i = 0; i < a->run_count; i++) {
        assert_int_equal(a->runs[i].body_a.index1 - first_a, b->runs[i].body_a.index1 - first_b);
        assert_int_equal(a->runs[i].body_b.index1 - first_a, b->runs[i].body_b.index1 - first_b);
        assert_int_equal(a->runs[i].count, b->runs[i].count);
    }
    if (a->count > 0) assert_memory_equal(a->items, b->items, a->count * sizeof *a->items);
}

static void play(const broken *b)
{
    site one = open_site(), split_one = open_site(), apart = open_site();
    willow_body_id ids[MOST_PIECES];
    willow_split split;
    willow_merge merge;
    size_t between = 0, within = 0;
    (void)add_body(&one, &b->whole, b->velocities);
    const willow_body_id whole = add_body(&split_one, &b->whole, b->velocities);
    uint32_t vertex = 0;
    for (uint32_t i = 0; i < b->piece_count; i++) {
        (void)add_body(&apart, &b->pieces[i], b->velocities + vertex);
        vertex += b->pieces[i].vertex_count;
    }
    assert_ok(willow_world_update(split_one.world, 0, NULL));
    assert_ok(willow_body_split(split_one.world, whole, b->labels, &split));
    assert_int_equal(split.part_count, b->piece_count);
    for (uint32_t i = 0; i < b->piece_count; i++) {
        ids[i] = split.parts[i].body;
        assert_int_equal(split.parts[i].triangle_count, b->pieces[i].triangle_count);
    }
    for (int step = 0; step < STEPS; step++) {
        const willow_pairs a = ask(&split_one, 0.5 * step), c = ask(&apart, 0.5 * step);
        assert_same_pairs(&a, &c, ids[0].index1, 1);
        between += a.count;
    }
    assert_ok(willow_body_merge(split_one.world, ids, b->piece_count, &merge));
    for (int step = STEPS; step < 2 * STEPS; step++) {
        const willow_pairs a = ask(&split_one, 0.5 * step), c = ask(&one, 0.5 * step);
        assert_same_pairs(&a, &c, merge.body.index1, 1);
        within += a.count;
    }
    print_message("%s: %u pieces, %u triangles, %zu pairs between pieces, %zu within the one\n",
                  b->name, b->piece_count, b->whole.triangle_count, between, within);
    assert_true(between > 0 && within > 0);
    fixture_close(one.world, one.scratch);
    fixture_close(split_one.world, split_one.scratch);
    fixture_close(apart.world, apart.scratch);
}

static void a_split_cube_is_its_pieces_loaded_apart(void **state)
{
    (void)state;
    play(&cube);
}

static void a_split_wall_is_its_pieces_loaded_apart(void **state)
{
    (void)state;
    play(&wall);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_split_cube_is_its_pieces_loaded_apart),
    cmocka_unit_test(a_split_wall_is_its_pieces_loaded_apart),
};

TEST_GROUP_FUNCTION(fracture)
{
    if (!real_data_has("fracture")) return real_data_skip("fracture");
    read_pieces(&cube);
    read_pieces(&wall);
    const int failures = cmocka_run_group_tests_name("fracture", tests, NULL, NULL);
    free_pieces(&cube);
    free_pieces(&wall);
    return failures;
}
