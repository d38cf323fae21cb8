/* Worlds: handles, what makes a world stale (C5), reports, hashes, validation, and memory that
 * comes back (C8). What is refused, and how, is in test/anomaly/bad_input_test.c. */
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "world/world.h"

static const float tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const uint32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

/* Two tetrahedra that meet, in a world with an allocator that must be clean in the end. */
typedef struct small_world {
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id a, b;
    float moved[4][3];
} small_world;

static willow_body_def tetrahedron_def(const void *positions)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(positions, 4, faces, 4);
    return def;
}

static void open_world(small_world *s)
{
    memset(s, 0, sizeof *s);
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&s->allocator);
    s->world = fixture_world(&def);
    s->scratch = fixture_scratch(s->world);
    for (int i = 0; i < 12; i++) s->moved[i / 3][i % 3] = tetrahedron[i / 3][i % 3] + 0.25F;
    willow_body_def body = tetrahedron_def(tetrahedron);
    s->a = fixture_body(s->world, &body);
    body.mesh.positions = s->moved;
    s->b = fixture_body(s->world, &body);
    assert_ok(willow_world_update(s->world, 0.0, NULL));
}

static void close_world(small_world *s)
{
    assert_int_equal(willow_world_bytes(s->world), atomic_load(&s->allocator.bytes));
    fixture_close(s->world, s->scratch);
    assert_true(test_allocator_is_clean(&s->allocator));
}

static bool is_stale(const small_world *s)
{
    willow_pairs pairs;
    willow_result result = willow_find_pairs(s->world, s->scratch, NULL, &pairs);
    assert_true(result == WILLOW_OK || result == WILLOW_STALE);
    return result == WILLOW_STALE;
}

static size_t count_pairs(const small_world *s)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(s->world, s->scratch, NULL, &pairs));
    return pairs.count;
}

static void update(small_world *s) { assert_ok(willow_world_update(s->world, 0.0, NULL)); }

/* The call failed, said so in these words and changed nothing. */
static void expect_failure(const small_world *s, willow_result result, willow_result expected,
                           const char *words, uint64_t hash)
{
    assert_int_equal(result, expected);
    assert_string_equal(willow_world_message(s->world), words);
    assert_true(willow_world_hash(s->world) == hash);
    assert_false(is_stale(s));
}

/* ---- worlds ---- */

static void an_empty_world_answers(void **state)
{
    (void)state;
    willow_pairs pairs;
    willow_first_pair first;
    willow_world *world = fixture_world(NULL);
    assert_string_equal(willow_world_message(world), "");
    assert_true(willow_world_kernel(world) != WILLOW_KERNEL_AUTO);
    assert_int_equal(willow_world_copy_bodies(world, NULL, 0), 0);
    willow_scratch *scratch = fixture_scratch(world);
    for (int i = 0; i < 2; i++) {
        assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
        assert_int_equal(pairs.count + pairs.run_count, 0);
        assert_true(pairs.complete && pairs.nothing_asked);
        assert_ok(willow_find_first_pair(world, scratch, NULL, &first));
        assert_true(!first.found && first.nothing_asked);
        assert_ok(willow_world_update(world, 1.0, NULL));
    }
    assert_true(willow_world_validate(world, NULL, 0));
    willow_scratch_destroy(scratch);
    fixture_close(world, NULL);
    willow_world_destroy(NULL);
}

/* ---- handles ---- */

