/* morph_kernel.c - sums of shapes, many vertices at once and term by term: the bits of
 * wi_morph_read, rounded, or taken to the world by a pose. */
#include "base/kernel.h"
#include "mesh/motion/morph_quad.h"

/* So many at a time that their sums stay near. */
enum { RUN = 64 };

static void morph_fill_run(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    const wi_morph *morph = wi_mesh_morph(mesh);
    wi_quad64 sums[RUN];
    for (uint32_t end; first < last; first = end) {
        end = last - first < RUN ? last : first + RUN;
        wi_sum_run(morph, first, end, sums);
        for (uint32_t i = 0; i < end - first; i++)
            wi_quad_store(mesh->positions[first + i].axis, wi_clamped_round(sums[i]));
    }
}

static void morph_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    wi_quad64 sums[WI_MAX_PLACES];
    wi_sum_places(wi_mesh_morph(mesh), places, sums);
    wi_store_sums(wi_mesh_pose(mesh), sums, places->count, out);
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
