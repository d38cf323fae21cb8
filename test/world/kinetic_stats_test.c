/* willow_kinetic_stats: the four measures of a kinetic hierarchy, by hand on two triangles and
 * against loops over all vertices on random ones. */
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { MOST_VERTICES = 300, MOST_TRIANGLES = 200, MOST_ITEMS = 600, ENDS = 6 };

typedef struct site {
    uint32_t vertex_count, triangle_count;
    float at[MOST_VERTICES][3], speed[MOST_VERTICES][3];
    uint32_t faces[MOST_TRIANGLES][3];
    willow_world *world;
    willow_body_id body;
} site;

static void open_site(site *s, willow_events events, uint32_t arity, uint32_t leaf_triangles)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(s->at, s->vertex_count, s->faces, s->triangle_count);
    def.tree.method = WILLOW_METHOD_KINETIC_AABB;
    def.tree.events = events;
    def.tree.arity = arity;
    def.tree.leaf_triangles = leaf_triangles;
    def.tree.rebuild_ratio = INFINITY;
    s->world = fixture_world(NULL);
    s->body = fixture_body(s->world, &def);
}

static void update(site *s, double time) { assert_ok(willow_world_update(s->world, time, NULL)); }

static willow_kinetic_stats stats_of(const site *s)
{
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(s->world, s->body, &stats));
    return stats.kinetic;
}

/* ---- by hand ---- */

/* Vertices 0, 1, 2 and 3, 4, 5, ten further along x; the second vertex moves along x. Leaves are
 * the triangles, and there is one node. */
static void open_two(site *s, willow_events events, float speed, float acceleration)
{
    static const float at[6][3] = {{0, 0, 0},  {1, 2, 1},  {2, 1, 2},
                                   {10, 0, 0}, {11, 2, 1}, {12, 1, 2}};
    static const uint32_t faces[2][3] = {{0, 1, 2}, {3, 4, 5}};
    const willow_vertex_plan plan = {{speed, 0, 0}, {acceleration, 0, 0}};
    *s = (site){.vertex_count = 6, .triangle_count = 2};
    memcpy(s->at, at, sizeof at);
    memcpy(s->faces, faces, sizeof faces);
    open_site(s, events, 2, 1);
    assert_ok(willow_body_set_vertex_plan(s->world, s->body, 1, &plan));
    update(s, 0.0);
}

static void check_counts(const site *s, size_t certificates, uint64_t events, uint64_t internal,
                         uint64_t values, uint32_t values_most)
{
    const willow_kinetic_stats stats = stats_of(s);
    assert_int_equal(stats.certificates, certificates);
    assert_int_equal(stats.events, events);
    assert_int_equal(stats.events_internal, internal);
    assert_int_equal(stats.values_updated, values);
    assert_int_equal(stats.values_per_event_most, values_most);
}

/* At 1/4 it is beyond vertex 2, which the queue knows; at 11/4 beyond vertex 5, which the queue
 * knows as soon as it is an end of its leaf. */
static void two_triangles_have_the_counts_found_by_hand(void **state)
{
    (void)state;
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        open_two(&s, events, 4.0F, 0.0F);
        check_counts(&s, 1, 0, 0, 0, 0);
        update(&s, 1.0);
        check_counts(&s, 1, 1, 0, 1, 1);
        update(&s, 3.0);
        check_counts(&s, 0, 2, 0, 2, 1);
        const willow_kinetic_stats stats = stats_of(&s);
        assert_int_equal(stats.certificates_most, 1);
        assert_int_equal(stats.certificates_checked, 3 * ENDS + 3);
        assert_int_equal(stats.queue_operations, 4); /* two in, two out */
        assert_int_equal(stats.setups, 1);
        assert_int_equal(stats.plan_changes, 0); /* it had its plan when it was set up */
        willow_world_destroy(s.world);
    }
}

/* Both at once: in a batch one event goes all the way up, in a stream each changes its own box. */
static void a_batch_counts_how_far_up_a_change_came(void **state)
{
    (void)state;
    site s;
    open_two(&s, WILLOW_EVENTS_BATCH, 4.0F, 0.0F);
    update(&s, 3.0);
    check_counts(&s, 0, 1, 0, 2, 2);
    willow_world_destroy(s.world);
    open_two(&s, WILLOW_EVENTS_STREAM, 4.0F, 0.0F);
    update(&s, 3.0);
    check_counts(&s, 0, 2, 0, 2, 1);
    willow_world_destroy(s.world);
}

