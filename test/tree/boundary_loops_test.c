/* The rim around a cluster is the boundary of its triangles and of those around, as loops over all
 * edges find it; clusters without one have a reason; and whatever of a rim is changed, the
 * validator says so (I14). */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/self_lists.h"
#include "support/test.h"
#include "support/zoo_cases.h"

static void visit_rims(tree_site *s, const char *words, void *context)
{
    (void)words;
    self_lists_make(s);
    self_check_rims(&s->h, context);
    assert_null(wi_boundary_loops_validate(&s->h));
    assert_null(wi_tree_validate_lists(&s->h));
    assert_int_equal(wi_mesh_bytes(&s->mesh) + kept_tree_bytes(&s->h) + s->workspace.size,
                     atomic_load(&s->allocator.bytes));
}

static void print_tally(const self_tally *t)
{
    print_message("%zu trees; rims of %zu leaves and %zu nodes, %zu edges, %zu of them twisted; "
                  "none: %zu at the border, %zu crowded, %zu parted, %zu closed, %zu too long\n",
                  t->trees, t->leaf_rims, t->node_rims, t->rim_edges, t->twisted_rims, t->at_border,
                  t->crowded, t->parted, t->no_boundary, t->too_long);
}

static void rims_are_the_boundary_of_what_is_within(void **state)
{
    (void)state;
    self_tally t = {0};
    self_trees_visit(visit_rims, &t);
    print_tally(&t);
    assert_true(t.trees > 600 && t.leaf_rims > 1000 && t.node_rims > 100 && t.rim_edges > 30000);
    assert_true(t.at_border > 1000 && t.crowded > 1000 && t.parted > 10 && t.no_boundary > 100);
}

/* ---- surfaces ---- */

/* Grids of cells on a torus, a sheet, or a sheet with holes; some cells have a third triangle on
 * an edge, or one that is turned over. */
typedef enum weave {
    WEAVE_TORUS,
    WEAVE_SHEET,
    WEAVE_HOLES,
    WEAVE_FINS,
    WEAVE_TURNED,
    WEAVES
} weave;
enum { SIDE = 16, LONG = 24 };

static uint32_t weave_vertex(weave kind, uint32_t i, uint32_t k)
{
    return kind == WEAVE_TORUS ? i % LONG * SIDE + k % SIDE : i * (SIDE + 1) + k;
}

static uint32_t add_cell(weave kind, uint32_t i, uint32_t k, uint32_t (*tris)[3], uint64_t dice)
{
    const uint32_t at[4] = {weave_vertex(kind, i, k), weave_vertex(kind, i + 1, k),
                            weave_vertex(kind, i + 1, k + 1), weave_vertex(kind, i, k + 1)};
    const uint32_t corners[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 2, 1}};
    if (kind == WEAVE_HOLES && dice % 7 == 0) return 0;
    const uint32_t count = kind == WEAVE_FINS && dice % 15 == 0 ? 3 : 2;
    for (uint32_t tri = 0; tri < count; tri++)
        for (int c = 0; c < 3; c++) tris[tri][c] = at[corners[tri][c]];
    if (kind == WEAVE_TURNED && dice % 15 == 0) {
        tris[1][1] = at[3];
        tris[1][2] = at[2];
    }
    return count;
}

static void open_weave(tree_site *s, weave kind, const willow_tree_def *tree, uint64_t seed)
{
    enum { VERTICES = (LONG + 1) * (SIDE + 1) };
    static float positions[VERTICES][3];
    static uint32_t tris[3 * LONG * SIDE][3];
    uint32_t count = 0;
    for (uint32_t i = 0; i < VERTICES; i++) {
        positions[i][0] = (float)(kind == WEAVE_TORUS ? i / SIDE : i / (SIDE + 1));
        positions[i][1] = (float)(kind == WEAVE_TORUS ? i % SIDE : i % (SIDE + 1));
    }
    for (uint32_t i = 0; i < LONG; i++)
        for (uint32_t k = 0; k < SIDE; k++)
            count += add_cell(kind, i, k, tris + count, test_random(&seed));
    tree_site_open(s, &FIXTURE_MESH(positions, VERTICES, tris, count));
    tree_site_build(s, WILLOW_KERNEL_SCALAR, tree);
}

static void surfaces_have_rims_unless_they_end_or_branch(void **state)
{
    (void)state;
    static const uint32_t leaf_sizes[] = {2, 6, 8, 16, 32};
    for (weave kind = 0; kind < WEAVES; kind++) {
        self_tally t = {0};
        for (uint64_t seed = 0; seed < 6; seed++)
            for (int i = 0; i < 5; i++) {
                tree_site s;
                willow_tree_def tree =
                    zoo_tree(WILLOW_METHOD_BOTTOM_UP, zoo_arities[seed % 3], leaf_sizes[i]);
                tree.build =
                    WILLOW_BUILD_MIDPOINT + (willow_build)(seed % (WILLOW_BUILD_COUNT - 1));
                open_weave(&s, kind, &tree, seed);
                visit_rims(&s, "", &t);
                tree_site_close(&s);
            }
        print_tally(&t);
        assert_true(t.leaf_rims > 100 && t.node_rims > 10);
        assert_int_equal(t.crowded > 0, kind == WEAVE_FINS || kind == WEAVE_TURNED);
        assert_int_equal(t.at_border > 0, kind != WEAVE_TORUS);
    }
}

