/* Groups that exclude each other within a body: the layers of a garment, groups that ignore
 * themselves, several such bodies in one question, and matrices that change from frame to frame.
 * What a matrix takes away is told by a filter over the pairs that there are without one. */
#include <stdlib.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_cases.h"

static const willow_kernel kernels[] = {WILLOW_KERNEL_SCALAR, WILLOW_KERNEL_AVX2};
enum { KERNELS = sizeof kernels / sizeof kernels[0] };

/* ---- three layers ---- */

enum { SIDE = 9, LAYERS = 3, VERTICES = LAYERS * (SIDE + 1) * (SIDE + 1) };
enum { PER_LAYER = 2 * SIDE * SIDE, TRIS = LAYERS * PER_LAYER };

/* Crumpled sheets on top of each other, in one body; triangles of layer l are in group l + 1. */
typedef struct garment {
    float positions[VERTICES][3];
    uint32_t tris[TRIS][3];
    uint16_t groups[TRIS];
} garment;

static float noise(uint64_t seed, uint64_t key)
{
    return (float)(wi_hash_u64(seed, key) % 1024) / 1024.0F;
}

static void make_garment(garment *g, uint64_t seed)
{
    for (uint32_t i = 0; i < VERTICES; i++) {
        const uint32_t layer = i / (VERTICES / LAYERS), at = i % (VERTICES / LAYERS);
        g->positions[i][0] = (float)(at % (SIDE + 1)) + 1.5F * noise(seed, 3 * i);
        g->positions[i][1] = (float)(at / (SIDE + 1)) + 1.5F * noise(seed, 3 * i + 1);
        g->positions[i][2] = 0.25F * (float)layer + 1.5F * noise(seed, 3 * i + 2);
    }
    for (uint32_t i = 0; i < TRIS; i++) {
        const uint32_t layer = i / PER_LAYER, cell = i % PER_LAYER / 2;
        const uint32_t corner =
            layer * (VERTICES / LAYERS) + cell / SIDE * (SIDE + 1) + cell % SIDE;
        const uint32_t halves[2][3] = {{corner, corner + 1, corner + SIDE + 1},
                                       {corner + 1, corner + SIDE + 2, corner + SIDE + 1}};
        memcpy(g->tris[i], halves[i % 2], sizeof g->tris[i]);
        g->groups[i] = (uint16_t)(layer + 1);
    }
}

static willow_body_def garment_def(const garment *g)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = g->positions,
                                 .vertex_count = VERTICES,
                                 .indices = g->tris,
                                 .triangle_count = TRIS,
                                 .triangle_groups = g->groups};
    def.self = true;
    return def;
}

typedef struct wardrobe {
    willow_world *world;
    willow_scratch *scratch;
} wardrobe;

static void open_wardrobe(wardrobe *w, willow_kernel kernel, uint32_t thread_count)
{
    willow_world_def def = willow_world_def_default();
    def.kernel = kernel;
    def.thread_count = thread_count;
    w->world = fixture_world(&def);
    w->scratch = fixture_scratch(w->world);
}

static void close_wardrobe(wardrobe *w) { fixture_close(w->world, w->scratch); }

static willow_body_id add(wardrobe *w, const willow_body_def *def)
{
    willow_body_id id = fixture_body(w->world, def);
    return id;
}

static void update(wardrobe *w)
{
    char reason[200] = "";
    assert_ok(willow_world_update(w->world, 0.0, NULL));
    if (!willow_world_validate(w->world, reason, sizeof reason)) fail_msg("%s", reason);
}

static willow_pairs find(wardrobe *w, bool use_threads, willow_descend descend)
{
    willow_pairs pairs;
    willow_query_options options = willow_query_options_default();
    options.use_threads = use_threads;
    options.descend = descend;
    assert_ok(willow_find_pairs(w->world, w->scratch, &options, &pairs));
    return pairs;
}

/* How many pairs of each two layers, the lower one first. */
typedef struct layer_counts {
    size_t of[LAYERS + 1][LAYERS + 1];
} layer_counts;

