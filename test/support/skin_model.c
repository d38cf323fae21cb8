/* skin_model.c - see skin_model.h. */
#include "support/skin_model.h"

#include <stdlib.h>

static const willow_affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static willow_affine near_identity(double share, uint64_t *random)
{
    willow_affine m = identity;
    for (int i = 0; i < 12; i++) m.row[i / 4][i % 4] += test_random_between(random, -share, share);
    return m;
}

static willow_affine times(const willow_affine *a, const willow_affine *b)
{
    willow_affine m;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++) {
            m.row[row][column] = column == 3 ? a->row[row][3] : 0.0;
            for (int k = 0; k < 3; k++) m.row[row][column] += a->row[row][k] * b->row[k][column];
        }
    return m;
}

/* By cofactors; it is far from singular. */
static willow_affine inverse(const willow_affine *m)
{
    willow_affine out;
    double determinant = 0.0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const double *a = m->row[(column + 1) % 3], *b = m->row[(column + 2) % 3];
            out.row[row][column] =
                a[(row + 1) % 3] * b[(row + 2) % 3] - a[(row + 2) % 3] * b[(row + 1) % 3];
        }
    for (int k = 0; k < 3; k++) determinant += m->row[0][k] * out.row[k][0];
    for (int i = 0; i < 9; i++) out.row[i / 3][i % 3] /= determinant;
    for (int row = 0; row < 3; row++) {
        out.row[row][3] = 0.0;
        for (int k = 0; k < 3; k++) out.row[row][3] -= out.row[row][k] * m->row[k][3];
    }
    return out;
}

/* Neighbours in number follow much the same joints. */
static void choose_influences(skin_model *m, uint32_t vertex, uint64_t *random)
{
    const uint32_t count = 1 + (uint32_t)(test_random(random) % SKIN_MOST_WEIGHTS);
    const uint32_t first = m->first[vertex];
    const uint32_t near_by =
        (uint32_t)((uint64_t)vertex * m->joint_count / (m->vertex_count > 0 ? m->vertex_count : 1));
    for (uint32_t i = 0; i < count; i++) {
        m->numbers[first + i] =
            (near_by + (uint32_t)(test_random(random) % (2 + i / 2))) % m->joint_count;
        const bool is_zero = i > 0 && test_random(random) % 4 == 0;
        m->weights[first + i] = is_zero ? 0.0F : (float)test_random_between(random, 0.125, 2.0);
    }
    m->first[vertex + 1] = first + count;
}

void skin_model_create(skin_model *m, uint32_t vertex_count, uint32_t joint_count, uint64_t seed)
{
    uint64_t random = seed;
    const size_t most = (size_t)vertex_count * SKIN_MOST_WEIGHTS;
    *m = (skin_model){.vertex_count = vertex_count, .joint_count = joint_count};
    m->binds = malloc(joint_count * sizeof *m->binds);
    m->rests = malloc(joint_count * sizeof *m->rests);
    m->joints = malloc(joint_count * sizeof *m->joints);
    m->first = malloc(((size_t)vertex_count + 1) * sizeof *m->first);
    m->numbers = malloc((most + 1) * sizeof *m->numbers);
    m->weights = malloc((most + 1) * sizeof *m->weights);
    for (uint32_t i = 0; i < joint_count; i++) {
        m->binds[i] = near_identity(0.25, &random);
        m->rests[i] = m->joints[i] = inverse(&m->binds[i]);
    }
    m->first[0] = 0;
    for (uint32_t vertex = 0; vertex < vertex_count; vertex++)
        choose_influences(m, vertex, &random);
}

void skin_model_destroy(skin_model *m)
{
    free(m->binds);
    free(m->rests);
    free(m->joints);
    free(m->first);
    free(m->numbers);
    free(m->weights);
    *m = (skin_model){0};
}

willow_skin skin_model_def(const skin_model *m)
{
    willow_skin skin = willow_skin_default();
    skin.joint_count = m->joint_count;
    skin.inverse_bind = m->binds;
    skin.matrices = m->joints;
    skin.first = m->first;
    skin.joints = m->numbers;
    skin.weights = m->weights;
    return skin;
}

void skin_model_move(skin_model *m, double share, uint64_t *random)
{
    for (uint32_t i = 0; i < m->joint_count; i++) {
        const willow_affine way = near_identity(share, random);
        m->joints[i] = times(&way, &m->rests[i]);
    }
}

static void apply(const willow_affine *m, const long double p[3], long double out[3])
{
    for (int row = 0; row < 3; row++) {
        out[row] = (long double)m->row[row][3];
        for (int k = 0; k < 3; k++) out[row] += (long double)m->row[row][k] * p[k];
    }
}

void skin_model_at(const skin_model *m, uint32_t vertex, const double p[3], long double out[3])
{
    const long double from[3] = {(long double)p[0], (long double)p[1], (long double)p[2]};
    long double sum = 0.0L, local[3], moved[3];
    out[0] = out[1] = out[2] = 0.0L;
    for (uint32_t i = m->first[vertex]; i < m->first[vertex + 1]; i++) {
        apply(&m->binds[m->numbers[i]], from, local);
        apply(&m->joints[m->numbers[i]], local, moved);
        for (int axis = 0; axis < 3; axis++) out[axis] += (long double)m->weights[i] * moved[axis];
        sum += (long double)m->weights[i];
    }
    for (int axis = 0; axis < 3; axis++) out[axis] /= sum;
}
