/* tight_boxes.h - compares the boxes of a tree with those around what is below them. */
#ifndef TEST_TIGHT_BOXES_H
#define TEST_TIGHT_BOXES_H

#include "tree/tree.h"

typedef struct box_count {
    size_t tight, wider, too_small; /* boxes of open nodes, and of the whole */
    size_t wider_below;             /* of the wider ones: in nodes below the cut */
    size_t closed;                  /* nodes whose boxes are not computed */
} box_count;

bool boxes_equal(const wi_box *a, const wi_box *b);

/* Where the corners of triangles are, as the test has it. */
typedef struct test_corners {
    const float (*positions)[3];
    const uint32_t (*tris)[3]; /* after welding */
} test_corners;

/* Around the corners of the leaf's triangles: no place or border is read. */
wi_box box_of_leaf(const wi_tree *h, const wi_leaf *leaf, test_corners from);

/* Looks at all boxes that are computed, exactly. */
box_count count_boxes(const wi_tree *h);

#endif
