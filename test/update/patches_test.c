/* What is below the nodes of a tree is what their triangles name; a cut parts the tree into
 * patches; and whatever of it is changed, the validator says so (I10). */
#include <stdlib.h>
#include "base/kernel.h"
#include "support/fixture.h"
#include "support/kept.h"
#include "support/test.h"
#include "support/tree_site.h"
#include "support/zoo_cases.h"

static willow_mesh_def def_of(const zoo_mesh *mesh, bool borrow)
{
    return (willow_mesh_def){.positions = mesh->positions,
                             .vertex_count = mesh->vertex_count,
                             .indices = mesh->tris,
                             .triangle_count = mesh->triangle_count,
                             .triangle_groups = mesh->groups,
                             .borrow = borrow,
                             .weld_exact = mesh->weld};
}

/* A tree over a mesh of the zoo, cut at `level`. */
static void open_cut(tree_site *s, const zoo_mesh *mesh, bool borrow, const willow_tree_def *tree,
                     uint32_t level)
{
    willow_mesh_def def = def_of(mesh, borrow);
    tree_site_open(s, &def);
    tree_site_build(s, wi_kernel_choose(WILLOW_KERNEL_AUTO), tree);
    if (s->h.boxes.nodes) assert_true(make_patches(&s->memory, &s->workspace, &s->h, level));
}

static uint32_t depth_of(const wi_tree *h, uint32_t node)
{
    return node == 0 ? 0 : 1 + depth_of(h, h->boxes.nodes[node].parent);
}

/* ---- what is below ---- */

/* Which vertices the triangles below every node name, a byte each: row by row. */
static uint8_t *find_named(const wi_tree *h)
{
    const size_t vertices = h->mesh->vertex_count;
    uint8_t *named = calloc(h->shape->node_count, vertices);
    for (uint32_t node = h->shape->node_count; node-- > 0;) {
        const wi_node *view = &h->boxes.nodes[node];
        uint8_t *row = named + node * vertices;
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const wi_leaf *leaf = &h->shape->leaves[view->child[__builtin_ctz(leaves)]];
            for (unsigned i = 0; i < 3U * leaf->tri_count; i++)
                row[h->mesh->tris[h->shape->slots[leaf->first_tri + i / 3]][i % 3]] = 1;
        }
        for (size_t i = 0; i < vertices && node > 0; i++)
            named[view->parent * vertices + i] |= row[i];
    }
    return named;
}

/* Takes the vertex at a place, which must be there, out of a row. */
static void take_out(const wi_tree *h, uint8_t *row, uint32_t place)
{
    assert_true(place < kept_patches(h)->place_count);
    const uint32_t vertex = kept_patches(h)->vertex_at[place];
    assert_true(vertex < h->mesh->vertex_count && row[vertex] == 1);
    if (h->mesh->place) assert_int_equal(h->mesh->place[vertex], place);
    row[vertex] = 0;
}

/* The run and the outline of a node are the vertices below it, each once. */
static void check_below(const wi_tree *h)
{
    const size_t vertices = h->mesh->vertex_count;
    uint8_t *named = find_named(h), *none = calloc(vertices, 1);
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_below *below = &kept_patches(h)->below[node];
        uint8_t *row = named + node * vertices;
        for (uint32_t place = below->first_place; place < below->last_place; place++)
            take_out(h, row, place);
        for (uint32_t i = below->first_outline; i < below->last_outline; i++)
            take_out(h, row, kept_patches(h)->outlines.items[i]);
        assert_memory_equal(row, none, vertices);
        for (uint32_t other = 0; other < h->shape->node_count; other++) {
            uint32_t above = other;
            while (above > node) above = h->boxes.nodes[above].parent;
            assert_int_equal(above == node,
                             other >= node && other < kept_patches(h)->last_node[node]);
        }
    }
    free(named);
    free(none);
}

/* ---- the cut ---- */

/* The leaf or the node of a patch, leaves numbered behind all nodes. */
static uint32_t number_of(const wi_tree *h, const wi_patch *patch)
{
    if (kept_patches(h)->above_count == 0) return 0;
    const wi_node *view = &h->boxes.nodes[patch->parent];
    assert_int_equal(view->leaf_mask >> patch->parent_lane & 1, patch->is_leaf);
    return view->child[patch->parent_lane] + (patch->is_leaf ? h->shape->node_count : 0);
}

/* On the way from each leaf to the root there is one patch; it is at the level, or a leaf above it;
 * what comes after it is listed. */
