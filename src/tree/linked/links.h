/* links.h - the linked kind of shape: a tree whose triangles come and go.
 *
 * A packed shape has everything in one order (I1 to I3), which an edit would have to restore. A
 * linked one has none: each leaf has room of its own for as many triangles as a leaf may have, and
 * for their vertices, and nodes and leaves that are given up wait in lists to be used again. All
 * places of a leaf are on its border, so whoever reads leaves need not know which kind it is. What
 * this costs is memory and the streams that a packed tree is read in; so a tree is linked by its
 * first edit, and packed again when it has been quiet (update/balanced/).
 *
 * It is balanced as a B-tree is (Bayer and McCreight 1972): all leaves are at one depth, nodes have
 * three to eight children (the root two), leaves are a third full at least (I22 to I25). */
#ifndef WI_TREE_LINKED_LINKS_H
#define WI_TREE_LINKED_LINKS_H

#include "tree/tree.h"

/* In the place of a number: there is none. */
#define WI_NO_LINK UINT32_MAX

/* Fewest children of a node that is not the root; and levels that no tree has. */
enum { WI_LEAST_CHILDREN = 3, WI_MOST_HEIGHT = 24 };

/* What waits for a leaf during an edit: its box, or another leaf to join it. */
enum { WI_LEAF_CHANGED = 1, WI_LEAF_SMALL = 2 };

typedef struct wi_links {
    /* By leaf, with room for leaf_room of them. */
    uint32_t *leaf_node; /* the node that has it; WI_NO_LINK: it is free */
    uint8_t *leaf_lane;  /* and its lane there */
    uint8_t *leaf_marks;
    uint64_t *leaf_revision;              /* of the last edit that changed it */
    uint32_t *free_leaves, *small_leaves; /* lists */
    uint32_t free_leaf_count, small_leaf_count;

    /* By entry, that is by number in leaf_vertices: the others with the same vertex, in a list. */
    uint32_t *next_entry, *previous_entry;

    /* By node, with room for node_room of them. */
    uint8_t *level; /* how many nodes are below it on the way to a leaf */
    bool *is_changed;
    float *work; /* see wear.h; 0: not known. That of a fresh one is the node's spread */
    uint32_t *free_nodes, *changed_nodes; /* lists */
    uint32_t free_node_count, changed_node_count, node_room;

    uint32_t *first_entry; /* by vertex: one of its entries; WI_NO_LINK: no leaf has it */
    uint32_t *leaf_of;     /* by slot: the leaf that has it, or WI_NO_LINK */
    uint32_t vertex_room, slot_room;

    uint32_t tris_per_leaf, entries_per_leaf; /* room */
    uint64_t since; /* the revision since which leaves that no edit changed have their numbers */
    struct wi_avl *avl; /* of a tree that is balanced as avl.h says; NULL: it is as a B-tree is */
} wi_links;

static inline bool wi_shape_is_linked(const wi_shape *shape) { return shape->links != NULL; }

/* Of a tree whose shape is linked. */
static inline wi_links *wi_links_of(const wi_tree *h)
{
    WI_ASSERT(wi_shape_is_linked(h->shape));
    return h->shape->links;
}

/* Fewest triangles of a leaf that is not the only one. */
static inline uint32_t wi_least_tris(const wi_links *links)
{
    return (links->tris_per_leaf + 2) / 3;
}

static inline bool wi_links_have_leaf(const wi_links *links, uint32_t leaf)
{
    return links->leaf_node[leaf] != WI_NO_LINK;
}

/* A node that is in use has children. */
static inline bool wi_tree_has_node(const wi_tree *h, uint32_t node)
{
    WI_ASSERT(node < h->shape->node_count);
    return h->boxes.nodes[node].count > 0;
}

/* ---- room ---- */

/* Makes the shape of a tree without nodes or leaves a linked one, for leaves of so many triangles.
 * False if there is no memory. */
bool wi_links_begin(wi_memory *memory, wi_tree *h, uint32_t tris_per_leaf);

/* Room for so many more leaves and nodes, in a tree that grows by parts; and for as many vertices
 * and slots as the mesh has room for. False if there is no memory; the tree is as it was. */
bool wi_links_reserve(wi_memory *memory, wi_tree *h, uint32_t leaves, uint32_t nodes);
bool wi_links_reserve_mesh(wi_memory *memory, wi_tree *h);

void wi_links_free(wi_memory *memory, wi_shape *shape);
size_t wi_links_bytes(const wi_shape *shape);

/* A number for a leaf and for a node, of which there is room. */
uint32_t wi_links_take_leaf(wi_tree *h);
uint32_t wi_links_take_node(wi_tree *h, uint32_t level);
void wi_links_give_leaf(wi_tree *h, uint32_t leaf);
void wi_links_give_node(wi_tree *h, uint32_t node);

/* ---- what leaves have ---- */

/* A triangle comes to a leaf that has room for it, or goes from the one that has it. */
void wi_links_add_tri(wi_tree *h, uint32_t leaf, uint32_t slot);
void wi_links_remove_tri(wi_tree *h, uint32_t slot);

/* What a whole leaf has: triangles by slot and by which of its vertices they name. */
typedef struct wi_leaf_content {
    const uint8_t (*corners)[3];
    const uint32_t *slots, *vertices;
    unsigned tri_count, vertex_count;
} wi_leaf_content;

/* All of it comes to a leaf that has nothing. */
void wi_links_fill_leaf(wi_tree *h, uint32_t leaf, const wi_leaf_content *content);

/* Lists the triangles of a leaf, and takes them all away. Returns how many there were. */
unsigned wi_links_empty_leaf(wi_tree *h, uint32_t leaf, uint32_t *slots);

/* ---- what nodes have ---- */

/* A child is in this lane from now on: a node, or a leaf with WI_IS_LEAF. Its box is another
 * matter. */
void wi_links_set_child(wi_tree *h, uint32_t node, unsigned lane, uint32_t child);

/* The same in the next free lane, with its box; and the other way round: the last child takes the
 * lane of the one that goes. */
void wi_links_add_child(wi_tree *h, uint32_t node, uint32_t child, const wi_box *box);
void wi_links_remove_child(wi_tree *h, uint32_t node, unsigned lane);

/* NULL, or the words for the invariant that is broken (I22 to I25). Boxes are not looked at. */
const char *wi_links_validate(const wi_tree *h);

#endif
