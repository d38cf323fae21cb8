/* bend.c - every coordinate is a chain of sums and products. */
#include "support/bend.h"

#include <float.h>
#include <math.h>

bend bend_straight(void)
{
    bend b = {.bad_vertex = UINT32_MAX};
    return b;
}

static float in_range(float x) { return fminf(fmaxf(x, -FLT_MAX), FLT_MAX); }

static float sheared(const bend *b, float x, float y) { return in_range(x + b->shear * y); }

static float lifted(const bend *b, float z, float x) { return in_range(z + (b->curve * x) * x); }

willow_vec3 bend_apply(const bend *b, willow_vec3 p)
{
    return (willow_vec3){sheared(b, p.x, p.y), p.y, lifted(b, p.z, p.x)};
}

static willow_vec3 position(void *context, uint32_t vertex, willow_vec3 rest)
{
    bend *b = context;
    const unsigned calls = atomic_fetch_add(&b->positions, 1);
    willow_vec3 p = bend_apply(b, rest);
    if (vertex == b->bad_vertex) p.y = NAN;
    if (b->is_restless) p.x += 0.001F * (float)(calls % 7);
    return p;
}

/* Rounding keeps the order of numbers, so the same operations on the ends are enough. */
static willow_box bound(void *context, const willow_part *part)
{
    bend *b = context;
    const willow_vec3 low = part->rest.lower, high = part->rest.upper;
    const float far = fabsf(low.x) > fabsf(high.x) ? low.x : high.x;
    const float close = low.x > 0.0F ? low.x : high.x < 0.0F ? high.x : 0.0F;
    const float least = b->curve < 0.0F ? far : close, most = b->curve < 0.0F ? close : far;
    const float left = b->shear < 0.0F ? high.y : low.y, right = b->shear < 0.0F ? low.y : high.y;
    atomic_fetch_add(&b->boxes, 1);
    if (b->has_no_boxes) return (willow_box){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    willow_box box = {{sheared(b, low.x, left), low.y, lifted(b, low.z, least)},
                      {sheared(b, high.x, right), high.y, lifted(b, high.z, most)}};
    box.upper.y -= b->shrink;
    return box;
}

willow_deformation bend_deformation(bend *b)
{
    willow_deformation def = willow_deformation_default();
    def.context = b;
    def.position = position;
    def.bound = bound;
    return def;
}
