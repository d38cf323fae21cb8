/* Any allocation may fail (C6): the n-th one does, for every n of a session that uses every call.
 *
 * A call that fails says so, changes nothing that users gave, leaves a sound world, and works when
 * it is called again; at the end all answers are those of a session in which nothing failed, and
 * all memory is back. */
#include <stdlib.h>
#include "base/hash.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { BODIES = 7 };

/* How the bodies differ. */
static const struct {
    zoo_kind kind;
    uint32_t size;
    willow_method method;
    uint32_t leaf_triangles;
    bool narrow, borrow;
} wanted[BODIES] = {
    {ZOO_KIND_SPHERE, 98, WILLOW_METHOD_BOTTOM_UP, 2, false, false},
    {ZOO_KIND_CRUMPLED, 98, WILLOW_METHOD_BOTTOM_UP, 1, true, false},
    {ZOO_KIND_GROUPS, 12, WILLOW_METHOD_REBUILD, 3, false, false},
    {ZOO_KIND_SEAMS, 50, WILLOW_METHOD_BOTTOM_UP, 2, false, false},
    {ZOO_KIND_GRID, 50, WILLOW_METHOD_AUTO, 0, true, true},
    {ZOO_KIND_LOOSE, 6, WILLOW_METHOD_BRUTE, 0, false, false},
    {ZOO_KIND_EMPTY, 0, WILLOW_METHOD_BOTTOM_UP, 0, false, false},
};

/* The n-th call fails, or it and all later ones. */
typedef struct moody_allocator {
    test_allocator inner;
    atomic_size_t calls;
    size_t fail_at; /* 0: never */
    bool fails_on;  /* after that call too */
    atomic_bool has_failed;
} moody_allocator;

static void *moody_alloc(void *context, size_t size, size_t alignment)
{
    moody_allocator *moody = context;
    size_t call = atomic_fetch_add(&moody->calls, 1) + 1;
    if (moody->fail_at != 0 &&
        (moody->fails_on ? call >= moody->fail_at : call == moody->fail_at)) {
        atomic_store(&moody->has_failed, true);
        return NULL;
    }
    willow_allocator inner = test_allocator_functions(&moody->inner);
    return inner.alloc(inner.context, size, alignment);
}

static void moody_free(void *context, void *block, size_t size, size_t alignment)
{
    moody_allocator *moody = context;
    willow_allocator inner = test_allocator_functions(&moody->inner);
    inner.free(inner.context, block, size, alignment);
}

typedef struct session {
    moody_allocator *allocator;
    uint32_t thread_count;
    willow_world *world;
    willow_scratch *scratch;
    zoo_mesh meshes[BODIES];
    willow_body_id bodies[BODIES];
    uint64_t answers; /* hash of all of them */
    uint64_t answer;  /* of the last question */
    size_t pairs;
} session;

/* ---- the calls ---- */

static willow_result make_world(session *s)
{
    willow_world_def def = willow_world_def_default();
    def.allocator = (willow_allocator){moody_alloc, moody_free, s->allocator};
    def.thread_count = s->thread_count;
    return willow_world_create(&def, &s->world);
}

static willow_result make_body(session *s, int number)
{
    const zoo_mesh *mesh = &s->meshes[number];
    uint16_t *narrow = calloc(3 * (size_t)mesh->triangle_count + 1, sizeof *narrow);
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++)
        narrow[i] = (uint16_t)mesh->tris[i / 3][i % 3];
    willow_body_def def = willow_body_def_default();
    def.mesh =
        (willow_mesh_def){.positions = mesh->positions,
                          .vertex_count = mesh->vertex_count,
                          .indices = wanted[number].narrow ? (const void *)narrow : mesh->tris,
                          .index_type = wanted[number].narrow ? WILLOW_INDEX_U16 : WILLOW_INDEX_U32,
                          .triangle_count = mesh->triangle_count,
                          .triangle_groups = mesh->groups,
                          .borrow = wanted[number].borrow,
                          .weld_exact = mesh->weld};
    def.tree.method = wanted[number].method;
    def.tree.leaf_triangles = wanted[number].leaf_triangles;
    def.self = number % 2 == 0;
    willow_result result = willow_body_create(s->world, &def, &s->bodies[number]);
    free(narrow);
    return result;
}

