/* boundary_loops.c - finds the leaves around each cluster and their loop.
 *
 * Way in: wi_boundary_loops_make, linear in what it lists. First the loop of each leaf alone: the
 * edges of its triangles that no other of its triangles has. Then the leaf behind each of these
 * edges, found among the edges that have the same lower vertex (or upper, if that is no hub). The
 * loop around a cluster is then what lies on the loop of one of the leaves and has none of them
 * behind it. As many of its edges begin at a vertex as end there, so they form closed ways, which
 * are joined where they meet (Hierholzer 1873). */
#include "tree/self/boundary_loops.h"

#include <limits.h>
#include <string.h>

#include "base/check.h"
#include "base/containers/runs.h"
#include "base/hash.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

/* In the place of the leaf behind an edge: there is none; there are several triangles, or they
 * disagree about which side is up. */
#define BORDER UINT32_MAX
#define CROWDED (UINT32_MAX - 1)

_Static_assert((int)WI_MAX_LOOP <= 256, "vertices of a loop have numbers of 8 bits");

typedef struct edge {
    uint32_t from, to; /* vertices */
    uint32_t leaf;
    uint32_t behind; /* a leaf, or one of the above */
} edge;

typedef struct loop_maker {
    const wi_tree *h;
    wi_boundary_loops *loops;
    WI_ARRAY(edge) edges; /* on the loops of leaves, leaf by leaf */
    uint32_t *first_edge; /* by leaf, and one more */
    uint32_t *bucket;     /* by vertex, and one more: in by_key */
    uint32_t *by_key;     /* edges by one of their vertices */
    uint32_t *first_tied; /* by leaf, and one more: in tied */
    uint32_t *tied;       /* the leaves that each one is tied to, earlier and later ones */
    uint32_t *seen_by;    /* by leaf: the cluster around which it was met last, and one */
    uint32_t *noted_by;   /* by vertex, likewise */
    uint8_t *number;      /* by vertex: its number in the loop of that cluster; before, 1: a hub */

    /* The loop at hand, its vertices by number. */
    uint32_t mark; /* the cluster, and one */
    uint32_t around[WI_MAX_AROUND], around_count;
    uint32_t vertices[WI_MAX_LOOP];
    uint8_t from[WI_MAX_LOOP], to[WI_MAX_LOOP];
    unsigned rim_vertices, rim_edges;
} loop_maker;

static uint32_t loops_lower_of(const edge *e) { return e->from < e->to ? e->from : e->to; }
static uint32_t loops_upper_of(const edge *e) { return e->from < e->to ? e->to : e->from; }

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

/* Lists the loop of one leaf. There is room. */
static void list_leaf_rim(loop_maker *m, uint32_t number)
{
    const wi_tree *h = m->h;
    const wi_leaf *leaf = &h->shape->leaves[number];
    const uint32_t *vertices = h->shape->leaf_vertices + leaf->first_vertex;
    edge_counts c;
    loops_count_edges(h, leaf, &c);
    for (unsigned tri = 0; tri < leaf->tri_count; tri++)
        for (int i = 0; i < 3; i++) {
            const uint8_t *corner = h->shape->corners[leaf->first_tri + tri];
            const unsigned from = corner[i], to = corner[(i + 1) % 3];
            const unsigned forth = c.times[from * c.vertex_count + to];
            const unsigned back = c.times[to * c.vertex_count + from];
            if (from == to || (forth == 1 && back == 1)) continue;
            m->edges.items[m->edges.count++] =
                (edge){vertices[from], vertices[to], number, forth + back == 1 ? BORDER : CROWDED};
        }
}

/* False if there is no memory. */
static bool list_leaf_rims(wi_memory *memory, loop_maker *m)
{
    enum { MOST = 3 * WI_MAX_LEAF_TRIS, USUAL = 14 };
    const uint32_t leaves = m->h->shape->leaf_count;
    if (!wi_array_reserve(memory, &m->edges, (size_t)USUAL * leaves)) return false;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        if (!wi_array_reserve(memory, &m->edges, m->edges.count + MOST)) return false;
        m->first_edge[leaf] = (uint32_t)m->edges.count;
        list_leaf_rim(m, leaf);
    }
    m->first_edge[leaves] = (uint32_t)m->edges.count;
    return true;
}

static void mark_hubs(loop_maker *m)
{
    const wi_hubs *hubs = &m->h->shape->self->shared.hubs;
    memset(m->number, 0, m->h->mesh->vertex_count * sizeof *m->number);
    for (uint32_t i = 0; i < hubs->count; i++) m->number[hubs->items[i].vertex] = 1;
}

