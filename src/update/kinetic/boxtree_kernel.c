/* boxtree_kernel.c - BoxTrees on keyframes: all planes against the next keyframe.
 *
 * Paths are straight until the next keyframe, so a plane whose holder is the foremost of its part
 * there, too, needs no event before. The boxes of that keyframe are computed as a refit computes
 * them, in one stream. */
#include "base/check.h"
#include "base/kernel.h"
#include "update/bounds.h"
#include "update/kinetic/boxtree.h"
#include "update/kinetic/kinetic.h"

extern wi_boxtree_with_key WI_KERNEL(boxtree_compare);

static inline wi_bounds child_bounds(const wi_tree *h, const wi_node *view, unsigned lane,
                                     const float *key)
{
    WI_ASSERT(lane < view->count);
    if (view->leaf_mask >> lane & 1)
        return wi_bounds_of_leaf(h, &h->shape->leaves[view->child[lane]], key, 3);
    const float *box = wi_kinetic_of(h)->box.boxes[view->child[lane]];
    return (wi_bounds){wi_quad_load(box), wi_quad_load(box + 4)};
}

static inline void boxtree_store(float box[8], const wi_bounds *b)
{
    wi_quad_store(box, b->lower);
    wi_quad_store(box + 4, b->upper);
}

/* All vertices of the part are in the box, so a holder that is not at its end is short of it. */
static inline void boxtree_compare_ends(wi_box_part *part, const float *key, const float box[8])
{
    const unsigned end = part->end;
    const bool is_certain = key[3 * (size_t)part->place + end % 3] == box[wi_boxtree_end_at(end)];
    part->flags = is_certain ? WI_PART_CERTAIN : 0;
}

/* Halves follow what they are halves of, so a backward sweep meets them first. */
static inline void compare_node(wi_tree *h, uint32_t node, const float *key)
{
    wi_boxtree *b = &wi_kinetic_of(h)->box;
    const wi_node *view = &h->boxes.nodes[node];
    const wi_part_shape *shapes = wi_part_shapes[view->count];
    wi_box_part *parts = b->parts + wi_boxtree_first(b, node);
    wi_bounds bounds[WI_MOST_PARTS], all = wi_bounds_none();
    if (view->count == 1) all = child_bounds(h, view, 0, key);
    for (unsigned i = wi_parts_of(view->count); i-- > 0;) {
        if (shapes[i].count == 1)
            bounds[i] = child_bounds(h, view, shapes[i].first, key);
        else
            bounds[i] = wi_bounds_join(&bounds[i + 1], &bounds[shapes[i + 1].behind]);
        if (shapes[i].above == WI_NO_PART) all = wi_bounds_join(&all, &bounds[i]);
        float box[8];
        boxtree_store(box, &bounds[i]);
        boxtree_compare_ends(&parts[i], key, box);
    }
    boxtree_store(b->boxes[node], &all);
}

void WI_KERNEL(boxtree_compare)(wi_tree *h, uint32_t number)
{
    wi_boxtree *b = &wi_kinetic_of(h)->box;
    const float *key = wi_plan_key(wi_mesh_plan(h->mesh), number, 0);
    WI_ASSERT(b->boxes && b->node_count == h->shape->node_count);
    for (uint32_t node = h->shape->node_count; node-- > 0;) compare_node(h, node, key);
    for (unsigned end = 0; end < WI_ROOT_PARTS; end++)
        boxtree_compare_ends(&b->parts[end], key, b->boxes[0]);
    b->boxes_key = number;
}
