/* numbers.c - numbers as people write and read them. */
#include "bench/common/numbers.h"
#include "willow/willow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool parse_count(const char *text, uint32_t lowest, uint32_t highest, uint32_t *out)
{
    uint64_t value = 0;
    if (*text == '\0') return false;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') return false;
        value = value * 10 + (uint64_t)(*text - '0');
        if (value > highest) return false;
    }
    if (value < lowest) return false;
    *out = (uint32_t)value;
    return true;
}

bool is_count(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

bool is_real(const char *text)
{
    char *end;
    if (*text == '\0' || *text == ' ') return false;
    const double value = strtod(text, &end);
    return *end == '\0' && !isnan(value);
}

bool parse_number(const char *text, float lowest, float *out)
{
    char *end;
    if (*text == '\0' || *text == ' ') return false;
    float value = strtof(text, &end);
    if (*end != '\0' || !(value >= lowest)) return false;
    *out = value;
    return true;
}

bool parse_real(const char *text, double lowest, double *out)
{
    char *end;
    if (*text == '\0' || *text == ' ') return false;
    double value = strtod(text, &end);
    if (*end != '\0' || !(value >= lowest) || isinf(value)) return false;
    *out = value;
    return true;
}

const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

const char *version_text(void)
{
    static char text[32];
    int version = willow_version();
    snprintf(text, sizeof text, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return text;
}
