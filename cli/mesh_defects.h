/* mesh_defects.h - faces of a mesh that a modeller would want to know of. */
#ifndef CLI_MESH_DEFECTS_H
#define CLI_MESH_DEFECTS_H

#include "io/clip.h"

typedef struct mesh_defects {
    uint32_t duplicate_faces;  /* triangles with the corners of one before them, in any order */
    uint32_t degenerate_faces; /* triangles without area at rest */
    uint32_t first_duplicate, first_degenerate; /* if there are any: faces of the file */
} mesh_defects;

/* False for want of memory. */
bool mesh_defects_find(const clip_mesh *mesh, mesh_defects *out);

#endif