/* Its lower vertex, unless very many edges have that: the same for both ways round. */
static uint32_t loops_key_of(const loop_maker *m, const edge *e)
{
    const uint32_t lower = loops_lower_of(e), upper = loops_upper_of(e);
    return m->number[lower] > m->number[upper] ? upper : lower;
}

static void sort_by_key(loop_maker *m)
{
    const size_t vertices = m->h->mesh->vertex_count;
    mark_hubs(m);
    memset(m->bucket, 0, (vertices + 1) * sizeof *m->bucket);
    for (uint32_t i = 0; i < m->edges.count; i++) m->bucket[loops_key_of(m, &m->edges.items[i])]++;
    wi_runs_end(m->bucket, vertices);
    for (uint32_t i = (uint32_t)m->edges.count; i-- > 0;)
        m->by_key[--m->bucket[loops_key_of(m, &m->edges.items[i])]] = i;
}

/* Finds what is behind each of the edges with the same key. */
static void match_bucket(loop_maker *m, const uint32_t *first, const uint32_t *last)
{
    for (const uint32_t *i = first; i < last; i++) {
        edge *e = &m->edges.items[*i];
        for (const uint32_t *k = first; k < last; k++) {
            const edge *other = &m->edges.items[*k];
            if (other == e || loops_upper_of(other) != loops_upper_of(e) ||
                loops_lower_of(other) != loops_lower_of(e))
                continue;
            e->behind = e->behind == BORDER && other->from == e->to ? other->leaf : CROWDED;
        }
    }
}

static void match_edges(loop_maker *m)
{
    sort_by_key(m);
    for (uint32_t vertex = 0; vertex < m->h->mesh->vertex_count; vertex++)
        match_bucket(m, m->by_key + m->bucket[vertex], m->by_key + m->bucket[vertex + 1]);
}

/* Ties both ways. */
static void list_tied(loop_maker *m)
{
    const wi_shared_vertices *kin = &m->h->shape->self->shared;
    const uint32_t leaves = m->h->shape->leaf_count;
    memset(m->first_tied, 0, ((size_t)leaves + 1) * sizeof *m->first_tied);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t i = kin->first_tie[leaf]; i < kin->first_tie[leaf + 1]; i++) {
            m->first_tied[leaf]++;
            m->first_tied[kin->ties.items[i].leaf]++;
        }
    wi_runs_end(m->first_tied, leaves);
    for (uint32_t leaf = leaves; leaf-- > 0;)
        for (uint32_t i = kin->first_tie[leaf + 1]; i-- > kin->first_tie[leaf];) {
            m->tied[--m->first_tied[leaf]] = kin->ties.items[i].leaf;
            m->tied[--m->first_tied[kin->ties.items[i].leaf]] = leaf;
        }
}

/* The number of a vertex in the loop at hand. There is room. */
static uint8_t number_vertex(loop_maker *m, uint32_t vertex)
{
    if (m->noted_by[vertex] != m->mark) {
        m->noted_by[vertex] = m->mark;
        WI_ASSERT(m->rim_vertices < WI_MAX_LOOP);
        m->number[vertex] = (uint8_t)m->rim_vertices;
        m->vertices[m->rim_vertices++] = vertex;
    }
    return m->number[vertex];
}

/* For one more edge. One place is for the end of the way. While edges come in any order, there may
 * be more vertices than edges. */
static bool has_room(const loop_maker *m)
{
    return m->rim_edges + 1 < WI_MAX_LOOP && m->rim_vertices + 2 <= WI_MAX_LOOP;
}

/* Adds what one of the leaves has on the loop; false if the cluster gets none. */
static bool add_part(loop_maker *m, uint32_t leaf, bool is_own)
{
    for (uint32_t i = m->first_edge[leaf]; i < m->first_edge[leaf + 1]; i++) {
        const edge *e = &m->edges.items[i];
        if (e->behind == CROWDED) return false;
        if (e->behind != BORDER && m->seen_by[e->behind] == m->mark) continue;
        /* The cluster itself is on the loop: it is at the border of the surface. */
        if (is_own || !has_room(m)) return false;
        m->from[m->rim_edges] = number_vertex(m, e->from);
        m->to[m->rim_edges++] = number_vertex(m, e->to);
    }
    return true;
}

