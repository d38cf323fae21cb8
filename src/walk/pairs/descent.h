/* descent.h - from pairs of nodes down to pairs of leaves: what walks over pairs at rest
 * (walk/pairs/pair_walk.h) and over steps (walk/step/step_walk.h) have in common.
 *
 * A descent has a stack of pairs of nodes still to open, and of lots of stars. What is on the stack
 * are plain values, so that they can be shared out among workers and kept between queries. What
 * happens to leaves is chosen once for each pair of bodies, before the first node is opened
 * (wi_leaf_ops). The loops are in walk/pairs/open_pairs.h. */
#ifndef WI_WALK_PAIRS_DESCENT_H
#define WI_WALK_PAIRS_DESCENT_H

#include "base/check.h"
#include "base/containers/array.h"
#include "walk/reader/reader.h"
#include "walk/reader/rules.h"
#include "walk/reader/tree_parts.h"

/* A pair found: (slot in a) << 32 | (slot in b); within one body the lower slot first. */
typedef uint64_t wi_pair_key;

static inline wi_pair_key wi_pair_key_of(uint32_t slot_a, uint32_t slot_b)
{
    return (wi_pair_key)slot_a << 32 | slot_b;
}

static inline wi_pair_key wi_pair_key_within(uint32_t slot_a, uint32_t slot_b)
{
    return slot_a < slot_b ? wi_pair_key_of(slot_a, slot_b) : wi_pair_key_of(slot_b, slot_a);
}

typedef enum wi_item_kind {
    WI_NODES,       /* a and b: nodes, or leaves with WI_IS_LEAF */
    WI_NODE_ITSELF, /* the node or leaf a against itself */
    WI_FANS         /* lot a of the stars of a body */
} wi_item_kind;

typedef struct wi_walk_item {
    wi_item_kind kind;
    uint32_t a, b;       /* as the kind says */
    wi_box box_a, box_b; /* of nodes, each in the frame of its own tree */
} wi_walk_item;

_Static_assert(sizeof(wi_walk_item) == 60, "stacks of these are copied and kept");

typedef WI_ARRAY(wi_walk_item) wi_walk_items;

typedef struct wi_descent wi_descent;

/* What walks do at the bottom of trees, each in a kernel of its own. All are false if there is no
 * memory. The two leaves of an item; one leaf with itself; the neighbours in one lot of a body's
 * stars. `a` and `b` are one tree for pairs within a body. */
typedef bool wi_meet_leaves(wi_descent *down, const wi_tree *a, const wi_tree *b,
                            const wi_walk_item *item);
typedef bool wi_meet_leaf_itself(wi_descent *down, const wi_tree *h, uint32_t leaf);
typedef bool wi_run_fans(wi_descent *down, const wi_tree *h, uint32_t lot);

typedef struct wi_leaf_ops {
    wi_meet_leaves *two;
    wi_meet_leaf_itself *itself; /* NULL for two bodies */
    wi_run_fans *fans;           /* NULL for two bodies */
} wi_leaf_ops;

/* How the triangles of leaves are related: which of its wi_leaf_ops a walk takes. */
typedef enum wi_kinship {
    WI_OF_TWO_BODIES,
    WI_KIN_LISTED,   /* of one body, whose triangles that share vertices are left to its stars, or
                      * left out */
    WI_KIN_UNLISTED, /* of one body, where they are met like all others */
    WI_KINSHIPS
} wi_kinship;

struct wi_descent {
    wi_reader *reader;     /* of the thread */
    wi_walk_items stack;   /* still to be opened, the next one on top */
    wi_walk_rules rules;   /* of the question */
    wi_leaf_ops leaf;      /* what happens to the leaves of the bodies at hand */
    const wi_mesh *masked; /* of the body at hand, if its groups are not all tested; else NULL */
    wi_folds *folds;       /* what is known of the body at hand, met by itself; NULL: nothing */
    const wi_hubs *hubs;   /* of the body at hand, if what shares them is not met; else NULL */
};

/* Of one body: are the groups of two triangles tested against each other? */
static inline bool wi_descent_tests(const wi_descent *down, uint32_t slot_a, uint32_t slot_b)
{
    return down->masked == NULL || wi_mesh_groups_meet(down->masked, slot_a, slot_b);
}

static inline bool wi_descent_push(wi_descent *down, const wi_walk_item *item)
{
    WI_ASSERT(item->kind <= WI_FANS);
    return wi_array_push(down->reader->memory, &down->stack, *item);
}

/* Groups of stars and odd ones in a lot. */
enum { WI_FANS_PER_LOT = 64 };

/* The lots of stars of a body. */
static inline uint32_t wi_fan_lots(const wi_tree *h)
{
    const wi_vertex_fans *fans = wi_fans_of(h);
    const size_t count = fans ? fans->groups.count + fans->odd.count : 0;
    return (uint32_t)((count + WI_FANS_PER_LOT - 1) / WI_FANS_PER_LOT);
}

static inline wi_walk_item wi_fan_item(uint32_t lot)
{
    return (wi_walk_item){.kind = WI_FANS, .a = lot};
}

/* Empties the stack and takes the rules of a question. */
void wi_descent_start(wi_descent *down, wi_reader *reader, const wi_walk_rules *rules);
void wi_descent_free(wi_memory *memory, wi_descent *down);

/* Puts all lots of stars on the stack, or the roots of two trees (of one with itself) on top of
 * it. False if there is no memory. */
bool wi_descent_push_fans(wi_descent *down, const wi_tree *h);
bool wi_descent_push_roots(wi_descent *down, const wi_tree *a, const wi_box *box_a,
                           const wi_tree *b, const wi_box *box_b);

/* Before nodes of two trees, or of one with itself, are opened: takes what happens to leaves of
 * this kinship, which groups are tested, and what is known of folds, if leaves that cannot fold are
 * left out: in this step. False if there is no memory. */
bool wi_descent_begin(wi_descent *down, const wi_tree *a, const wi_tree *b, const wi_leaf_ops *leaf,
                      wi_kinship kinship, wi_self_step step);

/* Who is told of neighbours, the lower slot first. False if there is no memory. */
typedef struct wi_sharing_visitor {
    bool (*visit)(void *context, uint32_t slot_a, uint32_t slot_b);
    void *context;
} wi_sharing_visitor;

/* Looks at fans in a step, or as they are where it has neither end nor reach: tells of those
 * neighbours of which something that has no vertex in common may touch, each two once. False if the
 * visitor is: then it stops. */
typedef bool wi_run_swept_fans(wi_descent *down, const wi_tree *h, wi_self_step step, uint32_t lot,
                               wi_sharing_visitor visitor);

#endif
