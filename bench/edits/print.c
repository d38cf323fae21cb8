/* print.c - rows of the suite `edits` on standard output. */
#include "bench/common/complain.h"
#include "bench/edits/edits.h"

#include <inttypes.h>
#include <stdio.h>

const char *edits_variant(const edits_row *row) { return row->def.deforms ? "deforming" : "still"; }

double edits_times_recreated(const edits_row *row)
{
    return row->step_ms[EDITS_RECREATED] / row->step_ms[EDITS_EDITED];
}

double edits_test_ratio(const edits_row *row)
{
    return row->fresh_tests > 0 ? row->tests / row->fresh_tests : 0;
}

static json_line edits_json(const edits_row *row)
{
    json_line line = json_line_begin();
    json_line_text(&line, "scene", "cutting");
    json_line_text(&line, "variant", edits_variant(row));
    json_line_count(&line, "triangles", row->triangles);
    json_line_count(&line, "triangles_at_end", row->end_triangles);
    json_line_text(&line, "method", row->method);
    json_line_text(&line, "query", "first");
    json_line_count(&line, "frames", row->steps);
    json_line_count(&line, "repeats", row->repeats);
    json_line_real(&line, "removed", row->removed);
    json_line_real(&line, "added", row->added);
    json_line_real(&line, "total_ms", row->step_ms[EDITS_EDITED]);
    json_line_real(&line, "plain_ms", row->step_ms[EDITS_PLAIN]);
    json_line_real(&line, "recreate_ms", row->step_ms[EDITS_RECREATED]);
    json_line_real(&line, "edit_us", row->edit_us);
    json_line_real(&line, "times_recreate", edits_times_recreated(row));
    json_line_real(&line, "tests", row->tests);
    json_line_real(&line, "fresh_tests", row->fresh_tests);
    json_line_real(&line, "half_ms", row->half_ms);
    json_line_real(&line, "split_ms", row->split_ms);
    json_line_real(&line, "merge_ms", row->merge_ms);
    json_line_count(&line, "pairs", row->pairs);
    json_line_flag(&line, "wrong", row->is_wrong);
    return line;
}

void edits_print_heads(const bench_options *options)
{
    if (options->format != FORMAT_TABLE) return;
    puts("milliseconds of a step: edit, update, first pair; medians. An edit costs what the step\n"
         "takes longer than one without it, in microseconds for each triangle removed or added.");
    printf("%9s %-9s %-12s %8s %8s %9s %9s %9s %8s %6s %6s %8s %8s %8s\n", "triangles", "variant",
           "method", "removed", "added", "step", "no edit", "recreate", "us/tri", "times", "tests",
           "half", "split", "merge");
}

static void print_row(const edits_row *row)
{
    printf("%9" PRIu64 " %-9s %-12s %8.0f %8.0f %9.3f %9.3f %9.3f %8.3f %6.1f %6.2f %8.2f %8.2f "
           "%8.2f%s\n",
           row->triangles, edits_variant(row), row->method, row->removed, row->added,
           row->step_ms[EDITS_EDITED], row->step_ms[EDITS_PLAIN], row->step_ms[EDITS_RECREATED],
           row->edit_us, edits_times_recreated(row), edits_test_ratio(row), row->half_ms,
           row->split_ms, row->merge_ms, row->is_wrong ? "  WRONG" : "");
}

int edits_print(const edits_row *row, const bench_options *options)
{
    if (options->format == FORMAT_TABLE) {
        print_row(row);
        return fflush(stdout) == 0 ? EXIT_FINE : EXIT_ERROR;
    }
    json_line line = edits_json(row);
    return json_line_print(&line, "bench");
}
