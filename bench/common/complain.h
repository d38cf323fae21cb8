/* complain.h - how the programs end, and what they say on standard error when something is wrong.
 */
#ifndef BENCH_COMMON_COMPLAIN_H
#define BENCH_COMMON_COMPLAIN_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#    define CHECK_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#    define CHECK_FORMAT(text, first)
#endif

/* What a program ends with, so that scripts can tell an answer from a failure. */
enum {
    EXIT_FINE = 0,
    EXIT_FOUND = 1, /* what one hopes not to see: collisions, or methods whose answers differ */
    EXIT_ERROR = 2  /* no answer: a wrong command line, or the work could not be done */
};

/* ---- complaints ---- */

/* Complaints of a program that has no commands begin with its name alone. Without this call they
 * begin with "willow COMMAND". */
void complain_as(const char *program_name);

/* One line to standard error, "willow COMMAND: ...". complain_usage adds where to find help. Both
 * return EXIT_ERROR. */
int complain(const char *command_name, const char *format, ...) CHECK_FORMAT(2, 3);
int complain_usage(const char *command_name, const char *format, ...) CHECK_FORMAT(2, 3);

/* The same for a word that is not known: goes on with "; did you mean 'best'?", or with
 * `otherwise` if `best` is NULL. */
int complain_unknown(const char *command_name, const char *best, const char *otherwise,
                     const char *format, ...) CHECK_FORMAT(4, 5);

/* ---- guesses ---- */

/* Which of the words that are offered is most like `word`. `best` stays NULL if none is. */
typedef struct guess {
    const char *word, *best;
    uint32_t apart;
} guess;

guess guess_for(const char *word);
void guess_offer(guess *g, const char *candidate);
const char *guess_from(const char *word, const char *const *list); /* ended by NULL */

#endif
