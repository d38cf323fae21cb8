/* ccd_csv.h - moving primitives from the CSV files of the continuous collision detection benchmark.
 *
 * Eight rows are a query: the four points at the start, then the four at the end. A row has six
 * integers, numerator and denominator of x, y and z, and where the truth is known a seventh: 1 if
 * the two touch at some time, else 0. Numbers are rational and should be doubles. */
#ifndef TEST_CCD_CSV_H
#define TEST_CCD_CSV_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ccd_query {
    double start[4][3], end[4][3];
    bool has_truth, truth;
} ccd_query;

typedef struct ccd_queries {
    ccd_query *items;
    size_t count;
    size_t rounded; /* coordinates that are no doubles, and were rounded */
} ccd_queries;

/* Reads all of a file, whose path is as for fopen. Fails the test if it cannot. */
ccd_queries ccd_csv_read(const char *path);
void ccd_csv_free(ccd_queries *queries);

#endif
