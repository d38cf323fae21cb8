/* weld.c - a hash table of vertices that are different.
 * Way in: weld_body. Linear in vertices times what each of them has. */
#include "io/weld.h"

#include <assert.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t bits)
{
    hash = (hash ^ bits) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

/* Equal numbers have equal bits: adding zero makes -0 to 0. */
static uint64_t float_bits(float number)
{
    uint32_t bits;
    number += 0.0f;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t hash_point(uint64_t hash, const float *p)
{
    for (int k = 0; k < 3; k++) hash = mix(hash, float_bits(p[k]));
    return hash;
}

static bool is_same_point(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_skinned(const clip_body *body) { return body->skin.first != NULL; }

static uint64_t hash_vertex(const clip_body *body, uint32_t v)
{
    const clip_skin *s = &body->skin;
    uint64_t hash = hash_point(0, &body->mesh.positions[3 * (size_t)v]);
    for (uint32_t t = 0; t < body->morph.target_count; t++)
        hash = hash_point(hash, &body->morph.offsets[t][3 * (size_t)v]);
    if (!is_skinned(body)) return hash;
    for (uint32_t i = s->first[v]; i < s->first[v + 1]; i++)
        hash = mix(mix(hash, s->joints[i]), float_bits(s->weights[i]));
    return hash;
}

static bool has_same_joints(const clip_skin *s, uint32_t a, uint32_t b)
{
    const uint32_t count = s->first[a + 1] - s->first[a];
    if (s->first[b + 1] - s->first[b] != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t ia = s->first[a] + i, ib = s->first[b] + i;
        if (s->joints[ia] != s->joints[ib] || s->weights[ia] != s->weights[ib]) return false;
    }
    return true;
}

static bool is_same(const clip_body *body, uint32_t a, uint32_t b)
{
    const size_t at_a = 3 * (size_t)a, at_b = 3 * (size_t)b;
    if (!is_same_point(&body->mesh.positions[at_a], &body->mesh.positions[at_b])) return false;
    for (uint32_t t = 0; t < body->morph.target_count; t++)
        if (!is_same_point(&body->morph.offsets[t][at_a], &body->morph.offsets[t][at_b]))
            return false;
    return !is_skinned(body) || has_same_joints(&body->skin, a, b);
}

/* For each vertex the first that is equal to it. `table` has room for `size`, a power of two, and
 * holds vertices plus one. */
static void find_equals(const clip_body *body, uint32_t *table, uint64_t size, uint32_t *firsts)
{
    for (uint32_t v = 0; v < body->mesh.vertex_count; v++) {
        uint64_t at = hash_vertex(body, v) & (size - 1);
        while (table[at] != 0 && !is_same(body, table[at] - 1, v)) at = (at + 1) & (size - 1);
        if (table[at] == 0) table[at] = v + 1;
        firsts[v] = table[at] - 1;
        assert(firsts[v] <= v);
    }
}

static void move_vertex(clip_body *body, uint32_t from, uint32_t to)
{
    assert(to <= from);
    const size_t bytes = 3 * sizeof(float);
    memmove(&body->mesh.positions[3 * (size_t)to], &body->mesh.positions[3 * (size_t)from], bytes);
    for (uint32_t t = 0; t < body->morph.target_count; t++) {
        float *offsets = body->morph.offsets[t];
        memmove(&offsets[3 * (size_t)to], &offsets[3 * (size_t)from], bytes);
    }
    if (!is_skinned(body)) return;
    clip_skin *s = &body->skin;
    const uint32_t count = s->first[from + 1] - s->first[from];
    memmove(&s->joints[s->first[to]], &s->joints[s->first[from]], count * sizeof *s->joints);
    memmove(&s->weights[s->first[to]], &s->weights[s->first[from]], count * sizeof *s->weights);
    /* Those behind `from` are read later: nothing before it is. */
    s->first[to + 1] = s->first[to] + count;
}

/* Moves the vertices that stay together, in their order; firsts becomes old to new. */
static uint32_t compact(clip_body *body, uint32_t *firsts)
{
    uint32_t kept = 0;
    for (uint32_t v = 0; v < body->mesh.vertex_count; v++) {
        if (firsts[v] == v) {
            move_vertex(body, v, kept);
            firsts[v] = kept++;
        } else
            firsts[v] = firsts[firsts[v]]; /* which is before v, and has its new number */
    }
    return kept;
}

bool weld_body(io_memory *m, clip_body *body)
{
    uint64_t size = 16;
    while (size < (uint64_t)body->mesh.vertex_count * 2) size *= 2;
    uint32_t *table = io_alloc(m, size, sizeof *table);
    uint32_t *firsts = table ? io_alloc(m, body->mesh.vertex_count, sizeof *firsts) : NULL;
    if (firsts != NULL) {
        find_equals(body, table, size, firsts);
        body->mesh.vertex_count = compact(body, firsts);
        for (size_t i = 0; i < 3 * (size_t)body->mesh.triangle_count; i++) {
            body->mesh.indices[i] = firsts[body->mesh.indices[i]];
            assert(body->mesh.indices[i] < body->mesh.vertex_count);
        }
    }
    io_free(m, table);
    io_free(m, firsts);
    return firsts != NULL;
}
