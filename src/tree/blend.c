/* blend.c - bounds shapes in a tree, leaves first.
 *
 * Way in: wi_blend_make. It is done once for a tree and a morph, in time and memory of nodes times
 * shapes. */
#include "tree/blend.h"

#include <math.h>
#include <string.h>

#include "geom/outward.h"
#include "tree/hierarchy.h"

/* ---- memory ---- */

static void free_shapes(wi_memory *memory, wi_blend_shape *shapes, uint32_t count)
{
    for (uint32_t i = 0; i < count && shapes; i++) {
        wi_free_array(memory, shapes[i].lanes, shapes[i].count, sizeof *shapes[i].lanes);
        wi_free_array(memory, shapes[i].slabs, shapes[i].count, sizeof *shapes[i].slabs);
        wi_free_array(memory, shapes[i].spheres, shapes[i].count, sizeof *shapes[i].spheres);
        wi_ranks_free(memory, &shapes[i].has);
    }
    wi_free_array(memory, shapes, count, sizeof *shapes);
}

static size_t part_count(const wi_blend *blend)
{
    return blend->parts ? (size_t)blend->node_count + blend->leaf_count : 0;
}

void wi_blend_free(wi_memory *memory, wi_blend *blend)
{
    free_shapes(memory, blend->shapes, blend->shape_count);
    free_shapes(memory, blend->others, blend->shape_count);
    for (uint32_t i = 0; i < blend->way_count && blend->ways; i++)
        free_shapes(memory, blend->ways[i].shapes, blend->between);
    wi_free_array(memory, blend->ways, blend->way_count, sizeof *blend->ways);
    wi_free_array(memory, blend->slabs, blend->node_count, sizeof *blend->slabs);
    wi_free_array(memory, blend->spheres, blend->node_count, sizeof *blend->spheres);
    wi_free_array(memory, blend->parts, part_count(blend), sizeof *blend->parts);
    wi_free_array(memory, blend->points, blend->point_count, sizeof *blend->points);
    wi_free_array(memory, blend->stamps, blend->leaf_count, sizeof *blend->stamps);
    *blend = (wi_blend){0};
}

static size_t shape_bytes(const wi_blend_shape *shapes, uint32_t count)
{
    size_t bytes = shapes ? count * sizeof *shapes : 0;
    for (uint32_t i = 0; i < count && shapes; i++)
        bytes += shapes[i].count *
                     (sizeof *shapes[i].lanes + (shapes[i].slabs ? sizeof *shapes[i].slabs : 0) +
                      (shapes[i].spheres ? sizeof *shapes[i].spheres : 0)) +
                 wi_ranks_bytes(&shapes[i].has);
    return bytes;
}

static size_t way_bytes(const wi_blend *blend)
{
    size_t bytes = blend->ways ? blend->way_count * sizeof *blend->ways : 0;
    for (uint32_t i = 0; i < blend->way_count && blend->ways; i++)
        bytes += shape_bytes(blend->ways[i].shapes, blend->between);
    return bytes;
}

size_t wi_blend_bytes(const wi_blend *blend)
{
    return way_bytes(blend) + shape_bytes(blend->shapes, blend->shape_count) +
           shape_bytes(blend->others, blend->shape_count) +
           (blend->slabs ? blend->node_count * sizeof *blend->slabs : 0) +
           (blend->spheres ? blend->node_count * sizeof *blend->spheres : 0) +
           part_count(blend) * sizeof *blend->parts + blend->point_count * sizeof *blend->points +
           blend->leaf_count * sizeof *blend->stamps;
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
    uint32_t to;  /* with a share: what is between `shape` and this one */
    double share; /* 0: none of that */
} subject;

