/* kept.c - pairs of all samples, in memory that is limited. Way in: check_kept_add. */
#include "cli/kept.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

bool check_kept_create(check_kept *k, uint32_t samples, bool has_distances)
{
    assert(samples > 0);
    *k = (check_kept){.has_distances = has_distances, .frame_limit = samples};
    k->share = KEPT_PAIRS / samples > 0 ? KEPT_PAIRS / samples : 1;
    k->frames = calloc(samples, sizeof *k->frames);
    return k->frames != NULL;
}

void check_kept_destroy(check_kept *k)
{
    free(k->frames);
    free(k->runs);
    free(k->pairs);
    free(k->distances);
    *k = (check_kept){0};
}

/* ---- room ---- */

static bool grow(void **items, size_t count, size_t size)
{
    void *grown = realloc(*items, count * size);
    if (grown != NULL) *items = grown;
    return grown != NULL;
}

static bool kept_reserve(check_kept *k, size_t runs, size_t pairs)
{
    if (k->run_count + runs > k->run_capacity) {
        const size_t capacity = 2 * (k->run_count + runs);
        if (!grow((void **)&k->runs, capacity, sizeof *k->runs)) return false;
        k->run_capacity = capacity;
    }
    if (k->pair_count + pairs <= k->pair_capacity) return true;
    const size_t capacity = 2 * (k->pair_count + pairs);
    if (k->has_distances && !grow((void **)&k->distances, capacity, sizeof *k->distances))
        return false;
    if (!grow((void **)&k->pairs, capacity, sizeof *k->pairs)) return false;
    k->pair_capacity = capacity;
    return true;
}

/* ---- keeping ---- */

/* The first so many pairs of a run. */
static void keep_run(check_kept *k, const check_asker *a, const check_found *found,
                     const willow_pair_run *run, uint32_t count)
{
    const uint32_t body_a = (uint32_t)run->user_data_a, body_b = (uint32_t)run->user_data_b;
    k->runs[k->run_count++] =
        (kept_run){.body_a = body_a, .body_b = body_b, .first = k->pair_count, .count = count};
    for (size_t i = run->first; i < run->first + count; i++) {
        const willow_tri_pair tris = check_found_tris(found, i);
        if (k->has_distances) k->distances[k->pair_count] = (float)found->near[i].distance;
        k->pairs[k->pair_count++] = (kept_pair){.tri_a = tris.tri_a,
                                                .tri_b = tris.tri_b,
                                                .face_a = check_face(a->play, body_a, tris.tri_a),
                                                .face_b = check_face(a->play, body_b, tris.tri_b)};
    }
}

bool check_kept_add(check_kept *k, const check_asker *a, const check_found *found)
{
    assert(k->frame_count < k->frame_limit);
    uint32_t left = found->count < k->share ? (uint32_t)found->count : k->share;
    if (!kept_reserve(k, found->run_count, left)) return false;
    kept_frame *frame = &k->frames[k->frame_count++];
    *frame = (kept_frame){.first_run = k->run_count, .found = found->count, .kept = left};
    for (size_t i = 0; i < found->run_count && left > 0; i++) {
        const willow_pair_run *run = &found->runs[i];
        const uint32_t count = run->count < left ? (uint32_t)run->count : left;
        keep_run(k, a, found, run, count);
        frame->run_count++;
        left -= count;
    }
    return true;
}

/* ---- asking ---- */

uint32_t check_kept_first_cut(const check_kept *k)
{
    for (uint32_t i = 0; i < k->frame_count; i++)
        if (k->frames[i].kept < k->frames[i].found) return i;
    return UINT32_MAX;
}

/* Where triangles changed, a sample may have more of them than the caller knows. */
static uint32_t mark(uint8_t *marks, uint32_t triangle_count, uint32_t tri)
{
    if (tri >= triangle_count) return 0;
    const uint32_t is_new = marks[tri] == 0;
    marks[tri] = 1;
    return is_new;
}

uint32_t check_kept_mark(const check_kept *k, uint32_t sample, uint32_t body, uint8_t *marks,
                         uint32_t triangle_count)
{
    uint32_t count = 0;
    assert(sample < k->frame_count);
    if (triangle_count > 0) memset(marks, 0, triangle_count);
    const kept_frame *frame = &k->frames[sample];
    for (uint32_t r = 0; r < frame->run_count; r++) {
        const kept_run *run = &k->runs[frame->first_run + r];
        for (uint32_t i = 0; i < run->count; i++) {
            const kept_pair *pair = &k->pairs[run->first + i];
            if (run->body_a == body) count += mark(marks, triangle_count, pair->tri_a);
            if (run->body_b == body) count += mark(marks, triangle_count, pair->tri_b);
        }
    }
    return count;
}
