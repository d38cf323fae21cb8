/* probe_refit.c - a refit against the floor of every update that knows nothing of the motion: one
 * pass over the same bytes.
 *
 * A refit reads the caller's positions, writes its own, reads the numbers of the leaves' vertices
 * and writes the nodes. Two counts of these bytes are given, each with its ratio:
 *   all     positions in and out, and everything in the hierarchy once
 *   strict  positions in and out, and the children's boxes; nothing that a query alone might need
 * The pass reads what is read and writes what is written, in order. It begins with the caller's
 * array itself and takes turns with the refit in one process: a few of these, a few of those, the
 * first of each turn uncounted, so that both are warm. */
#include "cli/probe.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Positions are read and written; then so many bytes more. */
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

static void stream(stream_buffers *buffers, const float *positions, traffic bytes)
{
    size_t both = bytes.read < bytes.written ? bytes.read : bytes.written;
    memcpy(buffers->to, positions, bytes.positions);
    memcpy(buffers->to + bytes.positions, buffers->from, both);
    memset(buffers->to + bytes.positions + both, 1, bytes.written - both);
    uint64_t sums[4] = {(uint64_t)buffers->to[0], 0, 0, 0};
    for (size_t i = both / 8; i + 4 <= bytes.read / 8; i += 4) {
        for (size_t k = 0; k < 4; k++) sums[k] += buffers->from[i + k];
    }
    buffers->sum += sums[0] + sums[1] + sums[2] + sums[3];
}

static traffic count_all(const probe_body *body, const willow_body_stats *stats, uint32_t arity)
{
    size_t boxes = 24 * (size_t)arity * stats->node_count;
    size_t rest = stats->bytes_hierarchy > boxes ? stats->bytes_hierarchy - boxes : 0;
    return (traffic){.positions = 12 * (size_t)body->vertex_count, .read = rest, .written = boxes};
}

static traffic count_strict(traffic all)
{
    return (traffic){.positions = all.positions, .read = 0, .written = all.written};
}

enum { TURN = 4 }; /* the first of a turn is not counted */

typedef struct refit_times {
    double *refit, *all, *strict;
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

static bool take_turns(probe_body *body, willow_world *world, willow_body_id id, traffic all,
                       refit_times *t, uint64_t *sum)
{
    stream_buffers buffers = {.from = malloc(all.read + 64),
                              .to = malloc(all.positions + all.written + 64)};
    bool fine = buffers.from != NULL && buffers.to != NULL;
    if (fine) memset(buffers.from, 1, all.read + 64);
    for (uint32_t i = 0; fine && i < t->count; i += TURN - 1) {
        probe_body_show(body, i);
        fine = refit_turn(body, world, id, t->refit + i);
        stream_turn(&buffers, body->now, all, t->all + i);
        stream_turn(&buffers, body->now, count_strict(all), t->strict + i);
    }
    *sum = buffers.sum;
    free(buffers.from);
    free(buffers.to);
    return fine;
}

/* Medians of all rounds. */
typedef struct refit_outcome {
    double refit_ms, all_ms, strict_ms;
    uint64_t sum;
} refit_outcome;

static bool measure(probe_body *body, willow_world *world, willow_body_id id, traffic all,
                    uint32_t rounds, refit_outcome *out)
{
    uint32_t count = rounds * (TURN - 1);
    refit_times t = {.refit = calloc(count, sizeof(double)),
                     .all = calloc(count, sizeof(double)),
                     .strict = calloc(count, sizeof(double)),
                     .count = count};
    bool fine = t.refit != NULL && t.all != NULL && t.strict != NULL &&
                take_turns(body, world, id, all, &t, &out->sum);
    if (fine) {
        out->refit_ms = median_of(t.refit, count);
        out->all_ms = median_of(t.all, count);
        out->strict_ms = median_of(t.strict, count);
    }
    free(t.refit);
    free(t.all);
    free(t.strict);
    return fine;
}

static void print_table_row(const char *name, traffic bytes, double stream_ms, double refit_ms)
{
    printf("  %-6s bytes: %.1f MB read, %.1f MB written, one pass %.3f ms, ratio %.2f\n", name,
           (double)(bytes.positions + bytes.read) * 1e-6,
           (double)(bytes.positions + bytes.written) * 1e-6, stream_ms, refit_ms / stream_ms);
}

static void print_table(const probe_body *body, traffic all, const refit_outcome *o)
{
    printf("refit of %" PRIu32 " triangles: %.3f ms, %.2f ns per triangle\n", body->triangle_count,
           o->refit_ms, o->refit_ms * 1e6 / body->triangle_count);
    print_table_row("all", all, o->all_ms, o->refit_ms);
    print_table_row("strict", count_strict(all), o->strict_ms, o->refit_ms);
}

static void print_json(const probe_body *body, const bench_options *options, traffic all,
                       const refit_outcome *o)
{
    probe_line *line = probe_line_create("refit", options);
    probe_line_count(line, "triangles", body->triangle_count);
    probe_line_real(line, "refit_ms", o->refit_ms);
    probe_line_real(line, "refit_ns_per_triangle", o->refit_ms * 1e6 / body->triangle_count);
    probe_line_count(line, "bytes_read", all.positions + all.read);
    probe_line_count(line, "bytes_written", all.positions + all.written);
    probe_line_real(line, "stream_ms", o->all_ms);
    probe_line_real(line, "ratio", o->refit_ms / o->all_ms);
    probe_line_count(line, "bytes_read_strict", all.positions);
    probe_line_count(line, "bytes_written_strict", all.positions + all.written);
    probe_line_real(line, "stream_ms_strict", o->strict_ms);
    probe_line_real(line, "ratio_strict", o->refit_ms / o->strict_ms);
    probe_line_count(line, "checksum", o->sum & 0xFFFF);
    probe_line_print(line);
}

static int probe_world(probe_body *body, const bench_options *options, willow_world *world,
                       willow_body_id id)
{
    willow_body_stats stats;
    willow_body_info info;
    if (willow_body_get_stats(world, id, &stats) != WILLOW_OK ||
        willow_body_get_info(world, id, &info) != WILLOW_OK) {
        return complain_wrong("bench", "no statistics: %s", willow_world_message(world));
    }
    traffic all = count_all(body, &stats, info.tree.arity);
    refit_outcome outcome = {0};
    if (!measure(body, world, id, all, probe_rounds(options), &outcome)) {
        return complain_wrong("bench", "the refit failed: %s", willow_world_message(world));
    }
    if (options->table) {
        print_table(body, all, &outcome);
    } else {
        print_json(body, options, all, &outcome);
    }
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
