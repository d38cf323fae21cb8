/* mesh_features.h - the vertices, edges and faces of the triangles that collide, each once.
 *
 * Straight from the definition (willow/query.h): a feature belongs to the lowest triangle that has
 * it, at the first corner there. A vertex that a triangle names twice is one vertex; from a vertex
 * to itself is no edge; a face is a face whatever its corners are. */
#ifndef TEST_MESH_FEATURES_H
#define TEST_MESH_FEATURES_H

#include "willow/query.h"

typedef struct mesh_feature {
    willow_feature name;
    uint32_t vertices[3]; /* one, two with the lower one first, or the corners in their order */
    uint32_t tri;         /* that it belongs to */
    uint32_t corner;      /* of a vertex; where an edge begins, which ends at the next; else 0 */
} mesh_feature;

typedef struct mesh_features {
    mesh_feature *vertices, *edges, *faces; /* vertices and edges sorted by their numbers */
    uint32_t vertex_count, edge_count, face_count;
} mesh_features;

/* Group 0 does not collide; `groups` may be NULL. The caller frees them. */
void mesh_features_make(mesh_features *out, const uint32_t (*tris)[3], const uint16_t *groups,
                        uint32_t tri_count);
void mesh_features_free(mesh_features *features);

/* How many vertices a feature names: one, two or three. */
int mesh_feature_size(const mesh_feature *feature);
bool mesh_features_share(const mesh_feature *a, const mesh_feature *b);

/* Where features lie that are compared: vertex and corners, or edge and edge. The vertex comes
 * first, whichever of the two it is. */
void mesh_features_points(const mesh_feature *a, const double (*positions_a)[3],
                          const mesh_feature *b, const double (*positions_b)[3], double out[4][3]);

/* What the test on moving primitives says of them. */
willow_toi mesh_features_toi(const mesh_feature *a, const double start[4][3],
                             const double end[4][3], double min_distance, double tolerance,
                             uint32_t max_iterations, double *toi);

#endif
