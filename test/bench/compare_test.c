/* Answers are compared among those that have one rule for neighbours, and across both rules in what
 * both answer. No method of Willow is wrong, so wrong answers are made here. */
#include <stdarg.h>
#include <stdio.h>
#include "support/test.h"

#include "bench/run/compare.c"
#include "bench/run/pair_list.c"
#include "bench/run/question.c"

/* What the tool would print is not looked at. */
int complain(const char *command_name, const char *format, ...)
{
    (void)command_name;
    (void)format;
    return 2;
}

void progress_clear(void) {}

/* ---- a scene and answers to it ---- */

/* Triangles 0 and 1 of body 0 share a vertex, 0 and 2 do not. */
static uint32_t indices[] = {0, 1, 2, 2, 3, 4, 5, 6, 7};
static scene_body bodies[] = {{.vertex_count = 8, .triangle_count = 3, .indices = indices},
                              {.vertex_count = 8, .triangle_count = 3, .indices = indices}};
static const scene two_bodies = {.bodies = bodies, .body_count = 2};

enum {
    NEIGHBOURS = 1, /* two triangles of one body that share a vertex */
    STRANGERS = 2,  /* two that do not */
    BETWEEN = 4     /* two of different bodies; their numbers share a vertex, which means nothing */
};

static const peer_pair pairs[] = {{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 1, 0, 1}};

enum { WILLOW = 0, PEER = 1, SKIPS = 2, NEAR = 4 };

/* Who answers, and what; how it is judged is what a test asks for. */
typedef struct entry {
    unsigned who, answer;
    bool wrong;
    uint64_t lost, extra;
} entry;

static entry right(unsigned who, unsigned answer) { return (entry){.who = who, .answer = answer}; }

static entry wrong(unsigned who, unsigned answer)
{
    return (entry){.who = who, .answer = answer, .wrong = true};
}

static entry loses(unsigned who, unsigned answer, uint64_t count)
{
    return (entry){.who = who, .answer = answer, .lost = count};
}

static entry invents(unsigned who, unsigned answer, uint64_t count)
{
    return (entry){.who = who, .answer = answer, .extra = count};
}

static void fill_list(pair_list *list, unsigned answer)
{
    *list = (pair_list){0};
    for (unsigned i = 0; i < 3; i++) {
        if ((answer & 1U << i) != 0) assert_true(pair_list_append(list, &pairs[i], 1));
    }
}

static void check(bench_question question, const entry *entries, uint32_t count)
{
    enum { MOST = 8 };
    bench_result results[MOST] = {{.name = NULL}};
    pair_list lists[MOST];
    bench_jury jury = {
        .scene = &two_bodies, .question = question, .results = results, .count = count};
    assert_true(count <= MOST);
    for (uint32_t i = 0; i < count; i++) {
        results[i].name = "a contender";
        results[i].is_peer = (entries[i].who & PEER) != 0;
        results[i].skips_neighbours = (entries[i].who & SKIPS) != 0;
        results[i].is_near = (entries[i].who & NEAR) != 0;
        fill_list(&lists[i], entries[i].answer);
    }
    assert_true(bench_compare_frame(&jury, lists, 7));
    for (uint32_t i = 0; i < count; i++) {
        if (results[i].is_wrong != entries[i].wrong || results[i].lost != entries[i].lost ||
            results[i].extra != entries[i].extra) {
            fail_msg("contender %u: wrong %d, lost %d, extra %d", i, results[i].is_wrong,
                     (int)results[i].lost, (int)results[i].extra);
        }
        free(lists[i].items);
    }
}

#define CHECK(question, ...)                                                                       \
    check(question, (const entry[]){__VA_ARGS__},                                                  \
          sizeof((const entry[]){__VA_ARGS__}) / sizeof(entry))

enum { ALL = NEIGHBOURS | STRANGERS | BETWEEN, OTHERS = STRANGERS | BETWEEN };

/* ---- all pairs ---- */

static void both_rules_are_right_side_by_side(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), right(WILLOW | SKIPS, OTHERS), right(WILLOW, ALL),
          right(PEER, ALL), right(PEER | SKIPS, OTHERS), right(WILLOW | SKIPS, OTHERS));
    CHECK(QUESTION_SELF, right(PEER | SKIPS, STRANGERS), right(WILLOW | SKIPS, STRANGERS),
          right(WILLOW, NEIGHBOURS | STRANGERS));
}

static void a_method_that_differs_within_its_rule_is_wrong(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), wrong(WILLOW, OTHERS), right(WILLOW | SKIPS, OTHERS),
          wrong(WILLOW | SKIPS, ALL), wrong(WILLOW | SKIPS, BETWEEN));
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), wrong(WILLOW, NEIGHBOURS | BETWEEN));
    CHECK(QUESTION_PAIRS, right(WILLOW | SKIPS, OTHERS), wrong(WILLOW | SKIPS, 0));
}

static void the_first_methods_of_both_rules_are_compared_too(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), wrong(WILLOW | SKIPS, BETWEEN));
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), wrong(WILLOW | SKIPS, ALL));
    CHECK(QUESTION_PAIRS, wrong(WILLOW | SKIPS, OTHERS), right(WILLOW, NEIGHBOURS | BETWEEN));
}

static void a_peer_is_compared_with_the_method_that_has_its_rule(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), right(WILLOW | SKIPS, OTHERS), loses(PEER, OTHERS, 1),
          loses(PEER, 0, 3), invents(PEER | SKIPS, ALL, 1), loses(PEER | SKIPS, BETWEEN, 1));
}

