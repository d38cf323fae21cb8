/* measure.c - the rules of measuring a row: both sides in turns, the best of several askings.
 *
 * A side that has taken a second in all is not asked again, so that a row that takes long is asked
 * once, and its comparable, which does not, as often as in any other row. */
#include "bench/cliffs/cliffs.h"
#include "bench/cliffs/side.h"
#include "bench/common/complain.h"
#include "bench/common/progress.h"
#include "bench/common/stop.h"

#include <math.h>

enum { ROUNDS = 10 };
#define ENOUGH_MS 1000.0

double cliff_times(const cliff_row *row)
{
    const cliff_side *a = &row->asked, *b = &row->compared;
    double times = b->repeats > 0 && b->ms > 0 ? a->ms / b->ms : (double)NAN;
    if (row->def->kind != CLIFF_PER_TRIANGLE || a->triangles == 0) return times;
    return times * (double)b->triangles / (double)a->triangles;
}

bool cliff_is_met(const cliff_row *row)
{
    return row->def->at_most == 0 || cliff_times(row) <= row->def->at_most;
}

static uint32_t rounds_of(const bench_options *options)
{
    return options->repeat > 1 ? options->repeat : ROUNDS;
}

/* Nothing to complain of: Ctrl-C ends the row. */
static int begin_round(uint32_t round, const bench_options *options)
{
    progress_show_of("round", round, rounds_of(options));
    return stop_was_asked() ? EXIT_ERROR : EXIT_FINE;
}

static bool is_enough(const side *d, uint32_t round, const bench_options *options)
{
    const uint32_t rounds = rounds_of(options);
    return d->spent_ms >= ENOUGH_MS || round >= rounds;
}

/* The first time is what the others are compared with. */
static int measure_again(const cliff_def *def, const bench_options *options, cliff_row *row)
{
    side first;
    int code = side_create(&first, &def->asked, options);
    for (uint32_t i = 0; code == EXIT_FINE && !is_enough(&first, i, options); i++) {
        code = begin_round(i, options);
        if (code == EXIT_FINE) code = side_ask(&first);
        if (code == EXIT_FINE) code = side_ask_again(&first, &row->asked);
    }
    row->compared = first.outcome;
    row->asked.triangles = first.outcome.triangles;
    row->asked.bodies = first.outcome.bodies;
    side_destroy(&first);
    return code;
}

/* All pairs as close as the closest: found by the distance to which a search may be told to go. */
static int take_known_limit(side *asked, side *comparable)
{
    int code = side_ask(asked);
    if (code == EXIT_FINE)
        comparable->player.query.near_distance = bench_answer_distance(&asked->answer);
    return code;
}

static int measure_turns(side *asked, side *comparable, const bench_options *options)
{
    int code = EXIT_FINE;
    for (uint32_t i = 0; code == EXIT_FINE; i++) {
        const bool is_done = is_enough(asked, i, options);
        const bool is_other_done = comparable == NULL || is_enough(comparable, i, options);
        if (is_done && is_other_done) break;
        code = begin_round(i, options);
        if (!is_done && code == EXIT_FINE) code = side_ask(asked);
        if (!is_other_done && code == EXIT_FINE) code = side_ask(comparable);
    }
    return code;
}

static int measure_two(const cliff_def *def, const bench_options *options, cliff_row *row)
{
    side asked, comparable = {.scene = NULL};
    const bool has_other = def->comparable.spec != NULL;
    int code = side_create(&asked, &def->asked, options);
    if (code == EXIT_FINE && has_other) code = side_create(&comparable, &def->comparable, options);
    if (code == EXIT_FINE && def->kind == CLIFF_KNOWN_LIMIT) {
        code = take_known_limit(&asked, &comparable);
    }
    if (code == EXIT_FINE) code = measure_turns(&asked, has_other ? &comparable : NULL, options);
    row->asked = asked.outcome;
    row->compared = comparable.outcome;
    side_destroy(&asked);
    side_destroy(&comparable);
    return code;
}

int cliff_measure(const cliff_def *def, const bench_options *options, cliff_row *out)
{
    *out = (cliff_row){.def = def};
    return def->kind == CLIFF_AGAIN ? measure_again(def, options, out)
                                    : measure_two(def, options, out);
}
