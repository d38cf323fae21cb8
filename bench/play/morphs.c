/* morphs.c - blends references as whoever has no morphs would: those of weight 0 left out, one
 * stream over all vertices. Compiled with all that the machine has, as peer:plain is. */
#include "bench/play/morphs.h"

bool scene_body_morphs(const scene *s, uint32_t body)
{
    return s->bodies[body].motion == SCENE_MORPH || s->bodies[body].motion == SCENE_SKIN;
}

bool scene_has_morphs(const scene *s)
{
    uint32_t i = 0;
    while (i < s->body_count && !scene_body_morphs(s, i)) i++;
    return i < s->body_count;
}

bool scene_has_skins(const scene *s)
{
    uint32_t i = 0;
    while (i < s->body_count && s->bodies[i].motion != SCENE_SKIN) i++;
    return i < s->body_count;
}

/* References with a weight other than 0, in order. */
typedef struct terms {
    uint32_t count;
    const float *references[SCENE_REFERENCE_MAX];
    double weights[SCENE_REFERENCE_MAX];
} terms;

static terms terms_of(const scene *s, uint32_t frame, uint32_t body)
{
    terms t = {.count = 0};
    float weights[SCENE_REFERENCE_MAX];
    scene_weights(s, frame, body, weights);
    for (uint32_t i = 0; i < scene_reference_count(s); i++) {
        if (weights[i] == 0) continue;
        t.references[t.count] = scene_reference(s, body, i);
        t.weights[t.count++] = (double)weights[i];
    }
    return t;
}

/* So many vertices at a time stay near. */
enum { RUN = 128 };

static void add_term(double *restrict sums, const float *restrict values, double weight,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) sums[i] += weight * (double)values[i];
}

static void sum_up(const terms *t, size_t first, size_t count, double *restrict sums)
{
    for (size_t i = 0; i < 3 * count; i++) sums[i] = 0;
    for (uint32_t r = 0; r < t->count; r++) {
        add_term(sums, t->references[r] + 3 * first, t->weights[r], 3 * count);
    }
}

typedef struct placement {
    double columns[3][3], translation[3];
} placement;

static void pose_run(const placement *m, const double *restrict from, size_t count,
                     float *restrict to)
{
    for (size_t i = 0; i < count; i++) {
        const double x = from[3 * i], y = from[3 * i + 1], z = from[3 * i + 2];
        for (int row = 0; row < 3; row++) {
            to[3 * i + (size_t)row] = (float)(((m->columns[0][row] * x + m->columns[1][row] * y) +
                                               m->columns[2][row] * z) +
                                              m->translation[row]);
        }
    }
}

static void round_run(const double *restrict from, size_t count, float *restrict to)
{
    for (size_t i = 0; i < 3 * count; i++) to[i] = (float)from[i];
}

/* ---- skins ---- */

/* Four numbers at a time, of which the last has no meaning: as wide as registers are. */
static void add_moved(const scene_columns *restrict m, double weight, const double p[3],
                      double *restrict sum)
{
    double at[4];
    for (int k = 0; k < 4; k++) at[k] = m->column[0][k] * p[0] + m->column[1][k] * p[1];
    for (int k = 0; k < 4; k++) at[k] += m->column[2][k] * p[2];
    for (int k = 0; k < 4; k++) at[k] += m->column[3][k];
    for (int k = 0; k < 4; k++) sum[k] += weight * at[k];
}

/* Weights of 0 add 0, which costs less than to ask. */
static void skin_blend(const scene *s, uint32_t frame, uint32_t body, float *restrict xyz_out)
{
    const willow_skin skin = scene_skin(s, body);
    const size_t each = skin.weights_per_vertex, all = s->bodies[body].vertex_count;
    willow_affine joints[SCENE_JOINT_MAX];
    scene_columns moves[SCENE_JOINT_MAX];
    scene_joints(s, frame, body, joints);
    scene_joint_columns(&skin, joints, moves);
    const float *restrict from = scene_reference(s, body, 0);
    for (size_t i = 0; i < all; i++) {
        double sum[4] = {0, 0, 0, 0};
        const double p[3] = {(double)from[3 * i], (double)from[3 * i + 1], (double)from[3 * i + 2]};
        for (size_t w = i * each; w < (i + 1) * each; w++) {
            add_moved(&moves[skin.joints[w]], (double)skin.weights[w], p, sum);
        }
        for (size_t k = 0; k < 3; k++) xyz_out[3 * i + k] = (float)sum[k];
    }
}

void morph_blend(const scene *s, uint32_t frame, uint32_t body, float *xyz_out)
{
    if (s->bodies[body].motion == SCENE_SKIN) {
        skin_blend(s, frame, body, xyz_out);
        return;
    }
    const size_t all = s->bodies[body].vertex_count;
    const terms t = terms_of(s, frame, body);
    double sums[3 * RUN];
    willow_pose pose;
    scene_pose(s, frame, body, &pose);
    placement m;
    const bool moves = scene_pose_columns(&pose, m.columns, m.translation);
    for (size_t first = 0; first < all; first += RUN) {
        const size_t count = all - first < RUN ? all - first : RUN;
        sum_up(&t, first, count, sums);
        if (moves) {
            pose_run(&m, sums, count, xyz_out + 3 * first);
        } else {
            round_run(sums, count, xyz_out + 3 * first);
        }
    }
}
