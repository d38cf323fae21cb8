/* growth.c - exponents of time against size, where a run has sizes enough. */
#include "bench/run/growth.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "bench/run/row.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES_LEAST = 3 };

/* ---- the fit ---- */

void growth_fit_add(growth_fit *fit, double triangles, double ms)
{
    if (triangles <= 0 || ms <= 0) return;
    double x = log(triangles), y = log(ms);
    fit->count++;
    fit->x += x;
    fit->y += y;
    fit->xx += x * x;
    fit->xy += x * y;
}

double growth_fit_exponent(const growth_fit *fit)
{
    double spread = fit->count * fit->xx - fit->x * fit->x;
    return spread > 0 ? (fit->count * fit->xy - fit->x * fit->y) / spread : 0;
}

/* ---- rows that belong together ---- */

static bool is_same_series(const bench_row *a, const bench_row *b)
{
    return strcmp(a->method, b->method) == 0 && strcmp(a->family, b->family) == 0 &&
           strcmp(a->query, b->query) == 0;
}

static bool is_first_of_series(const bench_rows *rows, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++) {
        if (is_same_series(&rows->items[k], &rows->items[i])) return false;
    }
    return true;
}

/* A size that no row before it has, in the series that begins with row `first`. */
static bool is_new_size(const bench_rows *rows, uint32_t first, uint32_t i)
{
    for (uint32_t k = first; k < i; k++) {
        const bench_row *row = &rows->items[k];
        if (row->triangles == rows->items[i].triangles && is_same_series(row, &rows->items[i])) {
            return false;
        }
    }
    return true;
}

double growth_total_ms(const bench_row *row) { return row->total_ms; }

bool bench_growth_of(const bench_rows *rows, uint32_t i, growth_measure *measure, bench_growth *out)
{
    const bench_row *first = &rows->items[i];
    growth_fit fit = {0};
    uint32_t sizes = 0;
    if (!is_first_of_series(rows, i)) return false;
    *out = (bench_growth){.family = first->family,
                          .method = first->method,
                          .query = first->query,
                          .from = UINT64_MAX};
    for (uint32_t k = i; k < rows->count; k++) {
        const bench_row *row = &rows->items[k];
        if (!is_same_series(first, row) || measure(row) <= 0) continue;
        sizes += is_new_size(rows, i, k);
        growth_fit_add(&fit, (double)row->triangles, measure(row));
        if (row->triangles < out->from) out->from = row->triangles;
        if (row->triangles > out->to) out->to = row->triangles;
    }
    out->exponent = growth_fit_exponent(&fit);
    return sizes >= SIZES_LEAST;
}

/* ---- printing ---- */

static int growth_print_json(const bench_growth *growth)
{
    json_line line = json_line_begin();
    json_line_text(&line, "growth", growth->family);
    json_line_text(&line, "method", growth->method);
    json_line_text(&line, "query", growth->query);
    json_line_real(&line, "exponent", growth->exponent);
    json_line_count(&line, "from", growth->from);
    json_line_count(&line, "to", growth->to);
    return json_line_print(&line, "bench");
}

/* `last` is what was printed before it; nothing has no family. */
static void print_table_row(const bench_growth *growth, const bench_growth *last, int width)
{
    if (last->family == NULL || strcmp(last->family, growth->family) != 0 ||
        strcmp(last->query, growth->query) != 0) {
        printf("\n%s: growth of total with the number of triangles, query %s\n", growth->family,
               growth->query);
        printf("%-*s %9s %9s %9s\n", width, "method", "exponent", "from", "to");
    }
    printf("%-*s %9.2f %9" PRIu64 " %9" PRIu64 "\n", width, growth->method, growth->exponent,
           growth->from, growth->to);
}

int bench_print_growth(const bench_rows *rows, const bench_options *options)
{
    int code = EXIT_FINE;
    bench_growth growth, last = {.family = NULL};
    if (options->format == FORMAT_CSV) return code;
    for (uint32_t i = 0; code == EXIT_FINE && i < rows->count; i++) {
        if (!bench_growth_of(rows, i, growth_total_ms, &growth)) continue;
        if (options->format == FORMAT_JSON) {
            code = growth_print_json(&growth);
        } else {
            print_table_row(&growth, &last, bench_name_width(rows, 0));
        }
        last = growth;
    }
    if (last.family != NULL && options->format == FORMAT_TABLE) {
        puts("Total time is about the triangles to the power of the exponent; 1 is linear.");
    }
    fflush(stdout);
    return code;
}
