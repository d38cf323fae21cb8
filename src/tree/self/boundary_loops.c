/* boundary_loops.c - finds the leaves around each cluster and their loop.
 *
 * Way in: wi_boundary_loops_make, linear in what it lists. First the loop of each leaf alone: the
 * edges of its triangles that no other of its triangles has. Then the leaf behind each of these
 * edges, found among the edges that have the same lower vertex (or upper, if that is no hub). The
 * loop around a cluster is then what lies on the loop of one of the leaves and has none of them
 * behind it. */
#include "tree/self/boundary_loops.h"

#include <limits.h>
#include <string.h>

#include "base/check.h"
#include "base/containers/runs.h"
#include "base/hash.h"
#include "tree/self/loop_way.h"
#include "tree/self/self_lists.h"
#include "tree/tree.h"

typedef struct loop_maker {
    const wi_tree *h;
    wi_boundary_loops *loops;
    WI_ARRAY(wi_loop_edge) edges; /* on the loops of leaves, leaf by leaf */
    uint32_t *first_edge;         /* by leaf, and one more */
    uint32_t *bucket;             /* by vertex, and one more: in by_key */
    uint32_t *by_key;             /* edges by one of their vertices */
    uint32_t *first_tied;         /* by leaf, and one more: in tied */
    uint32_t *tied;               /* the leaves that each one is tied to, earlier and later ones */
    uint32_t *seen_by;            /* by leaf: the cluster around which it was met last, and one */
    uint32_t *noted_by;           /* by vertex, likewise */
    uint8_t *number; /* by vertex: its number in the loop of that cluster; before, 1: a hub */

    uint32_t mark; /* the cluster at hand, and one */
    wi_loop_leaves leaves;
    wi_loop_way way;
} loop_maker;

