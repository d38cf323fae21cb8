/* print.c - rows of the suite `spheres` on standard output. */
#include "bench/common/complain.h"
#include "bench/spheres/spheres.h"

#include <inttypes.h>
#include <stdio.h>

static int print_json(json_line line) { return json_line_print(&line, "bench"); }

static int flush(void) { return fflush(stdout) == 0 ? EXIT_FINE : EXIT_ERROR; }

/* Level 0 stands for all of them. */
static int print_level(const spheres_table_row *row, uint32_t level)
{
    json_line line = json_line_begin();
    json_line_count(&line, "table", (uint64_t)row->table);
    json_line_text(&line, "model", row->model);
    json_line_count(&line, "extent", row->extent);
    json_line_text(&line, "cells", willow_cells_name(row->cells));
    json_line_count(&line, "level", level);
    json_line_count(&line, "nodes", row->nodes[level]);
    json_line_count(&line, "paper", row->paper[level]);
    return print_json(line);
}

int spheres_print_table(const spheres_table_row *row, const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->format != FORMAT_TABLE) {
        for (uint32_t level = 0; level <= row->levels && code == EXIT_FINE; level++)
            code = print_level(row, level);
        return code;
    }
    printf("table %d %-6s %5u %-6s", row->table, row->model, row->extent,
           willow_cells_name(row->cells));
    for (uint32_t level = 0; level <= row->levels; level++)
        printf("  %" PRIu64 " (%" PRIu64 ")", row->nodes[level], row->paper[level]);
    puts("");
    return flush();
}

static int print_level_error(const spheres_error_row *row, uint32_t level)
{
    const willow_cell_error *error = &row->errors[level];
    json_line line = json_line_begin();
    json_line_count(&line, "figure", (uint64_t)row->figure);
    json_line_text(&line, "model", row->model);
    json_line_count(&line, "extent", row->extent);
    json_line_text(&line, "cells", willow_cells_name(row->cells));
    json_line_count(&line, "level", level);
    json_line_count(&line, "nodes", error->cells);
    json_line_real(&line, "error_largest", error->largest);
    json_line_real(&line, "error_mean", error->mean);
    json_line_real(&line, "error_smallest", error->smallest);
    return print_json(line);
}

int spheres_print_error(const spheres_error_row *row, const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->format != FORMAT_TABLE) {
        for (uint32_t level = 2; level <= row->levels && code == EXIT_FINE; level++)
            code = print_level_error(row, level);
        return code;
    }
    printf("figure %d %-6s %5u %-6s  mean errors in %%", row->figure, row->model, row->extent,
           willow_cells_name(row->cells));
    for (uint32_t level = 2; level <= row->levels; level++)
        printf("  %.2f", 100.0 * row->errors[level].mean);
    puts("");
    return flush();
}

int spheres_print_bunnies(const spheres_bunnies_row *row, const bench_options *options)
{
    if (options->format == FORMAT_TABLE) {
        printf("bunnies %-6s %5u %-6s  live %.0f kB of %.0f (%.3f), most %.0f, pool %.0f\n",
               row->model, row->extent, willow_cells_name(row->cells), row->live / 1e3,
               row->whole / 1e3, row->live / row->whole, row->most / 1e3, row->pool / 1e3);
        return flush();
    }
    json_line line = json_line_begin();
    json_line_text(&line, "scene", "bunnies");
    json_line_text(&line, "model", row->model);
    json_line_count(&line, "extent", row->extent);
    json_line_text(&line, "cells", willow_cells_name(row->cells));
    json_line_count(&line, "collision_depth", row->depth);
    json_line_count(&line, "frames", row->frames);
    json_line_real(&line, "bytes_live", row->live);
    json_line_real(&line, "bytes_whole", row->whole);
    json_line_real(&line, "share", row->live / row->whole);
    json_line_real(&line, "bytes_most", row->most);
    json_line_real(&line, "bytes_pool", row->pool);
    json_line_count(&line, "grown", row->grown);
    json_line_count(&line, "forgotten", row->forgotten);
    json_line_count(&line, "frames_exhausted", row->exhausted);
    json_line_count(&line, "pairs", row->pairs);
    return print_json(line);
}

