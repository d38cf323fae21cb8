/* tri_filter.h - eight pairs of triangles at once, in float32: certain answers or none.
 *
 * The filter never errs: a lane is `meet`, `apart`, or neither, and then wi_tris_meet_beyond
 * decides it. Lanes that hold NaN or overflow are neither. */
#ifndef WI_PRIM_MEET_TRI_FILTER_H
#define WI_PRIM_MEET_TRI_FILTER_H

#include <stdalign.h>
#include <stdbool.h>
#include "base/wide.h"
#include "willow/prim.h"
#include "willow/world.h"

/* Eight triangles. Corner k of lane i is corner[k][i]: x, y, z and a float of no meaning. */
typedef struct wi_tri8 {
    alignas(32) float corner[3][WI_LANES][4];
} wi_tri8;

/* Bit i speaks of lane i. No bit is set in both. */
typedef struct wi_filter_result {
    unsigned meet, apart;
} wi_filter_result;

typedef wi_filter_result wi_tri_filter(const wi_tri8 *a, const wi_tri8 *b);

/* sharing[s] is for pairs with s common vertices, which are the first s corners of both, in the
 * same order; "meet" then means: in more than the hull of these (C2). meet_many is the public
 * willow_tri_tri_meet_many. */
typedef struct wi_filter_kernels {
    wi_tri_filter *sharing[3];
    void (*meet_many)(const willow_tri_source *a, const willow_tri_source *b,
                      const willow_tri_pair *pairs, size_t count, uint8_t *meet);
} wi_filter_kernels;

/* `kernel` as wi_kernel_choose returned it. */
const wi_filter_kernels *wi_filter_kernels_for(willow_kernel kernel);

/* The exact answer for lane `lane`, for the lanes that the filter left over. */
bool wi_tri8_meet_exact(unsigned shared, const wi_tri8 *a, const wi_tri8 *b, unsigned lane);

#endif
