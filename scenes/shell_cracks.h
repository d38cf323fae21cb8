/* shell_cracks.h - a thick skin that breaks along the edges of a mesh, and comes off its core.
 *
 * Each triangle of the mesh stands for a cell: the prism under it, down to the inside of the skin.
 * Between cells, and between a cell and the core, there are faces that hold until they break. What
 * is seen is the outside, the inside where there is no core, and both sides of what is broken. A
 * vertex of the mesh is as many as there are groups of cells around it that hold together, so the
 * surface is closed at all times. */
#ifndef SCENES_SHELL_CRACKS_H
#define SCENES_SHELL_CRACKS_H

#include "lives.h"
#include "round.h"

#define SHELL_NEVER UINT32_MAX

typedef struct shell_cracks {
    round_mesh mesh;
    uint32_t levels; /* triangles of a wall through the thickness: two for each */
    bool has_core;
    uint32_t *breaks;    /* by edge: the frame in which the face under it breaks */
    uint32_t *comes_off; /* by triangle: the frame in which its cell comes off the core */
    uint32_t *group;     /* by edge, that is by corner of a cell: the lowest corner of its group */
    bool *holds;         /* by corner that is the lowest: one of the group is on the core */
    lives lives;
} shell_cracks;

/* What a vertex of the body is. */
typedef struct shell_vertex {
    uint32_t vertex; /* of the mesh */
    uint32_t cell;   /* one of the cells around it; ROUND_RIM: of the core */
    double depth;    /* from 0 outside to 1 inside */
} shell_vertex;

/* Once there is a mesh: nothing is broken. False for want of memory; destroy it in any case. */
bool shell_cracks_begin(shell_cracks *s, uint32_t levels, bool has_core);
void shell_cracks_destroy(shell_cracks *s);

/* An edge breaks in this frame, unless it has before; the other side of it, too. */
void shell_cracks_break(shell_cracks *s, uint32_t edge, uint32_t frame);

/* Once all is said: the triangles of all frames. False for want of memory. */
bool shell_cracks_play(shell_cracks *s, uint32_t frame_count);

shell_vertex shell_cracks_vertex(const shell_cracks *s, uint32_t number);

#endif
