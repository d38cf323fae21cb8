/* degenerate.c - a zoo of everything that breaks collision detection.
 *
 * Cubes that touch in faces, edges and corners; sheets in one plane; points, segments and slivers
 * as triangles; duplicates; needles; edges with five triangles; sizes from denormal to 1e30; a
 * body without triangles and one without anything. Pieces move by eighths, which float32 holds
 * exactly, so that they touch exactly. Way in: the table `cages`, one line per body. */
#include "random.h"
#include "scenes.h"

#include <stdlib.h>
#include <string.h>

/* A body while it is put together. Memory that fails is noticed once, at the end. */
typedef struct cage {
    float *points;
    uint32_t point_count, point_capacity;
    uint32_t *indices;
    uint32_t index_count, index_capacity;
    uint32_t first_moving; /* this vertex and those after it move */
    bool failed;
} cage;

static bool reserve(void **array, uint32_t *capacity, uint32_t needed, size_t size)
{
    if (needed <= *capacity) {
        return true;
    }
    void *grown = realloc(*array, 2 * (size_t)needed * size);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    *capacity = 2 * needed;
    return true;
}

static uint32_t point(cage *c, double x, double y, double z)
{
    void *array = c->points;
    uint32_t capacity = c->point_capacity / 3;
    if (!reserve(&array, &capacity, c->point_count + 1, 3 * sizeof *c->points)) {
        c->failed = true;
        return 0;
    }
    c->points = array;
    c->point_capacity = 3 * capacity;
    float *out = c->points + 3 * (size_t)c->point_count;
    out[0] = (float)x;
    out[1] = (float)y;
    out[2] = (float)z;
    return c->point_count++;
}

static void triangle(cage *c, uint32_t p, uint32_t q, uint32_t r)
{
    void *array = c->indices;
    if (!reserve(&array, &c->index_capacity, c->index_count + 3, sizeof *c->indices)) {
        c->failed = true;
        return;
    }
    c->indices = array;
    c->indices[c->index_count++] = p;
    c->indices[c->index_count++] = q;
    c->indices[c->index_count++] = r;
}

static void move_from_here(cage *c) { c->first_moving = c->point_count; }

