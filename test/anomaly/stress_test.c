/* Random sessions: bodies come, move, try steps, turn, change their trees and their groups and go
 * in any order, with bad calls and failing allocations in between, in two worlds at once. One has
 * all kinds of trees, builders, broad phases and threads, the other only BRUTE and ALL_PAIRS; their
 * answers are equal. */
#include <math.h>
#include <stdlib.h>
#include "support/contact_hash.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { MAX_BODIES = 8 };

typedef struct actor {
    zoo_mesh mesh;
    willow_body_id ids[2];
    bool is_alive, borrows, tries; /* a step */
} actor;

typedef struct session {
    test_allocator allocators[2];
    willow_world *worlds[2];
    willow_scratch *scratches[2];
    actor actors[MAX_BODIES];
    uint64_t random;
    uint32_t frame;
    size_t pairs, impacts, near, failures;
} session;

static uint32_t below(session *s, uint32_t limit)
{
    return (uint32_t)(test_random(&s->random) % limit);
}

static void open_session(session *s, uint64_t seed)
{
    memset(s, 0, sizeof *s);
    s->random = seed;
    for (int i = 0; i < 2; i++) {
        willow_world_def def = willow_world_def_default();
        def.allocator = test_allocator_functions(&s->allocators[i]);
        def.broad = i == 0 ? (willow_broad)(seed % WILLOW_BROAD_COUNT) : WILLOW_BROAD_ALL_PAIRS;
        def.thread_count = i == 0 ? 1 + (uint32_t)(seed % 3) : 1;
        def.kernel = i == 0 ? WILLOW_KERNEL_AUTO : WILLOW_KERNEL_SCALAR;
        assert_ok(willow_world_create(&def, &s->worlds[i]));
        assert_ok(willow_scratch_create(s->worlds[i], &s->scratches[i]));
    }
}

static void close_session(session *s)
{
    for (int i = 0; i < 2; i++) {
        willow_scratch_destroy(s->scratches[i]);
        willow_world_destroy(s->worlds[i]);
        assert_true(test_allocator_is_clean(&s->allocators[i]));
    }
    for (int i = 0; i < MAX_BODIES; i++)
        if (s->actors[i].is_alive) zoo_mesh_destroy(&s->actors[i].mesh);
}

static willow_tree_def random_tree(session *s)
{
    static const float margins[] = {0.0F, 0.0F, 0.01F, 0.3F, 1e30F, 0x1p-149F};
    static const float ratios[] = {0.0F, 0.0F, 1.0F, 1.1F, INFINITY};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = (willow_method)below(s, WILLOW_METHOD_COUNT);
    tree.build = (willow_build)below(s, WILLOW_BUILD_COUNT);
    tree.arity = 2U << below(s, 3);
    tree.leaf_triangles = below(s, 2) == 0 ? 1 + below(s, 3) : below(s, 33);
    tree.hybrid_level = below(s, 4);
    tree.margin = margins[below(s, sizeof margins / sizeof margins[0])];
    tree.rebuild_ratio = ratios[below(s, sizeof ratios / sizeof ratios[0])];
    return tree;
}

static willow_pose random_pose(session *s)
{
    float numbers[7];
    willow_pose pose;
    for (int i = 0; i < 7; i++) numbers[i] = (float)test_random_between(&s->random, -0.5, 0.5);
    memcpy(&pose, numbers, sizeof numbers);
    return below(s, 4) == 0 ? willow_pose_identity() : pose;
}

/* ---- what may happen ---- */

static void create(session *s, actor *a)
{
    willow_body_def def = willow_body_def_default();
    const uint32_t size = 1 + below(s, below(s, 4) == 0 ? 160 : 40);
    zoo_mesh_create(&a->mesh, (zoo_kind)below(s, ZOO_KIND_COUNT), size, s->random);
    if (below(s, 3) == 0) zoo_mesh_group(&a->mesh, s->random);
    a->borrows = below(s, 4) == 0;
    def.mesh = zoo_mesh_def(&a->mesh);
    def.mesh.borrow = a->borrows;
    def.self = below(s, 2) == 0;
    def.keep_rest = below(s, 2) == 0 || def.self; /* else skip_close_at_rest is refused */
    def.thickness = below(s, 2) == 0 ? 0.0F : 0.01F * (float)below(s, 4);
    a->tries = false;
    def.pose = random_pose(s);
    def.category_bits = 1 + below(s, 3);
    def.mask_bits = below(s, 3) == 0 ? 1 + below(s, 3) : UINT64_MAX;
    for (int i = 0; i < 2; i++) {
        def.tree = random_tree(s);
        if (i == 1) def.tree.method = WILLOW_METHOD_BRUTE;
        assert_ok(willow_body_create(s->worlds[i], &def, &a->ids[i]));
    }
    assert_int_equal(a->ids[0].index1, a->ids[1].index1);
    a->is_alive = true;
}

