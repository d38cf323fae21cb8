/* spots.h - positions by spot, as queries see them. For kernels. */
#ifndef WI_WALK_SPOTS_H
#define WI_WALK_SPOTS_H

#include "mesh/mesh.h"
#include "prim/vec8.h"

static inline void wi_read_spot(const wi_mesh *mesh, wi_spot spot, float out[4])
{
    const float *stored = wi_mesh_at(mesh, spot);
    if (mesh->is_posed)
        wi_pose_apply(&mesh->pose, stored, out);
    else
        wi_quad_store(out, wi_quad_load3(stored));
}

static inline wi_vec8 wi_gather_spots(const wi_mesh *mesh, const wi_spot spots[WI_LANES])
{
    wi_wide axes[3];
    if (mesh->positions && !mesh->is_posed) {
        wi_wide_gather((const float(*)[4])(const void *)mesh->positions, spots, axes);
    } else {
        _Alignas(32) float points[WI_LANES][4];
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            wi_read_spot(mesh, spots[lane], points[lane]);
        wi_wide_transpose((const float(*)[4])points, axes);
    }
    return (wi_vec8){axes[0], axes[1], axes[2]};
}

#endif
