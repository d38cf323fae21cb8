/* template.c - reads a template from its beginning to its end, and writes it with its tags filled
 * in.
 *
 * Way in: page_write. Sections may contain sections; the depth is that of the template's text. */
#include "bench/pages/template.h"

#include <string.h>

/* One tag of the text. */
typedef struct tag_found {
    char kind; /* '#', '/' or, for a value, ' ' */
    char name[64], argument[PAGE_ARGUMENT_MAX];
    const char *begin, *end; /* with its braces; its whole line if it is alone there */
} tag_found;

typedef struct page_run {
    FILE *file;
    const char *start; /* of the whole text */
    const page_tag *tags;
    void *context;
} page_run;

/* ---- reading ---- */

/* Takes the line along if nothing else is on it. */
static void widen_to_line(const char *start, tag_found *tag)
{
    bool is_first = tag->begin == start || tag->begin[-1] == '\n';
    if (is_first && *tag->end == '\n') tag->end++;
}

/* The next tag in [from, end); false if there is none. */
static bool find_tag(const char *start, const char *from, const char *end, tag_found *out)
{
    const char *open = strstr(from, "{{"), *close = open != NULL ? strstr(open, "}}") : NULL;
    if (close == NULL || close + 2 > end) return false;
    const char *name = open + 2;
    out->kind = ' ';
    if (*name == '#' || *name == '/') out->kind = *name++;
    size_t length = strcspn(name, " }");
    snprintf(out->name, sizeof out->name, "%.*s", (int)length, name);
    const char *argument = name + length + (name[length] == ' ');
    snprintf(out->argument, sizeof out->argument, "%.*s", (int)(close - argument), argument);
    out->begin = open;
    out->end = close + 2;
    widen_to_line(start, out);
    return true;
}

/* The tag that closes a section whose text begins at `from`. */
static bool find_close(const char *start, const char *from, const char *end, tag_found *out)
{
    uint32_t depth = 1;
    while (find_tag(start, from, end, out)) {
        if (out->kind == '#') depth++;
        if (out->kind == '/' && --depth == 0) return true;
        from = out->end;
    }
    return false;
}

/* ---- writing ---- */

static const page_tag *tag_named(const page_run *run, const char *name)
{
    const page_tag *tag = run->tags;
    while (tag->name != NULL && strcmp(tag->name, name) != 0) tag++;
    return tag->name != NULL ? tag : NULL;
}

static void write_text(const page_run *run, const char *from, const char *end)
{
    fwrite(from, 1, (size_t)(end - from), run->file);
}

static void write_part(const page_run *run, const char *from, const char *end);

/* Where the text goes on behind the section. */
static const char *write_section(const page_run *run, const tag_found *open, const char *end)
{
    tag_found close;
    const page_tag *tag = tag_named(run, open->name);
    if (tag == NULL || tag->has_more == NULL || !find_close(run->start, open->end, end, &close)) {
        write_text(run, open->begin, open->end);
        return open->end;
    }
    for (uint32_t round = 0; tag->has_more(run->context, open->argument, round); round++) {
        write_part(run, open->end, close.begin);
    }
    return close.end;
}

static void write_value(const page_run *run, const tag_found *found)
{
    const page_tag *tag = tag_named(run, found->name);
    if (tag == NULL || tag->write == NULL) {
        write_text(run, found->begin, found->end);
    } else {
        tag->write(run->file, run->context, found->argument);
    }
}

static void write_part(const page_run *run, const char *from, const char *end)
{
    tag_found tag;
    while (find_tag(run->start, from, end, &tag)) {
        write_text(run, from, tag.begin);
        if (tag.kind == '#') {
            from = write_section(run, &tag, end);
        } else {
            write_value(run, &tag);
            from = tag.end;
        }
    }
    write_text(run, from, end);
}

void page_write(FILE *file, const char *text, const page_tag *tags, void *context)
{
    page_run run = {file, text, tags, context};
    write_part(&run, text, text + strlen(text));
}

/* ---- for tags ---- */

bool page_next_alternative(const char **rest, char out[PAGE_ARGUMENT_MAX])
{
    if (**rest == '\0') return false;
    const char *end = strstr(*rest, " or ");
    size_t length = end != NULL ? (size_t)(end - *rest) : strlen(*rest);
    snprintf(out, PAGE_ARGUMENT_MAX, "%.*s", (int)length, *rest);
    *rest += length + (end != NULL ? 4 : 0);
    return true;
}

void page_write_ratio(FILE *file, double a, double b)
{
    if (a >= 0 && b > 0) {
        fprintf(file, " %.2f |", a / b);
    } else {
        fputs(" - |", file);
    }
}
