/* command.h - a command: its help, its options, and what it does.
 *
 * `willow` has several commands (cli/commands.h); `willow_probe` is one. */
#ifndef BENCH_COMMON_COMMAND_H
#define BENCH_COMMON_COMMAND_H

#include <getopt.h>
#include <stdbool.h>

typedef struct command {
    const char *name;
    const char *summary;          /* one line; NULL: not for people, and not listed */
    const char *help, *more_help; /* one text in two literals, since each has at most 4095
                                   * characters; the second may be "" */
    const struct option *options; /* a value below 256 is also a letter */
    int (*run)(int argc, char **argv);
} command;

/* All of its help, to standard output. */
void command_print_help(const command *c);

/* Hands every option to `take`, which returns an exit code; mistakes are complained about and
 * --help is answered here. True if the command is to go on, with its words from argv[optind] on;
 * else it ends with *code. */
typedef int option_taker(void *context, int option, const char *value);
bool read_options(const command *c, int argc, char **argv, option_taker *take, void *context,
                  int *code);

/* Complains about the word argv[optind + allowed], if there are more words than are allowed. */
int refuse_more_words(const command *c, int argc, char **argv, int allowed);

/* What a program ends with: `code`, unless its output could not be written. */
int end_output(int code);

#endif
