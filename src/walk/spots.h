/* spots.h - positions by spot, eight at once, as queries see them. For kernels. */
#ifndef WI_WALK_SPOTS_H
#define WI_WALK_SPOTS_H

#include "mesh/mesh.h"
#include "prim/vec8.h"

static inline wi_vec8 wi_gather_spots(const wi_mesh *mesh, const wi_spot spots[WI_LANES])
{
    wi_wide axes[3];
    if (mesh->positions && !mesh->is_posed && !mesh->is_live) {
        wi_wide_gather((const float(*)[4])(const void *)mesh->positions, spots, axes);
    } else {
        _Alignas(32) float points[WI_LANES][4] = {{0}}; /* the fourth has no meaning */
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            wi_mesh_world_at(mesh, spots[lane], points[lane]);
        wi_wide_transpose((const float(*)[4])points, axes);
    }
    return (wi_vec8){axes[0], axes[1], axes[2]};
}

#endif
