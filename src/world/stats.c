/* stats.c - memory and tree statistics, validation, and hashes that compare runs. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "mesh/topology.h"
#include "tree/grown/grown.h"
#include "tree/volume_quality.h"
#include "update/auto/auto.h"
#include "world/world.h"

static willow_method current_method(const wi_body *body, const wi_tree *h)
{
    const willow_method wanted = wi_body_wanted(body)->method;
    return wanted == WILLOW_METHOD_AUTO ? wi_auto_mode(h) : wanted;
}

/* False if there is no memory. */
static bool measure_kinetic(const willow_world *world, const wi_body *body,
                            willow_kinetic_stats *out)
{
    /* Nothing of the world changes but the count of its bytes, which is atomic. */
    wi_memory *memory = (wi_memory *)&world->memory;
    if (wi_body_is_light(body)) {
        *out = (willow_kinetic_stats){0};
        return true;
    }
    const wi_keeper *keeper = &body->geometry->tree.keeper;
    const wi_kinetic_counts *counts = &body->geometry->kinetic;
    *out = (willow_kinetic_stats){.certificates_most = counts->most_events,
                                  .events = counts->events,
                                  .values_updated = counts->values,
                                  .queue_operations = counts->queue_ops,
                                  .certificates_checked = counts->checked,
                                  .plan_changes = counts->changes,
                                  .setups = counts->setups,
                                  .events_internal = counts->internal,
                                  .values_per_event_most = counts->most_values};
    return keeper->state == NULL || keeper->ops->kinetic_stats == NULL ||
           keeper->ops->kinetic_stats(memory, &body->geometry->tree, keeper->state, out);
}

/* A small body is taken in once; trees that are lent are built for the lender. */
static uint64_t builds_of(const wi_body *body)
{
    return wi_body_is_light(body) ? body->shown.kind == WI_SHOWN_SMALL : body->geometry->builds;
}

willow_result willow_body_get_stats(const willow_world *world, willow_body_id id,
                                    willow_body_stats *out)
{
    const wi_body *body = wi_body_find(world, id);
    if (body == NULL) return WILLOW_BAD_HANDLE;
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    if (body->state >= WI_BODY_DIRTY) return WILLOW_STALE;
    wi_instance room;
    const wi_tree *h = wi_body_see_tree(body, &room);
    *out = (willow_body_stats){.bytes_mesh = wi_mesh_bytes(h->mesh),
                               .bytes_hierarchy = wi_tree_bytes(h),
                               .refit_bytes_read = wi_tree_refit_read(h),
                               .refit_bytes_written = wi_tree_refit_written(h),
                               .method = current_method(body, h),
                               .node_count = wi_shape_nodes(h->shape),
                               .leaf_count = wi_shape_leaves(h->shape),
                               .height = h->shape->height,
                               .volume_quality = wi_tree_volume_quality(h),
                               .depth = wi_tree_own_depth(h),
                               .cost = wi_tree_cost(h),
                               .builds = builds_of(body),
                               .subtree_builds =
                                   wi_body_is_light(body) ? 0 : body->geometry->subtree_builds};
    if (wi_shape_is_grown(h->shape)) wi_grown_measure(h, &out->sphere);
    return measure_kinetic(world, body, &out->kinetic) ? WILLOW_OK : WILLOW_OUT_OF_MEMORY;
}

willow_result willow_body_get_topology(willow_world *world, willow_body_id id,
                                       willow_body_topology *out)
{
    if (out == NULL)
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "no place for the answer");
    const wi_body *body = wi_body_get(world, id, &world->message);
    *out = (willow_body_topology){0};
    if (body == NULL) return WILLOW_BAD_HANDLE;
    wi_workspace workspace = {0};
    wi_instance room;
    bool ok =
        wi_mesh_topology(&world->memory, &workspace, wi_body_see_tree(body, &room)->mesh, out);
    wi_workspace_free(&world->memory, &workspace);
    return ok ? WILLOW_OK : wi_fail_memory(&world->message, "counting edges");
}

size_t willow_world_bytes(const willow_world *world)
{
    return atomic_load_explicit(&world->memory.bytes, memory_order_relaxed);
}

