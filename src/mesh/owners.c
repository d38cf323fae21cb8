/* owners.c - who owns which vertex and which edge.
 *
 * Way in: wi_mesh_owners, linear in the mesh but for vertices with very many triangles. Nothing
 * else needs it, so it is made by the first question that does; of several threads that make it at
 * once the first to be done gives theirs to all. */
#include "mesh/owners.h"

#include <string.h>

#include "base/check.h"
#include "mesh/incidence.h"

/* Any group but 0, which does not collide. */
enum { ANY_GROUP = 0 };

static bool names(const uint32_t tri[3], uint32_t vertex)
{
    return tri[0] == vertex || tri[1] == vertex || tri[2] == vertex;
}

static unsigned group_of(const wi_mesh *mesh, uint32_t slot)
{
    return mesh->groups ? mesh->groups[slot] : 1U;
}

static bool is_eligible(const wi_mesh *mesh, uint32_t slot, uint32_t vertex, unsigned group)
{
    return wi_mesh_collides(mesh, slot) && names(mesh->tris[slot], vertex) &&
           (group == ANY_GROUP || group_of(mesh, slot) == group);
}

/* The lowest colliding triangle of a group that names both vertices; there is one. Looked for at
 * the vertex with fewer triangles: the other may be the hub of a fan. */
static uint32_t lowest_with(const wi_mesh *mesh, const wi_incidence *incidence, uint32_t u,
                            uint32_t v, unsigned group)
{
    const bool is_u_smaller = wi_incidence_count(incidence, u) <= wi_incidence_count(incidence, v);
    uint32_t at = incidence->first[is_u_smaller ? u : v];
    while (!is_eligible(mesh, incidence->tris[at], is_u_smaller ? v : u, group)) at++;
    WI_ASSERT(at < incidence->first[(is_u_smaller ? u : v) + 1]); /* there is one */
    return incidence->tris[at];
}

/* Does the triangle go from `u` to `v`, or back, before its edge i? A degenerate one may. */
static bool has_before(const uint32_t tri[3], unsigned i, uint32_t u, uint32_t v)
{
    WI_ASSERT(i < 3);
    for (unsigned k = 0; k < i; k++) {
        const uint32_t from = tri[k], to = tri[k + 1];
        if ((from == u && to == v) || (from == v && to == u)) return true;
    }
    return false;
}

/* The corners and edges that a triangle has, each once: bits as in `owned`. */
static unsigned features_of(const uint32_t tri[3])
{
    unsigned features = 0;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t u = tri[i], v = tri[(i + 1) % 3];
        const bool is_first = (i < 1 || tri[0] != u) && (i < 2 || tri[1] != u);
        if (is_first) features |= 1U << i;
        if (u != v && !has_before(tri, i, u, v)) features |= 1U << (WI_OWNED_EDGES + i);
    }
    return features;
}

/* The bits of those that it owns among the triangles of a group. */
static uint8_t owned_by(const wi_mesh *mesh, const wi_incidence *incidence, uint32_t slot,
                        unsigned group)
{
    const uint32_t *tri = mesh->tris[slot];
    unsigned owned = features_of(tri);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t u = tri[i], v = tri[(i + 1) % 3];
        if (lowest_with(mesh, incidence, u, u, group) != slot) owned &= ~(1U << i);
        if (lowest_with(mesh, incidence, u, v, group) != slot)
            owned &= ~(1U << (WI_OWNED_EDGES + i));
    }
    return (uint8_t)owned;
}

