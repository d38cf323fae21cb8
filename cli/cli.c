/* cli.c - small things that every command needs: complaints, guesses, numbers, the clock. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/terminal.h"
#include "willow/willow.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- complaints ---- */

static void say(const char *command_name, const char *format, va_list args)
{
    progress_clear();
    fprintf(stderr, "willow%s%s: ", command_name[0] != '\0' ? " " : "", command_name);
    vfprintf(stderr, format, args);
}

static int say_where_help_is(const char *command_name)
{
    fprintf(stderr, "\nTry 'willow%s%s --help'.\n", command_name[0] != '\0' ? " " : "",
            command_name);
    return EXIT_ERROR;
}

int complain(const char *command_name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command_name, format, args);
    va_end(args);
    fputc('\n', stderr);
    return EXIT_ERROR;
}

int complain_usage(const char *command_name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command_name, format, args);
    va_end(args);
    return say_where_help_is(command_name);
}

int complain_unknown(const char *command_name, const char *best, const char *otherwise,
                     const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say(command_name, format, args);
    va_end(args);
    if (best != NULL) {
        fprintf(stderr, "; did you mean '%s'?", best);
    } else if (otherwise[0] != '\0') {
        fprintf(stderr, "; %s", otherwise);
    }
    return say_where_help_is(command_name);
}

/* ---- guesses ---- */

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

/* Three letters or more are no slip of the finger, nor is it to change every letter there is. */
guess guess_for(const char *word)
{
    size_t length = strlen(word);
    return (guess){.word = word, .apart = length < 3 ? (uint32_t)length : 3};
}

void guess_offer(guess *g, const char *candidate)
{
    if (strlen(g->word) > WORD_MAX || strlen(candidate) > WORD_MAX) return;
    uint32_t apart = letters_apart(g->word, candidate);
    if (apart >= g->apart) return;
    g->best = candidate;
    g->apart = apart;
}

const char *guess_from(const char *word, const char *const *list)
{
    guess g = guess_for(word);
    for (; *list != NULL; list++) guess_offer(&g, *list);
    return g.best;
}

/* ---- numbers ---- */

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

const char *version_text(void)
{
    static char text[32];
    int version = willow_version();
    snprintf(text, sizeof text, "%d.%d.%d", version / 10000, version / 100 % 100, version % 100);
    return text;
}
