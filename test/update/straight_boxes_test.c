/* Kinetic trees without events. At all times of a span, however paths change within it, all boxes
 * contain what is below them; between two keyframes nothing is computed; a few changes cost little,
 * and many no more than a new span; kernels and threads change no box and no count. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_cases.h"
#include "support/zoo_mesh.h"
#include "update/kinetic/certificates.h"
#include "willow/willow.h"
#include "world/world.h"

enum { KEYS = 5 };

typedef struct site {
    zoo_mesh mesh;
    willow_world *world;
    willow_body_id body;
    uint64_t random;
    double time;
} site;

static willow_tree_def straight_tree(uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_KINETIC_AABB;
    tree.events = WILLOW_EVENTS_NONE;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    tree.rebuild_ratio = INFINITY; /* a look for decay reads all positions */
    return tree;
}

/* The mesh is there, and may have been moved. */
static void open_world(site *s, const willow_world_def *def, willow_tree_def tree)
{
    willow_body_def body = willow_body_def_default();
    body.mesh = (willow_mesh_def){.positions = s->mesh.positions,
                                  .vertex_count = s->mesh.vertex_count,
                                  .indices = s->mesh.tris,
                                  .index_type = WILLOW_INDEX_U32,
                                  .triangle_count = s->mesh.triangle_count,
                                  .triangle_groups = s->mesh.groups};
    body.tree = tree;
    body.self = true;
    s->world = fixture_world(def);
    s->body = fixture_body(s->world, &body);
}

static void open_site(site *s, zoo_kind kind, uint32_t size, willow_tree_def tree)
{
    const willow_world_def def = willow_world_def_default();
    *s = (site){.random = 5};
    zoo_mesh_create(&s->mesh, kind, size, 7);
    open_world(s, &def, tree);
}

static void close_site(site *s)
{
    willow_world_destroy(s->world);
    zoo_mesh_destroy(&s->mesh);
}

static wi_tree *tree_of(const site *s) { return &s->world->bodies.items[0]->geometry->tree; }
static const wi_straight_boxes *chords_of(const site *s)
{
    return &kept_kinetic(tree_of(s))->straight;
}

static double between(site *s, double low, double high)
{
    return test_random_between(&s->random, low, high);
}

/* ---- what must be so ---- */

static void expect_in_box(const site *s, const wi_tree *h, uint32_t node, unsigned lane,
                          const float p[3])
{
    const wi_node *view = &h->boxes.nodes[node];
    for (int axis = 0; axis < 3; axis++)
        if (p[axis] < view->lower[axis][lane] || p[axis] > view->upper[axis][lane])
            fail_msg("at %.17g, node %u, lane %u, axis %d: %a is not from %a to %a", s->time, node,
                     lane, axis, (double)p[axis], (double)view->lower[axis][lane],
                     (double)view->upper[axis][lane]);
}

static void expect_leaf_below_all(const site *s, const wi_tree *h, uint32_t node, unsigned lane)
{
    const wi_leaf *leaf = &h->shape->leaves[h->boxes.nodes[node].child[lane]];
    for (;;) {
        for (unsigned i = 0; i < leaf->vertex_count; i++) {
            float p[3];
            wi_plan_point(wi_mesh_plan(h->mesh), wi_mesh_moment(h->mesh), wi_leaf_place(h, leaf, i),
                          p);
            expect_in_box(s, h, node, lane, p);
            for (int axis = 0; axis < 3; axis++)
                assert_true(p[axis] >= h->boxes.bounds.lower[axis] &&
                            p[axis] <= h->boxes.bounds.upper[axis]);
        }
        if (node == 0) return;
        lane = h->boxes.nodes[node].parent_lane;
        node = h->boxes.nodes[node].parent;
    }
}

/* Opens all nodes. */
static void expect_true_boxes(const site *s)
{
    const wi_tree *h = tree_of(s);
    wi_openings count = {0};
    char reason[200];
    for (uint32_t node = 0; node < h->shape->node_count; node++) (void)wi_open(h, node, &count);
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned leaves = h->boxes.nodes[node].leaf_mask; leaves != 0; leaves &= leaves - 1)
            expect_leaf_below_all(s, h, node, (unsigned)__builtin_ctz(leaves));
    const char *broken = wi_kinetic_check(h);
    if (broken) fail_msg("at %.17g: %s", s->time, broken);
    if (!willow_world_validate(s->world, reason, sizeof reason))
        fail_msg("at %.17g: %s", s->time, reason);
}

/* Some of the nodes, as a query does: lanes are of different shares of the span then. */
static void open_some(site *s)
{
    const wi_tree *h = tree_of(s);
    wi_openings count = {0};
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        if (test_random(&s->random) % 3 == 0) (void)wi_open(h, node, &count);
}

