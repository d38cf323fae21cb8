/* print.c - rows of the suite `cliffs` on standard output. */
#include "bench/cliffs/cliffs.h"
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/run/contender.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- JSON ---- */

static void add_stats(json_line *line, const willow_query_stats *stats)
{
#define CLIFF_STAGE_FIELD(argument, counter, head) json_line_count(line, #counter, stats->counter);
    BENCH_STAGES(CLIFF_STAGE_FIELD, )
#undef CLIFF_STAGE_FIELD
}

static void add_comparable(json_line *line, const cliff_row *row)
{
    const cliff_side *other = &row->compared;
    const cliff_def *def = row->def;
    const bool is_again = def->kind == CLIFF_AGAIN;
    const cliff_question *question = is_again ? &def->asked : &def->comparable;
    json_line inner = json_line_begin();
    json_line_text(&inner, "scene", question->spec);
    json_line_text(&inner, "query", bench_question_name(question->question));
    json_line_text(&inner, "settings", question->settings);
    json_line_count(&inner, "triangles", other->triangles);
    json_line_real(&inner, "update_ms", other->update_ms);
    json_line_count(&inner, "repeats", other->repeats);
    json_line_count(&inner, "found", other->found);
    add_stats(&inner, &other->stats);
    json_line_nest(line, "comparable", &inner);
}

json_line cliff_json(const cliff_row *row)
{
    const cliff_def *def = row->def;
    const bool has_other = row->compared.repeats > 0;
    json_line line = json_line_begin();
    json_line_text(&line, "shape", def->shape);
    json_line_text(&line, "query", bench_question_name(def->asked.question));
    json_line_text(&line, "settings", def->asked.settings);
    json_line_text(&line, "scene", def->asked.spec);
    json_line_count(&line, "triangles", row->asked.triangles);
    json_line_count(&line, "bodies", row->asked.bodies);
    json_line_real(&line, "total_ms", row->asked.ms);
    json_line_text(&line, "compared", def->compared);
    json_line_real(&line, "compared_ms", has_other ? row->compared.ms : (double)NAN);
    json_line_real(&line, "times", cliff_times(row));
    json_line_real(&line, "at_most", def->at_most > 0 ? def->at_most : (double)NAN);
    json_line_flag(&line, "is_met", cliff_is_met(row));
    json_line_flag(&line, "per_triangle", def->kind == CLIFF_PER_TRIANGLE);
    json_line_real(&line, "update_ms", row->asked.update_ms);
    json_line_count(&line, "repeats", row->asked.repeats);
    json_line_count(&line, "found", row->asked.found);
    add_stats(&line, &row->asked.stats);
    if (has_other) add_comparable(&line, row);
    return line;
}

/* ---- for people ---- */

void cliff_print_heads(const bench_options *options)
{
    if (options->format != FORMAT_TABLE) return;
    puts("milliseconds of one question, the best of several; the comparable in turns with it");
    printf("%-8s %-14s %-32s %10s  %-27s %10s %8s %7s\n", "shape", "query", "settings", "ms",
           "compared with", "ms", "times", "at most");
}

static void print_row(const cliff_row *row)
{
    const cliff_def *def = row->def;
    printf("%-8s %-14s %-32s %10.3f  %-27s ", def->shape, bench_question_name(def->asked.question),
           def->asked.settings, row->asked.ms, def->compared);
    if (row->compared.repeats == 0) {
        printf("%10s %8s %7s\n", "-", "-", "-");
        return;
    }
    printf("%10.3f %8.*f %7g%s\n", row->compared.ms, def->at_most < 1 ? 4 : 2, cliff_times(row),
           def->at_most, cliff_is_met(row) ? "" : "  over");
}

int cliff_print(const cliff_row *row, const bench_options *options)
{
    if (options->format == FORMAT_TABLE) {
        print_row(row);
        return fflush(stdout) == 0 ? EXIT_FINE : EXIT_ERROR;
    }
    json_line line = cliff_json(row);
    return json_line_print(&line, "bench");
}