static void destroy(session *s, actor *a)
{
    for (int i = 0; i < 2; i++) assert_ok(willow_body_destroy(s->worlds[i], a->ids[i]));
    zoo_mesh_destroy(&a->mesh);
    a->is_alive = false;
}

/* To other places, or hardly. */
static void move_vertices(session *s, zoo_mesh *mesh, uint32_t first, uint32_t count)
{
    s->frame++;
    if (below(s, 3) == 0) {
        zoo_mesh_move(mesh, s->frame, first, count);
        return;
    }
    for (uint32_t i = first; i < first + count; i++)
        for (int axis = 0; axis < 3; axis++)
            mesh->positions[i][axis] += (float)test_random_between(&s->random, -0.004, 0.004);
}

/* Says OUT_OF_MEMORY and changes nothing, or works. */
static void set_without_memory(session *s, actor *a, uint32_t first, uint32_t count)
{
    const uint64_t hash = willow_world_hash(s->worlds[0]);
    s->allocators[0].fail_at = atomic_load(&s->allocators[0].calls) + 1 + below(s, 6);
    willow_result result = willow_body_set_vertices(s->worlds[0], a->ids[0], first, count,
                                                    a->mesh.positions + first, 0);
    s->allocators[0].fail_at = 0;
    assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
    assert_true(result == WILLOW_OK || willow_world_hash(s->worlds[0]) == hash);
    s->failures += result != WILLOW_OK;
}

static void move_range(session *s, actor *a, uint32_t first, uint32_t count)
{
    /* Setting none of several vertices changes nothing; all of a body that has none ends its step.
     */
    if (a->borrows || count > 0 || a->mesh.vertex_count == 0) a->tries = false;
    for (int i = 0; i < 2 && a->borrows; i++)
        assert_ok(willow_body_begin_vertices(s->worlds[i], a->ids[i]));
    move_vertices(s, &a->mesh, first, count);
    if (!a->borrows && below(s, 4) == 0) set_without_memory(s, a, first, count);
    for (int i = 0; i < 2 && !a->borrows; i++)
        assert_ok(willow_body_set_vertices(s->worlds[i], a->ids[i], first, count,
                                           a->mesh.positions + first, 0));
}

static void move(session *s, actor *a)
{
    const uint32_t has = a->mesh.vertex_count;
    const uint32_t first = below(s, 2) == 0 ? 0 : below(s, has + 1);
    move_range(s, a, first, below(s, 2) == 0 ? has - first : below(s, has - first + 1));
}

/* One by one, the same one again by turns. */
static void move_few(session *s, actor *a)
{
    const uint32_t has = a->mesh.vertex_count;
    for (uint32_t i = 1 + below(s, 3); i > 0 && has > 0; i--) {
        const uint32_t first = below(s, has), rest = has - first;
        move_range(s, a, first, below(s, 4) == 0 && rest > 1 ? 2 : 1);
    }
}

/* Where some of its vertices may go, by a little or somewhere else; once without memory. */
static void try_vertices(session *s, actor *a)
{
    const uint32_t has = a->mesh.vertex_count;
    if (has == 0) return;
    const uint32_t first = below(s, 2) == 0 ? 0 : below(s, has);
    const uint32_t count = below(s, 2) == 0 ? has - first : 1 + below(s, has - first);
    const double way = below(s, 4) == 0 ? 1.0 : 0.05;
    float(*to)[3] = malloc(count * sizeof *to);
    for (uint32_t i = 0; i < 3 * count; i++)
        to[i / 3][i % 3] = a->mesh.positions[first + i / 3][i % 3] +
                           (float)test_random_between(&s->random, -way, way);
    if (below(s, 3) == 0) {
        const uint64_t hash = willow_world_hash(s->worlds[0]);
        s->allocators[0].fail_at = atomic_load(&s->allocators[0].calls) + 1;
        willow_result result = willow_body_set_target(s->worlds[0], a->ids[0], first, count, to, 0);
        s->allocators[0].fail_at = 0;
        assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
        assert_true(result == WILLOW_OK || willow_world_hash(s->worlds[0]) == hash);
        s->failures += result != WILLOW_OK;
    }
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_set_target(s->worlds[i], a->ids[i], first, count, to, 0));
    a->tries = true;
    free(to);
}

