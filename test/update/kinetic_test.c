/* Kinetic trees, event by event. At the time of every event and between any two all boxes contain
 * what is below them; equal times, paths that never part and paths that only touch are no trouble;
 * events do not depend on how often somebody looks; and nothing is computed that no event names. */
#include <math.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "update/kinetic/certificates.h"
#include "willow/willow.h"
#include "world/world.h"

/* What all of this is about, one after the other. */
static const struct variant {
    const char *name;
    willow_method method;
    bool exact_events;
} variants[] = {{"kinetic_aabb", WILLOW_METHOD_KINETIC_AABB, false},
                {"kinetic_boxtree", WILLOW_METHOD_KINETIC_BOXTREE, false},
                {"kinetic_boxtree, exact events", WILLOW_METHOD_KINETIC_BOXTREE, true}};

static const struct variant *chosen = &variants[0];

static bool is_boxtree(void) { return chosen->method == WILLOW_METHOD_KINETIC_BOXTREE; }

typedef struct site {
    willow_world *world;
    willow_body_id body;
    uint32_t vertex_count;
} site;

static willow_tree_def kinetic_tree(willow_events events, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = chosen->method;
    tree.exact_events = chosen->exact_events;
    tree.events = events;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    tree.rebuild_ratio = INFINITY; /* a look for decay reads all positions */
    return tree;
}

static void open_site_in(site *s, const willow_world_def *def, const float *positions,
                         uint32_t vertex_count, const uint32_t *tris, uint32_t tri_count,
                         willow_tree_def tree)
{
    willow_body_def body = willow_body_def_default();
    body.mesh = FIXTURE_MESH(positions, vertex_count, tris, tri_count);
    body.tree = tree;
    body.self = true;
    s->vertex_count = vertex_count;
    s->world = fixture_world(def);
    s->body = fixture_body(s->world, &body);
}

static void open_site(site *s, const float *positions, uint32_t vertex_count, const uint32_t *tris,
                      uint32_t tri_count, willow_tree_def tree)
{
    const willow_world_def def = willow_world_def_default();
    open_site_in(s, &def, positions, vertex_count, tris, tri_count, tree);
}

static void close_site(site *s) { willow_world_destroy(s->world); }

static const wi_tree *tree_of(const site *s) { return &s->world->bodies.items[0]->geometry->tree; }

static const wi_event_queue *queue_of(const site *s) { return &kept_kinetic(tree_of(s))->queue; }

/* To a time, at which all must be true. */
static willow_update_report go_to(site *s, double time)
{
    willow_update_report report;
    char reason[200];
    assert_ok(willow_world_update(s->world, time, &report));
    const char *broken = wi_kinetic_check(tree_of(s));
    if (broken) fail_msg("at %.17g: %s", time, broken);
    if (!willow_world_validate(s->world, reason, sizeof reason))
        fail_msg("at %.17g: %s", time, reason);
    return report;
}

/* Random paths, in eighths so that many meet at once, or not. */
static void throw_about(site *s, uint64_t seed, bool is_coarse, bool is_bent)
{
    float(*v)[3] = calloc(s->vertex_count, sizeof *v), (*a)[3] = calloc(s->vertex_count, sizeof *a);
    for (uint32_t i = 0; i < 3 * s->vertex_count; i++) {
        const double speed = test_random_between(&seed, -8.0, 8.0);
        v[i / 3][i % 3] = (float)(is_coarse ? floor(speed) / 8.0 : speed / 8.0);
        a[i / 3][i % 3] = (float)floor(test_random_between(&seed, -4.0, 4.0)) / 4.0F;
    }
    if (is_bent)
        assert_ok(willow_body_set_accelerations(s->world, s->body, 0, s->vertex_count, a, 0));
    else
        assert_ok(willow_body_set_velocities(s->world, s->body, 0, s->vertex_count, v, 0));
    free(v);
    free(a);
}

static void open_zoo(site *s, zoo_kind kind, uint32_t size, willow_tree_def tree)
{
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, kind, size, 7);
    open_site(s, mesh.positions[0], mesh.vertex_count, mesh.tris[0], mesh.triangle_count, tree);
    zoo_mesh_destroy(&mesh);
}

/* ---- single events ---- */

