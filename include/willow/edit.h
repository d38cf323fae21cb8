/* edit.h - triangles and vertices that come and go while a body moves: cuts, tears, growth.
 *
 * An edit is one call, and all or nothing (C6). It takes a body of any method and any motion. What
 * it changes is in answers from the next update on, as with all setters (C5); several edits before
 * an update add up.
 *
 * Numbers: a triangle keeps its number (slot) and a vertex its own from birth to removal. Removed
 * numbers are holes. No question finds a triangle there; setters of ranges of vertices pass over
 * holes and do not read what their arrays have for them; willow_body_copy_vertices and
 * willow_body_copy_triangles have 0 there. New triangles and vertices may get the numbers of
 * removed ones, but not before the second update after the removal, so that what a program kept
 * from the last answers does not suddenly mean something else. Counts in willow_body_info are one
 * more than the highest number there ever was.
 *
 * Labels of cracks: the two sides of a new crack coincide when it is born, and so they meet.
 * Triangles with the same label, a number other than 0, are left out of answers against each other
 * where willow_query_options.skip_cracks says so, within a body and between bodies. The program
 * chooses labels, and takes them off by an edit when the crack has opened; nothing else changes
 * them.
 *
 * Threads: as in world.h, calls here need the world for themselves (C9). */
#ifndef WILLOW_EDIT_H
#define WILLOW_EDIT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As many as the corners of the face that a cut goes through. */
#define WILLOW_MAX_PARENTS 3

/* A vertex that is added. With parents it lies on the edge or face between them, and moves with
 * them: where it is, its keyframes or path, its values in the targets of a morph, its weights of
 * joints, its rest shape and its goal in a trial step are each the sum of weights times those of
 * the parents, computed in double and rounded once. Parents that follow keyframes and parents on
 * paths of their own, mixed, give it a path that begins now. Without parents it is at `position`,
 * in the frame of the body, and stays there whatever the plan or the morph does, but for a morph of
 * absolute targets, in which all of them have it there. A body with a skin takes vertices with
 * parents only. A deformation of the user's is asked about the new number; its rest position is the
 * sum, or the position. */
typedef struct willow_new_vertex {
    uint32_t parent_count;                /* 0 to WILLOW_MAX_PARENTS */
    uint32_t parents[WILLOW_MAX_PARENTS]; /* there before the call; it may remove them */
    float weights[WILLOW_MAX_PARENTS];    /* finite; their sum is 1, to within a thousandth */
    willow_vec3 position;                 /* finite; without parents */
} willow_new_vertex;

/* How triangles name the i-th vertex that the same call adds: WILLOW_NEW_VERTEX + i. No body has so
 * many vertices once it was edited. */
#define WILLOW_NEW_VERTEX UINT32_C(0x80000000)

/* What changes. All arrays are the caller's, and copied. */
typedef struct willow_edit {
    size_t struct_size;

    /* Vertices that come. Of a body that borrows its vertices: see `positions`. */
    const willow_new_vertex *add_vertices;
    uint32_t add_vertex_count;

    /* Vertices that go. After the edit no triangle may name them, and no vertex that welding merged
     * with them may be left. */
    const uint32_t *remove_vertices;
    uint32_t remove_vertex_count;

    /* Triangles that come: three vertices each, a group each (NULL: they are in group 1), and a
     * label each (NULL: they have none, which is 0). */
    const uint32_t *add_indices;
    const uint16_t *add_groups;
    const uint32_t *add_labels;
    uint32_t add_triangle_count;

    /* Triangles that get other corners: three vertices each, and a group each; NULL: as before. */
    const willow_tri *replace_triangles;
    const uint32_t *replace_indices;
    const uint16_t *replace_groups;
    uint32_t replace_triangle_count;

    /* Triangles that get other labels, one each; they may be replaced as well. Where an edit
     * changes nothing else, the hierarchy stays as it is. */
    const willow_tri *label_triangles;
    const uint32_t *labels;
    uint32_t label_count;

    /* Triangles that go. */
    const willow_tri *remove_triangles;
    uint32_t remove_triangle_count;

    /* Of a body that borrows its vertices: the array from now on, with room for all vertices, new
     * ones included, which are where it says. It has to be handed over where vertices are added,
     * and may be the old one. NULL: as before, and for all other bodies. */
    const void *positions;
    size_t stride; /* bytes from one vertex to the next; 0 means 12 */

    /* Makes room for so many numbers in all, so that later edits need not copy. 0: as needed,
     * growing by a quarter. */
    uint32_t reserve_vertices;
    uint32_t reserve_triangles;
} willow_edit;

WILLOW_API willow_edit willow_edit_default(void);

/* Edits a body. The numbers of what was added are written to `triangles` and `vertices`, in the
 * order of the edit; each may be NULL. The hierarchy is built afresh in the next update, with every
 * method, which its report counts (bodies_built). A trial step goes on: new vertices have goals as
 * above. Positions of vertices that stay do not change.
 *
 * BAD_HANDLE; BAD_ARGUMENT for arrays that are missing or not aligned, for numbers that are not
 * there, or named twice, and for vertices that are removed and still named; BAD_MESH for numbers
 * that are not finite, weights that do not sum up to 1, triangles that name vertices that are not
 * there, groups without a mask, and too many triangles or vertices; OUT_OF_MEMORY. The message
 * names the triangle or the vertex, and nothing has changed (C6). */
WILLOW_API willow_result willow_body_edit(willow_world *world, willow_body_id body,
                                          const willow_edit *edit, willow_tri *triangles,
                                          uint32_t *vertices);

/* What removed triangles are in. */
#define WILLOW_NO_PART UINT32_MAX

/* Finds the connected parts of a body: triangles that share a vertex number are in one part, and so
 * are those that others connect. `part_of_triangle` gets the part of every number of a triangle,
 * `triangle_count` of them as in willow_body_info, and WILLOW_NO_PART for removed ones; it may be
 * NULL. `part_count` gets how many there are. Parts are numbered by their lowest triangles, and
 * follow edits at once. BAD_HANDLE, BAD_ARGUMENT without a place for the count, or OUT_OF_MEMORY.
 */
WILLOW_API willow_result willow_body_find_parts(willow_world *world, willow_body_id body,
                                                uint32_t *part_of_triangle, uint32_t *part_count);

#ifdef __cplusplus
}
#endif
#endif
