/* check.c - `willow check`: in which frames does a target collide, and where? */
#include "cli/check.h"
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "bench/play/engine.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/found/found.h"
#include "cli/kept.h"
#include "cli/page/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Plays all frames of a target and finds every pair of faces that meet, between bodies and\n"
    "within each: first contact, worst frame, who meets whom, a chart over time, and a line per\n"
    "frame.\n\n"
    "Examples:\n"
    "  willow check clip.glb                         which faces meet, and when?\n"
    "  willow check body.glb shirt.glb               two files, checked against each other\n"
    "  willow check 'frames/shell%d.obj' --strict    what goes through itself, and not only "
    "touches\n"
    "  willow check clip.glb --between Shirt,Body --first\n"
    "                                                the first frame in which these two meet\n"
    "  willow check clip.glb --csv --limit 10 >found.csv\n"
    "                                                a table of frames, faces and points\n"
    "  willow check clip.glb --report clip.html      a page that shows all that in 3D, to be sent\n"
    "  willow check clip.glb --write found.pvd --write select.py\n"
    "                                                the same for ParaView and for Blender\n"
    "  willow check scene:bumpy --frames 62-62 --pairs\n"
    "                                                which faces meet in frame 62?\n"
    "  willow check scene:tumble --continuous        also what happens between the frames\n"
    "  willow check -q scene:bumpy --frames 50 && echo clean\n"
    "                                                an answer for a script\n\n"
    "Usage: willow check [OPTIONS] TARGET...\n\n" TARGET_HELP "\n";

static const char more_help[] =
    "Options:\n"
    "      --only NAMES     check only these bodies; names may be patterns, as in 'wall*'\n"
    "      --between A,B    check only A against B; A,A is A against itself; repeatable\n"
    "      --ignore A,B     do not check A against B; repeatable\n"
    "      --no-self        only pairs between bodies\n"
    "      --strict         leave out pairs that only touch, or share a vertex\n"
    "      --rest           leave out pairs that meet in the rest pose; they are counted apart\n"
    "      --distance D     also pairs within this distance, not only those that meet\n"
    "      --continuous     also first contacts between each frame and the next, on straight "
    "lines\n"
    "                       (continuous collision detection)\n"
    "      --first          stop at the first frame in which something is found\n"
    "      --frames SPAN    the first N frames, or frames A-B, A- (to the end) or A:B:STEP\n"
    "      --fps F          check F frames a second instead of the keys of the file; of a "
    "sequence:\n"
    "                       its frames per second\n"
    "      --substeps N     check N times from each frame to the next\n"
    "      --animation NAME the animation of a file with several, by name or number\n"
    "      --scene NAME     the scene of a glTF file, by name or number\n"
    "      --no-weld        do not merge vertices that the format splits at seams\n"
    "      --pairs          list the pairs of every frame\n"
    "      --limit N        list at most N pairs per frame\n"
    "      --json           one JSON object per frame and line, the last with a summary\n"
    "      --csv            one line per pair, for tables\n"
    "      --messages       one line per pair as compilers print them, and nothing else\n"
    "      --write FILE     what was found for other programs: .pvd with VTP files (ParaView), "
    ".glb\n"
    "                       with faces that collide in a material of their own, .ply with colours\n"
    "                       of the worst frame ('found%03d.ply': of each), .py that selects the\n"
    "                       faces in Blender; repeatable\n"
    "      --report FILE    write a page that shows the clip in 3D, with all that was found; it\n"
    "                       needs no network\n"
    "      --template FILE  the empty page, if it is not beside the tool\n"
    "  -v, --verbose        a line for every frame, not only where something changes\n"
    "  -q, --quiet          no output; ends at the first frame that collides\n"
    "      --method NAME    how the trees are kept up to date (willow info); default auto\n"
    "      --threads N      workers for updates and queries; default 1\n"
    "      --kernel NAME    auto, scalar or avx2: instructions of the inner loops\n"
    "      --set KEY=VALUE  arity, leaf_triangles, build, hybrid_level, margin, rebuild_ratio,\n"
    "                       broad, descend, watch, poses, skip_neighbours, test_flat; for impacts\n"
    "                       touch_distance, tolerance, max_iterations, skip_close_at_rest;\n"
    "                       repeatable\n"
    "  -h, --help           this text\n\n"
    "Faces are counted from 0, as Blender does. Method, threads, kernel and tree change the time\n"
    "and never the answer; skip_neighbours leaves out pairs within a body that share a vertex.\n\n"
    "Exit status: 0 clean; 1 something was found; 2 error.\n";

