/* What is special about kinetic BoxTrees: boxes that are made of those above them, whoever asks for
 * them first; fewer events and less memory than a tree with six ends per box; events that are never
 * late, whether they are searched for or bounded; trees of all small sizes; and what has decayed is
 * built again. That they are true is tested beside the other kinetic tree, in kinetic_test.c. */
#include <math.h>
#include <string.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "update/kinetic/boxtree_parts.h"
#include "update/kinetic/certificates.h"
#include "willow/willow.h"
#include "world/world.h"

typedef struct site {
    willow_world *world;
    willow_body_id body;
    uint32_t vertex_count;
    double time;
} site;

static willow_tree_def boxtree(uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_KINETIC_BOXTREE;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

static void open_mesh(site *s, const float *positions, uint32_t vertex_count, const uint32_t *tris,
                      uint32_t tri_count, const willow_tree_def *tree)
{
    const willow_world_def def = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    body.mesh = FIXTURE_MESH(positions, vertex_count, tris, tri_count);
    body.tree = *tree;
    s->vertex_count = vertex_count;
    s->time = 0.0;
    s->world = fixture_world(&def);
    s->body = fixture_body(s->world, &body);
}

static const wi_tree *tree_of(const site *s) { return &s->world->bodies.items[0]->geometry->tree; }

static willow_update_report go_to(site *s, double time)
{
    willow_update_report report;
    char reason[200];
    s->time = time;
    assert_ok(willow_world_update(s->world, time, &report));
    const char *broken = wi_kinetic_check(tree_of(s));
    if (broken) fail_msg("at %.17g: %s", time, broken);
    if (!willow_world_validate(s->world, reason, sizeof reason))
        fail_msg("at %.17g: %s", time, reason);
    return report;
}

/* ---- a sheet with waves ---- */

enum { SIDE = 24, SHEET = (SIDE + 1) * (SIDE + 1), SHEET_TRIS = 2 * SIDE * SIDE };

static float sheet[SHEET][3], pushes[SHEET][3], falls[SHEET][3];
static uint32_t sheet_tris[SHEET_TRIS][3];

/* Neighbours move almost alike; all fall, the corners last. */
static void make_sheet(void)
{
    for (uint32_t v = 0; v < SHEET; v++) {
        const float x = (float)(v % (SIDE + 1)) / SIDE - 0.5F;
        const float y = (float)(v / (SIDE + 1)) / SIDE - 0.5F;
        sheet[v][0] = x;
        sheet[v][1] = y;
        sheet[v][2] = 0.0625F * x * y;
        pushes[v][0] = -x * (x * x + y * y);
        pushes[v][1] = -y * (x * x + y * y) + 0.125F * x;
        pushes[v][2] = 0.5F * x * (0.25F - y * y);
        falls[v][2] = -0.5F + x * x + y * y * x;
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t v = i % SIDE + i / SIDE * (SIDE + 1), above = v + SIDE + 1;
        memcpy(sheet_tris[2 * i], (uint32_t[3]){v, v + 1, above}, sizeof sheet_tris[0]);
        memcpy(sheet_tris[2 * i + 1], (uint32_t[3]){v + 1, above + 1, above}, sizeof sheet_tris[0]);
    }
}

static void open_sheet(site *s, const willow_tree_def *tree)
{
    make_sheet();
    open_mesh(s, sheet[0], SHEET, sheet_tris[0], SHEET_TRIS, tree);
    assert_ok(willow_body_set_accelerations(s->world, s->body, 0, SHEET, falls, 0));
    for (uint32_t v = 0; v < SHEET; v++) {
        const willow_vertex_plan plan = {{pushes[v][0], pushes[v][1], pushes[v][2]},
                                         {falls[v][0], falls[v][1], falls[v][2]}};
        assert_ok(willow_body_set_vertex_plan(s->world, s->body, v, &plan));
    }
}

/* ---- boxes ---- */

static void compare_boxes(const site *a, const site *b)
{
    const wi_tree *x = tree_of(a), *y = tree_of(b);
    wi_openings count = {0};
    assert_int_equal(x->shape->node_count, y->shape->node_count);
    for (uint32_t node = 0; node < x->shape->node_count; node++) {
        const wi_node *p = wi_open(x, node, &count), *q = wi_open(y, node, &count);
        assert_memory_equal(p->lower, q->lower, sizeof p->lower);
        assert_memory_equal(p->upper, q->upper, sizeof p->upper);
    }
}

/* Whoever keeps a front opens nodes without those above them. */
static void nodes_may_be_opened_in_any_order(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    for (uint32_t i = 0; i < 3; i++) {
        const willow_tree_def tree = boxtree(arities[i], 2);
        site down, up;
        open_sheet(&down, &tree);
        open_sheet(&up, &tree);
        for (uint32_t step = 0; step < 4; step++) {
            wi_openings count = {0};
            go_to(&down, 0.25 * step);
            go_to(&up, 0.25 * step);
            const wi_tree *h = tree_of(&up);
            for (uint32_t node = h->shape->node_count; node-- > 0;) {
                (void)wi_open(h, node, &count);
                for (uint32_t n = node;;
                     n = h->boxes.nodes[n].parent) { /* all above are open now */
                    assert_true(wi_is_open(h, n));
                    if (n == 0) break;
                }
            }
            assert_true(step == 0 || count.refreshed == h->shape->node_count);
            compare_boxes(&down, &up);
        }
        willow_world_destroy(down.world);
        willow_world_destroy(up.world);
    }
}

static void a_box_is_within_the_box_above_it(void **state)
{
    (void)state;
    const willow_tree_def tree = boxtree(8, 1);
    site s;
    open_sheet(&s, &tree);
    for (uint32_t step = 0; step < 8; step++) {
        wi_openings count = {0};
        go_to(&s, 0.125 * step);
        const wi_tree *h = tree_of(&s);
        for (uint32_t node = 1; node < h->shape->node_count; node++) {
            const wi_node *view = wi_open(h, node, &count);
            const wi_box own = wi_node_box(&h->boxes.nodes[view->parent], view->parent_lane);
            for (unsigned lane = 0; lane < view->count; lane++) {
                const wi_box box = wi_node_box(view, lane);
                assert_true(wi_box_contains(&own, &box) && !wi_box_is_empty(&box));
            }
        }
    }
    willow_world_destroy(s.world);
}

/* Nodes have 1 to `arity` children, and so all shapes of parts. */
static void trees_of_all_small_sizes_are_true(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    size_t events = 0;
    make_sheet();
    for (uint32_t i = 0; i < 3 * 40; i++) {
        willow_tree_def tree = boxtree(arities[i % 3], 1);
        tree.events = i / 3 % 2 ? WILLOW_EVENTS_STREAM : WILLOW_EVENTS_BATCH;
        tree.exact_events = i / 6 % 2 == 1;
        site s;
        open_mesh(&s, sheet[0], SHEET, sheet_tris[0], 1 + i / 3, &tree);
        assert_ok(willow_body_set_velocities(s.world, s.body, 0, SHEET, pushes, 0));
        for (uint32_t step = 0; step < 12; step++) events += go_to(&s, 8.0 * step).events;
        events += go_to(&s, 1.0).events; /* back */
        willow_world_destroy(s.world);
    }
    print_message("%zu events\n", events);
    assert_true(events > 100);
}

/* ---- what it costs ---- */

static willow_body_stats run_sheet(willow_tree_def tree, size_t *evaluated)
{
    site s;
    willow_body_stats stats;
    tree.rebuild_ratio = INFINITY;
    open_sheet(&s, &tree);
    go_to(&s, 0.0);
    *evaluated = 0;
    for (uint32_t step = 1; step <= 64; step++)
        *evaluated += go_to(&s, step / 32.0).vertices_evaluated;
    assert_ok(willow_body_get_stats(s.world, s.body, &stats));
    willow_world_destroy(s.world);
    return stats;
}

static void it_is_smaller_and_has_fewer_events_than_six_ends_per_box(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 8}, leaves[] = {1, 4};
    for (uint32_t i = 0; i < 8; i++) {
        willow_tree_def tree = boxtree(arities[i % 2], leaves[i / 2 % 2]);
        size_t evaluated;
        tree.events = i / 4 ? WILLOW_EVENTS_STREAM : WILLOW_EVENTS_BATCH;
        const willow_body_stats box = run_sheet(tree, &evaluated);
        tree.method = WILLOW_METHOD_KINETIC_AABB;
        const willow_body_stats six = run_sheet(tree, &evaluated);
        print_message("%zu and %zu bytes, %zu and %zu events\n", box.kinetic.bytes,
                      six.kinetic.bytes, (size_t)box.kinetic.events, (size_t)six.kinetic.events);
        assert_true(box.kinetic.events > 0);
        assert_true(2 * box.kinetic.events < six.kinetic.events);
        assert_true(2 * box.kinetic.bytes < six.kinetic.bytes);
        assert_true(box.kinetic.certificates_most < six.kinetic.certificates_most);
        assert_true(box.kinetic.certificates_per_vertex < six.kinetic.certificates_per_vertex);
    }
}

