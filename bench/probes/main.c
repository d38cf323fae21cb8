/* main.c - the program `willow_probe`: which probe is run, and what it may be told.
 *
 * A probe measures one cost that whole frames do not show. The program is for those who work on
 * Willow, and is not installed. A probe is a line in the table below and a function in a file of
 * its own. */
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/probes/probe.h"
#include "bench/run/options.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* What a probe may be told besides its scene. */
enum {
    TAKES_NOTHING = 0,
    TAKES_SCENES = 1,  /* several */
    TAKES_METHODS = 2, /* and --frames */
    TAKES_QUERY = 4,
    ASKS_FIRST = 8, /* always, so that no --query is taken */
    TAKES_FILES = 16,
    TAKES_COUNT = 32 /* a number behind the name */
};

/* X(name, what it takes). Each is the function probe_<name>. */
#define PROBES(X)                                                                                  \
    X(refit, TAKES_NOTHING)                                                                        \
    X(build, TAKES_NOTHING)                                                                        \
    X(decide, TAKES_NOTHING)                                                                       \
    X(threads, TAKES_METHODS | TAKES_QUERY)                                                        \
    X(reconstruct, TAKES_METHODS | ASKS_FIRST)                                                     \
    X(decay, TAKES_SCENES | TAKES_METHODS | TAKES_QUERY)                                           \
    X(impacts, TAKES_SCENES | TAKES_METHODS)                                                       \
    X(toi, TAKES_SCENES | TAKES_FILES)                                                             \
    X(kinetic, TAKES_SCENES | TAKES_METHODS)                                                       \
    X(bodies, TAKES_COUNT)

static const char *const probe_names[] = {
#define PROBE_ENTRY(name, takes) #name,
    PROBES(PROBE_ENTRY)
#undef PROBE_ENTRY
        NULL};

/* In the same order. */
static const struct {
    int (*run)(const probe_options *probe);
    int takes;
} probes[] = {
#define PROBE_ENTRY(name, takes) {probe_##name, takes},
    PROBES(PROBE_ENTRY)
#undef PROBE_ENTRY
};

static const char probe_help[] =
    "Measures one cost of Willow and compares it with a physical limit or a yardstick. Prints a\n"
    "line of JSON, or a text with --table. For developers of Willow; not installed.\n\n"
    "Examples:\n"
    "  willow_probe decide --table             the cost of one exact decision\n"
    "  willow_probe threads --table            the gain from threads, beside that from processes\n"
    "  willow_probe impacts --table            impacts of a step, compared with pairs at its end\n"
    "  willow_probe toi --table frame0.ply frame1.ply\n"
    "                                          decisions about moving features in a step of yours\n"
    "\n"
    "Usage: willow_probe PROBE [OPTIONS] [FRAME FRAME | COUNT]\n\n"
    "Probes:\n"
    "  refit        a refit of a million triangles; beside it a streaming pass over the same "
    "bytes\n"
    "  build        a build of a million triangles; beside it the build of peer:plain\n"
    "  decide       exact decisions; beside them the triangle test of peer:plain\n"
    "  threads      N threads; beside them N copies of the process; --threads N, default 2\n"
    "  reconstruct  nine bodies that deform in every step; beside them peer:plain. Then updates "
    "of\n"
    "               stored and of borrowed positions; beside them the streaming bandwidth\n"
    "  decay        the last frames of stir and twist: kept trees; beside them fresh ones\n"
    "  impacts      all impacts of steps; beside them all pairs at the ends of the steps\n"
    "  toi          decisions about moving features; beside them peer:plain's triangle test. In\n"
    "               the step between two binary PLY files, if files are named\n"
    "  kinetic      events of kinetic trees: at several frame rates and sizes, their cost, and "
    "for\n"
    "               a body that only translates\n"
    "  bodies       many small bodies: creation, bytes, poses, update and pairs, per body; COUNT\n"
    "               bodies, or several counts if none is given\n\n";

