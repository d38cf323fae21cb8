/* shape.c - bounds a shape in a tree, leaves first.
 *
 * Way in: wi_blend_shape_make. It takes time and memory of nodes, of those that the shape moves
 * something below. */
#include "update/blend/shape.h"

#include <string.h>

#include "base/check.h"
#include "geom/outward.h"

/* ---- memory ---- */

void wi_blend_shapes_free(wi_memory *memory, wi_blend_shape *shapes, uint32_t count)
{
    for (uint32_t i = 0; i < count && shapes; i++) {
        wi_free_array(memory, shapes[i].lanes, shapes[i].count, sizeof *shapes[i].lanes);
        wi_free_array(memory, shapes[i].slabs, shapes[i].count, sizeof *shapes[i].slabs);
        wi_free_array(memory, shapes[i].spheres, shapes[i].count, sizeof *shapes[i].spheres);
        wi_ranks_free(memory, &shapes[i].has);
    }
    wi_free_array(memory, shapes, count, sizeof *shapes);
}

size_t wi_blend_shapes_bytes(const wi_blend_shape *shapes, uint32_t count)
{
    size_t bytes = shapes ? count * sizeof *shapes : 0;
    for (uint32_t i = 0; i < count && shapes; i++)
        bytes += shapes[i].count *
                     (sizeof *shapes[i].lanes + (shapes[i].slabs ? sizeof *shapes[i].slabs : 0) +
                      (shapes[i].spheres ? sizeof *shapes[i].spheres : 0)) +
                 wi_ranks_bytes(&shapes[i].has);
    return bytes;
}

wi_blend_shape *wi_blend_shapes_allocate(wi_memory *memory, uint32_t count)
{
    wi_blend_shape *shapes = wi_alloc_array(memory, count, sizeof *shapes);
    if (shapes) memset(shapes, 0, count * sizeof *shapes);
    return shapes;
}

/* ---- boxes of values ---- */

/* What a shape has at a place, rounded outward where it is a sum. */
static wi_box value_of(const wi_subject *s, uint32_t place)
{
    WI_ASSERT(place < s->h->mesh->vertex_count && s->share >= 0.0 && s->share < 1.0);
    const float *value = wi_morph_shape_at(&s->morph->shapes[s->shape], place);
    wi_box box = {{0}, {0}};
    if (s->share > 0.0) {
        const float *end = wi_morph_shape_at(&s->morph->shapes[s->to], place);
        for (int axis = 0; axis < 3; axis++) {
            const double x = (1.0 - s->share) * (double)value[axis] + s->share * (double)end[axis];
            box.lower[axis] = wi_float_below(x);
            box.upper[axis] = wi_float_above(x);
        }
        return box;
    }
    if (!s->is_other) {
        for (int axis = 0; axis < 3 && value; axis++)
            box.lower[axis] = box.upper[axis] = value[axis];
        return box;
    }
    const float *first = wi_morph_shape_at(&s->morph->shapes[0], place);
    for (int axis = 0; axis < 3; axis++) {
        const double own = value ? (double)value[axis] : 0.0, start = (double)first[axis];
        const double x = s->morph->has_base ? start + own : own - start;
        box.lower[axis] = wi_float_below(x);
        box.upper[axis] = wi_float_above(x);
    }
    return box;
}

static wi_box shape_bound_leaf(const wi_subject *s, const wi_leaf *leaf)
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
    WI_ASSERT(lane < WI_LANES);
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = lanes->lower[axis][lane];
        box.upper[axis] = lanes->upper[axis][lane];
    }
    return box;
}

/* Of a child that nothing moves: offsets are 0. */
static wi_box shape_bound_node(const wi_subject *s, const wi_blend_shape *shape, uint32_t node)
{
    const wi_lanes *lanes = wi_blend_lanes(shape, node);
    wi_box box = wi_box_empty();
    if (lanes == NULL) return (wi_box){{0}, {0}};
    for (unsigned lane = 0; lane < s->h->boxes.nodes[node].count; lane++) {
        const wi_box own = lane_box(lanes, lane);
        wi_box_add_box(&box, &own);
    }
    return box;
}

