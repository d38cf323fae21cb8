/* growth.h - how the time of a contender grows with the size of a scene.
 *
 * Where a run has a scene in at least three sizes, time is taken to be a power of the number of
 * triangles, and its exponent is fitted by least squares on logarithms. */
#ifndef BENCH_RUN_GROWTH_H
#define BENCH_RUN_GROWTH_H

#include "bench/run/options.h"
#include "bench/run/row.h"

/* The points that a power is fitted to: sums over their logarithms. */
typedef struct growth_fit {
    double count, x, y, xx, xy;
} growth_fit;

/* A time of 0 has no logarithm and is left out. */
void growth_fit_add(growth_fit *fit, double triangles, double ms);
double growth_fit_exponent(const growth_fit *fit);

/* One contender on one family of scenes, which are equal but for their size. */
typedef struct bench_growth {
    const char *family, *method, *query; /* those of its rows */
    double exponent;
    uint64_t from, to; /* triangles of all bodies */
} bench_growth;

/* What grows: a time of a row, or 0 if it has none. */
typedef double growth_measure(const bench_row *row);

/* Fills *out if row `i` is the first of its contender, family and question, and there are sizes
 * enough that have the measure; else false. So all rows in turn give every growth once. */
bool bench_growth_of(const bench_rows *rows, uint32_t i, growth_measure *measure,
                     bench_growth *out);

/* The measure of the tables: the mean of all counted frames. */
double growth_total_ms(const bench_row *row);

/* Every growth of total_ms, as JSON or a table behind those of the scenes; CSV has no place for
 * it. An exit code. */
int bench_print_growth(const bench_rows *rows, const bench_options *options);

#endif