/* The first event is taken out and put back. */
static bool first_event(const site *s, wi_event *first)
{
    wi_event_queue *queue = (wi_event_queue *)queue_of(s);
    if (!wi_queue_take(queue, (double)INFINITY, first)) return false;
    wi_queue_set(queue, first->slot, first->time);
    return true;
}

/* From event to event, and to the middle between two. */
static size_t run_events(site *s, size_t most)
{
    size_t events = 0;
    wi_event next;
    double time = 0.0;
    go_to(s, time);
    while (events < most && first_event(s, &next)) {
        const double middle = time + 0.5 * (next.time - time);
        assert_true(next.time > time);
        if (middle > time && middle < next.time) {
            const willow_update_report quiet = go_to(s, middle);
            assert_int_equal(quiet.events, 0);
            assert_int_equal(quiet.vertices_evaluated, 0);
        }
        time = next.time;
        const willow_update_report report = go_to(s, time);
        assert_true(report.events >= 1);
        assert_true(report.vertices_evaluated >= report.certificates_checked);
        events += report.events;
    }
    return events;
}

static void all_boxes_are_true_at_every_event_and_between_any_two(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_SOUP, ZOO_KIND_FOLDED, ZOO_KIND_SPHERE,
                                     ZOO_KIND_LATTICE};
    static const uint32_t arities[] = {2, 4, 8}, leaves[] = {1, 2, 16};
    size_t events = 0;
    for (uint32_t i = 0; i < 36; i++) {
        site s;
        open_zoo(&s, kinds[i % 4], 30,
                 kinetic_tree(WILLOW_EVENTS_STREAM, arities[i / 4 % 3], leaves[i / 12]));
        throw_about(&s, i, i % 2 == 0, false);
        go_to(&s, 0.0);
        if (i % 3 == 0) throw_about(&s, i, true, true);
        events += run_events(&s, 150);
        close_site(&s);
    }
    print_message("%zu events\n", events);
    assert_true(events > 1000);
}

/* ---- hard times ---- */

enum { CROWD = 2000 };

/* Triangles in a row; all of their vertices meet in one plane at time 1, in another order after. */
static void open_crowd(site *s, willow_events events)
{
    static float positions[3 * CROWD][3], velocities[3 * CROWD][3];
    static uint32_t tris[3 * CROWD];
    for (uint32_t i = 0; i < 3 * CROWD; i++) {
        const float speed = (float)((i * 7919) % 512) / 16.0F;
        positions[i][0] = -speed;
        positions[i][1] = (float)(i / 3) + (float)(i % 3) / 4.0F;
        positions[i][2] = (float)(i % 3 == 1);
        velocities[i][0] = speed;
        tris[i] = i;
    }
    open_site(s, positions[0], 3 * CROWD, tris, CROWD, kinetic_tree(events, 2, 1));
    assert_ok(willow_body_set_velocities(s->world, s->body, 0, 3 * CROWD, velocities, 0));
}

static void thousands_of_events_at_one_moment_are_handled(void **state)
{
    (void)state;
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        open_crowd(&s, events);
        go_to(&s, 0.0);
        assert_int_equal(go_to(&s, 0.999).events, 0);
        size_t count = go_to(&s, 1.0).events;
        count += go_to(&s, nextafter(1.0, 2.0)).events;
        count += go_to(&s, 1.001).events;
        print_message("%s: %zu events\n", willow_events_name(events), count);
        /* Both ends of every leaf; of a BoxTree, those that are cut across the way. */
        assert_true(count >= (is_boxtree() ? CROWD / 4 : 2 * CROWD));
        assert_int_equal(go_to(&s, 100.0).events, 0);
        close_site(&s);
    }
}

static void vertices_that_travel_together_never_meet(void **state)
{
    (void)state;
    static const float speed[3] = {0.1F, -0.7F, 3e-3F}, bend[3] = {1e-3F, 0.3F, -0.2F};
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        open_zoo(&s, ZOO_KIND_DUPLICATES, 60, kinetic_tree(events, 8, 2));
        for (uint32_t i = 0; i < s.vertex_count; i++) {
            const willow_vertex_plan plan = {{speed[0], speed[1], speed[2]},
                                             {bend[0], bend[1], bend[2]}};
            assert_ok(willow_body_set_vertex_plan(s.world, s.body, i, &plan));
        }
        go_to(&s, 0.0);
        assert_int_equal(queue_of(&s)->count, 0);
        for (double time = 1e-9; time < 1e9; time *= 7.0) {
            const willow_update_report report = go_to(&s, time);
            assert_int_equal(report.events + report.vertices_evaluated, 0);
        }
        close_site(&s);
    }
}

