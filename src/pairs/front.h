/* front.h - what a traversal of two trees found at its bottom, kept from query to query.
 *
 * Pairs of nodes are opened eight children against eight at once, so that children that meet cost
 * no more than those that do not: where the last search ended is found again for a tenth of its
 * work. The rest is spent below, in pairs of leaves. So that is what a front keeps: the pairs of
 * leaves, which sprout and shrink as their boxes begin and cease to meet, and of each pair the
 * triangles that meet. Where no vertex of two leaves is anywhere else than in the last query, these
 * are still the same, to the bit; else the two are met as in any query. So a front pays where parts
 * of bodies rest, whatever says so: a vertex has not moved if it is where it was.
 *
 * Keeping more, such as triangles that are close to each other and how far, so that leaves that
 * moved a little need not be looked into, does not pay unless motion is very slow: meeting two
 * leaves takes as long as a handful of such triangles (docs/benchmarks.md).
 *
 * A front is about the leaves of two trees as they are numbered, and starts again when `structure`
 * says that these have changed; but where a tree was only edited, what is of other leaves is kept.
 * It belongs to one watch, so to one thread at a time; workers of a
 * query share out its leaves and pairs. */
#ifndef WI_PAIRS_FRONT_H
#define WI_PAIRS_FRONT_H

#include <stdalign.h>
#include "walk/pairs/pair_walk.h"

/* A leaf that is in pairs of the front. */
typedef struct wi_front_leaf {
    uint32_t leaf;      /* WI_NO_LEAF: nobody's place */
    uint32_t query;     /* the last one that met it */
    uint32_t last_pair; /* of those that it was in, while pairs are looked for */
    bool is_new;        /* its vertices are not there yet */
    bool is_moved;      /* some vertex is elsewhere than in the query before */
} wi_front_leaf;

#define WI_NO_LEAF UINT32_MAX

/* Four floats: x, y, z, and one of no meaning. */
typedef struct wi_front_point {
    alignas(16) float axis[4];
} wi_front_point;

/* The leaves of one tree that are in the front, each in a place. */
typedef struct wi_front_side {
    uint64_t placement;  /* of the body in the last query */
    uint32_t *places;    /* by leaf; WI_NO_LEAF: it has none */
    uint32_t leaf_count; /* of the tree */
    uint32_t stride;     /* points of a place: as many as the largest leaf has vertices */
    WI_ARRAY(wi_front_leaf) leaves;  /* by place */
    WI_ARRAY(wi_front_point) points; /* by place: vertices at the last query, as queries see them */
    WI_ARRAY(uint32_t) free;         /* places */
} wi_front_side;

typedef struct wi_front_pair {
    uint32_t a, b;             /* leaves; of one tree a <= b */
    uint32_t place_a, place_b; /* theirs */
    uint32_t first, count;     /* of its keys: in the front, or with who found them */
    uint32_t finder;           /* 0: they are in the front; else one more than the worker */
    bool is_known;             /* there are keys: the triangles that meet, of whatever groups */
    bool was_met;              /* it was looked into in the last query */
} wi_front_pair;

_Static_assert(sizeof(wi_front_pair) == 32, "half a cache line");

/* What happened, over all queries. */
typedef struct wi_front_counts {
    uint64_t restarts; /* because a tree was built, or for want of room */
    uint64_t sprouted, shrunk;
    uint64_t kept, looked_into; /* pairs of leaves whose keys were known, and others */
} wi_front_counts;

typedef struct wi_front {
    uint64_t structure[2]; /* of the two trees; 0: it is about none */
    bool skip_neighbours;  /* as keys were found */
    bool is_within;        /* the trees are one: only the first side is used */
    bool is_over;          /* it was given up because of max_bytes */
    bool has_chains;       /* while pairs are looked for: see wi_front_leaf */
    uint32_t query;        /* the number of the last one */
    size_t max_bytes;      /* 0: no limit */
    wi_front_side sides[2];
    WI_ARRAY(wi_front_pair) pairs, last_pairs; /* in the order in which the walk comes to them */
    WI_ARRAY(uint32_t) chains;                 /* by pair: the one before it of the same leaf a */
    WI_ARRAY(wi_pair_key) keys, spare_keys;
    size_t in_use; /* of `keys`, by pairs that were carried on */
    wi_front_counts counts;
} wi_front;

/* Gives everything back but the counts: the next query starts again. */
void wi_front_drop(wi_memory *memory, wi_front *front);
size_t wi_front_bytes(const wi_front *front);

/* Nothing meets: all pairs shrink. */
void wi_front_clear(wi_front *front);

/* Before a query with these rules: starts again if a tree is another one. False if there is no
 * room: the front is then dropped, as by the functions below. */
bool wi_front_begin(wi_memory *memory, wi_front *front, const wi_tree *a, const wi_tree *b,
                    const wi_walk_rules *rules);

/* The pairs of leaves that meet now, in the order of the walk: new ones sprout, those that are gone
 * shrink. */
bool wi_front_follow(wi_memory *memory, wi_front *front, const wi_walk_item *pairs, size_t count);

/* What workers do with the front, each with a part of it. */
typedef struct wi_front_kernels {
    /* Reads the vertices of places [first, last) and notes which have moved. */
    void (*move)(wi_front_side *side, const wi_tree *h, size_t first, size_t last,
                 wi_openings *count);

    /* Meets pairs [first, last), whose leaves have been moved, and decides all candidates. `items`
     * are the pairs as the walk has listed them. Keys to be kept go to walk->kept_keys, too. False
     * if there is no memory. */
    bool (*meet)(wi_pair_walk *walk, wi_front *front, const wi_tree *a, const wi_tree *b,
                 const wi_walk_item *items, uint32_t worker, size_t first, size_t last);
} wi_front_kernels;

const wi_front_kernels *wi_front_kernels_for(willow_kernel kernel);

/* After a query: takes the keys that workers have found. `walk_of` has the walk of each. */
typedef const wi_pair_walk *wi_walk_of(const void *context, uint32_t worker);
bool wi_front_keep(wi_memory *memory, wi_front *front, wi_walk_of *walk_of, const void *context);

/* NULL, or the words for the invariant that is broken (docs/invariants.md). */
const char *wi_front_validate(const wi_front *front, const wi_tree *a, const wi_tree *b);

#endif
