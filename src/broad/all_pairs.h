/* all_pairs.h - every body's box against every other's. */
#ifndef WI_BROAD_ALL_PAIRS_H
#define WI_BROAD_ALL_PAIRS_H

#include "broad/broad.h"

extern const wi_broad_ops wi_broad_all_pairs;

#endif
