/* hybrid.c - HYBRID: an update bounds the nodes of a middle level while it reads the positions, and
 * those above from them; nodes below are bounded when a query opens them first.
 *
 * After Larsson and Akenine-Moeller 2001. Nearly all of the work of opening a node top-down is at
 * the top, where it would read most of the vertices, and nearly all of the work of a full refit is
 * at the bottom, where few nodes are ever opened: this does neither. */
#include "update/lazy.h"

/* The number that stands for half of the height is no depth of the user's. */
static willow_result update(wi_update *u)
{
    const uint32_t level = u->def->hybrid_level;
    const uint32_t depth = level < WI_HALF_HEIGHT ? level : WI_HALF_HEIGHT - 1;
    return wi_lazy_update(u, level > 0 ? depth : WI_HALF_HEIGHT);
}

extern const wi_method_ops wi_hybrid_ops;
const wi_method_ops wi_hybrid_ops = {
    .method = WILLOW_METHOD_HYBRID, .update = update, .take = wi_lazy_take};
