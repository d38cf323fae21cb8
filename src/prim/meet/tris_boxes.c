/* tris_boxes.c - which kernel. */
#include "prim/meet/tris_boxes.h"

#include "base/kernel.h"

extern wi_tris_meet_boxes wi_tris_meet_boxes_scalar, wi_tris_meet_boxes_avx2;

wi_tris_meet_boxes *wi_tris_meet_boxes_for(willow_kernel kernel)
{
    return WI_KERNELS_FOR(kernel, tris_meet_boxes);
}
