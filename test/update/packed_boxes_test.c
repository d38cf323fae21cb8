/* Narrow trees that are refitted keep boxes side by side: those are the boxes of a tree that is
 * refitted view by view, a view is filled when it is opened and not before, and what moves in
 * parts, on plans or on trial is right too, with any memory (C6). */
#include <math.h>
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/tight_boxes.h"
#include "world/world.h"

static const struct {
    uint32_t arity, leaf_triangles;
} shapes[] = {{2, 1}, {2, 3}, {4, 1}, {4, 2}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const willow_kernel kernels[] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AVX2};

typedef struct site {
    scene *scene;
    float *positions; /* of the body, as last set */
    uint32_t vertex_count;
    willow_world *world;
    willow_body_id body;
    willow_result result; /* of opening it */
} site;

static willow_tree_def tree_with(uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_BOTTOM_UP;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

static scene *create_scene(const char *spec)
{
    char error[200];
    scene *s = scene_create(spec, error, sizeof error);
    if (s == NULL) fail_msg("%s", error);
    return s;
}

/* The first body of the scene, in a world of its own. */
static site open_with(scene *of, const willow_world_def *def, const willow_tree_def *tree,
                      bool borrow)
{
    site s = {.scene = of, .vertex_count = of->bodies[0].vertex_count};
    s.positions = malloc(3 * sizeof(float) * s.vertex_count);
    assert_non_null(s.positions);
    scene_positions(of, 0, 0, s.positions);
    s.result = willow_world_create(def, &s.world);
    if (s.result != WILLOW_OK) return s;
    willow_body_def body = willow_body_def_default();
    body.mesh = (willow_mesh_def){.positions = s.positions,
                                  .vertex_count = s.vertex_count,
                                  .indices = of->bodies[0].indices,
                                  .triangle_count = of->bodies[0].triangle_count,
                                  .borrow = borrow};
    body.tree = *tree;
    s.result = willow_body_create(s.world, &body, &s.body);
    return s;
}

static site open_site(scene *of, willow_kernel kernel, const willow_tree_def *tree, bool borrow)
{
    willow_world_def def = willow_world_def_default();
    def.kernel = kernel;
    site s = open_with(of, &def, tree, borrow);
    assert_ok(s.result);
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    return s;
}

static void close_site(site *s)
{
    willow_world_destroy(s->world);
    free(s->positions);
}

static bool has_kernel(willow_kernel kernel)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    def.kernel = kernel;
    const bool has = willow_world_create(&def, &world) == WILLOW_OK;
    willow_world_destroy(world);
    return has;
}

static wi_tree *tree_of(const site *s) { return &s->world->bodies.items[0]->geometry->tree; }

static willow_result set_frame(site *s, uint32_t frame)
{
    scene_positions(s->scene, frame, 0, s->positions);
    return willow_body_set_vertices(s->world, s->body, 0, s->vertex_count, s->positions, 0);
}

static willow_update_report update(site *s)
{
    willow_update_report report;
    assert_ok(willow_world_update(s->world, 0.0, &report));
    assert_true(willow_world_validate(s->world, NULL, 0));
    return report;
}

static void open_all(const wi_tree *h)
{
    wi_openings count = {0};
    for (uint32_t node = 0; node < h->shape->node_count; node++) (void)wi_open(h, node, &count);
}

/* Opened or not, nothing is too small and nothing wider than it must be. */
static box_count expect_tight(const wi_tree *h)
{
    const box_count count = count_boxes(h);
    assert_int_equal(count.too_small, 0);
    assert_int_equal(count.wider, 0);
    return count;
}

/* ---- which trees ---- */

static bool is_compact(scene *of, const willow_tree_def *tree, bool borrow)
{
    site s = open_site(of, WILLOW_KERNEL_AUTO, tree, borrow);
    const bool is = kept_packed(tree_of(&s))->boxes != NULL;
    close_site(&s);
    return is;
}

