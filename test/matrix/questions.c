/* questions.c - see questions.h. A question is a function that asks both worlds, notes where the
 * answers differ, and returns how much was found. Where a question leaves open which of several is
 * the answer, that of the world tried must be one of those that BRUTE lists. */
#include "matrix/questions.h"

#include <stdlib.h>

#include "matrix/rays.h"
#include "matrix/watches.h"
#include "support/contact_hash.h"
#include "support/test.h"

/* Calls a query on both sides, with the options of the case. */
#define ASK(w, function, out)                                                                      \
    for (int side = 0; side < SIDES; side++) {                                                     \
        const willow_query_options options = matrix_options(w, side);                              \
        matrix_ok(                                                                                 \
            w, side,                                                                               \
            function((w)->sides[side].world, (w)->sides[side].scratch, &options, &(out)[side]),    \
            #function);                                                                            \
    }

/* ---- pairs ---- */

static bool same_vec(const willow_vec3 *a, const willow_vec3 *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static bool same_run(const willow_pair_run *a, const willow_pair_run *b)
{
    return a->body_a.index1 == b->body_a.index1 && a->body_b.index1 == b->body_b.index1 &&
           a->first == b->first && a->count == b->count;
}

static bool same_item(const willow_tri_pair *a, const willow_tri_pair *b)
{
    return a->tri_a == b->tri_a && a->tri_b == b->tri_b;
}

static bool same_pairs(const willow_pairs *a, const willow_pairs *b)
{
    if (a->run_count != b->run_count || a->count != b->count || a->complete != b->complete)
        return false;
    for (size_t i = 0; i < a->run_count; i++)
        if (!same_run(&a->runs[i], &b->runs[i])) return false;
    for (size_t i = 0; i < a->count; i++) {
        if (!same_item(&a->items[i], &b->items[i])) return false;
        if (a->witnesses != NULL && !same_vec(&a->witnesses[i], &b->witnesses[i])) return false;
    }
    return a->count == 0 || (a->witnesses == NULL) == (b->witnesses == NULL);
}

static size_t compare_pairs(matrix_worlds *w, const char *name, const willow_pairs found[SIDES])
{
    if (!same_pairs(&found[RIGHT], &found[TRIED]))
        matrix_fail(w, "%s: %zu instead of %zu, or others", name, found[TRIED].count,
                    found[RIGHT].count);
    return found[RIGHT].count;
}

static size_t ask_pairs(matrix_worlds *w)
{
    willow_pairs found[SIDES] = {{.count = 0}};
    ASK(w, willow_find_pairs, found);
    return compare_pairs(w, "find_pairs", found);
}

static size_t ask_self_pairs(matrix_worlds *w)
{
    willow_pairs found[SIDES] = {{.count = 0}};
    ASK(w, willow_find_self_pairs, found);
    return compare_pairs(w, "find_self_pairs", found);
}

/* ---- one pair ---- */

static size_t ask_first(matrix_worlds *w)
{
    const willow_query_options options = matrix_options(w, TRIED);
    const matrix_side *tried = &w->sides[TRIED];
    willow_pairs all = matrix_all_pairs(w);
    willow_first_pair first = {.found = false};
    matrix_ok(w, TRIED, willow_find_first_pair(tried->world, tried->scratch, &options, &first),
              "find_first_pair");
    if (first.found != (all.count > 0) || (first.found && !matrix_has_pair(&all, first.a, first.b)))
        matrix_fail(w, "find_first_pair: not one of the %zu", all.count);
    return first.found;
}

/* ---- visits ---- */

/* What was visited, as numbers that can be sorted: body and triangle twice. */
typedef struct visited {
    struct {
        uint32_t part[4];
    } * items;
    size_t count, capacity;
} visited;

static bool take(visited *v, willow_tri_ref a, willow_tri_ref b)
{
    if (v->count == v->capacity) {
        v->capacity = 2 * v->capacity + 64;
        v->items = realloc(v->items, v->capacity * sizeof *v->items);
        if (v->items == NULL) fail_msg("out of memory");
    }
    const uint32_t parts[4] = {a.body.index1, b.body.index1, a.tri, b.tri};
    memcpy(v->items[v->count++].part, parts, sizeof parts);
    return true;
}

static bool take_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    return take(context, a, b);
}

static bool take_tri(void *context, willow_tri_ref tri) { return take(context, tri, tri); }

static int compare_visited(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    for (int i = 0; i < 4; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

static size_t compare_visits(matrix_worlds *w, const char *name, visited found[SIDES])
{
    const size_t count = found[RIGHT].count;
    bool is_same = count == found[TRIED].count;
    for (int side = 0; side < SIDES; side++)
        if (found[side].count > 0)
            qsort(found[side].items, found[side].count, sizeof *found[side].items, compare_visited);
    if (is_same && count > 0)
        is_same =
            memcmp(found[RIGHT].items, found[TRIED].items, count * sizeof *found[0].items) == 0;
    if (!is_same)
        matrix_fail(w, "%s: %zu instead of %zu, or others", name, found[TRIED].count, count);
    for (int side = 0; side < SIDES; side++) free(found[side].items);
    return count;
}

static size_t visit_pairs(matrix_worlds *w)
{
    visited found[SIDES] = {{.count = 0}};
    for (int side = 0; side < SIDES; side++) {
        const willow_query_options options = matrix_options(w, side);
        const matrix_side *s = &w->sides[side];
        matrix_ok(w, side,
                  willow_visit_pairs(s->world, s->scratch, &options, take_pair, &found[side]),
                  "visit_pairs");
    }
    return compare_visits(w, "visit_pairs", found);
}

static size_t visit_box(matrix_worlds *w)
{
    static const willow_box boxes[] = {{{-0.5F, -0.5F, -0.5F}, {0.5F, 0.5F, 0.5F}},
                                       {{-2.0F, 0.25F, -2.0F}, {2.0F, 0.25F, 2.0F}},
                                       {{-9.0F, -9.0F, -9.0F}, {9.0F, 9.0F, 9.0F}}};
    visited found[SIDES] = {{.count = 0}};
    for (int side = 0; side < SIDES; side++) {
        const willow_query_options options = matrix_options(w, side);
        const matrix_side *s = &w->sides[side];
        matrix_ok(w, side,
                  willow_visit_box(s->world, s->scratch, &boxes[(w->c->number + w->update) % 3],
                                   &options, take_tri, &found[side]),
                  "visit_box");
    }
    return compare_visits(w, "visit_box", found);
}

/* ---- trial steps ---- */

static size_t ask_impacts(matrix_worlds *w)
{
    willow_impacts found[SIDES] = {{.count = 0}};
    ASK(w, willow_find_impacts, found);
    if (hash_impacts(&found[RIGHT]) != hash_impacts(&found[TRIED]))
        matrix_fail(w, "find_impacts: %zu instead of %zu, or others", found[TRIED].count,
                    found[RIGHT].count);
    if (hash_impact_contacts(&found[RIGHT]) != hash_impact_contacts(&found[TRIED]))
        matrix_fail(w, "find_impacts: other points, weights or normals");
    return found[RIGHT].count;
}

/* Is it one of all impacts? No filter is asked for the first. */
static void check_member(matrix_worlds *w, int side, const willow_first_impact *first)
{
    willow_query_options options = matrix_options(w, side);
    const matrix_side *s = &w->sides[side];
    willow_impacts impacts = {.count = 0};
    options.filter = NULL;
    options.max_results = 0;
    matrix_ok(w, side, willow_find_impacts(s->world, s->scratch, &options, &impacts),
              "find_impacts");
    const char *words = impacts_differ_first(&impacts, first);
    if (words) matrix_fail(w, "time_of_impact: %s", words);
}

static size_t ask_first_impact(matrix_worlds *w)
{
    willow_first_impact found[SIDES] = {{.found = false}};
    ASK(w, willow_time_of_impact, found);
    if (hash_first_impact_time(&found[RIGHT]) != hash_first_impact_time(&found[TRIED]))
        matrix_fail(w, "time_of_impact: %d at %a instead of %d at %a", found[TRIED].found,
                    found[TRIED].impact.time, found[RIGHT].found, found[RIGHT].impact.time);
    for (int side = 0; side < SIDES; side++) check_member(w, side, &found[side]);
    return found[RIGHT].found;
}

/* ---- distances ---- */

static size_t ask_near_as(matrix_worlds *w, bool features)
{
    willow_near found[SIDES] = {{.count = 0}};
    for (int side = 0; side < SIDES; side++) {
        willow_query_options options = matrix_options(w, side);
        const matrix_side *s = &w->sides[side];
        options.features = features;
        matrix_ok(w, side, willow_find_near(s->world, s->scratch, &options, &found[side]),
                  "find_near");
    }
    if (hash_near(&found[RIGHT]) != hash_near(&found[TRIED]))
        matrix_fail(w, "find_near: %zu instead of %zu, or others", found[TRIED].count,
                    found[RIGHT].count);
    if (hash_near_contacts(&found[RIGHT]) != hash_near_contacts(&found[TRIED]))
        matrix_fail(w, "find_near: other points, weights or normals");
    return found[RIGHT].count;
}

static size_t ask_near(matrix_worlds *w) { return ask_near_as(w, false); }

static size_t ask_near_features(matrix_worlds *w) { return ask_near_as(w, true); }

/* Down to another depth every time; worlds have few triangles. */
static size_t ask_near_cells(matrix_worlds *w)
{
    const uint32_t depth = 1 + (w->c->number + w->update) % 6;
    willow_near_cells found[SIDES] = {{.count = 0}};
    for (int side = 0; side < SIDES; side++) {
        const willow_query_options options = matrix_options(w, side);
        const matrix_side *s = &w->sides[side];
        matrix_ok(w, side,
                  willow_find_near_cells(s->world, s->scratch, depth, &options, &found[side]),
                  "find_near_cells");
    }
    if (hash_near_cells(&found[RIGHT]) != hash_near_cells(&found[TRIED]))
        matrix_fail(w, "find_near_cells: %zu instead of %zu, or others", found[TRIED].count,
                    found[RIGHT].count);
    return found[RIGHT].count;
}

static bool same_tri(willow_tri_ref a, willow_tri_ref b)
{
    return a.body.index1 == b.body.index1 && a.tri == b.tri;
}

static bool same_contact(const willow_contact *a, const willow_contact *b)
{
    return hash_contact(0, a) == hash_contact(0, b);
}

/* Without a limit by turns. */
static willow_query_options options_of_closest(matrix_worlds *w, int side)
{
    willow_query_options options = matrix_options(w, side);
    options.max_distance = w->update % 2 == 0 ? 0 : 0.25;
    return options;
}

static size_t ask_distance(matrix_worlds *w)
{
    willow_closest_pair found[SIDES] = {{.found = false}};
    for (int side = 0; side < SIDES; side++) {
        const matrix_side *s = &w->sides[side];
        const willow_query_options options = options_of_closest(w, side);
        const willow_body_set a = {s->ids, 1}, b = {s->ids + 1, 1};
        matrix_ok(w, side, willow_distance(s->world, s->scratch, &a, &b, &options, &found[side]),
                  "distance");
    }
    const willow_closest_pair *x = &found[RIGHT], *y = &found[TRIED];
    if (x->found != y->found ||
        (x->found && !(same_tri(x->a, y->a) && same_tri(x->b, y->b) && x->distance == y->distance &&
                       same_contact(&x->contact, &y->contact))))
        matrix_fail(w, "distance: %a instead of %a, or others", y->distance, x->distance);
    return x->found;
}

static size_t ask_closest(matrix_worlds *w)
{
    const willow_vec3 point = {0.3F, 0.125F * (float)(w->c->number % 9) - 0.5F, -0.2F};
    willow_closest found[SIDES] = {{.found = false}};
    for (int side = 0; side < SIDES; side++) {
        const matrix_side *s = &w->sides[side];
        const willow_query_options options = options_of_closest(w, side);
        matrix_ok(w, side,
                  willow_closest_point(s->world, s->scratch, &point, &options, &found[side]),
                  "closest_point");
    }
    const willow_closest *x = &found[RIGHT], *y = &found[TRIED];
    if (x->found != y->found ||
        (x->found && !(same_tri(x->tri, y->tri) && x->distance == y->distance &&
                       same_contact(&x->contact, &y->contact))))
        matrix_fail(w, "closest_point: %a instead of %a, or another", y->distance, x->distance);
    return x->found;
}

/* ---- the table ---- */

/* X(name, function, the watch that it wants: ROOTS for none) */
#define QUESTIONS(X)                                                                               \
    X("find_pairs", ask_pairs, ROOTS)                                                              \
    X("find_self_pairs", ask_self_pairs, ROOTS)                                                    \
    X("find_first_pair", ask_first, ROOTS)                                                         \
    X("visit_pairs", visit_pairs, ROOTS)                                                           \
    X("visit_box", visit_box, ROOTS)                                                               \
    X("find_impacts", ask_impacts, ROOTS)                                                          \
    X("time_of_impact", ask_first_impact, ROOTS)                                                   \
    X("find_near", ask_near, ROOTS)                                                                \
    X("find_near_features", ask_near_features, ROOTS)                                              \
    X("find_near_cells", ask_near_cells, ROOTS)                                                    \
    X("distance", ask_distance, ROOTS)                                                             \
    X("closest_point", ask_closest, ROOTS)                                                         \
    X("cast_rays", matrix_cast_rays, ROOTS)                                                        \
    X("block_rays", matrix_block_rays, ROOTS)                                                      \
    X("pierce_rays", matrix_pierce_rays, ROOTS)                                                    \
    X("watch_auto", matrix_watch_pairs, AUTO)                                                      \
    X("watch_front", matrix_watch_pairs, FRONT)                                                    \
    X("watch_list", matrix_watch_pairs, LIST)                                                      \
    X("watch_first_front", matrix_watch_first, FRONT)                                              \
    X("watch_first_list", matrix_watch_first, LIST)                                                \
    X("watch_events", matrix_watch_list_events, LIST)

static const struct {
    const char *name;
    size_t (*ask)(matrix_worlds *w);
    willow_watch_kind watch;
} questions[] = {
#define QUESTION_ENTRY(name, ask, watch) {name, ask, WILLOW_WATCH_##watch},
    QUESTIONS(QUESTION_ENTRY)
#undef QUESTION_ENTRY
};

const char *matrix_question_name(uint32_t value)
{
    return value < sizeof questions / sizeof questions[0] ? questions[value].name : NULL;
}

void matrix_watch_create(matrix_worlds *w)
{
    matrix_watch_open(w, questions[w->c->value[FACTOR_QUESTION]].watch);
}

size_t matrix_ask(matrix_worlds *w, uint32_t question)
{
    if (questions[question].watch != WILLOW_WATCH_ROOTS && question != w->c->value[FACTOR_QUESTION])
        return 0;
    return questions[question].ask(w);
}
