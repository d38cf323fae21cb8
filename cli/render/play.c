/* play.c - plays the frames of a scene and makes a picture of each.
 *
 * Way in: render_play. Of every frame: bodies move and the world is updated (reconstruction), rays
 * are cast (tracing), and then, with no clock on the library, boxes are looked at, pairs found, and
 * samples shaded and written. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/progress.h"
#include "bench/common/terminal.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "cli/render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COARSE_SAMPLING = 10, PATH_LENGTH = 4096 };

/* What one frame took. */
typedef struct frame_notes {
    uint32_t number;
    double update_ms, trace_ms;
    uint64_t rays, pairs;
    bool is_cut_short;
} frame_notes;

typedef struct render_work {
    const scene *scene;
    const render_options *options;
    render_report *report;
    engine_options engine;
    uint32_t first, last;
    uint32_t stands_at; /* the frame of the last update */
    float **positions;
    bool *self;
    paths known;
    bool has_paths;
    player play;
    surfaces surfaces;
    willow_ray_options cast;
    double begun, deadline; /* of the frame; the latter only with a budget */
    uint32_t asked;         /* the first so many batches of its rays */
    ray_frame rays, coarse_rays;
    samples fine, coarse;
    image dots, out;
    shown_boxes boxes;
    scene_camera camera;
    scene_light lights[SCENE_LIGHTS];
    uint32_t light_count;
    float floor_height; /* where there is a floor */
} render_work;

/* ---- frames ---- */

static uint32_t picture_count(const render_work *w)
{
    const uint32_t span = w->last - w->first;
    return w->options->strip > 0 ? w->options->strip : span / w->options->every + 1;
}

static uint32_t frame_of(const render_work *w, uint32_t i)
{
    const uint64_t span = w->last - w->first, strip = w->options->strip;
    if (strip == 0) return w->first + i * w->options->every;
    return w->first + (strip > 1 ? (uint32_t)(span * i / (strip - 1)) : 0);
}

/* ---- who answers rays ---- */

static bool is_out_of_time(void *context)
{
    const render_work *w = context;
    return now_ms() >= w->deadline;
}

static bool has_no_time(render_work *w) { return w->options->budget_ms > 0 && is_out_of_time(w); }

static void count_finished(render_work *w, const uint8_t *states, size_t count)
{
    for (size_t i = 0; i < count; i++) w->report->rays += states[i] != WILLOW_RAY_UNFINISHED;
}

static bool work_cast(void *context, const willow_ray *rays, size_t count, const willow_hit **hits,
                      const uint8_t **states)
{
    render_work *w = context;
    willow_casts casts;
    const double start = now_ms();
    const willow_result result =
        willow_cast_rays(w->play.world, w->play.scratch, rays, count, &w->cast, &casts);
    if (result != WILLOW_OK) return player_fail_asking(&w->play, result);
    w->report->trace_ms += now_ms() - start;
    count_finished(w, casts.states, count);
    *hits = casts.hits;
    *states = casts.states;
    return true;
}

static bool work_block(void *context, const willow_ray *rays, size_t count, const uint8_t **states)
{
    render_work *w = context;
    willow_blocks blocks;
    const double start = now_ms();
    const willow_result result =
        willow_block_rays(w->play.world, w->play.scratch, rays, count, &w->cast, &blocks);
    if (result != WILLOW_OK) return player_fail_asking(&w->play, result);
    w->report->trace_ms += now_ms() - start;
    count_finished(w, blocks.states, count);
    *states = blocks.states;
    return true;
}

static willow_vec3 work_normal(void *context, const willow_hit *hit)
{
    const render_work *w = context;
    return surfaces_normal(&w->surfaces, hit);
}

static ray_caster caster_of(render_work *w)
{
    return (ray_caster){
        .context = w, .cast = work_cast, .block = work_block, .normal = work_normal};
}

/* ---- a frame ---- */

