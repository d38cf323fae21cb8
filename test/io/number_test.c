/* Numbers in text: the same bits as the C library's, and never beyond the end. */
#include "io/number.h"

#include <math.h>
#include <stdlib.h>
#include "support/test.h"

/* Bit by bit, and both refuse what is too large. */
static void check_number(const char *text)
{
    const char *end = text + strlen(text);
    float rounded = 7;
    double number = 7;
    const float expected = strtof(text, NULL);
    const double expected64 = strtod(text, NULL);
    const char *behind = number_read_float(text, end, &rounded);
    if (isfinite(expected) ? behind != end || memcmp(&rounded, &expected, sizeof expected) != 0
                           : behind != NULL)
        fail_msg("%s is %a and not %a", text, (double)expected, (double)rounded);
    behind = number_read_double(text, end, &number);
    if (isfinite(expected64) ? behind != end || memcmp(&number, &expected64, sizeof expected64) != 0
                             : behind != NULL)
        fail_msg("%s is %a and not %a", text, expected64, number);
}

static void numbers_are_rounded_as_the_c_library_rounds(void **state)
{
    (void)state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "+0.0",
                                        "00000000000000000000000000000",
                                        "1",
                                        "-1.",
                                        ".5",
                                        "+.5e1",
                                        "1e0",
                                        "1E+5",
                                        "0.1",
                                        "16777217",
                                        "16777219",
                                        "9007199254740993",
                                        "18446744073709551616",
                                        "1e22",
                                        "1e23",
                                        "1e-22",
                                        "1e-23",
                                        "3.4028235e38",
                                        "3.4028236e38",
                                        "3.40282357e38",
                                        "1e38",
                                        "1e39",
                                        "1e308",
                                        "1e309",
                                        "1e99999999999999999999",
                                        "1e-99999999999999999999",
                                        "1.17549435e-38",
                                        "1e-38",
                                        "1e-45",
                                        "7e-46",
                                        "7.006492321624085e-46",
                                        "1e-46",
                                        "2.4703282292062327e-324",
                                        "1e-400",
                                        "0.000000000000000000000000000000000000000000000000000001",
                                        "123456789012345678901234567890",
                                        "1.00000005960464477539062500000000001",
                                        "1.000000059604644775390625",
                                        "1.00000005960464477539062499999999999",
                                        "0.999999970197677612304687500000000000000000000000000001",
                                        "4294967296.5",
                                        "99999999999999999999e-10",
                                        "8388608.5",
                                        "8388609.5"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_number(texts[i]);
}

/* Floats, points between two of them with any number of digits, and what files have. */
static void random_numbers_are_rounded_as_the_c_library_rounds(void **state)
{
    (void)state;
    uint64_t random = 24;
    char text[400];
    const uint64_t count = test_seeds(200000);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t bits = (uint32_t)test_random(&random);
        const int digits = (int)(test_random(&random) % 40);
        float number;
        memcpy(&number, &bits, sizeof number);
        if (!isfinite(number) || !isfinite(nextafterf(number, INFINITY))) continue;
        const double middle = ((double)number + (double)nextafterf(number, INFINITY)) / 2;
        switch (i % 5) {
        case 0: (void)snprintf(text, sizeof text, "%.9g", (double)number); break;
        case 1: (void)snprintf(text, sizeof text, "%.*e", digits, middle); break;
        case 2: (void)snprintf(text, sizeof text, "%.17g", middle * 1.0000000001); break;
        case 3:
            (void)snprintf(text, sizeof text, "%.*f", digits, fmod((double)number, 1000));
            break;
        default:
            (void)snprintf(text, sizeof text, "%d.%0*de%d", digits, 1 + digits, (int)(bits >> 8),
                           (int)(bits % 80) - 40);
        }
        check_number(text);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "-",    "+",  ".",  "-.",  "e5",  "nan",
                                        "inf", "-inf", "x1", " 1", "--1", "+-1", "infinity"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        float number = 7;
        int64_t integer = 7;
        const char *end = texts[i] + strlen(texts[i]);
        assert_null(number_read_float(texts[i], end, &number));
        assert_null(number_read_integer(texts[i], end, &integer));
        assert_true(number == 7 && integer == 7);
    }
    /* Longer than anyone means, where only all of its digits could decide. */
    static char tie[700];
    (void)snprintf(tie, sizeof tie, "1.000000059604644775390625%0600d", 1);
    float number;
    assert_null(number_read_float(tie, tie + strlen(tie), &number));
}

static void nothing_is_read_beyond_the_end(void **state)
{
    (void)state;
    static const char text[] = "12.5e3";
    static const float expected[] = {1, 12, 12, 12.5F, 12.5F, 12500};
    for (size_t length = 1; length <= 6; length++) {
        char *copy = malloc(length); /* so that sanitizers see what follows */
        float number;
        memcpy(copy, text, length);
        const char *behind = number_read_float(copy, copy + length, &number);
        assert_true(number == expected[length - 1]);
        assert_int_equal(behind - copy, length == 5 ? 4 : length);
        free(copy);
    }
}

static void integers_are_read_up_to_what_fits(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
        int length; /* 0: refused */
    } cases[] = {{"12", 12, 2},
                 {"-3/4", -3, 2},
                 {"+0005 ", 5, 5},
                 {"1.5", 1, 1},
                 {"922337203685477580", INT64_C(922337203685477580), 18},
                 {"99999999999999999999", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t value = 0;
        const char *text = cases[i].text;
        const char *behind = number_read_integer(text, text + strlen(text), &value);
        assert_int_equal(value, cases[i].value);
        assert_int_equal(behind == NULL ? 0 : behind - text, cases[i].length);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(numbers_are_rounded_as_the_c_library_rounds),
    cmocka_unit_test(random_numbers_are_rounded_as_the_c_library_rounds),
    cmocka_unit_test(what_is_no_number_is_refused),
    cmocka_unit_test(nothing_is_read_beyond_the_end),
    cmocka_unit_test(integers_are_read_up_to_what_fits),
};

TEST_GROUP(number, tests);
