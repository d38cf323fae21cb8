/* The event queue against a plain array of times: order, ties, room, counts. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include "base/containers/event_queue.h"
#include "support/test.h"
#include "support/test_allocator.h"

/* A queue, and the same events by slot. */
typedef struct site {
    test_allocator allocator;
    wi_memory memory;
    wi_event_queue queue;
    uint32_t slot_count, count;
    uint32_t *ranks;
    double *times; /* infinite: no event */
    uint64_t operations;
} site;

static void open_site(site *s, uint32_t slot_count)
{
    memset(s, 0, sizeof *s);
    const willow_allocator functions = test_allocator_functions(&s->allocator);
    wi_memory_init(&s->memory, &functions);
    s->slot_count = slot_count;
    s->times = malloc(slot_count * sizeof *s->times);
    s->ranks = malloc((slot_count / WI_QUEUE_GROUP + 1) * sizeof *s->ranks);
    assert_true(s->times != NULL && s->ranks != NULL);
    for (uint32_t slot = 0; slot < slot_count; slot++) s->times[slot] = (double)INFINITY;
    /* some groups share a rank */
    for (uint32_t i = 0; i <= slot_count / WI_QUEUE_GROUP; i++) s->ranks[i] = i * 7919U % 101U;
    assert_true(wi_queue_make(&s->memory, &s->queue, slot_count, s->ranks));
}

static void close_site(site *s)
{
    assert_true(wi_queue_bytes(&s->queue) == atomic_load(&s->memory.bytes));
    wi_queue_free(&s->memory, &s->queue);
    assert_true(test_allocator_is_clean(&s->allocator));
    free(s->times);
    free(s->ranks);
}

static void check(const site *s)
{
    const char *broken = wi_queue_validate(&s->queue);
    if (broken) fail_msg("%s", broken);
    assert_int_equal(s->queue.count, s->count);
    assert_int_equal(s->queue.operations, s->operations);
}

static bool has(const site *s, uint32_t slot) { return isfinite(s->times[slot]); }

static void set(site *s, uint32_t slot, double time)
{
    assert_true(wi_queue_reserve(&s->memory, &s->queue, 1));
    wi_queue_set(&s->queue, slot, time);
    s->count += !has(s, slot);
    s->operations++;
    s->times[slot] = time;
}

static void drop(site *s, uint32_t slot)
{
    assert_true(has(s, slot));
    s->times[slot] = (double)INFINITY;
    s->count--;
    s->operations++;
}

static void remove_one(site *s, uint32_t slot)
{
    assert_true(wi_queue_has(&s->queue, slot) == has(s, slot));
    assert_true(wi_queue_time(&s->queue, slot) == s->times[slot]);
    wi_queue_remove(&s->queue, slot);
    if (has(s, slot)) drop(s, slot);
}

static bool comes_before(const site *s, uint32_t a, uint32_t b)
{
    const uint32_t rank_a = s->ranks[a / WI_QUEUE_GROUP], rank_b = s->ranks[b / WI_QUEUE_GROUP];
    if (s->times[a] != s->times[b]) return s->times[a] < s->times[b];
    return rank_a != rank_b ? rank_a < rank_b : a < b;
}

/* The slot that has to come out, or slot_count. */
static uint32_t first_due(const site *s, double until)
{
    uint32_t first = s->slot_count;
    for (uint32_t slot = 0; slot < s->slot_count; slot++)
        if (has(s, slot) && s->times[slot] <= until &&
            (first == s->slot_count || comes_before(s, slot, first)))
            first = slot;
    return first;
}

static bool take(site *s, double until)
{
    const uint32_t expected = first_due(s, until);
    wi_event event;
    const bool is_taken = wi_queue_take(&s->queue, until, &event);
    assert_true(is_taken == (expected < s->slot_count));
    if (!is_taken) return false;
    assert_int_equal(event.slot, expected);
    assert_true(event.time == s->times[expected]);
    drop(s, expected);
    return true;
}

