/* chart.c - numbers over time as one line of blocks.
 *
 * Way in: chart_print. A column shows the largest of its values, so that a single bad frame among
 * thousands is still seen. */
#include "bench/common/chart.h"
#include "bench/common/terminal.h"

#include <stdio.h>

enum { LEVELS = 8, WIDTH_USUAL = 64, WIDTH_LEAST = 16, WIDTH_MOST = 160 };

static const char *const utf8_blocks[LEVELS + 1] = {"·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const ascii_blocks[LEVELS + 1] = {".", ":", "-", "=", "+", "*", "%", "#", "@"};

uint32_t chart_width(uint32_t value_count, uint32_t beside)
{
    uint32_t columns = terminal_columns();
    uint32_t width = WIDTH_USUAL;
    if (columns > 0) width = columns > beside + WIDTH_LEAST ? columns - beside : WIDTH_LEAST;
    if (width > WIDTH_MOST) width = WIDTH_MOST;
    return width < value_count ? width : value_count;
}

static uint64_t most_of(const chart_series *series, uint32_t first, uint32_t end)
{
    uint64_t most = 0;
    for (uint32_t i = first; i < end; i++) {
        uint64_t value = series->value(series->context, i);
        if (value > most) most = value;
    }
    return most;
}

uint64_t chart_highest(const chart_series *series) { return most_of(series, 0, series->count); }

static uint32_t level_of(uint64_t value, uint64_t highest)
{
    if (value == 0 || highest == 0) return 0;
    double part = (double)value / (double)highest;
    uint32_t level = (uint32_t)(part * LEVELS + 0.5);
    return level < 1 ? 1 : level > LEVELS ? LEVELS : level;
}

void chart_print(const chart_series *series, uint32_t width)
{
    const char *const *blocks = terminal_has_utf8() ? utf8_blocks : ascii_blocks;
    uint64_t highest = chart_highest(series);
    for (uint32_t i = 0; i < width; i++) {
        uint32_t first = (uint32_t)((uint64_t)i * series->count / width);
        uint32_t end = (uint32_t)((uint64_t)(i + 1) * series->count / width);
        fputs(blocks[level_of(most_of(series, first, end), highest)], stdout);
    }
}

void chart_bar(double share, uint32_t width)
{
    const char *const *blocks = terminal_has_utf8() ? utf8_blocks : ascii_blocks;
    uint32_t length = (uint32_t)(share * width + 0.5);
    for (uint32_t i = 0; i < length && i < width; i++) fputs(blocks[LEVELS], stdout);
}