static const char probe_more_help[] =
    "Options:\n"
    "      --scene NAME[:key=value,...]  what moves (willow scene list); repeatable for decay,\n"
    "                                    impacts, toi and kinetic\n"
    "      --method LIST|all             threads, reconstruct, decay, impacts, kinetic: Willow's\n"
    "                                    methods, with commas between; reconstruct takes peers "
    "too\n"
    "      --frames N                    the same probes: only the first N frames of the scene\n"
    "      --query NAME                  threads, decay: the query; default pairs\n"
    "      --peers                       reconstruct: peers too\n"
    "      --threads N                   workers for updates and queries; default 1\n"
    "      --kernel auto|scalar|avx2     instructions of the inner loops; default auto\n"
    "      --set KEY=VALUE               for all methods, as willow bench takes it; repeatable\n"
    "      --repeat N                    measure everything N times\n"
    "      --table                       a text for people instead of JSON\n"
    "  -h, --help                        this text\n\n"
    "An option that a probe does not use is an error. Defaults are in docs/benchmarks.md.\n\n"
    "Exit status: 0 fine; 1 answers differ; 2 error.\n";

static const struct option probe_long_options[] = {
    BENCH_OPTIONS(BENCH_OPTION_ROW){"help", no_argument, NULL, 'h'},
    {0},
};

/* ---- what does not go together ---- */

/* An option that this probe would not look at: its name, or NULL. */
static const char *find_unused(const bench_options *options, int takes)
{
    if ((takes & TAKES_QUERY) == 0 && options->question_count > 0) return "query";
    if ((takes & TAKES_METHODS) != 0) return NULL;
    if (options->methods != NULL) return "method";
    if (options->peers) return "peers";
    return options->frames != 0 ? "frames" : NULL;
}

/* What would be left out silently is refused. An exit code. */
static int check_options(const char *name, const probe_options *probe, int takes)
{
    const bench_options *options = &probe->bench;
    const char *unused = find_unused(options, takes);
    if (options->scene_count > 1 && (takes & TAKES_SCENES) == 0) {
        return complain_usage("", "%s takes one scene, not several", name);
    }
    if (unused != NULL) {
        return complain_usage("", "%s takes no --%s%s", name, unused,
                              (takes & ASKS_FIRST) != 0 ? ": it asks for the first pair" : "");
    }
    if ((takes & TAKES_COUNT) != 0 && options->scene_count > 0)
        return complain_usage("", "%s takes no --scene", name);
    if ((takes & TAKES_COUNT) != 0 && probe->file_count < 2) return EXIT_FINE;
    if (probe->file_count > 0 && (takes & TAKES_FILES) == 0) {
        return complain_usage("", "unexpected argument '%s'", probe->files[0]);
    }
    if (probe->file_count == 1) {
        return complain_usage("", "a step needs two files, not only %s", probe->files[0]);
    }
    if (options->question_count > 1) {
        return complain_usage("", "a probe takes one query, not several");
    }
    return EXIT_FINE;
}

/* ---- the program ---- */

static int take_probe_option(void *context, int option, const char *value)
{
    probe_options *probe = context;
    probe->has_threads = probe->has_threads || option == BENCH_OPTION_THREADS;
    return bench_take_option(&probe->bench, option, value);
}

static int run_named(const char *name, const probe_options *probe)
{
    for (int i = 0; probe_names[i] != NULL; i++) {
        if (strcmp(name, probe_names[i]) != 0) continue;
        int code = check_options(name, probe, probes[i].takes);
        return code == EXIT_FINE ? probes[i].run(probe) : code;
    }
    return complain_unknown("", guess_from(name, probe_names),
                            "there are refit, build, decide, threads, reconstruct, decay, impacts, "
                            "toi, kinetic and bodies",
                            "there is no probe '%s'", name);
}

static int run_probe(int argc, char **argv);

static const command probe_command = {
    "", NULL, probe_help, probe_more_help, probe_long_options, run_probe};

static int run_probe(int argc, char **argv)
{
    int code;
    probe_options probe = {.bench = bench_options_default()};
    if (!read_options(&probe_command, argc, argv, take_probe_option, &probe, &code)) return code;
    if (optind == argc) return complain_usage("", "no probe is named; one is 'willow_probe refit'");
    code = refuse_more_words(&probe_command, argc, argv, 3);
    if (code != EXIT_FINE) return code;
    for (int i = optind + 1; i < argc; i++) probe.files[probe.file_count++] = argv[i];
    probe.bench.question = probe.bench.questions[0]; /* pairs, if none was named */
    return run_named(argv[optind], &probe);
}

/* Letters are the user's, so that charts know what they may draw with; numbers stay as in C. */
int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    complain_as("willow_probe");
    return end_output(run_probe(argc, argv));
}
