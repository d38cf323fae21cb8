/* Many worlds and many bodies. In the slow rows as many worlds as have numbers of their own. */
#include "support/fixture.h"
#include "support/scale_cases.h"
#include "support/test.h"
#include "willow/willow.h"

/* Checked builds walk the list of free ids whenever a body goes. */
#if defined(WILLOW_CHECKED)
enum { MOST_BODIES = 20000 };
#else
enum { MOST_BODIES = 100000 };
#endif

static const uint32_t in_a_row[] = {1000, 10000}, at_once[] = {300, 1000}, apart[] = {5000, 65534},
                      bodies[] = {3000, MOST_BODIES};

static void worlds_come_and_go(void **state)
{
    (void)state;
    scale_worlds_in_a_row(in_a_row[test_is_slow()]);
}

static void many_worlds_live_side_by_side(void **state)
{
    (void)state;
    scale_worlds_at_once(at_once[test_is_slow()]);
}

static void no_world_takes_the_bodies_of_the_next_thousands(void **state)
{
    (void)state;
    scale_worlds_apart(apart[test_is_slow()]);
}

static void thousands_of_bodies_meet_move_and_go(void **state)
{
    (void)state;
    scale_bodies(bodies[test_is_slow()], 2);
}

/* A slot that has had so many bodies that its generations are used up is left alone. */
static void a_slot_that_is_used_up_is_not_used_again(void **state)
{
    (void)state;
    willow_body_def empty = willow_body_def_default();
    willow_body_id id = {0}, last;
    uint32_t uses = 0;
    willow_world *world = fixture_world(NULL);
    for (;; uses++) {
        last = id;
        id = fixture_body(world, &empty);
        if (id.index1 != 1) break;
        assert_true(uses == 0 || id.generation > last.generation);
        assert_ok(willow_body_destroy(world, id));
        assert_true(uses < 100000);
    }
    print_message("%u bodies in one slot\n", uses);
    assert_int_equal(uses, 32768);
    assert_int_equal(id.index1, 2);
    for (uint32_t generation = 0; generation <= UINT16_MAX; generation++) {
        last.generation = (uint16_t)generation;
        assert_false(willow_body_is_alive(world, last));
    }
    assert_ok(willow_world_update(world, 0.0, NULL));
    assert_true(willow_world_validate(world, NULL, 0));
    assert_int_equal(willow_world_copy_bodies(world, NULL, 0), 1);
    willow_world_destroy(world);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(worlds_come_and_go),
    cmocka_unit_test(many_worlds_live_side_by_side),
    cmocka_unit_test(no_world_takes_the_bodies_of_the_next_thousands),
    cmocka_unit_test(thousands_of_bodies_meet_move_and_go),
    cmocka_unit_test(a_slot_that_is_used_up_is_not_used_again),
};

static const struct CMUnitTest slow_tests[] = {
    cmocka_unit_test(worlds_come_and_go),
    cmocka_unit_test(many_worlds_live_side_by_side),
    cmocka_unit_test(no_world_takes_the_bodies_of_the_next_thousands),
    cmocka_unit_test(thousands_of_bodies_meet_move_and_go),
};

TEST_GROUP_WITH_SLOW(scale, tests, slow_tests);