static void ids_are_reused_with_another_generation(void **state)
{
    (void)state;
    small_world s;
    willow_body_id ids[8], again;
    open_world(&s);
    willow_body_def def = tetrahedron_def(tetrahedron);
    assert_ok(willow_body_destroy(s.world, s.a));
    assert_int_equal(willow_world_copy_bodies(s.world, ids, 8), 1);
    again = fixture_body(s.world, &def);
    assert_int_equal(again.index1, s.a.index1);
    assert_int_equal(again.world, s.a.world);
    assert_true(again.generation != s.a.generation);
    assert_false(willow_body_is_alive(s.world, s.a));
    assert_true(willow_body_is_alive(s.world, again));
    update(&s);
    assert_true(count_pairs(&s) > 0);

    /* Lists are in the order of the ids, whatever the order of creation. */
    assert_int_equal(willow_world_copy_bodies(s.world, ids, 8), 2);
    assert_memory_equal(&ids[0], &again, sizeof again);
    assert_memory_equal(&ids[1], &s.b, sizeof s.b);
    memset(ids, 0, sizeof ids);
    assert_int_equal(willow_world_copy_bodies(s.world, ids, 1), 2);
    assert_memory_equal(&ids[0], &again, sizeof again);
    assert_int_equal(ids[1].index1, 0);
    close_world(&s);
}

static void an_old_id_never_comes_alive_again(void **state)
{
    (void)state;
    small_world s;
    open_world(&s);
    willow_body_def empty = willow_body_def_default();
    willow_body_id first, id;
    first = fixture_body(s.world, &empty);
    assert_ok(willow_body_destroy(s.world, first));
    for (int i = 0; i < 40000; i++) {
        id = fixture_body(s.world, &empty);
        if (willow_body_is_alive(s.world, first)) fail_msg("alive again after %d bodies", i);
        assert_ok(willow_body_destroy(s.world, id));
    }
    update(&s);
    assert_true(willow_world_validate(s.world, NULL, 0));
    close_world(&s);
}

/* ---- stale ---- */

static void every_change_makes_the_world_stale_until_an_update(void **state)
{
    (void)state;
    small_world s;
    willow_body_id id, borrower;
    willow_body_stats stats;
    willow_tree_def tree = willow_tree_def_default();
    open_world(&s);
    assert_false(is_stale(&s));

    assert_ok(willow_body_set_vertices(s.world, s.a, 0, 4, s.moved, 0));
    assert_true(is_stale(&s));
    assert_string_equal(willow_scratch_message(s.scratch),
                        "the world was changed: call willow_world_update first");
    assert_int_equal(willow_body_get_stats(s.world, s.a, &stats), WILLOW_STALE);
    assert_ok(willow_body_get_stats(s.world, s.b, &stats));
    update(&s);
    assert_false(is_stale(&s));

    assert_ok(willow_body_set_vertices(s.world, s.a, 2, 1, s.moved, 0));
    assert_true(is_stale(&s));
    update(&s);
    assert_ok(willow_body_set_tree(s.world, s.a, &tree));
    assert_true(is_stale(&s));
    update(&s);

    willow_body_def def = tetrahedron_def(s.moved);
    def.mesh.borrow = true;
    borrower = fixture_body(s.world, &def);
    assert_true(is_stale(&s));
    update(&s);
    assert_ok(willow_body_begin_vertices(s.world, borrower));
    assert_true(is_stale(&s));
    update(&s);
    assert_false(is_stale(&s));

    def = willow_body_def_default();
    id = fixture_body(s.world, &def);
    assert_true(is_stale(&s));
    update(&s);
    assert_ok(willow_body_destroy(s.world, id));
    assert_true(is_stale(&s));
    update(&s);
    assert_false(is_stale(&s));
    close_world(&s);
}

static void changes_are_seen_after_the_update_and_not_before(void **state)
{
    (void)state;
    static const float far[4][3] = {{9, 9, 9}, {10, 9, 9}, {9, 10, 9}, {9, 9, 10}};
    for (willow_method method = WILLOW_METHOD_AUTO; method < WILLOW_METHOD_COUNT; method++) {
        small_world s;
        willow_body_info info;
        willow_vec3 vertex;
        willow_tree_def tree = willow_tree_def_default();
        tree.method = method;
        open_world(&s);
        assert_ok(willow_body_set_tree(s.world, s.a, &tree));
        update(&s);
        assert_true(count_pairs(&s) > 0);
        assert_ok(willow_body_set_vertices(s.world, s.a, 0, 4, far, 0));
        assert_ok(willow_body_get_info(s.world, s.a, &info));
        assert_true(info.box.upper.x == 1.0F); /* as of the last update */
        assert_ok(willow_body_copy_vertices(s.world, s.a, 1, 1, &vertex));
        assert_true(vertex.x == 10.0F);
        update(&s);
        assert_ok(willow_body_get_info(s.world, s.a, &info));
        assert_true(info.box.lower.x == 9.0F && info.box.upper.x == 10.0F);
        assert_int_equal(count_pairs(&s), 0);
        close_world(&s);
    }
}

