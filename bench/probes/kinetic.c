/* kinetic.c - what kinetic trees promise, each promise alone.
 *
 *   1. Events do not depend on the rate of frames: the same motion with 20, 200 and 2,000 updates
 *      between two keyframes has the same number of them. If not, the probe fails.
 *   2. Events grow as n log n: a scene in five sizes.
 *   3. What an event costs, in triangles of the best refit, in one run by the rules of
 * run/measure.c.
 *   4. A body that only translates has no events, and its updates do not depend on its size.
 *
 * In 1, 2 and 4 nothing is asked and events are handled one by one (flight.c). */
#include "bench/common/chart.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/open_scene.h"
#include "bench/common/progress.h"
#include "bench/play/paths.h"
#include "bench/probes/flight.h"
#include "bench/probes/probe.h"
#include "bench/run/contender.h"
#include "bench/run/growth.h"
#include "bench/run/measure.h"
#include "bench/run/options.h"
#include "bench/run/result.h"
#include "bench/run/row.h"
#include "bench/run/stage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RATES = 3, SIZES = 5, GROWTH_BETWEEN = 9, STRAIGHT_UPDATES = 200, BAR_WIDTH = 32 };

static const uint32_t rates[RATES] = {20, 200, 2000};

static const char paper_tree[] = "kinetic_aabb:events=batch:arity=2:leaf_triangles=1";

/* ---- scenes ---- */

