/* shell_cracks.c - groups of corners that hold together, and the faces around them. */
#include "shell_cracks.h"

#include <stdlib.h>
#include <string.h>

static uint32_t next_edge(uint32_t e) { return e % 3 == 2 ? e - 2 : e + 1; }

bool shell_cracks_begin(shell_cracks *s, uint32_t levels, bool has_core)
{
    const size_t tris = s->mesh.tri_count, edges = 3 * tris;
    s->levels = levels;
    s->has_core = has_core;
    s->breaks = malloc(edges * sizeof *s->breaks);
    s->comes_off = malloc(tris * sizeof *s->comes_off);
    s->group = malloc(edges * sizeof *s->group);
    s->holds = calloc(edges, sizeof *s->holds);
    if (!s->breaks || !s->comes_off || !s->group || !s->holds) return false;
    memset(s->breaks, 0xFF, edges * sizeof *s->breaks);
    memset(s->comes_off, 0xFF, tris * sizeof *s->comes_off);
    for (size_t e = 0; e < edges; e++)
        if (s->mesh.beside[e] == ROUND_RIM) s->breaks[e] = 0;
    return true;
}

void shell_cracks_destroy(shell_cracks *s)
{
    round_destroy(&s->mesh);
    lives_destroy(&s->lives);
    free(s->breaks);
    free(s->comes_off);
    free(s->group);
    free(s->holds);
}

void shell_cracks_break(shell_cracks *s, uint32_t edge, uint32_t frame)
{
    if (s->breaks[edge] <= frame) return;
    s->breaks[edge] = s->breaks[s->mesh.beside[edge]] = frame;
}

/* ---- what holds together ---- */

static uint32_t lowest(const shell_cracks *s, uint32_t corner)
{
    while (s->group[corner] != corner) corner = s->group[corner];
    return corner;
}

static void join(shell_cracks *s, uint32_t a, uint32_t b)
{
    const uint32_t x = lowest(s, a), y = lowest(s, b);
    s->group[x < y ? y : x] = x < y ? x : y;
}

/* The corner at the beginning of an edge has the same number as the edge. */
static void find_groups(shell_cracks *s, uint32_t frame)
{
    const uint32_t corners = 3 * s->mesh.tri_count;
    for (uint32_t c = 0; c < corners; c++) s->group[c] = c;
    for (uint32_t e = 0; e < corners; e++)
        if (s->breaks[e] > frame) join(s, e, next_edge(s->mesh.beside[e]));
    for (uint32_t c = 0; c < corners; c++) {
        s->group[c] = lowest(s, c);
        s->holds[c] = false;
    }
    for (uint32_t c = 0; c < corners && s->has_core; c++)
        if (s->comes_off[c / 3] > frame) s->holds[s->group[c]] = true;
}

/* ---- names ---- */

static uint32_t core_name(const shell_cracks *s, uint32_t vertex)
{
    return 3 * s->mesh.tri_count * (s->levels + 1) + vertex;
}

static uint32_t name_of(const shell_cracks *s, uint32_t corner, uint32_t level)
{
    const uint32_t group = s->group[corner];
    if (level == s->levels && s->holds[group])
        return core_name(s, s->mesh.tris[corner / 3][corner % 3]);
    return 3 * s->mesh.tri_count * level + group;
}

shell_vertex shell_cracks_vertex(const shell_cracks *s, uint32_t number)
{
    const uint32_t name = s->lives.names[number], corners = 3 * s->mesh.tri_count;
    const uint32_t level = name / corners, corner = name % corners;
    if (level > s->levels) return (shell_vertex){name - core_name(s, 0), ROUND_RIM, 1};
    return (shell_vertex){s->mesh.tris[corner / 3][corner % 3], corner / 3,
                          (double)level / s->levels};
}

/* ---- faces ---- */

/* Names of faces: outside, inside, core, and walls. */
static void put_cell(shell_cracks *s, uint32_t tri, uint32_t frame)
{
    const uint32_t all = s->mesh.tri_count, c = 3 * tri, low = s->levels;
    const uint32_t *v = s->mesh.tris[tri];
    lives_put(&s->lives, name_of(s, c, 0), name_of(s, c + 1, 0), name_of(s, c + 2, 0), tri);
    if (s->has_core && s->comes_off[tri] > frame) return;
    lives_put(&s->lives, name_of(s, c, low), name_of(s, c + 2, low), name_of(s, c + 1, low),
              all + tri);
    if (s->has_core)
        lives_put(&s->lives, core_name(s, v[0]), core_name(s, v[1]), core_name(s, v[2]),
                  2 * all + tri);
}

static void put_wall(shell_cracks *s, uint32_t edge)
{
    const uint32_t end = next_edge(edge);
    for (uint32_t level = 0; level < s->levels; level++) {
        const uint32_t face = 3 * s->mesh.tri_count + 2 * (edge * s->levels + level);
        const uint32_t left = name_of(s, end, level), right = name_of(s, edge, level);
        const uint32_t below_left = name_of(s, end, level + 1);
        const uint32_t below_right = name_of(s, edge, level + 1);
        lives_put(&s->lives, left, right, below_right, face);
        lives_put(&s->lives, left, below_right, below_left, face + 1);
    }
}

static void put_stage(shell_cracks *s, uint32_t frame)
{
    find_groups(s, frame);
    for (uint32_t tri = 0; tri < s->mesh.tri_count; tri++) put_cell(s, tri, frame);
    for (uint32_t e = 0; e < 3 * s->mesh.tri_count; e++)
        if (s->breaks[e] <= frame) put_wall(s, e);
    lives_end_stage(&s->lives, frame);
}

/* ---- all of it ---- */

static void mark_stages(const shell_cracks *s, uint32_t frame_count, bool *is_stage)
{
    is_stage[0] = true;
    for (uint32_t e = 0; e < 3 * s->mesh.tri_count; e++)
        if (s->breaks[e] < frame_count) is_stage[s->breaks[e]] = true;
    for (uint32_t tri = 0; tri < s->mesh.tri_count; tri++)
        if (s->comes_off[tri] < frame_count) is_stage[s->comes_off[tri]] = true;
}

bool shell_cracks_play(shell_cracks *s, uint32_t frame_count)
{
    const uint32_t tris = s->mesh.tri_count, names = core_name(s, s->mesh.vertex_count);
    /* Vertices become others a few times each: every time the triangles around them do. */
    const uint32_t room = 16 * tris * (s->levels + 2);
    bool *is_stage = calloc(frame_count, sizeof *is_stage);
    const bool fine =
        is_stage && lives_create(&s->lives, room, names, 3 * tris + 6 * tris * s->levels);
    if (fine) mark_stages(s, frame_count, is_stage);
    for (uint32_t frame = 0; fine && frame < frame_count; frame++)
        if (is_stage[frame]) put_stage(s, frame);
    free(is_stage);
    return fine;
}
