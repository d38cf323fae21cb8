/* parts.c - finds connected parts: sets of vertices that triangles unite (union-find, with halved
 * paths). */
#include "mesh/parts.h"

#include "base/check.h"
#include "willow/edit.h"

static uint32_t part_leader(uint32_t *leaders, uint32_t vertex)
{
    while (leaders[vertex] != vertex) {
        leaders[vertex] = leaders[leaders[vertex]];
        vertex = leaders[vertex];
    }
    return vertex;
}

/* The lower one leads. */
static void part_unite(uint32_t *leaders, uint32_t a, uint32_t b)
{
    a = part_leader(leaders, a);
    b = part_leader(leaders, b);
    if (a < b)
        leaders[b] = a;
    else
        leaders[a] = b;
}

bool wi_mesh_find_parts(wi_memory *memory, const wi_mesh *mesh, uint32_t *part_of_tri,
                        uint32_t *part_count)
{
    const uint32_t vertices = mesh->vertex_count;
    *part_count = 0;
    if (vertices == 0) return true; /* there are no triangles either */
    uint32_t *leaders = wi_alloc_array(memory, vertices, 2 * sizeof *leaders);
    if (leaders == NULL) return false;
    uint32_t *parts = leaders + vertices; /* of leaders */
    for (uint32_t vertex = 0; vertex < vertices; vertex++) {
        leaders[vertex] = vertex;
        parts[vertex] = WILLOW_NO_PART;
    }
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++)
        for (int i = 1; i < 3 && wi_mesh_has_tri(mesh, slot); i++)
            part_unite(leaders, mesh->tris[slot][0], mesh->tris[slot][i]);
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        part_of_tri[slot] = WILLOW_NO_PART;
        if (!wi_mesh_has_tri(mesh, slot)) continue;
        uint32_t *part = &parts[part_leader(leaders, mesh->tris[slot][0])];
        if (*part == WILLOW_NO_PART) *part = (*part_count)++;
        part_of_tri[slot] = *part;
    }
    wi_free_array(memory, leaders, vertices, 2 * sizeof *leaders);
    return true;
}