/* From the same side, and so far away that a ball around all that is there in the frame is seen. */
static void camera_follow(scene_camera *c, const scene *s, uint32_t frame)
{
    float lower[3], upper[3];
    double away[3], length = 0, radius = 0;
    if (!scene_frame_bounds(s, frame, lower, upper)) return;
    for (int k = 0; k < 3; k++) {
        away[k] = (double)c->eye[k] - (double)c->look_at[k];
        length += away[k] * away[k];
        radius += ((double)upper[k] - (double)lower[k]) * ((double)upper[k] - (double)lower[k]) / 4;
    }
    if (!(length > 0) || !(radius > 0)) return;
    const double scale = render_distance(sqrt(radius), c->vertical_degrees) / sqrt(length);
    for (int k = 0; k < 3; k++) {
        c->look_at[k] = (float)(((double)lower[k] + (double)upper[k]) / 2);
        c->eye[k] = (float)((double)c->look_at[k] + scale * away[k]);
    }
}

/* The scene's camera, or where the user stands. */
static void work_aim(render_work *w, uint32_t frame)
{
    const render_options *o = w->options;
    scene_get_camera(w->scene, frame, &w->camera);
    if (o->follow) camera_follow(&w->camera, w->scene, frame);
    w->light_count = scene_get_lights(w->scene, frame, w->lights);
    if (o->has_eye) {
        for (int k = 0; k < 3; k++) w->camera.eye[k] = o->eye[k];
    }
    if (o->has_look_at) {
        for (int k = 0; k < 3; k++) w->camera.look_at[k] = o->look_at[k];
    }
    w->camera.vertical_degrees = render_zoomed(w->camera.vertical_degrees, o->zoom);
}

/* Positions and normals are made before the clock starts: they are the caller's work. */
static bool work_move(render_work *w, frame_notes *notes)
{
    const bool is_there = notes->number == w->stands_at;
    scene_arrays_fill(w->scene, notes->number, w->positions);
    surfaces_bend(&w->surfaces, notes->number);
    if (!is_there) player_prepare(&w->play, notes->number);
    w->begun = now_ms();
    w->deadline = w->begun + w->options->budget_ms;
    if (is_there) return true;
    if (!player_go(&w->play, notes->number, NULL)) return false;
    w->stands_at = notes->number;
    notes->update_ms = now_ms() - w->begun;
    w->report->update_ms += notes->update_ms;
    w->report->updates++;
    return true;
}

static bool has_unfinished(const ray_frame *rays)
{
    for (int i = 0; i < RAY_BATCH_COUNT; i++) {
        const ray_batch *b = &rays->batches[i];
        for (size_t k = 0; k < b->count; k++) {
            if (b->states[k] == WILLOW_RAY_UNFINISHED) return true;
        }
    }
    return false;
}

/* With a budget a few rays over the whole picture come first, so that something is known
 * everywhere. */
static bool work_trace_coarse(render_work *w, const ray_caster *caster)
{
    if (!(w->options->budget_ms > 0)) return true;
    return ray_frame_aim(&w->coarse_rays, &w->camera) &&
           ray_frame_ask(&w->coarse_rays, RAYS_PRIMARY, caster);
}

static bool make_batch(render_work *w, ray_batch_kind kind, const ray_caster *caster)
{
    switch (kind) {
    case RAYS_PRIMARY: return ray_frame_aim(&w->rays, &w->camera);
    case RAYS_MIRROR: return ray_frame_make_mirrors(&w->rays, w->scene, caster);
    default: return ray_frame_make_shadows(&w->rays, kind, w->lights, w->light_count, caster);
    }
}

/* All primary rays before any other, and so on, as long as there is time: what is behind the
 * deadline is not even made. */
static bool work_trace_batches(render_work *w, const ray_caster *caster)
{
    for (int i = 0; i < RAY_BATCH_COUNT; i++) w->rays.batches[i].count = 0;
    for (w->asked = 0; w->asked < RAY_BATCH_COUNT; w->asked++) {
        const ray_batch_kind kind = (ray_batch_kind)w->asked;
        if (has_no_time(w)) return true;
        if (!make_batch(w, kind, caster) || !ray_frame_ask(&w->rays, kind, caster)) return false;
    }
    return true;
}

