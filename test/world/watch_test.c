/* Watches: who may be watched, what they say of themselves, how they fail, and that they never hold
 * more than they may. That they find the right pairs is the matter of query/watch_oracle_test.c. */
#include <pthread.h>
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { BODIES = 3, SIZE = 600 };

typedef struct site {
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    zoo_mesh mesh[BODIES];
    willow_body_id body[BODIES];
    double time;
} site;

/* Three crumpled sheets in one place. */
static void open_site(site *s, willow_method method, uint32_t threads)
{
    *s = (site){.time = 0.0};
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&s->allocator);
    def.thread_count = threads;
    s->world = fixture_world(&def);
    for (uint32_t i = 0; i < BODIES; i++) {
        zoo_mesh_create(&s->mesh[i], ZOO_KIND_CRUMPLED, SIZE, i);
        willow_body_def body = willow_body_def_default();
        body.mesh = FIXTURE_MESH(s->mesh[i].positions, s->mesh[i].vertex_count, s->mesh[i].tris,
                                 s->mesh[i].triangle_count);
        body.tree.method = method;
        body.self = i == 0;
        s->body[i] = fixture_body(s->world, &body);
    }
    assert_ok(willow_world_update(s->world, 0.0, NULL));
    s->scratch = fixture_scratch(s->world);
}

static void close_site(site *s)
{
    fixture_close(s->world, s->scratch);
    for (uint32_t i = 0; i < BODIES; i++) zoo_mesh_destroy(&s->mesh[i]);
    assert_true(test_allocator_is_clean(&s->allocator));
}

static willow_watch *watch(site *s, willow_watch_kind kind, size_t max_bytes, uint32_t a,
                           uint32_t b)
{
    willow_watch *out;
    willow_watch_def def = willow_watch_def_default();
    def.kind = kind;
    def.max_bytes = max_bytes;
    assert_ok(willow_watch_create(s->world, &def, s->body[a], s->body[b], &out));
    return out;
}

static size_t ask(site *s, willow_watch *w, uint64_t *hash)
{
    willow_pairs pairs;
    assert_ok(willow_watch_find_pairs(w, s->scratch, NULL, &pairs));
    if (hash) *hash = willow_pairs_hash(&pairs);
    return pairs.count;
}

static willow_watch_info info_of(const willow_watch *w)
{
    willow_watch_info info;
    assert_ok(willow_watch_get_info(w, &info));
    return info;
}

/* Gives a part of a body other positions, or the ones that it has. */
static void set_part(site *s, uint32_t number, uint32_t frame, uint32_t count)
{
    zoo_mesh *mesh = &s->mesh[number];
    zoo_mesh_move(mesh, frame, 0, count);
    assert_ok(willow_body_set_vertices(s->world, s->body[number], 0, mesh->vertex_count,
                                       mesh->positions, 0));
    assert_ok(willow_world_update(s->world, s->time += 1.0, NULL));
}

static void kinds_have_names_and_defs_have_defaults(void **state)
{
    (void)state;
    willow_watch_kind kind = WILLOW_WATCH_COUNT;
    for (int i = 0; i < WILLOW_WATCH_COUNT; i++) {
        assert_true(
            willow_watch_kind_from_name(willow_watch_kind_name((willow_watch_kind)i), &kind));
        assert_int_equal(kind, i);
    }
    assert_null(willow_watch_kind_name(WILLOW_WATCH_COUNT));
    assert_false(willow_watch_kind_from_name("fronts", &kind));
    assert_int_equal(willow_watch_def_default().kind, WILLOW_WATCH_AUTO);
}

