/* broad.h - which boxes of a crowd meet: the broad phases alone, for programs without meshes.
 *
 * The order of work: create a phase, then per step hand over the boxes that changed
 * (willow_broad_update), read the pairs that meet now and those that began or ended with this
 * update, and search for boxes, points and rays. Worlds (world.h) have a broad phase inside and
 * need nothing of this.
 *
 * A box is its place in the caller's array. Boxes are closed: touching is meeting. A box whose
 * lower bound exceeds its upper one is empty: it keeps its number and meets nothing. So boxes can
 * be removed and added without changing the numbers of others. Infinite bounds are valid, NaN is
 * refused.
 *
 * Answers are the same with every kind, kernel and order of updates, and sorted (C3, C10).
 * Threads: updates need the phase for themselves; all that takes it as const may run side by side
 * (C9). */
#ifndef WILLOW_BROAD_H
#define WILLOW_BROAD_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How pairs of boxes are found. X(enum, name, what it does) */
#define WILLOW_BROADS(X)                                                                           \
    X(AUTO, "auto", "the best of these for the number of boxes, their motion and sizes")           \
    X(ALL_PAIRS, "all_pairs", "every box against every other")                                     \
    X(ONE_AXIS, "one_axis", "boxes sorted along an axis, compared while they overlap")             \
    X(SWEEP_AND_PRUNE, "sweep_and_prune",                                                          \
      "sorted lists of ends along every axis, kept sorted by insertion")                           \
    X(LINEAR_BVH, "linear_bvh", "a tree over the boxes, which boxes, points and rays use, too")    \
    X(GRID, "grid", "cells as large as boxes, a grid for each class of sizes")                     \
    X(COMPRESSED_TREE, "compressed_tree",                                                          \
      "a compressed quadtree or octree over corners of boxes, changed in place")

typedef enum willow_broad {
#define WILLOW_BROAD_ENTRY(name, words, what) WILLOW_BROAD_##name,
    WILLOW_BROADS(WILLOW_BROAD_ENTRY)
#undef WILLOW_BROAD_ENTRY
        WILLOW_BROAD_COUNT
} willow_broad;

/* The short name of a broad phase, or NULL for another number; and the broad phase of a name, or
 * false if there is none. */
WILLOW_API const char *willow_broad_name(willow_broad broad);
WILLOW_API bool willow_broad_from_name(const char *name, willow_broad *out);

/* How COMPRESSED_TREE gets the tree of the next step. The tree is the same, cell for cell, and so
 * are answers; the second and the third are for measuring. X(enum, name, what it does) */
#define WILLOW_UPKEEPS(X)                                                                          \
    X(IN_PLACE, "in_place", "only boxes with a corner that came into another cell are looked at")  \
    X(LITERAL, "literal", "as in the paper: all of the tree is refined, filled and pruned")        \
    X(FRESH, "fresh", "built anew by sorting")

typedef enum willow_upkeep {
#define WILLOW_UPKEEP_ENTRY(name, words, what) WILLOW_UPKEEP_##name,
    WILLOW_UPKEEPS(WILLOW_UPKEEP_ENTRY)
#undef WILLOW_UPKEEP_ENTRY
        WILLOW_UPKEEP_COUNT
} willow_upkeep;

/* As those for kinds. */
WILLOW_API const char *willow_upkeep_name(willow_upkeep upkeep);
WILLOW_API bool willow_upkeep_from_name(const char *name, willow_upkeep *out);

typedef struct willow_broad_phase willow_broad_phase;

typedef struct willow_broad_def {
    size_t struct_size;
    willow_allocator allocator; /* functions NULL: malloc and free */
    willow_broad broad;
    willow_kernel kernel; /* UNSUPPORTED if this machine or build does not have it */
    uint32_t dimensions;  /* 3, or 0 for that; 2: boxes are willow_rect */
    willow_log log;       /* write NULL: none */

    /* COMPRESSED_TREE: no cell is split that is not larger than this, which should be about what
     * boxes move in a step, or how large they are. 0: chosen by what trees cost. */
    double cell;
    willow_upkeep upkeep; /* COMPRESSED_TREE: for researchers; 0 is what is fast */
} willow_broad_def;

WILLOW_API willow_broad_def willow_broad_def_default(void);

/* Makes a phase without boxes. The caller owns it. Fails with OUT_OF_MEMORY, BAD_ARGUMENT,
 * UNSUPPORTED (a kernel that is not here), in words to the log of the def; *out is then NULL. */
WILLOW_API willow_result willow_broad_create(const willow_broad_def *def, willow_broad_phase **out);

/* Frees the phase; NULL is fine. */
WILLOW_API void willow_broad_destroy(willow_broad_phase *phase);

/* Why the last update failed, in words; "" if it succeeded, or there was none. Valid until the next
 * one. */
WILLOW_API const char *willow_broad_message(const willow_broad_phase *phase);

/* A box in the plane. */
typedef struct willow_rect {
    float lower_x, lower_y, upper_x, upper_y;
} willow_rect;

/* All boxes there are, in the caller's memory, read in the update only. */
typedef struct willow_broad_boxes {
    const void *boxes; /* willow_box each; willow_rect in two dimensions; aligned as floats are */
    size_t stride;     /* bytes from one box to the next; 0: none between them */
    uint32_t count;    /* may be another one in every update: boxes come and go at the end */

    /* NULL: any box may have changed. Else the numbers of those that did since the last update, in
     * any order, twice is fine; boxes past the former count are read in any case. */
    const uint32_t *changed;
    uint32_t changed_count;
} willow_broad_boxes;

