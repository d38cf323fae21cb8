/* stored.c - positions that are stored, or borrowed from the user: nothing is computed. */
#include "base/hash.h"
#include "mesh/mesh.h"

static void stored_read64(const wi_mesh *mesh, wi_spot spot, double out[3])
{
    const float *p = wi_mesh_at(mesh, spot);
    for (int axis = 0; axis < 3; axis++) out[axis] = (double)p[axis];
}

static uint64_t stored_hash(uint64_t hash, const wi_mesh *mesh)
{
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        if (!wi_mesh_has_vertex(mesh, vertex)) continue;
        uint32_t bits[3];
        memcpy(bits, wi_mesh_position(mesh, wi_mesh_stand_in(mesh, vertex)), sizeof bits);
        hash = wi_hash_u64(wi_hash_u64(hash, (uint64_t)bits[0] << 32 | bits[1]), bits[2]);
    }
    return hash;
}

extern const wi_motion_ops wi_motion_stored, wi_motion_borrowed;

const wi_motion_ops wi_motion_stored = {.read64 = stored_read64, .hash = stored_hash};
const wi_motion_ops wi_motion_borrowed = {.read64 = stored_read64, .hash = stored_hash};
