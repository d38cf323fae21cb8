/* info.c - `willow info`: what this build and this machine have; with a target, see info_target.c.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/info.h"
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/peers/peer.h"
#include "bench/play/engine.h"
#include "bench/run/contender.h"
#include "cli/commands.h"
#include "cli/target.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Without a target: the version, the kernel that the inner loops use on this machine, the\n"
    "processors, and the methods, builders and peers that were compiled in. With one: its bodies,\n"
    "how they move, what is wrong with their meshes (non-manifold edges, duplicate and degenerate\n"
    "faces), and the trees over them, as they are in its first frame.\n\n"
    "Examples:\n"
    "  willow info                                   what can this build do?\n"
    "  willow info clip.glb                          which bodies? closed? how do they move?\n"
    "  willow info scene:bumpy                       the same of a built-in scene\n"
    "  willow info scene:soup --set arity=2          with another tree\n"
    "  willow info scene:soup:bodies=100 --verbose   every body, not only the first ones\n"
    "  willow info --json                            for programs\n\n"
    "Usage: willow info [OPTIONS] [TARGET...]\n\n" TARGET_HELP "\n"
    "Options:\n"
    "      --animation NAME the animation of a file with several, by name or number\n"
    "      --scene NAME     the scene of a glTF file, by name or number\n"
    "      --no-weld        do not merge vertices that the format splits at seams\n"
    "      --method NAME    how the trees of the target are kept up to date; default auto\n"
    "      --set KEY=VALUE  arity, leaf_triangles, build, hybrid_level, margin, rebuild_ratio,\n"
    "                       broad, descend, poses, skip_neighbours, test_flat; repeatable\n"
    "      --json           one JSON object\n"
    "  -v, --verbose        every body of the target\n"
    "  -h, --help           this text\n\n"
    "Exit status: 0 fine; 2 error.\n";

enum {
    OPTION_ANIMATION = 256,
    OPTION_SCENE,
    OPTION_NO_WELD,
    OPTION_METHOD,
    OPTION_SET,
    OPTION_JSON
};

static const struct option long_options[] = {
    {"animation", required_argument, NULL, OPTION_ANIMATION},
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"no-weld", no_argument, NULL, OPTION_NO_WELD},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"set", required_argument, NULL, OPTION_SET},
    {"json", no_argument, NULL, OPTION_JSON},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* ---- what is compiled in ---- */

/* A word that explains itself. */
typedef struct entry {
    const char *name, *what;
} entry;

#define INFO_ENTRY(name, words, what) {words, what},
static const entry methods[] = {WILLOW_METHODS(INFO_ENTRY){NULL, NULL}};
static const entry builds[] = {WILLOW_BUILDS(INFO_ENTRY){NULL, NULL}};
static const entry broads[] = {WILLOW_BROADS(INFO_ENTRY){NULL, NULL}};
static const entry descends[] = {WILLOW_DESCENDS(INFO_ENTRY){NULL, NULL}};
static const entry poses[] = {ENGINE_POSES(INFO_ENTRY){NULL, NULL}};
static const entry kernels[] = {WILLOW_KERNELS(INFO_ENTRY){NULL, NULL}};
#undef INFO_ENTRY
#define INFO_CLASSIC(name, method, settings, what) {name, what},
static const entry classics[] = {BENCH_CLASSICS(INFO_CLASSIC){NULL, NULL}};
#undef INFO_CLASSIC

static const struct {
    const char *title, *key;
    const entry *entries;
} tables[] = {{"methods", "methods", methods},
              {"classics, for bench", "classics", classics},
              {"builders", "builders", builds},
              {"broad phases", "broad_phases", broads},
              {"ways to descend", "descends", descends},
              {"ways to hand bodies over", "poses", poses},
              {"kernels", "kernels", kernels}};

enum { TABLE_COUNT = sizeof tables / sizeof tables[0] };

