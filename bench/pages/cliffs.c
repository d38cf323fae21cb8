/* cliffs.c - the page of the suite `cliffs`: what the tags of cliffs.md stand for.
 *
 * Way in: page_write_cliffs. */
#include "bench/cliffs/cliffs.h"
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/pages/template.h"

#include <inttypes.h>

typedef struct cliffs_page {
    const cliff_row *rows;
    uint32_t count, at; /* the row that is written */
    const bench_options *options;
    report_machine machine;
} cliffs_page;

static const cliff_row *row_at(const cliffs_page *p) { return &p->rows[p->at]; }

/* What a row that is compared with nothing has in place of numbers. */
static void write_or_dash(FILE *file, bool is_there, int digits, double value)
{
    if (is_there) {
        fprintf(file, "%.*f", digits, value);
    } else {
        fputs("-", file);
    }
}

static int times_digits(const cliff_row *row) { return row->def->at_most < 1 ? 4 : 2; }
static bool has_compared(const cliff_row *row) { return row->compared.repeats > 0; }

#define CLIFFS_WRITER(name, statement)                                                             \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const cliffs_page *p = context;                                                            \
        (void)p;                                                                                   \
        (void)argument;                                                                            \
        statement;                                                                                 \
    }
CLIFFS_WRITER(command, fprintf(file, "%s\n", p->options->command_line))
CLIFFS_WRITER(processor, fputs(p->machine.processor, file))
CLIFFS_WRITER(compiler, fputs(p->machine.compiler, file))
CLIFFS_WRITER(version, fputs(version_text(), file))
CLIFFS_WRITER(date, fputs(p->machine.date, file))
CLIFFS_WRITER(shape, fputs(row_at(p)->def->shape, file))
CLIFFS_WRITER(query, fputs(bench_question_name(row_at(p)->def->asked.question), file))
CLIFFS_WRITER(settings, fputs(row_at(p)->def->asked.settings, file))
CLIFFS_WRITER(triangles, fprintf(file, "%" PRIu64, row_at(p)->asked.triangles))
CLIFFS_WRITER(total_ms, fprintf(file, "%.3f", row_at(p)->asked.ms))
CLIFFS_WRITER(compared, fputs(has_compared(row_at(p)) ? row_at(p)->def->compared : "-", file))
CLIFFS_WRITER(compared_ms, write_or_dash(file, has_compared(row_at(p)), 3, row_at(p)->compared.ms))
CLIFFS_WRITER(times, write_or_dash(file, has_compared(row_at(p)), times_digits(row_at(p)),
                                   cliff_times(row_at(p))))
CLIFFS_WRITER(at_most, write_or_dash(file, row_at(p)->def->at_most > 0, 2, row_at(p)->def->at_most))
CLIFFS_WRITER(found, fprintf(file, "%" PRIu64, row_at(p)->asked.found))
CLIFFS_WRITER(body_pairs, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.body_pairs))
CLIFFS_WRITER(nodes_opened, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.nodes_opened))
CLIFFS_WRITER(volume_tests, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.volume_tests))
CLIFFS_WRITER(leaf_pairs, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.leaf_pairs))
CLIFFS_WRITER(triangle_tests, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.triangle_tests))
CLIFFS_WRITER(exact_tests, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.exact_tests))
CLIFFS_WRITER(feature_tests, fprintf(file, "%" PRIu64, row_at(p)->asked.stats.feature_tests))
#undef CLIFFS_WRITER

static bool next_row(void *context, const char *argument, uint32_t round)
{
    cliffs_page *p = context;
    (void)argument;
    p->at = round;
    return round < p->count;
}

static const page_tag cliffs_tags[] = {
    {"command", write_command, NULL},
    {"processor", write_processor, NULL},
    {"compiler", write_compiler, NULL},
    {"version", write_version, NULL},
    {"date", write_date, NULL},
    {"rows", NULL, next_row},
    {"shape", write_shape, NULL},
    {"query", write_query, NULL},
    {"settings", write_settings, NULL},
    {"triangles", write_triangles, NULL},
    {"total_ms", write_total_ms, NULL},
    {"compared", write_compared, NULL},
    {"compared_ms", write_compared_ms, NULL},
    {"times", write_times, NULL},
    {"at_most", write_at_most, NULL},
    {"found", write_found, NULL},
    {"body_pairs", write_body_pairs, NULL},
    {"nodes_opened", write_nodes_opened, NULL},
    {"volume_tests", write_volume_tests, NULL},
    {"leaf_pairs", write_leaf_pairs, NULL},
    {"triangle_tests", write_triangle_tests, NULL},
    {"exact_tests", write_exact_tests, NULL},
    {"feature_tests", write_feature_tests, NULL},
    {NULL, NULL, NULL},
};

void page_write_cliffs(FILE *file, const cliff_row *rows, uint32_t count,
                       const bench_options *options)
{
    cliffs_page page = {
        .rows = rows, .count = count, .options = options, .machine = report_machine_now()};
    page_write(file, cliffs_md, cliffs_tags, &page);
}
