/* api_questions.c - one question to both worlds of a script, and whether the answers agree.
 *
 * Answers of the world that is tried are right where BRUTE gives the same. First pairs, and first
 * impacts at time 0, are one of several: those are looked up in BRUTE's list. */
#include "support/api_worlds.h"

#include <stdlib.h>

#include "support/contact_hash.h"
#include "support/ray_scene.h"
#include "support/script_words.h"

/* ---- asking ---- */

static bool keep_some(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    return (a.tri + b.tri) % 3 != 0;
}

/* Of both worlds: which bodies are named is by number. */
typedef struct asked {
    willow_query_options options[API_SIDES];
    willow_body_id ids[API_SIDES][API_BODIES];
    uint32_t count; /* of bodies named */
} asked;

static void name_bodies(api_worlds *w, asked *q)
{
    const uint32_t chosen = choose(w->c, 1U << API_BODIES);
    for (uint32_t i = 0; i < API_BODIES; i++) {
        if ((chosen >> i & 1) == 0 || !w->actors[i].is_alive) continue;
        for (int side = 0; side < API_SIDES; side++) {
            q->ids[side][q->count] = w->actors[i].ids[side];
            q->options[side].bodies = q->ids[side];
            q->options[side].body_count = q->count + 1;
        }
        q->count++;
    }
}

static bool have_rest_shapes(const api_worlds *w)
{
    for (int i = 0; i < API_BODIES; i++)
        if (w->actors[i].is_alive && !w->actors[i].has_rest) return false;
    return true;
}

static void choose_question(api_worlds *w, asked *q)
{
    willow_query_options o = willow_query_options_default();
    const uint32_t bits = choose(w->c, 256);
    o.skip_neighbours = (bits & 3) == 3;
    o.test_flat = (bits >> 2 & 3) == 3;
    o.witness = (bits >> 4 & 1) != 0;
    o.descend = (willow_descend)(bits >> 5 & 1);
    o.features = (bits >> 6 & 1) != 0;
    o.near_distance = o.touch_distance = o.max_distance = (bits >> 7 & 1) != 0 ? 0.125 : 0.0;
    o.skip_close_at_rest = choose_one_in(w->c, 6) && have_rest_shapes(w);
    if (choose_one_in(w->c, 6)) o.max_results = 1 + choose(w->c, 8);
    if (choose_one_in(w->c, 6)) o.filter = keep_some;
    o.tolerance = 1e-3;
    *q = (asked){.options = {o, o}};
    q->options[API_TRIED].use_threads = choose_one_in(w->c, 4);
    if (choose_one_in(w->c, 4)) name_bodies(w, q);
}

