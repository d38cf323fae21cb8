/* part_boxes.h - a few boxes, parted in two where the surface is least. */
#ifndef WI_TREE_LINKED_PART_BOXES_H
#define WI_TREE_LINKED_PART_BOXES_H

#include <stdint.h>
#include "geom/box.h"

enum { WI_MOST_PARTED = 64 };

/* Orders the boxes along an axis, and returns how many of the first make one part, so that the
 * surface of each part times its boxes is least, and each has `least` of them. Boxes with equal
 * centres are in the order of their keys, no two of which are equal. */
unsigned wi_part_boxes(const wi_box *boxes, const uint32_t *keys, unsigned count, unsigned least,
                       uint8_t *order);

#endif
