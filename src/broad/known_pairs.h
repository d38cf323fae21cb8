/* known_pairs.h - pairs that are kept already, as a broad phase. */
#ifndef WI_BROAD_KNOWN_PAIRS_H
#define WI_BROAD_KNOWN_PAIRS_H

#include "broad/broad.h"

/* For crowds with `known`. */
extern const wi_broad_ops wi_broad_known_pairs;

#endif