/* Asks the world that is tried again where memory failed. The answers are in `out`, by side. */
#define ASK(w, q, function, out)                                                                   \
    for (int side = API_RIGHT; side < API_SIDES;)                                                  \
    side = after(                                                                                  \
        w, side,                                                                                   \
        function((w)->worlds[side], (w)->scratches[side], &(q)->options[side], &(out)[side]),      \
        #function)

static int after(api_worlds *w, int side, willow_result result, const char *words)
{
    w->call = words;
    if (side == API_RIGHT) {
        w->result = result;
        if (result != WILLOW_OK) api_fail(w, willow_scratch_message(w->scratches[side]));
        api_arm(w);
        return API_TRIED;
    }
    api_disarm(w);
    if (w->is_armed && result == WILLOW_OUT_OF_MEMORY) {
        w->tally->failures++;
        w->is_armed = false;
        return API_TRIED;
    }
    w->is_armed = false;
    if (result != w->result) api_fail(w, willow_scratch_message(w->scratches[side]));
    return API_SIDES;
}

static void differ(const api_worlds *w, size_t right, size_t tried)
{
    char reason[200];
    (void)snprintf(reason, sizeof reason, "%zu found in the place of %zu, or others", tried, right);
    api_fail(w, reason);
}

/* ---- pairs ---- */

static bool same_body(willow_body_id a, willow_body_id b) { return a.index1 == b.index1; }

/* Bodies have the same places in both worlds, since they come and go together. */
static bool same_runs(const willow_pair_run *a, const willow_pair_run *b)
{
    return same_body(a->body_a, b->body_a) && same_body(a->body_b, b->body_b) &&
           a->first == b->first && a->count == b->count;
}

static bool same_pairs(const willow_pairs *a, const willow_pairs *b)
{
    if (a->count != b->count || a->run_count != b->run_count || a->complete != b->complete)
        return false;
    for (size_t i = 0; i < a->run_count; i++)
        if (!same_runs(&a->runs[i], &b->runs[i])) return false;
    for (size_t i = 0; i < a->count; i++) {
        if (a->items[i].tri_a != b->items[i].tri_a || a->items[i].tri_b != b->items[i].tri_b)
            return false;
        if (a->witnesses && b->witnesses &&
            memcmp(&a->witnesses[i], &b->witnesses[i], sizeof(willow_vec3)) != 0)
            return false;
    }
    return a->count == 0 || (a->witnesses == NULL) == (b->witnesses == NULL);
}

static void compare_pairs(api_worlds *w, const willow_pairs found[API_SIDES])
{
    w->tally->found += found[API_RIGHT].count;
    if (!same_pairs(&found[API_RIGHT], &found[API_TRIED]))
        differ(w, found[API_RIGHT].count, found[API_TRIED].count);
}

static void ask_pairs(api_worlds *w, asked *q)
{
    willow_pairs found[API_SIDES] = {{.count = 0}};
    ASK(w, q, willow_find_pairs, found);
    compare_pairs(w, found);
}

static void ask_self_pairs(api_worlds *w, asked *q)
{
    willow_pairs found[API_SIDES] = {{.count = 0}};
    ASK(w, q, willow_find_self_pairs, found);
    compare_pairs(w, found);
}

static bool has_pair(const willow_pairs *all, willow_tri_ref a, willow_tri_ref b)
{
    for (size_t r = 0; r < all->run_count; r++) {
        const willow_pair_run *run = &all->runs[r];
        if (!same_body(run->body_a, a.body) || !same_body(run->body_b, b.body)) continue;
        for (size_t i = run->first; i < run->first + run->count; i++)
            if (all->items[i].tri_a == a.tri && all->items[i].tri_b == b.tri) return true;
    }
    return false;
}

static void ask_first(api_worlds *w, asked *q)
{
    willow_first_pair found[API_SIDES] = {{.found = false}};
    willow_pairs all = {.count = 0};
    for (int side = 0; side < API_SIDES; side++) q->options[side].max_results = 0;
    ASK(w, q, willow_find_first_pair, found);
    if (willow_find_pairs(w->worlds[API_RIGHT], w->scratches[API_RIGHT], &q->options[API_RIGHT],
                          &all) != WILLOW_OK)
        api_fail(w, "no pairs");
    const willow_first_pair *first = &found[API_TRIED];
    if (first->found != (all.count > 0) || found[API_RIGHT].found != first->found ||
        (first->found && !has_pair(&all, first->a, first->b)))
        api_fail(w, "is not one of all");
}

/* ---- visits ---- */

/* Sums do not depend on the order. */
typedef struct visits {
    uint64_t count, sum;
} visits;

static uint64_t mix(uint64_t number) { return test_random(&number); }

static bool visit_pair(void *context, willow_tri_ref a, willow_tri_ref b)
{
    visits *v = context;
    v->count++;
    v->sum +=
        mix(mix((uint64_t)a.body.index1 << 32 | a.tri) + ((uint64_t)b.body.index1 << 32) + b.tri);
    return true;
}

static bool visit_tri(void *context, willow_tri_ref tri) { return visit_pair(context, tri, tri); }

static willow_result visit_pairs(willow_world *world, willow_scratch *scratch,
                                 const willow_query_options *options, visits *out)
{
    *out = (visits){0};
    return willow_visit_pairs(world, scratch, options, visit_pair, out);
}

static willow_result visit_box(willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options, visits *out)
{
    const float size = options->near_distance > 0.0 ? 0.25F : 2.0F;
    const willow_box box = {{-size, -size, -size}, {size, 0.5F, size}};
    *out = (visits){0};
    return willow_visit_box(world, scratch, &box, options, visit_tri, out);
}

static void compare_visits(const api_worlds *w, const visits found[API_SIDES])
{
    w->tally->found += found[API_RIGHT].count;
    if (found[API_RIGHT].count != found[API_TRIED].count ||
        found[API_RIGHT].sum != found[API_TRIED].sum)
        differ(w, found[API_RIGHT].count, found[API_TRIED].count);
}

static void ask_visits(api_worlds *w, asked *q)
{
    visits found[API_SIDES] = {{0}};
    ASK(w, q, visit_pairs, found);
    compare_visits(w, found);
}

static void ask_box(api_worlds *w, asked *q)
{
    visits found[API_SIDES] = {{0}};
    ASK(w, q, visit_box, found);
    compare_visits(w, found);
}

/* ---- steps and distances ---- */

static void ask_impacts(api_worlds *w, asked *q)
{
    willow_impacts found[API_SIDES] = {{.count = 0}};
    ASK(w, q, willow_find_impacts, found);
    w->tally->found += found[API_RIGHT].count;
    if (hash_impacts(&found[API_RIGHT]) != hash_impacts(&found[API_TRIED]) ||
        hash_impact_contacts(&found[API_RIGHT]) != hash_impact_contacts(&found[API_TRIED]))
        differ(w, found[API_RIGHT].count, found[API_TRIED].count);
}

static void ask_first_impact(api_worlds *w, asked *q)
{
    willow_first_impact found[API_SIDES] = {{.found = false}};
    ASK(w, q, willow_time_of_impact, found);
    const willow_first_impact *a = &found[API_RIGHT], *b = &found[API_TRIED];
    w->tally->found += a->found;
    const bool is_witness = a->found && a->impact.time == 0.0; /* then any of those at time 0 */
    if (a->found != b->found || (a->found && a->impact.time != b->impact.time) ||
        (!is_witness && hash_first_impact(a) != hash_first_impact(b)))
        differ(w, a->found, b->found);
}

/* Beside what is near, so that scripts need not name it. */
static void ask_near_cells(api_worlds *w, asked *q, uint32_t depth)
{
    willow_near_cells found[API_SIDES] = {{.count = 0}};
    for (int side = API_RIGHT; side < API_SIDES;)
        side = after(w, side,
                     willow_find_near_cells(w->worlds[side], w->scratches[side], depth,
                                            &q->options[side], &found[side]),
                     "willow_find_near_cells");
    w->tally->found += found[API_RIGHT].count;
    if (hash_near_cells(&found[API_RIGHT]) != hash_near_cells(&found[API_TRIED]))
        differ(w, found[API_RIGHT].count, found[API_TRIED].count);
}

static void ask_near(api_worlds *w, asked *q)
{
    willow_near found[API_SIDES] = {{.count = 0}};
    ASK(w, q, willow_find_near, found);
    w->tally->found += found[API_RIGHT].count;
    if (hash_near(&found[API_RIGHT]) != hash_near(&found[API_TRIED]) ||
        hash_near_contacts(&found[API_RIGHT]) != hash_near_contacts(&found[API_TRIED]))
        differ(w, found[API_RIGHT].count, found[API_TRIED].count);
    ask_near_cells(w, q, 1 + (uint32_t)(found[API_RIGHT].count % 5));
}

static bool same_tri(willow_tri_ref a, willow_tri_ref b)
{
    return same_body(a.body, b.body) && a.tri == b.tri;
}

/* The first half of the bodies that are there, and the rest. */
static willow_result ask_sets(willow_world *world, willow_scratch *scratch,
                              const willow_query_options *options, willow_closest_pair *out)
{
    willow_body_id ids[API_BODIES];
    const size_t count = willow_world_copy_bodies(world, ids, API_BODIES);
    const willow_body_set a = {ids, count / 2}, b = {ids + count / 2, count - count / 2};
    return willow_distance(world, scratch, &a, &b, options, out);
}

static void ask_distance(api_worlds *w, asked *q)
{
    willow_closest_pair found[API_SIDES] = {{.found = false}};
    ASK(w, q, ask_sets, found);
    const willow_closest_pair *a = &found[API_RIGHT], *b = &found[API_TRIED];
    w->tally->found += a->found;
    if (a->found != b->found ||
        (a->found && !(same_tri(a->a, b->a) && same_tri(a->b, b->b) && a->distance == b->distance &&
                       hash_contact(0, &a->contact) == hash_contact(0, &b->contact))))
        differ(w, a->found, b->found);
}

static willow_result ask_point(willow_world *world, willow_scratch *scratch,
                               const willow_query_options *options, willow_closest *out)
{
    const willow_vec3 point = {0.25F, options->witness ? 0.3F : -0.5F, 0.125F};
    return willow_closest_point(world, scratch, &point, options, out);
}

static void ask_closest(api_worlds *w, asked *q)
{
    willow_closest found[API_SIDES] = {{.found = false}};
    ASK(w, q, ask_point, found);
    const willow_closest *a = &found[API_RIGHT], *b = &found[API_TRIED];
    w->tally->found += a->found;
    if (a->found != b->found ||
        (a->found && !(same_tri(a->tri, b->tri) && a->distance == b->distance &&
                       hash_contact(0, &a->contact) == hash_contact(0, &b->contact))))
        differ(w, a->found, b->found);
}

/* ---- rays ---- */

enum { MOST_RAYS = 24 };

typedef struct asked_rays {
    size_t count;
    willow_ray rays[MOST_RAYS];
    willow_tri_ref ignore[API_SIDES][MOST_RAYS];
    willow_ray_options options[API_SIDES];
} asked_rays;

static bool pass_through_some(void *context, size_t ray, const willow_hit *hit)
{
    (void)context;
    return (ray + hit->at.tri) % 3 != 0;
}

/* At the triangles where BRUTE has them. */
static void aim_rays(api_worlds *w, asked_rays *r, uint32_t seed)
{
    ray_scene scene = {.body_count = 0};
    for (uint32_t i = 0; i < API_BODIES; i++)
        if (w->actors[i].is_alive)
            ray_scene_add(&scene, w->worlds[API_RIGHT], w->actors[i].ids[API_RIGHT],
                          w->actors[i].mesh.groups);
    ray_scene_aim(&scene, seed, r->count, r->rays);
    ray_scene_ignore(&scene, seed, r->rays, r->count, r->ignore[API_RIGHT]);
    ray_scene_clear(&scene);
    for (size_t i = 0; i < r->count; i++) {
        const willow_tri_ref *from = &r->ignore[API_RIGHT][i];
        r->ignore[API_TRIED][i] = (willow_tri_ref){.tri = from->tri};
        for (uint32_t k = 0; k < API_BODIES; k++)
            if (w->actors[k].is_alive && from->body.index1 != 0 &&
                willow_body_id_equal(from->body, w->actors[k].ids[API_RIGHT]))
                r->ignore[API_TRIED][i].body = w->actors[k].ids[API_TRIED];
    }
}

static void choose_rays(api_worlds *w, const asked *q, asked_rays *r)
{
    const uint32_t bits = choose(w->c, 256);
    r->count = 1 + choose(w->c, MOST_RAYS);
    aim_rays(w, r, choose(w->c, 1U << 16));
    for (int side = 0; side < API_SIDES; side++) {
        const willow_query_options *from = &q->options[side];
        willow_ray_options *o = &r->options[side];
        *o = willow_ray_options_default();
        o->bodies = from->bodies;
        o->body_count = from->body_count;
        o->use_threads = from->use_threads;
        o->max_hits = from->max_results;
        if (from->filter) o->filter = pass_through_some;
        o->one_sided = (bits & 3) == 3;
        if ((bits >> 2 & 3) == 3) o->ignore = r->ignore[side];
        if ((bits >> 4 & 3) == 3) o->mask_bits = 1 + (bits >> 6);
    }
}

#define ASK_RAYS(w, r, function, out)                                                              \
    for (int side = API_RIGHT; side < API_SIDES;)                                                  \
    side = after(w, side,                                                                          \
                 function((w)->worlds[side], (w)->scratches[side], (r).rays, (r).count,            \
                          &(r).options[side], &(out)[side]),                                       \
                 #function)

static void ask_casts(api_worlds *w, asked *q)
{
    willow_casts found[API_SIDES] = {{.count = 0}};
    asked_rays r;
    choose_rays(w, q, &r);
    ASK_RAYS(w, r, willow_cast_rays, found);
    if (!api_is_right()) return;
    w->tally->found += ray_states_count(found[API_RIGHT].states, r.count, WILLOW_RAY_HIT);
    if (!ray_casts_are_equal(&found[API_RIGHT], &found[API_TRIED])) api_fail(w, "other hits");
}

static void ask_blocks(api_worlds *w, asked *q)
{
    willow_blocks found[API_SIDES] = {{.count = 0}};
    asked_rays r;
    choose_rays(w, q, &r);
    ASK_RAYS(w, r, willow_block_rays, found);
    if (!api_is_right()) return;
    w->tally->found += ray_states_count(found[API_RIGHT].states, r.count, WILLOW_RAY_HIT);
    if (!ray_blocks_are_equal(&found[API_RIGHT], &found[API_TRIED]))
        api_fail(w, "other rays are blocked");
}

static void ask_pierces(api_worlds *w, asked *q)
{
    willow_pierces found[API_SIDES] = {{.count = 0}};
    asked_rays r;
    choose_rays(w, q, &r);
    ASK_RAYS(w, r, willow_pierce_rays, found);
    if (!api_is_right()) return;
    w->tally->found += found[API_RIGHT].count;
    if (!ray_pierces_are_equal(&found[API_RIGHT], &found[API_TRIED]))
        differ(w, found[API_RIGHT].count, found[API_TRIED].count);
}

/* ---- watches ---- */

static bool is_watched_alive(const api_worlds *w, const api_watch *watch)
{
    return willow_body_is_alive(w->worlds[API_TRIED], watch->ids[0]) &&
           willow_body_is_alive(w->worlds[API_TRIED], watch->ids[1]);
}

/* The same without a watch, in the world of BRUTE: one run, or none. */
static willow_pair_run ask_right(api_worlds *w, const api_watch *watch, asked *q,
                                 willow_pairs *pairs)
{
    willow_query_options *o = &q->options[API_RIGHT];
    willow_world *world = w->worlds[API_RIGHT];
    const bool is_within = watch->a == watch->b;
    q->ids[API_RIGHT][0] = w->actors[watch->a].ids[API_RIGHT];
    q->ids[API_RIGHT][1] = w->actors[watch->b].ids[API_RIGHT];
    o->bodies = q->ids[API_RIGHT];
    o->body_count = is_within ? 1 : 2;
    if ((is_within ? willow_find_self_pairs : willow_find_pairs)(world, w->scratches[API_RIGHT], o,
                                                                 pairs) != WILLOW_OK)
        api_fail(w, willow_scratch_message(w->scratches[API_RIGHT]));
    for (size_t i = 0; i < pairs->run_count; i++)
        if (is_within || !same_body(pairs->runs[i].body_a, pairs->runs[i].body_b))
            return pairs->runs[i];
    return (willow_pair_run){.count = 0};
}

static void compare_watched(api_worlds *w, const willow_pairs *all, const willow_pair_run *run,
                            const willow_pairs *found)
{
    bool is_same = found->count == run->count;
    for (size_t i = 0; i < run->count && is_same; i++)
        is_same = found->items[i].tri_a == all->items[run->first + i].tri_a &&
                  found->items[i].tri_b == all->items[run->first + i].tri_b;
    w->tally->found += run->count;
    if (!is_same) differ(w, run->count, found->count);
}

static void check_events(api_worlds *w, const api_watch *watch)
{
    willow_leaf_events events;
    const willow_result result = willow_watch_events(watch->watch, &events);
    if (result != WILLOW_OK && result != WILLOW_UNSUPPORTED) api_fail(w, "events fail");
    for (size_t i = 0; result == WILLOW_OK && i < events.count; i++)
        if (events.items[i].time > w->time ||
            (i > 0 && events.items[i].time < events.items[i - 1].time))
            api_fail(w, "events are not in order, or after the update");
}

static willow_result ask_one_watch(api_worlds *w, const api_watch *watch, const asked *q,
                                   willow_pairs *found)
{
    api_arm(w);
    willow_result result = willow_watch_find_pairs(watch->watch, w->scratches[API_TRIED],
                                                   &q->options[API_TRIED], found);
    api_disarm(w);
    if (result != WILLOW_OUT_OF_MEMORY) return result;
    w->tally->failures++;
    return willow_watch_find_pairs(watch->watch, w->scratches[API_TRIED], &q->options[API_TRIED],
                                   found);
}

static void ask_watch(api_worlds *w, asked *q)
{
    const api_watch *watch = &w->watches[choose(w->c, API_WATCHES)];
    const willow_query_options *options = &q->options[API_TRIED];
    willow_pairs all = {.count = 0}, found = {.count = 0};
    willow_first_pair first = {.found = false};
    if (watch->watch == NULL) return;
    w->call = "watch";
    for (int side = 0; side < API_SIDES; side++) q->options[side].max_results = 0;
    const willow_result result = ask_one_watch(w, watch, q, &found);
    if (result != (is_watched_alive(w, watch) ? WILLOW_OK : WILLOW_BAD_HANDLE))
        api_fail(w, willow_scratch_message(w->scratches[API_TRIED]));
    if (result != WILLOW_OK) return;
    const willow_pair_run run = ask_right(w, watch, q, &all);
    compare_watched(w, &all, &run, &found);
    if (willow_watch_find_first_pair(watch->watch, w->scratches[API_TRIED], options, &first) !=
            WILLOW_OK ||
        first.found != (run.count > 0) || (first.found && !has_pair(&all, first.a, first.b)))
        api_fail(w, "the first pair is none of all");
    check_events(w, watch);
}

/* ---- all of them ---- */

static void (*const questions[])(api_worlds *w, asked *q) = {
    ask_pairs,   ask_self_pairs, ask_first,   ask_visits, ask_box,          ask_watch,
    ask_watch,   ask_impacts,    ask_impacts, ask_near,   ask_first_impact, ask_distance,
    ask_closest, ask_casts,      ask_blocks,  ask_pierces};

void api_ask(api_worlds *w)
{
    const uint32_t number = choose(w->c, sizeof questions / sizeof questions[0]);
    asked q;
    choose_question(w, &q);
    questions[number](w, &q);
    w->tally->questions++;
}
