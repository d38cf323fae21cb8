/* walk.h - traversals: from pairs of nodes to pairs of triangles that meet.
 *
 * A walk belongs to one thread. It has a stack of pairs of nodes still to open (and of lots of
 * stars), candidates waiting until there are eight of a kind for the wide filter, and the keys of
 * the pairs found. The caller seeds it with a pair of trees, runs it, and takes the keys. What is
 * on the stack are plain values, so that a front of them can be kept between queries. Running stops
 * early once it holds `pause_at` keys, so that first-pair and streaming queries need no callback in
 * the inner loop. */
#ifndef WI_WALK_PAIRS_WALK_H
#define WI_WALK_PAIRS_WALK_H

#include "base/array.h"
#include "prim/features8.h"
#include "prim/tri_filter.h"
#include "tree/tree.h"
#include "walk/self/folds.h"
#include "walk/step/step.h"
#include "willow/query.h"

/* A pair found: (slot in a) << 32 | (slot in b); within one body the lower slot first. */
typedef uint64_t wi_pair_key;

/* In the place of b: the node of a against itself; lot a of the stars. */
#define WI_ITSELF UINT32_MAX
#define WI_FANS (UINT32_MAX - 1)

/* Groups of stars and odd ones in a lot. */
enum { WI_FANS_PER_LOT = 64 };

static inline wi_pair_key wi_pair_key_of(uint32_t slot_a, uint32_t slot_b)
{
    return (wi_pair_key)slot_a << 32 | slot_b;
}

static inline wi_pair_key wi_pair_key_within(uint32_t slot_a, uint32_t slot_b)
{
    return slot_a < slot_b ? wi_pair_key_of(slot_a, slot_b) : wi_pair_key_of(slot_b, slot_a);
}

/* Each box in the frame of its own hierarchy. */
typedef struct wi_walk_item {
    uint32_t a, b;
    wi_box box_a, box_b;
} wi_walk_item;

/* What is looked for: triangles that meet, or contacts. Those are walks over steps
 * (walk/step/step.h).
 */
typedef enum wi_wanted {
    WI_PAIRS,
    WI_IMPACTS,
    WI_FIRST_IMPACT,
    WI_NEAR_TRIS,
    WI_NEAR_FEATURES
} wi_wanted;

/* What a question says about how to walk. */
typedef struct wi_walk_rules {
    bool skip_neighbours;
    bool test_flat;      /* also what provably does not fold */
    bool descend_larger; /* of two nodes only the larger is opened */
    bool skip_rest;      /* of contacts within a body those that its rest shape has */
    wi_wanted wanted;
    double distance;  /* how close counts as touching, without the layers of bodies */
    double tolerance; /* of impacts */
    uint32_t max_iterations;
} wi_walk_rules;

/* A contact of two triangles: an impact, or two that are near each other. */
typedef struct wi_contact {
    wi_pair_key key; /* the two triangles */
    uint32_t pair;   /* the number of the two bodies in the question */
    uint8_t code;    /* which of their features: see walk/step/features.h */
    bool is_decided;
    double value; /* time or distance */
    float point_a[3], point_b[3];
} wi_contact;

/* Up to eight pairs of features, all vertices and faces or all edges and edges. */
typedef struct wi_feature_queue {
    wi_feature8 at;
    wi_pair_key key[WI_LANES];
    uint32_t vertex[WI_LANES][4]; /* what the points are */
    uint8_t code[WI_LANES];
    bool is_b_first[WI_LANES]; /* the first of the two features is of body b, not of a */
    unsigned count;
} wi_feature_queue;

/* Up to eight pairs of triangles at both ends of a step. */
typedef struct wi_movers {
    wi_tri8 a[2], b[2];
    wi_pair_key key[WI_LANES];
    unsigned count;
} wi_movers;

/* Up to eight candidates that share the same number of vertices, corners in shared-first order. */
typedef struct wi_candidates {
    wi_tri8 a, b;
    wi_pair_key key[WI_LANES];
    unsigned count;
} wi_candidates;