/* Lists the leaves that those of the cluster are tied to; false if there are too many. */
static bool list_around(loop_maker *m, const wi_boundary_loop *loop)
{
    const uint32_t end = loop->first_own + loop->own_count;
    m->around_count = 0;
    for (uint32_t leaf = loop->first_own; leaf < end; leaf++) m->seen_by[leaf] = m->mark;
    for (uint32_t leaf = loop->first_own; leaf < end; leaf++)
        for (uint32_t i = m->first_tied[leaf]; i < m->first_tied[leaf + 1]; i++) {
            if (m->seen_by[m->tied[i]] == m->mark) continue;
            if (m->around_count == WI_MAX_AROUND) return false;
            m->seen_by[m->tied[i]] = m->mark;
            m->around[m->around_count++] = m->tied[i];
        }
    return true;
}

/* Not all leaves around a hub are tied to each other, so that it would be on the loop. */
static bool has_hub(const loop_maker *m, const wi_boundary_loop *loop)
{
    const wi_hubs *hubs = &m->h->shape->self->shared.hubs;
    for (uint32_t i = 0; hubs->items && i < loop->own_count; i++)
        if (wi_hubs_has_leaf(hubs, loop->first_own + i)) return true;
    return false;
}

/* Lists the edges of the loop at hand; false if the cluster gets none. */
static bool list_rim(loop_maker *m, const wi_boundary_loop *loop)
{
    m->rim_vertices = m->rim_edges = 0;
    if (has_hub(m, loop) || !list_around(m, loop)) return false;
    for (uint32_t i = 0; i < loop->own_count; i++)
        if (!add_part(m, loop->first_own + i, true)) return false;
    for (uint32_t i = 0; i < m->around_count; i++)
        if (!add_part(m, m->around[i], false)) return false;
    return m->rim_edges > 0;
}

/* Lists the edges that begin at each vertex: from `first`, then `next`, ended by WI_MAX_LOOP. */
static void list_edges_from(const loop_maker *m, uint16_t *first, uint16_t *next)
{
    for (unsigned i = 0; i < m->rim_vertices; i++) first[i] = WI_MAX_LOOP;
    for (unsigned i = m->rim_edges; i-- > 0;) {
        next[i] = first[m->from[i]];
        first[m->from[i]] = (uint16_t)i;
    }
}

/* Goes on from vertex to vertex while there are edges, and writes the way from its end on, where it
 * can go no further; returns its length, which is one more than the edges if it has all of them. */
static unsigned find_way(const loop_maker *m, uint8_t *way)
{
    uint16_t first[WI_MAX_LOOP], next[WI_MAX_LOOP];
    uint8_t stack[WI_MAX_LOOP];
    unsigned height = 1, length = 0;
    list_edges_from(m, first, next);
    stack[0] = m->from[0];
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
            stack[height++] = m->to[edge_from];
        }
    }
    return length;
}

/* There is room. */
static void write_way(loop_maker *m, wi_boundary_loop *loop, const uint8_t *way, unsigned length)
{
    wi_boundary_loops *loops = m->loops;
    WI_ASSERT(length > 0 && length <= WI_MAX_LOOP);
    loop->vertex_count = (uint16_t)((length + WI_LANES - 1) / WI_LANES * WI_LANES);
    WI_ASSERT(loops->vertices.count + loop->vertex_count <= loops->vertices.capacity);
    for (unsigned i = 0; i < loop->vertex_count; i++) {
        const uint8_t number = i < length ? way[length - 1 - i] : way[0];
        loops->vertices.items[loops->vertices.count++] =
            wi_mesh_spot(m->h->mesh, m->vertices[number]);
    }
}

/* Of a cluster with these leaves; empty if it gets none. There is room. */
static void find_rim(loop_maker *m, uint32_t cluster, uint32_t first_own, unsigned own_count)
{
    wi_boundary_loops *loops = m->loops;
    wi_boundary_loop loop = {.first_around = loops->around.count,
                             .first_vertex = loops->vertices.count,
                             .first_own = first_own,
                             .own_count = (uint16_t)own_count};
    uint8_t way[WI_MAX_LOOP];
    WI_ASSERT(cluster < loops->cluster_count && own_count <= WI_LANES);
    loops->items[cluster] = (wi_boundary_loop){0};
    m->mark = cluster + 1;
    if (!list_rim(m, &loop)) return;
    const unsigned length = find_way(m, way);
    if (length != m->rim_edges + 1) return; /* several ways that do not meet */
    loop.around_count = (uint16_t)m->around_count;
    for (uint32_t i = 0; i < m->around_count; i++)
        loops->around.items[loops->around.count++] = m->around[i];
    write_way(m, &loop, way, length);
    loops->items[cluster] = loop;
}

