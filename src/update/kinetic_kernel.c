/* kinetic_kernel.c - all ends of a kinetic tree against a keyframe.
 *
 * Way in: wi_kinetic_sweep. Paths are straight until the next keyframe, so an end that is the end
 * there, too, is so all the time: no certificate between has to be made, and nothing divided. The
 * boxes of that keyframe are computed as a refit computes them, in one stream; only ends that are
 * not at the end of them are handed on. */
#include "base/kernel.h"
#include "update/bounds.h"
#include "update/kinetic.h"

extern wi_kinetic_sweep_keys WI_KERNEL(kinetic_sweep);

/* Which of the ends are not where the box ends, a bit each. */
static inline unsigned stale_ends(const uint32_t ends[WI_ENDS], const float *key,
                                  const wi_bounds *b)
{
    float low[4], high[4];
    unsigned stale = 0;
    wi_quad_store(low, b->lower);
    wi_quad_store(high, b->upper);
    for (unsigned axis = 0; axis < 3; axis++) {
        stale |= (unsigned)(key[3 * (size_t)ends[axis] + axis] > low[axis]) << axis;
        stale |= (unsigned)(key[3 * (size_t)ends[3 + axis] + axis] < high[axis]) << (3 + axis);
    }
    return stale;
}

/* Behind the last vertex of the last keyframe there is a float to spare. */
static inline wi_bounds bound_leaf(const wi_hierarchy *h, const wi_leaf *leaf, const float *key)
{
    const float *owned = key + 3 * (size_t)leaf->first_place;
    const uint32_t *border = wi_leaf_border(h, leaf);
    const unsigned border_count = leaf->vertex_count - leaf->owned_count;
    wi_bounds b = wi_bounds_none();
    for (unsigned i = 0; i < leaf->owned_count; i++)
        wi_bounds_add(&b, wi_quad_load(owned + 3 * (size_t)i));
    for (unsigned i = 0; i < border_count; i++)
        wi_bounds_add(&b, wi_quad_load(key + 3 * (size_t)border[i]));
    return b;
}

static inline void compare(wi_hierarchy *h, uint32_t item, const float *key, const wi_bounds *b)
{
    const unsigned stale = stale_ends(h->kinetic.ends[item], key, b);
    if (stale != 0) wi_kinetic_add_pending(&h->kinetic, item, stale);
}

void WI_KERNEL(kinetic_sweep)(wi_hierarchy *h, const float *key)
{
    const wi_kinetic *k = &h->kinetic;
    float(*boxes)[8] = k->key_boxes;
    for (uint32_t node = h->node_count; node-- > 0;) {
        const uint32_t *children = k->children + (size_t)k->arity * node;
        wi_bounds all = wi_bounds_none();
        for (unsigned i = 0; i < k->child_count[node]; i++) {
            const uint32_t item = children[i];
            wi_bounds b;
            if (item >= h->node_count) {
                b = bound_leaf(h, &h->leaves[item - h->node_count], key);
                compare(h, item, key, &b);
            } else {
                b = (wi_bounds){wi_quad_load(boxes[item]), wi_quad_load(boxes[item] + 4)};
            }
            all = wi_bounds_join(&all, &b);
        }
        wi_quad_store(boxes[node], all.lower);
        wi_quad_store(boxes[node] + 4, all.upper);
        compare(h, node, key, &all);
    }
}
