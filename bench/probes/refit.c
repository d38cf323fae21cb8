/* refit.c - a refit of a large body against a streaming pass over the same bytes (limit/refit.c).
 */
#include "bench/limit/refit.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/limit/single_body.h"
#include "bench/probes/probe.h"
#include "bench/run/options.h"

#include <inttypes.h>
#include <stdio.h>

static void refit_probe_print_table(const single_body *body, const refit_outcome *o)
{
    printf("refit of %" PRIu32 " triangles: %.3f ms, %.2f ns per triangle\n", body->triangle_count,
           o->refit_ms, o->refit_ms * 1e6 / body->triangle_count);
    printf("  one pass over the same bytes (%.1f MB read, %.1f MB written): %.3f ms, ratio %.2f\n",
           (double)(o->bytes.positions + o->bytes.read) * 1e-6, (double)o->bytes.written * 1e-6,
           o->stream_ms, o->refit_ms / o->stream_ms);
}

static int refit_probe_print_json(const single_body *body, const bench_options *options,
                                  const refit_outcome *o)
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

int probe_refit(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    single_body body;
    refit_outcome outcome = {0};
    int code = single_body_create(&body, probe_spec(options, "bumpy:triangles=1310720,frames=4"));
    if (code == EXIT_FINE) code = refit_measure(&body, options, &outcome);
    if (code == EXIT_FINE) {
        if (options->format == FORMAT_TABLE) {
            refit_probe_print_table(&body, &outcome);
        } else {
            code = refit_probe_print_json(&body, options, &outcome);
        }
    }
    single_body_destroy(&body);
    return code;
}
