/* gather_vertices.h - positions by spot, eight at once, as queries see them. For kernels. */
#ifndef WI_WALK_READER_GATHER_VERTICES_H
#define WI_WALK_READER_GATHER_VERTICES_H

#include "base/kernel.h"
#include "mesh/mesh.h"
#include "prim/vec8.h"

static inline wi_vec8 wi_gather_spots(const wi_mesh *mesh, const wi_spot spots[WI_LANES])
{
    wi_wide axes[3];
    if (wi_mesh_is_plain(mesh)) {
        wi_wide_gather((const float(*)[4])(const void *)mesh->positions, spots, axes);
    } else {
        _Alignas(32) float points[WI_LANES][4]; /* the fourth has no meaning */
        WI_KERNEL(motion_kernels)[mesh->motion]->gather8(mesh, spots, points);
        wi_wide_transpose((const float(*)[4])points, axes);
    }
    return (wi_vec8){axes[0], axes[1], axes[2]};
}

#endif