static willow_update_report go_to(site *s, double time)
{
    willow_update_report report;
    s->time = time;
    assert_ok(willow_world_update(s->world, time, &report));
    return report;
}

static willow_update_report look_at(site *s, double time)
{
    const willow_update_report report = go_to(s, time);
    expect_true_boxes(s);
    return report;
}

/* ---- paths ---- */

static void throw(site * s, uint32_t first, uint32_t count, double speed, bool is_bent)
{
    float(*v)[3] = calloc(count, sizeof *v);
    for (uint32_t i = 0; i < 3 * count; i++) v[i / 3][i % 3] = (float)between(s, -speed, speed);
    assert_ok(is_bent ? willow_body_set_accelerations(s->world, s->body, first, count, v, 0)
                      : willow_body_set_velocities(s->world, s->body, first, count, v, 0));
    free(v);
}

static void throw_all(site *s, double speed, bool is_bent)
{
    throw(s, 0, s->mesh.vertex_count, speed, is_bent);
}

/* Keyframes from now on, `span` apart: the mesh, and where noise takes it. */
static void follow_keys(site *s, double span, double noise)
{
    const size_t count = 3 * (size_t)s->mesh.vertex_count;
    float *keys = calloc(KEYS * count, sizeof *keys);
    double times[KEYS];
    willow_flightplan plan = willow_flightplan_default();
    for (uint32_t key = 0; key < KEYS; key++) {
        times[key] = s->time + span * key;
        for (size_t i = 0; i < count; i++)
            keys[key * count + i] = s->mesh.positions[i / 3][i % 3] +
                                    (key == 0 ? 0.0F : (float)between(s, -noise, noise));
    }
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = KEYS;
    assert_ok(willow_body_set_flightplan(s->world, s->body, &plan));
    free(keys);
}

/* Vertices are put where they were at first. */
static void put(site *s, uint32_t first, uint32_t count)
{
    assert_ok(
        willow_body_set_vertices(s->world, s->body, first, count, s->mesh.positions[first], 0));
}

typedef enum course { ON_KEYS, ON_RAYS, ON_PARABOLAS, MIXED, COURSES } course;

static void set_off(site *s, course kind, double unit)
{
    if (kind == ON_KEYS || kind == MIXED) follow_keys(s, 4.0 * unit, 0.25);
    if (kind == ON_RAYS) throw_all(s, 0.125 / unit, false);
    if (kind == ON_PARABOLAS) throw_all(s, 0.125 / (unit * unit), true);
    if (kind == MIXED) throw(s, 0, 1 + s->mesh.vertex_count / 8, 0.125 / unit, false);
}

/* A path or some, a vertex that is put elsewhere, or nothing. */
static void change_a_few(site *s, double unit)
{
    const uint32_t all = s->mesh.vertex_count, vertex = (uint32_t)(test_random(&s->random) % all);
    const uint32_t most = 1 + all / 16 < all - vertex ? 1 + all / 16 : all - vertex;
    switch (test_random(&s->random) % 6) {
    case 0: throw(s, vertex, 1, 0.25 / unit, false); break;
    case 1: throw(s, vertex, most, 0.25 / unit, false); break;
    case 2: throw(s, vertex, 1, 0.25 / (unit * unit), true); break;
    case 3: put(s, vertex, most < all ? most : all - 1); break;
    default: break;
    }
}

/* ---- all boxes, at all times ---- */

static void fly(site *s, course kind, double unit, bool changes)
{
    set_off(s, kind, unit);
    look_at(s, s->time);
    for (uint32_t i = 0; i < 40; i++) {
        const double step = unit * (i % 7 == 0 ? between(s, 0.0, 1.0) : between(s, 0.0, 0.125));
        if (changes && s->mesh.vertex_count > 1) change_a_few(s, unit);
        go_to(s, s->time + step);
        open_some(s);
        if (i % 2 == 0) expect_true_boxes(s);
    }
}

static void boxes_contain_their_vertices_at_all_times(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8}, leaves[] = {1, 2, 16};
    static const zoo_kind kinds[] = {ZOO_KIND_GRID,  ZOO_KIND_SOUP,   ZOO_KIND_WEB,
                                     ZOO_KIND_LOOSE, ZOO_KIND_SINGLE, ZOO_KIND_GROUPS};
    static const double units[] = {1.0, 1e-9, 1e9}, starts[] = {0.0, -3.0, 1e9};
    size_t spans = 0;
    for (uint32_t i = 0; i < 9 * COURSES * 2; i++) {
        site s;
        open_site(&s, kinds[i % 6], 150, straight_tree(arities[i % 3], leaves[i / 3 % 3]));
        s.random = i;
        const double unit = units[i / 2 % 3], start = starts[i / 5 % 3];
        go_to(&s, fabs(start) * 1e-9 > unit ? 0.0 : start);
        fly(&s, (course)(i / 9 % COURSES), unit, i / (9 * COURSES) == 1);
        spans += chords_of(&s)->span;
        close_site(&s);
    }
    assert_true(spans > 0);
}