/* ---- without memory ---- */

static void open_torus(tree_site *s)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 6);
    tree.build = WILLOW_BUILD_MEDIAN;
    open_weave(s, WEAVE_TORUS, &tree, 1);
}

static void rims_that_do_not_fit_into_memory_are_none(void **state)
{
    (void)state;
    size_t failures = 0;
    bool made = false;
    while (!made) {
        tree_site s;
        open_torus(&s);
        assert_true(make_shared(&s.memory, &s.workspace, &s.h));
        if (failures % 2 == 0) /* in the place of others, or not */
            assert_true(wi_boundary_loops_make(&s.memory, &s.workspace, &s.h));
        wi_workspace_free(&s.memory, &s.workspace);
        s.allocator.fail_at = atomic_load(&s.allocator.calls) + 1 + failures / 2;
        made = wi_boundary_loops_make(&s.memory, &s.workspace, &s.h);
        assert_int_equal(kept_self(&s.h)->loops.items != NULL, made);
        assert_int_equal(wi_boundary_loops_bytes(&kept_self(&s.h)->loops) > 0, made);
        assert_null(wi_tree_validate_lists(&s.h));
        assert_int_equal(wi_mesh_bytes(&s.mesh) + kept_tree_bytes(&s.h) + s.workspace.size,
                         atomic_load(&s.allocator.bytes));
        failures += !made;
        tree_site_close(&s);
    }
    print_message("%zu failures\n", failures);
    assert_true(failures >= 2 * 7); /* rims, nodes, firsts, edges, workspace, around, vertices */
}

/* ---- validation ---- */

/* A rim that the validator looks at. */
static wi_boundary_loop *first_rim(tree_site *s)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, 6);
    tree.build = WILLOW_BUILD_MEDIAN;
    open_weave(s, WEAVE_SHEET, &tree, 1);
    self_lists_make(s);
    assert_null(wi_tree_validate_lists(&s->h));
    const uint32_t count = kept_self(&s->h)->loops.cluster_count,
                   step = count / WI_LOOPS_SAMPLED + 1;
    uint32_t cluster = 0;
    while (cluster < count && kept_self(&s->h)->loops.items[cluster].vertex_count == 0)
        cluster += step;
    assert_true(cluster < count);
    return &kept_self(&s->h)->loops.items[cluster];
}

static void validation_names_what_is_broken_in_rims(void **state)
{
    (void)state;
    static const char none[] = "I14: an edge is on a loop where it is none";
    static const char missing[] = "I14: an edge of a loop is missing";
    tree_site s;
    wi_boundary_loop *rim = first_rim(&s);
    wi_spot *way = kept_self(&s.h)->loops.vertices.items + rim->first_vertex;
    uint32_t *around = KEPT_LEAVES(&s.h, rim) + rim->own_count;
    const unsigned last = rim->vertex_count - 1U;
    const wi_boundary_loop kept = *rim;
    wi_spot kept_way[WI_MAX_LOOP];
    memcpy(kept_way, way, rim->vertex_count * sizeof *way);

    way[last] = way[1];
    self_expect_broken(&s.h, "I14: a loop is not closed");
    way[last] = kept_way[last];
    for (unsigned i = 1; way[i] != way[0]; i++) {
        way[i] = UINT32_MAX;
        self_expect_broken(&s.h, none);
        way[i] = kept_way[last - i] == kept_way[i] ? 0 : kept_way[last - i];
        self_expect_broken(&s.h, none);
        way[i] = kept_way[i];
    }
    for (unsigned i = 0; i <= last; i++) way[i] = kept_way[0]; /* it stays where it begins */
    self_expect_broken(&s.h, missing);
    memcpy(way, kept_way, rim->vertex_count * sizeof *way);
    rim->around_count--;
    assert_non_null(wi_boundary_loops_validate(&s.h));
    assert_int_equal(strncmp(wi_boundary_loops_validate(&s.h), "I14: ", 5), 0);
    *rim = kept;
    around[0] = around[1];
    self_expect_broken(&s.h, none);
    around[0] = KEPT_LEAVES(&s.h, rim)[0];
    assert_non_null(wi_boundary_loops_validate(&s.h));
    tree_site_close(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(rims_are_the_boundary_of_what_is_within),
    cmocka_unit_test(surfaces_have_rims_unless_they_end_or_branch),
    cmocka_unit_test(rims_that_do_not_fit_into_memory_are_none),
    cmocka_unit_test(validation_names_what_is_broken_in_rims),
};

TEST_GROUP(boundary_loops, tests);
