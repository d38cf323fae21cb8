/* bodies.c - what a world costs for each of its bodies, where there are very many small ones.
 *
 * Tetrahedra in a box, one to each 8 units of space, so that each meets a few: with a mesh for
 * each, and with one that all share. All are created in bulk, then posed in bulk in every step:
 * each goes up to a twentieth of its size and comes back. What is timed apart: creating them with
 * the first update; the poses; the update, which brings the broad phase up to date; and the pairs,
 * nearly all of which is the narrow phase. Before the steps that count there are some for what is
 * kept to be made. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/probes/probe.h"
#include "bench/run/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM = 3, STEPS = 8 };

typedef struct bodies {
    uint32_t count;
    bool is_shared;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id *ids;
    willow_pose *poses, *homes;
    double create_ms, pose_ms, update_ms, pairs_ms;
    size_t bytes, pairs, candidates;
} bodies;

/* From 0 to 1, by number and axis (splitmix64). */
static float spread_of(uint64_t number)
{
    uint64_t z = (number + 1) * UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (float)((z ^ (z >> 31)) >> 40) * 0x1p-24F;
}

static void place_homes(bodies *b)
{
    float edge = 1.0F; /* of the box: 8 units of space for each */
    while (edge * edge * edge < 8.0F * (float)b->count) edge *= 1.01F;
    for (uint32_t i = 0; i < b->count; i++) {
        b->homes[i] = willow_pose_identity();
        b->homes[i].translation =
            (willow_vec3){edge * spread_of(3 * (uint64_t)i), edge * spread_of(3 * (uint64_t)i + 1),
                          edge * spread_of(3 * (uint64_t)i + 2)};
        b->homes[i].rotation.x = spread_of(i) - 0.5F;
        b->poses[i] = b->homes[i];
    }
}

static bool create_all(bodies *b, willow_body_def *defs, const willow_body_def *first)
{
    willow_body_id lender = {0};
    const double start = now_ms();
    if (b->is_shared && willow_body_create(b->world, first, &lender) != WILLOW_OK) return false;
    for (uint32_t i = 0; i < b->count; i++) {
        defs[i] = *first;
        defs[i].pose = b->homes[i];
        defs[i].share = lender;
    }
    if (willow_bodies_create(b->world, defs, b->count, b->ids) != WILLOW_OK) return false;
    if (b->is_shared && willow_body_destroy(b->world, lender) != WILLOW_OK) return false;
    if (willow_world_update(b->world, 0, NULL) != WILLOW_OK) return false;
    b->create_ms = now_ms() - start;
    return true;
}

static bool create_bodies(bodies *b)
{
    static const float corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t tris[12] = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
    willow_body_def first = willow_body_def_default();
    first.mesh.positions = corners;
    first.mesh.vertex_count = 4;
    first.mesh.indices = tris;
    first.mesh.triangle_count = 4;
    willow_body_def *defs = malloc(b->count * sizeof *defs);
    const bool ok = defs != NULL && create_all(b, defs, &first);
    free(defs);
    return ok;
}

static bool take_step(bodies *b, uint32_t step)
{
    const float way = step % 2 == 0 ? 0.1F : 0.0F;
    for (uint32_t i = 0; i < b->count; i++)
        b->poses[i].translation.x = b->homes[i].translation.x + way * (spread_of(i) - 0.5F);
    const double begin = now_ms();
    if (willow_bodies_set_poses(b->world, b->ids, b->poses, b->count) != WILLOW_OK) return false;
    const double posed = now_ms();
    if (willow_world_update(b->world, step, NULL) != WILLOW_OK) return false;
    const double updated = now_ms();
    willow_pairs pairs;
    if (willow_find_pairs(b->world, b->scratch, NULL, &pairs) != WILLOW_OK) return false;
    b->pairs = pairs.count;
    if (step < WARM) {
        willow_scratch_reset_stats(b->scratch);
        return true;
    }
    b->pose_ms += (posed - begin) / STEPS;
    b->update_ms += (updated - posed) / STEPS;
    b->pairs_ms += (now_ms() - updated) / STEPS;
    return true;
}

