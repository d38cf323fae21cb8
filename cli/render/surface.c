/* surface.c - what rays hit: normals of vertices, colours of bodies, triangles that collide.
 *
 * The normal of a vertex is the mean of those of its triangles, by their areas. A triangle takes it
 * where the surface is smooth, and its own where the two differ as at the edge of a table. */
#include "cli/colours.h"
#include "cli/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cosine of the angle from which on an edge is sharp: 40 degrees. */
static const float sharp = 0.766F;

/* ---- memory ---- */

bool surfaces_create(surfaces *s, const scene *of, float *const *positions)
{
    const size_t bodies = (size_t)of->body_count + 1;
    *s = (surfaces){.scene = of, .positions = positions};
    s->normals = calloc(bodies, sizeof *s->normals);
    s->marks = calloc(bodies, sizeof *s->marks);
    if (s->normals == NULL || s->marks == NULL) return false;
    for (uint32_t i = 0; i < of->body_count; i++) {
        s->normals[i] = calloc((size_t)of->bodies[i].vertex_count + 1, sizeof **s->normals);
        s->marks[i] = calloc((size_t)of->bodies[i].triangle_count + 1, 1);
        if (s->normals[i] == NULL || s->marks[i] == NULL) return false;
    }
    return true;
}

void surfaces_destroy(surfaces *s)
{
    for (uint32_t i = 0; s->scene != NULL && i < s->scene->body_count; i++) {
        if (s->normals != NULL) free(s->normals[i]);
        if (s->marks != NULL) free(s->marks[i]);
    }
    free(s->normals);
    free(s->marks);
}

/* ---- normals ---- */

static willow_vec3 corner_of(const float *xyz, uint32_t vertex)
{
    const float *at = xyz + 3 * (size_t)vertex;
    return (willow_vec3){at[0], at[1], at[2]};
}

/* Twice as long as the triangle is large. */
static willow_vec3 area_normal(willow_vec3 a, willow_vec3 b, willow_vec3 c)
{
    const willow_vec3 e = {b.x - a.x, b.y - a.y, b.z - a.z}, f = {c.x - a.x, c.y - a.y, c.z - a.z};
    return (willow_vec3){e.y * f.z - e.z * f.y, e.z * f.x - e.x * f.z, e.x * f.y - e.y * f.x};
}

static float dot3(willow_vec3 a, willow_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static willow_vec3 unit3(willow_vec3 a)
{
    const float length = sqrtf(dot3(a, a));
    if (!(length > 0) || !isfinite(length)) return (willow_vec3){0, 0, 0};
    return (willow_vec3){a.x / length, a.y / length, a.z / length};
}

static void add3(willow_vec3 *sum, float s, willow_vec3 a)
{
    *sum = (willow_vec3){sum->x + s * a.x, sum->y + s * a.y, sum->z + s * a.z};
}

static void bend_body(const scene_body *body, uint32_t frame, const float *xyz, willow_vec3 *out)
{
    memset(out, 0, (size_t)body->vertex_count * sizeof *out);
    for (uint32_t tri = 0; tri < body->triangle_count; tri++) {
        if (!scene_has_triangle(body, tri, frame)) continue;
        const uint32_t *v = body->indices + 3 * (size_t)tri;
        const willow_vec3 n =
            area_normal(corner_of(xyz, v[0]), corner_of(xyz, v[1]), corner_of(xyz, v[2]));
        for (int k = 0; k < 3; k++) add3(&out[v[k]], 1, n);
    }
    for (uint32_t i = 0; i < body->vertex_count; i++) out[i] = unit3(out[i]);
}

void surfaces_bend(surfaces *s, uint32_t frame)
{
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        bend_body(&s->scene->bodies[i], frame, s->positions[i], s->normals[i]);
    }
}

static willow_vec3 normal_at_corner(willow_vec3 of_vertex, willow_vec3 own)
{
    return dot3(of_vertex, own) > sharp ? of_vertex : own;
}

