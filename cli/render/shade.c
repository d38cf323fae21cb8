/* shade.c - from rays that are answered to colours of samples, after Whitted.
 *
 * Light comes from above as from a dull sky, and from the lamps that shadow rays reach. What
 * reflects is mixed with what its mirrored ray meets. */
#include "cli/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- three numbers ---- */

static void vec_from_float(const float a[3], double out[3])
{
    for (int k = 0; k < 3; k++) out[k] = (double)a[k];
}

static double vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void vec_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static void vec_make_unit(double a[3])
{
    const double length = sqrt(vec_dot(a, a));
    for (int k = 0; k < 3; k++) a[k] = length > 0 ? a[k] / length : 0;
}

/* ---- the camera ---- */

static const double half_circle = 3.14159265358979323846;

lens lens_of(const scene_camera *camera, const ray_picture *picture)
{
    lens l;
    double up[3];
    vec_from_float(camera->eye, l.eye);
    vec_from_float(camera->up, up);
    for (int k = 0; k < 3; k++) l.ahead[k] = (double)camera->look_at[k] - l.eye[k];
    vec_make_unit(l.ahead);
    vec_cross(l.ahead, up, l.right);
    vec_make_unit(l.right);
    vec_cross(l.ahead, l.right, l.down);
    l.middle_x = 0.5 * picture->width;
    l.middle_y = 0.5 * picture->height;
    l.pixels = l.middle_y / tan((double)camera->vertical_degrees * half_circle / 360);
    return l;
}

double render_distance(double radius, float vertical_degrees)
{
    return radius / sin((double)vertical_degrees * half_circle / 360);
}

float render_zoomed(float vertical_degrees, double zoom)
{
    const double slope = tan((double)vertical_degrees * half_circle / 360) / zoom;
    return (float)(atan(slope) * 360 / half_circle);
}

/* ---- samples ---- */

bool samples_create(samples *s, size_t count)
{
    *s = (samples){.count = count};
    s->colours = malloc((count + 1) * sizeof *s->colours);
    s->depths = malloc((count + 1) * sizeof *s->depths);
    s->known = malloc(count + 1);
    s->dark = calloc(count + 1, 1);
    return s->colours != NULL && s->depths != NULL && s->known != NULL && s->dark != NULL;
}

void samples_destroy(samples *s)
{
    free(s->colours);
    free(s->depths);
    free(s->known);
    free(s->dark);
}

/* ---- light ---- */

static const float sky_light = 0.36F, lamp_light = 1.05F, shine_light = 0.16F;
static const float shine_power = 36;

/* Of triangles that collide: they glow, so that they are seen in the shade too. */
static const float glow = 0.42F;

/* What reflects shows this much of the world around it, and more where it is seen aslant. */
static const float mirror_share = 0.2F, mirror_aslant = 0.4F;

/* How much of its light the floor loses where no lamp shines on it. */
static const float floor_shadow = 0.42F;

/* Of triangles that collide behind others: how much of their red is seen. */
static const float through_share = 0.4F;

static const float line_share = 0.45F;
static const colour line_colour = {0.02F, 0.03F, 0.06F};

colour colour_of_sky(void) { return (colour){0.925F, 0.94F, 0.955F}; }

/* In mirrors the sky is darker than behind the scene, or all that shines would be pale. */
static const colour sky_high = {0.42F, 0.58F, 0.80F}, sky_low = {0.66F, 0.74F, 0.84F},
                    ground = {0.42F, 0.40F, 0.38F};

static colour mix(colour a, colour b, float share)
{
    return (colour){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                    a.b + share * (b.b - a.b)};
}

/* What is seen in a mirror that shows nothing of the scene. */
static colour sky_along(willow_vec3 direction, const float up[3])
{
    const float height = direction.x * up[0] + direction.y * up[1] + direction.z * up[2];
    const float share = height < 0 ? -height : height;
    return mix(sky_low, height < 0 ? ground : sky_high, share > 1 ? 1 : share);
}

/* What shading needs of a frame. */
typedef struct stage {
    const surfaces *of;
    const scene_light *lights;
    uint32_t light_count;
    float up[3];
    lens lens;
    float line_dots; /* width of lines along edges; 0: none */
} stage;

/* Where a ray hit, the normal turned to where it came from. */
typedef struct spot {
    willow_vec3 at, normal, incoming;
} spot;