static void a_peer_without_a_method_of_its_rule_is_compared_without_neighbours(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, right(WILLOW, ALL), right(PEER | SKIPS, OTHERS),
          invents(PEER | SKIPS, ALL, 1), loses(PEER | SKIPS, BETWEEN, 1), right(PEER, ALL),
          loses(PEER, OTHERS, 1));
    CHECK(QUESTION_PAIRS, right(WILLOW | SKIPS, STRANGERS), right(PEER, STRANGERS),
          right(PEER, NEIGHBOURS | STRANGERS), invents(PEER, ALL, 1), loses(PEER, NEIGHBOURS, 1),
          right(PEER | SKIPS, STRANGERS));
}

static void peers_alone_are_not_judged(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, right(PEER, ALL), right(PEER | SKIPS, 0), right(PEER, 0));
}

static void
a_method_with_other_positions_is_no_measure_and_its_differences_are_counted(void **state)
{
    (void)state;
    CHECK(QUESTION_PAIRS, loses(NEAR, OTHERS, 1), right(WILLOW, ALL), loses(NEAR, 0, 3),
          right(PEER, ALL), invents(NEAR | SKIPS, ALL, 1));
    CHECK(QUESTION_FIRST, invents(NEAR, STRANGERS, 1), right(WILLOW, 0));
    CHECK(QUESTION_PAIRS, right(NEAR, ALL), right(NEAR | SKIPS, 0));
}

/* ---- one pair ---- */

static void any_first_pair_will_do(void **state)
{
    (void)state;
    CHECK(QUESTION_FIRST, right(WILLOW, BETWEEN), right(WILLOW, NEIGHBOURS), wrong(WILLOW, 0),
          right(PEER, STRANGERS), loses(PEER, 0, 1));
    CHECK(QUESTION_FIRST, right(WILLOW, 0), wrong(WILLOW, BETWEEN), right(PEER, 0),
          invents(PEER, STRANGERS, 1));
}

static void a_first_pair_of_neighbours_tells_nothing_to_those_who_leave_them_out(void **state)
{
    (void)state;
    CHECK(QUESTION_FIRST, right(WILLOW, NEIGHBOURS), right(WILLOW | SKIPS, 0),
          right(PEER | SKIPS, 0));
    CHECK(QUESTION_FIRST, right(WILLOW, NEIGHBOURS), right(PEER | SKIPS, 0),
          right(PEER | SKIPS, BETWEEN));
    CHECK(QUESTION_FIRST, right(WILLOW | SKIPS, 0), right(PEER, NEIGHBOURS), right(PEER, 0),
          invents(PEER, BETWEEN, 1));
    CHECK(QUESTION_FIRST, right(WILLOW, BETWEEN), wrong(WILLOW | SKIPS, 0));
    CHECK(QUESTION_FIRST, right(WILLOW, STRANGERS), loses(PEER | SKIPS, 0, 1),
          right(PEER | SKIPS, BETWEEN));
}

/* ---- answers that are no pairs ---- */

/* Whether the second of two Willow methods is wrong. */
static bool is_second_wrong(bench_question question, const pair_list answers[2],
                            const bench_result ways[2])
{
    bench_result results[2] = {ways[0], ways[1]};
    pair_list lists[2] = {answers[0], answers[1]};
    bench_jury jury = {.scene = &two_bodies, .question = question, .results = results, .count = 2};
    results[0].name = results[1].name = "a method";
    assert_true(bench_compare_frame(&jury, lists, 3));
    assert_false(results[0].is_wrong);
    assert_int_equal(results[0].pairs, answers[0].count);
    assert_int_equal(results[0].hash == results[1].hash, answers[0].digest == answers[1].digest);
    return results[1].is_wrong;
}

static void digests_are_compared_where_the_rule_and_the_way_are_equal(void **state)
{
    (void)state;
    static const bench_question questions[] = {QUESTION_IMPACTS, QUESTION_TOI, QUESTION_NEAR,
                                               QUESTION_NEAR_FEATURES};
    const bench_result equal[2] = {{.way = 1}, {.way = 1}}, other_way[2] = {{.way = 1}, {.way = 2}},
                       other_rule[2] = {{.way = 1}, {.way = 1, .skips_neighbours = true}};
    const pair_list same[2] = {{.count = 5, .digest = 9}, {.count = 5, .digest = 9}},
                    changed[2] = {{.count = 5, .digest = 9}, {.count = 5, .digest = 8}},
                    fewer[2] = {{.count = 5, .digest = 9}, {.count = 4, .digest = 8}};
    for (int i = 0; i < 4; i++) {
        assert_false(is_second_wrong(questions[i], same, equal));
        assert_true(is_second_wrong(questions[i], changed, equal));
        assert_true(is_second_wrong(questions[i], fewer, equal));
        assert_false(is_second_wrong(questions[i], changed, other_way));
        assert_false(is_second_wrong(questions[i], fewer, other_rule));
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_rules_are_right_side_by_side),
    cmocka_unit_test(a_method_that_differs_within_its_rule_is_wrong),
    cmocka_unit_test(the_first_methods_of_both_rules_are_compared_too),
    cmocka_unit_test(a_peer_is_compared_with_the_method_that_has_its_rule),
    cmocka_unit_test(a_peer_without_a_method_of_its_rule_is_compared_without_neighbours),
    cmocka_unit_test(peers_alone_are_not_judged),
    cmocka_unit_test(a_method_with_other_positions_is_no_measure_and_its_differences_are_counted),
    cmocka_unit_test(any_first_pair_will_do),
    cmocka_unit_test(a_first_pair_of_neighbours_tells_nothing_to_those_who_leave_them_out),
    cmocka_unit_test(digests_are_compared_where_the_rule_and_the_way_are_equal),
};

TEST_GROUP(compare, tests);
