/* The MEDIAN builder: no input makes it deep, uneven or wrong, with any arity and leaf size, and
 * all kernels build the same tree. */
#include <math.h>
#include <stdlib.h>
#include "base/kernel.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/tree_site.h"
#include "support/zoo_cases.h"

/* ---- triangles that are hard to part ---- */

typedef void shape(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3]);

static float between(uint64_t *random, double low, double high)
{
    return (float)test_random_between(random, low, high);
}

static void tri_at(float x, float y, float z, float size, float out[3][3])
{
    const float corners[3][3] = {{x, y, z}, {x + size, y, z}, {x, y + size, z}};
    memcpy(out, corners, sizeof corners);
}

static void random_tris(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)tri;
    (void)count;
    tri_at(between(random, -1, 1), between(random, -1, 1), between(random, -1, 1), 0.1F, out);
}

static void equal_tris(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)tri;
    (void)count;
    (void)random;
    tri_at(1.0F, 2.0F, 3.0F, 0.5F, out);
}

/* Of other sizes, around one point. */
static void equal_centres(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)count;
    (void)random;
    float size = (float)(tri + 1);
    const float corners[3][3] = {{-size, -size, -size}, {size, size, size}, {size, -size, size}};
    memcpy(out, corners, sizeof corners);
}

static void all_points(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)random;
    tri_at((float)tri / (float)count, 0.0F, 0.0F, 0.0F, out);
}

static void far_outlier(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    random_tris(tri, count, random, out);
    if (tri == count / 3) tri_at(1e30F, -1e30F, 1e30F, 1e29F, out);
}

/* Ever closer to 0: all bins but one stay empty, again and again. */
static void halves(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)random;
    (void)count;
    tri_at(ldexpf(1.0F, -(int)(tri % 140)), 0.0F, 0.0F, 0.0F, out);
}

static void huge_tris(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)tri;
    (void)count;
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = between(random, -3.4e38, 3.4e38);
}

static void denormal_tris(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)tri;
    (void)count;
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = (float)(test_random(random) % 100) * 0x1p-149F;
}

static void collinear_tris(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)tri;
    (void)count;
    for (int i = 0; i < 3; i++) {
        float at = between(random, -1, 1);
        out[i][0] = out[i][1] = out[i][2] = at;
    }
}

static void two_heaps(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)count;
    (void)random;
    tri_at(tri % 5 == 0 ? 100.0F : -100.0F, 0.0F, 0.0F, 1.0F, out);
}

/* Zeros of either sign are one place. */
static void signed_zeros(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)count;
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = test_random(random) % 2 == 0 ? 0.0F : -0.0F;
    if (tri % 7 == 0) out[0][0] = 0x1p-149F;
}

/* Every 128th group of eight is where the others are not: a sample sees nothing of it. */
static void hidden_from_samples(uint32_t tri, uint32_t count, uint64_t *random, float out[3][3])
{
    (void)count;
    bool is_sampled = tri / 8 % 16 == 0;
    tri_at(is_sampled ? between(random, 0, 1e-6) : between(random, -1000, 1000), 0.0F, 0.0F, 0.0F,
           out);
}

static const struct {
    const char *name;
    shape *make;
} shapes[] = {
    {"random", random_tris},
    {"all equal", equal_tris},
    {"equal centres", equal_centres},
    {"points in a row", all_points},
    {"one far out", far_outlier},
    {"ever closer", halves},
    {"1e38", huge_tris},
    {"denormals", denormal_tris},
    {"collinear", collinear_tris},
    {"two heaps", two_heaps},
    {"signed zeros", signed_zeros},
    {"hidden from samples", hidden_from_samples},
};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- building ---- */

/* Every third triangle is ignored if `groups`. */
static void open_site(tree_site *s, shape *make, uint32_t count, bool groups)
{
    uint64_t random = count;
    float(*positions)[3] = calloc(3 * (size_t)count + 1, sizeof *positions);
    for (uint32_t tri = 0; tri < count; tri++)
        make(tri, count, &random, positions + 3 * (size_t)tri);
    tree_site_open_tris(s, (const float(*)[3])positions, count, groups);
    free(positions);
}

