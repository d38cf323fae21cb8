/* Separation lists: at any time, between keyframes, on rays and on parabolas, with paths that
 * change, they have all leaves whose boxes meet, next to no others, and are what a search from the
 * roots finds; the events that they tell of lead from one state to the next, in order of time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "pairs/separation.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"
#include "world/world.h"

typedef enum motion { ON_KEYS, ON_RAYS, ON_PARABOLAS, STANDING } motion;

typedef struct site {
    willow_world *world;
    willow_body_id body[2];
    uint32_t vertex_count[2];
    uint32_t bodies; /* 1: a body with itself */
    bool changes;    /* paths do */
    wi_separation list;
    uint8_t *met;    /* by pair of leaves, as the events say */
    double log_time; /* of the last one */
    size_t pairs_seen, events_seen;
} site;

static const wi_tree *tree_of(const site *s, uint32_t i)
{
    const uint32_t number = s->bodies == 1 ? 0 : i;
    return &s->world->bodies.items[s->body[number].index1 - 1]->geometry->tree;
}

/* ---- motion ---- */

static void give_keys(site *s, uint32_t i, const float *rest, uint64_t *seed)
{
    enum { KEYS = 6 };
    const size_t floats = 3 * (size_t)s->vertex_count[i];
    float *keys = malloc(KEYS * floats * sizeof *keys);
    double times[KEYS];
    for (uint32_t key = 0; key < KEYS; key++) {
        const double push = test_random_between(seed, -1.0, 1.0);
        times[key] = 2.5 * key + 0.25 * i; /* not those of the other body */
        for (size_t k = 0; k < floats; k++)
            keys[key * floats + k] = (float)((double)rest[k] + (k % 3 == 0 ? push : 0.0) +
                                             test_random_between(seed, -0.1, 0.1));
    }
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = keys;
    plan.times = times;
    plan.keyframe_count = KEYS;
    assert_ok(willow_body_set_flightplan(s->world, s->body[i], &plan));
    free(keys);
}

static void throw(site * s, uint32_t i, uint32_t first, uint32_t count, bool is_bent,
                  uint64_t *seed)
{
    float(*v)[3] = calloc(count, sizeof *v);
    for (uint32_t k = 0; k < 3 * count; k++)
        v[k / 3][k % 3] = (float)test_random_between(seed, -0.1, 0.1);
    for (uint32_t k = 0; k < count; k++) v[k][0] += i == 0 ? 0.05F : -0.05F;
    const willow_result result =
        is_bent ? willow_body_set_accelerations(s->world, s->body[i], first, count, v, 0)
                : willow_body_set_velocities(s->world, s->body[i], first, count, v, 0);
    assert_ok(result);
    free(v);
}

static void set_out(site *s, uint32_t i, motion way, const float *rest, uint64_t *seed)
{
    if (way == ON_KEYS) give_keys(s, i, rest, seed);
    if (way == ON_RAYS || way == ON_PARABOLAS)
        throw(s, i, 0, s->vertex_count[i], way == ON_PARABOLAS, seed);
}

/* ---- worlds ---- */

static void open_site(site *s, uint32_t bodies, const motion ways[2], const willow_events events[2],
                      uint32_t arity, uint32_t leaf_triangles, uint64_t seed)
{
    *s = (site){.bodies = bodies};
    s->world = fixture_world(NULL);
    for (uint32_t i = 0; i < bodies; i++) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, i == 0 ? ZOO_KIND_SPHERE : ZOO_KIND_GRID, 100, seed + i);
        willow_body_def body = willow_body_def_default();
        body.mesh =
            FIXTURE_MESH(mesh.positions[0], mesh.vertex_count, mesh.tris[0], mesh.triangle_count);
        body.tree.method = WILLOW_METHOD_KINETIC_AABB;
        body.tree.arity = arity;
        body.tree.events = events[i];
        body.tree.leaf_triangles = leaf_triangles;
        body.self = true;
        s->body[i] = fixture_body(s->world, &body);
        s->vertex_count[i] = mesh.vertex_count;
        set_out(s, i, ways[i], mesh.positions[0], &seed);
        zoo_mesh_destroy(&mesh);
    }
}

