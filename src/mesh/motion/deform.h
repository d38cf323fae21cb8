/* deform.h - the deformation of a body that only its user knows: functions that say where vertices
 * are, and what contains them.
 *
 * Positions are asked for by place, so the vertex at every place is kept, and where it was when the
 * deformation came: the rest shape. What the functions say is taken as it is, but for numbers that
 * are none: coordinates that are not finite are 0 (C7). */
#ifndef WI_MESH_MOTION_DEFORM_H
#define WI_MESH_MOTION_DEFORM_H

#include "base/memory.h"
#include "willow/world.h"

/* At places that only merged vertices would have. */
#define WI_NO_VERTEX UINT32_MAX

typedef struct wi_deform {
    willow_deformation hook;
    uint32_t *vertex_at; /* by place */
    float (*rest)[3];    /* by place */
    uint32_t vertex_count;
    uint64_t number; /* no other rest shape of the body has it */
} wi_deform;

/* Room for so many vertices, of which none has a place. False if there is no memory; there is then
 * none. */
bool wi_deform_make(wi_memory *memory, uint32_t vertex_count, wi_deform *deform);
void wi_deform_free(wi_memory *memory, wi_deform *deform);
size_t wi_deform_bytes(const wi_deform *deform);

/* As wi_morph_permute. */
void wi_deform_permute(wi_deform *deform, uint32_t first, uint32_t count, const uint32_t *moved,
                       void *scratch);

static inline float wi_finite_or_0(float x) { return x - x == 0.0F ? x : 0.0F; }

/* Where the user says that what is at a place is. */
static inline void wi_deform_read(const wi_deform *deform, uint32_t place, float out[3])
{
    const uint32_t vertex = deform->vertex_at[place];
    const float *rest = deform->rest[place];
    willow_vec3 p = {0};
    if (vertex != WI_NO_VERTEX)
        p = deform->hook.position(deform->hook.context, vertex,
                                  (willow_vec3){rest[0], rest[1], rest[2]});
    out[0] = wi_finite_or_0(p.x);
    out[1] = wi_finite_or_0(p.y);
    out[2] = wi_finite_or_0(p.z);
}

#endif
