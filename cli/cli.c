/* cli.c - small things that every command needs: complaints, numbers, the clock. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void say_name(const char *command)
{
    fprintf(stderr, "willow%s%s: ", command[0] != '\0' ? " " : "", command);
}

int complain_usage(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_name(command);
    vfprintf(stderr, format, args);
    va_end(args);
    fprintf(stderr, "\nTry 'willow%s%s --help'.\n", command[0] != '\0' ? " " : "", command);
    return EXIT_USAGE;
}

int complain_wrong(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say_name(command);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return EXIT_WRONG;
}

int complain_option(const char *command, char **argv)
{
    const char *word = optind > 0 ? argv[optind - 1] : "";
    return complain_usage(command, "'%s' is not an option here, or needs a value", word);
}

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

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

enum { WORD_MAX = 32 };

/* How many letters must be put in, taken out or changed. Both words are short. */
static uint32_t letters_apart(const char *a, const char *b)
{
    uint32_t row[WORD_MAX + 1];
    uint32_t length = (uint32_t)strlen(b);
    for (uint32_t j = 0; j <= length; j++) row[j] = j;
    for (uint32_t i = 0; a[i] != '\0'; i++) {
        uint32_t corner = row[0];
        row[0] = i + 1;
        for (uint32_t j = 0; j < length; j++) {
            uint32_t changed = corner + (a[i] != b[j]);
            corner = row[j + 1];
            row[j + 1] = least(changed, least(corner, row[j]) + 1);
        }
    }
    return row[length];
}

const char *most_similar(const char *word, const char *const *list)
{
    const char *best = NULL;
    uint32_t best_apart = 3;
    if (strlen(word) > WORD_MAX) return NULL;
    for (; *list != NULL; list++) {
        uint32_t apart = strlen(*list) <= WORD_MAX ? letters_apart(word, *list) : best_apart;
        if (apart < best_apart) {
            best = *list;
            best_apart = apart;
        }
    }
    return best;
}

double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_of(double *values, uint32_t count)
{
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, compare_doubles);
    return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
