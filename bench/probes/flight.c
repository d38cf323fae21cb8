/* flight.c - bodies with flight plans in a world of their own, where nothing is asked.
 *
 * Way in: flight_along_keys and flight_straight. Time is that of the plans and not of frames: the
 * paths are the same bits at any rate, and so are the times at which vertices overtake each other.
 */
#include "bench/probes/flight.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/play/engine.h"
#include "bench/play/paths.h"
#include "willow/willow.h"

#include <math.h>
#include <stdlib.h>

typedef struct flight {
    const engine_options *engine;
    willow_world *world;
    flight_outcome *out;
} flight;

static int flight_fail(const flight *f, const char *doing, willow_result result)
{
    return complain("bench", "%s: %s: %s", doing, willow_result_name(result),
                    f->world != NULL ? willow_world_message(f->world) : "");
}

static int flight_begin(flight *f)
{
    willow_world_def def = engine_world_def(f->engine);
    willow_result result = willow_world_create(&def, &f->world);
    return result == WILLOW_OK ? EXIT_FINE : flight_fail(f, "creating a world", result);
}

static int flight_add_body(flight *f, const scene_body *body, const float *positions,
                           willow_body_id *id)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = positions;
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.tree = f->engine->tree;
    def.tree.events = WILLOW_EVENTS_STREAM;
    def.tree.rebuild_ratio = INFINITY;
    f->out->triangles += body->triangle_count;
    willow_result result = willow_body_create(f->world, &def, id);
    return result == WILLOW_OK ? EXIT_FINE : flight_fail(f, "creating a body", result);
}

/* Goes on to a time, and adds what that took. */
static int flight_go(flight *f, double time)
{
    willow_update_report report;
    double start = now_ms();
    willow_result result = willow_world_update(f->world, time, &report);
    if (result != WILLOW_OK) return flight_fail(f, "updating", result);
    f->out->update_ms += now_ms() - start;
    f->out->updates++;
    f->out->events += report.events;
    f->out->values += report.values_updated;
    f->out->checked += report.certificates_checked;
    return EXIT_FINE;
}

/* What was done until now is set-up. */
static int take_off(flight *f, double start)
{
    uint64_t triangles = f->out->triangles;
    int code = flight_go(f, 0);
    *f->out = (flight_outcome){.triangles = triangles, .setup_ms = now_ms() - start};
    return code;
}

/* ---- keyframes ---- */

static int add_keyed_body(flight *f, const paths *p, const double *times, uint32_t body)
{
    willow_body_id id;
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = p->keys[body];
    plan.times = times;
    plan.keyframe_count = p->key_count;
    int code = flight_add_body(f, &p->scene->bodies[body], p->keys[body], &id);
    if (code != EXIT_FINE) return code;
    willow_result result = willow_body_set_flightplan(f->world, id, &plan);
    return result == WILLOW_OK ? EXIT_FINE : flight_fail(f, "setting plans", result);
}

static int play_keys(flight *f, uint32_t key_count, uint32_t between)
{
    int code = EXIT_FINE;
    uint32_t steps = between + 1;
    for (uint32_t key = 0; key + 1 < key_count; key++) {
        for (uint32_t i = 1; code == EXIT_FINE && i <= steps; i++) {
            code = flight_go(f, key + (double)i / steps);
        }
    }
    return code;
}

static int fly_along_keys(flight *f, const paths *p, const double *times, uint32_t between)
{
    double start = now_ms();
    int code = flight_begin(f);
    for (uint32_t i = 0; code == EXIT_FINE && i < p->scene->body_count; i++) {
        if (p->keys[i] != NULL) code = add_keyed_body(f, p, times, i);
    }
    if (code == EXIT_FINE) code = take_off(f, start);
    return code == EXIT_FINE ? play_keys(f, p->key_count, between) : code;
}

/* Ends the flight and makes means of its sums. */
static void land(flight *f)
{
    willow_world_destroy(f->world);
    if (f->out->updates > 0) f->out->update_ms /= (double)f->out->updates;
}

int flight_along_keys(const paths *p, const engine_options *engine, uint32_t between,
                      flight_outcome *out)
{
    *out = (flight_outcome){.triangles = 0};
    flight f = {.engine = engine, .out = out};
    double *times = calloc(p->key_count, sizeof *times);
    if (times == NULL) return complain("bench", "out of memory");
    for (uint32_t i = 0; i < p->key_count; i++) times[i] = i;
    int code = fly_along_keys(&f, p, times, between);
    land(&f);
    free(times);
    return code;
}

/* ---- straight on ---- */

static int fly_straight(flight *f, const scene *s, const float *positions, const float *velocities,
                        uint32_t updates)
{
    willow_body_id id;
    double start = now_ms();
    int code = flight_begin(f);
    if (code == EXIT_FINE) code = flight_add_body(f, &s->bodies[0], positions, &id);
    if (code != EXIT_FINE) return code;
    willow_result result =
        willow_body_set_velocities(f->world, id, 0, s->bodies[0].vertex_count, velocities, 0);
    if (result != WILLOW_OK) return flight_fail(f, "setting plans", result);
    code = take_off(f, start);
    for (uint32_t i = 1; code == EXIT_FINE && i <= updates; i++) code = flight_go(f, i);
    return code;
}

int flight_straight(const scene *s, const engine_options *engine, uint32_t updates,
                    flight_outcome *out)
{
    static const float velocity[3] = {0.3F, -0.7F, 0.11F};
    size_t size = 3 * (size_t)s->bodies[0].vertex_count;
    float *positions = malloc((size + 1) * sizeof *positions),
          *velocities = malloc((size + 1) * sizeof *velocities);
    *out = (flight_outcome){.triangles = 0};
    flight f = {.engine = engine, .out = out};
    int code = EXIT_ERROR;
    if (positions != NULL && velocities != NULL) {
        scene_positions(s, 0, 0, positions);
        for (size_t i = 0; i < size; i++) velocities[i] = velocity[i % 3];
        code = fly_straight(&f, s, positions, velocities, updates);
    } else {
        complain("bench", "out of memory");
    }
    land(&f);
    free(positions);
    free(velocities);
    return code;
}
