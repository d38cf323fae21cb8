/* topology.c - counts edges, borders and pieces.
 * Way in: wi_mesh_topology, which sorts the edges and walks the runs; soups, open and non-manifold
 * meshes are all just other counts. */
#include "mesh/topology.h"

#include <string.h>

#include "base/check.h"
#include "base/containers/sort.h"
#include "mesh/incidence.h"

static void count_edges(const wi_mesh *mesh, wi_workspace *workspace, willow_body_topology *out)
{
    size_t count = 0;
    uint64_t *edges = wi_workspace_take(workspace, 3 * (size_t)mesh->tri_count, sizeof *edges);
    uint64_t *spare = wi_workspace_take(workspace, 3 * (size_t)mesh->tri_count, sizeof *spare);
    for (uint32_t slot = 0; slot < mesh->tri_count; slot++) {
        const uint32_t *tri = mesh->tris[slot];
        if (tri[0] == tri[1] || tri[1] == tri[2] || tri[2] == tri[0]) continue;
        for (int i = 0; i < 3; i++) {
            uint32_t a = tri[i], b = tri[(i + 1) % 3];
            edges[count++] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        }
    }
    WI_ASSERT(count <= 3 * (size_t)mesh->tri_count);
    wi_sort_u64(edges, spare, count);
    for (size_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && edges[last] == edges[first];) last++;
        out->edges++;
        out->border_edges += last - first == 1;
        out->crowded_edges += last - first > 2;
    }
}

/* Floods the mesh from vertex to vertex over triangles. */
static void count_pieces(const wi_mesh *mesh, const wi_incidence *incidence,
                         wi_workspace *workspace, willow_body_topology *out)
{
    uint32_t vertices = mesh->vertex_count, waiting = 0;
    uint8_t *is_met = wi_workspace_take(workspace, vertices, sizeof *is_met);
    uint32_t *stack = wi_workspace_take(workspace, vertices, sizeof *stack);
    memset(is_met, 0, vertices);
    for (uint32_t start = 0; start < vertices; start++) {
        if (wi_incidence_count(incidence, start) == 0) {
            out->loose_vertices += wi_mesh_has_vertex(mesh, start);
            continue;
        }
        if (is_met[start]) continue;
        out->pieces++;
        is_met[start] = 1;
        stack[waiting++] = start;
        while (waiting > 0) {
            WI_ASSERT(waiting <= vertices); /* each is met once */
            uint32_t vertex = stack[--waiting];
            for (uint32_t i = incidence->first[vertex]; i < incidence->first[vertex + 1]; i++)
                for (int k = 0; k < 3; k++) {
                    uint32_t next = mesh->tris[incidence->tris[i]][k];
                    if (is_met[next]) continue;
                    is_met[next] = 1;
                    stack[waiting++] = next;
                }
        }
    }
}

bool wi_mesh_topology(wi_memory *memory, wi_workspace *workspace, const wi_mesh *mesh,
                      willow_body_topology *out)
{
    wi_incidence incidence;
    size_t size = wi_incidence_size(mesh->vertex_count, mesh->tri_count) +
                  2 * wi_workspace_size(3 * (size_t)mesh->tri_count, sizeof(uint64_t)) +
                  wi_workspace_size(mesh->vertex_count, sizeof(uint8_t)) +
                  wi_workspace_size(mesh->vertex_count, sizeof(uint32_t));
    *out = (willow_body_topology){0};
    if (!wi_workspace_reserve(memory, workspace, size)) return false;
    incidence = wi_incidence_take(workspace, mesh->vertex_count, mesh->tri_count);
    wi_incidence_list(&incidence, mesh->tris, mesh->tri_count, mesh->vertex_count);
    count_edges(mesh, workspace, out);
    count_pieces(mesh, &incidence, workspace, out);
    return true;
}
