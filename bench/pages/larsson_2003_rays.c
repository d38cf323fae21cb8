/* larsson_2003_rays.c - what a paper says about rays on deforming bodies beside ours: what the tags
 * of larsson_2003_rays.md are.
 *
 * Way in: page_write_larsson_2003_rays. Larsson 2003 (paper C, chapter 7) refitted trees of single
 * triangles bottom-up and by the hybrid method and traced pictures, on a processor of 1.5 GHz. Its
 * tables are text of the page; tags put ours beside. Cells whose row the run does not have are
 * dashes; without the suite's pictures there is no section. */
#include "bench/pages/pages.h"
#include "bench/pages/template.h"
#include "bench/run/result.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Arguments of tags are words with blanks between. */
enum { WORDS_MAX = 4 };

typedef struct words {
    char at[WORDS_MAX][PAGE_ARGUMENT_MAX];
    uint32_t count;
} words;

static words split_words(const char *argument)
{
    words w = {.count = 0};
    while (*argument != '\0' && w.count < WORDS_MAX) {
        size_t length = strcspn(argument, " ");
        snprintf(w.at[w.count++], PAGE_ARGUMENT_MAX, "%.*s", (int)length, argument);
        argument += length + strspn(argument + length, " ");
    }
    return w;
}

/* ---- rows ---- */

static const bench_row *find_ray_row(const bench_rows *rows, const char *spec, const char *query,
                                     const char *method)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        if (strcmp(row->spec, spec) == 0 && strcmp(row->query, query) == 0 &&
            strcmp(row->method, method) == 0) {
            return row;
        }
    }
    return NULL;
}

static const bench_row *find_picture_row(const bench_rows *rows, const char *spec,
                                         const char *method)
{
    return find_ray_row(rows, spec, "rays", method);
}

/* ---- single frames ---- */

typedef struct frame_time {
    double update_ms, query_ms;
} frame_time;

/* The fastest of all times that the frame was run; INFINITY where it was not counted. */
static frame_time time_of_frame(const bench_row *row, uint32_t frame)
{
    frame_time best = {(double)INFINITY, (double)INFINITY};
    for (uint32_t i = 0; i < row->series.count; i++) {
        if (row->series.frame[i] != frame) continue;
        best.update_ms = fmin(best.update_ms, row->series.update_ms[i]);
        best.query_ms = fmin(best.query_ms, row->series.query_ms[i]);
    }
    return best;
}

/* The frame that is traced slowest, or fastest. */
static uint32_t extreme_frame(const bench_row *row, bool is_worst)
{
    uint32_t chosen = row->series.count > 0 ? row->series.frame[0] : 0;
    double most = is_worst ? -1 : (double)INFINITY;
    for (uint32_t frame = 0; frame < row->frames; frame++) {
        const double ms = time_of_frame(row, frame).query_ms;
        if (!isfinite(ms) || (is_worst ? ms <= most : ms >= most)) continue;
        most = ms;
        chosen = frame;
    }
    return chosen;
}

/* "average", "worst" or "best": the frame is the worst or best of `judge`. */
static frame_time time_of_case(const bench_row *row, const bench_row *judge, const char *name)
{
    if (strcmp(name, "average") == 0) return (frame_time){row->update_ms, row->query_ms};
    return time_of_frame(row, extreme_frame(judge, strcmp(name, "worst") == 0));
}

/* ---- Tables 7.1 and 7.2 ---- */

static void write_time(FILE *file, const frame_time *time)
{
    if (time == NULL) {
        fputs(" - | - | - |", file);
    } else {
        fprintf(file, " %.2f | %.2f | %.2f |", time->update_ms, time->query_ms,
                time->update_ms + time->query_ms);
    }
}

static double total_of(const frame_time *time) { return time->update_ms + time->query_ms; }

/* {{table SPEC CASE SETTINGS}}: bottom-up and hybrid trees with these settings, and how many times
 * faster the second is. */
