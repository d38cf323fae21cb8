/* The CONNECTIVITY builder: what is below a node is a connected patch, or whole pieces of what is
 * below its parent, in every kind of mesh; nodes are full; no mesh makes a tree deep or dear; and a
 * body that unfolds keeps a good tree. What all builders must do is in builders_test.c. */
#include <stdlib.h>
#include "base/kernel.h"
#include "support/fixture.h"
#include "support/odd_mesh.h"
#include "support/pieces.h"
#include "support/test.h"
#include "support/zoo_cases.h"
#include "tree/build/builder.h"

static willow_tree_def def_with(willow_build build, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def def = zoo_tree(WILLOW_METHOD_BOTTOM_UP, arity, leaf_triangles);
    def.build = build;
    return def;
}

static uint32_t log2_above(uint32_t n)
{
    uint32_t bits = 0;
    while (1U << bits < n) bits++;
    return bits;
}

/* ---- what is below a node ---- */

typedef struct survey {
    const wi_tree *h;
    piece_finder finder;
    uint32_t *slots;             /* below the node that is looked at, child after child */
    uint32_t *piece, *sub_piece; /* by slot: in the node, in the child */
    uint32_t *size, *found;      /* by piece of the node: triangles in all, and in the child */
    size_t connected, grouped;   /* children */
} survey;

static void open_survey(survey *v, const tree_site *s)
{
    const size_t room = (size_t)s->mesh.tri_count + 1;
    memset(v, 0, sizeof *v);
    v->h = &s->h;
    piece_finder_open(&v->finder, &s->mesh);
    v->slots = calloc(room, sizeof *v->slots);
    v->piece = calloc(room, sizeof *v->piece);
    v->sub_piece = calloc(room, sizeof *v->sub_piece);
    v->size = calloc(room, sizeof *v->size);
    v->found = calloc(room, sizeof *v->found);
}

static void close_survey(survey *v)
{
    piece_finder_close(&v->finder);
    free(v->slots);
    free(v->piece);
    free(v->sub_piece);
    free(v->size);
    free(v->found);
}

/* Appends the slots below a lane of a node; returns the new count. */
static uint32_t gather(survey *v, uint32_t node, unsigned lane, uint32_t count)
{
    const wi_node *view = &v->h->boxes.nodes[node];
    const uint32_t child = view->child[lane];
    if (view->leaf_mask >> lane & 1) {
        const wi_leaf *leaf = &v->h->shape->leaves[child];
        for (unsigned i = 0; i < leaf->tri_count; i++)
            v->slots[count++] = v->h->shape->slots[leaf->first_tri + i];
        return count;
    }
    for (unsigned i = 0; i < v->h->boxes.nodes[child].count; i++)
        count = gather(v, child, i, count);
    return count;
}

static void count_by_piece(const survey *v, const uint32_t *slots, uint32_t count, uint32_t *out)
{
    memset(out, 0, (size_t)v->h->shape->tri_count * sizeof *out);
    for (uint32_t i = 0; i < count; i++) out[v->piece[slots[i]]]++;
}

/* A child that is not connected has all of each piece that it has anything of. */
static void check_child(survey *v, const uint32_t *slots, uint32_t count, const char *words)
{
    if (find_pieces(&v->finder, slots, count, v->sub_piece) == 1) {
        v->connected++;
        return;
    }
    count_by_piece(v, slots, count, v->found);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t piece = v->piece[slots[i]];
        if (v->found[piece] != v->size[piece]) fail_msg("%s: a patch is torn", words);
    }
    v->grouped++;
}

static void check_node(survey *v, uint32_t node, const char *words)
{
    uint32_t ends[WI_LANES + 1] = {0};
    const unsigned lanes = v->h->boxes.nodes[node].count;
    for (unsigned lane = 0; lane < lanes; lane++)
        ends[lane + 1] = gather(v, node, lane, ends[lane]);
    (void)find_pieces(&v->finder, v->slots, ends[lanes], v->piece);
    count_by_piece(v, v->slots, ends[lanes], v->size);
    for (unsigned lane = 0; lane < lanes; lane++)
        check_child(v, v->slots + ends[lane], ends[lane + 1] - ends[lane], words);
}

typedef struct tally {
    size_t trees, connected, grouped;
} tally;

static void check_patches(const tree_site *s, const char *words, tally *t)
{
    survey v;
    if (s->h.boxes.nodes == NULL) return;
    open_survey(&v, s);
    for (uint32_t node = 0; node < s->h.shape->node_count; node++) check_node(&v, node, words);
    t->trees++;
    t->connected += v.connected;
    t->grouped += v.grouped;
    close_survey(&v);
}

