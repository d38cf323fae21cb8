/* limit.c - `willow bench --limit`: how fast memory can be streamed, and how near refits get.
 *
 * The bandwidth is measured for working sets from a first-level cache to memory. Then bodies of
 * several sizes are refitted: the bytes that a refit moves over its time, against the bandwidth of
 * a working set of that size. */
#include "bench/limit/limit.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/limit/refit.h"
#include "bench/limit/single_body.h"
#include "bench/run/options.h"
#include "bench/run/stream.h"

#include <inttypes.h>
#include <stdio.h>

/* A refit moves some 24 bytes per triangle: these lie in the caches one after the other, the last
 * in memory. */
static const char *const sizes[] = {
    "bumpy:triangles=320,frames=4",    "bumpy:triangles=1280,frames=4",
    "bumpy:triangles=5120,frames=4",   "bumpy:triangles=20480,frames=4",
    "bumpy:triangles=81920,frames=4",  "bumpy:triangles=327680,frames=4",
    "bumpy:triangles=1310720,frames=4"};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

/* ---- for people ---- */

static void print_curve(const stream_curve *curve)
{
    puts("streaming bandwidth of one thread, GB/s; a copy counts what it reads and writes");
    printf("%12s  %-6s %8s %8s %8s\n", "working set", "level", "read", "write", "copy");
    for (int i = 0; i < STREAM_SIZES; i++) {
        const stream_speed *p = &curve->points[i];
        printf("%8zu KiB  %-6s %8.1f %8.1f %8.1f\n", p->bytes / 1024, stream_level(p->bytes),
               p->read, p->write, p->copy);
    }
}

static void limit_print_heads(void)
{
    puts("\nrefits of a bumpy sphere against it");
    printf("%10s %12s  %-6s %9s %7s %8s %8s %7s\n", "triangles", "moved", "level", "refit ms",
           "ns/tri", "GB/s", "limit", "share");
}

/* ---- one refit ---- */

typedef struct refit_share {
    uint32_t triangles;
    size_t bytes;
    double refit_ms, limit_ms;
} refit_share;

static double limit_speed(size_t bytes, double ms)
{
    return ms > 0 ? (double)bytes * 1e-6 / ms : 0;
}

static double share_of(const refit_share *r)
{
    return r->refit_ms > 0 ? r->limit_ms / r->refit_ms : 0;
}

static void limit_print_row(const refit_share *r)
{
    printf("%10" PRIu32 " %8.0f KiB  %-6s %9.4f %7.2f %8.1f %8.1f %6.0f%%\n", r->triangles,
           (double)r->bytes / 1024, stream_level(r->bytes), r->refit_ms,
           r->refit_ms * 1e6 / r->triangles, limit_speed(r->bytes, r->refit_ms),
           limit_speed(r->bytes, r->limit_ms), share_of(r) * 100);
}

static int limit_print_line(const refit_share *r)
{
    json_line line = json_line_begin();
    json_line_text(&line, "limit", "refit");
    json_line_count(&line, "triangles", r->triangles);
    json_line_count(&line, "bytes", r->bytes);
    json_line_text(&line, "level", stream_level(r->bytes));
    json_line_real(&line, "refit_ms", r->refit_ms);
    json_line_real(&line, "refit_ns_per_triangle", r->refit_ms * 1e6 / r->triangles);
    json_line_real(&line, "refit_gb_per_s", limit_speed(r->bytes, r->refit_ms));
    json_line_real(&line, "limit_gb_per_s", limit_speed(r->bytes, r->limit_ms));
    json_line_real(&line, "limit_share", share_of(r));
    return json_line_print(&line, "bench");
}

static int limit_measure_size(const char *spec, const stream_curve *curve,
                              const bench_options *options)
{
    single_body body;
    refit_outcome outcome = {0};
    int code = single_body_create(&body, spec);
    if (code == EXIT_FINE) code = refit_measure(&body, options, &outcome);
    if (code == EXIT_FINE) {
        stream_traffic bytes = {outcome.bytes.positions + outcome.bytes.read,
                                outcome.bytes.written};
        refit_share share = {.triangles = body.triangle_count,
                             .bytes = bytes.read + bytes.written,
                             .refit_ms = outcome.refit_ms,
                             .limit_ms = stream_limit_ms(curve, bytes)};
        if (options->format == FORMAT_TABLE) {
            limit_print_row(&share);
        } else {
            code = limit_print_line(&share);
        }
    }
    single_body_destroy(&body);
    return code;
}

/* ---- the whole ---- */

static int print_curve_lines(const stream_curve *curve)
{
    int code = EXIT_FINE;
    for (int i = 0; code == EXIT_FINE && i < STREAM_SIZES; i++) {
        json_line line = stream_speed_json(&curve->points[i]);
        code = json_line_print(&line, "bench");
    }
    return code;
}

int bench_limit(const bench_options *options)
{
    stream_curve curve;
    int code = EXIT_FINE;
    if (options->format == FORMAT_CSV) {
        return complain_usage("bench", "--limit alone prints JSON or a table, not CSV");
    }
    if (!stream_curve_measure(&curve)) return complain("bench", "out of memory");
    if (options->format == FORMAT_TABLE) {
        print_curve(&curve);
        limit_print_heads();
    } else {
        code = print_curve_lines(&curve);
    }
    for (int i = 0; code == EXIT_FINE && i < SIZE_COUNT; i++) {
        code = limit_measure_size(sizes[i], &curve, options);
    }
    return code;
}
