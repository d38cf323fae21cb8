/* edits.h - vertices and triangles of a mesh that come and go.
 *
 * Way in: wi_mesh_edit. Numbers are stable: what is removed leaves a hole, a triangle whose
 * vertices are WI_NO_VERTEX and whose group is 0, and a vertex that WI_NO_VERTEX stands for. Holes
 * are used again in the order in which they were made, but not before the second update after that.
 * A mesh that was never edited has none of this. */
#ifndef WI_MESH_EDITS_H
#define WI_MESH_EDITS_H

#include "base/containers/array.h"
#include "mesh/mesh.h"
#include "mesh/motion/trial.h"
#include "willow/edit.h"

/* A number that was removed, and how many updates there had been. */
typedef struct wi_hole {
    uint32_t number;
    uint64_t updates;
} wi_hole;

/* First in, first out; `head` is the first that is left. */
typedef struct wi_holes {
    WI_ARRAY(wi_hole) queue;
    size_t head;
} wi_holes;

typedef struct wi_edits {
    uint32_t *uses; /* by vertex: corners of triangles, and other vertices, it stands for */
    uint64_t *marked_vertices; /* by vertex and by slot, a bit for each: all 0 between edits */
    uint64_t *marked_tris;
    uint32_t vertex_room, tri_room;          /* of these */
    uint32_t removed_vertices, removed_tris; /* that are holes now */
    wi_holes vertex_holes, tri_holes;        /* that may be used again */
} wi_edits;

/* Edits the mesh, whose vertices have goals in `trial`; `updates` is how many there were. Numbers
 * of what is new go to `tris` and `vertices`, unless NULL. What fails leaves the mesh as it was
 * (C6).
 */
willow_result wi_mesh_edit(wi_memory *memory, wi_mesh *mesh, wi_trial *trial,
                           const willow_edit *edit, uint64_t updates, wi_message *message,
                           uint32_t *tris, uint32_t *vertices);

void wi_edits_free(wi_memory *memory, wi_mesh *mesh);
size_t wi_edits_bytes(const wi_mesh *mesh);

/* NULL, or the words for what is broken (M17, M18). */
const char *wi_edits_validate(const wi_mesh *mesh);

static inline uint32_t wi_mesh_removed_vertices(const wi_mesh *mesh)
{
    return mesh->edits ? mesh->edits->removed_vertices : 0;
}

static inline uint32_t wi_mesh_removed_tris(const wi_mesh *mesh)
{
    return mesh->edits ? mesh->edits->removed_tris : 0;
}

#endif
