/* files.c - which files a bench writes: --report makes a folder with the page and its data,
 * --results a page in Markdown.
 *
 * Everything that could be wrong with their places is looked at before the first measurement. */
#define _DEFAULT_SOURCE
#include "bench/common/complain.h"
#include "bench/common/json_line.h"
#include "bench/pages/pages.h"
#include "bench/run/options.h"
#include "bench/run/print.h"
#include "bench/run/row.h"
#include "bench/run/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int complain_of(const char *path)
{
    return complain("bench", "%s: %s", path, strerror(errno));
}

/* "DIR/name"; false if that is too long. */
static bool join(char path[REPORT_PATH_MAX], const char *folder, const char *name)
{
    return snprintf(path, REPORT_PATH_MAX, "%s/%s", folder, name) < REPORT_PATH_MAX;
}

/* ---- before ---- */

static int check_template(const bench_options *options)
{
    char path[REPORT_PATH_MAX] = "";
    char *text = report_template_path(options, path) ? report_read_file(path) : NULL;
    bool is_fine = text != NULL && report_is_template(text);
    bool is_other = text != NULL && !is_fine;
    free(text);
    if (is_fine) return EXIT_FINE;
    if (is_other) return complain("bench", "%s is no template of a report", path);
    return complain("bench",
                    "the page needs its template, and %s cannot be read; './dev report-page' makes "
                    "it, and --template FILE names another",
                    path);
}

static int make_folder(const char *folder)
{
    struct stat status;
    if (mkdir(folder, 0777) == 0) return EXIT_FINE;
    if (errno == EEXIST && stat(folder, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return EXIT_FINE;
        errno = ENOTDIR;
    }
    return complain_of(folder);
}

/* Opens it for appending, which leaves what is there as it is. */
static int check_file(const char *path)
{
    FILE *file = fopen(path, "a");
    if (file == NULL) return complain_of(path);
    fclose(file);
    return EXIT_FINE;
}

int report_check(const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->report != NULL) {
        code = check_template(options);
        if (code == EXIT_FINE) code = make_folder(options->report);
    } else if (options->page_template != NULL) {
        code = complain_usage("bench", "--template is for --report, which is not there");
    }
    if (code == EXIT_FINE && options->results != NULL) code = check_file(options->results);
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

/* Ends writing: an exit code. */
static int close_file(FILE *file, const char *path)
{
    bool failed = ferror(file) != 0;
    return fclose(file) != 0 || failed ? complain_of(path) : EXIT_FINE;
}

static int write_data(const char *path, const bench_rows *rows, const stream_curve *curve,
                      const bench_options *options)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) return complain_of(path);
    bool fine = write_lines(file, rows, curve, options);
    int code = close_file(file, path);
    return fine ? code : complain("bench", "out of memory");
}

/* The data is what was just written, so that page and file cannot differ. */
static int write_page(const char *path, const char *data_path, const bench_options *options)
{
    char template_path[REPORT_PATH_MAX];
    char *lines = report_read_file(data_path), *page_template = NULL;
    if (report_template_path(options, template_path)) {
        page_template = report_read_file(template_path);
    }
    int code = EXIT_ERROR;
    FILE *file = NULL;
    if (lines == NULL || page_template == NULL || !report_is_template(page_template)) {
        complain("bench", "%s or its template cannot be read again", data_path);
    } else if ((file = fopen(path, "w")) == NULL) {
        complain_of(path);
    } else {
        report_write_page(file, page_template, lines);
        code = close_file(file, path);
    }
    free(lines);
    free(page_template);
    return code;
}

static int write_folder(const bench_rows *rows, const stream_curve *curve,
                        const bench_options *options)
{
    char data[REPORT_PATH_MAX], page[REPORT_PATH_MAX];
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
    FILE *file = fopen(options->results, "w");
    if (file == NULL) return complain_of(options->results);
    page_write_results(file, rows, curve, options);
    return close_file(file, options->results);
}

int report_write_cliffs(const cliff_row *rows, uint32_t count, const bench_options *options)
{
    FILE *file = fopen(options->results, "w");
    if (file == NULL) return complain_of(options->results);
    page_write_cliffs(file, rows, count, options);
    return close_file(file, options->results);
}

int report_write(const bench_rows *rows, const stream_curve *curve, const bench_options *options)
{
    int code = EXIT_FINE;
    if (options->report != NULL) code = write_folder(rows, curve, options);
    if (code == EXIT_FINE && options->results != NULL) code = write_results(rows, curve, options);
    return code;
}
