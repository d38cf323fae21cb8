/* Back-off: how long it waits, and after what. */
#include "base/backoff.h"
#include "support/test.h"

/* How many steps it takes until a try is due. */
static uint32_t steps_until_due(wi_backoff *b)
{
    uint32_t steps = 0;
    while (!wi_backoff_is_due(b)) {
        const bool is_due = wi_backoff_step(b);
        assert_true(is_due == wi_backoff_is_due(b));
        steps++;
    }
    return steps;
}

static void the_first_try_is_due_at_once(void **state)
{
    (void)state;
    wi_backoff b = {0};
    assert_true(wi_backoff_is_due(&b));
    assert_true(wi_backoff_step(&b)); /* steps of one that is due leave it due */
    assert_int_equal(b.wait, 0);
}

static void every_failure_in_a_row_doubles_the_wait_up_to_a_limit(void **state)
{
    (void)state;
    static const uint32_t waits[] = {16, 32, 64, 128, 256, 512, 1024, 1024, 1024};
    wi_backoff b = {0};
    for (size_t i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        wi_backoff_failed(&b, 16);
        assert_int_equal(steps_until_due(&b), waits[i]);
    }
    assert_int_equal(b.failures, WI_MOST_DOUBLINGS);
}

static void a_success_makes_the_next_failure_the_first(void **state)
{
    (void)state;
    wi_backoff b = {0};
    for (int i = 0; i < 3; i++) wi_backoff_failed(&b, 8);
    wi_backoff_succeeded(&b);
    assert_int_equal(b.wait, 32); /* the wait that has begun goes on */
    assert_int_equal(steps_until_due(&b), 32);
    wi_backoff_failed(&b, 8);
    assert_int_equal(steps_until_due(&b), 8);
}

static void waiting_alone_is_no_failure(void **state)
{
    (void)state;
    wi_backoff b = {0};
    for (int i = 0; i < 3; i++) {
        wi_backoff_wait(&b, 8);
        assert_int_equal(steps_until_due(&b), 8);
    }
    wi_backoff_count_failure(&b);
    assert_true(wi_backoff_is_due(&b)); /* counting alone does not wait */
    assert_int_equal(wi_backoff_doubled(&b, 5), 10);
    wi_backoff_wait(&b, 8);
    assert_int_equal(steps_until_due(&b), 16);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_first_try_is_due_at_once),
    cmocka_unit_test(every_failure_in_a_row_doubles_the_wait_up_to_a_limit),
    cmocka_unit_test(a_success_makes_the_next_failure_the_first),
    cmocka_unit_test(waiting_alone_is_no_failure),
};

TEST_GROUP(backoff, tests);
