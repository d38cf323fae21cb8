/* results.c - results as a page of the documentation: what the tags of results.md stand for.
 *
 * Way in: page_write_results. First what it was measured on, then the best of each scene in one
 * table and the experiments of papers beside ours, then a table per scene, with notes on who lost:
 * peers that miss pairs, and methods that are slower than the yardstick. The best of a scene is the
 * one with the lowest mean among those that are sound. */
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/pages/template.h"

#include <inttypes.h>
#include <string.h>

/* What the page is written from, and where its sections are. */
typedef struct results_page {
    const bench_rows *rows;
    const stream_curve *curve; /* NULL: not measured */
    const bench_options *options;
    report_machine machine;
    uint32_t first, end; /* the rows of the scene and the question that is written */
    uint32_t at;         /* the one of them that is written */
} results_page;

static const bench_row *first_row(const results_page *p) { return &p->rows->items[p->first]; }
static const bench_row *results_row_at(const results_page *p) { return &p->rows->items[p->at]; }

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

static void write_grouped(FILE *file, uint64_t value)
{
    char text[GROUPED_MAX];
    fputs(grouped(value, text), file);
}

/* ---- the head ---- */

#define RESULTS_TEXT(name, text)                                                                   \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const results_page *p = context;                                                           \
        (void)argument;                                                                            \
        fputs(text, file);                                                                         \
    }
RESULTS_TEXT(processor, p->machine.processor)
RESULTS_TEXT(system, p->machine.system)
RESULTS_TEXT(compiler, p->machine.compiler)
RESULTS_TEXT(date, p->machine.date)
RESULTS_TEXT(query, first_row(p)->query)
RESULTS_TEXT(method, results_row_at(p)->method)
#undef RESULTS_TEXT

#define RESULTS_GROUPED(name, count)                                                               \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const results_page *p = context;                                                           \
        (void)argument;                                                                            \
        write_grouped(file, count);                                                                \
    }
RESULTS_GROUPED(triangles, first_row(p)->triangles)
RESULTS_GROUPED(lost, results_row_at(p)->lost)
RESULTS_GROUPED(extra, results_row_at(p)->extra)
RESULTS_GROUPED(pairs, results_row_at(p)->pairs)
#undef RESULTS_GROUPED

#define RESULTS_PRINT(name, ...)                                                                   \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const results_page *p = context;                                                           \
        (void)p;                                                                                   \
        (void)argument;                                                                            \
        fprintf(file, __VA_ARGS__);                                                                \
    }
RESULTS_PRINT(command, "%s\n", p->options->command_line)
RESULTS_PRINT(version, "%s", version_text())
RESULTS_PRINT(cores, "%" PRIu32 " core%s", p->machine.cores, plural(p->machine.cores))
RESULTS_PRINT(memory, "%.1f", (double)p->machine.memory_bytes * 1e-9)
RESULTS_PRINT(bodies, "%" PRIu64 " bod%s", first_row(p)->bodies,
              first_row(p)->bodies == 1 ? "y" : "ies")
RESULTS_PRINT(distance, "%.4g", first_row(p)->distance)
RESULTS_PRINT(frames, "%" PRIu64, first_row(p)->frames)
RESULTS_PRINT(threads, "%" PRIu32 " thread%s", p->options->engine.threads,
              plural(p->options->engine.threads))
#undef RESULTS_PRINT

/* ---- scenes ---- */

static bool next_scene(void *context, const char *argument, uint32_t round)
{
    results_page *p = context;
    (void)argument;
    p->first = round == 0 ? 0 : p->end;
    if (p->first == p->rows->count) return false;
    p->end = bench_rows_end(p->rows, p->first);
    return true;
}

/* The scene, and the question where there are several of them. */
static void write_scene(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    fputs(first_row(p)->spec, file);
    if (p->options->question_count > 1) fprintf(file, ", query %s", first_row(p)->query);
}

static void write_found(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    write_grouped(file, first_row(p)->pairs);
    fprintf(file, " %s", first_row(p)->finds);
}

static bool has_distance(void *context, const char *argument, uint32_t round)
{
    (void)argument;
    return round == 0 && bench_row_has(first_row(context), OF_DISTANCE);
}

static bool has_strangers(void *context, const char *argument, uint32_t round)
{
    const results_page *p = context;
    (void)argument;
    return round == 0 && p->options->strangers;
}

static bool has_limit(void *context, const char *argument, uint32_t round)
{
    const results_page *p = context;
    (void)argument;
    return round == 0 && p->curve != NULL;
}

static bool is_compared(void *context, const char *argument, uint32_t round)
{
    (void)argument;
    return round == 0 && bench_row_has(first_row(context), OF_COMPARED);
}

/* ---- the best of each scene ---- */

