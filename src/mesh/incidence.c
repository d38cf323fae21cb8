/* incidence.c - lists triangles by vertex, with a counting sort.
 * Way in: wi_incidence_build for a mesh, wi_incidence_list for triangles that are not one. */
#include "mesh/incidence.h"

#include <string.h>

#include "base/containers/runs.h"

/* Is corner i the first that names its vertex? */
static bool is_first_naming(const uint32_t tri[3], int i)
{
    for (int k = 0; k < i; k++)
        if (tri[k] == tri[i]) return false;
    return true;
}

size_t wi_incidence_size(size_t vertex_count, size_t tri_count)
{
    return wi_workspace_size(vertex_count + 1, sizeof(uint32_t)) +
           wi_workspace_size(3 * tri_count, sizeof(uint32_t));
}

wi_incidence wi_incidence_take(wi_workspace *workspace, size_t vertex_count, size_t tri_count)
{
    wi_incidence taken;
    taken.first = wi_workspace_take(workspace, vertex_count + 1, sizeof *taken.first);
    taken.tris = wi_workspace_take(workspace, 3 * tri_count, sizeof *taken.tris);
    return taken;
}

/* Counts the triangles of each vertex, makes these counts the ends of runs, and fills the runs from
 * the back, so that the ends have become the firsts. */
void wi_incidence_list(wi_incidence *out, uint32_t (*tris)[3], uint32_t tri_count,
                       uint32_t vertex_count)
{
    memset(out->first, 0, ((size_t)vertex_count + 1) * sizeof *out->first);
    for (uint32_t tri = 0; tri < tri_count; tri++)
        for (int i = 0; i < 3 && tris[tri][0] != WI_NO_VERTEX; i++) {
            WI_ASSERT(tris[tri][i] < vertex_count);
            out->first[tris[tri][i]] += is_first_naming(tris[tri], i);
        }
    wi_runs_end(out->first, vertex_count);
    WI_ASSERT(out->first[vertex_count] <= 3 * (size_t)tri_count);
    for (uint32_t tri = tri_count; tri-- > 0;)
        for (int i = 0; i < 3 && tris[tri][0] != WI_NO_VERTEX; i++)
            if (is_first_naming(tris[tri], i)) out->tris[--out->first[tris[tri][i]]] = tri;
    WI_ASSERT(out->first[0] == 0);
}

bool wi_incidence_build(wi_memory *memory, wi_workspace *workspace, const wi_mesh *mesh,
                        wi_incidence *out)
{
    const size_t size = wi_incidence_size(mesh->vertex_count, mesh->tri_count);
    if (!wi_workspace_reserve(memory, workspace, size)) return false;
    *out = wi_incidence_take(workspace, mesh->vertex_count, mesh->tri_count);
    wi_incidence_list(out, mesh->tris, mesh->tri_count, mesh->vertex_count);
    return true;
}