/* Next to each other, slow and far from 0: all differences are some roundings of floats, and what a
 * node may be beyond another would add up along the long way to the root. */
static void roundings_do_not_add_up(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    for (uint32_t i = 0; i < 12; i++) {
        site s = {.random = i};
        const willow_world_def def = willow_world_def_default();
        zoo_mesh_create(&s.mesh, ZOO_KIND_SOUP, 300, 7);
        for (uint32_t k = 0; k < 3 * s.mesh.vertex_count; k++)
            s.mesh.positions[k / 3][k % 3] =
                (float)(1000.0 + 0x1p-13 * floor(between(&s, 0.0, 16.0)));
        willow_tree_def tree = straight_tree(arities[i % 3], 1);
        open_world(&s, &def, tree);
        throw_all(&s, 0x1p-13, false);
        look_at(&s, 0.0);
        size_t anchored = 0;
        for (uint32_t k = 1; k < 150; k++) {
            for (uint32_t n = 0; n < 4; n++)
                throw(&s, (uint32_t)(test_random(&s.random) % s.mesh.vertex_count), 1, 0x1p-13,
                      i >= 6 && k % 16 == 0);
            const willow_update_report report = look_at(&s, 0.125 * k);
            anchored += report.nodes_updated < tree_of(&s)->shape->node_count;
        }
        assert_true(anchored > 50);
        close_site(&s);
    }
}

/* Positions next to the largest float; some leave the range, and come back. */
static void vertices_may_leave_the_range_of_floats(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    for (uint32_t i = 0; i < 24; i++) {
        site s = {.random = i};
        const willow_world_def def = willow_world_def_default();
        const double size = i % 2 == 0 ? (double)FLT_MAX : (double)FLT_MAX / 20.0;
        zoo_mesh_create(&s.mesh, ZOO_KIND_SOUP, 40, 7);
        for (uint32_t k = 0; k < 3 * s.mesh.vertex_count; k++)
            s.mesh.positions[k / 3][k % 3] = (float)between(&s, -size, size);
        open_world(&s, &def, straight_tree(arities[i / 2 % 3], 1 + i % 2));
        throw_all(&s, size, i >= 12);
        look_at(&s, 0.0);
        for (uint32_t k = 1; k < 60; k++) {
            if (k % 3 == 0)
                throw(&s, (uint32_t)(test_random(&s.random) % s.mesh.vertex_count), 1, size,
                      k % 2 == 0);
            if (k % 7 == 0) put(&s, k % s.mesh.vertex_count, 1);
            look_at(&s, s.time + between(&s, 0.0, 0.05));
        }
        close_site(&s);
    }
}

/* The same with keyframes, between which they stay in it. */
static void keyframes_may_be_as_far_as_floats_go(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 60, straight_tree(i % 2 == 0 ? 2 : 8, 2));
        for (uint32_t k = 0; k < 3 * s.mesh.vertex_count; k++) s.mesh.positions[k / 3][k % 3] = 0;
        follow_keys(&s, 1.0, 0.999 * (double)FLT_MAX);
        if (i >= 2) throw(&s, 3, 2, 1e38, false);
        for (double time = 0.0; time < 5.0; time += 0.15) look_at(&s, time);
        close_site(&s);
    }
}

/* Where a rounding of time is longer than paths go straight on, a span is a moment. */
static void times_may_be_as_far_as_doubles_go(void **state)
{
    (void)state;
    static const double times[] = {1.0,    2.0,     1e9,    1e60, 1e119,  1e121,  1e300,  1.1e300,
                                   1e308,  1.1e308, -1.0,   -0.5, -1e308, -1e300, -1e121, 0.0,
                                   5e-324, 1e-323,  1e-300, 1e-9, 1e121,  1.5};
    for (uint32_t i = 0; i < 2 * COURSES; i++) {
        site s;
        open_site(&s, ZOO_KIND_SOUP, 40, straight_tree(i % 2 == 0 ? 2 : 8, 1));
        set_off(&s, (course)(i / 2), 1.0);
        for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
            look_at(&s, times[k]);
            throw(&s, (uint32_t)k, 1, 1e-3, false);
            look_at(&s, times[k]);
            look_at(&s, nextafter(times[k], (double)INFINITY));
        }
        close_site(&s);
    }
}

/* A parabola is beyond its ends half-way; here all of a span, between two keyframes that do not
 * move. */
static void parabolas_are_in_boxes_half_way(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 6; i++) {
        site s;
        open_site(&s, ZOO_KIND_SOUP, 60, straight_tree(i % 2 == 0 ? 2 : 8, 1 + i / 2));
        follow_keys(&s, 8.0, 0.0);
        throw(&s, 0, 20, 4.0, true);
        look_at(&s, 0.0);
        for (double time = 0.5; time < 40.0; time += 0.5) look_at(&s, time);
        close_site(&s);
    }
}

