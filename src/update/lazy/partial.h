/* partial.h - a few vertices were moved: what these concern is noted, so that an update computes no
 * more than that. */
#ifndef WI_UPDATE_LAZY_PARTIAL_H
#define WI_UPDATE_LAZY_PARTIAL_H

#include "tree/tree.h"

/* Vertices [first, first + count), whose positions are stored, have been moved. There are lists
 * (wi_moved_vertices_make). */
void wi_partial_move(wi_tree *h, uint32_t first, uint32_t count);

#endif
