/* edits.h - what edits cost: rows of `willow bench --suite edits`.
 *
 * A row is the slab of scenes/cutting.h, in one size, still or deforming, with one method. State
 * accumulates, so each contender plays all steps afresh, in turns with the others; medians of
 * several such turns are reported.
 *
 *   side.c     one contender: a world, and one step of it
 *   measure.c  all contenders of a row in turns
 *   print.c    rows as JSON lines and as a table */
#ifndef BENCH_EDITS_EDITS_H
#define BENCH_EDITS_EDITS_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "willow/willow.h"

typedef struct edits_def {
    uint32_t triangles;
    bool deforms;
    uint32_t steps; /* 0: until all is cut */
} edits_def;

/* What a step is. X(enum, word) */
#define EDITS_SIDES(X)                                                                             \
    X(EDITED, "edit")        /* an edit, an update, the first pair of slab and blade */            \
    X(RECREATED, "recreate") /* the body destroyed and created instead */                          \
    X(PLAIN, "plain")        /* nothing instead: what the step costs without an edit */

typedef enum edits_side_kind {
#define EDITS_ENTRY(name, word) EDITS_##name,
    EDITS_SIDES(EDITS_ENTRY)
#undef EDITS_ENTRY
        EDITS_SIDE_COUNT
} edits_side_kind;

typedef struct edits_row {
    edits_def def;
    char method[64];
    uint32_t repeats, steps;
    uint64_t triangles, end_triangles; /* before the first step, and after the last */
    double removed, added;             /* in a step, in the mean */
    double step_ms[EDITS_SIDE_COUNT];  /* a step, in the mean; the median of the repeats */
    double edit_us;                    /* of a triangle removed or added: edited less plain */
    double tests, fresh_tests;         /* volumes and triangles for all pairs after the last step,
                                          the blade being at places along the cut */
    double half_ms;                    /* half of the body is removed: edit, update, first pair */
    double split_ms, merge_ms;         /* in two and back: call, update, first pair */
    uint64_t pairs;                    /* at all of these */
    bool is_wrong;                     /* sides answer differently */
} edits_row;

/* From "cutting:triangles=N,variant=still|deforming". An exit code. */
int edits_read_spec(const char *spec, edits_def *out);

/* An exit code: an error without a word if Ctrl-C was pressed (bench/common/stop.h). */
int edits_measure(const edits_def *def, const char *method, const bench_options *options,
                  edits_row *out);

/* How much longer a step takes with a body made anew, and tests of its tree over those of a fresh
 * one. */
double edits_times_recreated(const edits_row *row);
double edits_test_ratio(const edits_row *row);
const char *edits_variant(const edits_row *row);

/* To standard output, in the format of the options. An exit code. */
void edits_print_heads(const bench_options *options);
int edits_print(const edits_row *row, const bench_options *options);

#endif
