/* sphere_end.c - a sphere-tree at the end of a step: the same nodes, which may still grow, with
 * boxes of their own. */
#include "base/check.h"
#include "update/claim.h"
#include "update/sphere/sphere.h"

/* Kept in step ends: whose tree grows. It is never freed by this keeper. */
static void end_free(wi_memory *memory, wi_tree *h, void *state)
{
    (void)memory, (void)h, (void)state;
}

static size_t end_bytes(const void *state)
{
    (void)state;
    return 0;
}

static const wi_keeper_ops sphere_end_keeper = {
    .name = "sphere", .free = end_free, .forget = end_free, .bytes = end_bytes};

static const wi_grown_cell *child_of(const wi_grown *g, const wi_node *view, unsigned lane)
{
    return (view->leaf_mask >> lane & 1) != 0 ? &g->leaves[view->child[lane]]
                                              : &g->nodes[view->child[lane]];
}

/* What the children of the node own is bounded where it is at the end. */
static void bound_children(const wi_tree *h, uint32_t node, const wi_node *from)
{
    const wi_grown *g = wi_grown_of(h);
    wi_node *view = &h->boxes.nodes[node];
    view->count = from->count;
    view->leaf_mask = from->leaf_mask;
    view->parent = from->parent;
    view->parent_lane = from->parent_lane;
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        wi_box box = wi_box_empty();
        if (lane < from->count) {
            const wi_grown_cell *cell = child_of(g, from, lane);
            box = wi_grown_box(h, cell->first, cell->owned);
        }
        view->child[lane] = from->child[lane]; /* also behind the lanes */
        wi_node_set_box(view, lane, &box);
    }
}

static void open_at_end(const wi_tree *h, uint32_t node, wi_openings *count)
{
    const wi_tree *const *start = h->boxes.acting.state;
    wi_node *view = &h->boxes.nodes[node];
    const wi_node *from = wi_open(*start, node, count);
    if (wi_claim(h, view) == WI_STAMP_CLAIMED) {
        count->lost++;
        return;
    }
    bound_children(h, node, from);
    count->refreshed++;
    atomic_store_explicit(&view->stamp, h->boxes.revision, memory_order_release);
}

void wi_sphere_act_at_end(wi_tree *end, const wi_tree **start, uint64_t revision)
{
    WI_ASSERT(wi_shape_is_grown(end->shape) && (*start)->shape == end->shape);
    for (uint32_t node = 0; node < end->shape->node_count; node++)
        atomic_store_explicit(&end->boxes.nodes[node].stamp, WI_STAMP_NONE, memory_order_relaxed);
    end->boxes.revision = end->boxes.valid_from = revision;
    end->boxes.bounds = wi_mesh_bounds(end->mesh);
    wi_tree_act(end, &(wi_keeper){.ops = &sphere_end_keeper, .state = start}, open_at_end);
}
