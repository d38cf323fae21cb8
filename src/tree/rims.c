/* rims.c - finds the leaves around each leaf and their rim.
 *
 * Way in: wi_rims_make, linear in what it lists. First the rim of each leaf alone: the edges of its
 * triangles that no other of its triangles has. Then the leaf behind each of these edges, found
 * among the edges that have the same lower vertex. The rim around a leaf is then what lies on the
 * rim of one of the leaves and has none of them behind it. As many of its edges begin at a vertex
 * as end there, so they form closed ways, which are joined where they meet (Hierholzer 1873). */
#include "tree/rims.h"

#include <string.h>

#include "tree/hierarchy.h"

/* In the place of the leaf behind an edge: there is none; there are several triangles, or they
 * disagree about which side is up. */
#define BORDER UINT32_MAX
#define CROWDED (UINT32_MAX - 1)

typedef struct edge {
    uint32_t from, to; /* vertices */
    uint32_t leaf;
    uint32_t behind; /* a leaf, or one of the above */
} edge;

typedef struct rim_maker {
    const wi_hierarchy *h;
    wi_rims *rims;
    edge *edges;          /* on the rims of leaves, leaf by leaf */
    uint32_t *first_edge; /* by leaf, and one more */
    uint32_t *bucket;     /* by vertex, and one more: in by_lower */
    uint32_t *by_lower;   /* edges by their lower vertex */
    uint32_t *first_tied; /* by leaf, and one more: in tied */
    uint32_t *tied;       /* the leaves that each one is tied to, earlier and later ones */
    uint32_t *seen_by;    /* by leaf: the leaf around which it was met last, and one */
    uint32_t *noted_by;   /* by vertex, likewise */
    uint8_t *number;      /* by vertex: its number in the rim of that leaf */
    uint32_t edge_count;

    /* The rim at hand, its vertices by number. */
    uint32_t vertices[WI_MAX_RIM];
    uint8_t from[WI_MAX_RIM], to[WI_MAX_RIM];
    unsigned rim_vertices, rim_edges;
} rim_maker;

static uint32_t lower_of(const edge *e) { return e->from < e->to ? e->from : e->to; }
static uint32_t upper_of(const edge *e) { return e->from < e->to ? e->to : e->from; }

/* Lists the rim of one leaf, or counts it where `out` is NULL. */
static uint32_t list_leaf_rim(const wi_hierarchy *h, uint32_t number, edge *out)
{
    const wi_leaf *leaf = &h->leaves[number];
    const uint32_t *vertices = h->leaf_vertices + leaf->first_vertex;
    const unsigned n = leaf->vertex_count;
    uint8_t times[WI_MAX_LEAF_VERTICES * WI_MAX_LEAF_VERTICES]; /* by from * n + to */
    uint32_t count = 0;
    memset(times, 0, (size_t)n * n);
    for (int is_listing = 0; is_listing < 2; is_listing++)
        for (unsigned tri = 0; tri < leaf->tri_count; tri++)
            for (int i = 0; i < 3; i++) {
                const uint8_t *corner = h->corners[leaf->first_tri + tri];
                const unsigned from = corner[i], to = corner[(i + 1) % 3];
                if (from == to) continue;
                if (!is_listing) {
                    times[from * n + to]++;
                    continue;
                }
                const unsigned forth = times[from * n + to], back = times[to * n + from];
                if (forth == 1 && back == 1) continue;
                if (out)
                    out[count] = (edge){vertices[from], vertices[to], number,
                                        forth == 1 && back == 0 ? BORDER : CROWDED};
                count++;
            }
    return count;
}

static void sort_by_lower(rim_maker *m)
{
    const size_t vertices = m->h->mesh->vertex_count;
    memset(m->bucket, 0, (vertices + 1) * sizeof *m->bucket);
    for (uint32_t i = 0; i < m->edge_count; i++) m->bucket[lower_of(&m->edges[i])]++;
    for (size_t vertex = 1; vertex <= vertices; vertex++)
        m->bucket[vertex] += m->bucket[vertex - 1];
    for (uint32_t i = m->edge_count; i-- > 0;) m->by_lower[--m->bucket[lower_of(&m->edges[i])]] = i;
}

/* Finds what is behind each of the edges with the same lower vertex. */
static void match_bucket(rim_maker *m, const uint32_t *first, const uint32_t *last)
{
    for (const uint32_t *i = first; i < last; i++) {
        edge *e = &m->edges[*i];
        for (const uint32_t *k = first; k < last; k++) {
            const edge *other = &m->edges[*k];
            if (other == e || upper_of(other) != upper_of(e)) continue;
            e->behind = e->behind == BORDER && other->from == e->to ? other->leaf : CROWDED;
        }
    }
}

