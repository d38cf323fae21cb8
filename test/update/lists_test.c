/* The lists for pairs within a body are of the tree that it has now, also where only parts of it
 * were built again; answers are those of BRUTE; bodies that do not ask for such pairs have none. */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/self_lists.h"
#include "support/test.h"
#include "support/zoo_cases.h"
#include "world/world.h"

/* A sheet of which the vertices of one corner change places. */
enum { CELLS = 18, LINE = CELLS + 1, VERTICES = LINE * LINE, STIRRED = 6, FRAMES = 30 };

typedef struct sheet {
    float at[VERTICES][3];
    uint32_t tris[2 * CELLS * CELLS][3];
    uint64_t random;
} sheet;

static void make_sheet(sheet *s)
{
    *s = (sheet){.random = 1};
    for (uint32_t i = 0; i < VERTICES; i++) {
        s->at[i][0] = (float)(i / LINE);
        s->at[i][1] = (float)(i % LINE);
    }
    for (uint32_t i = 0; i < CELLS * CELLS; i++) {
        const uint32_t at = i / CELLS * LINE + i % CELLS;
        const uint32_t tris[2][3] = {{at, at + LINE, at + LINE + 1}, {at, at + LINE + 1, at + 1}};
        memcpy(s->tris[2 * (size_t)i], tris, sizeof tris);
    }
}

static uint32_t random_stirred(sheet *s)
{
    const uint32_t row = (uint32_t)(test_random(&s->random) % STIRRED);
    return row * LINE + (uint32_t)(test_random(&s->random) % STIRRED);
}

static void stir(sheet *s)
{
    for (int i = 0; i < 4; i++) {
        float *a = s->at[random_stirred(s)], *b = s->at[random_stirred(s)], kept[3];
        memcpy(kept, a, sizeof kept);
        memmove(a, b, sizeof kept);
        memcpy(b, kept, sizeof kept);
    }
}

typedef struct place {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id body;
} place;

static void open_place(place *p, const sheet *s, const willow_tree_def *tree, bool self)
{
    willow_world_def world_def = willow_world_def_default();
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(s->at, VERTICES, s->tris, 2 * CELLS * CELLS);
    def.tree = *tree;
    def.self = self;
    p->world = fixture_world(&world_def);
    p->body = fixture_body(p->world, &def);
    p->scratch = fixture_scratch(p->world);
    assert_ok(willow_world_update(p->world, 0, NULL));
}

static void close_place(place *p) { fixture_close(p->world, p->scratch); }

static void move_to(place *p, const sheet *s, willow_update_report *report)
{
    assert_ok(willow_body_set_vertices(p->world, p->body, 0, VERTICES, s->at, 0));
    assert_ok(willow_world_update(p->world, 0, report));
}

static size_t compare(place *a, place *b)
{
    willow_pairs of_a, of_b;
    const willow_query_options options = willow_query_options_default();
    assert_ok(willow_find_self_pairs(a->world, a->scratch, &options, &of_a));
    assert_ok(willow_find_self_pairs(b->world, b->scratch, &options, &of_b));
    assert_int_equal(of_a.count, of_b.count);
    if (of_a.count > 0)
        assert_memory_equal(of_a.items, of_b.items, of_a.count * sizeof *of_a.items);
    return of_a.count;
}

static const wi_tree *tree_of(const place *p) { return &p->world->bodies.items[0]->geometry->tree; }

static void lists_are_of_the_tree_that_was_built_in_parts(void **state)
{
    (void)state;
    static const willow_method methods[] = {WILLOW_METHOD_BOTTOM_UP, WILLOW_METHOD_TOP_DOWN,
                                            WILLOW_METHOD_HYBRID, WILLOW_METHOD_AUTO};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        static sheet s;
        place brute, tree;
        self_tally t = {0};
        size_t subtrees = 0, pairs = 0;
        willow_tree_def brute_def = willow_tree_def_default();
        willow_tree_def def = zoo_tree(methods[i], 4, 6);
        brute_def.method = WILLOW_METHOD_BRUTE;
        def.build = WILLOW_BUILD_MEDIAN;
        make_sheet(&s);
        open_place(&brute, &s, &brute_def, true);
        open_place(&tree, &s, &def, true);
        for (int frame = 0; frame < FRAMES; frame++) {
            willow_update_report report;
            stir(&s);
            move_to(&brute, &s, NULL);
            move_to(&tree, &s, &report);
            pairs += compare(&brute, &tree);
            if (report.subtrees_built == 0) continue;
            subtrees += report.subtrees_built;
            self_check_kin(tree_of(&tree), &t);
            self_check_stars(tree_of(&tree), &t);
            self_check_rims(tree_of(&tree), &t);
            assert_true(willow_world_validate(tree.world, NULL, 0));
        }
        print_message("%s: %zu subtrees built, %zu pairs, %zu rims\n",
                      willow_method_name(methods[i]), subtrees, pairs, t.leaf_rims);
        assert_true(subtrees > 0 && pairs > 0 && t.leaf_rims > 0 && t.unlisted == 0);
        close_place(&brute);
        close_place(&tree);
    }
}

static void who_does_not_ask_has_no_lists(void **state)
{
    (void)state;
    static sheet s;
    place p;
    willow_tree_def def = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 8);
    make_sheet(&s);
    open_place(&p, &s, &def, false);
    assert_null(kept_self(tree_of(&p))->shared.first_tie);
    assert_false(kept_self(tree_of(&p))->fans.are_made);
    assert_null(kept_self(tree_of(&p))->loops.items);
    close_place(&p);
}

/* They would cost more than they save. */
static void small_leaves_and_trees_for_one_query_have_no_rims(void **state)
{
    (void)state;
    static sheet s;
    make_sheet(&s);
    for (int is_rebuilt = 0; is_rebuilt < 2; is_rebuilt++)
        for (uint32_t leaf_triangles = 5; leaf_triangles <= 6; leaf_triangles++) {
            place p;
            const willow_method method =
                is_rebuilt ? WILLOW_METHOD_REBUILD : WILLOW_METHOD_BOTTOM_UP;
            willow_tree_def def = zoo_tree(method, 4, leaf_triangles);
            open_place(&p, &s, &def, true);
            assert_non_null(kept_self(tree_of(&p))->shared.first_tie);
            assert_true(kept_self(tree_of(&p))->fans.are_made);
            assert_int_equal(kept_self(tree_of(&p))->loops.items != NULL,
                             !is_rebuilt && leaf_triangles == 6);
            close_place(&p);
        }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lists_are_of_the_tree_that_was_built_in_parts),
    cmocka_unit_test(who_does_not_ask_has_no_lists),
    cmocka_unit_test(small_leaves_and_trees_for_one_query_have_no_rims),
};

TEST_GROUP(lists, tests);