/* A cube whose lowest corner is (x, y, z). */
static void cube(cage *c, double x, double y, double z, double side)
{
    static const uint8_t sides[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                         {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                         {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    uint32_t first = c->point_count;
    for (uint32_t i = 0; i < 8; i++) {
        point(c, x + side * (i & 1), y + side * (i >> 1 & 1), z + side * (i >> 2));
    }
    for (int i = 0; i < 12; i++) {
        triangle(c, first + sides[i][0], first + sides[i][1], first + sides[i][2]);
    }
}

/* Squares of side `step`, `count` by `count` of them, in the plane at z. */
static void sheet(cage *c, double x, double y, double z, double step, uint32_t count)
{
    uint32_t first = c->point_count;
    for (uint32_t j = 0; j <= count; j++) {
        for (uint32_t i = 0; i <= count; i++) {
            point(c, x + step * i, y + step * j, z);
        }
    }
    for (uint32_t j = 0; j < count; j++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = first + j * (count + 1) + i;
            triangle(c, at, at + 1, at + count + 1);
            triangle(c, at + 1, at + count + 2, at + count + 1);
        }
    }
}

static void still_cube(cage *c)
{
    cube(c, 0, 0, 0, 1);
    move_from_here(c);
    cube(c, 0.25, 0.25, 1, 0.5); /* stands on the first */
}

static void moving_cube(cage *c)
{
    move_from_here(c);
    cube(c, 1, 0, 0, 1); /* beside the first */
}

static void coplanar_sheets(cage *c)
{
    sheet(c, -0.5, -0.5, 1, 0.25, 6); /* in the top face of the still cube */
    move_from_here(c);
    sheet(c, -0.25, -0.25, 1, 0.5, 3);
    sheet(c, 0, 0, 1, 0.375, 2);
}

static void points_and_segments(cage *c)
{
    uint32_t corner = point(c, 1, 1, 1), edge = point(c, 1, 0.5, 1), face = point(c, 1, 0.5, 0.5);
    uint32_t other = point(c, 1, 0, 1), inside = point(c, 0.5, 0.5, 0.5);
    triangle(c, corner, corner, corner);
    triangle(c, face, face, face);
    triangle(c, corner, other, edge); /* in line */
    triangle(c, inside, face, face);  /* a segment by its numbers */
    triangle(c, inside, edge, inside);
    move_from_here(c);
    for (uint32_t i = 0; i < 4; i++) { /* points and segments by their places */
        uint32_t a = point(c, 1, 0.25 * i, 0.5), b = point(c, 1, 0.25 * i, 0.5);
        uint32_t d = point(c, 1, 0.25 * i, 0.5), e = point(c, 0.5, 0.25 * i, 0.75);
        triangle(c, a, b, d);
        triangle(c, a, b, e);
        triangle(c, e, d, b);
    }
}

static void duplicates(cage *c)
{
    for (uint32_t i = 0; i < 3; i++) { /* equal places, other numbers */
        uint32_t a = point(c, 0, 0, 0.5), b = point(c, 1.5, 0, 0.5), d = point(c, 0, 1.5, 0.5);
        triangle(c, a, b, d);
        triangle(c, d, b, a);
        triangle(c, b, d, a);
    }
    move_from_here(c);
    uint32_t a = point(c, 0.25, 0.25, 0.25), b = point(c, 0.25, 0.25, 1), d = point(c, 0.5, 0.5, 1);
    triangle(c, a, b, d);
    triangle(c, a, b, d);
}

/* Needles around one tip, and slivers that are all but lines, on the top face of the cube. */
static void needles(cage *c)
{
    enum { COUNT = 24 };
    uint32_t tip = point(c, 0.5, 0.5, 1);
    for (uint32_t i = 0; i < COUNT; i++) {
        double x = random_between(WI_HASH_START, 3 * i, -3, 3);
        double y = random_between(WI_HASH_START, 3 * i + 1, -3, 3);
        double z = i % 3 == 0 ? 1 : random_between(WI_HASH_START, 3 * i + 2, 0, 2);
        uint32_t a = point(c, x, y, z), b = point(c, x + 0x1p-21, y, z - (i % 2) * 0x1p-21);
        triangle(c, tip, a, b);
    }
    move_from_here(c);
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t a = point(c, 0, 0.125 * i, 1), b = point(c, 1, 0.125 * i, 1);
        uint32_t d = point(c, 0.5, 0.125 * i + (i % 3) * 0x1p-23, 1);
        triangle(c, a, b, d);
    }
}

static void non_manifold(cage *c)
{
    uint32_t a = point(c, 0.5, 0.5, -0.5), b = point(c, 0.5, 0.5, 1.5);
    point(c, 0.5, 0.5, 0.5);           /* belongs to no triangle, as do two more below */
    for (uint32_t i = 0; i < 5; i++) { /* five triangles at one edge */
        triangle(c, a, b, point(c, 0.25 * i, 1 - 0.5 * (i % 2), 0.5));
    }
    uint32_t knot = point(c, 1, 1, 1); /* bow ties: one corner in common */
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t d = point(c, 1.5, 0.25 * i, 1 + 0.25 * i), e = point(c, 1.5, 0.25 * i + 0.25, 1);
        triangle(c, knot, d, e);
    }
    move_from_here(c);
    point(c, 9, 9, 9);
    for (uint32_t i = 0; i < 6; i++) { /* an open strip, folded onto itself */
        uint32_t d = point(c, 0.25 * (i % 3), 0, 0.25), e = point(c, 0.25 * (i % 3), 1, 0.25);
        if (i > 0) {
            triangle(c, d - 2, d, e);
            triangle(c, d - 2, e, d - 1);
        }
    }
    point(c, -9, -9, -9);
}

