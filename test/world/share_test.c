/* Bodies that share a geometry are as copies are: a world in which bodies are created from others
 * and one in which each has a copy are told the same, and have equal hashes, pairs, contacts and
 * rays after every update, whoever changes or goes first. Where memory is wanting nothing has
 * changed, and where a change is refused the body still shares. */
#include <math.h>
#include <string.h>
#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { SIDE = 4, VERTICES = SIDE * SIDE, TRIS = 2 * (SIDE - 1) * (SIDE - 1), MOST = 8 };
enum { SHARED, COPIED, WORLDS };

static uint32_t tris[TRIS][3];

/* What a body was told last. */
typedef struct model {
    willow_body_id ids[WORLDS];
    float at[VERTICES][3];
    willow_tree_def tree;
    bool is_moving; /* by a plan, so that it cannot be shared */
    bool self;
} model;

typedef struct twins {
    willow_world *worlds[WORLDS];
    willow_scratch *scratches[WORLDS];
    model models[MOST];
    uint32_t count;
    uint64_t random;
    size_t shared, unshared, refused, pairs, contacts;
} twins;

static void make_tris(void)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t v = y * SIDE + x;
            memcpy(tris[count++], (const uint32_t[3]){v, v + 1, v + SIDE}, sizeof tris[0]);
            memcpy(tris[count++], (const uint32_t[3]){v + 1, v + SIDE + 1, v + SIDE},
                   sizeof tris[0]);
        }
}

static uint32_t pick(twins *t, uint32_t below)
{
    return (uint32_t)(test_random(&t->random) % below);
}

static void make_sheet(twins *t, float at[VERTICES][3])
{
    for (uint32_t i = 0; i < VERTICES; i++) {
        at[i][0] = (float)(i % SIDE);
        at[i][1] = (float)test_random_between(&t->random, -0.7, 0.7);
        at[i][2] = (float)(i / SIDE);
    }
}

static willow_pose random_pose(twins *t)
{
    willow_pose pose = willow_pose_identity();
    pose.translation.x = (float)test_random_between(&t->random, -3, 3);
    pose.translation.y = (float)test_random_between(&t->random, -1, 1);
    pose.translation.z = (float)test_random_between(&t->random, -3, 3);
    if (pick(t, 3) > 0) pose.rotation.y = (float)test_random_between(&t->random, -1, 1);
    return pose;
}

static willow_body_def def_of(const model *m)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(m->at, VERTICES, tris, TRIS);
    def.tree = m->tree;
    def.self = m->self;
    def.keep_rest = true;
    return def;
}

static void add_fresh(twins *t)
{
    static const willow_method methods[] = {WILLOW_METHOD_AUTO,     WILLOW_METHOD_BRUTE,
                                            WILLOW_METHOD_REBUILD,  WILLOW_METHOD_BOTTOM_UP,
                                            WILLOW_METHOD_TOP_DOWN, WILLOW_METHOD_HYBRID};
    model *m = &t->models[t->count++];
    *m = (model){.tree = willow_tree_def_default(), .self = pick(t, 4) == 0};
    m->tree.method = methods[pick(t, 6)];
    m->tree.leaf_triangles = 1 + pick(t, 4);
    m->tree.arity = pick(t, 2) == 0 ? 8 : 2;
    make_sheet(t, m->at);
    willow_body_def def = def_of(m);
    def.pose = random_pose(t);
    for (int w = 0; w < WORLDS; w++) m->ids[w] = fixture_body(t->worlds[w], &def);
}

static void add_shared(twins *t)
{
    const model *from = &t->models[pick(t, t->count)];
    willow_body_def def = def_of(from), share = willow_body_def_default();
    model m = *from;
    share.share = from->ids[SHARED];
    share.self = def.self = m.self = from->self && pick(t, 2) == 0;
    share.pose = def.pose = random_pose(t);
    if (from->is_moving) {
        assert_int_equal(willow_body_create(t->worlds[SHARED], &share, &m.ids[SHARED]),
                         WILLOW_UNSUPPORTED);
        t->refused++;
        return;
    }
    m.ids[SHARED] = fixture_body(t->worlds[SHARED], &share);
    m.ids[COPIED] = fixture_body(t->worlds[COPIED], &def);
    t->models[t->count++] = m;
    t->shared++;
}

