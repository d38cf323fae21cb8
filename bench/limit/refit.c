/* refit.c - a refit against the floor of every update that knows nothing of the motion: one
 * pass over the same bytes.
 *
 * A refit reads the caller's positions, the leaves, the numbers of their vertices and the nodes,
 * and writes its own positions and the nodes; willow_body_get_stats counts these bytes. The pass
 * reads as many as are read and writes as many as are written, in order. It begins with the
 * caller's array itself and takes turns with the refit in one process: a few of these, a few of
 * those, the first of each turn uncounted, so that both are warm. */
#include "bench/limit/refit.h"
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/limit/single_body.h"
#include "bench/run/options.h"
#include "bench/run/stream.h"

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

enum { ROUNDS = 20 };

enum { TURN = 4 }; /* the first of a turn is not counted */

typedef struct refit_times {
    double *refit, *stream;
    uint32_t count;
} refit_times;

static bool refit_turn(const single_body *body, willow_world *world, willow_body_id id, double *out)
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

static bool turns_take_turns(single_body *body, willow_world *world, willow_body_id id,
                             refit_traffic bytes, refit_times *t, uint64_t *sum)
{
    stream_buffers buffers;
    bool fine = stream_buffers_create(&buffers, (stream_traffic){bytes.read, bytes.written});
    for (uint32_t i = 0; fine && i < t->count; i += TURN - 1) {
        single_body_show(body, i);
        fine = refit_turn(body, world, id, t->refit + i);
        stream_turn(&buffers, body->now, bytes, t->stream + i);
    }
    *sum = buffers.sum;
    stream_buffers_destroy(&buffers);
    return fine;
}

static bool turns_measure(single_body *body, willow_world *world, willow_body_id id,
                          uint32_t rounds, refit_outcome *out)
{
    uint32_t count = rounds * (TURN - 1);
    refit_times t = {.refit = calloc(count, sizeof(double)),
                     .stream = calloc(count, sizeof(double)),
                     .count = count};
    bool fine = t.refit != NULL && t.stream != NULL &&
                turns_take_turns(body, world, id, out->bytes, &t, &out->sum);
    if (fine) {
        out->refit_ms = median_of(t.refit, count);
        out->stream_ms = median_of(t.stream, count);
    }
    free(t.refit);
    free(t.stream);
    return fine;
}

static int measure_world(single_body *body, const bench_options *options, willow_world *world,
                         willow_body_id id, refit_outcome *out)
{
    willow_body_stats stats;
    if (willow_body_get_stats(world, id, &stats) != WILLOW_OK) {
        return complain("bench", "no statistics: %s", willow_world_message(world));
    }
    out->bytes = (refit_traffic){.positions = 12 * (size_t)body->vertex_count,
                                 .read = stats.refit_bytes_read,
                                 .written = stats.refit_bytes_written};
    if (!turns_measure(body, world, id, refit_rounds(options), out)) {
        return complain("bench", "the refit failed: %s", willow_world_message(world));
    }
    return EXIT_FINE;
}

uint32_t refit_rounds(const bench_options *options) { return ROUNDS * options->repeat; }

int refit_measure(single_body *body, const bench_options *options, refit_outcome *out)
{
    willow_world *world = NULL;
    willow_body_id id;
    int code = single_body_world(body, options, WILLOW_METHOD_BOTTOM_UP, &world, &id);
    if (code == EXIT_FINE) code = measure_world(body, options, world, id, out);
    willow_world_destroy(world);
    return code;
}