static void build(tree_site *s, willow_kernel kernel, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def def = zoo_tree(WILLOW_METHOD_BOTTOM_UP, arity, leaf_triangles);
    def.build = WILLOW_BUILD_MEDIAN;
    tree_site_build(s, kernel, &def);
}

/* ---- what a tree must be ---- */

/* A node over so many leaves splits them into full parts and a rest. */
static uint32_t nodes_over(uint32_t leaves, uint32_t arity)
{
    uint32_t part = 1, nodes = 1;
    while (part * arity < leaves) part *= arity;
    for (; leaves > 0; leaves -= part < leaves ? part : leaves) {
        uint32_t below = part < leaves ? part : leaves;
        if (below > 1) nodes += nodes_over(below, arity);
    }
    return nodes;
}

static uint32_t height_over(uint32_t leaves, uint32_t arity)
{
    uint32_t height = 1;
    for (uint64_t reach = arity; reach < leaves; reach *= arity) height++;
    return height;
}

static void check_tree(const tree_site *s, uint32_t arity, uint32_t leaf_triangles)
{
    const wi_tree *h = &s->h;
    uint32_t tris = h->shape->tri_count, leaves = (tris + leaf_triangles - 1) / leaf_triangles;
    tree_site_check_slots(s);
    if (tris == 0) {
        assert_null(h->boxes.nodes);
        return;
    }
    assert_null(wi_tree_validate(h));
    assert_int_equal(h->shape->leaf_count, leaves);
    assert_int_equal(h->shape->node_count, nodes_over(leaves, arity));
    assert_int_equal(h->shape->height, height_over(leaves, arity));
    uint32_t unfilled = 0;
    for (uint32_t i = 0; i < h->shape->leaf_count; i++)
        unfilled += h->shape->leaves[i].tri_count != leaf_triangles;
    assert_true(unfilled <= 1);
    assert_true(isfinite(wi_tree_cost(h)) && wi_tree_cost(h) >= 0.0);
}

/* Builds with all kernels, checks, compares; returns the number of trees. */
static size_t check_shape(shape *make, uint32_t count, bool groups, uint32_t arity,
                          uint32_t leaf_triangles)
{
    tree_site scalar, wide;
    open_site(&scalar, make, count, groups);
    build(&scalar, WILLOW_KERNEL_SCALAR, arity, leaf_triangles);
    check_tree(&scalar, arity, leaf_triangles);
    if (zoo_has_kernel(WILLOW_KERNEL_AVX2)) {
        open_site(&wide, make, count, groups);
        build(&wide, WILLOW_KERNEL_AVX2, arity, leaf_triangles);
        check_tree(&wide, arity, leaf_triangles);
        tree_site_check_equal(&scalar, &wide);
        tree_site_close(&wide);
    }
    tree_site_close(&scalar);
    return 1;
}

/* ---- tests ---- */

static void no_input_makes_a_tree_deep_or_uneven(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 3, 7, 8, 9, 33, 64, 65, 300};
    size_t trees = 0;
    for (int i = 0; i < SHAPES; i++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            for (int a = 0; a < ZOO_ARITIES; a++)
                for (int l = 0; l < ZOO_LEAF_SIZES; l++)
                    trees += check_shape(shapes[i].make, counts[c], c % 2 == 1, zoo_arities[a],
                                         zoo_leaf_sizes[l]);
    print_message("%zu trees\n", trees);
}