static void match_edges(rim_maker *m)
{
    sort_by_lower(m);
    for (uint32_t vertex = 0; vertex < m->h->mesh->vertex_count; vertex++)
        match_bucket(m, m->by_lower + m->bucket[vertex], m->by_lower + m->bucket[vertex + 1]);
}

/* Ties both ways. */
static void list_tied(rim_maker *m)
{
    const wi_kin *kin = &m->h->kin;
    const uint32_t leaves = m->h->leaf_count;
    memset(m->first_tied, 0, ((size_t)leaves + 1) * sizeof *m->first_tied);
    for (uint32_t leaf = 0; leaf < leaves; leaf++)
        for (uint32_t i = kin->first_tie[leaf]; i < kin->first_tie[leaf + 1]; i++) {
            m->first_tied[leaf]++;
            m->first_tied[kin->ties[i].leaf]++;
        }
    for (uint32_t leaf = 1; leaf <= leaves; leaf++) m->first_tied[leaf] += m->first_tied[leaf - 1];
    for (uint32_t leaf = leaves; leaf-- > 0;)
        for (uint32_t i = kin->first_tie[leaf + 1]; i-- > kin->first_tie[leaf];) {
            m->tied[--m->first_tied[leaf]] = kin->ties[i].leaf;
            m->tied[--m->first_tied[kin->ties[i].leaf]] = leaf;
        }
}

/* The number of a vertex in the rim at hand. There is room. */
static uint8_t number_vertex(rim_maker *m, uint32_t leaf, uint32_t vertex)
{
    if (m->noted_by[vertex] != leaf + 1) {
        m->noted_by[vertex] = leaf + 1;
        m->number[vertex] = (uint8_t)m->rim_vertices;
        m->vertices[m->rim_vertices++] = vertex;
    }
    return m->number[vertex];
}

/* Adds what one of the leaves around has on the rim; false if the leaf at hand gets none. */
static bool add_part(rim_maker *m, uint32_t leaf, uint32_t part)
{
    for (uint32_t i = m->first_edge[part]; i < m->first_edge[part + 1]; i++) {
        const edge *e = &m->edges[i];
        if (e->behind == CROWDED) return false;
        if (e->behind != BORDER && m->seen_by[e->behind] == leaf + 1) continue;
        /* The leaf itself is on the rim: it is at the border of the surface. Of a closed way there
         * are no more vertices than edges, and one place is for its end. */
        if (part == leaf || m->rim_edges + 1 == WI_MAX_RIM) return false;
        m->from[m->rim_edges] = number_vertex(m, leaf, e->from);
        m->to[m->rim_edges++] = number_vertex(m, leaf, e->to);
    }
    return true;
}

/* Lists the edges that begin at each vertex: from `first`, then `next`, ended by WI_MAX_RIM. */
static void list_edges_from(const rim_maker *m, uint16_t *first, uint16_t *next)
{
    for (unsigned i = 0; i < m->rim_vertices; i++) first[i] = WI_MAX_RIM;
    for (unsigned i = m->rim_edges; i-- > 0;) {
        next[i] = first[m->from[i]];
        first[m->from[i]] = (uint16_t)i;
    }
}

/* Goes on from vertex to vertex while there are edges, and writes the way from its end on, where it
 * can go no further; returns its length, which is one more than the edges if it has all of them. */
static unsigned find_way(const rim_maker *m, uint8_t *way)
{
    uint16_t first[WI_MAX_RIM], next[WI_MAX_RIM];
    uint8_t stack[WI_MAX_RIM];
    unsigned height = 1, length = 0;
    list_edges_from(m, first, next);
    stack[0] = m->from[0];
    while (height > 0) {
        const uint8_t at = stack[height - 1];
        const uint16_t edge_from = first[at];
        if (edge_from == WI_MAX_RIM) {
            way[length++] = at;
            height--;
        } else {
            first[at] = next[edge_from];
            stack[height++] = m->to[edge_from];
        }
    }
    return length;
}