static layer_counts count_layers(const garment *g, const willow_pairs *pairs)
{
    layer_counts counts = {0};
    for (size_t i = 0; i < pairs->count; i++)
        counts.of[g->groups[pairs->items[i].tri_a]][g->groups[pairs->items[i].tri_b]]++;
    return counts;
}

/* Asserts that of the pairs in `all` those are in `got` that the matrix allows. */
static void check_filtered(const garment *g, const uint64_t *masks, const willow_tri_pair *all,
                           size_t all_count, const willow_pairs *got)
{
    size_t next = 0;
    for (size_t i = 0; i < all_count; i++) {
        const uint16_t a = g->groups[all[i].tri_a], b = g->groups[all[i].tri_b];
        if ((masks[a] >> b & 1) == 0) continue;
        assert_true(next < got->count);
        assert_memory_equal(&got->items[next++], &all[i], sizeof all[i]);
    }
    assert_int_equal(next, got->count);
}

/* The pairs of a garment whose groups are all alike, by BRUTE. */
static willow_tri_pair *find_all(const garment *g, size_t *count)
{
    wardrobe w;
    willow_body_def def = garment_def(g);
    def.tree.method = WILLOW_METHOD_BRUTE;
    open_wardrobe(&w, WILLOW_KERNEL_SCALAR, 1);
    (void)add(&w, &def);
    update(&w);
    const willow_pairs pairs = find(&w, false, WILLOW_DESCEND_AUTO);
    willow_tri_pair *all = malloc((pairs.count + 1) * sizeof *all);
    memcpy(all, pairs.items, pairs.count * sizeof *all);
    *count = pairs.count;
    close_wardrobe(&w);
    return all;
}

/* Layers 1 and 2 are sewn together; 3 lies over them. Rows: 0, 1, 2, 3. */
static const uint64_t sewn[LAYERS + 1] = {0, 1U << 1 | 1U << 3, 1U << 2 | 1U << 3,
                                          1U << 1 | 1U << 2 | 1U << 3};

static void layers_that_are_sewn_together_do_not_collide_and_others_do(void **state)
{
    (void)state;
    static garment g;
    size_t all_count;
    make_garment(&g, 1);
    willow_tri_pair *all = find_all(&g, &all_count);
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++)
        for (int k = 0; k < KERNELS; k++) {
            wardrobe w;
            willow_body_def def = garment_def(&g);
            if (!zoo_has_kernel(kernels[k])) continue;
            def.mesh.group_masks = sewn;
            def.mesh.group_count = LAYERS + 1;
            def.tree = zoo_variant_tree(variant, zoo_arities[variant % 3], 1 + 3 * (variant % 4));
            def.tree.build = zoo_build(variant);
            open_wardrobe(&w, kernels[k], 3);
            (void)add(&w, &def);
            update(&w);
            for (int i = 0; i < 4; i++) {
                const willow_pairs pairs =
                    find(&w, i % 2 == 1, i / 2 == 1 ? WILLOW_DESCEND_LARGER : WILLOW_DESCEND_BOTH);
                const layer_counts counts = count_layers(&g, &pairs);
                check_filtered(&g, sewn, all, all_count, &pairs);
                assert_int_equal(counts.of[1][2], 0);
                assert_true(counts.of[1][3] > 0 && counts.of[2][3] > 0);
                assert_true(counts.of[1][1] > 0 && counts.of[3][3] > 0);
            }
            close_wardrobe(&w);
        }
    print_message("%zu pairs without the matrix\n", all_count);
    assert_true(all_count > 500);
    free(all);
}

static void a_group_that_ignores_itself_meets_the_others(void **state)
{
    (void)state;
    static garment g;
    static const uint64_t masks[LAYERS + 1] = {0, 1U << 1 | 1U << 2 | 1U << 3, 1U << 1 | 1U << 3,
                                               1U << 1 | 1U << 2 | 1U << 3};
    size_t all_count;
    make_garment(&g, 2);
    willow_tri_pair *all = find_all(&g, &all_count);
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        wardrobe w;
        willow_body_def def = garment_def(&g);
        def.mesh.group_masks = masks;
        def.mesh.group_count = LAYERS + 1;
        def.tree = zoo_variant_tree(variant, 8, 4);
        open_wardrobe(&w, WILLOW_KERNEL_AUTO, 1);
        (void)add(&w, &def);
        update(&w);
        const willow_pairs pairs = find(&w, false, WILLOW_DESCEND_AUTO);
        const layer_counts counts = count_layers(&g, &pairs);
        check_filtered(&g, masks, all, all_count, &pairs);
        assert_int_equal(counts.of[2][2], 0);
        assert_true(counts.of[1][1] > 0 && counts.of[1][2] > 0 && counts.of[2][3] > 0);
        close_wardrobe(&w);
    }
    free(all);
}