/* ---- setters ---- */

static void borrowed_arrays_are_written_not_set(void **state)
{
    (void)state;
    small_world s;
    open_world(&s);
    float positions[4][3];
    willow_body_id id, empty;
    willow_body_info info;
    willow_vec3 vertex;
    memcpy(positions, s.moved, sizeof positions);
    willow_body_def def = tetrahedron_def(positions);
    def.mesh.borrow = true;
    id = fixture_body(s.world, &def);
    def = willow_body_def_default();
    def.mesh.borrow = true;
    empty = fixture_body(s.world, &def);
    update(&s);
    uint64_t hash = willow_world_hash(s.world);
    size_t before = count_pairs(&s);
    expect_failure(&s, willow_body_set_vertices(s.world, id, 0, 4, s.moved, 0), WILLOW_BAD_ARGUMENT,
                   "the body borrows its vertices: write there, after begin_vertices", hash);
    expect_failure(&s, willow_body_begin_vertices(s.world, s.a), WILLOW_BAD_ARGUMENT,
                   "the body does not borrow its vertices: use set_vertices", hash);

    assert_ok(willow_body_get_info(s.world, id, &info));
    assert_true(info.borrows);
    assert_ok(willow_body_begin_vertices(s.world, id));
    for (int i = 0; i < 4; i++) positions[i][0] += 100.0F;
    update(&s);
    assert_ok(willow_body_copy_vertices(s.world, id, 0, 1, &vertex));
    assert_true(vertex.x == positions[0][0]);
    assert_true(count_pairs(&s) < before);
    assert_true(willow_world_hash(s.world) != hash);

    /* An empty body that was made to borrow does. */
    assert_ok(willow_body_get_info(s.world, empty, &info));
    assert_true(info.borrows);
    assert_ok(willow_body_begin_vertices(s.world, empty));
    update(&s);
    close_world(&s);
}

static void trees_may_be_changed_at_any_time(void **state)
{
    (void)state;
    small_world s;
    willow_body_info info;
    willow_body_stats stats;
    open_world(&s);
    size_t pairs = count_pairs(&s);
    for (int i = 0; i < 60; i++) {
        willow_tree_def tree = willow_tree_def_default();
        tree.method = (willow_method)(i * 7 % WILLOW_METHOD_COUNT);
        tree.arity = 2U << i % 3;
        tree.leaf_triangles = (uint32_t)i % 33;
        tree.hybrid_level = (uint32_t)i % 4;
        assert_ok(willow_body_set_tree(s.world, i % 2 == 0 ? s.a : s.b, &tree));
        if (i % 5 == 0) continue; /* two changes in one update */
        update(&s);
        assert_int_equal(count_pairs(&s), pairs);
        assert_true(willow_world_validate(s.world, NULL, 0));
    }
    willow_tree_def tree = willow_tree_def_default();
    assert_ok(willow_body_set_tree(s.world, s.a, &tree));
    update(&s);
    assert_ok(willow_body_get_info(s.world, s.a, &info));
    assert_true(info.tree.method == WILLOW_METHOD_AUTO && info.tree.build != WILLOW_BUILD_AUTO &&
                info.tree.leaf_triangles > 0 && info.tree.arity == 8);
    assert_ok(willow_body_get_stats(s.world, s.a, &stats));
    assert_true(stats.builds > 1 && stats.node_count == 1 && stats.height == 1);
    close_world(&s);
}

/* ---- reading ---- */

