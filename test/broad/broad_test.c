/* Every broad phase finds the pairs that the definition says, in order: boxes that meet, of bodies
 * that want each other. */
#include <float.h>
#include <stdlib.h>
#include "base/kernel.h"
#include "broad/broad.h"
#include "support/test.h"

enum { MOST = 400 };

typedef struct boxes {
    wi_broad_body bodies[MOST];
    uint32_t count;
} boxes;

static void make_box(wi_box *box, uint64_t *random, double spread, double size)
{
    for (int axis = 0; axis < 3; axis++) {
        double at = test_random_between(random, -spread, spread);
        box->lower[axis] = (float)at;
        box->upper[axis] = (float)(at + test_random_between(random, 0, size));
    }
}

/* Boxes on whole numbers touch often; some are empty, some are everything, some are points. */
static void make_crowd(boxes *c, uint64_t seed)
{
    uint64_t random = seed;
    double spread = seed % 3 == 0 ? 4 : 30;
    c->count = (uint32_t)(test_random(&random) % MOST);
    for (uint32_t i = 0; i < c->count; i++) {
        wi_broad_body *body = &c->bodies[i];
        *body = (wi_broad_body){.category_bits = 1 + test_random(&random) % 3,
                                .mask_bits = test_random(&random) % 8 == 0 ? 2 : UINT64_MAX};
        make_box(&body->box, &random, spread, 4);
        uint64_t kind = test_random(&random) % 16;
        for (int axis = 0; axis < 3; axis++) {
            float *low = &body->box.lower[axis], *high = &body->box.upper[axis];
            if (kind < 8) *low = (float)(int)*low, *high = (float)(int)(*high + 1.0F);
            if (kind == 9) *high = *low;
            if (kind == 10) *low = -FLT_MAX, *high = FLT_MAX;
            if (kind == 11 && axis == 0) *low = -0.0F, *high = 0.0F;
        }
        if (kind == 12) body->box = wi_box_empty();
    }
}

static bool is_pair(const wi_broad_body *a, const wi_broad_body *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (!(a->box.lower[axis] <= b->box.upper[axis] && b->box.lower[axis] <= a->box.upper[axis]))
            return false;
    return (a->category_bits & b->mask_bits) != 0 && (b->category_bits & a->mask_bits) != 0;
}

static size_t check_crowd(wi_memory *memory, wi_workspace *workspace, const boxes *c,
                          willow_broad broad)
{
    wi_body_pairs found = {0};
    size_t at = 0;
    const willow_kernel kernel = wi_kernel_choose(WILLOW_KERNEL_AUTO);
    const wi_broad_crowd crowd = {.bodies = c->bodies, .count = c->count};
    const wi_broad_ops *ops = wi_broad_for(broad, &crowd, kernel);
    assert_true(wi_broad_find(ops, memory, workspace, &crowd, &found));
    for (uint32_t a = 0; a < c->count; a++)
        for (uint32_t b = a + 1; b < c->count; b++) {
            if (!is_pair(&c->bodies[a], &c->bodies[b])) continue;
            assert_true(at < found.count);
            assert_int_equal(found.items[at].a, a);
            assert_int_equal(found.items[at].b, b);
            at++;
        }
    assert_int_equal(at, found.count);
    wi_array_free(memory, &found);
    return at;
}

/* A search that stops after every few pairs finds what one that does not finds. */
static void check_pieces(wi_memory *memory, wi_workspace *workspace, const boxes *c,
                         willow_broad broad, size_t piece)
{
    wi_body_pairs all = {0}, found = {0};
    wi_workspace other = {0};
    wi_broad_search search;
    const willow_kernel kernel = wi_kernel_choose(WILLOW_KERNEL_AUTO);
    const wi_broad_crowd crowd = {.bodies = c->bodies, .count = c->count};
    const wi_broad_ops *ops = wi_broad_for(broad, &crowd, kernel);
    assert_true(wi_broad_find(ops, memory, &other, &crowd, &all));
    assert_true(ops->begin(memory, workspace, &crowd, &search));
    while (!wi_broad_is_done(&search)) {
        const size_t before = found.count;
        assert_true(ops->more(memory, &search, before + piece, &found));
        assert_true(found.count == before + piece || wi_broad_is_done(&search));
    }
    uint64_t *room = malloc(2 * found.count * sizeof *room + 1);
    assert_non_null(room);
    if (!ops->is_in_order) wi_broad_sort(&found, room, room + found.count);
    assert_int_equal(found.count, all.count);
    for (size_t i = 0; i < all.count; i++) {
        assert_int_equal(found.items[i].a, all.items[i].a);
        assert_int_equal(found.items[i].b, all.items[i].b);
    }
    free(room);
    wi_array_free(memory, &all);
    wi_array_free(memory, &found);
    wi_workspace_free(memory, &other);
}

static void every_broad_phase_goes_on_where_it_stopped(void **state)
{
    wi_memory memory;
    wi_workspace workspace = {0};
    (void)state;
    wi_memory_init(&memory, &(willow_allocator){0});
    for (uint64_t seed = 0; seed < 20; seed++) {
        static boxes c;
        make_crowd(&c, seed);
        for (int broad = 0; broad < WILLOW_BROAD_COUNT; broad++)
            for (size_t piece = 1; piece < 50; piece += 16)
                check_pieces(&memory, &workspace, &c, (willow_broad)broad, piece);
    }
    wi_workspace_free(&memory, &workspace);
    assert_int_equal(memory.bytes, 0);
}

static void every_broad_phase_finds_the_pairs_that_the_definition_says(void **state)
{
    wi_memory memory;
    wi_workspace workspace = {0};
    size_t pairs = 0;
    (void)state;
    wi_memory_init(&memory, &(willow_allocator){0});
    for (uint64_t seed = 0; seed < 60; seed++) {
        static boxes c;
        make_crowd(&c, seed);
        for (int broad = 0; broad < WILLOW_BROAD_COUNT; broad++)
            pairs += check_crowd(&memory, &workspace, &c, (willow_broad)broad);
    }
    wi_workspace_free(&memory, &workspace);
    assert_int_equal(memory.bytes, 0);
    printf("%zu pairs of bodies\n", pairs);
    assert_true(pairs > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_broad_phase_goes_on_where_it_stopped),
    cmocka_unit_test(every_broad_phase_finds_the_pairs_that_the_definition_says),
};

TEST_GROUP(broad, tests);
