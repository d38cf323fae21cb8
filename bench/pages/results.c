/* results.c - results as a page of the documentation.
 *
 * Way in: report_write_markdown. First what it was measured on, then the best of each scene in one
 * table and the experiments of papers beside ours (report_paper.c, report_kinetic.c,
 * report_morph.c), then a table per scene, with notes on who lost: peers that miss pairs, and
 * methods that are slower than the yardstick. The best of a scene is the one with the lowest mean
 * among those that are sound. */
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"
#include "bench/run/row.h"
#include "bench/run/stream.h"

#include <inttypes.h>
#include <string.h>

/* "1,310,720", in memory of the caller. */
enum { GROUPED_MAX = 32 };

static const char *grouped(uint64_t value, char out[GROUPED_MAX])
{
    char digits[GROUPED_MAX];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, value), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

void report_write_ratio(FILE *file, double a, double b)
{
    if (a >= 0 && b > 0) {
        fprintf(file, " %.2f |", a / b);
    } else {
        fputs(" - |", file);
    }
}

/* ---- the head ---- */

static void write_head(FILE *file, const bench_options *options)
{
    report_machine m = report_machine_now();
    fprintf(file,
            "# Results\n\n"
            "This page is written by the tool, not by hand:\n\n"
            "```sh\n%s\n```\n\n",
            options->command_line);
    fprintf(file,
            "| | |\n|---|---|\n"
            "| processor | %s, %" PRIu32 " core%s |\n| memory | %.1f GB |\n| system | %s |\n"
            "| compiler | %s |\n| Willow | %s |\n| date | %s |\n\n",
            m.processor, m.cores, plural(m.cores), (double)m.memory_bytes * 1e-9, m.system,
            m.compiler, version_text(), m.date);
    fputs("Times are milliseconds per frame; [benchmarks.md](benchmarks.md) says how they are "
          "measured.\nAll methods found the same unless a note says otherwise.\n",
          file);
}

/* The scene, and the question where there are several of them. */
static void write_subject(FILE *file, const bench_row *row, const bench_options *options)
{
    fputs(row->spec, file);
    if (options->question_count > 1) fprintf(file, ", query %s", row->query);
}

/* ---- the best of each scene ---- */

/* The fastest sound row of one kind in [first, end), or NULL. */
static const bench_row *best_of(const bench_rows *rows, uint32_t first, uint32_t end,
                                uint32_t group)
{
    const bench_row *best = NULL;
    for (uint32_t i = first; i < end; i++) {
        const bench_row *row = &rows->items[i];
        if (!bench_row_has(row, group) || !bench_row_is_sound(row)) continue;
        if (best == NULL || row->total_ms < best->total_ms) best = row;
    }
    return best;
}

static void write_best(FILE *file, const bench_row *row)
{
    if (row == NULL) {
        fputs(" - | - |", file);
    } else {
        fprintf(file, " %s | %.4f |", row->method, row->total_ms);
    }
}

static void write_summary(FILE *file, const bench_rows *rows, const bench_options *options)
{
    char triangles[GROUPED_MAX];
    fputs("\n## The fastest of each scene\n\n"
          "| scene | triangles | Willow | ms | peer | ms | peer / Willow |\n"
          "|---|--:|---|--:|---|--:|--:|\n",
          file);
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        end = bench_rows_end(rows, first);
        const bench_row *willow = best_of(rows, first, end, OF_WILLOW);
        const bench_row *peer = best_of(rows, first, end, OF_PEER);
        fputs("| ", file);
        write_subject(file, &rows->items[first], options);
        fprintf(file, " | %s |", grouped(rows->items[first].triangles, triangles));
        write_best(file, willow);
        write_best(file, peer);
        if (willow != NULL && peer != NULL && willow->total_ms > 0) {
            fprintf(file, " %.2f |\n", peer->total_ms / willow->total_ms);
        } else {
            fputs(" - |\n", file);
        }
    }
}

/* ---- one scene ---- */

static void write_row(FILE *file, const bench_row *row, bool is_best, bool has_limit)
{
    const char *bold = is_best ? "**" : "";
    fprintf(file, "| %s%s%s | %.4f | %.4f | %s%.4f%s | %.4f | %.2f | %.1f | %.1f |", bold,
            row->method, bold, row->update_ms, row->query_ms, bold, row->total_ms, bold,
            row->total_ms_median, row->setup_ms, row->update_ns_per_triangle,
            row->bytes_per_triangle);
    if (has_limit && bench_row_has(row, OF_LIMIT)) {
        fprintf(file, " %.0f %% |", row->limit_share * 100);
    } else if (has_limit) {
        fputs(" |", file);
    }
    if (bench_row_has(row, OF_COMPARED)) fprintf(file, " %.2f |", row->speedup);
    fputs("\n", file);
}

