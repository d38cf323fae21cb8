/* ray_scene.c - see ray_scene.h. */
#include "support/ray_scene.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/rational_ray.h"

/* ---- the scene ---- */

void ray_scene_add(ray_scene *scene, const willow_world *world, willow_body_id id,
                   const uint16_t *groups)
{
    willow_body_info info;
    assert_true(scene->body_count < RAY_SCENE_BODIES);
    assert_ok(willow_body_get_info(world, id, &info));
    ray_body *body = &scene->bodies[scene->body_count++];
    *body = (ray_body){.id = id,
                       .user_data = info.user_data,
                       .category_bits = info.category_bits,
                       .tri_count = info.triangle_count,
                       .groups = groups};
    body->corners = calloc(3 * (size_t)info.triangle_count + 1, sizeof *body->corners);
    assert_ok(willow_body_copy_triangles(world, id, NULL, info.triangle_count, body->corners));
    scene->tri_count += info.triangle_count;
}

void ray_scene_clear(ray_scene *scene)
{
    for (uint32_t i = 0; i < scene->body_count; i++) free(scene->bodies[i].corners);
    memset(scene, 0, sizeof *scene);
}

/* ---- aims ---- */

static uint32_t below(uint64_t *random, uint32_t limit)
{
    return (uint32_t)(test_random(random) % limit);
}

static float between(uint64_t *random, float low, float high)
{
    return (float)test_random_between(random, (double)low, (double)high);
}

