/* Meshes as they come in: bad ones are refused in words (C7), welding, strides, index types, and
 * positions that are taken all or not at all (C6). */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "mesh/mesh.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_world.h"

/* Two triangles of a square. */
static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
static const uint32_t square_tris[2][3] = {{0, 1, 2}, {1, 3, 2}};

static willow_mesh_def square_def(void) { return FIXTURE_MESH(square, 4, square_tris, 2); }

/* A mesh with an allocator that must be clean in the end. */
typedef struct workshop {
    test_allocator allocator;
    wi_memory memory;
    wi_message message;
    wi_mesh mesh;
} workshop;

static void open_workshop(workshop *w)
{
    memset(w, 0, sizeof *w);
    willow_allocator functions = test_allocator_functions(&w->allocator);
    wi_memory_init(&w->memory, &functions);
}

static willow_result create(workshop *w, const willow_mesh_def *def)
{
    return wi_mesh_create(&w->memory, def, &w->message, &w->mesh);
}

static void close_workshop(workshop *w)
{
    wi_mesh_destroy(&w->memory, &w->mesh);
    assert_true(test_allocator_is_clean(&w->allocator));
    assert_int_equal(atomic_load(&w->memory.bytes), 0);
}

/* ---- refusals ---- */

static void expect_code(const willow_mesh_def *def, willow_result code, const char *words)
{
    workshop w;
    open_workshop(&w);
    assert_int_equal(create(&w, def), code);
    assert_string_equal(w.message.text, words);
    assert_true(test_allocator_is_clean(&w.allocator));
    assert_int_equal(w.mesh.vertex_count, 0);
    assert_int_equal(w.mesh.tri_count, 0);
    close_workshop(&w);
}

static void expect_refusal(const willow_mesh_def *def, const char *words)
{
    expect_code(def, WILLOW_BAD_MESH, words);
}

/* Of how the mesh is handed over, not of what it is. */
static void expect_bad_argument(const willow_mesh_def *def, const char *words)
{
    expect_code(def, WILLOW_BAD_ARGUMENT, words);
}

static void indices_out_of_range_are_refused(void **state)
{
    (void)state;
    for (uint32_t at = 0; at < 6; at++)
        for (int is_narrow = 0; is_narrow < 2; is_narrow++) {
            uint32_t wide[6] = {0, 1, 2, 1, 3, 2};
            uint16_t narrow[6] = {0, 1, 2, 1, 3, 2};
            char words[100];
            willow_mesh_def def = square_def();
            wide[at] = narrow[at] = 4;
            def.indices = is_narrow ? (const void *)narrow : wide;
            def.index_type = is_narrow ? WILLOW_INDEX_U16 : WILLOW_INDEX_U32;
            (void)snprintf(words, sizeof words, "triangle %u names vertex 4; the mesh has 4",
                           at / 3);
            expect_refusal(&def, words);
        }
    uint32_t far[6] = {0, 1, 2, 1, UINT32_MAX, 2};
    willow_mesh_def def = square_def();
    def.indices = far;
    expect_refusal(&def, "triangle 1 names vertex 4294967295; the mesh has 4");
    def = square_def();
    def.vertex_count = 0;
    def.positions = NULL;
    expect_refusal(&def, "triangle 0 names vertex 0; the mesh has 0");
}

static void numbers_that_are_not_finite_are_refused(void **state)
{
    (void)state;
    const float bad[] = {NAN, -NAN, INFINITY, -INFINITY};
    for (size_t at = 0; at < 12; at++)
        for (size_t b = 0; b < 4; b++)
            for (int flags = 0; flags < 4; flags++) {
                float positions[12];
                char start[30];
                workshop w;
                willow_mesh_def def = square_def();
                memcpy(positions, square, sizeof positions);
                positions[at] = bad[b];
                def.positions = positions;
                def.borrow = (flags & 1) != 0;
                def.weld_exact = (flags & 2) != 0;
                open_workshop(&w);
                assert_int_equal(create(&w, &def), WILLOW_BAD_MESH);
                (void)snprintf(start, sizeof start, "vertex %zu is at (", at / 3);
                assert_memory_equal(w.message.text, start, strlen(start));
                assert_non_null(strstr(w.message.text, "): not finite"));
                close_workshop(&w);
            }
}

