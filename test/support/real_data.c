/* real_data.c - finds the data folder and reads whole files. */
#define _POSIX_C_SOURCE 200809L
#include "support/real_data.h"

#include <stdlib.h>
#include <unistd.h>
#include "support/test.h"

/* A variable that is empty is as good as none. */
static const char *folder(void)
{
    const char *named = getenv("WILLOW_DATA");
    return named != NULL && named[0] != '\0' ? named : WILLOW_DATA;
}

void real_data_path(const char *name, char path[REAL_DATA_PATH])
{
    int length = snprintf(path, REAL_DATA_PATH, "%s/%s", folder(), name);
    if (length < 0 || length >= REAL_DATA_PATH) path[0] = '\0'; /* where nothing is */
}

bool real_data_has(const char *name)
{
    char path[REAL_DATA_PATH];
    real_data_path(name, path);
    return access(path, R_OK) == 0;
}

int real_data_skip(const char *name)
{
    printf("skipped: there is no %s in %s; WILLOW_DATA names the folder of real data\n", name,
           folder());
    return TEST_GROUP_SKIPPED;
}

char *real_data_read(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s cannot be opened", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    *size = (size_t)length;
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    if (fread(bytes, 1, *size, file) != *size) fail_msg("%s cannot be read", path);
    bytes[*size] = '\0';
    fclose(file);
    return bytes;
}
