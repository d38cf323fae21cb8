/* result.c - the version, and results in words.
 * Way in: willow_version, willow_result_name. All from the table in base.h; called when something
 * has failed. */
#include "willow/base.h"

int willow_version(void)
{
    return WILLOW_VERSION_MAJOR * 10000 + WILLOW_VERSION_MINOR * 100 + WILLOW_VERSION_PATCH;
}

const char *willow_result_name(willow_result result)
{
    switch (result) {
#define RESULT_CASE(name, value, words)                                                            \
    case WILLOW_##name: return words;
        WILLOW_RESULTS(RESULT_CASE)
#undef RESULT_CASE
    }
    return "unknown result";
}