static void only_narrow_trees_over_places_are_kept_so(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=320");
    willow_tree_def tree = tree_with(2, 1);
    assert_true(is_compact(of, &tree, false));
    assert_false(is_compact(of, &tree, true));
    tree.margin = 0.01F;
    assert_false(is_compact(of, &tree, false));
    tree = tree_with(8, 1);
    assert_false(is_compact(of, &tree, false));
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        tree = tree_with(2, 1);
        tree.method = method;
        const bool is_refitted = method == WILLOW_METHOD_BOTTOM_UP ||
                                 method == WILLOW_METHOD_KINETIC_AABB; /* without a plan */
        assert_int_equal(is_compact(of, &tree, false), is_refitted);
    }
    scene_destroy(of);
}

/* ---- moving all ---- */

/* A twin of the tree's views, refitted as those of wide trees are. */
static void expect_views_of_a_refit(const wi_tree *h)
{
    const wi_refit_kernels *refit = wi_refit_kernels_for(WILLOW_KERNEL_SCALAR);
    const willow_tasks tasks = wi_serial_tasks();
    wi_tree twin = *h;
    wi_openings count = {0};
    twin.boxes.nodes = aligned_alloc(64, h->shape->node_count * sizeof *twin.boxes.nodes);
    assert_non_null(twin.boxes.nodes);
    memcpy(twin.boxes.nodes, h->boxes.nodes, h->shape->node_count * sizeof *twin.boxes.nodes);
    wi_refit_leaves(refit, &tasks, &twin);
    refit->merge(&twin, h->boxes.revision);
    assert_true(boxes_equal(&h->boxes.bounds, &twin.boxes.bounds));
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = wi_open(h, node, &count);
        for (unsigned lane = 0; lane < WI_LANES; lane++) {
            const wi_box own = wi_node_box(view, lane);
            const wi_box other = wi_node_box(&twin.boxes.nodes[node], lane);
            assert_true(boxes_equal(&own, &other));
        }
    }
    free(twin.boxes.nodes);
}

static void move_and_look(site *s, uint32_t frame)
{
    const wi_tree *h = tree_of(s);
    assert_ok(set_frame(s, frame));
    assert_int_equal(update(s).nodes_updated, h->shape->node_count);
    assert_int_equal(expect_tight(h).closed, h->shape->node_count);

    wi_openings count = {0};
    (void)wi_open(h, 0, &count);
    assert_int_equal(count.refreshed, 1);
    assert_int_equal(expect_tight(h).closed, h->shape->node_count - 1);
    expect_views_of_a_refit(h);
    assert_int_equal(expect_tight(h).closed, 0);
    assert_true(willow_world_validate(s->world, NULL, 0));
}

static void boxes_are_those_of_a_refit(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=1280");
    for (int i = 0; i < SHAPES; i++)
        for (int k = 0; k < 2 && has_kernel(kernels[k]); k++) {
            const willow_tree_def tree = tree_with(shapes[i].arity, shapes[i].leaf_triangles);
            site s = open_site(of, kernels[k], &tree, false);
            for (uint32_t frame = 1; frame < 7; frame++) move_and_look(&s, 20 * frame);
            close_site(&s);
        }
    scene_destroy(of);
}

/* One triangle, whose root has one child, up to a few: every shape that small nodes have. */
static void small_trees_are_bounded_too(void **state)
{
    (void)state;
    enum { MOST = 12 };
    float at[3 * MOST][3];
    uint32_t tris[MOST][3];
    for (uint32_t i = 0; i < 3 * MOST; i++) tris[i / 3][i % 3] = i;
    for (uint32_t n = 1; n <= MOST; n++)
        for (int i = 0; i < SHAPES; i++) {
            uint64_t random = n;
            willow_world_def def = willow_world_def_default();
            willow_body_def body = willow_body_def_default();
            site s = {0};
            for (uint32_t k = 0; k < 9 * n; k++)
                at[k / 3][k % 3] = (float)test_random_between(&random, -1.0, 1.0);
            body.mesh = FIXTURE_MESH(at, 3 * n, tris, n);
            body.tree = tree_with(shapes[i].arity, shapes[i].leaf_triangles);
            s.world = fixture_world(&def);
            s.body = fixture_body(s.world, &body);
            update(&s);
            at[0][0] += 3.0F;
            assert_ok(willow_body_set_vertices(s.world, s.body, 0, 3 * n, at, 0));
            update(&s);
            expect_views_of_a_refit(tree_of(&s));
            close_site(&s);
        }
}