static void destroy(twins *t)
{
    const uint32_t which = pick(t, t->count);
    for (int w = 0; w < WORLDS; w++)
        assert_ok(willow_body_destroy(t->worlds[w], t->models[which].ids[w]));
    t->models[which] = t->models[--t->count];
}

/* Some vertices, all, or a position that is refused. */
static void set_vertices(twins *t, model *m)
{
    const bool is_bad = pick(t, 4) == 0;
    const uint32_t first = pick(t, 3) == 0 ? 0 : pick(t, VERTICES), count = VERTICES - first;
    float at[VERTICES][3];
    make_sheet(t, at);
    if (is_bad) at[count / 2][1] = NAN;
    for (int w = 0; w < WORLDS; w++) {
        const uint64_t before = willow_world_hash(t->worlds[w]);
        const willow_result result =
            willow_body_set_vertices(t->worlds[w], m->ids[w], first, count, at, 0);
        assert_int_equal(result, is_bad ? WILLOW_BAD_MESH : WILLOW_OK);
        if (is_bad) assert_true(willow_world_hash(t->worlds[w]) == before);
    }
    if (is_bad) return;
    memcpy(m->at[first], at, count * sizeof at[0]);
    if (count == VERTICES) m->is_moving = false;
    t->unshared++;
}

static void change(twins *t)
{
    static const float speed[VERTICES][3];
    model *m = &t->models[pick(t, t->count)];
    const willow_pose pose = random_pose(t);
    const uint32_t what = pick(t, 10), level = 1 + pick(t, 4);
    if (what == 0) {
        set_vertices(t, m);
        return;
    }
    if (what == 1) m->tree.leaf_triangles = level;
    if (what == 2) m->self = !m->self;
    if (what == 3) m->is_moving = true;
    for (int w = 0; w < WORLDS; w++) {
        willow_world *world = t->worlds[w];
        switch (what) {
        case 1: assert_ok(willow_body_set_tree(world, m->ids[w], &m->tree)); break;
        case 2: assert_ok(willow_body_set_self(world, m->ids[w], m->self)); break;
        case 3:
            assert_ok(willow_body_set_velocities(world, m->ids[w], 0, VERTICES, speed, 0));
            break;
        case 4: assert_ok(willow_body_set_target_pose(world, m->ids[w], &pose)); break;
        case 5:
            assert_ok(willow_body_set_target(world, m->ids[w], 0, VERTICES, t->models[0].at, 0));
            break;
        case 6: assert_ok(willow_body_set_thickness(world, m->ids[w], 0.02F)); break;
        case 7: assert_ok(willow_body_set_category_bits(world, m->ids[w], level)); break;
        default: assert_ok(willow_body_set_pose(world, m->ids[w], &pose)); break;
        }
    }
}

/* ---- comparing ---- */

typedef struct answers {
    uint64_t world, pairs, impacts, near;
    size_t pair_count, contact_count;
    double t;
    willow_box boxes[MOST];
} answers;

static answers ask(const twins *t, int w)
{
    const willow_world *world = t->worlds[w];
    const willow_ray ray = {{-9, 0.1F, 0.2F}, 0.0F, {1, 0.01F, 0}, 20.0F};
    answers a = {.world = willow_world_hash(world)};
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    willow_impacts impacts;
    willow_near near;
    willow_casts casts;
    options.near_distance = 0.1;
    options.tolerance = 0.1;
    options.max_iterations = 20;
    assert_ok(willow_find_pairs(world, t->scratches[w], &options, &pairs));
    a.pairs = willow_pairs_hash(&pairs);
    a.pair_count = pairs.count;
    assert_ok(willow_find_impacts(world, t->scratches[w], &options, &impacts));
    a.impacts = hash_impacts(&impacts);
    a.contact_count = impacts.count;
    options.features = true;
    assert_ok(willow_find_near(world, t->scratches[w], &options, &near));
    a.near = hash_near(&near);
    a.contact_count += near.count;
    assert_ok(willow_cast_rays(world, t->scratches[w], &ray, 1, NULL, &casts));
    a.t = casts.states[0] == WILLOW_RAY_HIT ? (double)casts.hits[0].t : -1.0;
    for (uint32_t i = 0; i < t->count; i++) {
        willow_body_info info;
        assert_ok(willow_body_get_info(world, t->models[i].ids[w], &info));
        a.boxes[i] = info.box;
    }
    return a;
}

