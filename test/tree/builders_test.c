/* All builders: no input makes a tree unsound, too deep or too large; all kernels build the same
 * one, and so does building again; MIDPOINT and MEAN follow the rule of their paper, and SAH is
 * worth its name. What is special about MEDIAN is in build_median_test.c. */
#include <math.h>
#include <stdlib.h>
#include "support/kept.h"
#include "support/test.h"
#include "support/tree_site.h"
#include "support/zoo_cases.h"
#include "tree/build/split_boxes.h"

/* ---- triangles that are hard to part ---- */

typedef void shape(uint32_t tri, uint64_t *random, float out[3][3]);

static float between(uint64_t *random, double low, double high)
{
    return (float)test_random_between(random, low, high);
}

static void tri_at(float x, float y, float z, float size, float out[3][3])
{
    const float corners[3][3] = {{x, y, z}, {x + size, y, z}, {x, y + size, z}};
    memcpy(out, corners, sizeof corners);
}

/* Numbers are drawn one by one: the order of arguments is the compiler's. */
static void tri_around(uint64_t *random, double low_x, double high_x, float out[3][3])
{
    float x = between(random, low_x, high_x), y = between(random, -1, 1),
          z = between(random, -1, 1);
    tri_at(x, y, z, 0.1F, out);
}

static void random_tris(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)tri;
    tri_around(random, -1, 1, out);
}

static void equal_tris(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)tri;
    (void)random;
    tri_at(1.0F, 2.0F, 3.0F, 0.5F, out);
}

/* Of other sizes, around one point. */
static void equal_centres(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)random;
    float size = (float)(tri + 1);
    const float corners[3][3] = {{-size, -size, -size}, {size, size, size}, {size, -size, size}};
    memcpy(out, corners, sizeof corners);
}

/* Ever closer to 0: a plane through the middle parts one from all the others. */
static void halving_tris(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)random;
    tri_at(ldexpf(1.0F, 126 - (int)(tri % 270)), 0.0F, 0.0F, 0.0F, out);
}

/* The same along three axes in turn, for planes that leave several octaves behind at once. */
static void halving_on_axes(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)random;
    float at[3] = {0.0F, 0.0F, 0.0F};
    at[tri % 3] = ldexpf(1.0F, 126 - (int)(tri / 3 % 250));
    tri_at(at[0], at[1], at[2], 0.0F, out);
}

static void huge_tris(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)tri;
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = between(random, -3.4e38, 3.4e38);
}

static void denormal_tris(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)tri;
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = (float)(test_random(random) % 100) * 0x1p-149F;
}

static void far_outlier(uint32_t tri, uint64_t *random, float out[3][3])
{
    random_tris(tri, random, out);
    if (tri == 5) tri_at(1e30F, -1e30F, 1e30F, 1e29F, out);
}

static void two_heaps(uint32_t tri, uint64_t *random, float out[3][3])
{
    (void)random;
    tri_at(tri % 5 == 0 ? 100.0F : -100.0F, 0.0F, 0.0F, 1.0F, out);
}

/* A heap, and a tail that is long and thin. */
static void comet_tris(uint32_t tri, uint64_t *random, float out[3][3])
{
    random_tris(tri, random, out);
    if (tri % 8 == 0) tri_around(random, 1, 1000, out);
}

static void signed_zeros(uint32_t tri, uint64_t *random, float out[3][3])
{
    for (int i = 0; i < 9; i++) out[i / 3][i % 3] = test_random(random) % 2 == 0 ? 0.0F : -0.0F;
    if (tri % 7 == 0) out[0][0] = 0x1p-149F;
}

static shape *const shapes[] = {random_tris, equal_tris,    equal_centres,  halving_tris,
                                huge_tris,   denormal_tris, far_outlier,    two_heaps,
                                comet_tris,  signed_zeros,  halving_on_axes};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- building ---- */

static void open_shape(tree_site *s, shape *make, uint32_t count, bool groups)
{
    uint64_t random = count;
    float(*positions)[3] = calloc(3 * (size_t)count + 1, sizeof *positions);
    for (uint32_t tri = 0; tri < count; tri++) make(tri, &random, positions + 3 * (size_t)tri);
    tree_site_open_tris(s, (const float(*)[3])positions, count, groups);
    free(positions);
}

static willow_tree_def def_with(willow_build build, uint32_t arity, uint32_t leaf_triangles)
{
    willow_tree_def def = zoo_tree(WILLOW_METHOD_BOTTOM_UP, arity, leaf_triangles);
    def.build = build;
    return def;
}

/* ---- what a tree must be ---- */

static uint32_t log2_above(uint32_t n)
{
    uint32_t bits = 0;
    while (1U << bits < n) bits++;
    return bits;
}

