/* connected_cut.h - some triangles of a mesh as a small mesh of their own, to be cut in two.
 *
 * Triangles are neighbours if they share a vertex. Both sides of a cut are connected if the submesh
 * is, and otherwise have whole pieces of it. Soups, open borders, and edges or vertices at which
 * many triangles meet are nothing special. */
#ifndef WI_TREE_BUILD_CONNECTED_CUT_H
#define WI_TREE_BUILD_CONNECTED_CUT_H

#include "base/containers/lowest.h"
#include "mesh/incidence.h"
#include "tree/build/builder.h"

typedef struct wi_submesh {
    uint32_t tri_count, vertex_count;
    uint32_t (*tris)[3]; /* their vertices, numbered from 0 in the submesh */
    uint32_t *numbers;   /* by vertex of the mesh: its number, if `vertices` agrees */
    uint32_t *vertices;  /* by number: the vertex of the mesh */

    wi_incidence around; /* the triangles at each vertex */

    /* A region that grows: its triangles as they came, and those that wait at its border. */
    uint32_t *order;
    wi_lowest border;
    uint8_t *is_tri_met, *is_vertex_met;

    /* Pieces: vertices that triangles join have one leader, which counts these triangles. */
    uint32_t *leader, *joined;

    uint64_t looks; /* how often a triangle was looked at since the submesh was loaded, for tests */
} wi_submesh;

/* The workspace for submeshes of so many triangles of a mesh, and taking it. */
size_t wi_submesh_size(const wi_mesh *mesh, size_t tris);
wi_submesh wi_submesh_take(wi_workspace *workspace, const wi_mesh *mesh, size_t tris);

/* Makes a submesh of these triangles, more than one. */
void wi_submesh_load(wi_submesh *p, const wi_mesh *mesh, wi_range_slots slots, uint32_t count);

/* A way to cut a submesh. */
typedef struct wi_submesh_cut {
    bool is_connected; /* the submesh is, and so are both sides */
    uint32_t at;       /* for wi_submesh_mark */
    uint32_t upper;    /* triangles on the upper side */
    uint64_t miss;     /* how far the sides are from what they should be */
} wi_submesh_cut;

/* From here on a `miss` means that the sides do not fit into as few units as the whole. */
#define WI_SUBMESH_WASTES (UINT64_C(1) << 32)

/* Finds the best cut between a lower side, of triangles that are early in the submesh, and an upper
 * one. Best are sides of whole units, but for one rest, and of about the same size. */
wi_submesh_cut wi_submesh_find_cut(wi_submesh *p, uint32_t unit);

/* Says of every triangle whether it is on the upper side of the last cut that was found. */
void wi_submesh_mark(wi_submesh *p, const wi_submesh_cut *cut, uint8_t *is_upper);

#endif
