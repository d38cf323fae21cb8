/* icosphere.c - an icosahedron whose triangles are cut in four, again and again.
 *
 * Way in: icosphere_create. The four parts of a triangle stay together, so triangles that are
 * near in space are mostly near in memory, as in meshes that people model by subdivision. */
#include "icosphere.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN 1.6180339887498949

static const double corners[12][3] = {
    {-1, 0, GOLDEN}, {1, 0, GOLDEN},  {-1, 0, -GOLDEN}, {1, 0, -GOLDEN},
    {0, GOLDEN, 1},  {0, GOLDEN, -1}, {0, -GOLDEN, 1},  {0, -GOLDEN, -1},
    {GOLDEN, 1, 0},  {-GOLDEN, 1, 0}, {GOLDEN, -1, 0},  {-GOLDEN, -1, 0},
};

static const uint32_t faces[20][3] = {
    {1, 4, 0}, {4, 9, 0},  {4, 5, 9},  {8, 5, 4},  {1, 8, 4},  {1, 10, 8}, {10, 3, 8},
    {8, 3, 5}, {3, 2, 5},  {3, 7, 2},  {3, 10, 7}, {10, 6, 7}, {6, 11, 7}, {6, 0, 11},
    {6, 1, 0}, {10, 1, 6}, {11, 0, 9}, {2, 11, 9}, {5, 2, 9},  {11, 2, 7},
};

/* Edges met so far and the vertex in their middle: open addressing, key + 1 so that 0 is free. */
typedef struct edge_map {
    uint64_t *keys;
    uint32_t *middles;
    uint64_t mask;
} edge_map;

static bool edge_map_create(edge_map *map, uint64_t edge_count)
{
    uint64_t size = 64;
    while (size < 2 * edge_count) {
        size *= 2;
    }
    map->mask = size - 1;
    map->keys = calloc(size, sizeof *map->keys);
    map->middles = calloc(size, sizeof *map->middles);
    return map->keys != NULL && map->middles != NULL;
}

static void edge_map_destroy(edge_map *map)
{
    free(map->keys);
    free(map->middles);
}

static uint64_t edge_map_place(const edge_map *map, uint64_t key)
{
    uint64_t place = (key * UINT64_C(0x9E3779B97F4A7C15)) >> 20 & map->mask;
    while (map->keys[place] != 0 && map->keys[place] != key) {
        place = (place + 1) & map->mask;
    }
    return place;
}

static void set_direction(icosphere *s, uint32_t vertex, double x, double y, double z)
{
    double scale = 1 / sqrt(x * x + y * y + z * z);
    double *out = s->directions + 3 * (size_t)vertex;
    out[0] = x * scale;
    out[1] = y * scale;
    out[2] = z * scale;
}

static uint32_t middle_of(icosphere *s, edge_map *map, uint32_t a, uint32_t b)
{
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t key = ((uint64_t)low << 32 | high) + 1;
    uint64_t place = edge_map_place(map, key);
    if (map->keys[place] == 0) {
        const double *p = s->directions + 3 * (size_t)low, *q = s->directions + 3 * (size_t)high;
        map->keys[place] = key;
        map->middles[place] = s->vertex_count;
        set_direction(s, s->vertex_count++, p[0] + q[0], p[1] + q[1], p[2] + q[2]);
    }
    return map->middles[place];
}

/* Backwards, so that the four parts may lie in the same array as the whole. */
static void cut_in_four(icosphere *s, edge_map *map)
{
    for (uint32_t i = s->triangle_count; i-- > 0;) {
        uint32_t *from = s->indices + 3 * (size_t)i;
        uint32_t a = from[0], b = from[1], c = from[2];
        uint32_t ab = middle_of(s, map, a, b), bc = middle_of(s, map, b, c);
        uint32_t ca = middle_of(s, map, c, a);
        const uint32_t parts[12] = {a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca};
        memcpy(s->indices + 12 * (size_t)i, parts, sizeof parts);
    }
    s->triangle_count *= 4;
}

static void start_icosahedron(icosphere *s)
{
    for (uint32_t i = 0; i < 12; i++) {
        set_direction(s, i, corners[i][0], corners[i][1], corners[i][2]);
    }
    memcpy(s->indices, faces, sizeof faces);
    s->vertex_count = 12;
    s->triangle_count = 20;
}

uint32_t icosphere_nearest_level(uint32_t triangles)
{
    uint32_t level = 0;
    while (level < ICOSPHERE_LEVEL_MAX &&
           triangles > (icosphere_triangles(level) + icosphere_triangles(level + 1)) / 2) {
        level++;
    }
    return level;
}

void icosphere_destroy(icosphere *s)
{
    free(s->directions);
    free(s->indices);
    *s = (icosphere){0};
}

bool icosphere_create(uint32_t level, icosphere *out)
{
    size_t triangles = icosphere_triangles(level), vertices = triangles / 2 + 2;
    edge_map map = {0};
    *out = (icosphere){0};
    out->directions = malloc(3 * vertices * sizeof *out->directions);
    out->indices = malloc(3 * triangles * sizeof *out->indices);
    bool fine =
        out->directions != NULL && out->indices != NULL && edge_map_create(&map, triangles / 2);
    if (fine) {
        start_icosahedron(out);
        for (uint32_t i = 0; i < level; i++) {
            cut_in_four(out, &map);
        }
    } else {
        icosphere_destroy(out);
    }
    edge_map_destroy(&map);
    return fine;
}

bool icosphere_fill_body(scene_body *body, const icosphere *s)
{
    size_t size = 3 * (size_t)s->triangle_count * sizeof *s->indices;
    body->vertex_count = s->vertex_count;
    body->triangle_count = s->triangle_count;
    body->indices = malloc(size);
    if (body->indices == NULL) {
        return false;
    }
    memcpy(body->indices, s->indices, size);
    return true;
}

bool icosphere_fill_scene(scene *s, icosphere *out, uint32_t body_count, scene_motion motion)
{
    s->bodies = calloc(body_count, sizeof *s->bodies);
    if (s->bodies == NULL || !icosphere_create(icosphere_nearest_level(s->asked.triangles), out)) {
        return false;
    }
    s->body_count = body_count;
    s->params.triangles = out->triangle_count;
    for (uint32_t i = 0; i < body_count; i++) {
        s->bodies[i].motion = motion;
        if (!icosphere_fill_body(&s->bodies[i], out)) {
            return false;
        }
    }
    return true;
}
