/* reader.h - what every traversal has: how it reads trees, and what that has cost.
 *
 * A reader belongs to one thread, and all traversals of that thread share it, one after the other:
 * pairs, steps, distances, boxes. It keeps what is worth keeping from query to query while bodies
 * stay where they are (leaves as queries see them, how surfaces fold), and the counts. What a
 * traversal is looking for, its stack and what it has found are its own.
 *
 * A traversal opens a node through walk/reader/sight.h, which counts, and reads a leaf through
 * walk/reader/leaf_block.h with one of the two caches. */
#ifndef WI_WALK_READER_READER_H
#define WI_WALK_READER_READER_H

#include "base/memory.h"
#include "tree/tree.h"
#include "walk/self/arcs.h"
#include "walk/self/folds.h"
#include "willow/query.h"

struct wi_leaf_cache;

typedef struct wi_reader {
    wi_memory *memory;            /* for all that a traversal keeps, too */
    willow_kernel kernel;         /* which kernels its traversals use */
    struct wi_leaf_cache *caches; /* two: leaves of side a, of side b */
    wi_folds folds;               /* of the body that was last met by itself */
    wi_arcs arcs;                 /* of the large fan that was last looked at */
    willow_query_stats stats;     /* counts, but for those that are in `openings` and `folds` */
    wi_openings openings;         /* what opening nodes and reading leaves has computed */
} wi_reader;

/* False if there is no memory; wi_reader_free may follow all the same. */
bool wi_reader_init(wi_reader *reader, wi_memory *memory, willow_kernel kernel);
void wi_reader_free(wi_reader *reader);

void wi_reader_add_stats(const wi_reader *reader, willow_query_stats *sum);
void wi_reader_reset_stats(wi_reader *reader);

/* Two caches of leaves without any; NULL if there is no memory. */
struct wi_leaf_cache *wi_leaf_caches_create(wi_memory *memory);
void wi_leaf_caches_free(wi_memory *memory, struct wi_leaf_cache *caches);

#endif
