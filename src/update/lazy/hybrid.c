/* hybrid.c - HYBRID: an update bounds the nodes of a middle level while it reads the positions;
 * those above are bounded from them when a query opens the root first, those below one by one.
 *
 * After Larsson and Akenine-Moeller 2001. Nearly all of the work of opening a node top-down is at
 * the top, where it would read most of the vertices, and nearly all of the work of a full refit is
 * at the bottom, where few nodes are ever opened: this does neither. */
#include "update/lazy/lazy.h"

static willow_result hybrid_update(wi_update *u)
{
    return wi_lazy_update(u, wi_hybrid_level(u->def));
}

extern const wi_method_ops wi_hybrid_ops;
const wi_method_ops wi_hybrid_ops = {
    .reads_plans = true, .reads_morphs = true, .update = hybrid_update, .take = wi_lazy_take};