/* Somewhere else, or the same rotation. */
static void try_pose(session *s, actor *a)
{
    willow_body_info info;
    assert_ok(willow_body_get_info(s->worlds[0], a->ids[0], &info));
    willow_pose pose = random_pose(s);
    if (below(s, 2) == 0) pose.rotation = info.pose.rotation;
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_set_target_pose(s->worlds[i], a->ids[i], &pose));
    a->tries = true;
}

static void turn(session *s, actor *a)
{
    a->tries = false;
    willow_pose pose = random_pose(s);
    for (int i = 0; i < 2; i++) assert_ok(willow_body_set_pose(s->worlds[i], a->ids[i], &pose));
}

static void change_tree(session *s, actor *a)
{
    willow_tree_def tree = random_tree(s);
    assert_ok(willow_body_set_tree(s->worlds[0], a->ids[0], &tree));
}

/* Also once without memory: that changes nothing, or works. */
static void change_groups(session *s, actor *a)
{
    const uint64_t hash = willow_world_hash(s->worlds[0]);
    zoo_mesh_mask(&a->mesh, s->random);
    if (below(s, 4) == 0) {
        s->allocators[0].fail_at = atomic_load(&s->allocators[0].calls) + 1 + below(s, 3);
        willow_result result =
            willow_body_set_group_masks(s->worlds[0], a->ids[0], a->mesh.masks, a->mesh.mask_count);
        s->allocators[0].fail_at = 0;
        assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
        assert_true(result == WILLOW_OK || willow_world_hash(s->worlds[0]) == hash);
        s->failures += result != WILLOW_OK;
    }
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_set_group_masks(s->worlds[i], a->ids[i], a->mesh.masks,
                                              a->mesh.mask_count));
}

/* Far away, and one of them nowhere. */
static void set_all_but_one(session *s, actor *a)
{
    const uint32_t has = a->mesh.vertex_count;
    if (has == 0) return;
    float(*to)[3] = malloc(has * sizeof *to);
    for (uint32_t i = 0; i < 3 * has; i++) to[i / 3][i % 3] = 1e9F;
    to[below(s, has)][below(s, 3)] = below(s, 2) == 0 ? NAN : INFINITY;
    assert_true(willow_body_set_vertices(s->worlds[0], a->ids[0], 0, has, to, 0) != WILLOW_OK);
    assert_true(willow_body_set_target(s->worlds[0], a->ids[0], 0, has, to, 0) != WILLOW_OK);
    free(to);
}

/* Every call fails, and nothing has changed. */
static void misuse(session *s, actor *a)
{
    willow_world *world = s->worlds[0];
    uint64_t hash = willow_world_hash(world);
    willow_body_id stranger = a->ids[1];
    willow_pose pose = {{0, 0, 0}, {0, 0, 0, 0}};
    willow_tree_def tree = willow_tree_def_default();
    const float bad[3] = {0, NAN, 0};
    const uint64_t one_way[4] = {0, 4, 0, 0};
    tree.arity = 5;
    assert_true(willow_body_set_group_masks(world, a->ids[0], one_way, 4) == WILLOW_BAD_MESH);
    assert_true(willow_body_set_pose(world, a->ids[0], &pose) == WILLOW_BAD_ARGUMENT);
    assert_true(willow_body_set_target_pose(world, a->ids[0], &pose) == WILLOW_BAD_ARGUMENT);
    assert_true(willow_body_set_tree(world, a->ids[0], &tree) == WILLOW_BAD_ARGUMENT);
    assert_true(willow_body_destroy(world, stranger) == WILLOW_BAD_HANDLE);
    if (a->mesh.vertex_count > 0)
        assert_true(willow_body_set_vertices(world, a->ids[0], a->mesh.vertex_count - 1, 1, bad,
                                             0) != WILLOW_OK);
    set_all_but_one(s, a);
    assert_true(willow_world_hash(world) == hash);
}

static void act(session *s)
{
    actor *a = &s->actors[below(s, MAX_BODIES)];
    if (!a->is_alive) {
        create(s, a);
        return;
    }
    switch (below(s, 20)) {
    case 0: destroy(s, a); break;
    case 1:
    case 2:
    case 3:
    case 4: move(s, a); break;
    case 5:
    case 6:
    case 7:
    case 8:
    case 9: move_few(s, a); break;
    case 10:
    case 11: turn(s, a); break;
    case 12: change_tree(s, a); break;
    case 13: change_groups(s, a); break;
    case 14:
    case 15:
    case 16: try_vertices(s, a); break;
    case 17: try_pose(s, a); break;
    default: misuse(s, a); break;
    }
}