static void check_tree(const tree_site *s, const char *words, tally *t)
{
    const wi_tree *h = &s->h;
    tree_site_check_slots(s);
    if (h->boxes.nodes == NULL) return;
    const char *broken = wi_tree_validate(h);
    if (broken) fail_msg("%s: %s", words, broken);
    assert_true(h->shape->height <= 2 * log2_above(h->shape->tri_count) + 2);
    assert_true(h->shape->node_count < h->shape->leaf_count || h->shape->node_count == 1);
    check_patches(s, words, t);
}

/* ---- every mesh ---- */

static const uint32_t leaf_sizes[] = {1, 2, 7, 16};
enum { LEAF_SIZES = sizeof leaf_sizes / sizeof leaf_sizes[0] };

static void nodes_over_odd_meshes_are_patches_or_whole_pieces(void **state)
{
    (void)state;
    static const uint32_t counts[] = {1, 2, 9, 33, 150, 400};
    tally t = {0};
    for (odd_kind kind = 0; kind < ODD_KIND_COUNT; kind++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (int a = 0; a < ZOO_ARITIES; a++)
                for (int l = 0; l < LEAF_SIZES; l++) {
                    tree_site s;
                    willow_tree_def def =
                        def_with(WILLOW_BUILD_CONNECTIVITY, zoo_arities[a], leaf_sizes[l]);
                    odd_mesh_open(&s, kind, counts[c], (uint64_t)(a + l));
                    tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
                    check_tree(&s, odd_kind_name(kind), &t);
                    tree_site_close(&s);
                }
    print_message("%zu trees, %zu patches, %zu groups of pieces\n", t.trees, t.connected,
                  t.grouped);
    assert_true(t.connected > 10000 && t.grouped > 1000);
}

static void open_zoo_mesh(tree_site *s, const zoo_mesh *mesh)
{
    tree_site_open(s, &(willow_mesh_def){.positions = mesh->positions,
                                         .vertex_count = mesh->vertex_count,
                                         .indices = mesh->tris,
                                         .triangle_count = mesh->triangle_count,
                                         .triangle_groups = mesh->groups,
                                         .weld_exact = mesh->weld});
}

/* Closed, open, folded and thrown about; welded, with groups of 0, with loose vertices. The tree is
 * the same with all kernels, and when it is built again from where its vertices are stored then. */
static void nodes_over_every_kind_of_mesh_are_patches_or_whole_pieces(void **state)
{
    (void)state;
    tally t = {0};
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++)
        for (int a = 0; a < ZOO_ARITIES; a++)
            for (int l = 0; l < LEAF_SIZES; l++) {
                tree_site s, again;
                zoo_mesh mesh;
                willow_tree_def def =
                    def_with(WILLOW_BUILD_CONNECTIVITY, zoo_arities[a], leaf_sizes[l]);
                zoo_mesh_create(&mesh, kind, 250, (uint64_t)l);
                open_zoo_mesh(&s, &mesh);
                open_zoo_mesh(&again, &mesh);
                tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
                check_tree(&s, zoo_kind_name(kind), &t);
                tree_site_build(&again, wi_kernel_choose(WILLOW_KERNEL_AUTO), &def);
                tree_site_check_equal(&s, &again);
                tree_site_build(&again, WILLOW_KERNEL_SCALAR, &def);
                tree_site_check_equal(&s, &again);
                tree_site_close(&s);
                tree_site_close(&again);
                zoo_mesh_destroy(&mesh);
            }
    print_message("%zu trees, %zu patches, %zu groups of pieces\n", t.trees, t.connected,
                  t.grouped);
    assert_true(t.connected > 10000 && t.grouped > 1000);
}

/* The check is worth something: other builders fail it. */
static void median_tears_patches(void **state)
{
    (void)state;
    size_t torn = 0;
    tree_site s;
    survey v;
    willow_tree_def def = def_with(WILLOW_BUILD_MEDIAN, 8, 4);
    odd_mesh_open(&s, ODD_KIND_STRIP, 400, 1);
    tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
    open_survey(&v, &s);
    for (unsigned lane = 0; lane < s.h.boxes.nodes[0].count; lane++) {
        const uint32_t count = gather(&v, 0, lane, 0);
        torn += find_pieces(&v.finder, v.slots, count, v.piece) > 1;
    }
    assert_true(torn > 0);
    close_survey(&v);
    tree_site_close(&s);
}

/* ---- full nodes ---- */

typedef struct tree_counts {
    uint32_t nodes, leaves, height;
} tree_counts;

