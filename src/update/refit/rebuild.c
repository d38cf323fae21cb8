/* rebuild.c - REBUILD: a fresh tree in every update. For bodies whose triangles change places so
 * much that a kept tree would be worthless, and as a measure of how much others decay. */
#include "update/refit/bottom_up.h"

static willow_result rebuild_update(wi_update *u)
{
    u->needs_build = true;
    return wi_refit_update(u);
}

extern const wi_method_ops wi_rebuild_ops;
const wi_method_ops wi_rebuild_ops = {.update = rebuild_update};
