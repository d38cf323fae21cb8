/* bench.c - `willow bench`: what the command line asks for. */
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/limit/limit.h"
#include "bench/run/options.h"
#include "bench/suites/run_cliffs.h"
#include "bench/suites/run_crowds.h"
#include "bench/suites/run_edits.h"
#include "bench/suites/run_fracture.h"
#include "bench/suites/run_scenes.h"
#include "bench/suites/run_spheres.h"
#include "bench/suites/suites.h"
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Runs methods side by side on scenes that move, proves that their answers are equal, and "
    "prints\n"
    "their times: one JSON object per line, CSV, or a table.\n\n"
    "Examples:\n"
    "  willow bench --table                      all methods on two bumpy spheres\n"
    "  willow bench --scene bumpy:triangles=81920 --method all,peer:plain --table\n"
    "                                            a larger scene, and the yardstick beside them\n"
    "  willow bench --method bottom_up --set leaf_triangles=8 --frames 100\n"
    "                                            one method, with small leaves, as JSON\n"
    "  willow bench --scene soup:variant=strips --query self --method brute,bottom_up\n"
    "                                            pairs within bodies\n"
    "  willow bench --method bottom_up:build=sah,bottom_up:build=median,van_den_bergen --table\n"
    "                                            two builders beside van den Bergen's method\n"
    "  willow bench --scene tumble --query first --method bottom_up,bottom_up:poses=none\n"
    "                                            what poses save when bodies are rigid\n"
    "  willow bench --suite quick --peers --report out\n"
    "                                            small scenes of all kinds, as a page with charts\n"
    "  willow bench --suite growth --method bottom_up,van_den_bergen --table --fifths\n"
    "                                            how times grow with the size, and within a run\n"
    "  willow bench --limit --table              refits beside the bandwidth of memory\n"
    "  willow bench --plans --scene avatar --query first --table\n"
    "                                            bodies whose paths are known (flight plans)\n"
    "  willow bench --morphs --scene dolphins --method blend,hybrid,peer:plain --query first,pairs "
    "--table\n"
    "                                            bodies that morph, by targets and weights\n"
    "  willow bench --scene selfcloth --query impacts,near --table\n"
    "                                            impacts of steps (CCD), and near pairs\n"
    "  willow bench --scene crowd3d:bodies=100000 --query broad --method all --peers --table\n"
    "                                            broad phases side by side, without meshes\n\n"
    "Usage: willow bench [OPTIONS]\n\n"
    "Options:\n"
    "      --scene NAME[:key=value,...]  what moves (willow scene list); repeatable; default "
    "bumpy\n"
    "      --suite NAME                  a list of scenes and sizes: standard (published "
    "results),\n"
    "                                    quick (takes seconds), growth (bumpy in four sizes),\n"
    "                                    paper (Larsson's paper A), self (cloth), impacts "
    "(steps),\n"
    "                                    kinetic (flight plans), watch (separation lists), morph,\n"
    "                                    rays, skins, cliffs (shapes that are slow to search;\n"
    "                                    --scene and --query choose among its rows), broad (up to\n"
    "                                    a million boxes), edits (a slab that is cut), fracture\n"
    "                                    (bodies that break), spheres (trees of cells that grow)\n"
    "      --method LIST|all             methods, van_den_bergen and peers, with commas between;\n"
    "                                    a method may set keys for itself, as in\n"
    "                                    bottom_up:build=sah:arity=4; default all\n"
    "      --query LIST                  queries of every frame, with commas between, each in a "
    "run\n"
    "                                    of its own: pairs (default), first, self, none; impacts\n"
    "                                    and toi, of the step to the next frame; near,\n"
    "                                    near_features; distance (of the first body from the\n"
    "                                    others); rays, picks, picks_1000; broad, for crowds:\n"
    "                                    --method then takes broad phases, such as grid or\n"
    "                                    compressed_tree:cell=0.5\n"
    "      --strangers                   pairs of two bodies only, none within a body\n";

