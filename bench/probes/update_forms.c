/* update_forms.c - the same bodies three times, side by side: once with positions that the world
 * stores in the order of its hierarchies, once with borrowed arrays as the scene has them, and once
 * with borrowed arrays in the order of the hierarchies (willow_body_copy_order).
 *
 * Way in: probe_forms_measure. Before every step the new positions are written to the arrays, as a
 * simulation would have done; that is not timed. Blocks of frames rotate between the three, and the
 * first frame of a block is not counted. */
#include "bench/probes/update_forms.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/run/contender.h"
#include "bench/run/stage.h"
#include "bench/run/stream.h"

#include <stdlib.h>
#include <string.h>

#define PROBE_FORM_NAME(name, words, written) words,
const char *const probe_form_names[FORM_COUNT] = {PROBE_FORMS(PROBE_FORM_NAME)};
#undef PROBE_FORM_NAME

#define PROBE_FORM_WRITTEN(name, words, written) written,
static const size_t written_bytes[FORM_COUNT] = {PROBE_FORMS(PROBE_FORM_WRITTEN)};
#undef PROBE_FORM_WRITTEN

stream_traffic probe_form_traffic(probe_form form, uint64_t vertex_count)
{
    return (stream_traffic){.read = 12 * (size_t)vertex_count,
                            .written = written_bytes[form] * (size_t)vertex_count};
}

/* One of the three. */
typedef struct site {
    const scene *scene;
    willow_world *world;
    willow_body_id *bodies;
    float **arrays;   /* by body: the caller's */
    uint32_t **order; /* by body: which vertex is where in the array; NULL: as the scene has them */
    bool borrows;
    double *ms; /* of the counted frames */
    uint32_t count;
} site;

/* ---- orders ---- */

static void destroy_orders(const scene *s, uint32_t **order)
{
    for (uint32_t i = 0; order != NULL && i < s->body_count; i++) free(order[i]);
    free(order);
}

/* Those of another site's hierarchies. */
static bool copy_orders(site *to, const site *from)
{
    const scene *s = to->scene;
    to->order = calloc((size_t)s->body_count + 1, sizeof *to->order);
    for (uint32_t i = 0; to->order != NULL && i < s->body_count; i++) {
        uint32_t count = s->bodies[i].vertex_count;
        to->order[i] = calloc((size_t)count + 1, sizeof **to->order);
        if (to->order[i] == NULL || willow_body_copy_order(from->world, from->bodies[i], 0, count,
                                                           to->order[i]) != WILLOW_OK) {
            return false;
        }
    }
    return to->order != NULL;
}

/* The triangles of a body, with vertices numbered by their places in the order. */
static uint32_t *renumber(const scene_body *body, const uint32_t *order)
{
    uint32_t *old_to_new = calloc((size_t)body->vertex_count + 1, sizeof *old_to_new);
    uint32_t *indices = calloc(3 * (size_t)body->triangle_count + 1, sizeof *indices);
    bool fine = old_to_new != NULL && indices != NULL;
    for (uint32_t i = 0; fine && i < body->vertex_count; i++) old_to_new[order[i]] = i;
    for (size_t i = 0; fine && i < 3 * (size_t)body->triangle_count; i++) {
        indices[i] = old_to_new[body->indices[i]];
    }
    free(old_to_new);
    if (fine) return indices;
    free(indices);
    return NULL;
}

/* ---- worlds ---- */

static void write_in_order(float *to, const float *from, const uint32_t *order, uint32_t count)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(to + 3 * i, from + 3 * (size_t)order[i], 3 * sizeof *to);
    }
}

/* As a simulation does, in the order that it has chosen. */
static void write_arrays(site *t, float *const *positions)
{
    for (uint32_t i = 0; i < t->scene->body_count; i++) {
        uint32_t count = t->scene->bodies[i].vertex_count;
        if (t->order != NULL) {
            write_in_order(t->arrays[i], positions[i], t->order[i], count);
        } else {
            memcpy(t->arrays[i], positions[i], 3 * (size_t)count * sizeof(float));
        }
    }
}

static bool forms_create_body(site *t, uint32_t i, const uint32_t *indices,
                              const engine_options *engine)
{
    const scene_body *body = &t->scene->bodies[i];
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = t->arrays[i];
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = indices;
    def.mesh.triangle_count = body->triangle_count;
    def.mesh.borrow = t->borrows;
    def.tree = engine->tree;
    return willow_body_create(t->world, &def, &t->bodies[i]) == WILLOW_OK;
}

static bool forms_create_bodies(site *t, const engine_options *engine)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < t->scene->body_count; i++) {
        const scene_body *body = &t->scene->bodies[i];
        uint32_t *own = t->order != NULL ? renumber(body, t->order[i]) : NULL;
        fine = (own != NULL || t->order == NULL) &&
               forms_create_body(t, i, own != NULL ? own : body->indices, engine);
        free(own);
    }
    return fine;
}

