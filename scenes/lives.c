/* lives.c - the triangles of a stage are looked up among those of the stage before. */
#include "lives.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

bool lives_create(lives *l, uint32_t tri_room, uint32_t names, uint32_t faces)
{
    uint32_t size = 64;
    while (size < 2 * tri_room) size *= 2;
    *l = (lives){.tri_room = tri_room, .face_count = faces, .table_mask = size - 1};
    l->names = calloc((size_t)names + 1, sizeof *l->names);
    l->numbers = malloc(((size_t)names + 1) * sizeof *l->numbers);
    l->tris = calloc((size_t)tri_room + 1, sizeof *l->tris);
    l->spans = calloc((size_t)tri_room + 1, sizeof *l->spans);
    l->faces = calloc((size_t)tri_room + 1, sizeof *l->faces);
    l->seen = calloc((size_t)tri_room + 1, sizeof *l->seen);
    l->alive = calloc((size_t)tri_room + 1, sizeof *l->alive);
    l->table = malloc((size_t)size * sizeof *l->table);
    l->heirs = malloc(((size_t)faces + 1) * sizeof *l->heirs);
    const bool fine = l->names && l->numbers && l->tris && l->spans && l->faces && l->seen &&
                      l->alive && l->table && l->heirs;
    if (!fine) return false;
    memset(l->numbers, 0xFF, ((size_t)names + 1) * sizeof *l->numbers);
    memset(l->table, 0xFF, (size_t)size * sizeof *l->table);
    memset(l->heirs, 0xFF, ((size_t)faces + 1) * sizeof *l->heirs);
    l->stage = 1;
    return true;
}

void lives_destroy(lives *l)
{
    free(l->names);
    free(l->numbers);
    free(l->tris);
    free(l->spans);
    free(l->faces);
    free(l->seen);
    free(l->alive);
    free(l->table);
    free(l->heirs);
    *l = (lives){0};
}

static uint32_t number_of(lives *l, uint32_t name)
{
    if (l->numbers[name] == UINT32_MAX) {
        l->names[l->vertex_count] = name;
        l->numbers[name] = l->vertex_count++;
    }
    return l->numbers[name];
}

/* Where a triangle is in the table, or would be. */
static uint32_t place_of(const lives *l, const uint32_t tri[3])
{
    const uint64_t key =
        wi_hash_u64(wi_hash_u64(WI_HASH_START, tri[0]), (uint64_t)tri[1] << 32 | tri[2]);
    uint32_t at = (uint32_t)(key >> 32) & l->table_mask;
    while (l->table[at] != UINT32_MAX && memcmp(l->tris[l->table[at]], tri, sizeof *l->tris) != 0)
        at = (at + 1) & l->table_mask;
    return at;
}

static void add_new(lives *l, const uint32_t tri[3], uint32_t face, uint32_t place)
{
    const uint32_t number = l->tri_count++;
    memcpy(l->tris[number], tri, sizeof *l->tris);
    l->spans[number] = (scene_life){0, UINT32_MAX, UINT32_MAX};
    l->faces[number] = face;
    l->seen[number] = l->stage;
    l->table[place] = number;
    if (face != LIVES_NO_FACE && l->heirs[face] == UINT32_MAX) l->heirs[face] = number;
}

/* The lowest corner comes first, so that a triangle has one form. */
void lives_put(lives *l, uint32_t a, uint32_t b, uint32_t c, uint32_t face)
{
    const uint32_t v[3] = {number_of(l, a), number_of(l, b), number_of(l, c)};
    const int low = v[0] < v[1] && v[0] < v[2] ? 0 : v[1] < v[2] ? 1 : 2;
    const uint32_t tri[3] = {v[low], v[(low + 1) % 3], v[(low + 2) % 3]};
    const uint32_t place = place_of(l, tri), found = l->table[place];
    if (found != UINT32_MAX && l->spans[found].dies == UINT32_MAX) {
        l->seen[found] = l->stage;
        return;
    }
    if (l->tri_count == l->tri_room)
        l->is_short = true;
    else
        add_new(l, tri, face, place);
}

/* What comes in the place of a triangle that goes. */
static void bury(lives *l, uint32_t tri, uint32_t frame)
{
    const uint32_t face = l->faces[tri];
    l->spans[tri].dies = frame;
    if (face == LIVES_NO_FACE || l->heirs[face] == UINT32_MAX) return;
    if (l->spans[l->heirs[face]].replaces == UINT32_MAX) l->spans[l->heirs[face]].replaces = tri;
}

void lives_end_stage(lives *l, uint32_t frame)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->alive_count; i++) {
        const uint32_t tri = l->alive[i];
        if (l->seen[tri] == l->stage)
            l->alive[kept++] = tri;
        else
            bury(l, tri, frame);
    }
    for (uint32_t tri = l->first_new; tri < l->tri_count; tri++) {
        l->spans[tri].born = frame;
        l->alive[kept++] = tri;
        if (l->faces[tri] != LIVES_NO_FACE) l->heirs[l->faces[tri]] = UINT32_MAX;
    }
    l->alive_count = kept;
    l->first_new = l->tri_count;
    l->stage++;
}

bool lives_fill_body(const lives *l, scene_body *body)
{
    const size_t bytes = l->tri_count * sizeof *l->tris;
    body->vertex_count = l->vertex_count;
    body->triangle_count = l->tri_count;
    body->indices = malloc(bytes + 1);
    body->lives = l->spans;
    if (body->indices == NULL || l->is_short) return false;
    memcpy(body->indices, l->tris, bytes);
    return true;
}