/* Takes boxes over and finds the pairs that meet. Fails with BAD_ARGUMENT (NaN, a number that is no
 * box, a count without its array, a stride or an array that is not aligned), and nothing has
 * changed (C6); or with OUT_OF_MEMORY: the phase is then valid and STALE, and updating it again
 * goes on. */
WILLOW_API willow_result willow_broad_update(willow_broad_phase *phase,
                                             const willow_broad_boxes *boxes);

/* Numbers of two boxes, a < b. */
typedef struct willow_broad_pair {
    uint32_t a, b;
} willow_broad_pair;

/* Sorted by (a, b), each once. The memory is the phase's, until its next update. */
typedef struct willow_broad_pairs {
    const willow_broad_pair *items;
    size_t count;
} willow_broad_pairs;

/* The pairs that meet. Fails with STALE only, and *out is then empty. */
WILLOW_API willow_result willow_broad_find_pairs(const willow_broad_phase *phase,
                                                 willow_broad_pairs *out);

/* The pairs that meet since the last update that succeeded and did not before, and the pairs that
 * did and do not any more. Either may be NULL. Fails as willow_broad_find_pairs does. */
WILLOW_API willow_result willow_broad_find_events(const willow_broad_phase *phase,
                                                  willow_broad_pairs *begun,
                                                  willow_broad_pairs *ended);

/* Pairs that are within `distance` of each other along every axis: box a, widened by it and rounded
 * outward, meets box b. Writes the first `room` of them to `out` and the number of all to *count.
 * Fails with STALE, BAD_ARGUMENT (a distance that is negative or no number), OUT_OF_MEMORY. */
WILLOW_API willow_result willow_broad_find_near(const willow_broad_phase *phase, double distance,
                                                willow_broad_pair *out, size_t room, size_t *count);

/* The boxes that meet `box`, widened by `distance` and rounded outward; a point is a box without
 * extent. In two dimensions z is not looked at. Writes the first `room` numbers in order, and the
 * number of all to *count. Fails with STALE, BAD_ARGUMENT (NaN, a negative distance),
 * OUT_OF_MEMORY. */
WILLOW_API willow_result willow_broad_find_box(const willow_broad_phase *phase,
                                               const willow_box *box, double distance,
                                               uint32_t *out, size_t room, size_t *count);

/* The boxes that, widened by `distance`, a ray meets, t_min to t_max; a few that it passes within
 * roundings of double may be among them, none is missing. In two dimensions z is not looked at.
 * Else as willow_broad_find_box; a ray that is not finite or has no direction is BAD_ARGUMENT. */
WILLOW_API willow_result willow_broad_find_ray(const willow_broad_phase *phase,
                                               const willow_ray *ray, double distance,
                                               uint32_t *out, size_t room, size_t *count);

/* The cases of Algorithm 1 of de Berg, Roeloffzen and Speckmann 2012. X(enum, name, what it is) */
#define WILLOW_REFINE_CASES(X)                                                                     \
    X(1, "1", "split, since a neighbour is")                                                       \
    X(2A, "2a", "beside a hole, with nothing mirrored into it: a leaf")                            \
    X(2B, "2b", "split, since mirrored holes need all of it")                                      \
    X(2C, "2c", "compressed around mirrored holes")                                                \
    X(3, "3", "a leaf")

typedef enum willow_refine_case {
#define WILLOW_REFINE_ENTRY(name, words, what) WILLOW_REFINE_##name,
    WILLOW_REFINE_CASES(WILLOW_REFINE_ENTRY)
#undef WILLOW_REFINE_ENTRY
        WILLOW_REFINE_COUNT
} willow_refine_case;

/* What the last update with LITERAL looked at; T is the tree before it, T1 the refined one. */
typedef struct willow_broad_refinement {
    size_t nodes, nodes_refined;       /* of T and of T1 */
    size_t cases[WILLOW_REFINE_COUNT]; /* how often each occurred */
    size_t leaves;                     /* of T1 */
    size_t leaves_looked;      /* of T, from all of these; at most 11 from each in the plane */
    size_t most_leaves_looked; /* from one of them */
    size_t boxes_looked;       /* in the lists of leaves of T */
} willow_broad_refinement;

typedef struct willow_broad_stats {
    willow_broad acting; /* never AUTO */
    uint32_t boxes;      /* those that are not empty */
    size_t pairs, begun, ended;
    size_t candidates; /* pairs of boxes that were compared in the last update */
    size_t entries;    /* places in which boxes are found: leaves of trees, ends on axes, cells */
    size_t nodes;      /* of trees; cells of grids */
    size_t leaves;     /* of these, which have lists of boxes: COMPRESSED_TREE */
    uint32_t levels;   /* classes of sizes; 1 where there are none */
    size_t swaps;      /* of ends, in the last update: SWEEP_AND_PRUNE */
    double cell;       /* the smallest cell that there may be: COMPRESSED_TREE */
    size_t far;        /* boxes that the last update took out of the tree and put in again, since
                          they moved farther than a cell: with LITERAL */
    willow_broad_refinement refinement; /* with LITERAL */
    size_t rebuilds; /* since creation: the structure was made afresh instead of kept */
    size_t bytes;    /* of memory held, pairs and copies of boxes included */
    double slack; /* AUTO, where boxes move little: the acting kind knows boxes that are larger by
                     so many times their size on each side, and hears of those that leave them;
                     answers are those for the given boxes. Else 0 */
} willow_broad_stats;

/* Pure, any thread. */
WILLOW_API willow_broad_stats willow_broad_get_stats(const willow_broad_phase *phase);

/* NULL, or the words for the invariant that is broken; for tests. Compares pairs with all pairs of
 * boxes up to a thousand boxes, and checks the structure in any case. */
WILLOW_API const char *willow_broad_validate(const willow_broad_phase *phase);

#ifdef __cplusplus
}
#endif
#endif
