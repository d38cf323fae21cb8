/* split.h - which triangles and vertices of a mesh go to which of its parts, under which numbers.
 *
 * Way in: wi_split_make. Parts are in the order of their labels; inside a part triangles and
 * vertices are in the order of their old numbers, without holes. A vertex that triangles of several
 * parts name is in each of them; one that no triangle names is in none. */
#ifndef WI_MESH_SPLIT_H
#define WI_MESH_SPLIT_H

#include "mesh/mesh.h"
#include "willow/edit.h"

/* Also what the user is shown of it (willow_split), so the types are the public ones. */
typedef struct wi_split {
    uint32_t part_count, tri_count, live_count, vertex_count; /* of the mesh */
    willow_split_part *parts;                                 /* their bodies are for the world */
    willow_part_triangle *tris;                               /* by slot */
    willow_tri *slots;                                        /* part after part */
    size_t *first_copy;                                       /* by vertex, and one more */
    willow_part_vertex *copies;                               /* vertex after vertex */
    uint32_t *vertices;                                       /* part after part, as many */
} wi_split;

/* By the labels of slots, or with NULL by connected parts, whose labels are their numbers
 * (mesh/parts.h). False if there is no memory; there is then nothing. */
bool wi_split_make(wi_memory *memory, const wi_mesh *mesh, const uint32_t *labels, wi_split *out);
void wi_split_free(wi_memory *memory, wi_split *split);

#endif