static willow_result make_body_0(session *s) { return make_body(s, 0); }
static willow_result make_body_1(session *s) { return make_body(s, 1); }
static willow_result make_body_2(session *s) { return make_body(s, 2); }
static willow_result make_body_3(session *s) { return make_body(s, 3); }
static willow_result make_body_4(session *s) { return make_body(s, 4); }
static willow_result make_body_5(session *s) { return make_body(s, 5); }
static willow_result make_body_6(session *s) { return make_body(s, 6); }

static willow_result make_scratch(session *s)
{
    return willow_scratch_create(s->world, &s->scratch);
}

static willow_result update(session *s) { return willow_world_update(s->world, 1.0, NULL); }

static willow_result ask_pairs(session *s, bool use_threads, bool is_named)
{
    const willow_body_id named[] = {s->bodies[3], s->bodies[0], s->bodies[4], s->bodies[0]};
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.use_threads = use_threads;
    if (is_named) {
        options.bodies = named;
        options.body_count = 4;
    }
    willow_result result = willow_find_pairs(s->world, s->scratch, &options, &pairs);
    if (result != WILLOW_OK) return result;
    s->pairs += pairs.count;
    s->answer = willow_pairs_hash(&pairs);
    return WILLOW_OK;
}

static willow_result ask_pairs_alone(session *s) { return ask_pairs(s, false, false); }
static willow_result ask_pairs_shared(session *s) { return ask_pairs(s, true, false); }
static willow_result ask_pairs_named(session *s) { return ask_pairs(s, true, true); }

static willow_result ask_self_pairs(session *s)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs pairs;
    options.use_threads = true;
    options.bodies = s->bodies;
    options.body_count = BODIES;
    willow_result result = willow_find_self_pairs(s->world, s->scratch, &options, &pairs);
    if (result != WILLOW_OK) return result;
    s->pairs += pairs.count;
    s->answer = willow_pairs_hash(&pairs);
    return WILLOW_OK;
}

static willow_result ask_first_pair(session *s)
{
    willow_first_pair first;
    willow_result result = willow_find_first_pair(s->world, s->scratch, NULL, &first);
    s->answer = (uint64_t)first.a.tri << 32 | first.b.tri;
    return result;
}

static bool sum_pairs(void *context, willow_tri_ref a, willow_tri_ref b)
{
    uint64_t key = (uint64_t)a.body.index1 << 32 | b.body.index1;
    *(uint64_t *)context += wi_hash_u64(key, (uint64_t)a.tri << 32 | b.tri);
    return true;
}

static bool sum_tris(void *context, willow_tri_ref tri)
{
    *(uint64_t *)context += wi_hash_u64(tri.body.index1, tri.tri);
    return true;
}

static willow_result visit_pairs(session *s)
{
    s->answer = 0;
    return willow_visit_pairs(s->world, s->scratch, NULL, sum_pairs, &s->answer);
}

static willow_result visit_box(session *s)
{
    willow_box box = {{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}};
    s->answer = 0;
    return willow_visit_box(s->world, s->scratch, &box, NULL, sum_tris, &s->answer);
}

static willow_result set_all_vertices(session *s)
{
    zoo_mesh *mesh = &s->meshes[0];
    zoo_mesh_move(mesh, 1, 0, mesh->vertex_count);
    return willow_body_set_vertices(s->world, s->bodies[0], 0, mesh->vertex_count, mesh->positions,
                                    0);
}

static willow_result set_some_vertices(session *s)
{
    zoo_mesh *mesh = &s->meshes[2];
    zoo_mesh_move(mesh, 1, 3, 5);
    return willow_body_set_vertices(s->world, s->bodies[2], 3, 5, mesh->positions + 3, 0);
}

static willow_result write_borrowed_vertices(session *s)
{
    zoo_mesh *mesh = &s->meshes[4];
    willow_result result = willow_body_begin_vertices(s->world, s->bodies[4]);
    if (result == WILLOW_OK) zoo_mesh_move(mesh, 1, 0, mesh->vertex_count);
    return result;
}

static willow_result set_tree(session *s)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.leaf_triangles = 5;
    tree.arity = 2;
    return willow_body_set_tree(s->world, s->bodies[1], &tree);
}

static willow_result count_edges(session *s)
{
    willow_body_topology topology;
    willow_result result = willow_body_get_topology(s->world, s->bodies[3], &topology);
    s->answer = wi_hash_u64(topology.edges, topology.border_edges);
    return result;
}