static void write_table(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    const words w = split_words(argument);
    char methods[2][PAGE_ARGUMENT_MAX];
    snprintf(methods[0], sizeof methods[0], "bottom_up%.*s", 400, w.count > 2 ? w.at[2] : "");
    snprintf(methods[1], sizeof methods[1], "hybrid%.*s", 400, w.count > 2 ? w.at[2] : "");
    const bench_row *up = find_picture_row(rows, w.at[0], methods[0]);
    const bench_row *hybrid = find_picture_row(rows, w.at[0], methods[1]);
    frame_time times[2];
    if (up != NULL) times[0] = time_of_case(up, up, w.at[1]);
    if (up != NULL && hybrid != NULL) times[1] = time_of_case(hybrid, up, w.at[1]);
    write_time(file, up != NULL ? &times[0] : NULL);
    write_time(file, up != NULL && hybrid != NULL ? &times[1] : NULL);
    page_write_ratio(file, up != NULL ? total_of(&times[0]) : 0,
                     up != NULL && hybrid != NULL ? total_of(&times[1]) : 0);
}

/* {{frames SPEC METHOD}}: update, query, total, and how many times faster than Embree's refit. */
static void write_frames(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    const words w = split_words(argument);
    const bench_row *row = find_picture_row(rows, w.at[0], w.at[1]);
    const bench_row *embree = find_picture_row(rows, w.at[0], "peer:embree-refit");
    const frame_time mean = {row != NULL ? row->update_ms : 0, row != NULL ? row->query_ms : 0};
    write_time(file, row != NULL ? &mean : NULL);
    page_write_ratio(file, embree != NULL ? embree->total_ms : 0, row != NULL ? row->total_ms : 0);
}

/* The best frame's tracing as a share of the mean, in percent. */
static void write_best_share(FILE *file, void *context, const char *spec)
{
    const bench_row *row = find_picture_row(context, spec, "bottom_up");
    if (row == NULL || !(row->query_ms > 0)) {
        fputs("-", file);
        return;
    }
    const frame_time best = time_of_frame(row, extreme_frame(row, false));
    fprintf(file, "%.1f", 100 * best.query_ms / row->query_ms);
}

/* ---- equation 7.7 ---- */

/* Vertices and boxes that a bottom-up refit of trees of single triangles and a hybrid update
 * process, of `bodies` trees with n triangles each and so many vertices per triangle. */
static double predicted_factor(double n, double k, double vertices)
{
    const double root = sqrt(n);
    return (3 * n + n + (n - 1) / (k - 1)) / (vertices * n + root + (root - 1) / (k - 1));
}

/* Boxes that updates wrote, per frame: six values each. */
static double boxes_per_frame(const bench_row *row)
{
    return (double)row->values / 6 / (double)(row->frames * row->repeat);
}

/* {{factor SPEC VERTICES}}: predicted, counted and measured, and the yardstick's refit over HYBRID
 * as it is by default. VERTICES: "closed", half as many as triangles, or "soup". */
static void write_factor(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    const words w = split_words(argument);
    const double share = strcmp(w.at[1], "soup") == 0 ? 3 : 0.5;
    const bool is_soup = share > 1;
    const char *settings = is_soup ? ":trees=5:poses=apply" : ":arity=8:leaf_triangles=1";
    char methods[2][PAGE_ARGUMENT_MAX];
    snprintf(methods[0], sizeof methods[0], "bottom_up%s", settings);
    snprintf(methods[1], sizeof methods[1], "hybrid%s", settings);
    const bench_row *up = find_picture_row(rows, w.at[0], methods[0]);
    const bench_row *hybrid = find_picture_row(rows, w.at[0], methods[1]);
    const bench_row *standard = find_picture_row(rows, w.at[0], "hybrid");
    const bench_row *plain = find_picture_row(rows, w.at[0], "peer:plain");
    if (up == NULL || hybrid == NULL) {
        fputs(" - | - | - | - |", file);
        return;
    }
    const double n = (double)up->triangles, bodies = is_soup ? 1 : (double)up->bodies;
    fprintf(file, " %.2f |", predicted_factor(n / bodies, 8, share));
    if (is_soup) {
        fputs(" - |", file); /* its trees have leaves of several triangles */
    } else {
        page_write_ratio(file, 3 * n + boxes_per_frame(up), share * n + boxes_per_frame(hybrid));
    }
    page_write_ratio(file, up->update_ms, hybrid->update_ms);
    page_write_ratio(file, plain != NULL ? plain->update_ms : 0,
                     standard != NULL ? standard->update_ms : 0);
}

