/* cli.h - what the commands of the tool share. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__GNUC__)
#    define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#    define CLI_PRINTF(text, first)
#endif

/* What the tool ends with. */
enum {
    EXIT_FINE = 0,
    EXIT_WRONG = 1, /* an answer is wrong, or the work could not be done */
    EXIT_USAGE = 2  /* the command line is wrong */
};

int command_bench(int argc, char **argv);
int command_info(int argc, char **argv);
int command_scene(int argc, char **argv);

/* One line to standard error, "willow COMMAND: ...". complain_usage adds where to find help. */
int complain_usage(const char *command, const char *format, ...) CLI_PRINTF(2, 3);
int complain_wrong(const char *command, const char *format, ...) CLI_PRINTF(2, 3);

/* For an option that getopt_long did not take. */
int complain_option(const char *command, char **argv);

/* Digits only, between the two; false, and *out untouched, for anything else. */
bool parse_count(const char *text, uint32_t lowest, uint32_t highest, uint32_t *out);

/* The word of the list (ended by NULL) that is most like `word`, or NULL if none is. */
const char *most_similar(const char *word, const char *const *list);

/* Milliseconds of a clock that never goes back. */
double now_ms(void);

/* The middle of the values, which are reordered. */
double median_of(double *values, uint32_t count);

#endif