static bool reserve_rim(wi_memory *memory, wi_boundary_loops *loops)
{
    return wi_array_reserve(memory, &loops->around, loops->around.count + WI_MAX_AROUND) &&
           wi_array_reserve(memory, &loops->vertices, loops->vertices.count + WI_MAX_LOOP);
}

/* A node with other nodes below it has no leaves of its own as a cluster, and so gets no loop.
 * False if there is no memory. */
static bool find_rims(wi_memory *memory, loop_maker *m)
{
    enum { USUAL_AROUND = 10, USUAL_RIM = 60 }; /* for each leaf */
    const wi_tree *h = m->h;
    if (!wi_array_reserve(memory, &m->loops->around, (size_t)USUAL_AROUND * h->shape->leaf_count) ||
        !wi_array_reserve(memory, &m->loops->vertices, (size_t)USUAL_RIM * h->shape->leaf_count))
        return false;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        if (!reserve_rim(memory, m->loops)) return false;
        find_rim(m, leaf, leaf, 1);
    }
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        const bool has_only_leaves = view->leaf_mask == (1U << view->count) - 1;
        if (!reserve_rim(memory, m->loops)) return false;
        /* Its leaves follow each other (I2). */
        find_rim(m, h->shape->leaf_count + node, view->child[0], has_only_leaves ? view->count : 0);
        for (unsigned leaves = view->leaf_mask; leaves != 0; leaves &= leaves - 1)
            m->loops->nodes[view->child[__builtin_ctz(leaves)]] = h->shape->leaf_count + node;
    }
    return true;
}

static bool loops_take_working(wi_memory *memory, wi_workspace *workspace, loop_maker *m)
{
    const size_t leaves = (size_t)m->h->shape->leaf_count + 1,
                 tied = 2 * m->h->shape->self->shared.ties.count;
    const size_t vertices = (size_t)m->h->mesh->vertex_count + 1, edges = m->edges.count;
    const size_t size = 2 * wi_workspace_size(leaves, sizeof(uint32_t)) +
                        wi_workspace_size(edges, sizeof *m->by_key) +
                        wi_workspace_size(tied, sizeof *m->tied) +
                        2 * wi_workspace_size(vertices, sizeof(uint32_t)) +
                        wi_workspace_size(vertices, sizeof *m->number);
    if (!wi_workspace_reserve(memory, workspace, size)) return false;
    m->first_tied = wi_workspace_take(workspace, leaves, sizeof *m->first_tied);
    m->seen_by = wi_workspace_take(workspace, leaves, sizeof *m->seen_by);
    m->by_key = wi_workspace_take(workspace, edges, sizeof *m->by_key);
    m->tied = wi_workspace_take(workspace, tied, sizeof *m->tied);
    m->bucket = wi_workspace_take(workspace, vertices, sizeof *m->bucket);
    m->noted_by = wi_workspace_take(workspace, vertices, sizeof *m->noted_by);
    m->number = wi_workspace_take(workspace, vertices, sizeof *m->number);
    memset(m->seen_by, 0, leaves * sizeof *m->seen_by);
    memset(m->noted_by, 0, vertices * sizeof *m->noted_by);
    return true;
}

static bool loops_make(wi_memory *memory, wi_workspace *workspace, loop_maker *m)
{
    if (!list_leaf_rims(memory, m) || !loops_take_working(memory, workspace, m)) return false;
    match_edges(m);
    list_tied(m);
    return find_rims(memory, m);
}

bool wi_boundary_loops_make(wi_memory *memory, wi_workspace *workspace, wi_tree *h)
{
    wi_boundary_loops *loops = &h->shape->self->loops;
    const size_t leaves = h->shape->leaf_count;
    wi_boundary_loops_free(memory, loops);
    loop_maker m = {.h = h, .loops = loops};
    loops->leaf_count = h->shape->leaf_count;
    loops->cluster_count = h->shape->leaf_count + h->shape->node_count;
    loops->items = wi_alloc_array(memory, loops->cluster_count, sizeof *loops->items);
    loops->nodes = wi_alloc_array(memory, leaves, sizeof *loops->nodes);
    m.first_edge = wi_alloc_array(memory, leaves + 1, sizeof *m.first_edge);
    const bool ok =
        loops->items && loops->nodes && m.first_edge && loops_make(memory, workspace, &m);
    wi_free_array(memory, m.first_edge, leaves + 1, sizeof *m.first_edge);
    wi_array_free(memory, &m.edges);
    if (!ok) wi_boundary_loops_free(memory, loops);
    return ok;
}