static uint32_t take_any_until(site *s, double until)
{
    wi_event event;
    uint32_t taken = 0;
    for (; wi_queue_take_any(&s->queue, until, &event); taken++) {
        assert_true(event.time == s->times[event.slot] && event.time <= until);
        drop(s, event.slot);
        check(s);
    }
    assert_int_equal(first_due(s, until), s->slot_count);
    return taken;
}

/* Takes all out, in order; how many. */
static uint32_t drain(site *s)
{
    uint32_t taken = 0;
    while (take(s, (double)INFINITY)) taken++;
    check(s);
    assert_int_equal(s->count, 0);
    return taken;
}

/* ---- times ---- */

/* After `now`, from this sequence. */
typedef double (*next_time)(uint64_t *random, double now);

static double soon(uint64_t *random, double now)
{
    return now + test_random_between(random, 0.0, 1.0);
}

static double mostly_very_late(uint64_t *random, double now)
{
    return now + 0.01 / (test_random_between(random, 0.0, 1.0) + 1e-12);
}

static double on_a_coarse_grid(uint64_t *random, double now)
{
    return floor(now) + (double)(test_random(random) % 4);
}

static double of_any_size(uint64_t *random, double now)
{
    static const double sizes[] = {1e-300, 1e-9, 1.0, 1e9, 1e300, DBL_MAX, 0x1p-1074, 0.0};
    const double size = sizes[test_random(random) % 8], part = test_random_between(random, 0, 1);
    const double time = size == 0x1p-1074 ? size : size * part;
    (void)now;
    return test_random(random) % 2 == 0 ? -time : time;
}

/* ---- random operations ---- */

static void change_some(site *s, uint64_t *random, next_time next, double now)
{
    const uint32_t slot = (uint32_t)(test_random(random) % s->slot_count);
    if (test_random(random) % 4 == 0)
        remove_one(s, slot);
    else
        set(s, slot, next(random, now));
    check(s);
}

/* A few changes, then what is due: by turns in order and in any order. */
static void check_random(uint32_t slot_count, next_time next, uint64_t random)
{
    site s;
    uint32_t taken[2] = {0};
    open_site(&s, slot_count);
    double now = 0.0;
    for (uint32_t round = 0; round < 150; round++) {
        const uint64_t changes = test_random(&random) % (round % 20 == 0 ? slot_count : 8);
        for (uint64_t i = 0; i < changes; i++) change_some(&s, &random, next, now);
        now = next == of_any_size ? of_any_size(&random, now) : now + 0.05;
        if (round % 2 == 0)
            taken[0] += take_any_until(&s, now);
        else
            for (; take(&s, now); taken[1]++) check(&s);
        check(&s);
        if (round % 50 == 49) {
            wi_queue_clear(&s.queue);
            for (uint32_t slot = 0; slot < slot_count; slot++) s.times[slot] = (double)INFINITY;
            s.count = 0;
            check(&s);
        }
    }
    assert_true(taken[0] > 0 && taken[1] > 0);
    close_site(&s);
}

static void random_operations_are_those_of_a_plain_array(void **state)
{
    (void)state;
    static const next_time ways[] = {soon, mostly_very_late, on_a_coarse_grid, of_any_size};
    for (uint64_t seed = 0; seed < 4; seed++)
        for (size_t way = 0; way < 4; way++) {
            check_random(20, ways[way], seed);
            check_random(300, ways[way], seed + 100);
        }
}

static void every_small_count_comes_out_in_order(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (uint32_t count = 1; count <= 150; count++) {
        site s;
        open_site(&s, count);
        for (uint32_t slot = 0; slot < count; slot++) set(&s, slot, soon(&random, 0.0));
        assert_int_equal(drain(&s), count);
        close_site(&s);
    }
}

/* ---- special times ---- */