static void write_table(FILE *file, const bench_rows *rows, uint32_t first, uint32_t end,
                        bool has_limit)
{
    const bench_row *willow = best_of(rows, first, end, OF_WILLOW),
                    *peer = best_of(rows, first, end, OF_PEER);
    const bench_row *best =
        willow == NULL || (peer != NULL && peer->total_ms < willow->total_ms) ? peer : willow;
    bool is_compared = bench_row_has(&rows->items[first], OF_COMPARED);
    fprintf(file,
            "| method | update | query | total | median | setup | update ns/triangle | "
            "B/triangle |%s%s\n|---|--:|--:|--:|--:|--:|--:|--:|%s%s\n",
            has_limit ? " of the limit |" : "", is_compared ? " faster than peer:plain |" : "",
            has_limit ? "--:|" : "", is_compared ? "--:|" : "");
    for (uint32_t i = first; i < end; i++) {
        write_row(file, &rows->items[i], &rows->items[i] == best, has_limit);
    }
}

static void write_unsound(FILE *file, const bench_row *row)
{
    char lost[GROUPED_MAX], extra[GROUPED_MAX], pairs[GROUPED_MAX];
    if (row->wrong) fprintf(file, "- `%s` has another answer than another method.\n", row->method);
    if (row->lost + row->extra == 0) return;
    fprintf(file,
            "- `%s` loses %s pairs and invents %s, with %s reported: it is not the best of "
            "anything here.\n",
            row->method, grouped(row->lost, lost), grouped(row->extra, extra),
            grouped(row->pairs, pairs));
}

static void write_slower(FILE *file, const bench_rows *rows, uint32_t first, uint32_t end)
{
    bool is_first = true;
    for (uint32_t i = first; i < end; i++) {
        const bench_row *row = &rows->items[i];
        if (!bench_row_has(row, OF_COMPARED) || row->speedup >= 1) continue;
        if (bench_row_has(row, OF_YARDSTICK)) continue;
        fprintf(file, "%s`%s` (%.2f)", is_first ? "- Slower than `peer:plain`: " : ", ",
                row->method, row->speedup);
        is_first = false;
    }
    if (!is_first) fputs(".\n", file);
}

/* Where some decide these triangles, others do not do less work unnoticed. */
static void write_skipping(FILE *file, const bench_rows *rows, uint32_t first, uint32_t end)
{
    bool is_first = true;
    for (uint32_t i = first; i < end; i++) {
        const bench_row *row = &rows->items[i];
        if (!row->skips_neighbours) continue;
        fprintf(file, "%s`%s`",
                is_first ? "- Without triangles of one body that share a vertex: " : ", ",
                row->method);
        is_first = false;
    }
    if (!is_first) fputs(".\n", file);
}

static void write_yardstick(FILE *file, const bench_row *yardstick)
{
    if (yardstick == NULL || !yardstick->yardstick_off) return;
    fprintf(file,
            "- The yardstick is off: `peer:plain` refits in %.1f ns per triangle, so ratios to it "
            "mean less here.\n",
            yardstick->refit_ns_per_triangle);
}

static void write_scene(FILE *file, const bench_rows *rows, uint32_t first, uint32_t end,
                        const bench_options *options, bool has_limit)
{
    char triangles[GROUPED_MAX], pairs[GROUPED_MAX];
    const bench_row *row = &rows->items[first];
    fputs("\n## ", file);
    write_subject(file, row, options);
    fprintf(file, "\n\n%s triangles in %" PRIu64 " bod%s, query %s",
            grouped(row->triangles, triangles), row->bodies, row->bodies == 1 ? "y" : "ies",
            row->query);
    if (bench_row_has(row, OF_DISTANCE)) fprintf(file, ", distance %.4g", row->distance);
    if (options->strangers) fputs(", strangers only", file);
    fprintf(file, ", %" PRIu64 " frames, %" PRIu32 " thread%s; %s %s over all frames.\n\n",
            row->frames, options->engine.threads, plural(options->engine.threads),
            grouped(row->pairs, pairs), row->finds);
    write_table(file, rows, first, end, has_limit);
    fputs("\n", file);
    for (uint32_t i = first; i < end; i++) write_unsound(file, &rows->items[i]);
    write_slower(file, rows, first, end);
    write_skipping(file, rows, first, end);
    write_yardstick(file, bench_rows_yardstick(rows, first, end));
}

/* ---- the limit ---- */

static void write_curve(FILE *file, const stream_curve *curve)
{
    fputs("\n## Streaming bandwidth\n\n"
          "One thread, GB/s; a copy counts what it reads and what it writes.\n\n"
          "| working set | level | read | write | copy |\n|--:|---|--:|--:|--:|\n",
          file);
    for (int i = 0; i < STREAM_SIZES; i++) {
        const stream_speed *p = &curve->points[i];
        fprintf(file, "| %zu KiB | %s | %.1f | %.1f | %.1f |\n", p->bytes / 1024,
                stream_level(p->bytes), p->read, p->write, p->copy);
    }
}

void report_write_markdown(FILE *file, const bench_rows *rows, const stream_curve *curve,
                           const bench_options *options)
{
    write_head(file, options);
    write_summary(file, rows, options);
    report_write_paper(file, rows);
    report_write_kinetic(file, rows);
    report_write_morph(file, rows);
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        end = bench_rows_end(rows, first);
        write_scene(file, rows, first, end, options, curve != NULL);
    }
    if (curve != NULL) write_curve(file, curve);
}