/* One vertex stands, and is the first along x; another comes up to it at time 1 and falls back. */
static uint32_t holder_of_upper_x(const site *s)
{
    enum { UPPER_X = 3 };
    const wi_kinetic *k = kept_kinetic(tree_of(s));
    return is_boxtree() ? k->box.parts[UPPER_X].place : k->items[0].ends[UPPER_X];
}

static void paths_that_only_touch_change_no_end(void **state)
{
    (void)state;
    static const float corners[3][3] = {{0, 0, 0}, {-1, 1, 0}, {-4, 0, 1}};
    static const uint32_t tri[3] = {0, 1, 2};
    static const double times[] = {0.5, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.5, 2.0, 100.0};
    const willow_vertex_plan plan = {{2, 0, 0}, {-2, 0, 0}};
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        open_site(&s, corners[0], 3, tri, 1, kinetic_tree(events, 2, 1));
        assert_ok(willow_body_set_vertex_plan(s.world, s.body, 1, &plan));
        go_to(&s, 0.0);
        const uint32_t first = holder_of_upper_x(&s);
        assert_int_equal(first, tree_of(&s)->mesh->place[0]);
        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) go_to(&s, times[i]);
        assert_int_equal(holder_of_upper_x(&s), first);
        close_site(&s);
    }
}

/* Vertices so close to each other that roundings decide who is ahead: no event comes for ever. */
static void hardly_different_keyframes_come_to_an_end(void **state)
{
    (void)state;
    static const double times[] = {1.0, 2.0, 3.0};
    static const float keys[3][3][3] = {{{0, 0, 0}, {1e-20F, 1, 0}, {-1, 0, 1}},
                                        {{5e-21F, 0, 0}, {1e-20F, 1, 0}, {-1, 0, 1}},
                                        {{5e-21F, 0, 0}, {4e-21F, 1, 0}, {1, 0, 1}}};
    static const uint32_t tri[3] = {0, 1, 2};
    for (uint32_t i = 0; i < 6; i++) {
        site s;
        willow_tree_def tree = kinetic_tree((willow_events)(i % 3), 2, 1);
        willow_flightplan plan = willow_flightplan_default();
        tree.search_keyframes = i / 3 == 1;
        open_site(&s, keys[0][0], 3, tri, 1, tree);
        plan.positions = keys;
        plan.times = times;
        plan.keyframe_count = 3;
        assert_ok(willow_body_set_flightplan(s.world, s.body, &plan));
        size_t events = 0;
        for (double time = 0.0; time < 4.0; time += 0.3) events += go_to(&s, time).events;
        assert_true(events < 20);
        close_site(&s);
    }
}

static void follow_keys(site *s, const float *positions, const double *times, uint32_t count)
{
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = positions;
    plan.times = times;
    plan.keyframe_count = count;
    assert_ok(willow_body_set_flightplan(s->world, s->body, &plan));
}

/* Next to 0 the least step of time is long: what is overtaken within it is still in its box. */
static void keyframes_may_be_closer_to_each_other_than_times_are_fine(void **state)
{
    (void)state;
    static const double spans[] = {1e-300, 1e-307, 3e-308, 1e-310, 5e-324};
    static const float keys[2][3][3] = {{{0, 0, 0}, {-1e-9F, 1, 0}, {-1, 0, 1}},
                                        {{0, 0, 0}, {1, 1, 0}, {-1, 0, 1}}};
    static const uint32_t tri[3] = {0, 1, 2};
    for (uint32_t i = 0; i < 30; i++) {
        site s;
        willow_tree_def tree = kinetic_tree((willow_events)(i % 3), 2, 1);
        const double times[2] = {0.0, spans[i / 6]};
        tree.search_keyframes = i / 3 % 2 == 1;
        open_site(&s, keys[0][0], 3, tri, 1, tree);
        follow_keys(&s, keys[0][0], times, 2);
        go_to(&s, 0.0);
        for (double time = 5e-324; time < 4.0 * times[1]; time *= 2.0) go_to(&s, time);
        close_site(&s);
    }
}