/* Absolute boxes of a child that nothing moves are those of the base. */
static wi_box shape_bound_child(const wi_subject *s, const wi_blend_shape *shape, uint32_t node,
                                unsigned lane)
{
    const wi_node *view = &s->h->boxes.nodes[node];
    const uint32_t child = view->child[lane];
    WI_ASSERT(lane < view->count);
    if ((view->leaf_mask >> lane & 1) != 0) return shape_bound_leaf(s, &s->h->shape->leaves[child]);
    if (s->is_other && wi_blend_lanes(shape, child) == NULL)
        return shape_bound_node(s, &wi_blend_of(s->h)->shapes[0], child);
    return shape_bound_node(s, shape, child);
}

/* Children follow their parent (I1), so a backward sweep meets them first. */
static void shape_bound_all(const wi_subject *s, wi_blend_shape *shape)
{
    for (uint32_t node = s->h->shape->node_count; node-- > 0;) {
        const wi_lanes *found = wi_blend_lanes(shape, node);
        if (found == NULL) continue;
        wi_lanes *lanes = &shape->lanes[found - shape->lanes];
        memset(lanes, 0, sizeof *lanes);
        for (unsigned lane = 0; lane < s->h->boxes.nodes[node].count; lane++) {
            const wi_box box = shape_bound_child(s, shape, node, lane);
            for (int axis = 0; axis < 3; axis++) {
                lanes->lower[axis][lane] = box.lower[axis];
                lanes->upper[axis][lane] = box.upper[axis];
            }
        }
    }
}

/* ---- nodes that a shape moves ---- */

static bool moves_leaf(const wi_subject *s, const wi_leaf *leaf)
{
    const wi_ranks *has = &s->morph->shapes[s->shape].has;
    for (unsigned i = 0; i < leaf->vertex_count; i++)
        if (wi_ranks_has(has, wi_leaf_place(s->h, leaf, i))) return true;
    return false;
}

static void note_node(const wi_tree *h, wi_ranks *has, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    for (; !wi_ranks_has(has, node); node = h->boxes.nodes[node].parent) wi_ranks_add(has, node);
}

static void shape_note_moved(const wi_subject *s, wi_ranks *has)
{
    const wi_tree *h = s->h;
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        for (unsigned lane = 0; lane < view->count; lane++)
            if ((view->leaf_mask >> lane & 1) != 0 &&
                moves_leaf(s, &h->shape->leaves[view->child[lane]]))
                note_node(h, has, node);
    }
}

bool wi_blend_shape_make(wi_memory *memory, const wi_subject *s, wi_blend_shape *shape)
{
    WI_ASSERT(s->shape < s->morph->shape_count && s->to < s->morph->shape_count);
    WI_ASSERT(shape->lanes == NULL && shape->count == 0);
    uint32_t count = s->h->shape->node_count;
    if (s->morph->shapes[s->shape].has.bits) {
        if (!wi_ranks_make(memory, count, &shape->has)) return false;
        shape_note_moved(s, &shape->has);
        count = wi_ranks_count(&shape->has);
    }
    if (count == 0) return true; /* it moves only what is in no leaf, or nothing */
    shape->lanes = wi_alloc_array(memory, count, sizeof *shape->lanes);
    if (shape->lanes == NULL) return false;
    shape->count = count;
    shape_bound_all(s, shape);
    return true;
}

/* ---- soundness ---- */

const char *wi_blend_shape_validate(const wi_subject *s, const wi_blend_shape *shape)
{
    for (uint32_t node = 0; node < s->h->shape->node_count; node++) {
        const wi_lanes *lanes = wi_blend_lanes(shape, node);
        for (unsigned lane = 0; lane < s->h->boxes.nodes[node].count; lane++) {
            const wi_box box = shape_bound_child(s, shape, node, lane);
            if (lanes == NULL && !(wi_box_size(&box) == 0.0) && !s->is_other)
                return "I17: a shape moves what is below a node that does not know it";
            if (lanes == NULL) continue;
            const wi_box own = lane_box(lanes, lane);
            if (memcmp(&own, &box, sizeof own) != 0)
                return "I17: a box of a shape is not that of its values";
        }
    }
    return NULL;
}