/* ---- what is not searched ---- */

static willow_query_stats stats_with(const garment *g, const uint64_t *masks, size_t *count)
{
    wardrobe w;
    willow_body_def def = garment_def(g);
    def.mesh.group_masks = masks;
    def.mesh.group_count = masks ? LAYERS + 1 : 0;
    def.tree.method = WILLOW_METHOD_BOTTOM_UP;
    def.tree.build = WILLOW_BUILD_CONNECTIVITY; /* layers have subtrees of their own */
    open_wardrobe(&w, WILLOW_KERNEL_AUTO, 1);
    (void)add(&w, &def);
    update(&w);
    *count = find(&w, false, WILLOW_DESCEND_AUTO).count;
    willow_query_stats stats = willow_scratch_stats(w.scratch);
    close_wardrobe(&w);
    return stats;
}

static void subtrees_of_excluded_groups_are_not_opened(void **state)
{
    (void)state;
    static garment g;
    static const uint64_t none[LAYERS + 1] = {0}, all[LAYERS + 1] = {~0U, ~0U, ~0U, ~0U};
    static const uint64_t alone[LAYERS + 1] = {0, 1U << 1, 1U << 2, 1U << 3};
    size_t without, with, found;
    make_garment(&g, 3);
    const willow_query_stats plain = stats_with(&g, NULL, &without);
    const willow_query_stats full = stats_with(&g, all, &with);
    assert_true(without > 0 && with == without);
    assert_memory_equal(&full, &plain, sizeof plain);

    const willow_query_stats nothing = stats_with(&g, none, &found);
    assert_int_equal(found, 0);
    assert_int_equal(nothing.nodes_opened, 1);
    assert_int_equal(nothing.leaf_pairs, 0);

    const willow_query_stats apart = stats_with(&g, alone, &found);
    assert_true(found > 0 && found < without);
    assert_true(apart.leaf_pairs < plain.leaf_pairs);
    assert_true(apart.nodes_opened < plain.nodes_opened);
    assert_true(apart.triangle_tests < plain.triangle_tests);
    print_message("leaf pairs: %llu with all layers, %llu with each alone\n",
                  (unsigned long long)plain.leaf_pairs, (unsigned long long)apart.leaf_pairs);
}

/* ---- several bodies ---- */

/* The matrix of a body says nothing about pairs with others, and nothing about other bodies'
 * groups; runs are in order, self runs among them (C3). */
static void bodies_with_matrices_meet_others_as_before(void **state)
{
    (void)state;
    static const zoo_kind kinds[] = {ZOO_KIND_LAYERS, ZOO_KIND_CRUMPLED, ZOO_KIND_LAYERS,
                                     ZOO_KIND_ROLLED, ZOO_KIND_SOUP,     ZOO_KIND_LAYERS};
    size_t between = 0, within = 0, masked = 0;
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++)
        for (int threads = 0; threads < 2; threads++) {
            zoo_scene scene = {0};
            zoo_world w;
            zoo_answers answers = {0};
            zoo_question question = zoo_question_plain();
            question.use_threads = threads == 1;
            for (uint32_t i = 0; i < ZOO_MAX_BODIES; i++) {
                zoo_scene_add(&scene, kinds[i], 60, 10 * variant + i);
                if (i == 1 || i == 4) zoo_mesh_group(&scene.bodies[i].mesh, variant + i);
                scene.bodies[i].self = i != 3;
                masked += scene.bodies[i].mesh.masks != NULL;
            }
            zoo_setup setup = zoo_setup_with(kernels[0], zoo_variant_tree(variant, 4, 3));
            if (zoo_has_kernel(kernels[1])) setup.world.kernel = kernels[variant % KERNELS];
            for (uint32_t i = 0; i < ZOO_MAX_BODIES; i++)
                setup.trees[i] = zoo_variant_tree((variant + i) % ZOO_VARIANT_COUNT, 8, 2);
            setup.world.thread_count = 3;
            zoo_world_create(&w, &scene, &setup);
            zoo_answers_find(&scene, &question, &answers);
            (void)zoo_world_check(&w, &question, &answers);
            within += answers.self_pairs.count;
            between += answers.pairs.count - answers.self_pairs.count;
            zoo_world_destroy(&w);
            zoo_answers_free(&answers);
            zoo_scene_destroy(&scene);
        }
    print_message("%zu pairs between bodies, %zu within; %zu matrices\n", between, within, masked);
    assert_true(between > 0 && within > 0 && masked > 50);
}

