/* spheres.h - trees of cells: rows of `willow bench --suite spheres`.
 *
 * After Rodriguez and Franquesa 2005. Rows count cells and bytes, which do not depend on the
 * machine, but for the times of `shelf`.
 *
 *   model.c    the bunny, or a built-in body in its place
 *   table.c    Table 1: cells by level, at four sizes
 *   bunnies.c  one bunny moves over three: what lives, against whole trees
 *   shelf.c    thousands of different bodies of which few collide
 *   print.c    rows as JSON lines and as tables */
#ifndef BENCH_SPHERES_SPHERES_H
#define BENCH_SPHERES_SPHERES_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "willow/willow.h"

/* A body whose longest side is one, at the origin. */
typedef struct spheres_model {
    const char *name;
    float *positions; /* three per vertex */
    uint32_t *indices;
    uint32_t vertex_count, triangle_count;
} spheres_model;

/* An exit code. What is loaded is freed by the other, also after a failure. */
int spheres_load(spheres_model *model);
void spheres_unload(spheres_model *model);

/* Adds a body of this size with this tree. */
willow_result spheres_add(willow_world *world, const spheres_model *model, float extent,
                          const willow_tree_def *tree, const willow_pose *pose,
                          willow_body_id *out);

enum { SPHERES_LEVELS = 7 };

typedef struct spheres_table_row {
    const char *model;
    uint32_t extent;
    willow_cells cells;
    uint32_t levels;
    uint64_t nodes[SPHERES_LEVELS + 1], paper[SPHERES_LEVELS + 1]; /* by level; all at 0 */
} spheres_table_row;

typedef struct spheres_bunnies_row {
    const char *model;
    uint32_t extent, depth, frames;
    willow_cells cells;
    double live;  /* bytes of all four bodies, mean over the frames */
    double most;  /* the most that was live */
    double pool;  /* what it was part of at the end */
    double whole; /* four whole trees */
    uint64_t pairs, grown, forgotten;
    uint32_t exhausted; /* frames in which growing stopped */
} spheres_bunnies_row;

typedef struct spheres_shelf_row {
    const char *method;
    uint32_t bodies, triangles;
    double bytes; /* of all hierarchies */
    double ms;    /* from the first update to the first answer */
    uint64_t pairs;
} spheres_shelf_row;

/* The work of a row, as parts of the run on the progress bar. */
enum {
    SPHERES_TABLE_WEIGHT = 1,    /* of all rows */
    SPHERES_BUNNIES_WEIGHT = 60, /* of all rows, each as long as the others; the same of shelf */
    SPHERES_SHELF_WEIGHT = 25
};

/* Measure and print rows, and count those that were finished. Exit codes: an error without a word
 * if Ctrl-C was pressed (bench/common/stop.h). */
int spheres_table(const spheres_model *model, const bench_options *options, uint32_t *row_count);
int spheres_bunnies(const spheres_model *model, const bench_options *options, uint32_t *row_count);
int spheres_shelf(const bench_options *options, uint32_t *row_count);

int spheres_print_table(const spheres_table_row *row, const bench_options *options);
int spheres_print_bunnies(const spheres_bunnies_row *row, const bench_options *options);
int spheres_print_shelf(const spheres_shelf_row *row, const bench_options *options);

#endif
