/* boxtree_parts.h - a tree whose boxes have one end of their own and inherit the other five.
 *
 * Binary: the children of a node are halved until each is alone, and each half is a part. So a node
 * of 8 children shows three levels at once, and has 14 parts. A part has one plane, which cuts the
 * box that it is a half of at one of six ends: lower x, y, z, upper x, y, z. Two halves of a body
 * that lie side by side are cut where they end towards each other, which are the two splitting
 * planes of the literature; which end of a part is cut is chosen when the tree is set up, and is
 * the one that leaves the smallest box. A plane is held by a vertex, and has a certificate: nobody
 * else below the part is beyond it. Six more parts, which come first, are the ends of the whole.
 *
 * Parts are numbered: 6, then `stride` for each node, of which a node with fewer children than the
 * arity leaves some unused. What is above a part comes before it. update/kinetic/boxtree.h keeps
 * all of this true; here is what it is kept in. It shares its queue, and the list of paths that
 * changed, with the other kinetic tree (update/kinetic/kinetic.h). */
#ifndef WI_UPDATE_KINETIC_BOXTREE_PARTS_H
#define WI_UPDATE_KINETIC_BOXTREE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/check.h"
#include "base/wide.h"
#include "tree/tree.h"

struct wi_kinetic;

enum { WI_MOST_PARTS = 2 * (WI_LANES - 1), WI_ROOT_PARTS = 6 };

/* In the place of the number of a part within its node. */
enum { WI_NO_PART = 255 };

/* A run of children of a node. */
typedef struct wi_part_shape {
    uint8_t first, count; /* lanes */
    uint8_t above;        /* the part that it is a half of, or WI_NO_PART: of the whole node */
    uint8_t behind;       /* the first part after those that it consists of */
} wi_part_shape;

/* By the number of children: the parts of a node, each before its halves; and the part that is one
 * child alone. */
extern const wi_part_shape wi_part_shapes[WI_LANES + 1][WI_MOST_PARTS];
extern const uint8_t wi_lane_parts[WI_LANES + 1][WI_LANES];

static inline unsigned wi_parts_of(unsigned children)
{
    WI_ASSERT(children <= WI_LANES);
    return children > 1 ? 2 * children - 2 : 0;
}

enum {
    WI_PART_CERTAIN = 1, /* on keyframes: nobody below is beyond the plane until the next one */
    WI_PART_HEIR_CERTAIN = 2, /* the same of its heir, once that holds the plane */
    WI_PART_DUE = 4,          /* its event has come */
    WI_PART_SEARCH = 8,       /* its certificate is to be made anew */
    WI_PART_TOLD = 16,        /* what is above has to hear of it */
    WI_PART_WAITS = WI_PART_DUE | WI_PART_SEARCH | WI_PART_TOLD
};

typedef struct wi_box_part {
    uint32_t place; /* of the vertex that holds the plane */
    uint32_t heir;  /* who overtakes it at its event, or WI_NO_HEIR */
    float second;   /* if there is an heir: nobody else does before this time */
    uint8_t end;
    uint8_t flags;
    uint8_t handovers; /* from vertex to vertex since the certificate was searched for */
    uint8_t rise;      /* how many changes, one above the other, have come up to it */
} wi_box_part;

_Static_assert(sizeof(wi_box_part) == 16, "four to a cache line");

_Static_assert((int)WI_MOST_PARTS <= 16, "a knot has a bit for each part of its node");
_Static_assert((int)WI_ROOT_PARTS <= 8, "a byte has a bit for each of the first parts");

/* A node whose parts have to be looked at again. */
typedef struct wi_knot {
    uint32_t next;  /* one more than the next one in its list, 0 at the end */
    uint16_t parts; /* a bit each */
    uint8_t depth;
} wi_knot;

typedef struct wi_boxtree {
    uint32_t node_count, leaf_count, stride;
    wi_box_part *parts;
    wi_knot *knots;      /* by node */
    uint32_t *leaf_node; /* by leaf: the node above */
    uint8_t root_waits;  /* the first six parts that have to be looked at again, a bit each */

    /* By node: its box in a keyframe, that of this number, while vertices are on keyframes: lower,
     * upper, each with a float to spare. Else NULL, but on the way. */
    float (*boxes)[8];
    uint32_t boxes_key;
    uint32_t updates; /* since the tree was looked at for decay */
} wi_boxtree;

static inline uint32_t wi_boxtree_part_count(const wi_boxtree *b)
{
    return WI_ROOT_PARTS + b->stride * b->node_count;
}

/* The first part of a node. */
static inline uint32_t wi_boxtree_first(const wi_boxtree *b, uint32_t node)
{
    WI_ASSERT(node < b->node_count);
    return WI_ROOT_PARTS + b->stride * node;
}

/* Where an end is in such a box. */
static inline unsigned wi_boxtree_end_at(unsigned end)
{
    WI_ASSERT(end < WI_ROOT_PARTS);
    return end < 3 ? end : end + 1;
}

/* Room for the tree of `h` in its kinetic state, without planes. False if there is no memory; there
 * is none then. */
bool wi_boxtree_make(wi_memory *memory, const wi_tree *h, struct wi_kinetic *kinetic);
bool wi_boxtree_make_boxes(wi_memory *memory, wi_boxtree *b);
void wi_boxtree_free_boxes(wi_memory *memory, wi_boxtree *b);
void wi_boxtree_free(wi_memory *memory, wi_boxtree *b);
size_t wi_boxtree_bytes(const wi_boxtree *b);

/* The part with this end that is next above, or one of the first six: from a part of a node on,
 * itself included, or from the node as a whole. */
uint32_t wi_boxtree_above(const wi_tree *h, uint32_t node, unsigned part, unsigned end);

/* The part that is a leaf alone, or WI_NO_PART. */
unsigned wi_boxtree_leaf_part(const wi_tree *h, uint32_t leaf);

/* NULL, or the words for what is broken: in its lists, not in its certificates. */
const char *wi_boxtree_validate(const wi_tree *h, const struct wi_kinetic *kinetic);

#endif