static const char more_help[] =
    "      --motion own|positions        own (default): each method gets the motion that it "
    "supports\n"
    "                                    (poses, flight plans, morphs), and peers get positions;\n"
    "                                    positions: all get positions. The field motion of a row\n"
    "                                    says which\n"
    "      --plans                       bodies with known paths get them once, as flight plans;\n"
    "                                    peers get positions, computed as part of their updates\n"
    "      --morphs                      bodies that morph get targets once, then weights and\n"
    "                                    poses; peers get positions, as with --plans\n"
    "      --frames N                    only the first N frames of the scene\n"
    "      --threads N                   workers for updates and queries; default 1\n"
    "      --kernel auto|scalar|avx2     instructions of the inner loops; default auto\n"
    "      --set KEY=VALUE               for all methods: arity, leaf_triangles, build, "
    "hybrid_level,\n"
    "                                    margin, rebuild_ratio, broad, descend, watch, poses,\n"
    "                                    skip_neighbours, test_flat; with flight plans events,\n"
    "                                    search_keyframes, exact_events; with edits\n"
    "                                    keep_siblings, quality_limit; with morphs reference,\n"
    "                                    reference_target, blend_both, in_between, volume; with\n"
    "                                    skins float_skins; for near near_distance, for impacts\n"
    "                                    touch_distance, tolerance, max_iterations; for both\n"
    "                                    skip_close_at_rest; trees, threads; repeatable\n"
    "      --repeat N                    run everything N times\n"
    "      --peers                       run peers, too; speedup is peer:plain's total time over\n"
    "                                    that of the row\n"
    "      --table                       a table for people instead of JSON\n"
    "      --csv                         one line per method and scene, below a line of headings\n"
    "      --series                      JSON: also the times of every counted frame\n"
    "      --fifths                      table: also the means of each fifth of the frames\n"
    "      --stages                      table: also counts of the work per frame\n"
    "      --limit                       measure the streaming bandwidth of memory first, and "
    "give\n"
    "                                    refits as a share of it; without a scene, refits of\n"
    "                                    several sizes\n"
    "      --report DIR                  also write DIR/report.html, a page with charts that "
    "needs\n"
    "                                    no network, and DIR/results.jsonl, its data\n"
    "      --template FILE               the empty page of --report; default\n"
    "                                    share/willow/report.html beside bin/\n"
    "      --results FILE                also write a page in Markdown; rows of the suites paper\n"
    "                                    (with van_den_bergen), kinetic and morph are shown\n"
    "                                    beside the figures of their papers\n"
    "  -h, --help                        this text\n\n"
    "Methods take turns, 10 frames each; the first frame of a turn is not counted. update_ms is\n"
    "the time of setting vertices or poses plus the update. Peers get vertices in every frame, as\n"
    "all methods do with --motion positions. van_den_bergen is bottom_up with a binary tree and\n"
    "one triangle per leaf, under a pose.\n\n"
    "Most peers leave out pairs of one body that share a vertex, as skip_neighbours=1 does.\n"
    "Answers are compared among methods and peers that do the same.\n\n"
    "Exit status: 0 fine; 1 answers of Willow methods differ; 2 error.\n";

/* ---- options ---- */

enum {
    OPTION_CSV = BENCH_OPTION_OWN,
    OPTION_SERIES,
    OPTION_FIFTHS,
    OPTION_STAGES,
    OPTION_PLANS,
    OPTION_MORPHS,
    OPTION_MOTION,
    OPTION_STRANGERS,
    OPTION_SUITE,
    OPTION_LIMIT,
    OPTION_REPORT,
    OPTION_TEMPLATE,
    OPTION_RESULTS
};

static const struct option long_options[] = {
    BENCH_OPTIONS(BENCH_OPTION_ROW){"suite", required_argument, NULL, OPTION_SUITE},
    {"csv", no_argument, NULL, OPTION_CSV},
    {"series", no_argument, NULL, OPTION_SERIES},
    {"fifths", no_argument, NULL, OPTION_FIFTHS},
    {"stages", no_argument, NULL, OPTION_STAGES},
    {"plans", no_argument, NULL, OPTION_PLANS},
    {"morphs", no_argument, NULL, OPTION_MORPHS},
    {"motion", required_argument, NULL, OPTION_MOTION},
    {"strangers", no_argument, NULL, OPTION_STRANGERS},
    {"limit", no_argument, NULL, OPTION_LIMIT},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"template", required_argument, NULL, OPTION_TEMPLATE},
    {"results", required_argument, NULL, OPTION_RESULTS},
    {"help", no_argument, NULL, 'h'},
    {0},
};

