/* ray_frame.c - rays of a picture, made in double and rounded once. */
#include "bench/rays/ray_frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PICTURE_WIDTH = 640, PICTURE_HEIGHT = 480, TILE = 16 };

/* Rays that start on a surface do so a little off it, in shares of how far the ray came that hit
 * it, or of how far the light is. */
static const float start_share = 1e-4F;

static const double ray_pi = 3.14159265358979323846;

ray_picture ray_picture_default(const scene *s)
{
    const uint32_t sampling = s->params.sampling;
    return (ray_picture){PICTURE_WIDTH, PICTURE_HEIGHT, sampling > 0 ? sampling : 1};
}

/* ---- memory ---- */

static void ray_batch_destroy(ray_batch *b)
{
    free(b->rays);
    free(b->from);
    free(b->light);
    free(b->hits);
    free(b->states);
    *b = (ray_batch){0};
}

void ray_frame_destroy(ray_frame *f)
{
    for (int i = 0; i < RAY_BATCH_COUNT; i++) ray_batch_destroy(&f->batches[i]);
}

/* What was in it is gone. */
static bool ray_batch_reserve(ray_batch *b, ray_batch_kind kind, size_t count)
{
    b->count = 0;
    if (count <= b->capacity) return true;
    ray_batch_destroy(b);
    b->rays = malloc(count * sizeof *b->rays);
    b->from = malloc(count * sizeof *b->from);
    b->states = calloc(count, sizeof *b->states);
    if (b->rays == NULL || b->from == NULL || b->states == NULL) return false;
    if (ray_batch_blocks(kind)) {
        b->light = malloc(count * sizeof *b->light);
        if (b->light == NULL) return false;
    } else {
        b->hits = malloc(count * sizeof *b->hits);
        if (b->hits == NULL) return false;
    }
    b->capacity = count;
    return true;
}

size_t ray_frame_count(const ray_frame *f)
{
    size_t count = 0;
    for (int i = 0; i < RAY_BATCH_COUNT; i++) count += f->batches[i].count;
    return count;
}

/* ---- three numbers ---- */

typedef struct ray_vec {
    double x, y, z;
} ray_vec;

static ray_vec vec_from(willow_vec3 a) { return (ray_vec){(double)a.x, (double)a.y, (double)a.z}; }

static ray_vec vec_of(const float a[3])
{
    return (ray_vec){(double)a[0], (double)a[1], (double)a[2]};
}

static willow_vec3 vec_round(ray_vec a)
{
    return (willow_vec3){(float)a.x, (float)a.y, (float)a.z};
}

