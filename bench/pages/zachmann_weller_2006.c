/* zachmann_weller_2006.c - what a paper says about kinetic trees beside ours, as a section in
 * Markdown.
 *
 * Way in: report_write_kinetic. Zachmann and Weller 2006 ("Kinetic bounding volume hierarchies for
 * collision detection of deformable objects", section 9) counted events and measured updates of
 * binary trees with one triangle per leaf against bottom-up updates of the same, on a processor of
 * 3 GHz. Its diagrams have no numbers, so what its text says of them stands beside ours, and beside
 * times of the same tree without events. Figure 22 is about scenes on which both have been measured
 * with separation lists, too. A figure is told if the run has its scene with flight
 * plans and with all of these trees; without any of them there is no section. */
#include "bench/pages/pages.h"
#include "bench/pages/template.h"
#include "bench/run/growth.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char refit_name[] = "bottom_up:arity=2:leaf_triangles=1",
                  kinetic_name[] = "kinetic_aabb:events=batch:arity=2:leaf_triangles=1",
                  straight_name[] = "kinetic_aabb:arity=2:leaf_triangles=1",
                  kinetic_list_name[] =
                      "kinetic_aabb:events=batch:arity=2:leaf_triangles=1:watch=list",
                  straight_list_name[] = "kinetic_aabb:arity=2:leaf_triangles=1:watch=list";

enum { BAR_MOST = 24 };

/* ---- rows ---- */

/* What the section is written from, and the fit of the figure that is written. */
typedef struct kinetic_page {
    const bench_rows *rows;
    growth_fit n, n_log_n; /* of events per frame */
} kinetic_page;

/* The trees on one scene: refitted, with events and without; and these with separation lists, which
 * may be missing. */
typedef struct trees {
    const bench_row *refit, *kinetic, *straight, *kinetic_list, *straight_list;
} trees;

/* False if the rows [first, end) do not have those that may not be, with plans and sound. */
static bool find_trees(const bench_rows *rows, uint32_t first, uint32_t end, trees *out)
{
    *out = (trees){.refit = NULL};
    for (uint32_t i = first; i < end; i++) {
        const bench_row *row = &rows->items[i];
        if (!row->plans || !bench_row_is_sound(row)) continue;
        if (strcmp(row->method, refit_name) == 0) out->refit = row;
        if (strcmp(row->method, kinetic_name) == 0) out->kinetic = row;
        if (strcmp(row->method, straight_name) == 0) out->straight = row;
        if (strcmp(row->method, kinetic_list_name) == 0) out->kinetic_list = row;
        if (strcmp(row->method, straight_list_name) == 0) out->straight_list = row;
    }
    return out->refit != NULL && out->kinetic != NULL && out->straight != NULL;
}

/* Whether a row is of a scene: "tablecloth", or with its variant, "avatar dress". */
static bool is_of_figure(const char *figure, const bench_row *row)
{
    size_t length = strcspn(figure, " ");
    if (strncmp(row->scene, figure, length) != 0 || row->scene[length] != '\0') return false;
    bool is_dress = strstr(row->spec, "variant=dress") != NULL;
    return figure[length] == '\0' || is_dress == (strcmp(figure + length, " dress") == 0);
}

/* Such scenes are of figure 22, and of no other. */
static bool has_lists(const trees *of)
{
    return of->kinetic_list != NULL && of->straight_list != NULL;
}

/* The next trees of the figure from row *first on, which goes behind it; false: there is none. */
static bool next_trees(const bench_rows *rows, const char *figure, uint32_t *first, trees *out)
{
    while (*first < rows->count) {
        uint32_t start = *first, end = bench_rows_end(rows, start);
        *first = end;
        if (is_of_figure(figure, &rows->items[start]) && find_trees(rows, start, end, out) &&
            !has_lists(out))
            return true;
    }
    return false;
}

static bool has_figure(const bench_rows *rows, const char *figure)
{
    uint32_t first = 0;
    trees found;
    return next_trees(rows, figure, &first, &found);
}

/* ---- a figure ---- */

static double kinetic_page_per_frame(const bench_row *row, uint64_t count)
{
    return (double)count / (double)row->frames;
}

