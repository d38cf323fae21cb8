/* bench.c - `willow bench`: what the command line asks for. */
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/target.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Runs methods side by side on a scene in which everything moves, proves that their answers "
    "are\n"
    "equal, and prints their times: one JSON object per line, or a table.\n\n"
    "Examples:\n"
    "  willow bench --table                      all methods on two bumpy spheres\n"
    "  willow bench --scene bumpy:triangles=81920 --peers --table\n"
    "                                            a larger scene, and the yardstick beside them\n"
    "  willow bench --method bottom_up --set leaf_triangles=8 --frames 100\n"
    "                                            one method with other leaves, as JSON\n"
    "  willow bench --scene soup:variant=strips --query self --method brute,bottom_up\n"
    "                                            pairs within bodies\n"
    "  willow bench --method bottom_up:build=sah,bottom_up:build=median,van_den_bergen --table\n"
    "                                            two builders and a classic, side by side\n"
    "  willow bench --scene tumble --query first --method bottom_up,bottom_up:poses=apply\n"
    "                                            what poses save where bodies are rigid\n"
    "  willow bench --probe decide --table       the cost of one exact decision\n\n"
    "Usage: willow bench [OPTIONS]\n\n"
    "Options:\n"
    "      --scene NAME[:key=value,...]  what moves (willow scene list); default bumpy\n"
    "      --method LIST|all             methods, van_den_bergen and peers, with commas between;\n"
    "                                    a method may set keys for itself, as in\n"
    "                                    bottom_up:build=sah:arity=4; default all\n"
    "      --query pairs|first|self|none what is asked every frame; default pairs\n"
    "      --frames N                    only the first N frames of the scene\n"
    "      --threads N                   workers for updates and queries; default 1\n"
    "      --kernel auto|scalar|avx2     instructions of the inner loops; default auto\n"
    "      --set KEY=VALUE               for all methods: arity, leaf_triangles, build, broad,\n"
    "                                    descend, poses, skip_neighbours; repeatable\n"
    "      --repeat N                    run everything N times, with fresh worlds\n"
    "      --peers                       peers too; speedup is peer:plain's total over one's own\n"
    "      --table                       for people\n"
    "      --probe refit|build|decide    one cost alone, against its limit or the yardstick:\n"
    "                                    refit   a million triangles against a streaming pass\n"
    "                                    build   the same against the yardstick's build\n"
    "                                    decide  exact decisions against the yardstick's test\n"
    "  -h, --help                        this text\n\n"
    "Blocks of 10 frames rotate between the methods and the first of a block is not counted;\n"
    "update_ms is setting vertices or poses plus the update. van_den_bergen is bottom_up with two\n"
    "children per node and one triangle per leaf, in model space under a pose.\n\n"
    "Exit status: 0 fine; 1 a Willow method has another answer than the first; 2 error.\n";

const char *const bench_questions[] = {
#define BENCH_QUESTION_ENTRY(name, words) words,
    BENCH_QUESTIONS(BENCH_QUESTION_ENTRY)
#undef BENCH_QUESTION_ENTRY
        NULL};

const char *bench_question_name(bench_question question) { return bench_questions[question]; }

static bool parse_question(const char *name, bench_question *out)
{
    for (int i = 0; bench_questions[i] != NULL; i++) {
        if (strcmp(bench_questions[i], name) == 0) {
            *out = (bench_question)i;
            return true;
        }
    }
    return false;
}

/* ---- options ---- */

enum {
    OPTION_SCENE = 256,
    OPTION_METHOD,
    OPTION_QUERY,
    OPTION_FRAMES,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_SET,
    OPTION_REPEAT,
    OPTION_PEERS,
    OPTION_TABLE,
    OPTION_PROBE
};