/* What a shape has at a place, rounded outward where it is a sum. */
static wi_box value_of(const subject *s, uint32_t place)
{
    const float *value = wi_shape_at(&s->morph->shapes[s->shape], place);
    wi_box box = {{0}, {0}};
    if (s->share > 0.0) {
        const float *end = wi_shape_at(&s->morph->shapes[s->to], place);
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

/* ---- slabs and spheres ---- */

/* Where the volumes of a node are in the lists of a shape that has them. */
static uint32_t index_of(const wi_blend_shape *shape, uint32_t node)
{
    return (uint32_t)(wi_blend_lanes(shape, node) - shape->lanes);
}

static void value64(const subject *s, uint32_t place, double out[3])
{
    const float *value = wi_shape_at(&s->morph->shapes[s->shape], place);
    for (int axis = 0; axis < 3; axis++) out[axis] = value ? (double)value[axis] : 0.0;
}

/* What is done with a vertex below a lane of a node. */
typedef void add_vertex(wi_blend_shape *shape, uint32_t index, unsigned lane, const double p[3]);

static void grow_slabs(wi_blend_shape *shape, uint32_t index, unsigned lane, const double p[3])
{
    wi_slabs *slabs = &shape->slabs[index];
    for (int i = 0; i < WI_DIAGONALS; i++) {
        const float low = wi_float_below(wi_diagonal(i, p)),
                    high = wi_float_above(wi_diagonal(i, p));
        if (low < slabs->lower[i][lane]) slabs->lower[i][lane] = low;
        if (high > slabs->upper[i][lane]) slabs->upper[i][lane] = high;
    }
}

/* Centres are there: those of the boxes. */
static void grow_sphere(wi_blend_shape *shape, uint32_t index, unsigned lane, const double p[3])
{
    wi_spheres *spheres = &shape->spheres[index];
    double way2 = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = p[axis] - (double)spheres->centre[axis][lane];
        way2 += way * way;
    }
    const float radius = wi_float_above(sqrt(way2) * (1.0 + 0x1p-50));
    if (radius > spheres->radius[lane]) spheres->radius[lane] = radius;
}

/* Every vertex of every leaf, at all nodes above it that have volumes of the shape. */
static void add_all(const subject *s, wi_blend_shape *shape, add_vertex *add)
{
    const wi_hierarchy *h = s->h;
    for (uint32_t node = 0; node < h->node_count; node++)
        for (unsigned lane = 0; lane < h->views[node].count; lane++) {
            if ((h->views[node].leaf_mask >> lane & 1) == 0) continue;
            const wi_leaf *leaf = &h->leaves[h->views[node].child[lane]];
            wi_twig at = {node, 0, lane};
            for (;;) {
                const bool has = wi_blend_lanes(shape, at.node) != NULL;
                for (unsigned i = 0; i < leaf->vertex_count && has; i++) {
                    double p[3];
                    value64(s, wi_leaf_place(h, leaf, i), p);
                    add(shape, index_of(shape, at.node), at.lane, p);
                }
                if (at.node == 0) break;
                at = (wi_twig){h->views[at.node].parent, 0, h->views[at.node].parent_lane};
            }
        }
}

static bool make_slabs(wi_memory *memory, const subject *s, wi_blend_shape *shape)
{
    if (shape->count == 0) return true;
    shape->slabs = wi_alloc_array(memory, shape->count, sizeof *shape->slabs);
    if (shape->slabs == NULL) return false;
    for (uint32_t i = 0; i < shape->count; i++)
        for (int k = 0; k < WI_DIAGONALS * WI_LANES; k++) {
            shape->slabs[i].lower[k / WI_LANES][k % WI_LANES] = INFINITY;
            shape->slabs[i].upper[k / WI_LANES][k % WI_LANES] = -INFINITY;
        }
    add_all(s, shape, grow_slabs);
    for (uint32_t node = 0; node < s->h->node_count; node++) { /* sums of none are 0, not NaN */
        if (wi_blend_lanes(shape, node) == NULL) continue;
        wi_slabs *slabs = &shape->slabs[index_of(shape, node)];
        for (unsigned lane = s->h->views[node].count; lane < WI_LANES; lane++)
            for (int i = 0; i < WI_DIAGONALS; i++)
                slabs->lower[i][lane] = slabs->upper[i][lane] = 0.0F;
    }
    return true;
}

static bool make_spheres(wi_memory *memory, const subject *s, wi_blend_shape *shape)
{
    if (shape->count == 0) return true;
    shape->spheres = wi_alloc_array(memory, shape->count, sizeof *shape->spheres);
    if (shape->spheres == NULL) return false;
    memset(shape->spheres, 0, shape->count * sizeof *shape->spheres);
    for (uint32_t i = 0; i < shape->count; i++)
        for (int axis = 0; axis < 3; axis++)
            for (unsigned lane = 0; lane < WI_LANES; lane++)
                shape->spheres[i].centre[axis][lane] = 0.5F * shape->lanes[i].lower[axis][lane] +
                                                       0.5F * shape->lanes[i].upper[axis][lane];
    add_all(s, shape, grow_sphere);
    return true;
}

/* What nodes have beyond boxes, in every shape and now. */
static bool make_volumes(wi_memory *memory, wi_hierarchy *h)
{
    const willow_volume volume = h->def.volume;
    wi_blend *blend = &h->blend;
    if (volume == WILLOW_VOLUME_AABB) return true;
    if (volume == WILLOW_VOLUME_KDOP18)
        blend->slabs = wi_alloc_array(memory, h->node_count, sizeof *blend->slabs);
    else
        blend->spheres = wi_alloc_array(memory, h->node_count, sizeof *blend->spheres);
    if (blend->slabs == NULL && blend->spheres == NULL) return false;
    for (uint32_t i = 0; i < blend->shape_count; i++) {
        const subject s = {.h = h, .morph = &h->mesh->morph, .shape = i};
        if (!(blend->slabs ? make_slabs : make_spheres)(memory, &s, &blend->shapes[i]))
            return false;
    }
    return true;
}

/* ---- shapes between ---- */

/* Twice the surface of all boxes of the sum of two shapes, all nodes together. */
static double area_between(const wi_hierarchy *h, const wi_blend_shape *a, double weight_a,
                           const wi_blend_shape *b, double weight_b)
{
    double area = 0.0;
    for (uint32_t node = 0; node < h->node_count; node++)
        for (unsigned lane = 0; lane < h->views[node].count; lane++) {
            double size[3];
            for (int axis = 0; axis < 3; axis++)
                size[axis] = weight_a * ((double)a->lanes[node].upper[axis][lane] -
                                         (double)a->lanes[node].lower[axis][lane]) +
                             weight_b * ((double)b->lanes[node].upper[axis][lane] -
                                         (double)b->lanes[node].lower[axis][lane]);
            area += (size[0] * size[1] + size[1] * size[2]) + size[2] * size[0];
        }
    return area;
}

/* A shape of a way, its ends included. */
static const wi_blend_shape *shape_on_way(const wi_blend *blend, const wi_blend_way *way,
                                          uint32_t i)
{
    if (i == 0) return &blend->shapes[way->from];
    return i <= blend->between ? &way->shapes[i - 1] : &blend->shapes[way->to];
}

/* Half-way between two that follow each other, boxes are widest. */
static bool pays(const wi_hierarchy *h, const wi_blend_way *way)
{
    const wi_blend *blend = &h->blend;
    const uint32_t parts = blend->between + 1;
    double with = 0.0, without = 0.0;
    for (uint32_t i = 0; i < parts; i++) {
        const double share = ((double)i + 0.5) / (double)parts;
        with +=
            area_between(h, shape_on_way(blend, way, i), 0.5, shape_on_way(blend, way, i + 1), 0.5);
        without +=
            area_between(h, &blend->shapes[way->from], 1.0 - share, &blend->shapes[way->to], share);
    }
    return with < 0.98 * without;
}

static bool make_way(wi_memory *memory, wi_hierarchy *h, wi_blend_way *way)
{
    wi_blend *blend = &h->blend;
    way->shapes = allocate_shapes(memory, blend->between);
    if (way->shapes == NULL) return false;
    for (uint32_t i = 0; i < blend->between; i++) {
        const subject s = {.h = h,
                           .morph = &h->mesh->morph,
                           .shape = way->from,
                           .to = way->to,
                           .share = (double)(i + 1) / (double)(blend->between + 1)};
        if (!make_shape(memory, &s, &way->shapes[i])) return false;
    }
    if (pays(h, way)) return true;
    free_shapes(memory, way->shapes, blend->between);
    way->shapes = NULL;
    return true;
}

/* Any two of few targets, or those that follow each other. */
static bool make_ways(wi_memory *memory, wi_hierarchy *h)
{
    enum { FEW = 4 };
    wi_blend *blend = &h->blend;
    const uint32_t count = blend->shape_count;
    if (h->def.in_between == 0 || h->mesh->morph.has_base || count < 2) return true;
    blend->between = h->def.in_between;
    const uint32_t ways = count <= FEW ? count * (count - 1) / 2 : count - 1;
    blend->ways = wi_alloc_array(memory, ways, sizeof *blend->ways);
    if (blend->ways == NULL) return false;
    memset(blend->ways, 0, ways * sizeof *blend->ways);
    blend->way_count = ways;
    uint32_t next = 0;
    for (uint32_t from = 0; from + 1 < count; from++)
        for (uint32_t to = from + 1; to < (count <= FEW ? count : from + 2); to++) {
            blend->ways[next] = (wi_blend_way){.from = from, .to = to};
            if (!make_way(memory, h, &blend->ways[next++])) return false;
        }
    return true;
}

/* With weights v and w, both positive, of two targets, and s = w / (v + w) their share, K parts of
 * the way, m the part that s is in and f = s K - m:
 *     v A + w B = (v + w) ((1 - f) P_m + f P_{m+1}),     P_m = (1 - m / K) A + (m / K) B.
 * Roundings move s by u = 2^-53 of itself, f by K + 2 of these, and the sum by so many times the
 * weights and the sizes; those of the boxes and of the vertices themselves are as in the second
 * form. 8 times as many are there. */
static wi_blend_span find_span(const wi_hierarchy *h)
{
    const wi_morph *morph = &h->mesh->morph;
    const wi_blend *blend = &h->blend;
    const wi_term *a = &morph->terms[0], *b = &morph->terms[1];
    const double parts = (double)blend->between + 1.0;
    if (blend->ways == NULL || morph->term_count != 2 || a->weight < 0.0 || b->weight < 0.0)
        return (wi_blend_span){0};
    for (uint32_t i = 0; i < blend->way_count; i++) {
        const wi_blend_way *way = &blend->ways[i];
        if (way->from != a->shape || way->to != b->shape || way->shapes == NULL) continue;
        const double all = a->weight + b->weight, at = b->weight / all * parts;
        const uint32_t part = at < parts - 1.0 ? (uint32_t)at : blend->between;
        const double share = at - (double)part;
        const double size = a->weight * morph->shapes[a->shape].size +
                            b->weight * morph->shapes[b->shape].size +
                            all * (morph->shapes[a->shape].size + morph->shapes[b->shape].size);
        return (wi_blend_span){shape_on_way(blend, way, part), shape_on_way(blend, way, part + 1),
                               all * (1.0 - share), all * share, (parts + 8.0) * 0x1p-50 * size};
    }
    return (wi_blend_span){0};
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

static bool make_all(wi_memory *memory, wi_hierarchy *h)
{
    const wi_morph *morph = &h->mesh->morph;
    wi_blend *blend = &h->blend;
    *blend = (wi_blend){
        .shape_count = morph->shape_count, .node_count = h->node_count, .morph = morph->number};
    blend->shapes = allocate_shapes(memory, morph->shape_count);
    if (blend->shapes == NULL) return false;
    for (uint32_t i = 0; i < morph->shape_count; i++) {
        const subject s = {.h = h, .morph = morph, .shape = i};
        if (!make_shape(memory, &s, &blend->shapes[i])) return false;
    }
    if (!make_points(memory, h, blend) || !make_volumes(memory, h) || !make_ways(memory, h))
        return false;
    if (!h->def.blend_both) return true;
    blend->others = allocate_shapes(memory, morph->shape_count);
    if (blend->others == NULL) return false;
    for (uint32_t i = 1; i < morph->shape_count; i++) {
        const subject s = {.h = h, .morph = morph, .shape = i, .is_other = true};
        if (!make_shape(memory, &s, &blend->others[i])) return false;
    }
    return true;
}

bool wi_blend_make(wi_memory *memory, wi_hierarchy *h)
{
    wi_blend_free(memory, &h->blend);
    if (make_all(memory, h)) return true;
    wi_blend_free(memory, &h->blend);
    return false;
}

bool wi_blend_make_parts(wi_memory *memory, wi_hierarchy *h)
{
    wi_blend *blend = &h->blend;
    wi_blend_free(memory, blend);
    *blend = (wi_blend){.node_count = h->node_count, .morph = h->mesh->deform.number};
    if (make_points(memory, h, blend)) blend->parts = wi_parts_make(memory, h);
    if (blend->parts) return true;
    wi_blend_free(memory, blend);
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
    h->blend.size = size;
    h->blend.span = find_span(h);
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
                return "I17: a shape moves what is below a node that does not know it";
            if (lanes == NULL) continue;
            const wi_box own = lane_box(lanes, lane);
            if (memcmp(&own, &box, sizeof own) != 0)
                return "I17: a box of a shape is not that of its values";
        }
    }
    return NULL;
}