static float dotf(willow_vec3 a, willow_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static willow_vec3 scaled(float s, willow_vec3 a)
{
    return (willow_vec3){s * a.x, s * a.y, s * a.z};
}

static willow_vec3 unitf(willow_vec3 a)
{
    const float length = sqrtf(dotf(a, a));
    return scaled(length > 0 ? 1 / length : 0, a);
}

static spot spot_of(const stage *st, const willow_ray *ray, const willow_hit *hit)
{
    const float t = (float)hit->t;
    const willow_vec3 d = ray->direction, o = ray->origin;
    willow_vec3 normal = surfaces_normal(st->of, hit);
    if (dotf(hit->normal, d) > 0) normal = scaled(-1, normal);
    return (spot){{o.x + t * d.x, o.y + t * d.y, o.z + t * d.z}, normal, unitf(d)};
}

/* How much of a lamp is thrown back to the eye: by a dull surface, and by its shine. */
typedef struct lamp_share {
    float dull, shine;
} lamp_share;

static lamp_share share_of_lamp(const spot *s, const scene_light *light)
{
    const willow_vec3 towards = unitf((willow_vec3){
        light->position[0] - s->at.x, light->position[1] - s->at.y, light->position[2] - s->at.z});
    const willow_vec3 half = unitf((willow_vec3){
        towards.x - s->incoming.x, towards.y - s->incoming.y, towards.z - s->incoming.z});
    const float dull = dotf(s->normal, towards), shine = dotf(s->normal, half);
    if (!(dull > 0)) return (lamp_share){0, 0};
    return (lamp_share){light->strength * dull,
                        shine > 0 ? light->strength * powf(shine, shine_power) : 0};
}

/* `lit` has a bit for each lamp that is not in the shade. */
static colour shade_spot(const stage *st, const spot *s, const willow_hit *hit, unsigned lit)
{
    const float *up = st->up;
    const float height = s->normal.x * up[0] + s->normal.y * up[1] + s->normal.z * up[2];
    float dull = sky_light * (0.75F + 0.25F * height), shine = 0;
    for (uint32_t i = 0; i < st->light_count; i++) {
        if ((lit >> i & 1) == 0) continue;
        const lamp_share share = share_of_lamp(s, &st->lights[i]);
        dull += lamp_light * share.dull;
        shine += shine_light * share.shine;
    }
    const colour own = surfaces_colour(st->of, hit);
    if (surfaces_is_marked(st->of, hit)) dull = glow + (1 - glow) * dull;
    return (colour){own.r * dull + shine, own.g * dull + shine, own.b * dull + shine};
}

/* ---- batches ---- */

/* By ray of `from`: a bit for each lamp that shines on its hit. Lamps behind the surface have no
 * ray; those whose ray is not finished, or was not made, shine. NULL for want of memory. */
static uint8_t *find_lit(const ray_frame *rays, ray_batch_kind from, ray_batch_kind kind,
                         uint32_t asked)
{
    const ray_batch *shadows = &rays->batches[kind];
    const size_t count = rays->batches[from].count;
    const bool is_asked = (uint32_t)kind < asked;
    uint8_t *lit = malloc(count + 1);
    if (lit != NULL) memset(lit, is_asked ? 0 : 0xFF, count);
    for (size_t i = 0; lit != NULL && is_asked && i < shadows->count; i++) {
        if (shadows->states[i] != WILLOW_RAY_HIT) {
            lit[shadows->from[i]] |= (uint8_t)(1U << shadows->light[i]);
        }
    }
    return lit;
}

/* The sky, or a shadow on the floor below it. */
static colour shade_free(const stage *st, unsigned dark)
{
    float share = 1;
    for (uint32_t i = 0; i < st->light_count; i++) {
        if ((dark >> i & 1) != 0) share -= floor_shadow * st->lights[i].strength;
    }
    const colour sky = colour_of_sky();
    return (colour){share * sky.r, share * sky.g, share * sky.b};
}

static void shade_primary(samples *out, const stage *st, const ray_batch *b, const uint8_t *lit)
{
    const double *ahead = st->lens.ahead;
    for (size_t i = 0; i < b->count; i++) {
        const uint32_t sample = b->from[i];
        out->known[sample] = b->states[i] != WILLOW_RAY_UNFINISHED;
        if (b->states[i] != WILLOW_RAY_HIT) {
            out->colours[sample] = shade_free(st, out->dark[sample]);
            continue;
        }
        const willow_hit *hit = &b->hits[i];
        const spot s = spot_of(st, &b->rays[i], hit);
        const willow_vec3 d = b->rays[i].direction;
        const double depth =
            hit->t * (ahead[0] * (double)d.x + ahead[1] * (double)d.y + ahead[2] * (double)d.z);
        const float width = (float)(depth / st->lens.pixels) * st->line_dots;
        const float line = width > 0 ? line_share * surfaces_line(st->of, hit, width) : 0;
        out->depths[sample] = (float)depth;
        out->colours[sample] = mix(shade_spot(st, &s, hit, lit[i]), line_colour, line);
    }
}

static void shade_mirrored(samples *out, const stage *st, const ray_frame *rays, const uint8_t *lit)
{
    const ray_batch *b = &rays->batches[RAYS_MIRROR], *primary = &rays->batches[RAYS_PRIMARY];
    for (size_t i = 0; i < b->count; i++) {
        if (b->states[i] == WILLOW_RAY_UNFINISHED) continue;
        const uint32_t from = b->from[i];
        colour seen = sky_along(b->rays[i].direction, st->up);
        if (b->states[i] == WILLOW_RAY_HIT) {
            const spot s = spot_of(st, &b->rays[i], &b->hits[i]);
            seen = shade_spot(st, &s, &b->hits[i], lit[i]);
        }
        const spot mirror = spot_of(st, &primary->rays[from], &primary->hits[from]);
        float aslant = 1 + dotf(mirror.normal, mirror.incoming);
        aslant = aslant < 0 ? 0 : aslant > 1 ? 1 : aslant;
        const float share = mirror_share + mirror_aslant * aslant * aslant * aslant;
        colour *own = &out->colours[primary->from[from]];
        *own = mix(*own, seen, share);
    }
}

static stage stage_of(const shading *how, const ray_picture *picture)
{
    stage st = {.of = how->of,
                .lights = how->lights,
                .light_count = how->light_count,
                .lens = lens_of(how->camera, picture),
                .line_dots = how->line_dots};
    double up[3];
    vec_from_float(how->camera->up, up);
    vec_make_unit(up);
    for (int k = 0; k < 3; k++) st.up[k] = (float)up[k];
    return st;
}

static void samples_forget(samples *s)
{
    memset(s->known, 0, s->count);
    for (size_t i = 0; i < s->count; i++) {
        s->colours[i] = colour_of_sky();
        s->depths[i] = INFINITY;
    }
}

bool samples_shade(samples *out, const ray_frame *rays, const shading *how)
{
    const stage st = stage_of(how, &rays->picture);
    uint8_t *lit = find_lit(rays, RAYS_PRIMARY, RAYS_SHADOW, how->asked);
    uint8_t *mirrored = find_lit(rays, RAYS_MIRROR, RAYS_MIRROR_SHADOW, how->asked);
    const bool fine = lit != NULL && mirrored != NULL;
    samples_forget(out);
    if (fine) {
        shade_primary(out, &st, &rays->batches[RAYS_PRIMARY], lit);
        shade_mirrored(out, &st, rays, mirrored);
    }
    free(lit);
    free(mirrored);
    return fine;
}

void samples_glow(samples *s, uint32_t sample)
{
    colour *own = &s->colours[sample];
    *own = mix(*own, surfaces_collision_colour(), through_share);
}

/* ---- what is not known ---- */

/* The sample of `count` whose square this place is in. */
static uint32_t square_of(float at, uint32_t sampling, uint32_t count)
{
    const uint32_t number = (uint32_t)at / sampling;
    return number < count ? number : count - 1;
}

void samples_fill(samples *fine, const ray_picture *fine_picture, const samples *coarse,
                  const ray_picture *coarse_picture)
{
    const uint32_t columns = ray_picture_columns(fine_picture);
    const uint32_t coarse_columns = ray_picture_columns(coarse_picture);
    const uint32_t coarse_rows = ray_picture_rows(coarse_picture);
    const float spacing = (float)fine_picture->sampling;
    for (size_t i = 0; i < fine->count; i++) {
        if (fine->known[i]) continue;
        const float x = ((float)(i % columns) + 0.5F) * spacing;
        const float y = ((float)(i / columns) + 0.5F) * spacing;
        const size_t from =
            (size_t)square_of(y, coarse_picture->sampling, coarse_rows) * coarse_columns +
            square_of(x, coarse_picture->sampling, coarse_columns);
        fine->colours[i] = image_between(coarse->colours, coarse_picture, x, y);
        fine->depths[i] = coarse->depths[from];
    }
}
