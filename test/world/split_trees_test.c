/* Trees of bodies that fall apart: parts get what there was, nothing is built afresh, and answers
 * are those of BRUTE. */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"

enum { SIDE = 40, VERTICES = SIDE * SIDE, TRIS = 2 * (SIDE - 1) * (SIDE - 1) };

typedef struct sheet {
    float at[VERTICES][3];
    uint32_t tris[TRIS][3], labels[TRIS];
    uint16_t groups[TRIS];
} sheet;

static float noise(uint64_t *seed) { return (float)(test_random(seed) % 1000) * 1e-3F; }

/* How triangles fall into parts. */
typedef enum falling { HALVES, STRIPES, CRUMBS, FALLINGS } falling;

static uint32_t label_of(falling how, uint32_t tri, uint64_t *seed)
{
    const uint32_t column = tri / 2 % (SIDE - 1);
    if (how == HALVES) return column < SIDE / 2 ? 900 : 7;
    return how == STRIPES ? column : (uint32_t)(test_random(seed) % 5) << 28;
}

/* Two layers of waves, so that parts meet; some triangles do not collide. */
static sheet *make_sheet(falling how)
{
    sheet *s = malloc(sizeof *s);
    uint64_t seed = 11;
    uint32_t count = 0;
    assert_non_null(s);
    for (uint32_t v = 0; v < VERTICES; v++) {
        s->at[v][0] = (float)(v % SIDE) + noise(&seed);
        s->at[v][1] = (float)(v / SIDE % (SIDE / 2)) + noise(&seed);
        s->at[v][2] = 3 * noise(&seed);
    }
    for (uint32_t v = 0; v + SIDE < VERTICES; v++) {
        if (v % SIDE + 1 == SIDE) continue;
        const uint32_t both[2][3] = {{v, v + 1, v + SIDE}, {v + 1, v + SIDE + 1, v + SIDE}};
        for (int i = 0; i < 2; i++, count++) {
            memcpy(s->tris[count], both[i], sizeof both[i]);
            s->labels[count] = label_of(how, count, &seed);
            s->groups[count] = test_random(&seed) % 9 != 0;
        }
    }
    assert_int_equal(count, TRIS);
    return s;
}

static willow_body_id make_body(willow_world *world, const sheet *s, const willow_tree_def *tree,
                                bool has_groups)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(s->at, VERTICES, s->tris, TRIS);
    if (has_groups) def.mesh.triangle_groups = s->groups;
    def.tree = *tree;
    return fixture_body(world, &def);
}

static willow_tree_def tree_of(willow_method method, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = method;
    tree.arity = arity;
    tree.leaf_triangles = leaf_triangles;
    return tree;
}

/* A body that falls apart, and what came of it. */
typedef struct play {
    willow_world *world;
    willow_scratch *scratch;
    willow_split split;
    willow_update_report report;
    uint64_t hash;
    size_t pairs;
} play;

/* An edit of a part, between the split and the update. */
static void edit_first_part(play *p)
{
    const willow_tri gone[2] = {0, 2};
    willow_edit edit = willow_edit_default();
    edit.remove_triangles = gone;
    edit.remove_triangle_count = 2;
    assert_ok(willow_body_edit(p->world, p->split.parts[0].body, &edit, NULL, NULL));
}

static void fall_apart(play *p, const sheet *s, const willow_tree_def *tree, bool has_groups,
                       bool is_edited)
{
    willow_pairs pairs;
    p->world = fixture_world(NULL);
    p->scratch = fixture_scratch(p->world);
    const willow_body_id whole = make_body(p->world, s, tree, has_groups);
    assert_ok(willow_world_update(p->world, 0, NULL));
    assert_ok(willow_body_split(p->world, whole, s->labels, &p->split));
    if (is_edited) edit_first_part(p);
    assert_ok(willow_world_update(p->world, 1, &p->report));
    assert_ok(willow_find_pairs(p->world, p->scratch, NULL, &pairs));
    p->hash = willow_pairs_hash(&pairs);
    p->pairs = pairs.count;
}

static void expect_kept(falling how, const willow_tree_def *tree, bool has_groups, bool is_edited)
{
    const willow_tree_def none = tree_of(WILLOW_METHOD_BRUTE, 0, 0);
    sheet *s = make_sheet(how);
    play kept, brute;
    fall_apart(&kept, s, tree, has_groups, is_edited);
    fall_apart(&brute, s, &none, has_groups, is_edited);
    assert_int_equal(kept.report.bodies_built, is_edited ? 1 : 0);
    assert_int_equal(kept.pairs, brute.pairs);
    assert_true(kept.hash == brute.hash && kept.pairs > 200);
    fixture_close(kept.world, kept.scratch);
    fixture_close(brute.world, brute.scratch);
    free(s);
}

