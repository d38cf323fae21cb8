/* assemble.h - makes a mesh of vertices and triangles of others: a part of one, or several as one.
 *
 * Way in: wi_mesh_assemble. Splits and merges are this. All that is known of a vertex goes along as
 * it is: keyframes, paths with their starts in double, shapes, influences, the rest shape. So every
 * vertex is where it was, to the bit (C1). */
#ifndef WI_MESH_ASSEMBLE_H
#define WI_MESH_ASSEMBLE_H

#include "mesh/mesh.h"

/* What one mesh gives. Vertices are in the order of their numbers, and one that welding merged
 * comes with the one that stands for it. */
typedef struct wi_piece {
    const wi_mesh *from;
    const uint32_t *vertices, *slots; /* their numbers there */
    uint32_t vertex_count, tri_count;
    uint32_t first_vertex, first_slot; /* numbers of the first of them in the new mesh */
} wi_piece;

/* One piece at least. All meshes have the same kind of motion, those that store and those that
 * borrow being the same, and wi_mesh_assemble_refuses says nothing of them. */
typedef struct wi_assembly {
    const wi_piece *pieces;
    uint32_t piece_count;
    uint32_t vertex_count, tri_count; /* of all pieces */
    uint32_t *new_vertices;           /* room: as many as the largest of the meshes has numbers */
} wi_assembly;

/* The number in the new mesh of the i-th vertex of a piece, which is also its place there. */
static inline uint32_t wi_piece_new(const wi_piece *piece, uint32_t i)
{
    WI_ASSERT(i < piece->vertex_count);
    return piece->first_vertex + i;
}

/* Whether what a motion knows of the i-th vertex goes along: merged ones have nothing. */
static inline bool wi_piece_has(const wi_piece *piece, uint32_t i)
{
    return wi_mesh_stands_for_itself(piece->from, piece->vertices[i]);
}

/* The place of the i-th vertex in the mesh that it comes from. */
static inline uint32_t wi_piece_place(const wi_piece *piece, uint32_t i)
{
    WI_ASSERT(piece->from->place != NULL);
    return piece->from->place[piece->vertices[i]];
}

/* Why two meshes cannot become one, in words, or NULL. */
const char *wi_mesh_assemble_refuses(const wi_mesh *a, const wi_mesh *b);

/* A mesh of these pieces, with places in the order of vertices, no holes, and no pose. Vertices
 * that were borrowed are copied. BAD_MESH if one of these is not finite, or OUT_OF_MEMORY; there is
 * no mesh then. */
willow_result wi_mesh_assemble(wi_memory *memory, const wi_assembly *assembly, wi_message *message,
                               wi_mesh *out);

#endif
