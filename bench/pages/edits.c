/* edits.c - the page of the suite `edits`: what the tags of edits.md stand for.
 *
 * Way in: page_write_edits. */
#include "bench/edits/edits.h"
#include "bench/common/numbers.h"
#include "bench/pages/pages.h"
#include "bench/pages/template.h"

#include <inttypes.h>

typedef struct edits_page {
    const edits_row *rows;
    uint32_t count, at; /* the row that is written */
    const bench_options *options;
    report_machine machine;
} edits_page;

#define EDITS_WRITER(name, statement)                                                              \
    static void write_##name(FILE *file, void *context, const char *argument)                      \
    {                                                                                              \
        const edits_page *p = context;                                                             \
        const edits_row *row = &p->rows[p->at];                                                    \
        (void)row;                                                                                 \
        (void)argument;                                                                            \
        statement;                                                                                 \
    }
EDITS_WRITER(command, fprintf(file, "%s\n", p->options->command_line))
EDITS_WRITER(processor, fputs(p->machine.processor, file))
EDITS_WRITER(compiler, fputs(p->machine.compiler, file))
EDITS_WRITER(version, fputs(version_text(), file))
EDITS_WRITER(date, fputs(p->machine.date, file))
EDITS_WRITER(triangles, fprintf(file, "%" PRIu64, row->triangles))
EDITS_WRITER(variant, fputs(edits_variant(row), file))
EDITS_WRITER(method, fputs(row->method, file))
EDITS_WRITER(steps, fprintf(file, "%" PRIu32, row->steps))
EDITS_WRITER(repeats, fprintf(file, "%" PRIu32, row->repeats))
EDITS_WRITER(removed, fprintf(file, "%.0f", row->removed))
EDITS_WRITER(added, fprintf(file, "%.0f", row->added))
EDITS_WRITER(step_ms, fprintf(file, "%.3f", row->step_ms[EDITS_EDITED]))
EDITS_WRITER(plain_ms, fprintf(file, "%.3f", row->step_ms[EDITS_PLAIN]))
EDITS_WRITER(recreate_ms, fprintf(file, "%.3f", row->step_ms[EDITS_RECREATED]))
EDITS_WRITER(edit_us, fprintf(file, "%.2f", row->edit_us))
EDITS_WRITER(times, fprintf(file, "%.1f", edits_times_recreated(row)))
EDITS_WRITER(test_ratio, fprintf(file, "%.2f", edits_test_ratio(row)))
EDITS_WRITER(half_ms, fprintf(file, "%.2f", row->half_ms))
EDITS_WRITER(split_ms, fprintf(file, "%.2f", row->split_ms))
EDITS_WRITER(merge_ms, fprintf(file, "%.2f", row->merge_ms))
#undef EDITS_WRITER

static bool next_edits_row(void *context, const char *argument, uint32_t round)
{
    edits_page *p = context;
    (void)argument;
    p->at = round;
    return round < p->count;
}

static const page_tag edits_tags[] = {
    {"command", write_command, NULL},
    {"processor", write_processor, NULL},
    {"compiler", write_compiler, NULL},
    {"version", write_version, NULL},
    {"date", write_date, NULL},
    {"triangles", write_triangles, NULL},
    {"variant", write_variant, NULL},
    {"method", write_method, NULL},
    {"steps", write_steps, NULL},
    {"repeats", write_repeats, NULL},
    {"removed", write_removed, NULL},
    {"added", write_added, NULL},
    {"step_ms", write_step_ms, NULL},
    {"plain_ms", write_plain_ms, NULL},
    {"recreate_ms", write_recreate_ms, NULL},
    {"edit_us", write_edit_us, NULL},
    {"times", write_times, NULL},
    {"test_ratio", write_test_ratio, NULL},
    {"half_ms", write_half_ms, NULL},
    {"split_ms", write_split_ms, NULL},
    {"merge_ms", write_merge_ms, NULL},
    {"rows", NULL, next_edits_row},
    {NULL, NULL, NULL},
};

void page_write_edits(FILE *file, const edits_row *rows, uint32_t count,
                      const bench_options *options)
{
    edits_page page = {
        .rows = rows, .count = count, .options = options, .machine = report_machine_now()};
    page_write(file, edits_md, edits_tags, &page);
}
