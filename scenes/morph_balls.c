/* morph_balls.c - room for the references of two balls. */
#include "morph_balls.h"

#include <stdlib.h>

static bool create_references(morph_balls *data, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        data->references[i] = malloc(3 * (size_t)data->sphere.vertex_count * sizeof(float));
        if (data->references[i] == NULL) {
            return false;
        }
    }
    return true;
}

bool morph_balls_create(scene *s, void (*fill)(morph_balls *data, uint64_t key))
{
    uint64_t key = random_key(WI_HASH_START, s->params.seed);
    morph_balls *data = calloc(1, sizeof *data);
    s->data = data;
    if (data == NULL || !icosphere_fill_scene(s, &data->sphere, MORPH_BALLS, SCENE_MORPH) ||
        !create_references(data, s->kind->reference_count)) {
        return false;
    }
    for (uint32_t i = 0; i < MORPH_BALLS; i++) {
        data->axes[i] = vec_random_unit(random_key(key, 2 + i));
    }
    fill(data, key);
    return true;
}

void morph_balls_destroy(scene *s)
{
    morph_balls *data = s->data;
    icosphere_destroy(&data->sphere);
    for (uint32_t i = 0; i < s->kind->reference_count; i++) {
        free(data->references[i]);
    }
    free(data);
}

const float *morph_balls_reference(const scene *s, uint32_t body, uint32_t number)
{
    const morph_balls *data = s->data;
    (void)body; /* both have the same */
    return data->references[number];
}
