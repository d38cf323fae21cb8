/* world.c - making worlds, and the one call that makes changes visible (C5). */
#include "world/world.h"

#include <math.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/kernel.h"
#include "tree/grown/grown.h"

/* The only global that changes (C8): it tells worlds apart in the ids of their bodies. */
static _Atomic uint32_t worlds_made;

willow_world_def willow_world_def_default(void)
{
    return (willow_world_def){.struct_size = sizeof(willow_world_def)};
}

/* There is no world yet to ask for the words, so they go to the log only. */
static willow_result check_def(const willow_world_def *def)
{
    wi_message message = {0};
    if (def == NULL || def->struct_size != sizeof *def) /* what is in `log` is not known either */
        return WILLOW_BAD_ARGUMENT;
    message.log = def->log;
    if ((def->allocator.alloc == NULL) != (def->allocator.free == NULL))
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "the allocator has one function of two");
    if (def->tasks.parallel_for && def->tasks.worker_count == 0)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "a world needs one worker at least");
    if (def->tasks.parallel_for == NULL && def->thread_count > WILLOW_MAX_THREADS)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT,
                       "a pool of %u threads: %d is the most, which is more than machines have",
                       def->thread_count, WILLOW_MAX_THREADS);
    if ((unsigned)def->broad >= WILLOW_BROAD_COUNT)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "%d is no broad phase", (int)def->broad);
    if ((unsigned)def->kernel >= WILLOW_KERNEL_COUNT)
        return wi_fail(&message, WILLOW_BAD_ARGUMENT, "%d is no kernel", (int)def->kernel);
    if (wi_kernel_choose(def->kernel) == WILLOW_KERNEL_AUTO)
        return wi_fail(&message, WILLOW_UNSUPPORTED, "this build or machine has no %s kernel",
                       willow_kernel_name(def->kernel));
    return WILLOW_OK;
}

static bool set_tasks(willow_world *world, const willow_world_def *def)
{
    if (def->tasks.parallel_for) {
        world->tasks = def->tasks;
        return true;
    }
    world->tasks = wi_serial_tasks();
    if (def->thread_count <= 1) return true;
    world->pool = wi_pool_create(&world->memory, def->thread_count);
    if (world->pool == NULL) return false;
    world->tasks = wi_pool_tasks(world->pool);
    return true;
}

static bool make_workspaces(willow_world *world)
{
    size_t count = world->tasks.worker_count;
    world->workspaces = wi_alloc_array(&world->memory, count, sizeof *world->workspaces);
    for (size_t i = 0; i < count && world->workspaces; i++)
        world->workspaces[i] = (wi_workspace){0};
    return world->workspaces != NULL;
}

/* Where very many bodies are worked on at once, as when they are all new, room for that is not
 * kept. */
static void end_updates(willow_world *world)
{
    enum { MANY = 4096 };
    if (world->updates.capacity > MANY) wi_array_free(&world->memory, &world->updates);
}

static void free_workspaces(willow_world *world)
{
    for (uint32_t i = 0; i < world->tasks.worker_count && world->workspaces; i++)
        wi_workspace_free(&world->memory, &world->workspaces[i]);
}

/* A world may be updated once and asked ever after: there is a tree over its bodies at first, if
 * its broad phase has one. */
static wi_asked first_asked(willow_broad broad)
{
    const bool has_tree = broad == WILLOW_BROAD_AUTO || broad == WILLOW_BROAD_LINEAR_BVH;
    return (wi_asked){.left = has_tree ? WI_ASKED_PATIENCE : 0};
}

willow_result willow_world_create(const willow_world_def *def, willow_world **out)
{
    if (out == NULL) return WILLOW_BAD_ARGUMENT;
    *out = NULL;
    willow_result result = check_def(def);
    if (result != WILLOW_OK) return result;
    wi_memory memory;
    wi_message message = {.log = def->log};
    wi_memory_init(&memory, &def->allocator);
    willow_world *world = wi_alloc(&memory, sizeof *world);
    if (world == NULL) return wi_fail_memory(&message, "a world");
    *world = (willow_world){.kernel = wi_kernel_choose(def->kernel),
                            .broad = def->broad,
                            .message = {.log = def->log},
                            .revision = WI_FIRST_REVISION,
                            .small_def = willow_tree_def_default(),
                            .target_time = -(double)INFINITY,
                            .tree = {.state = WI_TREE_OTHERS, .asked = first_asked(def->broad)},
                            .number = (uint16_t)(1 + worlds_made++ % UINT16_MAX)};
    wi_memory_init(&world->memory, &def->allocator);
    world->memory.bytes = sizeof *world;
    WI_ASSERT(world->kernel != WILLOW_KERNEL_AUTO && world->number != 0);
    (void)wi_tree_def_resolve(&world->small_def, &world->message); /* which is a good one */
    world->refit = wi_refit_kernels_for(world->kernel);
    if (!set_tasks(world, def) || !make_workspaces(world)) {
        willow_world_destroy(world);
        return wi_fail_memory(&message, "a world");
    }
    *out = world;
    return WILLOW_OK;
}

