/* nearest.h - the triangle of a body, or of two, that is nearest: traversals in order of distance.
 *
 * A search has a heap of pairs of nodes, the one whose boxes are nearest to each other on top, and
 * the best pair of triangles so far. It ends when the top is farther than the best. Nodes as far as
 * the best are still opened, since of several pairs the first by number is the answer: so it does
 * not depend on the tree, the order of the heap or who searches (C10). A point takes the place of
 * the second body where one is asked about. */
#ifndef WI_WALK_NEAREST_NEAREST_H
#define WI_WALK_NEAREST_NEAREST_H

#include "base/containers/array.h"
#include "walk/reader/frames.h"
#include "walk/reader/reader.h"
#include "walk/reader/rules.h"

/* Two triangles, in the order of answers: by body and number of the first, then of the second. */
typedef struct wi_nearest_key {
    uint32_t body_a, tri_a, body_b, tri_b;
} wi_nearest_key;

typedef struct wi_nearest_best {
    bool found;
    double distance; /* of what was found, or how far to look */
    double reach2;   /* boxes whose squared distance is more hold nothing better */
    wi_nearest_key key;
} wi_nearest_best;

/* A pair of nodes or leaves, each box in the frame of its own hierarchy. */
typedef struct wi_nearest_item {
    double lower2;           /* no triangles below are nearer, squared */
    uint64_t age;            /* of equally near ones the youngest is the first: on the way down */
    const wi_tree *ha, *hb;  /* hb is NULL in a search from a point */
    uint32_t body_a, body_b; /* their places in the order of answers */
    uint32_t a, b;           /* nodes, or leaves with WI_IS_LEAF; no b in a search from a point */
    wi_box box_a, box_b;     /* theirs; box_b is the point, in the world, in a search from one */
} wi_nearest_item;

typedef WI_ARRAY(wi_nearest_item) wi_nearest_items;

/* What the triangles of a body are compared with: the same in all of a search. */
typedef enum wi_nearest_kind { WI_NEAREST_BODIES, WI_NEAREST_POINT } wi_nearest_kind;

typedef struct wi_nearest {
    wi_reader *reader;                    /* of the thread */
    wi_nearest_kind kind;                 /* another body's, or a point */
    bool descend_larger;                  /* of two nodes only the larger is opened */
    wi_nearest_items heap;                /* still to be opened, the nearest on top */
    uint64_t next_age;                    /* of the next item */
    wi_nearest_best best;                 /* so far */
    const wi_tree *related_a, *related_b; /* those that `frames` and `relation` are about */
    wi_frames frames;                     /* of these */
    wi_relation relation;                 /* if there are two */
} wi_nearest;

typedef struct wi_nearest_kernels {
    /* Opens a pair of nodes and pushes their children's pairs, or tests the triangles of a pair of
     * leaves. False if there is no memory. */
    bool (*open)(wi_nearest *nearest, const wi_nearest_item *item);
} wi_nearest_kernels;

/* Tests the triangles of an item of two leaves, or of a leaf and a point: a kernel of its own. */
typedef void wi_nearest_leaves(wi_nearest *nearest, const wi_nearest_item *item);

const wi_nearest_kernels *wi_nearest_kernels_for(willow_kernel kernel);

/* Nothing found yet, and nothing farther than `limit` is wanted. */
wi_nearest_best wi_nearest_within(double limit);

/* Forgets an earlier search and begins with `best`. */
void wi_nearest_start(wi_nearest *nearest, wi_reader *reader, wi_nearest_kind kind,
                      const wi_walk_rules *rules, const wi_nearest_best *best);

/* The same as a part of another search, with what is best in it now. */
void wi_nearest_start_part(wi_nearest *nearest, wi_reader *reader, const wi_nearest *whole);
void wi_nearest_free(wi_memory *memory, wi_nearest *nearest);

/* An item for two whole bodies that have triangles, or for one and a point. */
wi_nearest_item wi_nearest_root(const wi_tree *ha, uint32_t body_a, const wi_tree *hb,
                                uint32_t body_b);
wi_nearest_item wi_nearest_root_point(const wi_tree *h, uint32_t body, const float p[3]);

/* Puts an item on the heap, unless it cannot hold an answer; false if there is no memory. */
bool wi_nearest_push(wi_nearest *nearest, const wi_nearest_item *item);

/* The nearest item, taken off; false if none may hold an answer. */
bool wi_nearest_pop(wi_nearest *nearest, wi_nearest_item *item);

/* Opens items until none is left, or `most` are opened; false if there is no memory. */
bool wi_nearest_run(wi_nearest *nearest, const wi_nearest_kernels *kernels, uint64_t most);

/* Keeps a pair of triangles, or a triangle and the point, if it is better. */
void wi_nearest_offer(wi_nearest_best *best, double distance, const wi_nearest_key *key);

/* True if the triangles of this number would be kept with the least distance that they can have,
 * given that the boxes of the two are within reach. */
bool wi_nearest_is_wanted(const wi_nearest_best *best, const wi_nearest_key *key);

/* Tests two triangles, or one and a point. */
void wi_nearest_test(wi_nearest *nearest, const wi_tri *a, const wi_tri *b,
                     const wi_nearest_key *key);
void wi_nearest_test_point(wi_nearest *nearest, const wi_tri *tri, const float p[3],
                           const wi_nearest_key *key);

/* Makes `relation` that of the item's two frames. */
void wi_nearest_relate(wi_nearest *nearest, const wi_nearest_item *item);

#endif
