/* toi.c - what a decision about moving features costs, against the yardstick's triangle test.
 *
 * Vertices against faces, edges against edges and triangles against triangles are decided in turns,
 * a block of each, beginning with another kind each time. All candidates of all steps make a pass,
 * so that no branch predictor has learnt the answers when a block comes again. The primitives are
 * those of willow/prim.h, one call per candidate; gathering the four points is timed too, as the
 * yardstick also gathers its corners. */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/numbers.h"
#include "bench/peers/plain.h"
#include "bench/play/engine.h"
#include "bench/probes/probe.h"
#include "bench/probes/steps.h"
#include "bench/run/options.h"
#include "bench/suites/suites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 512, PASSES = 4 };

/* What the library takes if it is told 0. */
static const double usual_tolerance = 1e-6;
enum { USUAL_ITERATIONS = 10000 };

typedef struct toi_limits {
    double distance, tolerance;
    uint32_t max_iterations;
} toi_limits;

typedef struct toi_times {
    double ms;
    uint64_t timed, hits, undecided; /* of all passes */
    uint64_t total;                  /* candidates, timed or not, of one pass */
} toi_times;

typedef struct toi_probe {
    const bench_options *options;
    probe_steps steps;
    toi_limits limits;
    toi_times times[STEP_WORKS];
    uint8_t *meet; /* answers of the yardstick */
    uint32_t turn;
} toi_probe;

static toi_limits limits_of(const engine_options *e)
{
    return (toi_limits){.distance = e->touch_distance,
                        .tolerance = e->tolerance > 0 ? e->tolerance : usual_tolerance,
                        .max_iterations =
                            e->max_iterations > 0 ? e->max_iterations : USUAL_ITERATIONS};
}

/* ---- one block ---- */

typedef willow_toi toi_function(const double start[4][3], const double end[4][3],
                                double touch_distance, double tolerance, uint32_t max_iterations,
                                double *toi);

static void decide_features(const toi_probe *p, const probe_step *step, step_work work,
                            const plain_pair *pairs, size_t count, uint64_t answers[3])
{
    toi_function *decide = work == STEP_VERTEX_FACE ? willow_vertex_face_toi : willow_edge_edge_toi;
    for (size_t i = 0; i < count; i++) {
        double start[4][3], end[4][3], toi;
        candidate_points(&p->steps.mesh, (const double(*)[3])step->start, (candidate_kind)work,
                         pairs[i].tri_a, pairs[i].tri_b, start);
        candidate_points(&p->steps.mesh, (const double(*)[3])step->end, (candidate_kind)work,
                         pairs[i].tri_a, pairs[i].tri_b, end);
        answers[decide((const double(*)[3])start, (const double(*)[3])end, p->limits.distance,
                       p->limits.tolerance, p->limits.max_iterations, &toi)]++;
    }
}

static void run_features(toi_probe *p, const probe_step *step, step_work work,
                         const plain_pair *pairs, size_t count)
{
    uint64_t answers[3] = {0};
    double start = now_ms();
    decide_features(p, step, work, pairs, count, answers);
    p->times[work].ms += now_ms() - start;
    p->times[work].hits += answers[WILLOW_TOI_IMPACT];
    p->times[work].undecided += answers[WILLOW_TOI_UNDECIDED];
}

static void run_triangles(toi_probe *p, const probe_step *step, const plain_pair *pairs,
                          size_t count)
{
    plain_mesh mesh = probe_step_plain(&p->steps, step);
    double start = now_ms();
    plain_test_pairs(&mesh, &mesh, pairs, count, p->meet);
    p->times[STEP_PLAIN].ms += now_ms() - start;
    for (size_t i = 0; i < count; i++) p->times[STEP_PLAIN].hits += p->meet[i];
}

/* The part of the list that belongs to a round. */
static void run_work(toi_probe *p, const probe_step *step, step_work work, size_t round,
                     size_t rounds)
{
    const step_list *list = &step->lists[work];
    size_t first = list->count * round / rounds, end = list->count * (round + 1) / rounds;
    if (first == end) return;
    if (work == STEP_PLAIN) {
        run_triangles(p, step, list->items + first, end - first);
    } else {
        run_features(p, step, work, list->items + first, end - first);
    }
    p->times[work].timed += end - first;
}

