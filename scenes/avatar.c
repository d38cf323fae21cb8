/* avatar.c - a person who walks, in a shirt or in a dress, as a clip of keyframes.
 *
 * Stands for the cloth animations of Zachmann and Weller 2006 ("Kinetic bounding volume hierarchies
 * for collision detection of deformable objects", section 9): a male avatar with a shirt, 32 to 326
 * thousand triangles, and a female one with a dress, 65 to 580 thousand; half of them are the
 * garment's here and half the figure's. A cycle of two steps has 30 keyframes, and everything goes
 * straight between them. `inbetween` says how many frames lie between two keyframes, and so how
 * slow the walk is; `frames` says how long it is watched, and it repeats after the cycle. Garments
 * touch the figure and cut into it here and there in all frames, as in clips, and meet themselves
 * in some. Body 0 is the garment. The parts of the figure go through each other, so it is not asked
 * for pairs within itself. */
#include "figure.h"
#include "garment.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 30, GARMENT = 0, FIGURE = 1, BODIES = 2 };

typedef struct avatar {
    garment garment;
    figure_mesh figure;
    float *keys[BODIES]; /* of one cycle, one after the other */
} avatar;

static bool create_keys(avatar *data)
{
    size_t garment_size = 3 * (size_t)data->garment.vertex_count;
    size_t figure_size = 3 * (size_t)data->figure.vertex_count;
    data->keys[GARMENT] = malloc(KEYS * garment_size * sizeof(float));
    data->keys[FIGURE] = malloc(KEYS * figure_size * sizeof(float));
    if (data->keys[GARMENT] == NULL || data->keys[FIGURE] == NULL) {
        return false;
    }
    for (size_t i = 0; i < KEYS; i++) {
        double cycle = (double)i / KEYS;
        figure f = figure_at(cycle, data->garment.is_dress);
        garment_positions(&data->garment, cycle, data->keys[GARMENT] + i * garment_size);
        figure_positions(&f, &data->figure, data->keys[FIGURE] + i * figure_size);
    }
    return true;
}

static bool create(scene *s)
{
    avatar *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(BODIES, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    data->garment = garment_make(strcmp(s->params.variant, "dress") == 0, s->asked.triangles,
                                 random_key(WI_HASH_START, s->params.seed));
    data->figure = figure_mesh_make(s->asked.triangles);
    s->body_count = BODIES;
    s->params.triangles = data->garment.triangle_count;
    s->bodies[GARMENT].self = true;
    s->bodies[GARMENT].motion = SCENE_KEYFRAMES;
    s->bodies[FIGURE].motion = SCENE_KEYFRAMES;
    return garment_fill_body(&s->bodies[GARMENT], &data->garment) &&
           figure_fill_body(&s->bodies[FIGURE], &data->figure) && create_keys(data);
}

static void destroy(scene *s)
{
    avatar *data = s->data;
    free(data->keys[GARMENT]);
    free(data->keys[FIGURE]);
    free(data);
}

static void key(const scene *s, uint32_t key, uint32_t body, uint32_t first, uint32_t count,
                float *xyz_out)
{
    const avatar *data = s->data;
    size_t start = (size_t)(key % KEYS) * s->bodies[body].vertex_count + first;
    memcpy(xyz_out, data->keys[body] + 3 * start, 3 * (size_t)count * sizeof *xyz_out);
}

static const char *const body_names[] = {
    [GARMENT] = "garment", [FIGURE] = "person", [BODIES] = NULL};

extern const scene_kind scene_avatar;
const scene_kind scene_avatar = {
    .name = "avatar",
    .body_names = body_names,
    .summary = "a walking person in a shirt or a dress, straight between keyframes",
    .stands_for = "Zachmann and Weller 2006, section 9: cloth animations",
    .defaults = {.triangles = 16000, .frames = 300, .inbetween = 9, .seed = 1, .variant = "shirt"},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 1000000, .frames = 1000000, .inbetween = 10000, .seed = UINT32_MAX},
    .variants = "shirt dress",
    .create = create,
    .destroy = destroy,
    .key = key,
};