static tree_counts count_tree(tree_site *s, willow_build build, uint32_t arity)
{
    willow_tree_def def = def_with(build, arity, 8);
    tree_site_build(s, WILLOW_KERNEL_SCALAR, &def);
    return (tree_counts){s->h.shape->node_count, s->h.shape->leaf_count, s->h.shape->height};
}

/* At most so many hundredths more than those of MEDIAN, which are as few as there can be. */
static void check_fullness(tree_site *s, const char *words, uint32_t hundredths)
{
    for (int a = 0; a < ZOO_ARITIES; a++) {
        const tree_counts least = count_tree(s, WILLOW_BUILD_MEDIAN, zoo_arities[a]);
        const tree_counts made = count_tree(s, WILLOW_BUILD_CONNECTIVITY, zoo_arities[a]);
        print_message("%s: %u nodes, %u leaves, height %u; the least are %u, %u, %u\n", words,
                      made.nodes, made.leaves, made.height, least.nodes, least.leaves,
                      least.height);
        assert_true(made.nodes <= least.nodes + least.nodes * hundredths / 100);
        assert_true(made.leaves <= least.leaves + least.leaves * hundredths / 100);
        assert_true(made.height <= least.height + (hundredths > 0));
    }
}

static void nodes_and_leaves_are_as_full_as_those_of_median(void **state)
{
    (void)state;
    static const zoo_kind smooth[] = {ZOO_KIND_GRID, ZOO_KIND_SPHERE, ZOO_KIND_ROLLED};
    static const odd_kind odd[] = {ODD_KIND_FAN, ODD_KIND_PINWHEEL, ODD_KIND_BOOK, ODD_KIND_SOUP};
    tree_site s;
    for (size_t i = 0; i < sizeof smooth / sizeof smooth[0]; i++) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, smooth[i], 5000, 1);
        open_zoo_mesh(&s, &mesh);
        check_fullness(&s, zoo_kind_name(smooth[i]), 1);
        tree_site_close(&s);
        zoo_mesh_destroy(&mesh);
    }
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        odd_mesh_open(&s, odd[i], 5000, 1);
        check_fullness(&s, odd_kind_name(odd[i]), 0);
        tree_site_close(&s);
    }
}

/* ---- large and odd ---- */

typedef struct effort {
    uint64_t parted; /* triangles of all ranges that were parted, which is what building costs */
    uint32_t depth;
} effort;

static void begin_parting(tree_site *s, wi_builder *b, const willow_tree_def *def)
{
    s->h.def = *def;
    *b = (wi_builder){.memory = &s->memory,
                      .kernel = WILLOW_KERNEL_SCALAR,
                      .mesh = &s->mesh,
                      .tree = &s->h,
                      .ops = &wi_connectivity_ops};
    const size_t size = b->ops->work_size(&s->mesh, s->mesh.tri_count);
    assert_true(wi_workspace_reserve(&s->memory, &s->workspace, size));
    b->ops->begin(b, &s->workspace, s->mesh.tri_count);
    assert_true(s->workspace.used == size);
}

/* Parts everything, as build.c does, without making a tree. */
static effort part_all(tree_site *s, const willow_tree_def *def)
{
    wi_builder b;
    wi_range *stack = calloc(s->mesh.tri_count, sizeof *stack);
    uint32_t waiting = 1;
    effort e = {0};
    begin_parting(s, &b, def);
    stack[0] = (wi_range){.count = s->mesh.tri_count, .depth = 1};
    while (waiting > 0) {
        const wi_range whole = stack[--waiting];
        wi_range parts[WI_LANES];
        uint32_t sum = 0;
        const unsigned count = b.ops->part(&b, &whole, parts);
        assert_true(count >= 2 && count <= def->arity);
        e.parted += whole.count;
        e.depth = whole.depth > e.depth ? whole.depth : e.depth;
        for (unsigned i = 0; i < count; i++) {
            assert_true(parts[i].count > 0 && parts[i].first == whole.first + sum);
            sum += parts[i].count;
            parts[i].depth = whole.depth + 1;
            if (parts[i].count > def->leaf_triangles) stack[waiting++] = parts[i];
        }
        assert_int_equal(sum, whole.count);
    }
    free(stack);
    return e;
}

