/* reconstruct.c - steps in which every vertex of every body is new.
 *
 * So it is where surfaces are made afresh in every step, from a simulation or from cameras: nothing
 * of the last step can be kept but the triangles. Two questions are answered:
 *   1. An update and one first pair, by every method, against the refit of peer:plain and the same
 *      question, in one run by the rules of run/measure.c.
 *   2. The update alone, stored and borrowed (update_forms.c), against the bandwidth of memory: the
 *      time that the bytes which must move would take, over the time that was taken. */
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/probes/probe.h"
#include "bench/probes/update_forms.h"
#include "bench/run/contender.h"
#include "bench/run/measure.h"
#include "bench/run/options.h"
#include "bench/run/result.h"
#include "bench/run/row.h"
#include "bench/run/stage.h"
#include "bench/run/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct reconstruct {
    bench_options options; /* with the question of this probe, and the yardstick in the list */
    const char *spec;
    bench_stage stage;
    bench_field field;
    stream_curve curve;
    bench_rows rows;
    uint64_t vertex_count; /* of all bodies */
    char methods[BENCH_METHODS_MAX];
} reconstruct;

/* ---- who takes part ---- */

/* The methods that were asked for, and the yardstick behind them. */
static int choose(reconstruct *r)
{
    const char *asked = r->options.methods != NULL ? r->options.methods : "all";
    int length = snprintf(r->methods, sizeof r->methods, "%s,peer:plain", asked);
    if ((size_t)length >= sizeof r->methods) {
        return complain_usage("bench", "--method is too long");
    }
    r->options.methods = r->methods;
    return bench_choose(&r->field, &r->options, r->stage.scene);
}

static uint64_t count_vertices(const scene *s)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < s->body_count; i++) count += s->bodies[i].vertex_count;
    return count;
}

/* ---- for people ---- */

static void print_steps(const reconstruct *r)
{
    int width = bench_name_width(&r->rows, 0);
    probe_print_scene(r->spec, r->stage.scene);
    printf(", all %" PRIu64 " vertices new in every step\n", r->vertex_count);
    printf("%-*s %10s %10s %10s %8s\n", width, "method", "update", "first", "total", "ratio");
    for (uint32_t i = 0; i < r->rows.count; i++) {
        const bench_row *row = &r->rows.items[i];
        printf("%-*s %10.4f %10.4f %10.4f %8.2f\n", width, row->method, row->update_ms_median,
               row->query_ms_median, row->total_ms_median, row->speedup_median);
    }
    puts("Medians in milliseconds per step; the ratio is peer:plain's total over one's own.\n");
}

static void print_form_heads(const reconstruct *r)
{
    printf("%-*s", bench_name_width(&r->rows, 0), "update alone");
    for (int i = 0; i < FORM_COUNT; i++) printf(" %12s %6s", probe_form_names[i], "limit");
    puts("");
}

static void print_form_foot(void)
{
    puts("Nanoseconds per vertex, and the share of the streaming bandwidth of one thread. Counted "
         "is what\nmust move: 12 bytes read per vertex, and 16 written where they are stored. "
         "Borrowed is read as the\nscene has it, ordered in the order of the hierarchies.");
}

/* ---- updates alone ---- */

typedef struct form_outcome {
    double update_ms, ns_per_vertex, limit_share;
    stream_traffic bytes;
} form_outcome;

static form_outcome judge(const reconstruct *r, probe_form form, double update_ms)
{
    form_outcome o = {.update_ms = update_ms, .bytes = probe_form_traffic(form, r->vertex_count)};
    if (r->vertex_count > 0) o.ns_per_vertex = update_ms * 1e6 / (double)r->vertex_count;
    if (update_ms > 0) o.limit_share = stream_limit_ms(&r->curve, o.bytes) / update_ms;
    return o;
}

static void print_forms(const reconstruct *r, const contender *c, const double ms[FORM_COUNT])
{
    printf("%-*s", bench_name_width(&r->rows, 0), c->name);
    for (int i = 0; i < FORM_COUNT; i++) {
        form_outcome o = judge(r, (probe_form)i, ms[i]);
        printf(" %12.3f %5.0f%%", o.ns_per_vertex, o.limit_share * 100);
    }
    puts("");
}

/* ---- for programs ---- */

static void add_real(json_line *line, const char *form, const char *name, double value)
{
    char key[64];
    snprintf(key, sizeof key, "%s_%s", form, name);
    json_line_real(line, key, value);
}

static void add_count(json_line *line, const char *form, const char *name, uint64_t value)
{
    char key[64];
    snprintf(key, sizeof key, "%s_%s", form, name);
    json_line_count(line, key, value);
}