static void equal_times_come_by_rank_and_then_by_slot(void **state)
{
    (void)state;
    site s;
    open_site(&s, 6 * 400);
    for (uint32_t i = 0; i < s.slot_count; i++) set(&s, i * 1009U % s.slot_count, 0.25);
    check(&s);
    uint32_t last = UINT32_MAX;
    wi_event event;
    for (uint32_t i = 0; i < s.slot_count; i++) {
        assert_true(wi_queue_take(&s.queue, 0.25, &event));
        assert_true(last == UINT32_MAX || comes_before(&s, last, event.slot));
        last = event.slot;
    }
    assert_int_equal(s.queue.count, 0);
    close_site(&s);
}

static void without_ranks_equal_times_come_by_slot(void **state)
{
    (void)state;
    site s;
    open_site(&s, 100);
    s.queue.ranks = NULL;
    wi_event event;
    for (uint32_t slot = 100; slot-- > 0;) set(&s, slot, -3.0);
    for (uint32_t slot = 0; slot < 100; slot++) {
        assert_true(wi_queue_take(&s.queue, -3.0, &event));
        assert_int_equal(event.slot, slot);
    }
    close_site(&s);
}

static void zeros_of_both_signs_are_equal(void **state)
{
    (void)state;
    site s;
    open_site(&s, 60);
    for (uint32_t slot = 0; slot < 60; slot++) set(&s, slot, slot % 2 == 0 ? 0.0 : -0.0);
    assert_int_equal(drain(&s), 60);
    close_site(&s);
}

static void times_one_rounding_apart_come_in_order(void **state)
{
    (void)state;
    site s;
    open_site(&s, 500);
    for (uint32_t slot = 0; slot < 500; slot++)
        set(&s, slot, 1e9 + (double)(slot * 77U % 500U) * 0x1p-23);
    assert_int_equal(drain(&s), 500);
    close_site(&s);
}

static void times_from_the_smallest_to_the_largest_come_in_order(void **state)
{
    (void)state;
    site s;
    open_site(&s, 1202);
    for (uint32_t i = 0; i <= 600; i++) {
        double time = 1e-300;
        for (uint32_t k = 0; k < i; k++) time *= 10.0;
        set(&s, i, time);
        set(&s, 1201 - i, -time);
    }
    check(&s);
    assert_int_equal(drain(&s), 1202);
    close_site(&s);
}

static void the_ends_of_double_come_in_order(void **state)
{
    (void)state;
    static const double times[] = {DBL_MAX, -DBL_MAX, 0.0, 0x1p-1074, -0x1p-1074, 1.0, -1.0};
    site s;
    open_site(&s, 7 * 60);
    for (uint32_t slot = 0; slot < s.slot_count; slot++) set(&s, slot, times[slot % 7]);
    check(&s);
    assert_false(take(&s, -(double)INFINITY));
    assert_int_equal(drain(&s), 7 * 60);
    close_site(&s);
}

/* The lists were made for others. */
static void events_before_all_others_come_first(void **state)
{
    (void)state;
    site s;
    open_site(&s, 600);
    for (uint32_t slot = 0; slot < 300; slot++) set(&s, slot, 10.0 + slot);
    for (int i = 0; i < 50; i++) assert_true(take(&s, 100.0));
    for (uint32_t slot = 300; slot < 600; slot++) set(&s, slot, -(double)(slot % 71));
    check(&s);
    assert_int_equal(drain(&s), 550);
    close_site(&s);
}

static void nothing_later_than_asked_for_comes_out(void **state)
{
    (void)state;
    site s;
    open_site(&s, 200);
    for (uint32_t slot = 0; slot < 200; slot++) set(&s, slot, (double)(slot / 2));
    assert_int_equal(take_any_until(&s, -0.5), 0);
    assert_int_equal(take_any_until(&s, 49.0), 100);
    assert_int_equal(take_any_until(&s, 49.75), 0);
    assert_false(take(&s, 49.75));
    assert_true(take(&s, 50.0));
    assert_int_equal(take_any_until(&s, (double)INFINITY), 99);
    close_site(&s);
}

/* ---- many ---- */

