/* run_scenes.c - measures scene after scene, and hands on what came out.
 *
 * Way in: bench_scenes. Rows are printed as soon as their scene is done; how times grow with its
 * size is printed, and files are written, at the end. */
#include "bench/suites/run_scenes.h"
#include "bench/common/complain.h"
#include "bench/common/open_scene.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/pages/pages.h"
#include "bench/run/contender.h"
#include "bench/run/growth.h"
#include "bench/run/measure.h"
#include "bench/run/options.h"
#include "bench/run/print.h"
#include "bench/run/question.h"
#include "bench/run/result.h"
#include "bench/run/row.h"
#include "bench/run/stage.h"
#include "bench/run/stream.h"
#include "bench/suites/parts.h"

/* ---- one scene ---- */

/* What a run of several scenes has in hand. */
typedef struct whole {
    const bench_options *options;
    const stream_curve *curve; /* NULL: not asked for */
    suite_parts parts;
    double weights[BENCH_SCENES_MAX]; /* by scene: triangles of all frames and contenders */
    bench_rows rows;
    bool is_wrong; /* some Willow method gave another answer */
} whole;

static int take_results(whole *w, bench_report *report)
{
    uint32_t first = w->rows.count;
    if (!bench_rows_add(&w->rows, report, w->curve)) return complain("bench", "out of memory");
    for (uint32_t i = first; i < w->rows.count; i++) {
        w->is_wrong = w->is_wrong || w->rows.items[i].wrong;
    }
    int code = bench_print(&w->rows, first, w->options);
    bench_warn_of_yardstick(&w->rows, first);
    return code;
}

static int run_contenders(whole *w, const bench_options *options, const char *spec, bench_field *f,
                          bench_stage *stage)
{
    bench_report report;
    int code = bench_run(stage, spec, f, options, &report) ? take_results(w, &report) : EXIT_ERROR;
    bench_report_destroy(&report);
    return code;
}

/* One scene, one question. */
static int suite_run_scene(whole *w, const bench_options *all, const char *spec, bool is_first,
                           bench_question question)
{
    bench_options options = *all;
    options.question = question;
    scene *s = scene_open("bench", spec);
    if (s == NULL) return EXIT_ERROR;
    if (is_first) scene_tell_rounding("bench", spec, s);
    bench_field f = {.count = 0};
    int code = bench_check_frames(&options, spec, s);
    if (code == EXIT_FINE) code = bench_choose(&f, &options, s);
    if (code != EXIT_FINE) {
        scene_destroy(s);
        return code;
    }
    bench_stage stage;
    if (bench_stage_create(&stage, s, &options)) {
        code = bench_leave_out(&f, &options, &stage);
        if (code == EXIT_FINE) code = run_contenders(w, &options, spec, &f, &stage);
    } else {
        code = complain("bench", "out of memory");
    }
    bench_stage_destroy(&stage);
    return code;
}

/* ---- all of them ---- */

/* Triangles that all contenders go through, for each question. */
static double weight_of(const bench_options *options, uint32_t number, const scene *s)
{
    const char *methods = options->scene_methods[number];
    const uint32_t count = suite_list_length(methods != NULL ? methods : options->methods);
    return (double)scene_triangle_total(s) * bench_frames(options, s) * count + 1;
}

static uint32_t questions_of(const bench_options *options, uint32_t number)
{
    const char *questions = options->scene_questions[number];
    return questions != NULL ? suite_list_length(questions) : options->question_count;
}

/* A mistake in the last scene should not be found after hours. */
static int check_scenes(whole *w)
{
    const bench_options *options = w->options;
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < options->scene_count; i++) {
        scene *s = scene_open("bench", options->scenes[i]);
        code = s != NULL ? bench_check_frames(options, options->scenes[i], s) : EXIT_ERROR;
        if (code == EXIT_FINE) w->weights[i] = weight_of(options, i, s);
        scene_destroy(s);
    }
    return code;
}

/* The methods and the questions of a scene may be its own. */
static int run_questions(whole *w, uint32_t number)
{
    bench_options options = *w->options;
    const char *methods = options.scene_methods[number];
    const char *questions = options.scene_questions[number];
    if (methods != NULL) options.methods = methods;
    options.skips_missing_peers = methods != NULL;
    int code = questions != NULL ? bench_take_questions(&options, questions) : EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE && i < options.question_count; i++) {
        if (i == 0)
            suite_next(&w->parts, options.scenes[number], w->weights[number]);
        else
            progress_begin_part(NULL, w->weights[number]);
        code = suite_run_scene(w, &options, options.scenes[number], i == 0, options.questions[i]);
    }
    return code;
}

static suite_parts begin_parts(const whole *w)
{
    double weight = 0;
    for (uint32_t i = 0; i < w->options->scene_count; i++)
        weight += w->weights[i] * questions_of(w->options, i);
    return suite_begin("scene", w->options->scene_count, weight);
}

static int suite_run_all(whole *w)
{
    int code = EXIT_FINE;
    w->parts = begin_parts(w);
    for (uint32_t i = 0; code == EXIT_FINE && i < w->options->scene_count; i++) {
        code = run_questions(w, i);
    }
    code = suite_end(code, w->rows.count);
    if (stop_was_asked() && w->rows.count > 0) report_write(&w->rows, w->curve, w->options);
    if (code == EXIT_FINE) code = bench_print_growth(&w->rows, w->options);
    if (code == EXIT_FINE) code = report_write(&w->rows, w->curve, w->options);
    if (code == EXIT_FINE && w->is_wrong) code = EXIT_FOUND;
    return code;
}

int bench_scenes(const bench_options *options)
{
    stream_curve curve;
    whole w = {.options = options, .weights = {1}};
    int code = report_check(options);
    if (code == EXIT_FINE && options->scene_count > 1) code = check_scenes(&w);
    if (code == EXIT_FINE && options->limit) {
        if (!stream_curve_measure(&curve)) return complain("bench", "out of memory");
        w.curve = &curve;
    }
    if (code == EXIT_FINE) code = suite_run_all(&w);
    bench_rows_destroy(&w.rows);
    return code;
}