static void refused_positions_leave_no_trace(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=320");
    const willow_tree_def tree = tree_with(2, 1);
    site s = open_site(of, WILLOW_KERNEL_AUTO, &tree, false);
    for (uint32_t vertex = 0; vertex < s.vertex_count; vertex++) {
        scene_positions(of, 30, 0, s.positions);
        s.positions[3 * vertex + vertex % 3] = vertex % 2 == 0 ? NAN : INFINITY;
        assert_int_equal(
            willow_body_set_vertices(s.world, s.body, 0, s.vertex_count, s.positions, 0),
            WILLOW_BAD_MESH);
    }
    assert_int_equal(expect_tight(tree_of(&s)).closed, tree_of(&s)->shape->node_count);
    assert_true(willow_world_validate(s.world, NULL, 0));
    close_site(&s);
    scene_destroy(of);
}

/* ---- moving some, plans, and trial steps ---- */

static void move_vertex(site *s, uint32_t vertex, float by)
{
    float *at = s->positions + 3 * (size_t)vertex;
    at[vertex % 3] += by;
    assert_ok(willow_body_set_vertices(s->world, s->body, vertex, 1, at, 0));
}

/* Views that are open stay open, with true boxes, and closed ones stay closed. */
static void a_moved_vertex_costs_the_ways_to_the_root(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=1280");
    for (int i = 0; i < SHAPES; i++) {
        const willow_tree_def tree = tree_with(shapes[i].arity, shapes[i].leaf_triangles);
        site s = open_site(of, WILLOW_KERNEL_AUTO, &tree, false);
        const wi_tree *h = tree_of(&s);
        for (uint32_t round = 0; round < 2; round++) {
            assert_ok(set_frame(&s, 10 + round));
            update(&s);
            if (round == 1) open_all(h);
            const size_t closed = expect_tight(h).closed;
            assert_int_equal(closed, round == 1 ? 0 : h->shape->node_count);
            for (uint32_t vertex = 0; vertex < s.vertex_count; vertex += 37) {
                move_vertex(&s, vertex, vertex % 2 == 0 ? 0.75F : -0.01F);
                const size_t updated = update(&s).nodes_updated;
                assert_true(updated >= 1 && updated <= 9 * (size_t)h->shape->height);
                assert_int_equal(expect_tight(h).closed, closed);
            }
        }
        close_site(&s);
    }
    scene_destroy(of);
}

static void plans_are_followed(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=320");
    const willow_tree_def tree = tree_with(2, 1);
    site s = open_site(of, WILLOW_KERNEL_AUTO, &tree, false);
    const uint32_t count = s.vertex_count;
    float *keys = malloc(6 * sizeof(float) * count);
    const double times[] = {0.0, 1.0};
    scene_positions(of, 0, 0, keys);
    scene_positions(of, 100, 0, keys + 3 * (size_t)count);
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = 2;
    assert_ok(willow_body_set_flightplan(s.world, s.body, &plan));
    for (int i = 1; i < 12; i++) {
        assert_ok(willow_world_update(s.world, i / 12.0, NULL));
        assert_true(willow_world_validate(s.world, NULL, 0));
        expect_views_of_a_refit(tree_of(&s));
    }
    free(keys);
    close_site(&s);
    scene_destroy(of);
}

/* ---- memory ---- */

