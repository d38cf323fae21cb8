/* Narrow trees with many threads: workers share the refit of one body and give the same bits (C10),
 * and threads that open the same nodes at once all see the same boxes (C9). */
#include <pthread.h>
#include <stdlib.h>
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "world/world.h"

enum { THREADS = 4, FRAMES = 5 };

typedef struct site {
    willow_world *world;
    willow_body_id body;
} site;

static site open_site(const scene *of, uint32_t arity, uint32_t threads, float *positions)
{
    site s;
    willow_world_def def = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    def.thread_count = threads;
    scene_positions(of, 0, 0, positions);
    body.mesh = FIXTURE_MESH(positions, of->bodies[0].vertex_count, of->bodies[0].indices,
                             of->bodies[0].triangle_count);
    body.tree.method = WILLOW_METHOD_BOTTOM_UP;
    body.tree.arity = arity;
    body.tree.leaf_triangles = 1;
    s.world = fixture_world(&def);
    s.body = fixture_body(s.world, &body);
    assert_ok(willow_world_update(s.world, 0.0, NULL));
    return s;
}

static wi_tree *tree_of(const site *s) { return &s->world->bodies.items[0]->geometry->tree; }

static void move(site *s, const scene *of, uint32_t frame, float *positions)
{
    scene_positions(of, frame, 0, positions);
    assert_ok(
        willow_body_set_vertices(s->world, s->body, 0, of->bodies[0].vertex_count, positions, 0));
    assert_ok(willow_world_update(s->world, 0.0, NULL));
    assert_true(willow_world_validate(s->world, NULL, 0));
}

typedef struct opener {
    pthread_t thread;
    const wi_tree *h;
    uint32_t offset; /* where it begins */
    wi_openings count;
    wi_box *seen; /* by node and lane */
} opener;

static void *open_all(void *arg)
{
    opener *o = arg;
    const uint32_t nodes = o->h->shape->node_count;
    for (uint32_t i = 0; i < nodes; i++) {
        const uint32_t node = (i + o->offset) % nodes;
        const wi_node *view = wi_open(o->h, node, &o->count);
        for (unsigned lane = 0; lane < view->count; lane++)
            o->seen[(size_t)node * WI_LANES + lane] = wi_node_box(view, lane);
    }
    return NULL;
}

/* Two begin at the root and two in the middle, so that they meet. */
static void expect_same_seen(const wi_tree *h)
{
    opener openers[THREADS];
    uint64_t refreshed = 0;
    const size_t boxes = (size_t)h->shape->node_count * WI_LANES;
    for (uint32_t i = 0; i < THREADS; i++) {
        openers[i] = (opener){.h = h, .offset = i / 2 * (h->shape->node_count / 2)};
        openers[i].seen = calloc(boxes, sizeof *openers[i].seen);
        assert_non_null(openers[i].seen);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&openers[i].thread, NULL, open_all, &openers[i]), 0);
    for (uint32_t i = 0; i < THREADS; i++) pthread_join(openers[i].thread, NULL);
    for (uint32_t i = 0; i < THREADS; i++) {
        refreshed += openers[i].count.refreshed;
        assert_memory_equal(openers[i].seen, openers[0].seen, boxes * sizeof *openers[0].seen);
    }
    for (uint32_t i = 0; i < THREADS; i++) free(openers[i].seen);
    assert_int_equal(refreshed, h->shape->node_count);
}

static void workers_and_openers_give_the_same_bits(void **state)
{
    (void)state;
    char error[200];
    scene *of = scene_create("bumpy:triangles=5120", error, sizeof error);
    if (of == NULL) fail_msg("%s", error);
    float *positions = malloc(3 * sizeof(float) * of->bodies[0].vertex_count);
    for (uint32_t arity = 2; arity <= 4; arity += 2) {
        site one = open_site(of, arity, 1, positions),
             many = open_site(of, arity, THREADS, positions);
        assert_true(kept_packed(tree_of(&many))->part_count >= THREADS);
        assert_true(kept_packed(tree_of(&many))->above_count > 0);
        for (uint32_t frame = 1; frame <= FRAMES; frame++) {
            move(&one, of, 20 * frame, positions);
            move(&many, of, 20 * frame, positions);
            const wi_tree *a = tree_of(&one), *b = tree_of(&many);
            assert_int_equal(a->shape->node_count, b->shape->node_count);
            for (uint32_t node = 0; node < a->shape->node_count; node++) {
                const wi_box x = wi_padded_box_get(&kept_packed(a)->boxes[node]);
                const wi_box y = wi_padded_box_get(&kept_packed(b)->boxes[node]);
                assert_memory_equal(&x, &y, sizeof x);
            }
            expect_same_seen(b);
        }
        willow_world_destroy(one.world);
        willow_world_destroy(many.world);
    }
    free(positions);
    scene_destroy(of);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(workers_and_openers_give_the_same_bits),
};

TEST_GROUP(packed_boxes_threads, tests);