static void compare(twins *t)
{
    for (int w = 0; w < WORLDS; w++) {
        assert_ok(willow_world_update(t->worlds[w], 0, NULL));
        char reason[200];
        if (!willow_world_validate(t->worlds[w], reason, sizeof reason)) fail_msg("%s", reason);
    }
    const answers shared = ask(t, SHARED), copied = ask(t, COPIED);
    assert_true(shared.world == copied.world);
    assert_int_equal(shared.pair_count, copied.pair_count);
    assert_true(shared.pairs == copied.pairs && shared.impacts == copied.impacts);
    assert_true(shared.near == copied.near && shared.t == copied.t);
    assert_memory_equal(shared.boxes, copied.boxes, sizeof shared.boxes);
    t->pairs += shared.pair_count;
    t->contacts += shared.contact_count;
}

static twins open_twins(uint64_t seed)
{
    twins t = {.random = seed};
    willow_world_def def = willow_world_def_default();
    def.thread_count = seed % 2 == 0 ? 3 : 1;
    make_tris();
    for (int w = 0; w < WORLDS; w++) {
        t.worlds[w] = fixture_world(&def);
        t.scratches[w] = fixture_scratch(t.worlds[w]);
    }
    return t;
}

static void bodies_that_share_are_as_copies_are(void **state)
{
    (void)state;
    size_t shared = 0, unshared = 0, refused = 0, pairs = 0, contacts = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        twins t = open_twins(seed);
        for (int step = 0; step < 12; step++) {
            while (t.count < MOST && pick(&t, 3) > 0)
                if (t.count == 0 || pick(&t, 3) == 0)
                    add_fresh(&t);
                else
                    add_shared(&t);
            for (uint32_t i = pick(&t, 6); i-- > 0 && t.count > 0;) change(&t);
            while (t.count > 0 && pick(&t, 4) == 0) destroy(&t);
            if (pick(&t, 4) > 0) compare(&t);
        }
        shared += t.shared;
        unshared += t.unshared;
        refused += t.refused;
        pairs += t.pairs;
        contacts += t.contacts;
        for (int w = 0; w < WORLDS; w++) fixture_close(t.worlds[w], t.scratches[w]);
    }
    print_message("%zu shared, %zu given vertices, %zu refused, %zu pairs, %zu contacts\n", shared,
                  unshared, refused, pairs, contacts);
    assert_true(shared > 50 && unshared > 20 && refused > 0 && pairs > 100 && contacts > 100);
}

/* ---- what it costs ---- */

static void a_thousand_that_share_have_one_mesh(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    twins t = open_twins(1);
    model m = {.tree = willow_tree_def_default()};
    make_sheet(&t, m.at);
    const willow_body_def def = def_of(&m);
    willow_body_def share = willow_body_def_default();
    share.share = fixture_body(t.worlds[SHARED], &def);
    assert_ok(willow_world_update(t.worlds[SHARED], 0, NULL));
    const size_t before = willow_world_bytes(t.worlds[SHARED]);
    willow_body_id last = {0};
    for (int i = 0; i < MANY; i++) last = fixture_body(t.worlds[SHARED], &share);
    assert_ok(willow_body_destroy(t.worlds[SHARED], share.share));
    willow_update_report report;
    assert_ok(willow_world_update(t.worlds[SHARED], 0, &report));
    assert_int_equal(report.bodies_built, 0);
    assert_int_equal(report.bodies_moved, MANY);
    print_message("%zu bytes each\n", (willow_world_bytes(t.worlds[SHARED]) - before) / MANY);
    willow_body_stats stats;
    assert_ok(willow_body_get_stats(t.worlds[SHARED], last, &stats));
    assert_int_equal(stats.leaf_count > 0, 1);
    for (int w = 0; w < WORLDS; w++) fixture_close(t.worlds[w], t.scratches[w]);
}

