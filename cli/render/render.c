/* render.c - `willow render`: pictures of a target, with what collides in red. */
#include "cli/render/render.h"
#include "bench/common/command.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/new_file.h"
#include "bench/common/numbers.h"
#include "cli/commands.h"
#include "cli/frame_span.h"
#include "cli/render/clip_scene.h"
#include "cli/samples.h"
#include "cli/target.h"
#include "io/png_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Draws frames of a target as PNG files: bodies in colours, triangles that meet in red. Rays\n"
    "of the library find what is visible, shadows and reflections.\n\n"
    "Examples:\n"
    "  willow render clip.glb --out pictures --x-ray     all frames, and collisions that are "
    "hidden\n"
    "  willow render scene:bumpy --out pictures --frames 60-90 --every 10 --size 320x240\n"
    "                                                    frames 60, 70, 80 and 90\n"
    "  willow render scene:bumpy --out pictures --strip 5 --size 160x120\n"
    "                                                    five frames side by side\n"
    "  willow render scene:bumpy --out pictures --boxes 3 --fresh-by pairs --no-self\n"
    "                                                    which boxes did pairs need?\n"
    "  willow render scene:bumpy --out pictures --sampling 5 --budget 50\n"
    "                                                    what can be seen in 50 ms per frame?\n\n"
    "Usage: willow render [OPTIONS] TARGET... --out FOLDER\n\n" TARGET_HELP
    "Pictures are named frame0000.png and so on, by the number of the frame.\n\n";

static const char more_help[] =
    "Options:\n"
    "      --out FOLDER     where the pictures go; made if it is not there\n"
    "      --frames SPAN    the first N frames, or frames A-B, A- (to the end) or A:B:STEP\n"
    "      --every N        only every N-th of these\n"
    "      --fps F          of files: F frames a second, not those of the file\n"
    "      --up AXIS        of files: y or z is upwards; default y\n"
    "      --animation NAME the animation of a file with several, by name or number\n"
    "      --scene NAME     the scene of a glTF file, by name or number\n"
    "      --strip N        N of these, evenly spread, side by side in one file, strip.png\n"
    "      --size WxH       pixels of a picture; default 640x480\n"
    "      --sampling N     1, 5 or 10: one ray per N x N pixels, interpolated; default: as the\n"
    "                       scene says, else 1\n"
    "      --antialias N    N x N rays in a pixel, 1 to 8; default 1\n"
    "      --colours N      at most N colours in a file, 2 to 256, for small files\n"
    "      --budget MS      stop update and rays of a frame after this time; primary rays come\n"
    "                       first, a few over the whole picture before all others, and colours\n"
    "                       between these are where the others did not get to\n"
    "      --boxes A|A-B    draw the boxes of the hierarchies at this depth, or these depths;\n"
    "                       the root has 0. Colours are depths; boxes that the frame did not need "
    "are\n"
    "                       grey and dashed\n"
    "      --fresh-by NAME  rays (the default) or pairs: the query that needs boxes\n"
    "      --eye X,Y,Z      the position of the camera\n"
    "      --look-at X,Y,Z  the point that it looks at; default: as in the scene, or all in view\n"
    "      --follow         place the camera anew in each frame, where the bodies are\n"
    "      --zoom F         F times larger\n"
    "      --no-self        only pairs between bodies are red\n"
    "      --no-pairs       no query for pairs, so nothing is red\n"
    "      --x-ray          red triangles show through whatever hides them\n"
    "      --edges          draw the edges of triangles that are large enough\n"
    "      --floor          shadows fall on a floor below everything\n"
    "      --json           one JSON object per frame and line, the last with a summary\n"
    "  -q, --quiet          no output\n"
    "      --method NAME    how the trees are kept up to date (willow info); default auto. "
    "Kinetic\n"
    "                       ones get flight plans, blend gets morphs, if the scene has them\n"
    "      --threads N      workers for updates, rays and pairs; default 1\n"
    "      --kernel NAME    auto, scalar or avx2: instructions of the inner loops\n"
    "      --set KEY=VALUE  arity, leaf_triangles, build, hybrid_level, margin and all other keys\n"
    "                       of willow check; repeatable\n"
    "  -h, --help           this text\n\n"
    "Method, threads, kernel and tree change the time and never the picture.\n\n"
    "Exit status: 0 fine; 2 error.\n";