static void check_cut(const wi_tree *h, uint32_t level)
{
    const wi_patches *p = kept_patches(h);
    const uint32_t numbers = h->shape->node_count + h->shape->leaf_count;
    uint8_t *is_patch = calloc(numbers, 1), *is_above = calloc(numbers, 1);
    if (level == WI_HALF_HEIGHT) level = (h->shape->height + 1) / 2;
    if (level > h->shape->height) level = h->shape->height;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t number = number_of(h, &p->items[i]);
        assert_int_equal(is_patch[number]++, 0);
        assert_true(i == 0 || p->items[i - 1].below.last_place == p->items[i].below.first_place);
        if (number < h->shape->node_count) assert_int_equal(depth_of(h, number), level);
    }
    for (uint32_t i = 0; i < p->above_count; i++) {
        assert_int_equal(is_above[p->above[i]]++, 0);
        assert_true(p->above[i] == 0 || is_above[h->boxes.nodes[p->above[i]].parent] == 1);
    }
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned leaves = h->boxes.nodes[node].leaf_mask; leaves != 0; leaves &= leaves - 1) {
            const uint32_t leaf = h->boxes.nodes[node].child[__builtin_ctz(leaves)];
            unsigned patches = is_patch[h->shape->node_count + leaf];
            if (patches == 1) assert_true(depth_of(h, node) < level);
            for (uint32_t above = node;; above = h->boxes.nodes[above].parent) {
                assert_int_equal(is_above[above], patches);
                patches += is_patch[above];
                if (above == 0) break;
            }
            assert_int_equal(patches, 1);
        }
    assert_int_equal(p->items[0].below.first_place, 0);
    assert_int_equal(p->items[p->count - 1].below.last_place, p->place_count);
    free(is_patch);
    free(is_above);
}

static const uint32_t levels[] = {0, 1, 2, 3, 5, 1000, WI_HALF_HEIGHT};
enum { LEVELS = sizeof levels / sizeof levels[0] };

static void every_tree_knows_what_is_below_its_nodes(void **state)
{
    (void)state;
    size_t trees = 0, outlines = 0, in_order = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (int i = 0; i < ZOO_ARITIES * ZOO_LEAF_SIZES; i++) {
            tree_site s;
            zoo_mesh mesh;
            const uint32_t level = levels[(i + (int)kind) % LEVELS];
            willow_tree_def tree = zoo_tree(WILLOW_METHOD_HYBRID, zoo_arities[i % ZOO_ARITIES],
                                            zoo_leaf_sizes[i / ZOO_ARITIES]);
            tree.build = zoo_build((uint64_t)i / 2);
            if (tree.build == WILLOW_BUILD_AUTO) tree.build = WILLOW_BUILD_MEDIAN;
            zoo_mesh_create(&mesh, kind, 1 + 20 * ((uint32_t)i % 8), (uint64_t)i);
            open_cut(&s, &mesh, i % 4 == 3, &tree, level);
            if (s.h.boxes.nodes) {
                assert_null(wi_patches_validate(&s.h, kept_patches(&s.h)));
                assert_null(wi_tree_validate(&s.h));
                check_below(&s.h);
                check_cut(&s.h, level);
                assert_int_equal(wi_mesh_bytes(&s.mesh) + kept_tree_bytes(&s.h) + s.workspace.size,
                                 atomic_load(&s.allocator.bytes));
                outlines += kept_patches(&s.h)->outlines.count;
                in_order += kept_patches(&s.h)->is_in_order;
                trees++;
            }
            tree_site_close(&s);
            zoo_mesh_destroy(&mesh);
        }
    print_message("%zu trees, %zu of them in the order of vertices, %zu places in outlines\n",
                  trees, in_order, outlines);
    assert_true(trees > 300 && outlines > 10000 && in_order > 0);
}

