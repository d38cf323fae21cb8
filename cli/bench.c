/* bench.c - `willow bench`: what the command line asks for, and who takes part. */
#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/target.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
    "  willow bench --probe decide --table       the cost of one exact decision\n\n"
    "Usage: willow bench [OPTIONS]\n\n"
    "Options:\n"
    "      --scene NAME[:key=value,...]  what moves (willow scene list); default bumpy\n"
    "      --method LIST|all             methods and peers, with commas between; default all\n"
    "      --query pairs|first|self|none what is asked every frame; default pairs\n"
    "      --frames N                    only the first N frames of the scene\n"
    "      --threads N                   workers for updates and queries; default 1\n"
    "      --kernel auto|scalar|avx2     instructions of the inner loops; default auto\n"
    "      --set KEY=VALUE               arity, leaf_triangles, build, skip_neighbours; "
    "repeatable\n"
    "      --repeat N                    run everything N times, with fresh worlds\n"
    "      --peers                       peers too; speedup is peer:plain's total over one's own\n"
    "      --table                       for people\n"
    "      --probe refit|build|decide    one cost alone, against its limit or the yardstick:\n"
    "                                    refit   a million triangles against a streaming pass\n"
    "                                    build   the same against the yardstick's build\n"
    "                                    decide  exact decisions against the yardstick's test\n"
    "  -h, --help                        this text\n\n"
    "Blocks of 10 frames rotate between the methods and the first of a block is not counted;\n"
    "update_ms is setting vertices plus the update.\n\n"
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

/* ---- who takes part ---- */

enum { CONTENDER_MAX = 64 };

typedef struct field {
    contender entries[CONTENDER_MAX];
    uint32_t count;
} field;

static bool add_contender(field *f, contender c)
{
    for (uint32_t i = 0; i < f->count; i++) {
        if (strcmp(f->entries[i].name, c.name) == 0) return true;
    }
    if (f->count == CONTENDER_MAX) return false;
    f->entries[f->count++] = c;
    return true;
}

static bool add_method(field *f, willow_method method)
{
    return add_contender(f, (contender){.ops = &willow_contender_ops,
                                        .name = willow_method_name(method),
                                        .method = method});
}

static bool add_peer(field *f, const peer_def *peer)
{
    return add_contender(f,
                         (contender){.ops = &peer_contender_ops, .name = peer->name, .peer = peer});
}

/* How many pairs of triangles BRUTE would look at. */
static double brute_work(const scene *s, const bench_options *options)
{
    double all = (double)scene_triangle_total(s);
    return all * all / 2 * (options->frames != 0 ? options->frames : s->frame_count);
}

/* AUTO is one of the others, and BRUTE on a large scene takes minutes to days. */
static void add_all_methods(field *f, const scene *s, const bench_options *options)
{
    for (int i = 0; i < WILLOW_METHOD_COUNT; i++) {
        willow_method method = (willow_method)i;
        if (method == WILLOW_METHOD_AUTO) continue;
        if (method == WILLOW_METHOD_BRUTE && brute_work(s, options) > 3e9) {
            fputs("brute is left out of 'all' here, since it would take long; name it to run it\n",
                  stderr);
            continue;
        }
        add_method(f, method);
    }
}

static int complain_method(const char *name)
{
    guess g = guess_for(name);
    for (int i = 0; engine_methods[i] != NULL; i++) guess_offer(&g, engine_methods[i]);
    for (const peer_def *const *peer = peer_list; *peer != NULL; peer++) {
        guess_offer(&g, (*peer)->name);
    }
    guess_offer(&g, "all");
    return complain_unknown("bench", g.best, "'willow info' lists them", "there is no method '%s'",
                            name);
}

static int add_named(field *f, const char *name, const scene *s, const bench_options *options)
{
    willow_method method;
    const peer_def *peer = peer_find(name);
    bool fine = true;
    if (strcmp(name, "all") == 0) {
        add_all_methods(f, s, options);
    } else if (peer != NULL) {
        fine = add_peer(f, peer);
    } else if (willow_method_from_name(name, &method)) {
        fine = add_method(f, method);
    } else {
        return complain_method(name);
    }
    return fine ? EXIT_FINE : complain_usage("bench", "too many methods");
}

/* The list is cut at its commas. */
static int add_list(field *f, char *list, const scene *s, const bench_options *options)
{
    while (list != NULL) {
        char *next = strchr(list, ',');
        if (next != NULL) *next++ = '\0';
        int code = add_named(f, list, s, options);
        if (code != EXIT_FINE) return code;
        list = next;
    }
    return EXIT_FINE;
}

static int choose_contenders(field *f, const bench_options *options, const scene *s)
{
    char list[1024];
    const char *methods = options->methods != NULL ? options->methods : "all";
    if (strlen(methods) >= sizeof list) return complain_usage("bench", "--method is too long");
    memcpy(list, methods, strlen(methods) + 1);
    int code = add_list(f, list, s, options);
    for (const peer_def *const *peer = peer_list; options->peers && *peer != NULL; peer++) {
        add_peer(f, *peer);
    }
    return code;
}

/* ---- the command ---- */

static bool has_wrong_answers(const bench_report *report)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        if (report->results[i].is_wrong) return true;
    }
    return false;
}

static int run_contenders(const bench_options *options, field *f, bench_stage *stage)
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
    field f = {.count = 0};
    int code = check_frames(options, s);
    if (code == EXIT_FINE) code = choose_contenders(&f, options, s);
    if (code != EXIT_FINE) {
        scene_destroy(s);
        return code;
    }
    bench_stage stage;
    if (bench_stage_create(&stage, s, options)) {
        code = run_contenders(options, &f, &stage);
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
