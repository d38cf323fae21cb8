/* chart.h - numbers over time as one line of blocks, as wide as there is room. */
#ifndef CLI_CHART_H
#define CLI_CHART_H

#include <stdbool.h>
#include <stdint.h>

typedef struct chart {
    uint32_t width;   /* columns; each shows the most of the values that fall into it */
    uint64_t highest; /* what a full block stands for */
    bool utf8;
} chart;

/* The most that fits beside `beside` columns of text: never more columns than values. */
uint32_t chart_width(uint32_t value_count, uint32_t beside);

/* Nothing is a dot, anything above it at least the lowest block. */
void chart_print(const chart *c, const uint64_t *values, uint32_t count);

#endif
