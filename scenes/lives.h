/* lives.h - bodies whose triangles come and go: all triangles that there ever are, and when.
 *
 * A scene says, stage by stage, which triangles there are, by names of its own for vertices. What
 * was there in the stage before goes on; the others come and go. Vertices are numbered in the order
 * in which they come, so that those of a stage are the first so many. */
#ifndef SCENES_LIVES_H
#define SCENES_LIVES_H

#include "scenes.h"

/* In the place of a name of a face: it replaces nothing. */
#define LIVES_NO_FACE UINT32_MAX

typedef struct lives {
    uint32_t *names; /* by vertex: what the scene calls it */
    uint32_t (*tris)[3];
    scene_life *spans; /* by triangle */
    uint32_t vertex_count, tri_count;
    uint32_t *numbers;            /* by name of a vertex */
    uint32_t *faces;              /* by triangle: what the scene calls it */
    uint32_t *table, table_mask;  /* numbers of triangles, by their corners */
    uint32_t *alive, alive_count; /* triangles of the stage before */
    uint32_t *seen;               /* by triangle: the stage in which it was named last */
    uint32_t *heirs, face_count;  /* by face: the triangle that comes for it */
    uint32_t tri_room, stage, first_new;
    bool is_short; /* of memory, or of room */
} lives;

/* Room for so many triangles in all, with so many names of vertices and of faces. False for want of
 * memory; destroy it in any case. */
bool lives_create(lives *l, uint32_t tri_room, uint32_t names, uint32_t faces);
void lives_destroy(lives *l);

/* A triangle of this stage. A triangle with the name of a face replaces the one with the same name
 * that goes. */
void lives_put(lives *l, uint32_t a, uint32_t b, uint32_t c, uint32_t face);

/* That was all; it is so from this frame on. */
void lives_end_stage(lives *l, uint32_t frame);

/* Gives a body its triangles; false for want of memory, or if there was too little room. */
bool lives_fill_body(const lives *l, scene_body *body);

#endif