static void close_site(site *s)
{
    wi_separation_free(&s->world->memory, &s->list);
    free(s->met);
    willow_world_destroy(s->world);
}

/* ---- what it must be ---- */

static wi_box box_of_leaf(const wi_tree *h, uint32_t leaf)
{
    wi_openings count = {0};
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = wi_open(h, node, &count);
        for (unsigned lane = 0; lane < view->count; lane++)
            if ((view->leaf_mask >> lane & 1) != 0 && view->child[lane] == leaf)
                return wi_node_box(view, lane);
    }
    fail_msg("leaf %u is not there", leaf);
    return wi_box_empty();
}

static bool nearly_meet(const wi_box *a, const wi_box *b, float more)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->lower[axis] > b->upper[axis] + more || b->lower[axis] > a->upper[axis] + more)
            return false;
    return true;
}

static uint8_t *listed(const site *s, size_t *bytes)
{
    const wi_tree *a = tree_of(s, 0), *b = tree_of(s, 1);
    wi_leaf_pair *pairs = malloc((s->list.leaf_pairs + 1) * sizeof *pairs);
    *bytes = (size_t)a->shape->leaf_count * b->shape->leaf_count;
    uint8_t *is = calloc(*bytes, 1);
    wi_separation_leaves(&s->list, pairs);
    for (size_t i = 0; i < s->list.leaf_pairs; i++) {
        uint8_t *bit = &is[(size_t)pairs[i].a * b->shape->leaf_count + pairs[i].b];
        assert_int_equal(*bit, 0); /* each once */
        *bit = 1;
    }
    free(pairs);
    return is;
}

/* All that meet are there, and nothing that is far from it. */
static void compare_with_boxes(site *s)
{
    const wi_tree *a = tree_of(s, 0), *b = tree_of(s, 1);
    wi_box *boxes[2] = {malloc(a->shape->leaf_count * sizeof(wi_box)),
                        malloc(b->shape->leaf_count * sizeof(wi_box))};
    for (uint32_t i = 0; i < a->shape->leaf_count; i++) boxes[0][i] = box_of_leaf(a, i);
    for (uint32_t i = 0; i < b->shape->leaf_count; i++) boxes[1][i] = box_of_leaf(b, i);
    size_t bytes;
    uint8_t *is = listed(s, &bytes);
    for (uint32_t i = 0; i < a->shape->leaf_count; i++)
        for (uint32_t k = s->bodies == 1 ? i : 0; k < b->shape->leaf_count; k++) {
            const bool has = is[(size_t)i * b->shape->leaf_count + k] != 0;
            const bool meets = wi_boxes_meet(&boxes[0][i], &boxes[1][k]);
            if (meets && !has) fail_msg("leaves %u and %u meet and are not in the list", i, k);
            /* boxes of small leaves are tighter than chords, and those that were there before a
             * path changed may serve on */
            if (has && a->def.arity == WI_LANES &&
                !nearly_meet(&boxes[0][i], &boxes[1][k], s->changes ? 0.3F : 0.01F))
                fail_msg("leaves %u and %u are far apart and in the list", i, k);
            s->pairs_seen += has;
        }
    free(is);
    for (int i = 0; i < 2; i++) free(boxes[i]);
}

/* The events of the update lead from the last state to this one. */
static void replay(site *s, double time)
{
    const wi_tree *b = tree_of(s, 1);
    size_t bytes;
    uint8_t *now = listed(s, &bytes);
    if (s->met == NULL || s->list.has_gap) {
        free(s->met);
        s->met = now;
        s->log_time = time;
        return;
    }
    for (size_t i = 0; i < s->list.log.count; i++) {
        const willow_leaf_event *e = &s->list.log.items[i];
        const uint32_t leaf_a = e->leaf_a - tree_of(s, 0)->shape->node_count;
        uint8_t *bit =
            &s->met[(size_t)leaf_a * b->shape->leaf_count + (e->leaf_b - b->shape->node_count)];
        assert_true(e->time >= s->log_time - 1e-6 && e->time <= time + 1e-6);
        assert_int_equal(*bit, !e->begins);
        *bit = e->begins;
        s->log_time = e->time;
        s->events_seen++;
    }
    assert_memory_equal(s->met, now, bytes);
    free(now);
}

