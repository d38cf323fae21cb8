/* top_down.c - TOP_DOWN: an update bounds the whole only; every node is bounded over the vertices
 * below it when a query opens it first.
 *
 * After Larsson and Akenine-Moeller 2001. The best method where queries open next to nothing: the
 * update is the pass that stores the positions, and every level that is opened reads them again. */
#include "update/lazy/lazy.h"

static willow_result top_down_update(wi_update *u) { return wi_lazy_update(u, 0); }

extern const wi_method_ops wi_top_down_ops;
const wi_method_ops wi_top_down_ops = {.update = top_down_update, .take = wi_lazy_take};