/* Bounded events may be in vain, but searches are dearer. */
static void bounded_events_look_at_fewer_vertices_than_exact_ones(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        willow_tree_def tree = boxtree(i % 2 ? 2 : 8, 2);
        size_t bounded, exact;
        tree.events = i / 2 ? WILLOW_EVENTS_STREAM : WILLOW_EVENTS_BATCH;
        const willow_body_stats with_bounds = run_sheet(tree, &bounded);
        tree.exact_events = true;
        const willow_body_stats with_searches = run_sheet(tree, &exact);
        print_message("%zu of %zu vertices, %zu of %zu events in vain\n", bounded, exact,
                      (size_t)with_bounds.kinetic.events_internal,
                      (size_t)with_bounds.kinetic.events);
        assert_true(bounded < exact);
        assert_true(with_bounds.kinetic.events >= with_searches.kinetic.events);
    }
}

/* ---- new paths ---- */

/* Of a few vertices at a time, so that the tree is not set up again: holders, heirs, others. */
static void new_paths_of_any_vertices_are_noticed(void **state)
{
    (void)state;
    size_t changes = 0, setups = 0;
    for (uint32_t i = 0; i < 8; i++) {
        willow_tree_def tree = boxtree(i % 2 ? 2 : 8, 1 + i % 3);
        uint64_t seed = i;
        site s;
        tree.events = i / 2 % 2 ? WILLOW_EVENTS_STREAM : WILLOW_EVENTS_BATCH;
        tree.exact_events = i >= 6;
        tree.rebuild_ratio = INFINITY;
        open_sheet(&s, &tree);
        for (uint32_t step = 0; step < 60; step++) {
            const willow_update_report report = go_to(&s, step / 64.0);
            changes += report.plan_changes;
            setups += report.setups;
            for (uint32_t k = 0; k < 1 + step % 5; k++) {
                const wi_boxtree *b = &kept_kinetic(tree_of(&s))->box;
                const wi_box_part *part = &b->parts[test_random(&seed) % WI_ROOT_PARTS];
                const uint32_t place = k % 3 == 2 ? UINT32_MAX : k % 3 ? part->heir : part->place;
                uint32_t vertex = (uint32_t)(test_random(&seed) % SHEET);
                for (uint32_t v = 0; v < SHEET; v++)
                    if (tree_of(&s)->mesh->place[v] == place) vertex = v;
                const willow_vertex_plan plan = {
                    {(float)test_random_between(&seed, -1.0, 1.0),
                     (float)test_random_between(&seed, -1.0, 1.0), -pushes[vertex][2]},
                    {0, (float)test_random_between(&seed, -1.0, 1.0), 0}};
                assert_ok(willow_body_set_vertex_plan(s.world, s.body, vertex, &plan));
            }
        }
        willow_world_destroy(s.world);
    }
    print_message("%zu changes, %zu setups\n", changes, setups);
    assert_int_equal(setups, 8);
    assert_true(changes > 500);
}