static void a_body_to_share_has_to_be_there(void **state)
{
    (void)state;
    twins t = open_twins(1);
    model m = {.tree = willow_tree_def_default()};
    make_sheet(&t, m.at);
    willow_body_def def = def_of(&m), share = willow_body_def_default();
    willow_body_id id, other = fixture_body(t.worlds[COPIED], &def);
    share.share = other;
    assert_int_equal(willow_body_create(t.worlds[SHARED], &share, &id), WILLOW_BAD_HANDLE);
    def.mesh.borrow = true;
    share.share = fixture_body(t.worlds[SHARED], &def);
    assert_int_equal(willow_body_create(t.worlds[SHARED], &share, &id), WILLOW_UNSUPPORTED);
    assert_int_equal(id.index1, 0);
    assert_ok(willow_body_destroy(t.worlds[SHARED], share.share));
    assert_int_equal(willow_body_create(t.worlds[SHARED], &share, &id), WILLOW_BAD_HANDLE);
    for (int w = 0; w < WORLDS; w++) fixture_close(t.worlds[w], t.scratches[w]);
}

/* ---- where memory is wanting ---- */

/* A body is shared, both are seen, and one of them is given other vertices. The n-th allocation
 * fails: true if there was one. */
static bool share_and_change(size_t fail_at, bool is_first)
{
    test_allocator allocator = {.fail_at = 0};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&allocator);
    willow_world *world = fixture_world(&def);
    twins t = {.random = 3};
    model m = {.tree = willow_tree_def_default()};
    m.tree.leaf_triangles = 2;
    make_sheet(&t, m.at);
    willow_body_def body = def_of(&m), share = willow_body_def_default();
    willow_body_id ids[2] = {fixture_body(world, &body), {0}};
    share.share = ids[0];
    allocator.fail_at = atomic_load(&allocator.calls) + fail_at;
    while (willow_body_create(world, &share, &ids[1]) != WILLOW_OK) continue;
    while (willow_world_update(world, 0, NULL) != WILLOW_OK)
        assert_true(willow_world_validate(world, NULL, 0));
    const uint64_t before = willow_world_hash(world);
    willow_result result;
    while ((result = willow_body_set_vertices(world, ids[is_first ? 0 : 1], 3, VERTICES - 3, m.at,
                                              0)) != WILLOW_OK) {
        assert_int_equal(result, WILLOW_OUT_OF_MEMORY);
        assert_true(willow_world_hash(world) == before);
        assert_true(willow_world_validate(world, NULL, 0));
        willow_vec3 at;
        assert_ok(willow_body_copy_vertices(world, ids[1], 0, 1, &at));
    }
    while (willow_world_update(world, 0, NULL) != WILLOW_OK) continue;
    const bool has_failed = atomic_load(&allocator.calls) >= allocator.fail_at;
    fixture_close(world, NULL);
    assert_true(test_allocator_is_clean(&allocator));
    return has_failed;
}

static void a_failed_allocation_leaves_bodies_sharing(void **state)
{
    (void)state;
    size_t failures = 0;
    make_tris();
    for (int is_first = 0; is_first < 2; is_first++)
        for (size_t n = 1; share_and_change(n, is_first == 1); n++) failures++;
    print_message("%zu allocations failed\n", failures);
    assert_true(failures > 20);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bodies_that_share_are_as_copies_are),
    cmocka_unit_test(a_thousand_that_share_have_one_mesh),
    cmocka_unit_test(a_body_to_share_has_to_be_there),
    cmocka_unit_test(a_failed_allocation_leaves_bodies_sharing),
};

TEST_GROUP(share, tests);
