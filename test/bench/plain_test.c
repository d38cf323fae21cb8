/* The yardstick: its answers are Willow's, its boxes are tight, and odd inputs do not break it. */
#include <stdlib.h>
#include "bench/peers/peer.h"
#include "bench/peers/plain.h"
#include "prim/meet/tri_filter.h"
#include "scenes/scenes.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/tri_cases.h"
#include "willow/willow.h"

/* ---- the triangle test, on all candidates of a scene, against the exact one ---- */

static void load(const plain_mesh *mesh, uint32_t tri, willow_vec3 out[3])
{
    for (size_t k = 0; k < 3; k++) {
        const float *p = mesh->positions + 3 * (size_t)mesh->indices[3 * (size_t)tri + k];
        out[k] = (willow_vec3){p[0], p[1], p[2]};
    }
}

static bool is_exact_pair(const plain_mesh *a, const plain_mesh *b, plain_pair pair)
{
    willow_vec3 p[3], q[3];
    load(a, pair.tri_a, p);
    load(b, pair.tri_b, q);
    return willow_tri_tri_meet(p, q);
}

typedef struct tally {
    size_t candidates, meeting, differing;
} tally;

static void judge(const plain_mesh *a, const plain_mesh *b, const plain_pairs *list, tally *t)
{
    uint8_t *meet = malloc(list->count + 1);
    assert_non_null(meet);
    plain_test_pairs(a, b, list->items, list->count, meet);
    for (size_t i = 0; i < list->count; i++) {
        t->candidates++;
        t->meeting += meet[i];
        t->differing += meet[i] != is_exact_pair(a, b, list->items[i]);
    }
    free(meet);
}

typedef struct zoo {
    scene *scene;
    float **xyz;
    plain_mesh *meshes;
    plain_tree **trees;
} zoo;

static void open_zoo(zoo *z, const char *spec)
{
    z->scene = fixture_scene(spec);
    uint32_t count = z->scene->body_count;
    z->xyz = calloc(count, sizeof *z->xyz);
    z->meshes = calloc(count, sizeof *z->meshes);
    z->trees = calloc(count, sizeof *z->trees);
    assert_true(z->xyz != NULL && z->meshes != NULL && z->trees != NULL);
    for (uint32_t i = 0; i < count; i++) {
        const scene_body *body = &z->scene->bodies[i];
        z->xyz[i] = malloc(12 * (size_t)body->vertex_count + 1);
        z->trees[i] = plain_tree_create(body->triangle_count);
        assert_true(z->xyz[i] != NULL && z->trees[i] != NULL);
        scene_positions(z->scene, 0, i, z->xyz[i]);
        z->meshes[i] = (plain_mesh){z->xyz[i], 3, body->indices, body->triangle_count};
        plain_tree_build(z->trees[i], &z->meshes[i]);
    }
}

static void close_zoo(zoo *z)
{
    for (uint32_t i = 0; i < z->scene->body_count; i++) {
        free(z->xyz[i]);
        plain_tree_destroy(z->trees[i]);
    }
    free(z->xyz);
    free(z->meshes);
    free(z->trees);
    scene_destroy(z->scene);
}

static void show_frame(zoo *z, uint32_t frame)
{
    for (uint32_t i = 0; i < z->scene->body_count; i++) {
        scene_positions(z->scene, frame, i, z->xyz[i]);
        plain_tree_refit(z->trees[i], &z->meshes[i]);
    }
}

static void judge_bodies(const zoo *z, uint32_t a, uint32_t b, tally *t)
{
    plain_pairs list = {0};
    if (a != b) {
        assert_true(plain_collect_pairs(z->trees[a], z->trees[b], &list));
    } else if (z->scene->bodies[a].self) {
        assert_true(plain_collect_self(z->trees[a], &z->meshes[a], &list));
    }
    judge(&z->meshes[a], &z->meshes[b], &list, t);
    free(list.items);
}

static tally judge_scene(const char *spec, uint32_t step)
{
    zoo z;
    tally t = {0};
    open_zoo(&z, spec);
    for (uint32_t frame = 0; frame < z.scene->frame_count; frame += step) {
        show_frame(&z, frame);
        for (uint32_t a = 0; a < z.scene->body_count; a++) {
            for (uint32_t b = a; b < z.scene->body_count; b++) judge_bodies(&z, a, b, &t);
        }
    }
    close_zoo(&z);
    print_message("%s: %zu candidates, %zu meet, %zu decided otherwise than the exact test\n", spec,
                  t.candidates, t.meeting, t.differing);
    assert_true(t.meeting > 0);
    return t;
}

static bool is_left_undecided(const tri_case *c)
{
    wi_tri8 a = {0}, b = {0};
    for (int i = 0; i < 3; i++) {
        memcpy(a.corner[i][0], c->a[i], sizeof c->a[i]);
        memcpy(b.corner[i][0], c->b[i], sizeof c->b[i]);
    }
    wi_filter_result result = wi_filter_kernels_for(WILLOW_KERNEL_SCALAR)->sharing[0](&a, &b);
    return ((result.meet | result.apart) & 1) == 0;
}

