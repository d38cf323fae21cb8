/* spheres.c - the page of the suite `spheres`: what the tags of spheres.md stand for.
 *
 * Way in: page_write_spheres. Rows that were not measured are left out. */
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/pages/template.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct spheres_page {
    const spheres_rows *rows;
    const bench_options *options;
    report_machine machine;
} spheres_page;

/* ---- Tables 1 and 2 ---- */

static double percent_off(uint64_t ours, uint64_t paper)
{
    return 100.0 * ((double)ours / (double)paper - 1.0);
}

static void write_table(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    for (uint32_t i = 0; i < p->rows->table_count; i++) {
        const spheres_table_row *row = &p->rows->tables[i];
        if (row->table != atoi(argument)) continue;
        fprintf(file, "| %" PRIu32 " | %s |", row->extent, willow_cells_name(row->cells));
        for (uint32_t level = 2; level <= SPHERES_LEVELS; level++)
            if (level <= row->levels)
                fprintf(file, " %" PRIu64 " (%" PRIu64 ") |", row->nodes[level], row->paper[level]);
            else
                fputs(" |", file);
        fprintf(file, " %" PRIu64 " (%" PRIu64 ") | %+.1f %% |\n", row->nodes[0], row->paper[0],
                percent_off(row->nodes[0], row->paper[0]));
    }
}

/* The most that a total, and a level from the fourth on, is off in Table 1. */
static void write_most_off(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    double totals = 0.0, levels = 0.0;
    for (uint32_t i = 0; i < p->rows->table_count; i++) {
        const spheres_table_row *row = &p->rows->tables[i];
        if (row->table != 1) continue;
        for (uint32_t level = 0; level <= row->levels; level++) {
            const double off = percent_off(row->nodes[level], row->paper[level]);
            const double size = off < 0.0 ? -off : off;
            if (level == 0 && size > totals) totals = size;
            if (level >= 4 && size > levels) levels = size;
        }
    }
    fprintf(file, "%.1f", *argument == 't' ? totals : levels);
}

/* Cells of branch-on-need trees over those of the octree, of as many levels. */
static void write_relations(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i + 1 < p->rows->table_count; i += 2) {
        const spheres_table_row *o = &p->rows->tables[i], *b = &p->rows->tables[i + 1];
        double ours = 0.0, paper = 0.0;
        if (o->table != 2) continue;
        for (uint32_t level = 1; level <= o->levels; level++) {
            ours += (double)b->nodes[level];
            paper += (double)b->paper[level];
        }
        fprintf(file, "| %" PRIu32 " | %.3f | %.3f | %.3f | %.3f |\n", o->extent,
                ours / (double)o->nodes[0], paper / (double)o->paper[0],
                (double)b->nodes[0] / (double)o->nodes[0],
                (double)b->paper[0] / (double)o->paper[0]);
    }
}

/* ---- Figures 3 and 4 ---- */

static void write_errors(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->error_count; i++) {
        const spheres_error_row *row = &p->rows->errors[i];
        const willow_cell_error *last = &row->errors[row->levels];
        fprintf(file, "| %d | %s | %" PRIu32 " | %s |", row->figure, row->model, row->extent,
                willow_cells_name(row->cells));
        for (uint32_t level = 2; level <= SPHERES_LEVELS; level++)
            if (level <= row->levels)
                fprintf(file, " %.2f |", 100.0 * row->errors[level].mean);
            else
                fputs(" |", file);
        fprintf(file, " %.2f | %.2f |\n", 100.0 * last->largest, 100.0 * last->smallest);
    }
}

/* ---- the route ---- */

static void write_bunnies(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->bunny_count; i++) {
        const spheres_bunnies_row *row = &p->rows->bunnies[i];
        fprintf(file, "| %" PRIu32 " | %s | %.0f | %.0f | %.3f | %.0f | %.0f | %.2f |\n",
                row->extent, willow_cells_name(row->cells), row->live / 1e3, row->whole / 1e3,
                row->live / row->whole, row->most / 1e3, row->pool / 1e3, row->pool / row->most);
    }
}

static void write_seconds(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->route_count; i++) {
        const spheres_route_row *row = &p->rows->routes[i];
        for (int second = 0; second < SPHERES_SECONDS; second++) {
            const spheres_second *s = &row->seconds[second];
            fprintf(file, "| %d | %" PRIu32 " | %s %" PRIu32 " | %d | %.0f | ", row->table,
                    row->extent, willow_cells_name(row->cells), row->levels, second + 1,
                    1e3 * s->frames / s->ms);
            if (row->is_drawn)
                fprintf(file, "%" PRIu64, s->queries);
            else
                fputs("-", file);
            fprintf(file, " | %" PRIu64 " | %.0f | %.0f |\n", s->cells, s->nodes, s->live / 1e3);
        }
    }
}

