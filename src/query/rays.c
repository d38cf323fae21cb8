/* rays.c - what rays hit: the closest, any, or all along each of them.
 *
 * Ways in: wi_cast_rays, wi_block_rays, wi_pierce_rays. Rays are shared out in tiles of neighbours,
 * which meet the same nodes and leaves. Each is followed from body to body in the order in which it
 * enters their boxes. What one ray comes to does not depend on any other, so neither do answers on
 * workers. */
#include "query/rays.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "query/scratch.h"

enum { RAYS_PER_TILE = 256 };

void wi_rays_found_free(wi_memory *memory, wi_rays_found *found)
{
    wi_body_tree_free(memory, &found->own);
    wi_workspace_free(memory, &found->workspace);
    wi_array_free(memory, &found->states);
    wi_array_free(memory, &found->hits);
    wi_array_free(memory, &found->segments);
    wi_array_free(memory, &found->runs);
}

/* ---- hits as users see them ---- */

static willow_hit hit_of(const willow_scratch *scratch, const wi_ray_hit *hit)
{
    const wi_query_body *body = &scratch->chosen.items[hit->body];
    float normal[3];
    wi_tri_unit_normal(&hit->tri, normal);
    return (willow_hit){.at = {body->shown->id, hit->slot},
                        .user_data = body->shown->user_data,
                        .t = hit->t,
                        .u = hit->u,
                        .v = hit->v,
                        .normal = {normal[0], normal[1], normal[2]}};
}

static bool ask_filter(void *context, size_t ray, const wi_ray_hit *hit)
{
    const willow_scratch *scratch = context;
    const willow_ray_options *options = &scratch->rays.question->options;
    const willow_hit shown = hit_of(scratch, hit);
    return options->filter(options->filter_context, ray, &shown);
}

/* ---- beginning ---- */

/* Makes a tree over the bodies asked about, unless the world has one, or the last question did. */
static bool rays_find_tree(const wi_ray_question *question, willow_scratch *scratch)
{
    wi_rays_found *found = &scratch->rays;
    const uint32_t count = (uint32_t)scratch->chosen.count;
    found->tree = question->tree;
    if (found->tree) return true;
    found->tree = &found->own;
    if (question->update != 0 && question->update == found->own_update) return true;
    found->own_update = 0;
    found->own.node_count = 0;
    if (count == 0) return true;
    const wi_box_list boxes = {&scratch->chosen.items[0].bounds, sizeof scratch->chosen.items[0],
                               count};
    if (!wi_body_tree_reserve(scratch->memory, &found->own, count) ||
        !wi_workspace_reserve(scratch->memory, &found->workspace, wi_body_tree_build_size(count)))
        return false;
    wi_body_tree_build(&found->own, &boxes, &found->workspace);
    found->own_update = question->update;
    return true;
}

static bool rays_start(const wi_ray_question *question, willow_scratch *scratch,
                       wi_ray_wanted wanted)
{
    wi_rays_found *found = &scratch->rays;
    const wi_ray_rules rules = {.wanted = wanted,
                                .one_sided = question->options.one_sided,
                                .accept = question->options.filter ? ask_filter : NULL,
                                .context = scratch};
    const uint32_t workers = question->tasks.worker_count;
    if (!wi_scratch_ready(scratch, workers) || !rays_find_tree(question, scratch) ||
        !wi_array_reserve(scratch->memory, &found->states, question->count))
        return false;
    for (uint32_t i = 0; i < workers; i++) {
        if (!wi_ray_walk_ready(&scratch->workers[i].ray, &rules)) return false;
        scratch->workers[i].is_out_of_memory = false;
    }
    if (question->count > 0) memset(found->states.items, WILLOW_RAY_UNFINISHED, question->count);
    found->states.count = question->count;
    found->question = question;
    found->wanted = wanted;
    atomic_store(&found->is_stopped, false);
    return true;
}

/* ---- one ray ---- */

static uint32_t slot_ignored(const wi_ray_question *question, size_t ray, willow_body_id body)
{
    const willow_tri_ref *ignore = question->options.ignore;
    return ignore && willow_body_id_equal(ignore[ray].body, body) ? ignore[ray].tri : UINT32_MAX;
}

