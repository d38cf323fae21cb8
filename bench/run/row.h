/* row.h - what one contender did on one scene, as named numbers.
 *
 * The table of columns is the one place that has them: the struct, the JSON lines and the heads of
 * the CSV are made from it. A row stays when the scene that it is about is gone. */
#ifndef BENCH_RUN_ROW_H
#define BENCH_RUN_ROW_H

#include "bench/run/contender.h"
#include "bench/run/result.h"
#include "bench/run/stream.h"

enum { BENCH_TEXT_MAX = 256, BENCH_FIFTHS = 5 };

/* Which rows have a column. */
enum {
    OF_ALL = 1,
    OF_PEER = 2,
    OF_WILLOW = 4,
    OF_TREE = 8,        /* methods that keep a tree */
    OF_COMPARED = 16,   /* the yardstick took part */
    OF_YARDSTICK = 32,  /* the yardstick itself */
    OF_REFIT = 64,      /* every update refitted every body */
    OF_LIMIT = 128,     /* and the streaming bandwidth is known */
    OF_LIBRARY = 256,   /* peers that are libraries of others */
    OF_WITHIN = 512,    /* pairs within bodies were asked for */
    OF_DISTANCE = 1024, /* the question takes a distance */
    OF_RAYS = 2048,     /* the question casts rays */
    OF_COUNTED = 4096   /* what differs from Willow's answers is counted */
};

#define BENCH_STAGE_COLUMN(X, name, head) X(COUNT, name, OF_WILLOW)
#define BENCH_KINETIC_COLUMN(X, name, head) X(COUNT, name, OF_WILLOW)

/* X(kind, name, which rows have it). Times are per frame; pairs, rays, hash and counts over all
 * frames. Of rays `pairs` are hits, and `mrays` are millions of rays per second of the query. */
#define BENCH_COLUMNS(X)                                                                           \
    X(TEXT, scene, OF_ALL)                                                                         \
    X(TEXT, spec, OF_ALL)                                                                          \
    X(COUNT, triangles, OF_ALL)                                                                    \
    X(COUNT, bodies, OF_ALL)                                                                       \
    X(COUNT, plan_triangles, OF_ALL)                                                               \
    X(TEXT, method, OF_ALL)                                                                        \
    X(TEXT, query, OF_ALL)                                                                         \
    X(REAL, distance, OF_DISTANCE)                                                                 \
    X(COUNT, sampling, OF_RAYS)                                                                    \
    X(COUNT, rays, OF_RAYS)                                                                        \
    X(REAL, mrays, OF_RAYS)                                                                        \
    X(COUNT, frames, OF_ALL)                                                                       \
    X(COUNT, repeat, OF_ALL)                                                                       \
    X(TEXT, motion, OF_ALL)                                                                        \
    X(FLAG, plans, OF_ALL)                                                                         \
    X(FLAG, morphs, OF_ALL)                                                                        \
    X(COUNT, threads, OF_ALL)                                                                      \
    X(TEXT, kernel, OF_ALL)                                                                        \
    X(REAL, update_ms, OF_ALL)                                                                     \
    X(REAL, query_ms, OF_ALL)                                                                      \
    X(REAL, total_ms, OF_ALL)                                                                      \
    X(REAL, setup_ms, OF_ALL)                                                                      \
    X(REAL, update_ms_median, OF_ALL)                                                              \
    X(REAL, query_ms_median, OF_ALL)                                                               \
    X(REAL, total_ms_median, OF_ALL)                                                               \
    X(REAL, total_ms_least, OF_ALL)                                                                \
    X(REAL, total_ms_most, OF_ALL)                                                                 \
    X(REAL, update_ns_per_triangle, OF_ALL)                                                        \
    X(FIFTHS, fifths, OF_ALL)                                                                      \
    X(COUNT, pairs, OF_ALL)                                                                        \
    X(TEXT, hash, OF_ALL)                                                                          \
    X(TEXT, neighbours, OF_WITHIN)                                                                 \
    X(COUNT, bytes, OF_ALL)                                                                        \
    X(COUNT, bytes_hierarchy, OF_ALL)                                                              \
    X(REAL, bytes_per_triangle, OF_ALL)                                                            \
    X(TEXT, peer_version, OF_LIBRARY)                                                              \
    X(COUNT, lost, OF_COUNTED)                                                                     \
    X(COUNT, extra, OF_COUNTED)                                                                    \
    X(TEXT, stands_for, OF_WILLOW)                                                                 \
    X(FLAG, wrong, OF_WILLOW)                                                                      \
    BENCH_KINETICS(BENCH_KINETIC_COLUMN, X)                                                        \
    X(COUNT, setups, OF_WILLOW)                                                                    \
    X(COUNT, values, OF_WILLOW)                                                                    \
    X(COUNT, nodes_updated, OF_WILLOW)                                                             \
    X(COUNT, bodies_built, OF_WILLOW)                                                              \
    X(COUNT, subtrees_built, OF_WILLOW)                                                            \
    BENCH_STAGES(BENCH_STAGE_COLUMN, X)                                                            \
    X(TEXT, build, OF_TREE)                                                                        \
    X(COUNT, arity, OF_TREE)                                                                       \
    X(COUNT, leaf_triangles, OF_TREE)                                                              \
    X(COUNT, hybrid_level, OF_TREE)                                                                \
    X(REAL, margin, OF_TREE)                                                                       \
    X(REAL, rebuild_ratio, OF_TREE)                                                                \
    X(COUNT, nodes, OF_TREE)                                                                       \
    X(REAL, nodes_share, OF_TREE)                                                                  \
    X(COUNT, leaves, OF_TREE)                                                                      \
    X(COUNT, height, OF_TREE)                                                                      \
    X(REAL, cost, OF_TREE)                                                                         \
    X(COUNT, refit_bytes, OF_REFIT)                                                                \
    X(REAL, refit_gb_per_s, OF_REFIT)                                                              \
    X(REAL, limit_gb_per_s, OF_LIMIT)                                                              \
    X(REAL, limit_share, OF_LIMIT)                                                                 \
    X(REAL, speedup, OF_COMPARED)                                                                  \
    X(REAL, speedup_median, OF_COMPARED)                                                           \
    X(REAL, refit_ns_per_triangle, OF_YARDSTICK)                                                   \
    X(FLAG, yardstick_off, OF_YARDSTICK)