static const struct option long_options[] = {
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"query", required_argument, NULL, OPTION_QUERY},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"set", required_argument, NULL, OPTION_SET},
    {"repeat", required_argument, NULL, OPTION_REPEAT},
    {"peers", no_argument, NULL, OPTION_PEERS},
    {"table", no_argument, NULL, OPTION_TABLE},
    {"probe", required_argument, NULL, OPTION_PROBE},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int take_number(const char *name, const char *text, uint32_t lowest, uint32_t *out)
{
    if (parse_count(text, lowest, 1000000, out)) return EXIT_FINE;
    return complain_usage("bench", "--%s %s: a number from %" PRIu32 " on is needed", name, text,
                          lowest);
}

static int take_question(const char *text, bench_options *options)
{
    if (parse_question(text, &options->question)) return EXIT_FINE;
    return complain_unknown("bench", guess_from(text, bench_questions),
                            "there are pairs, first, self and none", "there is no query '%s'",
                            text);
}

static int take_option(void *context, int option, const char *value)
{
    bench_options *options = context;
    engine_options *engine = &options->engine;
    switch (option) {
    case OPTION_SCENE: options->scene = value; return EXIT_FINE;
    case OPTION_METHOD: options->methods = value; return EXIT_FINE;
    case OPTION_QUERY: return take_question(value, options);
    case OPTION_FRAMES: return take_number("frames", value, 2, &options->frames);
    case OPTION_THREADS: return engine_take_threads(engine, "bench", value);
    case OPTION_KERNEL: return engine_take_kernel(engine, "bench", value);
    case OPTION_SET: return engine_take_set(engine, "bench", value);
    case OPTION_REPEAT: return take_number("repeat", value, 1, &options->repeat);
    case OPTION_PEERS: options->peers = true; return EXIT_FINE;
    case OPTION_TABLE: options->table = true; return EXIT_FINE;
    case OPTION_PROBE: options->probe = value; return EXIT_FINE;
    }
    return EXIT_FINE;
}

/* ---- the command ---- */

static bool has_wrong_answers(const bench_report *report)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        if (report->results[i].is_wrong) return true;
    }
    return false;
}

static int run_contenders(const bench_options *options, bench_field *f, bench_stage *stage)
{
    bench_report report;
    int code = bench_run(stage, f->entries, f->count, options, &report) ? bench_print(&report)
                                                                        : EXIT_ERROR;
    if (code == EXIT_FINE && has_wrong_answers(&report)) code = EXIT_FOUND;
    bench_report_destroy(&report);
    return code;
}

static int check_frames(const bench_options *options, const scene *s)
{
    if (options->frames > s->frame_count) {
        return complain_usage("bench",
                              "--frames %" PRIu32 ": the scene has %" PRIu32
                              "; --scene %s:frames=%" PRIu32 " makes it longer",
                              options->frames, s->frame_count, s->kind->name, options->frames);
    }
    if (s->frame_count < 2) {
        return complain_usage("bench", "the scene has one frame, which would not be counted");
    }
    return EXIT_FINE;
}

static int run_scene(const bench_options *options)
{
    scene *s = scene_open("bench", options->scene);
    if (s == NULL) return EXIT_ERROR;
    bench_field f = {.count = 0};
    int code = check_frames(options, s);
    if (code == EXIT_FINE) code = bench_choose(&f, options, s);
    if (code != EXIT_FINE) {
        scene_destroy(s);
        return code;
    }
    bench_stage stage;
    if (bench_stage_create(&stage, s, options)) {
        code = bench_leave_out(&f, options, &stage);
        if (code == EXIT_FINE) code = run_contenders(options, &f, &stage);
    } else {
        code = complain("bench", "out of memory");
    }
    bench_stage_destroy(&stage);
    return code;
}

static int run(int argc, char **argv)
{
    int code;
    bench_options options = {.repeat = 1, .engine = engine_options_default()};
    if (!read_options(&command_bench, argc, argv, take_option, &options, &code)) return code;
    if (optind < argc) return complain_usage("bench", "'%s' is one word too many", argv[optind]);
    if (options.probe != NULL) return bench_probe(&options);
    if (options.scene == NULL) options.scene = "bumpy";
    return run_scene(&options);
}

const command command_bench = {"bench", "measure update and query methods on a scene, with peers",
                               help, long_options, run};