/* The text of the same scene with another number of triangles. */
static void respec(const scene *s, uint32_t triangles, char out[SCENE_SPEC_MAX])
{
    const scene_params *asked = &s->asked, *highest = &s->kind->highest;
    int used = snprintf(out, SCENE_SPEC_MAX, "%s:triangles=%" PRIu32, s->kind->name, triangles);
#define SCENE_NUMBER_ENTRY(key, what)                                                              \
    if (highest->key != 0 && strcmp(#key, "triangles") != 0) {                                     \
        used +=                                                                                    \
            snprintf(out + used, SCENE_SPEC_MAX - (size_t)used, ",%s=%" PRIu32, #key, asked->key); \
    }
    SCENE_NUMBERS(SCENE_NUMBER_ENTRY)
#undef SCENE_NUMBER_ENTRY
    if (asked->variant[0] != '\0') {
        snprintf(out + used, SCENE_SPEC_MAX - (size_t)used, ",variant=%s", asked->variant);
    }
}

static scene *open_resized(const scene *s, uint32_t divisor)
{
    char spec[SCENE_SPEC_MAX];
    uint32_t triangles = s->asked.triangles / divisor;
    respec(s, triangles > 0 ? triangles : 1, spec);
    return scene_open("bench", spec);
}

/* One scene and one method. */
typedef struct subject {
    const bench_options *options;
    const char *spec;
    const scene *scene;
    const contender *method;
} subject;

static int kinetic_check_scene(const char *spec, const scene *s)
{
    if (s->kind->key != NULL && scene_key_count(s) > 1) return EXIT_FINE;
    return complain_usage("bench", "kinetic needs two keyframes or more; %s has none", spec);
}

static uint32_t frames_of(const subject *p, const scene *s)
{
    return p->options->frames != 0 && p->options->frames < s->frame_count ? p->options->frames
                                                                          : s->frame_count;
}

static bool is_table(const subject *p) { return p->options->format == FORMAT_TABLE; }

static json_line line_begin(const subject *p, const char *part)
{
    json_line line = probe_line_begin("kinetic", p->options);
    json_line_text(&line, "part", part);
    json_line_text(&line, "spec", p->spec);
    json_line_text(&line, "method", p->method->name);
    return line;
}

static void line_flight(json_line *line, const flight_outcome *o)
{
    json_line_count(line, "triangles", o->triangles);
    json_line_count(line, "updates", o->updates);
    json_line_count(line, "events", o->events);
    json_line_count(line, "values", o->values);
    json_line_real(line, "update_ms", o->update_ms);
    json_line_real(line, "setup_ms", o->setup_ms);
}

/* ---- 1: the rate of frames ---- */

static int print_rate(const subject *p, uint32_t between, const flight_outcome *o,
                      const flight_outcome *first)
{
    if (is_table(p)) {
        printf("%10" PRIu32 " %10" PRIu64 " %12" PRIu64 " %12.5f %12.3f\n", between, o->updates,
               o->events, o->update_ms, o->update_ms * (double)o->updates);
        return EXIT_FINE;
    }
    json_line line = line_begin(p, "rate");
    json_line_count(&line, "between", between);
    line_flight(&line, o);
    json_line_real(&line, "ratio",
                   first->events > 0 ? (double)o->events / (double)first->events : 0);
    return json_line_print(&line, "bench");
}

static int print_rates(const subject *p, const flight_outcome outcomes[RATES], uint32_t key_count)
{
    int code = EXIT_FINE;
    bool is_same = true;
    if (is_table(p)) {
        printf("%s, %s: %" PRIu64 " triangles, %" PRIu32 " keyframes\n", p->spec, p->method->name,
               outcomes[0].triangles, key_count);
        printf("%10s %10s %12s %12s %12s\n", "between", "updates", "events", "update ms", "all ms");
    }
    for (int i = 0; code == EXIT_FINE && i < RATES; i++) {
        code = print_rate(p, rates[i], &outcomes[i], &outcomes[0]);
        is_same = is_same && outcomes[i].events == outcomes[0].events;
    }
    if (code != EXIT_FINE) return code;
    if (is_table(p)) {
        puts("Updates between two keyframes, and failed certificates over the same motion: there "
             "must be as\nmany at every rate.\n");
    }
    if (is_same) return EXIT_FINE;
    complain("bench", "%s, %s: the number of events depends on the rate of frames", p->spec,
             p->method->name);
    return EXIT_FOUND;
}

static int measure_rates(const subject *p)
{
    flight_outcome outcomes[RATES];
    paths keys;
    int code = EXIT_FINE;
    if (!paths_create(&keys, p->scene, frames_of(p, p->scene))) {
        code = complain("bench", "out of memory");
    }
    for (int i = 0; code == EXIT_FINE && i < RATES; i++) {
        progress_show((uint32_t)i, RATES);
        code = flight_along_keys(&keys, &p->method->engine, rates[i], &outcomes[i]);
    }
    progress_clear();
    if (code == EXIT_FINE) code = print_rates(p, outcomes, keys.key_count);
    paths_destroy(&keys);
    return code;
}

/* ---- 2: growth ---- */

static double n_log_n(const flight_outcome *o)
{
    double n = (double)o->triangles;
    return n > 1 ? n * log2(n) : n;
}

static double density(const flight_outcome *o)
{
    double size = n_log_n(o);
    return size > 0 ? (double)o->events / size : 0;
}

static int print_size(const subject *p, const flight_outcome *o, double most)
{
    if (is_table(p)) {
        printf("%10" PRIu64 " %12" PRIu64 " %12.5f  ", o->triangles, o->events, density(o));
        chart_bar(most > 0 ? density(o) / most : 0, BAR_WIDTH);
        puts("");
        return EXIT_FINE;
    }
    json_line line = line_begin(p, "size");
    line_flight(&line, o);
    json_line_real(&line, "ratio", density(o));
    return json_line_print(&line, "bench");
}

static int print_exponents(const subject *p, const flight_outcome outcomes[SIZES])
{
    growth_fit linear = {0}, by_n_log_n = {0};
    for (int i = 0; i < SIZES; i++) {
        growth_fit_add(&linear, (double)outcomes[i].triangles, (double)outcomes[i].events);
        growth_fit_add(&by_n_log_n, n_log_n(&outcomes[i]), (double)outcomes[i].events);
    }
    double exponent = growth_fit_exponent(&by_n_log_n);
    if (is_table(p)) {
        printf("Events grow as n log n to the power of %.2f, and as n to the power of %.2f. Bars "
               "are events over\nn log n: where they are equal, the power is 1.\n\n",
               exponent, growth_fit_exponent(&linear));
        return EXIT_FINE;
    }
    json_line line = line_begin(p, "growth");
    json_line_real(&line, "exponent", growth_fit_exponent(&linear));
    json_line_real(&line, "ratio", exponent);
    return json_line_print(&line, "bench");
}

static int print_growth(const subject *p, const flight_outcome outcomes[SIZES])
{
    int code = EXIT_FINE;
    double most = 0;
    for (int i = 0; i < SIZES; i++) most = fmax(most, density(&outcomes[i]));
    if (is_table(p)) {
        printf("%s, %s, in %d sizes\n%10s %12s %12s\n", p->spec, p->method->name, SIZES,
               "triangles", "events", "/ n log n");
    }
    for (int i = 0; code == EXIT_FINE && i < SIZES; i++) {
        code = print_size(p, &outcomes[i], most);
    }
    return code == EXIT_FINE ? print_exponents(p, outcomes) : code;
}

static int kinetic_measure_size(const subject *p, uint32_t divisor, flight_outcome *out)
{
    scene *s = open_resized(p->scene, divisor);
    if (s == NULL) return EXIT_ERROR;
    paths keys;
    int code = paths_create(&keys, s, frames_of(p, s))
                   ? flight_along_keys(&keys, &p->method->engine, GROWTH_BETWEEN, out)
                   : complain("bench", "out of memory");
    paths_destroy(&keys);
    scene_destroy(s);
    return code;
}

/* From the smallest on. */
static int measure_growth(const subject *p)
{
    flight_outcome outcomes[SIZES];
    int code = EXIT_FINE;
    for (int i = 0; code == EXIT_FINE && i < SIZES; i++) {
        progress_show((uint32_t)i, SIZES);
        code = kinetic_measure_size(p, 1U << (SIZES - 1 - i), &outcomes[i]);
    }
    progress_clear();
    return code == EXIT_FINE ? print_growth(p, outcomes) : code;
}

/* ---- 3: one event ---- */

/* Of an update, in nanoseconds per triangle of bodies with plans. */
static double refit_ns(const bench_rows *rows)
{
    double best = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        const bench_row *row = &rows->items[i];
        double ns = row->update_ms * 1e6 / (double)row->plan_triangles;
        if (row->setups == 0 && (best <= 0 || ns < best)) best = ns;
    }
    return best;
}

/* In nanoseconds; 0 if there were none. */
static double event_ns(const bench_row *row)
{
    double per_update = (double)row->events / (double)(row->frames - 1);
    return per_update > 0 ? row->update_ms * 1e6 / per_update : 0;
}

static int print_cost(const bench_options *options, const bench_row *row, double ns)
{
    double triangles = ns > 0 ? event_ns(row) / ns : 0;
    double events = (double)row->events / (double)(row->frames - 1);
    if (options->format == FORMAT_TABLE) {
        printf("%-40s %12.5f %12.1f", row->method, row->update_ms, events);
        if (row->events > 0) printf(" %12.1f %12.1f", event_ns(row), triangles);
        puts("");
        return EXIT_FINE;
    }
    json_line line = probe_line_begin("kinetic", options);
    json_line_text(&line, "part", "event");
    json_line_text(&line, "spec", row->spec);
    json_line_text(&line, "method", row->method);
    json_line_count(&line, "triangles", row->plan_triangles);
    json_line_real(&line, "update_ms", row->update_ms);
    json_line_real(&line, "events", events);
    json_line_real(&line, "event_ns", event_ns(row));
    json_line_real(&line, "refit_ns_per_triangle", ns);
    json_line_real(&line, "ratio", row->events > 0 ? triangles : 0);
    return json_line_print(&line, "bench");
}

static int print_costs(const bench_options *options, const bench_rows *rows)
{
    int code = EXIT_FINE;
    double ns = refit_ns(rows);
    if (options->format == FORMAT_TABLE) {
        printf("%s: %" PRIu64 " triangles with plans\n%-40s %12s %12s %12s %12s\n",
               rows->items[0].spec, rows->items[0].plan_triangles, "method", "update ms", "events",
               "ns/event", "triangles");
    }
    for (uint32_t i = 0; code == EXIT_FINE && i < rows->count; i++) {
        code = print_cost(options, &rows->items[i], ns);
    }
    if (code == EXIT_FINE && options->format == FORMAT_TABLE) {
        printf("Means per update. The best refit takes %.3f ns per triangle; triangles are how "
               "many of them an event\ncosts. The aim is at most 200.\n\n",
               ns);
    }
    return code;
}

/* The refits, then the kinetic trees, with events and without; each in the way of whole runs,
 * update alone. */
static int run_costs(const bench_options *options, bench_stage *stage, const char *spec,
                     bench_field *field)
{
    bench_report report;
    bench_rows rows = {.count = 0};
    int code = bench_run(stage, spec, field, options, &report) ? EXIT_FINE : EXIT_ERROR;
    if (code == EXIT_FINE && !bench_rows_add(&rows, &report, NULL)) {
        code = complain("bench", "out of memory");
    }
    if (code == EXIT_FINE) code = print_costs(options, &rows);
    bench_report_destroy(&report);
    bench_rows_destroy(&rows);
    return code;
}

static int measure_costs(const bench_options *options, const char *spec)
{
    bench_options own = *options;
    bench_stage stage;
    bench_field field = {.count = 0};
    char methods[BENCH_METHODS_MAX];
    int length = snprintf(methods, sizeof methods,
                          "bottom_up,hybrid,bottom_up:arity=2:leaf_triangles=1,%s,"
                          "kinetic_aabb:events=batch,kinetic_aabb:arity=2:leaf_triangles=1,"
                          "kinetic_aabb",
                          options->methods != NULL ? options->methods : paper_tree);
    if ((size_t)length >= sizeof methods) return complain_usage("bench", "--method is too long");
    own.methods = methods;
    own.question = QUESTION_NONE;
    int code = probe_stage_create(&stage, spec, &own);
    if (code == EXIT_FINE) code = kinetic_check_scene(spec, stage.scene);
    if (code == EXIT_FINE) code = probe_choose(&field, &own, methods, stage.scene);
    if (code == EXIT_FINE) code = run_costs(&own, &stage, spec, &field);
    bench_stage_destroy(&stage);
    return code;
}

/* ---- 4: straight on ---- */

static int print_straight(const subject *p, const flight_outcome *o, const flight_outcome *first)
{
    if (is_table(p)) {
        printf("%10" PRIu64 " %12" PRIu64 " %12.6f\n", o->triangles, o->events, o->update_ms);
        return EXIT_FINE;
    }
    json_line line = line_begin(p, "straight");
    line_flight(&line, o);
    json_line_real(&line, "ratio", first->update_ms > 0 ? o->update_ms / first->update_ms : 0);
    return json_line_print(&line, "bench");
}

/* A small body and one of 16 times its size. */
static int measure_straight(const subject *p)
{
    int code = EXIT_FINE;
    flight_outcome outcomes[2];
    for (int i = 0; code == EXIT_FINE && i < 2; i++) {
        scene *s = open_resized(p->scene, i == 0 ? 16 : 1);
        code = s != NULL ? flight_straight(s, &p->method->engine, STRAIGHT_UPDATES, &outcomes[i])
                         : EXIT_ERROR;
        scene_destroy(s);
    }
    if (code == EXIT_FINE && is_table(p)) {
        printf("The first body of %s, %s, flies straight on\n%10s %12s %12s\n", p->spec,
               p->method->name, "triangles", "events", "update ms");
    }
    for (int i = 0; code == EXIT_FINE && i < 2; i++) {
        code = print_straight(p, &outcomes[i], &outcomes[0]);
    }
    if (code != EXIT_FINE) return code;
    if (is_table(p)) puts("No events, and updates that do not depend on the size, are the aim.");
    if (outcomes[0].events + outcomes[1].events == 0) return EXIT_FINE;
    complain("bench", "%s: a body that only translates has events", p->spec);
    return EXIT_FOUND;
}

/* ---- the probe ---- */

static int check_methods(const bench_field *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const willow_method method = f->entries[i].engine.tree.method;
        if (method == WILLOW_METHOD_KINETIC_AABB || method == WILLOW_METHOD_KINETIC_BOXTREE)
            continue;
        return complain_usage(
            "bench",
            "the probe kinetic takes the methods kinetic_aabb and kinetic_boxtree, not "
            "%s",
            f->entries[i].name);
    }
    return EXIT_FINE;
}

