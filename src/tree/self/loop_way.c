/* loop_way.c - the loop of a leaf alone, and edges that become one closed way. As many of them
 * begin at a vertex as end there, so they form closed ways, which are joined where they meet
 * (Hierholzer 1873). */
#include "tree/self/loop_way.h"

#include <string.h>

#include "base/check.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

_Static_assert((int)WI_MAX_LOOP <= 256, "vertices of a loop have numbers of 8 bits");
_Static_assert((int)WI_MOST_LEAF_EDGES >= 3 * (int)WI_MAX_LEAF_TRIS, "there is room for a leaf");

/* How often the triangles of a leaf have an edge, by its vertices there. */
typedef struct edge_counts {
    unsigned vertex_count;
    uint8_t times[WI_MAX_LEAF_VERTICES * WI_MAX_LEAF_VERTICES];
} edge_counts;

_Static_assert(3 * (int)WI_MAX_LEAF_TRIS <= UINT8_MAX, "an edge is counted in 8 bits");

static void loops_count_edges(const wi_tree *h, const wi_leaf *leaf, edge_counts *c)
{
    const unsigned n = c->vertex_count = leaf->vertex_count;
    WI_ASSERT(n <= WI_MAX_LEAF_VERTICES && leaf->tri_count <= WI_MAX_LEAF_TRIS);
    memset(c->times, 0, (size_t)n * n);
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++) {
            const uint8_t *corner = h->shape->corners[leaf->first_tri + tri];
            c->times[corner[i] * n + corner[(i + 1) % 3]]++;
        }
}

uint32_t wi_loop_of_leaf(const wi_tree *h, uint32_t number, wi_loop_edge *out)
{
    const wi_leaf *leaf = &h->shape->leaves[number];
    const uint32_t *vertices = h->shape->leaf_vertices + leaf->first_vertex;
    edge_counts c;
    uint32_t count = 0;
    loops_count_edges(h, leaf, &c);
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++) {
            const uint8_t *corner = h->shape->corners[leaf->first_tri + tri];
            const unsigned from = corner[i], to = corner[(i + 1) % 3];
            const unsigned forth = c.times[from * c.vertex_count + to];
            const unsigned back = c.times[to * c.vertex_count + from];
            if (from == to || (forth == 1 && back == 1)) continue;
            out[count++] = (wi_loop_edge){vertices[from], vertices[to], number,
                                          forth + back == 1 ? WI_LOOP_BORDER : WI_LOOP_CROWDED};
        }
    return count;
}

/* ---- one closed way ---- */

/* Lists the edges that begin at each vertex: from `first`, then `next`, ended by WI_MAX_LOOP. */
static void list_edges_from(const wi_loop_way *loop, uint16_t *first, uint16_t *next)
{
    for (unsigned i = 0; i < loop->vertex_count; i++) first[i] = WI_MAX_LOOP;
    for (unsigned i = loop->edge_count; i-- > 0;) {
        next[i] = first[loop->from[i]];
        first[loop->from[i]] = (uint16_t)i;
    }
}

/* Goes on from vertex to vertex while there are edges, and writes the way from its end on, where it
 * can go no further; returns its length, which is one more than the edges if it has all of them. */
static unsigned find_way(const wi_loop_way *loop, uint8_t *way)
{
    uint16_t first[WI_MAX_LOOP], next[WI_MAX_LOOP];
    uint8_t stack[WI_MAX_LOOP];
    unsigned height = 1, length = 0;
    list_edges_from(loop, first, next);
    stack[0] = loop->from[0];
    while (height > 0) {
        const uint8_t at = stack[height - 1];
        const uint16_t edge_from = first[at];
        if (edge_from == WI_MAX_LOOP) {
            WI_ASSERT(length < WI_MAX_LOOP);
            way[length++] = at;
            height--;
        } else {
            first[at] = next[edge_from];
            WI_ASSERT(height < WI_MAX_LOOP); /* each edge is gone along once */
            stack[height++] = loop->to[edge_from];
        }
    }
    return length;
}

bool wi_loop_reserve(wi_memory *memory, wi_boundary_loops *loops)
{
    return wi_array_reserve(memory, &loops->around,
                            loops->around.count + WI_LANES + WI_MAX_AROUND) &&
           wi_array_reserve(memory, &loops->vertices, loops->vertices.count + WI_MAX_LOOP);
}

static void write_leaves(wi_boundary_loops *loops, const uint32_t *leaves, uint32_t count)
{
    WI_ASSERT(loops->around.count + count <= loops->around.capacity);
    for (uint32_t i = 0; i < count; i++) loops->around.items[loops->around.count++] = leaves[i];
}

void wi_loop_write(const wi_tree *h, uint32_t cluster, const wi_loop_leaves *leaves,
                   const wi_loop_way *from)
{
    wi_boundary_loops *loops = &h->shape->self->loops;
    uint8_t way[WI_MAX_LOOP];
    wi_boundary_loop loop = {.first_around = loops->around.count,
                             .first_vertex = loops->vertices.count,
                             .own_count = (uint16_t)leaves->own_count,
                             .around_count = (uint16_t)leaves->around_count};
    const unsigned length = find_way(from, way);
    if (length != from->edge_count + 1) return; /* several ways that do not meet */
    loop.vertex_count = (uint16_t)((length + WI_LANES - 1) / WI_LANES * WI_LANES);
    WI_ASSERT(loops->vertices.count + loop.vertex_count <= loops->vertices.capacity);
    for (unsigned i = 0; i < loop.vertex_count; i++) {
        const uint8_t number = i < length ? way[length - 1 - i] : way[0];
        loops->vertices.items[loops->vertices.count++] =
            wi_mesh_spot(h->mesh, from->vertices[number]);
    }
    write_leaves(loops, leaves->own, leaves->own_count);
    write_leaves(loops, leaves->around, leaves->around_count);
    loops->items[cluster] = loop;
}
