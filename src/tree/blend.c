/* blend.c - bounds shapes in a tree, leaves first.
 *
 * Way in: wi_blend_make. It is done once for a tree and a morph, in time and memory of nodes times
 * shapes. */
#include "tree/blend.h"

#include <string.h>

#include "geom/outward.h"
#include "tree/hierarchy.h"

/* ---- memory ---- */

static void free_shapes(wi_memory *memory, wi_blend_shape *shapes, uint32_t count)
{
    for (uint32_t i = 0; i < count && shapes; i++) {
        wi_free_array(memory, shapes[i].lanes, shapes[i].count, sizeof *shapes[i].lanes);
        wi_ranks_free(memory, &shapes[i].has);
    }
    wi_free_array(memory, shapes, count, sizeof *shapes);
}

void wi_blend_free(wi_memory *memory, wi_blend *blend)
{
    free_shapes(memory, blend->shapes, blend->shape_count);
    free_shapes(memory, blend->others, blend->shape_count);
    wi_free_array(memory, blend->points, blend->point_count, sizeof *blend->points);
    wi_free_array(memory, blend->stamps, blend->leaf_count, sizeof *blend->stamps);
    *blend = (wi_blend){0};
}

static size_t shape_bytes(const wi_blend_shape *shapes, uint32_t count)
{
    size_t bytes = shapes ? count * sizeof *shapes : 0;
    for (uint32_t i = 0; i < count && shapes; i++)
        bytes += shapes[i].count * sizeof *shapes[i].lanes + wi_ranks_bytes(&shapes[i].has);
    return bytes;
}

size_t wi_blend_bytes(const wi_blend *blend)
{
    return shape_bytes(blend->shapes, blend->shape_count) +
           shape_bytes(blend->others, blend->shape_count) +
           blend->point_count * sizeof *blend->points + blend->leaf_count * sizeof *blend->stamps;
}

static wi_blend_shape *allocate_shapes(wi_memory *memory, uint32_t count)
{
    wi_blend_shape *shapes = wi_alloc_array(memory, count, sizeof *shapes);
    if (shapes) memset(shapes, 0, count * sizeof *shapes);
    return shapes;
}

/* ---- boxes of values ---- */

/* What is bounded: a shape, or what the second form has in its place. */
typedef struct subject {
    const wi_hierarchy *h;
    const wi_morph *morph;
    uint32_t shape;
    bool is_other;
} subject;

/* What a shape has at a place, rounded outward where it is a sum. */
static wi_box value_of(const subject *s, uint32_t place)
{
    const float *value = wi_shape_at(&s->morph->shapes[s->shape], place);
    wi_box box = {{0}, {0}};
    if (!s->is_other) {
        for (int axis = 0; axis < 3 && value; axis++)
            box.lower[axis] = box.upper[axis] = value[axis];
        return box;
    }
    const float *first = wi_shape_at(&s->morph->shapes[0], place);
    for (int axis = 0; axis < 3; axis++) {
        const double own = value ? (double)value[axis] : 0.0, start = (double)first[axis];
        const double x = s->morph->has_base ? start + own : own - start;
        box.lower[axis] = wi_float_below(x);
        box.upper[axis] = wi_float_above(x);
    }
    return box;
}

static wi_box bound_leaf(const subject *s, const wi_leaf *leaf)
{
    wi_box box = wi_box_empty();
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        const wi_box value = value_of(s, wi_leaf_place(s->h, leaf, i));
        wi_box_add_box(&box, &value);
    }
    return box;
}

static wi_box lane_box(const wi_lanes *lanes, unsigned lane)
{
    wi_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = lanes->lower[axis][lane];
        box.upper[axis] = lanes->upper[axis][lane];
    }
    return box;
}

/* Of a child that nothing moves: offsets are 0. */
static wi_box bound_node(const subject *s, const wi_blend_shape *shape, uint32_t node)
{
    const wi_lanes *lanes = wi_blend_lanes(shape, node);
    wi_box box = wi_box_empty();
    if (lanes == NULL) return (wi_box){{0}, {0}};
    for (unsigned lane = 0; lane < s->h->views[node].count; lane++) {
        const wi_box own = lane_box(lanes, lane);
        wi_box_add_box(&box, &own);
    }
    return box;
}

