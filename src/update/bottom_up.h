/* bottom_up.h - the update of BOTTOM_UP, which REBUILD does after building. */
#ifndef WI_UPDATE_BOTTOM_UP_H
#define WI_UPDATE_BOTTOM_UP_H

#include "update/method.h"

/* Builds if needed, then bounds all leaves and nodes. */
willow_result wi_bottom_up_update(wi_update *u);

#endif
