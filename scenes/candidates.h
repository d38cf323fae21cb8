/* candidates.h - what may touch while a mesh goes straight from one frame to the next: vertices and
 * faces, edges and edges, whose boxes over the step overlap.
 *
 * Without any tree, for tests and for measuring single decisions. */
#ifndef SCENES_CANDIDATES_H
#define SCENES_CANDIDATES_H

#include <stdbool.h>
#include <stdint.h>

typedef enum candidate_kind {
    CANDIDATE_VERTEX_FACE,
    CANDIDATE_EDGE_EDGE,
    CANDIDATE_KINDS
} candidate_kind;

typedef struct candidate_mesh {
    uint32_t vertex_count, edge_count, face_count;
    uint32_t (*edges)[2]; /* the lower vertex first */
    uint32_t (*faces)[3];
} candidate_mesh;

/* The edges of faces, each once, sorted by (higher vertex, lower vertex); the caller frees them.
 * NULL for want of memory. */
uint32_t (*candidate_edges(const uint32_t (*faces)[3], uint32_t face_count, uint32_t *count))[2];

/* All pairs of the kind that share no vertex and whose boxes over the step are at most `reach`
 * apart, each once, in no order: a vertex and a face, or two edges, the lower one first. False for
 * want of memory, and none was visited. */
typedef void candidate_visitor(void *context, uint32_t a, uint32_t b);
bool candidates_visit(const candidate_mesh *mesh, const double (*start)[3], const double (*end)[3],
                      double reach, candidate_kind kind, candidate_visitor *visit, void *context);

/* Where the four vertices of a pair are: the vertex and the corners, or both edges. */
void candidate_points(const candidate_mesh *mesh, const double (*positions)[3], candidate_kind kind,
                      uint32_t a, uint32_t b, double out[4][3]);

#endif