/* It is beyond vertex 2 from 0.15 to 0.85, and beyond vertex 0, on the other side, after 1.1. */
static void who_falls_back_in_time_is_an_internal_event_of_a_batch(void **state)
{
    (void)state;
    site s;
    open_two(&s, WILLOW_EVENTS_BATCH, 8.0F, -16.0F);
    check_counts(&s, 2, 0, 0, 0, 0);
    update(&s, 1.0);
    check_counts(&s, 1, 1, 1, 0, 0);
    willow_world_destroy(s.world);
    open_two(&s, WILLOW_EVENTS_STREAM, 8.0F, -16.0F);
    update(&s, 1.0);
    check_counts(&s, 1, 2, 0, 2, 1);
    willow_world_destroy(s.world);
}

/* All have a part in the six certificates of their leaf. Of each leaf the first vertex is the lower
 * end three times, the second is the upper end along y, the third along x and z. */
static void two_triangles_have_the_locality_found_by_hand(void **state)
{
    (void)state;
    site s;
    open_two(&s, WILLOW_EVENTS_BATCH, 4.0F, 0.0F);
    const willow_kinetic_stats stats = stats_of(&s);
    assert_true(stats.certificates_per_vertex == (9.0 + 7.0 + 8.0) / 3.0);
    assert_int_equal(stats.certificates_per_vertex_most, 9);
    assert_true(stats.bytes > 0);
    willow_world_destroy(s.world);
}

/* ---- a life ---- */

static void totals_outlive_the_tree(void **state)
{
    (void)state;
    site s;
    willow_tree_def tree = willow_tree_def_default();
    open_two(&s, WILLOW_EVENTS_STREAM, 4.0F, 0.0F);
    update(&s, 3.0);
    tree.method = WILLOW_METHOD_KINETIC_AABB;
    assert_ok(willow_body_set_tree(s.world, s.body, &tree));
    update(&s, 4.0);
    willow_kinetic_stats stats = stats_of(&s);
    assert_int_equal(stats.setups, 2);
    assert_int_equal(stats.events, 2);
    assert_int_equal(stats.certificates_most, 1);
    assert_int_equal(stats.values_per_event_most, 1);

    /* Whoever sets positions ends the plan, and the certificates with it. */
    assert_ok(willow_body_set_vertices(s.world, s.body, 0, s.vertex_count, s.at, sizeof *s.at));
    update(&s, 5.0);
    stats = stats_of(&s);
    assert_int_equal(stats.certificates, 0);
    assert_int_equal(stats.certificates_per_vertex_most, 0);
    assert_int_equal(stats.events, 2);
    willow_world_destroy(s.world);
}

/* All leap, and then one has a path again before anybody has looked. */
static void positions_between_two_plans_need_a_new_setup(void **state)
{
    (void)state;
    site s;
    willow_body_info info;
    const willow_vertex_plan plan = {{1, 0, 0}, {0, 0, 0}};
    open_two(&s, WILLOW_EVENTS_BATCH, 4.0F, 0.0F);
    for (uint32_t v = 0; v < s.vertex_count; v++) s.at[v][0] = -s.at[v][0];
    assert_ok(willow_body_set_vertices(s.world, s.body, 0, s.vertex_count, s.at, 0));
    assert_ok(willow_body_set_vertex_plan(s.world, s.body, 1, &plan));
    update(&s, 0.5);
    assert_int_equal(stats_of(&s).setups, 2);
    assert_ok(willow_body_get_info(s.world, s.body, &info));
    assert_true(info.box.lower.x <= -12.0F && info.box.upper.x >= 0.0F);
    willow_world_destroy(s.world);
}

static void plan_changes_are_counted_once_per_vertex_and_update(void **state)
{
    (void)state;
    site s;
    const willow_vertex_plan plan = {{-1, 0, 0}, {0, 0, 0}};
    open_two(&s, WILLOW_EVENTS_BATCH, 4.0F, 0.0F);
    for (int i = 0; i < 2; i++) assert_ok(willow_body_set_vertex_plan(s.world, s.body, 1, &plan));
    update(&s, 0.5);
    assert_int_equal(stats_of(&s).plan_changes, 1);
    assert_int_equal(stats_of(&s).setups, 1);
    willow_world_destroy(s.world);
}

static void bodies_of_other_methods_have_no_kinetic_stats(void **state)
{
    (void)state;
    site s;
    willow_tree_def tree = willow_tree_def_default();
    const willow_kinetic_stats none = {0};
    s = (site){.vertex_count = 3, .triangle_count = 1, .faces = {{0, 1, 2}}};
    open_site(&s, WILLOW_EVENTS_BATCH, 2, 1);
    tree.method = WILLOW_METHOD_BOTTOM_UP;
    assert_ok(willow_body_set_tree(s.world, s.body, &tree));
    update(&s, 0.0);
    const willow_kinetic_stats stats = stats_of(&s);
    assert_memory_equal(&stats, &none, sizeof none);
    willow_world_destroy(s.world);
}