/* Does one part with every method. What is found wrong does not keep the others from being done. */
static int for_methods(const bench_options *options, const char *spec, bool needs_keys,
                       int (*parts[])(const subject *p))
{
    bench_field field = {.count = 0};
    scene *s = scene_open("bench", spec);
    if (s == NULL) return EXIT_ERROR;
    int code = needs_keys ? kinetic_check_scene(spec, s) : EXIT_FINE, worst = EXIT_FINE;
    if (code == EXIT_FINE) code = probe_choose(&field, options, paper_tree, s);
    if (code == EXIT_FINE) code = check_methods(&field);
    for (uint32_t i = 0; code == EXIT_FINE && i < field.count; i++) {
        subject p = {options, spec, s, &field.entries[i]};
        for (int k = 0; code == EXIT_FINE && parts[k] != NULL; k++) {
            code = parts[k](&p);
            if (code != EXIT_FOUND) continue;
            worst = EXIT_FOUND;
            code = EXIT_FINE;
        }
    }
    scene_destroy(s);
    return code != EXIT_FINE ? code : worst;
}

/* An error goes before what was found. */
static int worse_of(int a, int b)
{
    if (a == EXIT_ERROR || b == EXIT_ERROR) return EXIT_ERROR;
    return a != EXIT_FINE ? a : b;
}