static double with_setup(const bench_row *row)
{
    return row->update_ms + row->setup_ms / (double)row->frames;
}

static void kinetic_page_write_row(FILE *file, const trees *of)
{
    const bench_row *kinetic = of->kinetic, *straight = of->straight, *refit = of->refit;
    fprintf(file, "| %s | %" PRIu64 " | %.1f | %.1f | %.1f | %.0f |", kinetic->spec,
            kinetic->plan_triangles, kinetic_page_per_frame(kinetic, kinetic->plan_changes),
            kinetic_page_per_frame(kinetic, kinetic->events),
            kinetic_page_per_frame(kinetic, kinetic->values),
            kinetic_page_per_frame(refit, refit->values));
    page_write_ratio(file, (double)refit->values, (double)kinetic->values);
    fprintf(file, " %.4f | %.4f | %.4f |", kinetic->update_ms, straight->update_ms,
            refit->update_ms);
    page_write_ratio(file, refit->update_ms, kinetic->update_ms);
    page_write_ratio(file, refit->update_ms, straight->update_ms);
    page_write_ratio(file, with_setup(refit), with_setup(kinetic));
    page_write_ratio(file, with_setup(refit), with_setup(straight));
    fputs("\n", file);
}

/* All scenes of the figure that the argument names. */
static void write_trees(FILE *file, void *context, const char *figure)
{
    kinetic_page *p = context;
    uint32_t first = 0;
    trees found;
    while (next_trees(p->rows, figure, &first, &found)) kinetic_page_write_row(file, &found);
}

/* How events grow, against what the paper proves of them, where there are sizes enough. */
static bool fit_events(void *context, const char *figure, uint32_t round)
{
    kinetic_page *p = context;
    uint32_t first = 0, sizes = 0;
    trees found;
    if (round > 0) return false;
    p->n = p->n_log_n = (growth_fit){0};
    while (next_trees(p->rows, figure, &first, &found)) {
        double n = (double)found.kinetic->plan_triangles;
        double events = kinetic_page_per_frame(found.kinetic, found.kinetic->events);
        growth_fit_add(&p->n, n, events);
        growth_fit_add(&p->n_log_n, n * log2(n), events);
        sizes += events > 0;
    }
    return sizes >= 3;
}

static void write_power_of_n(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fprintf(file, "%.2f", growth_fit_exponent(&((kinetic_page *)context)->n));
}

static void write_power_of_n_log_n(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fprintf(file, "%.2f", growth_fit_exponent(&((kinetic_page *)context)->n_log_n));
}

/* ---- lists ---- */

/* Whether a row is of a scene: its name, then words that all are in its text, such as
 * "avatar variant=dress". */
static bool is_of_scene(const char *words, const bench_row *row)
{
    char word[PAGE_ARGUMENT_MAX];
    size_t length = strcspn(words, " ");
    if (strncmp(row->scene, words, length) != 0 || row->scene[length] != '\0') return false;
    for (const char *rest = words + length; *rest != '\0'; rest += length) {
        rest += strspn(rest, " ");
        length = strcspn(rest, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, rest);
        if (strstr(row->spec, word) == NULL) return false;
    }
    return true;
}

static bool next_lists(const bench_rows *rows, const char *words, uint32_t *first, trees *out)
{
    while (*first < rows->count) {
        uint32_t start = *first, end = bench_rows_end(rows, start);
        *first = end;
        if (is_of_scene(words, &rows->items[start]) && find_trees(rows, start, end, out) &&
            has_lists(out))
            return true;
    }
    return false;
}

static bool has_any_lists(const bench_rows *rows)
{
    uint32_t dress = 0, cloth = 0;
    trees found;
    return next_lists(rows, "avatar", &dress, &found) ||
           next_lists(rows, "tablecloth", &cloth, &found);
}

