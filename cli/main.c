/* main.c - the `willow` command: finds the subcommand and hands over.
 *
 * Subcommands are one line each in the table below and live in a file of their own. */
#include "cli/cli.h"
#include "willow/willow.h"

#include <stdio.h>
#include <string.h>

typedef struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} command;

static const command commands[] = {
    {"bench", command_bench, "measure update and query methods on a scene, with peers"},
    {"info", command_info, "what this build and this machine have"},
    {"scene", command_scene, "list the built-in scenes and their keys"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_help(FILE *out)
{
    fputs("willow - collision detection on meshes that deform\n\n"
          "Usage: willow COMMAND [OPTIONS]\n\nCommands:\n",
          out);
    for (int i = 0; i < COMMAND_COUNT; i++) {
        fprintf(out, "  %-6s  %s\n", commands[i].name, commands[i].summary);
    }
    fputs("\nExamples:\n"
          "  willow info                                 which kernel does this machine use?\n"
          "  willow scene list                           what can be measured?\n"
          "  willow bench --table                        all methods on two bumpy spheres\n"
          "  willow bench --scene soup --query self      pairs within random triangles, as JSON\n"
          "\n'willow COMMAND --help' says more. Exit codes: 0 fine, 1 wrong answer or failure,\n"
          "2 wrong command line.\n",
          out);
}

static int complain_command(const char *word)
{
    const char *names[COMMAND_COUNT + 1] = {NULL};
    for (int i = 0; i < COMMAND_COUNT; i++) names[i] = commands[i].name;
    const char *meant = most_similar(word, names);
    if (meant == NULL) return complain_usage("", "there is no command '%s'", word);
    return complain_usage("", "there is no command '%s'; did you mean '%s'?", word, meant);
}

static void print_version(void)
{
    int version = willow_version();
    printf("willow %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help(stdout);
        return EXIT_FINE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return EXIT_FINE;
    }
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 1, argv + 1);
    }
    return complain_command(argv[1]);
}