/* ---- against loops ---- */

/* What is below each node and leaf of the tree. */
typedef struct ancestry {
    const site *s;
    uint32_t count;
    uint32_t parent[MOST_ITEMS];
    bool is_leaf[MOST_ITEMS];
    bool has[MOST_ITEMS][MOST_VERTICES];
} ancestry;

static bool note_node(void *context, const willow_node *node)
{
    ancestry *a = context;
    assert_true(node->number < MOST_ITEMS);
    a->parent[node->number] = node->parent;
    a->is_leaf[node->number] = node->is_leaf;
    a->count = node->number + 1 > a->count ? node->number + 1 : a->count;
    for (uint32_t i = 0; i < node->triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            const uint32_t vertex = a->s->faces[node->triangles[i]][k];
            for (uint32_t up = node->number;; up = a->parent[up]) {
                a->has[up][vertex] = true;
                if (up == 0) break;
            }
        }
    return true;
}

static ancestry *ancestry_of(const site *s)
{
    ancestry *a = calloc(1, sizeof *a);
    assert_non_null(a);
    a->s = s;
    assert_ok(willow_body_visit_nodes(s->world, s->body, note_node, a));
    return a;
}

static double along(const site *s, uint32_t vertex, unsigned end, double time)
{
    const double x = (double)s->at[vertex][end % 3] + time * (double)s->speed[vertex][end % 3];
    return end < 3 ? -x : x;
}

static double speed_along(const site *s, uint32_t vertex, unsigned end)
{
    return end < 3 ? -(double)s->speed[vertex][end % 3] : (double)s->speed[vertex][end % 3];
}

/* The foremost vertex below an item. */
static uint32_t end_of(const ancestry *a, uint32_t item, unsigned end, double time)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t v = 0; v < a->s->vertex_count; v++)
        if (a->has[item][v] &&
            (best == UINT32_MAX || along(a->s, v, end, time) > along(a->s, best, end, time)))
            best = v;
    return best;
}

/* Among whom an end is chosen. */
static void find_rivals(const ancestry *a, uint32_t item, unsigned end, double time,
                        bool is_rival[MOST_VERTICES])
{
    memset(is_rival, 0, MOST_VERTICES * sizeof *is_rival);
    if (a->is_leaf[item]) memcpy(is_rival, a->has[item], MOST_VERTICES * sizeof *is_rival);
    for (uint32_t child = 1; child < a->count && !a->is_leaf[item]; child++)
        if (a->parent[child] == item) is_rival[end_of(a, child, end, time)] = true;
}

static void check_locality_and_compactness(const site *s, const ancestry *a, double time)
{
    uint32_t parts[MOST_VERTICES] = {0}, vertices = 0, most = 0, sum = 0;
    size_t certificates = 0;
    for (uint32_t item = 0; item < a->count; item++)
        for (unsigned end = 0; end < ENDS; end++) {
            bool is_rival[MOST_VERTICES], can_fail = false;
            const uint32_t leader = end_of(a, item, end, time);
            find_rivals(a, item, end, time, is_rival);
            for (uint32_t v = 0; v < s->vertex_count; v++) {
                parts[v] += is_rival[v];
                can_fail = can_fail ||
                           (is_rival[v] && speed_along(s, v, end) > speed_along(s, leader, end));
            }
            certificates += can_fail;
        }
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        vertices += parts[v] > 0;
        sum += parts[v];
        most = parts[v] > most ? parts[v] : most;
    }
    const willow_kinetic_stats stats = stats_of(s);
    assert_int_equal(stats.certificates, certificates);
    assert_true(stats.certificates_per_vertex == (double)sum / (double)vertices);
    assert_int_equal(stats.certificates_per_vertex_most, most);
}

/* How often another vertex becomes an end of an item until a time. */
static uint32_t count_leaders(const ancestry *a, uint32_t item, unsigned end, double until)
{
    const site *s = a->s;
    uint32_t leader = end_of(a, item, end, 0.0), changes = 0;
    for (;;) {
        double first = until;
        uint32_t next = UINT32_MAX;
        for (uint32_t v = 0; v < s->vertex_count; v++) {
            const double gain = speed_along(s, v, end) - speed_along(s, leader, end);
            if (!a->has[item][v] || !(gain > 0.0)) continue;
            const double when = (along(s, leader, end, 0.0) - along(s, v, end, 0.0)) / gain;
            if (when < first) {
                first = when;
                next = v;
            }
        }
        if (next == UINT32_MAX) return changes;
        leader = next;
        changes++;
    }
}

