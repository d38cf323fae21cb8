/* wear.c - see wear.h. */
#include "tree/linked/wear.h"

#include <math.h>

#include "base/check.h"

/* Work is above 0 as a float, too. */
static const double LEAST_WORK = 1e-30;

/* The work of a node whose children have so much each: leaves none beyond themselves. */
static double work_with(const wi_tree *h, const wi_node *view, bool is_fresh)
{
    const wi_links *l = h->shape->links;
    wi_box whole = wi_box_empty();
    double sum = 0.0;
    for (unsigned lane = 0; lane < view->count; lane++) {
        const wi_box box = wi_node_box(view, lane);
        const uint32_t child = view->child[lane];
        double below = 0.0;
        if (view->leaf_mask == 0)
            below = (double)(is_fresh ? h->boxes.nodes[child].spread : l->work[child]);
        sum += wi_box_half_area(&box) * (1.0 + below);
        wi_box_add_box(&whole, &box);
    }
    const double area = wi_box_half_area(&whole);
    if (!(area > 0.0 && sum < (double)INFINITY)) return 1.0;
    return sum > LEAST_WORK * area ? sum / area : LEAST_WORK; /* lines have no surface */
}

void wi_wear_note(wi_tree *h, uint32_t node)
{
    wi_node *view = &h->boxes.nodes[node];
    const float work = (float)work_with(h, view, false);
    h->shape->links->work[node] = work;
    if (!(view->spread > 0.0F)) view->spread = work;
}

void wi_wear_note_open(wi_tree *h)
{
    const wi_links *l = h->shape->links;
    for (unsigned level = 0; level < h->shape->height; level++)
        for (uint32_t node = 0; node < h->shape->node_count; node++)
            if (l->level[node] == level && wi_tree_has_node(h, node) && wi_is_open(h, node))
                wi_wear_note(h, node);
}

void wi_wear_inherit(wi_tree *h, uint32_t node, const wi_tree *from, uint32_t old)
{
    h->boxes.nodes[node].spread = from->boxes.nodes[old].spread;
    h->shape->links->work[node] = from->shape->links->work[old];
}

void wi_wear_forget(wi_tree *h, uint32_t node) { h->boxes.nodes[node].spread = 0.0F; }

double wi_wear_of(const wi_tree *h)
{
    const float fresh = h->boxes.nodes[0].spread, work = wi_links_of(h)->work[0];
    if (h->shape->links->avl || !(fresh > 0.0F)) return 1.0;
    return (double)work / (double)fresh;
}

/* ---- what is worn ---- */

static bool is_worn(const wi_tree *h, uint32_t node)
{
    const wi_node *view = &h->boxes.nodes[node];
    const double ratio = (double)h->def.rebuild_ratio;
    return view->spread > 0.0F && work_with(h, view, true) > ratio * (double)view->spread;
}

static bool is_below_one(const wi_tree *h, uint32_t node, const wi_worn *worn)
{
    for (unsigned up = 0; up <= WI_MOST_WORN_LEVEL && node != 0; up++) {
        for (uint32_t i = 0; i < worn->count; i++)
            if (worn->nodes[i] == node) return true;
        node = h->boxes.nodes[node].parent;
    }
    return false;
}

static uint32_t count_tris(const wi_tree *h, uint32_t root)
{
    uint32_t stack[(WI_MOST_WORN_LEVEL + 1) * WI_LANES], count = 0, tris = 0;
    stack[count++] = root;
    while (count > 0) {
        const wi_node *view = &h->boxes.nodes[stack[--count]];
        for (unsigned lane = 0; lane < view->count; lane++) {
            if (view->leaf_mask != 0)
                tris += h->shape->leaves[view->child[lane]].tri_count;
            else
                stack[count++] = view->child[lane];
        }
    }
    return tris;
}

void wi_wear_find(const wi_tree *h, const uint32_t *nodes, uint32_t count, wi_worn *out)
{
    const wi_links *l = h->shape->links;
    out->count = out->tris = 0;
    if (!(h->def.rebuild_ratio < INFINITY)) return;
    for (int level = WI_MOST_WORN_LEVEL; level >= 0; level--)
        for (uint32_t i = 0; i < count && out->count < WI_MOST_WORN; i++) {
            const uint32_t node = nodes ? nodes[i] : i;
            if (node == 0 || l->level[node] != level || !wi_tree_has_node(h, node) ||
                !wi_is_open(h, node) || !is_worn(h, node) || is_below_one(h, node, out))
                continue;
            out->nodes[out->count++] = node;
            out->tris += count_tris(h, node);
        }
}

bool wi_wear_is_all(const wi_tree *h, const wi_worn *worn)
{
    return h->shape->height > WI_MOST_WORN_LEVEL + 1 && worn->tris > h->shape->tri_count / 2;
}

const char *wi_wear_validate(const wi_tree *h, uint32_t node)
{
    const float fresh = h->boxes.nodes[node].spread, work = h->shape->links->work[node];
    return fresh > 0.0F && work > 0.0F ? NULL : "I28: a node does not know its work";
}
