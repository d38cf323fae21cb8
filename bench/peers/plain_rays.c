/* plain_rays.c - rays through the trees of the yardstick.
 *
 * plain.c is frozen and does not know rays, so they are here: what a good programmer adds to it in
 * an afternoon. Trees of bodies are met in the order in which the ray enters their boxes, children
 * in the same way with a stack of its own, and triangles by Moeller and Trumbore in double
 * precision. Inverses of the direction are computed once per ray. */
#include "bench/peers/plain.h"
#include "bench/peers/ray_peer.h"

#include <math.h>
#include <stdlib.h>

/* As plain.c has them: what is there stays as it is, and the test of peers would see a change. */
typedef struct node {
    float lower[3];
    uint32_t child;
    float upper[3];
    uint32_t tri;
} node;

typedef struct item {
    float centre[3];
    uint32_t tri;
} item;

struct plain_tree {
    node *nodes;
    item *items;
    uint32_t (*corners)[3];
    uint32_t triangle_count;
    uint32_t node_end;
};

typedef struct ray_body {
    plain_mesh mesh;
    plain_tree *tree;
} ray_body;

/* A body whose box the ray enters. */
typedef struct entry {
    float t;
    uint32_t body;
} entry;

typedef struct plain_rays {
    ray_body *bodies;
    entry *entries; /* room for all */
    uint32_t body_count;
} plain_rays;

/* ---- one ray ---- */

typedef struct ready_ray {
    float origin[3], inverse[3];
    double o[3], d[3], t_min;
    double t; /* of the closest hit so far; at first the end of the ray */
    uint32_t body, tri;
    bool is_hit, any;
} ready_ray;

static float inverse_of(float d) { return 1.0F / (d == 0.0F ? 1e-30F : d); }

static ready_ray get_ready(const willow_ray *ray, bool any)
{
    const float o[3] = {ray->origin.x, ray->origin.y, ray->origin.z};
    const float d[3] = {ray->direction.x, ray->direction.y, ray->direction.z};
    ready_ray r = {.t_min = (double)ray->t_min, .t = (double)ray->t_max, .any = any};
    for (int k = 0; k < 3; k++) {
        r.origin[k] = o[k];
        r.inverse[k] = inverse_of(d[k]);
        r.o[k] = (double)o[k];
        r.d[k] = (double)d[k];
    }
    return r;
}

/* Where the ray enters the box, or INFINITY. The end is moved by a few roundings, so that no ray is
 * lost that meets the box. */
static inline float enter(const ready_ray *r, const node *n)
{
    float first = (float)r->t_min, last = (float)r->t;
    for (int k = 0; k < 3; k++) {
        const float a = (n->lower[k] - r->origin[k]) * r->inverse[k];
        const float b = (n->upper[k] - r->origin[k]) * r->inverse[k];
        const float near = a < b ? a : b, far = a < b ? b : a;
        first = near > first ? near : first;
        last = far < last ? far : last;
    }
    return first <= last * 1.0000004F ? first : INFINITY;
}

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross3(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void meet_triangle(ready_ray *r, const plain_mesh *mesh, uint32_t body, uint32_t tri)
{
    const uint32_t *corners = mesh->indices + 3 * (size_t)tri;
    const float *a = mesh->positions + corners[0] * mesh->stride;
    const float *b = mesh->positions + corners[1] * mesh->stride;
    const float *c = mesh->positions + corners[2] * mesh->stride;
    double ab[3], ac[3], from[3], p[3], q[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = (double)b[k] - (double)a[k];
        ac[k] = (double)c[k] - (double)a[k];
        from[k] = r->o[k] - (double)a[k];
    }
    cross3(r->d, ac, p);
    const double determinant = dot3(ab, p);
    if (determinant == 0) return;
    const double inverse = 1 / determinant, u = dot3(from, p) * inverse;
    if (u < 0 || u > 1) return;
    cross3(from, ab, q);
    const double v = dot3(r->d, q) * inverse;
    if (v < 0 || u + v > 1) return;
    const double t = dot3(ac, q) * inverse;
    if (t < r->t_min || t > r->t || (t == r->t && r->is_hit)) return;
    r->t = t, r->body = body, r->tri = tri, r->is_hit = true;
}

/* ---- one tree ---- */

typedef struct wait {
    float t;
    uint32_t node;
} wait;

/* Halves keep the depth at 32 or less; one sibling per level waits. */
static void meet_tree(ready_ray *r, const ray_body *body, uint32_t number)
{
    const node *nodes = body->tree->nodes;
    wait stack[64];
    int height = 0;
    uint32_t at = 1;
    for (;;) {
        const node *n = &nodes[at];
        if (n->child == 0) {
            meet_triangle(r, &body->mesh, number, n->tri);
            if (r->any && r->is_hit) return;
        } else {
            const float a = enter(r, &nodes[n->child]), b = enter(r, &nodes[n->child + 1]);
            const uint32_t nearer = n->child + (b < a), farther = n->child + !(b < a);
            const float far = b < a ? a : b;
            if (far < INFINITY) stack[height++] = (wait){far, farther};
            if ((b < a ? b : a) < INFINITY) {
                at = nearer;
                continue;
            }
        }
        do {
            if (height == 0) return;
            at = stack[--height].node;
        } while ((double)stack[height].t > r->t);
    }
}

/* ---- all trees ---- */

static uint32_t enter_bodies(const plain_rays *p, const ready_ray *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->body_count; i++) {
        if (p->bodies[i].mesh.triangle_count == 0) continue;
        const float t = enter(r, &p->bodies[i].tree->nodes[1]);
        if (!(t < INFINITY)) continue;
        uint32_t at = count++;
        for (; at > 0 && p->entries[at - 1].t > t; at--) p->entries[at] = p->entries[at - 1];
        p->entries[at] = (entry){t, i};
    }
    return count;
}

