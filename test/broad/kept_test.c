/* Every kind of broad phase, in the plane and in space and with every kernel, finds the pairs, the
 * events and what searches find that loops over all boxes find, in every step; refuses what is
 * wrong; and goes on after allocations that failed. */
#include <math.h>
#include <stdlib.h>
#include "crowd.h"
#include "support/box_script.h"
#include "support/test_allocator.h"

static void play_def(willow_broad_def def, uint64_t seeds, box_tally *tally)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        choices c = choices_of_seed(seed * 31 + def.dimensions);
        const char *wrong = box_script_run(&c, &def, 12, seed % 4 == 0 ? 300 : 60, tally);
        if (wrong)
            fail_msg("%s, %s, cell %g, in %u dimensions, kernel %d, seed %u: %s",
                     willow_broad_name(def.broad), willow_upkeep_name(def.upkeep), def.cell,
                     def.dimensions, (int)def.kernel, (unsigned)seed, wrong);
    }
}

static void play_kind(willow_broad broad, uint32_t dimensions, willow_kernel kernel, uint64_t seeds,
                      box_tally *tally)
{
    willow_broad_def def = willow_broad_def_default();
    def.broad = broad;
    def.dimensions = dimensions;
    def.kernel = kernel;
    play_def(def, seeds, tally);
}

/* The compressed tree, however it is kept. */
static void every_upkeep_finds_what_loops_find_in_every_step(void **state)
{
    static const double cells[] = {0.0, 0.03125, 0.25, 2.0};
    box_tally tally = {0};
    (void)state;
    for (int upkeep = WILLOW_UPKEEP_LITERAL; upkeep < WILLOW_UPKEEP_COUNT; upkeep++)
        for (uint32_t dimensions = 2; dimensions <= 3; dimensions++)
            for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
                willow_broad_def def = willow_broad_def_default();
                def.broad = WILLOW_BROAD_COMPRESSED_TREE;
                def.upkeep = (willow_upkeep)upkeep;
                def.dimensions = dimensions;
                def.cell = cells[i];
                play_def(def, test_seeds(3), &tally);
            }
    assert_true(tally.pairs > 0 && tally.begun > 0 && tally.ended > 0);
}

static void every_kind_finds_what_loops_find_in_every_step(void **state)
{
    box_tally tally = {0};
    (void)state;
    for (int broad = 0; broad < WILLOW_BROAD_COUNT; broad++)
        for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
            play_kind((willow_broad)broad, dimensions, WILLOW_KERNEL_AUTO, test_seeds(48), &tally);
            play_kind((willow_broad)broad, dimensions, WILLOW_KERNEL_SCALAR, 8, &tally);
        }
    printf("%zu scripts, %zu steps, %zu boxes, %zu pairs, %zu begun, %zu ended, %zu found, "
           "%zu met by rays, %zu near\n",
           tally.scripts, tally.steps, tally.boxes, tally.pairs, tally.begun, tally.ended,
           tally.found, tally.met_by_rays, tally.near_pairs);
    assert_true(tally.pairs > 0 && tally.begun > 0 && tally.ended > 0 && tally.found > 0 &&
                tally.met_by_rays > 0 && tally.near_pairs > tally.pairs);
}

/* ---- crowds ---- */

static willow_broad_phase *make_phase(willow_broad broad, uint32_t dimensions)
{
    willow_broad_phase *phase;
    willow_broad_def def = willow_broad_def_default();
    def.broad = broad;
    def.dimensions = dimensions;
    assert_ok(willow_broad_create(&def, &phase));
    return phase;
}

static void update_phase(willow_broad_phase *phase, const crowd *c, uint32_t count, bool is_first)
{
    willow_broad_boxes boxes = {.boxes = crowd_boxes(c), .count = count};
    if (!is_first) boxes.changed = crowd_changed(c, &boxes.changed_count);
    assert_ok(willow_broad_update(phase, &boxes));
    assert_null(willow_broad_validate(phase));
}