/* Follows the first of several rays, and others with it; *followed is how many. */
static bool follow_rays(willow_scratch *scratch, wi_query_worker *w, size_t number, unsigned count,
                        unsigned *followed)
{
    wi_ray_walk *walk = &w->ray;
    const wi_ray_question *question = scratch->rays.question;
    WI_ASSERT(wi_ray_fault(&question->rays[number]) == NULL);
    *followed = wi_ray_walk_begin(walk, &question->rays[number], number, count, scratch->rays.tree);
    uint32_t body;
    while (walk->open != 0 && walk->kernels->next_body(walk, scratch->rays.tree, &body)) {
        const wi_query_body *target = &scratch->chosen.items[body];
        if ((target->shown->category_bits & question->options.mask_bits) == 0) continue;
        for (unsigned i = 0; i < *followed; i++)
            walk->rays[i].ignored_slot = slot_ignored(question, number + i, target->shown->id);
        if (!wi_ray_walk_meet(walk, wi_worker_tree(w, target), body)) return false;
    }
    return true;
}

/* Restores the heap below `at`: no hit is before those that are below it. */
static void sink(wi_ray_hit *hits, size_t count, size_t at)
{
    const wi_ray_hit hit = hits[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && wi_ray_hit_is_before(&hits[child], &hits[child + 1])) child++;
        if (!wi_ray_hit_is_before(&hit, &hits[child])) break;
        hits[at] = hits[child];
    }
    hits[at] = hit;
}

static void sort_hits(wi_ray_hit *hits, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) sink(hits, count, i);
    for (size_t last = count; last-- > 1;) {
        const wi_ray_hit greatest = hits[0];
        hits[0] = hits[last];
        hits[last] = greatest;
        sink(hits, last, 0);
    }
}

/* Puts all hits of a ray in order, from `first` of the walk on, and leaves those that are wanted.
 */
static void keep_hits(wi_rays_found *found, uint32_t worker, wi_ray_walk *walk, size_t number,
                      size_t first)
{
    const size_t most = found->question->options.max_hits, count = walk->hits.count - first;
    sort_hits(walk->hits.items + first, count);
    const size_t kept = most != 0 && count > most ? most : count;
    walk->hits.count = first + kept;
    found->segments.items[number] = (wi_ray_segment){first, kept, worker};
    found->runs.items[number] = (willow_pierce_run){.count = kept, .complete = kept == count};
}

/* Finishes the first of several rays, and others with it; *finished is how many. */
static bool finish_rays(willow_scratch *scratch, uint32_t worker, size_t number, unsigned count,
                        unsigned *finished)
{
    wi_rays_found *found = &scratch->rays;
    wi_ray_walk *walk = &scratch->workers[worker].ray;
    const size_t first = walk->hits.count;
    if (!follow_rays(scratch, &scratch->workers[worker], number, count, finished)) return false;
    for (unsigned i = 0; i < *finished; i++) {
        const wi_ray_state *ray = &walk->rays[i];
        found->states.items[number + i] = ray->is_found ? WILLOW_RAY_HIT : WILLOW_RAY_FREE;
        if (found->wanted == WI_RAY_CLOSEST && ray->is_found)
            found->hits.items[number + i] = hit_of(scratch, &ray->best);
    }
    if (found->wanted == WI_RAY_ALL) keep_hits(found, worker, walk, number, first);
    return true;
}

/* ---- all of them ---- */

static bool is_stopped(wi_rays_found *found)
{
    const willow_ray_options *options = &found->question->options;
    if (options->stop == NULL) return false;
    if (atomic_load_explicit(&found->is_stopped, memory_order_relaxed)) return true;
    if (!options->stop(options->stop_context)) return false;
    atomic_store_explicit(&found->is_stopped, true, memory_order_relaxed);
    return true;
}

static void rays_task(void *arg, uint32_t tile, uint32_t worker)
{
    willow_scratch *scratch = arg;
    wi_query_worker *w = &scratch->workers[worker];
    WI_ASSERT(worker < scratch->ready_count);
    if (w->is_out_of_memory || is_stopped(&scratch->rays)) return;
    const size_t first = (size_t)tile * RAYS_PER_TILE, all = scratch->rays.question->count;
    const size_t last = all - first < RAYS_PER_TILE ? all : first + RAYS_PER_TILE;
    size_t alone_until = 0; /* rays that do not go together are not tried again */
    for (size_t i = first; i < last && !w->is_out_of_memory;) {
        const size_t most = i < alone_until ? 1 : WI_LANES;
        const unsigned count = (unsigned)(last - i < most ? last - i : most);
        unsigned finished = 1;
        w->is_out_of_memory = !finish_rays(scratch, worker, i, count, &finished);
        if (finished < count) alone_until = i + count;
        i += finished;
    }
}

