/* group_main.c - the main() of test_<room>, which runs the groups of the room's files.
 *
 *     test_tree                          all of them
 *     test_tree builders                 those of test/tree/builders_test.c, as tree/builders does
 *     test_tree builders '*_exactly_*'   those of its tests whose names match
 *     test_query --slow oracle           the slow rows of its tables
 *     test_tree --list                   the names of the groups
 *
 * CMake includes it in a file that defines TEST_GROUPS from the names of the room's files:
 * GROUP(build_median) GROUP(builders) ... */
#include "support/test.h"

#define GROUP(name) int test_group_##name(void);
TEST_GROUPS
#undef GROUP

typedef struct test_group {
    const char *name;
    int (*run)(void);
} test_group;

#define GROUP(name) {#name, test_group_##name},
static const test_group groups[] = {TEST_GROUPS};
#undef GROUP

enum { GROUPS = sizeof groups / sizeof groups[0] };

/* Runs the group of that name, or all without a name; -1 if there is none of that name. */
static int run_groups(const char *name)
{
    int failures = 0, ran = 0, skipped = 0;
    for (int i = 0; i < GROUPS; i++) {
        if (name != NULL && strcmp(groups[i].name, name) != 0) continue;
        int result = groups[i].run();
        ran++;
        if (result == TEST_GROUP_SKIPPED)
            skipped++;
        else
            failures += result != 0;
    }
    if (ran == 0) return -1;
    return skipped == ran ? TEST_GROUP_SKIPPED : failures;
}

static void list_groups(void)
{
    for (int i = 0; i < GROUPS; i++) puts(groups[i].name);
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *const *words = (const char *const *)argv + 1;
    if (*words != NULL && strcmp(*words, "--list") == 0) {
        list_groups();
        return 0;
    }
    if (*words != NULL && strcmp(*words, "--slow") == 0) {
        test_set_slow(true);
        words++;
    }
    const char *name = *words;
    if (name != NULL && words[1] != NULL) cmocka_set_test_filter(words[1]);
    int result = run_groups(name);
    if (result < 0) fprintf(stderr, "%s has no group %s; --list names them\n", argv[0], name);
    return result < 0 ? 2 : result;
}
