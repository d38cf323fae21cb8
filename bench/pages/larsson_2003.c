/* larsson_2003.c - what a paper says about morphing bodies beside ours: what the tags of
 * larsson_2003.md are.
 *
 * Way in: page_write_larsson_2003. Larsson 2003 (paper B, "Efficient collision detection for models
 * deformed by morphing", section 6.4) compared trees of blended boxes with the hybrid method of
 * paper A on vertices that are blended for all, on a processor of 1333 MHz. Its diagrams have no
 * numbers, so what its text says of them stands beside ours. A part is told if the run has its
 * scene with morphs, and `blend` and `hybrid` on it; without any of them there is no section. */
#include "bench/pages/pages.h"
#include "bench/pages/template.h"
#include "bench/run/growth.h"
#include "bench/run/result.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

/* What the section is written from, and where its list of growths is. */
typedef struct morph_page {
    const bench_rows *rows;
    uint32_t next_row;
    bench_growth growth;
} morph_page;

/* What a scene and a question have: rows [first, end), and the two that all others are compared
 * with. */
typedef struct part {
    const bench_rows *rows;
    uint32_t first, end;
    const bench_row *blend, *hybrid;
} part;

static const bench_row *find_row(const part *p, const char *method)
{
    for (uint32_t i = p->first; i < p->end; i++) {
        const bench_row *row = &p->rows->items[i];
        if (strcmp(row->method, method) == 0 && row->morphs && bench_row_is_sound(row)) return row;
    }
    return NULL;
}

/* The next part that is of this scene, behind *p; false: there is none. */
static bool next_part(const char *scene_name, part *p)
{
    while (p->end < p->rows->count) {
        p->first = p->end;
        p->end = bench_rows_end(p->rows, p->first);
        if (strcmp(p->rows->items[p->first].scene, scene_name) != 0) continue;
        p->blend = find_row(p, "blend");
        p->hybrid = find_row(p, "hybrid");
        if (p->blend != NULL && p->hybrid != NULL) return true;
    }
    return false;
}

static part first_part(const bench_rows *rows) { return (part){.rows = rows}; }

static bool has_part(const bench_rows *rows, const char *scene_name)
{
    part p = first_part(rows);
    return next_part(scene_name, &p);
}

static double morph_per_frame(const bench_row *row, uint64_t count)
{
    return (double)count / (double)row->frames;
}

static uint64_t triangles_each(const bench_row *row) { return row->triangles / row->bodies; }

static void write_ms(FILE *file, const bench_row *row)
{
    if (row != NULL) {
        fprintf(file, " %.4f (%.4f) |", row->total_ms, row->total_ms_median);
    } else {
        fputs(" - |", file);
    }
}

/* How many times faster `row` is than `than`. */
static void morph_write_gain(FILE *file, const bench_row *than, const bench_row *row)
{
    page_write_ratio(file, than != NULL ? than->total_ms : 0, row != NULL ? row->total_ms : 0);
}

/* ---- the first experiment ---- */

/* So many frames together: single ones are as noisy as the machine. */
enum { RUN = 10 };

/* By frame: the fastest of all times that it was run; INFINITY where it was not counted. NULL for
 * want of memory; the caller frees it. */
static double *fastest_frames(const bench_row *row)
{
    const bench_series *series = &row->series;
    double *fastest = malloc((size_t)(row->frames + 1) * sizeof *fastest);
    if (fastest == NULL) return NULL;
    for (uint64_t i = 0; i <= row->frames; i++) fastest[i] = (double)INFINITY;
    for (uint32_t i = 0; i < series->count; i++) {
        double ms = series->update_ms[i] + series->query_ms[i], *best = &fastest[series->frame[i]];
        if (ms < *best) *best = ms;
    }
    return fastest;
}

/* The least gain of all runs of frames; 0 if there is none. */
static double worst_gain(const double *hybrid, const double *own, uint64_t frames)
{
    double worst = (double)INFINITY;
    for (uint64_t first = 0; first + RUN <= frames; first += RUN) {
        double times[2] = {0, 0};
        for (uint64_t i = first; i < first + RUN; i++) {
            if (!isfinite(hybrid[i]) || !isfinite(own[i])) continue;
            times[0] += hybrid[i];
            times[1] += own[i];
        }
        if (times[1] > 0 && times[0] / times[1] < worst) worst = times[0] / times[1];
    }
    return isfinite(worst) ? worst : 0;
}

static double worst_run(const bench_row *hybrid, const bench_row *row)
{
    double *a = fastest_frames(hybrid), *b = fastest_frames(row);
    double worst = a != NULL && b != NULL ? worst_gain(a, b, row->frames) : 0;
    free(a);
    free(b);
    return worst;
}

static void write_passing(FILE *file, const part *p, const bench_row *row)
{
    fprintf(file, "| %s | %s | %s |", row->spec, row->query, row->method);
    write_ms(file, row);
    for (int i = 0; i < BENCH_FIFTHS; i++) {
        page_write_ratio(file, p->hybrid->fifths[i], row->fifths[i]);
    }
    morph_write_gain(file, p->hybrid, row);
    page_write_ratio(file, worst_run(p->hybrid, row), 1);
    fputs("\n", file);
}

