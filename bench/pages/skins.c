/* skins.c - methods for skins beside vectorised skinning and a refit: what the tags of skins.md
 * are.
 *
 * Way in: page_write_skins. Without rows on vertices in float there is no section. */
#include "bench/pages/pages.h"
#include "bench/pages/template.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <string.h>

/* The rows of a scene and a question: [first, end). */
typedef struct skins_page {
    const bench_rows *rows;
    uint32_t first, end;
} skins_page;

static bool is_in_float(const bench_row *row)
{
    return strstr(row->method, ":float_skins=1") != NULL;
}

/* HYBRID computes boxes when they are asked for. */
static bool is_eager(const bench_row *row)
{
    return is_in_float(row) && strncmp(row->method, "hybrid", strlen("hybrid")) != 0;
}

static bool is_auto(const bench_row *row) { return strcmp(row->method, "auto") == 0; }

/* The fastest row of a kind, or NULL. */
static const bench_row *fastest_of(const skins_page *p, bool (*is_it)(const bench_row *row))
{
    const bench_row *best = NULL;
    for (uint32_t i = p->first; i < p->end; i++) {
        const bench_row *row = &p->rows->items[i];
        if (is_it(row) && (best == NULL || row->total_ms < best->total_ms)) best = row;
    }
    return best;
}

/* ---- which rows ---- */

/* To the next question that has such rows. */
static bool next_skins(void *context, const char *argument, uint32_t round)
{
    skins_page *p = context;
    (void)argument;
    if (round == 0) p->end = 0;
    while (p->end < p->rows->count) {
        p->first = p->end;
        p->end = bench_rows_end(p->rows, p->first);
        if (fastest_of(p, is_in_float) != NULL) return true;
    }
    return false;
}

static bool any_skins(void *context, const char *argument, uint32_t round)
{
    skins_page page = *(const skins_page *)context;
    return round == 0 && next_skins(&page, argument, 0);
}

/* ---- cells ---- */

static const bench_row *subject_of(const skins_page *p) { return &p->rows->items[p->first]; }

static void write_skins_scene(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fputs(subject_of(context)->spec, file);
}

static void write_skins_query(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fputs(subject_of(context)->query, file);
}

static void write_skins_triangles(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fprintf(file, "%" PRIu64, subject_of(context)->triangles);
}

static void write_skins_auto(FILE *file, void *context, const char *argument)
{
    const bench_row *row = fastest_of(context, is_auto);
    (void)argument;
    if (row == NULL)
        fputs(" - |", file);
    else
        fprintf(file, " %.4f |", row->total_ms);
}

static void write_named(FILE *file, const bench_row *row)
{
    if (row == NULL)
        fputs(" - | - |", file);
    else
        fprintf(file, " %s | %.4f |", row->method, row->total_ms);
}

static void write_over_auto(FILE *file, const skins_page *p, const bench_row *row)
{
    const bench_row *willow = fastest_of(p, is_auto);
    page_write_ratio(file, row != NULL ? row->total_ms : 0, willow != NULL ? willow->total_ms : 0);
}

static void write_eager(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_named(file, fastest_of(context, is_eager));
}

static void write_eager_over_auto(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_over_auto(file, context, fastest_of(context, is_eager));
}

static void write_fastest(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_named(file, fastest_of(context, is_in_float));
}

static void write_fastest_over_auto(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_over_auto(file, context, fastest_of(context, is_in_float));
}

/* Of the fastest, all frames together. */
static void write_differing(FILE *file, void *context, const char *argument)
{
    const bench_row *row = fastest_of(context, is_in_float);
    (void)argument;
    fprintf(file, "%" PRIu64 " of %" PRIu64, row->lost + row->extra, row->pairs);
}

static const page_tag skins_tags[] = {
    {"any", NULL, any_skins},
    {"scenes", NULL, next_skins},
    {"scene", write_skins_scene, NULL},
    {"query", write_skins_query, NULL},
    {"triangles", write_skins_triangles, NULL},
    {"auto", write_skins_auto, NULL},
    {"eager", write_eager, NULL},
    {"eager_over_auto", write_eager_over_auto, NULL},
    {"fastest", write_fastest, NULL},
    {"fastest_over_auto", write_fastest_over_auto, NULL},
    {"differing", write_differing, NULL},
    {NULL, NULL, NULL},
};

void page_write_skins(FILE *file, const bench_rows *rows)
{
    skins_page page = {.rows = rows};
    page_write(file, skins_md, skins_tags, &page);
}