static int take_bench_option(void *context, int option, const char *value)
{
    bench_options *options = context;
    switch (option) {
    case OPTION_SUITE: return bench_add_suite(options, value);
    case OPTION_CSV: return bench_take_format(options, FORMAT_CSV);
    case OPTION_SERIES: options->series = true; return EXIT_FINE;
    case OPTION_FIFTHS: options->fifths = true; return EXIT_FINE;
    case OPTION_STAGES: options->stages = true; return EXIT_FINE;
    case OPTION_PLANS: options->engine.plans = true; return EXIT_FINE;
    case OPTION_MORPHS: options->engine.morphs = true; return EXIT_FINE;
    case OPTION_MOTION: return bench_take_motion(options, value);
    case OPTION_STRANGERS: options->strangers = true; return EXIT_FINE;
    case OPTION_LIMIT: options->limit = true; return EXIT_FINE;
    case OPTION_REPORT: options->report = value; return EXIT_FINE;
    case OPTION_TEMPLATE: options->page_template = value; return EXIT_FINE;
    case OPTION_RESULTS: options->results = value; return EXIT_FINE;
    default: return bench_take_option(options, option, value);
    }
}

/* ---- the command ---- */

enum { COMMAND_LINE_MAX = 1024 };

/* The command as it was given, for files that outlive it; "..." if it is too long for that. */
static void note_command(char out[COMMAND_LINE_MAX], int argc, char **argv)
{
    size_t used = (size_t)snprintf(out, COMMAND_LINE_MAX, "willow bench");
    for (int i = 1; i < argc; i++) {
        if (used + strlen(argv[i]) + 6 > COMMAND_LINE_MAX) {
            memcpy(out + used, " ...", 5);
            return;
        }
        used += (size_t)snprintf(out + used, COMMAND_LINE_MAX - used, " %s", argv[i]);
    }
}

static bool writes_files(const bench_options *options)
{
    return options->report != NULL || options->results != NULL;
}

static bool asks_for_boxes(const bench_options *options)
{
    bool is_asked = false;
    for (uint32_t i = 0; i < options->question_count; i++)
        is_asked = is_asked || bench_question_is(options->questions[i], ASKS_BOXES);
    return is_asked;
}

/* Triangles come and go there, which contenders of other suites do not know. */
static bool has_fracture_scene(const bench_options *options)
{
    for (uint32_t i = 0; i < options->scene_count; i++)
        if (bench_is_fracture_scene(options->scenes[i])) return true;
    return false;
}

static int run_bench(int argc, char **argv)
{
    int code;
    char command_line[COMMAND_LINE_MAX];
    note_command(command_line, argc, argv);
    bench_options options = bench_options_default();
    options.command_line = command_line;
    if (!read_options(&command_bench, argc, argv, take_bench_option, &options, &code)) return code;
    code = refuse_more_words(&command_bench, argc, argv, 0);
    if (code != EXIT_FINE) return code;
    if (options.series && options.format != FORMAT_JSON) {
        return complain_usage("bench", "--series is for JSON, not for --table or --csv");
    }
    if (options.fifths && options.format != FORMAT_TABLE) {
        return complain_usage("bench", "--fifths is for --table; JSON and CSV always have them");
    }
    if (options.stages && options.format != FORMAT_TABLE) {
        return complain_usage("bench", "--stages is for --table; JSON and CSV always count them");
    }
    if (has_fracture_scene(&options)) options.runner = RUNS_FRACTURE;
    switch (options.runner) {
    case RUNS_CLIFFS: return bench_cliffs(&options);
    case RUNS_EDITS: return bench_edits(&options);
    case RUNS_FRACTURE: return bench_fracture(&options);
    case RUNS_SPHERES: return bench_spheres(&options);
    case RUNS_FRAMES: break;
    }
    if (options.methods != NULL) {
        memset(options.scene_methods, 0, sizeof options.scene_methods);
    }
    if (options.question_count > 0) {
        memset(options.scene_questions, 0, sizeof options.scene_questions);
    }
    if (options.question_count == 0) {
        bench_take_questions(&options,
                             options.suite_question != NULL ? options.suite_question : "pairs");
    }
    if (options.methods == NULL) options.methods = options.suite_methods;
    if (options.limit && options.scene_count == 0 && !writes_files(&options)) {
        return bench_limit(&options);
    }
    if (options.scene_count == 0) bench_add_scene(&options, "bumpy");
    if (asks_for_boxes(&options)) return bench_crowds(&options);
    bench_settle_motion(&options);
    return bench_scenes(&options);
}

const command command_bench = {
    "bench",      "measure update and query methods on a scene, with peers",
    help,         more_help,
    long_options, run_bench};