static bool work_trace_floor(render_work *w, const ray_caster *caster)
{
    const floor_plane plane = {w->floor_height, w->lights, w->light_count};
    if (!w->options->has_floor || has_no_time(w)) return true;
    return extras_floor(&w->fine, &w->rays.batches[RAYS_PRIMARY], &plane, caster);
}

static bool work_trace(render_work *w, frame_notes *notes)
{
    const ray_caster caster = caster_of(w);
    const double before = w->report->trace_ms;
    const uint64_t rays_before = w->report->rays;
    memset(w->fine.dark, 0, w->fine.count);
    if (!work_trace_coarse(w, &caster) || !work_trace_batches(w, &caster) ||
        !work_trace_floor(w, &caster)) {
        return false;
    }
    const double took = now_ms() - w->begun;
    if (took > w->report->longest_ms) w->report->longest_ms = took;
    notes->trace_ms = w->report->trace_ms - before;
    notes->rays = w->report->rays - rays_before;
    notes->is_cut_short = w->asked < RAY_BATCH_COUNT || has_unfinished(&w->rays);
    w->report->cut_short += notes->is_cut_short;
    return true;
}

static bool work_look_at_boxes(render_work *w)
{
    const render_options *o = w->options;
    return !o->has_boxes || shown_boxes_collect(&w->boxes, &w->play, o->boxes_from, o->boxes_to);
}

static bool work_find_pairs(render_work *w, frame_notes *notes)
{
    willow_pairs pairs;
    if (w->options->no_pairs) return true;
    if (!player_find_pairs(&w->play, &pairs)) return false;
    surfaces_mark(&w->surfaces, &w->play, &pairs);
    notes->pairs = pairs.count;
    return true;
}

/* Rays and pairs open nodes both, so boxes are looked at between them. */
static bool work_ask(render_work *w, frame_notes *notes)
{
    if (w->options->pairs_first) {
        return work_find_pairs(w, notes) && work_look_at_boxes(w) && work_trace(w, notes);
    }
    return work_trace(w, notes) && work_look_at_boxes(w) && work_find_pairs(w, notes);
}

static bool work_shade(render_work *w, const frame_notes *notes)
{
    const render_options *o = w->options;
    shading how = {.of = &w->surfaces,
                   .camera = &w->camera,
                   .lights = w->lights,
                   .light_count = w->light_count,
                   .asked = w->asked,
                   .line_dots = o->has_edges ? (float)o->antialias : 0};
    if (!samples_shade(&w->fine, &w->rays, &how)) return false;
    if (o->has_x_ray && notes->pairs > 0 &&
        !extras_x_ray(&w->fine, &w->rays.batches[RAYS_PRIMARY], &w->surfaces, &w->play,
                      w->cast.use_threads)) {
        return false;
    }
    if (!(o->budget_ms > 0)) return true;
    /* These few have no shadow rays: all lamps shine. */
    how.asked = 1;
    if (!samples_shade(&w->coarse, &w->coarse_rays, &how)) return false;
    samples_fill(&w->fine, &w->rays.picture, &w->coarse, &w->coarse_rays.picture);
    return true;
}

static void work_draw(render_work *w, uint32_t place)
{
    const uint32_t square = w->options->antialias;
    image_interpolate(&w->dots, w->fine.colours, &w->rays.picture);
    if (w->options->has_boxes) {
        const lens l = lens_of(&w->camera, &w->rays.picture);
        shown_boxes_draw(&w->boxes, &l, &w->fine, &w->rays.picture, square + square / 4, &w->dots);
    }
    image_shrink(&w->dots, square, &w->out,
                 w->options->strip > 0 ? place * (w->options->width + RENDER_GAP) : 0);
}

/* ---- files ---- */

static bool work_write(const render_work *w, const char *name, char path[PATH_LENGTH])
{
    char reason[IMAGE_REASON];
    if (snprintf(path, PATH_LENGTH, "%s/%s", w->options->out, name) >= PATH_LENGTH) {
        complain("render", "--out: the name of the folder is too long");
        return false;
    }
    if (!image_write(&w->out, path, w->options->colours, reason)) {
        complain("render", "%s could not be written: %s", path, reason);
        return false;
    }
    w->report->pictures++;
    return true;
}