static void print_case(const char *family, const tri_case *c, bool exact)
{
    print_message("%s: they %s, peer:plain says otherwise\n", family, exact ? "meet" : "are apart");
    for (int i = 0; i < 6; i++) {
        const float *p = i < 3 ? c->a[i] : c->b[i - 3];
        print_message("    %c%d %a %a %a\n", i < 3 ? 'a' : 'b', i % 3, (double)p[0], (double)p[1],
                      (double)p[2]);
    }
}

/* Double precision is enough for these. */
static void its_triangle_test_is_right_where_double_precision_is(void **state)
{
    (void)state;
    assert_int_equal(judge_scene("bumpy:triangles=1280", 5).differing, 0);
    assert_int_equal(judge_scene("soup:triangles=200", 3).differing, 0);
    assert_int_equal(judge_scene("soup:triangles=100,variant=strips", 3).differing, 0);
    assert_int_equal(judge_scene("degenerate", 1).differing, 0);
}

/* Where it is not: the cases made to be hard. Every difference must be one that floats of eight
 * lanes leave undecided, that is a touch or a near miss; some are listed. */
static void its_triangle_test_differs_only_where_double_precision_fails(void **state)
{
    (void)state;
    enum { PER_FAMILY = 2000, LISTED = 1 };
    const uint32_t indices[3] = {0, 1, 2};
    const plain_pair only = {0, 0};
    size_t total = 0, cases = 0;
    for (int family = 0; family < TRI_FAMILY_COUNT; family++) {
        size_t differing = 0;
        for (uint64_t number = 0; number < PER_FAMILY; number++) {
            tri_case c;
            uint8_t plain;
            tri_case_make(&c, (tri_family)family, number);
            plain_mesh a = {&c.a[0][0], 3, indices, 1}, b = {&c.b[0][0], 3, indices, 1};
            plain_test_pairs(&a, &b, &only, 1, &plain);
            bool exact = willow_tri_tri_meet((const willow_vec3 *)(const void *)c.a,
                                             (const willow_vec3 *)(const void *)c.b);
            cases++;
            if ((plain != 0) == exact) continue;
            assert_true(is_left_undecided(&c));
            if (differing++ < LISTED) print_case(tri_family_name((tri_family)family), &c, exact);
        }
        total += differing;
        if (differing > 0)
            print_message("  %zu of %d in '%s'\n", differing, PER_FAMILY,
                          tri_family_name((tri_family)family));
    }
    print_message("%zu of %zu hard cases are decided otherwise than by the exact test\n", total,
                  cases);
    assert_true(total > 0 && total < cases / 10);
}

/* ---- whole answers, against Willow ---- */

static willow_world *make_world(const zoo *z)
{
    willow_world *world = NULL;
    willow_world_def world_def = willow_world_def_default();
    assert_ok(willow_world_create(&world_def, &world));
    for (uint32_t i = 0; i < z->scene->body_count; i++) {
        willow_body_def def = willow_body_def_default();
        willow_body_id id;
        def.mesh.positions = z->xyz[i];
        def.mesh.vertex_count = z->scene->bodies[i].vertex_count;
        def.mesh.indices = z->scene->bodies[i].indices;
        def.mesh.triangle_count = z->scene->bodies[i].triangle_count;
        def.self = z->scene->bodies[i].self;
        assert_ok(willow_body_create(world, &def, &id));
    }
    assert_ok(willow_world_update(world, 0, NULL));
    return world;
}

/* Pairs of body numbers and triangles, marked in a set that is as simple as can be. */
static bool has_pair(const peer_pairs *pairs, peer_pair wanted)
{
    for (size_t i = 0; i < pairs->count; i++) {
        if (memcmp(&pairs->items[i], &wanted, sizeof wanted) == 0) return true;
    }
    return false;
}

static size_t compare_with_willow(const zoo *z, const peer_pairs *got)
{
    willow_world *world = make_world(z);
    willow_scratch *scratch = NULL;
    willow_pairs pairs;
    willow_query_options options = willow_query_options_default();
    options.skip_neighbours = true;
    assert_ok(willow_scratch_create(world, &scratch));
    assert_ok(willow_find_pairs(world, scratch, &options, &pairs));
    assert_int_equal(pairs.count, got->count);
    for (size_t r = 0; r < pairs.run_count; r++) {
        const willow_pair_run *run = &pairs.runs[r];
        for (size_t i = run->first; i < run->first + run->count; i++) {
            peer_pair wanted = {run->body_a.index1 - 1, run->body_b.index1 - 1,
                                pairs.items[i].tri_a, pairs.items[i].tri_b};
            assert_true(has_pair(got, wanted));
        }
    }
    willow_scratch_destroy(scratch);
    willow_world_destroy(world);
    return got->count;
}