typedef struct wi_walk {
    wi_memory *memory;
    const struct wi_walk_kernels *kernels;
    const wi_filter_kernels *filters;
    struct wi_leaf_cache *caches;     /* two: of side a, of side b */
    struct wi_leaf_cache *end_caches; /* the same at the end of a step; NULL until it is needed */
    WI_ARRAY(wi_walk_item) stack;
    WI_ARRAY(wi_pair_key) keys;
    WI_ARRAY(wi_contact) contacts;
    WI_ARRAY(wi_walk_item) leaf_pairs; /* that meet, if lists_leaves: leaves without WI_IS_LEAF */
    WI_ARRAY(wi_pair_key) kept_keys;   /* see pairs/front.h */
    wi_candidates candidates[3];       /* by shared vertices */
    wi_movers movers;
    wi_feature_queue queues[2]; /* of vertices and faces, of edges */
    wi_feature_queue late[2];   /* the same for those that a look at the whole step leaves */
    wi_step step;               /* of the two bodies at hand, if contacts are wanted */
    uint32_t pair;              /* their number in the question */
    size_t pause_at;
    wi_walk_rules rules;
    wi_relation relation;  /* of the two trees at hand, if is_related */
    bool refines;          /* one of them has volumes beyond boxes */
    bool is_related;       /* one of them is posed, so frames differ or vertices are rounded */
    const wi_mesh *masked; /* of both, if they are one and its groups are not all tested */
    bool knows_folds;      /* `folds` is about the tree at hand, which is met by itself */
    bool lists_leaves;     /* leaves that meet are listed, not looked into */
    bool is_listed;        /* pairs of leaves come from a list, without their boxes */
    bool is_brute;         /* over a step: nothing is left to filters */
    bool knows_kin;        /* over a step: triangles that share vertices are left to the stars */
    wi_folds folds;
    willow_query_stats stats;
    wi_openings openings; /* the counts of `stats` that opening nodes gives */
} wi_walk;

/* Of one body: are the groups of two triangles tested against each other? */
static inline bool wi_walk_tests(const wi_walk *walk, uint32_t slot_a, uint32_t slot_b)
{
    return walk->masked == NULL || wi_mesh_groups_meet(walk->masked, slot_a, slot_b);
}

/* Notes two leaves that meet: of one body the lower one first, or one with itself, a == b. */
static inline bool wi_walk_list_leaves(wi_walk *walk, bool is_within, const wi_walk_item *item)
{
    const uint32_t a = item->a & ~WI_IS_LEAF, b = item->b & ~WI_IS_LEAF;
    const bool is_swapped = is_within && a > b;
    const wi_walk_item pair = {is_swapped ? b : a, is_swapped ? a : b,
                               is_swapped ? item->box_b : item->box_a,
                               is_swapped ? item->box_a : item->box_b};
    return wi_array_push(walk->memory, &walk->leaf_pairs, pair);
}

/* Looks into pairs of leaves that are known to meet, and decides all candidates. False if there is
 * no memory. */
typedef bool wi_meet_pairs(wi_walk *walk, const wi_tree *a, const wi_tree *b,
                           const wi_leaf_pair *pairs, size_t count);

typedef struct wi_walk_kernels {
    /* Opens one pair of nodes: pushes their children's pairs and tests those of leaves. False if
     * there is no memory. `a` and `b` are one tree for pairs within a body. */
    bool (*step)(wi_walk *walk, const wi_tree *a, const wi_tree *b, const wi_walk_item *item);

    /* Steps until the stack is empty and all candidates are decided, or `pause_at` is reached. */
    bool (*run)(wi_walk *walk, const wi_tree *a, const wi_tree *b);

    wi_meet_pairs *meet;

    /* Pushes the slots of the triangles of `h` that meet `box` as keys, until pause_at. Uses the
     * stack as pairs do; seed with wi_walk_seed_box. */
    bool (*run_box)(wi_walk *walk, const wi_tree *h, const wi_box *box);

    wi_features_apart *features_apart;
} wi_walk_kernels;