enum {
    OPTION_OUT = 256,
    OPTION_FRAMES,
    OPTION_EVERY,
    OPTION_FPS,
    OPTION_UP,
    OPTION_ANIMATION,
    OPTION_SCENE,
    OPTION_STRIP,
    OPTION_SIZE,
    OPTION_SAMPLING,
    OPTION_ANTIALIAS,
    OPTION_COLOURS,
    OPTION_BUDGET,
    OPTION_BOXES,
    OPTION_FRESH_BY,
    OPTION_EYE,
    OPTION_LOOK_AT,
    OPTION_FOLLOW,
    OPTION_ZOOM,
    OPTION_NO_SELF,
    OPTION_NO_PAIRS,
    OPTION_X_RAY,
    OPTION_EDGES,
    OPTION_FLOOR,
    OPTION_JSON,
    OPTION_METHOD,
    OPTION_THREADS,
    OPTION_KERNEL,
    OPTION_SET
};

static const struct option long_options[] = {
    {"out", required_argument, NULL, OPTION_OUT},
    {"frames", required_argument, NULL, OPTION_FRAMES},
    {"every", required_argument, NULL, OPTION_EVERY},
    {"fps", required_argument, NULL, OPTION_FPS},
    {"up", required_argument, NULL, OPTION_UP},
    {"animation", required_argument, NULL, OPTION_ANIMATION},
    {"scene", required_argument, NULL, OPTION_SCENE},
    {"strip", required_argument, NULL, OPTION_STRIP},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"sampling", required_argument, NULL, OPTION_SAMPLING},
    {"antialias", required_argument, NULL, OPTION_ANTIALIAS},
    {"colours", required_argument, NULL, OPTION_COLOURS},
    {"budget", required_argument, NULL, OPTION_BUDGET},
    {"boxes", required_argument, NULL, OPTION_BOXES},
    {"fresh-by", required_argument, NULL, OPTION_FRESH_BY},
    {"eye", required_argument, NULL, OPTION_EYE},
    {"look-at", required_argument, NULL, OPTION_LOOK_AT},
    {"follow", no_argument, NULL, OPTION_FOLLOW},
    {"zoom", required_argument, NULL, OPTION_ZOOM},
    {"no-self", no_argument, NULL, OPTION_NO_SELF},
    {"no-pairs", no_argument, NULL, OPTION_NO_PAIRS},
    {"x-ray", no_argument, NULL, OPTION_X_RAY},
    {"edges", no_argument, NULL, OPTION_EDGES},
    {"floor", no_argument, NULL, OPTION_FLOOR},
    {"json", no_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, 'q'},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"kernel", required_argument, NULL, OPTION_KERNEL},
    {"set", required_argument, NULL, OPTION_SET},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* ---- values of options ---- */

enum { SIDE_MAX = 8192, DOTS_MAX = 1 << 26, STRIP_MAX = 64, BOX_DEPTH_MAX = 1000 };

/* Two counts with a sign between them. */
static bool parse_two(const char *text, char sign, uint32_t lowest, uint32_t highest,
                      uint32_t out[2])
{
    char first[16];
    const char *second = strchr(text, sign);
    if (second == NULL || (size_t)(second - text) >= sizeof first) return false;
    snprintf(first, sizeof first, "%.*s", (int)(second - text), text);
    return parse_count(first, lowest, highest, &out[0]) &&
           parse_count(second + 1, lowest, highest, &out[1]);
}

static int take_size(render_options *o, const char *text)
{
    uint32_t size[2];
    if (!parse_two(text, 'x', 1, SIDE_MAX, size)) {
        return complain_usage("render",
                              "--size %s: write width x height, as in 640x480, of 1 to "
                              "%d pixels each",
                              text, SIDE_MAX);
    }
    o->width = size[0];
    o->height = size[1];
    return EXIT_FINE;
}

static int take_sampling(render_options *o, const char *text)
{
    if (parse_count(text, 1, 10, &o->sampling) &&
        (o->sampling == 1 || o->sampling == 5 || o->sampling == 10)) {
        return EXIT_FINE;
    }
    return complain_usage("render", "--sampling %s: 1, 5 or 10 is needed", text);
}