static void huge(cage *c)
{
    double s = 0x1p100; /* about 1e30 */
    cube(c, -s, -s, -s, 2 * s);
    uint32_t a = point(c, -s, -s, 0), b = point(c, s, -s, 0), d = point(c, 0, s, 0);
    triangle(c, a, b, d);
    move_from_here(c);
    cube(c, s, -s, -s, s); /* touches a face */
    uint32_t e = point(c, -0x1p127, 0, 0.5), f = point(c, 0x1p127, 1, 0.5);
    uint32_t g = point(c, 0, -0x1p127, 0.5);
    triangle(c, e, f, g);
}

static void tiny(cage *c)
{
    double s = 0x1p-140; /* denormal as float32; the corner of the still cube is at the origin */
    cube(c, -s, -s, -s, s);
    move_from_here(c);
    cube(c, 0, 0, 0, s);
    cube(c, -s, 0, 0, s);
}

static void nothing(cage *c) { (void)c; }

static void points_alone(cage *c)
{
    point(c, 0.5, 0.5, 0.5);
    move_from_here(c);
    point(c, 1, 1, 1);
}

/* What lives in which body, and what its moving part moves by: `slides` times this. */
typedef struct cage_kind {
    void (*fill)(cage *c);
    float unit;
    uint32_t rhythm; /* slides per frame, so that the bodies' moves combine in many ways */
} cage_kind;

static const cage_kind cages[] = {
    {still_cube, 1, 1},   {moving_cube, 1, 1}, {coplanar_sheets, 1, 3}, {points_and_segments, 1, 5},
    {duplicates, 1, 3},   {needles, 1, 7},     {non_manifold, 1, 5},    {huge, 0x1p100f, 1},
    {tiny, 0x1p-140f, 1}, {nothing, 1, 1},     {points_alone, 1, 1},
};

enum { CAGE_COUNT = sizeof cages / sizeof cages[0], SLIDE_COUNT = 8 };

/* In touch, apart, across, and in touch along a face, an edge and a corner. */
static const float slides[SLIDE_COUNT][3] = {
    {0, 0, 0}, {0.125f, 0, 0}, {-0.125f, 0, 0}, {0, 0.5f, 0},
    {0, 1, 0}, {0, 1, 1},      {0, 0.25f, 1},   {-0.5f, -0.5f, 0.125f},
};

/* One cage per body; `indices` move on to the scene's bodies. */
typedef struct zoo {
    cage cages[CAGE_COUNT];
} zoo;

static void destroy(scene *s)
{
    zoo *data = s->data;
    for (int i = 0; i < CAGE_COUNT; i++) {
        free(data->cages[i].points);
        free(data->cages[i].indices);
    }
    free(data);
}

static bool create(scene *s)
{
    zoo *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(CAGE_COUNT, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    s->body_count = CAGE_COUNT;
    for (int i = 0; i < CAGE_COUNT; i++) {
        cage *c = &data->cages[i];
        cages[i].fill(c);
        s->bodies[i] = (scene_body){.vertex_count = c->point_count,
                                    .triangle_count = c->index_count / 3,
                                    .indices = c->indices,
                                    .self = true};
        c->indices = NULL;
        if (c->failed) {
            return false;
        }
    }
    return true;
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const zoo *data = s->data;
    const cage *c = &data->cages[body];
    const float *slide = slides[frame * cages[body].rhythm % SLIDE_COUNT];
    if (c->point_count > 0) {
        memcpy(xyz_out, c->points, 3 * (size_t)c->point_count * sizeof *xyz_out);
    }
    for (uint32_t i = c->first_moving; i < c->point_count; i++) {
        for (int k = 0; k < 3; k++) {
            xyz_out[3 * (size_t)i + (size_t)k] += slide[k] * cages[body].unit;
        }
    }
}

extern const scene_kind scene_degenerate;
const scene_kind scene_degenerate = {
    .name = "degenerate",
    .summary = "a zoo: touching, coplanar, points, needles, duplicates, 1e30, denormals, empty",
    .stands_for = "the inputs that break collision detection",
    .defaults = {.frames = 24},
    .lowest = {.frames = 1},
    .highest = {.frames = 1000000},
    .variants = "",
    .create = create,
    .positions = positions,
    .destroy = destroy,
};
