/* connected_cut.c - cuts a submesh such that no side falls apart.
 *
 * Way in: wi_submesh_load, wi_submesh_find_cut, wi_submesh_mark. For a submesh that is connected:
 *
 *   1. A region grows from the first triangle on and always takes the earliest one at its border.
 *      So whatever it has had at any time is connected.
 *   2. The rest was in several pieces then, perhaps, of which each touches the region. So the
 * region with all pieces but one is connected too, and that one piece can be the upper side.
 *   3. The triangles are put back from the last one on, so that pieces only merge, and after each
 * of them its piece is tried as the upper side.
 *   4. A triangle merges three pieces at most. The first piece to reach a quarter of the submesh
 * has at most three quarters of it and one triangle, so a cut is never far from even.
 *
 * Made for any mesh: a vertex of a hundred thousand triangles has them looked at once per cut,
 * since a region that meets the vertex meets them all. Growing takes a step per triangle and factor
 * of 64, pieces take hardly more than one. */
#include "tree/build/connected_cut.h"

#include <string.h>

#include "base/check.h"

/* ---- memory ---- */

static size_t connected_most_vertices(const wi_mesh *mesh, size_t tris)
{
    return 3 * tris < mesh->vertex_count ? 3 * tris : mesh->vertex_count;
}

size_t wi_submesh_size(const wi_mesh *mesh, size_t tris)
{
    const size_t vertices = connected_most_vertices(mesh, tris);
    return wi_workspace_size(3 * tris, sizeof(uint32_t)) + wi_incidence_size(vertices, tris) +
           wi_workspace_size(mesh->vertex_count, sizeof(uint32_t)) +
           3 * wi_workspace_size(vertices, sizeof(uint32_t)) +
           wi_workspace_size(tris, sizeof(uint32_t)) + wi_workspace_size(tris, sizeof(uint8_t)) +
           wi_workspace_size(vertices, sizeof(uint8_t)) + wi_lowest_size(tris);
}

wi_submesh wi_submesh_take(wi_workspace *workspace, const wi_mesh *mesh, size_t tris)
{
    const size_t vertices = connected_most_vertices(mesh, tris);
    wi_submesh p = {.tri_count = 0};
    p.tris = wi_workspace_take(workspace, 3 * tris, sizeof(uint32_t));
    p.numbers = wi_workspace_take(workspace, mesh->vertex_count, sizeof *p.numbers);
    p.vertices = wi_workspace_take(workspace, vertices, sizeof *p.vertices);
    p.leader = wi_workspace_take(workspace, vertices, sizeof *p.leader);
    p.joined = wi_workspace_take(workspace, vertices, sizeof *p.joined);
    p.around = wi_incidence_take(workspace, vertices, tris);
    p.order = wi_workspace_take(workspace, tris, sizeof *p.order);
    p.is_tri_met = wi_workspace_take(workspace, tris, sizeof *p.is_tri_met);
    p.is_vertex_met = wi_workspace_take(workspace, vertices, sizeof *p.is_vertex_met);
    p.border = wi_lowest_take(workspace, tris);
    memset(p.numbers, 0, mesh->vertex_count * sizeof *p.numbers);
    return p;
}

/* ---- neighbours ---- */

/* A number that is not of this submesh is refuted by the list of vertices, so none is ever cleared.
 */
static uint32_t connected_number_of(wi_submesh *p, uint32_t vertex)
{
    const uint32_t number = p->numbers[vertex];
    if (number < p->vertex_count && p->vertices[number] == vertex) return number;
    WI_ASSERT(p->vertex_count < 3 * (size_t)p->tri_count);
    p->vertices[p->vertex_count] = vertex;
    return p->numbers[vertex] = p->vertex_count++;
}

void wi_submesh_load(wi_submesh *p, const wi_mesh *mesh, wi_range_slots slots, uint32_t count)
{
    WI_ASSERT(count > 1);
    p->tri_count = count;
    p->vertex_count = 0;
    p->looks = count;
    for (uint32_t tri = 0; tri < count; tri++)
        for (int i = 0; i < 3; i++)
            p->tris[tri][i] = connected_number_of(p, mesh->tris[slots.first[tri * slots.step]][i]);
    wi_incidence_list(&p->around, p->tris, p->tri_count, p->vertex_count);
}

/* ---- growing ---- */

static void meet_tri(wi_submesh *p, uint32_t tri)
{
    if (p->is_tri_met[tri]) return;
    p->is_tri_met[tri] = 1;
    wi_lowest_add(&p->border, tri);
}

static void meet_vertex(wi_submesh *p, uint32_t vertex)
{
    if (p->is_vertex_met[vertex]) return;
    p->is_vertex_met[vertex] = 1;
    const wi_incidence *around = &p->around;
    for (uint32_t i = around->first[vertex]; i < around->first[vertex + 1]; i++)
        meet_tri(p, around->tris[i]);
    p->looks += wi_incidence_count(around, vertex);
}

/* Returns how many triangles are reached: all, if the submesh is connected. */
static uint32_t connected_grow(wi_submesh *p)
{
    uint32_t count = 0;
    memset(p->is_tri_met, 0, p->tri_count);
    memset(p->is_vertex_met, 0, p->vertex_count);
    meet_tri(p, 0);
    while (!wi_lowest_is_empty(&p->border)) {
        const uint32_t tri = wi_lowest_remove(&p->border);
        WI_ASSERT(count < p->tri_count);
        p->order[count++] = tri;
        for (int i = 0; i < 3; i++) meet_vertex(p, p->tris[tri][i]);
    }
    return count;
}

