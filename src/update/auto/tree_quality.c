/* tree_quality.c - compares the spread of nodes with what it was when the tree was fresh. */
#include "update/auto/tree_quality.h"

#include "base/check.h"

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

static float spread_of(const wi_node *view, double margin)
{
    double sum = 0.0;
    wi_box whole = wi_box_empty();
    WI_ASSERT(view->count > 0 && view->count <= WI_LANES);
    for (unsigned lane = 0; lane < view->count; lane++) {
        wi_box box = wi_node_box(view, lane);
        if (margin > 0.0) box = without_margin(&box, margin);
        sum += wi_box_half_area(&box);
        wi_box_add_box(&whole, &box);
    }
    return wi_spread(sum, wi_box_half_area(&whole));
}

/* Nodes of a fresh tree have no margin, nor have those above the cut. */
static double margin_of(const wi_tree *h, const wi_survey_hints *hints, uint32_t node,
                        uint32_t depth)
{
    const bool has_margin = depth >= hints->margin_level &&
                            atomic_load_explicit(&h->boxes.nodes[node].stamp,
                                                 memory_order_relaxed) >= hints->margin_since;
    return has_margin ? (double)h->def.margin : 0.0;
}

static wi_survey_hints hints_of(const wi_keeper *keeper)
{
    if (keeper->state && keeper->ops->survey_hints) return keeper->ops->survey_hints(keeper->state);
    return (wi_survey_hints){.margin_since = UINT64_MAX};
}

void wi_tree_quality_note(wi_tree *h)
{
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        if (!(h->boxes.nodes[node].spread > 0.0F))
            h->boxes.nodes[node].spread = spread_of(&h->boxes.nodes[node], 0.0);
}

/* Sums of spreads by level. What is deeper than this is counted as the last one: no tree that is
 * worth a look is. */
enum { LEVELS = 64 };

typedef struct levels {
    double now[LEVELS], fresh[LEVELS], nodes[LEVELS];
    uint32_t used;
} levels;

static void quality_add_node(levels *l, uint32_t level, double now, double fresh)
{
    WI_ASSERT(l->used <= LEVELS && now >= 0.0 && fresh >= 0.0);
    if (level >= LEVELS) level = LEVELS - 1;
    for (; l->used <= level; l->used++)
        l->now[l->used] = l->fresh[l->used] = l->nodes[l->used] = 0.0;
    l->now[level] += now;
    l->fresh[level] += fresh;
    l->nodes[level]++;
}

static double wear_of(const levels *l)
{
    double wear = 1.0;
    for (uint32_t i = 0; i < l->used; i++)
        if (l->fresh[i] > 0.0) wear *= l->now[i] / l->fresh[i];
    return wear;
}

static double spread_of_levels(const levels *l)
{
    double spread = 1.0;
    for (uint32_t i = 0; i < l->used; i++)
        if (l->nodes[i] > 0.0) spread *= l->now[i] / l->nodes[i];
    return spread;
}

/* What is seen on the way through the tree: above the cut, below it, and in the subtree at hand. */
typedef struct view_of_wear {
    levels above, below, subtree;
    uint32_t subtree_node;
} view_of_wear;

static void close_subtree(wi_tree_quality *wear, view_of_wear *v, double ratio, uint32_t *nodes)
{
    const bool is_worn = wear_of(&v->subtree) > ratio;
    WI_ASSERT(!is_worn || v->subtree.used > 0 || !(ratio >= 1.0));
    if (is_worn && nodes) nodes[wear->worn] = v->subtree_node;
    wear->seen += v->subtree.used > 0;
    wear->worn += is_worn;
    v->subtree.used = 0;
}

/* Nodes below a closed one are of no interest, and may be skipped where it is known how many; but
 * not before the level from which on they are counted. */
static uint32_t quality_node_behind(const uint32_t *last_node, uint32_t node, bool is_next)
{
    WI_ASSERT(last_node == NULL || last_node[node] > node);
    return is_next || last_node == NULL ? node + 1 : last_node[node];
}

/* The depth of `next`, from that of a node before it: its parent is that node or one above it, so
 * on the way through the tree no more steps go up than went down. */
static uint32_t depth_behind(const wi_tree *h, uint32_t node, uint32_t depth, uint32_t next)
{
    if (next == h->shape->node_count) return 0;
    for (; node != h->boxes.nodes[next].parent; node = h->boxes.nodes[node].parent) depth--;
    WI_ASSERT(depth < h->shape->height);
    return depth + 1;
}

static void see_node(view_of_wear *v, wi_tree_quality *wear, const wi_tree *h,
                     const wi_survey_hints *hints, uint32_t node, uint32_t depth, uint32_t level)
{
    const wi_node *view = &h->boxes.nodes[node];
    const double now = (double)spread_of(view, margin_of(h, hints, node, depth));
    const double fresh = (double)view->spread;
    if (depth < level) {
        quality_add_node(&v->above, depth, now, fresh);
        wear->open_above++;
        return;
    }
    quality_add_node(&v->below, depth - level, now, fresh);
    quality_add_node(&v->subtree, depth - level, now, fresh);
    wear->open++;
}

wi_tree_quality wi_tree_quality_survey(const wi_tree *h, uint32_t level, double ratio,
                                       uint32_t *nodes)
{
    wi_tree_quality wear = {0};
    view_of_wear v = {.subtree_node = 0};
    const wi_survey_hints hints = hints_of(&h->keeper);
    uint32_t next, depth = 0;
    for (uint32_t node = 0; node < h->shape->node_count;
         depth = depth_behind(h, node, depth, next), node = next) {
        const bool is_open = wi_is_open(h, node), is_below = depth >= level;
        next = quality_node_behind(hints.last_node, node, is_open || !is_below);
        if (depth <= level) { /* the last subtree ends here */
            close_subtree(&wear, &v, ratio, nodes);
            v.subtree_node = node;
            wear.subtrees += depth == level;
        }
        if (is_below) wear.node_count += next - node;
        if (is_open) see_node(&v, &wear, h, &hints, node, depth, level);
    }
    close_subtree(&wear, &v, ratio, nodes);
    WI_ASSERT(wear.worn <= wear.seen && wear.open <= wear.node_count);
    WI_ASSERT(wear.open + wear.open_above <= h->shape->node_count);
    wear.above = wear_of(&v.above);
    wear.below = wear_of(&v.below);
    wear.spread = spread_of_levels(&v.above) * spread_of_levels(&v.below);
    return wear;
}
