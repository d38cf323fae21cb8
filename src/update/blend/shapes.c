/* shapes.c - what the tree of a morphing body knows of its shapes, put together.
 *
 * Way in: wi_blend_make. It is done once for a tree and a morph, in time and memory of nodes times
 * shapes. */
#include "update/blend/shapes.h"

#include "base/check.h"
#include "update/blend/shape.h"

/* ---- memory ---- */

void wi_blend_free(wi_memory *memory, wi_tree *h, wi_blend *blend)
{
    if (h->boxes.points == &blend->kept) h->boxes.points = NULL;
    wi_blend_shapes_free(memory, blend->shapes, blend->shape_count);
    wi_blend_shapes_free(memory, blend->others, blend->shape_count);
    wi_blend_ways_free(memory, blend);
    wi_free_array(memory, blend->volumes.slabs, blend->node_count, sizeof *blend->volumes.slabs);
    wi_free_array(memory, blend->volumes.spheres, blend->node_count,
                  sizeof *blend->volumes.spheres);
    wi_leaf_points_free(memory, &blend->kept);
    *blend = (wi_blend){0};
}

size_t wi_blend_bytes(const wi_blend *blend)
{
    const wi_volumes *v = &blend->volumes;
    return wi_blend_ways_bytes(blend) + wi_blend_shapes_bytes(blend->shapes, blend->shape_count) +
           wi_blend_shapes_bytes(blend->others, blend->shape_count) +
           (v->slabs ? blend->node_count * sizeof *v->slabs : 0) +
           (v->spheres ? blend->node_count * sizeof *v->spheres : 0) +
           wi_leaf_points_bytes(&blend->kept);
}

/* ---- making it ---- */

static bool make_all(wi_memory *memory, wi_tree *h, wi_blend *blend)
{
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    *blend = (wi_blend){.shape_count = morph->shape_count,
                        .node_count = h->shape->node_count,
                        .morph = morph->number};
    blend->shapes = wi_blend_shapes_allocate(memory, morph->shape_count);
    if (blend->shapes == NULL) return false;
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        const wi_subject s = {.h = h, .morph = morph, .shape = i};
        if (!wi_blend_shape_make(memory, &s, &blend->shapes[i])) return false;
    }
    if (!wi_leaf_points_make(memory, h, &blend->kept) || !wi_blend_volumes_make(memory, h) ||
        !wi_blend_ways_make(memory, h))
        return false;
    if (!h->def.blend_both) return true;
    blend->others = wi_blend_shapes_allocate(memory, morph->shape_count);
    if (blend->others == NULL) return false;
    for (uint32_t i = 1; i < morph->shape_count; i++) {
        const wi_subject s = {.h = h, .morph = morph, .shape = i, .is_other = true};
        if (!wi_blend_shape_make(memory, &s, &blend->others[i])) return false;
    }
    return true;
}

bool wi_blend_make(wi_memory *memory, wi_tree *h, wi_blend *blend)
{
    WI_ASSERT(wi_blend_of(h) == blend);
    wi_blend_free(memory, h, blend);
    if (make_all(memory, h, blend)) {
        h->boxes.points = &blend->kept;
        return true;
    }
    wi_blend_free(memory, h, blend);
    return false;
}

/* The slack of the second form. Let u = 2^-53, n the number of terms, and
 *     S = the sum over all terms of |weight| times the size of their shape, and |weight| times the
 *         size of the first shape.
 * 1. A coordinate is a sum of n products, each rounded, and so are the sums: it is within
 *    (n + 1) u S of the exact sum, and a hair.
 * 2. The same in the second form has one term more, whose weight is itself a sum of n + 1 weights,
 *    within (n + 1) u of the exact one, times the sum of their sizes: together (2 n + 4) u S.
 * 3. Boxes of the second form are of sums or differences of two values, each rounded once more: u
 * S. So 3 n + 6 of these are enough for all, hairs included 4 n + 8, and 8 n + 16 are there.
 * Nothing underflows: values and weights are floats. */
void wi_blend_weigh(const wi_tree *h)
{
    wi_blend *blend = wi_blend_of(h);
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    const double first = morph->shapes[0].size;
    double size = first, sum = 0.0;
    WI_ASSERT(morph->number == blend->morph && morph->shape_count == blend->shape_count);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        const double weight = term->weight < 0.0 ? -term->weight : term->weight;
        size += weight * (morph->shapes[term->shape].size + first);
        sum += term->weight;
    }
    blend->sum = sum;
    blend->size = size;
    blend->span = wi_blend_span_of(h);
    WI_ASSERT(blend->size >= 0.0);
    blend->slack = (double)(morph->term_count + 2) * 0x1p-50 * size;
}

/* ---- soundness ---- */

/* All boxes on the way to a leaf that are open contain it. */
static const char *validate_way(const wi_tree *h, uint32_t node, unsigned lane)
{
    const wi_leaf *leaf = &h->shape->leaves[h->boxes.nodes[node].child[lane]];
    const wi_box tight = wi_leaf_box(h, leaf);
    for (;;) {
        const wi_node *view = &h->boxes.nodes[node];
        const wi_box box = wi_node_box(view, lane);
        if (wi_is_open(h, node) && !wi_box_contains(&box, &tight))
            return "I6: a leaf sticks out of a box above it";
        if (wi_is_open(h, node) && !wi_blend_volumes_contain(h, leaf, node, lane))
            return "I17: a leaf sticks out of a slab or a sphere above it";
        if (node == 0) return NULL;
        lane = view->parent_lane;
        node = view->parent;
    }
}

const char *wi_blend_validate(const wi_tree *h, const wi_blend *blend)
{
    const char *broken = NULL;
    if (blend->shapes == NULL || !(h->mesh->motion == WI_MOTION_MORPH) || !wi_mesh_is_live(h->mesh))
        return NULL;
    if (blend->morph != wi_mesh_morph(h->mesh)->number) return NULL; /* until the next update */
    if (blend->node_count != h->shape->node_count)
        return "I17: the boxes of shapes are of another tree";
    for (uint32_t i = 0; i < blend->shape_count && broken == NULL; i++) {
        wi_subject s = {.h = h, .morph = wi_mesh_morph(h->mesh), .shape = i}, other = s;
        other.is_other = true;
        broken = wi_blend_shape_validate(&s, &blend->shapes[i]);
        if (broken == NULL && blend->others && i > 0)
            broken = wi_blend_shape_validate(&other, &blend->others[i]);
    }
    if (broken == NULL) broken = wi_blend_ways_validate(h);
    for (uint32_t node = 0; node < h->shape->node_count && broken == NULL; node++)
        for (unsigned lane = 0; lane < h->boxes.nodes[node].count && broken == NULL; lane++)
            if ((h->boxes.nodes[node].leaf_mask >> lane & 1) != 0)
                broken = validate_way(h, node, lane);
    return broken;
}
