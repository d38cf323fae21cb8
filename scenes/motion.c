/* motion.c - where bodies are, from what their scenes know about their motion.
 *
 * Way in: scene_positions, and the functions that hand out poses, keyframes, plans and morphs. The
 * formulas are those of scene_motion in scenes.h, each in one place, so that whoever computes
 * positions from the same data can have the same bits (C1). */
#include "geom/pose.h"
#include "scenes.h"

#include <string.h>
#include "willow/world.h"

/* Vertices that are computed at once from keyframes. */
enum { BLOCK = 512 };

/* ---- poses ---- */

void scene_pose(const scene *s, uint32_t frame, uint32_t body, willow_pose *out)
{
    scene_motion motion = s->bodies[body].motion;
    bool moves = (motion == SCENE_RIGID || motion == SCENE_MORPH) && s->kind->pose != NULL;
    *out = moves ? s->kind->pose(s, frame, body) : willow_pose_identity();
}

void scene_rest(const scene *s, uint32_t body, float *xyz_out)
{
    if (s->bodies[body].motion == SCENE_RIGID) {
        s->kind->rest(s, body, xyz_out);
    } else {
        scene_positions(s, 0, body, xyz_out);
    }
}

static void place_rigid(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    willow_pose pose;
    scene_pose(s, frame, body, &pose);
    scene_rest(s, body, xyz_out);
    willow_pose_apply(&pose, xyz_out, 0, s->bodies[body].vertex_count, (willow_vec3 *)xyz_out);
}

/* ---- keyframes ---- */

static uint32_t key_distance(const scene *s) { return s->params.inbetween + 1; }

uint32_t scene_key_count(const scene *s)
{
    uint32_t last = s->frame_count - 1, distance = key_distance(s);
    return last / distance + (last % distance != 0) + 1;
}

uint32_t scene_key_frame(const scene *s, uint32_t key) { return key * key_distance(s); }

void scene_key_positions(const scene *s, uint32_t key, uint32_t body, float *xyz_out)
{
    s->kind->key(s, key, body, 0, s->bodies[body].vertex_count, xyz_out);
}

static void place_between_keys(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    uint32_t distance = key_distance(s), key = frame / distance;
    double share = (double)(frame - key * distance) / distance;
    uint32_t vertex_count = s->bodies[body].vertex_count;
    s->kind->key(s, key, body, 0, vertex_count, xyz_out);
    for (uint32_t first = 0; share > 0 && first < vertex_count; first += BLOCK) {
        float next[3 * BLOCK], *at = xyz_out + 3 * (size_t)first;
        uint32_t count = vertex_count - first < BLOCK ? vertex_count - first : BLOCK;
        s->kind->key(s, key + 1, body, first, count, next);
        for (uint32_t i = 0; i < 3 * count; i++) {
            double a = (double)at[i], b = (double)next[i];
            at[i] = (float)(a + share * (b - a));
        }
    }
}

/* ---- plans ---- */

const scene_change *scene_changes(const scene *s, uint32_t body, size_t *count_out)
{
    return s->kind->changes(s, body, count_out);
}

double scene_time(const scene *s, uint32_t frame) { return s->kind->time(s, frame); }

/* ---- morphs ---- */

bool scene_pose_columns(const willow_pose *pose, double columns[3][3], double translation[3])
{
    const wi_pose ready = wi_pose_from(pose);
    if (wi_pose_is_identity(&ready)) return false;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            columns[column][row] = ready.column[column][row];
        }
        translation[row] = ready.translation[row];
    }
    return true;
}

uint32_t scene_reference_count(const scene *s) { return s->kind->reference_count; }

const float *scene_reference(const scene *s, uint32_t body, uint32_t reference)
{
    return s->kind->reference(s, body, reference);
}

void scene_weights(const scene *s, uint32_t frame, uint32_t body, float *weights_out)
{
    s->kind->weights(s, frame, body, weights_out);
}

bool scene_loose_box(const scene *s, uint32_t body, willow_box *out)
{
    if (s->kind->loose_box == NULL) return false;
    *out = s->kind->loose_box(s, body);
    return true;
}

bool scene_has_offsets(const scene *s) { return s->kind->has_offsets; }

/* A morph at one frame. */
typedef struct blend {
    uint32_t count;
    const float *references[SCENE_REFERENCE_MAX];
    float weights[SCENE_REFERENCE_MAX];
} blend;

