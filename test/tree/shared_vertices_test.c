/* Triangles are listed as kin exactly if they share a vertex, each two once, or by vertices that
 * very many leaves have; where most vertices are nearly such, nothing is listed; and whatever of
 * the lists is changed, the validator says so (I12). */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/kept.h"
#include "support/odd_mesh.h"
#include "support/self_lists.h"
#include "support/test.h"
#include "support/zoo_cases.h"

/* What was asked for is what is counted. */
static void check_bytes(const tree_site *s)
{
    assert_int_equal(wi_mesh_bytes(&s->mesh) + kept_tree_bytes(&s->h) + s->workspace.size,
                     atomic_load(&s->allocator.bytes));
}

static void visit_kin(tree_site *s, const char *words, void *context)
{
    (void)words;
    assert_true(make_shared(&s->memory, &s->workspace, &s->h));
    self_check_kin(&s->h, context);
    assert_null(wi_shared_vertices_validate(&s->h));
    assert_null(wi_tree_validate_lists(&s->h));
    check_bytes(s);
}

static void triangles_are_kin_if_they_share_a_vertex(void **state)
{
    (void)state;
    self_tally t = {0};
    self_trees_visit(visit_kin, &t);
    print_message("%zu trees, %zu of them without lists; %zu kin within leaves, %zu across, %zu "
                  "strangers\n",
                  t.trees, t.unlisted, t.within, t.across, t.strangers);
    assert_true(t.trees > 600 && t.unlisted == 0);
    assert_true(t.within > 50000 && t.across > 50000 && t.strangers > 1000000);
}

/* ---- hubs ---- */

/* What is listed is in proportion to the triangles, and says who is kin all the same. */
static void a_vertex_of_very_many_leaves_is_listed_leaf_by_leaf(void **state)
{
    (void)state;
    static const odd_kind kinds[] = {ODD_KIND_FAN, ODD_KIND_PINWHEEL, ODD_KIND_BOOK, ODD_KIND_LEGS};
    self_tally t = {0};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (uint32_t leaf_triangles = 1; leaf_triangles <= 16; leaf_triangles *= 4) {
            const uint32_t most = wi_most_leaves_of_a_vertex(leaf_triangles);
            const uint32_t tris = 2 * most * leaf_triangles - 4;
            tree_site s;
            willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, leaf_triangles);
            tree.build = WILLOW_BUILD_MEDIAN;
            odd_mesh_open(&s, kinds[i], kinds[i] == ODD_KIND_LEGS ? 10 * tris : tris, 1);
            tree_site_build(&s, WILLOW_KERNEL_SCALAR, &tree);
            visit_kin(&s, "", &t);
            const wi_shared_vertices *kin = &kept_self(&s.h)->shared;
            assert_true(kin->hubs.count > most);
            assert_true(kin->hubs.count + kin->ties.count + kin->rows.count <
                        16 * (size_t)s.mesh.tri_count);
            assert_int_equal(kin->hubs.of_nodes[0] != WI_NO_HUB, kinds[i] != ODD_KIND_LEGS);
            tree_site_close(&s);
        }
    print_message("%zu kin by hubs\n", t.by_hub);
    assert_true(t.by_hub > 50000 && t.unlisted == 0);
}

/* Of vertices that are all in thirty leaves, none is a hub, and all leaves are tied to all. */
static void nothing_is_listed_where_most_vertices_are_in_many_leaves(void **state)
{
    (void)state;
    enum { VERTICES = 30, TRIS = 240 };
    float positions[VERTICES][3];
    uint32_t tris[TRIS][3];
    uint64_t random = 3;
    for (uint32_t i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++)
            positions[i][axis] = (float)test_random_between(&random, -1, 1);
    for (uint32_t i = 0; i < TRIS; i++)
        for (uint32_t k = 0; k < 3; k++) tris[i][k] = (i + k * (1 + i / VERTICES)) % VERTICES;
    tree_site s;
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, 8);
    tree.build = WILLOW_BUILD_MEDIAN;
    tree_site_open(&s, &FIXTURE_MESH(positions, VERTICES, tris, TRIS));
    tree_site_build(&s, WILLOW_KERNEL_SCALAR, &tree);
    assert_true(make_shared(&s.memory, &s.workspace, &s.h));
    assert_null(kept_self(&s.h)->shared.first_tie);
    assert_null(kept_self(&s.h)->shared.within);
    assert_null(kept_self(&s.h)->shared.hubs.items);
    assert_int_equal(wi_shared_vertices_bytes(&kept_self(&s.h)->shared), 0);
    assert_null(wi_shared_vertices_validate(&s.h));
    check_bytes(&s);
    tree_site_close(&s);
}

