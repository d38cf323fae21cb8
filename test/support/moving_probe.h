/* moving_probe.h - wi_moving_met and wi_vec8_length_above as AVX2 and as the scalar twin do them.
 * See wide_probe.h. */
#ifndef WI_TEST_MOVING_PROBE_H
#define WI_TEST_MOVING_PROBE_H

#include "geom/box.h"
#include "support/wide_probe.h"

/* Which of eight boxes, which go from the first to the second, meet a ninth that is widened. */
unsigned moving_probe_scalar(wi_box boxes[2][WIDE_PROBE_LANES], const wi_box mover[2], float widen,
                             float horizon, unsigned lanes);
unsigned moving_probe_avx2(wi_box boxes[2][WIDE_PROBE_LANES], const wi_box mover[2], float widen,
                           float horizon, unsigned lanes);

void length_probe_scalar(const float vectors[WIDE_PROBE_LANES][4], float out[WIDE_PROBE_LANES]);
void length_probe_avx2(const float vectors[WIDE_PROBE_LANES][4], float out[WIDE_PROBE_LANES]);

#endif