/* A change in the last part of a span, and lanes that are first looked at there. */
static void changes_near_the_end_of_a_span_do_not_end_it(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 300, straight_tree(i == 0 ? 2 : 8, 2));
        follow_keys(&s, 1.0, 0.25);
        throw(&s, 0, 4, 0.25, false);
        go_to(&s, 0.0);
        go_to(&s, 0.5);
        throw(&s, 8, 1, 64.0, false);
        willow_update_report report = go_to(&s, 0.5);
        const uint32_t span = chords_of(&s)->span;
        assert_true(report.nodes_updated > 0 && report.nodes_updated <= 64);
        go_to(&s, 0.9);
        assert_true(chords_of(&s)->share > 0.75);
        assert_int_equal(chords_of(&s)->span, span);
        expect_true_boxes(&s); /* of paths that changed after the span began */
        throw(&s, 12, 1, 0.25, false);
        report = look_at(&s, 0.9);
        assert_int_equal(report.plan_changes, 1);
        assert_int_equal(report.setups, 0);
        assert_int_equal(chords_of(&s)->span, span);
        expect_true_boxes(&s);
        go_to(&s, 1.0);
        expect_true_boxes(&s);
        close_site(&s);
    }
}

/* ---- how little it costs ---- */

static void nothing_is_computed_between_two_keyframes(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    for (uint32_t i = 0; i < 3; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 400, straight_tree(arities[i], 1));
        follow_keys(&s, 1.0, 0.25);
        assert_int_equal(go_to(&s, 0.0).setups, 1);
        const uint32_t nodes = tree_of(&s)->shape->node_count;
        for (uint32_t k = 1; k < 8 * KEYS; k++) {
            const willow_update_report report =
                k % 4 == 1 ? look_at(&s, 0.125 * k) : go_to(&s, 0.125 * k);
            const bool is_new = k % 8 == 0 && k / 8 < KEYS;
            assert_int_equal(report.nodes_updated, is_new ? nodes : 0); /* the next one alone */
            assert_int_equal(report.values_updated, is_new ? 6 * nodes : 0);
            assert_int_equal(report.vertices_evaluated + report.setups, 0);
            assert_int_equal(report.events + report.queue_operations, 0);
            assert_int_equal(report.certificates_checked, 0);
        }
        close_site(&s);
    }
}

static void keyframes_may_be_leapt_over(void **state)
{
    (void)state;
    site s;
    open_site(&s, ZOO_KIND_GRID, 400, straight_tree(8, 4));
    follow_keys(&s, 1.0, 0.25);
    s.time = -1.0;
    look_at(&s, -1.0);
    const uint32_t nodes = tree_of(&s)->shape->node_count;
    assert_int_equal(look_at(&s, -0.5).nodes_updated, 0);
    assert_int_equal(look_at(&s, 0.5).nodes_updated, nodes);     /* from 0 to 1 */
    assert_int_equal(look_at(&s, 2.5).nodes_updated, 2 * nodes); /* from 2 to 3 */
    assert_int_equal(look_at(&s, 3.5).nodes_updated, nodes);
    assert_int_equal(look_at(&s, 9.0).nodes_updated, nodes); /* the last one twice */
    assert_int_equal(look_at(&s, 99.0).nodes_updated, 0);
    const willow_update_report report = look_at(&s, 2.0);
    assert_int_equal(report.setups, 1);
    assert_int_equal(report.nodes_updated, 2 * nodes);
    close_site(&s);
}

/* In these they are as wide as what is in them. */
static void boxes_are_tight_in_keyframes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 200, straight_tree(i == 0 ? 2 : 8, 2));
        follow_keys(&s, 1.0, 0.25);
        for (uint32_t key = 0; key < KEYS; key++) {
            look_at(&s, key);
            const wi_tree *h = tree_of(&s);
            wi_box all = wi_box_empty();
            for (uint32_t place = 0; place < s.mesh.vertex_count; place++) {
                float p[3];
                wi_plan_point(wi_mesh_plan(h->mesh), wi_mesh_moment(h->mesh), place, p);
                wi_box_add_point(&all, p);
            }
            for (int axis = 0; axis < 3; axis++) {
                assert_true(all.lower[axis] - h->boxes.bounds.lower[axis] < 1e-5F);
                assert_true(h->boxes.bounds.upper[axis] - all.upper[axis] < 1e-5F);
            }
        }
        close_site(&s);
    }
}