int probe_kinetic(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    static int (*with_keys[])(const subject *p) = {measure_rates, measure_growth, NULL};
    static int (*without[])(const subject *p) = {measure_straight, NULL};
    static const char *const usual[] = {"tablecloth:triangles=16000,frames=121,inbetween=9",
                                        "avatar:triangles=16000,frames=121,inbetween=9"};
    static const char usual_event[] =
        "avatar:triangles=50000,variant=dress,frames=153,inbetween=50",
                      usual_straight[] = "bumpy:triangles=327680";
    bench_options own = *options;
    own.engine.plans = true;
    own.engine.poses = POSES_GIVEN;
    bool is_named = options->scene_count > 0;
    const char *const *specs = is_named ? options->scenes : usual;
    uint32_t count = is_named ? options->scene_count : 2;
    int code = EXIT_FINE;
    for (uint32_t i = 0; code != EXIT_ERROR && i < count; i++) {
        code = worse_of(code, for_methods(&own, specs[i], true, with_keys));
    }
    if (code == EXIT_ERROR) return code;
    code = worse_of(code, measure_costs(&own, is_named ? specs[0] : usual_event));
    if (code == EXIT_ERROR) return code;
    return worse_of(code, for_methods(&own, is_named ? specs[0] : usual_straight, false, without));
}