/* There is room. */
static void write_way(rim_maker *m, wi_rim *rim, const uint8_t *way, unsigned length)
{
    wi_rims *rims = m->rims;
    rim->vertex_count = (uint16_t)((length + WI_LANES - 1) / WI_LANES * WI_LANES);
    for (unsigned i = 0; i < rim->vertex_count; i++) {
        const uint8_t number = i < length ? way[length - 1 - i] : way[0];
        rims->vertices.items[rims->vertices.count++] =
            wi_mesh_spot(m->h->mesh, m->vertices[number]);
    }
}

/* Leaves *rim empty if the leaf gets none. */
static void find_rim(rim_maker *m, uint32_t leaf, wi_rim *rim)
{
    const uint32_t *tied = m->tied + m->first_tied[leaf];
    const uint32_t count = m->first_tied[leaf + 1] - m->first_tied[leaf];
    wi_rims *rims = m->rims;
    uint8_t way[WI_MAX_RIM];
    *rim = (wi_rim){0};
    if (count > WI_MAX_AROUND) return;
    m->rim_vertices = m->rim_edges = 0;
    m->seen_by[leaf] = leaf + 1;
    for (uint32_t i = 0; i < count; i++) m->seen_by[tied[i]] = leaf + 1;
    if (!add_part(m, leaf, leaf)) return;
    for (uint32_t i = 0; i < count; i++)
        if (!add_part(m, leaf, tied[i])) return;
    if (m->rim_edges == 0) return;
    const unsigned length = find_way(m, way);
    if (length != m->rim_edges + 1) return; /* several ways that do not meet */
    rim->first_leaf = rims->leaves.count;
    rim->first_vertex = rims->vertices.count;
    rim->leaf_count = (uint16_t)count;
    for (uint32_t i = 0; i < count; i++) rims->leaves.items[rims->leaves.count++] = tied[i];
    write_way(m, rim, way, length);
}

/* False if there is no memory. */
static bool find_rims(wi_memory *memory, rim_maker *m)
{
    wi_rims *rims = m->rims;
    for (uint32_t leaf = 0; leaf < m->h->leaf_count; leaf++) {
        if (!wi_array_reserve(memory, &rims->leaves, rims->leaves.count + WI_MAX_AROUND) ||
            !wi_array_reserve(memory, &rims->vertices, rims->vertices.count + WI_MAX_RIM))
            return false;
        find_rim(m, leaf, &rims->items[leaf]);
    }
    return true;
}

static size_t working_size(const rim_maker *m)
{
    const size_t leaves = m->h->leaf_count, vertices = m->h->mesh->vertex_count;
    return 3 * wi_workspace_size(leaves + 1, sizeof(uint32_t)) +
           wi_workspace_size(m->edge_count, sizeof *m->edges) +
           wi_workspace_size(m->edge_count, sizeof *m->by_lower) +
           wi_workspace_size(2 * (size_t)m->h->kin.tie_count, sizeof *m->tied) +
           2 * wi_workspace_size(vertices + 1, sizeof(uint32_t)) +
           wi_workspace_size(vertices, sizeof *m->number);
}

static bool take_working(wi_memory *memory, wi_workspace *workspace, rim_maker *m)
{
    const size_t leaves = m->h->leaf_count, vertices = m->h->mesh->vertex_count;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) m->edge_count += list_leaf_rim(m->h, leaf, NULL);
    if (!wi_workspace_reserve(memory, workspace, working_size(m))) return false;
    m->first_edge = wi_workspace_take(workspace, leaves + 1, sizeof *m->first_edge);
    m->first_tied = wi_workspace_take(workspace, leaves + 1, sizeof *m->first_tied);
    m->seen_by = wi_workspace_take(workspace, leaves + 1, sizeof *m->seen_by);
    m->edges = wi_workspace_take(workspace, m->edge_count, sizeof *m->edges);
    m->by_lower = wi_workspace_take(workspace, m->edge_count, sizeof *m->by_lower);
    m->tied = wi_workspace_take(workspace, 2 * (size_t)m->h->kin.tie_count, sizeof *m->tied);
    m->bucket = wi_workspace_take(workspace, vertices + 1, sizeof *m->bucket);
    m->noted_by = wi_workspace_take(workspace, vertices + 1, sizeof *m->noted_by);
    m->number = wi_workspace_take(workspace, vertices, sizeof *m->number);
    memset(m->seen_by, 0, (leaves + 1) * sizeof *m->seen_by);
    memset(m->noted_by, 0, (vertices + 1) * sizeof *m->noted_by);
    uint32_t edge_count = 0;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        m->first_edge[leaf] = edge_count;
        edge_count += list_leaf_rim(m->h, leaf, m->edges + edge_count);
    }
    m->first_edge[leaves] = edge_count;
    return true;
}

