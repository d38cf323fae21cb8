/* larsson_2003.c - what a paper says about morphing bodies beside ours, as a section in Markdown.
 *
 * Way in: report_write_morph. Larsson 2003 (paper B, "Efficient collision detection for models
 * deformed by morphing", section 6.4) compared trees of blended boxes with the hybrid method of
 * paper A on vertices that are blended for all, on a processor of 1333 MHz. Its diagrams have no
 * numbers, so what its text says of them stands beside ours. A part is told if the run has its
 * scene with morphs, and `blend` and `hybrid` on it; without any of them there is no section. */
#include "bench/pages/pages.h"
#include "bench/run/growth.h"
#include "bench/run/result.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

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
static bool next_part(const char *name, part *p)
{
    while (p->end < p->rows->count) {
        p->first = p->end;
        p->end = bench_rows_end(p->rows, p->first);
        if (strcmp(p->rows->items[p->first].scene, name) != 0) continue;
        p->blend = find_row(p, "blend");
        p->hybrid = find_row(p, "hybrid");
        if (p->blend != NULL && p->hybrid != NULL) return true;
    }
    return false;
}

static part first_part(const bench_rows *rows) { return (part){.rows = rows}; }

static bool has_part(const bench_rows *rows, const char *name)
{
    part p = first_part(rows);
    return next_part(name, &p);
}

static double per_frame(const bench_row *row, uint64_t count)
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
static void write_gain(FILE *file, const bench_row *than, const bench_row *row)
{
    report_write_ratio(file, than != NULL ? than->total_ms : 0, row != NULL ? row->total_ms : 0);
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
        report_write_ratio(file, p->hybrid->fifths[i], row->fifths[i]);
    }
    write_gain(file, p->hybrid, row);
    report_write_ratio(file, worst_run(p->hybrid, row), 1);
    fputs("\n", file);
}

static void write_experiment_1(FILE *file, const bench_rows *rows)
{
    static const char *const methods[] = {"blend", "blend:in_between=1", "auto"};
    part p = first_part(rows);
    fprintf(file,
            "\n### Figure 6.5: two bodies pass right through each other\n\n"
            "The paper: 20,480 triangles each, 400 steps. All pairs: blended boxes are better or "
            "about the same in\nsteps 1 to 90 and 270 to 400, and worse in most of those between, "
            "where the bodies are deep in each\nother. The first pair: clearly better in all "
            "steps. One extra box between two references makes it 5 %%\nfaster over all, and up to "
            "40 %% in some steps.\n\n"
            "Here: milliseconds with the median in brackets, and how many times faster than "
            "`hybrid` in each fifth\nof the steps, over all, and in the worst %d frames in a row, "
            "of each the fastest of\nall times that it was run. In the variant `inside` the "
            "bodies\nare in one place all the time, under no "
            "pose.\n\n"
            "| scene | query | method | ms | first fifth | second | third | fourth | last | all | "
            "worst |\n"
            "|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            RUN);
    while (next_part("morphing", &p)) {
        for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
            const bench_row *row = find_row(&p, methods[i]);
            if (row != NULL) write_passing(file, &p, row);
        }
    }
}

/* ---- the second experiment ---- */

static void write_school(FILE *file, const part *p)
{
    const bench_row *plain = bench_rows_yardstick(p->rows, p->first, p->end);
    const bench_row *given = find_row(p, "hybrid:poses=apply");
    fprintf(file, "| %" PRIu64 " | %s |", triangles_each(p->blend), p->blend->query);
    write_ms(file, p->blend);
    write_ms(file, p->hybrid);
    write_ms(file, given);
    write_ms(file, plain);
    write_gain(file, p->hybrid, p->blend);
    write_gain(file, given, p->blend);
    write_gain(file, plain, p->blend);
    fputs("\n", file);
}

static void write_growths(FILE *file, const bench_rows *rows)
{
    static const char *const methods[] = {"blend", "hybrid"};
    bench_growth growth;
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        if (strcmp(row->scene, "dolphins") != 0 || !row->morphs) continue;
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            if (strcmp(row->method, methods[m]) != 0) continue;
            if (!bench_growth_of(rows, i, growth_total_ms, &growth)) continue;
            fprintf(file,
                    "\n- `%s`, query %s: the time grows with the power %.2f of the triangles.",
                    growth.method, growth.query, growth.exponent);
        }
    }
    fputs("\n", file);
}

