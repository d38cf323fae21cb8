/* willow_body_visit_nodes: every node once, parents first, boxes nested, every colliding triangle
 * in one leaf, with every builder, arity and leaf size. */
#include <stdlib.h>
#include "support/test.h"
#include "support/zoo_cases.h"

enum { MAX_NODES = 2000 };

typedef struct record {
    willow_node nodes[MAX_NODES];
    size_t count;
    size_t stop_after; /* 0: never */
} record;

static bool keep_node(void *context, const willow_node *node)
{
    record *r = context;
    assert_true(r->count < MAX_NODES);
    r->nodes[r->count++] = *node;
    return r->count != r->stop_after;
}

static bool is_inside(const willow_box *inner, const willow_box *outer)
{
    return inner->lower.x >= outer->lower.x && inner->lower.y >= outer->lower.y &&
           inner->lower.z >= outer->lower.z && inner->upper.x <= outer->upper.x &&
           inner->upper.y <= outer->upper.y && inner->upper.z <= outer->upper.z;
}

static bool contains(const willow_box *box, const float p[3])
{
    const willow_box point = {{p[0], p[1], p[2]}, {p[0], p[1], p[2]}};
    return is_inside(&point, box);
}

static const willow_node *find_node(const record *r, uint32_t number, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (r->nodes[i].number == number) return &r->nodes[i];
    return NULL;
}

/* What a child may fill. With a margin boxes are computed one by one: that of the parent is around
 * what is below, and that of the child is around where this was less than a margin ago, and wider
 * by another. */
static willow_box room_in(const willow_box *box, float margin)
{
    const float by = 2.001F * margin; /* 2, and the rounding */
    return (willow_box){{box->lower.x - by, box->lower.y - by, box->lower.z - by},
                        {box->upper.x + by, box->upper.y + by, box->upper.z + by}};
}

static void check_places(const record *r, const willow_tree_def *tree)
{
    static uint32_t children[MAX_NODES];
    memset(children, 0, sizeof children);
    for (size_t i = 0; i < r->count; i++) {
        const willow_node *node = &r->nodes[i];
        const willow_node *parent = find_node(r, node->parent, i);
        assert_null(find_node(r, node->number, i));
        assert_true(node->number < r->count);
        if (i == 0) {
            assert_true(node->number == 0 && node->parent == 0 && node->depth == 0);
            continue;
        }
        assert_non_null(parent);
        assert_false(parent->is_leaf);
        assert_int_equal(node->depth, parent->depth + 1);
        const willow_box room = room_in(&parent->box, tree->margin);
        assert_true(is_inside(&node->box, &room));
        children[parent->number]++;
    }
    for (size_t i = 0; i < r->count; i++) {
        const willow_node *node = &r->nodes[i];
        assert_int_equal(node->child_count, children[node->number]);
        assert_true(node->child_count <= tree->arity);
        assert_true(node->is_leaf == (node->child_count == 0));
    }
}

static void check_leaves(const record *r, const zoo_body *body, uint32_t leaf_triangles)
{
    const zoo_mesh *mesh = &body->mesh;
    uint8_t *seen = calloc((size_t)mesh->triangle_count + 1, 1);
    for (size_t i = 0; i < r->count; i++) {
        const willow_node *node = &r->nodes[i];
        if (!node->is_leaf) {
            assert_null(node->triangles);
            assert_int_equal(node->triangle_count, 0);
            continue;
        }
        assert_true(node->triangle_count >= 1 && node->triangle_count <= leaf_triangles);
        for (uint32_t k = 0; k < node->triangle_count; k++) {
            uint32_t tri = node->triangles[k];
            assert_true(tri < mesh->triangle_count);
            seen[tri]++;
            for (int c = 0; c < 3; c++)
                assert_true(contains(&node->box, mesh->positions[body->tris[tri][c]]));
        }
    }
    for (uint32_t tri = 0; tri < mesh->triangle_count; tri++)
        assert_int_equal(seen[tri], mesh->groups == NULL || mesh->groups[tri] != 0);
    free(seen);
}

static size_t check_body(const zoo_world *w, uint32_t number)
{
    const willow_tree_def *tree = &w->setup.trees[number];
    static record r;
    willow_body_stats stats;
    uint32_t inner = 0, height = 0;
    r = (record){0};
    assert_ok(willow_body_visit_nodes(w->world, w->bodies[number].id, keep_node, &r));
    assert_ok(willow_body_get_stats(w->world, w->bodies[number].id, &stats));
    for (size_t i = 0; i < r.count; i++) {
        inner += !r.nodes[i].is_leaf;
        if (r.nodes[i].depth > height) height = r.nodes[i].depth;
    }
    assert_int_equal(inner, stats.node_count);
    assert_int_equal(r.count - inner, stats.leaf_count);
    assert_int_equal(height, stats.height);
    check_places(&r, tree);
    check_leaves(&r, &w->scene->bodies[number], tree->leaf_triangles);
    return r.count;
}

