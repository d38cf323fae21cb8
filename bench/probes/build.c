/* build.c - Willow's build against the yardstick's, on the same body.
 *
 * Willow's is that of a REBUILD body: setting the vertices is timed apart, and the update that
 * follows is the build. Both take turns in warm memory. The time to create a body from nothing, a
 * first build and all copies included, is given too. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/limit/refit.h"
#include "bench/limit/single_body.h"
#include "bench/peers/plain.h"
#include "bench/probes/probe.h"
#include "bench/run/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct build_times {
    double *set, *update, *plain;
} build_times;

typedef struct build_outcome {
    double create_ms, set_ms, update_ms, plain_ms;
} build_outcome;

/* A build takes long enough for few rounds. */
static uint32_t build_rounds(const bench_options *options)
{
    uint32_t rounds = refit_rounds(options) / 4;
    return rounds > 0 ? rounds : 1;
}

static bool build_once(single_body *body, willow_world *world, willow_body_id id, double *set_ms,
                       double *update_ms)
{
    double start = now_ms();
    bool fine =
        willow_body_set_vertices(world, id, 0, body->vertex_count, body->now, 12) == WILLOW_OK;
    double middle = now_ms();
    fine = fine && willow_world_update(world, 0, NULL) == WILLOW_OK;
    *set_ms = middle - start;
    *update_ms = now_ms() - middle;
    return fine;
}

/* The round before the first one warms up and is overwritten. */
static bool build_take_turns(single_body *body, willow_world *world, willow_body_id id,
                             plain_tree *tree, uint32_t rounds, build_times *t)
{
    plain_mesh mesh = single_body_plain(body);
    bool fine = true;
    for (uint32_t i = 0; fine && i <= rounds; i++) {
        uint32_t at = i > 0 ? i - 1 : 0;
        single_body_show(body, i);
        fine = build_once(body, world, id, &t->set[at], &t->update[at]);
        double start = now_ms();
        plain_tree_build(tree, &mesh);
        t->plain[at] = now_ms() - start;
    }
    return fine;
}

static bool build_measure(single_body *body, willow_world *world, willow_body_id id,
                          uint32_t rounds, build_outcome *out)
{
    build_times t = {.set = calloc(rounds, sizeof(double)),
                     .update = calloc(rounds, sizeof(double)),
                     .plain = calloc(rounds, sizeof(double))};
    plain_tree *tree = plain_tree_create(body->triangle_count);
    bool fine = t.set != NULL && t.update != NULL && t.plain != NULL && tree != NULL &&
                build_take_turns(body, world, id, tree, rounds, &t);
    if (fine) {
        out->set_ms = median_of(t.set, rounds);
        out->update_ms = median_of(t.update, rounds);
        out->plain_ms = median_of(t.plain, rounds);
    }
    plain_tree_destroy(tree);
    free(t.set);
    free(t.update);
    free(t.plain);
    return fine;
}

/* The yardstick reads the caller's array in its build, so setting the vertices counts too. */
static double ratio_of(const build_outcome *o) { return o->plain_ms / (o->update_ms + o->set_ms); }

static int build_print(const single_body *body, const bench_options *options,
                       const build_outcome *o)
{
    if (options->format == FORMAT_TABLE) {
        printf("build of %" PRIu32 " triangles: %.1f ms (and %.1f ms to set the vertices), "
               "peer:plain %.1f ms, %.2f times faster\n",
               body->triangle_count, o->update_ms, o->set_ms, o->plain_ms, ratio_of(o));
        printf("  from nothing, with all copies and checks: %.1f ms\n", o->create_ms);
        return EXIT_FINE;
    }
    json_line line = probe_line_begin("build", options);
    json_line_count(&line, "triangles", body->triangle_count);
    json_line_real(&line, "build_ms", o->update_ms);
    json_line_real(&line, "set_vertices_ms", o->set_ms);
    json_line_real(&line, "create_ms", o->create_ms);
    json_line_real(&line, "plain_build_ms", o->plain_ms);
    json_line_real(&line, "ratio", ratio_of(o));
    return json_line_print(&line, "bench");
}

int probe_build(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    single_body body;
    willow_world *world = NULL;
    willow_body_id id;
    build_outcome outcome = {0};
    int code = single_body_create(&body, probe_spec(options, "bumpy:triangles=1310720,frames=4"));
    if (code == EXIT_FINE) {
        double start = now_ms();
        code = single_body_world(&body, options, WILLOW_METHOD_REBUILD, &world, &id);
        outcome.create_ms = now_ms() - start;
    }
    if (code == EXIT_FINE) {
        if (build_measure(&body, world, id, build_rounds(options), &outcome)) {
            code = build_print(&body, options, &outcome);
        } else {
            code = complain("bench", "the build failed: %s", willow_world_message(world));
        }
    }
    willow_world_destroy(world);
    single_body_destroy(&body);
    return code;
}
