/* round.c - rings of triangles around an axis, some of them split in two until the number fits. */
#include "round.h"

#include <stdlib.h>
#include <string.h>

#include "vec.h"

static bool round_allocate(round_mesh *m, uint32_t tris)
{
    const size_t vertices = (size_t)tris + 8;
    m->down = calloc(vertices, sizeof *m->down);
    m->around = calloc(vertices, sizeof *m->around);
    m->tris = calloc((size_t)tris + 8, sizeof *m->tris);
    m->beside = malloc(3 * ((size_t)tris + 8) * sizeof *m->beside);
    return m->down && m->around && m->tris && m->beside;
}

void round_destroy(round_mesh *m)
{
    free(m->down);
    free(m->around);
    free(m->tris);
    free(m->beside);
    *m = (round_mesh){0};
}

static uint32_t add_point(round_mesh *m, double down, double around)
{
    m->down[m->vertex_count] = down;
    m->around[m->vertex_count] = around;
    return m->vertex_count++;
}

static void add_tri(round_mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t tri[3] = {a, b, c};
    memcpy(m->tris[m->tri_count++], tri, sizeof tri);
}

/* ---- rings ---- */

/* Between a ring and the one below it. */
static void add_band(round_mesh *m, uint32_t above, uint32_t below, uint32_t around)
{
    for (uint32_t j = 0; j < around; j++) {
        const uint32_t next = (j + 1) % around;
        add_tri(m, above + j, below + j, below + next);
        add_tri(m, above + j, below + next, above + next);
    }
}

static void add_rings(round_mesh *m, uint32_t around, uint32_t bands, bool is_open)
{
    const uint32_t first_ring = is_open ? 0 : 1;
    const uint32_t top = is_open ? 0 : add_point(m, 0, 0), first = m->vertex_count;
    for (uint32_t ring = first_ring; ring < bands; ring++)
        for (uint32_t j = 0; j < around; j++)
            add_point(m, (double)ring / bands, 2 * SCENE_PI * j / around);
    const uint32_t bottom = add_point(m, 1, 0), last = bottom - around;
    for (uint32_t j = 0; j < around && !is_open; j++)
        add_tri(m, top, first + j, first + (j + 1) % around);
    for (uint32_t ring = first; ring < last; ring += around)
        add_band(m, ring, ring + around, around);
    for (uint32_t j = 0; j < around; j++) add_tri(m, last + j, bottom, last + (j + 1) % around);
}

/* The edge between two corners of a ring gets a vertex in its middle, and so both triangles beside
 * it become two. */
static void split_edge(round_mesh *m, uint32_t a, uint32_t b)
{
    const uint32_t tris = m->tri_count;
    const uint32_t middle =
        add_point(m, 0.5 * (m->down[a] + m->down[b]), 0.5 * (m->around[a] + m->around[b]));
    for (uint32_t t = 0; t < tris; t++)
        for (int k = 0; k < 3; k++) {
            uint32_t *tri = m->tris[t];
            const uint32_t from = tri[k], to = tri[(k + 1) % 3], tip = tri[(k + 2) % 3];
            if (!(from == a && to == b) && !(from == b && to == a)) continue;
            tri[(k + 1) % 3] = middle;
            add_tri(m, middle, to, tip);
            break;
        }
}

/* ---- who is beside whom ---- */

/* Edges by their lower vertex, in lists. */
static bool find_beside(round_mesh *m)
{
    const uint32_t edges = 3 * m->tri_count;
    uint32_t *first = malloc((size_t)m->vertex_count * sizeof *first);
    uint32_t *next = malloc((size_t)edges * sizeof *next);
    const bool fine = first && next;
    if (fine) memset(first, 0xFF, (size_t)m->vertex_count * sizeof *first);
    for (uint32_t e = 0; fine && e < edges; e++) {
        const uint32_t a = m->tris[e / 3][e % 3], b = m->tris[e / 3][(e + 1) % 3];
        const uint32_t low = a < b ? a : b;
        m->beside[e] = ROUND_RIM;
        for (uint32_t other = first[low]; other != ROUND_RIM; other = next[other]) {
            if (m->tris[other / 3][other % 3] != b || m->tris[other / 3][(other + 1) % 3] != a)
                continue;
            m->beside[e] = other;
            m->beside[other] = e;
        }
        next[e] = first[low];
        first[low] = e;
    }
    free(first);
    free(next);
    return fine;
}

