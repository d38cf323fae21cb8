/* mesh_defects.c - duplicate and degenerate faces. Way in: mesh_defects_find. Duplicates are found
 * by a hash table of corners in rising order, so in time of the number of triangles. */
#include "cli/mesh_defects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- faces without area ---- */

static void subtract(const float *a, const float *b, double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = (double)a[k] - (double)b[k];
}

static double length2(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

/* Corners on one line, but for roundings. */
static bool is_degenerate(const clip_mesh *mesh, const uint32_t v[3])
{
    const float *at = mesh->positions;
    double ab[3], ac[3], bc[3];
    subtract(at + 3 * (size_t)v[1], at + 3 * (size_t)v[0], ab);
    subtract(at + 3 * (size_t)v[2], at + 3 * (size_t)v[0], ac);
    subtract(at + 3 * (size_t)v[2], at + 3 * (size_t)v[1], bc);
    const double normal[3] = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2],
                              ab[0] * ac[1] - ab[1] * ac[0]};
    const double longest2 = fmax(length2(ab), fmax(length2(ac), length2(bc)));
    return !(sqrt(length2(normal)) > 1e-10 * longest2);
}

/* ---- the same face twice ---- */

static void sort_corners(const uint32_t v[3], uint32_t out[3])
{
    memcpy(out, v, 3 * sizeof *v);
    for (int i = 0; i < 3; i++) {
        const int a = i % 2, b = a + 1; /* 0 1, 1 2, 0 1 */
        if (out[a] <= out[b]) continue;
        const uint32_t swapped = out[a];
        out[a] = out[b];
        out[b] = swapped;
    }
}

static uint64_t hash_corners(const uint32_t v[3])
{
    uint64_t hash = v[0];
    hash = hash * UINT64_C(0x9E3779B97F4A7C15) + v[1];
    hash = hash * UINT64_C(0x9E3779B97F4A7C15) + v[2];
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return hash ^ hash >> 32;
}

typedef struct face_table {
    uint32_t *places; /* a triangle and 1; 0: free */
    size_t size;      /* a power of two */
} face_table;

static bool face_table_create(face_table *t, uint32_t count)
{
    t->size = 16;
    while (t->size < 2 * (size_t)count) t->size *= 2;
    t->places = calloc(t->size, sizeof *t->places);
    return t->places != NULL;
}

/* Whether a triangle with these corners was entered before; else it is now. */
static bool was_entered(face_table *t, const clip_mesh *mesh, uint32_t tri)
{
    uint32_t corners[3], others[3];
    sort_corners(mesh->indices + 3 * (size_t)tri, corners);
    size_t at = hash_corners(corners) & (t->size - 1);
    for (; t->places[at] != 0; at = (at + 1) & (t->size - 1)) {
        sort_corners(mesh->indices + 3 * (size_t)(t->places[at] - 1), others);
        if (memcmp(corners, others, sizeof corners) == 0) return true;
    }
    t->places[at] = tri + 1;
    return false;
}

static void note_face(const clip_mesh *mesh, uint32_t tri, uint32_t *count, uint32_t *first)
{
    if ((*count)++ == 0) *first = mesh->faces != NULL ? mesh->faces[tri] : tri;
}

bool mesh_defects_find(const clip_mesh *mesh, mesh_defects *out)
{
    face_table table;
    *out = (mesh_defects){0};
    if (!face_table_create(&table, mesh->triangle_count)) return false;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (was_entered(&table, mesh, i)) {
            note_face(mesh, i, &out->duplicate_faces, &out->first_duplicate);
        }
        if (is_degenerate(mesh, mesh->indices + 3 * (size_t)i)) {
            note_face(mesh, i, &out->degenerate_faces, &out->first_degenerate);
        }
    }
    free(table.places);
    return true;
}