static willow_vec3 minus(willow_vec3 a, willow_vec3 b)
{
    return (willow_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

/* a + share * (b - a) */
static willow_vec3 mix(willow_vec3 a, willow_vec3 b, float share)
{
    const willow_vec3 d = minus(b, a);
    return (willow_vec3){a.x + share * d.x, a.y + share * d.y, a.z + share * d.z};
}

static willow_vec3 any_near(uint64_t *random, willow_vec3 at, float size)
{
    return (willow_vec3){at.x + between(random, -size, size), at.y + between(random, -size, size),
                         at.z + between(random, -size, size)};
}

/* Any triangle, as its corners; one of its own where there is none. */
static const willow_vec3 *any_tri(const ray_scene *scene, uint64_t *random)
{
    static const willow_vec3 usual[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    if (scene->tri_count == 0) return usual;
    size_t number = (size_t)(test_random(random) % scene->tri_count);
    const ray_body *body = scene->bodies;
    for (; number >= body->tri_count; body++) number -= body->tri_count;
    return body->corners + 3 * number;
}

/* Where a ray starts and what it is at when t is 1. */
static void choose_line(const ray_scene *scene, uint64_t *random, willow_vec3 *from,
                        willow_vec3 *at)
{
    const willow_vec3 *tri = any_tri(scene, random), *other = any_tri(scene, random);
    const uint32_t i = below(random, 3), k = (i + 1 + below(random, 2)) % 3;
    *from = any_near(random, other[0], 1);
    switch (below(random, 10)) {
    case 0: *at = tri[i]; break;
    case 1: *at = mix(tri[i], tri[k], 0.5F); break;
    case 2: /* along an edge, from before it or on it */
        *from = mix(tri[i], tri[k], (float)below(random, 4) - 2);
        *at = tri[k];
        break;
    case 3: /* in the plane */
        *from = mix(tri[i], tri[k], 3);
        *at = mix(tri[0], mix(tri[1], tri[2], 0.5F), 0.5F);
        break;
    case 4: /* from a point of a triangle */
        *from = mix(tri[i], tri[k], below(random, 2) == 0 ? 0 : 0.25F);
        *at = other[i];
        break;
    case 5: /* along an axis */
        *at = tri[i];
        *from = *at;
        *(below(random, 3) == 0   ? &from->x
          : below(random, 2) == 0 ? &from->y
                                  : &from->z) += below(random, 2) == 0 ? 2.0F : -2.0F;
        break;
    case 6: /* from one corner to another */
        *from = other[k];
        *at = tri[i];
        break;
    case 7: *at = any_near(random, *from, 1); break;
    default:
        *at =
            mix(tri[i], mix(tri[k], tri[3 - i - k], between(random, 0, 1)), between(random, 0, 1));
    }
}

static float to_finite(float value)
{
    if (isnan(value)) return 0;
    return fminf(fmaxf(value, -FLT_MAX), FLT_MAX);
}

static willow_vec3 all_finite(willow_vec3 v)
{
    return (willow_vec3){to_finite(v.x), to_finite(v.y), to_finite(v.z)};
}

static void choose_range(uint64_t *random, willow_ray *ray)
{
    static const struct {
        float t_min, t_max;
    } ranges[] = {{0, INFINITY}, {0, INFINITY}, {0, INFINITY}, {0, INFINITY},
                  {0, 1},        {0, 1},        {0, FLT_MAX},  {1, 1},
                  {-1, 1},       {0.5F, 3},     {0, 0.25F},    {-INFINITY, INFINITY}};
    const uint32_t i = below(random, sizeof ranges / sizeof ranges[0]);
    ray->t_min = fmaxf(ranges[i].t_min, -FLT_MAX);
    ray->t_max = ranges[i].t_max;
}

/* As many as may be followed together; every second bundle goes the same way. */
enum { RAYS_TOGETHER = 8 };

static willow_ray aim_anywhere(const ray_scene *scene, uint64_t *random)
{
    willow_vec3 from, at;
    choose_line(scene, random, &from, &at);
    willow_vec3 d = all_finite(minus(at, from));
    if (d.x == 0 && d.y == 0 && d.z == 0) d.z = -1;
    willow_ray ray = {.origin = all_finite(from), .direction = d};
    choose_range(random, &ray);
    return ray;
}

static willow_vec3 nudge(uint64_t *random, willow_vec3 v, float share)
{
    const float size = share * fmaxf(fabsf(v.x), fmaxf(fabsf(v.y), fabsf(v.z)));
    return all_finite((willow_vec3){v.x + between(random, -size, size),
                                    v.y + between(random, -size, size),
                                    v.z + between(random, -size, size)});
}

/* Goes nearly the way of another ray, so that both may be followed together. */
static willow_ray aim_beside(uint64_t *random, const willow_ray *first)
{
    static const float shares[] = {0, 0x1p-20F, 0x1p-8F, 0x1p-4F};
    willow_ray ray = *first;
    ray.origin = nudge(random, ray.origin, shares[below(random, 4)]);
    ray.direction = nudge(random, ray.direction, shares[below(random, 4)]);
    if (ray.direction.x == 0 && ray.direction.y == 0 && ray.direction.z == 0) ray.direction.z = -1;
    if (below(random, 8) == 0) choose_range(random, &ray);
    return ray;
}

void ray_scene_aim(const ray_scene *scene, uint64_t seed, size_t count, willow_ray *out)
{
    uint64_t random = seed;
    bool is_bundle = false;
    for (size_t i = 0; i < count; i++) {
        if (i % RAYS_TOGETHER == 0) is_bundle = below(&random, 2) == 0;
        if (is_bundle && i % RAYS_TOGETHER != 0)
            out[i] = aim_beside(&random, &out[i - i % RAYS_TOGETHER]);
        else
            out[i] = aim_anywhere(scene, &random);
    }
}

void ray_scene_ignore(const ray_scene *scene, uint64_t seed, const willow_ray *rays, size_t count,
                      willow_tri_ref *out)
{
    uint64_t random = seed;
    willow_hit *hits = calloc(scene->tri_count + 1, sizeof *hits);
    const willow_ray_options options = willow_ray_options_default();
    for (size_t i = 0; i < count; i++) {
        const uint32_t kind = below(&random, 8);
        const ray_body *body = &scene->bodies[below(&random, scene->body_count + 1)];
        size_t found = 0;
        memset(&out[i], 0, sizeof out[i]);
        if (kind < 4) found = ray_scene_hits(scene, &options, rays, i, hits);
        if (found > 0)
            out[i] = hits[kind % found].at;
        else if (kind < 6 && scene->body_count > 0 && body->tri_count > 0)
            out[i] = (willow_tri_ref){body->id, below(&random, body->tri_count)};
    }
    free(hits);
}

/* ---- hits ---- */

static bool is_among(const ray_body *body, const willow_ray_options *o)
{
    if ((body->category_bits & o->mask_bits) == 0) return false;
    for (size_t i = 0; i < o->body_count && o->bodies != NULL; i++)
        if (willow_body_id_equal(o->bodies[i], body->id)) return true;
    return o->bodies == NULL;
}

static bool is_ignored(const ray_body *body, uint32_t tri, const willow_ray_options *o, size_t ray)
{
    return o->ignore != NULL && o->ignore[ray].body.index1 != 0 &&
           willow_body_id_equal(o->ignore[ray].body, body->id) && o->ignore[ray].tri == tri;
}

static bool is_before(const willow_hit *a, const willow_hit *b)
{
    if (a->t != b->t) return a->t < b->t;
    if (a->at.body.index1 != b->at.body.index1) return a->at.body.index1 < b->at.body.index1;
    return a->at.tri < b->at.tri;
}

static void insert(willow_hit *hits, size_t count, const willow_hit *hit)
{
    size_t at = count;
    for (; at > 0 && is_before(hit, &hits[at - 1]); at--) hits[at] = hits[at - 1];
    hits[at] = *hit;
}

static size_t hits_of_body(const ray_body *body, const willow_ray_options *o,
                           const willow_ray *rays, size_t ray, willow_hit *out, size_t count)
{
    for (uint32_t tri = 0; tri < body->tri_count; tri++) {
        const willow_vec3 *corners = body->corners + 3 * (size_t)tri;
        willow_hit hit;
        if (body->groups != NULL && body->groups[tri] == 0) continue;
        if (is_ignored(body, tri, o, ray) || !willow_ray_tri(&rays[ray], corners, &hit)) continue;
        if (o->one_sided && rational_ray_side(&rays[ray], corners) > 0) continue;
        hit.at = (willow_tri_ref){body->id, tri};
        hit.user_data = body->user_data;
        if (o->filter != NULL && !o->filter(o->filter_context, ray, &hit)) continue;
        insert(out, count++, &hit);
    }
    return count;
}

size_t ray_scene_hits(const ray_scene *scene, const willow_ray_options *options,
                      const willow_ray *rays, size_t ray, willow_hit *out)
{
    size_t count = 0;
    for (uint32_t i = 0; i < scene->body_count; i++)
        if (is_among(&scene->bodies[i], options))
            count = hits_of_body(&scene->bodies[i], options, rays, ray, out, count);
    return count;
}

/* ---- answers ---- */

bool ray_hits_are_equal(const willow_hit *a, const willow_hit *b)
{
    return a->at.body.index1 == b->at.body.index1 && a->at.tri == b->at.tri &&
           a->user_data == b->user_data && memcmp(&a->t, &b->t, sizeof a->t) == 0 &&
           memcmp(&a->u, &b->u, sizeof a->u) == 0 && memcmp(&a->v, &b->v, sizeof a->v) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0;
}

static bool are_equal(const willow_hit *a, const willow_hit *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!ray_hits_are_equal(&a[i], &b[i])) return false;
    return true;
}

bool ray_casts_are_equal(const willow_casts *a, const willow_casts *b)
{
    return a->count == b->count && a->complete == b->complete &&
           (a->count == 0 || memcmp(a->states, b->states, a->count) == 0) &&
           are_equal(a->hits, b->hits, a->count);
}

bool ray_blocks_are_equal(const willow_blocks *a, const willow_blocks *b)
{
    return a->count == b->count && a->complete == b->complete &&
           (a->count == 0 || memcmp(a->states, b->states, a->count) == 0);
}

bool ray_pierces_are_equal(const willow_pierces *a, const willow_pierces *b)
{
    if (a->ray_count != b->ray_count || a->count != b->count || a->complete != b->complete ||
        (a->ray_count > 0 && memcmp(a->states, b->states, a->ray_count) != 0))
        return false;
    for (size_t i = 0; i < a->ray_count; i++)
        if (a->runs[i].first != b->runs[i].first || a->runs[i].count != b->runs[i].count ||
            a->runs[i].complete != b->runs[i].complete)
            return false;
    return are_equal(a->items, b->items, a->count);
}

size_t ray_states_count(const uint8_t *states, size_t count, willow_ray_state state)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += states[i] == state;
    return sum;
}