/* A vertex of a hundred triangles does not count where there are thousands of others. */
static void smooth_surfaces_are_listed_whatever_their_size(void **state)
{
    (void)state;
    static const zoo_kind smooth[] = {ZOO_KIND_GRID, ZOO_KIND_SPHERE, ZOO_KIND_ROLLED};
    for (size_t i = 0; i < sizeof smooth / sizeof smooth[0]; i++)
        for (uint32_t leaf_triangles = 1; leaf_triangles <= 32; leaf_triangles *= 2) {
            tree_site s;
            zoo_mesh mesh;
            willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, leaf_triangles);
            tree.build = WILLOW_BUILD_MEDIAN;
            zoo_mesh_create(&mesh, smooth[i], 5000, 1);
            tree_site_open(&s, &FIXTURE_MESH(mesh.positions, mesh.vertex_count, mesh.tris,
                                             mesh.triangle_count));
            tree_site_build(&s, WILLOW_KERNEL_SCALAR, &tree);
            assert_true(make_shared(&s.memory, &s.workspace, &s.h));
            assert_non_null(kept_self(&s.h)->shared.first_tie);
            assert_null(wi_shared_vertices_validate(&s.h));
            tree_site_close(&s);
            zoo_mesh_destroy(&mesh);
        }
}

/* ---- without memory ---- */

static void open_sphere(tree_site *s, uint32_t size, uint32_t leaf_triangles)
{
    zoo_mesh mesh;
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 4, leaf_triangles);
    tree.build = WILLOW_BUILD_MEDIAN;
    zoo_mesh_create(&mesh, ZOO_KIND_SPHERE, size, 1);
    tree_site_open(
        s, &FIXTURE_MESH(mesh.positions, mesh.vertex_count, mesh.tris, mesh.triangle_count));
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    zoo_mesh_destroy(&mesh);
}

static void kin_that_do_not_fit_into_memory_are_none(void **state)
{
    (void)state;
    size_t failures = 0;
    bool made = false;
    while (!made) {
        tree_site s;
        open_sphere(&s, 100, 1);
        if (failures % 2 == 0) /* in the place of others, or not */
            assert_true(make_shared(&s.memory, &s.workspace, &s.h));
        wi_workspace_free(&s.memory, &s.workspace);
        s.allocator.fail_at = atomic_load(&s.allocator.calls) + 1 + failures / 2;
        made = make_shared(&s.memory, &s.workspace, &s.h);
        assert_int_equal(kept_self(&s.h)->shared.first_tie != NULL, made);
        assert_int_equal(wi_shared_vertices_bytes(&kept_self(&s.h)->shared) > 0, made);
        assert_null(wi_tree_validate_lists(&s.h));
        check_bytes(&s);
        failures += !made;
        tree_site_close(&s);
    }
    print_message("%zu failures\n", failures);
    assert_true(failures >= 2 * 7); /* workspace, two for gathering, four lists, and growing */
}

/* ---- validation ---- */

