/* tri_tri_oracle_slow_test.c - a million pairs of triangles, decided by prim in all of its ways and
 * by the rational oracle (C1, C2, C10).
 *
 * The pairs are decided once, before the tests, which then look at different columns of what came
 * out. The table is printed for people. */
#include "support/test.h"
#include "support/tri_cases.h"
#include "support/tri_check.h"

enum {
    BATCH = 1009, /* not a multiple of eight */
    BATCHES_PER_FAMILY = 23,
    SLOW_EVERY = 101,
};

static tri_tally by_family[TRI_FAMILY_COUNT];
static tri_tally total;

static void decide_family(tri_family family)
{
    static tri_case cases[BATCH];
    for (uint64_t batch = 0; batch < BATCHES_PER_FAMILY; batch++) {
        for (uint64_t i = 0; i < BATCH; i++) tri_case_make(&cases[i], family, batch * BATCH + i);
        tri_check_cases(cases, BATCH, SLOW_EVERY, tri_family_name(family), &by_family[family]);
    }
}

static void print_row(const char *name, const tri_tally *tally)
{
    printf("%-38s %9zu %9zu %9zu %10zu %9zu\n", name, tally->pair_count, tally->meet_count,
           tally->neighbour_count, tally->undecided_count, tri_tally_wrong(tally));
}

static int decide_all(void **state)
{
    (void)state;
    printf("%-38s %9s %9s %9s %10s %9s\n", "family", "pairs", "meeting", "C2 pairs", "undecided",
           "disagree");
    for (int family = 0; family < TRI_FAMILY_COUNT; family++) {
        decide_family((tri_family)family);
        print_row(tri_family_name((tri_family)family), &by_family[family]);
        tri_tally_add(&total, &by_family[family]);
    }
    print_row("total", &total);
    printf("\n%zu of them were given to the slow oracle too\n", total.slow_count);
    for (int way = 0; way < TRI_WAY_COUNT; way++)
        printf("%9zu disagreements: %s\n", total.wrong[way], tri_way_name((tri_way)way));
    return 0;
}

static void a_million_pairs_were_decided(void **state)
{
    (void)state;
    assert_true(total.pair_count >= 1000000);
}

static void the_oracle_agrees_with_its_slow_twin(void **state)
{
    (void)state;
    assert_true(total.slow_count >= 10000);
    assert_int_equal(total.wrong[TRI_WAY_ORACLE], 0);
}

static void triangles_meet_exactly_when_the_oracle_says_so(void **state)
{
    (void)state;
    assert_int_equal(total.wrong[TRI_WAY_MEET], 0);
}

static void many_at_once_is_the_same_as_one_by_one(void **state)
{
    (void)state;
    assert_int_equal(total.wrong[TRI_WAY_MANY], 0);
}

static void neighbours_are_a_pair_only_beyond_what_they_share(void **state)
{
    (void)state;
    assert_int_equal(total.wrong[TRI_WAY_PAIR], 0);
    assert_int_equal(total.wrong[TRI_WAY_ORDER], 0);
    assert_int_equal(total.wrong[TRI_WAY_LANE], 0);
}

static void wide_filters_never_err(void **state)
{
    (void)state;
    assert_int_equal(total.wrong[TRI_WAY_FILTER], 0);
}

static void kernels_say_the_same_bit_for_bit(void **state)
{
    (void)state;
    assert_int_equal(total.wrong[TRI_WAY_KERNELS], 0);
}

/* Else the million would not test the exact arithmetic behind the filters. */
static void a_tenth_of_the_pairs_is_too_hard_for_the_filters(void **state)
{
    (void)state;
    assert_true(total.undecided_count * 10 >= total.pair_count);
}

static void every_family_has_both_answers(void **state)
{
    (void)state;
    for (int family = 0; family < TRI_FAMILY_COUNT; family++) {
        const tri_tally *tally = &by_family[family];
        assert_true(tally->meet_count > 0);
        assert_int_equal(tally->meet_count < tally->pair_count,
                         tri_family_can_miss((tri_family)family));
        assert_true(tally->neighbour_count > 0);
        if (family != TRI_FAMILY_ALL_SHARED)
            assert_true(tally->neighbour_count < tally->pair_count);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_million_pairs_were_decided),
    cmocka_unit_test(the_oracle_agrees_with_its_slow_twin),
    cmocka_unit_test(triangles_meet_exactly_when_the_oracle_says_so),
    cmocka_unit_test(many_at_once_is_the_same_as_one_by_one),
    cmocka_unit_test(neighbours_are_a_pair_only_beyond_what_they_share),
    cmocka_unit_test(wide_filters_never_err),
    cmocka_unit_test(kernels_say_the_same_bit_for_bit),
    cmocka_unit_test(a_tenth_of_the_pairs_is_too_hard_for_the_filters),
    cmocka_unit_test(every_family_has_both_answers),
};

TEST_GROUP_WITH(tri_tri_oracle_slow, tests, decide_all, NULL);
