/* swept_boxes.h - which boxes overlap, of tens of thousands, without any tree.
 *
 * For what moves: a box holds its points at the start and at the end of a step, and so all between.
 * Boxes are closed. They are sorted along the axis on which they overlap least, so memory is linear
 * and some millions of overlaps take a second. */
#ifndef SCENES_SWEPT_BOXES_H
#define SCENES_SWEPT_BOXES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct swept_box {
    double lower[3], upper[3];
} swept_box;

/* Around some vertices, at the start and at the end. */
swept_box swept_box_of(const double (*start)[3], const double (*end)[3], const uint32_t *vertices,
                       int vertex_count);

/* Called once for every pair, in no order. */
typedef void swept_visitor(void *context, uint32_t a, uint32_t b);

/* All overlaps of one of `a` with one of `b`. False for want of memory, and none was visited. */
bool swept_visit_between(const swept_box *a, uint32_t a_count, const swept_box *b, uint32_t b_count,
                         swept_visitor *visit, void *context);

/* All overlaps of two of them; the lower number is given first. False as above. */
bool swept_visit_within(const swept_box *boxes, uint32_t count, swept_visitor *visit,
                        void *context);

#endif
