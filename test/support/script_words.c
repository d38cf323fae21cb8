/* script_words.c - keeps the words. */
#include "support/script_words.h"

#include <stdio.h>
#include <string.h>

static char words[512];

void script_words_clear(void) { words[0] = '\0'; }

const char *script_words(bool is_right) { return is_right && words[0] == '\0' ? NULL : words; }

void script_words_add(const char *where)
{
    strncat(words, where, sizeof words - strlen(words) - 1);
}

bool script_fail(const char *name, const char *what)
{
    if (words[0] != '\0') return false;
    if (name == NULL)
        (void)snprintf(words, sizeof words, "%s", what);
    else
        (void)snprintf(words, sizeof words, "world \"%s\": %s", name, what);
    return false;
}

bool script_check(const char *name, const willow_world *world, willow_result result,
                  const char *call)
{
    char reason[400];
    if (result == WILLOW_OK) return true;
    (void)snprintf(reason, sizeof reason, "%s says %s: %s", call, willow_result_name(result),
                   willow_world_message(world));
    return script_fail(name, reason);
}
