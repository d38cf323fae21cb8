/* edit.h - adds and removes triangles and vertices while a body moves: cuts, tears, growth; and
 * splits and merges bodies.
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
 * Threads: as in world.h, no other call may use the world during a call of this header (C9). */
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

/* What an edit changes. All arrays belong to the caller, and are copied. */
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
 * order of the edit; each may be NULL. With BALANCED and AUTO the next update applies the edit to
 * the hierarchy (docs/edits.md); with all other methods it rebuilds the hierarchy, which its report
 * counts (bodies_built). A trial step continues: new vertices have goals as above. Positions of
 * vertices that stay do not change.
 *
 * BAD_HANDLE; BAD_ARGUMENT for arrays that are missing or not aligned, for numbers that do not
 * exist or are named twice, and for vertices that are removed and still named; BAD_MESH for numbers
 * that are not finite, weights that do not sum up to 1, triangles that name vertices that are not
 * there, groups without a mask, and too many triangles or vertices; OUT_OF_MEMORY. The message
 * names the triangle or the vertex, and nothing has changed (C6). */
WILLOW_API willow_result willow_body_edit(willow_world *world, willow_body_id body,
                                          const willow_edit *edit, willow_tri *triangles,
                                          uint32_t *vertices);

/* ---- parts ---- */

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

/* ---- splits and merges ---- */

/* A part of a body that was split. */
typedef struct willow_split_part {
    willow_body_id body;
    uint32_t label; /* of its triangles */
    uint32_t triangle_count, vertex_count;
    const willow_tri *old_triangles; /* by number: which it was */
    const uint32_t *old_vertices;
} willow_split_part;

/* Where a triangle is now. */
typedef struct willow_part_triangle {
    uint32_t part; /* WILLOW_NO_PART: it was removed before */
    willow_tri triangle;
} willow_part_triangle;

/* Where a vertex is now, or one of its copies. */
typedef struct willow_part_vertex {
    uint32_t part;
    uint32_t vertex;
} willow_part_vertex;

/* What came of a body that was split. All arrays are the world's, and may be read until its next
 * split or merge, or its end. */
typedef struct willow_split {
    const willow_split_part *parts; /* in the order of labels, and so are the ids of bodies */
    uint32_t part_count;
    uint32_t triangle_count, vertex_count; /* numbers that the body had */

    /* From old numbers to new ones. Triangles: by old number. Vertices: those of vertex v are
     * vertices[first_copy[v]] to vertices[first_copy[v + 1] - 1], in the order of parts; there are
     * none for vertices that no triangle named. */
    const willow_part_triangle *triangles;
    const willow_part_vertex *vertices;
    const size_t *first_copy;
} willow_split;

/* Splits a body. The triangles with one label become one body, in the order of labels:
 * `label_of_triangle` has one for every number of a triangle (those of removed triangles are not
 * read), any but WILLOW_NO_PART. NULL: the connected parts, with the labels that
 * willow_body_find_parts says. The old id is gone; watches on it answer BAD_HANDLE. A body of one
 * part gets a new id as well, and numbers without holes.
 *
 * Each part has its triangles and their vertices in the order of their old numbers. A vertex that
 * several parts need is copied into each; one that no triangle names is left behind; one that
 * welding merged goes along with the one that stands for it. Parts have the pose, the motion (path
 * or keyframes, targets and weights, skin and joints, deformation), groups and their masks, labels
 * of cracks, rest shape, thickness, category and mask bits, `self`, user data and the tree settings
 * of the body. Every vertex is where it was, to the bit (C1), and goes on as it would have. Trial
 * steps end. Two exceptions: parts of a body that borrows its vertices have copies of their own,
 * which willow_body_set_vertices moves; and functions of a deformation are asked about the new
 * numbers, so that functions that look at numbers need willow_body_set_deformation, with a context
 * for each part, before anything else is asked of it; the rest shape stays.
 *
 * Hierarchies of the parts are made in the next update, by AUTO and BALANCED of what the body had.
 * Takes time of the triangles, and, with very large labels, of sorting them. BAD_HANDLE;
 * BAD_ARGUMENT for a body without triangles, a label that is WILLOW_NO_PART, or no place for the
 * answer; BAD_MESH for borrowed vertices that are not finite; OUT_OF_MEMORY. Nothing has changed
 * then (C6), but the arrays of the last split or merge are gone.
 */
WILLOW_API willow_result willow_body_split(willow_world *world, willow_body_id body,
                                           const uint32_t *label_of_triangle, willow_split *out);

/* What a body became that was merged with others. */
typedef struct willow_merged_body {
    willow_body_id body;                   /* that was */
    uint32_t triangle_count, vertex_count; /* numbers that it had */
    const willow_tri *new_triangles;       /* by old number; UINT32_MAX: it was removed before */
    const uint32_t *new_vertices;
} willow_merged_body;

/* What came of several bodies. All arrays are the world's, and may be read until its next split or
 * merge, or its end. */
typedef struct willow_merge {
    willow_body_id body;
    const willow_merged_body *bodies; /* in the order in which they were handed over */
    uint32_t body_count;
} willow_merge;

/* Makes one body of several. Their ids are gone; watches on them answer BAD_HANDLE. Triangles and
 * vertices are numbered body after body as they were handed over, in the order of old numbers,
 * without holes. Vertices are not welded: what shared none does not share any now.
 *
 * The bodies have poses of equal bits and the same kind of motion: keyframes at the same times,
 * morphs of one kind with as many targets and equal weights, skins with equal joints, deformations
 * by the same functions with the same context (which are asked about the new numbers; see
 * willow_body_split). Positions that are set and positions that are borrowed go together, and are
 * copied. All or none keep a rest shape, and group masks are equal. Everything else, thickness,
 * category and mask bits, `self`, user data and tree settings, is that of the first body. Every
 * vertex is where it was, to the bit (C1). Trial steps end.
 *
 * BAD_HANDLE; BAD_ARGUMENT for no bodies, for one that is named twice, for bodies that do not go
 * together, with a reason, or no place for the answer; BAD_MESH for too many triangles or vertices,
 * groups without a mask, or borrowed vertices that are not finite; OUT_OF_MEMORY. Nothing has
 * changed then (C6), but the arrays of the last split or merge are gone. */
WILLOW_API willow_result willow_body_merge(willow_world *world, const willow_body_id *bodies,
                                           uint32_t count, willow_merge *out);

#ifdef __cplusplus
}
#endif
#endif