static void check_tree(const tree_site *s)
{
    const wi_tree *h = &s->h;
    tree_site_check_slots(s);
    if (h->shape->tri_count == 0) {
        assert_null(h->boxes.nodes);
        return;
    }
    const char *broken = wi_tree_validate(h);
    if (broken) fail_msg("%s", broken);
    assert_true(h->shape->leaf_count <= h->shape->tri_count);
    assert_true(h->shape->node_count < h->shape->leaf_count ||
                h->shape->node_count == 1); /* no node with one child */
    assert_true(h->shape->height <= WI_DEEP + 2 * log2_above(h->shape->tri_count) + 1);
    assert_true(isfinite(wi_tree_cost(h)) && wi_tree_cost(h) >= 0.0);

    /* What the tree says that it weighs is what it holds, and most of it is in use. */
    assert_int_equal(wi_mesh_bytes(&s->mesh) + kept_tree_bytes(h) + s->workspace.size,
                     atomic_load(&s->allocator.bytes));
    assert_true(h->boxes.node_room <= 4 * h->shape->node_count + 64);
    assert_true(h->shape->leaf_room <= 4 * h->shape->leaf_count + 64);
}

/* Fresh with one kernel; with the other one over a tree of another builder, whose blocks it gets.
 */
static void check_shape(shape *make, uint32_t count, bool groups, const willow_tree_def *def)
{
    tree_site fresh, again;
    willow_tree_def other = def_with(1 + def->build % (WILLOW_BUILD_COUNT - 1), 2, 3);
    open_shape(&fresh, make, count, groups);
    open_shape(&again, make, count, groups);
    tree_site_build(&fresh, WILLOW_KERNEL_SCALAR, def);
    check_tree(&fresh);
    tree_site_build(&again, wi_kernel_choose(WILLOW_KERNEL_AUTO), def);
    tree_site_check_equal(&fresh, &again);
    tree_site_build(&again, WILLOW_KERNEL_SCALAR, &other);
    check_tree(&again);
    tree_site_build(&again, wi_kernel_choose(WILLOW_KERNEL_AUTO), def);
    check_tree(&again);
    assert_int_equal(again.h.shape->node_count, fresh.h.shape->node_count);

    /* Twice in a row from the same places, the same tree. */
    tree_site_build(&again, WILLOW_KERNEL_SCALAR, def);
    tree_site_check_equal(&fresh, &again);
    tree_site_close(&fresh);
    tree_site_close(&again);
}

static void no_input_makes_a_tree_unsound(void **state)
{
    (void)state;
    static const uint32_t counts[] = {0, 1, 2, 9, 65, 300};
    static const uint32_t leaf_sizes[] = {1, 2, 7, 16, 32};
    size_t trees = 0;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++)
        for (int i = 0; i < SHAPES; i++)
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
                for (int a = 0; a < ZOO_ARITIES; a++)
                    for (int l = 0; l < 5; l++, trees++) {
                        willow_tree_def def = def_with(b, zoo_arities[a], leaf_sizes[l]);
                        check_shape(shapes[i], counts[c], c % 2 == 1, &def);
                    }
    print_message("%zu trees\n", trees);
}

static void no_input_makes_a_large_tree_unsound(void **state)
{
    (void)state;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++)
        for (int i = 0; i < SHAPES; i++) {
            willow_tree_def def = def_with(b, 8, 8);
            check_shape(shapes[i], 5000, i % 2 == 1, &def);
        }
}

/* Without the guard the tree of such a row is as high as the row is long. */
static void rows_that_halve_do_not_make_a_deep_tree(void **state)
{
    (void)state;
    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++) {
        tree_site s;
        willow_tree_def def = def_with(b, 2, 1);
        for (int i = 0; i < 2; i++) {
            uint32_t count = i == 0 ? 270 : 750;
            open_shape(&s, i == 0 ? halving_tris : halving_on_axes, count, false);
            tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
            check_tree(&s);
            print_message("%s: height %u\n", willow_build_name(b), s.h.shape->height);
            assert_true(s.h.shape->height <= WI_DEEP + log2_above(count));
            if (b == WILLOW_BUILD_MIDPOINT)
                assert_true(s.h.shape->height > WI_DEEP); /* it was needed */
            tree_site_close(&s);
        }
    }
}

