/* sweep_and_prune.h - boxes sorted along one axis, and compared while they overlap there. */
#ifndef WI_BROAD_SWEEP_AND_PRUNE_H
#define WI_BROAD_SWEEP_AND_PRUNE_H

#include "broad/broad.h"

extern const wi_broad_ops wi_broad_sweep_and_prune;

#endif