void willow_world_destroy(willow_world *world)
{
    if (world == NULL) return;
    wi_watches_free(world);
    wi_target_tree_free(world);
    wi_target_pairs_free(world);
    wi_loose_free(world);
    for (size_t i = 0; i < world->bodies.count; i++)
        if (world->bodies.items[i]) wi_body_free(world, world->bodies.items[i]);
    free_workspaces(world);
    wi_free_array(&world->memory, world->workspaces, world->tasks.worker_count,
                  sizeof *world->workspaces);
    wi_pool_destroy(&world->memory, world->pool);
    wi_array_free(&world->memory, &world->bodies);
    wi_array_free(&world->memory, &world->targets);
    wi_array_free(&world->memory, &world->updates);
    wi_parts_forget(world);
    wi_id_pool_free(&world->memory, &world->ids);
    WI_ASSERT(world->memory.bytes == sizeof *world); /* else a scratch is left */
    wi_memory memory;
    wi_memory_init(&memory, &world->memory.allocator);
    memory.bytes = sizeof *world;
    wi_free(&memory, world, sizeof *world);
}

const char *willow_world_message(const willow_world *world) { return world->message.text; }

willow_kernel willow_world_kernel(const willow_world *world) { return world->kernel; }

/* Whoever follows a plan is somewhere else at another time. */
static void follow_plan(wi_body *body, double time)
{
    if (body->state < WI_BODY_DIRTY && wi_mesh_moment(&body->geometry->mesh)->time == time) return;
    wi_mesh_plan(&body->geometry->mesh)->now =
        wi_plan_moment(wi_mesh_plan(&body->geometry->mesh), time);
    wi_body_raise(body, WI_BODY_DIRTY);
    body->geometry->known = WI_KNOWN_NOTHING;
}

/* A failed update leaves vertices where they were: on their plans at the time of the last update
 * that succeeded, which positions and setters go by until the next one does. */
static void go_back(willow_world *world)
{
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL || wi_body_is_light(body)) continue;
        if (!wi_mesh_has_paths(&body->geometry->mesh)) continue;
        if (wi_mesh_moment(&body->geometry->mesh)->time == world->time) continue;
        follow_plan(body, world->time);
        body->geometry->mesh.stored = WI_STORED_OLD;
    }
}

static willow_result fail_update(willow_world *world, const char *what)
{
    go_back(world);
    return wi_fail_memory(&world->message, what);
}

/* Where very many of a few vertices were moved, all were. */
static wi_known known_of(const wi_body *body)
{
    const bool is_too_much =
        body->geometry->known == WI_KNOWN_PARTIAL && body->geometry->tree.moved->is_all;
    return is_too_much ? WI_KNOWN_NOTHING : body->geometry->known;
}

/* With the revision of its new state: numbered here, so that they do not depend on who updates
 * which body when. False if there is no memory. */
static bool list_update(willow_world *world, wi_body *body, double time)
{
    const bool stands = body->state < WI_BODY_DIRTY; /* its tree is looked after */
    if (!wi_array_reserve(&world->memory, &world->updates, world->updates.count + 1)) return false;
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    if (body->rests) body->geometry->known = WI_KNOWN_NOTHING;
    body->rests = false;
    world->updates.items[world->updates.count++] =
        (wi_update){.memory = &world->memory,
                    .kernels = world->refit,
                    .kernel = world->kernel,
                    .tasks = wi_serial_tasks(),
                    .mesh = &body->geometry->mesh,
                    .h = &body->geometry->tree,
                    .def = &body->geometry->wanted,
                    .needs_build = body->state == WI_BODY_UNBUILT,
                    .known = stands ? WI_KNOWN_RESTS : known_of(body),
                    .is_edited = body->geometry->is_edited,
                    .inherited = &body->geometry->inherited,
                    .edited = body->geometry->edited.items,
                    .edited_count = body->geometry->edited.count,
                    .revision = ++world->revision,
                    .time = time,
                    .body = body->shown.id.index1 - 1};
    return true;
}