static void vertices_are_copied_out_as_they_were_given(void **state)
{
    (void)state;
    small_world s;
    willow_vec3 out[4] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {7, 7, 7}};
    open_world(&s);
    assert_ok(willow_body_copy_vertices(s.world, s.b, 1, 3, out));
    assert_memory_equal(out, s.moved[1], 3 * sizeof s.moved[1]);
    assert_true(out[3].x == 7.0F);
    assert_ok(willow_body_copy_vertices(s.world, s.b, 0, 4, out));
    assert_memory_equal(out, s.moved, sizeof s.moved);
    assert_ok(willow_body_copy_vertices(s.world, s.b, 4, 0, NULL));
    assert_int_equal(willow_body_copy_vertices(s.world, s.b, 4, 1, out), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_body_copy_vertices(s.world, s.b, 2, UINT32_MAX, out),
                     WILLOW_BAD_ARGUMENT);
    close_world(&s);
}

static void infos_say_what_was_given(void **state)
{
    (void)state;
    small_world s;
    willow_body_info info;
    open_world(&s);
    willow_body_def def = tetrahedron_def(tetrahedron);
    def.category_bits = 5;
    def.mask_bits = 6;
    def.user_data = UINT64_C(0x123456789ABCDEF0);
    def.self = true;
    willow_body_id id = fixture_body(s.world, &def);
    update(&s);
    assert_ok(willow_body_get_info(s.world, id, &info));
    assert_int_equal(info.vertex_count, 4);
    assert_int_equal(info.triangle_count, 4);
    assert_true(info.category_bits == 5 && info.mask_bits == 6 && info.self && !info.borrows);
    assert_true(info.user_data == def.user_data);
    def = willow_body_def_default();
    id = fixture_body(s.world, &def);
    update(&s);
    assert_ok(willow_body_get_info(s.world, id, &info));
    assert_true(info.box.lower.x > info.box.upper.x);
    close_world(&s);
}

static void reports_count_what_an_update_did(void **state)
{
    (void)state;
    small_world s;
    willow_update_report report;
    willow_tree_def tree = willow_tree_def_default();
    open_world(&s);
    tree.method = WILLOW_METHOD_BOTTOM_UP;
    assert_ok(willow_body_set_tree(s.world, s.a, &tree));
    assert_ok(willow_body_set_tree(s.world, s.b, &tree));
    update(&s);
    assert_ok(willow_world_update(s.world, 1.0, &report));
    assert_int_equal(report.bodies_updated + report.bodies_built + report.nodes_updated, 0);
    assert_ok(willow_body_set_vertices(s.world, s.a, 0, 4, s.moved, 0));
    assert_ok(willow_world_update(s.world, 1.0, &report));
    assert_int_equal(report.bodies_updated, 1);
    assert_int_equal(report.bodies_built, 0);
    assert_int_equal(report.nodes_updated, 1);
    tree.method = WILLOW_METHOD_REBUILD;
    tree.leaf_triangles = 1;
    tree.arity = 2;
    assert_ok(willow_body_set_tree(s.world, s.a, &tree));
    assert_ok(willow_body_set_vertices(s.world, s.b, 1, 1, s.moved, 0));
    assert_ok(willow_world_update(s.world, 1.0, &report));
    assert_int_equal(report.bodies_updated, 2);
    assert_int_equal(report.bodies_built, 1);
    assert_int_equal(report.nodes_updated, 3 + 1);
    assert_ok(willow_body_set_vertices(s.world, s.a, 1, 1, s.moved, 0));
    assert_ok(willow_world_update(s.world, 1.0, &report));
    assert_int_equal(report.bodies_built, 1); /* REBUILD, every time */
    close_world(&s);
}

static void a_time_that_is_no_number_leaves_the_world_stale(void **state)
{
    (void)state;
    small_world s;
    open_world(&s);
    assert_ok(willow_body_set_vertices(s.world, s.a, 0, 4, s.moved, 0));
    assert_int_equal(willow_world_update(s.world, (double)NAN, NULL), WILLOW_BAD_ARGUMENT);
    assert_true(is_stale(&s));
    assert_ok(willow_world_update(s.world, -1e300, NULL)); /* time may go back */
    assert_false(is_stale(&s));
    close_world(&s);
}

