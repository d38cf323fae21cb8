/* feature_hits.c - sorted hits, and answers compared with them bit for bit. */
#include "support/feature_hits.h"

#include <stdlib.h>
#include "support/test.h"

/* ---- order ---- */

/* Vertices of a with the face of b, the face of a with vertices of b, edges with edges. */
static uint32_t place_of(const mesh_feature *a, const mesh_feature *b)
{
    if (a->name.kind == WILLOW_FEATURE_EDGE) return 6 + 3 * a->corner + b->corner;
    if (a->name.kind == WILLOW_FEATURE_VERTEX) return a->corner;
    return b->name.kind == WILLOW_FEATURE_VERTEX ? 3 + b->corner : 0;
}

feature_hit feature_hit_of(uint32_t body_a, const mesh_feature *a, uint32_t body_b,
                           const mesh_feature *b)
{
    assert_true(body_a < body_b || (body_a == body_b && a->tri != b->tri));
    if (body_a == body_b && a->tri > b->tri) return feature_hit_of(body_b, b, body_a, a);
    return (feature_hit){.body_a = body_a,
                         .body_b = body_b,
                         .tri_a = a->tri,
                         .tri_b = b->tri,
                         .place = place_of(a, b),
                         .a = a->name,
                         .b = b->name,
                         .is_decided = true};
}

static int compare_hits(const void *a, const void *b)
{
    const feature_hit *x = a, *y = b;
    const uint32_t keys[2][5] = {{x->body_a, x->body_b, x->tri_a, x->tri_b, x->place},
                                 {y->body_a, y->body_b, y->tri_a, y->tri_b, y->place}};
    for (int i = 0; i < 5; i++)
        if (keys[0][i] != keys[1][i]) return keys[0][i] < keys[1][i] ? -1 : 1;
    return 0;
}

void feature_hits_add(feature_hits *hits, feature_hit hit)
{
    if (hits->count == hits->capacity) {
        hits->capacity = 2 * hits->capacity + 64;
        hits->items = realloc(hits->items, hits->capacity * sizeof *hits->items);
        assert_non_null(hits->items);
    }
    hits->items[hits->count++] = hit;
}

void feature_hits_sort(feature_hits *hits)
{
    if (hits->count == 0) return;
    qsort(hits->items, hits->count, sizeof *hits->items, compare_hits);
    for (size_t i = 1; i < hits->count; i++)
        assert_true(compare_hits(&hits->items[i - 1], &hits->items[i]) < 0);
}

void feature_hits_free(feature_hits *hits)
{
    free(hits->items);
    *hits = (feature_hits){0};
}

/* ---- comparing ---- */

static bool same_bits(const void *a, const void *b, size_t size) { return memcmp(a, b, size) == 0; }

/* -0 and 0 are one coordinate. */
static bool same_point(const willow_vec3 *a, const willow_vec3 *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static const char *contact_differs(const willow_contact *want, const willow_contact *got)
{
    if (!same_point(&want->point_a, &got->point_a) || !same_point(&want->point_b, &got->point_b))
        return "other points";
    for (int i = 0; i < 3; i++)
        if (want->weights_a[i] != got->weights_a[i] || want->weights_b[i] != got->weights_b[i])
            return "other weights";
    if (want->has_normal != got->has_normal) return "`has_normal` is wrong";
    return same_point(&want->normal, &got->normal) ? NULL : "another normal";
}

static bool same_feature(const willow_feature *a, const willow_feature *b)
{
    return a->kind == b->kind && a->number[0] == b->number[0] && a->number[1] == b->number[1];
}

/* Runs in order, none empty, one after the other over all items, each item of the bodies that it
 * should be of. */
static const char *runs_differ(const feature_hits *expected, const willow_pair_run *runs,
                               size_t run_count, size_t count)
{
    size_t next = 0;
    for (size_t i = 0; i < run_count; i++) {
        const willow_pair_run *run = &runs[i];
        if (run->count == 0 || run->first != next) return "runs are not in order";
        if (run->count > count - next) return "runs have more than there is";
        if (i > 0 && run->body_a.index1 == runs[i - 1].body_a.index1 &&
            run->body_b.index1 == runs[i - 1].body_b.index1)
            return "two runs of the same bodies";
        for (size_t k = run->first; k < run->first + run->count; k++)
            if (run->body_a.index1 != expected->items[k].body_a + 1 ||
                run->body_b.index1 != expected->items[k].body_b + 1)
                return "other bodies";
        next += run->count;
    }
    return next == count ? NULL : "runs do not cover the items";
}

static const char *counts_differ(const feature_hits *expected, size_t max_results, size_t count,
                                 bool complete)
{
    const bool is_cut = max_results > 0 && expected->count > max_results;
    if (count < (is_cut ? max_results : expected->count)) return "fewer than there are";
    if (count > (is_cut ? max_results : expected->count)) return "more than there are";
    return complete == !is_cut ? NULL : "`complete` is wrong";
}

static const char *impact_differs(const feature_hit *want, const willow_impact *got)
{
    if (!same_feature(&want->a, &got->a) || !same_feature(&want->b, &got->b))
        return "other features";
    if (!same_bits(&want->value, &got->time, sizeof got->time)) return "another time";
    if (want->is_decided != got->is_decided) return "`is_decided` is wrong";
    return want->has_contact ? contact_differs(&want->contact, &got->contact) : NULL;
}

const char *feature_hits_differ(const feature_hits *expected, size_t max_results,
                                const willow_impacts *got)
{
    const char *words = counts_differ(expected, max_results, got->count, got->complete);
    if (words == NULL) words = runs_differ(expected, got->runs, got->run_count, got->count);
    for (size_t i = 0; i < got->count && words == NULL; i++)
        words = impact_differs(&expected->items[i], &got->items[i]);
    return words;
}

static const char *near_differs(const feature_hit *want, const willow_near_pair *got)
{
    if (!same_feature(&want->a, &got->a) || !same_feature(&want->b, &got->b))
        return "other features";
    if (!same_bits(&want->value, &got->distance, sizeof got->distance)) return "another distance";
    return contact_differs(&want->contact, &got->contact);
}

const char *feature_hits_differ_near(const feature_hits *expected, size_t max_results,
                                     const willow_near *got)
{
    const char *words = counts_differ(expected, max_results, got->count, got->complete);
    if (words == NULL) words = runs_differ(expected, got->runs, got->run_count, got->count);
    for (size_t i = 0; i < got->count && words == NULL; i++)
        words = near_differs(&expected->items[i], &got->items[i]);
    return words;
}

static bool is_at_start(const feature_hit *hit) { return hit->value == 0.0 && hit->is_decided; }

static const char *first_differs(const feature_hit *want, const willow_first_impact *got)
{
    if (got->body_a.index1 != want->body_a + 1 || got->body_b.index1 != want->body_b + 1)
        return "the first impact is of other bodies";
    return impact_differs(want, &got->impact);
}

const char *feature_hits_differ_first(const feature_hits *expected, const willow_first_impact *got)
{
    const feature_hit *first = NULL;
    bool has_start = false;
    for (size_t i = 0; i < expected->count; i++) {
        const feature_hit *hit = &expected->items[i];
        if (first == NULL || hit->value < first->value) first = hit;
        has_start = has_start || is_at_start(hit);
        if (got->found && is_at_start(hit) && first_differs(hit, got) == NULL) return NULL;
    }
    if (got->found != (first != NULL))
        return got->found ? "a first impact where there is none" : "no first impact";
    if (has_start) return "the first impact is not one of those at the start";
    return first ? first_differs(first, got) : NULL;
}
