/* bunnies.c - one hare moves over three others on a fixed route and dips into each.
 *
 * Stands for the animation of Rodriguez and Franquesa 2005 (BOCST), section 5.4: an object of about
 * 5,000 triangles moves over three others, for 2,200 frames. How long the longest side of a body is
 * matters to trees whose cells are halved at powers of two, so the three extents of the paper are
 * the variants. The body is a ball with ears, which stands in for the bunny of the paper: the suite
 * `spheres` takes a real one on the same route where it finds it. Bodies stand at the lower corner
 * of their box, where the cube of a sphere-tree does. */
#include "icosphere.h"
#include "vec.h"

#include <stdlib.h>
#include <string.h>

enum { BUNNIES = 4, STEPS = 2200 };

typedef struct bunnies {
    icosphere sphere;
    double extent;
    float *rest; /* of all of them */
} bunnies;

static double extent_of(const scene *s) { return atof(s->params.variant); }

/* A swelling around a direction: 1 in its middle, 0 from where the cosine is `edge` on. */
static double swelling(vec at, vec middle, double edge)
{
    const double cosine = vec_dot(at, vec_unit(middle));
    const double share = cosine > edge ? (cosine - edge) / (1 - edge) : 0;
    return share * share * (3 - 2 * share);
}

/* How far the surface is from the centre in a direction: a body, a head, two ears, a tail. */
static double radius(vec at)
{
    static const vec head = {0.75, 0, 0.65}, left = {0.25, 0.42, 1}, right = {0.25, -0.42, 1};
    static const vec tail = {-1, 0, -0.25};
    return 1 + 0.55 * swelling(at, head, 0.8) + 1.3 * swelling(at, left, 0.955) +
           1.3 * swelling(at, right, 0.955) + 0.3 * swelling(at, tail, 0.93) -
           0.15 * swelling(at, (vec){0, 0, -1}, 0.3);
}

static vec shape_at(const icosphere *sphere, uint32_t vertex)
{
    const vec direction = vec_load(sphere->directions + 3 * (size_t)vertex);
    return vec_scale(radius(direction), direction);
}

/* The lower corner is the origin, and the longest side is the extent. */
static void make_rest(bunnies *data)
{
    const uint32_t count = data->sphere.vertex_count;
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, longest = 0;
    double most[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (uint32_t i = 0; i < count; i++) {
        const vec at = shape_at(&data->sphere, i);
        const double p[3] = {at.x, at.y, at.z};
        for (int axis = 0; axis < 3; axis++) {
            if (p[axis] < least[axis]) least[axis] = p[axis];
            if (p[axis] > most[axis]) most[axis] = p[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++)
        if (most[axis] - least[axis] > longest) longest = most[axis] - least[axis];
    for (uint32_t i = 0; i < count; i++) {
        const vec from = {least[0], least[1], least[2]};
        const vec at = vec_sub(shape_at(&data->sphere, i), from);
        vec_store(vec_scale(data->extent / longest, at), data->rest, i);
    }
}

static bool create(scene *s)
{
    bunnies *data = calloc(1, sizeof *data);
    s->data = data;
    if (data == NULL || !icosphere_fill_scene(s, &data->sphere, BUNNIES, SCENE_RIGID)) return false;
    data->extent = extent_of(s);
    data->rest = malloc(3 * sizeof(float) * data->sphere.vertex_count);
    if (data->rest == NULL) return false;
    make_rest(data);
    for (uint32_t i = 1; i < BUNNIES; i++) s->bodies[i].like1 = 1;
    return true;
}

static void destroy(scene *s)
{
    bunnies *data = s->data;
    icosphere_destroy(&data->sphere);
    free(data->rest);
    free(data);
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const bunnies *data = s->data;
    (void)body;
    memcpy(xyz_out, data->rest, 3 * sizeof(float) * data->sphere.vertex_count);
}

/* The first one goes along the row of the others, and down and up again over each. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    const bunnies *data = s->data;
    const double share = (double)frame / s->frame_count, along = 3 * share;
    const double dip = along - (double)(int)along;
    const vec moving = {-1.4 + 5.2 * share, 0.1, 1.02 - 1.2 * dip * (1 - dip)};
    const vec at = body == 0 ? moving : (vec){1.2 * (body - 1.0), 0, 0};
    const turn none = turn_about((vec){0, 0, 1}, 0);
    return turn_pose(&none, vec_scale(data->extent, at));
}

extern const scene_kind scene_bunnies;
const scene_kind scene_bunnies = {
    .name = "bunnies",
    .summary = "one body moves over three on a fixed route and dips into each",
    .stands_for =
        "the animation of Rodriguez and Franquesa 2005; `variant` is the extent of a body",
    .defaults = {.triangles = 5120, .frames = STEPS, .variant = "832"},
    .lowest = {.triangles = 1, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000},
    .variants = "514 832 1024",
    .create = create,
    .destroy = destroy,
    .rest = rest,
    .pose = pose,
};
