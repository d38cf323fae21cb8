/* print.c - rows of broad phases on standard output: JSON lines, or a table for people. */
#include "bench/common/complain.h"
#include "bench/crowds/crowds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- JSON ---- */

/* Of the last frame. */
static void add_refinement(json_line *line, const willow_broad_stats *stats)
{
    const willow_broad_refinement *r = &stats->refinement;
    json_line inner = json_line_begin();
    json_line_count(&inner, "nodes", r->nodes);
    json_line_count(&inner, "nodes_refined", r->nodes_refined);
#define CASE_FIELD(name, word, what)                                                               \
    json_line_count(&inner, "case_" word, r->cases[WILLOW_REFINE_##name]);
    WILLOW_REFINE_CASES(CASE_FIELD)
#undef CASE_FIELD
    json_line_count(&inner, "leaves", r->leaves);
    json_line_count(&inner, "leaves_looked", r->leaves_looked);
    json_line_count(&inner, "most_leaves_looked", r->most_leaves_looked);
    json_line_count(&inner, "boxes_looked", r->boxes_looked);
    json_line_count(&inner, "far", stats->far);
    json_line_nest(line, "refinement", &inner);
}

static void add_stats(json_line *line, const crowd_row *row)
{
    const willow_broad_stats *stats = &row->stats;
    const double counted = row->counted > 0 ? row->counted : (double)NAN;
    json_line_text(line, "acting", willow_broad_name(stats->acting));
    json_line_real(line, "candidates", (double)row->candidates / counted);
    json_line_real(line, "swaps", (double)row->swaps / counted);
    json_line_count(line, "entries", stats->entries);
    json_line_count(line, "nodes", stats->nodes);
    json_line_count(line, "leaves", stats->leaves);
    json_line_count(line, "levels", stats->levels);
    json_line_real(line, "cell", stats->cell);
    json_line_real(line, "slack", stats->slack);
    if (row->density.k > 0) {
        json_line_count(line, "density", row->density.density);
        json_line_count(line, "k", row->density.k);
    }
    if (row->method.def.upkeep == WILLOW_UPKEEP_LITERAL) add_refinement(line, stats);
    json_line_count(line, "rebuilds", stats->rebuilds);
    json_line_count(line, "bytes", stats->bytes);
}

json_line crowd_json(const crowd_row *row)
{
    const double per_ms = 1e6 / (row->def.count > 0 ? row->def.count : 1);
    json_line line = json_line_begin();
    json_line_text(&line, "scene", row->scene);
    json_line_text(&line, "query", "broad");
    json_line_text(&line, "method", row->method.name);
    json_line_count(&line, "boxes", row->def.count);
    json_line_count(&line, "dimensions", row->def.dimensions);
    json_line_text(&line, "sizes", crowd_size_words[row->def.sizes]);
    json_line_text(&line, "motion", crowd_motion_words[row->def.motion]);
    json_line_real(&line, "moving", row->def.moving);
    json_line_count(&line, "threads", 1);
    json_line_count(&line, "frames", row->frames);
    json_line_count(&line, "counted", row->counted);
    json_line_real(&line, "ns_per_box", crowd_row_ns(row));
    json_line_real(&line, "update_ns_per_box", row->update_ms * per_ms);
    json_line_real(&line, "pairs_ns_per_box", row->pairs_ms * per_ms);
    json_line_real(&line, "setup_ms", row->setup_ms);
    json_line_count(&line, "pairs", row->pairs);
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, row->hash);
    json_line_text(&line, "hash", hash);
    json_line_flag(&line, "is_checked", row->is_checked);
    json_line_flag(&line, "is_wrong", row->is_wrong);
    if (row->method.peer != NULL)
        json_line_count(&line, "lost", row->lost);
    else
        add_stats(&line, row);
    return line;
}

/* ---- for people ---- */

static void print_heads(const crowd_row *row)
{
    printf("%s: nanoseconds for each box and step\n", row->scene);
    printf("%-34s %8s %8s %8s %10s %12s %10s %8s  %s\n", "method", "total", "update", "pairs",
           "setup ms", "pairs a step", "compared", "bytes", "");
}

static void print_row(const crowd_row *row)
{
    const double boxes = row->def.count > 0 ? row->def.count : 1, per_ms = 1e6 / boxes;
    printf("%-34s %8.1f %8.1f %8.1f %10.1f %12.0f ", row->method.name, crowd_row_ns(row),
           row->update_ms * per_ms, row->pairs_ms * per_ms, row->setup_ms,
           (double)row->pairs / row->frames);
    if (row->method.peer != NULL)
        printf("%10s %8s  ", "-", "-");
    else
        printf("%10.2f %8.0f  ", (double)row->candidates / (row->counted * boxes),
               (double)row->stats.bytes / boxes);
    if (row->is_wrong)
        printf("other pairs, %" PRIu64 " fewer\n", row->lost);
    else
        puts(row->method.peer != NULL ? "" : willow_broad_name(row->stats.acting));
}

int crowd_print(const crowd_rows *rows, uint32_t first, const bench_options *options)
{
    int code = EXIT_FINE;
    for (uint32_t i = first; i < rows->count && code == EXIT_FINE; i++) {
        if (options->format == FORMAT_TABLE) {
            if (i == first) print_heads(&rows->items[i]);
            print_row(&rows->items[i]);
            continue;
        }
        json_line line = crowd_json(&rows->items[i]);
        code = json_line_print(&line, "bench");
    }
    return code == EXIT_FINE && fflush(stdout) != 0 ? EXIT_ERROR : code;
}