static ray_vec vec_plus(ray_vec a, double s, ray_vec b)
{
    return (ray_vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static double dot(ray_vec a, ray_vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static ray_vec cross(ray_vec a, ray_vec b)
{
    return (ray_vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static ray_vec unit(ray_vec a)
{
    const double length = sqrt(dot(a, a));
    return vec_plus((ray_vec){0, 0, 0}, length > 0 ? 1 / length : 0, a);
}

/* ---- primary rays ---- */

/* A camera that is ready to aim: the middle of the picture, and how far one pixel is from the
 * next. */
typedef struct ray_lens {
    ray_vec eye, middle, right, down;
    double half_width, half_height;
} ray_lens;

static ray_lens lens_of(const scene_camera *camera, const ray_picture *picture)
{
    const ray_vec eye = vec_of(camera->eye);
    const ray_vec ahead = unit(vec_plus(vec_of(camera->look_at), -1, eye));
    const ray_vec right = unit(cross(ahead, vec_of(camera->up)));
    const ray_vec down = cross(ahead, right);
    const double slope = tan((double)camera->vertical_degrees * ray_pi / 360);
    const double pixel = 2 * slope / picture->height;
    const ray_vec none = {0, 0, 0};
    return (ray_lens){.eye = eye,
                      .middle = ahead,
                      .right = vec_plus(none, pixel, right),
                      .down = vec_plus(none, pixel, down),
                      .half_width = 0.5 * picture->width,
                      .half_height = 0.5 * picture->height};
}

/* Through a point of the picture, in pixels from its upper left corner; of length one. */
static willow_ray lens_ray(const ray_lens *lens, double x, double y)
{
    const ray_vec across = vec_plus(lens->middle, x - lens->half_width, lens->right);
    const ray_vec through = vec_plus(across, y - lens->half_height, lens->down);
    return (willow_ray){.origin = vec_round(lens->eye),
                        .direction = vec_round(unit(through)),
                        .t_min = 0,
                        .t_max = INFINITY};
}

static void aim_at_sample(ray_frame *f, const ray_lens *lens, uint32_t column, uint32_t row)
{
    ray_batch *b = &f->batches[RAYS_PRIMARY];
    const double sampling = f->picture.sampling;
    b->rays[b->count] = lens_ray(lens, (column + 0.5) * sampling, (row + 0.5) * sampling);
    b->from[b->count++] = row * ray_picture_columns(&f->picture) + column;
}

/* Bits 0, 2, 4 and 6 of a number. */
static uint32_t even_bits(uint32_t number)
{
    return (number & 1) | (number >> 1 & 2) | (number >> 2 & 4) | (number >> 3 & 8);
}

/* In Z-order, so that those that follow each other are near each other both ways: Willow follows
 * several together, and all find in their caches what the last ones needed. */
static void aim_at_tile(ray_frame *f, const ray_lens *lens, uint32_t left, uint32_t top)
{
    const uint32_t columns = ray_picture_columns(&f->picture);
    const uint32_t rows = ray_picture_rows(&f->picture);
    for (uint32_t i = 0; i < TILE * TILE; i++) {
        const uint32_t column = left + even_bits(i), row = top + even_bits(i >> 1);
        if (column < columns && row < rows) aim_at_sample(f, lens, column, row);
    }
}

static void drop_secondary(ray_frame *f)
{
    for (int i = RAYS_SHADOW; i < RAY_BATCH_COUNT; i++) f->batches[i].count = 0;
}

bool ray_frame_aim(ray_frame *f, const scene_camera *camera)
{
    const ray_lens lens = lens_of(camera, &f->picture);
    const uint32_t columns = ray_picture_columns(&f->picture);
    const uint32_t rows = ray_picture_rows(&f->picture);
    drop_secondary(f);
    if (!ray_batch_reserve(&f->batches[RAYS_PRIMARY], RAYS_PRIMARY, (size_t)columns * rows)) {
        return false;
    }
    for (uint32_t top = 0; top < rows; top += TILE) {
        for (uint32_t left = 0; left < columns; left += TILE) aim_at_tile(f, &lens, left, top);
    }
    return true;
}

static uint64_t mix(uint64_t key)
{
    key = (key ^ key >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    key = (key ^ key >> 27) * UINT64_C(0x94D049BB133111EB);
    return key ^ key >> 31;
}

bool ray_frame_pick(ray_frame *f, const scene_camera *camera, uint32_t count, uint64_t key)
{
    ray_batch *b = &f->batches[RAYS_PRIMARY];
    const ray_lens lens = lens_of(camera, &f->picture);
    drop_secondary(f);
    if (!ray_batch_reserve(b, RAYS_PRIMARY, count)) return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t number = mix(key * UINT64_C(0x9E3779B97F4A7C15) + i);
        const uint32_t x = (uint32_t)(number & UINT32_MAX) % f->picture.width;
        const uint32_t y = (uint32_t)(number >> 32) % f->picture.height;
        b->rays[i] = lens_ray(&lens, x + 0.5, y + 0.5);
        b->from[i] = y * f->picture.width + x;
    }
    b->count = count;
    return true;
}

/* ---- rays from where others hit ---- */

typedef struct ray_surface {
    ray_vec at, normal; /* turned to where the ray came from */
    ray_vec incoming;
    double far; /* the length that the ray went */
} ray_surface;

static ray_surface surface_of(const ray_batch *b, size_t i, const ray_caster *caster)
{
    const willow_hit *hit = &b->hits[i];
    const ray_vec direction = vec_from(b->rays[i].direction);
    const willow_vec3 said =
        caster->normal != NULL ? caster->normal(caster->context, hit) : hit->normal;
    ray_vec normal = vec_from(said);
    if (dot(normal, direction) > 0) normal = vec_plus((ray_vec){0, 0, 0}, -1, normal);
    return (ray_surface){.at = vec_plus(vec_from(b->rays[i].origin), hit->t, direction),
                         .normal = normal,
                         .incoming = direction,
                         .far = hit->t * sqrt(dot(direction, direction))};
}

static ray_batch_kind source_of(ray_batch_kind kind)
{
    return kind == RAYS_MIRROR_SHADOW ? RAYS_MIRROR : RAYS_PRIMARY;
}

static void add_shadow(ray_batch *out, const ray_surface *surface, size_t from,
                       const scene_light *light, uint32_t light_number)
{
    const ray_vec towards = vec_plus(vec_of(light->position), -1, surface->at);
    if (dot(surface->normal, towards) <= 0) return;
    out->rays[out->count] = (willow_ray){.origin = vec_round(surface->at),
                                         .direction = vec_round(towards),
                                         .t_min = start_share,
                                         .t_max = 1};
    out->from[out->count] = (uint32_t)from;
    out->light[out->count++] = (uint8_t)light_number;
}

/* Light by light, so that neighbouring rays go the same way. */
bool ray_frame_make_shadows(ray_frame *f, ray_batch_kind kind, const scene_light *lights,
                            uint32_t light_count, const ray_caster *caster)
{
    const ray_batch *source = &f->batches[source_of(kind)];
    ray_batch *out = &f->batches[kind];
    if (!ray_batch_reserve(out, kind, source->count * light_count)) return false;
    for (uint32_t k = 0; k < light_count; k++) {
        for (size_t i = 0; i < source->count; i++) {
            if (source->states[i] != WILLOW_RAY_HIT) continue;
            const ray_surface surface = surface_of(source, i, caster);
            add_shadow(out, &surface, i, &lights[k], k);
        }
    }
    return true;
}

static void add_mirror(ray_batch *out, const ray_surface *surface, size_t from)
{
    const double along = dot(surface->incoming, surface->normal);
    if (!(along < 0)) return;
    out->rays[out->count] = (willow_ray){
        .origin = vec_round(surface->at),
        .direction = vec_round(unit(vec_plus(surface->incoming, -2 * along, surface->normal))),
        .t_min = start_share * (float)surface->far,
        .t_max = INFINITY};
    out->from[out->count++] = (uint32_t)from;
}

bool ray_frame_make_mirrors(ray_frame *f, const scene *s, const ray_caster *caster)
{
    const ray_batch *source = &f->batches[RAYS_PRIMARY];
    ray_batch *out = &f->batches[RAYS_MIRROR];
    if (!ray_batch_reserve(out, RAYS_MIRROR, source->count)) return false;
    for (size_t i = 0; i < source->count; i++) {
        if (source->states[i] != WILLOW_RAY_HIT) continue;
        if (!scene_is_reflective(s, (uint32_t)source->hits[i].user_data)) continue;
        const ray_surface surface = surface_of(source, i, caster);
        add_mirror(out, &surface, i);
    }
    return true;
}

/* ---- answers ---- */

bool ray_frame_ask(ray_frame *f, ray_batch_kind kind, const ray_caster *caster)
{
    ray_batch *b = &f->batches[kind];
    const willow_hit *hits = NULL;
    const uint8_t *states = NULL;
    if (b->count == 0) return true;
    const bool fine = ray_batch_blocks(kind)
                          ? caster->block(caster->context, b->rays, b->count, &states)
                          : caster->cast(caster->context, b->rays, b->count, &hits, &states);
    if (!fine) return false;
    memcpy(b->states, states, b->count * sizeof *states);
    if (hits != NULL) memcpy(b->hits, hits, b->count * sizeof *hits);
    return true;
}

bool ray_frame_trace(ray_frame *f, const scene *s, uint32_t frame, const ray_caster *caster)
{
    scene_camera camera;
    scene_light lights[SCENE_LIGHTS];
    scene_get_camera(s, frame, &camera);
    const uint32_t light_count = scene_get_lights(s, frame, lights);
    return ray_frame_aim(f, &camera) && ray_frame_ask(f, RAYS_PRIMARY, caster) &&
           ray_frame_make_shadows(f, RAYS_SHADOW, lights, light_count, caster) &&
           ray_frame_ask(f, RAYS_SHADOW, caster) && ray_frame_make_mirrors(f, s, caster) &&
           ray_frame_ask(f, RAYS_MIRROR, caster) &&
           ray_frame_make_shadows(f, RAYS_MIRROR_SHADOW, lights, light_count, caster) &&
           ray_frame_ask(f, RAYS_MIRROR_SHADOW, caster);
}
