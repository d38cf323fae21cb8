/* template.h - text with tags, which numbers of a run are put into.
 *
 * What result pages say is text: bench/pages/<name>.md, compiled in as <name>_md by CMake. In it
 *   {{name}} or {{name argument}}             stands for what the tag of that name writes,
 *   {{#name argument}} ... {{/name}}          is a section: written while the tag says so.
 * A tag that is alone on its line takes the line with it: a section there has whole lines, and what
 * is written there are whole lines, too. */
#ifndef BENCH_PAGES_TEMPLATE_H
#define BENCH_PAGES_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

extern const char results_md[], cliffs_md[], edits_md[], skins_md[], broad_md[];
extern const char fracture_md[], spheres_md[];
extern const char larsson_2001_md[], larsson_2003_md[], larsson_2003_rays_md[];
extern const char zachmann_weller_2006_md[];

/* The argument is "" if there is none. */
typedef void page_writer(FILE *file, void *context, const char *argument);

/* Whether a section is written once more; `round` is how often it was written. What is in the
 * section may depend on what this leaves in the context. */
typedef bool page_section(void *context, const char *argument, uint32_t round);

/* A name may have both. */
typedef struct page_tag {
    const char *name;
    page_writer *write;
    page_section *has_more;
} page_tag;

/* Writes a template. `tags` is ended by one without a name; a tag that is not among them is written
 * as it stands, so that a test sees it. */
void page_write(FILE *file, const char *text, const page_tag *tags, void *context);

/* Cuts the first of several alternatives, "a b or c d", off the argument; false at the end. */
enum { PAGE_ARGUMENT_MAX = 512 };
bool page_next_alternative(const char **rest, char out[PAGE_ARGUMENT_MAX]);

/* A cell of a table: a over b, or a dash where that is no number. */
void page_write_ratio(FILE *file, double a, double b);

#endif