static void *make_peer(const zoo *z, const peer_def *def)
{
    peer_mesh *meshes = calloc(z->scene->body_count, sizeof *meshes);
    assert_non_null(meshes);
    for (uint32_t i = 0; i < z->scene->body_count; i++) {
        const scene_body *body = &z->scene->bodies[i];
        meshes[i] = (peer_mesh){z->xyz[i], body->vertex_count, body->indices, body->triangle_count,
                                body->self};
    }
    void *peer = def->create(meshes, z->scene->body_count);
    free(meshes);
    assert_non_null(peer);
    return peer;
}

static void compare_scene(const char *spec, uint32_t step)
{
    zoo z;
    size_t found = 0;
    open_zoo(&z, spec);
    const peer_def *def = peer_find("peer:plain");
    assert_non_null(def);
    void *peer = make_peer(&z, def);
    for (uint32_t frame = 0; frame < z.scene->frame_count; frame += step) {
        peer_pairs pairs, first;
        show_frame(&z, frame);
        assert_true(def->update(peer));
        assert_true(def->query(peer, PEER_FIRST, &first));
        bool any = first.count == 1;
        assert_true(def->query(peer, PEER_PAIRS, &pairs));
        assert_int_equal(any, pairs.count > 0);
        found += compare_with_willow(&z, &pairs);
    }
    def->destroy(peer);
    close_zoo(&z);
    print_message("%s: %zu pairs, equal to Willow's\n", spec, found);
    assert_true(found > 0);
}

static void its_pairs_are_those_of_willow(void **state)
{
    (void)state;
    compare_scene("bumpy:triangles=1280", 10);
    compare_scene("soup:triangles=60", 7);
    compare_scene("soup:triangles=50,variant=strips,bodies=2", 7);
    compare_scene("degenerate", 5);
}

/* ---- odd inputs ---- */

static void a_tree_of_nothing_and_a_tree_of_one_work(void **state)
{
    (void)state;
    static const float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[] = {0, 1, 2};
    plain_mesh none = {xyz, 3, indices, 0}, one = {xyz, 3, indices, 1};
    plain_tree *empty = plain_tree_create(0), *single = plain_tree_create(1);
    assert_true(empty != NULL && single != NULL);
    plain_tree_build(empty, &none);
    plain_tree_build(single, &one);
    plain_tree_refit(empty, &none);
    plain_pairs list = {0};
    assert_true(plain_find_pairs(empty, &none, single, &one, SIZE_MAX, &list));
    assert_true(plain_find_self(single, &one, SIZE_MAX, &list));
    assert_int_equal(list.count, 0);
    assert_true(plain_find_pairs(single, &one, single, &one, SIZE_MAX, &list));
    assert_int_equal(list.count, 1);
    free(list.items);
    plain_tree_destroy(empty);
    plain_tree_destroy(single);
}

static void equal_centres_split_evenly(void **state)
{
    (void)state;
    enum { COUNT = 20000 };
    static const float xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    uint32_t *indices = calloc(3 * (size_t)COUNT, sizeof *indices);
    assert_non_null(indices);
    for (size_t i = 0; i < 3 * (size_t)COUNT; i++) indices[i] = (uint32_t)(i % 3);
    plain_mesh mesh = {xyz, 3, indices, COUNT}, one = {xyz, 3, indices, 1};
    plain_tree *tree = plain_tree_create(COUNT), *single = plain_tree_create(1);
    assert_true(tree != NULL && single != NULL);
    plain_tree_build(tree, &mesh);
    plain_tree_build(single, &one);
    plain_pairs list = {0};
    assert_true(plain_find_pairs(tree, &mesh, single, &one, SIZE_MAX, &list));
    assert_int_equal(list.count, COUNT);
    free(list.items);
    free(indices);
    plain_tree_destroy(tree);
    plain_tree_destroy(single);
}

static void a_refit_finds_what_a_build_finds(void **state)
{
    (void)state;
    zoo z;
    open_zoo(&z, "soup:triangles=300,bodies=2");
    show_frame(&z, 3);
    plain_pairs refitted = {0}, built = {0};
    assert_true(
        plain_find_pairs(z.trees[0], &z.meshes[0], z.trees[1], &z.meshes[1], SIZE_MAX, &refitted));
    for (int i = 0; i < 2; i++) plain_tree_build(z.trees[i], &z.meshes[i]);
    assert_true(
        plain_find_pairs(z.trees[0], &z.meshes[0], z.trees[1], &z.meshes[1], SIZE_MAX, &built));
    assert_int_equal(refitted.count, built.count);
    assert_true(built.count > 0);
    free(refitted.items);
    free(built.items);
    close_zoo(&z);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(its_triangle_test_is_right_where_double_precision_is),
    cmocka_unit_test(its_triangle_test_differs_only_where_double_precision_fails),
    cmocka_unit_test(its_pairs_are_those_of_willow),
    cmocka_unit_test(a_tree_of_nothing_and_a_tree_of_one_work),
    cmocka_unit_test(equal_centres_split_evenly),
    cmocka_unit_test(a_refit_finds_what_a_build_finds),
};

TEST_GROUP(plain, tests);
