/* tight_boxes.h - compares the boxes of a tree with those around what is below them. */
#ifndef TEST_TIGHT_BOXES_H
#define TEST_TIGHT_BOXES_H

#include "tree/hierarchy.h"

typedef struct box_count {
    size_t tight, wider, too_small; /* boxes of open nodes, and of the whole */
    size_t wider_below;             /* of the wider ones: in nodes below the cut */
    size_t closed;                  /* nodes whose boxes are not computed */
} box_count;

/* Looks at all boxes that are computed, exactly. */
box_count count_boxes(const wi_hierarchy *h);

#endif