/* The fastest sound row of one kind among those of the scene, or NULL. */
static const bench_row *results_best(const results_page *p, uint32_t group)
{
    const bench_row *best = NULL;
    for (uint32_t i = p->first; i < p->end; i++) {
        const bench_row *row = &p->rows->items[i];
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

static void write_best_willow(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_best(file, results_best(context, OF_WILLOW));
}

static void write_best_peer(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_best(file, results_best(context, OF_PEER));
}

static void write_peer_over_willow(FILE *file, void *context, const char *argument)
{
    const bench_row *willow = results_best(context, OF_WILLOW),
                    *peer = results_best(context, OF_PEER);
    bool has_both = willow != NULL && peer != NULL;
    (void)argument;
    page_write_ratio(file, has_both ? peer->total_ms : 0, has_both ? willow->total_ms : 0);
}

/* ---- AUTO against libraries ---- */

/* The row of AUTO as it is by default, or NULL. */
static const bench_row *row_of_auto(const results_page *p)
{
    for (uint32_t i = p->first; i < p->end; i++) {
        const bench_row *row = &p->rows->items[i];
        if (strcmp(row->method, "auto") == 0 && bench_row_is_sound(row)) return row;
    }
    return NULL;
}

/* Where AUTO and a library of others took part. */
static bool has_headline(void *context, const char *argument, uint32_t round)
{
    results_page page = *(const results_page *)context;
    if (round > 0) return false;
    for (uint32_t i = 0; next_scene(&page, argument, i); i++) {
        if (row_of_auto(&page) != NULL && results_best(&page, OF_LIBRARY) != NULL) return true;
    }
    return false;
}

static void write_repeats(FILE *file, void *context, const char *argument)
{
    const uint32_t repeat = ((const results_page *)context)->options->repeat;
    (void)argument;
    if (repeat == 1)
        fputs("one run", file);
    else
        fprintf(file, "%" PRIu32 " runs", repeat);
}

static void write_spread(FILE *file, const bench_row *row)
{
    if (row == NULL)
        fputs(" - |", file);
    else
        fprintf(file, " %.4f (%.4f to %.4f) |", row->total_ms, row->total_ms_least,
                row->total_ms_most);
}

static void write_auto(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_spread(file, row_of_auto(context));
}

static void write_library(FILE *file, void *context, const char *argument)
{
    const bench_row *library = results_best(context, OF_LIBRARY);
    (void)argument;
    fprintf(file, " %s |", library != NULL ? library->method : "-");
    write_spread(file, library);
}

/* Of means, and in brackets the least and the most that the spreads allow. */
static void write_library_over_auto(FILE *file, void *context, const char *argument)
{
    const bench_row *willow = row_of_auto(context), *library = results_best(context, OF_LIBRARY);
    (void)argument;
    if (willow == NULL || library == NULL)
        fputs(" - |", file);
    else
        fprintf(file, " %.1f (%.1f to %.1f) |", library->total_ms / willow->total_ms,
                library->total_ms_least / willow->total_ms_most,
                library->total_ms_most / willow->total_ms_least);
}

static void write_plain(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    write_spread(file, bench_rows_yardstick(p->rows, p->first, p->end));
}

/* ---- one scene ---- */

static void results_write_row(FILE *file, const bench_row *row, bool is_best, bool has_limit)
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

static void results_write_methods(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    const bench_row *willow = results_best(p, OF_WILLOW), *peer = results_best(p, OF_PEER);
    const bench_row *best =
        willow == NULL || (peer != NULL && peer->total_ms < willow->total_ms) ? peer : willow;
    (void)argument;
    for (uint32_t i = p->first; i < p->end; i++) {
        results_write_row(file, &p->rows->items[i], &p->rows->items[i] == best, p->curve != NULL);
    }
}

static bool next_method(void *context, const char *argument, uint32_t round)
{
    results_page *p = context;
    (void)argument;
    p->at = p->first + round;
    return p->at < p->end;
}

static bool is_wrong(void *context, const char *argument, uint32_t round)
{
    (void)argument;
    return round == 0 && results_row_at(context)->wrong;
}

static bool is_unsound(void *context, const char *argument, uint32_t round)
{
    const bench_row *row = results_row_at(context);
    (void)argument;
    return round == 0 && row->lost + row->extra > 0;
}

static bool is_slower(const bench_row *row)
{
    return bench_row_has(row, OF_COMPARED) && row->speedup < 1 && !bench_row_has(row, OF_YARDSTICK);
}

/* Where some decide neighbours, others do not do less work unnoticed. */
static bool is_skipping(const bench_row *row) { return row->skips_neighbours; }

static bool any_of_scene(const results_page *p, bool (*is_it)(const bench_row *row))
{
    for (uint32_t i = p->first; i < p->end; i++) {
        if (is_it(&p->rows->items[i])) return true;
    }
    return false;
}

static bool has_slower(void *context, const char *argument, uint32_t round)
{
    (void)argument;
    return round == 0 && any_of_scene(context, is_slower);
}

static bool has_skipping(void *context, const char *argument, uint32_t round)
{
    (void)argument;
    return round == 0 && any_of_scene(context, is_skipping);
}

/* "`a` (0.50), `b` (0.70)", or without the ratios. */
static void write_names(FILE *file, const results_page *p, bool (*is_it)(const bench_row *row),
                        bool with_speedup)
{
    const char *between = "";
    for (uint32_t i = p->first; i < p->end; i++) {
        const bench_row *row = &p->rows->items[i];
        if (!is_it(row)) continue;
        fprintf(file, "%s`%s`", between, row->method);
        if (with_speedup) fprintf(file, " (%.2f)", row->speedup);
        between = ", ";
    }
}

static void write_slower(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_names(file, context, is_slower, true);
}

static void write_skipping(FILE *file, void *context, const char *argument)
{
    (void)argument;
    write_names(file, context, is_skipping, false);
}

static const bench_row *yardstick_of(const results_page *p)
{
    return bench_rows_yardstick(p->rows, p->first, p->end);
}

static bool has_yardstick_off(void *context, const char *argument, uint32_t round)
{
    const bench_row *yardstick = yardstick_of(context);
    (void)argument;
    return round == 0 && yardstick != NULL && yardstick->yardstick_off;
}

static void write_yardstick_ns(FILE *file, void *context, const char *argument)
{
    (void)argument;
    fprintf(file, "%.1f", yardstick_of(context)->refit_ns_per_triangle);
}

/* ---- the rest ---- */

static void write_bandwidths(FILE *file, void *context, const char *argument)
{
    const results_page *page = context;
    (void)argument;
    for (int i = 0; i < STREAM_SIZES; i++) {
        const stream_speed *p = &page->curve->points[i];
        fprintf(file, "| %zu KiB | %s | %.1f | %.1f | %.1f |\n", p->bytes / 1024,
                stream_level(p->bytes), p->read, p->write, p->copy);
    }
}

static void write_larsson_2001(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    page_write_larsson_2001(file, p->rows);
}

static void write_larsson_2003(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    page_write_larsson_2003(file, p->rows);
}

static void write_larsson_2003_rays(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    page_write_larsson_2003_rays(file, p->rows);
}

static void write_zachmann_weller_2006(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    page_write_zachmann_weller_2006(file, p->rows);
}

static void write_skins(FILE *file, void *context, const char *argument)
{
    const results_page *p = context;
    (void)argument;
    page_write_skins(file, p->rows);
}

static const page_tag results_tags[] = {
    {"command", write_command, NULL},
    {"processor", write_processor, NULL},
    {"cores", write_cores, NULL},
    {"memory", write_memory, NULL},
    {"system", write_system, NULL},
    {"compiler", write_compiler, NULL},
    {"version", write_version, NULL},
    {"date", write_date, NULL},
    {"scenes", NULL, next_scene},
    {"scene", write_scene, NULL},
    {"triangles", write_triangles, NULL},
    {"best_willow", write_best_willow, NULL},
    {"best_peer", write_best_peer, NULL},
    {"peer_over_willow", write_peer_over_willow, NULL},
    {"headline", NULL, has_headline},
    {"repeats", write_repeats, NULL},
    {"auto", write_auto, NULL},
    {"library", write_library, NULL},
    {"library_over_auto", write_library_over_auto, NULL},
    {"plain", write_plain, NULL},
    {"larsson_2001", write_larsson_2001, NULL},
    {"larsson_2003", write_larsson_2003, NULL},
    {"larsson_2003_rays", write_larsson_2003_rays, NULL},
    {"skins", write_skins, NULL},
    {"zachmann_weller_2006", write_zachmann_weller_2006, NULL},
    {"bodies", write_bodies, NULL},
    {"query", write_query, NULL},
    {"distance", write_distance, has_distance},
    {"strangers", NULL, has_strangers},
    {"frames", write_frames, NULL},
    {"threads", write_threads, NULL},
    {"found", write_found, NULL},
    {"limit", NULL, has_limit},
    {"compared", NULL, is_compared},
    {"methods", results_write_methods, NULL},
    {"each_method", NULL, next_method},
    {"method", write_method, NULL},
    {"wrong", NULL, is_wrong},
    {"unsound", NULL, is_unsound},
    {"lost", write_lost, NULL},
    {"extra", write_extra, NULL},
    {"pairs", write_pairs, NULL},
    {"slower", write_slower, has_slower},
    {"skipping", write_skipping, has_skipping},
    {"yardstick_off", NULL, has_yardstick_off},
    {"yardstick_ns", write_yardstick_ns, NULL},
    {"bandwidths", write_bandwidths, NULL},
    {NULL, NULL, NULL},
};

void page_write_results(FILE *file, const bench_rows *rows, const stream_curve *curve,
                        const bench_options *options)
{
    results_page page = {
        .rows = rows, .curve = curve, .options = options, .machine = report_machine_now()};
    page_write(file, results_md, results_tags, &page);
}