static void the_largest_numbers_are_finite(void **state)
{
    (void)state;
    static const float extremes[4][3] = {{FLT_MAX, -FLT_MAX, FLT_MIN},
                                         {-FLT_MAX, FLT_MAX, -0.0F},
                                         {0x1p-149F, -0x1p-149F, FLT_MAX},
                                         {FLT_MAX, FLT_MAX, FLT_MAX}};
    workshop w;
    willow_mesh_def def = square_def();
    def.positions = extremes;
    open_workshop(&w);
    assert_ok(create(&w, &def));
    for (uint32_t i = 0; i < 4; i++)
        assert_memory_equal(wi_mesh_position(&w.mesh, i), extremes[i], sizeof extremes[i]);
    close_workshop(&w);
}

static void missing_arrays_are_refused(void **state)
{
    (void)state;
    willow_mesh_def def = square_def();
    def.positions = NULL;
    expect_bad_argument(&def, "the mesh has 4 vertices and no positions");
    def = square_def();
    def.indices = NULL;
    expect_bad_argument(&def, "the mesh has 2 triangles and no indices");
}

static void wrong_strides_and_alignments_are_refused(void **state)
{
    (void)state;
    static const size_t strides[] = {1, 4, 8, 11, 13, 14, 15, 18};
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        char words[100];
        willow_mesh_def def = square_def();
        def.stride = strides[i];
        (void)snprintf(words, sizeof words,
                       "a stride of %zu bytes: it must be a multiple of 4 and at least 12",
                       strides[i]);
        expect_bad_argument(&def, words);
    }
    for (size_t off = 1; off < 4; off++) {
        willow_mesh_def def = square_def();
        def.positions = (const char *)square + off;
        expect_bad_argument(&def, "positions are not aligned to 4 bytes");
        def = square_def();
        def.indices = (const char *)square_tris + off;
        expect_bad_argument(&def, "indices are not aligned to their own size");
    }
    willow_mesh_def def = square_def();
    def.index_type = WILLOW_INDEX_U16;
    def.indices = (const char *)square_tris + 1;
    expect_bad_argument(&def, "indices are not aligned to their own size");
}

static void unknown_index_types_and_too_many_triangles_are_refused(void **state)
{
    (void)state;
    willow_mesh_def def = square_def();
    def.index_type = (willow_index_type)7;
    expect_bad_argument(&def, "7 is no index type");
    def = square_def();
    def.triangle_count = UINT32_C(1) << 31;
    expect_refusal(&def, "the mesh has 2147483648 triangles; 1431655765 is the most");
}

static void empty_meshes_are_fine(void **state)
{
    (void)state;
    for (int flags = 0; flags < 8; flags++) {
        workshop w;
        willow_mesh_def def = {.borrow = (flags & 1) != 0, .weld_exact = (flags & 2) != 0};
        uint16_t groups[1] = {1};
        if ((flags & 4) != 0) def.triangle_groups = groups;
        open_workshop(&w);
        assert_ok(create(&w, &def));
        assert_null(wi_mesh_validate(&w.mesh));
        assert_int_equal(wi_mesh_bytes(&w.mesh), 0);
        close_workshop(&w);
    }
}

/* ---- what is read ---- */

static void strides_and_index_types_read_the_same_mesh(void **state)
{
    (void)state;
    static const uint16_t narrow[2][3] = {{0, 1, 2}, {1, 3, 2}};
    for (size_t stride = 12; stride <= 64; stride += 4)
        for (int flags = 0; flags < 4; flags++) {
            workshop w;
            size_t size = 3 * stride + 12;
            char *positions = malloc(size); /* ends with the last coordinate */
            for (size_t at = 0; at < size; at += 4) memcpy(positions + at, &(float){NAN}, 4);
            for (size_t i = 0; i < 4; i++) memcpy(positions + i * stride, square[i], 12);
            willow_mesh_def def = square_def();
            def.positions = positions;
            def.stride = stride;
            def.borrow = (flags & 1) != 0;
            if ((flags & 2) != 0) {
                def.indices = narrow;
                def.index_type = WILLOW_INDEX_U16;
            }
            open_workshop(&w);
            assert_ok(create(&w, &def));
            for (uint32_t i = 0; i < 4; i++)
                assert_memory_equal(wi_mesh_position(&w.mesh, i), square[i], 12);
            assert_memory_equal(w.mesh.tris, square_tris, sizeof square_tris);
            assert_null(wi_mesh_validate(&w.mesh));
            close_workshop(&w);
            free(positions);
        }
}