static void write_passings(FILE *file, void *context, const char *scene_name)
{
    static const char *const methods[] = {"blend", "blend:in_between=1", "auto"};
    part p = first_part(((morph_page *)context)->rows);
    while (next_part(scene_name, &p)) {
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
            const bench_row *row = find_row(&p, methods[i]);
            if (row != NULL) write_passing(file, &p, row);
        }
    }
}

static void write_frames_in_a_row(FILE *file, void *context, const char *argument)
{
    (void)context;
    (void)argument;
    fprintf(file, "%d", RUN);
}

/* ---- the second experiment ---- */

static void write_size(FILE *file, const part *p)
{
    const bench_row *plain = bench_rows_yardstick(p->rows, p->first, p->end);
    const bench_row *given = find_row(p, "hybrid:poses=apply");
    fprintf(file, "| %" PRIu64 " | %s |", triangles_each(p->blend), p->blend->query);
    write_ms(file, p->blend);
    write_ms(file, p->hybrid);
    write_ms(file, given);
    write_ms(file, plain);
    morph_write_gain(file, p->hybrid, p->blend);
    morph_write_gain(file, given, p->blend);
    morph_write_gain(file, plain, p->blend);
    fputs("\n", file);
}

static void write_school(FILE *file, void *context, const char *scene_name)
{
    part p = first_part(((morph_page *)context)->rows);
    while (next_part(scene_name, &p)) write_size(file, &p);
}

static bool grows(const bench_row *row, const char *scene_name)
{
    bool is_told = strcmp(row->method, "blend") == 0 || strcmp(row->method, "hybrid") == 0;
    return is_told && row->morphs && strcmp(row->scene, scene_name) == 0;
}

/* The next growth of one of the two methods on a scene. */
static bool next_growth(void *context, const char *scene_name, uint32_t round)
{
    morph_page *page = context;
    const bench_rows *rows = page->rows;
    if (round == 0) page->next_row = 0;
    while (page->next_row < rows->count) {
        uint32_t i = page->next_row++;
        if (!grows(&rows->items[i], scene_name)) continue;
        if (bench_growth_of(rows, i, growth_total_ms, &page->growth)) return true;
    }
    return false;
}

static void write_growing_method(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fputs(((morph_page *)context)->growth.method, file);
}

static void write_growing_query(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fputs(((morph_page *)context)->growth.query, file);
}

static void write_power(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fprintf(file, "%.2f", ((morph_page *)context)->growth.exponent);
}

/* ---- volumes and forms ---- */

static bool is_blended(const bench_row *row)
{
    return strncmp(row->method, "blend", 5) == 0 && row->morphs && bench_row_is_sound(row);
}

static void write_volume(FILE *file, const part *p, const bench_row *row)
{
    fprintf(file, "| %s | %s | %s |", row->spec, row->query, row->method);
    write_ms(file, row);
    morph_write_gain(file, p->hybrid, row);
    fprintf(file, " %.1f | %.1f | %.1f | %.1f |\n", morph_per_frame(row, row->nodes_opened),
            morph_per_frame(row, row->leaf_pairs), morph_per_frame(row, row->vertices_blended),
            row->bytes_per_triangle);
}

static void write_volumes(FILE *file, void *context, const char *scene_name)
{
    const bench_rows *rows = ((morph_page *)context)->rows;
    part p = first_part(rows);
    while (next_part(scene_name, &p)) {
        for (uint32_t i = p.first; i < p.end; i++) {
            if (is_blended(&rows->items[i])) write_volume(file, &p, &rows->items[i]);
        }
        write_volume(file, &p, p.hybrid);
    }
}

/* ---- memory ---- */

static void write_memory(FILE *file, void *context, const char *scene_name)
{
    const bench_rows *rows = ((morph_page *)context)->rows;
    const double box_bytes = 2 * 3 * 8 * sizeof(float); /* of eight children in one reference */
    part p = first_part(rows);
    while (next_part(scene_name, &p)) {
        const bench_row *refit = find_row(&p, "bottom_up");
        if (strcmp(p.blend->query, rows->items[0].query) != 0 || refit == NULL) continue;
        fprintf(file, "| %s | %.1f | %.1f | %.1f | %.2f |\n", p.blend->spec,
                refit->bytes_per_triangle, p.hybrid->bytes_per_triangle,
                p.blend->bytes_per_triangle,
                box_bytes * (double)p.blend->nodes / (double)p.blend->triangles);
    }
}

/* ---- the section ---- */

/* `blend` and `hybrid` with morphs on one of these scenes. */
static bool morph_run_has(void *context, const char *argument, uint32_t round)
{
    char scene_name[PAGE_ARGUMENT_MAX];
    while (round == 0 && page_next_alternative(&argument, scene_name)) {
        if (has_part(((morph_page *)context)->rows, scene_name)) return true;
    }
    return false;
}

static const page_tag larsson_2003_tags[] = {
    {"run_has", NULL, morph_run_has},
    {"frames_in_a_row", write_frames_in_a_row, NULL},
    {"passing", write_passings, NULL},
    {"school", write_school, NULL},
    {"growth", NULL, next_growth},
    {"growing_method", write_growing_method, NULL},
    {"growing_query", write_growing_query, NULL},
    {"power", write_power, NULL},
    {"volumes", write_volumes, NULL},
    {"memory", write_memory, NULL},
    {NULL, NULL, NULL},
};

void page_write_larsson_2003(FILE *file, const bench_rows *rows)
{
    morph_page page = {.rows = rows};
    page_write(file, larsson_2003_md, larsson_2003_tags, &page);
}