/* More places than the validator looks at in one go; outlines reach far back. */
static void a_tree_of_many_places_is_validated_to_its_end(void **state)
{
    (void)state;
    enum { TRIS = 150000, VERTICES = TRIS + 2, LEAF = 8 };
    tree_site s;
    float(*positions)[3] = calloc(VERTICES, sizeof *positions);
    uint32_t(*tris)[3] = calloc(TRIS, sizeof *tris);
    for (uint32_t i = 0; i < VERTICES; i++) positions[i][0] = (float)(i / 2);
    for (uint32_t i = 0; i < VERTICES; i++) positions[i][1] = (float)(i % 2);
    for (uint32_t i = 0; i < TRIS; i++)
        for (uint32_t k = 0; k < 3; k++) tris[i][k] = i % 7 == 0 && k == 0 ? i / 2 : i + k;
    tree_site_open(&s, &FIXTURE_MESH(positions, VERTICES, tris, TRIS));
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_HYBRID, 8, LEAF);
    tree.build = WILLOW_BUILD_MEDIAN;
    tree_site_build(&s, wi_kernel_choose(WILLOW_KERNEL_AUTO), &tree);
    assert_true(make_patches(&s.memory, &s.workspace, &s.h, 2));
    wi_patches *p = kept_patches(&s.h);
    assert_true(p->place_count > 1 << 17);
    assert_null(wi_tree_validate(&s.h));

    /* The last outline entry beyond the first window, spoilt in three ways. */
    size_t last = p->outlines.count;
    while (last > 0 && p->outlines.items[last - 1] < 1 << 17) last--;
    assert_true(last > 1);
    uint32_t *entry = &p->outlines.items[last - 1], kept = *entry;
    (*entry)--;
    assert_non_null(wi_patches_validate(&s.h, kept_patches(&s.h)));
    *entry = 0;
    assert_non_null(wi_patches_validate(&s.h, kept_patches(&s.h)));
    *entry = p->place_count - 1;
    assert_non_null(wi_patches_validate(&s.h, kept_patches(&s.h)));
    *entry = kept;
    assert_null(wi_patches_validate(&s.h, kept_patches(&s.h)));
    tree_site_close(&s);
    free(positions);
    free(tris);
}

static void patches_that_do_not_fit_into_memory_are_none(void **state)
{
    (void)state;
    zoo_mesh mesh;
    size_t failures = 0;
    bool made = false;
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_HYBRID, 4, 2);
    tree.build = WILLOW_BUILD_MEDIAN;
    zoo_mesh_create(&mesh, ZOO_KIND_SPHERE, 100, 1);
    while (!made) {
        tree_site s;
        willow_mesh_def def = def_of(&mesh, false);
        tree_site_open(&s, &def);
        tree_site_build(&s, WILLOW_KERNEL_SCALAR, &tree);
        wi_workspace_free(&s.memory, &s.workspace);
        if (failures % 2 == 0) /* in the place of others, or not */
            assert_true(make_patches(&s.memory, &s.workspace, &s.h, 1));
        wi_workspace_free(&s.memory, &s.workspace);
        s.allocator.fail_at = atomic_load(&s.allocator.calls) + 1 + failures / 2;
        made = make_patches(&s.memory, &s.workspace, &s.h, 2);
        assert_int_equal(kept_patches(&s.h)->below != NULL, made);
        assert_int_equal(kept_patches(&s.h)->count > 0, made);
        assert_null(wi_tree_validate(&s.h));
        assert_int_equal(wi_mesh_bytes(&s.mesh) + kept_tree_bytes(&s.h) + s.workspace.size,
                         atomic_load(&s.allocator.bytes));
        failures += !made;
        tree_site_close(&s);
    }
    print_message("%zu failures\n", failures);
    assert_true(failures >= 2 * 7); /* below, last nodes, places, marks, outlines, patches, above */
    zoo_mesh_destroy(&mesh);
}

/* ---- mutations ---- */

/* A sheet with a tree of several levels, cut below the second, with leaves above the cut. */
static void open_mutant(tree_site *s, bool borrow)
{
    zoo_mesh mesh;
    static float kept[3000];
    willow_tree_def tree = zoo_tree(WILLOW_METHOD_HYBRID, 4, 2);
    tree.build = WILLOW_BUILD_MIDPOINT;
    zoo_mesh_create(&mesh, ZOO_KIND_ROLLED, 110, 3);
    assert_true(3 * mesh.vertex_count <= 3000);
    memcpy(kept, mesh.positions, mesh.vertex_count * sizeof *mesh.positions);
    willow_mesh_def def = def_of(&mesh, borrow);
    if (borrow) def.positions = kept; /* they outlive the mesh */
    tree_site_open(s, &def);
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &tree);
    assert_true(make_patches(&s->memory, &s->workspace, &s->h, 2));
    zoo_mesh_destroy(&mesh);
    const wi_patches *p = kept_patches(&s->h);
    bool has_leaf = false;
    for (uint32_t i = 0; i < p->count; i++) has_leaf = has_leaf || p->items[i].is_leaf;
    assert_true(has_leaf && p->above_count > 1 && s->h.shape->height > 3 &&
                p->outlines.count > 100);
    assert_null(wi_tree_validate(&s->h));
}

