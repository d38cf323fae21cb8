/* measure.c - the rules of measuring a row: each side plays all steps in a world of its own, then
 * the next side does, and all of that several times. Which side begins changes from time to time.
 */
#include "bench/common/clock.h"
#include "bench/common/complain.h"
#include "bench/common/numbers.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"
#include "bench/edits/edits.h"
#include "bench/edits/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 7, MOST_ROUNDS = 99, MOST_STEPS = 100 };

/* What is measured once in a round. */
enum { HALF = EDITS_SIDE_COUNT, SPLIT, MERGE, TIMES };

typedef struct measuring {
    const bench_options *options;
    engine_options engine;
    edits_row *row;
    uint32_t round;
    double ms[TIMES][MOST_ROUNDS];
    uint64_t pairs[EDITS_SIDE_COUNT];
} measuring;

/* ---- which slab ---- */

static int refuse_spec(const char *spec)
{
    return complain_usage("bench",
                          "--suite edits has scenes cutting:triangles=N,variant=still|deforming, "
                          "with 1,000 to 4,000,000 triangles, and not '%s'",
                          spec);
}

int edits_read_spec(const char *spec, edits_def *out)
{
    char text[SCENE_SPEC_MAX];
    *out = (edits_def){.triangles = 90560};
    if (strlen(spec) >= sizeof text) return refuse_spec(spec);
    memcpy(text, spec, strlen(spec) + 1);
    char *rest = text + strcspn(text, ":");
    if (*rest != '\0') *rest++ = '\0';
    if (strcmp(text, "cutting") != 0) return refuse_spec(spec);
    while (*rest != '\0') {
        char *word = rest;
        rest += strcspn(rest, ",");
        if (*rest != '\0') *rest++ = '\0';
        if (strncmp(word, "triangles=", 10) == 0 &&
            parse_count(word + 10, 1000, 4000000, &out->triangles))
            continue;
        if (strcmp(word, "variant=still") != 0 && strcmp(word, "variant=deforming") != 0)
            return refuse_spec(spec);
        out->deforms = strcmp(word, "variant=deforming") == 0;
    }
    return EXIT_FINE;
}

/* ---- one side ---- */

static uint32_t most_steps(const measuring *m)
{
    if (m->options->frames > 0) return m->options->frames;
    return m->row->def.steps > 0 ? m->row->def.steps : MOST_STEPS;
}

static int play_steps(measuring *m, edits_side *side)
{
    const uint32_t most = most_steps(m);
    bool goes_on = true;
    int code = EXIT_FINE;
    m->row->steps = 0;
    while (code == EXIT_FINE && goes_on && m->row->steps < most) {
        code = stop_was_asked() ? EXIT_ERROR : edits_side_step(side, &goes_on);
        m->row->steps += goes_on;
    }
    return code;
}

static int look_back(measuring *m, edits_side *side)
{
    edits_row *row = m->row;
    double *tests = side->kind == EDITS_EDITED ? &row->tests : &row->fresh_tests;
    m->ms[side->kind][m->round] = side->ms / row->steps;
    row->is_wrong = row->is_wrong || !side->found;
    row->removed = (double)side->removed / row->steps;
    row->added = (double)side->added / row->steps;
    row->end_triangles = side->cut.live_count;
    if (side->kind == EDITS_PLAIN) return EXIT_FINE;
    int code = edits_side_count(side, &m->pairs[side->kind], tests);
    if (side->kind != EDITS_EDITED) return code;
    if (code == EXIT_FINE)
        code = edits_side_split(side, &m->ms[SPLIT][m->round], &m->ms[MERGE][m->round]);
    return code;
}

/* In a world of its own, since a merge gives other numbers. */
static int measure_half(measuring *m)
{
    edits_side side;
    int code = edits_side_create(&side, EDITS_EDITED, &m->row->def, &m->engine);
    if (code == EXIT_FINE) code = edits_side_halve(&side, &m->ms[HALF][m->round]);
    edits_side_destroy(&side);
    return code;
}

static int play_side(measuring *m, edits_side_kind kind)
{
    edits_side side;
    int code = edits_side_create(&side, kind, &m->row->def, &m->engine);
    m->row->triangles = side.cut.live_count;
    if (code == EXIT_FINE) code = play_steps(m, &side);
    if (code == EXIT_FINE) code = look_back(m, &side);
    edits_side_destroy(&side);
    return code;
}

/* ---- a row ---- */

static void take_medians(measuring *m)
{
    edits_row *row = m->row;
    for (int kind = 0; kind < EDITS_SIDE_COUNT; kind++)
        row->step_ms[kind] = median_of(m->ms[kind], row->repeats);
    row->half_ms = median_of(m->ms[HALF], row->repeats);
    row->split_ms = median_of(m->ms[SPLIT], row->repeats);
    row->merge_ms = median_of(m->ms[MERGE], row->repeats);
    row->edit_us = 1000 * (row->step_ms[EDITS_EDITED] - row->step_ms[EDITS_PLAIN]) /
                   (row->removed + row->added);
    row->pairs = m->pairs[EDITS_EDITED];
    row->is_wrong = row->is_wrong || m->pairs[EDITS_EDITED] != m->pairs[EDITS_RECREATED];
}

static int measure_rounds(measuring *m)
{
    int code = EXIT_FINE;
    for (m->round = 0; m->round < m->row->repeats && code == EXIT_FINE; m->round++) {
        for (uint32_t i = 0; i < EDITS_SIDE_COUNT && code == EXIT_FINE; i++) {
            progress_show_of("run", m->round * EDITS_SIDE_COUNT + i,
                             m->row->repeats * EDITS_SIDE_COUNT);
            code = play_side(m, (edits_side_kind)((i + m->round) % EDITS_SIDE_COUNT));
        }
        if (code == EXIT_FINE) code = measure_half(m);
    }
    progress_clear();
    return code;
}

int edits_measure(const edits_def *def, const char *method, const bench_options *options,
                  edits_row *out)
{
    measuring m = {.options = options, .engine = options->engine, .row = out};
    *out = (edits_row){.def = *def};
    snprintf(out->method, sizeof out->method, "%s", method);
    out->repeats = options->repeat > 1 ? options->repeat : ROUNDS;
    if (out->repeats > MOST_ROUNDS) out->repeats = MOST_ROUNDS;
    int code = engine_take_method(&m.engine, "bench", method);
    if (code == EXIT_FINE) code = measure_rounds(&m);
    if (code == EXIT_FINE) take_medians(&m);
    return code;
}
