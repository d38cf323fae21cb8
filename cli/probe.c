/* probe.c - which probe, and what all of them need. */
#include "cli/probe.h"
#include "cli/target.h"

#include <stdlib.h>
#include <string.h>

enum { POSE_COUNT = 4, ROUNDS = 20 };

/* What a probe may be told besides its scene. */
enum {
    TAKES_NOTHING = 0,
    TAKES_SCENES = 1,  /* several */
    TAKES_METHODS = 2, /* and --frames */
    TAKES_QUERY = 4,
    ASKS_FIRST = 8, /* always, so that no --query is taken */
    TAKES_FILES = 16
};

/* X(name, what it takes). Each is the function of that name. */
#define PROBES(X)                                                                                  \
    X(refit, TAKES_NOTHING)                                                                        \
    X(build, TAKES_NOTHING)                                                                        \
    X(decide, TAKES_NOTHING)                                                                       \
    X(threads, TAKES_METHODS | TAKES_QUERY)                                                        \
    X(reconstruct, TAKES_METHODS | ASKS_FIRST)                                                     \
    X(decay, TAKES_SCENES | TAKES_METHODS | TAKES_QUERY)                                           \
    X(impacts, TAKES_SCENES | TAKES_METHODS)                                                       \
    X(toi, TAKES_SCENES | TAKES_FILES)                                                             \
    X(kinetic, TAKES_SCENES | TAKES_METHODS)

const char *const bench_probes[] = {
#define PROBE_ENTRY(name, takes) #name,
    PROBES(PROBE_ENTRY)
#undef PROBE_ENTRY
        NULL};

/* In the same order. */
static const struct {
    int (*run)(const bench_options *options);
    int takes;
} probes[] = {
#define PROBE_ENTRY(name, takes) {probe_##name, takes},
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

/* ---- what does not go together ---- */

/* Options of whole runs: no probe has anything to do with them. The name of one, or NULL. */
static const char *find_misplaced(const bench_options *options)
{
    if (options->engine.plans) return "plans";
    if (options->engine.morphs) return "morphs";
    if (options->strangers) return "strangers";
    if (options->series) return "series";
    if (options->fifths) return "fifths";
    if (options->stages) return "stages";
    if (options->limit) return "limit";
    if (options->report != NULL) return "report";
    if (options->page_template != NULL) return "template";
    return options->results != NULL ? "results" : NULL;
}

/* An option that this probe would not look at: its name, or NULL. */
static const char *find_idle(const bench_options *options, int takes)
{
    if ((takes & TAKES_QUERY) == 0 && options->question_count > 0) return "query";
    if ((takes & TAKES_METHODS) != 0) return NULL;
    if (options->methods != NULL) return "method";
    if (options->peers) return "peers";
    return options->frames != 0 ? "frames" : NULL;
}

/* What would be left out silently is refused. An exit code. */
static int check_options(const bench_options *options, int takes)
{
    const char *misplaced = find_misplaced(options), *idle = find_idle(options, takes);
    if (misplaced != NULL) {
        return complain_usage("bench", "--%s is for whole runs, not with --probe", misplaced);
    }
    if (options->format == FORMAT_CSV) {
        return complain_usage("bench", "--probe prints JSON or words, not CSV");
    }
    if (options->scene_count > 1 && (takes & TAKES_SCENES) == 0) {
        return complain_usage("bench", "--probe %s works on one scene, not on several",
                              options->probe);
    }
    if (idle != NULL) {
        return complain_usage("bench", "--probe %s takes no --%s%s", options->probe, idle,
                              (takes & ASKS_FIRST) != 0 ? ": it asks for the first pair" : "");
    }
    if (options->file_count > 0 && (takes & TAKES_FILES) == 0) {
        return complain_usage("bench", "'%s' is one word too many", options->files[0]);
    }
    if (options->file_count == 1) {
        return complain_usage("bench", "a step needs two files, not only %s", options->files[0]);
    }
    if (options->question_count > 1) {
        return complain_usage("bench", "--probe asks one question, not several");
    }
    return EXIT_FINE;
}

int bench_probe(const bench_options *options)
{
    int number = find_probe(options->probe);
    if (number < 0) {
        return complain_unknown("bench", guess_from(options->probe, bench_probes),
                                "there are refit, build, decide, threads, reconstruct, decay, "
                                "impacts, toi and kinetic",
                                "there is no probe '%s'", options->probe);
    }
    int code = check_options(options, probes[number].takes);
    return code == EXIT_FINE ? probes[number].run(options) : code;
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
