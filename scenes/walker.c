/* walker.c - a person who walks, as a skin: a skeleton of twenty joints, four weights for each
 * vertex, and a ball that swings past a hand.
 *
 * Stands for characters of games and films, whose vertices follow joints. The figure is that of
 * `avatar`; a cycle of two steps takes 30 frames, and the ball comes back with it. Its joints are
 * eight along the trunk and three in each limb; vertices go from one to the next smoothly, and the
 * upper ends of limbs follow the trunk, too. Weights are in 256ths and sum up to one, as files have
 * them. Body 0 is the figure, body 1 the ball. The variant `self` asks the figure for pairs within,
 * of which there are many where limbs begin; `ball` does not. */
#include "figure.h"
#include "icosphere.h"

#include <stdlib.h>
#include <string.h>

enum {
    CYCLE = 30,
    SPINE = 8,
    LIMBS = 4,
    BONES = FIGURE_JOINTS - 1,
    JOINTS = SPINE + LIMBS * BONES,
    WEIGHTS = 4,
    WHOLE = 256,
    FIGURE = 0,
    BALL = 1,
    BODIES = 2
};

/* Heights of the first joint of the trunk, and from one to the next. */
#define SPINE_START 0.85
#define SPINE_STEP 0.12

/* How far from a bone vertices begin to follow the next one. */
#define BAND 0.09

#define BALL_RADIUS 0.12

typedef struct walker {
    figure_mesh figure;
    icosphere ball;
    float *rest;                 /* of the figure */
    uint32_t (*joints)[WEIGHTS]; /* by vertex */
    float (*weights)[WEIGHTS];
    willow_affine binds[JOINTS];
} walker;

/* ---- the skeleton ---- */

static willow_affine frame_of(vec x, vec y, vec z, vec origin)
{
    return (willow_affine){
        {{x.x, y.x, z.x, origin.x}, {x.y, y.y, z.y, origin.y}, {x.z, y.z, z.z, origin.z}}};
}

/* Of a frame whose axes are of length one and square to each other. */
static willow_affine frame_inverse(const willow_affine *m)
{
    willow_affine out;
    for (int row = 0; row < 3; row++) {
        out.row[row][3] = 0;
        for (int k = 0; k < 3; k++) {
            out.row[row][k] = m->row[k][row];
            out.row[row][3] -= m->row[k][row] * m->row[k][3];
        }
    }
    return out;
}

/* At a height of the trunk: where a place there and its surroundings are carried to. */
static willow_affine spine_frame(const figure *f, int number)
{
    vec place = {0, 0, SPINE_START + SPINE_STEP * number};
    vec origin = figure_carry(f, place);
    vec x = vec_unit(vec_sub(figure_carry(f, vec_add(place, (vec){1, 0, 0})), origin));
    vec z = {0, 0, 1};
    return frame_of(x, vec_cross(z, x), z, origin);
}

static const figure_limb *limb_of(const figure *f, int limb)
{
    return limb < 2 ? &f->legs[limb] : &f->arms[limb - 2];
}

/* z along the bone, and x as far as that allows to the side. */
static willow_affine bone_frame(const figure_limb *limb, int bone)
{
    vec z = vec_unit(vec_sub(limb->joints[bone + 1], limb->joints[bone]));
    vec x = vec_unit(vec_along(limb->side, -vec_dot(limb->side, z), z));
    return frame_of(x, vec_cross(z, x), z, limb->joints[bone]);
}

static void place_joints(const figure *f, willow_affine *out)
{
    for (int i = 0; i < SPINE; i++) {
        out[i] = spine_frame(f, i);
    }
    for (int i = 0; i < LIMBS * BONES; i++) {
        out[SPINE + i] = bone_frame(limb_of(f, i / BONES), i % BONES);
    }
}

/* ---- weights ---- */

/* What a vertex may follow, by joint; 0 is not at all. */
typedef struct pull {
    double of[JOINTS];
} pull;

static double falloff(double x)
{
    double c = x < 1 ? 1 - x : 0;
    return c * c;
}

static double distance_to_bone(const figure_limb *limb, int bone, vec p)
{
    vec from = limb->joints[bone], way = vec_sub(limb->joints[bone + 1], from);
    double share = vec_dot(vec_sub(p, from), way) / vec_dot(way, way);
    share = share < 0 ? 0 : share > 1 ? 1 : share;
    return vec_length(vec_sub(p, vec_along(from, share, way)));
}

static void pull_spine(double height, double strength, pull *out)
{
    for (int i = 0; i < SPINE; i++) {
        double at = SPINE_START + SPINE_STEP * i;
        double beyond = i == 0 && height < at ? 0 : i == SPINE - 1 && height > at ? 0 : 1;
        out->of[i] += strength * falloff(beyond * fabs(height - at) / (2 * SPINE_STEP));
    }
}

static void pull_limb(const figure_limb *limb, int number, vec p, pull *out)
{
    double distances[BONES], least = 1e9;
    for (int i = 0; i < BONES; i++) {
        distances[i] = distance_to_bone(limb, i, p);
        least = distances[i] < least ? distances[i] : least;
    }
    for (int i = 0; i < BONES; i++) {
        out->of[SPINE + number * BONES + i] = falloff((distances[i] - least) / BAND);
    }
    double from_start = vec_length(vec_sub(p, limb->joints[0]));
    pull_spine(p.z, 0.5 * falloff(from_start / (2 * BAND)), out);
}

