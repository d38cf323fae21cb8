/* complain.c - complaints on standard error, and what a mistyped word may have meant. */
#include "bench/common/complain.h"
#include "bench/common/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- complaints ---- */

static const char *program = "willow";
static bool has_commands = true;

void complain_as(const char *program_name)
{
    program = program_name;
    has_commands = false;
}

/* "willow bench", "willow" or "willow_probe". */
static void say_who(const char *command_name)
{
    fputs(program, stderr);
    if (has_commands && command_name[0] != '\0') fprintf(stderr, " %s", command_name);
}

static void say(const char *command_name, const char *format, va_list args)
{
    progress_clear();
    say_who(command_name);
    fputs(": ", stderr);
    vfprintf(stderr, format, args);
}

static int say_where_help_is(const char *command_name)
{
    fputs("\nTry '", stderr);
    say_who(command_name);
    fputs(" --help'.\n", stderr);
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

static uint32_t guess_least(uint32_t a, uint32_t b) { return a < b ? a : b; }

enum { WORD_MAX = 32 };

static char lower_letter(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* How many letters must be put in, taken out or changed, small or large. Both words are short. */
static uint32_t letters_apart(const char *a, const char *b)
{
    uint32_t row[WORD_MAX + 1];
    uint32_t length = (uint32_t)strlen(b);
    for (uint32_t j = 0; j <= length; j++) row[j] = j;
    for (uint32_t i = 0; a[i] != '\0'; i++) {
        uint32_t corner = row[0];
        row[0] = i + 1;
        for (uint32_t j = 0; j < length; j++) {
            uint32_t changed = corner + (lower_letter(a[i]) != lower_letter(b[j]));
            corner = row[j + 1];
            row[j + 1] = guess_least(changed, guess_least(corner, row[j]) + 1);
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