static void blend_vertex(const blend *b, size_t vertex, double out[3])
{
    for (size_t k = 0; k < 3; k++) {
        out[k] = (double)b->weights[0] * (double)b->references[0][3 * vertex + k];
        for (uint32_t r = 1; r < b->count; r++) {
            out[k] += (double)b->weights[r] * (double)b->references[r][3 * vertex + k];
        }
    }
}

/* As wi_pose_apply, but of a place that was not rounded. */
static void pose_vertex(const wi_pose *pose, double p[3])
{
    double at[3];
    for (int row = 0; row < 3; row++) {
        at[row] = ((pose->column[0][row] * p[0] + pose->column[1][row] * p[1]) +
                   pose->column[2][row] * p[2]) +
                  pose->translation[row];
    }
    memcpy(p, at, sizeof at);
}

static void place_morph(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    blend b = {.count = s->kind->reference_count};
    willow_pose pose;
    for (uint32_t r = 0; r < b.count; r++) {
        b.references[r] = scene_reference(s, body, r);
    }
    scene_weights(s, frame, body, b.weights);
    scene_pose(s, frame, body, &pose);
    const wi_pose ready = wi_pose_from(&pose);
    const bool moves = !wi_pose_is_identity(&ready); /* as willow_pose_apply does it */
    for (size_t i = 0; i < s->bodies[body].vertex_count; i++) {
        double at[3];
        blend_vertex(&b, i, at);
        if (moves) pose_vertex(&ready, at);
        for (size_t k = 0; k < 3; k++) {
            xyz_out[3 * i + k] = (float)at[k];
        }
    }
}

/* ---- skins ---- */

willow_skin scene_skin(const scene *s, uint32_t body)
{
    willow_skin skin = {.struct_size = sizeof skin};
    s->kind->skin(s, body, &skin);
    return skin;
}

void scene_joints(const scene *s, uint32_t frame, uint32_t body, willow_affine *out)
{
    s->kind->joints(s, frame, body, out);
}

void scene_joint_columns(const willow_skin *skin, const willow_affine *joints, scene_columns *out)
{
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        const willow_affine *b = &skin->inverse_bind[i];
        for (int column = 0; column < 4; column++) {
            for (int row = 0; row < 3; row++) {
                const double *j = joints[i].row[row];
                double m = (j[0] * b->row[0][column] + j[1] * b->row[1][column]) +
                           j[2] * b->row[2][column];
                out[i].column[column][row] = column == 3 ? m + j[3] : m;
            }
            out[i].column[column][3] = 0;
        }
    }
}

static void skin_vertex(const willow_skin *skin, const scene_columns *moves, size_t vertex,
                        float p[3])
{
    const size_t first = vertex * skin->weights_per_vertex;
    double sum[3] = {0, 0, 0};
    for (size_t i = first; i < first + skin->weights_per_vertex; i++) {
        if (skin->weights[i] == 0) continue;
        const scene_columns *m = &moves[skin->joints[i]];
        for (int row = 0; row < 3; row++) {
            double at = ((m->column[0][row] * (double)p[0] + m->column[1][row] * (double)p[1]) +
                         m->column[2][row] * (double)p[2]) +
                        m->column[3][row];
            sum[row] += (double)skin->weights[i] * at;
        }
    }
    for (int row = 0; row < 3; row++) p[row] = (float)sum[row];
}

static void place_skin(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    willow_skin skin = scene_skin(s, body);
    willow_affine joints[SCENE_JOINT_MAX];
    scene_columns moves[SCENE_JOINT_MAX];
    scene_joints(s, frame, body, joints);
    scene_joint_columns(&skin, joints, moves);
    const size_t count = s->bodies[body].vertex_count;
    memcpy(xyz_out, scene_reference(s, body, 0), 3 * count * sizeof *xyz_out);
    for (size_t i = 0; i < count; i++) {
        skin_vertex(&skin, moves, i, xyz_out + 3 * i);
    }
}

/* ---- positions ---- */

void scene_positions(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    switch (s->bodies[body].motion) {
    case SCENE_RIGID: place_rigid(s, frame, body, xyz_out); return;
    case SCENE_KEYFRAMES: place_between_keys(s, frame, body, xyz_out); return;
    case SCENE_MORPH: place_morph(s, frame, body, xyz_out); return;
    case SCENE_SKIN: place_skin(s, frame, body, xyz_out); return;
    case SCENE_PLANS:
    case SCENE_POSITIONS: s->kind->positions(s, frame, body, xyz_out); return;
    }
}
