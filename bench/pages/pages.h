/* pages.h - results as files that stay: a page, its data, and a page of the documentation.
 *
 *   report.c           which files, and where they go
 *   report_machine.c   what they were measured on
 *   report_page.c      the page: a template with the data put in
 *   report_markdown.c  tables in Markdown
 *   report_paper.c     and in it, the experiments of a paper beside ours
 *   report_kinetic.c   the same of another one, about flight plans
 *   report_morph.c     and of a third one, about morphs */
#ifndef BENCH_PAGES_PAGES_H
#define BENCH_PAGES_PAGES_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "bench/run/row.h"
#include "bench/run/stream.h"

#include <stdio.h>

/* What a run was measured on, and when. */
typedef struct report_machine {
    char processor[128], compiler[64], system[128], date[32];
    uint32_t cores;
    uint64_t memory_bytes;
} report_machine;

report_machine report_machine_now(void);

/* Looks whether the files that the options ask for can be written, before anything is measured. An
 * exit code. */
int report_check(const bench_options *options);

/* Writes them. `curve` may be NULL. An exit code. */
int report_write(const bench_rows *rows, const stream_curve *curve, const bench_options *options);

/* The machine and the run as one object. */
json_line report_machine_json(const report_machine *machine, const bench_options *options);

/* ---- the page ---- */

enum { REPORT_PATH_MAX = 4096 };

/* Where the template is: what --template says, or beside the tool. False if that cannot be told. */
bool report_template_path(const bench_options *options, char path[REPORT_PATH_MAX]);

/* The whole of a text file, which the caller frees; NULL if it cannot be read. */
char *report_read_file(const char *path);

/* Whether the text has the place that the data goes to. */
bool report_is_template(const char *text);

/* Writes the template with lines of JSON put in as one list. */
void report_write_page(FILE *file, const char *page_template, const char *lines);

/* ---- Markdown ---- */

void report_write_markdown(FILE *file, const bench_rows *rows, const stream_curve *curve,
                           const bench_options *options);

/* The section "Beside the paper", if the run has what it needs; else nothing. */
void report_write_paper(FILE *file, const bench_rows *rows);

/* The same for runs with flight plans. */
void report_write_kinetic(FILE *file, const bench_rows *rows);

/* And for runs with morphs. */
void report_write_morph(FILE *file, const bench_rows *rows);

/* A cell of a table: a over b, or a dash where that is no number. */
void report_write_ratio(FILE *file, double a, double b);

#endif
