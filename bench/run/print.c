/* print.c - rows on standard output: JSON lines, CSV, or a table for people.
 *
 * JSON and CSV have the columns of row.h and no others; in CSV a column that a row does not
 * have is an empty cell. */
#include "bench/run/print.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/result.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const void *value_of(const bench_row *row, const bench_column *column)
{
    return (const char *)row + column->offset;
}

/* ---- JSON ---- */

/* Takes the value over; NULL is refused, and that is memory that was short. */
static void append(json_line *line, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0) line->fine = false;
}

static void add_fifths(json_line *line, const char *name, const double fifths[BENCH_FIFTHS])
{
    json_t *list = json_array();
    for (int i = 0; i < BENCH_FIFTHS; i++) {
        append(line, list, isfinite(fifths[i]) ? json_real(fifths[i]) : json_null());
    }
    json_line_value(line, name, list);
}

static void add_field(json_line *line, const bench_row *row, const bench_column *column)
{
    const void *value = value_of(row, column);
    switch (column->kind) {
    case KIND_TEXT: json_line_text(line, column->name, value); break;
    case KIND_COUNT: json_line_count(line, column->name, *(const uint64_t *)value); break;
    case KIND_REAL: json_line_real(line, column->name, *(const double *)value); break;
    case KIND_FLAG: json_line_flag(line, column->name, *(const bool *)value); break;
    case KIND_FIFTHS: add_fifths(line, column->name, value); break;
    }
}

static void add_series(json_line *line, const bench_series *series)
{
    json_line inner = json_line_begin();
    json_t *frame = json_array(), *update = json_array(), *query = json_array(),
           *pairs = json_array(), *rays = json_array();
    for (uint32_t i = 0; i < series->count; i++) {
        append(&inner, frame, json_integer(series->frame[i]));
        append(&inner, update, json_real(series->update_ms[i]));
        append(&inner, query, json_real(series->query_ms[i]));
        append(&inner, pairs, json_integer((json_int_t)series->pairs[i]));
        append(&inner, rays, json_integer((json_int_t)series->rays[i]));
    }
    json_line_value(&inner, "frame", frame);
    json_line_value(&inner, "update_ms", update);
    json_line_value(&inner, "query_ms", query);
    json_line_value(&inner, "pairs", pairs);
    json_line_value(&inner, "rays", rays);
    json_line_nest(line, "series", &inner);
}

json_line bench_row_json(const bench_row *row, bool series)
{
    json_line line = json_line_begin();
    for (const bench_column *column = bench_columns; column->name != NULL; column++) {
        if (bench_row_has(row, column->group)) add_field(&line, row, column);
    }
    if (series) add_series(&line, &row->series);
    return line;
}

static int rows_print_json(const bench_rows *rows, uint32_t first, const bench_options *options)
{
    int code = EXIT_FINE;
    for (uint32_t i = first; code == EXIT_FINE && i < rows->count; i++) {
        json_line line = bench_row_json(&rows->items[i], options->series);
        code = json_line_print(&line, "bench");
    }
    return code;
}

/* ---- CSV ---- */

/* "fifths_1,fifths_2,..." */
static void print_fifths_head(const char *name)
{
    for (int i = 0; i < BENCH_FIFTHS; i++) printf("%s%s_%d", i > 0 ? "," : "", name, i + 1);
}

static void rows_print_head(void)
{
    for (const bench_column *column = bench_columns; column->name != NULL; column++) {
        if (column > bench_columns) fputs(",", stdout);
        if (column->kind == KIND_FIFTHS) {
            print_fifths_head(column->name);
        } else {
            fputs(column->name, stdout);
        }
    }
    puts("");
}

/* Five cells; all rows have them. */
static void print_fifths_cells(const double fifths[BENCH_FIFTHS])
{
    for (int i = 0; i < BENCH_FIFTHS; i++) {
        if (i > 0) fputs(",", stdout);
        if (isfinite(fifths[i])) printf("%.6g", fifths[i]);
    }
}

/* Texts have no quotes in them, but commas. */
static void print_cell(const bench_row *row, const bench_column *column)
{
    const void *value = value_of(row, column);
    switch (column->kind) {
    case KIND_TEXT: printf("\"%s\"", (const char *)value); break;
    case KIND_COUNT: printf("%" PRIu64, *(const uint64_t *)value); break;
    case KIND_REAL: printf("%.6g", *(const double *)value); break;
    case KIND_FLAG: printf("%d", *(const bool *)value); break;
    case KIND_FIFTHS: print_fifths_cells(value); break;
    }
}