static bool work_write_frame(const render_work *w, uint32_t frame, char path[PATH_LENGTH])
{
    char name[32];
    snprintf(name, sizeof name, "frame%04" PRIu32 ".png", frame);
    return work_write(w, name, path);
}

static bool print_frame(const render_work *w, const frame_notes *notes, const char *path)
{
    if (!w->options->json) return true;
    json_line line = json_line_begin();
    json_line_count(&line, "frame", notes->number);
    if (path[0] != '\0') json_line_text(&line, "file", path);
    json_line_count(&line, "rays", notes->rays);
    if (!w->options->no_pairs) json_line_count(&line, "pairs", notes->pairs);
    if (w->options->has_boxes) {
        json_line_count(&line, "boxes", w->boxes.count);
        json_line_count(&line, "fresh_boxes", w->boxes.fresh_count);
    }
    json_line_real(&line, "update_ms", notes->update_ms);
    json_line_real(&line, "trace_ms", notes->trace_ms);
    json_line_flag(&line, "complete", !notes->is_cut_short);
    if (terminal_columns() > 0) progress_clear();
    return json_line_print(&line, "render") == EXIT_FINE;
}

/* ---- all frames ---- */

/* Out of memory where nothing else was said. */
static bool work_complain(const render_work *w, uint32_t frame)
{
    const char *words = w->play.message;
    complain("render", "frame %" PRIu32 ": %s", frame, words[0] != '\0' ? words : "out of memory");
    return false;
}

static bool work_picture(render_work *w, uint32_t i)
{
    char path[PATH_LENGTH] = "";
    frame_notes notes = {.number = frame_of(w, i)};
    const double start = now_ms();
    work_aim(w, notes.number);
    if (!work_move(w, &notes) || !work_ask(w, &notes) || !work_shade(w, &notes)) {
        return work_complain(w, notes.number);
    }
    work_draw(w, i);
    if (w->options->strip == 0 && !work_write_frame(w, notes.number, path)) return false;
    w->report->draw_ms += now_ms() - start - notes.update_ms - notes.trace_ms;
    return print_frame(w, &notes, path);
}

static bool work_play(render_work *w)
{
    char path[PATH_LENGTH];
    const uint32_t count = picture_count(w);
    for (uint32_t i = 0; i < count; i++) {
        if (!w->options->quiet) progress_show(i, count);
        if (!work_picture(w, i)) return false;
    }
    progress_clear();
    w->report->frames = count;
    return w->options->strip == 0 || work_write(w, "strip.png", path);
}

/* ---- beginning and end ---- */

/* More rays than pixels are asked for against what the scene says. */
static uint32_t choose_sampling(const render_options *o, const scene *s)
{
    if (o->sampling > 0) return o->sampling;
    return o->antialias > 1 || s->params.sampling == 0 ? 1 : s->params.sampling;
}

static bool create_pictures(render_work *w)
{
    const render_options *o = w->options;
    const ray_picture picture = {o->width * o->antialias, o->height * o->antialias,
                                 w->report->sampling};
    w->rays.picture = w->coarse_rays.picture = picture;
    w->coarse_rays.picture.sampling = COARSE_SAMPLING * o->antialias;
    const size_t fine = (size_t)ray_picture_columns(&picture) * ray_picture_rows(&picture);
    const size_t coarse = (size_t)ray_picture_columns(&w->coarse_rays.picture) *
                          ray_picture_rows(&w->coarse_rays.picture);
    const uint32_t width =
        o->strip > 0 ? o->strip * (o->width + RENDER_GAP) - RENDER_GAP : o->width;
    const bool fine_made = samples_create(&w->fine, fine);
    const bool coarse_made = samples_create(&w->coarse, coarse);
    const bool dots_made = image_create(&w->dots, picture.width, picture.height);
    const bool out_made = image_create(&w->out, width, o->height);
    if (!fine_made || !coarse_made || !dots_made || !out_made) return false;
    for (size_t i = 0; i < (size_t)width * o->height; i++) w->out.dots[i] = (colour){1, 1, 1};
    return true;
}