static void u16_indices_reach_all_their_vertices(void **state)
{
    (void)state;
    enum { COUNT = 65536 };
    float(*positions)[3] = calloc(COUNT, sizeof *positions);
    const uint16_t tri[3] = {0, 65535, 32768};
    workshop w;
    willow_mesh_def def = {.positions = positions,
                           .vertex_count = COUNT,
                           .indices = tri,
                           .index_type = WILLOW_INDEX_U16,
                           .triangle_count = 1};
    open_workshop(&w);
    assert_ok(create(&w, &def));
    assert_int_equal(w.mesh.tris[0][1], 65535);
    close_workshop(&w);
    free(positions);
}

static void group_zero_collides_with_nothing(void **state)
{
    (void)state;
    const uint16_t groups[2] = {0, 65535};
    workshop w;
    willow_mesh_def def = square_def();
    def.triangle_groups = groups;
    open_workshop(&w);
    assert_ok(create(&w, &def));
    assert_false(wi_mesh_collides(&w.mesh, 0));
    assert_true(wi_mesh_collides(&w.mesh, 1));
    close_workshop(&w);
    def.triangle_groups = NULL;
    open_workshop(&w);
    assert_ok(create(&w, &def));
    assert_true(wi_mesh_collides(&w.mesh, 0));
    close_workshop(&w);
}

/* ---- groups that exclude each other ---- */

/* Four triangles in groups 1, 2, 3 and 0. */
static willow_mesh_def grouped_def(const uint64_t *masks, uint32_t count)
{
    static const uint32_t tris[4][3] = {{0, 1, 2}, {1, 3, 2}, {0, 1, 3}, {0, 2, 3}};
    static const uint16_t groups[4] = {1, 2, 3, 0};
    return (willow_mesh_def){.positions = square,
                             .vertex_count = 4,
                             .indices = tris,
                             .triangle_count = 4,
                             .triangle_groups = groups,
                             .group_masks = masks,
                             .group_count = count};
}

static void masks_say_which_groups_meet(void **state)
{
    (void)state;
    /* 1 meets 1 and 3, 2 meets 3. What has no meaning is set, too. */
    static const uint64_t masks[4] = {~UINT64_C(0), 0xFFF1 | 2U | 8U, 0xFFF0 | 8U,
                                      0xFFF1 | 2U | 4U};
    static const bool meets[3][3] = {
        {true, false, true}, {false, false, true}, {true, true, false}};
    static const uint64_t kept[4] = {0, 2U | 8U, 8U, 2U | 4U};
    workshop w;
    willow_mesh_def def = grouped_def(masks, 4);
    open_workshop(&w);
    assert_ok(create(&w, &def));
    for (uint32_t a = 0; a < 3; a++)
        for (uint32_t b = 0; b < 3; b++)
            assert_int_equal(wi_mesh_groups_meet(&w.mesh, a, b), meets[a][b]);
    assert_int_equal(w.mesh.masks.count, 4);
    assert_memory_equal(w.mesh.masks.rows, kept, sizeof kept);
    assert_null(wi_mesh_validate(&w.mesh));
    assert_int_equal(wi_mesh_bytes(&w.mesh), atomic_load(&w.memory.bytes));
    close_workshop(&w);

    def = grouped_def(NULL, 0);
    open_workshop(&w);
    assert_ok(create(&w, &def));
    for (uint32_t i = 0; i < 9; i++) assert_true(wi_mesh_groups_meet(&w.mesh, i / 3, i % 3));
    close_workshop(&w);
}

