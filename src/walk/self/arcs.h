/* arcs.h - triangles around one vertex, by the directions in which they are seen from it.
 *
 * Seen from the vertex a triangle is an arc of the sphere of directions: that of its opposite edge.
 * Two triangles have more in common than the vertex if and only if their arcs have a direction in
 * common. So of a fan of thousands of triangles only those are tested whose arcs, or in a step
 * whose arcs as they move, have boxes that meet; or come near each other, where that is to touch.
 */
#ifndef WI_WALK_SELF_ARCS_H
#define WI_WALK_SELF_ARCS_H

#include "base/containers/array.h"
#include "mesh/mesh.h"

/* A box around all directions of a triangle, as points of the unit sphere. The axes are turned
 * round so that arcs are spread out most along the first. */
typedef struct wi_arc {
    float lower[3], upper[3];
    uint32_t slot;
} wi_arc;

/* The arcs of one fan, by the lower ends of their boxes along the first axis. */
typedef struct wi_arcs {
    WI_ARRAY(wi_arc) items;
    WI_ARRAY(wi_arc) unsorted;
    WI_ARRAY(uint64_t) keys;
    WI_ARRAY(uint64_t) spare;
} wi_arcs;

/* The fan of a vertex: its number, and the slots of its triangles. In a step from `start` to `end`
 * on straight lines; `end` is NULL where there is none. Things touch if they are no farther apart
 * than `reach`, which is 0 without a step. */
typedef struct wi_arc_fan {
    const wi_mesh *start, *end;
    uint32_t centre;
    const uint32_t *slots;
    uint32_t count;
    float reach;
} wi_arc_fan;

/* False if there is no memory. */
bool wi_arcs_find(wi_memory *memory, wi_arcs *arcs, const wi_arc_fan *fan);
void wi_arcs_free(wi_memory *memory, wi_arcs *arcs);

/* Beside the first axis. */
static inline bool wi_arcs_meet_beside(const wi_arc *a, const wi_arc *b)
{
    return a->lower[1] <= b->upper[1] && b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] &&
           b->lower[2] <= a->upper[2];
}

#endif
