/* tris_boxes.h - do eight triangles meet an axis-aligned box? Exact, eight at once (C1). */
#ifndef WI_PRIM_MEET_TRIS_BOXES_H
#define WI_PRIM_MEET_TRIS_BOXES_H

#include "geom/box.h"
#include "prim/meet/tri_filter.h"
#include "willow/base.h"

/* meet[k] gets a bit for each lane below `tri_count` whose triangle meets box k: closed point sets,
 * as wi_tri_meets_box says. An empty box meets nothing. Adds to *exact_tests the triangles that the
 * float32 filter left to it. */
typedef void wi_tris_meet_boxes(const wi_tri8 *tris, unsigned tri_count, const wi_box *boxes,
                                unsigned box_count, uint8_t *meet, uint64_t *exact_tests);

/* `kernel` as wi_kernel_choose returned it. */
wi_tris_meet_boxes *wi_tris_meet_boxes_for(willow_kernel kernel);

#endif
