/* morph_kernel.c - sums of shapes, many vertices at once and term by term: the bits of
 * wi_morph_read, rounded, or taken to the world by a pose. */
#include "base/kernel.h"
#include "mesh/motion/morph_quad.h"
#include "mesh/motion/read_quad.h"

/* So many at a time that their sums stay near. */
enum { RUN = 64 };

static void sum_run(const wi_morph *morph, uint32_t first, uint32_t last, wi_point *out)
{
    wi_quad64 sums[RUN];
    for (uint32_t i = 0; i < last - first; i++) sums[i] = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_term *term = &morph->terms[i];
        wi_add_run(sums, wi_quad64_all(term->weight), &morph->shapes[term->shape], first, last);
    }
    for (uint32_t i = 0; i < last - first; i++)
        wi_quad_store(out[first + i].axis, wi_clamped_round(sums[i]));
}

static void morph_fill_run(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    const wi_morph *morph = wi_mesh_morph(mesh);
    for (uint32_t end; first < last; first = end) {
        end = last - first < RUN ? last : first + RUN;
        sum_run(morph, first, end, mesh->positions);
    }
}

static void sum_places(const wi_morph *morph, const wi_places *places, wi_quad64 *sums)
{
    const uint32_t first = places->first, run = places->run_count;
    for (uint32_t i = 0; i < places->count; i++) sums[i] = wi_quad64_all(0.0);
    for (uint32_t i = 0; i < morph->term_count; i++) {
        const wi_morph_shape *shape = &morph->shapes[morph->terms[i].shape];
        const wi_quad64 weight = wi_quad64_all(morph->terms[i].weight);
        wi_add_run(sums, weight, shape, first, first + run);
        wi_add_places(sums + run, weight, shape, places->listed, places->count - run);
    }
}

static void morph_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    const wi_pose *pose = wi_mesh_pose(mesh);
    wi_quad64 sums[WI_MAX_PLACES];
    WI_ASSERT(places->count <= WI_MAX_PLACES);
    sum_places(wi_mesh_morph(mesh), places, sums);
    if (pose == NULL) {
        for (uint32_t i = 0; i < places->count; i++)
            wi_quad_store(out[i], wi_clamped_round(sums[i]));
        return;
    }
    const wi_pose8 pose8 = wi_pose8_of(pose);
    for (uint32_t i = 0; i < places->count; i++) {
        double p[4];
        wi_quad64_store(p, sums[i]);
        wi_quad_store(out[i], wi_pose_quad64(pose8.columns, pose8.translation, p));
    }
}

static void morph_gather8(const wi_mesh *mesh, const wi_spot spots[WI_LANES],
                          float out[WI_LANES][4])
{
    const wi_places places = {.listed = spots, .count = WI_LANES};
    morph_read_leaf(mesh, &places, out);
}

extern const wi_motion_kernels WI_KERNEL(motion_morph);

const wi_motion_kernels WI_KERNEL(motion_morph) = {
    .fill_run = morph_fill_run, .read_leaf = morph_read_leaf, .gather8 = morph_gather8};
