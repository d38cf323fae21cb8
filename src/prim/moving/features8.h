/* features8.h - eight vertices and faces, or eight pairs of edges, that move: certainly apart, or
 * not known. In float32, for walks over steps: what is left goes to toi.c or distance.c. */
#ifndef WI_PRIM_MOVING_FEATURES8_H
#define WI_PRIM_MOVING_FEATURES8_H

#include <stdalign.h>
#include "base/wide.h"

/* Point k of lane i at the start and at the end of a step: x, y, z and a float of no meaning. The
 * first is the vertex and the others are the face; or the first two are one edge and the others the
 * other. */
typedef struct wi_feature8 {
    alignas(32) float point[2][4][WI_LANES][4];
} wi_feature8;

/* How the filter looks: at features that do not move, at the whole step, or at parts of it, which
 * tells more and takes longer. */
typedef enum wi_look { WI_LOOK_STILL, WI_LOOK_WHOLE, WI_LOOK_PARTS } wi_look;

/* Bit i: over the whole step the two of lane i are farther apart than `reach`, whose roundings are
 * the caller's. Points move on straight lines, or stay where they are at the start. Only `lanes`
 * are of interest. */
typedef unsigned wi_features_apart(const wi_feature8 *f, bool are_edges, float reach, wi_look look,
                                   unsigned lanes);

#endif