bool wi_rims_make(wi_memory *memory, wi_workspace *workspace, wi_hierarchy *h)
{
    wi_rims_free(memory, &h->rims);
    rim_maker m = {.h = h, .rims = &h->rims};
    if (!take_working(memory, workspace, &m)) return false;
    h->rims.items = wi_alloc_array(memory, h->leaf_count, sizeof *h->rims.items);
    if (h->rims.items == NULL) return false;
    h->rims.leaf_count = h->leaf_count;
    match_edges(&m);
    list_tied(&m);
    if (find_rims(memory, &m)) return true;
    wi_rims_free(memory, &h->rims);
    return false;
}

void wi_rims_free(wi_memory *memory, wi_rims *rims)
{
    wi_free_array(memory, rims->items, rims->leaf_count, sizeof *rims->items);
    wi_array_free(memory, &rims->leaves);
    wi_array_free(memory, &rims->vertices);
    *rims = (wi_rims){0};
}

size_t wi_rims_bytes(const wi_rims *rims)
{
    return rims->leaf_count * sizeof *rims->items +
           rims->leaves.capacity * sizeof *rims->leaves.items +
           rims->vertices.capacity * sizeof *rims->vertices.items;
}

/* Of the leaves around one, with it: how often the edge is there, less the other way round. */
static int count_edge(const wi_hierarchy *h, const uint32_t *leaves, unsigned count, wi_spot from,
                      wi_spot to)
{
    int times = 0;
    for (unsigned i = 0; i < count; i++) {
        const wi_leaf *leaf = &h->leaves[leaves[i]];
        for (unsigned tri = 0; tri < leaf->tri_count; tri++)
            for (int k = 0; k < 3; k++) {
                const uint32_t *named = h->mesh->tris[h->slots[leaf->first_tri + tri]];
                const wi_spot a = wi_mesh_spot(h->mesh, named[k]);
                const wi_spot b = wi_mesh_spot(h->mesh, named[(k + 1) % 3]);
                times += (a == from && b == to) - (a == to && b == from);
            }
    }
    return times;
}

/* The sum over all edges of the leaves around of how often they are there is that of the rim. */
static int count_all(const wi_hierarchy *h, const uint32_t *leaves, unsigned count)
{
    int all = 0;
    for (unsigned i = 0; i < count; i++) {
        const wi_leaf *leaf = &h->leaves[leaves[i]];
        for (unsigned tri = 0; tri < leaf->tri_count; tri++)
            for (int k = 0; k < 3; k++) {
                const uint32_t *named = h->mesh->tris[h->slots[leaf->first_tri + tri]];
                all += count_edge(h, leaves, count, wi_mesh_spot(h->mesh, named[k]),
                                  wi_mesh_spot(h->mesh, named[(k + 1) % 3])) > 0;
            }
    }
    return all;
}

static const char *validate_rim(const wi_hierarchy *h, uint32_t leaf, const wi_rim *rim)
{
    const wi_rims *rims = &h->rims;
    const wi_spot *way = rims->vertices.items + rim->first_vertex;
    const unsigned around = rim->leaf_count + 1U;
    uint32_t leaves[WI_MAX_AROUND + 1];
    int edges = 0;
    leaves[0] = leaf;
    memcpy(leaves + 1, rims->leaves.items + rim->first_leaf, rim->leaf_count * sizeof *leaves);
    if (way[rim->vertex_count - 1] != way[0]) return "I13: a rim is not closed";
    for (unsigned i = 0; i + 1 < rim->vertex_count; i++) {
        if (way[i] == way[i + 1]) continue; /* the end */
        if (count_edge(h, leaves, around, way[i], way[i + 1]) != 1)
            return "I13: an edge is on a rim where it is none";
        edges++;
    }
    return count_all(h, leaves, around) == edges ? NULL : "I13: an edge of a rim is missing";
}

/* Quadratic in the triangles around a leaf: some leaves will do. */
const char *wi_rims_validate(const wi_hierarchy *h)
{
    enum { LEAVES = 64 };
    const uint32_t step = h->rims.leaf_count / LEAVES + 1;
    for (uint32_t leaf = 0; leaf < h->rims.leaf_count; leaf += step) {
        const wi_rim *rim = &h->rims.items[leaf];
        const char *broken = rim->vertex_count > 0 ? validate_rim(h, leaf, rim) : NULL;
        if (broken) return broken;
    }
    return NULL;
}