static void validation_names_kin_that_are_none(void **state)
{
    (void)state;
    static const char words[] = "I12: triangles are listed as kin that are none, or the reverse";
    tree_site s;
    size_t spoilt = 0;
    open_sphere(&s, 100, 3);
    self_lists_make(&s);
    wi_shared_vertices *kin = &kept_self(&s.h)->shared;
    assert_null(wi_tree_validate_lists(&s.h));
    for (uint32_t leaf = 0; leaf < s.h.shape->leaf_count; leaf++)
        for (uint32_t i = 0; i + 1 < s.h.shape->leaves[leaf].tri_count; i++) {
            kin->within[s.h.shape->leaves[leaf].first_tri + i] ^= UINT32_C(2) << i;
            self_expect_broken(&s.h, words);
            kin->within[s.h.shape->leaves[leaf].first_tri + i] ^= UINT32_C(2) << i;
            spoilt++;
        }
    for (uint32_t i = 0; i < kin->rows.count; i++) {
        kin->rows.items[i] ^= 1;
        self_expect_broken(&s.h, words);
        kin->rows.items[i] ^= 1;
        spoilt++;
    }
    for (uint32_t i = 0; i < kin->ties.count; i++) {
        const uint32_t kept = kin->ties.items[i].tris;
        kin->ties.items[i].tris &= kept - 1;
        self_expect_broken(&s.h, words);
        kin->ties.items[i].tris = kept;
        spoilt++;
    }
    assert_null(wi_tree_validate_lists(&s.h));
    assert_true(spoilt > 200);
    tree_site_close(&s);
}

/* Takes one tie out of the lists. */
static void remove_tie(wi_shared_vertices *kin, uint32_t number)
{
    memmove(kin->ties.items + number, kin->ties.items + number + 1,
            (kin->ties.count - number - 1) * sizeof *kin->ties.items);
    kin->ties.count--;
    for (uint32_t leaf = 0; leaf <= kin->leaf_count; leaf++)
        kin->first_tie[leaf] -= kin->first_tie[leaf] > number;
}

/* Does the earlier leaf own a vertex of the later one? */
static bool is_owner(const wi_tree *h, uint32_t earlier, uint32_t later)
{
    const wi_leaf *a = &h->shape->leaves[earlier], *b = &h->shape->leaves[later];
    for (unsigned i = 0; i < a->owned_count; i++)
        for (unsigned k = 0; k < b->vertex_count; k++)
            if (h->shape->leaf_vertices[a->first_vertex + i] ==
                h->shape->leaf_vertices[b->first_vertex + k])
                return true;
    return false;
}

static void validation_names_the_tie_that_is_missing(void **state)
{
    (void)state;
    static const char by_owner_words[] =
        "I12: the tie of a leaf with the owner of a vertex is missing";
    tree_site s;
    size_t by_owner = 0, by_others = 0;
    open_sphere(&s, 100, 3);
    assert_true(make_shared(&s.memory, &s.workspace, &s.h));
    const size_t ties = kept_self(&s.h)->shared.ties.count;
    for (uint32_t number = 0, leaf = 0; number < ties; number++) {
        while (kept_self(&s.h)->shared.first_tie[leaf + 1] <= number) leaf++;
        const bool owns = is_owner(&s.h, leaf, kept_self(&s.h)->shared.ties.items[number].leaf);
        remove_tie(&kept_self(&s.h)->shared, number);
        const char *broken = wi_tree_validate_lists(&s.h);
        assert_non_null(broken);
        const bool is_named = strcmp(broken, by_owner_words) == 0;
        if (!is_named) assert_string_equal(broken, "I12: a tie is missing");
        /* Where the owner's tie is missing, an earlier leaf may know both. */
        assert_true(owns || !is_named);
        *(is_named ? &by_owner : &by_others) += 1;
        assert_true(make_shared(&s.memory, &s.workspace, &s.h));
        assert_int_equal(kept_self(&s.h)->shared.ties.count, ties);
    }
    print_message("%zu ties missed by the later leaf, %zu by leaves before both\n", by_owner,
                  by_others);
    assert_true(by_owner > 20 && by_others > 5);
    tree_site_close(&s);
}