/* Absolute boxes of a child that nothing moves are those of the base. */
static wi_box bound_child(const subject *s, const wi_blend_shape *shape, uint32_t node,
                          unsigned lane)
{
    const wi_view *view = &s->h->views[node];
    const uint32_t child = view->child[lane];
    if ((view->leaf_mask >> lane & 1) != 0) return bound_leaf(s, &s->h->leaves[child]);
    if (s->is_other && wi_blend_lanes(shape, child) == NULL)
        return bound_node(s, &s->h->blend.shapes[0], child);
    return bound_node(s, shape, child);
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
static void bound_all(const subject *s, wi_blend_shape *shape)
{
    for (uint32_t node = s->h->node_count; node-- > 0;) {
        const wi_lanes *found = wi_blend_lanes(shape, node);
        if (found == NULL) continue;
        wi_lanes *lanes = &shape->lanes[found - shape->lanes];
        memset(lanes, 0, sizeof *lanes);
        for (unsigned lane = 0; lane < s->h->views[node].count; lane++) {
            const wi_box box = bound_child(s, shape, node, lane);
            for (int axis = 0; axis < 3; axis++) {
                lanes->lower[axis][lane] = box.lower[axis];
                lanes->upper[axis][lane] = box.upper[axis];
            }
        }
    }
}

/* ---- nodes that a shape moves ---- */

static bool moves_leaf(const subject *s, const wi_leaf *leaf)
{
    const wi_ranks *has = &s->morph->shapes[s->shape].has;
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        if (wi_ranks_has(has, wi_leaf_place(s->h, leaf, i))) return true;
    return false;
}

static void note_node(const wi_hierarchy *h, wi_ranks *has, uint32_t node)
{
    for (; !wi_ranks_has(has, node); node = h->views[node].parent) wi_ranks_add(has, node);
}

static void note_moved(const subject *s, wi_ranks *has)
{
    const wi_hierarchy *h = s->h;
    for (uint32_t node = 0; node < h->node_count; node++) {
        const wi_view *view = &h->views[node];
        for (unsigned lane = 0; lane < view->count; lane++)
            if ((view->leaf_mask >> lane & 1) != 0 && moves_leaf(s, &h->leaves[view->child[lane]]))
                note_node(h, has, node);
    }
}

static bool make_shape(wi_memory *memory, const subject *s, wi_blend_shape *shape)
{
    uint32_t count = s->h->node_count;
    if (s->morph->shapes[s->shape].has.bits) {
        if (!wi_ranks_make(memory, count, &shape->has)) return false;
        note_moved(s, &shape->has);
        count = wi_ranks_count(&shape->has);
    }
    if (count == 0) return true; /* it moves only what is in no leaf, or nothing */
    shape->lanes = wi_alloc_array(memory, count, sizeof *shape->lanes);
    if (shape->lanes == NULL) return false;
    shape->count = count;
    bound_all(s, shape);
    return true;
}

/* ---- all of it ---- */

static bool make_points(wi_memory *memory, const wi_hierarchy *h, wi_blend *blend)
{
    blend->points = wi_alloc_array(memory, h->leaf_vertex_count, sizeof *blend->points);
    if (blend->points == NULL) return false;
    blend->point_count = h->leaf_vertex_count;
    blend->stamps = wi_alloc_array(memory, h->leaf_count, sizeof *blend->stamps);
    if (blend->stamps == NULL) return false;
    blend->leaf_count = h->leaf_count;
    for (uint32_t i = 0; i < h->leaf_count; i++) atomic_init(&blend->stamps[i], WI_STAMP_NONE);
    return true;
}

static bool make_all(wi_memory *memory, wi_hierarchy *h, bool keeps_both)
{
    const wi_morph *morph = &h->mesh->morph;
    wi_blend *blend = &h->blend;
    *blend = (wi_blend){
        .shape_count = morph->shape_count, .node_count = h->node_count, .morph = morph->number};
    blend->shapes = allocate_shapes(memory, morph->shape_count);
    if (blend->shapes == NULL) return false;
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        const subject s = {h, morph, i, false};
        if (!make_shape(memory, &s, &blend->shapes[i])) return false;
    }
    if (!make_points(memory, h, blend)) return false;
    if (!keeps_both) return true;
    blend->others = allocate_shapes(memory, morph->shape_count);
    if (blend->others == NULL) return false;
    for (uint32_t i = 1; i < morph->shape_count; i++) {
        const subject s = {h, morph, i, true};
        if (!make_shape(memory, &s, &blend->others[i])) return false;
    }
    return true;
}