willow_vec3 surfaces_normal(const surfaces *s, const willow_hit *hit)
{
    const size_t body = (size_t)hit->user_data;
    const uint32_t *v = s->scene->bodies[body].indices + 3 * (size_t)hit->at.tri;
    const willow_vec3 *normals = s->normals[body];
    const float shares[3] = {1 - hit->u - hit->v, hit->u, hit->v};
    willow_vec3 sum = {0, 0, 0};
    for (int k = 0; k < 3; k++) {
        add3(&sum, shares[k], normal_at_corner(normals[v[k]], hit->normal));
    }
    const willow_vec3 smooth = unit3(sum);
    return dot3(smooth, smooth) > 0 ? smooth : hit->normal;
}

/* ---- colours ---- */

static colour colour_from(const uint8_t rgb[3])
{
    return (colour){light_of_byte(rgb[0]), light_of_byte(rgb[1]), light_of_byte(rgb[2])};
}

bool surfaces_is_marked(const surfaces *s, const willow_hit *hit)
{
    return s->marks[hit->user_data][hit->at.tri] != 0;
}

colour surfaces_colour(const surfaces *s, const willow_hit *hit)
{
    if (surfaces_is_marked(s, hit)) return colour_from(collision_colour());
    return colour_from(body_colour((uint32_t)hit->user_data));
}

colour surfaces_collision_colour(void) { return colour_from(collision_colour()); }

/* ---- edges ---- */

static float length3(willow_vec3 a, willow_vec3 b)
{
    const willow_vec3 d = {b.x - a.x, b.y - a.y, b.z - a.z};
    return sqrtf(dot3(d, d));
}

/* From 0 to 1 between two numbers, and no further. */
static float ramp(float from, float to, float at)
{
    const float share = (at - from) / (to - from);
    return share > 1 ? 1 : share > 0 ? share : 0; /* NaN: 0 */
}

/* Lines of this many widths from side to side of a triangle would cover it; those of twice as many
 * are as dark as any. */
static const float narrow = 4;

float surfaces_line(const surfaces *s, const willow_hit *hit, float width)
{
    const uint32_t *v = s->scene->bodies[hit->user_data].indices + 3 * (size_t)hit->at.tri;
    const float *xyz = s->positions[hit->user_data];
    const willow_vec3 corner[3] = {corner_of(xyz, v[0]), corner_of(xyz, v[1]),
                                   corner_of(xyz, v[2])};
    const float shares[3] = {1 - hit->u - hit->v, hit->u, hit->v};
    const willow_vec3 normal = area_normal(corner[0], corner[1], corner[2]);
    const float area = sqrtf(dot3(normal, normal));
    float nearest = INFINITY, lowest = INFINITY;
    for (int k = 0; k < 3; k++) {
        const float height = area / length3(corner[(k + 1) % 3], corner[(k + 2) % 3]);
        nearest = fminf(nearest, height * shares[k]);
        lowest = fminf(lowest, height);
    }
    return ramp(width, 0.5F * width, nearest) * ramp(narrow * width, 2 * narrow * width, lowest);
}

/* ---- collisions ---- */

static void mark_run(surfaces *s, const player *p, const willow_pairs *pairs,
                     const willow_pair_run *run)
{
    uint8_t *a = s->marks[player_body_number(p, run->body_a)];
    uint8_t *b = s->marks[player_body_number(p, run->body_b)];
    for (size_t i = run->first; i < run->first + run->count; i++) {
        a[pairs->items[i].tri_a] = 1;
        b[pairs->items[i].tri_b] = 1;
    }
}

void surfaces_mark(surfaces *s, const player *p, const willow_pairs *pairs)
{
    for (uint32_t i = 0; i < s->scene->body_count; i++) {
        memset(s->marks[i], 0, s->scene->bodies[i].triangle_count);
    }
    for (size_t i = 0; pairs != NULL && i < pairs->run_count; i++) {
        mark_run(s, p, pairs, &pairs->runs[i]);
    }
}
