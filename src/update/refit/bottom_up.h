/* bottom_up.h - the update of BOTTOM_UP, which others end with. */
#ifndef WI_UPDATE_REFIT_BOTTOM_UP_H
#define WI_UPDATE_REFIT_BOTTOM_UP_H

#include "update/method.h"

/* Prepares, then bounds all leaves and nodes, or those that are touched. */
willow_result wi_bottom_up_update(wi_update *u);

/* The second half of it. */
void wi_bottom_up_bound(wi_update *u);

#endif