static void masks_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    uint64_t masks[65] = {0};
    willow_mesh_def def = grouped_def(NULL, 4);
    expect_bad_argument(&def, "the mesh has 4 groups and no group masks");
    def = grouped_def(masks, 0);
    expect_bad_argument(&def, "the mesh has group masks for none");
    def = grouped_def(masks, 65);
    expect_bad_argument(&def, "the mesh has group masks for 65; 64 is the most");
    def = grouped_def(masks, 3);
    expect_refusal(&def, "triangle 2 is in group 3; the mesh has group masks for 3");
    def = grouped_def(masks, 4);
    def.triangle_groups = NULL;
    expect_refusal(&def, "the mesh has group masks and no triangle groups");
    def = grouped_def(masks, 4);
    masks[2] = 8;
    expect_refusal(&def, "group 2 is tested against group 3, and that one not against it");
    masks[2] = 0;
    masks[3] = 2;
    expect_refusal(&def, "group 3 is tested against group 1, and that one not against it");
}

static void as_many_groups_as_a_row_has_bits_are_taken(void **state)
{
    (void)state;
    uint64_t masks[64] = {0};
    workshop w;
    for (int i = 1; i < 64; i++) masks[i] = UINT64_C(1) << (64 - i);
    willow_mesh_def def = grouped_def(masks, 64);
    open_workshop(&w);
    assert_ok(create(&w, &def));
    assert_memory_equal(w.mesh.masks.rows, masks, sizeof masks);
    assert_null(wi_mesh_validate(&w.mesh));
    close_workshop(&w);
}

static void a_mesh_without_triangles_takes_any_masks(void **state)
{
    (void)state;
    static const uint64_t masks[2] = {0, 2};
    workshop w;
    willow_mesh_def def = {.group_masks = masks, .group_count = 2};
    open_workshop(&w);
    assert_ok(create(&w, &def));
    assert_null(wi_mesh_validate(&w.mesh));
    assert_int_equal(wi_mesh_bytes(&w.mesh), sizeof masks);
    close_workshop(&w);
}

static void validation_names_what_is_broken_in_masks(void **state)
{
    (void)state;
    static const uint64_t masks[4] = {0, 8, 0, 2};
    workshop w;
    willow_mesh_def def = grouped_def(masks, 4);
    open_workshop(&w);
    assert_ok(create(&w, &def));
    w.mesh.groups[1] = 4;
    assert_string_equal(wi_mesh_validate(&w.mesh), "M6: a triangle's group has no mask");
    w.mesh.groups[1] = 2;
    w.mesh.masks.rows[2] = 2;
    assert_string_equal(wi_mesh_validate(&w.mesh), "M6: group masks are not symmetric");
    for (int bit = 0; bit < 64; bit = bit == 0 ? 4 : bit + 1) {
        w.mesh.masks.rows[2] = UINT64_C(1) << bit;
        assert_string_equal(wi_mesh_validate(&w.mesh),
                            "M6: a group is tested against one that is not there");
    }
    w.mesh.masks.rows[2] = 0;
    w.mesh.masks.rows[0] = 2;
    assert_string_equal(wi_mesh_validate(&w.mesh),
                        "M6: a group is tested against one that is not there");
    w.mesh.masks.rows[0] = 0;
    assert_null(wi_mesh_validate(&w.mesh));
    close_workshop(&w);
}

/* ---- welding ---- */

static void welding_names_the_first_of_equal_places(void **state)
{
    (void)state;
    static const float seams[7][3] = {{1, 0, -0.0F}, {2, 0, 0}, {1, -0.0F, 0},    {2, 0, -0.0F},
                                      {3, 3, 3},     {1, 0, 0}, {0x1p-149F, 0, 0}};
    static const uint32_t tris[3][3] = {{0, 1, 4}, {2, 3, 4}, {5, 5, 6}};
    static const uint32_t welded[3][3] = {{0, 1, 4}, {0, 1, 4}, {0, 0, 6}};
    for (int borrow = 0; borrow < 2; borrow++) {
        workshop w;
        willow_mesh_def def = {.positions = seams,
                               .vertex_count = 7,
                               .indices = tris,
                               .triangle_count = 3,
                               .weld_exact = true,
                               .borrow = borrow != 0};
        open_workshop(&w);
        assert_ok(create(&w, &def));
        assert_memory_equal(w.mesh.tris, welded, sizeof welded);
        assert_null(wi_mesh_validate(&w.mesh));
        close_workshop(&w);
    }
}