/* Slower than any double above 0: the second vertex overtakes the first all the same. */
static void the_slowest_vertices_are_not_taken_for_standing_ones(void **state)
{
    (void)state;
    static const double times[2] = {0.0, 1e300};
    static const float keys[2][3][3] = {{{1e-42F, 0, 0}, {-1e-42F, 1e-42F, 0}, {0, 0, 1e-42F}},
                                        {{1e-42F, 0, 0}, {5e-42F, 1e-42F, 0}, {0, 0, 1e-42F}}};
    static const uint32_t tri[3] = {0, 1, 2};
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        open_site(&s, keys[0][0], 3, tri, 1, kinetic_tree(events, 2, 1));
        follow_keys(&s, keys[0][0], times, 2);
        assert_ok(willow_body_set_vertices(s.world, s.body, 2, 1, keys[0][2], 0));
        for (double time = 0.0; time < 2e300; time += 1e299) go_to(&s, time);
        close_site(&s);
    }
}

/* Paths end after 2^400 units of time, and begin as long before: events come to an end, too. Some
 * of these vertices are within that of their start, some are not, and time goes on to either. */
static void times_as_far_as_doubles_go_are_no_trouble(void **state)
{
    (void)state;
    static const double times[] = {4e300,  3e300,  3.5e300, 4e300,  1e60, 1e100, 1e121,
                                   -1e300, -1e121, -1e119,  -1e60,  -1.0, 0.0,   1.0,
                                   1e121,  -1e308, 1e308,   -1e130, 1.0,  2.0};
    for (uint32_t i = 0; i < 12; i++) {
        site s;
        open_zoo(&s, ZOO_KIND_SOUP, 40, kinetic_tree((willow_events)(i % 3), 2, 1));
        assert_ok(willow_world_update(s.world, i >= 6 ? 1e121 : 0.0, NULL));
        throw_about(&s, i, false, false);
        if (i / 3 % 2 == 1) throw_about(&s, i, false, true);
        go_to(&s, i >= 6 ? 1e121 : 0.0);
        for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
            const willow_vertex_plan plan = {{1e-30F, -1, 1e30F}, {(float)(k % 2), 0, 1e-30F}};
            go_to(&s, times[k]);
            assert_ok(willow_body_set_vertex_plan(s.world, s.body, (uint32_t)k, &plan));
        }
        close_site(&s);
    }
}

/* Faster than any double: boxes say nothing then, but nothing false either. */
static void the_fastest_vertices_are_in_their_boxes(void **state)
{
    (void)state;
    static const double times[2] = {0.0, 1e-300};
    static const float keys[2][3][3] = {{{1e30F, 0, 0}, {-1e30F, 1, 0}, {0, 0, 1}},
                                        {{2e30F, 0, 0}, {5e30F, 1, 0}, {0, 0, 1}}};
    static const uint32_t tri[3] = {0, 1, 2};
    for (willow_events events = 0; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        open_site(&s, keys[0][0], 3, tri, 1, kinetic_tree(events, 2, 1));
        follow_keys(&s, keys[0][0], times, 2);
        assert_ok(willow_body_set_vertices(s.world, s.body, 2, 1, keys[0][2], 0));
        for (double time = 0.0; time < 2e-300; time += 1e-301) go_to(&s, time);
        close_site(&s);
    }
}

/* Keyframes a few roundings of time apart, so far from 0 that speeds between them are less than any
 * double. */
static void far_keyframes_may_be_as_close_as_times_are(void **state)
{
    (void)state;
    enum { KEYS = 6 };
    for (uint32_t i = 0; i < 96; i++) {
        static const uint32_t tri[3] = {0, 1, 2};
        float keys[KEYS][3][3];
        double times[KEYS];
        uint64_t seed = i;
        site s;
        for (uint32_t k = 0; k < KEYS; k++) {
            times[k] = k == 0 ? -1e300 : times[k - 1];
            for (uint64_t n = test_random(&seed) % 4; k > 0 && n < 4; n++)
                times[k] = nextafter(times[k], 0.0);
            for (uint32_t j = 0; j < 9; j++)
                keys[k][j / 3][j % 3] = (float)(1e-42 * test_random_between(&seed, -8.0, 8.0));
        }
        willow_tree_def tree = kinetic_tree((willow_events)(i % 3), 2, 1);
        tree.search_keyframes = i / 3 % 2 == 1;
        open_site(&s, keys[0][0], 3, tri, 1, tree);
        follow_keys(&s, keys[0][0], times, KEYS);
        for (double time = times[0]; time <= times[KEYS - 1]; time = nextafter(time, 0.0))
            go_to(&s, time);
        close_site(&s);
    }
}