/* Update and check together, each with how many times faster than bottom-up it is. */
static void write_lists(FILE *file, void *context, const char *words)
{
    const kinetic_page *p = context;
    uint32_t first = 0;
    trees found;
    while (next_lists(p->rows, words, &first, &found)) {
        const bench_row *const rows[] = {found.kinetic, found.straight, found.kinetic_list,
                                         found.straight_list};
        fprintf(file, "| %s | %" PRIu64 " | %.4f |", found.refit->spec, found.refit->triangles,
                found.refit->total_ms);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            fprintf(file, " %.4f |", rows[i]->total_ms);
            page_write_ratio(file, found.refit->total_ms, rows[i]->total_ms);
        }
        fputs("\n", file);
    }
}

static bool page_has_lists(void *context, const char *argument, uint32_t round)
{
    const kinetic_page *p = context;
    char words[PAGE_ARGUMENT_MAX];
    trees found;
    while (round == 0 && page_next_alternative(&argument, words)) {
        uint32_t first = 0;
        if (next_lists(p->rows, words, &first, &found)) return true;
    }
    return false;
}

/* ---- where they pay ---- */

/* The fastest sound row with kinetic trees, or without; AUTO is neither. */
static const bench_row *best_of(const bench_rows *rows, uint32_t first, uint32_t end,
                                bool is_kinetic)
{
    const bench_row *best = NULL;
    for (uint32_t i = first; i < end; i++) {
        const bench_row *row = &rows->items[i];
        if (!bench_row_has(row, OF_WILLOW) || !bench_row_is_sound(row) || !row->plans) continue;
        if (strncmp(row->method, "auto", 4) == 0 || (row->setups > 0) != is_kinetic) continue;
        if (best == NULL || row->total_ms < best->total_ms) best = row;
    }
    return best;
}

static const char *auto_stands_for(const bench_rows *rows, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (strncmp(rows->items[i].method, "auto", 4) == 0) return rows->items[i].stands_for;
    }
    return "-";
}

/* Eight blocks are a ratio of 1. */
static void write_bar(FILE *file, double ratio)
{
    int length = (int)fmin(8 * ratio + 0.5, BAR_MOST);
    fputs(" ", file);
    for (int i = 0; i < length; i++) fputs(i < 8 ? "▒" : "█", file);
    fputs(" |", file);
}

static void kinetic_page_write_gain(FILE *file, const bench_rows *rows, uint32_t first,
                                    uint32_t end)
{
    const bench_row *refit = best_of(rows, first, end, false),
                    *kinetic = best_of(rows, first, end, true);
    if (refit == NULL || kinetic == NULL || kinetic->total_ms <= 0) return;
    double ratio = refit->total_ms / kinetic->total_ms;
    fprintf(file, "| %s | %s | %s | %.4f | %s | %.4f | %.2f |", refit->spec, refit->query,
            refit->method, refit->total_ms, kinetic->method, kinetic->total_ms, ratio);
    write_bar(file, ratio);
    fprintf(file, " %s |\n", auto_stands_for(rows, first, end));
}

static void write_gains(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = ((kinetic_page *)context)->rows;
    (void)argument;
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        end = bench_rows_end(rows, first);
        kinetic_page_write_gain(file, rows, first, end);
    }
}

/* ---- the section ---- */

/* All three trees on a scene of one of the figures. */
static bool kinetic_page_run_has(void *context, const char *argument, uint32_t round)
{
    kinetic_page *p = context;
    char figure[PAGE_ARGUMENT_MAX];
    while (round == 0 && page_next_alternative(&argument, figure)) {
        if (strcmp(figure, "lists") == 0 ? has_any_lists(p->rows) : has_figure(p->rows, figure))
            return true;
    }
    return false;
}

static const page_tag zachmann_weller_2006_tags[] = {
    {"run_has", NULL, kinetic_page_run_has},
    {"trees", write_trees, NULL},
    {"events_grow", NULL, fit_events},
    {"power_of_n", write_power_of_n, NULL},
    {"power_of_n_log_n", write_power_of_n_log_n, NULL},
    {"gains", write_gains, NULL},
    {"has_lists", NULL, page_has_lists},
    {"lists", write_lists, NULL},
    {NULL, NULL, NULL},
};

void page_write_zachmann_weller_2006(FILE *file, const bench_rows *rows)
{
    kinetic_page page = {.rows = rows};
    page_write(file, zachmann_weller_2006_md, zachmann_weller_2006_tags, &page);
}
