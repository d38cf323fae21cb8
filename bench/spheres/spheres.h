/* spheres.h - trees of cells: rows of `willow bench --suite spheres`.
 *
 * After Rodriguez and Franquesa 2005. Rows count cells and bytes, which do not depend on the
 * machine, but for times, and for what OpenGL sees, which depends on who draws.
 *
 *   model.c    a bunny and a dragon of others, or a built-in body in the place of the bunny
 *   table.c    Tables 1 and 2: cells by level, at four sizes
 *   error.c    Figures 3 and 4: how far the spheres around these cells are from the surface
 *   bunnies.c  one body moves over three (scenes/bunnies.c): what lives, against whole trees
 *   play.c     its four bodies, frame by frame
 *   picture.c  all boxes that there are in one of them
 *   gl.c       OpenGL, where Willow was built with it
 *   route.c    the same, second by second: Tables 4 to 6
 *   raster.c   how often a raster alone would have missed what a cell has
 *   shelf.c    thousands of different bodies of which few collide (scenes/shelf.c)
 *   print.c    rows as JSON lines and as tables */
#ifndef BENCH_SPHERES_SPHERES_H
#define BENCH_SPHERES_SPHERES_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "scenes/scenes.h"
#include "willow/willow.h"

/* A body whose longest side is one, at the origin. */
typedef struct spheres_model {
    const char *name; /* NULL: it is not there */
    float *positions; /* three per vertex */
    uint32_t *indices;
    uint32_t vertex_count, triangle_count;
    bool is_y_up; /* others are z up, as scenes are */
} spheres_model;

/* Exit codes. What is loaded is freed by the last one, also after a failure. There is always a
 * bunny, or a body in its place; the dragon may be missing. */
int spheres_load_bunny(spheres_model *model);
int spheres_load_dragon(spheres_model *model);
void spheres_unload(spheres_model *model);

/* Adds a body of this size with this tree. */
willow_result spheres_add(willow_world *world, const spheres_model *model, float extent,
                          const willow_tree_def *tree, const willow_pose *pose,
                          willow_body_id *out);

/* The depth that stands for this level, from 2 on, in a body of this size: section 5.3 gives some
 * one level more. */
uint32_t spheres_depth(willow_cells cells, uint32_t extent, uint32_t level);

/* ---- rows ---- */

enum {
    SPHERES_LEVELS = 7,
    SPHERES_TABLES = 16,
    SPHERES_EXTENTS = 3,
    SPHERES_KINDS = 3, /* of trees on the route */
    SPHERES_SECONDS = 7,
    SPHERES_FRAMES = 2200,
    SPHERES_RASTERS = 12,
    SPHERES_SHELVES = 3,
    SPHERES_BODIES = 4, /* on the route */
    SPHERES_PICTURE_BOXES = 8192
};

typedef struct spheres_table_row {
    int table; /* of the paper */
    const char *model;
    uint32_t extent;
    willow_cells cells;
    uint32_t levels;
    uint64_t nodes[SPHERES_LEVELS + 1], paper[SPHERES_LEVELS + 1]; /* by level; all at 0 */
} spheres_table_row;

/* Beside a row of a table: the same body, and the cells of the same levels. */
typedef struct spheres_error_row {
    int figure; /* of the paper, whose text has no numbers of it */
    const char *model;
    uint32_t extent;
    willow_cells cells;
    uint32_t levels;
    willow_cell_error errors[SPHERES_LEVELS + 1]; /* by level, from 2 on */
} spheres_error_row;

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

/* A second of the world. */
typedef struct spheres_second {
    uint32_t frames;
    double ms;          /* updates and questions, by the exact test alone */
    uint64_t cells;     /* looked into */
    uint64_t queries;   /* of occlusion, by OpenGL; 0 without it */
    double nodes, live; /* cells and bytes that are there, in the mean */
} spheres_second;

typedef struct spheres_route_row {
    int table; /* of the paper */
    const char *model;
    uint32_t extent, levels;
    willow_cells cells;
    spheres_second seconds[SPHERES_SECONDS];
    uint64_t queries, paper;           /* sums */
    uint64_t cells_asked;              /* the same of cells */
    bool is_drawn;                     /* by OpenGL */
    uint32_t nodes_at[SPHERES_FRAMES]; /* cells that are there */
} spheres_route_row;

