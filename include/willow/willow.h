/* willow.h - all of Willow: trees that bend. Start reading at world.h, then query.h. What comments
 * cite as C1 to C11 is in docs/contracts.md. */
#ifndef WILLOW_WILLOW_H
#define WILLOW_WILLOW_H

#include "base.h"
#include "broad.h"
#include "bulk.h"
#include "edit.h"
#include "prim.h"
#include "query.h"
#include "stats.h"
#include "tree.h"
#include "types.h"
#include "watch.h"
#include "world.h"

#endif