/* Two updates of all and one of some, each called again until there is memory. */
static bool run_with_failure(scene *of, size_t fail_at)
{
    test_allocator allocator = {.fail_at = fail_at};
    const willow_tree_def tree = tree_with(2, 1);
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&allocator);
    site s = open_with(of, &def, &tree, false);
    if (s.result == WILLOW_OK) {
        for (uint32_t step = 0; step < 4; step++) {
            if (step == 1 || step == 2) {
                assert_ok(set_frame(&s, 10 * step));
            } else if (step == 3 && willow_body_set_vertices(s.world, s.body, 5, 1, s.positions,
                                                             0) != WILLOW_OK) {
                assert_ok(willow_body_set_vertices(s.world, s.body, 5, 1, s.positions, 0));
            }
            if (willow_world_update(s.world, 0.0, NULL) != WILLOW_OK) {
                assert_true(willow_world_validate(s.world, NULL, 0));
                update(&s);
            }
            assert_non_null(kept_packed(tree_of(&s))->boxes);
            expect_views_of_a_refit(tree_of(&s));
        }
        assert_int_equal(willow_world_bytes(s.world), atomic_load(&allocator.bytes));
    } else {
        assert_int_equal(s.result, WILLOW_OUT_OF_MEMORY);
    }
    const bool has_failed = atomic_load(&allocator.calls) >= fail_at;
    close_site(&s);
    assert_true(test_allocator_is_clean(&allocator));
    return has_failed;
}

static void any_allocation_may_fail(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=320");
    size_t n = 1;
    while (run_with_failure(of, n)) n++;
    print_message("%zu allocations\n", n - 1);
    assert_true(n > 20);
    scene_destroy(of);
}

/* ---- soundness ---- */

static void expect_broken(const site *s, const char *words)
{
    const char *broken = wi_tree_validate(tree_of(s));
    assert_non_null(broken);
    assert_string_equal(broken, words);
}

static void what_is_broken_is_found(void **state)
{
    (void)state;
    scene *of = create_scene("bumpy:triangles=320");
    const willow_tree_def tree = tree_with(2, 1);
    site s = open_site(of, WILLOW_KERNEL_AUTO, &tree, false);
    wi_packed_boxes *c = kept_packed(tree_of(&s));
    const uint32_t node = c->node_count / 2;

    c->boxes[node].lower[1] -= 1.0F;
    expect_broken(&s, "I15: a box is not that of the children");
    c->boxes[node].lower[1] += 2.0F;
    expect_broken(&s, "I15: a box is not that of the children");
    assert_ok(set_frame(&s, 1));
    update(&s);
    c->last_node[node]++;
    expect_broken(&s, "I15: a node has other children");
    c->last_node[node]--;
    c->shapes[node] ^= 1;
    expect_broken(&s, "I15: a node has other children");
    c->shapes[node] ^= 1;
    c->vertex_at[3] ^= 1;
    expect_broken(&s, "I15: a place names another vertex");
    c->vertex_at[3] ^= 1;
    c->places[7][2] ^= 1;
    expect_broken(&s, "I15: a triangle is not where its vertices are");
    c->places[7][2] ^= 1;
    c->part_count--;
    expect_broken(&s, "I15: a node is in no part");
    c->part_count++;
    assert_null(wi_tree_validate(tree_of(&s)));
    close_site(&s);
    scene_destroy(of);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_narrow_trees_over_places_are_kept_so),
    cmocka_unit_test(boxes_are_those_of_a_refit),
    cmocka_unit_test(small_trees_are_bounded_too),
    cmocka_unit_test(refused_positions_leave_no_trace),
    cmocka_unit_test(a_moved_vertex_costs_the_ways_to_the_root),
    cmocka_unit_test(plans_are_followed),
    cmocka_unit_test(any_allocation_may_fail),
    cmocka_unit_test(what_is_broken_is_found),
};

TEST_GROUP(packed_boxes, tests);