/* All goes straight on: spans get longer and longer, so that most updates cost nothing. */
static void spans_get_longer_where_that_pays(void **state)
{
    (void)state;
    site s;
    uint32_t costly = 0;
    static const float same[3] = {0.25F, 0.5F, -0.125F};
    open_site(&s, ZOO_KIND_GRID, 400, straight_tree(2, 1));
    for (uint32_t i = 0; i < s.mesh.vertex_count; i++) {
        const willow_vertex_plan plan = {{same[0], same[1], same[2]}, {0, 0, 0}};
        assert_ok(willow_body_set_vertex_plan(s.world, s.body, i, &plan));
    }
    for (uint32_t i = 0; i < 1000; i++) costly += go_to(&s, 0.01 * i).nodes_updated > 0;
    expect_true_boxes(&s);
    assert_int_equal(chords_of(&s)->updates, 256);
    assert_true(costly < 8);
    close_site(&s);
}

/* Everything meets in one point, and goes on from there in another order. */
static void spans_get_shorter_where_boxes_are_loose(void **state)
{
    (void)state;
    site s;
    uint32_t least = UINT32_MAX;
    open_site(&s, ZOO_KIND_GRID, 400, straight_tree(2, 1));
    for (uint32_t i = 0; i < s.mesh.vertex_count; i++) {
        const float *p = s.mesh.positions[i];
        const willow_vertex_plan plan = {{-8 * p[0], -8 * p[1], -8 * p[2]}, {0, 0, 0}};
        assert_ok(willow_body_set_vertex_plan(s.world, s.body, i, &plan));
    }
    for (uint32_t i = 0; i < 100; i++) {
        go_to(&s, 0.02 * i);
        if (chords_of(&s)->updates < least) least = chords_of(&s)->updates;
    }
    expect_true_boxes(&s);
    assert_true(least >= 2 && least < 16);
    close_site(&s);
}

static double edges_of(const wi_box *box)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; axis++) sum += (double)box->upper[axis] - (double)box->lower[axis];
    return sum;
}

/* Edges of all boxes that nodes show, over those that bound what is in them. */
static double looseness_of_all(const site *s)
{
    const wi_tree *h = tree_of(s);
    wi_box *tight = malloc(h->shape->node_count * sizeof *tight);
    double shown = 0.0, needed = 0.0;
    wi_openings count = {0};
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = wi_open(h, node, &count);
        tight[node] = wi_box_empty();
        for (unsigned lane = 0; lane < view->count; lane++) {
            const bool is_leaf = (view->leaf_mask >> lane & 1) != 0;
            const wi_box own = is_leaf ? wi_leaf_box(h, &h->shape->leaves[view->child[lane]])
                                       : tight[view->child[lane]];
            const wi_box seen = wi_node_box(view, lane);
            wi_box_add_box(&tight[node], &own);
            shown += edges_of(&seen);
            needed += edges_of(&own);
        }
    }
    free(tight);
    return shown / needed;
}

/* At random velocities boxes are loose after a few updates, however long a span was to be. */
static void spans_that_are_too_long_are_noticed(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    for (uint32_t i = 0; i < 3; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 2000, straight_tree(arities[i], 1));
        throw_all(&s, 0.25, false);
        uint32_t least = UINT32_MAX;
        for (uint32_t k = 0; k < 40; k++) {
            go_to(&s, 0.02 * k);
            assert_true(looseness_of_all(&s) < 1.25);
            if (chords_of(&s)->updates < least) least = chords_of(&s)->updates;
        }
        assert_true(least < 64); /* the first guess was 256 */
        close_site(&s);
    }
}

/* Boxes far from 0 are wider than chords whatever the span is, and that is no reason to shorten it;
 * parabolas are. */
static void what_a_shorter_span_would_not_help_is_no_looseness(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        site s = {.random = 3};
        const willow_world_def def = willow_world_def_default();
        zoo_mesh_create(&s.mesh, ZOO_KIND_GRID, 600, 7);
        for (uint32_t k = 0; k < 3 * s.mesh.vertex_count; k++)
            s.mesh.positions[k / 3][k % 3] =
                0x1p20F + floorf(8.0F * s.mesh.positions[k / 3][k % 3]);
        open_world(&s, &def, straight_tree(2, 1));
        for (uint32_t k = 0; k < s.mesh.vertex_count; k++) {
            const willow_vertex_plan plan = {{0.01F, 0, 0}, {i == 0 ? 0.0F : 64.0F, 0, 0}};
            assert_ok(willow_body_set_vertex_plan(s.world, s.body, k, &plan));
        }
        for (uint32_t k = 0; k < 50; k++) go_to(&s, 0.01 * k);
        assert_true(i == 0 ? chords_of(&s)->updates == 256 : chords_of(&s)->updates < 256);
        expect_true_boxes(&s);
        close_site(&s);
    }
}

