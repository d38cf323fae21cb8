/* watch.h - repeated queries about the same bodies (temporal coherence).
 *
 * A watch is about two bodies, or one with itself, and keeps from query to query what it can use
 * again. Its answers are those of willow_find_pairs, bit for bit; only their cost differs. It pays
 * where parts of bodies rest between queries. */
#ifndef WILLOW_WATCH_H
#define WILLOW_WATCH_H

#include "query.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is kept between queries. Answers do not depend on it (C1).
 * X(enum, name, what it does) */
#define WILLOW_WATCHES(X)                                                                          \
    X(AUTO, "auto", "a list if bodies suit it; else a front while that pays; else nothing")        \
    X(ROOTS, "roots", "nothing: every query begins at the roots of the trees")                     \
    X(FRONT, "front", "the leaves that meet, and what meets in those that rest")                   \
    X(LIST, "list", "the separation list: what meets is known in advance, and changes at events")

typedef enum willow_watch_kind {
#define WILLOW_WATCH_ENTRY(name, words, what) WILLOW_WATCH_##name,
    WILLOW_WATCHES(WILLOW_WATCH_ENTRY)
#undef WILLOW_WATCH_ENTRY
        WILLOW_WATCH_COUNT
} willow_watch_kind;

/* NULL if there is none of that number; false if there is none of that name. */
WILLOW_API const char *willow_watch_kind_name(willow_watch_kind kind);
WILLOW_API bool willow_watch_kind_from_name(const char *name, willow_watch_kind *out);

typedef struct willow_watch_def {
    size_t struct_size;
    willow_watch_kind kind;

    /* 0: no limit. Else a watch that would need more keeps nothing and begins at the roots, and
     * tries again some queries later. */
    size_t max_bytes;

    /* Of a list: keeps the events of each update for willow_watch_events. Updates then go from one
     * change of the course of a box to the next: see docs/queries.md. */
    bool events;
} willow_watch_def;

WILLOW_API willow_watch_def willow_watch_def_default(void);

typedef struct willow_watch willow_watch;

/* Creates a watch of two bodies, or of one with itself if a and b are the same, at any time. It
 * belongs to the world and is freed with it, or by willow_watch_destroy before that. The call
 * changes the world, so no other call may use the world meanwhile; bodies stay as they are, and
 * queries need no update.
 * `def` may be NULL for the defaults. Fails with BAD_HANDLE, BAD_ARGUMENT (the def) or
 * OUT_OF_MEMORY, with words in willow_world_message; *out is then NULL. */
WILLOW_API willow_result willow_watch_create(willow_world *world, const willow_watch_def *def,
                                             willow_body_id a, willow_body_id b,
                                             willow_watch **out);

/* Frees a watch before its world. Changes the world, as willow_watch_create does. NULL is fine; the
 * bodies may be destroyed already, but not the world. */
WILLOW_API void willow_watch_destroy(willow_watch *watch);

/* For two bodies: the pairs between them that willow_find_pairs would return, in one run; pairs
 * within either of them need watches of their own. For one body: the pairs that
 * willow_find_self_pairs would return if the body were named. All options have the same meaning
 * there, except `bodies`, which is ignored. The answer belongs to the scratch, as any other. One
 * thread at a time may query a watch. Threads may query different watches of one world at once,
 * beside other queries, each with a scratch of its own.
 * Fails as all queries do: STALE, OUT_OF_MEMORY, BAD_ARGUMENT, and BAD_HANDLE if the scratch is of
 * another world or a body was destroyed. The watch then stays as it was, or starts again with the
 * next query. */
WILLOW_API willow_result willow_watch_find_pairs(willow_watch *watch, willow_scratch *scratch,
                                                 const willow_query_options *options,
                                                 willow_pairs *out);

/* One of the pairs that willow_watch_find_pairs would return, or none. If the pair of the last such
 * query still meets, it is returned; else the watch searches for one, in its list if it has one. So
 * which pair it is depends on earlier queries, but not on threads or kernels.
 * max_results and use_threads are ignored. Everything else is as in willow_watch_find_pairs. */
