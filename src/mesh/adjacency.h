/* adjacency.h - which triangles meet at a vertex, and what kind of surface that makes. */
#ifndef WI_MESH_ADJACENCY_H
#define WI_MESH_ADJACENCY_H

#include "base/workspace.h"
#include "mesh/mesh.h"
#include "willow/stats.h"

/* The triangles of every vertex, those of vertex v at tris[first[v]] to tris[first[v + 1] - 1], by
 * slot. A triangle that names a vertex twice is there once. */
typedef struct wi_adjacency {
    uint32_t *first; /* vertex_count + 1 */
    uint32_t *tris;
} wi_adjacency;

/* Both live in the workspace. False if there is no memory. */
bool wi_adjacency_build(wi_memory *memory, wi_workspace *workspace, const wi_mesh *mesh,
                        wi_adjacency *out);

/* Counts edges and pieces. Uses the workspace. False if there is no memory. */
bool wi_mesh_topology(wi_memory *memory, wi_workspace *workspace, const wi_mesh *mesh,
                      willow_body_topology *out);

#endif