static bool bodies_run(bodies *b, const bench_options *options)
{
    const willow_world_def def = engine_world_def(&options->engine);
    b->ids = malloc(b->count * sizeof *b->ids);
    b->poses = malloc(b->count * sizeof *b->poses);
    b->homes = malloc(b->count * sizeof *b->homes);
    if (b->ids == NULL || b->poses == NULL || b->homes == NULL ||
        willow_world_create(&def, &b->world) != WILLOW_OK ||
        willow_scratch_create(b->world, &b->scratch) != WILLOW_OK)
        return false;
    const size_t before = willow_world_bytes(b->world);
    place_homes(b);
    if (!create_bodies(b)) return false;
    b->bytes = willow_world_bytes(b->world) - before;
    for (uint32_t step = 0; step < WARM + STEPS; step++)
        if (!take_step(b, step)) return false;
    b->candidates = willow_scratch_stats(b->scratch).body_pairs / STEPS;
    return true;
}

static int bodies_print(const bodies *b, const bench_options *options)
{
    const double each = 1e3 / (double)b->count; /* microseconds of one body */
    const size_t candidates = b->candidates > 0 ? b->candidates : 1;
    if (options->format == FORMAT_TABLE) {
        printf("%" PRIu32 " bodies of 4 triangles%s: created in %.2f us each, %.0f bytes; a step: "
               "poses %.3f us, update %.3f us, pairs %.3f us each (%.3f us per candidate)\n",
               b->count, b->is_shared ? ", shared" : "", b->create_ms * each,
               (double)b->bytes / b->count, b->pose_ms * each, b->update_ms * each,
               b->pairs_ms * each, 1e3 * b->pairs_ms / (double)candidates);
        return EXIT_FINE;
    }
    json_line line = probe_line_begin("bodies", options);
    json_line_count(&line, "bodies", b->count);
    json_line_flag(&line, "shared", b->is_shared);
    json_line_count(&line, "pairs", b->pairs);
    json_line_count(&line, "candidates", b->candidates);
    json_line_real(&line, "create_us", b->create_ms * each);
    json_line_real(&line, "bytes", (double)b->bytes / b->count);
    json_line_real(&line, "pose_us", b->pose_ms * each);
    json_line_real(&line, "update_us", b->update_ms * each);
    json_line_real(&line, "pairs_us", b->pairs_ms * each);
    json_line_real(&line, "candidate_us", 1e3 * b->pairs_ms / (double)candidates);
    return json_line_print(&line, "bench");
}

static int bodies_measure_one(uint32_t count, bool is_shared, const bench_options *options)
{
    bodies b = {.count = count, .is_shared = is_shared};
    const bool fine = bodies_run(&b, options);
    const int code = fine ? bodies_print(&b, options)
                          : complain("", "a world of %" PRIu32 " bodies: out of memory", count);
    willow_scratch_destroy(b.scratch);
    willow_world_destroy(b.world);
    free(b.ids);
    free(b.poses);
    free(b.homes);
    return code;
}

static int bodies_measure(uint32_t count, const bench_options *options)
{
    const int code = bodies_measure_one(count, false, options);
    return code == EXIT_FINE ? bodies_measure_one(count, true, options) : code;
}

int probe_bodies(const probe_options *probe)
{
    static const uint32_t sizes[] = {1000, 10000, 100000, 1000000};
    int code = EXIT_FINE;
    if (probe->file_count > 0) {
        const unsigned long count = strtoul(probe->files[0], NULL, 10);
        if (count == 0 || count > 100000000)
            return complain_usage("", "'%s' is not a number of bodies: it is 1 to 100,000,000",
                                  probe->files[0]);
        return bodies_measure((uint32_t)count, &probe->bench);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && code == EXIT_FINE; i++)
        code = bodies_measure(sizes[i], &probe->bench);
    return code;
}