void wi_body_place(willow_world *world, wi_body *body)
{
    WI_ASSERT(body->state < WI_BODY_DIRTY && world->revision < UINT64_MAX);
    body->state = WI_BODY_CURRENT;
    if (wi_body_is_light(body)) {
        body->shown.placement = ++world->revision;
        return;
    }
    wi_tree_place(&body->geometry->tree, ++world->revision);
    body->needs_step_end = true;
}

/* There is nothing to build of a small body: all is known since it was made. */
static void update_light(willow_world *world, wi_body *body, willow_update_report *report)
{
    if (body->shown.kind != WI_SHOWN_SMALL || body->state != WI_BODY_UNBUILT) return;
    wi_small_take_in(body, ++world->revision);
    wi_body_place(world, body);
    report->bodies_updated++;
    report->bodies_built++;
    report->nodes_updated++;
}

/* The dirty bodies, but for those that may be left alone, which wait. */
static bool list_updates(willow_world *world, double time, bool is_stop,
                         willow_update_report *report)
{
    world->updates.count = 0;
    if (!wi_array_reserve(&world->memory, &world->targets, world->body_count)) return false;
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL || (is_stop && !body->makes_stops)) continue;
        if (wi_body_is_light(body)) {
            update_light(world, body, report);
            continue;
        }
        if (body->geometry->lender) continue;
        if (wi_mesh_has_paths(&body->geometry->mesh)) follow_plan(body, time);
        const bool may_rest = wi_body_may_rest(world, body, time);
        if (body->rests && (body->state == WI_BODY_MOVED || !may_rest))
            wi_body_raise(body, WI_BODY_DIRTY);
        body->waits = body->state >= WI_BODY_DIRTY && may_rest;
        const bool changes = body->state >= WI_BODY_DIRTY && !body->waits;
        const bool ages = body->state < WI_BODY_DIRTY && wi_grown_ages(&body->geometry->tree);
        if ((changes || ages) && !list_update(world, body, time)) return false;
    }
    return true;
}

static void run_update(void *arg, uint32_t task, uint32_t worker)
{
    willow_world *world = arg;
    wi_update *u = &world->updates.items[task];
    WI_ASSERT(worker < world->tasks.worker_count && task < world->updates.count);
    WI_ASSERT_SLOW(wi_mesh_validate(u->mesh) == NULL); /* borrowed positions too (C7) */
    u->workspace = &world->workspaces[worker];
    const wi_method_ops *ops = wi_method_ops_for(u->def->method);
    const bool reads = wi_mesh_has_shapes(u->mesh) ? ops->reads_morphs : ops->reads_plans;
    if (!reads) wi_update_store_plan(u);
    u->result = ops->update(u);
}

/* Whether what is left to do is less than handing it out would cost: all positions were bounded
 * when they were set, and the nodes to look at are few. */
static bool is_little_work(const willow_world *world)
{
    enum { FEW_NODES = 2048 };
    uint64_t nodes = 0;
    for (size_t i = 0; i < world->updates.count; i++) {
        const wi_update *u = &world->updates.items[i];
        if (u->needs_build || u->known == WI_KNOWN_NOTHING) return false;
        nodes += u->h->shape->node_count;
    }
    return nodes < FEW_NODES;
}

/* Workers share out bodies; a single body is shared out among them instead. Loops are never nested:
 * a host's need not allow it. */
static void run_updates(willow_world *world)
{
    const willow_tasks serial = wi_serial_tasks();
    const willow_tasks *tasks = is_little_work(world) ? &serial : &world->tasks;
    if (world->updates.count == 1) {
        world->updates.items[0].tasks = *tasks;
        run_update(world, 0, 0);
    } else if (world->updates.count > 1) {
        tasks->parallel_for(tasks->context, (uint32_t)world->updates.count, run_update, world);
    }
}

/* Marks and places the bodies that are done; false if one is not. Workspaces stay where they are
 * soon needed again. */