void wi_boundary_loops_free(wi_memory *memory, wi_boundary_loops *loops)
{
    wi_free_array(memory, loops->items, loops->cluster_count, sizeof *loops->items);
    wi_free_array(memory, loops->nodes, loops->leaf_count, sizeof *loops->nodes);
    wi_array_free(memory, &loops->around);
    wi_array_free(memory, &loops->vertices);
    *loops = (wi_boundary_loops){0};
}

size_t wi_boundary_loops_bytes(const wi_boundary_loops *loops)
{
    return loops->cluster_count * sizeof *loops->items + loops->leaf_count * sizeof *loops->nodes +
           loops->around.capacity * sizeof *loops->around.items +
           loops->vertices.capacity * sizeof *loops->vertices.items;
}

/* An edge of a triangle, by where the triangle is. */
typedef struct occurrence {
    unsigned leaf, tri, side;
    wi_spot from, to;
} occurrence;

/* Goes on to the next edge of the triangles of some leaves; false if there is none. */
static bool next_edge(const wi_tree *h, const uint32_t *leaves, unsigned count, occurrence *at)
{
    if (++at->side > 2) at->side = 0, at->tri++;
    if (at->leaf < count && at->tri >= h->shape->leaves[leaves[at->leaf]].tri_count)
        at->tri = 0, at->leaf++;
    if (at->leaf >= count) return false;
    const uint32_t slot = h->shape->slots[h->shape->leaves[leaves[at->leaf]].first_tri + at->tri];
    at->from = wi_mesh_spot(h->mesh, h->mesh->tris[slot][at->side]);
    at->to = wi_mesh_spot(h->mesh, h->mesh->tris[slot][(at->side + 1) % 3]);
    return true;
}

static const occurrence before_all = {.side = UINT_MAX};

/* How often an edge is there, less the other way round. */
static int count_edge(const wi_tree *h, const uint32_t *leaves, unsigned count, wi_spot from,
                      wi_spot to)
{
    occurrence at = before_all;
    int times = 0;
    while (next_edge(h, leaves, count, &at))
        times += (at.from == from && at.to == to) - (at.from == to && at.to == from);
    return times;
}

/* A number for an edge, and its negative for the other way round: of edges that occur both ways the
 * sum is 0. */
static uint64_t loops_number_of(wi_spot from, wi_spot to)
{
    const uint64_t low = from < to ? from : to, high = from < to ? to : from;
    const uint64_t number = wi_hash_u64(wi_hash_u64(WI_HASH_START, low), high);
    return from < to ? number : 0 - number;
}

static uint64_t sum_all(const wi_tree *h, const uint32_t *leaves, unsigned count)
{
    occurrence at = before_all;
    uint64_t sum = 0;
    while (next_edge(h, leaves, count, &at))
        if (at.from != at.to) sum += loops_number_of(at.from, at.to);
    return sum;
}

static const char *validate_rim(const wi_tree *h, const wi_boundary_loop *loop)
{
    const wi_boundary_loops *loops = &h->shape->self->loops;
    const wi_spot *way = loops->vertices.items + loop->first_vertex;
    uint32_t leaves[WI_LANES + WI_MAX_AROUND];
    unsigned count = 0;
    uint64_t sum = 0;
    while (count < loop->own_count) leaves[count] = loop->first_own + count, count++;
    memcpy(leaves + count, loops->around.items + loop->first_around,
           loop->around_count * sizeof *leaves);
    count += loop->around_count;
    if (way[loop->vertex_count - 1] != way[0]) return "I14: a loop is not closed";
    for (unsigned i = 0; i + 1 < loop->vertex_count; i++) {
        if (way[i] == way[i + 1]) continue; /* the end */
        if (count_edge(h, leaves, count, way[i], way[i + 1]) != 1)
            return "I14: an edge is on a loop where it is none";
        sum += loops_number_of(way[i], way[i + 1]);
    }
    return sum_all(h, leaves, count) == sum ? NULL : "I14: an edge of a loop is missing";
}

const char *wi_boundary_loops_validate(const wi_tree *h)
{
    const uint32_t step = h->shape->self->loops.cluster_count / WI_LOOPS_SAMPLED + 1;
    for (uint32_t cluster = 0; cluster < h->shape->self->loops.cluster_count; cluster += step) {
        const wi_boundary_loop *loop = &h->shape->self->loops.items[cluster];
        const char *broken = loop->vertex_count > 0 ? validate_rim(h, loop) : NULL;
        if (broken) return broken;
    }
    return NULL;
}
