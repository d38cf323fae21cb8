/* one_axis.h - boxes sorted along one axis, and compared while they overlap there. */
#ifndef WI_BROAD_ONE_AXIS_H
#define WI_BROAD_ONE_AXIS_H

#include "broad/broad.h"

extern const wi_broad_ops wi_broad_one_axis;

#endif