/* What walks do at the bottom of trees, each in a kernel of its own. All are false if there is no
 * memory. The two leaves of an item; one leaf with itself, if pairs within a body are asked for;
 * the triangles of a leaf that meet a box of the world; the neighbours in one lot of a body's
 * stars. */
typedef bool wi_meet_leaves(wi_walk *walk, const wi_tree *a, const wi_tree *b,
                            const wi_walk_item *item);
typedef bool wi_meet_leaf_itself(wi_walk *walk, const wi_tree *h, uint32_t leaf);
typedef bool wi_meet_leaf_box(wi_walk *walk, const wi_tree *h, uint32_t leaf, const wi_box *box);
/* Of pairs of children of two nodes, a row of eight bits for each of a, those whose slabs or
 * spheres meet too: see walk/pairs/refine_kernel.c. */
typedef uint64_t wi_refine(const wi_walk *walk, const wi_tree *a, uint32_t node_a, const wi_tree *b,
                           uint32_t node_b, uint64_t pairs);
typedef bool wi_run_fans(wi_walk *walk, const wi_tree *h, uint32_t lot);

/* The lots of stars of a body. */
static inline uint32_t wi_fan_lots(const wi_tree *h)
{
    const size_t count = h->fans.groups.count + h->fans.odd.count;
    return (uint32_t)((count + WI_FANS_PER_LOT - 1) / WI_FANS_PER_LOT);
}

/* The same over a step. Waiting movers go through their filter, and those that may touch to their
 * features. */
typedef bool wi_step_leaves(wi_walk *walk, const wi_walk_item *item);
typedef bool wi_step_leaf_itself(wi_walk *walk, uint32_t leaf);
typedef bool wi_step_fans(wi_walk *walk, uint32_t lot);
typedef bool wi_step_decide(wi_walk *walk);

/* The same in a step from `h` to `end`, on straight lines in the world: hands those neighbours to
 * `visit` of which something that they do not share may touch, each two once, the lower slot first.
 * False if `visit` is: then it stops. For things that touch at no distance: what is left out may
 * come as near as it likes. */
typedef bool wi_sharing_visitor(void *context, uint32_t slot_a, uint32_t slot_b);
typedef bool wi_run_swept_fans(wi_walk *walk, const wi_tree *h, const wi_tree *end, uint32_t lot,
                               wi_sharing_visitor *visit, void *context);

/* False if there is no memory. */
bool wi_walk_init(wi_walk *walk, wi_memory *memory, willow_kernel kernel);
void wi_walk_free(wi_walk *walk);

/* Forgets what an earlier query left, but for the statistics. */
void wi_walk_start(wi_walk *walk, const wi_walk_rules *rules, size_t pause_at);

/* Before walks over the steps of two bodies: how they move, and which pair of the question they
 * are. False if there is no memory. */
bool wi_walk_begin_step(wi_walk *walk, const wi_step *step, uint32_t pair);

/* Puts the roots of two trees, or of one with itself, on the stack; nothing if they cannot meet.
 * False if there is no memory. */
bool wi_walk_seed(wi_walk *walk, const wi_tree *a, const wi_tree *b);
bool wi_walk_seed_box(wi_walk *walk, const wi_tree *h, const wi_box *box);

/* Before pairs of nodes of two trees, or of one with itself, are opened: how their frames lie to
 * each other, and what is known of folds. False if there is no memory. */
bool wi_walk_begin(wi_walk *walk, const wi_tree *a, const wi_tree *b);

/* How the frames of a tree and a box of the world lie to each other. */
void wi_walk_relate_box(wi_walk *walk, const wi_tree *h, const wi_box *box);

static inline bool wi_walk_wants_contacts(const wi_walk *walk)
{
    return walk->rules.wanted != WI_PAIRS;
}

/* Sends waiting candidates through filter and exact test. */
bool wi_walk_decide(wi_walk *walk, unsigned shared);
bool wi_walk_decide_all(wi_walk *walk);

void wi_walk_add_stats(const wi_walk *walk, willow_query_stats *sum);
void wi_walk_reset_stats(wi_walk *walk);

#endif
