/* probe_refit.c - a refit against the floor of every update that knows nothing of the motion: one
 * pass over the same bytes.
 *
 * A refit reads the caller's positions, the leaves, the numbers of their vertices and the nodes,
 * and writes its own positions and the nodes; willow_body_get_stats counts these bytes. The pass
 * reads as many as are read and writes as many as are written, in order. It begins with the
 * caller's array itself and takes turns with the refit in one process: a few of these, a few of
 * those, the first of each turn uncounted, so that both are warm. */
#include "cli/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Positions are read, then `read` bytes more; `written` bytes are written in all. */
typedef struct traffic {
    size_t positions, read, written;
} traffic;

/* Memory for the passes: `from` for what is read beside the caller's array, `to` for all that is
 * written. */
typedef struct stream_buffers {
    uint64_t *from;
    char *to;
    uint64_t sum; /* of what was read, so that the compiler cannot leave it out */
} stream_buffers;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static void stream(stream_buffers *buffers, const float *positions, traffic bytes)
{
    size_t copied = least(bytes.positions, bytes.written);
    size_t both = least(bytes.read, bytes.written - copied);
    memcpy(buffers->to, positions, copied);
    memcpy(buffers->to + copied, buffers->from, both);
    memset(buffers->to + copied + both, 1, bytes.written - copied - both);
    uint64_t sums[4] = {(uint64_t)buffers->to[0], 0, 0, 0};
    for (size_t i = both / 8; i + 4 <= bytes.read / 8; i += 4) {
        for (size_t k = 0; k < 4; k++) sums[k] += buffers->from[i + k];
    }
    buffers->sum += sums[0] + sums[1] + sums[2] + sums[3];
}

enum { TURN = 4 }; /* the first of a turn is not counted */

typedef struct refit_times {
    double *refit, *stream;
    uint32_t count;
} refit_times;

static bool refit_turn(const probe_body *body, willow_world *world, willow_body_id id, double *out)
{
    for (int i = 0; i < TURN; i++) {
        double start = now_ms();
        if (willow_body_set_vertices(world, id, 0, body->vertex_count, body->now, 12) !=
                WILLOW_OK ||
            willow_world_update(world, 0, NULL) != WILLOW_OK) {
            return false;
        }
        if (i > 0) out[i - 1] = now_ms() - start;
    }
    return true;
}

static void stream_turn(stream_buffers *buffers, const float *positions, traffic bytes, double *out)
{
    for (int i = 0; i < TURN; i++) {
        double start = now_ms();
        stream(buffers, positions, bytes);
        if (i > 0) out[i - 1] = now_ms() - start;
    }
}

static bool take_turns(probe_body *body, willow_world *world, willow_body_id id, traffic bytes,
                       refit_times *t, uint64_t *sum)
{
    stream_buffers buffers = {.from = malloc(bytes.read + 64), .to = malloc(bytes.written + 64)};
    bool fine = buffers.from != NULL && buffers.to != NULL;
    if (fine) memset(buffers.from, 1, bytes.read + 64);
    for (uint32_t i = 0; fine && i < t->count; i += TURN - 1) {
        probe_body_show(body, i);
        fine = refit_turn(body, world, id, t->refit + i);
        stream_turn(&buffers, body->now, bytes, t->stream + i);
    }
    *sum = buffers.sum;
    free(buffers.from);
    free(buffers.to);
    return fine;
}

/* Medians of all rounds. */
typedef struct refit_outcome {
    double refit_ms, stream_ms;
    uint64_t sum;
} refit_outcome;

static bool measure(probe_body *body, willow_world *world, willow_body_id id, traffic bytes,
                    uint32_t rounds, refit_outcome *out)
{
    uint32_t count = rounds * (TURN - 1);
    refit_times t = {.refit = calloc(count, sizeof(double)),
                     .stream = calloc(count, sizeof(double)),
                     .count = count};
    bool fine =
        t.refit != NULL && t.stream != NULL && take_turns(body, world, id, bytes, &t, &out->sum);
    if (fine) {
        out->refit_ms = median_of(t.refit, count);
        out->stream_ms = median_of(t.stream, count);
    }
    free(t.refit);
    free(t.stream);
    return fine;
}

static void print_table(const probe_body *body, traffic bytes, const refit_outcome *o)
{
    printf("refit of %" PRIu32 " triangles: %.3f ms, %.2f ns per triangle\n", body->triangle_count,
           o->refit_ms, o->refit_ms * 1e6 / body->triangle_count);
    printf("  one pass over the same bytes (%.1f MB read, %.1f MB written): %.3f ms, ratio %.2f\n",
           (double)(bytes.positions + bytes.read) * 1e-6, (double)bytes.written * 1e-6,
           o->stream_ms, o->refit_ms / o->stream_ms);
}

static int print_json(const probe_body *body, const bench_options *options, traffic bytes,
                      const refit_outcome *o)
{
    json_line line = probe_line_begin("refit", options);
    json_line_count(&line, "triangles", body->triangle_count);
    json_line_real(&line, "refit_ms", o->refit_ms);
    json_line_real(&line, "refit_ns_per_triangle", o->refit_ms * 1e6 / body->triangle_count);
    json_line_count(&line, "bytes_read", bytes.positions + bytes.read);
    json_line_count(&line, "bytes_written", bytes.written);
    json_line_real(&line, "stream_ms", o->stream_ms);
    json_line_real(&line, "ratio", o->refit_ms / o->stream_ms);
    json_line_count(&line, "checksum", o->sum & 0xFFFF);
    return json_line_print(&line, "bench");
}

static int probe_world(probe_body *body, const bench_options *options, willow_world *world,
                       willow_body_id id)
{
    willow_body_stats stats;
    if (willow_body_get_stats(world, id, &stats) != WILLOW_OK) {
        return complain("bench", "no statistics: %s", willow_world_message(world));
    }
    traffic bytes = {.positions = 12 * (size_t)body->vertex_count,
                     .read = stats.refit_bytes_read,
                     .written = stats.refit_bytes_written};
    refit_outcome outcome = {0};
    if (!measure(body, world, id, bytes, probe_rounds(options), &outcome)) {
        return complain("bench", "the refit failed: %s", willow_world_message(world));
    }
    if (!options->table) return print_json(body, options, bytes, &outcome);
    print_table(body, bytes, &outcome);
    return EXIT_FINE;
}

int probe_refit(const bench_options *options)
{
    probe_body body;
    willow_world *world = NULL;
    willow_body_id id;
    int code = probe_body_create(&body, options, "bumpy:triangles=1310720,frames=4");
    if (code == EXIT_FINE) {
        code = probe_world_create(&body, options, WILLOW_METHOD_BOTTOM_UP, &world, &id);
    }
    if (code == EXIT_FINE) code = probe_world(&body, options, world, id);
    willow_world_destroy(world);
    probe_body_destroy(&body);
    return code;
}
