/* adjacency_test.c - triangles by vertex, and what kind of surface they make. */
#include "mesh/incidence.h"

#include <stdlib.h>

#include "mesh/topology.h"
#include "support/test.h"
#include "support/test_allocator.h"

/* A mesh of triangles over vertices 0, 1, 2, ... whose positions do not matter. */
typedef struct fixture {
    wi_memory memory;
    wi_message message;
    wi_workspace workspace;
    wi_mesh mesh;
} fixture;

static void make(fixture *f, uint32_t vertex_count, const uint32_t (*tris)[3], uint32_t tri_count)
{
    float *positions = calloc(3 * (size_t)vertex_count + 1, sizeof *positions);
    assert_non_null(positions);
    *f = (fixture){0};
    wi_memory_init(&f->memory, &(willow_allocator){0});
    willow_mesh_def def = {.positions = positions,
                           .vertex_count = vertex_count,
                           .indices = tris,
                           .triangle_count = tri_count};
    assert_ok(wi_mesh_create(&f->memory, &def, &f->message, &f->mesh));
    free(positions);
}

static void unmake(fixture *f)
{
    wi_workspace_free(&f->memory, &f->workspace);
    wi_mesh_destroy(&f->memory, &f->mesh);
    assert_int_equal(f->memory.bytes, 0);
}

static willow_body_topology topology_of(uint32_t vertex_count, const uint32_t (*tris)[3],
                                        uint32_t tri_count)
{
    fixture f;
    willow_body_topology topology;
    make(&f, vertex_count, tris, tri_count);
    assert_true(wi_mesh_topology(&f.memory, &f.workspace, &f.mesh, &topology));
    unmake(&f);
    return topology;
}

static void every_vertex_lists_its_triangles_in_order(void **state)
{
    (void)state;
    enum { VERTICES = 40, TRIS = 300 };
    uint32_t tris[TRIS][3];
    uint64_t random = 5;
    for (int i = 0; i < TRIS; i++)
        for (int k = 0; k < 3; k++) tris[i][k] = (uint32_t)(test_random(&random) % VERTICES);
    fixture f;
    wi_incidence incidence;
    make(&f, VERTICES, (const uint32_t(*)[3])tris, TRIS);
    assert_true(wi_incidence_build(&f.memory, &f.workspace, &f.mesh, &incidence));
    for (uint32_t vertex = 0; vertex < VERTICES; vertex++) {
        uint32_t at = incidence.first[vertex];
        for (uint32_t slot = 0; slot < TRIS; slot++) {
            if (tris[slot][0] != vertex && tris[slot][1] != vertex && tris[slot][2] != vertex)
                continue;
            assert_true(at < incidence.first[vertex + 1]);
            assert_int_equal(incidence.tris[at++], slot);
        }
        assert_int_equal(at, incidence.first[vertex + 1]);
    }
    unmake(&f);
}

static const struct {
    const char *name;
    uint32_t vertices, tri_count, tris[4][3];
    uint32_t edges, border, crowded, pieces, loose;
} counted[] = {
    TEST_ROW("a closed tetrahedron", 4, 4, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}, 6, 0, 0, 1,
             0),
    {"three pages and their crowded spine", 6, 3, {{0, 1, 2}, {0, 1, 3}, {1, 0, 4}}, 7, 6, 1, 1, 1},
    {"pieces that meet in a vertex are one",
     8,
     3,
     {{0, 1, 2}, {2, 3, 4}, {5, 6, 7}},
     9,
     9,
     0,
     2,
     0},
    {"degenerate triangles", 4, 2, {{0, 0, 0}, {1, 1, 2}}, 0, 0, 0, 2, 1},
    {"nothing", 0, 0, {{0}}, 0, 0, 0, 0, 0},
};

static void edges_pieces_and_loose_vertices_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const willow_body_topology t =
            topology_of(counted[i].vertices, counted[i].tris, counted[i].tri_count);
        if (t.edges != counted[i].edges || t.border_edges != counted[i].border ||
            t.crowded_edges != counted[i].crowded || t.pieces != counted[i].pieces ||
            t.loose_vertices != counted[i].loose)
            fail_msg("%s: %u edges, %u at borders, %u crowded, %u pieces, %u loose",
                     counted[i].name, (unsigned)t.edges, (unsigned)t.border_edges,
                     (unsigned)t.crowded_edges, (unsigned)t.pieces, (unsigned)t.loose_vertices);
    }
}

static void no_memory_says_so(void **state)
{
    (void)state;
    const uint32_t tris[1][3] = {{0, 1, 2}};
    fixture f;
    willow_body_topology topology;
    wi_incidence incidence;
    test_allocator allocator = {.fails_from_now_on = true};
    willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory none;
    make(&f, 3, tris, 1);
    wi_memory_init(&none, &functions);
    assert_false(wi_mesh_topology(&none, &f.workspace, &f.mesh, &topology));
    assert_false(wi_incidence_build(&none, &f.workspace, &f.mesh, &incidence));
    assert_true(test_allocator_is_clean(&allocator));
    unmake(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_vertex_lists_its_triangles_in_order),
    cmocka_unit_test(edges_pieces_and_loose_vertices_are_counted),
    cmocka_unit_test(no_memory_says_so),
};

TEST_GROUP(adjacency, tests);