/* ---- batches and streams ---- */

typedef struct boxes {
    const site *s;
    willow_box *items;
    uint32_t count;
} boxes;

static bool note_box(void *context, const willow_node *node)
{
    boxes *b = context;
    b->items[node->number] = node->box;
    b->count++;
    return true;
}

static boxes boxes_of(const site *s)
{
    const wi_tree *h = tree_of(s);
    boxes b = {s, calloc((size_t)h->shape->node_count + h->shape->leaf_count, sizeof(willow_box)),
               0};
    assert_ok(willow_body_visit_nodes(s->world, s->body, note_box, &b));
    return b;
}

static void compare_boxes(const site *x, const site *y)
{
    const double most = 4.0 * kept_kinetic(tree_of(x))->width;
    boxes a = boxes_of(x), b = boxes_of(y);
    assert_true(a.count == b.count && a.count > 0);
    for (uint32_t i = 0; i < a.count; i++) {
        const float *p = &a.items[i].lower.x, *q = &b.items[i].lower.x;
        for (int k = 0; k < 6; k++) {
            const double off = fabs((double)p[k] - (double)q[k]);
            assert_true(off <= most + fabs((double)p[k]) * 0x1p-22);
        }
    }
    free(a.items);
    free(b.items);
}

static void batches_and_streams_have_the_same_boxes(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 12; i++) {
        site stream, batch;
        uint64_t seed = i;
        open_zoo(&stream, ZOO_KIND_CRUMPLED, 60, kinetic_tree(WILLOW_EVENTS_STREAM, 2, 1 + i % 3));
        open_zoo(&batch, ZOO_KIND_CRUMPLED, 60, kinetic_tree(WILLOW_EVENTS_BATCH, 2, 1 + i % 3));
        for (double time = 0.0; time < 3.0; time += test_random_between(&seed, 0.0, 0.5)) {
            if (time == 0.0 || test_random(&seed) % 4 == 0) {
                const uint64_t change = test_random(&seed);
                throw_about(&stream, change, change % 2 == 0, change % 3 == 0);
                throw_about(&batch, change, change % 2 == 0, change % 3 == 0);
            }
            go_to(&stream, time);
            go_to(&batch, time);
            compare_boxes(&stream, &batch);
        }
        close_site(&stream);
        close_site(&batch);
    }
}

/* What was opened before the first keyframe, between two, or after the last is not what is there at
 * another such time, though all ends are the same. */
static void boxes_do_not_depend_on_what_was_opened_before(void **state)
{
    (void)state;
    enum { SIDE = 8, VERTICES = (SIDE + 1) * (SIDE + 1), KEYS = 3 };
    static float keys[KEYS][VERTICES][3];
    static uint32_t tris[2 * SIDE * SIDE][3];
    static const double times[KEYS] = {1.0, 2.0, 3.0}, looks[] = {0.0, 0.5, 1.5, 2.5, 3.0, 4.0};
    for (uint32_t i = 0; i < VERTICES * KEYS; i++) {
        const uint32_t key = i / VERTICES, v = i % VERTICES;
        keys[key][v][0] = (float)(v % (SIDE + 1) * (key + 1));
        keys[key][v][1] = (float)(v / (SIDE + 1) + key);
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        const uint32_t v = i % SIDE + i / SIDE * (SIDE + 1), above = v + SIDE + 1;
        memcpy(tris[2 * i], (uint32_t[3]){v, v + 1, above}, sizeof tris[0]);
        memcpy(tris[2 * i + 1], (uint32_t[3]){v + 1, above + 1, above}, sizeof tris[0]);
    }
    for (uint32_t first = 0; first < 5; first++)
        for (uint32_t second = first + 1; second < 6; second++) {
            site opened, closed;
            const willow_tree_def tree = kinetic_tree(second % 2 ? 0 : 1, 8, 1);
            open_site(&opened, keys[0][0], VERTICES, tris[0], 2 * SIDE * SIDE, tree);
            open_site(&closed, keys[0][0], VERTICES, tris[0], 2 * SIDE * SIDE, tree);
            follow_keys(&opened, keys[0][0], times, KEYS);
            follow_keys(&closed, keys[0][0], times, KEYS);
            go_to(&opened, -1.0); /* a new tree has all of its boxes */
            go_to(&closed, -1.0);
            go_to(&opened, looks[first]);
            go_to(&closed, looks[first]);
            free(boxes_of(&opened).items);
            go_to(&opened, looks[second]);
            go_to(&closed, looks[second]);
            compare_boxes(&opened, &closed);
            close_site(&opened);
            close_site(&closed);
        }
}