/* ---- from frame to frame ---- */

static void set_masks(wardrobe *w, willow_body_id id, const uint64_t *masks, uint32_t count)
{
    willow_pairs pairs;
    assert_ok(willow_body_set_group_masks(w->world, id, masks, count));
    assert_int_equal(willow_find_pairs(w->world, w->scratch, NULL, &pairs), WILLOW_STALE);
}

static void a_matrix_may_come_change_and_go(void **state)
{
    (void)state;
    static garment g;
    make_garment(&g, 4);
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        if (zoo_variant_grows(variant)) continue; /* it has no sets of groups */
        wardrobe w;
        willow_body_info info;
        willow_body_stats stats;
        willow_update_report report;
        willow_body_def def = garment_def(&g);
        def.tree = zoo_variant_tree(variant, 8, 4);
        open_wardrobe(&w, WILLOW_KERNEL_AUTO, 1);
        const willow_body_id id = add(&w, &def);
        update(&w);
        const uint64_t hash = willow_world_hash(w.world);
        assert_ok(willow_body_get_stats(w.world, id, &stats));
        const size_t bytes = stats.bytes_mesh + stats.bytes_hierarchy;
        const size_t without = find(&w, false, WILLOW_DESCEND_AUTO).count;

        set_masks(&w, id, sewn, LAYERS + 1);
        assert_true(willow_world_hash(w.world) != hash);
        assert_ok(willow_world_update(w.world, 0.0, &report));
        assert_int_equal(report.bodies_updated + report.bodies_moved + report.nodes_updated, 0);
        willow_pairs pairs = find(&w, false, WILLOW_DESCEND_AUTO);
        assert_true(pairs.count > 0 && pairs.count < without);
        assert_int_equal(count_layers(&g, &pairs).of[1][2], 0);
        assert_ok(willow_body_get_info(w.world, id, &info));
        assert_int_equal(info.group_count, LAYERS + 1);
        assert_ok(willow_body_get_stats(w.world, id, &stats));
        assert_int_equal(stats.builds, variant == WILLOW_METHOD_BRUTE ? 0 : 1);
        const size_t rows = (LAYERS + 1) * sizeof *sewn;
        const size_t sets = 16 * ((size_t)stats.node_count + stats.leaf_count);
        assert_int_equal(stats.bytes_mesh + stats.bytes_hierarchy, bytes + rows + sets);

        set_masks(&w, id, (const uint64_t[4]){0}, LAYERS + 1);
        update(&w);
        assert_int_equal(find(&w, false, WILLOW_DESCEND_AUTO).count, 0);

        set_masks(&w, id, NULL, 0);
        assert_true(willow_world_hash(w.world) == hash);
        update(&w);
        assert_int_equal(find(&w, false, WILLOW_DESCEND_AUTO).count, without);
        assert_ok(willow_body_get_info(w.world, id, &info));
        assert_int_equal(info.group_count, 0);
        assert_ok(willow_body_get_stats(w.world, id, &stats));
        assert_int_equal(stats.bytes_mesh + stats.bytes_hierarchy, bytes);
        close_wardrobe(&w);
    }
}

/* One garment in two worlds: of some tree, and of BRUTE. */
typedef struct twins {
    garment g;
    wardrobe worlds[2];
    willow_body_id ids[2];
    uint64_t random;
} twins;