/* Every cut is linear (patch_test.c), so this bounds the whole build by n log n. */
static void no_mesh_makes_building_deep_or_dear(void **state)
{
    (void)state;
    enum { TRIS = 100000 };
    for (odd_kind kind = 0; kind < ODD_KIND_COUNT; kind++)
        for (int a = 0; a < 2; a++) {
            tree_site s;
            willow_tree_def def =
                def_with(WILLOW_BUILD_CONNECTIVITY, a == 0 ? 2 : 8, a == 0 ? 1 : 16);
            const uint32_t levels = log2_above(TRIS);
            odd_mesh_open(&s, kind, TRIS, (uint64_t)a);
            const effort e = part_all(&s, &def);
            print_message("%s, arity %u: depth %u, every triangle parted %.1f times\n",
                          odd_kind_name(kind), def.arity, e.depth, (double)e.parted / TRIS);
            assert_true(e.depth <= 2 * levels);
            assert_true(e.parted <= (uint64_t)TRIS * levels * 3 / 2);
            tree_site_close(&s);
        }
}

/* ---- what it is for ---- */

enum { LAYERS = 16, PER_LAYER = 10, ACROSS = 10, LENGTH = LAYERS * PER_LAYER };
enum { CLOTH_VERTICES = (LENGTH + 1) * (ACROSS + 1), CLOTH_TRIS = 2 * LENGTH * ACROSS };

typedef struct cloth {
    float folded[CLOTH_VERTICES][3], flat[CLOTH_VERTICES][3];
    uint32_t tris[CLOTH_TRIS][3];
} cloth;

/* In layers close to each other, there and back again; or laid out. */
static void place_cloth(cloth *c, uint32_t vertex)
{
    const uint32_t row = vertex / (ACROSS + 1), layer = row / PER_LAYER, within = row % PER_LAYER;
    const float y = (float)(vertex % (ACROSS + 1)) / ACROSS;
    const uint32_t column = layer % 2 == 0 ? within : PER_LAYER - within;
    const float folded[3] = {(float)column / PER_LAYER, y, 0.01F * (float)row / PER_LAYER};
    const float flat[3] = {(float)row / PER_LAYER, y, 0.0F};
    memcpy(c->folded[vertex], folded, sizeof folded);
    memcpy(c->flat[vertex], flat, sizeof flat);
}

static void make_cloth(cloth *c)
{
    for (uint32_t vertex = 0; vertex < CLOTH_VERTICES; vertex++) place_cloth(c, vertex);
    for (uint32_t tri = 0; tri < CLOTH_TRIS; tri++) {
        const uint32_t cell = tri / 2, corner = cell / ACROSS * (ACROSS + 1) + cell % ACROSS;
        const uint32_t far = corner + ACROSS + 1;
        const uint32_t halves[2][3] = {{corner, corner + 1, far}, {corner + 1, far + 1, far}};
        memcpy(c->tris[tri], halves[tri % 2], sizeof c->tris[tri]);
    }
}

/* The cost of a tree that was built over the folded cloth, once it is laid out. */
static double cost_unfolded(const cloth *c, willow_build build)
{
    willow_body_def def = willow_body_def_default();
    willow_body_stats stats;
    def.mesh.positions = c->folded;
    def.mesh.vertex_count = CLOTH_VERTICES;
    def.mesh.indices = c->tris;
    def.mesh.triangle_count = CLOTH_TRIS;
    def.tree = def_with(build, 8, 8);
    willow_world *world = fixture_world(NULL);
    willow_body_id body = fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0.0, NULL));
    assert_ok(willow_body_set_vertices(world, body, 0, CLOTH_VERTICES, c->flat, 0));
    assert_ok(willow_world_update(world, 1.0, NULL));
    assert_ok(willow_body_get_stats(world, body, &stats));
    willow_world_destroy(world);
    return stats.cost;
}

static void a_cloth_that_unfolds_keeps_a_good_tree(void **state)
{
    (void)state;
    cloth *c = calloc(1, sizeof *c);
    make_cloth(c);
    const double kept = cost_unfolded(c, WILLOW_BUILD_CONNECTIVITY);
    for (willow_build build = WILLOW_BUILD_MIDPOINT; build < WILLOW_BUILD_COUNT; build++) {
        const double cost = cost_unfolded(c, build);
        print_message("%s: %g\n", willow_build_name(build), cost);
        if (build != WILLOW_BUILD_CONNECTIVITY) assert_true(cost > 2 * kept);
    }
    free(c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nodes_over_odd_meshes_are_patches_or_whole_pieces),
    cmocka_unit_test(nodes_over_every_kind_of_mesh_are_patches_or_whole_pieces),
    cmocka_unit_test(median_tears_patches),
    cmocka_unit_test(nodes_and_leaves_are_as_full_as_those_of_median),
    cmocka_unit_test(no_mesh_makes_building_deep_or_dear),
    cmocka_unit_test(a_cloth_that_unfolds_keeps_a_good_tree),
};

TEST_GROUP(connectivity, tests);