/* Which kernel AUTO is here, NULL if there can be no world. */
static const char *kernel_here(void)
{
    willow_world_def def = willow_world_def_default();
    willow_world *world = NULL;
    willow_result result = willow_world_create(&def, &world);
    if (result != WILLOW_OK) {
        complain("info", "no world: %s", willow_result_name(result));
        return NULL;
    }
    const char *name = willow_kernel_name(willow_world_kernel(world));
    willow_world_destroy(world);
    return name;
}

static long processors(void) { return sysconf(_SC_NPROCESSORS_ONLN); }

/* ---- for people ---- */

/* Names of peers are as long as the libraries need. */
static void print_peers(void)
{
    size_t width = 10;
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        size_t length = strlen((*peer)->name);
        width = length > width ? length : width;
    }
    puts("\npeers");
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        printf("  %-*s  %s", (int)width, (*peer)->name, (*peer)->summary);
        if ((*peer)->version != NULL) printf(" (%s)", (*peer)->version);
        putchar('\n');
    }
}

static void print_build(const char *kernel)
{
    printf("version     %s\nkernel      %s\nprocessors  %ld\n", version_text(), kernel,
           processors());
    for (int i = 0; i < TABLE_COUNT; i++) {
        printf("\n%s\n", tables[i].title);
        for (const entry *e = tables[i].entries; e->name != NULL; e++) {
            printf("  %-15s  %s\n", e->name, e->what);
        }
    }
    print_peers();
}

/* ---- for programs ---- */

static void append_entry(json_line *line, json_t *list, const char *name, const char *what)
{
    json_line item = json_line_begin();
    json_line_text(&item, "name", name);
    json_line_text(&item, "what", what);
    json_line_append(line, list, &item);
}

static void append_peer(json_line *line, json_t *list, const peer_def *peer)
{
    json_line item = json_line_begin();
    json_line_text(&item, "name", peer->name);
    json_line_text(&item, "what", peer->summary);
    if (peer->version != NULL) json_line_text(&item, "peer_version", peer->version);
    json_line_append(line, list, &item);
}

static int print_build_json(const char *kernel)
{
    json_line line = json_line_begin();
    json_line_text(&line, "version", version_text());
    json_line_text(&line, "kernel", kernel);
    json_line_count(&line, "processors", (uint64_t)processors());
    for (int i = 0; i < TABLE_COUNT; i++) {
        json_t *list = json_array();
        for (const entry *e = tables[i].entries; e->name != NULL; e++) {
            append_entry(&line, list, e->name, e->what);
        }
        json_line_value(&line, tables[i].key, list);
    }
    json_t *peers = json_array();
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        append_peer(&line, peers, *peer);
    }
    json_line_value(&line, "peers", peers);
    return json_line_print(&line, "info");
}

/* ---- the command ---- */

static int take_info_option(void *context, int option, const char *value)
{
    info_options *options = context;
    options->is_about_target = options->is_about_target || option != OPTION_JSON;
    switch (option) {
    case OPTION_ANIMATION: options->clip.animation = value; break;
    case OPTION_SCENE: options->clip.scene = value; break;
    case OPTION_NO_WELD: options->clip.no_weld = true; break;
    case OPTION_METHOD: return engine_take_method(&options->engine, "info", value);
    case OPTION_SET: return engine_take_set(&options->engine, "info", value);
    case OPTION_JSON: options->json = true; break;
    case 'v': options->verbose = true; break;
    }
    return EXIT_FINE;
}

static int run_info(int argc, char **argv)
{
    int code;
    info_options options = {.engine = engine_options_default(), .clip = clip_options_default()};
    if (!read_options(&command_info, argc, argv, take_info_option, &options, &code)) return code;
    if (optind < argc) return info_target(argv + optind, (uint32_t)(argc - optind), &options);
    if (options.is_about_target) {
        return complain_usage("info", "only --json makes sense without a target");
    }
    const char *kernel = kernel_here();
    if (kernel == NULL) return EXIT_ERROR;
    if (options.json) return print_build_json(kernel);
    print_build(kernel);
    return EXIT_FINE;
}

const command command_info = {
    "info", "what this build has, or what a target is made of", help, "", long_options, run_info};
