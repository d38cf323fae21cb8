/* pages.h - results as files that stay: a page, its data, and a page of the documentation.
 *
 *   files.c     which files, and where they go
 *   machine.c   what they were measured on
 *   report.c    the page with charts: a shell with the data put in
 *   template.c  text with tags, which the pages in Markdown are made from
 *   results.c   results.md: tables in Markdown; and in it the experiments of papers beside ours:
 *               larsson_2001, zachmann_weller_2006, larsson_2003, larsson_2003_rays, each a
 *               .md and a .c
 *   skins.c     skins.md: a section of it, skins beside vectorised skinning
 *   cliffs.c    cliffs.md: the page of the suite cliffs
 *   broad.c     broad.md: the page of the suite broad
 *   edits.c     edits.md: the page of the suite edits
 *   fracture.c  fracture.md: the page of the suite fracture, beside the paper's
 *   spheres.c   spheres.md: the page of the suite spheres, beside the paper's; with
 *               spheres_chart.c, spheres_error_chart.c and spheres_picture.c, what it shows */
#ifndef BENCH_PAGES_PAGES_H
#define BENCH_PAGES_PAGES_H

#include "bench/cliffs/cliffs.h"
#include "bench/common/json_line.h"
#include "bench/crowds/crowds.h"
#include "bench/edits/edits.h"
#include "bench/fracture/fracture.h"
#include "bench/run/options.h"
#include "bench/run/row.h"
#include "bench/run/stream.h"
#include "bench/spheres/spheres.h"

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

/* The pages of the suites cliffs and edits, to the file of --results. Exit codes. */
int report_write_cliffs(const cliff_row *rows, uint32_t count, const bench_options *options);
int report_write_edits(const edits_row *rows, uint32_t count, const bench_options *options);

/* The same of the suite broad. */
int report_write_broad(const crowd_rows *rows, const bench_options *options);

/* The page of the suite fracture, the same. */
typedef struct fracture_page_rows {
    const fracture_row *series;
    uint32_t series_count;
    const fracture_pieces *pieces;
    uint32_t piece_count;
} fracture_page_rows;

int report_write_fracture(const fracture_page_rows *rows, const bench_options *options);
void page_write_fracture(FILE *file, const fracture_page_rows *rows, const bench_options *options);

/* The page of the suite spheres, the same, and what it shows in the folder `pictures` beside it. */
int report_write_spheres(const spheres_rows *rows, const bench_options *options);
void page_write_spheres(FILE *file, const spheres_rows *rows, const bench_options *options);
void page_write_spheres_chart(FILE *file, const spheres_rows *rows);
void page_write_spheres_error_chart(FILE *file, const spheres_rows *rows);
void page_write_spheres_picture(FILE *file, const spheres_rows *rows);

/* The machine and the run as one object. */
json_line report_machine_json(const report_machine *machine, const bench_options *options);

/* ---- the page ---- */

/* The page without data: what --template says, or beside the tool. The caller frees it. NULL with a
 * complaint. */
char *report_read_shell(const bench_options *options);

/* Writes it with lines of JSON put in as one list. */
void report_write_page(FILE *file, const char *shell, const char *lines);

/* ---- Markdown ---- */

void page_write_results(FILE *file, const bench_rows *rows, const stream_curve *curve,
                        const bench_options *options);

void page_write_cliffs(FILE *file, const cliff_row *rows, uint32_t count,
                       const bench_options *options);
void page_write_edits(FILE *file, const edits_row *rows, uint32_t count,
                      const bench_options *options);

void page_write_broad(FILE *file, const crowd_rows *rows, const bench_options *options);

/* The section "Beside the paper" of each paper, if the run has what it needs; else nothing. */
void page_write_larsson_2001(FILE *file, const bench_rows *rows);
void page_write_zachmann_weller_2006(FILE *file, const bench_rows *rows);
void page_write_larsson_2003(FILE *file, const bench_rows *rows);
void page_write_larsson_2003_rays(FILE *file, const bench_rows *rows);

/* The section about skins, if the run has vertices in float; else nothing. */
void page_write_skins(FILE *file, const bench_rows *rows);

#endif