static void welding_agrees_with_a_loop_over_all_vertices(void **state)
{
    (void)state;
    uint64_t random = 1;
    size_t merged = 0;
    for (int round = 0; round < 200; round++) {
        float positions[60][3];
        uint32_t tris[20][3];
        workshop w;
        for (int i = 0; i < 180; i++)
            positions[i / 3][i % 3] = (float)(test_random(&random) % 4) - 2.0F;
        for (uint32_t i = 0; i < 60; i++) tris[i / 3][i % 3] = i;
        willow_mesh_def def = {.positions = positions,
                               .vertex_count = 60,
                               .indices = tris,
                               .triangle_count = 20,
                               .weld_exact = true};
        open_workshop(&w);
        assert_ok(create(&w, &def));
        for (uint32_t i = 0; i < 60; i++) {
            uint32_t first = 0;
            while (memcmp(positions[first], positions[i], sizeof positions[i]) != 0) first++;
            assert_int_equal(w.mesh.tris[i / 3][i % 3], first);
            assert_int_equal(w.mesh.stand_in[i], first);
            merged += first != i;
        }
        close_workshop(&w);
    }
    print_message("%zu vertices merged\n", merged);
    assert_true(merged > 0);
}

/* ---- taking positions ---- */

static void positions_are_taken_all_or_not_at_all(void **state)
{
    (void)state;
    for (size_t bad = 0; bad <= 12; bad++) { /* 12: none is bad */
        float moved[4][3];
        workshop w;
        willow_mesh_def def = square_def();
        open_workshop(&w);
        assert_ok(create(&w, &def));
        for (size_t i = 0; i < 12; i++) moved[i / 3][i % 3] = (float)i + 10.0F;
        if (bad < 12) moved[bad / 3][bad % 3] = bad % 2 == 0 ? NAN : -INFINITY;
        wi_source source = {(const char *)moved, 12};
        willow_result result = wi_mesh_take_all(&w.mesh, source, &w.message);
        assert_int_equal(result, bad < 12 ? WILLOW_BAD_MESH : WILLOW_OK);
        for (uint32_t i = 0; i < 4; i++)
            assert_memory_equal(wi_mesh_position(&w.mesh, i), bad < 12 ? square[i] : moved[i], 12);
        close_workshop(&w);
    }
}

static void ranges_are_taken_all_or_not_at_all(void **state)
{
    (void)state;
    for (uint32_t first = 0; first < 4; first++)
        for (uint32_t count = 1; count <= 4 - first; count++)
            for (size_t bad = 0; bad <= 3 * (size_t)count; bad++) {
                float moved[4][3];
                workshop w;
                willow_mesh_def def = square_def();
                bool is_bad = bad < 3 * (size_t)count;
                open_workshop(&w);
                assert_ok(create(&w, &def));
                for (size_t i = 0; i < 12; i++) moved[i / 3][i % 3] = (float)i + 10.0F;
                if (is_bad) moved[bad / 3][bad % 3] = bad % 2 == 0 ? -NAN : INFINITY;
                wi_source source = {(const char *)moved, 12};
                willow_result result =
                    wi_mesh_take_range(&w.mesh, first, count, source, &w.message);
                assert_int_equal(result, is_bad ? WILLOW_BAD_MESH : WILLOW_OK);
                if (is_bad) {
                    char start[30];
                    (void)snprintf(start, sizeof start, "vertex %zu is at (", first + bad / 3);
                    assert_memory_equal(w.message.text, start, strlen(start));
                }
                for (uint32_t i = 0; i < 4; i++) {
                    bool has_moved = !is_bad && i >= first && i < first + count;
                    assert_memory_equal(wi_mesh_position(&w.mesh, i),
                                        has_moved ? moved[i - first] : square[i], 12);
                }
                close_workshop(&w);
            }
}