static bool create_arrays(render_work *w)
{
    w->positions = scene_arrays_create(w->scene);
    w->self = calloc((size_t)w->scene->body_count + 1, sizeof *w->self);
    if (w->positions == NULL || w->self == NULL) return false;
    for (uint32_t i = 0; i < w->scene->body_count; i++) {
        w->self[i] = !w->options->no_self && !w->options->no_pairs;
    }
    if (w->has_paths && !paths_create(&w->known, w->scene, w->last + 1)) return false;
    return surfaces_create(&w->surfaces, w->scene, w->positions) && create_pictures(w);
}

/* Begins with the frame before the first one, so that this is reconstructed as all others are, and
 * boxes of it are fresh only where something needed them. Bodies on paths begin where these do. */
static bool create_player(render_work *w)
{
    const double start = now_ms();
    const uint32_t before = w->first > 0 ? w->first - 1 : 0;
    w->stands_at = w->has_paths ? 0 : before;
    scene_arrays_fill(w->scene, w->stands_at, w->positions);
    bool fine = w->has_paths ? player_create_on_paths(&w->play, w->scene, &w->known, w->positions,
                                                      w->self, &w->engine, NULL)
                             : player_create(&w->play, w->scene, w->stands_at, w->positions,
                                             w->self, &w->engine);
    if (fine && w->stands_at != before) {
        scene_arrays_fill(w->scene, before, w->positions);
        player_prepare(&w->play, before);
        fine = player_go(&w->play, before, NULL);
        w->stands_at = before;
    }
    w->report->setup_ms = now_ms() - start;
    if (!fine) complain("render", "%s", w->play.message);
    return fine;
}

static void name_method(render_work *w)
{
    w->report->method = willow_method_name(w->engine.tree.method);
    w->report->kernel = willow_kernel_name(willow_world_kernel(w->play.world));
}

/* Kinetic trees are for bodies with flight plans, and BLEND for those that morph: they get them. */
static void choose_motion(render_work *w)
{
    const willow_method method = w->engine.tree.method;
    w->has_paths =
        (method == WILLOW_METHOD_KINETIC_AABB || method == WILLOW_METHOD_KINETIC_BOXTREE) &&
        scene_has_paths(w->scene);
    w->engine.plans = w->has_paths;
    w->engine.morphs = method == WILLOW_METHOD_BLEND && scene_has_morphs(w->scene);
}

static void work_destroy(render_work *w)
{
    player_destroy(&w->play);
    if (w->has_paths) paths_destroy(&w->known);
    surfaces_destroy(&w->surfaces);
    ray_frame_destroy(&w->rays);
    ray_frame_destroy(&w->coarse_rays);
    samples_destroy(&w->fine);
    samples_destroy(&w->coarse);
    image_destroy(&w->dots);
    image_destroy(&w->out);
    shown_boxes_destroy(&w->boxes);
    scene_arrays_destroy(w->scene, w->positions);
    free(w->self);
}

static bool work_begin(render_work *w)
{
    w->report->sampling = choose_sampling(w->options, w->scene);
    if (w->options->has_floor) w->floor_height = scene_lowest(w->scene);
    choose_motion(w);
    if (!create_arrays(w)) {
        complain("render", "out of memory");
        return false;
    }
    if (!create_player(w)) return false;
    name_method(w);
    w->cast = willow_ray_options_default();
    w->cast.use_threads = w->engine.threads > 1;
    if (w->options->budget_ms > 0) {
        w->cast.stop = is_out_of_time;
        w->cast.stop_context = w;
    }
    return true;
}

int render_play(const scene *s, const render_options *options, uint32_t first, uint32_t last,
                render_report *report)
{
    *report = (render_report){0};
    render_work *w = calloc(1, sizeof *w);
    if (w == NULL) return complain("render", "out of memory");
    *w = (render_work){.scene = s,
                       .options = options,
                       .report = report,
                       .engine = options->engine,
                       .first = first,
                       .last = last};
    const bool fine = work_begin(w) && work_play(w);
    work_destroy(w);
    free(w);
    return fine ? EXIT_FINE : EXIT_ERROR;
}
