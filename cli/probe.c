/* probe.c - which probe, and what all of them need. */
#include "cli/probe.h"
#include "cli/target.h"

#include <stdlib.h>
#include <string.h>

enum { POSE_COUNT = 4, ROUNDS = 20 };

/* X(name, whether it takes several scenes). Each is the function of that name. */
#define PROBES(X)                                                                                  \
    X(refit, false)                                                                                \
    X(build, false)                                                                                \
    X(decide, false)                                                                               \
    X(threads, false)                                                                              \
    X(reconstruct, false)                                                                          \
    X(decay, true)

const char *const bench_probes[] = {
#define PROBE_ENTRY(name, several) #name,
    PROBES(PROBE_ENTRY)
#undef PROBE_ENTRY
        NULL};

/* In the same order. */
static const struct {
    int (*run)(const bench_options *options);
    bool takes_several;
} probes[] = {
#define PROBE_ENTRY(name, several) {probe_##name, several},
    PROBES(PROBE_ENTRY)
#undef PROBE_ENTRY
};

/* Its number, or -1. */
static int find_probe(const char *name)
{
    for (int i = 0; bench_probes[i] != NULL; i++) {
        if (strcmp(name, bench_probes[i]) == 0) return i;
    }
    return -1;
}

int bench_probe(const bench_options *options)
{
    int number = find_probe(options->probe);
    if (number < 0) {
        return complain_unknown("bench", guess_from(options->probe, bench_probes),
                                "there are refit, build, decide, threads, reconstruct and decay",
                                "there is no probe '%s'", options->probe);
    }
    if (options->scene_count > 1 && !probes[number].takes_several) {
        return complain_usage("bench", "--probe %s works on one scene, not on several",
                              options->probe);
    }
    if (options->format == FORMAT_CSV) {
        return complain_usage("bench", "--probe prints JSON or words, not CSV");
    }
    return probes[number].run(options);
}

uint32_t probe_rounds(const bench_options *options) { return ROUNDS * options->repeat; }

/* ---- the body ---- */

static size_t positions_size(const probe_body *body)
{
    return 3 * (size_t)body->vertex_count * sizeof(float);
}

static bool create_poses(probe_body *body)
{
    body->now = malloc(positions_size(body) + sizeof(float));
    body->poses = calloc(POSE_COUNT, sizeof *body->poses);
    if (body->now == NULL || body->poses == NULL) return false;
    for (uint32_t i = 0; i < POSE_COUNT && i < body->scene->frame_count; i++) {
        body->poses[i] = malloc(positions_size(body) + sizeof(float));
        if (body->poses[i] == NULL) return false;
        scene_positions(body->scene, i, 0, body->poses[i]);
        body->pose_count++;
    }
    probe_body_show(body, 0);
    return true;
}

const char *probe_spec(const bench_options *options, const char *fallback)
{
    return options->scene_count > 0 ? options->scenes[0] : fallback;
}

int probe_body_create(probe_body *body, const char *spec)
{
    *body = (probe_body){.scene = scene_open("bench", spec)};
    if (body->scene == NULL) return EXIT_ERROR;
    if (scene_triangle_total(body->scene) == 0 || body->scene->bodies[0].triangle_count == 0) {
        return complain_usage("bench", "--scene %s: its first body has no triangles", spec);
    }
    body->vertex_count = body->scene->bodies[0].vertex_count;
    body->triangle_count = body->scene->bodies[0].triangle_count;
    body->indices = body->scene->bodies[0].indices;
    return create_poses(body) ? EXIT_FINE : complain("bench", "out of memory");
}

void probe_body_destroy(probe_body *body)
{
    for (uint32_t i = 0; i < body->pose_count; i++) free(body->poses[i]);
    free(body->poses);
    free(body->now);
    scene_destroy(body->scene);
}

void probe_body_show(probe_body *body, uint32_t pose)
{
    memcpy(body->now, body->poses[pose % body->pose_count], positions_size(body));
}

plain_mesh probe_plain_mesh(const probe_body *body)
{
    return (plain_mesh){.positions = body->now,
                        .stride = 3,
                        .indices = body->indices,
                        .triangle_count = body->triangle_count};
}

/* ---- the world ---- */

static int create_body(const probe_body *body, const bench_options *options, willow_method method,
                       willow_world *world, willow_body_id *id)
{
    willow_body_def def = willow_body_def_default();
    def.mesh.positions = body->now;
    def.mesh.vertex_count = body->vertex_count;
    def.mesh.indices = body->indices;
    def.mesh.triangle_count = body->triangle_count;
    def.tree = options->engine.tree;
    def.tree.method = method;
    if (willow_body_create(world, &def, id) != WILLOW_OK ||
        willow_world_update(world, 0, NULL) != WILLOW_OK) {
        return complain("bench", "creating a body: %s", willow_world_message(world));
    }
    return EXIT_FINE;
}

int probe_world_create(const probe_body *body, const bench_options *options, willow_method method,
                       willow_world **world, willow_body_id *id)
{
    willow_world_def def = engine_world_def(&options->engine);
    willow_result result = willow_world_create(&def, world);
    if (result != WILLOW_OK) {
        return complain("bench", "creating a world: %s", willow_result_name(result));
    }
    return create_body(body, options, method, *world, id);
}

/* ---- the line ---- */

json_line probe_line_begin(const char *probe, const bench_options *options)
{
    json_line line = json_line_begin();
    json_line_text(&line, "probe", probe);
    json_line_count(&line, "threads", options->engine.threads);
    return line;
}
