/* moved_vertices.h - which leaves and nodes a few moved vertices concern.
 *
 * A vertex is in the leaf that owns it and in those that have it on their border. Moving it touches
 * these leaves and all nodes on the way up, each marked once however many vertices are moved, so m
 * vertices cost O(m log n). Who may stop on the way, where a node stays as it was, touches leaves
 * alone and then one node after the other. Once many leaves are touched, all are: a full refit is
 * then no dearer. The lists are made when the first few vertices are moved; most bodies never do
 * that. */
#ifndef WI_TREE_MOVED_VERTICES_H
#define WI_TREE_MOVED_VERTICES_H

#include <stdbool.h>
#include <stdint.h>
#include "base/memory.h"

struct wi_tree;

typedef struct wi_moved_vertices {
    uint32_t *leaf_node;     /* by leaf: the node that has it */
    uint32_t *owner;         /* by place: the leaf that owns it */
    uint32_t *first_border;  /* by place, and one more: in border_leaves */
    uint32_t *border_leaves; /* leaves that have the place on their border, place by place */
    uint8_t *lanes;          /* by node: the children touched, a bit each; most keep to leaves */
    uint64_t *nodes;         /* a bit for each node: touched */
    uint32_t leaf_count, place_count, border_count, node_count;
    uint32_t touched; /* leaves */
    bool is_all;      /* too many to tell */
} wi_moved_vertices;

/* Makes the lists, if there are none. False if there is no memory. */
bool wi_moved_vertices_make(wi_memory *memory, struct wi_tree *h);
/* There may be none. */
void wi_moved_vertices_free(wi_memory *memory, wi_moved_vertices *moved);
size_t wi_moved_vertices_bytes(const wi_moved_vertices *moved);

/* Marks what the vertex in this place concerns. */
void wi_moved_vertices_place(struct wi_tree *h, uint32_t place);

/* The same for leaves, and for the nodes that have them, but not for those above. These are touched
 * one by one, by who has changed a node; all is to be cleared afterwards, before others touch. */
void wi_moved_vertices_leaves_of(struct wi_tree *h, uint32_t place);
void wi_moved_vertices_parent(struct wi_tree *h, uint32_t node);

/* Nothing is touched any more. There may be no lists. */
void wi_moved_vertices_clear(wi_moved_vertices *moved);

/* The highest touched node below `node`, or UINT32_MAX: children come before their parents. */
uint32_t wi_moved_vertices_next(const wi_moved_vertices *moved, uint32_t node);

#endif
