/* zachmann_weller_2006.c - what a paper says about kinetic trees beside ours, as a section in
 * Markdown.
 *
 * Way in: report_write_kinetic. Zachmann and Weller 2006 ("Kinetic bounding volume hierarchies for
 * collision detection of deformable objects", section 9) counted events and measured updates of
 * binary trees with one triangle per leaf against bottom-up updates of the same, on a processor of
 * 3 GHz. Its diagrams have no numbers, so what its text says of them stands beside ours, and beside
 * times of the same tree without events. A figure is told if the run has its scene with flight
 * plans and with all of these trees; without any of them there is no section. */
#include "bench/pages/pages.h"
#include "bench/run/growth.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char refit_name[] = "bottom_up:arity=2:leaf_triangles=1",
                  kinetic_name[] = "kinetic_aabb:events=batch:arity=2:leaf_triangles=1",
                  straight_name[] = "kinetic_aabb:arity=2:leaf_triangles=1";

enum { BAR_MOST = 24 };

/* What the paper says of a figure, and the scenes that go with it. */
typedef struct figure {
    const char *scene;
    enum { ANY, SHIRT, DRESS } clothes;
    const char *head, *words;
    const char *row; /* cells of the paper: from its triangles on; NULL: it says no number */
    bool has_growth; /* it speaks of how events grow */
} figure;

static const figure figures[] = {
    {"tablecloth", ANY, "Figure 18: a cloth falls onto a table",
     "The paper: 2,000 to 16,000 triangles. In the highest resolution about 400 events per frame, "
     "in "
     "which\nonly 1,000 values are updated, against 60,000 bottom-up; since an event is costly, "
     "updates are about\n5 times faster. The number of events rises nearly linearly.\n",
     "16,000 | - | about 400 | about 1,000 | about 60,000 | about 60 | - | - | - | about 5 | - | - "
     "| - |",
     true},
    {"spheres", ANY, "Figure 19, left: spheres that swell and turn back",
     "The paper: 2,000 to 40,000 triangles; velocities of triangles that collide are reversed. In "
     "spite of\nmany changes of plans, updates are more than 5 times faster than bottom-up.\n",
     "2,000 to 40,000 | - | - | - | - | - | - | - | - | more than 5 | - | - | - |", false},
    {"avatar", DRESS, "Figure 19, middle and right: a dress",
     "The paper: 65,000 to 580,000 triangles. Less deformation, so that updates are about 10 times "
     "faster\nthan bottom-up.\n",
     "65,000 to 580,000 | - | - | - | - | - | - | - | - | about 10 | - | - | - |", false},
    {"avatar", SHIRT, "Figure 21: a shirt, and the frames between two keyframes",
     "The paper: 32,000 to 326,000 triangles; updates are about 10 times faster than bottom-up. "
     "The "
     "number\nof events depends on the number of keyframes alone, so that more frames between them "
     "make each of\nthem cheaper.\n",
     "32,000 to 326,000 | - | - | - | - | - | - | - | - | about 10 | - | - | - |", false},
};

enum { FIGURES = sizeof figures / sizeof figures[0] };

/* ---- rows ---- */

/* The trees on one scene: refitted, with events and without. */
typedef struct trees {
    const bench_row *refit, *kinetic, *straight;
} trees;

/* False if the rows [first, end) do not have all, with plans and sound. */
static bool find_trees(const bench_rows *rows, uint32_t first, uint32_t end, trees *out)
{
    *out = (trees){.refit = NULL};
    for (uint32_t i = first; i < end; i++) {
        const bench_row *row = &rows->items[i];
        if (!row->plans || !bench_row_is_sound(row)) continue;
        if (strcmp(row->method, refit_name) == 0) out->refit = row;
        if (strcmp(row->method, kinetic_name) == 0) out->kinetic = row;
        if (strcmp(row->method, straight_name) == 0) out->straight = row;
    }
    return out->refit != NULL && out->kinetic != NULL && out->straight != NULL;
}

static bool is_of_figure(const figure *f, const bench_row *row)
{
    if (strcmp(row->scene, f->scene) != 0) return false;
    bool is_dress = strstr(row->spec, "variant=dress") != NULL;
    return f->clothes == ANY || is_dress == (f->clothes == DRESS);
}

/* The next trees of the figure from row *first on, which goes behind it; false: there is none. */
static bool next_trees(const bench_rows *rows, const figure *f, uint32_t *first, trees *out)
{
    while (*first < rows->count) {
        uint32_t start = *first, end = bench_rows_end(rows, start);
        *first = end;
        if (is_of_figure(f, &rows->items[start]) && find_trees(rows, start, end, out)) return true;
    }
    return false;
}

