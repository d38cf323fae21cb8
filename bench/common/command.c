/* command.c - options of any command, read by its table.
 *
 * Way in: read_options. getopt_long does the reading; here is what it leaves to do: the letters
 * from the table, --help, and complaints that say what was meant. */
#include "bench/common/command.h"
#include "bench/common/complain.h"

#include <stdio.h>
#include <string.h>

enum { LETTERS_MAX = 64, NAME_MAX_LENGTH = 32 };

/* ":hv" for a table with the letters h and v. The colon tells a missing value from a wrong word. */
static void list_letters(const struct option *options, char letters[LETTERS_MAX])
{
    size_t used = 0;
    letters[used++] = ':';
    for (; options->name != NULL && used + 2 < LETTERS_MAX; options++) {
        if (options->val >= 256) continue;
        letters[used++] = (char)options->val;
        if (options->has_arg == required_argument) letters[used++] = ':';
    }
    letters[used] = '\0';
}

/* "--method=x" is named method. False for a word that is no long option, or one without end. */
static bool name_of(const char *word, char name[NAME_MAX_LENGTH])
{
    if (strncmp(word, "--", 2) != 0) return false;
    size_t length = strcspn(word + 2, "=");
    if (length >= NAME_MAX_LENGTH) return false;
    memcpy(name, word + 2, length);
    name[length] = '\0';
    return true;
}

static bool is_listed(const struct option *options, const char *name)
{
    for (; options->name != NULL; options++) {
        if (strcmp(options->name, name) == 0) return true;
    }
    return false;
}

static int complain_long(const command *c, const char *name)
{
    guess g = guess_for(name);
    char best[NAME_MAX_LENGTH + 2] = "--";
    for (const struct option *o = c->options; o->name != NULL; o++) guess_offer(&g, o->name);
    if (g.best != NULL) snprintf(best, sizeof best, "--%s", g.best);
    return complain_unknown(c->name, g.best != NULL ? best : NULL, "", "there is no option '--%s'",
                            name);
}

static int complain_option(const command *c, const char *word)
{
    char name[NAME_MAX_LENGTH];
    if (optopt > 0 && optopt < 256 && strncmp(word, "--", 2) != 0) {
        return complain_usage(c->name, "there is no option '-%c'", optopt);
    }
    if (!name_of(word, name)) return complain_usage(c->name, "there is no option '%s'", word);
    if (is_listed(c->options, name)) {
        return complain_usage(c->name, "--%s takes no value", name);
    }
    return complain_long(c, name);
}

void command_print_help(const command *c)
{
    fputs(c->help, stdout);
    fputs(c->more_help, stdout);
}

bool read_options(const command *c, int argc, char **argv, option_taker *take, void *context,
                  int *code)
{
    char letters[LETTERS_MAX];
    list_letters(c->options, letters);
    *code = EXIT_FINE;
    opterr = 0;
    for (int o; (o = getopt_long(argc, argv, letters, c->options, NULL)) != -1;) {
        if (o == 'h') {
            command_print_help(c);
            return false;
        }
        const char *word = argv[optind - 1];
        *code = o == ':'   ? complain_usage(c->name, "%s needs a value", word)
                : o == '?' ? complain_option(c, word)
                           : take(context, o, optarg);
        if (*code != EXIT_FINE) return false;
    }
    return true;
}

int refuse_more_words(const command *c, int argc, char **argv, int allowed)
{
    if (argc - optind <= allowed) return EXIT_FINE;
    return complain_usage(c->name, "unexpected argument '%s'", argv[optind + allowed]);
}

int end_output(int code)
{
    bool lost = ferror(stdout) != 0;
    if (fflush(stdout) != 0 || lost) return complain("", "the output could not be written");
    return code;
}
