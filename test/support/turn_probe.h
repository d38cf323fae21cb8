/* turn_probe.h - wi_turn8 and wi_pose_quad as AVX2 and as the scalar twin do them. See
 * wide_probe.h. */
#ifndef WI_TEST_TURN_PROBE_H
#define WI_TEST_TURN_PROBE_H

#include "geom/relation.h"
#include "support/wide_probe.h"

/* Turns eight boxes, which have all lanes. */
void turn_probe_scalar(const wi_turn *turn, const wi_box boxes[WIDE_PROBE_LANES],
                       wi_box out[WIDE_PROBE_LANES]);
void turn_probe_avx2(const wi_turn *turn, const wi_box boxes[WIDE_PROBE_LANES],
                     wi_box out[WIDE_PROBE_LANES]);

/* Where the pose puts a vertex. */
void pose_probe_scalar(const wi_pose *pose, const float p[3], float out[4]);
void pose_probe_avx2(const wi_pose *pose, const float p[3], float out[4]);

#endif