static bool rays_run(const wi_ray_question *question, willow_scratch *scratch)
{
    const willow_tasks *tasks = &question->tasks;
    const size_t tiles = (question->count + RAYS_PER_TILE - 1) / RAYS_PER_TILE;
    WI_ASSERT(tiles <= UINT32_MAX); /* rays take 32 bytes each */
    if (tasks->worker_count == 1)
        for (uint32_t tile = 0; tile < tiles; tile++) rays_task(scratch, tile, 0);
    else if (tiles > 0)
        tasks->parallel_for(tasks->context, (uint32_t)tiles, rays_task, scratch);
    scratch->rays.question = NULL;
    for (uint32_t i = 0; i < tasks->worker_count; i++)
        if (scratch->workers[i].is_out_of_memory) return false;
    return true;
}

static willow_result fail_rays(willow_scratch *scratch)
{
    return wi_fail_memory(&scratch->message, "rays");
}

willow_result wi_cast_rays(const wi_ray_question *question, willow_scratch *scratch,
                           willow_casts *out)
{
    wi_rays_found *found = &scratch->rays;
    found->hits.count = 0;
    if (!rays_start(question, scratch, WI_RAY_CLOSEST) ||
        !wi_array_reserve(scratch->memory, &found->hits, question->count))
        return fail_rays(scratch);
    if (question->count > 0)
        memset(found->hits.items, 0, question->count * sizeof *found->hits.items);
    found->hits.count = question->count;
    if (!rays_run(question, scratch)) return fail_rays(scratch);
    *out = (willow_casts){found->hits.items, found->states.items, question->count,
                          !atomic_load(&found->is_stopped)};
    return WILLOW_OK;
}

willow_result wi_block_rays(const wi_ray_question *question, willow_scratch *scratch,
                            willow_blocks *out)
{
    wi_rays_found *found = &scratch->rays;
    if (!rays_start(question, scratch, WI_RAY_ANY) || !rays_run(question, scratch))
        return fail_rays(scratch);
    *out = (willow_blocks){found->states.items, question->count, !atomic_load(&found->is_stopped)};
    return WILLOW_OK;
}

/* Puts what the workers found in the order of rays. */
static bool gather_hits(willow_scratch *scratch, size_t count)
{
    wi_rays_found *found = &scratch->rays;
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        found->runs.items[i].first = total;
        total += found->runs.items[i].count;
    }
    found->hits.count = 0;
    if (!wi_array_reserve(scratch->memory, &found->hits, total)) return false;
    for (size_t i = 0; i < count; i++) {
        const wi_ray_segment *from = &found->segments.items[i];
        for (size_t k = 0; k < found->runs.items[i].count; k++)
            found->hits.items[found->hits.count++] =
                hit_of(scratch, &scratch->workers[from->worker].ray.hits.items[from->first + k]);
    }
    return true;
}

willow_result wi_pierce_rays(const wi_ray_question *question, willow_scratch *scratch,
                             willow_pierces *out)
{
    wi_rays_found *found = &scratch->rays;
    const size_t count = question->count;
    if (!rays_start(question, scratch, WI_RAY_ALL) ||
        !wi_array_reserve(scratch->memory, &found->segments, count) ||
        !wi_array_reserve(scratch->memory, &found->runs, count))
        return fail_rays(scratch);
    for (size_t i = 0; i < count; i++) found->runs.items[i] = (willow_pierce_run){0};
    if (!rays_run(question, scratch) || !gather_hits(scratch, count)) return fail_rays(scratch);
    bool complete = true;
    for (size_t i = 0; i < count; i++) complete = complete && found->runs.items[i].complete;
    *out = (willow_pierces){found->runs.items, found->states.items, count,
                            found->hits.items, found->hits.count,   complete};
    return WILLOW_OK;
}