enum {
    OPTION_ONLY = 256,
    OPTION_BETWEEN,
    OPTION_IGNORE,
    OPTION_NO_SELF,
    OPTION_STRICT,
    OPTION_REST,
    OPTION_DISTANCE,
    OPTION_CONTINUOUS,
    OPTION_FIRST,
    OPTION_FRAMES,
    OPTION_FPS,
    OPTION_SUBSTEPS,
    OPTION_ANIMATION,
    OPTION_SCENE,
    OPTION_NO_WELD,
    OPTION_PAIRS,
    OPTION_LIMIT,
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MESSAGES,
    OPTION_WRITE,
    OPTION_REPORT,
    OPTION_TEMPLATE,
    OPTION_METHOD,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_SET
};

static const struct option long_options[] = {
    {"only", required_argument, NULL, OPTION_ONLY},
    {"between", required_argument, NULL, OPTION_BETWEEN},
    {"ignore", required_argument, NULL, OPTION_IGNORE},
    {"no-self", no_argument, NULL, OPTION_NO_SELF},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"rest", no_argument, NULL, OPTION_REST},
    {"distance", required_argument, NULL, OPTION_DISTANCE},
    {"continuous", no_argument, NULL, OPTION_CONTINUOUS},
    {"first", no_argument, NULL, OPTION_FIRST},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"substeps", required_argument, NULL, OPTION_SUBSTEPS},
    {"animation", required_argument, NULL, OPTION_ANIMATION},
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"no-weld", no_argument, NULL, OPTION_NO_WELD},
    {"pairs", no_argument, NULL, OPTION_PAIRS},
    {"limit", required_argument, NULL, OPTION_LIMIT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"messages", no_argument, NULL, OPTION_MESSAGES},
    {"write", required_argument, NULL, OPTION_WRITE},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"template", required_argument, NULL, OPTION_TEMPLATE},
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

static int take_distance(check_options *options, const char *text)
{
    if (parse_real(text, 0, &options->distance) && options->distance > 0) return EXIT_FINE;
    return complain_usage("check",
                          "--distance %s: a length above 0 is needed, in the units of the "
                          "file",
                          text);
}

static int take_rule(check_options *options, const char *name, const char *text, bool is_ignored)
{
    if (options->rule_count == CHECK_RULE_MAX) {
        return complain_usage("check", "%s: at most %d of --between and --ignore", name,
                              CHECK_RULE_MAX);
    }
    options->rules[options->rule_count++] = (check_rule){name, text, is_ignored};
    return EXIT_FINE;
}

static int take_output(check_options *options, check_output output)
{
    if (options->output != CHECK_TEXT && options->output != output) {
        return complain_usage("check",
                              "--json, --csv and --messages are ways to print the same; give one "
                              "of them");
    }
    options->output = output;
    return EXIT_FINE;
}

static int take_written(check_options *options, const char *text)
{
    if (options->written_count == CHECK_WRITE_MAX)
        return complain_usage("check", "--write %s: more than %d files", text, CHECK_WRITE_MAX);
    options->written[options->written_count++] = text;
    return EXIT_FINE;
}

static int take_fps(check_options *options, const char *text)
{
    const int code = sample_take_fps(&options->samples, "check", text);
    options->clip.fps = options->samples.fps;
    return code;
}

static int take_engine_option(engine_options *engine, int option, const char *value)
{
    switch (option) {
    case OPTION_METHOD: return engine_take_method(engine, "check", value);
    case OPTION_THREADS: return engine_take_threads(engine, "check", value);
    case OPTION_KERNEL: return engine_take_kernel(engine, "check", value);
    case OPTION_SET: return engine_take_set(engine, "check", value);
    }
    return EXIT_FINE;
}

