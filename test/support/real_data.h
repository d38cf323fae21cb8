/* real_data.h - files made by others, which tests look at where they are there.
 *
 * None of them is part of the project. They lie in the folder that the environment variable
 * WILLOW_DATA names, or else in the one that CMake's WILLOW_DATA named when the tests were built. A
 * test without its files ends with the code that ctest counts as skipped, and says what it missed:
 *
 *     if (!real_data_has("tablecloth")) return real_data_skip("tablecloth"); */
#ifndef TEST_REAL_DATA_H
#define TEST_REAL_DATA_H

#include <stdbool.h>
#include <stddef.h>

enum { REAL_DATA_PATH = 4096 };

/* The path of a file or folder below the data folder, whether it is there or not. */
void real_data_path(const char *name, char path[REAL_DATA_PATH]);
bool real_data_has(const char *name);

/* Says that this is missing, and returns TEST_GROUP_SKIPPED for the group to return. */
int real_data_skip(const char *name);

/* All bytes of any file, and a zero behind them; the caller frees them. Fails the test if it cannot
 * be read. */
char *real_data_read(const char *path, size_t *size);

#endif