/* What the first update bounded is where the first span begins, unless paths have changed. */
static void the_second_update_bounds_the_end_of_a_span_alone(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 400, straight_tree(2, 1));
        throw_all(&s, 0.01, false);
        look_at(&s, 0.0);
        if (i == 1) throw(&s, 7, 1, 0.01, false);
        const willow_update_report report = look_at(&s, 0.25);
        assert_int_equal(report.nodes_updated, (i == 0 ? 1 : 2) * tree_of(&s)->shape->node_count);
        for (uint32_t k = 2; k < 20; k++) look_at(&s, 0.25 * k);
        close_site(&s);
    }
}

/* The first update is in front of a corner of all paths, the second behind it. */
static void a_span_does_not_go_round_a_corner(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 400, straight_tree(i == 0 ? 2 : 8, 1));
        follow_keys(&s, 1.0, 0.25);
        throw(&s, 0, 1, 0.01, false);
        look_at(&s, 0.75);
        for (double time = 1.25; time < 5.0; time += 0.125) look_at(&s, time);
        close_site(&s);
    }
}

static void a_few_changes_cost_what_is_above_them(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 4, 8};
    for (uint32_t i = 0; i < 3; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 2000, straight_tree(arities[i], 1));
        follow_keys(&s, 100.0, 0.25);
        throw(&s, 0, 1, 0.001, false);
        go_to(&s, 0.0);
        go_to(&s, 1.0); /* a span begins */
        const uint32_t span = chords_of(&s)->span, height = tree_of(&s)->shape->height;
        for (uint32_t k = 1; k < 10; k++) {
            throw(&s, 50 * k, 1, 0.01, false);
            const willow_update_report report = look_at(&s, 1.0 + 0.5 * k);
            assert_int_equal(report.plan_changes, 1);
            assert_int_equal(report.setups, 0);
            if ((k & (k - 1)) == 0) /* with a look at how loose boxes are */
                assert_in_range(report.vertices_evaluated, 2, s.mesh.vertex_count / 4);
            else
                assert_int_equal(report.vertices_evaluated, 1);
            assert_true(report.nodes_updated <= 6 * height); /* a vertex of six triangles */
            assert_int_equal(report.values_updated, 6 * report.nodes_updated);
        }
        assert_int_equal(chords_of(&s)->span, span);
        throw(&s, 0, s.mesh.vertex_count / 8, 0.01, false);
        willow_update_report report = look_at(&s, 5.75); /* no new set-up, but a new span */
        assert_int_equal(report.setups, 0);
        assert_true(chords_of(&s)->span >= span);
        throw(&s, 0, s.mesh.vertex_count / 2, 0.01, false);
        report = look_at(&s, 6.0);
        assert_int_equal(report.setups, 1);
        assert_int_equal(report.plan_changes, s.mesh.vertex_count / 2);
        close_site(&s);
    }
}

static void time_that_goes_back_is_a_set_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < COURSES; i++) {
        site s;
        open_site(&s, ZOO_KIND_GRID, 100, straight_tree(8, 2));
        set_off(&s, (course)i, 1.0);
        assert_int_equal(look_at(&s, 0.0).setups, 1);
        assert_int_equal(look_at(&s, 1.0).setups, 0);
        assert_int_equal(look_at(&s, 0.5).setups, 1);
        assert_int_equal(look_at(&s, 0.5).setups, 0);
        assert_int_equal(look_at(&s, 0.75).setups, 0);
        close_site(&s);
    }
}

/* Plans end, and other plans begin; trees are built again. */
static void plans_and_trees_come_and_go(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 8, 4};
    site s;
    open_site(&s, ZOO_KIND_GRID, 300, straight_tree(8, 2));
    for (uint32_t i = 0; i < 60; i++) {
        willow_tree_def tree = straight_tree(arities[i / 6 % 3], 1 + i % 4);
        if (i % 12 == 5) tree.events = WILLOW_EVENTS_BATCH;
        if (i % 12 == 7) tree.rebuild_ratio = 1.0F;
        switch (i % 6) {
        case 0: follow_keys(&s, 0.5, 0.125); break;
        case 1: throw_all(&s, 0.1, false); break;
        case 2: throw(&s, i, 3, 0.2, true); break;
        case 3: put(&s, 0, s.mesh.vertex_count); break; /* the end of the plan */
        case 4: throw(&s, 0, 5, 0.2, false); break;
        default: assert_ok(willow_body_set_tree(s.world, s.body, &tree));
        }
        for (uint32_t k = 0; k < 4; k++) {
            const double time = s.time + 0.1;
            assert_ok(willow_world_update(s.world, time, NULL));
            s.time = time;
            open_some(&s);
            assert_true(willow_world_validate(s.world, NULL, 0));
        }
    }
    close_site(&s);
}

