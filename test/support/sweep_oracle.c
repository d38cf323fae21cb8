/* sweep_oracle.c - boxes sorted along x, then linear programs. See sweep_oracle.h. */
#include "support/sweep_oracle.h"

#include <stdlib.h>
#include "support/rational_tri.h"
#include "support/test.h"

typedef struct boxed_tri {
    float lower[3], upper[3];
    float corners[3][3];
    const uint32_t *vertices;
    uint32_t tri;
} boxed_tri;

typedef struct sweep {
    boxed_tri *boxed;
    uint32_t tri_count;
    size_t capacity; /* of the pairs */
    sweep_pairs pairs;
} sweep;

/* ---- boxes ---- */

static void put_in_box(boxed_tri *b, const float (*positions)[3])
{
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++) {
            float x = positions[b->vertices[k]][axis];
            b->corners[k][axis] = x;
            if (k == 0 || x < b->lower[axis]) b->lower[axis] = x;
            if (k == 0 || x > b->upper[axis]) b->upper[axis] = x;
        }
}

static bool boxes_meet(const boxed_tri *a, const boxed_tri *b)
{
    for (int axis = 0; axis < 3; axis++)
        if (a->upper[axis] < b->lower[axis] || b->upper[axis] < a->lower[axis]) return false;
    return true;
}

static int compare_boxes(const void *a, const void *b)
{
    const float x = ((const boxed_tri *)a)->lower[0], y = ((const boxed_tri *)b)->lower[0];
    return (x > y) - (x < y);
}

/* ---- pairs ---- */

static int compare_numbers(uint32_t x, uint32_t y) { return (x > y) - (x < y); }

static int compare_pairs(const void *a, const void *b)
{
    const willow_tri_pair *x = &((const sweep_pair *)a)->tris, *y = &((const sweep_pair *)b)->tris;
    if (x->tri_a != y->tri_a) return compare_numbers(x->tri_a, y->tri_a);
    return compare_numbers(x->tri_b, y->tri_b);
}

static void add_pair(sweep *s, sweep_pair pair)
{
    if (s->pairs.count == s->capacity) {
        s->capacity = 2 * s->capacity + 1024;
        s->pairs.items = realloc(s->pairs.items, s->capacity * sizeof *s->pairs.items);
        assert_non_null(s->pairs.items);
    }
    s->pairs.items[s->pairs.count++] = pair;
    s->pairs.neighbour_count += pair.are_neighbours;
}

static void decide(sweep *s, const boxed_tri *a, const boxed_tri *b)
{
    unsigned shared[3];
    const float(*x)[3] = (const float(*)[3])a->corners, (*y)[3] = (const float(*)[3])b->corners;
    s->pairs.decided_count++;
    if (!rational_tris_pair(x, a->vertices, y, b->vertices)) return;
    add_pair(s, (sweep_pair){{a->tri < b->tri ? a->tri : b->tri, a->tri < b->tri ? b->tri : a->tri},
                             rational_shared_corners(a->vertices, b->vertices, shared) > 0});
}

/* Who begins before this one ends, along x, is all that it can meet of those that begin later. */
static void decide_all_after(sweep *s, uint32_t first)
{
    const boxed_tri *a = &s->boxed[first];
    for (uint32_t i = first + 1; i < s->tri_count && s->boxed[i].lower[0] <= a->upper[0]; i++)
        if (boxes_meet(a, &s->boxed[i])) decide(s, a, &s->boxed[i]);
}

sweep_pairs sweep_find(const float (*positions)[3], const uint32_t (*tris)[3], uint32_t tri_count)
{
    sweep s = {.boxed = calloc(tri_count + 1, sizeof *s.boxed), .tri_count = tri_count};
    assert_non_null(s.boxed);
    for (uint32_t i = 0; i < tri_count; i++) {
        s.boxed[i].tri = i;
        s.boxed[i].vertices = tris[i];
        put_in_box(&s.boxed[i], positions);
    }
    qsort(s.boxed, tri_count, sizeof *s.boxed, compare_boxes);
    for (uint32_t i = 0; i < tri_count; i++) decide_all_after(&s, i);
    if (s.pairs.count > 0)
        qsort(s.pairs.items, s.pairs.count, sizeof *s.pairs.items, compare_pairs);
    free(s.boxed);
    return s.pairs;
}

void sweep_free(sweep_pairs *pairs)
{
    free(pairs->items);
    *pairs = (sweep_pairs){0};
}

void sweep_check(const sweep_pairs *expected, bool skip_neighbours, const willow_tri_pair *got,
                 size_t got_count)
{
    size_t at = 0;
    for (size_t i = 0; i < expected->count; i++) {
        const sweep_pair *pair = &expected->items[i];
        if (skip_neighbours && pair->are_neighbours) continue;
        if (at == got_count || memcmp(&got[at], &pair->tris, sizeof pair->tris) != 0)
            fail_msg("triangles %u and %u are a pair by the oracle; found is not the same from "
                     "pair %zu of %zu on",
                     pair->tris.tri_a, pair->tris.tri_b, at, got_count);
        at++;
    }
    if (at != got_count)
        fail_msg("triangles %u and %u are no pair by the oracle", got[at].tri_a, got[at].tri_b);
}