/* ---- all of it ---- */

/* A closed surface of b bands has 2 (b - 1) triangles for each corner around, an open one 2 b - 1.
 */
bool round_create(round_mesh *m, uint32_t tri_count, uint32_t around, bool is_open)
{
    const uint32_t bands = is_open ? (tri_count / around + 1) / 2 : tri_count / (2 * around) + 1;
    *m = (round_mesh){0};
    if (!round_allocate(m, tri_count)) return false;
    add_rings(m, around, bands, is_open);
    const uint32_t above = is_open ? 0 : 1;
    for (uint32_t i = 0; m->tri_count + 2 <= tri_count; i++) {
        const uint32_t ring = bands / 2 - i * 2 / (around - 1) % (bands / 3);
        const uint32_t j = i * 2 % (around - 1), at = above + (ring - above) * around + j;
        split_edge(m, at, at + 1);
    }
    return find_beside(m);
}

bool round_take(round_mesh *m, const uint32_t *indices, uint32_t tri_count, uint32_t vertex_count)
{
    *m = (round_mesh){0};
    if (!round_allocate(m, tri_count)) return false;
    memcpy(m->tris, indices, tri_count * sizeof *m->tris);
    m->tri_count = tri_count;
    m->vertex_count = vertex_count;
    return find_beside(m);
}

/* The middle of an edge has the number of the first of its two triangles. */
static uint32_t middle_of(const round_mesh *from, round_mesh *to, uint32_t *middles, uint32_t e)
{
    const uint32_t other = from->beside[e], key = other < e ? other : e;
    const uint32_t a = from->tris[e / 3][e % 3], b = from->tris[e / 3][(e + 1) % 3];
    if (middles[key] == ROUND_RIM) {
        double one = from->around[a], two = from->around[b];
        if (one - two > SCENE_PI) two += 2 * SCENE_PI;
        if (two - one > SCENE_PI) one += 2 * SCENE_PI;
        /* A pole has no angle of its own. */
        if (from->down[a] <= 0 || from->down[a] >= 1) one = two;
        if (from->down[b] <= 0 || from->down[b] >= 1) two = one;
        middles[key] = add_point(to, 0.5 * (from->down[a] + from->down[b]), 0.5 * (one + two));
    }
    return middles[key];
}

bool round_subdivide(round_mesh *m)
{
    round_mesh fine = {0};
    uint32_t *middles = malloc(3 * (size_t)m->tri_count * sizeof *middles);
    bool ok = round_allocate(&fine, 4 * m->tri_count) && middles != NULL;
    if (ok) {
        memset(middles, 0xFF, 3 * (size_t)m->tri_count * sizeof *middles);
        memcpy(fine.down, m->down, m->vertex_count * sizeof *fine.down);
        memcpy(fine.around, m->around, m->vertex_count * sizeof *fine.around);
        fine.vertex_count = m->vertex_count;
    }
    for (uint32_t t = 0; ok && t < m->tri_count; t++) {
        uint32_t mid[3];
        const uint32_t *v = m->tris[t];
        for (uint32_t k = 0; k < 3; k++) mid[k] = middle_of(m, &fine, middles, 3 * t + k);
        add_tri(&fine, v[0], mid[0], mid[2]);
        add_tri(&fine, mid[0], v[1], mid[1]);
        add_tri(&fine, mid[2], mid[1], v[2]);
        add_tri(&fine, mid[0], mid[1], mid[2]);
    }
    free(middles);
    ok = ok && find_beside(&fine);
    round_destroy(m);
    *m = fine;
    return ok;
}