static void fill(const wi_mesh *mesh, const wi_incidence *incidence, wi_owners *owners)
{
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        const uint32_t *tri = mesh->tris[slot];
        owners->owned[slot] = 0;
        if (owners->owned_in_group) owners->owned_in_group[slot] = 0;
        if (!wi_mesh_collides(mesh, slot)) continue;
        owners->owned[slot] = owned_by(mesh, incidence, slot, ANY_GROUP);
        if (owners->owned_in_group == NULL) continue;
        owners->owned_in_group[slot] = owned_by(mesh, incidence, slot, group_of(mesh, slot));
        for (unsigned i = 0; i < 3; i++) {
            owners->corner[slot][i] = lowest_with(mesh, incidence, tri[i], tri[i], ANY_GROUP);
            owners->edge[slot][i] =
                lowest_with(mesh, incidence, tri[i], tri[(i + 1) % 3], ANY_GROUP);
        }
    }
}

static void free_owners(wi_memory *memory, wi_owners *owners)
{
    if (owners == NULL) return;
    const size_t count = owners->tri_count;
    wi_free_array(memory, owners->owned, count, sizeof *owners->owned);
    wi_free_array(memory, owners->owned_in_group, count, sizeof *owners->owned_in_group);
    wi_free_array(memory, owners->corner, count, sizeof *owners->corner);
    wi_free_array(memory, owners->edge, count, sizeof *owners->edge);
    wi_free(memory, owners, sizeof *owners);
}

static bool allocate(wi_memory *memory, const wi_mesh *mesh, wi_owners *owners)
{
    const size_t count = mesh->tri_count;
    owners->owned = wi_alloc_array(memory, count, sizeof *owners->owned);
    if (mesh->masks.rows == NULL) return owners->owned != NULL;
    owners->owned_in_group = wi_alloc_array(memory, count, sizeof *owners->owned_in_group);
    owners->corner = wi_alloc_array(memory, count, sizeof *owners->corner);
    owners->edge = wi_alloc_array(memory, count, sizeof *owners->edge);
    return owners->owned && owners->owned_in_group && owners->corner && owners->edge;
}

static wi_owners *make(wi_memory *memory, const wi_mesh *mesh)
{
    wi_workspace workspace = {0};
    wi_incidence incidence;
    wi_owners *owners = wi_alloc(memory, sizeof *owners);
    if (owners == NULL) return NULL;
    *owners = (wi_owners){.tri_count = mesh->tri_count};
    if (allocate(memory, mesh, owners) &&
        wi_incidence_build(memory, &workspace, mesh, &incidence)) {
        fill(mesh, &incidence, owners);
    } else {
        free_owners(memory, owners);
        owners = NULL;
    }
    wi_workspace_free(memory, &workspace);
    return owners;
}

const wi_owners *wi_mesh_owners(wi_memory *memory, const wi_mesh *mesh)
{
    /* The one thing of a mesh that a question may change (C9). */
    _Atomic(wi_owners *) *place =
        mesh->lent_owners ? mesh->lent_owners : &((wi_mesh *)mesh)->owners;
    wi_owners *known = atomic_load_explicit(place, memory_order_acquire);
    if (known) return known;
    WI_ASSERT(mesh->tri_count > 0);
    wi_owners *mine = make(memory, mesh);
    if (mine == NULL) return NULL;
    if (atomic_compare_exchange_strong_explicit(place, &known, mine, memory_order_acq_rel,
                                                memory_order_acquire))
        return mine;
    free_owners(memory, mine);
    return known;
}

void wi_owners_forget_at(wi_memory *memory, _Atomic(wi_owners *) *place)
{
    free_owners(memory, atomic_load_explicit(place, memory_order_relaxed));
    atomic_store_explicit(place, NULL, memory_order_relaxed);
}

void wi_owners_forget(wi_memory *memory, wi_mesh *mesh)
{
    wi_owners_forget_at(memory, &mesh->owners);
}

size_t wi_owners_bytes(const wi_mesh *mesh)
{
    const wi_owners *owners = atomic_load_explicit(&mesh->owners, memory_order_relaxed);
    if (owners == NULL) return 0;
    const size_t with_masks =
        sizeof *owners->owned_in_group + sizeof *owners->corner + sizeof *owners->edge;
    return sizeof *owners +
           mesh->tri_count * (sizeof *owners->owned + (owners->owned_in_group ? with_masks : 0));
}