/* Numbers of spans begin again at 1; what is kept of the first ones is not taken for new. */
static void spans_may_be_more_than_can_be_counted(void **state)
{
    (void)state;
    site s;
    open_site(&s, ZOO_KIND_GRID, 300, straight_tree(8, 2));
    follow_keys(&s, 1.0, 0.25);
    look_at(&s, 0.25);
    assert_int_equal(chords_of(&s)->span, 1);
    kept_kinetic(tree_of(&s))->straight.span = UINT32_MAX - 1;
    open_some(&s);
    for (double time = 0.5; time < 4.0; time += 0.25) look_at(&s, time);
    assert_true(chords_of(&s)->span < 4);
    close_site(&s);
}

/* ---- validators ---- */

static void expect_broken(const site *s, const char *words)
{
    const char *broken = wi_kinetic_validate(tree_of(s), kept_kinetic(tree_of(s)));
    if (broken == NULL || strncmp(broken, words, strlen(words)) != 0)
        fail_msg("\"%s\" is expected, and \"%s\" is said", words, broken ? broken : "nothing");
}

static void validators_see_what_is_broken(void **state)
{
    (void)state;
    site s;
    open_site(&s, ZOO_KIND_GRID, 100, straight_tree(8, 2));
    follow_keys(&s, 1.0, 0.25);
    look_at(&s, 0.5);
    wi_tree *h = tree_of(&s);
    wi_straight_boxes *c = &kept_kinetic(h)->straight, right = *c;
    assert_null(wi_kinetic_validate(h, kept_kinetic(h)));
    c->node_count--;
    expect_broken(&s, "K4");
    *c = right;
    c->share = 1.0625;
    expect_broken(&s, "K5");
    c->share = NAN;
    expect_broken(&s, "K5");
    *c = right;
    const uint32_t of = c->lanes_span[0];
    c->lanes_span[0] = c->span + 1;
    expect_broken(&s, "K6");
    c->lanes_span[0] = of;
    assert_null(wi_kinetic_validate(h, kept_kinetic(h)));
    assert_null(wi_kinetic_check(h));
    c->from[0].upper[1] -= 0.5F;
    const char *broken = wi_kinetic_check(h);
    assert_non_null(broken);
    assert_int_equal(strncmp(broken, "K3", 2), 0);
    c->from[0].upper[1] += 0.5F;
    close_site(&s);
}

/* ---- kernels and threads ---- */

typedef struct outcome {
    uint64_t boxes, counts;
} outcome;

static bool add_box(void *context, const willow_node *node)
{
    uint64_t *hash = context;
    *hash = wi_hash_bytes(*hash, &node->box, sizeof node->box);
    return true;
}

static uint64_t add_counts(uint64_t hash, const willow_update_report *r)
{
    const size_t counts[] = {r->nodes_updated, r->values_updated, r->vertices_evaluated,
                             r->plan_changes,  r->setups,         r->events};
    return wi_hash_bytes(hash, counts, sizeof counts);
}

static outcome play(uint32_t arity, willow_kernel kernel, uint32_t threads)
{
    site s = {.random = 3};
    outcome out = {0};
    willow_world_def def = willow_world_def_default();
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    def.kernel = kernel;
    def.thread_count = threads;
    options.use_threads = true;
    zoo_mesh_create(&s.mesh, ZOO_KIND_CRUMPLED, 200, 7);
    open_world(&s, &def, straight_tree(arity, 2));
    willow_scratch *scratch = fixture_scratch(s.world);
    follow_keys(&s, 1.0, 0.05);
    for (uint32_t i = 0; i < 60; i++) {
        if (i >= 20) change_a_few(&s, 1.0);
        if (i == 40) throw_all(&s, 0.1, false);
        const willow_update_report report = go_to(&s, 0.0625 * i);
        out.counts = add_counts(out.counts, &report);
        assert_ok(willow_find_self_pairs(s.world, scratch, &options, &pairs));
        out.boxes = wi_hash_u64(out.boxes, willow_pairs_hash(&pairs));
        if (i % 8 == 7) assert_ok(willow_body_visit_nodes(s.world, s.body, add_box, &out.boxes));
    }
    willow_scratch_destroy(scratch);
    close_site(&s);
    return out;
}

static void boxes_and_counts_are_the_same_with_any_threads_and_kernels(void **state)
{
    (void)state;
    for (uint32_t arity = 2; arity <= 8; arity *= 2) {
        const outcome right = play(arity, WILLOW_KERNEL_SCALAR, 1);
        for (uint32_t threads = 1; threads <= 4; threads *= 2)
            for (willow_kernel kernel = 0; kernel < WILLOW_KERNEL_COUNT; kernel++) {
                if (!zoo_has_kernel(kernel)) continue;
                const outcome out = play(arity, kernel, threads);
                assert_int_equal(out.counts, right.counts);
                assert_int_equal(out.boxes, right.boxes);
            }
    }
}

/* ---- no memory ---- */

