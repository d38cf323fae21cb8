/* editing.h - one edit of a mesh while it is looked at, given room, and carried out. */
#ifndef WI_MESH_EDITING_H
#define WI_MESH_EDITING_H

#include "mesh/edits.h"

typedef struct wi_editing {
    wi_memory *memory;
    wi_mesh *mesh;
    wi_trial *trial;
    const willow_edit *edit;
    uint64_t updates; /* that there were */
    wi_message *message;
    uint32_t vertex_count, tri_count;      /* before it */
    uint32_t reused_vertices, reused_tris; /* of those that are added: the first, in holes */
} wi_editing;

/* How many of `wanted` numbers may be those of holes. */
uint32_t wi_holes_ready(const wi_holes *holes, uint64_t updates, uint32_t wanted);

/* The number that the i-th new vertex, or triangle, gets; holes that are filled stay in their queue
 * until the end. */
static inline uint32_t wi_editing_vertex(const wi_editing *e, uint32_t i)
{
    const wi_holes *holes = &e->mesh->edits->vertex_holes;
    if (i < e->reused_vertices) return holes->queue.items[holes->head + i].number;
    return e->vertex_count + (i - e->reused_vertices);
}

static inline uint32_t wi_editing_tri(const wi_editing *e, uint32_t i)
{
    const wi_holes *holes = &e->mesh->edits->tri_holes;
    if (i < e->reused_tris) return holes->queue.items[holes->head + i].number;
    return e->tri_count + (i - e->reused_tris);
}

/* Positions that a borrowed mesh will have. */
static inline wi_source wi_editing_source(const wi_editing *e)
{
    return (wi_source){e->edit->positions,
                       e->edit->stride != 0 ? e->edit->stride : 3 * sizeof(float)};
}

/* The i-th new vertex, whose parents are there. */
wi_birth wi_editing_birth(const wi_editing *e, uint32_t i);

/* How arrays are handed over: BAD_ARGUMENT with a reason. Before the mesh has what edits need. */
willow_result wi_editing_check_arrays(const wi_editing *e);

/* What is in them: BAD_ARGUMENT or BAD_MESH with a reason. When it is OK, `uses` are those after
 * the edit, but for new vertices; wi_editing_undo takes that back. */
willow_result wi_editing_check(const wi_editing *e);
void wi_editing_undo(const wi_editing *e);

#endif