/* With the positions of frame 0, which are the first of the stage's block. */
static bool forms_create_world(site *t, const bench_stage *stage, const engine_options *engine)
{
    willow_world_def def = engine_world_def(engine);
    t->bodies = calloc((size_t)t->scene->body_count + 1, sizeof *t->bodies);
    t->arrays = scene_arrays_create(t->scene);
    if (t->bodies == NULL || t->arrays == NULL) return false;
    if (willow_world_create(&def, &t->world) != WILLOW_OK) return false;
    write_arrays(t, stage->block[0]);
    return forms_create_bodies(t, engine) && willow_world_update(t->world, 0, NULL) == WILLOW_OK;
}

static void destroy_world(site *t)
{
    willow_world_destroy(t->world);
    destroy_orders(t->scene, t->order);
    scene_arrays_destroy(t->scene, t->arrays);
    free(t->bodies);
    t->world = NULL;
    t->order = NULL;
    t->arrays = NULL;
    t->bodies = NULL;
}

/* ---- steps ---- */

static bool forms_begin(site *t)
{
    bool fine = true;
    for (uint32_t i = 0; fine && t->borrows && i < t->scene->body_count; i++) {
        fine = willow_body_begin_vertices(t->world, t->bodies[i]) == WILLOW_OK;
    }
    return fine;
}

static bool forms_update(site *t, uint32_t frame)
{
    bool fine = true;
    for (uint32_t i = 0; fine && !t->borrows && i < t->scene->body_count; i++) {
        fine = willow_body_set_vertices(t->world, t->bodies[i], 0, t->scene->bodies[i].vertex_count,
                                        t->arrays[i], 12) == WILLOW_OK;
    }
    return fine && willow_world_update(t->world, frame, NULL) == WILLOW_OK;
}

static bool forms_run_block(site *t, const bench_stage *stage, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!forms_begin(t)) return false;
        write_arrays(t, stage->block[i]);
        double start = now_ms();
        if (!forms_update(t, first + i)) return false;
        double ms = now_ms() - start;
        if (i > 0) t->ms[t->count++] = ms;
    }
    return true;
}

/* Worlds are made in frame 0. */
static bool forms_run_blocks(site sites[FORM_COUNT], bench_stage *stage, uint32_t frames)
{
    bool fine = true;
    for (uint32_t first = 1; fine && first + 1 < frames; first += BLOCK_FRAMES) {
        uint32_t left = frames - first, count = left < BLOCK_FRAMES ? left : BLOCK_FRAMES;
        progress_show(first, frames);
        bench_stage_fill(stage, first, count);
        for (uint32_t i = 0; fine && i < FORM_COUNT; i++) {
            fine = forms_run_block(&sites[(first / BLOCK_FRAMES + i) % FORM_COUNT], stage, first,
                                   count);
        }
    }
    progress_clear();
    return fine;
}

/* The order is that of borrowed arrays as they come, which have the same hierarchies. */
static bool forms_run_round(site sites[FORM_COUNT], bench_stage *stage,
                            const engine_options *engine, uint32_t frames)
{
    bench_stage_fill(stage, 0, 1);
    return forms_create_world(&sites[FORM_STORED], stage, engine) &&
           forms_create_world(&sites[FORM_BORROWED], stage, engine) &&
           copy_orders(&sites[FORM_ORDERED], &sites[FORM_BORROWED]) &&
           forms_create_world(&sites[FORM_ORDERED], stage, engine) &&
           forms_run_blocks(sites, stage, frames);
}

static int complain_all(const site sites[FORM_COUNT], const contender *method)
{
    const char *words = "";
    for (int i = 0; i < FORM_COUNT; i++) {
        if (sites[i].world != NULL && words[0] == '\0')
            words = willow_world_message(sites[i].world);
    }
    return complain("bench", "%s: %s", method->name, words[0] != '\0' ? words : "out of memory");
}

static int run_rounds(site sites[FORM_COUNT], bench_stage *stage, const contender *method,
                      uint32_t frames, uint32_t repeat)
{
    int code = EXIT_FINE;
    for (uint32_t round = 0; code == EXIT_FINE && round < repeat; round++) {
        if (!forms_run_round(sites, stage, &method->engine, frames))
            code = complain_all(sites, method);
        for (int i = 0; i < FORM_COUNT; i++) destroy_world(&sites[i]);
    }
    return code;
}

int probe_forms_measure(bench_stage *stage, const contender *method, uint32_t frames,
                        uint32_t repeat, double update_ms[FORM_COUNT])
{
    site sites[FORM_COUNT];
    int code = EXIT_FINE;
    for (int i = 0; i < FORM_COUNT; i++) {
        sites[i] = (site){.scene = stage->scene,
                          .borrows = i != FORM_STORED,
                          .ms = calloc((size_t)frames * repeat, sizeof(double))};
        if (sites[i].ms == NULL) code = complain("bench", "out of memory");
    }
    if (code == EXIT_FINE) code = run_rounds(sites, stage, method, frames, repeat);
    for (int i = 0; i < FORM_COUNT; i++) {
        if (code == EXIT_FINE) update_ms[i] = median_of(sites[i].ms, sites[i].count);
        free(sites[i].ms);
    }
    return code;
}