static void print_csv(const bench_rows *rows, uint32_t first)
{
    if (first == 0) rows_print_head();
    for (uint32_t i = first; i < rows->count; i++) {
        for (const bench_column *column = bench_columns; column->name != NULL; column++) {
            if (column > bench_columns) fputs(",", stdout);
            if (bench_row_has(&rows->items[i], column->group)) print_cell(&rows->items[i], column);
        }
        puts("");
    }
}

/* ---- the table ---- */

/* Which columns a table has, and how wide the first one is. */
typedef struct table_shape {
    int name_width;
    bool has_speedup, has_limit, has_marks, has_rays;
    bool has_motion; /* somebody is told more than positions */
} table_shape;

static table_shape shape_of(const bench_rows *rows, uint32_t first)
{
    table_shape shape = {.name_width = bench_name_width(rows, first)};
    for (uint32_t i = first; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        shape.has_speedup = shape.has_speedup || bench_row_has(row, OF_COMPARED);
        shape.has_limit = shape.has_limit || bench_row_has(row, OF_LIMIT);
        shape.has_rays = shape.has_rays || bench_row_has(row, OF_RAYS);
        shape.has_motion = shape.has_motion || strcmp(row->motion, "positions") != 0;
        shape.has_marks = shape.has_marks || row->skips_neighbours;
    }
    return shape;
}

static void print_limit(const bench_row *row)
{
    if (bench_row_has(row, OF_LIMIT)) {
        printf(" %7.2f %6.0f%%", row->refit_gb_per_s, row->limit_share * 100);
    } else {
        printf(" %7s %7s", "", "");
    }
}

static void rows_print_row(const bench_row *row, table_shape shape)
{
    const char *mark = row->skips_neighbours ? "*" : shape.has_marks ? " " : "";
    printf("%-*s %9.4f %9.4f %9.4f %9.4f %9.2f %10" PRIu64 "%s %7.1f", shape.name_width,
           row->method, row->update_ms, row->query_ms, row->total_ms, row->total_ms_median,
           row->setup_ms, row->pairs, mark, row->bytes_per_triangle);
    if (shape.has_limit) print_limit(row);
    if (shape.has_rays) printf(" %8.2f", row->mrays);
    if (shape.has_speedup) printf(" %8.2f", row->speedup);
    if (shape.has_motion) printf("  %s", row->motion);
    if (row->lost + row->extra > 0) {
        printf("  lost %" PRIu64 ", extra %" PRIu64, row->lost, row->extra);
    }
    puts(row->wrong ? "  WRONG" : "");
}

static void rows_print_table(const bench_rows *rows, uint32_t first, const bench_options *options)
{
    const bench_row *row = &rows->items[first];
    table_shape shape = shape_of(rows, first);
    if (first > 0) puts("");
    printf("%s: %" PRIu64 " triangles in %" PRIu64 " bod%s, query %s", row->spec, row->triangles,
           row->bodies, row->bodies == 1 ? "y" : "ies", row->query);
    if (bench_row_has(row, OF_DISTANCE)) printf(", distance %.4g", row->distance);
    if (options->strangers) printf(", strangers only");
    if (bench_row_has(row, OF_RAYS)) {
        printf(", sampling %" PRIu64 ", %.0f rays per frame", row->sampling,
               (double)row->rays / (double)row->frames);
    }
    printf(", %" PRIu64 " frames, %" PRIu32 " thread%s\n", row->frames, options->engine.threads,
           plural(options->engine.threads));
    printf("%-*s %9s %9s %9s %9s %9s %10s%s %7s%s%s%s%s\n", shape.name_width, "method", "update",
           "query", "total", "median", "setup", row->finds, shape.has_marks ? " " : "", "B/tri",
           shape.has_limit ? "    GB/s   limit" : "", shape.has_rays ? "   Mrays" : "",
           shape.has_speedup ? "  speedup" : "", shape.has_motion ? "  motion" : "");
    for (uint32_t i = first; i < rows->count; i++) rows_print_row(&rows->items[i], shape);
    printf("Times are milliseconds per frame; %s are over all frames.\n", row->finds);
    if (shape.has_rays) puts("Mrays are millions of rays per second of the query.");
    if (shape.has_marks) {
        puts("* without triangles of one body that share a vertex; the others decide these too.");
    }
    if (shape.has_limit) {
        puts("GB/s is what a refit moves; limit is its share of the streaming bandwidth.");
    }
}

