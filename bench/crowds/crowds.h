/* crowds.h - broad phases side by side on the boxes of a crowd: `willow bench --query broad`.
 *
 *   crowds.h     who takes part, and rows
 *   contender.c  a kind of broad phase, or a peer, as a contender
 *   measure.c    the rules of measuring
 *   density.c    how dense boxes are, for the bounds of compressed trees
 *   print.c      rows as JSON lines and as a table
 *
 * Boxes go in, pairs come out; there are no meshes. Each contender is handed all boxes, or those
 * that moved where only some do, and brings its pairs up to date. */
#ifndef BENCH_CROWDS_CROWDS_H
#define BENCH_CROWDS_CROWDS_H

#include "bench/common/json_line.h"
#include "bench/peers/box_peer.h"
#include "bench/run/options.h"
#include "scenes/crowd.h"

enum { CROWD_METHOD_MAX = 96, CROWD_CONTENDERS_MAX = 24 };

/* Who takes part: a kind of broad phase with its settings, or a peer. */
typedef struct crowd_method {
    char name[CROWD_METHOD_MAX]; /* as on the command line, settings included */
    willow_broad_def def;
    const box_peer_def *peer; /* NULL: a kind of Willow's */
} crowd_method;

typedef struct crowd_field {
    crowd_method methods[CROWD_CONTENDERS_MAX];
    uint32_t count;
} crowd_field;

/* What the bounds of de Berg, Roeloffzen and Speckmann are in: how many boxes meet a disk (a ball)
 * that are not smaller than it, and how many meet one with the radius of the smallest cell. Found
 * by looking at the squares (cubes) around disks in the middle and at the corners of boxes. */
typedef struct crowd_density {
    uint32_t density, k; /* 0: not measured */
} crowd_density;

/* Of boxes in space, of which those of the plane are flat. False if there is no memory. */
bool crowd_density_measure(const willow_box *boxes, uint32_t count, uint32_t dimensions,
                           double cell, crowd_density *out);

/* What a contender came to on a crowd. Times are means of counted frames. */
typedef struct crowd_row {
    const char *scene;
    crowd_def def;
    crowd_method method;
    uint32_t frames, counted;
    double update_ms, pairs_ms; /* bringing pairs up to date; reading them */
    double setup_ms;            /* taking all boxes in for the first time, and their pairs */
    uint64_t pairs, hash;       /* over all frames */
    uint64_t candidates, swaps; /* over counted frames */
    bool is_checked;            /* pairs were compared with those of another contender */
    bool is_wrong;              /* and are others */
    uint64_t lost;              /* of a peer: how many fewer there are */
    willow_broad_stats stats;   /* of the last frame; of peers nothing */
    crowd_density density;      /* the same, of compressed trees over not too many boxes */
} crowd_row;

typedef struct crowd_rows {
    crowd_row *items;
    uint32_t count, capacity;
} crowd_rows;

/* Nanoseconds for each box there is, whether it moved or not. */
double crowd_row_ns(const crowd_row *row);

/* Reads the names of --method, with what they set; NULL is AUTO, "all" all kinds but
 * ALL_PAIRS. An exit code. */
int crowd_choose(const char *methods, const bench_options *options, crowd_field *out);

/* The crowd of a scene's text, and how many frames of it are played. An exit code. */
int crowd_open(const char *spec, const bench_options *options, crowd_def *def, uint32_t *frames);

/* Measures all contenders on one crowd, and adds their rows. An exit code: an error without a word
 * if Ctrl-C was pressed (bench/common/stop.h). */
int crowd_measure(const char *spec, const crowd_field *field, const bench_options *options,
                  crowd_rows *rows);

void crowd_rows_free(crowd_rows *rows);

/* From `first` on to standard output, in the format of the options. An exit code. */
int crowd_print(const crowd_rows *rows, uint32_t first, const bench_options *options);
json_line crowd_json(const crowd_row *row);

#endif