static int take_number(const char *name, const char *text, uint32_t lowest, uint32_t highest,
                       uint32_t *out)
{
    if (parse_count(text, lowest, highest, out)) return EXIT_FINE;
    return complain_usage("render", "--%s %s: a number from %" PRIu32 " to %" PRIu32 " is needed",
                          name, text, lowest, highest);
}

static int take_budget(render_options *o, const char *text)
{
    if (parse_real(text, 0, &o->budget_ms) && o->budget_ms > 0) return EXIT_FINE;
    return complain_usage("render", "--budget %s: milliseconds are needed, more than 0", text);
}

static int take_zoom(render_options *o, const char *text)
{
    if (parse_real(text, 0.01, &o->zoom) && o->zoom <= 1000) return EXIT_FINE;
    return complain_usage("render", "--zoom %s: a number from 0.01 to 1000 is needed", text);
}

static int take_boxes(render_options *o, const char *text)
{
    uint32_t span[2];
    o->has_boxes = true;
    if (parse_count(text, 0, BOX_DEPTH_MAX, &span[0])) {
        o->boxes_from = o->boxes_to = span[0];
        return EXIT_FINE;
    }
    if (!parse_two(text, '-', 0, BOX_DEPTH_MAX, span) || span[0] > span[1]) {
        return complain_usage(
            "render", "--boxes %s: write a depth, as in 3, or two of them, as in 0-3", text);
    }
    o->boxes_from = span[0];
    o->boxes_to = span[1];
    return EXIT_FINE;
}

static int take_fresh_by(render_options *o, const char *text)
{
    o->pairs_first = strcmp(text, "pairs") == 0;
    if (o->pairs_first || strcmp(text, "rays") == 0) return EXIT_FINE;
    return complain_usage("render", "--fresh-by %s: rays or pairs is needed", text);
}

/* "0,-2.5,1" */
static int take_point(const char *name, const char *text, float out[3], bool *has)
{
    char word[64];
    const char *rest = text;
    *has = true;
    for (int k = 0; k < 3; k++) {
        const size_t length = strcspn(rest, ",");
        double value = 0;
        const bool goes_on = rest[length] == ',';
        snprintf(word, sizeof word, "%.*s", (int)length, rest);
        if (length >= sizeof word || goes_on != (k < 2) || !parse_real(word, -1e30, &value) ||
            value > 1e30) {
            return complain_usage("render", "--%s %s: write three numbers, as in 0,-2.5,1", name,
                                  text);
        }
        out[k] = (float)value;
        rest += length + 1;
    }
    return EXIT_FINE;
}

static int take_engine_option(engine_options *engine, int option, const char *value)
{
    switch (option) {
    case OPTION_METHOD: return engine_take_method(engine, "render", value);
    case OPTION_THREADS: return engine_take_threads(engine, "render", value);
    case OPTION_KERNEL: return engine_take_kernel(engine, "render", value);
    case OPTION_SET: return engine_take_set(engine, "render", value);
    }
    return EXIT_FINE;
}

static int take_fps(render_options *o, const char *text)
{
    sample_options options = {.substeps = 1};
    const int code = sample_take_fps(&options, "render", text);
    o->fps = o->clip.fps = options.fps;
    return code;
}

static int take_up(render_options *o, const char *text)
{
    o->is_z_up = strcmp(text, "z") == 0;
    if (o->is_z_up || strcmp(text, "y") == 0) return EXIT_FINE;
    return complain_usage("render", "--up %s: y or z is needed", text);
}

static int take_render_option(void *context, int option, const char *value)
{
    render_options *o = context;
    switch (option) {
    case OPTION_OUT: o->out = value; break;
    case OPTION_FRAMES: o->frames = value; break;
    case OPTION_EVERY: return take_number("every", value, 1, UINT32_MAX, &o->every);
    case OPTION_FPS: return take_fps(o, value);
    case OPTION_UP: return take_up(o, value);
    case OPTION_ANIMATION: o->clip.animation = value; break;
    case OPTION_SCENE: o->clip.scene = value; break;
    case OPTION_STRIP: return take_number("strip", value, 1, STRIP_MAX, &o->strip);
    case OPTION_SIZE: return take_size(o, value);
    case OPTION_SAMPLING: return take_sampling(o, value);
    case OPTION_ANTIALIAS: return take_number("antialias", value, 1, 8, &o->antialias);
    case OPTION_COLOURS: return take_number("colours", value, 2, 256, &o->colours);
    case OPTION_BUDGET: return take_budget(o, value);
    case OPTION_BOXES: return take_boxes(o, value);
    case OPTION_FRESH_BY: return take_fresh_by(o, value);
    case OPTION_EYE: return take_point("eye", value, o->eye, &o->has_eye);
    case OPTION_LOOK_AT: return take_point("look-at", value, o->look_at, &o->has_look_at);
    case OPTION_FOLLOW: o->follow = true; break;
    case OPTION_ZOOM: return take_zoom(o, value);
    case OPTION_NO_SELF: o->no_self = true; break;
    case OPTION_NO_PAIRS: o->no_pairs = true; break;
    case OPTION_X_RAY: o->has_x_ray = true; break;
    case OPTION_EDGES: o->has_edges = true; break;
    case OPTION_FLOOR: o->has_floor = true; break;
    case OPTION_JSON: o->json = true; break;
    case 'q': o->quiet = true; break;
    default: return take_engine_option(&o->engine, option, value);
    }
    return EXIT_FINE;
}

