/* mesh_features.c - features sorted by their numbers, of which the first of each is kept. */
#include "support/mesh_features.h"

#include <stdlib.h>
#include "support/test.h"

/* By name, then by where they are: the first of a name is the one to keep. */
static int compare_features(const void *a, const void *b)
{
    const mesh_feature *x = a, *y = b;
    const uint32_t keys[2][4] = {{x->name.number[0], x->name.number[1], x->tri, x->corner},
                                 {y->name.number[0], y->name.number[1], y->tri, y->corner}};
    for (int i = 0; i < 4; i++)
        if (keys[0][i] != keys[1][i]) return keys[0][i] < keys[1][i] ? -1 : 1;
    return 0;
}

static bool have_one_name(const mesh_feature *a, const mesh_feature *b)
{
    return a->name.number[0] == b->name.number[0] && a->name.number[1] == b->name.number[1];
}

static uint32_t keep_first_of_each(mesh_feature *items, uint32_t count)
{
    uint32_t kept = 0;
    qsort(items, count, sizeof *items, compare_features);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || !have_one_name(&items[i], &items[kept - 1])) items[kept++] = items[i];
    return kept;
}

static mesh_feature vertex_at(const uint32_t tri[3], uint32_t number, uint32_t corner)
{
    const uint32_t vertex = tri[corner];
    return (mesh_feature){.name = {WILLOW_FEATURE_VERTEX, {vertex, vertex}},
                          .vertices = {vertex},
                          .tri = number,
                          .corner = corner};
}

static mesh_feature edge_at(const uint32_t tri[3], uint32_t number, uint32_t corner)
{
    const uint32_t from = tri[corner], to = tri[(corner + 1) % 3];
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    return (mesh_feature){.name = {WILLOW_FEATURE_EDGE, {low, high}},
                          .vertices = {low, high},
                          .tri = number,
                          .corner = corner};
}

static mesh_feature face_of(const uint32_t tri[3], uint32_t number)
{
    return (mesh_feature){.name = {WILLOW_FEATURE_FACE, {number, number}},
                          .vertices = {tri[0], tri[1], tri[2]},
                          .tri = number};
}

static mesh_feature *room_for(size_t count)
{
    mesh_feature *items = calloc(count + 1, sizeof *items);
    assert_non_null(items);
    return items;
}

void mesh_features_make(mesh_features *out, const uint32_t (*tris)[3], const uint16_t *groups,
                        uint32_t tri_count)
{
    *out = (mesh_features){.vertices = room_for(3 * (size_t)tri_count),
                           .edges = room_for(3 * (size_t)tri_count),
                           .faces = room_for(tri_count)};
    for (uint32_t tri = 0; tri < tri_count; tri++) {
        if (groups != NULL && groups[tri] == 0) continue;
        out->faces[out->face_count++] = face_of(tris[tri], tri);
        for (uint32_t i = 0; i < 3; i++) {
            out->vertices[out->vertex_count++] = vertex_at(tris[tri], tri, i);
            if (tris[tri][i] != tris[tri][(i + 1) % 3])
                out->edges[out->edge_count++] = edge_at(tris[tri], tri, i);
        }
    }
    out->vertex_count = keep_first_of_each(out->vertices, out->vertex_count);
    out->edge_count = keep_first_of_each(out->edges, out->edge_count);
}

void mesh_features_free(mesh_features *features)
{
    free(features->vertices);
    free(features->edges);
    free(features->faces);
    *features = (mesh_features){0};
}

int mesh_feature_size(const mesh_feature *feature)
{
    return feature->name.kind == WILLOW_FEATURE_VERTEX ? 1
           : feature->name.kind == WILLOW_FEATURE_EDGE ? 2
                                                       : 3;
}

bool mesh_features_share(const mesh_feature *a, const mesh_feature *b)
{
    for (int i = 0; i < mesh_feature_size(a); i++)
        for (int k = 0; k < mesh_feature_size(b); k++)
            if (a->vertices[i] == b->vertices[k]) return true;
    return false;
}

void mesh_features_points(const mesh_feature *a, const double (*positions_a)[3],
                          const mesh_feature *b, const double (*positions_b)[3], double out[4][3])
{
    const int size_a = mesh_feature_size(a), size_b = mesh_feature_size(b);
    assert_int_equal(size_a + size_b, 4);
    if (size_a > size_b) {
        mesh_features_points(b, positions_b, a, positions_a, out);
        return;
    }
    for (int i = 0; i < size_a; i++) memcpy(out[i], positions_a[a->vertices[i]], sizeof out[i]);
    for (int i = 0; i < size_b; i++)
        memcpy(out[size_a + i], positions_b[b->vertices[i]], sizeof out[i]);
}

willow_toi mesh_features_toi(const mesh_feature *a, const double start[4][3],
                             const double end[4][3], double min_distance, double tolerance,
                             uint32_t max_iterations, double *toi)
{
    if (a->name.kind == WILLOW_FEATURE_EDGE)
        return willow_edge_edge_toi(start, end, min_distance, tolerance, max_iterations, toi);
    return willow_vertex_face_toi(start, end, min_distance, tolerance, max_iterations, toi);
}