/* All kinds but the one that compares all, against ONE_AXIS. */
static size_t compare_in_crowd(const crowd_def *def, uint32_t steps)
{
    willow_broad_phase *phases[WILLOW_BROAD_COUNT];
    size_t pairs = 0;
    crowd *c = crowd_create(def);
    assert_non_null(c);
    for (int i = 0; i < WILLOW_BROAD_COUNT; i++)
        phases[i] = make_phase((willow_broad)i, def->dimensions);
    for (uint32_t step = 0; step < steps; step++) {
        willow_broad_pairs truth, own;
        if (step > 0) crowd_step(c);
        update_phase(phases[WILLOW_BROAD_ONE_AXIS], c, def->count, step == 0);
        assert_ok(willow_broad_find_pairs(phases[WILLOW_BROAD_ONE_AXIS], &truth));
        pairs += truth.count;
        for (int i = 0; i < WILLOW_BROAD_COUNT; i++) {
            if (i == WILLOW_BROAD_ALL_PAIRS || i == WILLOW_BROAD_ONE_AXIS) continue;
            update_phase(phases[i], c, def->count, step == 0);
            assert_ok(willow_broad_find_pairs(phases[i], &own));
            assert_int_equal(own.count, truth.count);
            assert_memory_equal(own.items, truth.items, own.count * sizeof *own.items);
        }
    }
    for (int i = 0; i < WILLOW_BROAD_COUNT; i++) willow_broad_destroy(phases[i]);
    crowd_destroy(c);
    return pairs;
}

static void kinds_agree_in_crowds_of_thousands(void **state)
{
    size_t pairs = 0;
    (void)state;
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++)
        for (int sizes = 0; sizes < CROWD_SIZES_COUNT; sizes++)
            for (int motion = 0; motion < CROWD_MOTION_COUNT; motion++) {
                const crowd_def def = {.dimensions = dimensions,
                                       .count = TEST_HAS_ASAN ? 1500 : 6000,
                                       .sizes = (crowd_sizes)sizes,
                                       .motion = (crowd_motion)motion,
                                       .moving = (motion + sizes) % 2 == 0 ? 1.0 : 0.05,
                                       .seed = 7};
                pairs += compare_in_crowd(&def, 4);
            }
    printf("%zu pairs\n", pairs);
    assert_true(pairs > 0);
}

/* ---- AUTO ---- */

typedef struct auto_case {
    crowd_def crowd;
    willow_broad acting;
    bool has_slack; /* after some steps */
} auto_case;

static willow_broad_stats play_auto(const crowd_def *def, uint32_t steps)
{
    willow_broad_phase *phase = make_phase(WILLOW_BROAD_AUTO, def->dimensions);
    crowd *c = crowd_create(def);
    assert_non_null(c);
    for (uint32_t step = 0; step < steps; step++) {
        if (step > 0) crowd_step(c);
        update_phase(phase, c, def->count, step == 0);
    }
    const willow_broad_stats stats = willow_broad_get_stats(phase);
    crowd_destroy(c);
    willow_broad_destroy(phase);
    return stats;
}

