/* play.c - plays the frames of a scene and makes a picture of each.
 *
 * Way in: render_play. Of every frame: bodies move and the world is updated (reconstruction), rays
 * are cast (tracing), and then, with no clock on the library, boxes are looked at, pairs found, and
 * samples shaded and written. Boxes come before pairs, since pairs open nodes too. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/terminal.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "cli/render/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

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
    float **positions;
    bool *self;
    paths known;
    bool has_paths;
    player play;
    surfaces surfaces;
    willow_ray_options cast;
    double deadline; /* of the frame; only with a budget */
    ray_frame rays, coarse_rays;
    samples fine, coarse;
    image dots, out;
    shown_boxes boxes;
    scene_camera camera;
    scene_light lights[SCENE_LIGHTS];
    uint32_t light_count;
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
static bool work_move(render_work *w, frame_notes *notes, bool is_first)
{
    scene_arrays_fill(w->scene, notes->number, w->positions);
    surfaces_bend(&w->surfaces);
    if (!is_first) player_prepare(&w->play, notes->number);
    const double start = now_ms();
    w->deadline = start + w->options->budget_ms;
    if (is_first) return true;
    if (!player_go(&w->play, notes->number, NULL)) return false;
    notes->update_ms = now_ms() - start;
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

static bool work_trace(render_work *w, frame_notes *notes)
{
    ray_caster caster = caster_of(w);
    ray_frame *f = &w->rays;
    const double before = w->report->trace_ms;
    if (!work_trace_coarse(w, &caster) || !ray_frame_aim(f, &w->camera) ||
        !ray_frame_ask(f, RAYS_PRIMARY, &caster) ||
        !ray_frame_make_shadows(f, RAYS_SHADOW, w->lights, w->light_count, &caster) ||
        !ray_frame_ask(f, RAYS_SHADOW, &caster) || !ray_frame_make_mirrors(f, w->scene, &caster) ||
        !ray_frame_ask(f, RAYS_MIRROR, &caster) ||
        !ray_frame_make_shadows(f, RAYS_MIRROR_SHADOW, w->lights, w->light_count, &caster) ||
        !ray_frame_ask(f, RAYS_MIRROR_SHADOW, &caster)) {
        return false;
    }
    notes->trace_ms = w->report->trace_ms - before;
    notes->rays = ray_frame_count(f) + ray_frame_count(&w->coarse_rays);
    notes->is_cut_short = has_unfinished(f);
    w->report->rays += notes->rays;
    w->report->cut_short += notes->is_cut_short;
    return true;
}

static bool work_look(render_work *w, frame_notes *notes)
{
    willow_pairs pairs;
    const render_options *o = w->options;
    if (o->has_boxes && !shown_boxes_collect(&w->boxes, &w->play, o->boxes_from, o->boxes_to)) {
        return false;
    }
    if (o->no_pairs) return true;
    if (!player_find_pairs(&w->play, &pairs)) return false;
    surfaces_mark(&w->surfaces, &w->play, &pairs);
    notes->pairs = pairs.count;
    return true;
}

static bool work_shade(render_work *w)
{
    const bool has_coarse = w->options->budget_ms > 0;
    if (!samples_shade(&w->fine, &w->rays, &w->surfaces, &w->camera, w->lights, w->light_count)) {
        return false;
    }
    if (!has_coarse) return true;
    /* These few have no shadow rays, and where lamps are behind the surface nothing is lost. */
    if (!samples_shade_lit(&w->coarse, &w->coarse_rays, &w->surfaces, &w->camera, w->lights,
                           w->light_count)) {
        return false;
    }
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
    if (!work_move(w, &notes, i == 0) || !work_trace(w, &notes) || !work_look(w, &notes) ||
        !work_shade(w)) {
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

static bool create_pictures(render_work *w)
{
    const render_options *o = w->options;
    const ray_picture picture = {o->width * o->antialias, o->height * o->antialias,
                                 o->sampling * (o->sampling > 1 ? o->antialias : 1)};
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

/* Bodies on paths begin where these do. */
static bool create_player(render_work *w)
{
    const double start = now_ms();
    const uint32_t frame = w->has_paths ? 0 : w->first;
    scene_arrays_fill(w->scene, frame, w->positions);
    bool fine = w->has_paths
                    ? player_create_on_paths(&w->play, w->scene, &w->known, w->positions, w->self,
                                             &w->engine, NULL)
                    : player_create(&w->play, w->scene, frame, w->positions, w->self, &w->engine);
    if (fine && frame != w->first) {
        scene_arrays_fill(w->scene, w->first, w->positions);
        player_prepare(&w->play, w->first);
        fine = player_go(&w->play, w->first, NULL);
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
