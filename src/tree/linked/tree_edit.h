/* tree_edit.h - edits of a mesh, carried out in the tree over it.
 *
 * Way in: wi_tree_edit, for a tree whose shape is linked. It costs time of what has changed and of
 * the height of the tree: triangles go from their leaves and come to the leaf of a neighbour,
 * leaves and nodes that are full are split, those that are too small are joined with one beside
 * them, and what contains any of these is bounded anew. */
#ifndef WI_TREE_LINKED_TREE_EDIT_H
#define WI_TREE_LINKED_TREE_EDIT_H

#include "tree/linked/links.h"

/* What is true of the boxes of the tree. */
typedef enum wi_edit_boxes {
    WI_EDIT_TRUE, /* those of open nodes are: they are kept so, and changed nodes are opened */
    WI_EDIT_OLD   /* all vertices may have moved since: they are hints, and others will bound all */
} wi_edit_boxes;

typedef struct wi_tree_changes {
    const uint32_t *slots; /* whose triangles came, went or have other vertices or groups; some may
                              be there several times */
    size_t count;
    wi_edit_boxes boxes;
    uint64_t revision;          /* for nodes that are opened */
    const struct wi_worn *worn; /* nodes to be renewed (wear.h); or NULL */
    size_t bounded;             /* out: nodes with new boxes */
    uint32_t renewed;           /* out: nodes below which all was made afresh */
    bool is_worn_out;           /* out: most of the tree should be */
} wi_tree_changes;

/* Brings the leaves to what the mesh has in these slots now. OUT_OF_MEMORY leaves a tree that can
 * only be destroyed. A tree without triangles is destroyed, too. */
willow_result wi_tree_edit(wi_memory *memory, wi_tree *h, wi_tree_changes *changes);

/* Turns a packed shape, which has one user, into a linked one with the same leaves and boxes around
 * everything now; the revision is theirs. Leaves may name triangles that the mesh has no longer,
 * and those that are too small are only noted: an edit comes next. What others know of its nodes
 * and leaves is of no use afterwards. False if there is no memory; the tree is as it was, or can
 * only be destroyed. */
bool wi_tree_link(wi_memory *memory, wi_tree *h, uint64_t revision);

/* One more child, a node or a leaf with WI_IS_LEAF, for the node of a level whose box grows least;
 * that may be one level above the root. There is room for a node on every level, and one. Boxes are
 * hints. */
void wi_tree_edit_add_below(wi_tree *h, uint32_t level, uint32_t child, const wi_box *box);

/* The box of all vertices of a leaf, and of all below a node, by their positions now. */
wi_box wi_linked_box_below(const wi_tree *h, uint32_t node);

/* For the two of them: leaves that are too small are noted, and joined with others; what contains
 * changes is bounded. */
void wi_tree_edit_mark_small(wi_tree *h);
void wi_tree_edit_join_small(wi_tree *h, wi_tree_changes *changes);
void wi_tree_edit_end(wi_tree *h, wi_tree_changes *changes);

#endif
