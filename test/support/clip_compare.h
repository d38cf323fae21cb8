/* clip_compare.h - whether two clips show the same. */
#ifndef TEST_CLIP_COMPARE_H
#define TEST_CLIP_COMPARE_H

#include "io/clip.h"

/* A frame of the clip at that time; fails the test if there is none. The caller destroys it. */
clip_frame *clip_read_frame(const clip *c, double time);

/* Fails the test unless both have the same bodies with the same triangles, whose corners are at
 * most `tolerance` of the clip's size apart at these times. Names are compared, too. The worst
 * distance, in sizes. `shift` is added to times of the second. */
double clip_compare(const clip *a, const clip *b, const double *times, uint32_t time_count,
                    double shift, double tolerance);

#endif