static uint64_t count_values(const ancestry *a, double until)
{
    uint64_t values = 0;
    for (uint32_t item = 0; item < a->count; item++)
        for (unsigned end = 0; end < ENDS; end++) values += count_leaders(a, item, end, until);
    return values;
}

/* A square of triangles that share vertices, all at random heights and with random speeds. */
static void make_random(site *s, uint64_t *random)
{
    enum { SIDE = 9 };
    *s = (site){.vertex_count = (SIDE + 1) * (SIDE + 1), .triangle_count = 2 * SIDE * SIDE};
    for (uint32_t v = 0; v < s->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t cell = axis == 0 ? v % (SIDE + 1) : axis == 1 ? v / (SIDE + 1) : 0;
            s->at[v][axis] = (float)((double)cell + test_random_between(random, -0.5, 0.5));
            s->speed[v][axis] = (float)test_random_between(random, -1.0, 1.0);
        }
    for (uint32_t i = 0; i < s->triangle_count; i++) {
        const uint32_t a = i / 2 % SIDE + i / 2 / SIDE * (SIDE + 1), c = a + SIDE + 2;
        const uint32_t face[3] = {a, i % 2 == 0 ? a + 1 : c, i % 2 == 0 ? c : a + SIDE + 1};
        memcpy(s->faces[i], face, sizeof face);
    }
}

static void start_random(site *s, willow_events events, uint32_t arity, uint32_t leaf_triangles)
{
    open_site(s, events, arity, leaf_triangles);
    assert_ok(willow_body_set_velocities(s->world, s->body, 0, s->vertex_count, s->speed, 0));
    update(s, 0.0);
}

static void random_bodies_have_the_stats_that_loops_find(void **state)
{
    (void)state;
    static const uint32_t shapes[][2] = {{2, 1}, {2, 3}, {4, 2}, {8, 1}, {8, 16}};
    uint64_t random = 8, values = 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
            site s;
            make_random(&s, &random);
            start_random(&s, events, shapes[i][0], shapes[i][1]);
            ancestry *a = ancestry_of(&s);
            for (double time = 0.0; time < 3.0; time += 0.375) {
                update(&s, time);
                check_locality_and_compactness(&s, a, time);
                const willow_kinetic_stats stats = stats_of(&s);
                const uint64_t expected = count_values(a, time);
                assert_true(stats.values_updated <= expected);
                if (events != WILLOW_EVENTS_STREAM) continue;
                assert_int_equal(stats.values_updated, expected);
                assert_int_equal(stats.events_internal, 0);
            }
            willow_body_stats stats;
            assert_ok(willow_body_get_stats(s.world, s.body, &stats));
            assert_true(stats.kinetic.values_per_event_most <= stats.height + 1);
            values += stats.kinetic.values_updated;
            free(a);
            willow_world_destroy(s.world);
        }
    print_message("%u values updated\n", (unsigned)values);
    assert_true(values > 0);
}

static void a_stream_has_as_many_events_however_time_is_cut(void **state)
{
    (void)state;
    static const int cuts[] = {1, 7, 300};
    uint64_t events[3], values[3];
    for (int i = 0; i < 3; i++) {
        site s;
        uint64_t random = 5;
        make_random(&s, &random);
        start_random(&s, WILLOW_EVENTS_STREAM, 2, 1);
        for (int k = 1; k <= cuts[i]; k++) update(&s, 3.0 * k / cuts[i]);
        events[i] = stats_of(&s).events;
        values[i] = stats_of(&s).values_updated;
        willow_world_destroy(s.world);
    }
    assert_true(events[0] > 100);
    for (int i = 1; i < 3; i++) {
        assert_int_equal(events[i], events[0]);
        assert_int_equal(values[i], values[0]);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(two_triangles_have_the_counts_found_by_hand),
    cmocka_unit_test(a_batch_counts_how_far_up_a_change_came),
    cmocka_unit_test(who_falls_back_in_time_is_an_internal_event_of_a_batch),
    cmocka_unit_test(two_triangles_have_the_locality_found_by_hand),
    cmocka_unit_test(totals_outlive_the_tree),
    cmocka_unit_test(positions_between_two_plans_need_a_new_setup),
    cmocka_unit_test(plan_changes_are_counted_once_per_vertex_and_update),
    cmocka_unit_test(bodies_of_other_methods_have_no_kinetic_stats),
    cmocka_unit_test(random_bodies_have_the_stats_that_loops_find),
    cmocka_unit_test(a_stream_has_as_many_events_however_time_is_cut),
};

TEST_GROUP(kinetic_stats, tests);
