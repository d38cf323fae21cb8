/* What the fuzzers begin with, and all that they have found, played again without them. */
#include <dirent.h>
#include <stdlib.h>
#include "support/plan_script.h"
#include "support/test.h"

enum { LONGEST = 1 << 16 };

/* The folder of a corpus, beside this file. */
static void find_folder(char *path, size_t size, const char *name)
{
    const char *end = strrchr(__FILE__, '/');
    (void)snprintf(path, size, "%.*s/corpus/%s", (int)(end - __FILE__), __FILE__, name);
}

static size_t read_case(const char *folder, const char *name, uint8_t *bytes)
{
    char path[1400];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is not there", path);
    const size_t size = fread(bytes, 1, LONGEST, file);
    (void)fclose(file);
    return size;
}

static void plans_of_the_corpus_give_the_right_answers(void **state)
{
    (void)state;
    char folder[1000];
    plan_tally tally = {0};
    uint8_t *bytes = malloc(LONGEST);
    find_folder(folder, sizeof folder, "plans");
    DIR *dir = opendir(folder);
    if (dir == NULL) fail_msg("%s is not there", folder);
    for (const struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (entry->d_name[0] == '.') continue;
        choices c = choices_of_bytes(bytes, read_case(folder, entry->d_name, bytes));
        const char *wrong = plan_script_run(&c, 2, 8, 16, &tally);
        if (wrong) fail_msg("%s: %s", entry->d_name, wrong);
    }
    (void)closedir(dir);
    free(bytes);
    print_message("%zu scripts, %zu updates, %zu pairs, %zu events\n", tally.scripts, tally.updates,
                  tally.pairs, tally.events);
    assert_true(tally.scripts > 0 && tally.pairs > 0 && tally.events > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_of_the_corpus_give_the_right_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
