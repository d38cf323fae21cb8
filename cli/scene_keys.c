/* scene_keys.c - the numbers of scene_params, read by the table that made them. */
#include "cli/scene_keys.h"

#include <stdio.h>
#include <string.h>

int scene_keys(const scene_kind *kind, scene_key keys[SCENE_KEY_MAX])
{
    int count = 0;
#define SCENE_NUMBER_ENTRY(key, what)                                                              \
    if (kind->highest.key != 0) {                                                                  \
        keys[count++] =                                                                            \
            (scene_key){#key, what, kind->defaults.key, kind->lowest.key, kind->highest.key};      \
    }
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
    return count;
}

const char *next_variant(const char *list, char word[SCENE_VARIANT_MAX])
{
    list += strspn(list, " ");
    size_t length = strcspn(list, " ");
    if (length == 0) return NULL;
    snprintf(word, SCENE_VARIANT_MAX, "%.*s", (int)length, list);
    return list + length;
}