static int take_check_option(void *context, int option, const char *value)
{
    check_options *options = context;
    switch (option) {
    case OPTION_ONLY: options->only = value; break;
    case OPTION_BETWEEN: return take_rule(options, "--between", value, false);
    case OPTION_IGNORE: return take_rule(options, "--ignore", value, true);
    case OPTION_NO_SELF: options->no_self = true; break;
    case OPTION_STRICT: options->strict = true; break;
    case OPTION_REST: options->rest = true; break;
    case OPTION_DISTANCE: return take_distance(options, value);
    case OPTION_CONTINUOUS: options->continuous = true; break;
    case OPTION_FIRST: options->first = true; break;
    case OPTION_FRAMES: options->samples.frames = value; break;
    case OPTION_FPS: return take_fps(options, value);
    case OPTION_SUBSTEPS: return sample_take_substeps(&options->samples, "check", value);
    case OPTION_ANIMATION: options->clip.animation = value; break;
    case OPTION_SCENE: options->clip.scene = value; break;
    case OPTION_NO_WELD: options->clip.no_weld = true; break;
    case OPTION_PAIRS: options->pairs = true; break;
    case OPTION_LIMIT: return take_limit(options, value);
    case OPTION_JSON: return take_output(options, CHECK_JSON);
    case OPTION_CSV: return take_output(options, CHECK_CSV);
    case OPTION_MESSAGES: return take_output(options, CHECK_MESSAGES);
    case OPTION_WRITE: return take_written(options, value);
    case OPTION_REPORT: options->report = value; break;
    case OPTION_TEMPLATE: options->shell = value; break;
    case 'v': options->verbose = true; break;
    case 'q': options->quiet = true; break;
    default: return take_engine_option(&options->engine, option, value);
    }
    return EXIT_FINE;
}

static bool check_lists_pairs(const check_options *options)
{
    return options->pairs || options->output == CHECK_CSV || options->output == CHECK_MESSAGES;
}

/* Pairs of options that mean nothing together. */
static int check_options_agree(const check_options *options)
{
    if (options->limit != 0 && !check_lists_pairs(options)) {
        return complain_usage("check", "--limit is about the lists of --pairs, --csv and "
                                       "--messages, and none of them is there");
    }
    if (options->quiet && (options->output != CHECK_TEXT || options->pairs || options->verbose)) {
        return complain_usage("check", "--quiet prints nothing, so --json, --csv, --messages, "
                                       "--pairs and --verbose cannot go with it");
    }
    if (options->quiet && (options->report != NULL || options->written_count > 0)) {
        return complain_usage("check", "--quiet ends at the first frame that collides, and "
                                       "--report and --write tell of all of them");
    }
    if (options->shell != NULL && options->report == NULL) {
        return complain_usage("check", "--template needs --report");
    }
    if (options->strict && options->distance > 0) {
        return complain_usage("check", "--strict is about what meets, and --distance about what "
                                       "need not; give one of them");
    }
    if (options->rest && options->continuous) {
        return complain_usage("check", "--continuous looks for the first contact of a step, which "
                                       "is that of the rest pose again; --rest cannot go with it");
    }
    if (options->engine.has_watches && options->distance > 0) {
        return complain_usage("check", "--set watch is about what meets, not about --distance");
    }
    if (options->engine.poses == POSES_ALL) {
        return complain_usage("check", "--set poses=all is for willow bench");
    }
    return EXIT_FINE;
}

/* ---- the command ---- */

static int check_print_report(check_report *report)
{
    const check_options *options = report->options;
    if (options->output == CHECK_JSON) return check_json_summary(report);
    if (options->output == CHECK_TEXT && !options->quiet) check_print(report);
    return EXIT_FINE;
}

static int check_write_page(const check_report *report, const clip_role *roles)
{
    const check_options *options = report->options;
    const page_def def = {.target = report->target,
                          .samples = report->samples,
                          .roles = roles,
                          .report = report,
                          .kept = report->kept,
                          .command = options->command,
                          .shell = options->shell,
                          .out = options->report};
    return clip_page_write("check", &def);
}