static void add_form(json_line *line, const reconstruct *r, probe_form form, double update_ms)
{
    const char *name = probe_form_names[form];
    form_outcome o = judge(r, form, update_ms);
    add_real(line, name, "update_ms", o.update_ms);
    add_real(line, name, "ns_per_vertex", o.ns_per_vertex);
    add_count(line, name, "bytes_read", o.bytes.read);
    add_count(line, name, "bytes_written", o.bytes.written);
    add_real(line, name, "limit_share", o.limit_share);
}

/* `ms` is NULL for a peer. */
static int reconstruct_print_line(const reconstruct *r, const bench_row *row, const double *ms)
{
    const bench_row *plain = bench_rows_yardstick(&r->rows, 0, r->rows.count);
    json_line line = probe_line_begin("reconstruct", &r->options);
    probe_line_scene(&line, r->spec, r->stage.scene);
    json_line_count(&line, "vertices", r->vertex_count);
    json_line_text(&line, "method", row->method);
    json_line_count(&line, "frames", row->frames);
    json_line_real(&line, "update_ms", row->update_ms_median);
    json_line_real(&line, "query_ms", row->query_ms_median);
    json_line_real(&line, "total_ms", row->total_ms_median);
    json_line_real(&line, "plain_total_ms", plain->total_ms_median);
    json_line_real(&line, "ratio", row->speedup_median);
    for (int i = 0; ms != NULL && i < FORM_COUNT; i++) add_form(&line, r, (probe_form)i, ms[i]);
    return json_line_print(&line, "bench");
}

/* ---- the probe ---- */

static int reconstruct_run_steps(reconstruct *r)
{
    bench_report report;
    int code = EXIT_ERROR;
    if (bench_run(&r->stage, r->spec, &r->field, &r->options, &report)) {
        code = bench_rows_add(&r->rows, &report, NULL) ? EXIT_FINE
                                                       : complain("bench", "out of memory");
        bench_warn_of_yardstick(&r->rows, 0);
    }
    bench_report_destroy(&report);
    return code;
}

/* Peers have no forms, so that their lines end before these. */
static int run_forms(reconstruct *r, uint32_t number)
{
    const contender *c = &r->field.entries[number];
    const bench_row *row = &r->rows.items[number];
    bool is_table = r->options.format == FORMAT_TABLE;
    double ms[FORM_COUNT];
    if (c->peer != NULL) return is_table ? EXIT_FINE : reconstruct_print_line(r, row, NULL);
    int code = probe_forms_measure(&r->stage, c, (uint32_t)row->frames, r->options.repeat, ms);
    if (code != EXIT_FINE) return code;
    if (!is_table) return reconstruct_print_line(r, row, ms);
    print_forms(r, c, ms);
    return EXIT_FINE;
}

static int reconstruct_run_all(reconstruct *r)
{
    bool is_table = r->options.format == FORMAT_TABLE, is_wrong = false;
    int code = reconstruct_run_steps(r);
    if (code == EXIT_FINE && is_table) {
        print_steps(r);
        print_form_heads(r);
    }
    for (uint32_t i = 0; code == EXIT_FINE && i < r->rows.count; i++) {
        code = run_forms(r, i);
        is_wrong = is_wrong || r->rows.items[i].wrong;
    }
    if (code == EXIT_FINE && is_table) print_form_foot();
    return code == EXIT_FINE && is_wrong ? EXIT_FOUND : code;
}

static int reconstruct_run(reconstruct *r)
{
    int code = probe_stage_create(&r->stage, r->spec, &r->options);
    if (code == EXIT_FINE && probe_frames(&r->stage, &r->options) < 3) {
        code = complain_usage("bench", "reconstruct needs 3 frames or more");
    }
    if (code == EXIT_FINE) code = choose(r);
    if (code == EXIT_FINE) code = bench_leave_out(&r->field, &r->options, &r->stage);
    if (code != EXIT_FINE) return code;
    r->vertex_count = count_vertices(r->stage.scene);
    if (!stream_curve_measure(&r->curve)) return complain("bench", "out of memory");
    return reconstruct_run_all(r);
}

int probe_reconstruct(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    reconstruct r = {.options = *options,
                     .spec = probe_spec(options, "many:triangles=81920,bodies=9,frames=40")};
    r.options.question = QUESTION_FIRST;
    int code = reconstruct_run(&r);
    bench_rows_destroy(&r.rows);
    bench_stage_destroy(&r.stage);
    return code;
}
