/* loop_way.h - what makers of boundary loops have in common (boundary_loops.c, loop_edit.c): the
 * loop of one leaf alone, and edges in any order that become one closed way. */
#ifndef WI_TREE_SELF_LOOP_WAY_H
#define WI_TREE_SELF_LOOP_WAY_H

#include "base/check.h"
#include "tree/self/boundary_loops.h"

/* In the place of the leaf behind an edge: there is none; there are several triangles, or they
 * disagree about which side is up. */
#define WI_LOOP_BORDER UINT32_MAX
#define WI_LOOP_CROWDED (UINT32_MAX - 1)

typedef struct wi_loop_edge {
    uint32_t from, to; /* vertices */
    uint32_t leaf;
    uint32_t behind; /* a leaf, or one of the above */
} wi_loop_edge;

static inline uint32_t wi_loop_lower(const wi_loop_edge *e)
{
    return e->from < e->to ? e->from : e->to;
}

static inline uint32_t wi_loop_upper(const wi_loop_edge *e)
{
    return e->from < e->to ? e->to : e->from;
}

/* Most edges that one leaf may have on its loop. */
enum { WI_MOST_LEAF_EDGES = 3 * 32 };

/* Lists the edges of a leaf's triangles that no other of them has, and how many these are. */
uint32_t wi_loop_of_leaf(const struct wi_tree *h, uint32_t leaf, wi_loop_edge *out);

/* The edges of one loop, their vertices by number. */
typedef struct wi_loop_way {
    uint32_t vertices[WI_MAX_LOOP];
    uint8_t from[WI_MAX_LOOP], to[WI_MAX_LOOP];
    unsigned vertex_count, edge_count;
} wi_loop_way;

static inline void wi_loop_way_clear(wi_loop_way *way) { way->vertex_count = way->edge_count = 0; }

/* For one more edge. One place is for the end of the way. While edges come in any order, there may
 * be more vertices than edges. */
static inline bool wi_loop_way_has_room(const wi_loop_way *way)
{
    return way->edge_count + 1 < WI_MAX_LOOP && way->vertex_count + 2 <= WI_MAX_LOOP;
}

/* The number of a vertex that has none yet. */
static inline uint8_t wi_loop_way_add(wi_loop_way *way, uint32_t vertex)
{
    WI_ASSERT(way->vertex_count < WI_MAX_LOOP);
    way->vertices[way->vertex_count] = vertex;
    return (uint8_t)way->vertex_count++;
}

static inline void wi_loop_way_join(wi_loop_way *way, uint8_t from, uint8_t to)
{
    WI_ASSERT(way->edge_count < WI_MAX_LOOP);
    way->from[way->edge_count] = from;
    way->to[way->edge_count++] = to;
}

/* Leaves of a cluster, and those around it. */
typedef struct wi_loop_leaves {
    uint32_t own[WI_LANES], around[WI_MAX_AROUND];
    uint32_t own_count, around_count;
} wi_loop_leaves;

/* The loop of a cluster is this one, if its edges are one closed way; else there is none. There is
 * room (wi_loop_reserve). */
bool wi_loop_reserve(wi_memory *memory, wi_boundary_loops *loops);
void wi_loop_write(const struct wi_tree *h, uint32_t cluster, const wi_loop_leaves *leaves,
                   const wi_loop_way *way);

#endif
