/* gather_vertices.h - positions by spot, eight at once, as queries see them. For kernels. */
#ifndef WI_WALK_READER_GATHER_VERTICES_H
#define WI_WALK_READER_GATHER_VERTICES_H

#include "mesh/mesh.h"
#include "mesh/motion/plan_quad.h"
#include "prim/vec8.h"

/* The bits of wi_plan_point. */
static inline void wi_read_spots_between_keys(const wi_mesh *mesh, const wi_spot spots[WI_LANES],
                                              float points[WI_LANES][4])
{
    const wi_moment *at = &mesh->moment;
    const float *from = wi_plan_key(&mesh->plan, at->from, 0);
    const float *to = wi_plan_key(&mesh->plan, at->to, 0);
    const wi_quad64 share = wi_quad64_all(at->share);
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        const size_t place = 3 * (size_t)spots[lane];
        wi_quad_store(points[lane],
                      wi_quad64_round(wi_between_keys(from + place, to + place, share)));
    }
}

static inline wi_vec8 wi_gather_spots(const wi_mesh *mesh, const wi_spot spots[WI_LANES])
{
    wi_wide axes[3];
    if (mesh->positions && !mesh->is_posed && !mesh->is_live) {
        wi_wide_gather((const float(*)[4])(const void *)mesh->positions, spots, axes);
    } else if (mesh->is_live && mesh->is_planned && !mesh->is_posed && mesh->plan.paths == NULL) {
        _Alignas(32) float points[WI_LANES][4];
        wi_read_spots_between_keys(mesh, spots, points);
        wi_wide_transpose((const float(*)[4])points, axes);
    } else {
        _Alignas(32) float points[WI_LANES][4] = {{0}}; /* the fourth has no meaning */
        for (unsigned lane = 0; lane < WI_LANES; lane++)
            wi_mesh_world_at(mesh, spots[lane], points[lane]);
        wi_wide_transpose((const float(*)[4])points, axes);
    }
    return (wi_vec8){axes[0], axes[1], axes[2]};
}

#endif