static int render_options_agree(const render_options *o)
{
    if (o->out == NULL) {
        return complain_usage("render", "say where the pictures go: --out FOLDER");
    }
    if (o->sampling > 1 && o->antialias > 1) {
        return complain_usage("render",
                              "--sampling %" PRIu32 " is fewer rays than pixels and "
                              "--antialias %" PRIu32 " more: choose one",
                              o->sampling, o->antialias);
    }
    if (o->has_x_ray && o->no_pairs) {
        return complain_usage("render", "--no-pairs leaves nothing to show, so --x-ray cannot go "
                                        "with it");
    }
    if (o->pairs_first && (o->no_pairs || !o->has_boxes || o->budget_ms > 0)) {
        return complain_usage("render",
                              "--fresh-by pairs shows in boxes what pairs needed: it goes "
                              "with --boxes, and without --no-pairs and --budget");
    }
    if (o->strip > 0 && o->every > 1) {
        return complain_usage("render", "--strip spreads its frames by itself, so --every cannot "
                                        "go with it");
    }
    if (o->quiet && o->json) {
        return complain_usage("render", "--quiet prints nothing, so --json cannot go with it");
    }
    const uint64_t dots = (uint64_t)o->width * o->height * o->antialias * o->antialias;
    if (dots > DOTS_MAX || (uint64_t)o->width * o->height * o->strip > DOTS_MAX) {
        return complain_usage("render",
                              "--size %" PRIu32 "x%" PRIu32 ": that is more than %d "
                              "rays or pixels in a file",
                              o->width, o->height, DOTS_MAX);
    }
    return EXIT_FINE;
}

/* ---- the folder ---- */

/* Before any work is done, so that nobody waits for pictures that cannot be written. */
static int prepare_folder(const char *folder)
{
    if (!folders_make(folder)) {
        return complain("render", "--out %s: the folder could not be made: %s", folder,
                        folder[0] != '\0' ? strerror(errno) : "it has no name");
    }
    if (access(folder, W_OK | X_OK) != 0) {
        return complain("render", "--out %s: the folder cannot be written: %s", folder,
                        strerror(errno));
    }
    return EXIT_FINE;
}

/* ---- what it ends with ---- */

static double per(double sum, uint32_t count) { return count > 0 ? sum / count : 0; }

static void print_report(const render_report *r, const render_options *o)
{
    printf("%" PRIu32 " picture%s of %" PRIu32 "x%" PRIu32 " in %s\n", r->pictures,
           plural(r->pictures), o->width, o->height, o->out);
    printf("%" PRIu32 " frame%s; method %s, %" PRIu32 " thread%s, kernel %s\n\n", r->frames,
           plural(r->frames), r->method, o->engine.threads, plural(o->engine.threads), r->kernel);
    if (r->updates > 0) {
        printf("reconstruction  %9.3f ms per frame; %.1f ms to set up\n",
               per(r->update_ms, r->updates), r->setup_ms);
    } else {
        printf("reconstruction  none after the first frame; %.1f ms to set up\n", r->setup_ms);
    }
    printf("tracing         %9.3f ms per frame; %.0f rays, %.2f million per second\n",
           per(r->trace_ms, r->frames), per((double)r->rays, r->frames),
           r->trace_ms > 0 ? (double)r->rays / r->trace_ms / 1000 : 0);
    printf("drawing         %9.3f ms per frame, files included\n", per(r->draw_ms, r->frames));
    if (o->budget_ms > 0) {
        printf("budget          %" PRIu32 " of %" PRIu32 " frames were cut short at %g ms; the "
               "longest took %.1f ms\n",
               r->cut_short, r->frames, o->budget_ms, r->longest_ms);
    }
}

