/* Templates of result pages: tags are filled in, sections are written as often as they say, and
 * lines that only have a tag leave nothing behind. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "support/test.h"

#include "bench/pages/template.c"

typedef struct list {
    uint32_t count, at;
} list;

static void write_at(FILE *file, void *context, const char *argument)
{
    fprintf(file, "%u%s", ((list *)context)->at, argument);
}

static bool next_item(void *context, const char *argument, uint32_t round)
{
    list *l = context;
    (void)argument;
    l->at = round;
    return round < l->count;
}

static bool is_named(void *context, const char *argument, uint32_t round)
{
    char word[PAGE_ARGUMENT_MAX];
    (void)context;
    while (round == 0 && page_next_alternative(&argument, word)) {
        if (strcmp(word, "named it") == 0) return true;
    }
    return false;
}

static const page_tag tags[] = {
    {"at", write_at, NULL}, {"items", NULL, next_item}, {"if", NULL, is_named}, {NULL, NULL, NULL}};

static void check(const char *text, uint32_t count, const char *wanted)
{
    char *got = NULL;
    size_t size;
    list l = {.count = count};
    FILE *file = open_memstream(&got, &size);
    assert_non_null(file);
    page_write(file, text, tags, &l);
    fclose(file);
    assert_string_equal(got, wanted);
    free(got);
}

static void values_take_arguments(void **state)
{
    (void)state;
    check("a {{at}} b {{at th}}\n", 1, "a 0 b 0th\n");
}

static void sections_repeat_and_lines_of_tags_vanish(void **state)
{
    (void)state;
    const char text[] = "head\n{{#items}}\n- {{at}}\n{{/items}}\nfoot\n";
    check(text, 0, "head\nfoot\n");
    check(text, 2, "head\n- 0\n- 1\nfoot\n");
    check("|{{#items}} {{at}} |{{/items}}\n", 3, "| 0 | 1 | 2 |\n");
}

static void sections_nest_in_sections_of_their_name(void **state)
{
    (void)state;
    check("{{#if named it}}\na\n{{#if other}}\nb\n{{/if}}\nc\n{{/if}}\nd\n", 0, "a\nc\nd\n");
    check("{{#if other}}\na\n{{#if named it}}\nb\n{{/if}}\nc\n{{/if}}\nd\n", 0, "d\n");
}

static void one_alternative_is_enough(void **state)
{
    (void)state;
    check("{{#if other or named it or third}}yes{{/if}}", 0, "yes");
    check("{{#if other or third}}yes{{/if}}", 0, "");
}

static void unknown_tags_stay_visible(void **state)
{
    (void)state;
    check("a {{nobody}} b {{#nothing}}c\n", 0, "a {{nobody}} b {{#nothing}}c\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(values_take_arguments),
    cmocka_unit_test(sections_repeat_and_lines_of_tags_vanish),
    cmocka_unit_test(sections_nest_in_sections_of_their_name),
    cmocka_unit_test(one_alternative_is_enough),
    cmocka_unit_test(unknown_tags_stay_visible),
};

TEST_GROUP(template, tests);
