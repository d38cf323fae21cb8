/* Any allocation of edits, splits and merges of a body with lists for pairs within it may fail, and
 * of the updates after them, in which its boundary loops are taken away and made again (C6). */
#include <stdlib.h>
#include "support/fixture.h"
#include "support/test.h"
#include "support/test_allocator.h"

/* Loops are made again after eight quiet updates. */
enum { SIDE = 16, VERTICES = SIDE * SIDE, TRIS = 2 * (SIDE - 1) * (SIDE - 1), QUIET = 11 };

typedef struct sheet {
    float at[VERTICES][3];
    uint32_t tris[TRIS][3], labels[TRIS];
    willow_tri row[SIDE];
} sheet;

/* Rolled up, so that it meets itself; a row of it is cut out. */
static sheet *make_sheet(void)
{
    sheet *s = malloc(sizeof *s);
    uint64_t seed = 5;
    uint32_t count = 0;
    assert_non_null(s);
    for (uint32_t v = 0; v < VERTICES; v++) {
        const float turn = 2 * (float)(v / SIDE % 7);
        s->at[v][0] = (float)(v % SIDE);
        s->at[v][1] = turn + (float)(test_random(&seed) % 100) * 1e-2F;
        s->at[v][2] = (float)(test_random(&seed) % 100) * 1e-2F;
    }
    for (uint32_t v = 0; v + SIDE < VERTICES; v++) {
        if (v % SIDE + 1 == SIDE) continue;
        const uint32_t both[2][3] = {{v, v + 1, v + SIDE}, {v + 1, v + SIDE + 1, v + SIDE}};
        for (int i = 0; i < 2; i++, count++) {
            memcpy(s->tris[count], both[i], sizeof both[i]);
            s->labels[count] = v % SIDE < SIDE / 2;
        }
    }
    for (uint32_t i = 0; i < SIDE; i++) s->row[i] = 2 * (SIDE - 1) * (SIDE / 2) + i;
    return s;
}

typedef struct run {
    test_allocator allocator;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[2];
    uint32_t body_count;
    double time;
} run;

static void begin(run *r, const sheet *s, willow_method method, uint32_t arity, uint32_t leaf)
{
    willow_world_def world = willow_world_def_default();
    willow_body_def def = willow_body_def_default();
    *r = (run){.body_count = 1};
    world.allocator = test_allocator_functions(&r->allocator);
    r->world = fixture_world(&world);
    r->scratch = fixture_scratch(r->world);
    def.mesh = FIXTURE_MESH(s->at, VERTICES, s->tris, TRIS);
    def.self = true;
    def.tree.method = method;
    def.tree.arity = arity;
    def.tree.leaf_triangles = leaf;
    r->bodies[0] = fixture_body(r->world, &def);
    assert_ok(willow_world_update(r->world, 0, NULL));
}

/* What fails says so, changes nothing, and works when it is called again. */
static void expect_same(run *r, uint64_t hash, willow_result result)
{
    char reason[256];
    assert_int_equal(result, WILLOW_OUT_OF_MEMORY);
    assert_true(willow_world_hash(r->world) == hash);
    if (!willow_world_validate(r->world, reason, sizeof reason)) fail_msg("%s", reason);
}

static void update(run *r)
{
    const willow_result result = willow_world_update(r->world, ++r->time, NULL);
    if (result == WILLOW_OK) return;
    assert_int_equal(result, WILLOW_OUT_OF_MEMORY);
    assert_ok(willow_world_update(r->world, r->time, NULL));
}

static willow_result cut_row(run *r, const sheet *s)
{
    willow_edit edit = willow_edit_default();
    edit.remove_triangles = s->row;
    edit.remove_triangle_count = SIDE;
    return willow_body_edit(r->world, r->bodies[0], &edit, NULL, NULL);
}

static willow_result split(run *r, const sheet *s)
{
    willow_split out;
    const willow_result result = willow_body_split(r->world, r->bodies[0], s->labels, &out);
    for (uint32_t i = 0; i < out.part_count; i++) r->bodies[i] = out.parts[i].body;
    return result;
}

static willow_result merge(run *r, const sheet *s)
{
    willow_merge out;
    (void)s;
    const willow_result result = willow_body_merge(r->world, r->bodies, 2, &out);
    if (result == WILLOW_OK) r->bodies[0] = out.body;
    return result;
}

static willow_result (*const steps[])(run *r, const sheet *s) = {cut_row, split, merge};
enum { STEPS = sizeof steps / sizeof *steps };

static uint64_t answer(run *r)
{
    willow_pairs pairs;
    assert_ok(willow_find_pairs(r->world, r->scratch, NULL, &pairs));
    assert_true(pairs.count > 10);
    return willow_pairs_hash(&pairs);
}

/* All steps, with failures from the n-th allocation of one of them on, or in none where n is 0:
 * answers after each are written, or compared. Returns whether something failed. */
static bool play(const sheet *s, run *r, uint32_t failing, size_t n, uint64_t answers[STEPS])
{
    bool has_failed = false;
    for (uint32_t i = 0; i < STEPS; i++) {
        const uint64_t hash = willow_world_hash(r->world);
        const size_t at = atomic_load(&r->allocator.calls) + n;
        r->allocator.fail_at = n > 0 && i == failing ? at : 0;
        const willow_result result = steps[i](r, s);
        if (result != WILLOW_OK) {
            expect_same(r, hash, result);
            assert_ok(steps[i](r, s));
        }
        for (int k = 0; k < QUIET; k++) update(r);
        has_failed =
            has_failed || (n > 0 && i == failing && atomic_load(&r->allocator.calls) >= at);
        r->allocator.fail_at = 0;
        if (n == 0)
            answers[i] = answer(r);
        else
            assert_true(answer(r) == answers[i]);
    }
    return has_failed;
}

static void end(run *r)
{
    fixture_close(r->world, r->scratch);
    assert_true(test_allocator_is_clean(&r->allocator));
}

static void any_allocation_of_edits_and_of_lists_after_them_may_fail(void **state)
{
    static const struct {
        willow_method method;
        uint32_t arity, leaf_triangles;
    } rows[] = {{WILLOW_METHOD_AUTO, 0, 8},
                {WILLOW_METHOD_BALANCED, 0, 3},
                {WILLOW_METHOD_BALANCED, 2, 1},
                {WILLOW_METHOD_BOTTOM_UP, 0, 4}};
    sheet *s = make_sheet();
    size_t failures = 0;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (uint32_t failing = 0; failing < STEPS; failing++) {
            uint64_t answers[STEPS];
            run r;
            begin(&r, s, rows[i].method, rows[i].arity, rows[i].leaf_triangles);
            (void)play(s, &r, 0, 0, answers);
            end(&r);
            bool has_failed = true;
            for (size_t n = 1; has_failed; n++) {
                begin(&r, s, rows[i].method, rows[i].arity, rows[i].leaf_triangles);
                has_failed = play(s, &r, failing, n, answers);
                end(&r);
                failures += has_failed;
            }
        }
    print_message("%zu failures\n", failures);
    assert_true(failures > 300);
    free(s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(any_allocation_of_edits_and_of_lists_after_them_may_fail),
};

TEST_GROUP(edit_memory, tests);
