/* result.c - memory for what came out. */
#include "bench/run/result.h"

#include <stdlib.h>

bool bench_series_create(bench_series *series, size_t capacity)
{
    *series = (bench_series){.frame = calloc(capacity, sizeof *series->frame),
                             .update_ms = calloc(capacity, sizeof *series->update_ms),
                             .query_ms = calloc(capacity, sizeof *series->query_ms),
                             .pairs = calloc(capacity, sizeof *series->pairs),
                             .rays = calloc(capacity, sizeof *series->rays)};
    return series->frame != NULL && series->update_ms != NULL && series->query_ms != NULL &&
           series->pairs != NULL && series->rays != NULL;
}

void bench_series_destroy(bench_series *series)
{
    free(series->frame);
    free(series->update_ms);
    free(series->query_ms);
    free(series->pairs);
    free(series->rays);
}

void bench_report_destroy(bench_report *report)
{
    for (uint32_t i = 0; i < report->result_count; i++) {
        bench_series_destroy(&report->results[i].series);
    }
    free(report->results);
}
