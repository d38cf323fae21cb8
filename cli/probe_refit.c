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

/* The caller's array is the first that is read, then the buffer. */
static void stream(stream_buffers *buffers, const float *positions, refit_traffic bytes)
{
    size_t copied = bytes.positions < bytes.written ? bytes.positions : bytes.written;
    memcpy(buffers->to, positions, copied);
    stream_buffers rest = {buffers->from, buffers->to + copied, buffers->sum};
    stream_pass(&rest, (stream_traffic){bytes.read, bytes.written - copied});
    buffers->sum = rest.sum;
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

static void stream_turn(stream_buffers *buffers, const float *positions, refit_traffic bytes,
                        double *out)
{
    for (int i = 0; i < TURN; i++) {
        double start = now_ms();
        stream(buffers, positions, bytes);
        if (i > 0) out[i - 1] = now_ms() - start;
    }
}

static bool take_turns(probe_body *body, willow_world *world, willow_body_id id,
                       refit_traffic bytes, refit_times *t, uint64_t *sum)
{
    stream_buffers buffers;
    bool fine = stream_buffers_create(&buffers, (stream_traffic){bytes.read, bytes.written});
    for (uint32_t i = 0; fine && i < t->count; i += TURN - 1) {
        probe_body_show(body, i);
        fine = refit_turn(body, world, id, t->refit + i);
        stream_turn(&buffers, body->now, bytes, t->stream + i);
    }
    *sum = buffers.sum;
    stream_buffers_destroy(&buffers);
    return fine;
}

static bool measure(probe_body *body, willow_world *world, willow_body_id id, uint32_t rounds,
                    refit_outcome *out)
{
    uint32_t count = rounds * (TURN - 1);
    refit_times t = {.refit = calloc(count, sizeof(double)),
                     .stream = calloc(count, sizeof(double)),
                     .count = count};
    bool fine = t.refit != NULL && t.stream != NULL &&
                take_turns(body, world, id, out->bytes, &t, &out->sum);
    if (fine) {
        out->refit_ms = median_of(t.refit, count);
        out->stream_ms = median_of(t.stream, count);
    }
    free(t.refit);
    free(t.stream);
    return fine;
}

static void print_table(const probe_body *body, const refit_outcome *o)
{
    printf("refit of %" PRIu32 " triangles: %.3f ms, %.2f ns per triangle\n", body->triangle_count,
           o->refit_ms, o->refit_ms * 1e6 / body->triangle_count);
    printf("  one pass over the same bytes (%.1f MB read, %.1f MB written): %.3f ms, ratio %.2f\n",
           (double)(o->bytes.positions + o->bytes.read) * 1e-6, (double)o->bytes.written * 1e-6,
           o->stream_ms, o->refit_ms / o->stream_ms);
}

static int print_json(const probe_body *body, const bench_options *options, const refit_outcome *o)
{
    json_line line = probe_line_begin("refit", options);
    json_line_count(&line, "triangles", body->triangle_count);
    json_line_real(&line, "refit_ms", o->refit_ms);
    json_line_real(&line, "refit_ns_per_triangle", o->refit_ms * 1e6 / body->triangle_count);
    json_line_count(&line, "bytes_read", o->bytes.positions + o->bytes.read);
    json_line_count(&line, "bytes_written", o->bytes.written);
    json_line_real(&line, "stream_ms", o->stream_ms);
    json_line_real(&line, "ratio", o->refit_ms / o->stream_ms);
    json_line_count(&line, "checksum", o->sum & 0xFFFF);
    return json_line_print(&line, "bench");
}

static int measure_world(probe_body *body, const bench_options *options, willow_world *world,
                         willow_body_id id, refit_outcome *out)
{
    willow_body_stats stats;
    if (willow_body_get_stats(world, id, &stats) != WILLOW_OK) {
        return complain("bench", "no statistics: %s", willow_world_message(world));
    }
    out->bytes = (refit_traffic){.positions = 12 * (size_t)body->vertex_count,
                                 .read = stats.refit_bytes_read,
                                 .written = stats.refit_bytes_written};
    if (!measure(body, world, id, probe_rounds(options), out)) {
        return complain("bench", "the refit failed: %s", willow_world_message(world));
    }
    return EXIT_FINE;
}

int probe_refit_measure(probe_body *body, const bench_options *options, refit_outcome *out)
{
    willow_world *world = NULL;
    willow_body_id id;
    int code = probe_world_create(body, options, WILLOW_METHOD_BOTTOM_UP, &world, &id);
    if (code == EXIT_FINE) code = measure_world(body, options, world, id, out);
    willow_world_destroy(world);
    return code;
}

int probe_refit(const bench_options *options)
{
    probe_body body;
    refit_outcome outcome = {0};
    int code = probe_body_create(&body, probe_spec(options, "bumpy:triangles=1310720,frames=4"));
    if (code == EXIT_FINE) code = probe_refit_measure(&body, options, &outcome);
    if (code == EXIT_FINE) {
        if (options->format == FORMAT_TABLE) {
            print_table(&body, &outcome);
        } else {
            code = print_json(&body, options, &outcome);
        }
    }
    probe_body_destroy(&body);
    return code;
}