static bool finish_updates(willow_world *world, willow_update_report *report)
{
    bool all_done = true, builds_again = false;
    for (size_t i = 0; i < world->updates.count; i++) {
        const wi_update *u = &world->updates.items[i];
        wi_body *body = world->bodies.items[u->body];
        const bool did_move = body->state == WI_BODY_MOVED;
        WI_ASSERT(body != NULL && &body->geometry->tree == u->h);
        body->geometry->changes++;
        if (u->result != WILLOW_OK) {
            const bool is_kept = u->outcome == WI_OUTCOME_KEPT && !u->is_edited;
            body->state = is_kept ? WI_BODY_DIRTY : WI_BODY_UNBUILT;
            body->geometry->known = WI_KNOWN_NOTHING;
            wi_geometry_forget_edits(body->geometry);
            all_done = false;
            continue;
        }
        body->state = WI_BODY_MOVED;
        body->geometry->is_pending = false;
        wi_inherited_free(&world->memory, &body->geometry->inherited);
        body->geometry->known = WI_KNOWN_NOTHING;
        wi_geometry_forget_edits(body->geometry);
        wi_moved_vertices_clear(body->geometry->tree.moved);
        wi_body_place(world, body);
        const bool did_build = u->outcome == WI_OUTCOME_BUILT && !u->is_inherited;
        body->geometry->builds += did_build;
        body->geometry->subtree_builds += u->subtrees_built;
        wi_kinetic_counts_add(&body->geometry->kinetic, &u->kinetic);
        builds_again = builds_again || body->geometry->wanted.method == WILLOW_METHOD_REBUILD;
        report->bodies_updated += u->known != WI_KNOWN_RESTS;
        report->bodies_moved += did_move; /* its tree was looked after, but followed no vertex */
        report->bodies_built += did_build;
        report->subtrees_built += u->subtrees_built;
        report->nodes_updated += u->nodes_updated;
        report->vertices_evaluated += u->vertices_evaluated;
        report->events += u->kinetic.events;
        report->values_updated += u->kinetic.values;
        report->queue_operations += u->kinetic.queue_ops;
        report->certificates_checked += u->kinetic.checked;
        report->plan_changes += u->kinetic.changes;
        report->setups += u->kinetic.setups;
    }
    if (!builds_again) free_workspaces(world);
    return all_done;
}

static bool update_listed(willow_world *world, willow_update_report *report)
{
    run_updates(world);
    return finish_updates(world, report);
}

/* Of those that wait, or are left alone, whoever meets something is updated; all others stay alone.
 * False if there is no memory. */
static bool settle_loose(willow_world *world, double time, willow_update_report *report)
{
    if (world->loose.count == 0) {
        wi_loose_free(world);
        return true;
    }
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL || body->state != WI_BODY_MOVED) continue;
        wi_body_place(world, body);
        report->bodies_moved++;
    }
    if (!wi_loose_find(world)) return false;
    world->updates.count = 0;
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL || !(body->waits || body->rests) || !body->is_met) continue;
        wi_body_raise(body, WI_BODY_DIRTY);
        if (!list_update(world, body, time)) return false;
    }
    if (!update_listed(world, report)) return false;
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL || body->is_met) continue;
        if (body->waits) wi_body_rest(world, body);
        report->bodies_left += body->rests;
    }
    return true;
}

/* False if there is no memory. */
static bool reserve_step_end(willow_world *world, wi_body *body)
{
    if (body->more->step_end) return true;
    body->more->step_end = wi_alloc(&world->memory, sizeof *body->more->step_end);
    if (body->more->step_end) *body->more->step_end = (wi_step_end){0};
    return body->more->step_end != NULL;
}

/* A trial of its own comes before the way along its plan. */
static bool make_step_end(willow_world *world, wi_body *body, double time)
{
    const bool has_trial = wi_trial_is_set(&body->more->trial);
    const bool follows = wi_mesh_has_paths(&body->geometry->mesh) && world->target_time > time;
    if (body->more->step_end) wi_step_end_drop(&world->memory, body->more->step_end);
    if (!has_trial && !follows) return true;
    if (!reserve_step_end(world, body)) return false;
    if (has_trial)
        return wi_step_end_make(&world->memory, world->refit, world->kernel, &body->geometry->tree,
                                &body->shown.pose, &body->more->trial, ++world->revision,
                                body->more->step_end);
    return wi_step_end_follow(&world->memory, world->refit, world->kernel, &body->geometry->tree,
                              world->target_time, ++world->revision, body->more->step_end);
}

static wi_motion motion_of(const wi_body *body)
{
    WI_ASSERT(!body->needs_step_end);
    const wi_step_end *end = body->more->step_end;
    if (end->is_flight)
        return (wi_motion){.end = &end->h, .flight = &end->flight, .bend = end->bend};
    return (wi_motion){.end = &end->h,
                       .spin = &end->spin,
                       .bend = end->bend,
                       .is_rigid = !wi_trial_bends(&body->more->trial)};
}

static wi_box light_bounds(const wi_body *body)
{
    const wi_shown *shown = &body->shown;
    return wi_instance_bounds(shown->kind == WI_SHOWN_LENT ? &shown->tree->boxes.bounds
                                                           : &shown->small->bounds,
                              &shown->pose);
}