static void a_watch_fails_as_queries_do_and_outlives_its_bodies(void **state)
{
    (void)state;
    site s;
    open_site(&s, WILLOW_METHOD_HYBRID, 1);
    willow_watch *w = watch(&s, WILLOW_WATCH_FRONT, 0, 2, 1);
    willow_pairs pairs;
    willow_query_options options = willow_query_options_default();
    assert_true(ask(&s, w, NULL) > 0);
    assert_int_equal(info_of(w).body_a.index1, s.body[1].index1);
    assert_int_equal(willow_watch_find_pairs(w, s.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT);
    options.struct_size = 1;
    assert_int_equal(willow_watch_find_pairs(w, s.scratch, &options, &pairs), WILLOW_BAD_ARGUMENT);
    assert_ok(willow_body_destroy(s.world, s.body[2]));
    assert_int_equal(willow_watch_find_pairs(w, s.scratch, NULL, &pairs), WILLOW_STALE);
    assert_ok(willow_world_update(s.world, 1.0, NULL));
    assert_int_equal(willow_watch_find_pairs(w, s.scratch, NULL, &pairs), WILLOW_BAD_HANDLE);
    assert_non_null(strstr(willow_scratch_message(s.scratch), "gone"));
    assert_int_equal(pairs.count, 0);
    assert_int_equal(willow_watch_get_info(w, NULL), WILLOW_BAD_ARGUMENT);
    assert_true(willow_world_validate(s.world, NULL, 0));
    willow_watch_destroy(w);
    close_site(&s);
}

static willow_first_pair ask_first(site *s, willow_watch *w)
{
    willow_first_pair first;
    assert_ok(willow_watch_find_first_pair(w, s->scratch, NULL, &first));
    return first;
}

static void a_first_pair_is_recognised_while_it_lasts(void **state)
{
    (void)state;
    site s;
    open_site(&s, WILLOW_METHOD_HYBRID, 1);
    willow_watch *w = watch(&s, WILLOW_WATCH_FRONT, 0, 1, 2);
    const willow_first_pair found = ask_first(&s, w);
    assert_true(found.found && found.a.body.index1 == s.body[1].index1);
    assert_int_equal(info_of(w).kind, WILLOW_WATCH_ROOTS);
    assert_int_equal(info_of(w).recognised, 0);

    /* Where nothing moves it is looked at, and nothing else. */
    willow_scratch_reset_stats(s.scratch);
    const willow_first_pair again = ask_first(&s, w);
    assert_memory_equal(&again, &found, sizeof again);
    assert_int_equal(info_of(w).recognised, 1);
    assert_int_equal(willow_scratch_stats(s.scratch).triangle_tests, 1);
    assert_int_equal(willow_scratch_stats(s.scratch).volume_tests, 0);

    /* Far away there is none; back again it has to be found. */
    const willow_pose away = {{90, 0, 0}, {0, 0, 0, 1}}, home = willow_pose_identity();
    assert_ok(willow_body_set_pose(s.world, s.body[2], &away));
    assert_ok(willow_world_update(s.world, s.time += 1.0, NULL));
    assert_false(ask_first(&s, w).found);
    assert_ok(willow_body_set_pose(s.world, s.body[2], &home));
    assert_ok(willow_world_update(s.world, s.time += 1.0, NULL));
    assert_true(ask_first(&s, w).found);
    assert_int_equal(info_of(w).recognised, 1);
    assert_int_equal(info_of(w).queries, 4);

    willow_first_pair first = found;
    assert_int_equal(willow_watch_find_first_pair(w, s.scratch, NULL, NULL), WILLOW_BAD_ARGUMENT);
    assert_ok(willow_body_destroy(s.world, s.body[2]));
    assert_int_equal(willow_watch_find_first_pair(w, s.scratch, NULL, &first), WILLOW_STALE);
    assert_ok(willow_world_update(s.world, s.time += 1.0, NULL));
    assert_int_equal(willow_watch_find_first_pair(w, s.scratch, NULL, &first), WILLOW_BAD_HANDLE);
    assert_false(first.found);
    close_site(&s);
}

static void many_watches_of_one_body_come_and_go(void **state)
{
    (void)state;
    enum { MANY = 40 };
    site s;
    willow_watch *watches[MANY];
    open_site(&s, WILLOW_METHOD_TOP_DOWN, 1);
    const size_t before = willow_world_bytes(s.world);
    for (uint32_t i = 0; i < MANY; i++)
        watches[i] = watch(&s, WILLOW_WATCH_FRONT, 0, 0, i % BODIES);
    for (uint32_t i = 0; i < MANY; i++) assert_true(ask(&s, watches[i], NULL) > 0);
    assert_true(willow_world_bytes(s.world) > before + MANY * 1000);
    for (uint32_t i = 0; i < MANY; i++) willow_watch_destroy(watches[(i * 7) % MANY]);
    watches[0] = watch(&s, WILLOW_WATCH_AUTO, 0, 0, 0);
    assert_true(ask(&s, watches[0], NULL) > 0);
    close_site(&s); /* with a watch that is left */
}

static void what_rests_is_kept_and_what_moves_is_looked_into(void **state)
{
    (void)state;
    site s;
    open_site(&s, WILLOW_METHOD_BOTTOM_UP, 1);
    willow_watch *w = watch(&s, WILLOW_WATCH_FRONT, 0, 0, 1);
    uint64_t first, second;
    const size_t found = ask(&s, w, &first);
    willow_watch_info info = info_of(w);
    assert_int_equal(info.kind, WILLOW_WATCH_FRONT);
    assert_int_equal(info.looked_into, info.leaf_pairs);
    assert_int_equal(info.sprouted, info.leaf_pairs);
    set_part(&s, 0, 0, s.mesh[0].vertex_count); /* where they were */
    (void)ask(&s, w, NULL);
    set_part(&s, 1, 0, s.mesh[1].vertex_count);
    assert_int_equal(ask(&s, w, &second), found);
    assert_true(first == second);
    info = info_of(w);
    assert_int_equal(info.kept, info.leaf_pairs);
    assert_int_equal(info.kept_pairs, found);
    const uint64_t looked_into = info.looked_into;
    set_part(&s, 0, 1, s.mesh[0].vertex_count / 8);
    (void)ask(&s, w, NULL);
    info = info_of(w);
    assert_true(info.looked_into > looked_into && info.looked_into < looked_into + info.leaf_pairs);
    assert_int_equal(info.restarts, 0);
    const willow_tree_def other = willow_tree_def_default();
    assert_ok(willow_body_set_tree(s.world, s.body[1], &other));
    assert_ok(willow_world_update(s.world, s.time, NULL));
    (void)ask(&s, w, NULL);
    assert_int_equal(info_of(w).restarts, 1);
    close_site(&s);
}

/* The front has every pair of leaves that meet once: as many as a query comes to. */
static void a_front_has_the_leaves_that_queries_come_to(void **state)
{
    (void)state;
    site s;
    open_site(&s, WILLOW_METHOD_HYBRID, 1);
    willow_watch *front = watch(&s, WILLOW_WATCH_FRONT, 0, 0, 0);
    willow_watch *roots = watch(&s, WILLOW_WATCH_ROOTS, 0, 0, 0);
    for (uint32_t i = 0; i < 8; i++) {
        set_part(&s, 0, i % 3, s.mesh[0].vertex_count / (1 + i % 4));
        (void)ask(&s, front, NULL);
        willow_scratch_reset_stats(s.scratch);
        (void)ask(&s, roots, NULL);
        assert_int_equal(info_of(front).leaf_pairs, willow_scratch_stats(s.scratch).leaf_pairs);
    }
    const willow_watch_info info = info_of(front);
    assert_int_equal(info.sprouted - info.shrunk, info.leaf_pairs);
    assert_int_equal(info_of(roots).bytes, 0);
    close_site(&s);
}

static void auto_keeps_a_front_only_while_that_pays(void **state)
{
    (void)state;
    enum { QUERIES = 100 };
    site s;
    open_site(&s, WILLOW_METHOD_BOTTOM_UP, 1);
    willow_watch *w = watch(&s, WILLOW_WATCH_AUTO, 0, 0, 1);
    assert_int_equal(info_of(w).kind, WILLOW_WATCH_AUTO);
    for (uint32_t i = 0; i < QUERIES; i++) {
        set_part(&s, 0, i % 5, s.mesh[0].vertex_count);
        set_part(&s, 1, i % 5, s.mesh[1].vertex_count);
        (void)ask(&s, w, NULL);
    }
    assert_true(info_of(w).from_roots > QUERIES / 2);
    for (uint32_t i = 0; i < 3 * QUERIES; i++) (void)ask(&s, w, NULL);
    assert_int_equal(info_of(w).kind, WILLOW_WATCH_FRONT);
    assert_true(info_of(w).kept > info_of(w).looked_into);
    close_site(&s);
}

static void a_watch_never_holds_more_than_it_may(void **state)
{
    (void)state;
    site s;
    open_site(&s, WILLOW_METHOD_BOTTOM_UP, 1);
    willow_watch *w = watch(&s, WILLOW_WATCH_FRONT, 0, 0, 1);
    uint64_t right, hash;
    for (int i = 0; i < 3; i++) (void)ask(&s, w, &right);
    const size_t enough = 4 * info_of(w).bytes;
    size_t limited = 0, kept = 0;
    for (size_t limit = 1; limit < enough; limit += 1 + limit / 3) {
        willow_watch *small = watch(&s, WILLOW_WATCH_FRONT, limit, 0, 1);
        for (int i = 0; i < 4; i++) {
            (void)ask(&s, small, &hash);
            assert_true(hash == right);
            assert_true(info_of(small).bytes <= limit);
        }
        limited += info_of(small).from_roots > 0;
        kept += info_of(small).kept > 0;
        willow_watch_destroy(small);
    }
    print_message("%zu limits were too low, %zu were not\n", limited, kept);
    assert_true(limited > 0 && kept > 0);
    close_site(&s);
}

static void answers_and_counts_do_not_depend_on_workers(void **state)
{
    (void)state;
    willow_query_stats stats[3];
    willow_watch_info infos[3];
    uint64_t hashes[3] = {0};
    for (uint32_t n = 0; n < 3; n++) {
        site s;
        open_site(&s, WILLOW_METHOD_BOTTOM_UP, 1 + n);
        willow_watch *watches[2] = {watch(&s, WILLOW_WATCH_FRONT, 0, 0, 1),
                                    watch(&s, WILLOW_WATCH_FRONT, 0, 0, 0)};
        willow_query_options options = willow_query_options_default();
        options.use_threads = true;
        for (uint32_t i = 0; i < 6; i++) {
            set_part(&s, 0, i, s.mesh[0].vertex_count / 2);
            for (int k = 0; k < 2; k++) {
                willow_pairs pairs;
                assert_ok(willow_watch_find_pairs(watches[k], s.scratch, &options, &pairs));
                hashes[n] = hashes[n] * 31 + willow_pairs_hash(&pairs);
            }
        }
        stats[n] = willow_scratch_stats(s.scratch);
        stats[n].claims_lost = 0;
        infos[n] = info_of(watches[1]);
        infos[n].body_a.world = infos[n].body_b.world = 0;
        close_site(&s);
    }
    for (int n = 1; n < 3; n++) {
        assert_true(hashes[n] == hashes[0]);
        assert_memory_equal(&stats[n], &stats[0], sizeof stats[0]);
        assert_int_equal(infos[n].kept, infos[0].kept);
        assert_int_equal(infos[n].looked_into, infos[0].looked_into);
        assert_int_equal(infos[n].bytes, infos[0].bytes);
    }
}

typedef struct asker {
    site *s;
    willow_watch *watch;
    uint64_t hash;
} asker;

static void *ask_often(void *arg)
{
    asker *a = arg;
    willow_scratch *scratch;
    willow_pairs pairs;
    willow_query_options options = willow_query_options_default();
    options.use_threads = true;
    if (willow_scratch_create(a->s->world, &scratch) != WILLOW_OK) return NULL;
    for (int i = 0; i < 20; i++)
        if (willow_watch_find_pairs(a->watch, scratch, &options, &pairs) == WILLOW_OK)
            a->hash = willow_pairs_hash(&pairs);
    willow_scratch_destroy(scratch);
    return NULL;
}

static void threads_ask_watches_of_their_own_at_once(void **state)
{
    (void)state;
    enum { ASKERS = 4 };
    site s;
    pthread_t threads[ASKERS];
    asker askers[ASKERS];
    open_site(&s, WILLOW_METHOD_TOP_DOWN, 2);
    for (int i = 0; i < ASKERS; i++)
        askers[i] = (asker){&s, watch(&s, WILLOW_WATCH_FRONT, 0, 0, 1), 0};
    for (int i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &askers[i]), 0);
    for (int i = 0; i < ASKERS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < ASKERS; i++)
        assert_true(askers[i].hash != 0 && askers[i].hash == askers[0].hash);
    close_site(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(kinds_have_names_and_defs_have_defaults),
    cmocka_unit_test(a_watch_fails_as_queries_do_and_outlives_its_bodies),
    cmocka_unit_test(a_first_pair_is_recognised_while_it_lasts),
    cmocka_unit_test(many_watches_of_one_body_come_and_go),
    cmocka_unit_test(what_rests_is_kept_and_what_moves_is_looked_into),
    cmocka_unit_test(a_front_has_the_leaves_that_queries_come_to),
    cmocka_unit_test(auto_keeps_a_front_only_while_that_pays),
    cmocka_unit_test(a_watch_never_holds_more_than_it_may),
    cmocka_unit_test(answers_and_counts_do_not_depend_on_workers),
    cmocka_unit_test(threads_ask_watches_of_their_own_at_once),
};

TEST_GROUP(watch, tests);
