/* edit.h - adds and removes triangles and vertices while a body moves: cuts, tears, growth; and
 * splits and merges bodies.
 *
 * An edit is one call, and all or nothing (C6). It takes a body of any method and any motion. What
 * it changes is in answers from the next update on, as with all setters (C5); several edits before
 * an update add up.
 *
 * Numbers: triangles and vertices keep their numbers (slots) until they are removed. Removed
 * numbers are holes. No query finds a triangle there. Setters of ranges of vertices skip holes and
 * do not read what their arrays have for them; willow_body_copy_vertices and
 * willow_body_copy_triangles write 0 there. New triangles and vertices may get the numbers of
 * removed ones, but not before the second update after the removal, so that numbers in the last
 * answers keep their meaning. Counts in willow_body_info are one more than the highest number there
 * ever was.
 *
 * Labels of cracks: the two sides of a new crack coincide, so they meet. With
 * willow_query_options.skip_cracks two triangles that have the same label, a number other than 0,
 * are not tested against each other, within a body and between bodies. The program chooses labels,
 * and removes them by an edit when the crack has opened; nothing else changes them.
 *
 * Threads: as in world.h, no other call may use the world during a call of this header (C9). */
#ifndef WILLOW_EDIT_H
#define WILLOW_EDIT_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most parents of a new vertex: the corners of the face that it lies on. */
#define WILLOW_MAX_PARENTS 3

/* A vertex that is added, with or without parents.
 *
 * With parents the vertex lies on the edge or face between them, and moves with them. Its position,
 * its keyframes or path, its values in the targets of a morph, its weights of joints, its rest
 * shape and its goal in a trial step are each the weighted sum of those of the parents, computed in
 * double and rounded once. If some parents follow keyframes and others paths of their own, the
 * vertex gets a path that begins now.
 *
 * Without parents the vertex is at `position`, in the frame of the body. No plan moves it, and no
 * morph; a morph of absolute targets has it at that position in every target. A body with a skin
 * takes vertices with parents only.
 *
 * A deformation by a function of the user's is asked about the new number; the rest position is
 * then the weighted sum, or `position`. */
typedef struct willow_new_vertex {
    uint32_t parent_count;                /* 0 to WILLOW_MAX_PARENTS */
    uint32_t parents[WILLOW_MAX_PARENTS]; /* exist before the call, which may remove them */
    float weights[WILLOW_MAX_PARENTS];    /* finite; their sum is 1, to within a thousandth */
    willow_vec3 position;                 /* used without parents; finite */
} willow_new_vertex;

/* In an edit WILLOW_NEW_VERTEX + i is the i-th vertex that the same edit adds. An edited body
 * always has fewer vertices than this number. */
#define WILLOW_NEW_VERTEX UINT32_C(0x80000000)