static void every_kind_of_mesh_becomes_a_sound_tree(void **state)
{
    (void)state;
    size_t nodes = 0;
    for (zoo_kind kind = 0; kind < ZOO_KIND_COUNT; kind++) {
        zoo_scene scene = {0};
        zoo_scene_add(&scene, kind, 200, 1);
        for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++)
            for (int m = 0; m < 2; m++) {
                willow_tree_def def =
                    def_with(b, zoo_arities[((uint32_t)kind + (uint32_t)b) % 3], 1 + kind % 9);
                willow_body_stats stats;
                zoo_world w;
                def.method = m == 0 ? WILLOW_METHOD_REBUILD : WILLOW_METHOD_BOTTOM_UP;
                zoo_setup setup = zoo_setup_with(WILLOW_KERNEL_AUTO, def);
                zoo_scene_move_all(&scene, 0);
                zoo_world_create(&w, &scene, &setup);
                for (uint32_t frame = 1; frame < 4; frame++) {
                    zoo_scene_move_all(&scene, frame);
                    zoo_world_follow(&w, frame);
                    assert_true(willow_world_validate(w.world, NULL, 0));
                }
                assert_ok(willow_body_get_stats(w.world, w.bodies[0].id, &stats));
                assert_true(stats.leaf_count == 0 || stats.node_count < stats.leaf_count ||
                            stats.node_count == 1);
                nodes += stats.node_count;
                zoo_world_destroy(&w);
            }
        zoo_scene_destroy(&scene);
    }
    print_message("%zu nodes\n", nodes);
    assert_true(nodes > 500);
}

/* ---- the rule of the paper ---- */

/* Triangles that are points, where `at` says. */
static void open_points(tree_site *s, const float (*at)[3], uint32_t count)
{
    float(*positions)[3] = calloc(3 * (size_t)count, sizeof *positions);
    for (uint32_t i = 0; i < 3 * count; i++) memcpy(positions[i], at[i / 3], sizeof positions[i]);
    tree_site_open_tris(s, (const float(*)[3])positions, count, false);
    free(positions);
}

/* Marks in `mask` the triangles below a lane of a node. */
static uint64_t mask_below(const wi_tree *h, uint32_t node, unsigned lane)
{
    const wi_node *view = &h->boxes.nodes[node];
    uint64_t mask = 0;
    if (view->leaf_mask >> lane & 1) {
        const wi_leaf *leaf = &h->shape->leaves[view->child[lane]];
        for (unsigned i = 0; i < leaf->tri_count; i++)
            mask |= UINT64_C(1) << h->shape->slots[leaf->first_tri + i];
        return mask;
    }
    uint32_t child = view->child[lane];
    for (unsigned i = 0; i < h->boxes.nodes[child].count; i++) mask |= mask_below(h, child, i);
    return mask;
}

/* The children of the root hold exactly these triangles, in this order. */
static void expect_parts(const float (*at)[3], uint32_t count, const willow_tree_def *def,
                         const uint64_t *masks, unsigned parts)
{
    tree_site s;
    open_points(&s, at, count);
    tree_site_build(&s, WILLOW_KERNEL_SCALAR, def);
    assert_int_equal(s.h.boxes.nodes[0].count, parts);
    for (unsigned i = 0; i < parts; i++)
        if (mask_below(&s.h, 0, i) != masks[i])
            fail_msg("part %u is %llx, and %llx is expected", i,
                     (unsigned long long)mask_below(&s.h, 0, i), (unsigned long long)masks[i]);
    tree_site_close(&s);
}

/* Corners of a box with these sides; bit k of a corner's number is its side on axis k. */
static void make_corners(const float sides[3], float out[8][3])
{
    for (int i = 0; i < 8; i++)
        for (int axis = 0; axis < 3; axis++)
            out[i][axis] = (i >> axis & 1 ? 0.5F : -0.5F) * sides[axis] + 3.0F;
}

static void eight_heaps_become_eight_children_and_empty_ones_are_dropped(void **state)
{
    (void)state;
    static const willow_build builds[] = {WILLOW_BUILD_MIDPOINT, WILLOW_BUILD_MEAN};
    const float sides[3] = {4, 2, 1};
    for (int b = 0; b < 2; b++) {
        float corners[8][3];
        /* Planes across the longest side first, so it is the slowest to change. */
        const uint64_t all[8] = {1 << 0, 1 << 4, 1 << 2, 1 << 6, 1 << 1, 1 << 5, 1 << 3, 1 << 7};
        willow_tree_def def = def_with(builds[b], 8, 1);
        make_corners(sides, corners);
        expect_parts((const float(*)[3])corners, 8, &def, all, 8);

        /* Without heaps 2 and 7, which would be at (-, +, -) and (+, +, +). */
        const uint64_t six[6] = {1 << 0, 1 << 3, 1 << 5, 1 << 1, 1 << 4, 1 << 2};
        float fewer[6][3];
        memcpy(fewer[0], corners[0], 2 * sizeof corners[0]);
        memcpy(fewer[2], corners[3], 4 * sizeof corners[0]);
        expect_parts((const float(*)[3])fewer, 6, &def, six, 6);

        /* What fits a leaf is not parted further. */
        const uint64_t halves[2] = {0x55, 0xAA};
        def.leaf_triangles = 4;
        expect_parts((const float(*)[3])corners, 8, &def, halves, 2);
    }
}

