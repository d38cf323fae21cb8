/* Threads that open the nodes of a kinetic BoxTree in different orders, all at once: a box is made
 * of those above it, whoever opens these, and all boxes are those that one thread computes. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <string.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"
#include "world/world.h"

enum { OPENERS = 4, SIZE = 4000, ROUNDS = 12 };

static willow_world *open_world(const zoo_mesh *mesh, uint32_t arity)
{
    willow_world_def def = willow_world_def_default();
    willow_body_def body = willow_body_def_default();
    static float velocities[2 * SIZE][3];
    assert_true(mesh->vertex_count <= 2 * SIZE);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            velocities[v][axis] = 0.25F * mesh->positions[v][(axis + 1) % 3];
    body.mesh = FIXTURE_MESH(mesh->positions, mesh->vertex_count, mesh->tris, mesh->triangle_count);
    body.tree.method = WILLOW_METHOD_KINETIC_BOXTREE;
    body.tree.arity = arity;
    body.tree.leaf_triangles = 2;
    willow_world *world = fixture_world(&def);
    willow_body_id id = fixture_body(world, &body);
    assert_ok(willow_body_set_velocities(world, id, 0, mesh->vertex_count, velocities, 0));
    assert_ok(willow_world_update(world, 0.0, NULL));
    return world;
}

static const wi_tree *tree_of(const willow_world *world)
{
    return &world->bodies.items[0]->geometry->tree;
}

typedef struct opener {
    pthread_t thread;
    pthread_barrier_t *start;
    const wi_tree *h;
    uint32_t step; /* from node to node, coprime to their number: all are met */
    wi_openings count;
} opener;

static void *opener_main(void *arg)
{
    opener *self = arg;
    const uint32_t count = self->h->shape->node_count;
    pthread_barrier_wait(self->start);
    for (uint32_t i = 0, node = count - 1; i < count; i++, node = (node + self->step) % count)
        (void)wi_open(self->h, node, &self->count);
    return NULL;
}

static uint32_t coprime_from(uint32_t step, uint32_t count)
{
    for (;; step++) {
        uint32_t a = step, b = count;
        while (b != 0) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return step;
    }
}

static void open_together(const wi_tree *h)
{
    pthread_barrier_t start;
    opener openers[OPENERS];
    uint64_t refreshed = 0;
    assert_int_equal(pthread_barrier_init(&start, NULL, OPENERS), 0);
    for (uint32_t i = 0; i < OPENERS; i++) {
        openers[i] =
            (opener){.start = &start,
                     .h = h,
                     .step = coprime_from(1 + i * h->shape->node_count / 3, h->shape->node_count)};
        assert_int_equal(pthread_create(&openers[i].thread, NULL, opener_main, &openers[i]), 0);
    }
    for (uint32_t i = 0; i < OPENERS; i++) {
        assert_int_equal(pthread_join(openers[i].thread, NULL), 0);
        refreshed += openers[i].count.refreshed;
    }
    assert_int_equal(pthread_barrier_destroy(&start), 0);
    assert_int_equal(refreshed, h->shape->node_count); /* each once */
}

static void threads_open_the_same_boxes_in_any_order(void **state)
{
    (void)state;
    static const uint32_t arities[] = {2, 8};
    zoo_mesh mesh;
    zoo_mesh_create(&mesh, ZOO_KIND_SPHERE, SIZE, 7);
    for (uint32_t i = 0; i < 2; i++) {
        willow_world *many = open_world(&mesh, arities[i]), *one = open_world(&mesh, arities[i]);
        for (uint32_t round = 1; round <= ROUNDS; round++) {
            wi_openings count = {0};
            assert_ok(willow_world_update(many, 0.125 * round, NULL));
            assert_ok(willow_world_update(one, 0.125 * round, NULL));
            const wi_tree *a = tree_of(many), *b = tree_of(one);
            open_together(a);
            assert_int_equal(a->shape->node_count, b->shape->node_count);
            for (uint32_t node = 0; node < b->shape->node_count; node++) {
                const wi_node *p = &a->boxes.nodes[node], *q = wi_open(b, node, &count);
                assert_memory_equal(p->lower, q->lower, sizeof p->lower);
                assert_memory_equal(p->upper, q->upper, sizeof p->upper);
            }
        }
        willow_world_destroy(many);
        willow_world_destroy(one);
    }
    zoo_mesh_destroy(&mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(threads_open_the_same_boxes_in_any_order),
};

TEST_GROUP(boxtree_threads, tests);