/* One line for each second. */
static int print_second(const spheres_route_row *row, uint32_t number)
{
    const spheres_second *second = &row->seconds[number];
    json_line line = json_line_begin();
    json_line_count(&line, "table", (uint64_t)row->table);
    json_line_text(&line, "model", row->model);
    json_line_count(&line, "extent", row->extent);
    json_line_text(&line, "cells", willow_cells_name(row->cells));
    json_line_count(&line, "levels", row->levels);
    json_line_count(&line, "second", number + 1);
    json_line_real(&line, "frames_per_second", 1e3 * second->frames / second->ms);
    json_line_count(&line, "cells_asked", second->cells);
    if (row->is_drawn) json_line_count(&line, "occlusion_queries", second->queries);
    json_line_real(&line, "nodes_live", second->nodes);
    json_line_real(&line, "bytes_live", second->live);
    return print_json(line);
}

static int print_route_sum(const spheres_route_row *row)
{
    json_line line = json_line_begin();
    json_line_count(&line, "table", (uint64_t)row->table);
    json_line_text(&line, "model", row->model);
    json_line_count(&line, "extent", row->extent);
    json_line_text(&line, "cells", willow_cells_name(row->cells));
    json_line_count(&line, "levels", row->levels);
    json_line_count(&line, "cells_asked", row->cells_asked);
    if (row->is_drawn) json_line_count(&line, "occlusion_queries", row->queries);
    json_line_count(&line, "paper", row->paper);
    return print_json(line);
}

int spheres_print_route(const spheres_route_row *row, const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->format != FORMAT_TABLE) {
        for (uint32_t i = 0; i < SPHERES_SECONDS && code == EXIT_FINE; i++)
            code = print_second(row, i);
        return code == EXIT_FINE ? print_route_sum(row) : code;
    }
    printf("table %d %-6s %5u %-6s  %u levels, %" PRIu64 " cells asked about", row->table,
           row->model, row->extent, willow_cells_name(row->cells), row->levels, row->cells_asked);
    if (row->is_drawn) printf(", %" PRIu64 " occlusion queries", row->queries);
    printf(" (%" PRIu64 ")\n", row->paper);
    return flush();
}

int spheres_print_raster(const spheres_raster_row *row, const bench_options *options)
{
    const uint64_t cells = row->seen.seen + row->seen.missed;
    if (options->format == FORMAT_TABLE) {
        printf("raster  %-6s %5u %-6s  %3u pixels miss %" PRIu64 " of %" PRIu64
               " cells (%.2f %%)\n",
               row->model, row->extent, willow_cells_name(row->cells), row->pixels,
               row->seen.missed, cells, 100.0 * (double)row->seen.missed / (double)cells);
        return flush();
    }
    json_line line = json_line_begin();
    json_line_text(&line, "raster", row->renderer);
    json_line_text(&line, "model", row->model);
    json_line_count(&line, "extent", row->extent);
    json_line_text(&line, "cells", willow_cells_name(row->cells));
    json_line_count(&line, "pixels", row->pixels);
    json_line_count(&line, "occlusion_queries", row->queries);
    json_line_count(&line, "occupied", cells);
    json_line_count(&line, "missed", row->seen.missed);
    json_line_count(&line, "wrong", row->seen.wrong);
    return print_json(line);
}

int spheres_print_shelf(const spheres_shelf_row *row, const bench_options *options)
{
    if (options->format == FORMAT_TABLE) {
        printf("shelf   %-20s  %.1f MB, %.1f ms to the first answer\n", row->method,
               row->bytes / 1e6, row->ms);
        return flush();
    }
    json_line line = json_line_begin();
    json_line_text(&line, "scene", "shelf");
    json_line_text(&line, "method", row->method);
    json_line_count(&line, "bodies", row->bodies);
    json_line_count(&line, "triangles", row->triangles);
    json_line_real(&line, "bytes_hierarchies", row->bytes);
    json_line_real(&line, "first_answer_ms", row->ms);
    json_line_count(&line, "pairs", row->pairs);
    return print_json(line);
}
