/* check.c - `willow check`: in which frames does a target collide, and where? */
#include "cli/check.h"
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "bench/play/engine.h"
#include "cli/commands.h"
#include "cli/frame_span.h"
#include "cli/target.h"

static const char help[] =
    "Plays all frames of a target and finds every pair of triangles that meet, between bodies and\n"
    "within each: first contact, worst frame, a chart over time, and a line per frame.\n\n"
    "Examples:\n"
    "  willow check scene:bumpy                      when and where do two spheres collide?\n"
    "  willow check scene:bumpy --frames 50-70 -v    every frame around the first contact\n"
    "  willow check scene:bumpy --frames 62-62 --pairs\n"
    "                                                which triangles meet in frame 62?\n"
    "  willow check scene:soup --no-self             only pairs between bodies\n"
    "  willow check scene:tumble --impacts           also what happens between the frames\n"
    "  willow check scene:bumpy --json >frames.jsonl a line per frame for a program\n"
    "  willow check -q scene:bumpy --frames 50 && echo clean\n"
    "                                                an answer for a script\n\n"
    "Usage: willow check [OPTIONS] TARGET\n\n"
    "TARGET is scene:NAME[:key=value,...]; 'willow scene list' has the names.\n\n"
    "Options:\n"
    "      --frames N|A-B   the first N frames, or frames A to B (A- goes on to the end)\n"
    "      --no-self        only pairs between bodies\n"
    "      --impacts        also when things first touch on the way from each frame to the next\n"
    "      --pairs          list the pairs of every frame\n"
    "      --limit N        list at most N pairs per frame; with --pairs\n"
    "      --json           one JSON object per frame and line, the last with a summary\n"
    "  -v, --verbose        a line for every frame, not only where something changes\n"
    "  -q, --quiet          no output; ends at the first frame that collides\n"
    "      --method NAME    how the trees are kept true (willow info); default auto\n"
    "      --threads N      workers for updates and queries; default 1\n"
    "      --kernel NAME    auto, scalar or avx2: instructions of the inner loops\n"
    "      --set KEY=VALUE  arity, leaf_triangles, build, hybrid_level, margin, rebuild_ratio,\n"
    "                       broad, descend, watch, poses, skip_neighbours, test_flat; for impacts\n"
    "                       touch_distance, tolerance, max_iterations, skip_close_at_rest;\n"
    "                       repeatable\n"
    "  -h, --help           this text\n\n"
    "Method, threads, kernel and tree change the time and never the answer; skip_neighbours "
    "leaves\n"
    "out pairs within a body that share a vertex.\n\n"
    "Exit status: 0 clean; 1 collisions were found; 2 error.\n";

enum {
    OPTION_FRAMES = 256,
    OPTION_NO_SELF,
    OPTION_IMPACTS,
    OPTION_PAIRS,
    OPTION_LIMIT,
    OPTION_JSON,
    OPTION_METHOD,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_SET
};

static const struct option long_options[] = {
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"no-self", no_argument, NULL, OPTION_NO_SELF},
    {"impacts", no_argument, NULL, OPTION_IMPACTS},
    {"pairs", no_argument, NULL, OPTION_PAIRS},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"set", required_argument, NULL, OPTION_SET},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int take_limit(check_options *options, const char *text)
{
    if (parse_count(text, 0, UINT32_MAX, &options->limit)) return EXIT_FINE;
    return complain_usage("check", "--limit %s: a number is needed; 0 is no limit", text);
}

static int take_check_option(void *context, int option, const char *value)
{
    check_options *options = context;
    engine_options *engine = &options->engine;
    switch (option) {
    case OPTION_FRAMES: options->frames = value; break;
    case OPTION_NO_SELF: options->no_self = true; break;
    case OPTION_IMPACTS: options->impacts = true; break;
    case OPTION_PAIRS: options->pairs = true; break;
    case OPTION_LIMIT: return take_limit(options, value);
    case OPTION_JSON: options->json = true; break;
    case 'v': options->verbose = true; break;
    case 'q': options->quiet = true; break;
    case OPTION_METHOD: return engine_take_method(engine, "check", value);
    case OPTION_THREADS: return engine_take_threads(engine, "check", value);
    case OPTION_KERNEL: return engine_take_kernel(engine, "check", value);
    case OPTION_SET: return engine_take_set(engine, "check", value);
    }
    return EXIT_FINE;
}

static int check_options_agree(const check_options *options)
{
    if (options->limit != 0 && !options->pairs) {
        return complain_usage("check", "--limit is about the list of --pairs, which is not there");
    }
    if (options->quiet && (options->json || options->pairs || options->verbose)) {
        return complain_usage("check", "--quiet prints nothing, so --json, --pairs and --verbose "
                                       "cannot go with it");
    }
    return EXIT_FINE;
}

/* ---- the command ---- */

static int check_print_report(const check_report *report)
{
    const check_options *options = report->options;
    if (options->json) return check_json_summary(report);
    if (!options->quiet) check_print(report);
    return EXIT_FINE;
}

static int check_check_scene(const scene *s, const check_options *options)
{
    frame_span span;
    int code = frame_span_choose("check", options->frames, s, &span);
    if (code != EXIT_FINE) return code;
    check_report report;
    code = check_run(&report, s, options, span.first, span.last) ? check_print_report(&report)
                                                                 : EXIT_ERROR;
    if (code == EXIT_FINE && report.hit + report.steps_hit > 0) code = EXIT_FOUND;
    check_report_destroy(&report);
    return code;
}

static int run_check(int argc, char **argv)
{
    int code;
    check_options options = {.engine = engine_options_default()};
    if (!read_options(&command_check, argc, argv, take_check_option, &options, &code)) return code;
    if (optind == argc) {
        return complain_usage("check", "say what to check: willow check scene:bumpy");
    }
    code = refuse_more_words(&command_check, argc, argv, 1);
    if (code == EXIT_FINE) code = check_options_agree(&options);
    if (code != EXIT_FINE) return code;
    options.target = argv[optind];
    scene *s = target_open("check", options.target);
    if (s == NULL) return EXIT_ERROR;
    code = check_check_scene(s, &options);
    scene_destroy(s);
    return code;
}

const command command_check = {
    "check",  "find the frames and triangles in which a target collides", help, "", long_options,
    run_check};