static void listen(site *s, const wi_tree *h)
{
    if (wi_separation_way_of(h) != WI_SEP_STANDS) wi_kinetic_report_boxes(&s->world->memory, h);
}

static void go_to(site *s, double time)
{
    wi_memory *memory = &s->world->memory;
    const wi_tree *a = tree_of(s, 0), *b = tree_of(s, 1);
    const willow_kernel kernel = s->world->kernel;
    assert_true(wi_separation_run_out(memory, kernel, &s->list, a, b, false, time));
    assert_ok(willow_world_update(s->world, time, NULL));
    assert_true(wi_separation_suits(a, b));
    assert_true(wi_separation_follow(memory, kernel, &s->list, a, b, false));
    listen(s, a);
    listen(s, b);
    const char *broken = wi_separation_validate(&s->list, kernel, a, b);
    if (broken) fail_msg("at %.17g: %s", time, broken);
    compare_with_boxes(s);
    if (s->list.logs) replay(s, time);
}

/* ---- tests ---- */

static void run(site *s, uint64_t seed)
{
    double time = 0.0;
    for (int i = 0; i < 40; i++) {
        go_to(s, time);
        if (s->changes && i % 3 == 2) {
            const uint32_t first = (uint32_t)(test_random(&seed) % (s->vertex_count[0] - 4));
            throw(s, 0, first, 4, false, &seed);
        }
        if (i % 17 == 16) time -= 1.0; /* it begins anew */
        time += test_random_between(&seed, 0.0, 0.6);
    }
}

/* The sites from `first` on, each `stride`th. */
static void run_some(const motion ways[2], const willow_events kinds[2], bool changes,
                     uint32_t first, uint32_t stride, size_t *events)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {1, 4};
    size_t pairs = 0;
    for (uint32_t i = first; i < 24; i += stride) {
        site s;
        open_site(&s, 1 + i % 2, ways, kinds, arities[i / 2 % 3], leaves[i / 6 % 2], 1000 + i);
        s.list.logs = i >= 12;
        s.changes = changes;
        run(&s, i);
        pairs += s.pairs_seen;
        *events += s.events_seen;
        close_site(&s);
    }
    assert_true(pairs > 0);
}

/* How the two bodies move, and whether paths change on the way. */
static const struct {
    motion ways[2];
    bool changes;
} moves[] = {
    {{ON_KEYS, ON_KEYS}, false},  {{ON_RAYS, ON_RAYS}, false}, {{ON_PARABOLAS, ON_RAYS}, false},
    {{ON_KEYS, STANDING}, false}, {{ON_RAYS, ON_KEYS}, true},  {{ON_RAYS, ON_RAYS}, true},
};

/* How their trees are kept. */
static const willow_events kinds[][2] = {{WILLOW_EVENTS_NONE, WILLOW_EVENTS_NONE},
                                         {WILLOW_EVENTS_BATCH, WILLOW_EVENTS_BATCH},
                                         {WILLOW_EVENTS_STREAM, WILLOW_EVENTS_STREAM},
                                         {WILLOW_EVENTS_BATCH, WILLOW_EVENTS_NONE}};

static void lists_are_true_on_all_kinds_of_paths(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        size_t events = 0;
        run_some(moves[i].ways, kinds[0], moves[i].changes, 0, 1, &events);
        assert_true(events > 0);
    }
}

static void lists_are_true_while_ends_become_other_vertices(void **state)
{
    (void)state;
    enum { KINDS = sizeof kinds / sizeof kinds[0], STRIDE = 8 };
    size_t events = 0;
    for (uint32_t i = 0; i < sizeof moves / sizeof moves[0]; i++)
        for (uint32_t k = 1; k < KINDS; k++)
            run_some(moves[i].ways, kinds[k], moves[i].changes, (KINDS * i + k) % STRIDE, STRIDE,
                     &events);
    assert_true(events > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lists_are_true_on_all_kinds_of_paths),
    cmocka_unit_test(lists_are_true_while_ends_become_other_vertices),
};

TEST_GROUP(separation, tests);