static void print_fifths(const bench_rows *rows, uint32_t first)
{
    static const char *const heads[BENCH_FIFTHS] = {"1st", "2nd", "3rd", "4th", "5th"};
    int width = shape_of(rows, first).name_width;
    printf("\n%-*s", width, "in fifths");
    for (int i = 0; i < BENCH_FIFTHS; i++) printf(" %9s", heads[i]);
    puts("");
    for (uint32_t i = first; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        printf("%-*s", width, row->method);
        for (int k = 0; k < BENCH_FIFTHS; k++) {
            if (isfinite(row->fifths[k])) {
                printf(" %9.4f", row->fifths[k]);
            } else {
                printf(" %9s", "-");
            }
        }
        puts("");
    }
    puts("Means of update and query together in each fifth of the frames.");
}

/* Peers count nothing but pairs. */
static void print_stage(const bench_row *row, uint64_t count)
{
    if (bench_row_has(row, OF_WILLOW)) {
        printf(" %11.1f", (double)count / (double)row->frames);
    } else {
        printf(" %11s", "-");
    }
}

static void print_stages(const bench_rows *rows, uint32_t first)
{
    int width = shape_of(rows, first).name_width;
    printf("\n%-*s", width, "in stages");
#define BENCH_STAGE_ENTRY(unused, name, head) printf(" %11s", head);
    BENCH_STAGES(BENCH_STAGE_ENTRY, 0)
#undef BENCH_STAGE_ENTRY
    printf(" %11s\n", rows->items[first].finds);
    for (uint32_t i = first; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        printf("%-*s", width, row->method);
#define BENCH_STAGE_ENTRY(unused, name, head) print_stage(row, row->name);
        BENCH_STAGES(BENCH_STAGE_ENTRY, 0)
#undef BENCH_STAGE_ENTRY
        printf(" %11.1f\n", (double)row->pairs / (double)row->frames);
    }
    printf("Means per frame of what the query looked at, from pairs of bodies to %s.\n",
           rows->items[first].finds);
}

/* ---- kinetic trees ---- */

static bool has_kinetics(const bench_rows *rows, uint32_t first)
{
    uint32_t i = first;
    while (i < rows->count && rows->items[i].setups == 0) i++;
    return i < rows->count;
}

/* With `values` beside, since that is what other methods have too. */
static void print_kinetics(const bench_rows *rows, uint32_t first)
{
    int width = shape_of(rows, first).name_width;
    printf("\n%-*s", width, "kinetic trees");
#define BENCH_KINETIC_ENTRY(unused, name, head) printf(" %11s", head);
    BENCH_KINETICS(BENCH_KINETIC_ENTRY, 0)
#undef BENCH_KINETIC_ENTRY
    printf(" %11s %11s\n", "values", "setups");
    for (uint32_t i = first; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        if (!bench_row_has(row, OF_WILLOW)) continue;
        printf("%-*s", width, row->method);
#define BENCH_KINETIC_ENTRY(unused, name, head) print_stage(row, row->name);
        BENCH_KINETICS(BENCH_KINETIC_ENTRY, 0)
#undef BENCH_KINETIC_ENTRY
        print_stage(row, row->values);
        printf(" %11" PRIu64 "\n", row->setups);
    }
    puts("Means per frame: failed certificates, ends of boxes that another vertex became, "
         "operations on the\nqueue, certificates looked at, positions computed, changes of plans, "
         "ends of boxes written in\nall; setups are of the whole run.");
}

int bench_print(const bench_rows *rows, uint32_t first, const bench_options *options)
{
    int code = EXIT_FINE;
    if (first == rows->count) return code;
    switch (options->format) {
    case FORMAT_JSON: code = rows_print_json(rows, first, options); break;
    case FORMAT_CSV: print_csv(rows, first); break;
    case FORMAT_TABLE: rows_print_table(rows, first, options); break;
    }
    if (options->fifths) print_fifths(rows, first);
    if (options->stages) print_stages(rows, first);
    if (options->format == FORMAT_TABLE && has_kinetics(rows, first)) print_kinetics(rows, first);
    fflush(stdout);
    return code;
}
