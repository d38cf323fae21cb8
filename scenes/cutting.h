/* cutting.h - a slab that a blade cuts, step by step: a mesh and the edits that follow it.
 *
 * The slab is a closed surface at all times: ahead of the blade triangles are divided, behind it
 * two walls (caps) face each other, which meet where the blade is. They are strips of triangles as
 * deep as the slab. A cut goes through the middle of a row of cells; when it has nearly come to the
 * far side the next begins in another row, whose first cell is open from the start. Steps cut cells
 * that are as many as the square root of the triangles says: at 90,560 triangles 58 are removed and
 * 422 added.
 *
 * Whoever plays it hands an edit to the library, and the numbers of what is new back:
 *
 *     cutting_next(&c, &edit)          false when the last cut is done
 *     willow_body_edit(world, body, &edit, c.new_tris, c.new_vertices)
 *     cutting_take_numbers(&c)
 *
 * Mesh and positions are equal bits everywhere. */
#ifndef SCENES_CUTTING_H
#define SCENES_CUTTING_H

#include <stdbool.h>
#include <stdint.h>
#include "willow/edit.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CUTTING_LEVELS = 6, /* cells through the thickness, of the slab and of caps */
    CUTTING_ROWS = 12   /* that are cut, one after the other */
};

/* A cut: everything ahead of column `tip` is whole. */
typedef struct cutting_row {
    uint32_t cells;                    /* the row of cells that it goes through */
    uint32_t tip;                      /* column of vertices that it has come to */
    uint32_t edge[CUTTING_LEVELS + 1]; /* the vertices there, from above to below */
    uint32_t fan[2][3];                /* triangles of the cell behind it, above and below */
    uint32_t last[2];                  /* of the cell before it: those of the far half that have
                                          a vertex of the edge */
    uint32_t cap[2 * CUTTING_LEVELS];  /* of the far cap, next to the edge */
    uint32_t *whole[2];                /* by cell: the first of its two triangles */
} cutting_row;

/* A vertex or a triangle of an edit, and where its number goes; NULL: nobody needs it. */
typedef struct cutting_target {
    uint32_t *number;
} cutting_target;

typedef struct cutting {
    uint32_t cells, step_cells, step;
    uint32_t vertex_count, tri_count; /* numbers so far; no vertex is ever removed */
    uint32_t live_count;              /* triangles that are there */
    float (*rest)[3];                 /* by vertex */
    uint32_t (*tris)[3];              /* by slot; removed ones have UINT32_MAX */
    uint32_t vertex_room, tri_room;
    bool deforms;
    cutting_row rows[CUTTING_ROWS];
    uint32_t row; /* that is cut now */

    /* The edit of this step, and the numbers that the library gives. */
    willow_new_vertex *add_vertices;
    uint32_t (*add_tris)[3];
    willow_tri *removed, *replaced;
    uint32_t (*replacements)[3];
    cutting_target *vertex_targets, *tri_targets;
    uint32_t add_vertex_count, add_tri_count, removed_count, replaced_count;
    uint32_t *new_vertices;
    willow_tri *new_tris;
} cutting;

/* With about so many triangles, 1,000 or more. False for want of memory; destroy it in any case. */
bool cutting_create(cutting *c, uint32_t triangles, bool deforms);
void cutting_destroy(cutting *c);

/* Where all vertices are in this step; a slab that does not deform stays. */
void cutting_positions(const cutting *c, float (*out)[3]);

/* Goes on to the next step: its edit, whose arrays are those of `c`, with new vertices where they
 * are in that step. False if all is cut. */
bool cutting_next(cutting *c, willow_edit *out);

/* The library has given numbers to what is new. */
void cutting_take_numbers(cutting *c);

/* The blade: a thin box of 12 triangles in a frame of its own, and where it is. It reaches through
 * the slab where the cut ends. */
enum { CUTTING_BLADE_VERTICES = 8, CUTTING_BLADE_TRIS = 12 };
void cutting_blade(const cutting *c, float positions[CUTTING_BLADE_VERTICES][3],
                   uint32_t tris[CUTTING_BLADE_TRIS][3]);
willow_pose cutting_blade_pose(const cutting *c);

/* The same at a share of the way from the beginning of the cut to where it ends. */
willow_pose cutting_blade_pose_at(const cutting *c, double share);

#ifdef __cplusplus
}
#endif
#endif