#define BENCH_MEMBER_TEXT(name) char name[BENCH_TEXT_MAX];
#define BENCH_MEMBER_COUNT(name) uint64_t name;
#define BENCH_MEMBER_REAL(name) double name;
#define BENCH_MEMBER_FLAG(name) bool name;
#define BENCH_MEMBER_FIFTHS(name) double name[BENCH_FIFTHS]; /* NAN: no counted frame in it */

typedef struct bench_row {
#define BENCH_COLUMN_ENTRY(kind, name, rows) BENCH_MEMBER_##kind(name)
    BENCH_COLUMNS(BENCH_COLUMN_ENTRY)
#undef BENCH_COLUMN_ENTRY
    bool skips_neighbours;       /* what `neighbours` says */
    const char *finds;           /* bench_question_finds */
    char family[BENCH_TEXT_MAX]; /* the spec without its size: what it shares with other sizes */
    uint32_t groups;             /* the columns that it has: OF_ALL and others */
    bench_series series;
} bench_row;

typedef enum bench_kind { KIND_TEXT, KIND_COUNT, KIND_REAL, KIND_FLAG, KIND_FIFTHS } bench_kind;

typedef struct bench_column {
    bench_kind kind;
    const char *name;
    uint32_t group;
    size_t offset; /* in a bench_row */
} bench_column;

/* Ended by one without a name. */
extern const bench_column bench_columns[];

static inline bool bench_row_has(const bench_row *row, uint32_t group)
{
    return (row->groups & group) != 0;
}

/* The rows of all scenes, those of one scene and one question one after the other. */
typedef struct bench_rows {
    bench_row *items;
    uint32_t count, capacity;
} bench_rows;

/* Adds a row per contender, and takes over its series. `curve` is NULL if the limit is not known.
 * False for want of memory. */
bool bench_rows_add(bench_rows *rows, bench_report *report, const stream_curve *curve);
void bench_rows_destroy(bench_rows *rows);

/* How wide a column is that takes the names of all rows from `first` on. */
int bench_name_width(const bench_rows *rows, uint32_t first);

/* The rows of the scene and the question that row `first` is about: the number of the one behind
 * the last. */
uint32_t bench_rows_end(const bench_rows *rows, uint32_t first);

/* The yardstick among rows [first, end), or NULL. */
const bench_row *bench_rows_yardstick(const bench_rows *rows, uint32_t first, uint32_t end);

/* A peer that loses or invents pairs is never best, nor is a wrong method. */
bool bench_row_is_sound(const bench_row *row);

/* What yardstick_off says, in words on standard error. */
void bench_warn_of_yardstick(const bench_rows *rows, uint32_t first);

#endif
