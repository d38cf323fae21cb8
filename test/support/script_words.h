/* script_words.h - what went wrong in a script, in words: the first of it. */
#ifndef TEST_SCRIPT_WORDS_H
#define TEST_SCRIPT_WORDS_H

#include <stdbool.h>
#include "willow/world.h"

/* Nothing has gone wrong yet. */
void script_words_clear(void);

/* NULL if all went well, or the words, which stay until they are cleared. */
const char *script_words(bool is_right);

/* More about what was noted: where in the script that was. */
void script_words_add(const char *where);

/* Notes that something has, in the world of that name, or NULL if there is only one; returns false.
 */
bool script_fail(const char *name, const char *what);

/* The same if a call did not succeed. */
bool script_check(const char *name, const willow_world *world, willow_result result,
                  const char *call);

#endif
