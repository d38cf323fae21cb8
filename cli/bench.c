/* bench.c - `willow bench`: what the command line asks for, and who takes part. */
#include "cli/bench.h"
#include "cli/cli.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: willow bench [OPTIONS]\n\n"
    "Runs methods side by side on a scene in which everything moves, proves that their answers "
    "are\n"
    "equal, and prints their times: one JSON object per line, or a table.\n\n"
    "  --scene NAME[:key=value,...]  what moves (willow scene list); default bumpy\n"
    "  --method LIST|all             methods (willow info), separated by commas; default all\n"
    "  --query pairs|first|self|none what is asked every frame; default pairs\n"
    "  --frames N                    only the first N frames of the scene\n"
    "  --threads N                   workers for updates and queries; default 1\n"
    "  --kernel auto|scalar|avx2     instructions of the inner loops; default auto\n"
    "  --set KEY=VALUE               arity, leaf_triangles, build, skip_neighbours; repeatable\n"
    "  --repeat N                    run everything N times, with fresh worlds\n"
    "  --peers                       peers too; speedup is peer:plain's total over one's own\n"
    "  --table                       for people\n"
    "  --probe refit|build|decide    one cost alone, against its limit or the yardstick:\n"
    "                                refit   one million triangles against a streaming pass\n"
    "                                build   the same against the yardstick's build\n"
    "                                decide  exact decisions against the yardstick's test\n\n"
    "Examples:\n"
    "  willow bench --scene bumpy:triangles=81920 --peers --table\n"
    "  willow bench --method bottom_up --set leaf_triangles=8 --frames 100\n"
    "  willow bench --scene soup:variant=strips --query self --method brute,bottom_up\n"
    "  willow bench --probe decide --table\n\n"
    "Rules: blocks of 10 frames rotate between the methods and the first of a block is not\n"
    "counted; update_ms is setting vertices plus the update. A Willow method with another answer\n"
    "than the first is named, and the command ends with 1.\n";

static const char *const question_names[] = {
#define BENCH_QUESTION_ENTRY(name, words) words,
    BENCH_QUESTIONS(BENCH_QUESTION_ENTRY)
#undef BENCH_QUESTION_ENTRY
        NULL};

const char *bench_question_name(bench_question question) { return question_names[question]; }

static bool parse_question(const char *name, bench_question *out)
{
    for (int i = 0; question_names[i] != NULL; i++) {
        if (strcmp(question_names[i], name) == 0) {
            *out = (bench_question)i;
            return true;
        }
    }
    return false;
}

/* ---- --set ---- */

static bool set_arity(bench_options *options, const char *value)
{
    uint32_t arity;
    if (!parse_count(value, 2, 8, &arity) || (arity != 2 && arity != 4 && arity != 8)) return false;
    options->tree.arity = arity;
    return true;
}

static bool set_tree_key(bench_options *options, const char *key, const char *value)
{
    uint32_t number;
    if (strcmp(key, "arity") == 0) return set_arity(options, value);
    if (strcmp(key, "leaf_triangles") == 0) {
        return parse_count(value, 0, 32, &options->tree.leaf_triangles);
    }
    if (strcmp(key, "build") == 0) return willow_build_from_name(value, &options->tree.build);
    if (!parse_count(value, 0, 1, &number)) return false;
    options->skip_neighbours = number == 1;
    return true;
}

static int set_option(bench_options *options, const char *text)
{
    static const char *const keys[] = {"arity", "leaf_triangles", "build", "skip_neighbours", NULL};
    const char *sign = strchr(text, '=');
    if (sign == NULL) {
        return complain_usage("bench", "--set %s has no value; write --set leaf_triangles=8", text);
    }
    for (int i = 0; keys[i] != NULL; i++) {
        size_t length = strlen(keys[i]);
        if (length != (size_t)(sign - text) || memcmp(keys[i], text, length) != 0) continue;
        if (set_tree_key(options, keys[i], sign + 1)) return EXIT_FINE;
        return complain_usage("bench",
                              "--set %s is not possible: arity 2, 4 or 8, leaf_triangles 0 (the "
                              "default) to 32, build as in willow info, skip_neighbours 0 or 1",
                              text);
    }
    return complain_usage("bench",
                          "--set %s: there is no such key; there are arity, leaf_triangles, build "
                          "and skip_neighbours",
                          text);
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
    return complain_usage("bench", "--query %s: there are pairs, first, self and none", text);
}

static int take_kernel(const char *text, bench_options *options)
{
    if (willow_kernel_from_name(text, &options->kernel)) return EXIT_FINE;
    return complain_usage("bench", "--kernel %s: there are auto, scalar and avx2", text);
}

static int take_option(int c, char **argv, bench_options *options)
{
    switch (c) {
    case OPTION_SCENE: options->scene = optarg; return EXIT_FINE;
    case OPTION_METHOD: options->methods = optarg; return EXIT_FINE;
    case OPTION_QUERY: return take_question(optarg, options);
    case OPTION_FRAMES: return take_number("frames", optarg, 2, &options->frames);
    case OPTION_THREADS: return take_number("threads", optarg, 1, &options->threads);
    case OPTION_KERNEL: return take_kernel(optarg, options);
    case OPTION_SET: return set_option(options, optarg);
    case OPTION_REPEAT: return take_number("repeat", optarg, 1, &options->repeat);
    case OPTION_PEERS: options->peers = true; return EXIT_FINE;
    case OPTION_TABLE: options->table = true; return EXIT_FINE;
    case OPTION_PROBE: options->probe = optarg; return EXIT_FINE;
    default: return complain_option("bench", argv);
    }
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
    static const char *const names[] = {
#define BENCH_METHOD_ENTRY(enum_name, words, what) words,
        WILLOW_METHODS(BENCH_METHOD_ENTRY)
#undef BENCH_METHOD_ENTRY
            "all",
        "peer:plain", NULL};
    const char *meant = most_similar(name, names);
    return complain_usage("bench", "there is no method '%s'%s%s%s; 'willow info' lists them", name,
                          meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "",
                          meant != NULL ? "'?" : "");
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
    bool fine = bench_run(stage, f->entries, f->count, options, &report);
    if (fine) bench_print(&report);
    bool wrong = !fine || has_wrong_answers(&report);
    bench_report_destroy(&report);
    return wrong ? EXIT_WRONG : EXIT_FINE;
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
    char error[512];
    scene *s = scene_create(options->scene, error, sizeof error);
    if (s == NULL) return complain_usage("bench", "--scene %s: %s", options->scene, error);
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
        code = complain_wrong("bench", "out of memory");
    }
    bench_stage_destroy(&stage);
    return code;
}

int command_bench(int argc, char **argv)
{
    bench_options options = {
        .scene = NULL, .threads = 1, .repeat = 1, .tree = willow_tree_def_default()};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "h", long_options, NULL)) != -1;) {
        if (c == 'h') {
            fputs(help, stdout);
            return EXIT_FINE;
        }
        int code = take_option(c, argv, &options);
        if (code != EXIT_FINE) return code;
    }
    if (optind < argc) return complain_usage("bench", "'%s' is one word too many", argv[optind]);
    if (options.probe != NULL) return bench_probe(&options);
    if (options.scene == NULL) options.scene = "bumpy";
    return run_scene(&options);
}
