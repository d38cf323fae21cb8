/* converge.c - bumpy bodies from all sides, pressed towards one point.
 *
 * Stands for the worst case of a broad phase and of a front that is kept between frames: at first
 * no body meets any other, then every one its neighbours, and in the end every one all others, so
 * that the pairs of bodies go from none to all and the overlap of boxes does not stop to grow. All
 * bodies deform all the time. */
#include "bumps.h"
#include "vec.h"

#include <stdlib.h>

enum { STEPS = 200 };

static bool create(scene *s)
{
    s->data = calloc(1, sizeof(bumps_set));
    return s->data != NULL && bumps_set_create(s->data, s, s->params.bodies);
}

static void destroy(scene *s)
{
    bumps_set_destroy(s->data);
    free(s->data);
}

/* Directions that are spread evenly: rings from pole to pole, each turned by the golden angle. */
static vec side_of(uint32_t body, uint32_t body_count)
{
    double height = 1 - (2 * (double)body + 1) / body_count;
    double across = sqrt(1 - height * height), angle = 2.399963229728653 * body;
    return (vec){across * wi_cos(angle), across * wi_sin(angle), height};
}

/* From the point to the centres. At first the nearest neighbours are 2.3 apart or more; in the end
 * no two centres are as far from each other as a body is wide. */
static double distance_at(double step, uint32_t body_count)
{
    double first = 0.83 * sqrt((double)body_count);
    first = first > 1.3 ? first : 1.3;
    return first + (0.4 - first) * ease(step / STEPS);
}

static void positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    const bumps_set *set = s->data;
    double step = scene_step(s, frame);
    vec centre = vec_scale(distance_at(step, s->body_count), side_of(body, s->body_count));
    for (uint32_t i = 0; i < set->sphere.vertex_count; i++) {
        const double *d = set->sphere.directions + 3 * (size_t)i;
        double radius = bumps_radius(&set->of_body[body], step, d);
        vec_store(vec_along(centre, radius, vec_load(d)), xyz_out, i);
    }
}

extern const scene_kind scene_converge;
const scene_kind scene_converge = {
    .name = "converge",
    .summary = "bumpy bodies pressed towards one point: no contact at first, all with all at last",
    .stands_for = "overlap that grows until every body meets every other",
    .defaults = {.triangles = 5120, .bodies = 12, .frames = STEPS, .seed = 1},
    .lowest = {.triangles = 1, .bodies = 2, .frames = 1},
    .highest = {.triangles = 2000000, .bodies = 1000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "",
    .create = create,
    .destroy = destroy,
    .positions = positions,
};
