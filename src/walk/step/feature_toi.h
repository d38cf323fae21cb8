/* feature_toi.h - when do two features touch first in the course of a step?
 *
 * Each of their four points goes straight, or turns with its body, or flies along a plan, which has
 * corners. Between one corner and the next, of either body, paths are smooth: such a span is a step
 * of its own for prim/moving/toi.h, and its times are taken back to those of the whole. */
#ifndef WI_WALK_STEP_FEATURE_TOI_H
#define WI_WALK_STEP_FEATURE_TOI_H

#include "prim/moving/toi.h"
#include "walk/step/step_walk.h"

/* Two features that wait in a lane of a queue, by the rules of the walk. As wi_vertex_face_toi and
 * wi_edge_edge_toi; where they are found to touch, or are not decided, `at` gets the four points at
 * that time. */
willow_toi wi_when(const wi_step_walk *walk, const wi_feature_queue *queue, unsigned lane,
                   double *time, double at[4][3]);

#endif