/* ---- update and compare ---- */

/* With some luck there is no memory from the n-th allocation on; the update then goes on later. */
static void update(session *s, bool fails)
{
    willow_world *world = s->worlds[0];
    willow_pairs pairs;
    double time = (double)s->frame;
    if (fails) {
        s->allocators[0].fail_at = atomic_load(&s->allocators[0].calls) + 1 + below(s, 12);
        uint64_t hash = willow_world_hash(world);
        willow_result result = willow_world_update(world, time, NULL);
        assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
        s->allocators[0].fail_at = 0;
        char reason[200] = "";
        if (!willow_world_validate(world, reason, sizeof reason))
            fail_msg("%s after %s", reason, willow_result_name(result));
        if (result != WILLOW_OK) {
            s->failures++;
            assert_true(willow_world_hash(world) == hash);
            assert_int_equal(willow_find_pairs(world, s->scratches[0], NULL, &pairs), WILLOW_STALE);
        }
        /* Something else happens before it goes on; not only then, since which allocation is the
         * n-th depends on threads, and the session must not. */
        if (below(s, 2) == 0) act(s);
    }
    for (int i = 0; i < 2; i++) assert_ok(willow_world_update(s->worlds[i], time, NULL));
}

static bool check_node(void *context, const willow_node *node)
{
    const willow_tree_def *tree = context;
    assert_true(tree->method != WILLOW_METHOD_BRUTE);
    assert_true(node->child_count <= tree->arity || tree->method == WILLOW_METHOD_SPHERE);
    assert_true(node->triangle_count <= tree->leaf_triangles);
    return true;
}

/* The trees are those that were asked for last. */
static void check_trees(const session *s)
{
    for (int i = 0; i < MAX_BODIES; i++) {
        willow_body_info info;
        if (!s->actors[i].is_alive) continue;
        willow_body_id id = s->actors[i].ids[0];
        assert_ok(willow_body_get_info(s->worlds[0], id, &info));
        assert_int_equal(info.has_target, s->actors[i].tries);
        assert_ok(willow_body_visit_nodes(s->worlds[0], id, check_node, &info.tree));
    }
}

static void compare(session *s)
{
    willow_pairs pairs[2];
    willow_query_options options = willow_query_options_default();
    char reason[200] = "";
    options.skip_neighbours = below(s, 2) == 0;
    options.witness = true;
    for (int i = 0; i < 2; i++) {
        options.use_threads = i == 0;
        options.descend =
            i == 0 ? (willow_descend)below(s, WILLOW_DESCEND_COUNT) : WILLOW_DESCEND_AUTO;
        if (i == 0 && below(s, 6) == 0) {
            s->allocators[0].fail_at = atomic_load(&s->allocators[0].calls) + 1;
            willow_result result =
                willow_find_pairs(s->worlds[0], s->scratches[0], &options, &pairs[0]);
            assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
            s->failures += result != WILLOW_OK;
            s->allocators[0].fail_at = 0;
        }
        assert_ok(willow_find_pairs(s->worlds[i], s->scratches[i], &options, &pairs[i]));
    }
    assert_int_equal(pairs[0].count, pairs[1].count);
    assert_true(willow_pairs_hash(&pairs[0]) == willow_pairs_hash(&pairs[1]));
    if (pairs[0].count > 0)
        assert_memory_equal(pairs[0].witnesses, pairs[1].witnesses,
                            pairs[0].count * sizeof *pairs[0].witnesses);
    if (!willow_world_validate(s->worlds[0], reason, sizeof reason)) fail_msg("%s", reason);
    assert_int_equal(willow_world_bytes(s->worlds[0]), atomic_load(&s->allocators[0].bytes));
    s->pairs += pairs[0].count;
}

/* Two bodies or one, so small that every two of their vertices, edges and faces can be asked. Not
 * those from denormals to 1e30: what is apart by roundings of 1e30 may be an impact or not
 * (prim/moving/toi.c, step 5), and what folds cannot do is not asked. */
static size_t choose_few(session *s, const actor *few[2])
{
    size_t count = 0, triangles = 0;
    for (int i = 0; i < MAX_BODIES && count < 2; i++) {
        const actor *a = &s->actors[i];
        if (!a->is_alive || triangles + a->mesh.triangle_count > 60) continue;
        if (a->mesh.kind == ZOO_KIND_EXTREME || below(s, 3) == 0) continue;
        triangles += a->mesh.triangle_count;
        few[count++] = a;
    }
    return count;
}

