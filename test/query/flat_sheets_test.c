/* Sheets that are exactly flat, stacked in one body: the pairs within it are those of BRUTE,
 * whether sheets lie apart, on each other, or half a cell aside; and where they lie apart hardly
 * any two triangles are left to the exact test, though all of a sheet are in one plane. */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "willow/willow.h"

enum { SHEETS = 3, MOST_SIDE = 24, ROW = MOST_SIDE + 1 };

typedef struct stack {
    float at[SHEETS * ROW * ROW][3];
    uint32_t tris[SHEETS * MOST_SIDE * MOST_SIDE * 2][3];
    uint32_t vertex_count, tri_count;
} stack;

typedef enum tilt { LEVEL, TILTED, ROUNDED, TILTS } tilt;

/* Tilted by 45 degrees exactly, or turned so that all coordinates are rounded. */
static void put(const double p[3], tilt how, float out[3])
{
    const double turned[TILTS][3] = {{p[0], p[1], p[2]},
                                     {p[0], p[1] - p[2], p[1] + p[2]},
                                     {p[0], 0.8 * p[1] - 0.6 * p[2], 0.6 * p[1] + 0.8 * p[2]}};
    for (int axis = 0; axis < 3; axis++) out[axis] = (float)turned[how][axis];
}

/* Each sheet is `gap` above the one before, and `aside` from it in x. */
static void make_stack(stack *s, uint32_t side, tilt how, double gap, double aside)
{
    const uint32_t row = side + 1;
    s->vertex_count = s->tri_count = 0;
    for (uint32_t sheet = 0; sheet < SHEETS; sheet++) {
        for (uint32_t i = 0; i < row * row; i++) {
            const double p[3] = {i % row + aside * sheet, (double)(i / row), gap * sheet};
            put(p, how, s->at[s->vertex_count++]);
        }
        for (uint32_t i = 0; i < side * side; i++) {
            const uint32_t corner = sheet * row * row + i / side * row + i % side;
            const uint32_t two[2][3] = {{corner, corner + 1, corner + row + 1},
                                        {corner, corner + row + 1, corner + row}};
            memcpy(s->tris[s->tri_count], two, sizeof two);
            s->tri_count += 2;
        }
    }
}

typedef struct answer {
    uint64_t hash;
    size_t count;
    willow_query_stats stats;
} answer;

static answer ask(const stack *s, willow_method method, willow_kernel kernel)
{
    willow_world_def world_def = willow_world_def_default();
    willow_body_def def = willow_body_def_default();
    willow_pairs pairs;
    world_def.kernel = kernel;
    def.mesh = FIXTURE_MESH(s->at, s->vertex_count, s->tris, s->tri_count);
    def.self = true;
    def.tree.method = method;
    willow_world *world = fixture_world(&world_def);
    (void)fixture_body(world, &def);
    assert_ok(willow_world_update(world, 0.0, NULL));
    willow_scratch *scratch = fixture_scratch(world);
    assert_ok(willow_find_self_pairs(world, scratch, NULL, &pairs));
    const answer found = {willow_pairs_hash(&pairs), pairs.count, willow_scratch_stats(scratch)};
    fixture_close(world, scratch);
    return found;
}

static void flat_sheets_meet_as_by_brute_force(void **state)
{
    (void)state;
    static const double gaps[] = {0.5, 0x1p-10, 0}, asides[] = {0, 0.5};
    static stack s;
    size_t meeting = 0;
    for (tilt how = 0; how < TILTS; how++)
        for (int i = 0; i < 6; i++) {
            make_stack(&s, 7, how, gaps[i / 2], asides[i % 2]);
            const answer brute = ask(&s, WILLOW_METHOD_BRUTE, WILLOW_KERNEL_SCALAR);
            const answer scalar = ask(&s, WILLOW_METHOD_BOTTOM_UP, WILLOW_KERNEL_SCALAR);
            const answer wide = ask(&s, WILLOW_METHOD_AUTO, WILLOW_KERNEL_AUTO);
            assert_int_equal(scalar.count, brute.count);
            assert_int_equal(wide.count, brute.count);
            assert_true(scalar.hash == brute.hash && wide.hash == brute.hash);
            assert_int_equal(brute.count > 0, gaps[i / 2] == 0);
            meeting += brute.count;
        }
    assert_true(meeting > 1000);
}

static void flat_sheets_that_lie_apart_need_hardly_any_exact_test(void **state)
{
    (void)state;
    static stack s;
    for (tilt how = 0; how < TILTS; how++) {
        make_stack(&s, MOST_SIDE, how, 0.5, 0.5);
        const answer found = ask(&s, WILLOW_METHOD_BOTTOM_UP, WILLOW_KERNEL_AUTO);
        assert_int_equal(found.count, 0);
        assert_true(found.stats.triangle_tests > 1000);
        assert_true(found.stats.exact_tests < found.stats.triangle_tests / 100);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(flat_sheets_meet_as_by_brute_force),
    cmocka_unit_test(flat_sheets_that_lie_apart_need_hardly_any_exact_test),
};

TEST_GROUP(flat_sheets, tests);