/* ---- hashes and memory ---- */

static void the_hash_is_made_of_what_users_gave(void **state)
{
    (void)state;
    small_world s, twin;
    open_world(&s);
    open_world(&twin);
    uint64_t hash = willow_world_hash(s.world);
    assert_true(willow_world_hash(twin.world) == hash); /* and not of which world it is */
    willow_tree_def tree = willow_tree_def_default();
    tree.leaf_triangles = 3;
    assert_ok(willow_body_set_tree(s.world, s.a, &tree));
    uint64_t with_tree = willow_world_hash(s.world);
    assert_true(with_tree != hash);
    update(&s);
    assert_true(willow_world_hash(s.world) == with_tree); /* an update adds nothing but a time */
    (void)count_pairs(&s);
    assert_true(willow_world_hash(s.world) == with_tree);
    tree = willow_tree_def_default();
    assert_ok(willow_body_set_tree(s.world, s.a, &tree));
    update(&s);
    assert_true(willow_world_hash(s.world) == hash);

    assert_ok(willow_world_update(s.world, 0.5, NULL));
    assert_true(willow_world_hash(s.world) != hash);
    update(&s);
    for (uint32_t vertex = 0; vertex < 4; vertex++)
        for (int axis = 0; axis < 3; axis++) {
            float moved[3];
            memcpy(moved, tetrahedron[vertex], sizeof moved);
            moved[axis] = nextafterf(moved[axis], 2.0F);
            assert_ok(willow_body_set_vertices(s.world, s.a, vertex, 1, moved, 0));
            assert_true(willow_world_hash(s.world) != hash);
            assert_ok(willow_body_set_vertices(s.world, s.a, vertex, 1, tetrahedron[vertex], 0));
            assert_true(willow_world_hash(s.world) == hash);
        }
    update(&s);
    close_world(&s);
    close_world(&twin);
}

static void every_option_of_a_body_is_in_the_hash(void **state)
{
    (void)state;
    enum { OPTIONS = 21 };
    uint64_t hashes[OPTIONS];
    for (int i = 0; i < OPTIONS; i++) {
        static const uint16_t groups[4] = {1, 1, 0, 1};
        static const uint64_t masks[][3] = {{0, 2, 0}, {0, 0, 0}, {0, 4, 2}};
        small_world s;
        willow_body_def def = tetrahedron_def(tetrahedron);
        if (i == 1) def.category_bits = 2;
        if (i == 2) def.mask_bits = 2;
        if (i == 3) def.self = true;
        if (i == 4) def.user_data = 1;
        if (i == 5) def.mesh.triangle_count = 3;
        if (i == 6) def.mesh.triangle_groups = groups;
        if (i == 7) def.tree.method = WILLOW_METHOD_BRUTE;
        if (i == 8) def.tree.arity = 2;
        if (i == 9) def.tree.build = WILLOW_BUILD_SAH;
        if (i == 10) def.tree.leaf_triangles = 5;
        if (i == 11) def.pose.translation.y = 1.0F;
        if (i == 12) def.pose.rotation.x = 0.5F;
        if (i == 13) def.pose.rotation.w = 2.0F; /* as given, though it turns nothing */
        if (i == 14) def.tree.hybrid_level = 1;  /* likewise */
        if (i == 15) def.tree.margin = 0.5F;
        if (i == 16) def.tree.rebuild_ratio = 1.5F;
        if (i >= 17) def.mesh.triangle_groups = groups;
        if (i >= 17) def.mesh.group_masks = masks[i < 20 ? i - 17 : 0];
        if (i >= 17) def.mesh.group_count = i < 20 ? 3 : 2; /* a row more, though it is empty */
        open_world(&s);
        (void)fixture_body(s.world, &def);
        hashes[i] = willow_world_hash(s.world);
        for (int k = 0; k < i; k++)
            if (hashes[i] == hashes[k]) fail_msg("bodies %d and %d have equal hashes", i, k);
        close_world(&s);
    }
}

