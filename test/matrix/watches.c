/* watches.c - see watches.h. */
#include "matrix/watches.h"

#include <stdlib.h>

#include "support/test.h"

/* Whether the watch is about the first body and itself. */
static bool is_self(const matrix_worlds *w) { return w->c->number % 4 == 3; }

void matrix_watch_open(matrix_worlds *w, willow_watch_kind kind)
{
    const matrix_side *s = &w->sides[TRIED];
    willow_watch_def def = willow_watch_def_default();
    if (kind == WILLOW_WATCH_ROOTS) return;
    def.kind = kind;
    def.events = true;
    matrix_ok(w, TRIED,
              willow_watch_create(s->world, &def, s->ids[0], s->ids[is_self(w) ? 0 : 1], &w->watch),
              "watch_create");
}

/* ---- what is right ---- */

/* Without a limit, since BRUTE's list has more than the watch's. */
static willow_query_options options_of_all(matrix_worlds *w, int side)
{
    willow_query_options options = matrix_options(w, side);
    options.max_results = 0;
    return options;
}

willow_pairs matrix_all_pairs(matrix_worlds *w)
{
    const matrix_side *s = &w->sides[RIGHT];
    const willow_query_options options = options_of_all(w, RIGHT);
    willow_pairs pairs = {.count = 0};
    matrix_ok(w, RIGHT, willow_find_pairs(s->world, s->scratch, &options, &pairs), "find_pairs");
    return pairs;
}

/* Of both bodies, or within the first one. */
static willow_pairs ask_right(matrix_worlds *w)
{
    const matrix_side *s = &w->sides[RIGHT];
    willow_query_options options = options_of_all(w, RIGHT);
    willow_pairs pairs = {.count = 0};
    options.bodies = s->ids;
    options.body_count = is_self(w) ? 1 : BODIES;
    matrix_ok(w, RIGHT,
              is_self(w) ? willow_find_self_pairs(s->world, s->scratch, &options, &pairs)
                         : willow_find_pairs(s->world, s->scratch, &options, &pairs),
              "find_pairs");
    return pairs;
}

/* Those that the watch is about: one run or none. */
static willow_pair_run watched_run(matrix_worlds *w, willow_pairs *pairs)
{
    *pairs = ask_right(w);
    for (size_t i = 0; i < pairs->run_count; i++)
        if (is_self(w) || pairs->runs[i].body_a.index1 != pairs->runs[i].body_b.index1)
            return pairs->runs[i];
    return (willow_pair_run){.count = 0};
}

static bool run_has(const willow_pairs *pairs, const willow_pair_run *run, willow_tri_ref a,
                    willow_tri_ref b)
{
    if (run->body_a.index1 != a.body.index1 || run->body_b.index1 != b.body.index1) return false;
    for (size_t i = run->first; i < run->first + run->count; i++)
        if (pairs->items[i].tri_a == a.tri && pairs->items[i].tri_b == b.tri) return true;
    return false;
}

bool matrix_has_pair(const willow_pairs *pairs, willow_tri_ref a, willow_tri_ref b)
{
    for (size_t i = 0; i < pairs->run_count; i++)
        if (run_has(pairs, &pairs->runs[i], a, b)) return true;
    return false;
}

/* ---- pairs ---- */

static bool same_items(const willow_pairs *right, const willow_pair_run *run,
                       const willow_pairs *found)
{
    if (found->count != run->count || found->run_count != (run->count > 0)) return false;
    for (size_t i = 0; i < run->count; i++) {
        const willow_tri_pair *a = &right->items[run->first + i], *b = &found->items[i];
        if (a->tri_a != b->tri_a || a->tri_b != b->tri_b) return false;
        if (found->witnesses != NULL && memcmp(&right->witnesses[run->first + i],
                                               &found->witnesses[i], sizeof(willow_vec3)) != 0)
            return false;
    }
    return true;
}

size_t matrix_watch_pairs(matrix_worlds *w)
{
    const willow_query_options options = options_of_all(w, TRIED);
    willow_pairs right, found = {.count = 0};
    const willow_pair_run run = watched_run(w, &right);
    matrix_ok(w, TRIED,
              willow_watch_find_pairs(w->watch, w->sides[TRIED].scratch, &options, &found),
              "watch_find_pairs");
    if (!same_items(&right, &run, &found))
        matrix_fail(w, "watch_find_pairs: %zu instead of %zu, or others", found.count, run.count);
    return run.count;
}