static void add_bodies(zoo_scene *scene)
{
    zoo_scene_add(scene, ZOO_KIND_CRUMPLED, 160, 1);
    zoo_scene_add(scene, ZOO_KIND_GROUPS, 40, 2);
    zoo_scene_add(scene, ZOO_KIND_IGNORED, 20, 3);
    zoo_scene_add(scene, ZOO_KIND_SEAMS, 60, 4);
    zoo_scene_add(scene, ZOO_KIND_SINGLE, 1, 5);
}

static void every_node_is_visited_once_and_in_order(void **state)
{
    (void)state;
    zoo_scene scene = {0};
    size_t nodes = 0;
    uint32_t variant = WILLOW_METHOD_REBUILD; /* by turns, those with a tree */
    add_bodies(&scene);
    for (willow_build build = WILLOW_BUILD_AUTO; build < WILLOW_BUILD_COUNT; build++)
        for (int a = 0; a < ZOO_ARITIES; a++)
            for (uint32_t leaf = 1; leaf <= 32; leaf = leaf * 3 - 1 + (leaf == 1)) {
                zoo_world w;
                willow_tree_def tree = zoo_variant_tree(variant, zoo_arities[a], leaf);
                tree.build = build;
                if (++variant == ZOO_VARIANT_COUNT) variant = WILLOW_METHOD_REBUILD;
                if (zoo_variant_grows(variant)) variant++;
                zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, tree);
                zoo_scene_move_all(&scene, 0); /* where seams can be welded */
                zoo_world_create(&w, &scene, &setup);
                for (uint32_t frame = 0; frame < 2; frame++) {
                    zoo_scene_move_all(&scene, frame);
                    zoo_world_follow(&w, frame);
                    for (uint32_t i = 0; i < scene.body_count; i++) nodes += check_body(&w, i);
                }
                zoo_world_destroy(&w);
            }
    print_message("%zu nodes\n", nodes);
    assert_true(nodes > 1000);
    zoo_scene_destroy(&scene);
}

static void a_pose_leaves_the_nodes_where_they_are(void **state)
{
    (void)state;
    static record before, after;
    zoo_scene scene = {0};
    zoo_world w;
    const willow_pose pose = {{5, 6, 7}, {1, 2, 3, 4}};
    add_bodies(&scene);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_AUTO, 8, 4));
    zoo_world_create(&w, &scene, &setup);
    willow_body_id id = w.bodies[0].id;
    before = after = (record){0};
    assert_ok(willow_body_visit_nodes(w.world, id, keep_node, &before));
    assert_ok(willow_body_set_pose(w.world, id, &pose));
    assert_ok(willow_world_update(w.world, 0.0, NULL));
    assert_ok(willow_body_visit_nodes(w.world, id, keep_node, &after));
    assert_int_equal(before.count, after.count);
    for (size_t i = 0; i < before.count; i++)
        assert_memory_equal(&before.nodes[i].box, &after.nodes[i].box, sizeof before.nodes[i].box);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

static void a_visit_stops_when_told(void **state)
{
    (void)state;
    static record r;
    zoo_scene scene = {0};
    zoo_world w;
    add_bodies(&scene);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_AUTO, 4, 4));
    zoo_world_create(&w, &scene, &setup);
    for (size_t stop = 1; stop < 20; stop++) {
        r = (record){.stop_after = stop};
        assert_ok(willow_body_visit_nodes(w.world, w.bodies[0].id, keep_node, &r));
        assert_int_equal(r.count, stop);
    }
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

static void there_are_no_nodes_without_a_tree_and_none_of_an_old_one(void **state)
{
    (void)state;
    static record r;
    zoo_scene scene = {0};
    zoo_world w;
    add_bodies(&scene);
    zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, zoo_tree(WILLOW_METHOD_BRUTE, 8, 4));
    zoo_world_create(&w, &scene, &setup);
    r = (record){0};
    for (uint32_t i = 0; i < scene.body_count; i++)
        assert_ok(willow_body_visit_nodes(w.world, w.bodies[i].id, keep_node, &r));
    assert_int_equal(r.count, 0);
    willow_tree_def tree = willow_tree_def_default();
    willow_body_id id = w.bodies[0].id;
    assert_ok(willow_body_set_tree(w.world, id, &tree));
    assert_int_equal(willow_body_visit_nodes(w.world, id, keep_node, &r), WILLOW_STALE);
    assert_ok(willow_body_visit_nodes(w.world, w.bodies[1].id, keep_node, &r));
    assert_int_equal(r.count, 0);
    assert_ok(willow_world_update(w.world, 0.0, NULL));
    assert_ok(willow_body_visit_nodes(w.world, id, keep_node, &r));
    assert_true(r.count > 0);
    size_t count = r.count;
    assert_ok(willow_body_destroy(w.world, id));
    assert_int_equal(willow_body_visit_nodes(w.world, id, keep_node, &r), WILLOW_BAD_HANDLE);
    assert_int_equal(r.count, count);
    zoo_world_destroy(&w);
    zoo_scene_destroy(&scene);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_node_is_visited_once_and_in_order),
    cmocka_unit_test(a_pose_leaves_the_nodes_where_they_are),
    cmocka_unit_test(a_visit_stops_when_told),
    cmocka_unit_test(there_are_no_nodes_without_a_tree_and_none_of_an_old_one),
};

TEST_GROUP(visit_nodes, tests);