static void four_children_part_the_two_longest_sides_and_two_the_longest(void **state)
{
    (void)state;
    static const willow_build builds[] = {WILLOW_BUILD_MIDPOINT, WILLOW_BUILD_MEAN};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 12; i++) {
        const int *order = orders[i / 2];
        float sides[3], corners[8][3];
        sides[order[0]] = 4;
        sides[order[1]] = 2;
        sides[order[2]] = 1;
        make_corners(sides, corners);
        uint64_t four[4] = {0}, two[2] = {0};
        for (int k = 0; k < 8; k++) {
            int longest = k >> order[0] & 1, second = k >> order[1] & 1;
            four[2 * longest + second] |= UINT64_C(1) << k;
            two[longest] |= UINT64_C(1) << k;
        }
        willow_tree_def def = def_with(builds[i % 2], 4, 1);
        expect_parts((const float(*)[3])corners, 8, &def, four, 4);
        def.arity = 2;
        expect_parts((const float(*)[3])corners, 8, &def, two, 2);
    }
}

static void midpoint_parts_at_the_middle_and_mean_at_the_mean(void **state)
{
    (void)state;
    /* The middle is at 5, the mean at 6.2. */
    static const float row[5][3] = {{0, 0, 0}, {6, 0, 0}, {7, 0, 0}, {8, 0, 0}, {10, 0, 0}};
    const uint64_t at_middle[2] = {0x01, 0x1E}, at_mean[2] = {0x03, 0x1C};
    willow_tree_def def = def_with(WILLOW_BUILD_MIDPOINT, 2, 1);
    expect_parts(row, 5, &def, at_middle, 2);
    def.build = WILLOW_BUILD_MEAN;
    expect_parts(row, 5, &def, at_mean, 2);
}

static void what_a_plane_does_not_part_is_halved(void **state)
{
    (void)state;
    /* The centre of the box is at 5, and so are all midpoints, or above. */
    const float spans[4][2] = {{0, 10}, {6, 7}, {7, 8}, {8, 9}};
    float positions[12][3] = {{0}};
    tree_site s;
    for (int i = 0; i < 4; i++) {
        positions[3 * i][0] = spans[i][0];
        positions[3 * i + 1][0] = positions[3 * i + 2][0] = spans[i][1];
    }
    willow_tree_def def = def_with(WILLOW_BUILD_MIDPOINT, 2, 1);
    tree_site_open_tris(&s, (const float(*)[3])positions, 4, false);
    tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
    assert_int_equal(s.h.boxes.nodes[0].count, 2);
    assert_true(mask_below(&s.h, 0, 0) == 0x3 && mask_below(&s.h, 0, 1) == 0xC);
    tree_site_close(&s);

    for (willow_build b = WILLOW_BUILD_MIDPOINT; b < WILLOW_BUILD_COUNT; b++) {
        def = def_with(b, 2, 1);
        open_shape(&s, equal_tris, 64, false);
        tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
        assert_int_equal(s.h.shape->height, 6);
        tree_site_close(&s);
    }
}

/* ---- cost ---- */

static double cost_of(shape *make, willow_build b)
{
    tree_site s;
    willow_tree_def def = def_with(b, 8, 4);
    open_shape(&s, make, 3000, false);
    tree_site_build(&s, WILLOW_KERNEL_SCALAR, &def);
    double cost = wi_tree_cost(&s.h);
    tree_site_close(&s);
    return cost;
}

static void sah_costs_less_than_median_where_triangles_are_uneven(void **state)
{
    (void)state;
    shape *const uneven[] = {comet_tris, far_outlier, two_heaps};
    for (int i = 0; i < 3; i++) {
        double sah = cost_of(uneven[i], WILLOW_BUILD_SAH);
        double median = cost_of(uneven[i], WILLOW_BUILD_MEDIAN);
        print_message("sah %g, median %g\n", sah, median);
        assert_true(sah <= median);
        if (i == 0) assert_true(sah < 0.9 * median);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(no_input_makes_a_tree_unsound),
    cmocka_unit_test(no_input_makes_a_large_tree_unsound),
    cmocka_unit_test(rows_that_halve_do_not_make_a_deep_tree),
    cmocka_unit_test(every_kind_of_mesh_becomes_a_sound_tree),
    cmocka_unit_test(eight_heaps_become_eight_children_and_empty_ones_are_dropped),
    cmocka_unit_test(four_children_part_the_two_longest_sides_and_two_the_longest),
    cmocka_unit_test(midpoint_parts_at_the_middle_and_mean_at_the_mean),
    cmocka_unit_test(what_a_plane_does_not_part_is_halved),
    cmocka_unit_test(sah_costs_less_than_median_where_triangles_are_uneven),
};

TEST_GROUP(builders, tests);