/* The body at the end of its trial step: the same tree, true for other positions. */
static const char *validate_step_end(const wi_body *body)
{
    const wi_step_end *end = body->more->step_end;
    if (end == NULL || !end->is_set || body->needs_step_end) return NULL;
    if (!wi_trial_is_set(&body->more->trial) &&
        !(end->is_flight && wi_mesh_has_paths(&body->geometry->mesh)))
        return "W5: the end of a step without a trial step";
    if (end->h.mesh != &end->mesh || end->h.shape->leaves != body->geometry->tree.shape->leaves)
        return "W5: the end of a step is of another body";
    const char *broken = wi_tree_validate(&end->h);
    return broken ? broken : wi_tree_validate_place(&end->h);
}

static const char *validate_body(const willow_world *world, size_t index)
{
    const wi_body *body = world->bodies.items[index];
    WI_ASSERT(index < world->bodies.count && body != NULL);
    if (body->shown.id.index1 != index + 1 || body->shown.id.world != world->number ||
        !wi_id_pool_has(&world->ids, (uint32_t)index, body->shown.id.generation))
        return "W1: a body does not know its id";
    wi_instance room;
    const wi_tree *h = wi_body_see_tree(body, &room);
    const bool is_light = wi_body_is_light(body);
    if (!is_light && (body->shown.tree != h || h->mesh != &body->geometry->mesh))
        return "W2: a tree is of another body";
    if (!is_light && body->geometry->users == 0) return "W7: a geometry has no user";
    const char *sharing = wi_body_validate_sharing(body);
    if (sharing) return sharing;
    if (body->state == WI_BODY_CURRENT && !is_light && wi_loose_validate(body))
        return wi_loose_validate(body);
    if (!(body->shown.thickness >= 0.0F && body->shown.thickness <= FLT_MAX))
        return "W8: a body has a thickness that is refused";
    if (body->shown.self && !h->is_self)
        return "W8: pairs within a body are asked for, and its tree does not know it";
    const char *broken = wi_mesh_validate(h->mesh);
    if (broken || body->state >= WI_BODY_DIRTY) return broken;
    broken = wi_tree_validate(h);
    if (broken == NULL) broken = wi_tree_validate_lists(h);
    if (broken || body->state >= WI_BODY_MOVED) return broken;
    broken = wi_tree_validate_place(h);
    return broken || is_light ? broken : validate_step_end(body);
}

static const char *validate_targets(const willow_world *world)
{
    if (world->targets.count != world->body_count) return "W3: queries see other bodies";
    for (size_t i = 0; i < world->targets.count; i++) {
        const wi_query_body *target = &world->targets.items[i];
        const wi_body *body = world->bodies.items[target->shown->id.index1 - 1];
        if (body == NULL || target->shown != &body->shown) return "W3: queries see other bodies";
        if (i > 0 && target[-1].shown->id.index1 >= target->shown->id.index1)
            return "W3: bodies are not in order";
        if (body->state != WI_BODY_CURRENT || body->needs_step_end)
            return "W4: a body waits for an update in a world that is not stale";
        wi_instance room;
        const wi_box *bounds = &wi_body_see_tree(body, &room)->boxes.world_bounds;
        if (memcmp(&target->bounds, bounds, sizeof *bounds) != 0)
            return "W3: queries see a body somewhere else";
    }
    return NULL;
}

bool willow_world_validate(const willow_world *world, char *reason, size_t reason_size)
{
    const char *broken = wi_id_pool_validate(&world->ids);
    size_t where = 0;
    for (size_t i = 0; i < world->bodies.count && broken == NULL; i++) {
        if (world->bodies.items[i] == NULL) continue;
        broken = validate_body(world, i);
        where = i + 1;
    }
    if (broken == NULL) {
        broken = wi_watches_validate(world);
        where = 0;
    }
    if (broken == NULL && !world->is_stale) {
        broken = validate_targets(world);
        if (broken == NULL) broken = wi_target_tree_validate(world);
        if (broken == NULL) broken = wi_target_pairs_validate(world);
        where = 0;
    }
    if (broken == NULL) return true;
    if (reason && reason_size > 0)
        (void)snprintf(reason, reason_size, where > 0 ? "%s (body %zu)" : "%s", broken, where);
    return false;
}