/* The three rows of an extent: sums, and their ratios to the octree's, which is the first. */
static void write_sums(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->route_count; i++) {
        const spheres_route_row *row = &p->rows->routes[i];
        const spheres_route_row *octree = row - i % SPHERES_KINDS;
        fprintf(file, "| %" PRIu32 " | %s %" PRIu32 " | %" PRIu64 " | %.2f | ", row->extent,
                willow_cells_name(row->cells), row->levels, row->cells_asked,
                (double)row->cells_asked / (double)octree->cells_asked);
        if (row->is_drawn)
            fprintf(file, "%" PRIu64 " | %.2f", row->queries,
                    (double)row->queries / (double)octree->queries);
        else
            fputs("- | -", file);
        fprintf(file, " | %" PRIu64 " | %.2f |\n", row->paper,
                (double)row->paper / (double)octree->paper);
    }
}

/* ---- rasters and the shelf ---- */

static void write_rasters(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->raster_count; i++) {
        const spheres_raster_row *row = &p->rows->rasters[i];
        const uint64_t cells = row->seen.seen + row->seen.missed;
        fprintf(file,
                "| %s | %s | %" PRIu32 " | %" PRIu64 " | %" PRIu64 " | %" PRIu64
                " | %.2f %% | %" PRIu64 " |\n",
                row->model, willow_cells_name(row->cells), row->pixels, row->queries, cells,
                row->seen.missed, 100.0 * (double)row->seen.missed / (double)cells,
                row->seen.wrong);
    }
}

static void write_shelf(FILE *file, void *context, const char *argument)
{
    const spheres_page *p = context;
    (void)argument;
    for (uint32_t i = 0; i < p->rows->shelf_count; i++) {
        const spheres_shelf_row *row = &p->rows->shelves[i], *first = &p->rows->shelves[0];
        fprintf(file, "| %s | %.1f | %.1f | %.1f | %.1f |\n", row->method, row->bytes / 1e6,
                row->bytes / first->bytes, row->ms, row->ms / first->ms);
    }
}

/* ---- all of it ---- */

#define SPHERES_WRITER(name, statement)                                                            \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const spheres_page *p = context;                                                           \
        (void)p;                                                                                   \
        (void)argument;                                                                            \
        statement;                                                                                 \
    }
SPHERES_WRITER(command, fprintf(file, "%s\n", p->options->command_line))
SPHERES_WRITER(processor, fputs(p->machine.processor, file))
SPHERES_WRITER(compiler, fputs(p->machine.compiler, file))
SPHERES_WRITER(version, fputs(version_text(), file))
SPHERES_WRITER(date, fputs(p->machine.date, file))
SPHERES_WRITER(model, fputs(p->rows->tables[0].model, file))
SPHERES_WRITER(bodies, fprintf(file, "%" PRIu32, p->rows->shelves[0].bodies))
SPHERES_WRITER(triangles, fprintf(file, "%" PRIu32, p->rows->shelves[0].triangles))
SPHERES_WRITER(renderer, fputs(p->rows->raster_count > 0 ? p->rows->rasters[0].renderer
                                                         : "there is no OpenGL here",
                               file))
#undef SPHERES_WRITER

static const page_tag spheres_tags[] = {
    {"command", write_command, NULL},
    {"processor", write_processor, NULL},
    {"compiler", write_compiler, NULL},
    {"version", write_version, NULL},
    {"date", write_date, NULL},
    {"model", write_model, NULL},
    {"renderer", write_renderer, NULL},
    {"table", write_table, NULL},
    {"most_off", write_most_off, NULL},
    {"relations", write_relations, NULL},
    {"bunnies", write_bunnies, NULL},
    {"seconds", write_seconds, NULL},
    {"sums", write_sums, NULL},
    {"rasters", write_rasters, NULL},
    {"shelf", write_shelf, NULL},
    {"bodies", write_bodies, NULL},
    {"triangles", write_triangles, NULL},
    {"errors", write_errors, NULL},
    {NULL, NULL, NULL},
};

void page_write_spheres(FILE *file, const spheres_rows *rows, const bench_options *options)
{
    spheres_page page = {.rows = rows, .options = options, .machine = report_machine_now()};
    page_write(file, spheres_md, spheres_tags, &page);
}
