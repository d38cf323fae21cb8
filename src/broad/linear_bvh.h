/* linear_bvh.h - pairs of bodies from a tree over their boxes (broad/body_tree.h). */
#ifndef WI_BROAD_LINEAR_BVH_H
#define WI_BROAD_LINEAR_BVH_H

#include "broad/broad.h"

extern const wi_broad_ops wi_broad_linear_bvh_scalar, wi_broad_linear_bvh_avx2;

#endif