/* ---- a step ---- */

/* As many as give each kind blocks that are worth timing. */
static size_t rounds_of(const probe_step *step)
{
    size_t least = SIZE_MAX;
    for (int i = 0; i < STEP_WORKS; i++) {
        size_t count = step->lists[i].count;
        if (count > 0 && count < least) least = count;
    }
    return least != SIZE_MAX && least > BLOCK ? least / BLOCK : 1;
}

static void toi_run_step(toi_probe *p, const probe_step *step)
{
    size_t rounds = rounds_of(step);
    for (size_t round = 0; round < rounds; round++, p->turn++) {
        for (uint32_t i = 0; i < STEP_WORKS; i++) {
            run_work(p, step, (step_work)((p->turn + i) % STEP_WORKS), round, rounds);
        }
    }
}

static int toi_run(toi_probe *p)
{
    size_t room = 1;
    for (uint32_t i = 0; i < p->steps.count; i++) {
        const probe_step *step = &p->steps.items[i];
        for (int k = 0; k < STEP_WORKS; k++) p->times[k].total += step->lists[k].total;
        if (step->lists[STEP_PLAIN].count > room) room = step->lists[STEP_PLAIN].count;
    }
    p->meet = malloc(room);
    if (p->meet == NULL) return complain("bench", "out of memory");
    for (uint32_t pass = 0; pass < PASSES * p->options->repeat; pass++) {
        p->turn = pass;
        for (uint32_t i = 0; i < p->steps.count; i++) toi_run_step(p, &p->steps.items[i]);
    }
    free(p->meet);
    return EXIT_FINE;
}

/* ---- what came out ---- */

static double toi_over(double a, double b) { return b > 0 ? a / b : 0; }

static double ns_of(const toi_times *t) { return toi_over(t->ms * 1e6, (double)t->timed); }
static double hits_of(const toi_times *t) { return toi_over((double)t->hits, (double)t->timed); }
static double undecided_of(const toi_times *t)
{
    return toi_over((double)t->undecided, (double)t->timed);
}

/* Of both kinds together, each by how many candidates it has. */
static double ns_of_both(const toi_probe *p)
{
    const toi_times *vf = &p->times[STEP_VERTEX_FACE], *ee = &p->times[STEP_EDGE_EDGE];
    return toi_over(ns_of(vf) * (double)vf->total + ns_of(ee) * (double)ee->total,
                    (double)(vf->total + ee->total));
}

static void toi_print_row(const char *name, const toi_times *t, double plain_ns)
{
    printf("%-12s %12" PRIu64 " %8.2f%% %9.3f%% %9.1f %7.2f\n", name, t->total, hits_of(t) * 100,
           undecided_of(t) * 100, ns_of(t), toi_over(ns_of(t), plain_ns));
}

static void toi_print_table(const toi_probe *p, const char *subject)
{
    const toi_times *plain = &p->times[STEP_PLAIN];
    double plain_ns = ns_of(plain), both_ns = ns_of_both(p);
    printf("%s: %" PRIu32 " triangles in %" PRIu32 " bod%s, %" PRIu32 " step%s\n", subject,
           p->steps.mesh.face_count, p->steps.body_count, p->steps.body_count == 1 ? "y" : "ies",
           p->steps.count, plural(p->steps.count));
    printf("%-12s %12s %9s %10s %9s %7s\n", "decision", "candidates", "touch", "undecided", "ns",
           "tests");
    toi_print_row("vertex-face", &p->times[STEP_VERTEX_FACE], plain_ns);
    toi_print_row("edge-edge", &p->times[STEP_EDGE_EDGE], plain_ns);
    printf("%-12s %12" PRIu64 " %9s %10s %9.1f %7.2f\n", "both",
           p->times[STEP_VERTEX_FACE].total + p->times[STEP_EDGE_EDGE].total, "", "", both_ns,
           toi_over(both_ns, plain_ns));
    printf("%-12s %12" PRIu64 " %8.2f%% %10s %9.1f\n", "peer:plain", plain->total,
           hits_of(plain) * 100, "", plain_ns);
}

