/* cliffs.h - shapes that real users have and that searches are slow on, each beside a question that
 * should take about as long: rows of `willow bench --suite cliffs`.
 *
 *   table.c    the rows: shape, question, what they are compared with, and the limit
 *   side.c     one of the two sides of a row: a scene in a world, and a question to it
 *   measure.c  both sides in turns
 *   print.c    rows as JSON lines and as a table */
#ifndef BENCH_CLIFFS_CLIFFS_H
#define BENCH_CLIFFS_CLIFFS_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "bench/run/question.h"
#include "willow/willow.h"

#include <stdbool.h>
#include <stdint.h>

/* What is asked of which scene. */
typedef struct cliff_question {
    const char *spec; /* NULL: there is nothing to compare with */
    bench_question question;
    const char *settings; /* "key=value:key=value" for this question alone; "" for none */
    uint32_t frame;       /* of the scene, or where the step begins */
} cliff_question;

/* How the two sides belong together. */
typedef enum cliff_kind {
    CLIFF_WHOLE,        /* time against time */
    CLIFF_PER_TRIANGLE, /* times are divided by triangles before they are compared */
    CLIFF_KNOWN_LIMIT,  /* the comparable is told the distance that the row finds */
    CLIFF_AGAIN         /* compared with the same question the first time it is asked */
} cliff_kind;

typedef struct cliff_def {
    const char *shape; /* several rows may have the same */
    cliff_question asked;
    const char *compared; /* in words */
    cliff_question comparable;
    cliff_kind kind;
    double at_most; /* how many times the comparable it may take; 0: no limit */
} cliff_def;

/* Ended by one without a shape. */
extern const cliff_def cliff_defs[];

/* What one side did. */
typedef struct cliff_side {
    uint64_t triangles, bodies;
    double ms, update_ms; /* the best of all askings; of the updates before them */
    uint32_t repeats;     /* how often it was asked */
    uint64_t found;
    willow_query_stats stats; /* of one asking */
} cliff_side;

typedef struct cliff_row {
    const cliff_def *def;
    cliff_side asked, compared; /* the second is empty if there is nothing to compare with */
} cliff_row;

/* How many times as long as the comparable it takes, per triangle where the row says so; NaN if
 * there is none. */
double cliff_times(const cliff_row *row);

/* False if it takes longer than it may. */
bool cliff_is_met(const cliff_row *row);

/* Whether the options ask for this row: --scene names shapes or scenes, --query questions. */
bool cliff_is_wanted(const cliff_def *def, const bench_options *options);

/* An exit code: every word of --scene must name a shape or a scene that is in the table. */
int cliff_check_names(const bench_options *options);

/* Asks both questions in turns. An exit code: an error without a word if Ctrl-C was pressed
 * (bench/common/stop.h). */
int cliff_measure(const cliff_def *def, const bench_options *options, cliff_row *out);

/* To standard output, in the format of the options. An exit code. */
void cliff_print_heads(const bench_options *options);
int cliff_print(const cliff_row *row, const bench_options *options);
json_line cliff_json(const cliff_row *row);

#endif