static void expect_broken(const wi_tree *h, const char *words)
{
    const char *broken = wi_tree_validate(h);
    if (broken == NULL || strcmp(broken, words) != 0)
        fail_msg("\"%s\" is broken, and \"%s\" is found", words, broken ? broken : "nothing");
}

/* Changes a number, sees what is said, and changes it back. */
static void spoil(const wi_tree *h, uint32_t *number, uint32_t value, const char *words)
{
    const uint32_t kept = *number;
    assert_int_not_equal(kept, value);
    *number = value;
    expect_broken(h, words);
    *number = kept;
    assert_null(wi_tree_validate(h));
}

/* A node with an outline of several, none of which it may lack. */
static uint32_t find_outlined(const wi_patches *p)
{
    uint32_t node = 0;
    while (p->below[node].last_outline - p->below[node].first_outline < 3) node++;
    assert_true(node < p->node_count);
    return node;
}

static void validation_names_what_is_broken_below_nodes(void **state)
{
    (void)state;
    tree_site s;
    open_mutant(&s, false);
    const wi_tree *h = &s.h;
    wi_patches *p = kept_patches(&s.h);
    wi_below *below = &p->below[find_outlined(p)];
    uint32_t *outline = p->outlines.items + below->first_outline;

    spoil(h, &p->node_count, p->node_count - 1, "I10: patches are of another tree");
    spoil(h, &p->place_count, p->place_count - 1, "I10: patches are of another tree");
    spoil(h, &p->vertex_at[3], p->vertex_at[4], "I10: a place has another vertex");
    spoil(h, &p->vertex_at[p->place_count + 5], s.mesh.vertex_count,
          "I10: behind all places is a vertex that is not there");
    p->is_in_order = !p->is_in_order;
    expect_broken(h, "I10: places are vertices, or not, by mistake");
    p->is_in_order = !p->is_in_order;

    spoil(h, &below->first_place, below->first_place + 1,
          "I10: runs of places do not follow each other");
    spoil(h, &p->below[0].last_place, p->below[0].last_place - 1,
          "I10: runs of places do not follow each other");
    spoil(h, &p->last_node[0], h->shape->node_count - 1, "I10: another node is the last below");
    spoil(h, &p->last_node[1], p->last_node[1] + 1,
          "I10: nodes do not follow those of the child before");
    spoil(h, &below->last_outline, (uint32_t)p->outlines.count + 1,
          "I10: an outline is not among the outlines");
    spoil(h, &below->first_outline, below->last_outline + 1,
          "I10: an outline is not among the outlines");

    spoil(h, &outline[0], below->first_place, "I10: an outline has what its node owns");
    spoil(h, &outline[0], outline[1], "I10: an outline has a vertex twice");
    spoil(h, &below->last_outline, below->last_outline - 1,
          "I10: an outline lacks a vertex from below");
    tree_site_close(&s);
}

/* One that is not below may be listed only where none is lacking: behind the end of all others. */
static void validation_names_a_vertex_from_elsewhere(void **state)
{
    (void)state;
    tree_site s;
    open_mutant(&s, false);
    wi_patches *p = kept_patches(&s.h);
    wi_below *root = &p->below[0];
    assert_int_equal(root->first_outline, root->last_outline);

    /* The last child of the root has a run that begins behind all others. */
    uint32_t node = s.h.boxes.nodes[0].child[s.h.boxes.nodes[0].count - 1];
    const wi_below kept = p->below[node];
    const uint32_t count = kept.last_outline - kept.first_outline;
    const uint32_t end = (uint32_t)p->outlines.count;
    assert_true(wi_array_reserve(&s.memory, &p->outlines, end + count + 1));
    uint8_t *is_listed = calloc(p->place_count, 1);
    for (uint32_t i = 0; i < count; i++) {
        p->outlines.items[end + i] = p->outlines.items[kept.first_outline + i];
        is_listed[p->outlines.items[end + i]] = 1;
    }
    uint32_t stranger = 0;
    while (is_listed[stranger]) stranger++;
    assert_true(stranger < kept.first_place);
    p->outlines.items[end + count] = stranger;
    p->outlines.count = end + count + 1;
    p->below[node].first_outline = end;
    p->below[node].last_outline = end + count + 1;
    assert_string_equal(wi_patches_validate(&s.h, kept_patches(&s.h)),
                        "I10: an outline has a vertex that is not below");
    p->below[node] = kept;
    p->outlines.count = end;
    assert_null(wi_patches_validate(&s.h, kept_patches(&s.h)));
    free(is_listed);
    tree_site_close(&s);
}