size_t matrix_watch_first(matrix_worlds *w)
{
    const willow_query_options options = options_of_all(w, TRIED);
    willow_pairs right;
    willow_first_pair first = {.found = false};
    const willow_pair_run run = watched_run(w, &right);
    matrix_ok(w, TRIED,
              willow_watch_find_first_pair(w->watch, w->sides[TRIED].scratch, &options, &first),
              "watch_find_first_pair");
    if (first.found != (run.count > 0) || (first.found && !run_has(&right, &run, first.a, first.b)))
        matrix_fail(w, "watch_find_first_pair: not one of the %zu", run.count);
    return first.found;
}

/* ---- events ---- */

static matrix_leaves *leaves_of(matrix_worlds *w, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < w->leaf_count; i++)
        if (w->leaves[i].a == a && w->leaves[i].b == b) return &w->leaves[i];
    return NULL;
}

/* Leaves that meet cease to, and those that do not begin. */
static void note_event(matrix_worlds *w, const willow_leaf_event *event)
{
    matrix_leaves *known = leaves_of(w, event->leaf_a, event->leaf_b);
    if (known != NULL && known->meet == event->begins)
        matrix_fail(w, "leaves %u and %u %s twice", event->leaf_a, event->leaf_b,
                    event->begins ? "begin to meet" : "cease to meet");
    if (known == NULL && w->leaf_count < MATRIX_LEAVES) known = &w->leaves[w->leaf_count++];
    if (known != NULL) *known = (matrix_leaves){event->leaf_a, event->leaf_b, event->begins};
}

typedef struct leaf_map {
    uint32_t *leaves; /* by triangle */
} leaf_map;

static bool note_leaf(void *context, const willow_node *node)
{
    const leaf_map *map = context;
    for (uint32_t i = 0; i < node->triangle_count; i++)
        map->leaves[node->triangles[i]] = node->number;
    return true;
}

static leaf_map map_leaves(matrix_worlds *w, uint32_t body)
{
    const matrix_side *s = &w->sides[TRIED];
    willow_body_info info = {0};
    matrix_ok(w, TRIED, willow_body_get_info(s->world, s->ids[body], &info), "get_info");
    leaf_map map = {calloc(info.triangle_count + (size_t)1, sizeof *map.leaves)};
    matrix_ok(w, TRIED, willow_body_visit_nodes(s->world, s->ids[body], note_leaf, &map),
              "visit_nodes");
    return map;
}

/* Triangles that meet are in leaves that have not ceased to. */
static void check_leaves(matrix_worlds *w)
{
    willow_pairs right;
    const willow_pair_run run = watched_run(w, &right);
    leaf_map a = map_leaves(w, 0), b = map_leaves(w, is_self(w) ? 0 : 1);
    for (size_t i = run.first; i < run.first + run.count; i++) {
        const uint32_t x = a.leaves[right.items[i].tri_a], y = b.leaves[right.items[i].tri_b];
        const matrix_leaves *known = leaves_of(w, x, y);
        if (known == NULL && is_self(w)) known = leaves_of(w, y, x);
        if (known != NULL && !known->meet)
            matrix_fail(w, "triangles meet in leaves %u and %u, which ceased to", x, y);
    }
    free(a.leaves);
    free(b.leaves);
}

/* Bodies that do not suit a list have no events. */
size_t matrix_watch_list_events(matrix_worlds *w)
{
    willow_leaf_events events = {.count = 0};
    const willow_result result = willow_watch_events(w->watch, &events);
    if (result != WILLOW_OK || !events.complete) w->leaf_count = 0;
    if (result == WILLOW_UNSUPPORTED || !matrix_ok(w, TRIED, result, "watch_events")) return 0;
    for (size_t i = 0; i < events.count; i++) {
        if (i > 0 && events.items[i].time < events.items[i - 1].time)
            matrix_fail(w, "event %zu is before the one before", i);
        if (events.complete) note_event(w, &events.items[i]);
    }
    check_leaves(w);
    return events.count;
}
