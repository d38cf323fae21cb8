/* parts.h - what a user is told of the nodes and leaves of a tree when asked to bound them: the
 * vertices below, and the box of their rest shape.
 *
 * Leaves below a node are one run (I2), and so are the vertices that they name. */
#ifndef WI_TREE_PARTS_H
#define WI_TREE_PARTS_H

#include "base/memory.h"
#include "geom/box.h"

struct wi_tree;

typedef struct wi_part {
    wi_box rest;
    uint32_t first, count; /* in `leaf_vertices` */
} wi_part;

/* Of all nodes, and then of all leaves, of a tree over a mesh that is deformed. NULL if there is no
 * memory. */
wi_part *wi_parts_make(wi_memory *memory, const struct wi_tree *h);

#endif
