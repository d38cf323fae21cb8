/* extras.c - what helps to see, beyond Whitted: shadows on a floor, and collisions that are hidden.
 *
 * Rays are made and asked some thousands at a time, since pictures have millions. */
#include "cli/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 4096 };

/* Rays start so far from the floor, in shares of the way to the lamp. */
static const float floor_start = 1e-4F;

/* ---- the floor ---- */

typedef struct floor_rays {
    willow_ray rays[AT_ONCE * SCENE_LIGHTS];
    uint32_t sample[AT_ONCE * SCENE_LIGHTS];
    uint8_t light[AT_ONCE * SCENE_LIGHTS];
    size_t count;
} floor_rays;

/* Where the ray meets the floor from above; false where it does not. */
static bool meet_floor(const willow_ray *ray, float height, willow_vec3 *at)
{
    const willow_vec3 o = ray->origin, d = ray->direction;
    if (!(o.z > height && d.z < 0)) return false;
    const float t = (height - o.z) / d.z;
    *at = (willow_vec3){o.x + t * d.x, o.y + t * d.y, height};
    return isfinite(at->x) && isfinite(at->y);
}

static void floor_add(floor_rays *f, willow_vec3 at, uint32_t sample, const scene_light *light,
                      uint32_t number)
{
    const float *lamp = light->position;
    const willow_vec3 towards = {lamp[0] - at.x, lamp[1] - at.y, lamp[2] - at.z};
    if (!(towards.z > 0)) return;
    f->rays[f->count] =
        (willow_ray){.origin = at, .direction = towards, .t_min = floor_start, .t_max = 1};
    f->sample[f->count] = sample;
    f->light[f->count++] = (uint8_t)number;
}

static bool floor_ask(const floor_rays *f, samples *out, const ray_caster *caster)
{
    const uint8_t *states;
    if (f->count == 0) return true;
    if (!caster->block(caster->context, f->rays, f->count, &states)) return false;
    for (size_t i = 0; i < f->count; i++) {
        if (states[i] == WILLOW_RAY_HIT) out->dark[f->sample[i]] |= (uint8_t)(1U << f->light[i]);
    }
    return true;
}

/* Rays from where primary rays [first, end) meet the floor. */
static void floor_make(floor_rays *f, const ray_batch *primary, size_t first, size_t end,
                       const floor_plane *plane)
{
    f->count = 0;
    for (size_t i = first; i < end; i++) {
        willow_vec3 at;
        if (primary->states[i] != WILLOW_RAY_FREE) continue;
        if (!meet_floor(&primary->rays[i], plane->height, &at)) continue;
        for (uint32_t k = 0; k < plane->light_count; k++) {
            floor_add(f, at, primary->from[i], &plane->lights[k], k);
        }
    }
}

bool extras_floor(samples *out, const ray_batch *primary, const floor_plane *plane,
                  const ray_caster *caster)
{
    floor_rays *f = malloc(sizeof *f);
    bool fine = f != NULL;
    memset(out->dark, 0, out->count);
    for (size_t first = 0; fine && first < primary->count; first += AT_ONCE) {
        const size_t rest = primary->count - first;
        floor_make(f, primary, first, first + (rest < AT_ONCE ? rest : AT_ONCE), plane);
        fine = floor_ask(f, out, caster);
    }
    free(f);
    return fine;
}

/* ---- hidden collisions ---- */

static bool is_collision(void *context, size_t ray, const willow_hit *hit)
{
    (void)ray;
    return surfaces_is_marked(context, hit);
}

/* Rays that meet a collision first need no help to show it. */
static bool is_hidden(const ray_batch *primary, size_t i, const surfaces *of)
{
    return primary->states[i] == WILLOW_RAY_HIT && !surfaces_is_marked(of, &primary->hits[i]);
}

bool extras_x_ray(samples *out, const ray_batch *primary, const surfaces *of, player *p,
                  bool use_threads)
{
    willow_ray_options o = willow_ray_options_default();
    o.use_threads = use_threads;
    o.filter = is_collision;
    o.filter_context = (void *)(uintptr_t)of;
    for (size_t first = 0; first < primary->count; first += AT_ONCE) {
        const size_t rest = primary->count - first, count = rest < AT_ONCE ? rest : AT_ONCE;
        willow_blocks blocks;
        const willow_result result =
            willow_block_rays(p->world, p->scratch, primary->rays + first, count, &o, &blocks);
        if (result != WILLOW_OK) return player_fail_asking(p, result);
        for (size_t i = 0; i < count; i++) {
            if (blocks.states[i] == WILLOW_RAY_HIT && is_hidden(primary, first + i, of)) {
                samples_glow(out, primary->from[first + i]);
            }
        }
    }
    return true;
}