static void all_memory_comes_from_the_allocator_and_goes_back(void **state)
{
    (void)state;
    small_world s;
    willow_body_id ids[20];
    open_world(&s);
    size_t before = willow_world_bytes(s.world);
    assert_int_equal(before, atomic_load(&s.allocator.bytes));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 20; i++) {
            willow_body_def def = tetrahedron_def(tetrahedron);
            def.tree.method = (willow_method)(i % WILLOW_METHOD_COUNT);
            def.mesh.weld_exact = i % 3 == 0;
            ids[i] = fixture_body(s.world, &def);
            assert_int_equal(willow_world_bytes(s.world), atomic_load(&s.allocator.bytes));
        }
        update(&s);
        assert_true(count_pairs(&s) > 0);
        assert_int_equal(willow_world_bytes(s.world), atomic_load(&s.allocator.bytes));
        assert_true(willow_world_bytes(s.world) > before);
        for (int i = 0; i < 20; i++) assert_ok(willow_body_destroy(s.world, ids[i]));
        update(&s);
    }
    close_world(&s);
}

/* ---- validation ---- */

static void expect_broken(const small_world *s, const char *invariant)
{
    char reason[120] = "", cut[4] = "...";
    assert_false(willow_world_validate(s->world, reason, sizeof reason));
    if (strncmp(reason, invariant, strlen(invariant)) != 0)
        fail_msg("%s is broken, and \"%s\" is found", invariant, reason);
    assert_false(willow_world_validate(s->world, cut, sizeof cut)); /* as much as fits */
    assert_memory_equal(cut, invariant, 2);
    assert_false(willow_world_validate(s->world, NULL, 0));
}

static void validation_names_what_is_broken(void **state)
{
    (void)state;
    small_world s;
    char reason[120] = "untouched";
    open_world(&s);
    wi_body *body = s.world->bodies.items[1];
    assert_true(wi_body_make_whole(s.world, body)); /* so that there is a tree to spoil */
    wi_node *view = &body->geometry->tree.boxes.nodes[0];
    assert_true(willow_world_validate(s.world, reason, sizeof reason));
    assert_string_equal(reason, "untouched");

    uint32_t vertex = body->geometry->mesh.tris[2][1];
    body->geometry->mesh.tris[2][1] = 4;
    expect_broken(&s, "M1");
    body->geometry->mesh.tris[2][1] = vertex == 0 ? 1 : 0;
    expect_broken(&s, "I5");
    body->geometry->mesh.tris[2][1] = vertex;

    float kept = view->upper[0][0];
    view->upper[0][0] = kept - 1e-3F;
    expect_broken(&s, "I6");
    view->upper[0][0] = kept;
    atomic_fetch_add(&view->stamp, 1);
    expect_broken(&s, "I7");
    atomic_fetch_sub(&view->stamp, 1);
    view->lower[0][7] = view->lower[1][7] = view->lower[2][7] = -1.0F;
    view->upper[0][7] = view->upper[1][7] = view->upper[2][7] = 1.0F;
    expect_broken(&s, "I8");
    for (int axis = 0; axis < 3; axis++) {
        view->lower[axis][7] = INFINITY;
        view->upper[axis][7] = -INFINITY;
    }
    body->geometry->tree.shape->leaves[0].tri_count--;
    assert_false(willow_world_validate(s.world, NULL, 0));
    body->geometry->tree.shape->leaves[0].tri_count++;

    wi_point *position = &body->geometry->mesh.positions[0];
    float x = position->axis[0];
    position->axis[0] = NAN;
    expect_broken(&s, "M5");
    position->axis[0] = x;

    body->shown.id.generation++;
    expect_broken(&s, "W1");
    body->shown.id.generation--;
    s.world->targets.count--;
    expect_broken(&s, "W3");
    s.world->targets.count++;
    body->state = WI_BODY_DIRTY;
    expect_broken(&s, "W4");
    body->state = WI_BODY_CURRENT;
    assert_true(willow_world_validate(s.world, NULL, 0));
    close_world(&s);
}