/* The same through a world, for every method, also in merged and unused vertices. */
static void bad_positions_leave_the_world_as_it_was(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_CRUMPLED, ZOO_KIND_SEAMS, ZOO_KIND_LOOSE};
    size_t refusals = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (willow_method method = WILLOW_METHOD_BRUTE; method < WILLOW_METHOD_COUNT; method++) {
            zoo_scene scene = {0};
            zoo_world w;
            zoo_answers answers = {0};
            zoo_question question = zoo_question_plain();
            zoo_scene_add(&scene, kinds[k], 32, 5);
            zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(method, 4, 3));
            zoo_world_create(&w, &scene, &setup);
            zoo_answers_find(&scene, &question, &answers);
            zoo_mesh *mesh = &scene.bodies[0].mesh;
            uint64_t before = willow_world_hash(w.world);
            uint32_t count = mesh->vertex_count;
            float(*moved)[3] = calloc(count, sizeof *moved);
            for (size_t bad = 0; bad < 3 * (size_t)count; bad++, refusals++) {
                uint32_t first = bad % 2 == 0 ? 0 : (uint32_t)(bad / 3); /* all, or the rest */
                memset(moved, 0, count * sizeof *moved);
                moved[bad / 3][bad % 3] = bad % 4 < 2 ? NAN : INFINITY;
                willow_result result = willow_body_set_vertices(w.world, w.bodies[0].id, first,
                                                                count - first, moved + first, 0);
                if (result != WILLOW_BAD_MESH)
                    fail_msg("%s, %s: number %zu is not refused", zoo_kind_name(kinds[k]),
                             willow_method_name(method), bad);
                assert_true(willow_world_hash(w.world) == before);
            }
            (void)zoo_world_check(&w, &question, &answers); /* and it is not stale */
            free(moved);
            zoo_world_destroy(&w);
            zoo_answers_free(&answers);
            zoo_scene_destroy(&scene);
        }
    print_message("%zu refusals\n", refusals);
}

static void merged_vertices_follow_the_first_of_them(void **state)
{
    (void)state;
    static const float twins[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}};
    static const uint32_t tri[3] = {3, 1, 2};
    workshop w;
    willow_mesh_def def = {.positions = twins,
                           .vertex_count = 4,
                           .indices = tri,
                           .triangle_count = 1,
                           .weld_exact = true};
    const float moved[4][3] = {{5, 5, 5}, {6, 6, 6}, {7, 7, 7}, {8, 8, 8}};
    open_workshop(&w);
    assert_ok(create(&w, &def));
    wi_source source = {(const char *)moved, 12};
    assert_ok(wi_mesh_take_all(&w.mesh, source, &w.message));
    assert_memory_equal(wi_mesh_position(&w.mesh, 3), moved[0], 12);
    source.positions = (const char *)moved[2];
    assert_ok(wi_mesh_take_range(&w.mesh, 3, 1, source, &w.message));
    assert_memory_equal(wi_mesh_position(&w.mesh, 3), moved[0], 12);
    assert_ok(wi_mesh_take_range(&w.mesh, 0, 1, source, &w.message));
    assert_memory_equal(wi_mesh_position(&w.mesh, 3), moved[2], 12);
    close_workshop(&w);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(indices_out_of_range_are_refused),
    cmocka_unit_test(numbers_that_are_not_finite_are_refused),
    cmocka_unit_test(the_largest_numbers_are_finite),
    cmocka_unit_test(missing_arrays_are_refused),
    cmocka_unit_test(wrong_strides_and_alignments_are_refused),
    cmocka_unit_test(unknown_index_types_and_too_many_triangles_are_refused),
    cmocka_unit_test(empty_meshes_are_fine),
    cmocka_unit_test(strides_and_index_types_read_the_same_mesh),
    cmocka_unit_test(u16_indices_reach_all_their_vertices),
    cmocka_unit_test(group_zero_collides_with_nothing),
    cmocka_unit_test(masks_say_which_groups_meet),
    cmocka_unit_test(masks_that_do_not_fit_are_refused),
    cmocka_unit_test(as_many_groups_as_a_row_has_bits_are_taken),
    cmocka_unit_test(a_mesh_without_triangles_takes_any_masks),
    cmocka_unit_test(validation_names_what_is_broken_in_masks),
    cmocka_unit_test(welding_names_the_first_of_equal_places),
    cmocka_unit_test(welding_agrees_with_a_loop_over_all_vertices),
    cmocka_unit_test(positions_are_taken_all_or_not_at_all),
    cmocka_unit_test(ranges_are_taken_all_or_not_at_all),
    cmocka_unit_test(bad_positions_leave_the_world_as_it_was),
    cmocka_unit_test(merged_vertices_follow_the_first_of_them),
};

TEST_GROUP(mesh, tests);