static void validation_names_what_is_broken_in_the_cut(void **state)
{
    (void)state;
    static const char patches[] = "I10: patches do not cover the leaves, each once and in order";
    static const char above[] = "I10: other nodes are above the patches";
    tree_site s;
    open_mutant(&s, false);
    const wi_tree *h = &s.h;
    wi_patches *p = kept_patches(&s.h);
    spoil(h, &p->level, h->shape->height + 1, "I10: the cut is below the leaves");
    spoil(h, &p->level, 1, patches);
    spoil(h, &p->level, 3, patches);
    spoil(h, &p->count, p->count - 1, patches);
    spoil(h, &p->items[1].parent, p->items[1].parent + 1, patches);
    spoil(h, &p->items[2].below.first_place, p->items[1].below.first_place, patches);
    spoil(h, &p->items[2].below.last_outline, p->items[2].below.last_outline + 1, patches);
    p->items[1].parent_lane++;
    expect_broken(h, patches);
    p->items[1].parent_lane--;
    p->items[1].is_leaf = !p->items[1].is_leaf;
    expect_broken(h, patches);
    p->items[1].is_leaf = !p->items[1].is_leaf;
    wi_patch first = p->items[0], second = p->items[1];
    p->items[0] = second;
    p->items[1] = first;
    expect_broken(h, patches);
    p->items[0] = first;
    p->items[1] = second;
    spoil(h, &p->above_count, p->above_count - 1, above);
    spoil(h, &p->above[1], p->above[1] + 1, above);
    spoil(h, &p->above[0], p->above[1], above);
    tree_site_close(&s);
}

/* Every number of an array in turn is made another one. Nothing else is wrong, so I10 is named; the
 * address sanitizer sees whether a wrong number leads the validator astray. */
static size_t spoil_all(const wi_tree *h, uint32_t *numbers, size_t count)
{
    size_t spoilt = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t kept = numbers[i];
        const uint32_t others[] = {kept + 1,   kept - 1,       0,
                                   UINT32_MAX, UINT32_MAX / 2, numbers[(i + 1) % count]};
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) {
            if (others[k] == kept) continue;
            numbers[i] = others[k];
            const char *broken = wi_tree_validate(h);
            if (broken == NULL || strncmp(broken, "I10: ", 5) != 0)
                fail_msg("number %zu of %zu is %u instead of %u, and \"%s\" is found", i, count,
                         others[k], kept, broken ? broken : "nothing");
            spoilt++;
        }
        numbers[i] = kept;
    }
    return spoilt;
}

static void no_number_may_be_another_one(void **state)
{
    (void)state;
    size_t spoilt = 0;
    for (int borrow = 0; borrow < 2; borrow++) {
        tree_site s;
        open_mutant(&s, borrow != 0);
        wi_patches *p = kept_patches(&s.h);
        spoilt += spoil_all(&s.h, &p->below[0].first_place, 4 * (size_t)p->node_count);
        spoilt += spoil_all(&s.h, p->last_node, p->node_count);
        spoilt += spoil_all(&s.h, p->outlines.items, p->outlines.count);
        spoilt += spoil_all(&s.h, p->vertex_at, p->place_count);
        spoilt += spoil_all(&s.h, p->above, p->above_count);
        for (uint32_t i = 0; i < p->count; i++) {
            spoilt += spoil_all(&s.h, &p->items[i].below.first_place, 4);
            spoilt += spoil_all(&s.h, &p->items[i].parent, 1);
        }
        assert_null(wi_tree_validate(&s.h));
        tree_site_close(&s);
    }
    print_message("%zu wrong numbers\n", spoilt);
    assert_true(spoilt > 5000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_tree_knows_what_is_below_its_nodes),
    cmocka_unit_test(a_tree_of_many_places_is_validated_to_its_end),
    cmocka_unit_test(patches_that_do_not_fit_into_memory_are_none),
    cmocka_unit_test(validation_names_what_is_broken_below_nodes),
    cmocka_unit_test(validation_names_a_vertex_from_elsewhere),
    cmocka_unit_test(validation_names_what_is_broken_in_the_cut),
    cmocka_unit_test(no_number_may_be_another_one),
};

TEST_GROUP(patches, tests);