/* ---- counts ---- */

static size_t count_events(zoo_kind kind, uint64_t seed, uint32_t updates, bool is_bent)
{
    site s;
    size_t events = 0;
    open_zoo(&s, kind, 80, kinetic_tree(WILLOW_EVENTS_STREAM, 2, 1));
    throw_about(&s, seed, false, is_bent);
    go_to(&s, 0.0);
    for (uint32_t i = 1; i <= updates; i++) events += go_to(&s, 4.0 * i / updates).events;
    close_site(&s);
    return events;
}

static void events_of_a_stream_do_not_depend_on_the_number_of_updates(void **state)
{
    (void)state;
    for (int is_bent = 0; is_bent < 2; is_bent++) {
        const size_t events = count_events(ZOO_KIND_GRID, 3, 1, is_bent);
        print_message("%zu events\n", events);
        assert_true(events > 50);
        assert_int_equal(count_events(ZOO_KIND_GRID, 3, 2, is_bent), events);
        assert_int_equal(count_events(ZOO_KIND_GRID, 3, 20, is_bent), events);
        assert_int_equal(count_events(ZOO_KIND_GRID, 3, 200, is_bent), events);
    }
}

/* Those of leaves have a few vertices, those of nodes an end of each child. */
static void an_update_evaluates_only_rivals_of_failed_certificates(void **state)
{
    (void)state;
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        site s;
        size_t quiet = 0, busy = 0;
        open_zoo(&s, ZOO_KIND_GRID, 400, kinetic_tree(events, 2, 1));
        throw_about(&s, 11, false, false);
        go_to(&s, 0.0);
        const uint32_t depth = tree_of(&s)->shape->height + 1;
        wi_event next;
        for (double time = 1e-3; time < 0.5; time += 1e-3) {
            const bool is_due = first_event(&s, &next) && next.time <= time;
            const willow_update_report report = go_to(&s, time);
            assert_int_equal(report.events > 0, is_due);
            assert_true(report.certificates_checked <= depth * report.events);
            assert_true(report.vertices_evaluated <= 3 * report.certificates_checked);
            (*(is_due ? &busy : &quiet))++;
        }
        assert_true(quiet > 0 && busy > 0);
        close_site(&s);
    }
}

static void certificates_are_few(void **state)
{
    (void)state;
    site s;
    open_zoo(&s, ZOO_KIND_GRID, 400, kinetic_tree(WILLOW_EVENTS_BATCH, 2, 1));
    throw_about(&s, 13, false, false);
    go_to(&s, 0.0);
    const wi_tree *h = tree_of(&s);
    assert_true(queue_of(&s)->count > 0);
    assert_true(queue_of(&s)->count <= 6 * (h->shape->node_count + h->shape->leaf_count));
    close_site(&s);
}

/* A fan around a tip that is far ahead and falls back: it is the end of every item, and has rivals
 * in the leaves only. */
static void children_that_share_an_end_need_no_certificate(void **state)
{
    (void)state;
    enum { FAN = 16, UPPER_X = 3 };
    float positions[FAN + 2][3] = {{10, 0, 0}};
    uint32_t tris[FAN][3], in_leaves = 0;
    site s;
    for (uint32_t i = 0; i <= FAN; i++) positions[i + 1][1] = (float)i;
    for (uint32_t i = 0; i < FAN; i++)
        for (uint32_t k = 0; k < 3; k++) tris[i][k] = k == 0 ? 0 : i + k;
    open_site(&s, positions[0], FAN + 2, tris[0], FAN, kinetic_tree(WILLOW_EVENTS_STREAM, 2, 1));
    const willow_vertex_plan back = {{-1, 0, 0}, {0, 0, 0}};
    assert_ok(willow_body_set_vertex_plan(s.world, s.body, 0, &back));
    go_to(&s, 0.0);
    const wi_tree *h = tree_of(&s);
    for (uint32_t item = 0; item < h->shape->node_count + h->shape->leaf_count; item++) {
        assert_int_equal(kept_kinetic(h)->items[item].ends[UPPER_X], h->mesh->place[0]);
        const bool has_event = wi_queue_has(queue_of(&s), WI_ENDS * item + UPPER_X);
        if (item < h->shape->node_count)
            assert_false(has_event);
        else
            in_leaves += has_event;
    }
    assert_int_equal(in_leaves, FAN);
    assert_int_equal(queue_of(&s)->count, 2 * FAN); /* the lower ends, too */
    assert_true(go_to(&s, 20.0).events >= FAN);
    close_site(&s);
}

