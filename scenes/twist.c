/* twist.c - a bundle of ribbons that is twisted into a rope, and the rope into a coil.
 *
 * Stands for large smooth deformation under which a kept hierarchy decays: boxes that were flat
 * and apart wind round each other, and places that were far from each other along a ribbon end side
 * by side. At first the ribbons stand straight and apart. Then one end turns, many times; the
 * ribbons close in on the axis and cut into each other; at last the axis itself coils up, so that
 * the rope meets itself. */
#include "scenes.h"
#include "sheet.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 200, SLENDER = 24 };

/* The ribbons: how long, how far from the axis at first and in the end, how often they are wound
 * round it. */
#define LENGTH 6.0
#define APART 0.5
#define TIGHT 0.12
#define TURNS 6.0

/* The coil that the axis makes in the end. */
#define COIL_TURNS 2.5
#define COIL_RADIUS 0.5
#define COIL_HEIGHT 0.7

typedef struct twist {
    uint32_t across, along; /* squares of a ribbon */
    double half_width;
} twist;

/* How far things have gone at a step, from 0 to 1 each. */
typedef struct progress {
    double wound, tightened, coiled;
} progress;

static progress progress_at(double step)
{
    return (progress){.wound = ease((step - 10) / 190),
                      .tightened = ease((step - 20) / 120),
                      .coiled = ease((step - 70) / 130)};
}

/* About SLENDER times as many squares along as across. */
static void choose_squares(twist *data, uint32_t triangles)
{
    double across = floor(sqrt(0.5 * triangles / SLENDER) + 0.5);
    data->across = across < 1 ? 1 : (uint32_t)across;
    double along = floor(0.5 * triangles / data->across + 0.5);
    data->along = along < 1 ? 1 : (uint32_t)along;
}

/* So wide that neighbours do not touch at first, and a few ribbons are not too wide. */
static double half_width_of(uint32_t ribbon_count)
{
    double angle = SCENE_PI / ribbon_count;
    return ribbon_count < 5 ? 0.5 * APART : 0.8 * APART * wi_sin(angle) / wi_cos(angle);
}

static bool create(scene *s)
{
    twist *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    choose_squares(data, s->asked.triangles);
    data->half_width = half_width_of(s->params.bodies);
    s->body_count = s->params.bodies;
    s->params.triangles = 2 * data->across * data->along;
    for (uint32_t i = 0; i < s->body_count; i++) {
        s->bodies[i].self = true;
        if (!sheet_fill_body(&s->bodies[i], data->across, data->along)) {
            return false;
        }
    }
    return true;
}

/* The axis at a share of its length: the place, and two directions across it. */
typedef struct section {
    vec centre, first, second;
} section;

static section section_at(const progress *now, double share)
{
    double turned = 2 * SCENE_PI * COIL_TURNS * now->coiled;
    double height = LENGTH + (COIL_HEIGHT - LENGTH) * now->coiled;
    double radius = COIL_RADIUS * now->coiled;
    vec out = {wi_cos(turned * share), wi_sin(turned * share), 0};
    vec onward = vec_unit((vec){-radius * turned * out.y, radius * turned * out.x, height});
    vec centre = {radius * out.x, radius * out.y, height * (share - 0.5)};
    return (section){centre, out, vec_cross(onward, out)};
}

/* Each ribbon is wound a little more or less than the others, so that they pass each other. */
static double turns_of(const scene *s, uint32_t ribbon)
{
    uint64_t key = random_key(random_key(WI_HASH_START, s->params.seed), ribbon);
    return TURNS * random_between(key, 0, 0.8, 1.2);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const twist *data = s->data;
    progress now = progress_at(scene_step(s, frame));
    double apart = APART + (TIGHT - APART) * now.tightened;
    double turns = (double)body / s->body_count, winding = turns_of(s, body) * now.wound;
    for (uint32_t j = 0, vertex = 0; j <= data->along; j++) {
        double share = (double)j / data->along;
        double angle = 2 * SCENE_PI * (turns + winding * share);
        double c = wi_cos(angle), d = wi_sin(angle);
        section at = section_at(&now, share);
        for (uint32_t i = 0; i <= data->across; i++) {
            double side = data->half_width * (2.0 * i / data->across - 1);
            vec place = vec_along(at.centre, apart * c - side * d, at.first);
            vec_store(vec_along(place, apart * d + side * c, at.second), xyz_out, vertex++);
        }
    }
}

extern const scene_kind scene_twist;
const scene_kind scene_twist = {
    .name = "twist",
    .summary = "ribbons twisted into a rope, and the rope into a coil, so kept trees decay",
    .stands_for = "large smooth deformation that brings far parts together",
    .defaults = {.triangles = 5000, .bodies = 6, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 2, .bodies = 1, .frames = 1},
    .highest = {.triangles = 2000000, .bodies = 100, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .positions = positions,
};
