/* parts.h - the connected parts of a mesh. */
#ifndef WI_MESH_PARTS_H
#define WI_MESH_PARTS_H

#include "mesh/mesh.h"

/* The part of every slot, WILLOW_NO_PART for removed ones, and how many parts there are: triangles
 * that share a vertex are in one. Parts are numbered by their lowest triangles. False if there is
 * no memory. Nearly linear. */
bool wi_mesh_find_parts(wi_memory *memory, const wi_mesh *mesh, uint32_t *part_of_tri,
                        uint32_t *part_count);

#endif
