/* scene_keys.h - the numbers that a scene takes, as a list: for help and for completion. */
#ifndef CLI_SCENE_KEYS_H
#define CLI_SCENE_KEYS_H

#include "scenes/scenes.h"

typedef struct scene_key {
    const char *name, *what;
    uint32_t usual, lowest, highest;
} scene_key;

enum {
#define SCENE_NUMBER_ENTRY(key, what) +1
    SCENE_KEY_MAX = 0 SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
};

/* Fills `keys` with those that the scene takes; how many. */
int scene_keys(const scene_kind *kind, scene_key keys[SCENE_KEY_MAX]);

/* The first word of a list that is separated by spaces, in `word`; where the next one begins, or
 * NULL if there was none. */
const char *next_variant(const char *list, char word[SCENE_VARIANT_MAX]);

#endif
