/* float_skins.c - the pass in float. Compiled with all that the machine has, and with products and
 * sums fused.
 *
 * The matrices of a vertex are summed up first, and then applied once: sixteen floats, two
 * registers. That is the fastest of four ways that were tried for 50,000 vertices: 0.26 ms, and
 * 0.24 written in intrinsics; eight vertices side by side take 0.39 ms with transposed matrices and
 * 1.2 with gathered ones, since each vertex has matrices of its own. */
#include "bench/play/float_skins.h"
#include "bench/play/morphs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { INFLUENCES = 4 };

/* The columns of a matrix; the fourth row is 0. */
typedef struct columns {
    _Alignas(64) float of[16];
} columns;

/* Of one body; NULL where it has no skin. Influences that a vertex does not have weigh 0. */
typedef struct float_skin {
    uint8_t (*joints)[INFLUENCES];
    float (*weights)[INFLUENCES];
} float_skin;

struct float_skins {
    const scene *scene;
    float_skin *of; /* by body */
};

static bool has_skin(const scene *s, uint32_t body) { return s->bodies[body].motion == SCENE_SKIN; }

static bool create_skin(const scene *s, uint32_t body, float_skin *out)
{
    const willow_skin skin = scene_skin(s, body);
    const size_t each = skin.weights_per_vertex, all = s->bodies[body].vertex_count;
    assert(each <= INFLUENCES && skin.joint_count <= UINT8_MAX + 1U);
    out->joints = calloc(all + 1, sizeof *out->joints);
    out->weights = calloc(all + 1, sizeof *out->weights);
    if (out->joints == NULL || out->weights == NULL) return false;
    for (size_t i = 0; i < all * each; i++) {
        out->joints[i / each][i % each] = (uint8_t)skin.joints[i];
        out->weights[i / each][i % each] = skin.weights[i];
    }
    return true;
}

float_skins *float_skins_create(const scene *s)
{
    float_skins *skins = calloc(1, sizeof *skins);
    if (skins == NULL) return NULL;
    skins->scene = s;
    skins->of = calloc((size_t)s->body_count + 1, sizeof *skins->of);
    bool fine = skins->of != NULL;
    for (uint32_t i = 0; fine && i < s->body_count; i++) {
        fine = !has_skin(s, i) || create_skin(s, i, &skins->of[i]);
    }
    if (fine) return skins;
    float_skins_destroy(skins);
    return NULL;
}

void float_skins_destroy(float_skins *skins)
{
    if (skins == NULL) return;
    for (uint32_t i = 0; skins->of != NULL && i < skins->scene->body_count; i++) {
        free(skins->of[i].joints);
        free(skins->of[i].weights);
    }
    free(skins->of);
    free(skins);
}

/* The matrices of a frame, rounded. */
static void place_joints(const scene *s, uint32_t frame, uint32_t body, columns *out)
{
    const willow_skin skin = scene_skin(s, body);
    willow_affine joints[SCENE_JOINT_MAX];
    scene_columns moves[SCENE_JOINT_MAX];
    scene_joints(s, frame, body, joints);
    scene_joint_columns(&skin, joints, moves);
    for (uint32_t i = 0; i < skin.joint_count; i++) {
        for (int k = 0; k < 16; k++) out[i].of[k] = (float)moves[i].column[k / 4][k % 4];
    }
}

/* Four numbers, of which the last has no meaning. */
static inline void skin_vertex(const columns *moves, const uint8_t joints[INFLUENCES],
                               const float weights[INFLUENCES], const float p[3], float out[4])
{
    const float *a = moves[joints[0]].of, *b = moves[joints[1]].of;
    const float *c = moves[joints[2]].of, *d = moves[joints[3]].of;
    float m[16];
    for (int k = 0; k < 16; k++) {
        m[k] = weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k] + weights[3] * d[k];
    }
    for (int k = 0; k < 4; k++)
        out[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k];
}

/* Vertices are written in whole registers, but for the last one: what is behind one is the next. */
static void skin_all(const columns *restrict moves, const float_skin *skin,
                     const float *restrict from, size_t count, float *restrict to)
{
    uint8_t(*restrict joints)[INFLUENCES] = skin->joints;
    float(*restrict weights)[INFLUENCES] = skin->weights;
    float at[4];
    for (size_t i = 0; i + 1 < count; i++) {
        skin_vertex(moves, joints[i], weights[i], from + 3 * i, at);
        memcpy(to + 3 * i, at, sizeof at);
    }
    if (count == 0) return;
    skin_vertex(moves, joints[count - 1], weights[count - 1], from + 3 * (count - 1), at);
    memcpy(to + 3 * (count - 1), at, 3 * sizeof *at);
}

void float_skins_blend(const float_skins *skins, uint32_t frame, uint32_t body, float *xyz_out)
{
    const scene *s = skins->scene;
    columns moves[SCENE_JOINT_MAX];
    if (!has_skin(s, body)) {
        morph_blend(s, frame, body, xyz_out);
        return;
    }
    place_joints(s, frame, body, moves);
    skin_all(moves, &skins->of[body], scene_reference(s, body, 0), s->bodies[body].vertex_count,
             xyz_out);
}
