/* After every move boxes are as tight as they can be, with all kernels the same bits, and positions
 * that are refused leave no trace. */
#include <math.h>
#include <stdlib.h>
#include "support/test.h"
#include "support/tight_boxes.h"
#include "support/zoo_cases.h"
#include "world/world.h"

static const wi_tree *hierarchy_of(const zoo_world *w, uint32_t body)
{
    return &w->world->bodies.items[body]->geometry->tree;
}

/* ---- tight boxes ---- */

/* Children come after parents, so a backward sweep has theirs; returns the number of boxes. */
static size_t check_tight(const zoo_world *w, uint32_t number)
{
    const wi_tree *h = hierarchy_of(w, number);
    const zoo_body *body = &w->scene->bodies[number];
    const test_corners from = {(const float(*)[3])body->mesh.positions,
                               (const uint32_t(*)[3])body->tris};
    size_t checked = 0;
    wi_openings count = {0};
    if (h->boxes.nodes == NULL) return 0;
    wi_box *nodes = calloc(h->shape->node_count, sizeof *nodes);
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = wi_open(h, node, &count);
        nodes[node] = wi_box_empty();
        for (unsigned lane = 0; lane < view->count; lane++, checked++) {
            bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            wi_box own = wi_node_box(view, lane);
            wi_box tight = is_leaf ? box_of_leaf(h, &h->shape->leaves[view->child[lane]], from)
                                   : nodes[view->child[lane]];
            assert_true(boxes_equal(&own, &tight));
            wi_box_add_box(&nodes[node], &own);
        }
    }
    assert_true(boxes_equal(&h->boxes.bounds, &nodes[0]));
    free(nodes);
    return checked;
}

static void boxes_are_tight_after_every_move(void **state)
{
    (void)state;
    size_t checked = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (int i = 0; i < ZOO_ARITIES * ZOO_LEAF_SIZES; i++) {
            zoo_scene scene = {0};
            zoo_world w;
            willow_method method = i % 5 == 4 ? WILLOW_METHOD_REBUILD : WILLOW_METHOD_BOTTOM_UP;
            willow_kernel kernel = i % 2 == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
            zoo_setup setup = zoo_setup_with(
                zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR,
                zoo_tree(method, zoo_arities[i % ZOO_ARITIES], zoo_leaf_sizes[i / ZOO_ARITIES]));
            setup.formats = (uint64_t)i;
            setup.world.thread_count = 1 + (uint32_t)i % 2;
            zoo_scene_add(&scene, kind, 100, (uint64_t)i);
            zoo_world_create(&w, &scene, &setup);
            for (uint32_t frame = 0; frame < 5; frame++) {
                if (frame > 0) {
                    zoo_scene_move_some(&scene, frame, (uint64_t)i);
                    zoo_world_follow(&w, (uint64_t)i * 8 + frame);
                }
                checked += check_tight(&w, 0);
            }
            zoo_world_destroy(&w);
            zoo_scene_destroy(&scene);
        }
    print_message("%zu boxes\n", checked);
    assert_true(checked > 0);
}

/* Many tasks of nodes, so that workers meet. */
static void boxes_are_tight_when_workers_share_a_body(void **state)
{
    (void)state;
    zoo_scene scene = {0};
    zoo_world w;
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 2, 1));
    setup.world.thread_count = 4;
    zoo_scene_add(&scene, ZOO_KIND_GRID, 4000, 1);
    zoo_world_create(&w, &scene, &setup);
    for (uint32_t frame = 0; frame < 6; frame++) {
        if (frame > 0) {
            zoo_scene_move_all(&scene, frame);
            zoo_world_follow(&w, frame);
        }
        assert_true(check_tight(&w, 0) > 4000);
    }
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

/* ---- kernels ---- */

static void check_same_views(const zoo_world *a, const zoo_world *b)
{
    const wi_tree *x = hierarchy_of(a, 0), *y = hierarchy_of(b, 0);
    assert_int_equal(x->shape->node_count, y->shape->node_count);
    assert_memory_equal(&x->boxes.bounds, &y->boxes.bounds, sizeof x->boxes.bounds);
    wi_openings count = {0};
    for (uint32_t i = 0; i < x->shape->node_count; i++) {
        const wi_node *one = wi_open(x, i, &count), *other = wi_open(y, i, &count);
        assert_memory_equal(one->lower, other->lower, sizeof one->lower);
        assert_memory_equal(one->upper, other->upper, sizeof one->upper);
        assert_memory_equal(one->child, other->child, sizeof one->child);
    }
}

static void kernels_give_the_same_bits(void **state)
{
    (void)state;
    size_t compared = 0;
    if (!zoo_has_kernel(WILLOW_KERNEL_AVX2)) skip();
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (int i = 0; i < ZOO_LEAF_SIZES; i++) {
            zoo_scene scene = {0};
            zoo_world scalar, wide;
            willow_tree_def tree = zoo_tree(
                i % 3 == 0 ? WILLOW_METHOD_REBUILD : WILLOW_METHOD_BOTTOM_UP, 8, zoo_leaf_sizes[i]);
            zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_SCALAR, tree);
            setup.formats = (uint64_t)i;
            zoo_scene_add(&scene, kind, 150, 3);
            zoo_world_create(&scalar, &scene, &setup);
            setup.world.kernel = WILLOW_KERNEL_AVX2;
            zoo_world_create(&wide, &scene, &setup);
            for (uint32_t frame = 1; frame < 4; frame++, compared++) {
                check_same_views(&scalar, &wide);
                zoo_scene_move_some(&scene, frame, 7);
                zoo_world_follow(&scalar, frame);
                zoo_world_follow(&wide, frame);
            }
            check_same_views(&scalar, &wide);
            zoo_world_destroy(&scalar);
            zoo_world_destroy(&wide);
            zoo_scene_destroy(&scene);
        }
    print_message("%zu pairs of trees\n", compared);
}