/* Whoever reads a file that has not all pairs should know. */
static void note_cut(const check_report *report)
{
    const uint32_t sample = check_kept_first_cut(report->kept);
    if (sample == UINT32_MAX) return;
    const kept_frame *frame = &report->kept->frames[sample];
    fprintf(stderr,
            "willow check: frame %.10g has %" PRIu64 " pairs; files have the first %" PRIu32
            " of a frame\n",
            report->frames[sample].number, frame->found, report->kept->share);
}

/* Files that hold what was found, at the end. */
static int check_write_files(const check_report *report, const clip_role *roles)
{
    const check_options *options = report->options;
    const found_def def = {.report = report, .roles = roles};
    int code = EXIT_FINE;
    note_cut(report);
    if (options->report != NULL) code = check_write_page(report, roles);
    for (uint32_t i = 0; code == EXIT_FINE && i < options->written_count; i++)
        code = found_write(&def, options->written[i]);
    if (code != EXIT_FINE || options->output != CHECK_TEXT) return code;
    if (options->report != NULL) printf("\nThe report is in %s\n", options->report);
    for (uint32_t i = 0; i < options->written_count; i++)
        printf("Written: %s\n", options->written[i]);
    return EXIT_FINE;
}

static int check_play_kept(const target *t, const check_options *options, const sample_list *s,
                           const clip_role *roles, check_kept *kept)
{
    check_report report;
    if (options->output == CHECK_CSV) check_csv_head();
    int code =
        check_run(&report, t, options, s, roles, kept) ? check_print_report(&report) : EXIT_ERROR;
    if (code == EXIT_FINE && kept != NULL) code = check_write_files(&report, roles);
    if (code == EXIT_FINE && report.hit + report.steps_hit > 0) code = EXIT_FOUND;
    check_report_destroy(&report);
    return code;
}

/* Whether the files can be written is looked at before anybody waits for what they hold. */
static int check_files(const target *t, const check_options *options, const sample_list *s,
                       const clip_role *roles)
{
    const page_def def = {
        .target = t, .samples = s, .roles = roles, .shell = options->shell, .out = options->report};
    int code = options->report != NULL ? clip_page_check("check", &def) : EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < options->written_count; i++)
        code = found_check(options->written[i]);
    return code;
}

static int check_play_roles(const target *t, const check_options *options, const sample_list *s,
                            const clip_role *roles)
{
    check_kept kept;
    if (options->report == NULL && options->written_count == 0)
        return check_play_kept(t, options, s, roles, NULL);
    int code = check_files(t, options, s, roles);
    if (code != EXIT_FINE) return code;
    code = check_kept_create(&kept, s->count, options->distance > 0)
               ? check_play_kept(t, options, s, roles, &kept)
               : complain("check", "out of memory");
    check_kept_destroy(&kept);
    return code;
}

static int check_target(const target *t, const check_options *options)
{
    sample_list s;
    clip_role *roles = NULL;
    int code = sample_list_choose(&s, "check", t->clip, &options->samples);
    if (code == EXIT_FINE) code = check_choose_bodies(t->clip, options, &roles);
    if (code == EXIT_FINE) code = check_play_roles(t, options, &s, roles);
    free(roles);
    sample_list_destroy(&s);
    return code;
}

static int check_words(char **words, int count, check_options *options)
{
    target t;
    if (count == 0) {
        return complain_usage("check", "say what to check: willow check clip.glb, or willow check "
                                       "scene:bumpy");
    }
    int code = check_options_agree(options);
    if (code != EXIT_FINE) return code;
    options->pairs = check_lists_pairs(options);
    code = target_open(&t, "check", words, (uint32_t)count, &options->clip)
               ? check_target(&t, options)
               : EXIT_ERROR;
    target_close(&t);
    return code;
}

static int run_check(int argc, char **argv)
{
    int code;
    char *command_line = command_line_join(argc, argv);
    check_options options = {.engine = engine_options_default(),
                             .clip = clip_options_default(),
                             .samples = {.substeps = 1},
                             .command = command_line};
    if (command_line == NULL) return complain("check", "out of memory");
    if (read_options(&command_check, argc, argv, take_check_option, &options, &code))
        code = check_words(argv + optind, argc - optind, &options);
    free(command_line);
    return code;
}

const command command_check = {"check",      "find the frames and faces in which a target collides",
                               help,         more_help,
                               long_options, run_check};