/* In the way of a kinetic tree; the lists grow and shrink. The order is compared with the last. */
static void tens_of_thousands_come_in_order_while_they_get_new_times(void **state)
{
    (void)state;
    site s;
    uint64_t random = 11, taken = 0;
    open_site(&s, 60000);
    for (uint32_t slot = 0; slot < s.slot_count; slot++) set(&s, slot, soon(&random, 0.0));
    check(&s);
    for (double until = 0.02; until < 2.0; until += 0.02) {
        wi_event event, last = {-1.0, 0};
        for (; wi_queue_take(&s.queue, until, &event); taken++) {
            assert_true(event.time == s.times[event.slot] && event.time >= last.time);
            if (event.time == last.time) assert_true(comes_before(&s, last.slot, event.slot));
            last = event;
            drop(&s, event.slot);
            if (taken % 3 != 0) set(&s, event.slot, event.time + mostly_very_late(&random, 0.0));
        }
        check(&s);
        for (uint32_t slot = 0; slot < s.slot_count; slot++) assert_true(s.times[slot] > until);
    }
    assert_true(taken > 100000);
    close_site(&s);
}

/* ---- memory ---- */

static void nothing_is_allocated_where_there_is_room(void **state)
{
    (void)state;
    site s;
    uint64_t random = 3;
    open_site(&s, 900);
    assert_true(wi_queue_reserve(&s.memory, &s.queue, 900));
    s.allocator.fails_from_now_on = true;
    const size_t calls = atomic_load(&s.allocator.calls);
    for (int round = 0; round < 5; round++) {
        for (uint32_t slot = 0; slot < 900; slot++) set(&s, slot, mostly_very_late(&random, 0.0));
        for (uint32_t slot = 0; slot < 900; slot += 3) remove_one(&s, slot);
        assert_int_equal(drain(&s), 600);
    }
    assert_true(atomic_load(&s.allocator.calls) == calls);
    close_site(&s);
}

/* The n-th allocation fails, for every n; the queue then is as it was, and goes on. */
static void a_failed_reserve_leaves_the_queue_as_it_was(void **state)
{
    (void)state;
    size_t failures = 0;
    for (size_t n = 2; n <= 40; n++) {
        site s;
        uint64_t random = n;
        open_site(&s, 300);
        s.allocator.fail_at = n;
        for (uint32_t slot = 0; slot < 300; slot++) {
            if (!wi_queue_reserve(&s.memory, &s.queue, 1)) {
                failures++;
                check(&s);
                assert_true(wi_queue_bytes(&s.queue) == atomic_load(&s.memory.bytes));
            }
            set(&s, slot, soon(&random, 0.0));
            if (slot % 50 == 49) assert_true(take(&s, (double)INFINITY));
        }
        check(&s);
        drain(&s);
        close_site(&s);
    }
    assert_true(failures > 20);
}

static void a_queue_for_which_there_is_no_memory_is_none(void **state)
{
    (void)state;
    test_allocator allocator = {.fail_at = 1};
    const willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_event_queue queue;
    wi_event event;
    wi_memory_init(&memory, &functions);
    assert_false(wi_queue_make(&memory, &queue, 12, NULL));
    assert_true(wi_queue_bytes(&queue) == 0);
    assert_true(wi_queue_make(&memory, &queue, 0, NULL));
    assert_true(wi_queue_reserve(&memory, &queue, 5));
    assert_false(wi_queue_take(&queue, 1.0, &event) || wi_queue_take_any(&queue, 1.0, &event));
    wi_queue_clear(&queue);
    assert_null(wi_queue_validate(&queue));
    wi_queue_free(&memory, &queue);
    assert_true(test_allocator_is_clean(&allocator));
}