static void no_input_degrades_large_trees(void **state)
{
    (void)state;
    static const uint32_t counts[] = {4096, 4100, 20000};
    size_t trees = 0;
    for (int i = 0; i < SHAPES; i++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            trees += check_shape(shapes[i].make, counts[c], false, 8, 16);
    print_message("%zu trees\n", trees);
}

/* Triangles in a row along an axis, not overlapping, numbered in any order. */
static void open_row(tree_site *s, uint32_t count, int axis)
{
    float(*row)[3] = calloc(3 * (size_t)count, sizeof *row);
    uint32_t *indices = calloc(3 * (size_t)count, sizeof *indices);
    uint32_t *order = calloc(count, sizeof *order);
    uint64_t random = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = (uint32_t)(test_random(&random) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    for (uint32_t i = 0; i < 3 * count; i++) {
        uint32_t at = order[i / 3];
        indices[i] = 3 * at + i % 3;
        row[indices[i]][axis] = (float)at + (i % 3 == 1 ? 0.5F : 0.0F);
        row[indices[i]][(axis + 1) % 3] = i % 3 == 2 ? 0.5F : 0.0F;
    }
    tree_site_open(s, &FIXTURE_MESH(row, 3 * count, indices, count));
    free(row);
    free(indices);
    free(order);
}

/* If parts are those with the lowest centres, leaves do not overlap and their lengths add up. */
static void check_row(uint32_t count, int axis, willow_kernel kernel)
{
    tree_site s;
    double length = 0.0;
    if (!zoo_has_kernel(kernel)) return;
    open_row(&s, count, axis);
    build(&s, kernel, 8, 8);
    for (uint32_t i = 0; i < s.h.shape->leaf_count; i++) {
        wi_box box = wi_leaf_box(&s.h, &s.h.shape->leaves[i]);
        length += (double)box.upper[axis] - (double)box.lower[axis] + 0.5;
    }
    assert_true(length == (double)count);
    tree_site_close(&s);
}

static void parts_are_the_lowest_along_the_longest_axis(void **state)
{
    (void)state;
    static const uint32_t counts[] = {10, 100, 1000, 5000, 30000};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
        for (int axis = 0; axis < 3; axis++) {
            check_row(counts[c], axis, WILLOW_KERNEL_SCALAR);
            check_row(counts[c], axis, WILLOW_KERNEL_AVX2);
        }
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

static void check_zoo_mesh(const zoo_mesh *mesh, uint32_t arity, uint32_t leaf_triangles)
{
    tree_site sites[2];
    for (int k = 0; k < 2; k++) {
        willow_kernel kernel = wi_kernel_choose(k == 0 ? WILLOW_KERNEL_SCALAR : WILLOW_KERNEL_AUTO);
        open_zoo_mesh(&sites[k], mesh);
        build(&sites[k], kernel, arity, leaf_triangles);
        check_tree(&sites[k], arity, leaf_triangles);
    }
    tree_site_check_equal(&sites[0], &sites[1]);
    tree_site_close(&sites[0]);
    tree_site_close(&sites[1]);
}

/* Meshes that share vertices, have loose ones and merged ones. */
static void every_kind_of_mesh_becomes_a_sound_tree(void **state)
{
    (void)state;
    size_t trees = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
        zoo_mesh mesh;
        zoo_mesh_create(&mesh, kind, 200, 1);
        for (int a = 0; a < ZOO_ARITIES; a++)
            for (int l = 0; l < ZOO_LEAF_SIZES; l++, trees++)
                check_zoo_mesh(&mesh, zoo_arities[a], zoo_leaf_sizes[l]);
        zoo_mesh_destroy(&mesh);
    }
    print_message("%zu trees\n", trees);
}

static void building_again_gives_the_same_tree(void **state)
{
    (void)state;
    tree_site once, twice;
    open_site(&once, random_tris, 5000, false);
    open_site(&twice, random_tris, 5000, false);
    build(&once, WILLOW_KERNEL_SCALAR, 8, 8);
    build(&twice, WILLOW_KERNEL_SCALAR, 2, 3);
    build(&twice, WILLOW_KERNEL_SCALAR, 8, 8);
    tree_site_check_equal(&once, &twice);
    tree_site_close(&once);
    tree_site_close(&twice);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_input_makes_a_tree_deep_or_uneven),
    cmocka_unit_test(no_input_degrades_large_trees),
    cmocka_unit_test(parts_are_the_lowest_along_the_longest_axis),
    cmocka_unit_test(every_kind_of_mesh_becomes_a_sound_tree),
    cmocka_unit_test(building_again_gives_the_same_tree),
};

TEST_GROUP(build_median, tests);