/* ---- pieces ---- */

static void forget_pieces(wi_submesh *p)
{
    for (uint32_t vertex = 0; vertex < p->vertex_count; vertex++) p->leader[vertex] = vertex;
    memset(p->joined, 0, p->vertex_count * sizeof *p->joined);
}

static uint32_t connected_leader_of(wi_submesh *p, uint32_t vertex)
{
    for (; p->leader[vertex] != vertex; p->looks++)
        vertex = p->leader[vertex] = p->leader[p->leader[vertex]];
    return vertex;
}

/* The piece of a triangle that was put back. */
static uint32_t piece_of(wi_submesh *p, uint32_t tri)
{
    return connected_leader_of(p, p->tris[tri][0]);
}

static uint32_t connected_merge(wi_submesh *p, uint32_t a, uint32_t b)
{
    if (a == b) return a;
    const uint32_t large = p->joined[a] < p->joined[b] ? b : a, small = large == a ? b : a;
    p->leader[small] = large;
    p->joined[large] += p->joined[small];
    return large;
}

/* Returns how many triangles its piece has now. */
static uint32_t put_back(wi_submesh *p, uint32_t tri)
{
    uint32_t piece = connected_leader_of(p, p->tris[tri][0]);
    for (int i = 1; i < 3; i++)
        piece = connected_merge(p, piece, connected_leader_of(p, p->tris[tri][i]));
    return ++p->joined[piece];
}

static void put_all_back(wi_submesh *p)
{
    forget_pieces(p);
    for (uint32_t tri = 0; tri < p->tri_count; tri++) put_back(p, tri);
}

/* ---- cuts ---- */

static uint32_t units_for(uint32_t tris, uint32_t unit)
{
    WI_ASSERT(unit > 0);
    return tris / unit + (tris % unit != 0);
}
static uint32_t distance(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

/* Sides fit their units if together they take no more of them than the whole; of those the best
 * have half of the units below. */
static uint64_t miss_of(uint32_t lower, uint32_t upper, uint32_t unit)
{
    const uint32_t units = units_for(lower + upper, unit);
    if (units_for(lower, unit) + units_for(upper, unit) > units)
        return WI_SUBMESH_WASTES + distance(lower, upper);
    return distance(lower, units / 2 * unit);
}

static void try_cut(const wi_submesh *p, uint32_t unit, uint32_t at, uint32_t upper,
                    wi_submesh_cut *best)
{
    WI_ASSERT(upper > 0 && upper < p->tri_count && at < p->tri_count);
    const uint64_t miss = miss_of(p->tri_count - upper, upper, unit);
    if (miss >= best->miss) return;
    best->at = at;
    best->upper = upper;
    best->miss = miss;
}

/* The first triangle stays below. */
static void find_in_one(wi_submesh *p, uint32_t unit, wi_submesh_cut *best)
{
    forget_pieces(p);
    for (uint32_t i = p->tri_count; i-- > 1;) try_cut(p, unit, i, put_back(p, p->order[i]), best);
}

/* Pieces are in the order of their middle triangles, and a cut is before one of these. */
static void find_between_pieces(wi_submesh *p, uint32_t unit, wi_submesh_cut *best)
{
    uint32_t *seen = p->around.first; /* by piece; nothing grows any more */
    uint32_t below = 0;
    memset(seen, 0, p->vertex_count * sizeof *seen);
    put_all_back(p);
    for (uint32_t tri = 0; tri < p->tri_count; tri++) {
        const uint32_t piece = piece_of(p, tri), count = p->joined[piece];
        if (seen[piece]++ != count / 2) continue;
        if (below > 0) try_cut(p, unit, tri, p->tri_count - below, best);
        below += count;
    }
}

wi_submesh_cut wi_submesh_find_cut(wi_submesh *p, uint32_t unit)
{
    wi_submesh_cut best = {.is_connected = connected_grow(p) == p->tri_count, .miss = UINT64_MAX};
    if (best.is_connected)
        find_in_one(p, unit, &best);
    else
        find_between_pieces(p, unit, &best);
    return best;
}

static void mark_in_one(wi_submesh *p, uint32_t at, uint8_t *is_upper)
{
    forget_pieces(p);
    for (uint32_t i = p->tri_count; i-- > at;) put_back(p, p->order[i]);
    const uint32_t upper = piece_of(p, p->order[at]);
    memset(is_upper, 0, p->tri_count);
    for (uint32_t i = at; i < p->tri_count; i++)
        is_upper[p->order[i]] = piece_of(p, p->order[i]) == upper;
}

/* The pieces are still known. */
static void mark_between_pieces(wi_submesh *p, uint32_t at, uint8_t *is_upper)
{
    uint32_t *seen = p->around.first;
    uint8_t *is_piece_upper = p->is_vertex_met;
    memset(seen, 0, p->vertex_count * sizeof *seen);
    for (uint32_t tri = 0; tri < p->tri_count; tri++) {
        const uint32_t piece = piece_of(p, tri);
        if (seen[piece]++ == p->joined[piece] / 2) is_piece_upper[piece] = tri >= at;
    }
    for (uint32_t tri = 0; tri < p->tri_count; tri++)
        is_upper[tri] = is_piece_upper[piece_of(p, tri)];
}

void wi_submesh_mark(wi_submesh *p, const wi_submesh_cut *cut, uint8_t *is_upper)
{
    if (cut->is_connected)
        mark_in_one(p, cut->at, is_upper);
    else
        mark_between_pieces(p, cut->at, is_upper);
}