static void auto_chooses_by_number_motion_and_sizes(void **state)
{
    static const auto_case cases[] = {
        {{3, 50, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_ALL_PAIRS, false},
        {{3, 90, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_ONE_AXIS, false},
        {{3, 90, CROWD_UNIFORM, CROWD_BROWNIAN, 0.05, 1}, WILLOW_BROAD_ALL_PAIRS, false},
        {{3, 400, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_ONE_AXIS, true},
        {{3, 400, CROWD_UNIFORM, CROWD_FALLING, 1.0, 1}, WILLOW_BROAD_ONE_AXIS, false},
        {{3, 1500, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_GRID, true},
        {{3, 1500, CROWD_HEAVY, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_ONE_AXIS, true},
        {{3, 4000, CROWD_HEAVY, CROWD_DRIFTING, 1.0, 1}, WILLOW_BROAD_LINEAR_BVH, true},
        {{3, 4000, CROWD_UNIFORM, CROWD_FALLING, 1.0, 1}, WILLOW_BROAD_GRID, false},
        {{3, 4000, CROWD_UNIFORM, CROWD_FALLING, 0.05, 1}, WILLOW_BROAD_GRID, true},
        {{3, 30000, CROWD_HEAVY, CROWD_BROWNIAN, 0.05, 1}, WILLOW_BROAD_GRID, true},
        {{2, 1500, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_ONE_AXIS, true},
        {{2, 4000, CROWD_UNIFORM, CROWD_PRESSED, 1.0, 1}, WILLOW_BROAD_GRID, false},
        {{2, 4000, CROWD_HEAVY, CROWD_BROWNIAN, 1.0, 1}, WILLOW_BROAD_ONE_AXIS, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const willow_broad_stats stats = play_auto(&cases[i].crowd, 12);
        if (stats.acting != cases[i].acting || (stats.slack > 0.0) != cases[i].has_slack)
            fail_msg("case %zu: %s with slack %g", i, willow_broad_name(stats.acting), stats.slack);
    }
}

static bool step_through(const crowd_def *def, const uint32_t *counts, uint32_t steps,
                         uint32_t *switches)
{
    willow_broad_phase *phase = make_phase(WILLOW_BROAD_AUTO, def->dimensions),
                       *oracle = make_phase(WILLOW_BROAD_ONE_AXIS, def->dimensions);
    crowd *c = crowd_create(def);
    willow_broad acting = WILLOW_BROAD_COUNT;
    bool had_slack = false, lost_slack = false;
    assert_non_null(c);
    for (uint32_t step = 0; step < steps; step++) {
        willow_broad_pairs own[3], truth[3];
        crowd_step(c);
        update_phase(phase, c, counts[step], true);
        update_phase(oracle, c, counts[step], true);
        assert_ok(willow_broad_find_pairs(phase, &own[0]));
        assert_ok(willow_broad_find_pairs(oracle, &truth[0]));
        assert_ok(willow_broad_find_events(phase, &own[1], &own[2]));
        assert_ok(willow_broad_find_events(oracle, &truth[1], &truth[2]));
        for (int i = 0; i < 3; i++) {
            assert_int_equal(own[i].count, truth[i].count);
            assert_memory_equal(own[i].items, truth[i].items, own[i].count * sizeof *own[i].items);
        }
        const willow_broad_stats stats = willow_broad_get_stats(phase);
        *switches += acting != WILLOW_BROAD_COUNT && stats.acting != acting;
        acting = stats.acting;
        lost_slack = lost_slack || (had_slack && !(stats.slack > 0.0));
        had_slack = stats.slack > 0.0;
    }
    crowd_destroy(c);
    willow_broad_destroy(phase);
    willow_broad_destroy(oracle);
    return lost_slack;
}

/* Numbers that go up and down past borders, and around one of them: kinds change, but do not take
 * turns; slack comes and goes; pairs and events are those of a kind that never changes. */
static void answers_stay_the_same_while_auto_changes_its_mind(void **state)
{
    enum { STEPS = 60 };
    uint32_t counts[STEPS], switches = 0;
    const crowd_def def = {3, 900, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 4};
    (void)state;
    for (uint32_t i = 0; i < STEPS; i++)
        counts[i] = i < 20 ? 20 + 46 * i : i < 40 ? 900 - 44 * (i - 20) : 40 + i % 2;
    assert_true(step_through(&def, counts, STEPS, &switches));
    assert_int_equal(switches, 4); /* up over two borders, and down again */
    for (uint32_t i = 0; i < STEPS; i++) counts[i] = 500 + 20 * (i % 2);
    switches = 0;
    (void)step_through(&def, counts, STEPS, &switches);
    assert_int_equal(switches, 0);
}

/* Lists that are kept sorted are sorted afresh only where boxes are born, or jump about. */
static void sweep_and_prune_swaps_ends_while_boxes_move_little(void **state)
{
    const crowd_def def = {3, 500, CROWD_UNIFORM, CROWD_BROWNIAN, 1.0, 5};
    willow_broad_phase *phase = make_phase(WILLOW_BROAD_SWEEP_AND_PRUNE, 3);
    crowd *c = crowd_create(&def), *other = crowd_create(&(crowd_def){3, 500, .seed = 6});
    (void)state;
    assert_true(c != NULL && other != NULL);
    for (int step = 0; step < 20; step++) {
        update_phase(phase, c, def.count, step == 0);
        const willow_broad_stats stats = willow_broad_get_stats(phase);
        assert_int_equal(stats.rebuilds, 1);
        assert_true((stats.swaps > 0) == (step > 0));
        assert_int_equal(stats.entries, 6 * def.count);
        crowd_step(c);
    }
    update_phase(phase, other, def.count, true);
    assert_int_equal(willow_broad_get_stats(phase).rebuilds, 2);
    crowd_destroy(c);
    crowd_destroy(other);
    willow_broad_destroy(phase);
}

/* A set of corners has one compressed tree: nodes and lists of one that is kept through motion,
 * birth and death are as many as those of one that is built afresh, and the validator says that
 * both are canonical (B10 to B13). */
static size_t compare_with_fresh_tree(uint32_t dimensions, crowd_motion motion, double cell)
{
    const crowd_def def = {dimensions, 90, CROWD_HEAVY, motion, 1.0, 11};
    crowd *c = crowd_create(&def);
    willow_broad_phase *kept, *fresh;
    willow_broad_def phase_def = willow_broad_def_default();
    size_t nodes = 0;
    phase_def.broad = WILLOW_BROAD_COMPRESSED_TREE;
    phase_def.dimensions = dimensions;
    phase_def.cell = cell;
    assert_non_null(c);
    assert_ok(willow_broad_create(&phase_def, &kept));
    /* All 90 at first, then as many as step by step come back. */
    for (uint32_t step = 0; step < 24; step++) {
        const uint32_t count = step == 0 ? def.count : 60 + step;
        assert_ok(willow_broad_create(&phase_def, &fresh));
        update_phase(kept, c, count, true);
        update_phase(fresh, c, count, true);
        const willow_broad_stats a = willow_broad_get_stats(kept),
                                 b = willow_broad_get_stats(fresh);
        if (step == 1) nodes = a.rebuilds; /* fewer boxes: afresh, once */
        if (step > 1) assert_int_equal(a.rebuilds, nodes);
        assert_true(a.cell == cell && b.cell == cell);
        assert_int_equal(a.nodes, b.nodes);
        assert_int_equal(a.entries, b.entries);
        assert_true(a.pairs == b.pairs);
        willow_broad_destroy(fresh);
        crowd_step(c);
    }
    nodes = willow_broad_get_stats(kept).nodes;
    willow_broad_destroy(kept);
    crowd_destroy(c);
    return nodes;
}

static void compressed_trees_that_are_kept_stay_canonical(void **state)
{
    static const double cells[] = {0x1p-11, 0x1p-7, 0.125, 0.5, 1.0, 8.0};
    (void)state;
    for (uint32_t dimensions = 2; dimensions <= 3; dimensions++)
        for (int motion = 0; motion < CROWD_MOTION_COUNT; motion++) {
            size_t before = SIZE_MAX;
            for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
                const size_t nodes =
                    compare_with_fresh_tree(dimensions, (crowd_motion)motion, cells[i]);
                assert_true(nodes <= before); /* larger cells, fewer of them */
                before = nodes;
            }
        }
}

/* ---- what is refused ---- */

typedef struct told {
    size_t lines;
} told;

static void count_line(void *context, const char *line)
{
    ((told *)context)->lines += line[0] != '\0';
}

static void defs_that_are_wrong_are_refused_with_words(void **state)
{
    told log = {0};
    willow_broad_phase *phase;
    (void)state;
    assert_int_equal(willow_broad_create(NULL, &phase), WILLOW_BAD_ARGUMENT);
    for (int i = 0; i < 6; i++) {
        willow_broad_def def = willow_broad_def_default();
        def.log = (willow_log){count_line, &log};
        if (i == 0) def.broad = WILLOW_BROAD_COUNT;
        if (i == 1) def.dimensions = 4;
        if (i == 2) def.kernel = WILLOW_KERNEL_COUNT;
        if (i == 4) def.cell = -1.0;
        if (i == 5) def.upkeep = WILLOW_UPKEEP_COUNT;
        if (i == 3) def.allocator.alloc = test_allocator_functions(&(test_allocator){0}).alloc;
        assert_int_equal(willow_broad_create(&def, &phase), WILLOW_BAD_ARGUMENT);
        assert_null(phase);
    }
    assert_int_equal(log.lines, 6);
}

static void boxes_that_are_wrong_are_refused_and_change_nothing(void **state)
{
    willow_broad_phase *phase = make_phase(WILLOW_BROAD_GRID, 3);
    willow_box boxes[3] = {{{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, {{5, 5, 5}, {6, 6, 6}}};
    const uint32_t wrong_number = 3, first = 0;
    willow_broad_pairs pairs;
    (void)state;
    assert_ok(willow_broad_update(phase, &(willow_broad_boxes){.boxes = boxes, .count = 3}));
    boxes[0].lower.y = NAN;
    const willow_broad_boxes wrong[] = {
        {.boxes = boxes, .count = 3},
        {.boxes = boxes, .count = 3, .changed = &first, .changed_count = 1},
        {.boxes = boxes, .count = 3, .changed = &wrong_number, .changed_count = 1},
        {.boxes = NULL, .count = 3},
        {.boxes = boxes, .count = 3, .stride = 20},
        {.boxes = (const char *)boxes + 1, .count = 2},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(willow_broad_update(phase, &wrong[i]), WILLOW_BAD_ARGUMENT);
        assert_true(willow_broad_message(phase)[0] != '\0');
        assert_ok(willow_broad_find_pairs(phase, &pairs));
        assert_int_equal(pairs.count, 1);
    }
    assert_int_equal(willow_broad_update(phase, NULL), WILLOW_BAD_ARGUMENT);
    boxes[0].lower.y = 0;
    assert_ok(willow_broad_update(phase, &(willow_broad_boxes){.boxes = boxes, .count = 3}));
    assert_string_equal(willow_broad_message(phase), "");
    willow_broad_destroy(phase);
}

/* The number is there from then on, and its box may come later. */
static void numbers_may_begin_with_empty_boxes(void **state)
{
    const willow_box empty = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    (void)state;
    for (int broad = 0; broad < WILLOW_BROAD_COUNT; broad++) {
        willow_broad_phase *phase = make_phase((willow_broad)broad, 3);
        willow_box boxes[4] = {{{0, 0, 0}, {1, 1, 1}}, {{1, 1, 1}, {2, 2, 2}}, empty, empty};
        willow_broad_pairs pairs;
        for (uint32_t step = 0; step < 5; step++) {
            static const uint32_t counts[5] = {4, 2, 4, 4, 3}, wanted[5] = {3, 1, 1, 3, 1};
            boxes[3] = step % 3 == 0 ? (willow_box){{0, 0, 0}, {2, 2, 2}} : empty;
            assert_ok(willow_broad_update(
                phase, &(willow_broad_boxes){.boxes = boxes, .count = counts[step]}));
            assert_null(willow_broad_validate(phase));
            assert_ok(willow_broad_find_pairs(phase, &pairs));
            assert_int_equal(pairs.count, wanted[step]);
        }
        willow_broad_destroy(phase);
    }
}

static void searches_that_are_wrong_are_refused(void **state)
{
    willow_broad_phase *phase = make_phase(WILLOW_BROAD_AUTO, 3);
    const willow_box box = {{0, 0, 0}, {1, 1, 1}}, no_number = {{NAN, 0, 0}, {1, 1, 1}};
    const willow_ray ray = {{0, 0, 0}, 0, {1, 0, 0}, INFINITY},
                     still = {{0, 0, 0}, 0, {0, 0, 0}, 1};
    uint32_t number;
    size_t count;
    (void)state;
    assert_ok(willow_broad_update(phase, &(willow_broad_boxes){.boxes = &box, .count = 1}));
    assert_ok(willow_broad_find_box(phase, &box, 0.0, &number, 1, &count));
    assert_int_equal(count, 1);
    assert_ok(willow_broad_find_ray(phase, &ray, 0.0, NULL, 0, &count));
    assert_int_equal(count, 1);
    assert_int_equal(willow_broad_find_box(phase, &no_number, 0, &number, 1, &count),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_broad_find_box(phase, &box, -1, &number, 1, &count),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_broad_find_box(phase, &box, 0, NULL, 1, &count), WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_broad_find_ray(phase, &still, 0, &number, 1, &count),
                     WILLOW_BAD_ARGUMENT);
    assert_int_equal(willow_broad_find_near(phase, NAN, NULL, 0, &count), WILLOW_BAD_ARGUMENT);
    willow_broad_destroy(phase);
}

/* ---- memory ---- */

/* One step after the other; what fails is asked again, and is then as if it had not. */
static void step_until_it_works(willow_broad_phase *phase, test_allocator *allocator, crowd *c,
                                uint32_t count)
{
    willow_broad_pairs pairs;
    const willow_broad_boxes boxes = {.boxes = crowd_boxes(c), .count = count};
    willow_result result = willow_broad_update(phase, &boxes);
    if (result == WILLOW_OUT_OF_MEMORY) {
        const willow_result found = willow_broad_find_pairs(phase, &pairs);
        assert_true(found == WILLOW_STALE || found == WILLOW_OK);
        assert_null(willow_broad_validate(phase));
        allocator->fail_at = 0;
        result = willow_broad_update(phase, &boxes);
    }
    assert_int_equal(result, WILLOW_OK);
    assert_null(willow_broad_validate(phase));
}

static bool play_with_failure(willow_broad broad, willow_upkeep upkeep, uint32_t dimensions,
                              crowd_motion motion, size_t fail_at)
{
    test_allocator allocator = {.fail_at = fail_at};
    willow_broad_phase *phase;
    willow_broad_def def = willow_broad_def_default();
    const crowd_def members = {dimensions, 200, CROWD_HEAVY, motion, 1.0, 3};
    def.broad = broad;
    def.upkeep = upkeep;
    def.dimensions = dimensions;
    def.allocator = test_allocator_functions(&allocator);
    if (willow_broad_create(&def, &phase) == WILLOW_OK) {
        crowd *c = crowd_create(&members);
        assert_non_null(c);
        for (uint32_t step = 0; step < 8; step++) {
            step_until_it_works(phase, &allocator, c, step < 4 ? 20 + 60 * step : 196 + step % 4);
            crowd_step(c);
        }
        crowd_destroy(c);
        willow_broad_destroy(phase);
    }
    assert_true(test_allocator_is_clean(&allocator));
    return allocator.calls >= fail_at;
}

static void any_allocation_may_fail(void **state)
{
    size_t failures = 0;
    (void)state;
    for (int broad = 0; broad < WILLOW_BROAD_COUNT; broad++)
        for (uint32_t dimensions = 2; dimensions <= 3; dimensions++)
            for (int upkeep = 0; upkeep < WILLOW_UPKEEP_COUNT; upkeep++) {
                if (upkeep > 0 && broad != WILLOW_BROAD_COMPRESSED_TREE) continue;
                /* AUTO gives boxes slack where they move little. */
                const crowd_motion motion =
                    broad == WILLOW_BROAD_AUTO ? CROWD_BROWNIAN : CROWD_PRESSED;
                for (size_t n = 1; play_with_failure((willow_broad)broad, (willow_upkeep)upkeep,
                                                     dimensions, motion, n);
                     n++)
                    failures++;
            }
    printf("%zu allocations failed\n", failures);
    assert_true(failures > 50);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_kind_finds_what_loops_find_in_every_step),
    cmocka_unit_test(every_upkeep_finds_what_loops_find_in_every_step),
    cmocka_unit_test(kinds_agree_in_crowds_of_thousands),
    cmocka_unit_test(auto_chooses_by_number_motion_and_sizes),
    cmocka_unit_test(answers_stay_the_same_while_auto_changes_its_mind),
    cmocka_unit_test(sweep_and_prune_swaps_ends_while_boxes_move_little),
    cmocka_unit_test(compressed_trees_that_are_kept_stay_canonical),
    cmocka_unit_test(defs_that_are_wrong_are_refused_with_words),
    cmocka_unit_test(boxes_that_are_wrong_are_refused_and_change_nothing),
    cmocka_unit_test(numbers_may_begin_with_empty_boxes),
    cmocka_unit_test(searches_that_are_wrong_are_refused),
    cmocka_unit_test(any_allocation_may_fail),
};

TEST_GROUP(kept, tests);
