/* packed_boxes.h - the boxes of a narrow tree's nodes, side by side.
 *
 * A node has eight lanes, of which a binary tree uses two, so a sweep that writes all nodes of one
 * mostly waits for memory. Such a tree keeps one box for each node here, which an update refits in
 * a stream; a node is filled with the boxes of its children when it is opened first.
 *
 * A backward sweep finds the children of a node by their number alone (I1, I2): the first one that
 * is a node is the next node, each other one begins where the one before it ends, and leaves come
 * in descending order. */
#ifndef WI_UPDATE_REFIT_PACKED_BOXES_H
#define WI_UPDATE_REFIT_PACKED_BOXES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/check.h"
#include "tree/tree.h"

/* The fourth floats have no meaning. Half a cache line. */
typedef struct wi_padded_box {
    _Alignas(32) float lower[4];
    float upper[4];
} wi_padded_box;

_Static_assert(sizeof(wi_padded_box) == 32, "two boxes fill a cache line");

static inline wi_box wi_padded_box_get(const wi_padded_box *b)
{
    return (wi_box){{b->lower[0], b->lower[1], b->lower[2]},
                    {b->upper[0], b->upper[1], b->upper[2]}};
}

/* Its largest coordinate. */
static inline double wi_padded_box_size(const wi_padded_box *b)
{
    double most = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double low = fabs((double)b->lower[axis]), high = fabs((double)b->upper[axis]);
        const double larger = low > high ? low : high;
        most = larger > most ? larger : most;
    }
    return most;
}

/* How many children of a node are leaves and how many are nodes, in a byte. */
#define WI_CHILD_COUNTS(leaves, nodes) ((uint8_t)((leaves) | (nodes) << 4))

_Static_assert(WI_LANES < 16, "either count has half of the byte");

static inline unsigned wi_child_leaves(uint8_t shape) { return shape & 15U; }
static inline unsigned wi_child_nodes(uint8_t shape) { return shape >> 4; }

/* A subtree: nodes [first_node, last_node), of which the leaves end at last_leaf. */
typedef struct wi_packed_boxes_part {
    uint32_t first_node, last_node, last_leaf;
} wi_packed_boxes_part;

typedef struct wi_packed_boxes {
    uint32_t node_count, leaf_count, place_count;
    wi_padded_box *boxes;  /* by node: of all its children; NULL where these are kept elsewhere */
    uint32_t *last_node;   /* by node: the first behind those below it */
    uint8_t *shapes;       /* by node */
    uint32_t (*places)[3]; /* by leaf: of its triangle's corners; NULL where leaves have several */
    uint32_t *vertex_at;   /* by place that a leaf owns */

    /* For many threads: subtrees in order, and the nodes above them, parents first. */
    wi_packed_boxes_part *parts;
    uint32_t *above;
    uint32_t part_count, above_count;
} wi_packed_boxes;

/* Lists and room for the tree of `h`, whose mesh has places; boxes are yet to be computed. False if
 * there is no memory; there is none then. */
bool wi_packed_boxes_make(wi_memory *memory, const wi_tree *h, wi_packed_boxes *packed);

/* The same without room for boxes, for those that keep their own. */
bool wi_packed_boxes_list(wi_memory *memory, const wi_tree *h, wi_packed_boxes *packed);
void wi_packed_boxes_free(wi_memory *memory, wi_packed_boxes *packed);
size_t wi_packed_boxes_bytes(const wi_packed_boxes *packed);

/* NULL, or the words for what is broken; also in boxes, which are exact. */
const char *wi_packed_boxes_validate(const wi_tree *h, const wi_packed_boxes *packed);

/* The keeper whose state these are. */
extern const wi_keeper_ops wi_packed_keeper;

/* Of a tree that is kept so now. */
static inline wi_packed_boxes *wi_packed_boxes_of(const wi_tree *h)
{
    WI_ASSERT(h->boxes.acting.ops == &wi_packed_keeper && h->boxes.acting.state);
    return h->boxes.acting.state;
}

#endif
