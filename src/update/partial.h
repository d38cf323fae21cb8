/* partial.h - a few vertices were moved: what these concern is noted, so that an update computes no
 * more than that. */
#ifndef WI_UPDATE_PARTIAL_H
#define WI_UPDATE_PARTIAL_H

#include "tree/hierarchy.h"

/* Vertices [first, first + count), whose positions are stored, have been moved. There are lists
 * (wi_touch_make). */
void wi_partial_move(wi_hierarchy *h, uint32_t first, uint32_t count);

#endif
