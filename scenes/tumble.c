/* tumble.c - two bumpy bodies of hard stuff that tumble past each other, then into each other.
 *
 * Stands for the classic test of rigid bodies in close proximity (Gottschalk, Lin and Manocha 1996,
 * "OBBTree"): two large meshes, their poses all that changes, most of the time so near to each
 * other that boxes overlap and triangles do not. They start apart, miss each other twice by a few
 * hundredths of a radius, go through each other and part again, turning all the while. */
#include "bumps.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 200 };

typedef struct tumble {
    bumps_set set;
    vec axes[2]; /* about which the bodies turn */
} tumble;

static bool create(scene *s)
{
    tumble *data = calloc(1, sizeof *data);
    s->data = data;
    if (data == NULL || !bumps_set_create(&data->set, s, 2)) {
        return false;
    }
    uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), 2);
    for (uint32_t i = 0; i < 2; i++) {
        data->axes[i] = vec_random_unit(random_key(key, i));
        s->bodies[i].motion = SCENE_RIGID;
    }
    return true;
}

static void destroy(scene *s)
{
    tumble *data = s->data;
    bumps_set_destroy(&data->set);
    free(data);
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const tumble *data = s->data;
    bumps_positions(&data->set.of_body[body], 0, &data->set.sphere, xyz_out);
}

/* Between the centres. Both bodies together reach at most 2.18. */
static double distance_at(double step)
{
    static const double knots[][2] = {{0, 3},     {40, 2.2},  {60, 2.4}, {90, 2.19},
                                      {130, 1.5}, {160, 2.2}, {200, 3}};
    int i = 0;
    while (step > knots[i + 1][0]) {
        i++;
    }
    double share = ease((step - knots[i][0]) / (knots[i + 1][0] - knots[i][0]));
    return (1 - share) * knots[i][1] + share * knots[i + 1][1];
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const tumble *data = s->data;
    double step = scene_step(s, frame);
    double round = 0.02 * step, half = (body == 0 ? -0.5 : 0.5) * distance_at(step);
    vec place = {half * wi_cos(round), half * wi_sin(round) * 0.8, half * wi_sin(round) * 0.6};
    turn spin = turn_about(data->axes[body], (body == 0 ? 0.03 : 0.045) * step);
    return turn_pose(&spin, place);
}

extern const scene_kind scene_tumble;
const scene_kind scene_tumble = {
    .name = "tumble",
    .summary = "two rigid bumpy bodies, apart, near misses, through each other, apart again",
    .stands_for = "rigid bodies in close proximity, as in Gottschalk, Lin and Manocha 1996",
    .defaults = {.triangles = 81920, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .rest = rest,
    .pose = pose,
};
