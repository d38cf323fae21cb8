/* morph_model.c - makes targets and weights, and sums them up. */
#include "support/morph_model.h"

#include <stdlib.h>

static void copy_frame(const zoo_mesh *mesh, uint64_t seed, uint32_t frame, float (*out)[3])
{
    zoo_mesh other;
    zoo_mesh_create(&other, mesh->kind, mesh->size, seed);
    zoo_mesh_move(&other, frame, 0, other.vertex_count);
    memcpy(out, other.positions, other.vertex_count * sizeof *out);
    zoo_mesh_destroy(&other);
}

static float (*room(uint32_t count))[3]
{
    float(*values)[3] = calloc((size_t)count + 1, sizeof *values);
    assert_non_null(values);
    return values;
}

/* Steps away from the base; of a sparse target for every few vertices, in a wild order. */
static void make_offsets(morph_model *m, uint32_t i, uint64_t *random)
{
    const uint32_t count = m->mesh->vertex_count;
    const bool is_sparse = i % 3 != 0, is_listed = i % 3 == 1;
    const uint32_t from = count > 0 ? (uint32_t)(test_random(random) % count) : 0;
    const uint32_t part = is_sparse ? 1 + count / (2 + i) : count;
    uint32_t moved = part < count ? part : count;
    m->values[i] = room(count);
    m->counts[i] = is_listed ? moved : count;
    if (is_listed) m->vertices[i] = calloc((size_t)count + 1, sizeof **m->vertices);
    for (uint32_t k = 0; k < moved; k++) {
        const uint32_t vertex = (from + moved - 1 - k) % count;
        float *out = m->values[i][is_listed ? k : vertex];
        if (is_listed) m->vertices[i][k] = vertex;
        for (int axis = 0; axis < 3; axis++)
            out[axis] = (float)(test_random(random) % 9) / 16.0F - 0.25F;
        if (test_random(random) % 16 == 0) memset(out, 0, 3 * sizeof *out);
    }
}

void morph_model_create(morph_model *m, const zoo_mesh *mesh, willow_morph_kind kind,
                        uint32_t target_count, uint64_t seed)
{
    uint64_t random = seed;
    *m = (morph_model){.mesh = mesh, .kind = kind, .target_count = target_count};
    assert_true(target_count <= MORPH_TARGETS);
    m->base = room(mesh->vertex_count);
    memcpy(m->base, mesh->positions, mesh->vertex_count * sizeof *m->base);
    for (uint32_t i = 0; i < target_count; i++) {
        if (kind == WILLOW_MORPH_OFFSETS) {
            make_offsets(m, i, &random);
        } else {
            m->counts[i] = mesh->vertex_count;
            m->values[i] = room(mesh->vertex_count);
            copy_frame(mesh, mesh->seed, i, m->values[i]);
        }
        m->targets[i] = (willow_morph_target){.values = m->values[i],
                                              .vertices = m->vertices[i],
                                              .vertex_count = m->vertices[i] ? m->counts[i] : 0};
    }
    if (kind == WILLOW_MORPH_ABSOLUTE) m->weights[0] = 1.0F;
}

void morph_model_destroy(morph_model *m)
{
    free(m->base);
    for (uint32_t i = 0; i < m->target_count; i++) {
        free(m->values[i]);
        free(m->vertices[i]);
    }
}

willow_morph morph_model_def(const morph_model *m)
{
    willow_morph def = willow_morph_default();
    def.kind = m->kind;
    def.targets = m->targets;
    def.target_count = m->target_count;
    return def;
}

static float any(uint64_t *random, double low, double high)
{
    return (float)test_random_between(random, low, high);
}

static void choose_convex(morph_model *m, uint64_t *random)
{
    float sum = 0.0F;
    for (uint32_t i = 0; i < m->target_count; i++) sum += m->weights[i] = any(random, 0.0, 1.0);
    for (uint32_t i = 0; i < m->target_count; i++) m->weights[i] /= sum;
}

void morph_model_choose(morph_model *m, morph_weights kind, uint64_t *random)
{
    const uint32_t count = m->target_count;
    const uint32_t one = count > 0 ? (uint32_t)(test_random(random) % count) : 0;
    memset(m->weights, 0, sizeof m->weights);
    if (count == 0 || kind == MORPH_WEIGHTS_NONE) return;
    if (kind == MORPH_WEIGHTS_CONVEX) choose_convex(m, random);
    if (kind == MORPH_WEIGHTS_ONE) m->weights[one] = 1.0F;
    if (kind == MORPH_WEIGHTS_BETWEEN) {
        m->weights[one] = any(random, 0.0, 1.0);
        m->weights[(one + 1) % count] = 1.0F - m->weights[one];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (kind == MORPH_WEIGHTS_SEVENTH) m->weights[i] = 0.7F;
        if (kind == MORPH_WEIGHTS_NEGATIVE) m->weights[i] = any(random, -0.6, 0.6);
        if (kind == MORPH_WEIGHTS_WILD && test_random(random) % 2 == 0)
            m->weights[i] = any(random, -3.0, 3.0);
    }
}

static const float *offset_of(const morph_model *m, uint32_t target, uint32_t vertex)
{
    if (m->vertices[target] == NULL) return m->values[target][vertex];
    for (uint32_t k = 0; k < m->counts[target]; k++)
        if (m->vertices[target][k] == vertex) return m->values[target][k];
    return NULL;
}

void morph_model_at(const morph_model *m, uint32_t vertex, double out[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double sum = m->kind == WILLOW_MORPH_OFFSETS ? 0.0 + (double)m->base[vertex][axis] : 0.0;
        for (uint32_t i = 0; i < m->target_count; i++) {
            const float *value = offset_of(m, i, vertex);
            if (value && m->weights[i] != 0.0F)
                sum = sum + (double)m->weights[i] * (double)value[axis];
        }
        out[axis] = sum;
    }
}
