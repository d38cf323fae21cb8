/* edit_state.h - what scripts of edits know of their bodies: the model of support/edit_script.c,
 * which support/split_script.c follows through splits and merges. */
#ifndef TEST_EDIT_STATE_H
#define TEST_EDIT_STATE_H

#include "support/bend.h"
#include "support/edit_script.h"
#include "willow/willow.h"

enum {
    MOST_VERTICES = 96,
    MOST_TRIS = 128,
    GRID = 4, /* vertices along a side of the mesh that scripts begin with */
    COPIES = 4,
    WALL_TRIS = 6,
    MOST_NEW = 5,
    KEYS = 3
};

typedef float vertex[3];

/* A number: whether it is in use, and after which update it was removed. */
typedef struct life {
    bool is_there;
    uint32_t removed_at;
} life;

typedef struct edit_script {
    choices *c;
    edit_tally *tally;
    willow_world *world;
    willow_scratch *scratch;
    willow_body_id bodies[COPIES], wall;
    willow_method methods[COPIES];
    uint32_t workers;

    uint32_t vertex_count, tri_count, update_count;
    life vertices[MOST_VERTICES], tris[MOST_TRIS];
    uint32_t stand_in[MOST_VERTICES];
    uint32_t corners[MOST_TRIS][3];
    uint16_t groups[MOST_TRIS];
    uint32_t labels[MOST_TRIS];
    bool has_masks, borrows, is_coarse;
    uint32_t targets; /* of the morph; 0: none */
    bool is_deformed;
    double time;
    vertex borrowed[2][MOST_VERTICES]; /* by turns */
    uint32_t array;                    /* which of them */
    bend now, end;
} edit_script;

/* Splits all bodies, asks their parts, and merges them again; the model follows. False with words
 * if something is wrong. */
bool edit_state_split(edit_script *s);

#endif