/* Events stay where they are, in order; new slots have none. */
static void a_queue_is_widened_with_its_events(void **state)
{
    (void)state;
    test_allocator allocator = {0};
    const willow_allocator functions = test_allocator_functions(&allocator);
    wi_memory memory;
    wi_event_queue queue = {0};
    wi_event event;
    wi_memory_init(&memory, &functions);
    assert_true(wi_queue_widen(&memory, &queue, 4)); /* it was none */
    for (uint32_t slots = 4; slots <= 1024; slots *= 2) {
        assert_true(wi_queue_widen(&memory, &queue, slots));
        assert_true(wi_queue_widen(&memory, &queue, slots / 2)); /* nothing to do */
        assert_int_equal(queue.slot_count, slots);
        assert_true(wi_queue_reserve(&memory, &queue, slots - queue.count));
        for (uint32_t slot = queue.count; slot < slots; slot++) {
            assert_false(wi_queue_has(&queue, slot));
            wi_queue_set(&queue, slot, (double)(slot * 7919U % 257U));
        }
        assert_null(wi_queue_validate(&queue));
    }
    assert_true(wi_queue_bytes(&queue) == atomic_load(&memory.bytes));
    allocator.fails_from_now_on = true;
    assert_false(wi_queue_widen(&memory, &queue, 2048));
    allocator.fails_from_now_on = false;
    assert_null(wi_queue_validate(&queue));
    assert_int_equal(queue.slot_count, 1024);
    wi_event last = {-1.0, 0};
    uint32_t taken = 0;
    for (; wi_queue_take(&queue, 1e9, &event); taken++) {
        assert_true(event.time == (double)(event.slot * 7919U % 257U));
        assert_true(event.time > last.time || (event.time == last.time && event.slot > last.slot));
        last = event;
    }
    assert_int_equal(taken, 1024);
    wi_queue_free(&memory, &queue);
    assert_true(test_allocator_is_clean(&allocator));
}

/* ---- the validator ---- */

static void the_validator_sees_what_is_broken(void **state)
{
    (void)state;
    site s;
    open_site(&s, 200);
    for (uint32_t slot = 0; slot < 200; slot++) set(&s, slot, (double)(slot % 50));
    assert_true(take(&s, 0.0));
    wi_event_queue *q = &s.queue;
    assert_true(q->near_count > 1 && q->at < q->far);
    wi_event_cell *near = &q->cells[q->near[1]], *listed = &q->cells[q->lists[q->far]];
    assert_null(wi_queue_validate(q));

    q->where[near->slot]++;
    assert_non_null(strstr(wi_queue_validate(q), "Q1"));
    q->where[near->slot]--;
    listed->time -= 40.0;
    assert_non_null(strstr(wi_queue_validate(q), "Q2"));
    listed->time += 40.0;
    near->previous++;
    assert_non_null(strstr(wi_queue_validate(q), "Q3"));
    near->previous--;
    near->time -= 1.0;
    assert_non_null(strstr(wi_queue_validate(q), "Q4"));
    near->time += 1.0;
    listed->previous = 7;
    assert_non_null(strstr(wi_queue_validate(q), "Q5"));
    listed->previous = UINT32_MAX;
    q->count++;
    assert_non_null(strstr(wi_queue_validate(q), "Q6"));
    q->count--;
    assert_null(wi_queue_validate(q));
    close_site(&s);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(random_operations_are_those_of_a_plain_array),
    cmocka_unit_test(every_small_count_comes_out_in_order),
    cmocka_unit_test(equal_times_come_by_rank_and_then_by_slot),
    cmocka_unit_test(without_ranks_equal_times_come_by_slot),
    cmocka_unit_test(zeros_of_both_signs_are_equal),
    cmocka_unit_test(times_one_rounding_apart_come_in_order),
    cmocka_unit_test(times_from_the_smallest_to_the_largest_come_in_order),
    cmocka_unit_test(the_ends_of_double_come_in_order),
    cmocka_unit_test(events_before_all_others_come_first),
    cmocka_unit_test(nothing_later_than_asked_for_comes_out),
    cmocka_unit_test(tens_of_thousands_come_in_order_while_they_get_new_times),
    cmocka_unit_test(nothing_is_allocated_where_there_is_room),
    cmocka_unit_test(a_failed_reserve_leaves_the_queue_as_it_was),
    cmocka_unit_test(a_queue_for_which_there_is_no_memory_is_none),
    cmocka_unit_test(a_queue_is_widened_with_its_events),
    cmocka_unit_test(the_validator_sees_what_is_broken),
};

TEST_GROUP(event_queue, tests);
