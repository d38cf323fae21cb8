/* self_edit.h - the lists for pairs within a body, of a tree that is edited.
 *
 * They are taken over from the packed tree when it is linked, and then follow each edit in time of
 * what it changed: which triangles share vertices is found anew for leaves that changed and those
 * beside them, fans for vertices whose triangles came or went. Boundary loops through such leaves
 * are off; they are made again when these have been quiet for some updates.
 *
 * While an edit is carried out (tree/linked/) it tells what it does; wi_self_edit_finish then does
 * what is to be done. A vertex of so many leaves that it is a hub ends all lists: the tree is to be
 * built afresh. */
#ifndef WI_TREE_SELF_SELF_EDIT_H
#define WI_TREE_SELF_SELF_EDIT_H

#include "tree/linked/links.h"
#include "tree/self/self_lists.h"

/* A leaf whose loop is off, and the update when it was last touched. */
typedef struct wi_due_loop {
    uint32_t leaf, update;
} wi_due_loop;

/* In the place of a fan: the vertex has none. An odd one has this bit. */
#define WI_NO_FAN UINT32_MAX
#define WI_ODD_FAN UINT32_C(0x80000000)

typedef WI_ARRAY(wi_gathered_tie) wi_gathered_ties;

typedef struct wi_self_edit {
    /* By leaf, with room for leaf_room of them. */
    uint8_t *marks;
    uint32_t *stale;      /* a list: those whose ties are to be found anew */
    uint32_t *touched_at; /* the update */
    uint32_t leaf_room, node_room, stale_count;

    /* By vertex, with room for vertex_room of them. */
    uint32_t *fan_of; /* eight times its group and its lane; or its odd fan with WI_ODD_FAN */
    uint32_t *touched;
    bool *is_touched;
    uint32_t vertex_room, touched_count;

    /* Whose fans they are: by group and lane, and by odd fan. */
    WI_ARRAY(uint32_t) fan_vertices;
    WI_ARRAY(uint32_t) odd_vertices;
    uint32_t open_group[2][WI_MAX_FAN + 1]; /* by closedness and length: one with room, and one */
    size_t free_numbers[2][WI_MAX_FAN + 1]; /* the same: room of a group that is gone, and one */

    WI_ARRAY(wi_due_loop) due; /* in the order of updates, */
    size_t first_due;          /* from here on */

    wi_gathered_ties gathered;                   /* of the leaf at hand */
    size_t live_ties, live_rows, live_odd_slots; /* of what is written that is of use, */
    size_t lost_around, lost_loop_vertices;      /* or of none */
    uint32_t update;
} wi_self_edit;

/* A tree whose lists follow edits. */
static inline bool wi_has_self_edit(const wi_tree *h)
{
    return h->shape->self && h->shape->self->edit;
}

/* ---- as a whole ---- */

/* The lists of a packed tree can follow edits: there are some, and no hubs. */
bool wi_self_edit_can_follow(const wi_tree *packed);

/* They become those of a linked tree that has the same leaves in the same numbers, each with the
 * same triangles in the same order. False if there is no memory; both can then only be destroyed.
 */
bool wi_self_edit_take(wi_memory *memory, wi_tree *packed, wi_tree *linked);

/* All lists of a linked tree that has none; it has none afterwards if there is a hub. False if
 * there is no memory. */
bool wi_self_edit_make(wi_memory *memory, wi_tree *h);

/* Room for as many leaves, nodes and vertices as the tree has room for. */
bool wi_self_edit_follow_room(wi_memory *memory, wi_tree *h);
void wi_self_edit_free(wi_memory *memory, wi_self_edit *edit);
size_t wi_self_edit_bytes(const wi_self_edit *edit);

/* ---- what an edit tells ---- */

/* A vertex gets or loses a triangle; it is about to lose a leaf. */
void wi_self_edit_touch_vertex(wi_tree *h, uint32_t vertex);
void wi_self_edit_leave_vertex(wi_tree *h, uint32_t vertex);

/* A leaf, or a node above leaves, has what it will have; it is no more. */
void wi_self_edit_change_leaf(wi_tree *h, uint32_t leaf);
void wi_self_edit_change_node(wi_tree *h, uint32_t node);
void wi_self_edit_give_leaf(wi_tree *h, uint32_t leaf);
void wi_self_edit_give_node(wi_tree *h, uint32_t node);

/* ---- what follows ---- */

/* All lists are true again, or gone because of a hub. False if there is no memory. */
bool wi_self_edit_finish(wi_memory *memory, wi_tree *h);

/* Once in each update: makes loops again that have been off for some updates in which nothing near
 * them changed, some at a time. False if there is no memory. */
bool wi_self_edit_make_due(wi_memory *memory, wi_tree *h);

/* ---- the parts, each in a file of its own ---- */

/* Finds the ties of a leaf anew (kin_edit.c). */
typedef enum wi_kin_outcome { WI_KIN_FOUND, WI_KIN_HUB, WI_KIN_NO_MEMORY } wi_kin_outcome;
wi_kin_outcome wi_kin_edit_leaf(wi_memory *memory, wi_tree *h, uint32_t leaf);
void wi_kin_edit_forget(wi_tree *h, uint32_t leaf);

/* Fans of all vertices get their index; the fan of one is found anew (fan_edit.c). */
bool wi_fan_edit_begin(wi_memory *memory, wi_tree *h);
bool wi_fan_edit_vertex(wi_memory *memory, wi_tree *h, uint32_t vertex);
const char *wi_fan_edit_validate(const wi_tree *h);

/* There is room for loops, of which none are there yet, or for more; loops are off, or made
 * (loop_edit.c). */
bool wi_loop_edit_begin(wi_memory *memory, wi_tree *h);
bool wi_loop_edit_follow_room(wi_memory *memory, wi_tree *h);
void wi_loop_edit_drop(wi_tree *h, uint32_t cluster);
bool wi_loop_edit_make(wi_memory *memory, wi_tree *h, uint32_t cluster);

#endif
