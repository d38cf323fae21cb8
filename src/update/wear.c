/* wear.c - compares the spread of nodes with what it was when the tree was fresh. */
#include "update/wear.h"

/* 1 where nothing can be said: a node without a surface, or one that was never fresh. */
static double spread_of(const wi_view *view)
{
    double sum = 0.0;
    wi_box whole = wi_box_empty();
    for (unsigned lane = 0; lane < view->count; lane++) {
        wi_box box = wi_view_box(view, lane);
        sum += wi_box_half_area(&box);
        wi_box_add_box(&whole, &box);
    }
    const double area = wi_box_half_area(&whole);
    return area > 0.0 ? sum / area : 1.0;
}

void wi_wear_note(wi_hierarchy *h)
{
    for (uint32_t node = 0; node < h->node_count; node++)
        if (!(h->views[node].spread > 0.0F))
            h->views[node].spread = (float)spread_of(&h->views[node]);
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

/* Nodes below a closed one are of no interest, and may be skipped where it is known how many. */
static uint32_t node_behind(const wi_hierarchy *h, uint32_t node, bool is_open)
{
    return is_open || h->patches.last_node == NULL ? node + 1 : h->patches.last_node[node];
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
        next = node_behind(h, node, is_open);
        if (depth <= level) { /* the last one ends here */
            close_subtree(&wear, &s, ratio, nodes);
            s = (subtree){.node = node};
        }
        if (is_below) wear.below += next - node;
        if (!is_open) continue;
        const double now = spread_of(view), fresh = (double)view->spread;
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
