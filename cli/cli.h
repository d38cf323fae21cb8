/* cli.h - what the commands of the tool share: what a command is, complaints, numbers, the clock.
 *
 * A command is one `command` in a file of its own and one line in the table of main.c. Help,
 * completion and the hints for mistyped words all come from there. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#    define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#    define CLI_PRINTF(text, first)
#endif

/* What the tool ends with, so that scripts can tell an answer from a failure. */
enum {
    EXIT_FINE = 0,
    EXIT_FOUND = 1, /* what one hopes not to see: collisions, or methods whose answers differ */
    EXIT_ERROR = 2  /* no answer: a wrong command line, or the work could not be done */
};

typedef struct command {
    const char *name;
    const char *summary;          /* one line; NULL: not for people, and not listed */
    const char *help, *more_help; /* one text in two literals, since each has at most 4095
                                   * characters; the second may be "" */
    const struct option *options; /* a value below 256 is also a letter */
    int (*run)(int argc, char **argv);
} command;

extern const command command_check, command_info, command_scene, command_bench, command_complete;

/* The table of them, ended by NULL. */
extern const command *const commands[];

/* NULL if there is none of that name. */
const command *command_find(const char *name);

/* All of its help, to standard output. */
void command_print_help(const command *c);

/* Hands every option to `take`, which returns an exit code; mistakes are complained about and
 * --help is answered here. True if the command is to go on, with its words from argv[optind] on;
 * else it ends with *code. */
typedef int option_taker(void *context, int option, const char *value);
bool read_options(const command *c, int argc, char **argv, option_taker *take, void *context,
                  int *code);

/* ---- complaints ---- */

/* One line to standard error, "willow COMMAND: ...". complain_usage adds where to find help. Both
 * return EXIT_ERROR. */
int complain(const char *command_name, const char *format, ...) CLI_PRINTF(2, 3);
int complain_usage(const char *command_name, const char *format, ...) CLI_PRINTF(2, 3);

/* The same for a word that is not known: goes on with "; did you mean 'best'?", or with
 * `otherwise` if `best` is NULL. */
int complain_unknown(const char *command_name, const char *best, const char *otherwise,
                     const char *format, ...) CLI_PRINTF(4, 5);

/* Which of the words that are offered is most like `word`. `best` stays NULL if none is. */
typedef struct guess {
    const char *word, *best;
    uint32_t apart;
} guess;

guess guess_for(const char *word);
void guess_offer(guess *g, const char *candidate);
const char *guess_from(const char *word, const char *const *list); /* ended by NULL */

/* ---- numbers ---- */

/* Digits only, between the two; false, and *out untouched, for anything else. */
bool parse_count(const char *text, uint32_t lowest, uint32_t highest, uint32_t *out);

/* The same for a number of `lowest` or more, "inf" included. */
bool parse_number(const char *text, float lowest, float *out);

/* The same in double, and finite. */
bool parse_real(const char *text, double lowest, double *out);

/* "1 frame", "2 frames": the s that is missing behind the number. */
const char *plural(uint64_t count);

/* Milliseconds of a clock that never goes back. */
double now_ms(void);

/* The middle of the values, which are reordered. */
double median_of(double *values, uint32_t count);

/* "0.1.0", the version of the library; in memory that stays. */
const char *version_text(void);

#endif
