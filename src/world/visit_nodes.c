/* visit_nodes.c - the hierarchy of a body, node by node, for those who want to see it. */
#include "world/world.h"

#include "base/check.h"
#include "update/refit/packed_boxes.h"

static const wi_node *open_node(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    wi_openings count = {0};
    return wi_tree_look(h, node, &count);
}

/* Boxes side by side are all true after an update, whether or not their nodes are filled in. */
static bool is_known(const wi_tree *h, uint32_t node)
{
    return wi_is_open(h, node) || h->boxes.acting.ops == &wi_packed_keeper;
}

static willow_node inner_node(const wi_tree *h, uint32_t node)
{
    const bool was_open = is_known(h, node);
    const wi_node *view = open_node(h, node);
    wi_box box =
        node == 0 ? h->boxes.bounds : wi_node_box(open_node(h, view->parent), view->parent_lane);
    return (willow_node){.number = node,
                         .parent = view->parent,
                         .depth = wi_tree_depth(h, node),
                         .child_count = view->count,
                         .box = wi_box_public(&box),
                         .was_open = was_open};
}

static willow_node leaf_node(const wi_tree *h, const willow_node *parent, unsigned lane)
{
    const wi_node *view = open_node(h, parent->number);
    WI_ASSERT((view->leaf_mask >> lane & 1) != 0 && view->child[lane] < h->shape->leaf_count);
    const wi_leaf *leaf = &h->shape->leaves[view->child[lane]];
    wi_box box = wi_node_box(view, lane);
    return (willow_node){.number = h->shape->node_count + view->child[lane],
                         .parent = parent->number,
                         .depth = parent->depth + 1,
                         .is_leaf = true,
                         .triangles = h->shape->slots + leaf->first_tri,
                         .triangle_count = leaf->tri_count,
                         .box = wi_box_public(&box),
                         .was_open = parent->was_open};
}

/* Parents come before their children. */
static void visit_all(const wi_tree *h, willow_node_visitor *visit, void *context)
{
    wi_twig twig = {0, 1, 0};
    if (h->boxes.nodes == NULL) return;
    do {
        willow_node node = inner_node(h, twig.node);
        if (!visit(context, &node)) return;
        for (unsigned leaves = open_node(h, twig.node)->leaf_mask; leaves != 0;
             leaves &= leaves - 1) {
            willow_node leaf = leaf_node(h, &node, (unsigned)__builtin_ctz(leaves));
            if (!visit(context, &leaf)) return;
        }
    } while (wi_tree_next_node(h, &twig));
}

willow_result willow_body_visit_nodes(const willow_world *world, willow_body_id id,
                                      willow_node_visitor *visit, void *context)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (visit == NULL) return WILLOW_BAD_ARGUMENT;
    if (body->state >= WI_BODY_DIRTY) return WILLOW_STALE;
    wi_instance room;
    visit_all(wi_body_see_tree(body, &room), visit, context);
    return WILLOW_OK;
}
