/* volumes.c - slabs along diagonals, or spheres, around what is below a node, in every shape.
 *
 * Way in: wi_blend_volumes_make. Every vertex is added to all nodes above it. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "geom/outward.h"
#include "update/blend/shape.h"

/* Where the volumes of a node are in the lists of a shape that has them. */
static uint32_t index_of(const wi_blend_shape *shape, uint32_t node)
{
    WI_ASSERT(wi_blend_lanes(shape, node));
    return (uint32_t)(wi_blend_lanes(shape, node) - shape->lanes);
}

static void value64(const wi_subject *s, uint32_t place, double out[3])
{
    const float *value = wi_morph_shape_at(&s->morph->shapes[s->shape], place);
    for (int axis = 0; axis < 3; axis++) out[axis] = value ? (double)value[axis] : 0.0;
}

/* What is done with a vertex below a lane of a node. */
typedef void add_vertex(wi_blend_shape *shape, uint32_t index, unsigned lane, const double p[3]);

static void grow_slabs(wi_blend_shape *shape, uint32_t index, unsigned lane, const double p[3])
{
    wi_slabs *slabs = &shape->slabs[index];
    WI_ASSERT(index < shape->count && lane < WI_LANES);
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
    WI_ASSERT(index < shape->count && lane < WI_LANES);
    for (int axis = 0; axis < 3; axis++) {
        const double way = p[axis] - (double)spheres->centre[axis][lane];
        way2 += way * way;
    }
    const float radius = wi_float_above(sqrt(way2) * (1.0 + 0x1p-50));
    if (radius > spheres->radius[lane]) spheres->radius[lane] = radius;
}

/* Every vertex of every leaf, at all nodes above it that have volumes of the shape. */
static void add_all(const wi_subject *s, wi_blend_shape *shape, add_vertex *add)
{
    const wi_tree *h = s->h;
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned lane = 0; lane < h->boxes.nodes[node].count; lane++) {
            if ((h->boxes.nodes[node].leaf_mask >> lane & 1) == 0) continue;
            const wi_leaf *leaf = &h->shape->leaves[h->boxes.nodes[node].child[lane]];
            wi_twig at = {node, 0, lane};
            for (;;) {
                const bool has = wi_blend_lanes(shape, at.node) != NULL;
                for (unsigned i = 0; i < leaf->vertex_count && has; i++) {
                    double p[3];
                    value64(s, wi_leaf_place(h, leaf, i), p);
                    add(shape, index_of(shape, at.node), at.lane, p);
                }
                if (at.node == 0) break;
                at = (wi_twig){h->boxes.nodes[at.node].parent, 0,
                               h->boxes.nodes[at.node].parent_lane};
            }
        }
}

static bool volumes_make_slabs(wi_memory *memory, const wi_subject *s, wi_blend_shape *shape)
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
    for (uint32_t node = 0; node < s->h->shape->node_count;
         node++) { /* sums of none are 0, not NaN */
        if (wi_blend_lanes(shape, node) == NULL) continue;
        wi_slabs *slabs = &shape->slabs[index_of(shape, node)];
        for (unsigned lane = s->h->boxes.nodes[node].count; lane < WI_LANES; lane++)
            for (int i = 0; i < WI_DIAGONALS; i++)
                slabs->lower[i][lane] = slabs->upper[i][lane] = 0.0F;
    }
    return true;
}

static bool make_spheres(wi_memory *memory, const wi_subject *s, wi_blend_shape *shape)
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

bool wi_blend_volumes_make(wi_memory *memory, wi_tree *h)
{
    const willow_volume volume = h->def.volume;
    wi_blend *blend = wi_blend_of(h);
    WI_ASSERT((unsigned)volume < WILLOW_VOLUME_COUNT && blend->volumes.slabs == NULL &&
              blend->volumes.spheres == NULL);
    if (volume == WILLOW_VOLUME_AABB) return true;
    if (volume == WILLOW_VOLUME_KDOP18)
        blend->volumes.slabs =
            wi_alloc_array(memory, h->shape->node_count, sizeof *blend->volumes.slabs);
    else
        blend->volumes.spheres =
            wi_alloc_array(memory, h->shape->node_count, sizeof *blend->volumes.spheres);
    if (blend->volumes.slabs == NULL && blend->volumes.spheres == NULL) return false;
    for (uint32_t i = 0; i < blend->shape_count; i++) {
        const wi_subject s = {.h = h, .morph = wi_mesh_morph(h->mesh), .shape = i};
        if (!(blend->volumes.slabs ? volumes_make_slabs : make_spheres)(memory, &s,
                                                                        &blend->shapes[i]))
            return false;
    }
    return true;
}

/* ---- soundness ---- */

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

bool wi_blend_volumes_contain(const wi_tree *h, const wi_leaf *leaf, uint32_t node, unsigned lane)
{
    for (unsigned i = 0; i < leaf->vertex_count; i++) {
        float p[3];
        wi_mesh_model_position(h->mesh, h->shape->leaf_vertices[leaf->first_vertex + i], p);
        const double at[3] = {(double)p[0], (double)p[1], (double)p[2]};
        if (wi_blend_of(h)->volumes.slabs &&
            !slabs_contain(&wi_blend_of(h)->volumes.slabs[node], lane, at))
            return false;
        if (wi_blend_of(h)->volumes.spheres &&
            !sphere_contains(&wi_blend_of(h)->volumes.spheres[node], lane, at))
            return false;
    }
    return true;
}
