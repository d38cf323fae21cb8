/* wear.c - compares the spread of nodes with what it was when the tree was fresh. */
#include "update/wear.h"

#include <math.h>

/* Without its margin, and a little less where that was rounded outwards. A box that is little else
 * becomes a point. */
static wi_box without_margin(const wi_box *box, double margin)
{
    wi_box inner;
    for (int axis = 0; axis < 3; axis++) {
        const double low = (double)box->lower[axis], high = (double)box->upper[axis];
        const double lower = low + margin + fabs(low) * 0x1p-21;
        const double upper = high - margin - fabs(high) * 0x1p-21;
        inner.lower[axis] = (float)(lower < upper ? lower : 0.5 * (low + high));
        inner.upper[axis] = (float)(lower < upper ? upper : 0.5 * (low + high));
    }
    return inner;
}

/* 1 where nothing can be said: a node without a surface, or one that was never fresh. */
static float spread_of(const wi_view *view, double margin)
{
    double sum = 0.0;
    wi_box whole = wi_box_empty();
    for (unsigned lane = 0; lane < view->count; lane++) {
        wi_box box = wi_view_box(view, lane);
        if (margin > 0.0) box = without_margin(&box, margin);
        sum += wi_box_half_area(&box);
        wi_box_add_box(&whole, &box);
    }
    const double area = wi_box_half_area(&whole);
    return area > 0.0 ? (float)(sum / area) : 1.0F;
}

/* Nodes of a fresh tree have no margin, nor have those above the cut. */
static double margin_of(const wi_hierarchy *h, uint32_t node, uint32_t depth)
{
    const bool has_margin =
        h->patches.items && depth >= h->patches.level &&
        atomic_load_explicit(&h->views[node].stamp, memory_order_relaxed) >= h->keep_from;
    return has_margin ? (double)h->def.margin : 0.0;
}

void wi_wear_note(wi_hierarchy *h)
{
    for (uint32_t node = 0; node < h->node_count; node++)
        if (!(h->views[node].spread > 0.0F))
            h->views[node].spread = spread_of(&h->views[node], 0.0);
}

static uint32_t depth_of(const wi_hierarchy *h, uint32_t node)
{
    uint32_t depth = 0;
    for (; node != 0; node = h->views[node].parent) depth++;
    return depth;
}

/* A subtree at the cut, while it is looked at. */
typedef struct subtree {
    uint32_t node;
    double now, fresh;
} subtree;

static void close_subtree(wi_wear *wear, const subtree *s, double ratio, uint32_t *nodes)
{
    if (!(s->now > ratio * s->fresh)) return;
    if (nodes) nodes[wear->worn] = s->node;
    wear->worn++;
}

/* Nodes below a closed one are of no interest, and may be skipped where it is known how many; but
 * not before the level from which on they are counted. */
static uint32_t node_behind(const wi_hierarchy *h, uint32_t node, bool is_next)
{
    return is_next || h->patches.last_node == NULL ? node + 1 : h->patches.last_node[node];
}

wi_wear wi_wear_survey(const wi_hierarchy *h, uint32_t level, double ratio, uint32_t *nodes)
{
    wi_wear wear = {0};
    subtree s = {0};
    uint32_t next;
    for (uint32_t node = 0; node < h->node_count; node = next) {
        const wi_view *view = &h->views[node];
        const uint32_t depth = depth_of(h, node);
        const bool is_open = wi_is_open(h, node), is_below = depth >= level;
        next = node_behind(h, node, is_open || !is_below);
        if (depth <= level) { /* the last one ends here */
            close_subtree(&wear, &s, ratio, nodes);
            s = (subtree){.node = node};
        }
        if (is_below) wear.below += next - node;
        if (!is_open) continue;
        const double now = (double)spread_of(view, margin_of(h, node, depth));
        const double fresh = (double)view->spread;
        wear.open += is_below;
        wear.open_above += !is_below;
        wear.now += now;
        wear.fresh += fresh;
        if (!is_below) continue;
        s.now += now;
        s.fresh += fresh;
    }
    close_subtree(&wear, &s, ratio, nodes);
    return wear;
}