static void validation_names_lists_of_another_tree(void **state)
{
    (void)state;
    tree_site s;
    open_sphere(&s, 100, 3);
    assert_true(make_shared(&s.memory, &s.workspace, &s.h));
    wi_shared_vertices *kin = &kept_self(&s.h)->shared;
    kin->ties.items[0].leaf = 0;
    self_expect_broken(&s.h, "I12: a tie is not to a later leaf");
    kin->ties.items[0].leaf = s.h.shape->leaf_count;
    self_expect_broken(&s.h, "I12: a tie is not to a later leaf");
    assert_true(make_shared(&s.memory, &s.workspace, &s.h));
    kin->leaf_count--;
    self_expect_broken(&s.h, "I12: kin are listed of another tree");
    kin->leaf_count++;
    kin->tri_count--;
    self_expect_broken(&s.h, "I12: kin are listed of another tree");
    kin->tri_count++;
    assert_null(wi_tree_validate_lists(&s.h));
    tree_site_close(&s);
}

static void open_fan(tree_site *s, uint32_t tris)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, 8, 2);
    tree.build = WILLOW_BUILD_MEDIAN;
    odd_mesh_open(s, ODD_KIND_BOOK, tris, 1);
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
}

static void hubs_that_do_not_fit_into_memory_are_none(void **state)
{
    (void)state;
    size_t failures = 0;
    bool made = false;
    while (!made) {
        tree_site s;
        open_fan(&s, 100);
        s.allocator.fail_at = atomic_load(&s.allocator.calls) + 1 + failures;
        made = make_shared(&s.memory, &s.workspace, &s.h);
        assert_int_equal(kept_self(&s.h)->shared.hubs.items != NULL, made);
        assert_int_equal(wi_shared_vertices_bytes(&kept_self(&s.h)->shared) > 0, made);
        assert_null(wi_tree_validate_lists(&s.h));
        check_bytes(&s);
        failures += !made;
        tree_site_close(&s);
    }
    assert_true(failures >= 9); /* workspace, two for gathering, four for hubs, two lists */
}

static void validation_names_what_is_broken_in_hubs(void **state)
{
    (void)state;
    tree_site s;
    open_fan(&s, 100);
    assert_true(make_shared(&s.memory, &s.workspace, &s.h));
    wi_hubs *hubs = &kept_self(&s.h)->shared.hubs;
    assert_null(wi_tree_validate_lists(&s.h));
    for (uint32_t i = 0; i < hubs->count; i++) {
        const wi_hub kept = hubs->items[i];
        hubs->items[i].tris ^= 1;
        assert_non_null(wi_tree_validate_lists(&s.h));
        hubs->items[i] = kept;
        hubs->items[i].vertex ^= 1;
        assert_non_null(wi_tree_validate_lists(&s.h));
        hubs->items[i] = kept;
    }
    hubs->of_leaves[1] = WI_NO_HUB;
    self_expect_broken(&s.h, "I12: the triangles of a leaf have another hub in common");
    hubs->of_leaves[1] = 0;
    hubs->of_nodes[0] = WI_NO_HUB;
    self_expect_broken(&s.h, "I12: the triangles below a node have another hub in common");
    hubs->of_nodes[0] = 0;
    hubs->node_count--;
    self_expect_broken(&s.h, "I12: hubs are of another tree");
    hubs->node_count++;
    assert_null(wi_tree_validate_lists(&s.h));
    tree_site_close(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(triangles_are_kin_if_they_share_a_vertex),
    cmocka_unit_test(a_vertex_of_very_many_leaves_is_listed_leaf_by_leaf),
    cmocka_unit_test(nothing_is_listed_where_most_vertices_are_in_many_leaves),
    cmocka_unit_test(smooth_surfaces_are_listed_whatever_their_size),
    cmocka_unit_test(kin_that_do_not_fit_into_memory_are_none),
    cmocka_unit_test(hubs_that_do_not_fit_into_memory_are_none),
    cmocka_unit_test(validation_names_what_is_broken_in_hubs),
    cmocka_unit_test(validation_names_kin_that_are_none),
    cmocka_unit_test(validation_names_the_tie_that_is_missing),
    cmocka_unit_test(validation_names_lists_of_another_tree),
};

TEST_GROUP(shared_vertices, tests);
