/* The sets of groups below nodes and leaves are those of the triangles there; they say that two
 * subtrees are apart exactly if no triangle of one is tested against any of the other; they follow
 * the matrix; and whatever of them is changed, the validator says so (I11). */
#include <stdlib.h>
#include "support/kept.h"
#include "support/test.h"
#include "support/tree_site.h"
#include "support/zoo_cases.h"

static willow_tree_def tree_with(willow_build build, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_BOTTOM_UP, arity, leaf_triangles);
    tree.build = build;
    return tree;
}

static void open_grouped(tree_site *s, const zoo_mesh *mesh, const willow_tree_def *tree)
{
    const willow_mesh_def def = zoo_mesh_def(mesh);
    tree_site_open(s, &def);
    tree_site_build(s, WILLOW_KERNEL_SCALAR, tree);
}

/* Gives the mesh another matrix, as willow_body_set_group_masks does. */
static void set_masks(tree_site *s, const uint64_t *rows, uint32_t count)
{
    wi_group_masks masks;
    assert_ok(wi_group_masks_copy(&s->memory, &s->mesh, rows, count, &s->message, &masks));
    wi_group_masks_free(&s->memory, &s->mesh.masks);
    s->mesh.masks = masks;
    assert_true(wi_group_sets_make(&s->memory, &s->h));
}

/* ---- apart or not, by loops over triangles ---- */

/* Whether a triangle is below a node, or in a leaf. */
static bool is_below(const wi_tree *h, uint32_t number, uint32_t leaf, uint32_t node)
{
    if ((number & WI_IS_LEAF) != 0) return leaf == (number & ~WI_IS_LEAF);
    while (node > number) node = h->boxes.nodes[node].parent;
    return node == number;
}

/* The slots below a node or a leaf. */
static uint32_t list_slots(const wi_tree *h, uint32_t number, uint32_t *slots)
{
    uint32_t count = 0;
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned leaves = h->boxes.nodes[node].leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const uint32_t leaf = h->boxes.nodes[node].child[__builtin_ctz(leaves)];
            for (uint32_t i = 0; i < h->shape->leaves[leaf].tri_count; i++)
                if (is_below(h, number, leaf, node))
                    slots[count++] = h->shape->slots[h->shape->leaves[leaf].first_tri + i];
        }
    assert_true(count > 0);
    return count;
}

static uint32_t number_at(const wi_tree *h, uint32_t i)
{
    return i < h->shape->node_count ? i : (i - h->shape->node_count) | WI_IS_LEAF;
}

/* Every node and leaf against every other and itself; returns how many are apart. */
static size_t check_apart(const wi_tree *h, const zoo_mesh *mesh)
{
    const uint32_t count = h->shape->node_count + h->shape->leaf_count, tris = h->shape->tri_count;
    uint32_t *slots = calloc((size_t)count * tris, sizeof *slots);
    uint32_t *counts = calloc(count, sizeof *counts);
    size_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        counts[i] = list_slots(h, number_at(h, i), slots + (size_t)i * tris);
    for (uint32_t a = 0; a < count; a++)
        for (uint32_t b = 0; b < count; b++) {
            const uint32_t *of_a = slots + (size_t)a * tris, *of_b = slots + (size_t)b * tris;
            bool is_apart = true;
            for (uint32_t i = 0; i < counts[a] && is_apart; i++)
                for (uint32_t k = 0; k < counts[b] && is_apart; k++)
                    is_apart = !zoo_mesh_tests(mesh, of_a[i], of_b[k]);
            assert_int_equal(wi_group_sets_apart(&h->shape->sets, number_at(h, a), number_at(h, b)),
                             is_apart);
            found += is_apart;
        }
    free(slots);
    free(counts);
    return found;
}

static void subtrees_are_apart_if_no_triangles_of_them_are_tested(void **state)
{
    (void)state;
    size_t apart = 0, trees = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (uint64_t seed = 0; seed < 10; seed++) {
            zoo_mesh mesh;
            tree_site s;
            willow_build build = WILLOW_BUILD_MIDPOINT + seed % (WILLOW_BUILD_COUNT - 1);
            willow_tree_def tree =
                tree_with(build, zoo_arities[seed % 3], 1 + (uint32_t)(seed + kind) % 5);
            zoo_mesh_create(&mesh, kind, 60, seed);
            if (kind != ZOO_KIND_LAYERS) zoo_mesh_group(&mesh, seed);
            open_grouped(&s, &mesh, &tree);
            for (uint64_t round = 0; round < 3; round++) {
                assert_null(wi_tree_validate(&s.h));
                assert_int_equal(wi_mesh_bytes(&s.mesh) + kept_tree_bytes(&s.h) + s.workspace.size,
                                 atomic_load(&s.allocator.bytes));
                assert_int_equal(s.h.shape->sets.nodes != NULL, s.h.boxes.nodes && mesh.masks);
                if (s.h.shape->sets.nodes) apart += check_apart(&s.h, &mesh);
                trees += s.h.shape->sets.nodes != NULL;
                zoo_mesh_mask(&mesh, 100 * seed + round);
                set_masks(&s, mesh.masks, mesh.mask_count);
            }
            tree_site_close(&s);
            zoo_mesh_destroy(&mesh);
        }
    print_message("%zu trees with masks, %zu pairs of subtrees apart\n", trees, apart);
    assert_true(trees > 300 && apart > 10000);
}