static void write_experiment_2(FILE *file, const bench_rows *rows)
{
    part p = first_part(rows);
    fputs("\n### Figure 6.8: twelve dolphins\n\n"
          "The paper: 564, 2,256, 9,024 and 36,096 triangles each. Blended boxes are 1.5 to 9 "
          "times faster than its\nhybrid method for all pairs, and 2 to 58 times for the first "
          "pair. The time grows less than linearly with\nthe triangles, that of the hybrid "
          "method linearly.\n\n"
          "Here: milliseconds with medians in brackets. \"Given\" are vertices that the caller "
          "blends, as\n`peer:plain` gets them.\n\n"
          "| triangles | query | blend | hybrid | hybrid, given | peer:plain | faster than hybrid "
          "| than hybrid, given | than peer:plain |\n"
          "|--:|---|--:|--:|--:|--:|--:|--:|--:|\n",
          file);
    while (next_part("dolphins", &p)) write_school(file, &p);
    write_growths(file, rows);
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
    write_gain(file, p->hybrid, row);
    fprintf(file, " %.1f | %.1f | %.1f | %.1f |\n", per_frame(row, row->nodes_opened),
            per_frame(row, row->leaf_pairs), per_frame(row, row->vertices_blended),
            row->bytes_per_triangle);
}

static void write_volumes_of(FILE *file, const bench_rows *rows, const char *name)
{
    part p = first_part(rows);
    while (next_part(name, &p)) {
        for (uint32_t i = p.first; i < p.end; i++) {
            if (is_blended(&rows->items[i])) write_volume(file, &p, &rows->items[i]);
        }
        write_volume(file, &p, p.hybrid);
    }
}

static void write_volumes(FILE *file, const bench_rows *rows)
{
    fputs("\n### Boxes, k-DOPs, spheres, and how tight they are\n\n"
          "The paper: boxes throughout; it says that spheres may be better for some shapes. Here "
          "the trees of\n`hybrid` are as tight as boxes can be, so its pairs of leaves are what "
          "looser volumes are to be compared\nwith. `faces` has ten targets of offsets, each of "
          "few vertices, at weights of about 0.7. Counts are\nmeans per frame.\n\n"
          "| scene | query | method | ms | faster than hybrid | nodes opened | pairs of leaves | "
          "vertices blended | B/triangle |\n"
          "|---|---|---|--:|--:|--:|--:|--:|--:|\n",
          file);
    write_volumes_of(file, rows, "dolphins");
    write_volumes_of(file, rows, "morphing");
    write_volumes_of(file, rows, "faces");
}

/* ---- memory ---- */

static void write_memory_of(FILE *file, const bench_rows *rows, const char *name)
{
    const double box_bytes = 2 * 3 * 8 * sizeof(float); /* of eight children in one reference */
    part p = first_part(rows);
    while (next_part(name, &p)) {
        const bench_row *refit = find_row(&p, "bottom_up");
        if (strcmp(p.blend->query, rows->items[0].query) != 0 || refit == NULL) continue;
        fprintf(file, "| %s | %.1f | %.1f | %.1f | %.2f |\n", p.blend->spec,
                refit->bytes_per_triangle, p.hybrid->bytes_per_triangle,
                p.blend->bytes_per_triangle,
                box_bytes * (double)p.blend->nodes / (double)p.blend->triangles);
    }
}

static void write_memory(FILE *file, const bench_rows *rows)
{
    fputs(
        "\n### Memory\n\n"
        "Bytes per triangle, meshes not counted. A reference that moves all vertices takes the "
        "last "
        "column for its\nboxes, and 12 bytes per vertex for its values, which are 6 per triangle; "
        "one that moves few, its part of\nboth. The rest of what `blend` takes more are the "
        "vertices of leaves, as they are now.\n\n"
        "| scene | bottom_up | hybrid | blend | boxes of one reference |\n"
        "|---|--:|--:|--:|--:|\n",
        file);
    write_memory_of(file, rows, "dolphins");
    write_memory_of(file, rows, "morphing");
    write_memory_of(file, rows, "faces");
}

/* ---- the section ---- */

void report_write_morph(FILE *file, const bench_rows *rows)
{
    const bool has_1 = has_part(rows, "morphing"), has_2 = has_part(rows, "dolphins");
    if (!has_1 && !has_2 && !has_part(rows, "faces")) return;
    fputs("\n## Beside the paper\n\n"
          "Larsson 2003 compared blended boxes with its hybrid method, for which all vertices are "
          "blended first, on\na processor of 1333 MHz. Ratios can be compared, milliseconds "
          "cannot; and `hybrid` here is not the one of\nthe paper, but some times as fast "
          "([results-adaptive.md](results-adaptive.md)).\n",
          file);
    if (has_1) write_experiment_1(file, rows);
    if (has_2) write_experiment_2(file, rows);
    write_volumes(file, rows);
    write_memory(file, rows);
}