typedef struct spheres_raster_row {
    const char *model;
    char renderer[64];
    uint32_t pixels, extent;
    willow_cells cells;
    uint64_t queries;
    willow_occupancy_stats seen;
} spheres_raster_row;

typedef struct spheres_shelf_row {
    const char *method;
    uint32_t bodies, triangles;
    double bytes; /* of all hierarchies */
    double ms;    /* from the first update to the first answer */
    uint64_t pairs;
} spheres_shelf_row;

/* A box from the side, in longest sides of a body. */
typedef struct spheres_picture_box {
    float lower[2], upper[2];
    uint32_t depth;
} spheres_picture_box;

/* What is there of the four trees in one frame. */
typedef struct spheres_picture {
    const spheres_model *model; /* NULL: it was not taken */
    uint32_t frame, count;
    float at[SPHERES_BODIES][2];
    spheres_picture_box boxes[SPHERES_PICTURE_BOXES];
} spheres_picture;

/* All that a run has measured. */
typedef struct spheres_rows {
    spheres_table_row tables[SPHERES_TABLES];
    spheres_error_row errors[SPHERES_TABLES];
    spheres_bunnies_row bunnies[2 * SPHERES_EXTENTS];
    spheres_route_row routes[SPHERES_EXTENTS * SPHERES_KINDS];
    spheres_raster_row rasters[SPHERES_RASTERS];
    spheres_shelf_row shelves[SPHERES_SHELVES];
    uint32_t table_count, error_count, bunny_count, route_count, raster_count, shelf_count;
    spheres_picture picture;
    bool is_wrong; /* a raster saw what is not there, or answers or numbers of cells differ */
} spheres_rows;

/* The work of all rows of a kind, as parts of the run on the progress bar. */
enum {
    SPHERES_TABLE_WEIGHT = 2,
    SPHERES_ERROR_WEIGHT = 4,
    SPHERES_BUNNIES_WEIGHT = 30,
    SPHERES_ROUTE_WEIGHT = 40,
    SPHERES_RASTER_WEIGHT = 4,
    SPHERES_SHELF_WEIGHT = 40
};

/* Measure rows and print them as they come. Exit codes: an error without a word if Ctrl-C was
 * pressed (bench/common/stop.h). */
int spheres_table(int table, const spheres_model *model, const bench_options *options,
                  spheres_rows *rows);
/* After the table of this model. */
int spheres_error(int figure, const spheres_model *model, const bench_options *options,
                  spheres_rows *rows);
int spheres_bunnies(const spheres_model *model, const bench_options *options, spheres_rows *rows);
int spheres_route(const spheres_model *model, const bench_options *options, spheres_rows *rows);
int spheres_raster(const spheres_model *model, const bench_options *options, spheres_rows *rows);
int spheres_shelf(const bench_options *options, spheres_rows *rows);

int spheres_print_table(const spheres_table_row *row, const bench_options *options);
int spheres_print_error(const spheres_error_row *row, const bench_options *options);
int spheres_print_bunnies(const spheres_bunnies_row *row, const bench_options *options);
int spheres_print_route(const spheres_route_row *row, const bench_options *options);
int spheres_print_raster(const spheres_raster_row *row, const bench_options *options);
int spheres_print_shelf(const spheres_shelf_row *row, const bench_options *options);

/* ---- the route ---- */

/* Four bodies of a model where those of scenes/bunnies.c are. */
typedef struct spheres_play {
    scene *route;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[SPHERES_BODIES];
    bool is_y_up;
} spheres_play;

/* Close it in any case. Updated, in frame 0. */
willow_result spheres_play_open(spheres_play *play, const spheres_model *model, uint32_t extent,
                                const willow_tree_def *tree);
void spheres_play_close(spheres_play *play);

/* Goes to a frame and updates; the seconds of the world that it stands for. */
willow_result spheres_play_frame(spheres_play *play, uint32_t frame);
double spheres_time(uint32_t frame);

/* Sums over the bodies. */
willow_result spheres_play_measure(const spheres_play *play, willow_sphere_stats *sum);

/* The model stays the caller's. Boxes beyond the room for them are left out. */
willow_result spheres_take_picture(const spheres_play *play, const spheres_model *model,
                                   uint32_t frame, float extent, spheres_picture *out);

#endif
