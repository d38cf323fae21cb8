/* info.c - `willow info`: what this build and this machine have. */
#define _POSIX_C_SOURCE 200809L
#include "bench/peer.h"
#include "cli/cli.h"
#include "willow/willow.h"

#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

static const char help[] =
    "Usage: willow info\n\n"
    "Prints the version, the kernel that the inner loops use on this machine, the processors,\n"
    "and the methods, builders and peers that were compiled in.\n";

/* A word that explains itself. */
typedef struct entry {
    const char *name, *what;
} entry;

#define INFO_ENTRY(name, words, what) {words, what},
static const entry methods[] = {WILLOW_METHODS(INFO_ENTRY)};
static const entry builds[] = {WILLOW_BUILDS(INFO_ENTRY)};
static const entry broads[] = {WILLOW_BROADS(INFO_ENTRY)};
static const entry kernels[] = {WILLOW_KERNELS(INFO_ENTRY)};
#undef INFO_ENTRY

static void print_entries(const char *title, const entry *entries, size_t count)
{
    printf("%s:\n", title);
    for (size_t i = 0; i < count; i++) printf("  %-10s  %s\n", entries[i].name, entries[i].what);
}

#define PRINT_ENTRIES(title, entries)                                                              \
    print_entries(title, entries, sizeof(entries) / sizeof((entries)[0]))

static int print_kernel(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_result result = willow_world_create(&def, &world);
    if (result != WILLOW_OK) {
        return complain_wrong("info", "no world: %s", willow_result_name(result));
    }
    printf("kernel      %s\n", willow_kernel_name(willow_world_kernel(world)));
    willow_world_destroy(world);
    return EXIT_FINE;
}

static void print_peers(void)
{
    puts("peers:");
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        printf("  %-10s  %s\n", (*peer)->name, (*peer)->summary);
    }
}

static int print_all(void)
{
    int version = willow_version();
    printf("version     %d.%d.%d\n", version / 10000, version / 100 % 100, version % 100);
    int code = print_kernel();
    if (code != EXIT_FINE) return code;
    printf("processors  %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    PRINT_ENTRIES("methods", methods);
    PRINT_ENTRIES("builders", builds);
    PRINT_ENTRIES("broad phases", broads);
    PRINT_ENTRIES("kernels", kernels);
    print_peers();
    return EXIT_FINE;
}

int command_info(int argc, char **argv)
{
    static const struct option options[] = {{"help", no_argument, NULL, 'h'}, {0}};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (c != 'h') return complain_option("info", argv);
        fputs(help, stdout);
        return EXIT_FINE;
    }
    if (optind < argc) return complain_usage("info", "'%s' is one word too many", argv[optind]);
    return print_all();
}
