/* once.h - kinds that are kept (broad/kept.h), made for one search of a world's question. */
#ifndef WI_BROAD_ONCE_H
#define WI_BROAD_ONCE_H

#include "broad/broad.h"

extern const wi_broad_ops wi_broad_grid_once_scalar, wi_broad_grid_once_avx2;
extern const wi_broad_ops wi_broad_sweep_once, wi_broad_compressed_once;

#endif
