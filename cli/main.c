/* main.c - the `willow` command: finds the subcommand and hands over.
 *
 * Subcommands are one line each in the table below and live in a file of their own. */
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "cli/commands.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

const command *const commands[] = {&command_check,    &command_info, &command_scene,
                                   &command_render,   &command_view, &command_bench,
                                   &command_complete, NULL};

static void print_help(FILE *out)
{
    fputs("willow - collision detection on meshes that deform\n\n"
          "Examples:\n"
          "  willow info clip.glb                        what is in the file?\n"
          "  willow check clip.glb                       which faces meet, when and where?\n"
          "  willow check clip.glb --report clip.html    the same as a page in 3D\n"
          "  willow render clip.glb --out pictures       what does that look like?\n"
          "  willow check scene:bumpy                    the same of a scene that is built in\n"
          "  willow scene list                           which scenes are there?\n"
          "  willow bench --table                        which method is the fastest here?\n\n"
          "Usage: willow COMMAND [OPTIONS]\n\n"
          "Commands:\n",
          out);
    for (const command *const *c = commands; *c != NULL; c++) {
        if ((*c)->summary != NULL) fprintf(out, "  %-6s  %s\n", (*c)->name, (*c)->summary);
    }
    fputs("  help    this text, or that of a command: willow help check\n\n"
          "Options:\n"
          "  -h, --help     this text\n"
          "      --version  the version of the tool\n\n"
          "Exit status: 0 fine; 1 collisions were found, or methods differ; 2 error.\n",
          out);
}

const command *command_find(const char *name)
{
    for (const command *const *c = commands; *c != NULL; c++) {
        if (strcmp((*c)->name, name) == 0) return *c;
    }
    return NULL;
}

static int complain_command(const char *word)
{
    guess g = guess_for(word);
    for (const command *const *c = commands; *c != NULL; c++) {
        if ((*c)->summary != NULL) guess_offer(&g, (*c)->name);
    }
    guess_offer(&g, "help");
    return complain_unknown("", g.best, "", "there is no command '%s'", word);
}

static int help_with(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return EXIT_FINE;
    }
    const command *c = command_find(argv[1]);
    if (c == NULL) return complain_command(argv[1]);
    command_print_help(c);
    return EXIT_FINE;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_ERROR;
    }
    if (strcmp(argv[1], "help") == 0) return help_with(argc - 1, argv + 1);
    if (is_one_of(argv[1], "--help", "-h")) return help_with(1, argv);
    if (strcmp(argv[1], "--version") == 0) {
        printf("willow %s\n", version_text());
        return EXIT_FINE;
    }
    const command *c = command_find(argv[1]);
    return c != NULL ? c->run(argc - 1, argv + 1) : complain_command(argv[1]);
}

/* Letters are the user's, so that charts know what they may draw with; numbers stay as in C. */
int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    return end_output(run_command(argc, argv));
}
