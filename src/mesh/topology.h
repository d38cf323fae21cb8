/* topology.h - what kind of surface the triangles of a mesh make. */
#ifndef WI_MESH_TOPOLOGY_H
#define WI_MESH_TOPOLOGY_H

#include "base/workspace.h"
#include "mesh/mesh.h"
#include "willow/stats.h"

/* Counts edges and pieces. Uses the workspace. False if there is no memory. */
bool wi_mesh_topology(wi_memory *memory, wi_workspace *workspace, const wi_mesh *mesh,
                      willow_body_topology *out);

#endif
