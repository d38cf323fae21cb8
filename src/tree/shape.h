/* shape.h - what of a tree does not move: leaves, their triangles and vertices, and lists of them.
 *
 * Several sets of boxes may be about one shape: a body now and at the end of its step. So a shape
 * is counted, and changes only while it has one user. This kind is packed: leaves are numbered in
 * the order in which a forward sweep over nodes and lanes meets them (I2), and the places of the
 * vertices that a leaf owns are one run (I3). Only functions that take such a shape may rely on
 * that. Trees that are edited have another kind, a linked one (tree/linked/links.h): its leaves
 * own no places, and their lists have room and holes. Trees that grow while they are asked have the
 * third one (tree/grown/grown.h): its leaves list triangles only. */
#ifndef WI_TREE_SHAPE_H
#define WI_TREE_SHAPE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"
#include "tree/self/group_sets.h"

struct wi_self_lists;
struct wi_links;
struct wi_grown;

enum { WI_MAX_LEAF_TRIS = 32, WI_MAX_LEAF_VERTICES = 3 * WI_MAX_LEAF_TRIS };

typedef struct wi_leaf {
    uint32_t first_tri;    /* in `slots` and `corners` */
    uint32_t first_vertex; /* in `leaf_vertices` */
    uint32_t first_place;  /* of those it owns */
    uint8_t tri_count;
    uint8_t vertex_count;
    uint8_t owned_count;
} wi_leaf;

_Static_assert((int)WI_MAX_LEAF_VERTICES <= (int)UINT8_MAX, "counts of a leaf are bytes");
_Static_assert(sizeof(wi_leaf) == 16, "a quarter of a cache line");

/* 0, 1, 2; 3, 4, 5; and so on. */
extern const uint8_t wi_corners_in_order[WI_MAX_LEAF_TRIS][3];

typedef struct wi_shape {
    wi_leaf *leaves;
    uint32_t *leaf_vertices; /* vertex numbers, leaf by leaf */
    uint32_t *borders;       /* the places of those that a leaf does not own, leaf by leaf */
    uint8_t (*corners)[3];   /* by triangle of a leaf: which of the leaf's vertices */
    uint32_t *slots;         /* by triangle of a leaf: its slot */
    uint32_t *loose;         /* vertices that no leaf has, which own the last places */

    /* Of a packed shape what there is; of a linked one numbers of nodes and leaves are below the
     * first two, some are free, and there is room for so many vertices of leaves. */
    uint32_t node_count, leaf_count, tri_count, leaf_vertex_count, border_count, loose_count;
    uint32_t leaf_room, tri_room; /* what the blocks have room for */
    uint32_t height; /* nodes on the longest way down; of a grown shape the most there may be */
    uint32_t users;  /* trees that have it */

    /* The revision since which nodes and leaves have had the numbers that they have: it changes
     * when the tree, or a part of it, is built afresh. Who keeps numbers of nodes compares it. */
    uint64_t structure;

    wi_group_sets sets;         /* of the groups below, where the mesh has group masks; else none */
    struct wi_self_lists *self; /* for pairs within the body, if these are asked for; else NULL */
    struct wi_links *links;     /* of a linked shape; else NULL */
    struct wi_grown *grown;     /* of a grown one; else NULL. Neither: it is packed */
} wi_shape;

/* The cells of a grown shape and its pool: tree/grown/grown.h. */
static inline bool wi_shape_is_grown(const wi_shape *shape) { return shape->grown != NULL; }

/* Of no leaves: what a body without a tree has. Nobody writes to it. */
wi_shape *wi_shape_none(void);

/* An empty one with one user; NULL if there is no memory. */
wi_shape *wi_shape_make(wi_memory *memory);

/* One user more, and one less: the last one gives it back. */
wi_shape *wi_shape_share(wi_shape *shape);
void wi_shape_release(wi_memory *memory, wi_shape *shape);

size_t wi_shape_bytes(const wi_shape *shape);

/* Nodes and leaves that are in use. */
uint32_t wi_shape_nodes(const wi_shape *shape);
uint32_t wi_shape_leaves(const wi_shape *shape);

#endif