/* A light body, too: there the second is W7. */
static void validation_names_settings_that_are_refused(void **state)
{
    (void)state;
    for (int is_whole = 0; is_whole < 2; is_whole++) {
        small_world s;
        open_world(&s);
        wi_body *body = s.world->bodies.items[1];
        assert_int_equal(wi_body_is_light(body), 1);
        if (is_whole) assert_true(wi_body_make_whole(s.world, body));
        const float thickness = body->shown.thickness;
        body->shown.thickness = NAN;
        expect_broken(&s, "W8");
        body->shown.thickness = thickness;
        body->shown.self = true;
        expect_broken(&s, is_whole ? "W8" : "W7");
        body->shown.self = false;
        assert_true(willow_world_validate(s.world, NULL, 0));
        close_world(&s);
    }
}

static void validation_names_bodies_that_queries_see_elsewhere(void **state)
{
    (void)state;
    small_world s;
    open_world(&s);
    wi_query_body *target = &s.world->targets.items[1];
    const wi_query_body kept = *target;
    target->bounds.upper[1] += 1.0F;
    expect_broken(&s, "W3");
    *target = kept;
    target->shown = s.world->targets.items[0].shown;
    expect_broken(&s, "W3");
    *target = kept;
    assert_true(willow_world_validate(s.world, NULL, 0));
    close_world(&s);
}

/* The same of a tree that is bounded when it is opened: the root above the cut, all else below. */
static void validation_names_what_is_broken_in_a_lazy_tree(void **state)
{
    (void)state;
    small_world s;
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_HYBRID;
    tree.hybrid_level = 1;
    tree.arity = 2;
    tree.leaf_triangles = 1;
    open_world(&s);
    assert_ok(willow_body_set_tree(s.world, s.b, &tree));
    update(&s);
    wi_tree *h = &s.world->bodies.items[1]->geometry->tree;
    wi_node *root = &h->boxes.nodes[0], *child = &h->boxes.nodes[1];
    wi_openings count = {0};
    assert_int_equal(h->shape->node_count, 3);

    /* Fresh: all is open. Moved: nothing is. Then somebody opens the root. */
    assert_true(wi_is_open(h, 0) && wi_is_open(h, 1) && wi_is_open(h, 2));
    assert_true(willow_world_validate(s.world, NULL, 0));
    assert_ok(willow_body_set_vertices(s.world, s.b, 0, 4, s.moved, 0));
    update(&s);
    assert_true(!wi_is_open(h, 0) && !wi_is_open(h, 1) && !wi_is_open(h, 2));
    assert_true(willow_world_validate(s.world, NULL, 0));
    (void)wi_open(h, 0, &count);
    assert_int_equal(count.refreshed, 1);
    assert_true(wi_is_open(h, 0) && !wi_is_open(h, 1) && !wi_is_open(h, 2));
    assert_true(willow_world_validate(s.world, NULL, 0));

    /* Closed boxes may be anything, but no thread is about to compute them. */
    child->lower[0][0] = 100.0F;
    assert_true(willow_world_validate(s.world, NULL, 0));
    atomic_store(&child->stamp, WI_STAMP_CLAIMED);
    expect_broken(&s, "I7");
    atomic_store(&child->stamp, h->boxes.revision + 1);
    expect_broken(&s, "I7");
    atomic_store(&child->stamp, h->boxes.revision); /* open, though it was not computed */
    expect_broken(&s, "I6");
    atomic_store(&child->stamp, WI_STAMP_NONE);
    assert_true(willow_world_validate(s.world, NULL, 0));

    float kept = root->upper[1][0];
    root->upper[1][0] = kept - 1e-3F;
    expect_broken(&s, "I6");
    root->upper[1][0] = kept;
    kept_patches(h)->below[2].first_place++;
    expect_broken(&s, "I10: runs of places");
    kept_patches(h)->below[2].first_place--;
    kept_patches(h)->vertex_at[0]++;
    expect_broken(&s, "I10: a place has another vertex");
    kept_patches(h)->vertex_at[0]--;
    kept_patches(h)->above_count--;
    expect_broken(&s, "I10: other nodes are above");
    kept_patches(h)->above_count++;
    h->shape->border_count++;
    expect_broken(&s, "I2");
    h->shape->border_count--;
    wi_refresh *refresh = h->boxes.refresh;
    h->boxes.refresh = NULL; /* nobody would compute what is closed */
    expect_broken(&s, "I7");
    h->boxes.refresh = refresh;
    assert_true(willow_world_validate(s.world, NULL, 0));
    assert_true(count_pairs(&s) > 0);
    assert_true(willow_world_validate(s.world, NULL, 0));
    close_world(&s);
}

