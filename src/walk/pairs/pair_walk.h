/* pair_walk.h - traversals of two trees, or of one with itself: triangles that meet.
 *
 * The caller starts a walk, seeds it with a pair of trees, runs it, and takes the keys. Candidates
 * wait until there are eight of a kind for the wide filter. Running stops early once there are
 * `pause_at` keys, so that first-pair and streaming queries need no callback in the inner loop. */
#ifndef WI_WALK_PAIRS_PAIR_WALK_H
#define WI_WALK_PAIRS_PAIR_WALK_H

#include "prim/meet/apart8.h"
#include "prim/meet/corners8.h"
#include "prim/meet/tri_filter.h"
#include "walk/pairs/descent.h"
#include "walk/reader/frames.h"

/* Up to eight candidates that share the same number of vertices, corners in shared-first order. */
typedef struct wi_candidates {
    wi_tri8 a, b;
    wi_pair_key key[WI_LANES];
    unsigned count;
} wi_candidates;

/* Of pairs of children of two nodes, a row of eight bits for each of a, those whose slabs or
 * spheres meet too: see walk/pairs/refine_kernel.c. `relation` is NULL in one frame. */
typedef uint64_t wi_refine(const wi_relation *relation, const wi_tree *a, uint32_t node_a,
                           const wi_tree *b, uint32_t node_b, uint64_t pairs);

/* Which boxes the triangles of one leaf are held against the other's. */
typedef enum wi_leaf_boxes {
    WI_BOXES_OF_NODES, /* those of the item */
    WI_BOXES_OF_BLOCKS /* in the world, where those of the item are in other frames or unknown */
} wi_leaf_boxes;

typedef struct wi_pair_walk {
    wi_descent down; /* the first member: see wi_pair_walk_of */
    const struct wi_pair_kernels *kernels;
    const wi_filter_kernels *filters; /* of candidates */
    WI_ARRAY(wi_pair_key) keys;       /* of the pairs found */
    WI_ARRAY(wi_pair_key) kept_keys;  /* of those that a front keeps: see pairs/front.h */
    wi_walk_items leaf_pairs;         /* that meet, where they are only listed: no WI_IS_LEAF */
    wi_candidates candidates[3];      /* by shared vertices */
    size_t pause_at;                  /* so many keys end a run */
    wi_frames frames;                 /* of the two trees at hand */
    wi_relation relation;             /* of these, if there are two */
    wi_leaf_boxes leaf_boxes;         /* for the leaves of the two trees at hand */
    wi_refine *refine;                /* NULL: the two trees at hand have nothing beyond boxes */
} wi_pair_walk;

/* The walk that a descent is the beginning of. */
static inline wi_pair_walk *wi_pair_walk_of(wi_descent *down)
{
    _Static_assert(offsetof(wi_pair_walk, down) == 0, "a descent begins its walk");
    return (wi_pair_walk *)(void *)down;
}

typedef struct wi_pair_kernels {
    /* Opens one pair of nodes: pushes their children's pairs, meets those of leaves and decides all
     * candidates. False if there is no memory. `a` and `b` are one tree for pairs within a body. */
    bool (*open)(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b, const wi_walk_item *item);

    /* Opens until the stack is empty and all candidates are decided, or `pause_at` is reached. */
    bool (*run)(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b);

    /* The same, but leaves that meet are only listed, in walk->leaf_pairs. */
    bool (*list)(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b);

    /* Looks into pairs of leaves that are known to meet, and decides all candidates. False if there
     * is no memory. */
    bool (*meet)(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b, const wi_leaf_pair *pairs,
                 size_t count);

    const wi_leaf_ops *leaf; /* by wi_kinship */
    wi_refine *refine;
    wi_apart8 *apart;     /* of strangers that the filter leaves over */
    wi_corners8 *corners; /* of the same */
} wi_pair_kernels;

typedef bool wi_meet_pairs(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b,
                           const wi_leaf_pair *pairs, size_t count);

/* Until wi_pair_walk_free the reader must not move. */
void wi_pair_walk_init(wi_pair_walk *walk, wi_reader *reader);
void wi_pair_walk_free(wi_pair_walk *walk);

/* Forgets what an earlier query left. */
void wi_pair_walk_start(wi_pair_walk *walk, const wi_walk_rules *rules, size_t pause_at);

/* Puts the roots of two trees, or of one with itself, on the stack; nothing if they cannot meet.
 * False if there is no memory. */
bool wi_pair_walk_seed(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b);

/* Before pairs of nodes or leaves of two trees, or of one with itself, are looked into: how their
 * frames lie to each other, and what happens to leaves. False if there is no memory. */
bool wi_pair_walk_begin(wi_pair_walk *walk, const wi_tree *a, const wi_tree *b);

/* Sends waiting candidates through filter and exact test. False if there is no memory. */
bool wi_pair_walk_decide(wi_pair_walk *walk, unsigned shared);
bool wi_pair_walk_decide_all(wi_pair_walk *walk);

/* What happens to leaves that are only listed: the lower one of a body first, or one twice. */
extern const wi_leaf_ops wi_list_leaves;

#endif
