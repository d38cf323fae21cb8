/* owners.c - who owns which vertex and which edge.
 *
 * Way in: wi_mesh_owners, linear in the mesh but for vertices with very many triangles. Nothing
 * else needs it, so it is made by the first question that does; of several threads that make it at
 * once the first to be done gives theirs to all. */
#include "mesh/owners.h"

#include "mesh/adjacency.h"

static bool names(const uint32_t tri[3], uint32_t vertex)
{
    return tri[0] == vertex || tri[1] == vertex || tri[2] == vertex;
}

/* The lowest colliding triangle that names both vertices; there is one. */
static uint32_t lowest_with(const wi_mesh *mesh, const wi_adjacency *adjacency, uint32_t u,
                            uint32_t v)
{
    uint32_t at = adjacency->first[u];
    while (!wi_mesh_collides(mesh, adjacency->tris[at]) ||
           !names(mesh->tris[adjacency->tris[at]], v))
        at++;
    return adjacency->tris[at];
}

/* Does the triangle go from `u` to `v`, or back, before its edge i? A degenerate one may. */
static bool has_before(const uint32_t tri[3], unsigned i, uint32_t u, uint32_t v)
{
    for (unsigned k = 0; k < i; k++) {
        const uint32_t from = tri[k], to = tri[k + 1];
        if ((from == u && to == v) || (from == v && to == u)) return true;
    }
    return false;
}

static uint8_t owned_by(const wi_mesh *mesh, const wi_adjacency *adjacency, uint32_t slot)
{
    const uint32_t *tri = mesh->tris[slot];
    unsigned owned = 0;
    if (!wi_mesh_collides(mesh, slot)) return 0;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t u = tri[i], v = tri[(i + 1) % 3];
        const bool is_first = (i < 1 || tri[0] != u) && (i < 2 || tri[1] != u);
        const bool is_edge = u != v && !has_before(tri, i, u, v);
        if (is_first && lowest_with(mesh, adjacency, u, u) == slot) owned |= 1U << i;
        if (is_edge && lowest_with(mesh, adjacency, u, v) == slot)
            owned |= 1U << (WI_OWNED_EDGES + i);
    }
    return (uint8_t)owned;
}

static uint8_t *make(wi_memory *memory, const wi_mesh *mesh)
{
    wi_workspace workspace = {0};
    wi_adjacency adjacency;
    uint8_t *owners = wi_alloc_array(memory, mesh->tri_count, sizeof *owners);
    if (owners && wi_adjacency_build(memory, &workspace, mesh, &adjacency)) {
        for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
            owners[slot] = owned_by(mesh, &adjacency, slot);
    } else if (owners) {
        wi_free_array(memory, owners, mesh->tri_count, sizeof *owners);
        owners = NULL;
    }
    wi_workspace_free(memory, &workspace);
    return owners;
}

const uint8_t *wi_mesh_owners(wi_memory *memory, const wi_mesh *mesh)
{
    /* The one thing of a mesh that a question may change (C9). */
    _Atomic(uint8_t *) *slot = &((wi_mesh *)mesh)->owners;
    uint8_t *known = atomic_load_explicit(slot, memory_order_acquire);
    if (known) return known;
    uint8_t *mine = make(memory, mesh);
    if (mine == NULL) return NULL;
    if (atomic_compare_exchange_strong_explicit(slot, &known, mine, memory_order_acq_rel,
                                                memory_order_acquire))
        return mine;
    wi_free_array(memory, mine, mesh->tri_count, sizeof *mine);
    return known;
}

void wi_owners_free(wi_memory *memory, wi_mesh *mesh)
{
    uint8_t *owners = atomic_load_explicit(&mesh->owners, memory_order_relaxed);
    wi_free_array(memory, owners, mesh->tri_count, sizeof *owners);
    atomic_store_explicit(&mesh->owners, NULL, memory_order_relaxed);
}