/* What an edit changes. All arrays belong to the caller, and are copied. */
typedef struct willow_edit {
    size_t struct_size;

    /* Vertices to add. For a body that borrows its vertices see `positions`. */
    const willow_new_vertex *add_vertices;
    uint32_t add_vertex_count;

    /* Vertices to remove. After the edit no triangle may name them, and no vertex that welding
     * merged with them may be left. */
    const uint32_t *remove_vertices;
    uint32_t remove_vertex_count;

    /* Triangles to add: three vertices each; a group each (NULL: group 1); and a label each (NULL:
     * 0, no label). */
    const uint32_t *add_indices;
    const uint16_t *add_groups;
    const uint32_t *add_labels;
    uint32_t add_triangle_count;

    /* Triangles that get other corners: three vertices each, and a group each (NULL: as before). */
    const willow_tri *replace_triangles;
    const uint32_t *replace_indices;
    const uint16_t *replace_groups;
    uint32_t replace_triangle_count;

    /* Triangles that get other labels, one each; the same edit may also replace them. An edit that
     * changes labels alone does not change the hierarchy. */
    const willow_tri *label_triangles;
    const uint32_t *labels;
    uint32_t label_count;

    /* Triangles to remove. */
    const willow_tri *remove_triangles;
    uint32_t remove_triangle_count;

    /* For a body that borrows its vertices: the array to borrow from now on, which may be the old
     * one. It has all vertices, and gives the positions of new ones, too. Required if vertices are
     * added. NULL: as before, and for bodies that do not borrow. */
    const void *positions;
    size_t stride; /* bytes from one vertex to the next; 0 means 12 */

    /* Makes room for this many vertices and triangles in all, so that later edits need not copy. 0:
     * room as needed, growing by a quarter. */
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

/* The part of a removed triangle. */
#define WILLOW_NO_PART UINT32_MAX

/* Finds the connected parts of a body: triangles that share a vertex number are in one part.
 * `part_of_triangle` has room for `triangle_count` numbers (willow_body_info) and gets the part of
 * each triangle, and WILLOW_NO_PART for removed ones; it may be NULL. `part_count` gets the number
 * of parts. Parts are in the order of their lowest triangles. Edits count at once, before the next
 * update. Fails with BAD_HANDLE, BAD_ARGUMENT if `part_count` is NULL, or OUT_OF_MEMORY. */
WILLOW_API willow_result willow_body_find_parts(willow_world *world, willow_body_id body,
                                                uint32_t *part_of_triangle, uint32_t *part_count);

/* ---- splits and merges ---- */

/* One part of a body that was split: a new body. */
typedef struct willow_split_part {
    willow_body_id body;
    uint32_t label; /* that its triangles had */
    uint32_t triangle_count, vertex_count;
    const willow_tri *old_triangles; /* by new number: the old one */
    const uint32_t *old_vertices;
} willow_split_part;

/* Where a triangle of the old body is now. */
typedef struct willow_part_triangle {
    uint32_t part; /* WILLOW_NO_PART if it was removed before the split */
    willow_tri triangle;
} willow_part_triangle;

/* Where a vertex of the old body, or a copy of it, is now. */
typedef struct willow_part_vertex {
    uint32_t part;
    uint32_t vertex;
} willow_part_vertex;

/* The result of a split. All arrays belong to the world, and are valid until its next split or
 * merge, or until it is destroyed. */
typedef struct willow_split {
    const willow_split_part *parts; /* sorted by label; ids of bodies rise with them */
    uint32_t part_count;
    uint32_t triangle_count, vertex_count; /* of the old body, holes included */

    /* From old numbers to new ones. `triangles` is indexed by old number. The copies of the old
     * vertex v are vertices[first_copy[v]] to vertices[first_copy[v + 1] - 1], in the order of
     * parts; a vertex that no triangle named has none. */
    const willow_part_triangle *triangles;
    const willow_part_vertex *vertices;
    const size_t *first_copy;
} willow_split;

/* Splits a body: all triangles with the same label become one new body, and the new bodies are in
 * the order of labels. `label_of_triangle` has a label for every triangle number, any number but
 * WILLOW_NO_PART; labels of removed triangles are not read. NULL: one body for each connected part
 * (willow_body_find_parts), whose number is its label. The old id becomes invalid, and watches on
 * it fail with BAD_HANDLE. A body of one part gets a new id, too, and numbers without holes.
 *
 * Each part has its triangles and vertices in the order of their old numbers. A vertex that several
 * parts need is copied into each of them. A vertex that no triangle names is dropped. A vertex that
 * welding merged into another one stays with that one.
 *
 * Parts inherit all settings of the body: pose, motion (path or keyframes, targets and weights,
 * skin and joints, deformation), groups and their masks, labels of cracks, rest shape, thickness,
 * category and mask bits, `self`, user data and tree settings. Every vertex keeps its position, to
 * the bit (C1), and its motion. Trial steps end. There are two exceptions. Parts of a body that
 * borrows its vertices own copies of them, which willow_body_set_vertices moves. Functions of a
 * deformation are asked about the new numbers; functions that depend on numbers need
 * willow_body_set_deformation, with a context for each part, before any other call for that part;
 * the rest shape stays.
 *
 * The next update makes the hierarchies of the parts; with AUTO and BALANCED it makes them of the
 * hierarchy that the body had. A split takes time linear in the triangles, and with very large
 * labels the time of sorting them. Fails with BAD_HANDLE; BAD_ARGUMENT for a body without
 * triangles, a label that is WILLOW_NO_PART, or `out` NULL; BAD_MESH for borrowed vertices that are
 * not finite; OUT_OF_MEMORY. After a failure nothing has changed (C6), except that the arrays of
 * the last split or merge are gone. */
WILLOW_API willow_result willow_body_split(willow_world *world, willow_body_id body,
                                           const uint32_t *label_of_triangle, willow_split *out);

/* Where the triangles and vertices of one of the merged bodies are now. */
typedef struct willow_merged_body {
    willow_body_id body;                   /* its old id */
    uint32_t triangle_count, vertex_count; /* of the old body, holes included */
    const willow_tri *new_triangles;       /* by old number; UINT32_MAX if removed before */
    const uint32_t *new_vertices;
} willow_merged_body;

/* The result of a merge. All arrays belong to the world, and are valid until its next split or
 * merge, or until it is destroyed. */
typedef struct willow_merge {
    willow_body_id body;              /* the new one */
    const willow_merged_body *bodies; /* in the order of the call */
    uint32_t body_count;
} willow_merge;

/* Merges several bodies into a new one. The old ids become invalid, and watches on them fail with
 * BAD_HANDLE. Triangles and vertices are numbered body after body, in the order of `bodies` and of
 * old numbers, without holes. Vertices are not welded: triangles of different bodies share none.
 *
 * The bodies must have poses of equal bits and the same kind of motion: keyframes at the same
 * times; morphs of one kind with as many targets and equal weights; skins with equal joints;
 * deformations by the same functions with the same context (which are asked about the new numbers,
 * as after willow_body_split). Bodies whose positions are set may be merged with bodies that borrow
 * theirs; positions are copied. All bodies or none must keep a rest shape, and their group masks
 * must be equal. The new body has the thickness, category and mask bits, `self`, user data and tree
 * settings of the first body. Every vertex keeps its position, to the bit (C1). Trial steps end.
 *
 * Fails with BAD_HANDLE; BAD_ARGUMENT for no bodies, a body that is named twice, bodies that cannot
 * be merged (the message says why), or `out` NULL; BAD_MESH for too many triangles or vertices,
 * groups without a mask, or borrowed vertices that are not finite; OUT_OF_MEMORY. After a failure
 * nothing has changed (C6), except that the arrays of the last split or merge are gone. */
WILLOW_API willow_result willow_body_merge(willow_world *world, const willow_body_id *bodies,
                                           uint32_t count, willow_merge *out);

#ifdef __cplusplus
}
#endif
#endif