/* The strongest four, in 256ths that sum up to one. */
static void choose_weights(pull *p, uint32_t joints[WEIGHTS], float weights[WEIGHTS])
{
    double chosen[WEIGHTS], sum = 0;
    int left = WHOLE;
    for (int i = 0; i < WEIGHTS; i++) {
        uint32_t best = 0;
        for (uint32_t k = 1; k < JOINTS; k++) {
            best = p->of[k] > p->of[best] ? k : best;
        }
        joints[i] = best;
        chosen[i] = p->of[best];
        sum += chosen[i];
        p->of[best] = 0;
    }
    for (int i = WEIGHTS - 1; i > 0; i--) {
        int share = (int)(WHOLE * chosen[i] / sum + 0.5);
        weights[i] = (float)share / WHOLE;
        left -= share;
    }
    weights[0] = (float)left / WHOLE;
}

static void choose_all_weights(walker *data, const figure *f)
{
    uint32_t vertex = 0;
    for (int part = 0; part < FIGURE_PARTS; part++) {
        uint32_t end = vertex + tube_vertices(data->figure.parts[part]);
        for (; vertex < end; vertex++) {
            const float *at = data->rest + 3 * (size_t)vertex;
            vec p = {(double)at[0], (double)at[1], (double)at[2]};
            pull all = {{0}};
            if (part == 0) {
                pull_spine(p.z, 1, &all);
            } else {
                pull_limb(limb_of(f, part - 1), part - 1, p, &all);
            }
            choose_weights(&all, data->joints[vertex], data->weights[vertex]);
        }
    }
}

/* ---- the scene ---- */

static bool create_figure(scene *s, walker *data)
{
    data->figure = figure_mesh_make(s->asked.triangles);
    const size_t count = data->figure.vertex_count;
    data->rest = malloc(3 * count * sizeof *data->rest);
    data->joints = malloc(count * sizeof *data->joints);
    data->weights = malloc(count * sizeof *data->weights);
    if (data->rest == NULL || data->joints == NULL || data->weights == NULL) {
        return false;
    }
    willow_affine frames[JOINTS];
    figure f = figure_at(0, false);
    figure_positions(&f, &data->figure, data->rest);
    choose_all_weights(data, &f);
    place_joints(&f, frames);
    for (int i = 0; i < JOINTS; i++) {
        data->binds[i] = frame_inverse(&frames[i]);
    }
    s->params.triangles = data->figure.triangle_count;
    return figure_fill_body(&s->bodies[FIGURE], &data->figure);
}

static bool create(scene *s)
{
    walker *data = calloc(1, sizeof *data);
    s->data = data;
    s->bodies = calloc(BODIES, sizeof *s->bodies);
    if (data == NULL || s->bodies == NULL) {
        return false;
    }
    s->body_count = BODIES;
    s->bodies[FIGURE].self = strcmp(s->params.variant, "self") == 0;
    s->bodies[FIGURE].motion = SCENE_SKIN;
    s->bodies[BALL].motion = SCENE_RIGID;
    return create_figure(s, data) && icosphere_create(3, &data->ball) &&
           icosphere_fill_body(&s->bodies[BALL], &data->ball);
}

static void destroy(scene *s)
{
    walker *data = s->data;
    if (data != NULL) {
        free(data->rest);
        free(data->joints);
        free(data->weights);
        icosphere_destroy(&data->ball);
    }
    free(data);
}

static double cycle_at(const scene *s, uint32_t frame)
{
    return scene_step(s, frame) / CYCLE + (double)s->params.seed / 7;
}

static void rest(const scene *s, uint32_t body, float *xyz_out)
{
    const walker *data = s->data;
    (void)body; /* the ball */
    for (uint32_t i = 0; i < data->ball.vertex_count; i++) {
        vec_store(vec_scale(BALL_RADIUS, vec_load(data->ball.directions + 3 * (size_t)i)), xyz_out,
                  i);
    }
}

/* Beside the thigh, where the hand comes past. */
static willow_pose pose(const scene *s, uint32_t frame, uint32_t body)
{
    if (body == FIGURE) {
        return willow_pose_identity();
    }
    double angle = 2 * SCENE_PI * cycle_at(s, frame);
    turn spin = turn_about((vec){1, 0, 0}, angle);
    return turn_pose(&spin, (vec){0.36 + 0.1 * wi_cos(angle), 0.1 * wi_sin(angle), 0.85});
}

static const float *reference(const scene *s, uint32_t body, uint32_t number)
{
    const walker *data = s->data;
    (void)body;
    (void)number;
    return data->rest;
}

static void skin(const scene *s, uint32_t body, willow_skin *out)
{
    const walker *data = s->data;
    (void)body;
    out->joint_count = JOINTS;
    out->inverse_bind = data->binds;
    out->joints = data->joints[0];
    out->weights = data->weights[0];
    out->weights_per_vertex = WEIGHTS;
}

static void joints(const scene *s, uint32_t frame, uint32_t body, willow_affine *out)
{
    (void)body;
    figure f = figure_at(cycle_at(s, frame), false);
    place_joints(&f, out);
}

extern const scene_kind scene_walker;
const scene_kind scene_walker = {
    .name = "walker",
    .summary = "a walking figure that follows the joints of a skeleton, and a ball",
    .stands_for = "skinned characters",
    .defaults = {.triangles = 100000, .frames = 120, .seed = 1, .variant = "ball"},
    .lowest = {.triangles = 200, .frames = 1},
    .highest = {.triangles = 2000000, .frames = 1000000, .seed = UINT32_MAX},
    .variants = "ball self",
    .create = create,
    .destroy = destroy,
    .rest = rest,
    .pose = pose,
    .reference_count = 1,
    .reference = reference,
    .skin = skin,
    .joints = joints,
};