/* ---- decay ---- */

/* Boxes inherit where the sheet was flat when the tree was made; it does not stay so. Queries open
 * nodes, by which decay is seen. */
static void what_has_decayed_is_built_again(void **state)
{
    (void)state;
    static const float ratios[] = {1.25F, INFINITY};
    double cost[2];
    size_t built[2];
    for (int i = 0; i < 2; i++) {
        willow_tree_def tree = boxtree(2, 1);
        site s;
        willow_body_stats stats;
        tree.rebuild_ratio = ratios[i];
        open_sheet(&s, &tree);
        go_to(&s, 0.0);
        built[i] = 0;
        for (uint32_t step = 1; step <= 160; step++) {
            const willow_update_report report = go_to(&s, step / 64.0);
            built[i] += report.bodies_built + report.subtrees_built > 0;
            assert_ok(willow_body_get_stats(s.world, s.body, &stats));
        }
        cost[i] = stats.cost;
        willow_world_destroy(s.world);
    }
    print_message("built %zu times; cost %.0f, else %.0f\n", built[0], cost[0], cost[1]);
    assert_true(built[0] > 0 && built[0] <= 5); /* a look in 32 updates */
    assert_int_equal(built[1], 0);
    assert_true(cost[0] < cost[1]);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_may_be_opened_in_any_order),
    cmocka_unit_test(a_box_is_within_the_box_above_it),
    cmocka_unit_test(trees_of_all_small_sizes_are_true),
    cmocka_unit_test(it_is_smaller_and_has_fewer_events_than_six_ends_per_box),
    cmocka_unit_test(bounded_events_look_at_fewer_vertices_than_exact_ones),
    cmocka_unit_test(new_paths_of_any_vertices_are_noticed),
    cmocka_unit_test(what_has_decayed_is_built_again),
};

TEST_GROUP(boxtree, tests);