static void topology_counts_edges_and_pieces(void **state)
{
    (void)state;
    small_world s;
    willow_body_topology t;
    open_world(&s);
    assert_ok(willow_body_get_topology(s.world, s.a, &t));
    assert_true(t.edges == 6 && t.border_edges == 0 && t.crowded_edges == 0 && t.pieces == 1 &&
                t.loose_vertices == 0);

    /* One face less: a border of three. */
    willow_body_def def = tetrahedron_def(tetrahedron);
    def.mesh.triangle_count = 3;
    willow_body_id id = fixture_body(s.world, &def);
    assert_ok(willow_body_get_topology(s.world, id, &t));
    assert_true(t.edges == 6 && t.border_edges == 3 && t.crowded_edges == 0 && t.pieces == 1);

    /* Four faces at one edge, and one piece apart that uses none of its vertices. */
    static const uint32_t fan[5][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {4, 0, 1}, {6, 7, 8}};
    float many[10][3] = {{0}};
    def.mesh.positions = many;
    def.mesh.vertex_count = 10;
    def.mesh.indices = fan;
    def.mesh.triangle_count = 5;
    id = fixture_body(s.world, &def);
    assert_ok(willow_body_get_topology(s.world, id, &t));
    assert_true(t.crowded_edges == 1 && t.pieces == 2 && t.loose_vertices == 2);
    assert_int_equal(t.edges, 1 + 6 + 3);
    assert_int_equal(t.border_edges, 4 + 3);

    def = willow_body_def_default();
    id = fixture_body(s.world, &def);
    assert_ok(willow_body_get_topology(s.world, id, &t));
    assert_true(t.edges == 0 && t.pieces == 0 && t.loose_vertices == 0);
    update(&s);
    close_world(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(an_empty_world_answers),
    cmocka_unit_test(ids_are_reused_with_another_generation),
    cmocka_unit_test(an_old_id_never_comes_alive_again),
    cmocka_unit_test(every_change_makes_the_world_stale_until_an_update),
    cmocka_unit_test(changes_are_seen_after_the_update_and_not_before),
    cmocka_unit_test(borrowed_arrays_are_written_not_set),
    cmocka_unit_test(trees_may_be_changed_at_any_time),
    cmocka_unit_test(vertices_are_copied_out_as_they_were_given),
    cmocka_unit_test(infos_say_what_was_given),
    cmocka_unit_test(reports_count_what_an_update_did),
    cmocka_unit_test(a_time_that_is_no_number_leaves_the_world_stale),
    cmocka_unit_test(the_hash_is_made_of_what_users_gave),
    cmocka_unit_test(every_option_of_a_body_is_in_the_hash),
    cmocka_unit_test(all_memory_comes_from_the_allocator_and_goes_back),
    cmocka_unit_test(validation_names_what_is_broken),
    cmocka_unit_test(validation_names_settings_that_are_refused),
    cmocka_unit_test(validation_names_bodies_that_queries_see_elsewhere),
    cmocka_unit_test(validation_names_what_is_broken_in_a_lazy_tree),
    cmocka_unit_test(topology_counts_edges_and_pieces),
};

TEST_GROUP(world, tests);