static void trees_without_a_matrix_have_no_sets(void **state)
{
    (void)state;
    zoo_mesh mesh;
    tree_site s;
    willow_tree_def tree = tree_with(WILLOW_BUILD_MEDIAN, 8, 4);
    zoo_mesh_create(&mesh, ZOO_KIND_GROUPS, 60, 1);
    open_grouped(&s, &mesh, &tree);
    assert_null(s.h.shape->sets.nodes);
    assert_null(s.h.shape->sets.leaves);
    assert_int_equal(wi_group_sets_bytes(&s.h.shape->sets), 0);
    tree_site_close(&s);
    zoo_mesh_destroy(&mesh);
}

/* ---- without memory ---- */

static void without_memory_sets_are_as_they_were(void **state)
{
    (void)state;
    zoo_mesh mesh;
    tree_site s;
    willow_tree_def tree = tree_with(WILLOW_BUILD_MEDIAN, 4, 2);
    zoo_mesh_create(&mesh, ZOO_KIND_LAYERS, 60, 1);
    assert_non_null(mesh.masks);
    open_grouped(&s, &mesh, &tree);
    for (int had_sets = 0; had_sets < 2; had_sets++) {
        if (had_sets == 0) {
            wi_group_sets_free(&s.memory, &s.h.shape->sets);
        } else {
            assert_true(wi_group_sets_make(&s.memory, &s.h));
        }
        const wi_group_sets kept = s.h.shape->sets;
        const size_t bytes = atomic_load(&s.allocator.bytes);
        for (size_t n = 1; n <= 2; n++) {
            s.allocator.fail_at = atomic_load(&s.allocator.calls) + n;
            assert_false(wi_group_sets_make(&s.memory, &s.h));
            assert_memory_equal(&s.h.shape->sets, &kept, sizeof kept);
            assert_int_equal(atomic_load(&s.allocator.bytes), bytes);
        }
        s.allocator.fail_at = 0;
    }
    assert_null(wi_tree_validate(&s.h));
    tree_site_close(&s);
    zoo_mesh_destroy(&mesh);
}

/* ---- validation ---- */

static void expect_broken(const wi_tree *h, const char *words)
{
    const char *broken = wi_tree_validate(h);
    if (broken == NULL || strcmp(broken, words) != 0)
        fail_msg("\"%s\" is broken, and \"%s\" is found", words, broken ? broken : "nothing");
}

static void spoil_set(const wi_tree *h, wi_group_set *set, const char *words)
{
    const wi_group_set kept = *set;
    set->below ^= UINT64_C(1) << 7;
    expect_broken(h, words);
    *set = kept;
    set->tested ^= UINT64_C(1) << 63;
    expect_broken(h, words);
    *set = kept;
}

static void validation_names_what_is_broken_in_sets(void **state)
{
    (void)state;
    zoo_mesh mesh;
    tree_site s;
    wi_tree *h = &s.h;
    willow_tree_def tree = tree_with(WILLOW_BUILD_MEDIAN, 2, 2);
    zoo_mesh_create(&mesh, ZOO_KIND_LAYERS, 60, 1);
    open_grouped(&s, &mesh, &tree);
    assert_null(wi_tree_validate(h));
    spoil_set(h, &h->shape->sets.leaves[0], "I11: a leaf has other groups");
    spoil_set(h, &h->shape->sets.leaves[h->shape->leaf_count - 1], "I11: a leaf has other groups");
    spoil_set(h, &h->shape->sets.nodes[0], "I11: a node has other groups");
    spoil_set(h, &h->shape->sets.nodes[h->shape->node_count - 1], "I11: a node has other groups");
    h->shape->sets.node_count--;
    expect_broken(h, "I11: sets of groups are of another tree");
    h->shape->sets.node_count++;
    h->shape->sets.leaf_count++;
    expect_broken(h, "I11: sets of groups are of another tree");
    h->shape->sets.leaf_count--;

    const wi_group_masks masks = s.mesh.masks;
    const wi_group_sets sets = h->shape->sets;
    s.mesh.masks = (wi_group_masks){0};
    expect_broken(h, "I11: a tree has sets of groups without group masks, or none with them");
    s.mesh.masks = masks;
    h->shape->sets = (wi_group_sets){0};
    expect_broken(h, "I11: a tree has sets of groups without group masks, or none with them");
    h->shape->sets = sets;
    assert_null(wi_tree_validate(h));
    tree_site_close(&s);
    zoo_mesh_destroy(&mesh);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(subtrees_are_apart_if_no_triangles_of_them_are_tested),
    cmocka_unit_test(trees_without_a_matrix_have_no_sets),
    cmocka_unit_test(without_memory_sets_are_as_they_were),
    cmocka_unit_test(validation_names_what_is_broken_in_sets),
};

TEST_GROUP(group_sets, tests);
