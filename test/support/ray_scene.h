/* ray_scene.h - rays at the bodies of a world, and what they hit, by loops that leave no doubt.
 *
 * The scene is what willow_body_copy_triangles says; what a ray hits comes from willow_ray_tri for
 * every triangle, and from GMP where sides matter: no tree, no boxes, no sorting of the library's.
 * What BRUTE says is held against this, and what all others say against BRUTE. */
#ifndef TEST_RAY_SCENE_H
#define TEST_RAY_SCENE_H

#include "support/test.h"
#include "willow/willow.h"

enum { RAY_SCENE_BODIES = 512 };

typedef struct ray_body {
    willow_body_id id;
    uint64_t user_data, category_bits;
    uint32_t tri_count;
    willow_vec3 *corners;   /* three of each triangle */
    const uint16_t *groups; /* of its user; or NULL */
} ray_body;

typedef struct ray_scene {
    ray_body bodies[RAY_SCENE_BODIES];
    uint32_t body_count;
    size_t tri_count; /* of all */
} ray_scene;

/* Adds a body as it is now; bodies are added in the order of their numbers. */
void ray_scene_add(ray_scene *scene, const willow_world *world, willow_body_id id,
                   const uint16_t *groups);
void ray_scene_clear(ray_scene *scene);

/* Rays at what is there: through corners and edges, along edges, in planes, from triangles, along
 * axes, and anyhow, some of them short, some behind, some a point; a function of the seed. */
void ray_scene_aim(const ray_scene *scene, uint64_t seed, size_t count, willow_ray *out);

/* For each ray a triangle that it is to ignore, or none; half of them are on it. */
void ray_scene_ignore(const ray_scene *scene, uint64_t seed, const willow_ray *rays, size_t count,
                      willow_tri_ref *out);

/* All hits of rays[ray] with these options, but for max_hits, sorted by (t, body, triangle). There
 * is place for one of each triangle. */
size_t ray_scene_hits(const ray_scene *scene, const willow_ray_options *options,
                      const willow_ray *rays, size_t ray, willow_hit *out);

/* True if all is the same, bit by bit, but for the world and the generation of the body. */
bool ray_hits_are_equal(const willow_hit *a, const willow_hit *b);

/* The same of whole answers. */
bool ray_casts_are_equal(const willow_casts *a, const willow_casts *b);
bool ray_blocks_are_equal(const willow_blocks *a, const willow_blocks *b);
bool ray_pierces_are_equal(const willow_pierces *a, const willow_pierces *b);

/* How many rays are in that state. */
size_t ray_states_count(const uint8_t *states, size_t count, willow_ray_state state);

#endif