/* ---- equation 7.1 ---- */

/* {{threads SPEC METHOD}}: T(1), T(2) as the equation says, and as measured. */
static void write_two_threads(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    const words w = split_words(argument);
    char two[PAGE_ARGUMENT_MAX + 16];
    snprintf(two, sizeof two, "%s:threads=2", w.at[1]);
    const bench_row *row = find_picture_row(rows, w.at[0], w.at[1]);
    const bench_row *both = find_picture_row(rows, w.at[0], two);
    if (row == NULL || both == NULL) {
        fputs(" - | - | - | - |", file);
        return;
    }
    fprintf(file, " %.2f | %.2f | %.2f |", row->total_ms, row->update_ms + row->query_ms / 2,
            both->total_ms);
    page_write_ratio(file, row->total_ms, both->total_ms);
}

/* ---- tracing alone, and few rays ---- */

static void write_tracing(FILE *file, void *context, const char *spec)
{
    const bench_rows *rows = context;
    const bench_row *embree = find_picture_row(rows, spec, "peer:embree-refit");
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        if (strcmp(row->spec, spec) != 0 || strcmp(row->query, "rays") != 0) continue;
        fprintf(file, "| %s | %.2f |", row->method, row->mrays);
        page_write_ratio(file, row->mrays, embree != NULL ? embree->mrays : 0);
        fprintf(file, " %.2f |\n", row->update_ms);
    }
}

/* Few rays, on the scene of the paper. */
static bool is_picks(const bench_row *row)
{
    return strcmp(row->scene, "rays9") == 0 && strncmp(row->query, "picks", 5) == 0;
}

static void write_picks(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    (void)argument;
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        if (!is_picks(row)) continue;
        const bench_row *plain = find_ray_row(rows, row->spec, row->query, "peer:plain");
        fprintf(file, "| %s | %.0f | %s | %.4f | %.4f | %.4f |", row->spec,
                (double)row->rays / (double)(row->frames * row->repeat), row->method,
                row->update_ms, row->query_ms, row->total_ms);
        page_write_ratio(file, plain != NULL ? plain->total_ms : 0, row->total_ms);
        fputs("\n", file);
    }
}

/* Those that Embree answers otherwise, of the rays of each picture. */
static void write_agreement(FILE *file, void *context, const char *argument)
{
    const bench_rows *rows = context;
    (void)argument;
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        const uint64_t others = row->lost + row->extra;
        if (strncmp(row->method, "peer:embree", 11) != 0 || is_picks(row)) continue;
        fprintf(file, "| %s | %s | %" PRIu64 " | %" PRIu64 " | %.2f |\n", row->spec, row->method,
                row->rays, others, row->rays > 0 ? 1e5 * (double)others / (double)row->rays : 0);
    }
}

/* ---- the section ---- */

/* Pictures, or picks, of one of these scenes. */
static bool rays_run_has(void *context, const char *argument, uint32_t round)
{
    const bench_rows *rows = context;
    char wanted[PAGE_ARGUMENT_MAX];
    while (round == 0 && page_next_alternative(&argument, wanted)) {
        for (uint32_t i = 0; i < rows->count; i++) {
            const bench_row *row = &rows->items[i];
            const bool is_wanted = strcmp(wanted, "picks") == 0
                                       ? is_picks(row)
                                       : strcmp(row->spec, wanted) == 0 && !is_picks(row);
            if (is_wanted && bench_row_has(row, OF_RAYS)) return true;
        }
    }
    return false;
}

static const page_tag larsson_2003_rays_tags[] = {
    {"run_has", NULL, rays_run_has},      {"table", write_table, NULL},
    {"frames", write_frames, NULL},       {"best_share", write_best_share, NULL},
    {"factor", write_factor, NULL},       {"threads", write_two_threads, NULL},
    {"tracing", write_tracing, NULL},     {"picks", write_picks, NULL},
    {"agreement", write_agreement, NULL}, {NULL, NULL, NULL},
};

void page_write_larsson_2003_rays(FILE *file, const bench_rows *rows)
{
    bench_rows copy = *rows; /* tags do not change it */
    page_write(file, larsson_2003_rays_md, larsson_2003_rays_tags, &copy);
}