static void parts_of_a_packed_tree_are_not_built_afresh(void **state)
{
    static const struct {
        willow_method method;
        uint32_t arity, leaf_triangles;
    } rows[] = {{WILLOW_METHOD_AUTO, 8, 16},
                {WILLOW_METHOD_AUTO, 4, 3},
                {WILLOW_METHOD_BALANCED, 8, 16},
                {WILLOW_METHOD_BALANCED, 8, 1},
                {WILLOW_METHOD_BALANCED, 2, 7}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (falling how = 0; how < FALLINGS; how++) {
            const willow_tree_def tree =
                tree_of(rows[i].method, rows[i].arity, rows[i].leaf_triangles);
            expect_kept(how, &tree, i % 2 == 1, false);
        }
}

static void a_part_that_is_edited_before_the_update_is_built_afresh(void **state)
{
    const willow_tree_def tree = tree_of(WILLOW_METHOD_AUTO, 8, 8);
    (void)state;
    expect_kept(HALVES, &tree, false, true);
}

/* Leaves are no larger than those of a fresh tree, and not many more. */
static void parts_have_trees_of_the_same_kind(void **state)
{
    const willow_tree_def tree = tree_of(WILLOW_METHOD_BALANCED, 8, 16);
    sheet *s = make_sheet(HALVES);
    play p;
    (void)state;
    fall_apart(&p, s, &tree, false, false);
    for (uint32_t i = 0; i < p.split.part_count; i++) {
        willow_body_stats stats;
        assert_ok(willow_body_get_stats(p.world, p.split.parts[i].body, &stats));
        const uint32_t fewest = (p.split.parts[i].triangle_count + 15) / 16;
        assert_in_range(stats.leaf_count, fewest, 2 * fewest);
        assert_in_range(stats.depth, 2, 5);
    }
    fixture_close(p.world, p.scratch);
    free(s);
}

/* Without memory for what is handed on, trees are built afresh. Returns whether a call failed. */
static bool fall_apart_failing(const sheet *s, size_t n, const play *like)
{
    const willow_tree_def tree = tree_of(WILLOW_METHOD_AUTO, 8, 8);
    test_allocator allocator = {0};
    willow_world_def def = willow_world_def_default();
    willow_split split;
    willow_pairs pairs;
    def.allocator = test_allocator_functions(&allocator);
    willow_world *world = fixture_world(&def);
    willow_scratch *scratch = fixture_scratch(world);
    const willow_body_id whole = make_body(world, s, &tree, false);
    assert_ok(willow_world_update(world, 0, NULL));
    allocator.fail_at = atomic_load(&allocator.calls) + n;
    const uint64_t hash = willow_world_hash(world);
    if (willow_body_split(world, whole, s->labels, &split) != WILLOW_OK) {
        assert_true(willow_world_hash(world) == hash);
        assert_ok(willow_body_split(world, whole, s->labels, &split));
    }
    if (willow_world_update(world, 1, NULL) != WILLOW_OK)
        assert_ok(willow_world_update(world, 1, NULL));
    const bool has_failed = atomic_load(&allocator.calls) >= allocator.fail_at;
    allocator.fail_at = 0;
    assert_ok(willow_find_pairs(world, scratch, NULL, &pairs));
    assert_true(willow_pairs_hash(&pairs) == like->hash);
    fixture_close(world, scratch);
    assert_true(test_allocator_is_clean(&allocator));
    return has_failed;
}

static void any_allocation_on_the_way_may_fail(void **state)
{
    const willow_tree_def tree = tree_of(WILLOW_METHOD_AUTO, 8, 8);
    sheet *s = make_sheet(HALVES);
    size_t n = 1;
    play p;
    (void)state;
    fall_apart(&p, s, &tree, false, false);
    while (fall_apart_failing(s, n, &p)) n++;
    print_message("%zu failures\n", n - 1);
    assert_true(n > 50);
    fixture_close(p.world, p.scratch);
    free(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(parts_of_a_packed_tree_are_not_built_afresh),
    cmocka_unit_test(a_part_that_is_edited_before_the_update_is_built_afresh),
    cmocka_unit_test(parts_have_trees_of_the_same_kind),
    cmocka_unit_test(any_allocation_on_the_way_may_fail),
};

TEST_GROUP(split_trees, tests);
