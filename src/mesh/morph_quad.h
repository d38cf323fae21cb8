/* morph_quad.h - sums of shapes, a vertex at once; for kernels. The bits of wi_morph_read. */
#ifndef WI_MESH_MORPH_QUAD_H
#define WI_MESH_MORPH_QUAD_H

#include <float.h>
#include "base/wide.h"
#include "mesh/morph.h"

/* The fourth lane is what comes after the value: a number of no meaning. */
static inline wi_quad64 wi_add_term(wi_quad64 sum, wi_quad64 weight, const float *value)
{
    return wi_quad64_add(sum, wi_quad64_mul(weight, wi_quad64_of(wi_quad_load(value))));
}

/* As wi_plan_round, of four. */
static inline wi_quad wi_clamped_round(wi_quad64 x)
{
    x = wi_quad64_min(x, wi_quad64_all((double)FLT_MAX));
    return wi_quad64_round(wi_quad64_max(x, wi_quad64_all((double)-FLT_MAX)));
}

/* Where all shapes have all vertices. */
static inline wi_quad64 wi_morph_dense_quad(const wi_morph *morph, uint32_t place)
{
    wi_quad64 sum = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        const float *value = morph->shapes[term->shape].values + 3 * (size_t)place;
        sum = wi_add_term(sum, wi_quad64_all(term->weight), value);
    }
    return sum;
}

static inline wi_quad64 wi_morph_quad(const wi_morph *morph, uint32_t place)
{
    wi_quad64 sum = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        const float *value = wi_shape_at(&morph->shapes[term->shape], place);
        if (value) sum = wi_add_term(sum, wi_quad64_all(term->weight), value);
    }
    return sum;
}

#endif
