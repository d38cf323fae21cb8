/* user_parts.h - what a user is told of the nodes and leaves of a tree when asked to bound them:
 * the vertices below, and the box of their rest shape.
 *
 * Leaves below a node are one run (I2), and so are the vertices that they name. */
#ifndef WI_UPDATE_BLEND_USER_PARTS_H
#define WI_UPDATE_BLEND_USER_PARTS_H

#include "tree/tree.h"

typedef struct wi_part {
    wi_box rest;
    uint32_t first, count; /* in `leaf_vertices` */
} wi_part;

/* What is kept of a body whose user bounds its parts. */
typedef struct wi_user_bounds {
    wi_part *parts; /* of nodes, then of leaves; NULL: none were made */
    uint32_t part_count;
    uint64_t number; /* of the rest shape */
    wi_leaf_points kept;
} wi_user_bounds;

extern const wi_keeper_ops wi_user_bounds_keeper;

/* Of all nodes, and then of all leaves, of a tree over a mesh that is deformed. NULL if there is no
 * memory. */
wi_part *wi_parts_make(wi_memory *memory, const wi_tree *h);

#endif