static bool slabs_contain(const wi_slabs *slabs, unsigned lane, const double p[3])
{
    for (int i = 0; i < WI_DIAGONALS; i++) {
        const double at = wi_diagonal(i, p);
        if (!((double)slabs->lower[i][lane] <= at && at <= (double)slabs->upper[i][lane]))
            return false;
    }
    return true;
}

static bool sphere_contains(const wi_spheres *spheres, unsigned lane, const double p[3])
{
    double way2 = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        const double way = p[axis] - (double)spheres->centre[axis][lane];
        way2 += way * way;
    }
    return sqrt(way2) <= (double)spheres->radius[lane];
}

/* The same for what an open node has beyond boxes. */
static bool volumes_contain(const wi_hierarchy *h, const wi_leaf *leaf, uint32_t node,
                            unsigned lane)
{
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, h->leaf_vertices[leaf->first_vertex + i], p);
        const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
        if (h->blend.slabs && !slabs_contain(&h->blend.slabs[node], lane, at)) return false;
        if (h->blend.spheres && !sphere_contains(&h->blend.spheres[node], lane, at)) return false;
    }
    return true;
}

/* All boxes on the way to a leaf that are open contain it. */
static const char *validate_way(const wi_hierarchy *h, uint32_t node, unsigned lane)
{
    const wi_leaf *leaf = &h->leaves[h->views[node].child[lane]];
    const wi_box tight = wi_leaf_box(h, leaf);
    for (;;) {
        const wi_view *view = &h->views[node];
        const wi_box box = wi_view_box(view, lane);
        if (wi_is_open(h, node) && !wi_box_contains(&box, &tight))
            return "I6: a leaf sticks out of a box above it";
        if (wi_is_open(h, node) && !volumes_contain(h, leaf, node, lane))
            return "I17: a leaf sticks out of a slab or a sphere above it";
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
        return "I17: the boxes of shapes are of another tree";
    for (uint32_t i = 0; i < blend->shape_count && broken == NULL; i++) {
        subject s = {.h = h, .morph = &h->mesh->morph, .shape = i}, other = s;
        other.is_other = true;
        broken = validate_shape(&s, &blend->shapes[i]);
        if (broken == NULL && blend->others && i > 0)
            broken = validate_shape(&other, &blend->others[i]);
    }
    for (uint32_t i = 0; i < blend->way_count * blend->between && broken == NULL; i++) {
        const wi_blend_way *way = &blend->ways[i / blend->between];
        const subject s = {.h = h,
                           .morph = &h->mesh->morph,
                           .shape = way->from,
                           .to = way->to,
                           .share =
                               (double)(i % blend->between + 1) / (double)(blend->between + 1)};
        if (way->shapes) broken = validate_shape(&s, &way->shapes[i % blend->between]);
    }
    for (uint32_t node = 0; node < h->node_count && broken == NULL; node++)
        for (unsigned lane = 0; lane < h->views[node].count && broken == NULL; lane++)
            if ((h->views[node].leaf_mask >> lane & 1) != 0) broken = validate_way(h, node, lane);
    return broken;
}
