/* crowd_bodies.c - the scenes crowd2d and crowd3d: the boxes of a crowd (crowd.h) as rigid bodies,
 * squares of two triangles in the plane and boxes of twelve in space.
 *
 * Stands for the scenes with which broad phases are measured: many bodies of a few triangles each,
 * of about one size or of sizes with a heavy tail, of which all or some move. `willow bench --query
 * broad` measures with their boxes alone. */
#include "crowd.h"

#include <stdlib.h>
#include <string.h>

/* "motion", or "sizes_motion" where boxes are not of about one size. */
static void take_variant(const char *variant, crowd_def *out)
{
    const char *motion = variant;
    for (int i = 0; i < CROWD_SIZES_COUNT; i++) {
        const size_t length = strlen(crowd_size_words[i]);
        if (strncmp(variant, crowd_size_words[i], length) != 0 || variant[length] != '_') continue;
        out->sizes = (crowd_sizes)i;
        motion = variant + length + 1;
    }
    for (int i = 0; i < CROWD_MOTION_COUNT; i++)
        if (strcmp(motion, crowd_motion_words[i]) == 0) out->motion = (crowd_motion)i;
}

extern const scene_kind scene_crowd2d, scene_crowd3d;

bool crowd_def_of_scene(const scene_kind *kind, const scene_params *params, crowd_def *out)
{
    if (kind != &scene_crowd2d && kind != &scene_crowd3d) return false;
    *out = (crowd_def){.dimensions = kind == &scene_crowd2d ? 2 : 3,
                       .count = params->bodies,
                       .moving = 0.01 * params->moving,
                       .seed = params->seed};
    take_variant(params->variant, out);
    return true;
}

/* ---- bodies ---- */

/* Corners by bits of axes; those of the square are the first four. */
static const uint32_t square[2][3] = {{0, 1, 3}, {0, 3, 2}};
static const uint32_t cube[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                     {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                     {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

static bool make_body(scene_body *body, bool is_flat)
{
    body->vertex_count = is_flat ? 4 : 8;
    body->triangle_count = is_flat ? 2 : 12;
    body->motion = SCENE_RIGID;
    body->indices = malloc(3 * body->triangle_count * sizeof *body->indices);
    if (body->indices == NULL) return false;
    memcpy(body->indices, is_flat ? square[0] : cube[0],
           3 * body->triangle_count * sizeof *body->indices);
    return true;
}

static bool create(scene *s)
{
    crowd_def def;
    (void)crowd_def_of_scene(s->kind, &s->params, &def);
    s->data = crowd_create(&def);
    s->bodies = calloc(s->params.bodies, sizeof *s->bodies);
    if (s->data == NULL || s->bodies == NULL) return false;
    for (s->body_count = 0; s->body_count < s->params.bodies; s->body_count++)
        if (!make_body(&s->bodies[s->body_count], def.dimensions == 2)) return false;
    return true;
}

static void destroy(scene *s) { crowd_destroy(s->data); }

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    double edges[3];
    crowd_edges(s->data, body, edges);
    for (uint32_t i = 0; i < s->bodies[body].vertex_count; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            xyz_out[3 * i + axis] =
                (float)((i >> axis & 1) != 0 ? 0.5 * edges[axis] : -0.5 * edges[axis]);
}

static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    double at[3];
    crowd_middle(s->data, frame, body, at);
    return (willow_pose){.rotation = {0.0F, 0.0F, 0.0F, 1.0F},
                         .translation = {(float)at[0], (float)at[1], (float)at[2]}};
}

#define CROWD_VARIANTS                                                                             \
    "brownian drifting falling pressed heavy_brownian heavy_drifting heavy_falling heavy_pressed"

#define CROWD_KIND(text, words)                                                                    \
    {                                                                                              \
        .name = text, .summary = words,                                                            \
        .stands_for = "broad phases: many bodies of a few triangles each",                         \
        .defaults = {.bodies = 1000,                                                               \
                     .frames = 100,                                                                \
                     .moving = 100,                                                                \
                     .seed = 1,                                                                    \
                     .variant = "brownian"},                                                       \
        .lowest = {.bodies = 1, .frames = 1, .moving = 1},                                         \
        .highest = {.bodies = 4000000, .frames = 1000000, .moving = 100, .seed = UINT32_MAX},      \
        .variants = CROWD_VARIANTS, .create = create, .destroy = destroy, .rest = rest,            \
        .pose = pose                                                                               \
    }

const scene_kind scene_crowd2d = CROWD_KIND("crowd2d", "many squares that move in the plane");
const scene_kind scene_crowd3d = CROWD_KIND("crowd3d", "many boxes that move in a cube");
