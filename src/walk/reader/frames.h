/* frames.h - in which frames the boxes of two sides are compared. */
#ifndef WI_WALK_READER_FRAMES_H
#define WI_WALK_READER_FRAMES_H

#include "geom/relation.h"
#include "tree/tree.h"

typedef enum wi_frames {
    WI_ONE_FRAME,  /* neither side is posed */
    WI_TWO_FRAMES, /* that of each: one of them is posed, so frames differ or vertices are rounded
                    */
    WI_OVER_STEP   /* the world's, where both bodies may move (walk/step/step.h) */
} wi_frames;

/* How two frames lie to each other: fills *relation if there are two. */
static inline wi_frames wi_relate(const wi_frame *a, const wi_frame *b, wi_relation *relation)
{
    if (a->pose == NULL && b->pose == NULL) return WI_ONE_FRAME;
    *relation = wi_relation_between(a, b);
    return WI_TWO_FRAMES;
}

#endif