/* ---- refused positions ---- */

typedef struct snapshot {
    uint64_t hash;
    wi_node *nodes;
    uint32_t node_count;
    wi_box bounds;
} snapshot;

/* With all nodes open, as queries would leave them. */
static snapshot take_snapshot(const zoo_world *w)
{
    const wi_tree *h = hierarchy_of(w, 0);
    wi_openings count = {0};
    for (uint32_t node = 0; node < h->shape->node_count; node++) (void)wi_open(h, node, &count);
    snapshot shot = {.hash = willow_world_hash(w->world),
                     .node_count = h->shape->node_count,
                     .bounds = h->boxes.bounds};
    shot.nodes = aligned_alloc(64, (h->shape->node_count + 1) * sizeof *shot.nodes);
    for (uint32_t i = 0; i < h->shape->node_count; i++)
        memcpy(&shot.nodes[i], &h->boxes.nodes[i], sizeof *shot.nodes);
    return shot;
}

static void check_snapshot(const zoo_world *w, const snapshot *shot)
{
    const wi_tree *h = hierarchy_of(w, 0);
    assert_true(willow_world_hash(w->world) == shot->hash);
    assert_int_equal(h->shape->node_count, shot->node_count);
    assert_memory_equal(&h->boxes.bounds, &shot->bounds, sizeof h->boxes.bounds);
    for (uint32_t i = 0; i < h->shape->node_count; i++)
        assert_memory_equal(&h->boxes.nodes[i], &shot->nodes[i], sizeof h->boxes.nodes[i]);
}

/* Sets all vertices far away, with one bad number. */
static void set_bad(zoo_world *w, uint32_t vertex, float bad)
{
    uint32_t count = w->scene->bodies[0].mesh.vertex_count;
    float(*moved)[3] = calloc(count, sizeof *moved);
    for (uint32_t i = 0; i < 3 * count; i++) moved[i / 3][i % 3] = 1e6F;
    moved[vertex][vertex % 3] = bad;
    assert_int_equal(willow_body_set_vertices(w->world, w->bodies[0].id, 0, count, moved, 0),
                     WILLOW_BAD_MESH);
    free(moved);
}

static void refused_positions_leave_boxes_and_answers(void **state)
{
    (void)state;
    size_t pairs = 0, refusals = 0;
    for (int k = 0; k < 4; k++) {
        zoo_scene scene = {0};
        zoo_world w;
        zoo_answers answers = {0};
        zoo_question question = zoo_question_plain();
        willow_kernel kernel = k % 2 == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AVX2;
        zoo_scene_add(&scene, k < 2 ? ZOO_KIND_CRUMPLED : ZOO_KIND_LOOSE, 100, 1);
        zoo_scene_add(&scene, ZOO_KIND_ROLLED, 100, 2);
        zoo_setup setup = zoo_setup_with(zoo_has_kernel(kernel) ? kernel : WILLOW_KERNEL_SCALAR,
                                         zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 3));
        setup.world.thread_count = 2;
        zoo_world_create(&w, &scene, &setup);
        zoo_answers_find(&scene, &question, &answers);
        snapshot shot = take_snapshot(&w);
        for (uint32_t v = 0; v < scene.bodies[0].mesh.vertex_count; v++, refusals++) {
            set_bad(&w, v, v % 2 == 0 ? NAN : -INFINITY);
            check_snapshot(&w, &shot);
            if (v % 8 == 0) pairs += zoo_world_check(&w, &question, &answers);
        }
        free(shot.nodes);
        zoo_world_destroy(&w);
        zoo_answers_free(&answers);
        zoo_scene_destroy(&scene);
    }
    print_message("%zu refusals, %zu pairs found\n", refusals, pairs);
    assert_true(pairs > 0);
}

/* A refusal between a move and its update keeps the move. */
static void refused_positions_do_not_undo_the_move_before(void **state)
{
    (void)state;
    size_t checked = 0;
    for (int by_range = 0; by_range < 2; by_range++)
        for (uint32_t bad = 0; bad < 36; bad++) {
            zoo_scene scene = {0};
            zoo_world w;
            zoo_setup setup =
                zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BOTTOM_UP, 2, 2));
            zoo_scene_add(&scene, ZOO_KIND_CRUMPLED, 50, 1);
            zoo_world_create(&w, &scene, &setup);
            zoo_scene_move_all(&scene, 1);
            const zoo_mesh *mesh = &scene.bodies[0].mesh;
            uint32_t first = by_range != 0 ? 1 : 0;
            if (by_range != 0)
                assert_ok(
                    willow_body_set_vertices(w.world, w.bodies[0].id, 0, 1, mesh->positions, 0));
            assert_ok(willow_body_set_vertices(w.world, w.bodies[0].id, first,
                                               mesh->vertex_count - first, mesh->positions + first,
                                               0));
            set_bad(&w, bad, INFINITY);
            scene.bodies[0].moved_count = 0;
            zoo_world_follow(&w, 0);
            checked += check_tight(&w, 0);
            zoo_world_destroy(&w);
            zoo_scene_destroy(&scene);
        }
    assert_true(checked > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_are_tight_after_every_move),
    cmocka_unit_test(boxes_are_tight_when_workers_share_a_body),
    cmocka_unit_test(kernels_give_the_same_bits),
    cmocka_unit_test(refused_positions_leave_boxes_and_answers),
    cmocka_unit_test(refused_positions_do_not_undo_the_move_before),
};

TEST_GROUP(refit, tests);
