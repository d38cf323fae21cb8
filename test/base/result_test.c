/* The version, and results in words. */
#include "support/test.h"
#include "willow/base.h"

static void the_version_is_one_number(void **state)
{
    (void)state;
    assert_int_equal(willow_version(), WILLOW_VERSION_MAJOR * 10000 + WILLOW_VERSION_MINOR * 100 +
                                           WILLOW_VERSION_PATCH);
}

static void every_result_has_its_words(void **state)
{
    (void)state;
#define CHECK_WORDS(name, value, words)                                                            \
    assert_string_equal(willow_result_name(WILLOW_##name), words);
    WILLOW_RESULTS(CHECK_WORDS)
#undef CHECK_WORDS
    assert_string_equal(willow_result_name(WILLOW_OK), "ok");
}

static void other_numbers_are_unknown(void **state)
{
    (void)state;
    int other = -1000;
    assert_string_equal(willow_result_name((willow_result)other), "unknown result");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_version_is_one_number),
    cmocka_unit_test(every_result_has_its_words),
    cmocka_unit_test(other_numbers_are_unknown),
};

TEST_GROUP(result, tests);
