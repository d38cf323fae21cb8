/* files.c - which files a bench writes: --report makes a folder with the page and its data,
 * --results a page in Markdown.
 *
 * Everything that could be wrong with their places is looked at before the first measurement. */
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/common/new_file.h"
#include "bench/common/page_shell.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"
#include "bench/run/print.h"
#include "bench/run/row.h"
#include "bench/run/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int complain_of(const char *path)
{
    return complain("bench", "%s: %s", path, strerror(errno));
}

/* "DIR/name"; false if that is too long. */
static bool join(char path[PAGE_PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, PAGE_PATH_MAX, "%s/%s", folder, name) < PAGE_PATH_MAX;
}

/* ---- before ---- */

static int check_shell(const bench_options *options)
{
    char *shell = report_read_shell(options);
    const bool is_there = shell != NULL;
    free(shell);
    return is_there ? EXIT_FINE : EXIT_ERROR;
}

int report_check(const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->report != NULL) {
        code = check_shell(options);
        if (code == EXIT_FINE && !folders_make(options->report))
            code = complain_of(options->report);
    } else if (options->page_template != NULL) {
        code = complain_usage("bench", "--template needs --report");
    }
    if (code == EXIT_FINE && options->results != NULL && !new_file_is_possible(options->results))
        code = complain_of(options->results);
    return code;
}

/* ---- lines of data ---- */

/* The machine, the curve if there is one, then the rows with every frame. */
static bool write_lines(FILE *file, const bench_rows *rows, const stream_curve *curve,
                        const bench_options *options)
{
    report_machine machine = report_machine_now();
    json_line line = report_machine_json(&machine, options);
    bool fine = json_line_write(&line, file);
    for (int i = 0; curve != NULL && i < STREAM_SIZES; i++) {
        line = stream_speed_json(&curve->points[i]);
        fine = json_line_write(&line, file) && fine;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        line = bench_row_json(&rows->items[i], true);
        fine = json_line_write(&line, file) && fine;
    }
    return fine;
}

/* ---- files ---- */

static int keep_file(new_file *f, const char *path)
{
    return new_file_keep(f) ? EXIT_FINE : complain_of(path);
}

static int write_data(const char *path, const bench_rows *rows, const stream_curve *curve,
                      const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, path)) return complain_of(path);
    if (write_lines(f.file, rows, curve, options)) return keep_file(&f, path);
    new_file_drop(&f);
    return complain("bench", "out of memory");
}

/* The data is what was just written, so that page and file cannot differ. */
static int write_page(const char *path, const char *data_path, const bench_options *options)
{
    new_file f;
    char *lines = text_file_read(data_path), *shell = report_read_shell(options);
    int code = EXIT_ERROR;
    if (lines == NULL) {
        complain("bench", "%s cannot be read again", data_path);
    } else if (shell != NULL && !new_file_open(&f, path)) {
        complain_of(path);
    } else if (shell != NULL) {
        report_write_page(f.file, shell, lines);
        code = keep_file(&f, path);
    }
    free(lines);
    free(shell);
    return code;
}

static int write_folder(const bench_rows *rows, const stream_curve *curve,
                        const bench_options *options)
{
    char data[PAGE_PATH_MAX], page[PAGE_PATH_MAX];
    if (!join(data, options->report, "results.jsonl") ||
        !join(page, options->report, "report.html")) {
        return complain("bench", "--report: the path is too long");
    }
    int code = write_data(data, rows, curve, options);
    if (code == EXIT_FINE) code = write_page(page, data, options);
    if (code == EXIT_FINE) fprintf(stderr, "the report is in %s\n", page);
    return code;
}

static int write_results(const bench_rows *rows, const stream_curve *curve,
                         const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, options->results)) return complain_of(options->results);
    page_write_results(f.file, rows, curve, options);
    return keep_file(&f, options->results);
}

int report_write_cliffs(const cliff_row *rows, uint32_t count, const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, options->results)) return complain_of(options->results);
    page_write_cliffs(f.file, rows, count, options);
    return keep_file(&f, options->results);
}

int report_write_broad(const crowd_rows *rows, const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, options->results)) return complain_of(options->results);
    page_write_broad(f.file, rows, options);
    return keep_file(&f, options->results);
}

int report_write_edits(const edits_row *rows, uint32_t count, const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, options->results)) return complain_of(options->results);
    page_write_edits(f.file, rows, count, options);
    return keep_file(&f, options->results);
}

int report_write_fracture(const fracture_page_rows *rows, const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, options->results)) return complain_of(options->results);
    page_write_fracture(f.file, rows, options);
    return keep_file(&f, options->results);
}

/* Writes "FOLDER/pictures/NAME" beside the page. */
static int write_beside(const char *name, void (*write)(FILE *file, const spheres_rows *rows),
                        const spheres_rows *rows, const bench_options *options)
{
    const char *page = options->results, *slash = strrchr(page, '/');
    const int length = slash ? (int)(slash - page) : 1;
    char path[PAGE_PATH_MAX];
    new_file f;
    if (snprintf(path, sizeof path, "%.*s/pictures/%s", length, slash ? page : ".", name) >=
        PAGE_PATH_MAX)
        return complain("bench", "--results: the path is too long");
    if (!new_file_is_possible(path) || !new_file_open(&f, path)) return complain_of(path);
    write(f.file, rows);
    return keep_file(&f, path);
}

int report_write_spheres(const spheres_rows *rows, const bench_options *options)
{
    new_file f;
    if (!new_file_open(&f, options->results)) return complain_of(options->results);
    page_write_spheres(f.file, rows, options);
    int code = keep_file(&f, options->results);
    if (code == EXIT_FINE)
        code = write_beside("spheres-live.svg", page_write_spheres_chart, rows, options);
    if (code == EXIT_FINE)
        code = write_beside("spheres-error.svg", page_write_spheres_error_chart, rows, options);
    if (code == EXIT_FINE)
        code = write_beside("spheres-grown.svg", page_write_spheres_picture, rows, options);
    return code;
}

int report_write(const bench_rows *rows, const stream_curve *curve, const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->report != NULL) code = write_folder(rows, curve, options);
    if (code == EXIT_FINE && options->results != NULL) code = write_results(rows, curve, options);
    return code;
}