static willow_result read_everything(session *s)
{
    willow_body_info info;
    willow_body_stats stats;
    willow_body_id ids[BODIES];
    willow_vec3 vertex;
    if (willow_world_copy_bodies(s->world, ids, BODIES) != BODIES) return WILLOW_BAD_ARGUMENT;
    willow_result result = willow_body_get_info(s->world, s->bodies[0], &info);
    if (result == WILLOW_OK) result = willow_body_get_stats(s->world, s->bodies[0], &stats);
    if (result == WILLOW_OK)
        result = willow_body_copy_vertices(s->world, s->bodies[0], 2, 1, &vertex);
    s->answer = wi_hash_bytes(info.triangle_count, &vertex, sizeof vertex);
    return result;
}

static willow_result destroy_body(session *s)
{
    return willow_body_destroy(s->world, s->bodies[1]);
}

typedef struct call {
    const char *name;
    willow_result (*run)(session *s);
    bool is_question; /* its answer counts */
} call;

static const call calls[] = {
    {"create world", make_world, false},
    {"create body, large", make_body_0, false},
    {"create body, u16", make_body_1, false},
    {"create body, groups", make_body_2, false},
    {"create body, welded", make_body_3, false},
    {"create body, borrowed", make_body_4, false},
    {"create body, brute", make_body_5, false},
    {"create body, empty", make_body_6, false},
    {"update", update, false},
    {"create scratch", make_scratch, false},
    {"pairs with threads", ask_pairs_shared, true},
    {"pairs", ask_pairs_alone, true},
    {"pairs of named bodies", ask_pairs_named, true},
    {"self pairs", ask_self_pairs, true},
    {"first pair", ask_first_pair, true},
    {"visit pairs", visit_pairs, true},
    {"visit box", visit_box, true},
    {"set all vertices", set_all_vertices, false},
    {"set some vertices", set_some_vertices, false},
    {"begin vertices", write_borrowed_vertices, false},
    {"set tree", set_tree, false},
    {"update again", update, false},
    {"pairs again", ask_pairs_shared, true},
    {"topology", count_edges, true},
    {"destroy body", destroy_body, false},
    {"create body again", make_body_1, false},
    {"last update", update, false},
    {"last pairs", ask_pairs_shared, true},
    {"last self pairs", ask_self_pairs, true},
    {"read everything", read_everything, true},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

/* ---- what must hold ---- */

static bool is_sound(const session *s)
{
    char reason[200] = "";
    if (s->world == NULL || willow_world_validate(s->world, reason, sizeof reason)) return true;
    print_error("%s\n", reason);
    return false;
}

static bool is_stale(const session *s)
{
    willow_pairs pairs;
    return s->scratch != NULL &&
           willow_find_pairs(s->world, s->scratch, NULL, &pairs) == WILLOW_STALE;
}

/* Calls until it works, which with one failure is the second time at most. */
static void run_call(session *s, const call *c, size_t n, bool *was_hit)
{
    uint64_t before = s->world ? willow_world_hash(s->world) : 0;
    bool is_update = c->run == update;
    willow_result result = c->run(s);
    if (atomic_exchange(&s->allocator->has_failed, false)) {
        *was_hit = true;
        s->allocator->fail_at = 0;
        bool kept =
            result == WILLOW_OK || s->world == NULL || willow_world_hash(s->world) == before;
        bool has_words = s->world == NULL || c->run == make_scratch ||
                         strstr(c->run == update || !c->is_question || c->run == count_edges
                                    ? willow_world_message(s->world)
                                    : willow_scratch_message(s->scratch),
                                "no memory for ") != NULL;
        if (result != WILLOW_OUT_OF_MEMORY || !kept || !has_words || !is_sound(s) ||
            (is_update && s->scratch && !is_stale(s)))
            fail_msg("allocation %zu fails in \"%s\": %s, world %s, message %s", n, c->name,
                     willow_result_name(result), kept ? "kept" : "changed",
                     has_words ? "set" : "missing");
        result = c->run(s);
    }
    if (result != WILLOW_OK) fail_msg("\"%s\": %s", c->name, willow_result_name(result));
    if (is_update && !is_sound(s)) fail_msg("failure %zu: \"%s\" breaks the world", n, c->name);
    if (c->is_question) s->answers = wi_hash_u64(s->answers, s->answer);
}

/* Runs all calls; false if the n-th allocation was never asked for. */
static bool run_session(size_t n, bool fails_on, uint32_t thread_count, session *out)
{
    moody_allocator allocator = {.fail_at = n, .fails_on = fails_on};
    session s = {.allocator = &allocator, .thread_count = thread_count};
    bool was_hit = false;
    for (int i = 0; i < BODIES; i++)
        zoo_mesh_create(&s.meshes[i], wanted[i].kind, wanted[i].size, (uint64_t)i);
    for (int i = 0; i < CALLS; i++) run_call(&s, &calls[i], n, &was_hit);
    willow_scratch_destroy(s.scratch);
    willow_world_destroy(s.world);
    for (int i = 0; i < BODIES; i++) zoo_mesh_destroy(&s.meshes[i]);
    if (!test_allocator_is_clean(&allocator.inner))
        fail_msg("failure %zu: %zu blocks and %zu bytes are left, %zu were freed with wrong sizes",
                 n, atomic_load(&allocator.inner.blocks), atomic_load(&allocator.inner.bytes),
                 atomic_load(&allocator.inner.wrong_frees));
    *out = s;
    return was_hit;
}

static void fail_every_allocation(bool fails_on, uint32_t thread_count)
{
    session clean, hit;
    assert_false(run_session(0, false, thread_count, &clean));
    assert_true(clean.pairs > 0);
    size_t n = 1;
    for (; run_session(n, fails_on, thread_count, &hit); n++)
        if (hit.answers != clean.answers) fail_msg("failure %zu changed an answer", n);
    print_message("%u threads: %zu allocations failed, one by one; %zu pairs found each time\n",
                  thread_count, n - 1, clean.pairs);
    assert_true(n > 50);
}

static void one_failed_allocation_spoils_nothing(void **state)
{
    (void)state;
    fail_every_allocation(false, 1);
}

static void one_failed_allocation_among_threads_spoils_nothing(void **state)
{
    (void)state;
    fail_every_allocation(false, 3);
}

static void no_memory_at_all_spoils_nothing(void **state)
{
    (void)state;
    fail_every_allocation(true, 2);
}

static void setters_that_only_note_need_no_memory(void **state)
{
    (void)state;
    moody_allocator allocator = {.fail_at = 0};
    session s = {.allocator = &allocator, .thread_count = 1};
    bool was_hit = false;
    for (int i = 0; i < BODIES; i++)
        zoo_mesh_create(&s.meshes[i], wanted[i].kind, wanted[i].size, (uint64_t)i);
    for (int i = 0; calls[i].run != ask_pairs_shared; i++) run_call(&s, &calls[i], 0, &was_hit);
    size_t before = atomic_load(&allocator.calls);
    assert_int_equal(set_all_vertices(&s), WILLOW_OK);
    assert_int_equal(set_some_vertices(&s), WILLOW_OK);
    assert_int_equal(write_borrowed_vertices(&s), WILLOW_OK);
    assert_int_equal(set_tree(&s), WILLOW_OK);
    assert_int_equal(destroy_body(&s), WILLOW_OK);
    assert_int_equal(atomic_load(&allocator.calls), before);
    willow_scratch_destroy(s.scratch);
    willow_world_destroy(s.world);
    for (int i = 0; i < BODIES; i++) zoo_mesh_destroy(&s.meshes[i]);
    assert_true(test_allocator_is_clean(&allocator.inner));
}

static void a_warm_refit_needs_no_memory(void **state)
{
    (void)state;
    moody_allocator allocator = {.fail_at = 0};
    session s = {.allocator = &allocator, .thread_count = 1};
    assert_int_equal(make_world(&s), WILLOW_OK);
    zoo_mesh_create(&s.meshes[0], wanted[0].kind, wanted[0].size, 0);
    assert_int_equal(make_body_0(&s), WILLOW_OK);
    assert_int_equal(update(&s), WILLOW_OK);
    size_t before = atomic_load(&allocator.calls);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(set_all_vertices(&s), WILLOW_OK);
        assert_int_equal(update(&s), WILLOW_OK);
    }
    assert_int_equal(atomic_load(&allocator.calls), before);
    willow_world_destroy(s.world);
    zoo_mesh_destroy(&s.meshes[0]);
    assert_true(test_allocator_is_clean(&allocator.inner));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_failed_allocation_spoils_nothing),
        cmocka_unit_test(one_failed_allocation_among_threads_spoils_nothing),
        cmocka_unit_test(no_memory_at_all_spoils_nothing),
        cmocka_unit_test(setters_that_only_note_need_no_memory),
        cmocka_unit_test(a_warm_refit_needs_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