static void add_times(json_line *line, const char *name, const toi_times *t, double plain_ns)
{
    char key[64];
    snprintf(key, sizeof key, "%s_candidates", name);
    json_line_count(line, key, t->total);
    snprintf(key, sizeof key, "%s_touch", name);
    json_line_real(line, key, hits_of(t));
    snprintf(key, sizeof key, "%s_undecided", name);
    json_line_real(line, key, undecided_of(t));
    snprintf(key, sizeof key, "%s_ns", name);
    json_line_real(line, key, ns_of(t));
    snprintf(key, sizeof key, "%s_ratio", name);
    json_line_real(line, key, toi_over(ns_of(t), plain_ns));
}

static int toi_print_json(const toi_probe *p, const char *subject)
{
    const toi_times *plain = &p->times[STEP_PLAIN];
    json_line line = probe_line_begin("toi", p->options);
    json_line_text(&line, "spec", subject);
    json_line_count(&line, "triangles", p->steps.mesh.face_count);
    json_line_count(&line, "bodies", p->steps.body_count);
    json_line_count(&line, "steps", p->steps.count);
    json_line_real(&line, "distance", p->limits.distance);
    json_line_real(&line, "tolerance", p->limits.tolerance);
    add_times(&line, "vertex_face", &p->times[STEP_VERTEX_FACE], ns_of(plain));
    add_times(&line, "edge_edge", &p->times[STEP_EDGE_EDGE], ns_of(plain));
    json_line_count(&line, "plain_candidates", plain->total);
    json_line_real(&line, "plain_meet", hits_of(plain));
    json_line_real(&line, "plain_ns", ns_of(plain));
    json_line_real(&line, "ratio", toi_over(ns_of_both(p), ns_of(plain)));
    return json_line_print(&line, "bench");
}

/* ---- the probe ---- */

/* Takes the steps over. */
static int toi_measure(toi_probe *p, int code, const char *subject)
{
    if (code == EXIT_FINE) code = toi_run(p);
    if (code == EXIT_FINE) {
        if (p->options->format == FORMAT_TABLE) {
            toi_print_table(p, subject);
        } else {
            code = toi_print_json(p, subject);
        }
    }
    probe_steps_destroy(&p->steps);
    return code;
}

static toi_probe probe_with(const bench_options *options)
{
    return (toi_probe){.options = options, .limits = limits_of(&options->engine)};
}

static int measure_scenes(const bench_options *options)
{
    /* Large steps, in which much is swept over, then small ones. */
    static const char *const usual[] = {"rollers", "selfcloth:triangles=16384,frames=16",
                                        "bumpy:triangles=20480", "selfcloth:triangles=16384"};
    const char *const *specs = options->scene_count > 0 ? options->scenes : usual;
    uint32_t count = options->scene_count > 0 ? options->scene_count : 4;
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < count; i++) {
        if (options->scene_count == 0 && !bench_has_scene(specs[i])) continue;
        toi_probe p = probe_with(options);
        code =
            toi_measure(&p, probe_steps_of_scene(&p.steps, specs[i], p.limits.distance), specs[i]);
    }
    return code;
}

static int measure_files(const probe_options *probe)
{
    toi_probe p = probe_with(&probe->bench);
    char subject[512];
    snprintf(subject, sizeof subject, "%.250s %.250s", probe->files[0], probe->files[1]);
    return toi_measure(&p, probe_steps_of_files(&p.steps, probe->files, p.limits.distance),
                       subject);
}

int probe_toi(const probe_options *probe)
{
    const bench_options *options = &probe->bench;
    if (probe->file_count > 0 && options->scene_count > 0) {
        return complain_usage("bench", "toi takes scenes or two files, not both");
    }
    int code = probe->file_count > 0 ? measure_files(probe) : measure_scenes(options);
    if (code == EXIT_FINE && options->format == FORMAT_TABLE) {
        puts("Of one decision; tests: in triangle tests of peer:plain. On large steps the aim is 8 "
             "or less.");
    }
    return code;
}
