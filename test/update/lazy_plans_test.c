/* Methods that refit a body with a flight plan: they store the positions of the plan while they
 * bound them, all of them, with any number of threads. */
#include "support/chorus.h"
#include "support/loose_sheet.h"
#include "support/test.h"
#include "support/zoo_cases.h"

/* The last vertices are in no triangle, and some triangles collide with nothing. */
enum { VERTICES = 3 * SHEET_CELLS, CELLS = SHEET_CELLS - 40, GROUP_0 = 7 };

typedef struct flight {
    chorus c;
    loose_sheet sheet;
    uint16_t groups[CELLS];
    float velocities[VERTICES][3];
    uint64_t random;
    double time;
} flight;

static void add_bodies(flight *f)
{
    loose_sheet_make(&f->sheet);
    for (uint32_t i = 0; i < SHEET_CELLS; i++)
        loose_sheet_place(&f->sheet, i, i, (const float[3]){0.0F, 0.0625F, 0.0F});
    for (uint32_t i = 0; i < CELLS; i++) f->groups[i] = i % GROUP_0 != 0;
    const willow_mesh_def sheet = {.positions = f->sheet.at,
                                   .vertex_count = VERTICES,
                                   .indices = f->sheet.tris,
                                   .triangle_count = CELLS,
                                   .triangle_groups = f->groups,
                                   .weld_exact = true};
    const willow_mesh_def bars = {.positions = f->sheet.bars,
                                  .vertex_count = 3 * SHEET_BARS,
                                  .indices = f->sheet.bar_tris,
                                  .triangle_count = SHEET_BARS};
    /* Two that are one. */
    memcpy(f->sheet.at[3], f->sheet.at[1], sizeof f->sheet.at[3]);
    chorus_add_body(&f->c, &sheet, false);
    chorus_add_body(&f->c, &bars, false);
}

static void open_flight(flight *f, const char *name)
{
    memset(f, 0, sizeof *f);
    f->random = 3;
    chorus_open(&f->c, name, f->random);
    chorus_add_brute(&f->c);
}

/* From now on everybody goes somewhere else. */
static void turn(flight *f, double speed)
{
    for (uint32_t i = 0; i < VERTICES; i++)
        for (int axis = 0; axis < 3; axis++)
            f->velocities[i][axis] = (float)test_random_between(&f->random, -speed, speed);
    chorus_set_velocities(&f->c, 0, 0, VERTICES, f->velocities);
}

static size_t go(flight *f, uint32_t updates)
{
    size_t pairs = 0;
    for (uint32_t i = 0; i < updates; i++) {
        f->time += 0.125;
        chorus_update_at(&f->c, f->time);
        pairs += chorus_compare(&f->c);
    }
    return pairs;
}

static void add_voices(flight *f, willow_method method, uint32_t level)
{
    static const uint32_t thread_counts[] = {1, 2, 4};
    willow_tree_def tree = zoo_tree(method, 4, 2);
    tree.hybrid_level = level;
    for (willow_kernel kernel = WILLOW_KERNEL_SCALAR; kernel < WILLOW_KERNEL_COUNT; kernel++)
        for (int i = 0; i < 3 && zoo_has_kernel(kernel); i++)
            chorus_add(&f->c, tree, kernel, thread_counts[i]);
}

static void all_positions_are_stored_and_bounded(void **state)
{
    (void)state;
    static flight f;
    static const struct {
        willow_method method;
        uint32_t level;
    } kinds[] = {{WILLOW_METHOD_HYBRID, 0},   {WILLOW_METHOD_HYBRID, 1},
                 {WILLOW_METHOD_HYBRID, 100}, {WILLOW_METHOD_TOP_DOWN, 0},
                 {WILLOW_METHOD_AUTO, 0},     {WILLOW_METHOD_BOTTOM_UP, 0}};
    size_t pairs = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        open_flight(&f, "refits of a plan");
        add_voices(&f, kinds[k].method, kinds[k].level);
        add_bodies(&f);
        pairs += go(&f, 1);
        for (uint32_t round = 0; round < 8; round++) {
            turn(&f, 0.5);
            pairs += go(&f, 2);
            chorus_check_same(&f.c, 1, f.c.voice_count - 1);
            if (kinds[k].method != WILLOW_METHOD_AUTO) /* which may follow the plan */
                assert_true(f.c.voices[1].report.vertices_evaluated >= VERTICES);
        }
        chorus_close(&f.c);
    }
    print_message("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

/* What has decayed is built of where vertices are now. */
static void trees_that_decay_on_a_plan_are_built_again(void **state)
{
    (void)state;
    static flight f;
    size_t pairs = 0;
    open_flight(&f, "decay on a plan");
    chorus_add_methods(&f.c);
    add_bodies(&f);
    turn(&f, 1.0);
    pairs = go(&f, 80);
    for (uint32_t i = 1; i < f.c.voice_count; i++) {
        const chorus_voice *voice = &f.c.voices[i];
        if (voice->tree.method == WILLOW_METHOD_AUTO ||
            voice->tree.method == WILLOW_METHOD_SPHERE || /* this one leaves its root */
            voice->tree.method == WILLOW_METHOD_KINETIC_AABB)
            continue; /* these look for decay when ends have changed */
        chorus_expect(&f.c, voice, voice->built + voice->subtrees_built > 0, "nothing was built");
    }
    assert_true(pairs > 0);
    chorus_close(&f.c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_positions_are_stored_and_bounded),
    cmocka_unit_test(trees_that_decay_on_a_plan_are_built_again),
};

TEST_GROUP(lazy_plans, tests);