static uint64_t hash_mesh(uint64_t hash, const wi_mesh *mesh)
{
    hash = wi_hash_u64(hash, (uint64_t)mesh->vertex_count << 32 | mesh->tri_count);
    if (mesh->tri_count > 0)
        hash = wi_hash_bytes(hash, mesh->tris, mesh->tri_count * sizeof *mesh->tris);
    if (mesh->groups)
        hash = wi_hash_bytes(hash, mesh->groups, mesh->tri_count * sizeof *mesh->groups);
    if (mesh->labels)
        hash = wi_hash_bytes(hash, mesh->labels, mesh->tri_count * sizeof *mesh->labels);
    if (mesh->masks.rows)
        hash = wi_hash_bytes(hash, mesh->masks.rows, mesh->masks.count * sizeof *mesh->masks.rows);
    return wi_mesh_motion(mesh)->hash(hash, mesh);
}

static uint64_t hash_floats(uint64_t hash, float a, float b)
{
    const float both[2] = {a, b};
    return wi_hash_bytes(hash, both, sizeof both);
}

static uint64_t hash_sphere(uint64_t hash, const willow_tree_def *def)
{
    if (def->method != WILLOW_METHOD_SPHERE) return hash;
    hash = wi_hash_u64(hash, (uint64_t)def->collision_depth << 32 | (uint64_t)def->cells << 1 |
                                 def->grow_whole);
    return hash_floats(hash, def->max_time, 0.0F);
}

uint64_t willow_world_hash(const willow_world *world)
{
    uint64_t hash = WI_HASH_START, time_bits;
    memcpy(&time_bits, &world->time, sizeof time_bits);
    hash = wi_hash_u64(hash, time_bits);
    if (world->target_time > world->time)
        hash = wi_hash_bytes(hash, &world->target_time, sizeof world->target_time);
    for (size_t i = 0; i < world->bodies.count; i++) {
        const wi_body *body = world->bodies.items[i];
        if (body == NULL) continue;
        wi_instance room;
        const wi_mesh *mesh = wi_body_see_tree(body, &room)->mesh;
        const willow_tree_def *wanted = wi_body_wanted(body);
        hash = wi_hash_u64(hash, (uint64_t)body->shown.id.index1 << 16 | body->shown.id.generation);
        hash = wi_hash_u64(hash, body->shown.category_bits);
        hash = wi_hash_u64(hash, body->shown.mask_bits);
        hash = wi_hash_u64(hash, body->shown.user_data);
        hash = wi_hash_u64(hash, (uint64_t)wanted->method << 32 | wanted->build);
        hash = wi_hash_u64(hash, (uint64_t)wanted->arity << 32 | wanted->leaf_triangles);
        hash = hash_floats(wi_hash_u64(hash, wanted->hybrid_level), wanted->margin,
                           wanted->rebuild_ratio);
        hash = wi_hash_u64(hash,
                           (uint64_t)wanted->keep_siblings << 32 | (uint64_t)wanted->events << 2 |
                               (uint64_t)wanted->exact_events << 1 | wanted->search_keyframes);
        hash = wi_hash_u64(hash, (uint64_t)wanted->reference_target << 32 |
                                     (uint64_t)wanted->in_between << 16 |
                                     (uint64_t)wanted->volume << 8 |
                                     (uint64_t)wanted->reference << 1 | wanted->blend_both);
        if (wanted->quality_limit > 0.0F) hash = hash_floats(hash, wanted->quality_limit, 0.0F);
        hash = hash_sphere(hash, wanted);
        hash = wi_hash_u64(hash, body->shown.self);
        hash = wi_hash_bytes(hash, &body->shown.pose, sizeof body->shown.pose);
        hash = hash_mesh(hash, mesh);
        const wi_trial none = {0};
        const bool is_light = wi_body_is_light(body);
        hash = wi_trial_hash(hash_floats(hash, body->shown.thickness, 0.0F), mesh,
                             is_light ? &none : &body->more->trial);
        if (!is_light && body->more->loose)
            hash = wi_hash_bytes(hash, body->more->loose, sizeof *body->more->loose);
    }
    return hash;
}

uint64_t willow_pairs_hash(const willow_pairs *pairs)
{
    uint64_t hash = WI_HASH_START;
    for (size_t i = 0; i < pairs->run_count; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        hash = wi_hash_u64(hash, (uint64_t)run->body_a.index1 << 32 | run->body_b.index1);
        for (size_t k = run->first; k < run->first + run->count; k++)
            hash = wi_hash_u64(hash, (uint64_t)pairs->items[k].tri_a << 32 | pairs->items[k].tri_b);
    }
    return hash;
}