/* A light body that did not move is where it was before, if that is known. */
static wi_query_body target_of(wi_body *body, const wi_query_body *before)
{
    WI_ASSERT(body->state == WI_BODY_CURRENT);
    if (wi_body_is_light(body))
        return (wi_query_body){.shown = &body->shown,
                               .bounds = before ? before->bounds : light_bounds(body)};
    wi_query_body target = {.shown = &body->shown,
                            .bounds = body->geometry->tree.boxes.world_bounds};
    if (body->more->step_end && body->more->step_end->is_set) {
        body->more->motion = motion_of(body);
        target.motion = &body->more->motion;
    }
    return target;
}

/* Places a body of which only the pose has changed, and makes the end of its step if that may be
 * another. False if there is no memory for one. */
static bool settle_body(willow_world *world, wi_body *body, double time,
                        willow_update_report *report)
{
    if (body->state == WI_BODY_MOVED) {
        wi_body_place(world, body);
        report->bodies_moved++;
    }
    if (!body->needs_step_end) return true;
    if (!make_step_end(world, body, time)) return false;
    body->needs_step_end = false;
    return true;
}

/* What is left to do of each body, in one pass, since there may be very many: the rest waits for
 * the next update if there is no memory, which false says. Targets have then no number, so that
 * they are all others. */
static bool settle_bodies(willow_world *world, double time, willow_update_report *report)
{
    const size_t before = world->targets.count;
    const bool are_as_many = before == world->body_count;
    size_t count = 0;
    if (!are_as_many) wi_target_tree_note_others(world); /* boxes before are not known */
    for (size_t i = 0; i < world->bodies.count; i++) {
        wi_body *body = world->bodies.items[i];
        if (body == NULL) continue;
        const wi_query_body *old = are_as_many ? &world->targets.items[count] : NULL;
        /* Whoever was placed before the targets were listed last, and has not moved, is there. */
        const bool stays = old && body->state == WI_BODY_CURRENT && old->shown == &body->shown &&
                           body->shown.placement <= world->targets_revision;
        if (!settle_body(world, body, time, report)) {
            world->targets.count = 0;
            return false;
        }
        const wi_query_body target = target_of(body, stays ? old : NULL);
        WI_ASSERT(count < world->targets.capacity);
        if (are_as_many) wi_target_tree_note(world, count, &target);
        world->targets.items[count++] = target;
    }
    world->targets.count = count;
    world->targets_revision = world->revision;
    return true;
}

/* False if there is no memory; calling it again resumes. Who is watched is not left alone. */
static bool update_bodies(willow_world *world, double time, bool is_stop,
                          willow_update_report *report)
{
    if (!list_updates(world, time, is_stop, report)) return false;
    wi_watches_run_out(world, time, is_stop);
    const bool all_done = update_listed(world, report);
    if (world->updates.count > 0) wi_bodies_follow_lenders(world);
    return all_done && (is_stop || settle_loose(world, time, report));
}

/* Bodies whose boxes somebody watches go from one change of their courses to the next. A body that
 * stopped is one that is updated, but not each time. */
static bool make_stops(willow_world *world, double time, willow_update_report *report)
{
    const size_t updated = report->bodies_updated;
    for (double stop = -(double)INFINITY; wi_watches_find_stop(world, time, &stop);) {
        if (!update_bodies(world, stop, true, report)) return false;
        wi_watches_follow_stop(world);
    }
    report->bodies_updated = updated;
    return true;
}

willow_result willow_world_update(willow_world *world, double time, willow_update_report *report)
{
    willow_update_report done = {0};
    if (report) *report = done;
    wi_message_clear(&world->message);
    if (!(time - time == 0.0))
        return wi_fail(&world->message, WILLOW_BAD_ARGUMENT, "a time of %g is not finite", time);
    world->is_stale = true; /* until it is done: bodies with plans are at two times in between */
    const bool all_done =
        make_stops(world, time, &done) && update_bodies(world, time, false, &done);
    end_updates(world);
    if (!all_done) {
        if (report) *report = done;
        return fail_update(world, "a hierarchy");
    }
    const bool are_settled = settle_bodies(world, time, &done);
    if (report) *report = done;
    if (!are_settled) return fail_update(world, "a trial step");
    wi_watches_follow(world);
    if (!wi_target_tree_follow(world)) return fail_update(world, "the tree over bodies");
    if (!wi_target_pairs_follow(world)) return fail_update(world, "the broad phase");
    WI_ASSERT(world->targets.count == world->body_count);
    world->time = time;
    world->update_count++;
    if (!(world->target_time > time)) world->target_time = -(double)INFINITY;
    world->is_stale = false;
    WI_ASSERT_SLOW(willow_world_validate(world, NULL, 0));
    return WILLOW_OK;
}
