/* incidence.h - which triangles meet at each vertex (incidence lists), one list behind the other.
 */
#ifndef WI_MESH_INCIDENCE_H
#define WI_MESH_INCIDENCE_H

#include "base/check.h"
#include "base/workspace.h"
#include "mesh/mesh.h"

/* The triangles of vertex v are tris[first[v]] to tris[first[v + 1] - 1], by number. A triangle
 * that names a vertex twice is there once. */
typedef struct wi_incidence {
    uint32_t *first; /* vertex_count + 1 */
    uint32_t *tris;  /* room for 3 tri_count */
} wi_incidence;

static inline uint32_t wi_incidence_count(const wi_incidence *incidence, uint32_t vertex)
{
    WI_ASSERT(incidence->first[vertex] <= incidence->first[vertex + 1]);
    return incidence->first[vertex + 1] - incidence->first[vertex];
}

/* The workspace that lists of so many take, and taking it. */
size_t wi_incidence_size(size_t vertex_count, size_t tri_count);
wi_incidence wi_incidence_take(wi_workspace *workspace, size_t vertex_count, size_t tri_count);

/* Lists these triangles, of vertices below `vertex_count`; removed ones have none. There is room;
 * linear in both counts. */
void wi_incidence_list(wi_incidence *out, uint32_t (*tris)[3], uint32_t tri_count,
                       uint32_t vertex_count);

/* Of a whole mesh; the lists live in the workspace. False if there is no memory. */
bool wi_incidence_build(wi_memory *memory, wi_workspace *workspace, const wi_mesh *mesh,
                        wi_incidence *out);

#endif