/* ---- no memory ---- */

/* Nobody has changed the world, and yet it is not what it was: time has gone on. */
static void a_step_in_time_that_fails_leaves_the_world_stale(void **state)
{
    (void)state;
    static const double times[2] = {1.0, 2.0};
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, ZOO_KIND_SOUP, 60, 7);
    const size_t coordinates = 3 * (size_t)mesh.vertex_count;
    float *keys = calloc(2 * coordinates, sizeof *keys);
    for (size_t i = 0; i < coordinates; i++) {
        keys[i] = mesh.positions[i / 3][i % 3];
        keys[coordinates + i] = -keys[i];
    }
    for (willow_events events = WILLOW_EVENTS_BATCH; events < WILLOW_EVENTS_COUNT; events++) {
        test_allocator allocator = {0};
        willow_world_def def = willow_world_def_default();
        willow_pairs pairs;
        site s;
        def.allocator = test_allocator_functions(&allocator);
        open_site_in(&s, &def, mesh.positions[0], mesh.vertex_count, mesh.tris[0],
                     mesh.triangle_count, kinetic_tree(events, 2, 1));
        follow_keys(&s, keys, times, 2);
        willow_scratch *scratch = fixture_scratch(s.world);
        go_to(&s, 0.0);
        assert_ok(willow_find_pairs(s.world, scratch, NULL, &pairs));
        allocator.fails_from_now_on = true;
        assert_int_equal(willow_world_update(s.world, 1.25, NULL), WILLOW_OUT_OF_MEMORY);
        allocator.fails_from_now_on = false;
        assert_int_equal(willow_find_pairs(s.world, scratch, NULL, &pairs), WILLOW_STALE);
        assert_true(willow_world_validate(s.world, NULL, 0));
        go_to(&s, 1.25);
        assert_ok(willow_find_pairs(s.world, scratch, NULL, &pairs));
        willow_scratch_destroy(scratch);
        close_site(&s);
        assert_true(test_allocator_is_clean(&allocator));
    }
    free(keys);
    zoo_mesh_destroy(&mesh);
}

TEST_GROUP_FUNCTION(kinetic)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_boxes_are_true_at_every_event_and_between_any_two),
        cmocka_unit_test(thousands_of_events_at_one_moment_are_handled),
        cmocka_unit_test(vertices_that_travel_together_never_meet),
        cmocka_unit_test(paths_that_only_touch_change_no_end),
        cmocka_unit_test(hardly_different_keyframes_come_to_an_end),
        cmocka_unit_test(keyframes_may_be_closer_to_each_other_than_times_are_fine),
        cmocka_unit_test(the_slowest_vertices_are_not_taken_for_standing_ones),
        cmocka_unit_test(times_as_far_as_doubles_go_are_no_trouble),
        cmocka_unit_test(the_fastest_vertices_are_in_their_boxes),
        cmocka_unit_test(far_keyframes_may_be_as_close_as_times_are),
        cmocka_unit_test(batches_and_streams_have_the_same_boxes),
        cmocka_unit_test(boxes_do_not_depend_on_what_was_opened_before),
        cmocka_unit_test(events_of_a_stream_do_not_depend_on_the_number_of_updates),
        cmocka_unit_test(certificates_are_few),
        cmocka_unit_test(a_step_in_time_that_fails_leaves_the_world_stale),
    };
    const struct CMUnitTest of_six_ends[] = {
        cmocka_unit_test(an_update_evaluates_only_rivals_of_failed_certificates),
        cmocka_unit_test(children_that_share_an_end_need_no_certificate),
    };
    int failed = cmocka_run_group_tests_name("six ends", of_six_ends, NULL, NULL);
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        chosen = &variants[i];
        failed += cmocka_run_group_tests_name(chosen->name, tests, NULL, NULL);
    }
    return failed;
}
