/* chart.h - numbers over time as one line of blocks, as wide as there is room. */
#ifndef BENCH_COMMON_CHART_H
#define BENCH_COMMON_CHART_H

#include <stdint.h>

/* What is drawn: `count` values, each asked for when it is needed. */
typedef struct chart_series {
    uint64_t (*value)(const void *context, uint32_t i);
    const void *context;
    uint32_t count;
} chart_series;

/* The most that fits beside `beside` columns of text: never more columns than values. */
uint32_t chart_width(uint32_t value_count, uint32_t beside);

/* What a full block stands for. */
uint64_t chart_highest(const chart_series *series);

/* A column shows the most of the values that fall into it: nothing as a dot, anything above it at
 * least as the lowest block. */
void chart_print(const chart_series *series, uint32_t width);

/* A bar of that share of `width` columns, 0 to 1. */
void chart_bar(double share, uint32_t width);

#endif