typedef struct contacts {
    uint64_t hashes[4];
    size_t impacts, near;
} contacts;

/* All questions about contacts, or OUT_OF_MEMORY. */
static willow_result ask_contacts(session *s, int world, const willow_query_options *options,
                                  contacts *out)
{
    willow_impacts impacts;
    willow_first_impact first;
    willow_near near;
    willow_query_options asked = *options;
    *out = (contacts){0};
    willow_result result =
        willow_find_impacts(s->worlds[world], s->scratches[world], &asked, &impacts);
    if (result != WILLOW_OK) return result;
    out->impacts = impacts.count;
    out->hashes[0] = hash_impacts(&impacts) ^ hash_impact_contacts(&impacts);
    result = willow_time_of_impact(s->worlds[world], s->scratches[world], &asked, &first);
    if (result != WILLOW_OK) return result;
    out->hashes[1] = hash_first_impact_time(&first);
    for (int i = 0; i < 2; i++) {
        asked.features = i == 1;
        result = willow_find_near(s->worlds[world], s->scratches[world], &asked, &near);
        if (result != WILLOW_OK) return result;
        out->near += near.count;
        out->hashes[2 + i] = hash_near(&near) ^ hash_near_contacts(&near);
    }
    return WILLOW_OK;
}

static void compare_contacts(session *s)
{
    willow_query_options options = willow_query_options_default();
    const actor *few[2];
    willow_body_id ids[2][2];
    contacts found[2];
    options.body_count = choose_few(s, few);
    for (size_t i = 0; i < 2 * options.body_count; i++) ids[i % 2][i / 2] = few[i / 2]->ids[i % 2];
    options.near_distance = options.touch_distance = below(s, 2) == 0 ? 0.0 : 0.02;
    options.skip_close_at_rest = below(s, 2) == 0;
    options.skip_neighbours = below(s, 4) != 0;
    options.max_results = below(s, 4) == 0 ? 1 + below(s, 20) : 0;
    options.max_iterations = 200; /* and so some are not decided, in both worlds */
    for (int i = 0; i < 2; i++) {
        options.bodies = ids[i];
        options.use_threads = i == 0;
        options.descend =
            i == 0 ? (willow_descend)below(s, WILLOW_DESCEND_COUNT) : WILLOW_DESCEND_AUTO;
        if (i == 0 && below(s, 4) == 0) {
            s->allocators[0].fail_at = atomic_load(&s->allocators[0].calls) + 1 + below(s, 4);
            willow_result result = ask_contacts(s, 0, &options, &found[0]);
            assert_true(result == WILLOW_OK || result == WILLOW_OUT_OF_MEMORY);
            s->failures += result != WILLOW_OK;
            s->allocators[0].fail_at = 0;
        }
        assert_ok(ask_contacts(s, i, &options, &found[i]));
    }
    for (int i = 0; i < 4; i++)
        if (found[0].hashes[i] != found[1].hashes[i])
            fail_msg("question %d: %zu and %zu impacts, %zu and %zu near", i, found[0].impacts,
                     found[1].impacts, found[0].near, found[1].near);
    s->impacts += found[0].impacts;
    s->near += found[0].near;
}

static void random_sessions_give_the_answers_of_brute_ones(void **state)
{
    (void)state;
    size_t pairs = 0, impacts = 0, near = 0, failures = 0;
    for (uint64_t seed = 0; seed < test_seeds(20); seed++) {
        session s;
        open_session(&s, seed);
        for (int step = 0; step < 60; step++) {
            for (uint32_t i = 1 + below(&s, 6); i > 0; i--) act(&s);
            update(&s, below(&s, 4) == 0);
            if (below(&s, 4) != 0) compare(&s);
            if (below(&s, 5) == 0) compare_contacts(&s);
            if (below(&s, 4) == 0) check_trees(&s); /* which opens all nodes */
        }
        pairs += s.pairs;
        impacts += s.impacts;
        near += s.near;
        failures += s.failures;
        close_session(&s);
    }
    print_message("%zu pairs, %zu impacts and %zu near pairs found, %zu calls failed for memory\n",
                  pairs, impacts, near, failures);
    assert_true(pairs > 0 && impacts > 0 && near > 0 && failures > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_sessions_give_the_answers_of_brute_ones),
};

TEST_GROUP(stress, tests);
