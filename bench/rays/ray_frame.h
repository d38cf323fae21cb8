/* ray_frame.h - the rays of one picture, batch by batch: what benches and the renderer cast.
 *
 * After Whitted: primary rays through pixels, rays from where they hit to every light, rays that
 * reflective bodies throw back once, and from where these hit to every light again. Batches are in
 * this order, each complete before the next one begins, so that whoever runs out of time has all
 * primary rays done before any other. Who answers is a ray_caster: a world of Willow's, or a peer.
 *
 * Way in: ray_frame_trace for all of it, or the functions that make and ask single batches. Arrays
 * grow and are used again; functions that return bool fail for want of memory, or because the
 * caster did. */
#ifndef BENCH_RAYS_RAY_FRAME_H
#define BENCH_RAYS_RAY_FRAME_H

#include "scenes/camera.h"
#include "willow/query.h"

/* Answers rays. `user_data` of a hit is the number of the body in its scene. Results stay until the
 * next call. */
typedef struct ray_caster {
    void *context;
    bool (*cast)(void *context, const willow_ray *rays, size_t count, const willow_hit **hits,
                 const uint8_t **states);
    bool (*block)(void *context, const willow_ray *rays, size_t count, const uint8_t **states);

    /* The normal to shade and to reflect with; NULL: that of the triangle. */
    willow_vec3 (*normal)(void *context, const willow_hit *hit);
} ray_caster;

typedef enum ray_batch_kind {
    RAYS_PRIMARY,
    RAYS_SHADOW, /* from where primary rays hit */
    RAYS_MIRROR,
    RAYS_MIRROR_SHADOW, /* from where mirrored rays hit */
    RAY_BATCH_COUNT
} ray_batch_kind;

/* Whether it is asked if anything is in the way, not what is. */
static inline bool ray_batch_blocks(ray_batch_kind kind)
{
    return kind == RAYS_SHADOW || kind == RAYS_MIRROR_SHADOW;
}

typedef struct ray_batch {
    willow_ray *rays;
    uint32_t *from;   /* by ray: of primary ones the sample (see ray_picture), else the number of
                         the ray whose hit it starts from, in the batch before it that has hits */
    uint8_t *light;   /* by shadow ray: the number of the light that it goes to */
    willow_hit *hits; /* by ray, once it is asked; not of shadow rays */
    uint8_t *states;  /* a willow_ray_state, once it is asked */
    size_t count, capacity;
} ray_batch;

/* A picture of width x height pixels, of which one in each square of sampling x sampling is traced,
 * that in its middle. These samples are numbered by rows. */
typedef struct ray_picture {
    uint32_t width, height, sampling;
} ray_picture;

static inline uint32_t ray_picture_columns(const ray_picture *p)
{
    return p->width / p->sampling > 0 ? p->width / p->sampling : 1;
}

static inline uint32_t ray_picture_rows(const ray_picture *p)
{
    return p->height / p->sampling > 0 ? p->height / p->sampling : 1;
}

/* 640 x 480, with the sampling that the scene says. */
ray_picture ray_picture_default(const scene *s);

/* Starts with all zero but the picture. */
typedef struct ray_frame {
    ray_picture picture;
    ray_batch batches[RAY_BATCH_COUNT];
} ray_frame;

void ray_frame_destroy(ray_frame *f);

/* Rays of all batches. */
size_t ray_frame_count(const ray_frame *f);

/* ---- all of it ---- */

/* Makes and asks all batches of the scene in that frame, as the caster's bodies stand now. */
bool ray_frame_trace(ray_frame *f, const scene *s, uint32_t frame, const ray_caster *caster);

/* ---- one batch after the other ---- */

/* Primary rays through all samples. They come in squares of 16 x 16 samples, so that neighbours in
 * the picture are near each other in the batch. */
bool ray_frame_aim(ray_frame *f, const scene_camera *camera);

/* So many primary rays through random pixels instead: what a mouse or a sensor would ask. Other
 * batches become empty. */
bool ray_frame_pick(ray_frame *f, const scene_camera *camera, uint32_t count, uint64_t key);

/* Asks one batch and keeps the answers. */
bool ray_frame_ask(ray_frame *f, ray_batch_kind kind, const ray_caster *caster);

/* Rays to the lights from where rays of a batch hit: RAYS_SHADOW from RAYS_PRIMARY,
 * RAYS_MIRROR_SHADOW from RAYS_MIRROR. None go to lights that are behind the surface. */
bool ray_frame_make_shadows(ray_frame *f, ray_batch_kind kind, const scene_light *lights,
                            uint32_t light_count, const ray_caster *caster);

/* Rays that reflective bodies throw back. */
bool ray_frame_make_mirrors(ray_frame *f, const scene *s, const ray_caster *caster);

#endif
