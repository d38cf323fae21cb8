/* ways.c - shapes between two absolute targets, where they make boxes smaller.
 *
 * Way in: wi_blend_ways_make, once for a tree and a morph; wi_blend_span_of for the weights of now.
 * After Larsson 2003, paper B (section 6.5). */
#include <string.h>

#include "base/check.h"
#include "update/blend/shape.h"

void wi_blend_ways_free(wi_memory *memory, wi_blend *blend)
{
    for (uint32_t i = 0; i < blend->way_count && blend->ways; i++)
        wi_blend_shapes_free(memory, blend->ways[i].shapes, blend->between);
    wi_free_array(memory, blend->ways, blend->way_count, sizeof *blend->ways);
}

size_t wi_blend_ways_bytes(const wi_blend *blend)
{
    size_t bytes = blend->ways ? blend->way_count * sizeof *blend->ways : 0;
    for (uint32_t i = 0; i < blend->way_count && blend->ways; i++)
        bytes += wi_blend_shapes_bytes(blend->ways[i].shapes, blend->between);
    return bytes;
}

/* Twice the surface of all boxes of the sum of two shapes, all nodes together. */
static double area_between(const wi_tree *h, const wi_blend_shape *a, double weight_a,
                           const wi_blend_shape *b, double weight_b)
{
    double area = 0.0;
    for (uint32_t node = 0; node < h->shape->node_count; node++)
        for (unsigned lane = 0; lane < h->boxes.nodes[node].count; lane++) {
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
    WI_ASSERT(i <= blend->between + 1 && way->to < blend->shape_count);
    if (i == 0) return &blend->shapes[way->from];
    return i <= blend->between ? &way->shapes[i - 1] : &blend->shapes[way->to];
}

/* Half-way between two that follow each other, boxes are widest. */
static bool pays(const wi_tree *h, const wi_blend_way *way)
{
    const wi_blend *blend = wi_blend_of(h);
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

static bool make_way(wi_memory *memory, wi_tree *h, wi_blend_way *way)
{
    wi_blend *blend = wi_blend_of(h);
    WI_ASSERT(way->from < way->to && blend->between > 0 && blend->between <= WI_MAX_BETWEEN);
    way->shapes = wi_blend_shapes_allocate(memory, blend->between);
    if (way->shapes == NULL) return false;
    for (uint32_t i = 0; i < blend->between; i++) {
        const wi_subject s = {.h = h,
                              .morph = wi_mesh_morph(h->mesh),
                              .shape = way->from,
                              .to = way->to,
                              .share = (double)(i + 1) / (double)(blend->between + 1)};
        if (!wi_blend_shape_make(memory, &s, &way->shapes[i])) return false;
    }
    if (pays(h, way)) return true;
    wi_blend_shapes_free(memory, way->shapes, blend->between);
    way->shapes = NULL;
    return true;
}

bool wi_blend_ways_make(wi_memory *memory, wi_tree *h)
{
    enum { FEW = 4 };
    wi_blend *blend = wi_blend_of(h);
    const uint32_t count = blend->shape_count;
    if (h->def.in_between == 0 || wi_mesh_morph(h->mesh)->has_base || count < 2) return true;
    blend->between = h->def.in_between;
    const uint32_t ways = count <= FEW ? count * (count - 1) / 2 : count - 1;
    blend->ways = wi_alloc_array(memory, ways, sizeof *blend->ways);
    if (blend->ways == NULL) return false;
    memset(blend->ways, 0, ways * sizeof *blend->ways);
    blend->way_count = ways;
    uint32_t next = 0;
    for (uint32_t from = 0; from + 1 < count; from++)
        for (uint32_t to = from + 1; to < (count <= FEW ? count : from + 2); to++) {
            WI_ASSERT(next < ways);
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
wi_blend_span wi_blend_span_of(const wi_tree *h)
{
    const wi_morph *morph = wi_mesh_morph(h->mesh);
    const wi_blend *blend = wi_blend_of(h);
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
        WI_ASSERT(part <= blend->between && share >= 0.0 && share <= 1.0);
        const double size = a->weight * morph->shapes[a->shape].size +
                            b->weight * morph->shapes[b->shape].size +
                            all * (morph->shapes[a->shape].size + morph->shapes[b->shape].size);
        return (wi_blend_span){shape_on_way(blend, way, part), shape_on_way(blend, way, part + 1),
                               all * (1.0 - share), all * share, (parts + 8.0) * 0x1p-50 * size};
    }
    return (wi_blend_span){0};
}

const char *wi_blend_ways_validate(const wi_tree *h)
{
    const wi_blend *blend = wi_blend_of(h);
    const char *broken = NULL;
    for (uint32_t i = 0; i < blend->way_count * blend->between && broken == NULL; i++) {
        const wi_blend_way *way = &blend->ways[i / blend->between];
        const wi_subject s = {.h = h,
                              .morph = wi_mesh_morph(h->mesh),
                              .shape = way->from,
                              .to = way->to,
                              .share =
                                  (double)(i % blend->between + 1) / (double)(blend->between + 1)};
        if (way->shapes) broken = wi_blend_shape_validate(&s, &way->shapes[i % blend->between]);
    }
    return broken;
}