static void open_twins(twins *t, uint32_t variant)
{
    t->random = variant;
    make_garment(&t->g, 5);
    willow_body_def def = garment_def(&t->g);
    def.mesh.group_masks = sewn;
    def.mesh.group_count = LAYERS + 1;
    def.tree = zoo_variant_tree(variant, 4, 4);
    def.tree.build = zoo_build(variant);
    if (variant % 2 == 0) def.tree.rebuild_ratio = 1.0F;
    for (int i = 0; i < 2; i++) {
        open_wardrobe(&t->worlds[i], WILLOW_KERNEL_AUTO, i == 0 ? 2 : 1);
        t->ids[i] = add(&t->worlds[i], &def);
        def.tree.method = WILLOW_METHOD_BRUTE;
    }
}

static void set_random_masks(twins *t)
{
    uint64_t masks[LAYERS + 1] = {0};
    for (uint32_t a = 1; a <= LAYERS; a++)
        for (uint32_t b = a; b <= LAYERS; b++) {
            const uint64_t bit = test_random(&t->random) % 2;
            masks[a] |= bit << b;
            masks[b] |= bit << a;
        }
    for (int i = 0; i < 2; i++) set_masks(&t->worlds[i], t->ids[i], masks, LAYERS + 1);
}

/* All vertices by turns with a few, which are noted one by one. Those of the first layer leave
 * their places for good, so that subtrees decay. */
static void stir(twins *t, uint32_t frame)
{
    const uint32_t count = frame % 2 == 1 ? 3 : VERTICES;
    const uint32_t first = (uint32_t)(test_random(&t->random) % (VERTICES - count + 1));
    for (uint32_t i = first; i < first + count; i++)
        for (int axis = 0; axis < 2 && i < VERTICES / (4 * LAYERS); axis++)
            t->g.positions[i][axis] = (float)test_random_between(&t->random, 0, SIDE);
    for (int i = 0; i < 2; i++)
        assert_ok(willow_body_set_vertices(t->worlds[i].world, t->ids[i], first, count,
                                           t->g.positions + first, 0));
}

static size_t compare(twins *t, uint32_t frame)
{
    for (int i = 0; i < 2; i++) update(&t->worlds[i]);
    const willow_pairs got = find(&t->worlds[0], frame % 2 == 0, WILLOW_DESCEND_AUTO);
    const willow_pairs want = find(&t->worlds[1], false, WILLOW_DESCEND_AUTO);
    assert_int_equal(got.count, want.count);
    assert_true(willow_pairs_hash(&got) == willow_pairs_hash(&want));
    return got.count;
}

/* Vertices move, trees are built again in parts, and the matrix changes before, after or not at
 * all. */
static void trees_that_are_renewed_in_parts_know_their_groups(void **state)
{
    (void)state;
    enum { FRAMES = 26 }; /* decay is looked for in every eighth update */
    static twins t;
    size_t pairs = 0, subtrees = 0;
    for (uint32_t variant = 0; variant < ZOO_VARIANT_COUNT; variant++) {
        willow_body_stats stats;
        open_twins(&t, variant);
        for (uint32_t frame = 0; frame < FRAMES; frame++) {
            if (frame % 5 == 1) set_random_masks(&t);
            stir(&t, frame);
            if (frame % 5 == 3) set_random_masks(&t);
            pairs += compare(&t, frame);
        }
        assert_ok(willow_body_get_stats(t.worlds[0].world, t.ids[0], &stats));
        subtrees += stats.subtree_builds;
        for (int i = 0; i < 2; i++) close_wardrobe(&t.worlds[i]);
    }
    print_message("%zu pairs found, %zu subtrees built again\n", pairs, subtrees);
    assert_true(pairs > 0 && subtrees > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(layers_that_are_sewn_together_do_not_collide_and_others_do),
    cmocka_unit_test(a_group_that_ignores_itself_meets_the_others),
    cmocka_unit_test(subtrees_of_excluded_groups_are_not_opened),
    cmocka_unit_test(bodies_with_matrices_meet_others_as_before),
    cmocka_unit_test(a_matrix_may_come_change_and_go),
    cmocka_unit_test(trees_that_are_renewed_in_parts_know_their_groups),
};

TEST_GROUP(groups, tests);