static int print_json(const render_report *r, const render_options *o)
{
    json_line line = json_line_begin();
    json_line_text(&line, "target", o->target);
    json_line_text(&line, "method", r->method);
    json_line_text(&line, "kernel", r->kernel);
    json_line_count(&line, "threads", o->engine.threads);
    json_line_count(&line, "width", o->width);
    json_line_count(&line, "height", o->height);
    json_line_count(&line, "sampling", r->sampling);
    json_line_count(&line, "frames", r->frames);
    json_line_count(&line, "pictures", r->pictures);
    json_line_count(&line, "rays", r->rays);
    json_line_real(&line, "setup_ms", r->setup_ms);
    json_line_real(&line, "update_ms", r->update_ms);
    json_line_real(&line, "trace_ms", r->trace_ms);
    json_line_real(&line, "draw_ms", r->draw_ms);
    json_line_count(&line, "cut_short", r->cut_short);
    json_line_real(&line, "longest_ms", r->longest_ms);
    return json_line_print(&line, "render");
}

/* What a file could not give has left bodies somewhere else, which is known in the end only. */
static int render_scene(const scene *s, const render_options *asked, bool is_clip)
{
    frame_span span;
    render_report report;
    render_options o = *asked;
    int code = frame_span_choose("render", o.frames, s->frame_count, &span);
    if (code == EXIT_FINE) code = prepare_folder(o.out);
    if (code != EXIT_FINE) return code;
    const uint64_t every = (uint64_t)o.every * span.step;
    o.every = every < UINT32_MAX ? (uint32_t)every : UINT32_MAX;
    code = render_play(s, &o, span.first, span.last, &report);
    const char *error = is_clip ? clip_scene_error(s) : NULL;
    if (error != NULL) return complain("render", "%s", error);
    if (code != EXIT_FINE || o.quiet) return code;
    if (o.json) return print_json(&report, &o);
    print_report(&report, &o);
    return EXIT_FINE;
}

/* Points are those of the file. */
static int render_clip_scene(const scene *s, const render_options *asked)
{
    render_options o = *asked;
    if (!o.is_z_up) {
        clip_scene_turn(o.eye);
        clip_scene_turn(o.look_at);
    }
    return render_scene(s, &o, true);
}

static int render_clip(const clip *c, const render_options *o)
{
    sample_list list;
    const sample_options options = {.fps = o->fps, .substeps = 1};
    int code = sample_list_choose(&list, "render", c, &options);
    if (code == EXIT_FINE) {
        scene *s = clip_scene_create(c, list.times, list.count, !o->is_z_up);
        code = s != NULL ? render_clip_scene(s, o) : complain("render", "out of memory");
        scene_destroy(s);
    }
    sample_list_destroy(&list);
    return code;
}

static int render_target(const target *t, const render_options *o)
{
    return t->scene != NULL ? render_scene(t->scene, o, false) : render_clip(t->clip, o);
}

static int run_render(int argc, char **argv)
{
    int code;
    render_options o = {.engine = engine_options_default(),
                        .clip = clip_options_default(),
                        .every = 1,
                        .width = 640,
                        .height = 480,
                        .antialias = 1,
                        .zoom = 1};
    if (!read_options(&command_render, argc, argv, take_render_option, &o, &code)) return code;
    if (optind == argc) {
        return complain_usage("render", "say what to draw: willow render clip.glb --out pictures");
    }
    code = render_options_agree(&o);
    if (code != EXIT_FINE) return code;
    if (!png_file_is_possible()) {
        return complain("render", "this tool cannot write PNG files: %s", PNG_FILE_LACKS);
    }
    target t;
    if (target_open(&t, "render", argv + optind, (uint32_t)(argc - optind), &o.clip)) {
        o.target = t.title;
        code = render_target(&t, &o);
    } else {
        code = EXIT_ERROR;
    }
    target_close(&t);
    return code;
}

const command command_render = {
    "render",     "draw pictures of a target, with what collides in red",
    help,         more_help,
    long_options, run_render};
