/* worlds.h - two worlds of the same two bodies: one of BRUTE, with the scalar kernel and one
 * worker, which is right, and one of the settings of a case.
 *
 * Way in: matrix_worlds_open, then by turns matrix_worlds_update and questions (questions.h). What
 * is wrong is noted, the first thing in words, and does not end the test. */
#ifndef TEST_MATRIX_WORLDS_H
#define TEST_MATRIX_WORLDS_H

#include "matrix/factors.h"
#include "support/bend.h"
#include "support/morph_model.h"
#include "support/skin_model.h"
#include "support/zoo_mesh.h"
#include "willow/willow.h"

enum { RIGHT, TRIED, SIDES, BODIES = 2, MATRIX_UPDATES = 5 };

/* A body: the same in both worlds. */
typedef struct matrix_actor {
    zoo_mesh mesh;
    float (*borrowed)[3]; /* NULL: both worlds have copies */
    float (*room)[3];     /* to work in: as many as there are vertices, for each keyframe */
    willow_pose pose;
    uint32_t motion;   /* now; for CHANGING it is another one in every update */
    morph_model model; /* of morphs; its mesh is NULL if there is none yet */
    uint16_t *groups;  /* of the triangles of the body, after edits, too; or NULL */
    uint32_t edited;   /* triangles of the mesh before this one were edited away */
    skin_model skin;   /* of skins; it has no joints if there is none yet */
    bend now, ends[2]; /* of the user's deformation; ends of trial steps take turns */
} matrix_actor;

typedef struct matrix_side {
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id ids[BODIES];
} matrix_side;

/* What is known of two leaves from the events of a watch. */
typedef struct matrix_leaves {
    uint32_t a, b;
    bool meet;
} matrix_leaves;

enum { MATRIX_LEAVES = 4096 };

typedef struct matrix_worlds {
    const matrix_case *c;
    matrix_side sides[SIDES];
    matrix_actor actors[BODIES];
    willow_watch *watch; /* in the world that is tried; NULL: none */
    matrix_leaves leaves[MATRIX_LEAVES];
    uint32_t leaf_count;
    uint32_t update;   /* how many there were before */
    char failure[400]; /* "": none */
} matrix_worlds;

void matrix_worlds_open(matrix_worlds *w, const matrix_case *c);
void matrix_worlds_close(matrix_worlds *w);

/* Moves, poses and sets trial steps, updates both worlds, validates both and compares where their
 * vertices are. */
void matrix_worlds_update(matrix_worlds *w);

/* The time of the coming update, and of one that is later by half a step. */
double matrix_time(const matrix_worlds *w);

/* Notes it if the vertices of a body are elsewhere with BRUTE. */
void matrix_compare_vertices(matrix_worlds *w, uint32_t body);

/* Notes a failure if there is none yet. */
void matrix_fail(matrix_worlds *w, const char *format, ...);

/* False, and noted, unless the call on a side came to OK. */
bool matrix_ok(matrix_worlds *w, int side, willow_result result, const char *call);

const char *matrix_posed_name(uint32_t value);
const char *matrix_meshes_name(uint32_t value);
const char *matrix_manner_name(uint32_t value);
const char *matrix_shared_name(uint32_t value);

/* The options of the case's manner, for a side. They stay until the next call. */
willow_query_options matrix_options(matrix_worlds *w, int side);

#endif
