/* willow_world_hash tells flight plans apart, and does not depend on the order of the tree. */
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { VERTICES = 30, TRIANGLES = 10 };

typedef struct site {
    float at[VERTICES][3];
    uint32_t faces[TRIANGLES][3];
    willow_world *world;
    willow_body_id body;
} site;

static void open_site(site *s)
{
    uint64_t random = 4;
    willow_body_def def = willow_body_def_default();
    for (uint32_t i = 0; i < 3 * VERTICES; i++)
        s->at[i / 3][i % 3] = (float)test_random_between(&random, -1.0, 1.0);
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) s->faces[i / 3][i % 3] = i;
    def.mesh = FIXTURE_MESH(s->at, VERTICES, s->faces, TRIANGLES);
    def.tree.leaf_triangles = 1;
    s->world = fixture_world(NULL);
    s->body = fixture_body(s->world, &def);
    assert_ok(willow_world_update(s->world, 0.0, NULL));
}

/* One way to move, or to keep the tree; each is different from all others. */
enum { WAYS = 8 };

static willow_result go(site *s, int way)
{
    static float keys[2][VERTICES][3];
    static const double soon[] = {0.0, 1.0}, late[] = {0.0, 2.0};
    const willow_vertex_plan right = {{1, 0, 0}, {0, 0, 0}}, up = {{1, 0, 0}, {0, 0, 1}};
    willow_flightplan plan = willow_flightplan_default();
    willow_tree_def tree = willow_tree_def_default();
    memcpy(keys[0], s->at, sizeof keys[0]);
    memcpy(keys[1], s->at, sizeof keys[1]);
    keys[1][7][2] += way == 5 ? 1.0F : 0.0F;
    plan.positions = keys;
    plan.times = way == 4 ? late : soon;
    plan.keyframe_count = 2;
    tree.leaf_triangles = 1;
    tree.events = way == 6 ? WILLOW_EVENTS_STREAM : WILLOW_EVENTS_BATCH;
    tree.search_keyframes = way == 7;
    if (way == 0) return WILLOW_OK;
    if (way == 1) return willow_body_set_vertex_plan(s->world, s->body, 7, &right);
    if (way == 2) return willow_body_set_vertex_plan(s->world, s->body, 7, &up);
    if (way < 6) return willow_body_set_flightplan(s->world, s->body, &plan);
    return willow_body_set_tree(s->world, s->body, &tree);
}

static void different_plans_have_different_hashes(void **state)
{
    (void)state;
    uint64_t hash[WAYS];
    for (int way = 0; way < WAYS; way++) {
        site s;
        open_site(&s);
        assert_ok(go(&s, way));
        hash[way] = willow_world_hash(s.world);
        for (int other = 0; other < way; other++) assert_true(hash[other] != hash[way]);
        willow_world_destroy(s.world);
    }
}

/* The tree is built at positions that are in another order along all axes. */
static void a_new_tree_does_not_change_the_hash(void **state)
{
    (void)state;
    for (int way = 1; way <= 5; way++) {
        site s;
        willow_body_info info;
        uint32_t before[VERTICES], after[VERTICES];
        open_site(&s);
        assert_ok(go(&s, way));
        assert_ok(willow_world_update(s.world, 100.0, NULL));
        const uint64_t hash = willow_world_hash(s.world);
        willow_body_copy_order(s.world, s.body, 0, VERTICES, before);
        assert_ok(willow_body_get_info(s.world, s.body, &info));
        assert_ok(willow_body_set_tree(s.world, s.body, &info.tree));
        assert_ok(willow_world_update(s.world, 100.0, NULL));
        willow_body_copy_order(s.world, s.body, 0, VERTICES, after);
        if (way <= 2) assert_memory_not_equal(before, after, sizeof before);
        assert_true(willow_world_hash(s.world) == hash);
        willow_world_destroy(s.world);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(different_plans_have_different_hashes),
    cmocka_unit_test(a_new_tree_does_not_change_the_hash),
};

TEST_GROUP(plan_hash, tests);
