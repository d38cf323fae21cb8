/* motion_kernel.c - the table of kernels by source, and those of sources that compute nothing, or
 * leave it to the user. */
#include "base/kernel.h"
#include "mesh/motion/read_quad.h"

extern wi_mesh_fill WI_KERNEL(mesh_fill);
#define ENTRY(name, table) extern const wi_motion_kernels WI_KERNEL(motion_##table);
WI_MOTIONS(ENTRY)
#undef ENTRY

const wi_motion_kernels *const WI_KERNEL(motion_kernels)[WI_MOTION_COUNT] = {
#define ENTRY(name, table) [WI_MOTION_##name] = &WI_KERNEL(motion_##table),
    WI_MOTIONS(ENTRY)
#undef ENTRY
};

void WI_KERNEL(mesh_fill)(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    WI_ASSERT(wi_mesh_is_computed(mesh) && first <= last && last <= mesh->vertex_count);
    WI_KERNEL(motion_kernels)[mesh->motion]->fill_run(mesh, first, last);
}

/* ---- stored and borrowed ---- */

static void stored_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    const wi_point *positions = mesh->positions;
    for (uint32_t i = 0; i < places->count; i++)
        wi_quad_store(out[i], wi_quad_load(positions[wi_places_at(places, i)].axis));
    wi_pose_points(wi_mesh_pose(mesh), places->count, out);
}

static void borrowed_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    const wi_source source = wi_mesh_borrowed(mesh);
    for (uint32_t i = 0; i < places->count; i++)
        wi_quad_store(out[i], wi_quad_load3(wi_source_at(source, wi_places_at(places, i))));
    wi_pose_points(wi_mesh_pose(mesh), places->count, out);
}

const wi_motion_kernels WI_KERNEL(motion_stored) = {.read_leaf = stored_read_leaf,
                                                    .gather8 = wi_gather_each};
const wi_motion_kernels WI_KERNEL(motion_borrowed) = {.read_leaf = borrowed_read_leaf,
                                                      .gather8 = wi_gather_each};

/* ---- the user's ---- */

static void user_fill_run(wi_mesh *mesh, uint32_t first, uint32_t last)
{
    const wi_user_motion *user = wi_mesh_user(mesh);
    for (uint32_t place = first; place < last; place++) {
        wi_user_motion_read(user, place, mesh->positions[place].axis);
        mesh->positions[place].axis[3] = 0.0F;
    }
}

/* The function is not called again for what is stored. */
static void user_read_leaf(const wi_mesh *mesh, const wi_places *places, float (*out)[4])
{
    for (uint32_t i = 0; i < places->count; i++)
        wi_mesh_world_at(mesh, wi_places_at(places, i), out[i]);
}

const wi_motion_kernels WI_KERNEL(motion_user) = {
    .fill_run = user_fill_run, .read_leaf = user_read_leaf, .gather8 = wi_gather_each};
