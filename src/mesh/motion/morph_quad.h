/* morph_quad.h - sums of shapes, a vertex at once; for kernels. The bits of wi_morph_read. */
#ifndef WI_MESH_MOTION_MORPH_QUAD_H
#define WI_MESH_MOTION_MORPH_QUAD_H

#include <float.h>
#include "base/check.h"
#include "base/wide.h"
#include "mesh/motion/morph.h"
#include "mesh/motion/motion.h"
#include "mesh/motion/read_quad.h"

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

/* ---- many vertices, term by term ---- */

/* Adds what a sparse shape has at places [first, last), of which there are some. */
static inline void wi_add_sparse_run(wi_quad64 *sums, wi_quad64 weight, const wi_morph_shape *shape,
                                     uint32_t first, uint32_t last)
{
    const float *value = shape->values + 3 * (size_t)wi_ranks_of(&shape->has, first);
    for (uint32_t from = first, end; from < last; from = end) { /* word by word of its bits */
        end = (from | 63) < last - 1 ? (from | 63) + 1 : last;
        uint64_t bits = shape->has.bits[from / 64] >> from % 64;
        if (end - from < 64) bits &= (UINT64_C(1) << (end - from)) - 1;
        for (; bits != 0; bits &= bits - 1, value += 3) {
            wi_quad64 *sum = &sums[from - first + (unsigned)__builtin_ctzll(bits)];
            *sum = wi_add_term(*sum, weight, value);
        }
    }
}

/* The same of any shape. */
static inline void wi_add_run(wi_quad64 *sums, wi_quad64 weight, const wi_morph_shape *shape,
                              uint32_t first, uint32_t last)
{
    if (first == last) return;
    if (shape->has.bits) {
        wi_add_sparse_run(sums, weight, shape, first, last);
        return;
    }
    const float *value = shape->values + 3 * (size_t)first;
    for (uint32_t i = 0; i < last - first; i++, value += 3)
        sums[i] = wi_add_term(sums[i], weight, value);
}

/* The same at places here and there. */
static inline void wi_add_places(wi_quad64 *sums, wi_quad64 weight, const wi_morph_shape *shape,
                                 const uint32_t *places, uint32_t count)
{
    const bool is_dense = shape->has.bits == NULL;
    for (uint32_t i = 0; i < count; i++) {
        const float *value =
            is_dense ? shape->values + 3 * (size_t)places[i] : wi_morph_shape_at(shape, places[i]);
        if (value) sums[i] = wi_add_term(sums[i], weight, value);
    }
}

/* Sums as queries see them: rounded, or taken to the world by a pose and rounded there. */
static inline void wi_store_sums(const wi_pose *pose, const wi_quad64 *sums, uint32_t count,
                                 float (*out)[4])
{
    if (pose == NULL) {
        for (uint32_t i = 0; i < count; i++) wi_quad_store(out[i], wi_clamped_round(sums[i]));
        return;
    }
    const wi_pose8 pose8 = wi_pose8_of(pose);
    for (uint32_t i = 0; i < count; i++) {
        double p[4];
        wi_quad64_store(p, sums[i]);
        wi_quad_store(out[i], wi_pose_quad64(pose8.columns, pose8.translation, p));
    }
}

/* ---- all terms ---- */

/* Where vertices at places [first, last) are. */
static inline void wi_sum_run(const wi_morph *morph, uint32_t first, uint32_t last, wi_quad64 *sums)
{
    for (uint32_t i = 0; i < last - first; i++) sums[i] = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        wi_add_run(sums, wi_quad64_all(term->weight), &morph->shapes[term->shape], first, last);
    }
}

/* Where those of a leaf are. */
static inline void wi_sum_places(const wi_morph *morph, const wi_places *places, wi_quad64 *sums)
{
    const uint32_t first = places->first, run = places->run_count;
    WI_ASSERT(places->count <= WI_MAX_PLACES);
    for (uint32_t i = 0; i < places->count; i++) sums[i] = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_morph_shape *shape = &morph->shapes[morph->terms[i].shape];
        const wi_quad64 weight = wi_quad64_all(morph->terms[i].weight);
        wi_add_run(sums, weight, shape, first, first + run);
        wi_add_places(sums + run, weight, shape, places->listed, places->count - run);
    }
}

#endif
