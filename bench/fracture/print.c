/* print.c - rows of the suite `fracture` on standard output. */
#include "bench/common/complain.h"
#include "bench/fracture/fracture.h"

#include <inttypes.h>

static json_line series_json(const fracture_row *row, uint32_t side)
{
    const fracture_series *s = &row->sides[side];
    const fracture_frame *last = &s->frames[row->frame_count - 1];
    json_line line = json_line_begin();
    json_line_text(&line, "scene", row->scene);
    json_line_text(&line, "body", row->body);
    json_line_text(&line, "method", s->method);
    json_line_text(&line, "query", row->query);
    json_line_count(&line, "frames", row->frame_count - 1);
    json_line_count(&line, "repeats", row->repeats);
    json_line_count(&line, "triangles", last->triangles);
    json_line_real(&line, "update_ms", fracture_mean_update(row, side));
    json_line_real(&line, "query_ms", fracture_mean_query(row, side));
    json_line_real(&line, "total_ms",
                   fracture_mean_update(row, side) + fracture_mean_query(row, side));
    json_line_real(&line, "longest_ms", fracture_longest_update(row, side));
    json_line_real(&line, "tests", fracture_sum_tests(row, side));
    json_line_count(&line, "builds", fracture_count_builds(row, side));
    json_line_real(&line, "quality", last->quality);
    json_line_count(&line, "depth", last->depth);
    json_line_count(&line, "pairs", last->pairs);
    json_line_flag(&line, "wrong", row->is_wrong);
    return line;
}

static void print_series(const fracture_row *row, uint32_t side)
{
    const fracture_series *s = &row->sides[side];
    const fracture_frame *last = &s->frames[row->frame_count - 1];
    printf("%-40s %-5s %-48s %9.3f %9.3f %9.3f %12.0f %6u %6.2f %5u %8" PRIu64 "%s\n", row->scene,
           row->query, s->method, fracture_mean_update(row, side), fracture_mean_query(row, side),
           fracture_longest_update(row, side), fracture_sum_tests(row, side),
           fracture_count_builds(row, side), last->quality, last->depth, last->pairs,
           row->is_wrong ? "  WRONG" : "");
}

int fracture_print_row(const fracture_row *row, const bench_options *options)
{
    if (options->format == FORMAT_TABLE)
        printf("%-40s %-5s %-48s %9s %9s %9s %12s %6s %6s %5s %8s\n", "scene", "query", "method",
               "update", "query", "longest", "tests", "builds", "Q", "depth", "pairs");
    for (uint32_t side = 0; side < row->side_count; side++) {
        if (options->format == FORMAT_TABLE) {
            print_series(row, side);
            continue;
        }
        json_line line = series_json(row, side);
        const int code = json_line_print(&line, "bench");
        if (code != EXIT_FINE) return code;
    }
    return fflush(stdout) == 0 ? EXIT_FINE : EXIT_ERROR;
}

static json_line pieces_json(const fracture_pieces *row)
{
    json_line line = json_line_begin();
    json_line_text(&line, "scene", "pumpkin");
    json_line_text(&line, "method", row->method);
    json_line_count(&line, "pieces", row->pieces);
    json_line_count(&line, "triangles", row->triangles);
    json_line_count(&line, "repeats", row->repeats);
    json_line_real(&line, "edit_ms", row->edit_ms);
    json_line_real(&line, "split_ms", row->split_ms);
    json_line_real(&line, "recreate_ms", row->recreate_ms);
    json_line_real(&line, "clone_ms", row->clone_ms);
    json_line_real(&line, "times_recreate", row->recreate_ms / row->split_ms);
    json_line_real(&line, "other_split_ms", row->other_split_ms);
    json_line_real(&line, "other_recreate_ms", row->other_recreate_ms);
    json_line_real(&line, "other_times_recreate", row->other_recreate_ms / row->other_split_ms);
    json_line_real(&line, "tests", row->tests);
    json_line_real(&line, "fresh_tests", row->fresh_tests);
    json_line_real(&line, "quality", row->quality);
    json_line_real(&line, "fresh_quality", row->fresh_quality);
    json_line_count(&line, "pairs", row->pairs);
    json_line_flag(&line, "wrong", row->is_wrong);
    return line;
}

int fracture_print_pieces(const fracture_pieces *row, const bench_options *options)
{
    if (options->format == FORMAT_TABLE) {
        printf("pumpkin, %2u pieces, %-34s edit %7.3f  split %7.3f  recreate %7.3f (%5.2f times)  "
               "without cracks %7.3f %7.3f (%5.2f times)  clone %8.3f  tests %5.3f  Q %5.2f "
               "(%5.2f)%s\n",
               row->pieces, row->method, row->edit_ms, row->split_ms, row->recreate_ms,
               row->recreate_ms / row->split_ms, row->other_split_ms, row->other_recreate_ms,
               row->other_recreate_ms / row->other_split_ms, row->clone_ms,
               row->tests / row->fresh_tests, row->quality, row->fresh_quality,
               row->is_wrong ? "  WRONG" : "");
        return fflush(stdout) == 0 ? EXIT_FINE : EXIT_ERROR;
    }
    json_line line = pieces_json(row);
    return json_line_print(&line, "bench");
}