/* False if there is no memory. */
static bool list_leaf_rims(wi_memory *memory, loop_maker *m)
{
    enum { MOST = 3 * WI_MAX_LEAF_TRIS, USUAL = 14 };
    const uint32_t leaves = m->h->shape->leaf_count;
    if (!wi_array_reserve(memory, &m->edges, (size_t)USUAL * leaves)) return false;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        if (!wi_array_reserve(memory, &m->edges, m->edges.count + MOST)) return false;
        m->first_edge[leaf] = (uint32_t)m->edges.count;
        m->edges.count += wi_loop_of_leaf(m->h, leaf, m->edges.items + m->edges.count);
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
static uint32_t loops_key_of(const loop_maker *m, const wi_loop_edge *e)
{
    const uint32_t lower = wi_loop_lower(e), upper = wi_loop_upper(e);
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
        wi_loop_edge *e = &m->edges.items[*i];
        for (const uint32_t *k = first; k < last; k++) {
            const wi_loop_edge *other = &m->edges.items[*k];
            if (other == e || wi_loop_upper(other) != wi_loop_upper(e) ||
                wi_loop_lower(other) != wi_loop_lower(e))
                continue;
            e->behind =
                e->behind == WI_LOOP_BORDER && other->from == e->to ? other->leaf : WI_LOOP_CROWDED;
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
        m->number[vertex] = wi_loop_way_add(&m->way, vertex);
    }
    return m->number[vertex];
}

/* Adds what one of the leaves has on the loop; false if the cluster gets none. */
static bool add_part(loop_maker *m, uint32_t leaf, bool is_own)
{
    for (uint32_t i = m->first_edge[leaf]; i < m->first_edge[leaf + 1]; i++) {
        const wi_loop_edge *e = &m->edges.items[i];
        if (e->behind == WI_LOOP_CROWDED) return false;
        if (e->behind != WI_LOOP_BORDER && m->seen_by[e->behind] == m->mark) continue;
        /* The cluster itself is on the loop: it is at the border of the surface. */
        if (is_own || !wi_loop_way_has_room(&m->way)) return false;
        const uint8_t from = number_vertex(m, e->from);
        wi_loop_way_join(&m->way, from, number_vertex(m, e->to));
    }
    return true;
}

/* Lists the leaves that those of the cluster are tied to; false if there are too many. */
static bool list_around(loop_maker *m)
{
    wi_loop_leaves *leaves = &m->leaves;
    leaves->around_count = 0;
    for (uint32_t i = 0; i < leaves->own_count; i++) m->seen_by[leaves->own[i]] = m->mark;
    for (uint32_t i = 0; i < leaves->own_count; i++) {
        const uint32_t leaf = leaves->own[i];
        for (uint32_t k = m->first_tied[leaf]; k < m->first_tied[leaf + 1]; k++) {
            if (m->seen_by[m->tied[k]] == m->mark) continue;
            if (leaves->around_count == WI_MAX_AROUND) return false;
            m->seen_by[m->tied[k]] = m->mark;
            leaves->around[leaves->around_count++] = m->tied[k];
        }
    }
    return true;
}

/* Not all leaves around a hub are tied to each other, so that it would be on the loop. */
static bool has_hub(const loop_maker *m)
{
    const wi_hubs *hubs = &m->h->shape->self->shared.hubs;
    for (uint32_t i = 0; hubs->items && i < m->leaves.own_count; i++)
        if (wi_hubs_has_leaf(hubs, m->leaves.own[i])) return true;
    return false;
}

/* Lists the edges of the loop at hand; false if the cluster gets none. */
static bool list_rim(loop_maker *m)
{
    const wi_loop_leaves *leaves = &m->leaves;
    wi_loop_way_clear(&m->way);
    if (has_hub(m) || !list_around(m)) return false;
    for (uint32_t i = 0; i < leaves->own_count; i++)
        if (!add_part(m, leaves->own[i], true)) return false;
    for (uint32_t i = 0; i < leaves->around_count; i++)
        if (!add_part(m, leaves->around[i], false)) return false;
    return m->way.edge_count > 0;
}

/* Of a cluster with these leaves, which follow each other; empty if it gets none. There is room. */
static void find_rim(loop_maker *m, uint32_t cluster, uint32_t first_own, unsigned own_count)
{
    WI_ASSERT(cluster < m->loops->cluster_count && own_count <= WI_LANES);
    m->loops->items[cluster] = (wi_boundary_loop){0};
    m->mark = cluster + 1;
    m->leaves.own_count = own_count;
    for (unsigned i = 0; i < own_count; i++) m->leaves.own[i] = first_own + i;
    if (list_rim(m)) wi_loop_write(m->h, cluster, &m->leaves, &m->way);
}

/* A node with other nodes below it has no leaves of its own as a cluster, and so gets no loop.
 * False if there is no memory. */
static bool find_rims(wi_memory *memory, loop_maker *m)
{
    enum { USUAL_AROUND = 12, USUAL_RIM = 60 }; /* for each leaf */
    const wi_tree *h = m->h;
    if (!wi_array_reserve(memory, &m->loops->around, (size_t)USUAL_AROUND * h->shape->leaf_count) ||
        !wi_array_reserve(memory, &m->loops->vertices, (size_t)USUAL_RIM * h->shape->leaf_count))
        return false;
    for (uint32_t leaf = 0; leaf < h->shape->leaf_count; leaf++) {
        if (!wi_loop_reserve(memory, m->loops)) return false;
        find_rim(m, leaf, leaf, 1);
    }
    for (uint32_t node = 0; node < h->shape->node_count; node++) {
        const wi_node *view = &h->boxes.nodes[node];
        const bool has_only_leaves = view->leaf_mask == (1U << view->count) - 1;
        if (!wi_loop_reserve(memory, m->loops)) return false;
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
    while (count < (unsigned)loop->own_count + loop->around_count) {
        leaves[count] = loops->around.items[loop->first_around + count];
        count++;
    }
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
