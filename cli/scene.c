/* scene.c - `willow scene list`: the built-in scenes and their keys. */
#include "cli/cli.h"
#include "scenes/scenes.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: willow scene list\n\n"
    "Lists the scenes that are built in, the experiment that each stands for, and its keys with\n"
    "their defaults. A scene is named with any of its keys:\n\n"
    "  willow bench --scene bumpy\n"
    "  willow bench --scene bumpy:triangles=81920,seed=3\n"
    "  willow bench --scene soup:bodies=10,variant=strips\n";

static const char *const key_meanings[][2] = {
#define SCENE_NUMBER_ENTRY(key, what) {#key, what},
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
};

/* "triangles=20480 (1 to 2000000)" for every number that the scene takes. */
static void print_keys(const scene_kind *kind)
{
#define SCENE_NUMBER_ENTRY(key, what)                                                              \
    if (kind->highest.key != 0) {                                                                  \
        printf("    %s=%u (%u to %u)\n", #key, kind->defaults.key, kind->lowest.key,               \
               kind->highest.key);                                                                 \
    }
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
    if (kind->variants[0] != '\0') {
        printf("    variant=%s (one of: %s)\n", kind->defaults.variant, kind->variants);
    }
}

static int list_scenes(void)
{
    for (const scene_kind *const *kind = scene_kinds; *kind != NULL; kind++) {
        printf("%s\n    %s\n    stands for: %s\n", (*kind)->name, (*kind)->summary,
               (*kind)->stands_for);
        print_keys(*kind);
    }
    puts("\nkeys:");
    for (size_t i = 0; i < sizeof key_meanings / sizeof key_meanings[0]; i++) {
        printf("    %-10s %s\n", key_meanings[i][0], key_meanings[i][1]);
    }
    return EXIT_FINE;
}

int command_scene(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c != 'h') return complain_option("scene", argv);
        fputs(help, stdout);
        return EXIT_FINE;
    }
    if (argc - optind == 1 && strcmp(argv[optind], "list") == 0) return list_scenes();
    if (optind == argc) return complain_usage("scene", "say what to do: willow scene list");
    return complain_usage("scene", "there is no 'scene %s'; there is 'scene list'", argv[optind]);
}