static bool has_figure(const bench_rows *rows, const figure *f)
{
    uint32_t first = 0;
    trees found;
    return next_trees(rows, f, &first, &found);
}

/* ---- a figure ---- */

static double per_frame(const bench_row *row, uint64_t count)
{
    return (double)count / (double)row->frames;
}

static double with_setup(const bench_row *row)
{
    return row->update_ms + row->setup_ms / (double)row->frames;
}

static void write_trees(FILE *file, const trees *of)
{
    const bench_row *kinetic = of->kinetic, *straight = of->straight, *refit = of->refit;
    fprintf(file, "| %s | %" PRIu64 " | %.1f | %.1f | %.1f | %.0f |", kinetic->spec,
            kinetic->plan_triangles, per_frame(kinetic, kinetic->plan_changes),
            per_frame(kinetic, kinetic->events), per_frame(kinetic, kinetic->values),
            per_frame(refit, refit->values));
    report_write_ratio(file, (double)refit->values, (double)kinetic->values);
    fprintf(file, " %.4f | %.4f | %.4f |", kinetic->update_ms, straight->update_ms,
            refit->update_ms);
    report_write_ratio(file, refit->update_ms, kinetic->update_ms);
    report_write_ratio(file, refit->update_ms, straight->update_ms);
    report_write_ratio(file, with_setup(refit), with_setup(kinetic));
    report_write_ratio(file, with_setup(refit), with_setup(straight));
    fputs("\n", file);
}

/* How events grow, against what the paper proves of them, where there are sizes enough. */
static void write_growth(FILE *file, const bench_rows *rows, const figure *f)
{
    growth_fit linear = {0}, n_log_n = {0};
    uint32_t first = 0, sizes = 0;
    trees found;
    while (next_trees(rows, f, &first, &found)) {
        double n = (double)found.kinetic->plan_triangles;
        double events = per_frame(found.kinetic, found.kinetic->events);
        growth_fit_add(&linear, n, events);
        growth_fit_add(&n_log_n, n * log2(n), events);
        sizes += events > 0;
    }
    if (sizes < 3) return;
    fprintf(
        file,
        "\nEvents per frame grow as the triangles n to the power of %.2f, and as n log n to the "
        "power of %.2f.\n",
        growth_fit_exponent(&linear), growth_fit_exponent(&n_log_n));
}

static void write_figure(FILE *file, const bench_rows *rows, const figure *f)
{
    uint32_t first = 0;
    trees found;
    fprintf(file,
            "\n### %s\n\n%s\n"
            "| scene | triangles | plan changes | events | values | values bottom-up | times fewer "
            "| update ms | without events ms | bottom-up ms | times faster | without events "
            "| with set-up | without events |\n"
            "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            f->head, f->words);
    fprintf(file, "| the paper | %s\n", f->row);
    while (next_trees(rows, f, &first, &found)) write_trees(file, &found);
    if (f->has_growth) write_growth(file, rows, f);
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

static void write_gain(FILE *file, const bench_rows *rows, uint32_t first, uint32_t end)
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

static void write_gains(FILE *file, const bench_rows *rows)
{
    fputs("\n### Where kinetic trees pay\n\n"
          "Update and query of the fastest refitting method over those of the fastest kinetic one: "
          "above 1, a\nsolid bar, kinetic trees win. The last column is what AUTO has become for "
          "the first body.\n\n"
          "| scene | query | refit | ms | kinetic | ms | ratio | | auto is |\n"
          "|---|---|---|--:|---|--:|--:|---|---|\n",
          file);
    for (uint32_t first = 0, end; first < rows->count; first = end) {
        end = bench_rows_end(rows, first);
        write_gain(file, rows, first, end);
    }
}

/* ---- the section ---- */

void report_write_kinetic(FILE *file, const bench_rows *rows)
{
    bool has_any = false;
    for (int i = 0; i < FIGURES; i++) has_any = has_any || has_figure(rows, &figures[i]);
    if (!has_any) return;
    fprintf(
        file,
        "\n## Beside the paper\n\n"
        "Zachmann and Weller 2006 compared kinetic trees with bottom-up updates on a Pentium IV "
        "of 3 GHz.\n`%s` and\n`%s` are these trees here. Counts and ratios "
        "can be\ncompared, milliseconds cannot. Events, plan changes and values are means per "
        "frame; values are ends\nof boxes that updates write. Times without events are those of "
        "`%s`,\nwhich the paper does not have. The last columns have the set-up of both sides, "
        "spread over the frames.\n",
        refit_name, kinetic_name, straight_name);
    for (int i = 0; i < FIGURES; i++) {
        if (has_figure(rows, &figures[i])) write_figure(file, rows, &figures[i]);
    }
    write_gains(file, rows);
}
