/* user.h - the deformation of a body that only its user knows: functions that say where vertices
 * are, and what contains them.
 *
 * Positions are asked for by place, so the vertex at every place is kept, and where it was when the
 * deformation came: the rest shape. What the functions say is taken as it is, but for numbers that
 * are none: coordinates that are not finite are 0 (C7). */
#ifndef WI_MESH_MOTION_USER_H
#define WI_MESH_MOTION_USER_H

#include "base/memory.h"
#include "willow/world.h"

/* At places that only merged or removed vertices would have; and what stands for removed ones. */
#define WI_NO_VERTEX UINT32_MAX

typedef struct wi_user_motion {
    willow_deformation hook;
    uint32_t *vertex_at; /* by place */
    float (*rest)[3];    /* by place */
    uint32_t room;       /* of the arrays: as many places */
    uint64_t number;     /* no other rest shape of the body has it */
} wi_user_motion;

/* With room for so many vertices, of which none has a place. NULL if there is no memory. */
wi_user_motion *wi_user_motion_make(wi_memory *memory, uint32_t vertex_count);
void wi_user_motion_free(wi_memory *memory, wi_user_motion *user);

static inline float wi_finite_or_0(float x) { return x - x == 0.0F ? x : 0.0F; }

/* Where the user says that what is at a place is. */
static inline void wi_user_motion_read(const wi_user_motion *user, uint32_t place, float out[3])
{
    const uint32_t vertex = user->vertex_at[place];
    const float *rest = user->rest[place];
    willow_vec3 p = {0};
    if (vertex != WI_NO_VERTEX)
        p = user->hook.position(user->hook.context, vertex,
                                (willow_vec3){rest[0], rest[1], rest[2]});
    out[0] = wi_finite_or_0(p.x);
    out[1] = wi_finite_or_0(p.y);
    out[2] = wi_finite_or_0(p.z);
}

#endif