WILLOW_API willow_result willow_watch_find_first_pair(willow_watch *watch, willow_scratch *scratch,
                                                      const willow_query_options *options,
                                                      willow_first_pair *out);

/* The boxes of two leaves begin or cease to meet. The paths of these boxes are known, and they are
 * slightly larger than necessary. `leaf_a` and `leaf_b` are numbers of nodes, as
 * willow_body_visit_nodes has them. */
typedef struct willow_leaf_event {
    double time;
    uint32_t leaf_a, leaf_b;
    bool begins;
} willow_leaf_event;

typedef struct willow_leaf_events {
    const willow_leaf_event *items; /* in order of time */
    size_t count;
    bool complete; /* false: the list started again in this update, and all leaves that meet now
                      begin at its time; or a body began to move, or got another tree */
} willow_leaf_events;

/* The events of the last update, of a watch that keeps a list and was created with `events`. They
 * belong to the watch and are valid until the next update. STALE before an update, UNSUPPORTED if
 * there is no list now: the watch is of another kind, a body is not suitable, or there was no
 * memory. */
WILLOW_API willow_result willow_watch_events(const willow_watch *watch, willow_leaf_events *out);

/* How good a separation list is as a kinetic data structure: the four measures of Theorem 6 in
 * Zachmann and Weller 2006. An entry is two boxes that the list knows to be apart, or to meet. All
 * 0 without a list. */
typedef struct willow_list_measures {
    double bytes_per_entry;   /* compact: memory, over the entries that there are now */
    double entries_per_event; /* responsive: looked at because of one event, in the mean, */
    uint64_t entries_per_event_most;
    double entries_per_box; /* local: those that a box of the list is in now, in the mean, */
    uint64_t entries_per_box_most;
    double internal_per_external; /* efficient: boxes that took another course, over changes of
                                     what meets */
} willow_list_measures;

/* What a watch holds, and what it did since it was created. Equal for equal queries, with any
 * workers and kernel. */
typedef struct willow_watch_info {
    willow_body_id body_a, body_b; /* the one with the lower index first */
    willow_watch_kind wanted;      /* as in the def */
    willow_watch_kind kind;     /* what the last query did: ROOTS, FRONT or LIST; before it AUTO */
    bool is_limited;            /* it did so because of max_bytes */
    size_t bytes;               /* held now, without the few of the watch itself */
    size_t leaf_pairs;          /* in the front: pairs of leaves that met in the last query */
    size_t kept_pairs;          /* pairs of triangles that are kept with these */
    uint64_t queries;           /* answered */
    uint64_t from_roots;        /* of these: that began at the roots, with nothing kept */
    uint64_t recognised;        /* of these: first pairs that were those of the question before */
    uint64_t restarts;          /* fronts given up: a tree was built anew, or wholly or partly
                                   changed, or there was no room */
    uint64_t sprouted, shrunk;  /* pairs of leaves that began to meet, and that ceased */
    uint64_t kept, looked_into; /* pairs of leaves whose triangles were known to meet or not, as
                                   they rested, and those that were looked into */
    size_t list_pairs;          /* of nodes that the list knows of */
    uint64_t list_events;       /* when what meets changed, as was known in advance */
    uint64_t list_renewals;     /* of the whole list: all boxes took another course */
    uint64_t list_starts;       /* from the roots */
    size_t list_entries;        /* two boxes that it knows of, apart or meeting */
    uint64_t list_looked_at;    /* of these, over all */

    /* What changed in the list, other than in a search from the roots, by kind: */
    uint64_t list_overlaps;      /* two boxes began to meet */
    uint64_t list_fathers_apart; /* two nodes ceased to, and all below them went */
    uint64_t list_leaves_apart;  /* two leaves ceased to */
    uint64_t list_box_changes; /* a box of the list took another course, alone: an end of it became
                                  another vertex, or a path changed. Its entries are looked at
                                  again, and no others */
    willow_list_measures list_measures;
} willow_watch_info;

/* Describes a watch. From the thread that queries it. BAD_ARGUMENT if `out` is NULL. */
WILLOW_API willow_result willow_watch_get_info(const willow_watch *watch, willow_watch_info *out);

#ifdef __cplusplus
}
#endif
#endif
