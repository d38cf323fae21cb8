/* read_quad.h - what the sources of positions have in common when they are read; for kernels. */
#ifndef WI_MESH_MOTION_READ_QUAD_H
#define WI_MESH_MOTION_READ_QUAD_H

#include "geom/pose_quad.h"
#include "mesh/mesh.h"

/* A pose in registers. */
typedef struct wi_pose8 {
    wi_quad64 columns[3], translation;
} wi_pose8;

static inline wi_pose8 wi_pose8_of(const wi_pose *pose)
{
    return (wi_pose8){{wi_quad64_load(pose->column[0]), wi_quad64_load(pose->column[1]),
                       wi_quad64_load(pose->column[2])},
                      wi_quad64_load(pose->translation)};
}

/* Takes `count` rounded positions to the world; NULL: they are there. */
static inline void wi_pose_points(const wi_pose *pose, uint32_t count, float (*points)[4])
{
    if (pose == NULL) return;
    const wi_pose8 p = wi_pose8_of(pose);
    for (uint32_t i = 0; i < count; i++)
        wi_quad_store(points[i], wi_pose_quad(p.columns, p.translation, points[i]));
}

/* Eight spots one by one, for sources that have no faster way. */
static inline void wi_gather_each(const wi_mesh *mesh, const wi_spot spots[WI_LANES],
                                  float out[WI_LANES][4])
{
    for (unsigned lane = 0; lane < WI_LANES; lane++) {
        out[lane][3] = 0.0F;
        wi_mesh_world_at(mesh, spots[lane], out[lane]);
    }
}

#endif
