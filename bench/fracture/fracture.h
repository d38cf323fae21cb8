/* fracture.h - trees that are kept while bodies break: rows of `willow bench --suite fracture`.
 *
 * State accumulates, so each contender plays a scene whole, in a world of its own, all contenders
 * frame by frame in turns, several times; medians are reported. Edits are the same calls for all:
 * what differs is what the method makes of them.
 *
 *   side.c     one contender: a world in which the bodies of a scene are edited
 *   series.c   splitting, apple and shatter: frame after frame
 *   pieces.c   pumpkin: one body becomes many
 *   model.c    the body that is split: of a file, where it is there
 *   print.c    rows as JSON lines and as a table */
#ifndef BENCH_FRACTURE_FRACTURE_H
#define BENCH_FRACTURE_FRACTURE_H

#include "bench/common/json_line.h"
#include "bench/run/options.h"
#include "willow/willow.h"

#include <stdio.h>

enum { FRACTURE_MOST_SIDES = 8, FRACTURE_WORD = 96 };

/* What a frame came to. */
typedef struct fracture_frame {
    double update_ms, query_ms; /* edit, setters and update; the question */
    double tests;               /* volumes and triangles */
    double quality;             /* Q */
    uint32_t depth, triangles, removed, added;
    uint64_t pairs, hash;
    bool is_built; /* the tree was built afresh */
} fracture_frame;

/* One contender over all frames. */
typedef struct fracture_series {
    char method[FRACTURE_WORD];
    fracture_frame *frames;
} fracture_series;

typedef struct fracture_row {
    char scene[SCENE_SPEC_MAX];
    const char *body;  /* the one that breaks: "triceratops" or "built-in" */
    const char *query; /* "pairs", or "self": within the first body, but for those of cracks */
    uint32_t frame_count, repeats, side_count;
    fracture_series sides[FRACTURE_MOST_SIDES];
    bool is_wrong; /* sides answer differently */
} fracture_row;

/* What a body that breaks all at once comes to. */
typedef struct fracture_pieces {
    char method[FRACTURE_WORD];
    uint32_t pieces, triangles, repeats;
    double edit_ms;     /* the edit that adds the faces of the cracks, and the update */
    double split_ms;    /* the split, the update and the first pairs */
    double recreate_ms; /* destroyed, created, updated, and the first pairs */
    double clone_ms;    /* copies that share, of each of which the others' triangles are removed */
    double other_split_ms, other_recreate_ms; /* without pairs of cracks, labels included */
    double tests, fresh_tests;                /* of pairs, while the pieces fly apart */
    double quality, fresh_quality;            /* in the mean of the pieces */
    uint64_t pairs, other_pairs;
    bool is_wrong;
} fracture_pieces;

/* Exit codes: an error without a word if Ctrl-C was pressed (bench/common/stop.h). A row is freed
 * in any case. */
int fracture_measure_series(const char *spec, const char *methods, bool is_within,
                            const bench_options *options, fracture_row *out);
void fracture_row_free(fracture_row *row);
int fracture_measure_pieces(const char *spec, const char *method, const bench_options *options,
                            fracture_pieces *out);

/* The mean over all frames but the first. */
double fracture_mean_update(const fracture_row *row, uint32_t side);
double fracture_mean_query(const fracture_row *row, uint32_t side);
double fracture_sum_tests(const fracture_row *row, uint32_t side);
uint32_t fracture_count_builds(const fracture_row *row, uint32_t side);
double fracture_longest_update(const fracture_row *row, uint32_t side);

/* To standard output, in the format of the options. Exit codes. */
int fracture_print_row(const fracture_row *row, const bench_options *options);
int fracture_print_pieces(const fracture_pieces *row, const bench_options *options);

#endif