bool wi_blend_make(wi_memory *memory, wi_hierarchy *h, bool keeps_both)
{
    wi_blend_free(memory, &h->blend);
    if (make_all(memory, h, keeps_both)) return true;
    wi_blend_free(memory, &h->blend);
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
void wi_blend_weigh(wi_hierarchy *h)
{
    const wi_morph *morph = &h->mesh->morph;
    const double first = morph->shapes[0].size;
    double size = first, sum = 0.0;
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        const double weight = term->weight < 0.0 ? -term->weight : term->weight;
        size += weight * (morph->shapes[term->shape].size + first);
        sum += term->weight;
    }
    h->blend.sum = sum;
    h->blend.slack = (double)(morph->term_count + 2) * 0x1p-50 * size;
}

/* ---- soundness ---- */

static const char *validate_shape(const subject *s, const wi_blend_shape *shape)
{
    for (uint32_t node = 0; node < s->h->node_count; node++) {
        const wi_lanes *lanes = wi_blend_lanes(shape, node);
        for (unsigned lane = 0; lane < s->h->views[node].count; lane++) {
            const wi_box box = bound_child(s, shape, node, lane);
            if (lanes == NULL && !(wi_box_size(&box) == 0.0) && !s->is_other)
                return "I16: a shape moves what is below a node that does not know it";
            if (lanes == NULL) continue;
            const wi_box own = lane_box(lanes, lane);
            if (memcmp(&own, &box, sizeof own) != 0)
                return "I16: a box of a shape is not that of its values";
        }
    }
    return NULL;
}

/* All boxes on the way to a leaf that are open contain it. */
static const char *validate_way(const wi_hierarchy *h, uint32_t node, unsigned lane)
{
    const wi_box tight = wi_leaf_box(h, &h->leaves[h->views[node].child[lane]]);
    for (;;) {
        const wi_view *view = &h->views[node];
        const wi_box box = wi_view_box(view, lane);
        if (wi_is_open(h, node) && !wi_box_contains(&box, &tight))
            return "I6: a leaf sticks out of a box above it";
        if (node == 0) return NULL;
        lane = view->parent_lane;
        node = view->parent;
    }
}

const char *wi_blend_validate(const wi_hierarchy *h)
{
    const wi_blend *blend = &h->blend;
    const char *broken = NULL;
    if (blend->shapes == NULL || !h->mesh->is_morphed || !h->mesh->is_live) return NULL;
    if (blend->morph != h->mesh->morph.number) return NULL; /* until the next update */
    if (blend->node_count != h->node_count || blend->leaf_count != h->leaf_count)
        return "I16: the boxes of shapes are of another tree";
    for (uint32_t i = 0; i < blend->shape_count && broken == NULL; i++) {
        const subject s = {h, &h->mesh->morph, i, false}, other = {h, &h->mesh->morph, i, true};
        broken = validate_shape(&s, &blend->shapes[i]);
        if (broken == NULL && blend->others && i > 0)
            broken = validate_shape(&other, &blend->others[i]);
    }
    for (uint32_t node = 0; node < h->node_count && broken == NULL; node++)
        for (unsigned lane = 0; lane < h->views[node].count && broken == NULL; lane++)
            if ((h->views[node].leaf_mask >> lane & 1) != 0) broken = validate_way(h, node, lane);
    return broken;
}