static ready_ray meet_all(const plain_rays *p, const willow_ray *ray, bool any)
{
    ready_ray r = get_ready(ray, any);
    const uint32_t count = enter_bodies(p, &r);
    for (uint32_t i = 0; i < count && (double)p->entries[i].t <= r.t; i++) {
        meet_tree(&r, &p->bodies[p->entries[i].body], p->entries[i].body);
        if (any && r.is_hit) break;
    }
    return r;
}

/* ---- the peer ---- */

static void plain_rays_destroy(void *peer)
{
    plain_rays *p = peer;
    for (uint32_t i = 0; p->bodies != NULL && i < p->body_count; i++) {
        plain_tree_destroy(p->bodies[i].tree);
    }
    free(p->bodies);
    free(p->entries);
    free(p);
}

static bool plain_rays_build(plain_rays *p, const peer_mesh *meshes)
{
    for (uint32_t i = 0; i < p->body_count; i++) {
        ray_body *body = &p->bodies[i];
        body->mesh =
            (plain_mesh){meshes[i].positions, 3, meshes[i].indices, meshes[i].triangle_count};
        body->tree = plain_tree_create(meshes[i].triangle_count);
        if (body->tree == NULL) return false;
        plain_tree_build(body->tree, &body->mesh);
    }
    return true;
}

static void *plain_rays_create(const peer_mesh *meshes, uint32_t mesh_count)
{
    plain_rays *p = calloc(1, sizeof *p);
    if (p == NULL) return NULL;
    p->body_count = mesh_count;
    p->bodies = calloc((size_t)mesh_count + 1, sizeof *p->bodies);
    p->entries = calloc((size_t)mesh_count + 1, sizeof *p->entries);
    if (p->bodies == NULL || p->entries == NULL || !plain_rays_build(p, meshes)) {
        plain_rays_destroy(p);
        return NULL;
    }
    return p;
}

static bool plain_rays_update(void *peer)
{
    plain_rays *p = peer;
    for (uint32_t i = 0; i < p->body_count; i++) {
        plain_tree_refit(p->bodies[i].tree, &p->bodies[i].mesh);
    }
    return true;
}

static void plain_rays_cast(void *peer, const willow_ray *rays, size_t count, willow_hit *hits,
                            uint8_t *states)
{
    for (size_t i = 0; i < count; i++) {
        const ready_ray r = meet_all(peer, &rays[i], false);
        states[i] = r.is_hit ? WILLOW_RAY_HIT : WILLOW_RAY_FREE;
        hits[i] = (willow_hit){.at = {.tri = r.tri}, .user_data = r.body, .t = r.t};
    }
}

static void plain_rays_block(void *peer, const willow_ray *rays, size_t count, uint8_t *states)
{
    for (size_t i = 0; i < count; i++) {
        const ready_ray r = meet_all(peer, &rays[i], true);
        states[i] = r.is_hit ? WILLOW_RAY_HIT : WILLOW_RAY_FREE;
    }
}

static size_t plain_rays_bytes(const void *peer)
{
    const plain_rays *p = peer;
    size_t bytes = 0;
    for (uint32_t i = 0; i < p->body_count; i++) bytes += plain_tree_bytes(p->bodies[i].tree);
    return bytes;
}

extern const ray_peer_def ray_peer_plain;
const ray_peer_def ray_peer_plain = {
    .name = "peer:plain",
    .create = plain_rays_create,
    .destroy = plain_rays_destroy,
    .update = plain_rays_update,
    .cast = plain_rays_cast,
    .block = plain_rays_block,
    .bytes = plain_rays_bytes,
};