/* Calls that may fail for want of memory are made again. */
static bool has_failed;

static willow_result again(willow_result result)
{
    assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
    has_failed = has_failed || result != WILLOW_OK;
    return result;
}

#define UNTIL_IT_WORKS(call)                                                                       \
    do {                                                                                           \
    } while (again(call) != WILLOW_OK)

static void update_until_it_works(site *s, double time)
{
    s->time = time;
    UNTIL_IT_WORKS(willow_world_update(s->world, time, NULL));
    expect_true_boxes(s);
}

/* Without a plan, on keyframes, with some paths and others, and without again. */
static void live_with_failures(site *s)
{
    static const double times[2] = {0.0, 2.0};
    static const float v[2][3] = {{0.25F, 0, 0}, {0, 0.25F, 0.5F}};
    const uint32_t count = s->mesh.vertex_count;
    float(*keys)[3] = calloc(2 * (size_t)count, sizeof *keys);
    willow_flightplan plan = willow_flightplan_default();
    memcpy(keys, s->mesh.positions, count * sizeof *keys);
    for (uint32_t i = 0; i < count; i++) keys[count + i][2] = keys[i][0];
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = 2;
    UNTIL_IT_WORKS(willow_world_update(s->world, 0.0, NULL));
    UNTIL_IT_WORKS(willow_body_set_flightplan(s->world, s->body, &plan));
    update_until_it_works(s, 0.25);
    UNTIL_IT_WORKS(willow_body_set_velocities(s->world, s->body, 1, 2, v, 0));
    update_until_it_works(s, 0.5);
    update_until_it_works(s, 0.75);
    UNTIL_IT_WORKS(willow_body_set_velocities(s->world, s->body, 3, 1, v, 0));
    update_until_it_works(s, 0.8);
    UNTIL_IT_WORKS(willow_body_set_vertices(s->world, s->body, 0, 1, s->mesh.positions, 0));
    update_until_it_works(s, 1.5);
    UNTIL_IT_WORKS(willow_body_set_vertices(s->world, s->body, 0, count, s->mesh.positions, 0));
    UNTIL_IT_WORKS(willow_world_update(s->world, 1.6, NULL));
    UNTIL_IT_WORKS(willow_body_set_velocities(s->world, s->body, 0, 2, v, 0));
    update_until_it_works(s, 1.7);
    free(keys);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint32_t arity = 2; arity <= 8; arity *= 2) {
        size_t n = 0;
        do {
            site s = {0};
            test_allocator allocator = {0};
            willow_world_def def = willow_world_def_default();
            def.allocator = test_allocator_functions(&allocator);
            zoo_mesh_create(&s.mesh, ZOO_KIND_GRID, 60, 7);
            open_world(&s, &def, straight_tree(arity, 1));
            has_failed = false;
            allocator.fail_at = allocator.calls + ++n;
            live_with_failures(&s);
            close_site(&s);
            assert_true(test_allocator_is_clean(&allocator));
        } while (has_failed);
        print_message("arity %u: %zu allocations\n", arity, n - 1);
        assert_true(n > 12);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_contain_their_vertices_at_all_times),
    cmocka_unit_test(roundings_do_not_add_up),
    cmocka_unit_test(vertices_may_leave_the_range_of_floats),
    cmocka_unit_test(keyframes_may_be_as_far_as_floats_go),
    cmocka_unit_test(times_may_be_as_far_as_doubles_go),
    cmocka_unit_test(parabolas_are_in_boxes_half_way),
    cmocka_unit_test(changes_near_the_end_of_a_span_do_not_end_it),
    cmocka_unit_test(nothing_is_computed_between_two_keyframes),
    cmocka_unit_test(keyframes_may_be_leapt_over),
    cmocka_unit_test(boxes_are_tight_in_keyframes),
    cmocka_unit_test(spans_get_longer_where_that_pays),
    cmocka_unit_test(spans_get_shorter_where_boxes_are_loose),
    cmocka_unit_test(spans_that_are_too_long_are_noticed),
    cmocka_unit_test(what_a_shorter_span_would_not_help_is_no_looseness),
    cmocka_unit_test(the_second_update_bounds_the_end_of_a_span_alone),
    cmocka_unit_test(a_span_does_not_go_round_a_corner),
    cmocka_unit_test(a_few_changes_cost_what_is_above_them),
    cmocka_unit_test(time_that_goes_back_is_a_set_up),
    cmocka_unit_test(plans_and_trees_come_and_go),
    cmocka_unit_test(spans_may_be_more_than_can_be_counted),
    cmocka_unit_test(validators_see_what_is_broken),
    cmocka_unit_test(boxes_and_counts_are_the_same_with_any_threads_and_kernels),
    cmocka_unit_test(every_allocation_may_fail),
};

TEST_GROUP(straight_boxes, tests);
