/* ccd_csv.c - reads numerators and denominators of any length. See ccd_csv.h. */
#include "support/ccd_csv.h"

#include <gmp.h>
#include <stdlib.h>
#include "support/real_data.h"
#include "support/test.h"

enum { ROWS = 8, COLUMNS = 7 };

typedef struct reader {
    const char *path;
    char *at; /* what is not read yet */
    size_t row;
    mpq_t number, back;
    size_t rounded;
} reader;

static _Noreturn void refuse(const reader *r, const char *reason)
{
    fail_msg("%s:%zu: %s", r->path, r->row + 1, reason);
    abort(); /* fail_msg does not return, which compilers are not told */
}

/* The next line, without its end; NULL behind the last. */
static char *next_line(reader *r)
{
    char *line = r->at;
    if (*line == '\0') return NULL;
    r->at += strcspn(line, "\n");
    if (*r->at == '\n') *r->at++ = '\0';
    line[strcspn(line, "\r")] = '\0';
    return line;
}

static int split(reader *r, char *line, char *cells[COLUMNS])
{
    int count = 0;
    for (char *at = line; at != NULL; count++) {
        if (count == COLUMNS) refuse(r, "too many columns");
        cells[count] = at;
        at = strchr(at, ',');
        if (at != NULL) *at++ = '\0';
    }
    return count;
}

static double read_number(reader *r, const char *over, const char *under)
{
    if (mpz_set_str(mpq_numref(r->number), over, 10) != 0 ||
        mpz_set_str(mpq_denref(r->number), under, 10) != 0)
        refuse(r, "not a number");
    if (mpz_sgn(mpq_denref(r->number)) == 0) refuse(r, "a denominator of 0");
    mpq_canonicalize(r->number);
    double value = mpq_get_d(r->number);
    mpq_set_d(r->back, value);
    if (!mpq_equal(r->number, r->back)) r->rounded++;
    return value;
}

static bool read_row(reader *r, ccd_query *query)
{
    char *cells[COLUMNS], *line = next_line(r);
    if (line == NULL || line[0] == '\0') return false;
    const size_t row = r->row % ROWS;
    const int count = split(r, line, cells);
    if (count < COLUMNS - 1) refuse(r, "too few columns");
    double *out = row < 4 ? query->start[row] : query->end[row - 4];
    for (int axis = 0; axis < 3; axis++)
        out[axis] = read_number(r, cells[2 * axis], cells[2 * axis + 1]);
    query->has_truth = count == COLUMNS;
    query->truth = query->has_truth && strcmp(cells[COLUMNS - 1], "1") == 0;
    r->row++;
    return true;
}

static size_t count_lines(const char *text)
{
    size_t count = 1;
    for (; *text != '\0'; text++) count += *text == '\n';
    return count;
}

ccd_queries ccd_csv_read(const char *path)
{
    size_t size;
    char *text = real_data_read(path, &size);
    reader r = {.path = path, .at = text};
    ccd_queries out = {.items = calloc(count_lines(text) / ROWS + 1, sizeof *out.items)};
    assert_non_null(out.items);
    mpq_inits(r.number, r.back, NULL);
    while (read_row(&r, &out.items[r.row / ROWS])) {
    }
    mpq_clears(r.number, r.back, NULL);
    if (r.row % ROWS != 0) refuse(&r, "not a whole number of queries");
    out.count = r.row / ROWS;
    out.rounded = r.rounded;
    free(text);
    return out;
}

void ccd_csv_free(ccd_queries *queries)
{
    free(queries->items);
    *queries = (ccd_queries){0};
}
