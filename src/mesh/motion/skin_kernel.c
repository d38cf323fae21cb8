/* skin_kernel.c - vertices that follow joints, many at once: the bits of wi_skin_read, rounded, or
 * taken to the world by a pose. */
#include "base/kernel.h"
#include "mesh/motion/morph_quad.h"

/* So many at a time that what the source says of them stays near. */
enum { RUN = 64 };

/* As wi_columns_apply, all rows at once. */
static inline wi_quad64 apply(const wi_columns *m, wi_quad64 x, wi_quad64 y, wi_quad64 z)
{
    wi_quad64 at = wi_quad64_add(wi_quad64_mul(wi_quad64_load(m->column[0]), x),
                                 wi_quad64_mul(wi_quad64_load(m->column[1]), y));
    at = wi_quad64_add(at, wi_quad64_mul(wi_quad64_load(m->column[2]), z));
    return wi_quad64_add(at, wi_quad64_load(m->column[3]));
}

/* Where the joints of the vertex at a place take it from `source`. */
static inline wi_quad64 skin_quad(const wi_skin *skin, uint32_t place, wi_quad64 source)
{
    const wi_influence_span span = skin->spans[place];
    wi_quad64 sum = wi_quad64_all(0.0);
    double p[4];
    wi_quad64_store(p, source);
    const wi_quad64 x = wi_quad64_all(p[0]), y = wi_quad64_all(p[1]), z = wi_quad64_all(p[2]);
    for (uint32_t i = 0; i < span.count; i++) {
        const wi_influence *influence = &skin->influences[span.first + i];
        const wi_quad64 moved = apply(&skin->moves[influence->joint], x, y, z);
        sum = wi_quad64_add(sum, wi_quad64_mul(wi_quad64_all(influence->weight), moved));
    }
    return sum;
}

static void skin_fill_run(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    wi_quad64 sums[RUN];
    for (uint32_t end; first < last; first = end) {
        end = last - first < RUN ? last : first + RUN;
        wi_sum_run(skin->source, first, end, sums);
        for (uint32_t place = first; place < end; place++)
            wi_quad_store(mesh->positions[place].axis,
                          wi_clamped_round(skin_quad(skin, place, sums[place - first])));
    }
}

static void skin_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    const wi_skin *skin = wi_mesh_skin(mesh);
    wi_quad64 sums[WI_MAX_PLACES];
    wi_sum_places(skin->source, places, sums);
    for (uint32_t i = 0; i < places->count; i++)
        sums[i] = skin_quad(skin, wi_places_at(places, i), sums[i]);
    wi_store_sums(wi_mesh_pose(mesh), sums, places->count, out);
}

static void skin_gather8(const wi_mesh *mesh, const wi_spot spots[WI_LANES], float out[WI_LANES][4])
{
    const wi_places places = {.listed = spots, .count = WI_LANES};
    skin_read_leaf(mesh, &places, out);
}

extern const wi_motion_kernels WI_KERNEL(motion_skin);

const wi_motion_kernels WI_KERNEL(motion_skin) = {
    .fill_run = skin_fill_run, .read_leaf = skin_read_leaf, .gather8 = skin_gather8};
