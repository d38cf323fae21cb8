/* watch_script.c - changes a world, and asks its watches and the world itself. */
#include "support/watch_script.h"
#include "support/fixture.h"

#include <math.h>
#include <stdlib.h>
#include "support/script_words.h"
#include "support/zoo_mesh.h"
#include "support/zoo_pose.h"
#include "willow/willow.h"
#include "world/world.h"

enum { MOST_BODIES = 4, MOST_WATCHES = 6 };

typedef struct watched {
    willow_watch *watch;
    willow_body_id a, b;
    size_t max_bytes;
    bool has_events; /* it was made to keep them */
    uint8_t *met;    /* by pair of leaves: met after the last update that had a list, or NULL */
    size_t met_bytes;
    willow_watch_info counted; /* after the last update */
} watched;

typedef struct script {
    choices *c;
    watch_tally *tally;
    bool on_plans; /* otherwise nothing is chosen for plans, so that bytes mean what they meant */
    uint32_t body_count, size;
    willow_world *world;
    willow_scratch *scratch, *other; /* of the watches, of the questions without them */
    zoo_mesh meshes[MOST_BODIES];
    willow_body_id bodies[MOST_BODIES];
    uint32_t removed[MOST_BODIES]; /* triangles that are gone: the first ones */
    watched watches[MOST_WATCHES];
    double time, last_time; /* of the next update, and of the last one that went well */
} script;

static bool fail_with(const char *what) { return script_fail(NULL, what); }

static bool check(const script *s, willow_result result, const char *call)
{
    return script_check(NULL, s->world, result, call);
}

/* ---- bodies ---- */

static willow_tree_def choose_tree(choices *c)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {0, 1, 2, 16};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = (willow_method)choose(c, WILLOW_METHOD_COUNT);
    tree.arity = arities[choose(c, 3)];
    tree.leaf_triangles = leaves[choose(c, 4)];
    tree.build = (willow_build)choose(c, WILLOW_BUILD_COUNT);
    if (choose_one_in(c, 6)) tree.rebuild_ratio = 1.0F;
    if (choose_one_in(c, 6)) tree.margin = 0.05F;
    tree.events = (willow_events)(tree.build % WILLOW_EVENTS_COUNT); /* bytes mean what they did */
    return tree;
}

/* Mostly one that lists are for. */
static willow_tree_def choose_tree_for(const script *s)
{
    willow_tree_def tree = choose_tree(s->c);
    if (!s->on_plans || choose_one_in(s->c, 6)) return tree;
    tree.method = WILLOW_METHOD_KINETIC_AABB;
    return tree;
}

static bool make_body(script *s, uint32_t number)
{
    s->removed[number] = 0;
    willow_body_def def = willow_body_def_default();
    def.mesh = zoo_mesh_def(&s->meshes[number]);
    def.tree = choose_tree_for(s);
    def.self = choose(s->c, 2) == 1;
    if (choose_one_in(s->c, 6)) def.mask_bits = 0;
    return check(s, willow_body_create(s->world, &def, &s->bodies[number]), "create");
}

static bool make_first_body(script *s, uint32_t number)
{
    const zoo_kind kind = (zoo_kind)choose(s->c, ZOO_KIND_COUNT);
    zoo_mesh_create(&s->meshes[number], kind, 1 + choose(s->c, s->size), choose(s->c, 256));
    if (choose_one_in(s->c, 4)) zoo_mesh_group(&s->meshes[number], choose(s->c, 64));
    return make_body(s, number);
}

/* ---- watches ---- */

static void choose_list(choices *c, willow_watch_def *def)
{
    if (choose_one_in(c, 4)) return;
    def->kind = choose(c, 3) == 0 ? WILLOW_WATCH_AUTO : WILLOW_WATCH_LIST;
    def->events = choose(c, 2) == 0;
    if (choose(c, 2) == 0) def->max_bytes = 0;
}

static bool make_watch(script *s, uint32_t number)
{
    static const size_t limits[] = {0, 0, 0, 1, 1000, 20000};
    watched *w = &s->watches[number];
    willow_watch_def def = willow_watch_def_default();
    def.kind = (willow_watch_kind)choose(s->c, WILLOW_WATCH_COUNT);
    if (choose(s->c, 2) == 0) def.kind = WILLOW_WATCH_FRONT;
    def.max_bytes = limits[choose(s->c, 6)];
    if (s->on_plans) choose_list(s->c, &def);
    willow_watch_destroy(w->watch);
    free(w->met);
    *w = (watched){.has_events = def.events, .max_bytes = def.max_bytes};
    w->a = s->bodies[choose(s->c, s->body_count)];
    w->b = s->bodies[choose(s->c, s->body_count)];
    return check(s, willow_watch_create(s->world, &def, w->a, w->b, &w->watch), "watch");
}

/* ---- changes ---- */

static bool move_vertices(script *s, uint32_t number)
{
    zoo_mesh *mesh = &s->meshes[number];
    if (mesh->vertex_count == 0) return true;
    const bool all = choose(s->c, 2) == 0;
    const uint32_t first = all ? 0 : choose(s->c, mesh->vertex_count);
    const uint32_t count = all ? mesh->vertex_count : 1 + choose(s->c, mesh->vertex_count - first);
    zoo_mesh_move(mesh, choose(s->c, 4), first, count);
    return check(s,
                 willow_body_set_vertices(s->world, s->bodies[number], first, count,
                                          mesh->positions[first], 0),
                 "set_vertices");
}

/* Where they are: nothing moves, but the world does not know. */
static bool set_the_same(script *s, uint32_t number)
{
    zoo_mesh *mesh = &s->meshes[number];
    willow_vec3 *now = calloc((size_t)mesh->vertex_count + 1, sizeof *now);
    const willow_pose still = willow_pose_identity();
    bool ok =
        check(s, willow_body_set_pose(s->world, s->bodies[number], &still), "set_pose") &&
        check(s, willow_world_update(s->world, s->time, NULL), "update") &&
        check(s, willow_body_copy_vertices(s->world, s->bodies[number], 0, mesh->vertex_count, now),
              "copy") &&
        check(s,
              willow_body_set_vertices(s->world, s->bodies[number], 0, mesh->vertex_count, now, 0),
              "set_vertices");
    free(now);
    return ok;
}

static bool set_pose(script *s, uint32_t number)
{
    const zoo_pose_kind kind = (zoo_pose_kind)choose(s->c, ZOO_POSE_COUNT);
    const willow_pose pose = zoo_pose_make(kind, 1, choose(s->c, 64));
    return check(s, willow_body_set_pose(s->world, s->bodies[number], &pose), "set_pose");
}

static bool set_tree(script *s, uint32_t number)
{
    const willow_tree_def tree = choose_tree_for(s);
    return check(s, willow_body_set_tree(s->world, s->bodies[number], &tree), "set_tree");
}

static bool set_velocities(script *s, uint32_t number)
{
    const uint32_t count = s->meshes[number].vertex_count;
    float *v = calloc(3 * (size_t)count + 3, sizeof *v);
    for (uint32_t i = 0; i < 3 * count; i++)
        v[i] = choose(s->c, 2) == 0 ? 0.0F : (float)choose_number(s->c, true);
    bool ok = check(s, willow_body_set_velocities(s->world, s->bodies[number], 0, count, v, 0),
                    "set_velocities");
    free(v);
    return ok;
}

static bool set_accelerations(script *s, uint32_t number)
{
    const uint32_t count = s->meshes[number].vertex_count;
    if (count == 0) return true;
    const uint32_t first = choose(s->c, count), some = 1 + choose(s->c, count - first);
    float *v = calloc(3 * (size_t)some, sizeof *v);
    for (uint32_t i = 0; i < 3 * some; i++)
        v[i] = choose(s->c, 2) == 0 ? 0.0F : (float)choose_number(s->c, true);
    bool ok =
        check(s, willow_body_set_accelerations(s->world, s->bodies[number], first, some, v, 0),
              "set_accelerations");
    free(v);
    return ok;
}

static bool set_one_path(script *s, uint32_t number)
{
    const uint32_t count = s->meshes[number].vertex_count;
    if (count == 0) return true;
    const uint32_t vertex = choose(s->c, count);
    const willow_vertex_plan plan = {
        .velocity = {(float)choose_number(s->c, true), (float)choose_number(s->c, false), 0.0F}};
    return check(s, willow_body_set_vertex_plan(s->world, s->bodies[number], vertex, &plan),
                 "set_vertex_plan");
}

/* Frames of the mesh, pushed by eighths, from around now on; the last ones may be the same. */
static bool set_keys(script *s, uint32_t number)
{
    enum { MOST_KEYS = 5 };
    zoo_mesh *mesh = &s->meshes[number];
    const size_t floats = 3 * (size_t)mesh->vertex_count;
    double times[MOST_KEYS];
    willow_flightplan plan = willow_flightplan_default();
    plan.keyframe_count = 1 + choose(s->c, MOST_KEYS);
    float *keys = calloc(plan.keyframe_count * floats + 1, sizeof *keys);
    double time = s->time + 0.25 * ((double)choose(s->c, 4) - 2.0);
    for (uint32_t key = 0; key < plan.keyframe_count; key++) {
        const float near = (float)choose_number(s->c, true);
        const float push = near == -1.0F ? -0x1p20F : near; /* where floats are coarse */
        zoo_mesh_move(mesh, choose(s->c, 4), 0, mesh->vertex_count);
        for (size_t i = 0; i < floats; i++)
            keys[key * floats + i] = mesh->positions[i / 3][i % 3] + (i % 3 == 0 ? push : 0.0F);
        times[key] = time;
        time += (1.0 + choose(s->c, 8)) / 8.0;
    }
    plan.positions = keys;
    plan.times = times;
    bool ok =
        check(s, willow_body_set_flightplan(s->world, s->bodies[number], &plan), "set_flightplan");
    free(keys);
    return ok;
}

/* Some stand at first. */
static bool set_out(script *s, uint32_t number)
{
    return choose_one_in(s->c, 4) ||
           (choose(s->c, 2) == 0 ? set_keys(s, number) : set_velocities(s, number));
}

static bool remove_pose(script *s, uint32_t number)
{
    const willow_pose still = willow_pose_identity();
    return check(s, willow_body_set_pose(s->world, s->bodies[number], &still), "set_pose");
}

static bool set_masks(script *s, uint32_t number)
{
    zoo_mesh *mesh = &s->meshes[number];
    zoo_mesh_mask(mesh, choose(s->c, 64));
    return check(
        s, willow_body_set_group_masks(s->world, s->bodies[number], mesh->masks, mesh->mask_count),
        "set_group_masks");
}

/* Another corner for a triangle, or none of it any more. */
static bool edit_body(script *s, uint32_t number)
{
    const zoo_mesh *mesh = &s->meshes[number];
    const uint32_t first = s->removed[number];
    if (first >= mesh->triangle_count) return true;
    const willow_tri tri = first + choose(s->c, mesh->triangle_count - first);
    const uint32_t corners[3] = {mesh->tris[tri][0], mesh->tris[tri][1],
                                 choose(s->c, mesh->vertex_count)};
    willow_edit edit = willow_edit_default();
    if (tri == first) {
        edit.remove_triangles = &tri;
        edit.remove_triangle_count = 1;
        s->removed[number]++;
    } else {
        edit.replace_triangles = &tri;
        edit.replace_indices = corners;
        edit.replace_triangle_count = 1;
    }
    s->tally->edits++;
    return check(s, willow_body_edit(s->world, s->bodies[number], &edit, NULL, NULL), "edit");
}

static bool make_again(script *s, uint32_t number)
{
    const bool edits = s->on_plans ? choose(s->c, 2) == 0 : s->tally->updates % 2 == 1;
    if (edits) return edit_body(s, number);
    return check(s, willow_body_destroy(s->world, s->bodies[number]), "destroy") &&
           make_body(s, number);
}

static bool change_watch(script *s, uint32_t number)
{
    (void)number;
    return make_watch(s, choose(s->c, MOST_WATCHES));
}

static bool change_plans(script *s)
{
    static bool (*const changes[])(script *, uint32_t) = {
        set_keys,     set_keys,     set_keys,      set_velocities, set_accelerations,
        set_one_path, set_one_path, move_vertices, set_pose,       remove_pose,
        remove_pose,  set_tree,     set_masks,     make_again,     change_watch};
    return changes[choose(s->c, 15)](s, choose(s->c, s->body_count));
}

static bool change_something(script *s)
{
    if (s->on_plans) return change_plans(s);
    static bool (*const changes[])(script *, uint32_t) = {
        move_vertices, move_vertices,  move_vertices, set_the_same, set_pose,    set_pose,
        set_tree,      set_velocities, set_masks,     make_again,   change_watch};
    return changes[choose(s->c, 11)](s, choose(s->c, s->body_count));
}

/* ---- questions ---- */

static bool keep_some(void *context, willow_tri_ref a, willow_tri_ref b)
{
    (void)context;
    return (a.tri + b.tri) % 3 != 0;
}

static willow_query_options choose_options(choices *c)
{
    willow_query_options o = willow_query_options_default();
    o.skip_neighbours = choose_one_in(c, 4);
    o.test_flat = choose_one_in(c, 4);
    o.witness = choose_one_in(c, 4);
    o.use_threads = choose_one_in(c, 3);
    o.descend = (willow_descend)choose(c, WILLOW_DESCEND_COUNT);
    if (choose_one_in(c, 4)) o.max_results = 1 + choose(c, 8);
    if (choose_one_in(c, 4)) o.filter = keep_some;
    return o;
}

/* The same question without the watch: of the pairs among two bodies the run between them. */
static willow_result ask_world(const script *s, const watched *w, willow_query_options options,
                               willow_pairs *out, willow_pair_run *run)
{
    const willow_body_id both[2] = {w->a, w->b};
    const bool is_within = w->a.index1 == w->b.index1;
    const size_t limit = options.max_results;
    options.bodies = both;
    options.body_count = is_within ? 1 : 2;
    options.max_results = 0;
    options.use_threads = false;
    willow_result result = is_within ? willow_find_self_pairs(s->world, s->other, &options, out)
                                     : willow_find_pairs(s->world, s->other, &options, out);
    *run = (willow_pair_run){.count = 0};
    for (size_t i = 0; i < out->run_count; i++)
        if (is_within || out->runs[i].body_a.index1 != out->runs[i].body_b.index1)
            *run = out->runs[i];
    out->complete = limit == 0 || run->count <= limit;
    if (!out->complete) run->count = limit;
    return result;
}

static bool are_same(const willow_pairs *got, const willow_pairs *all, const willow_pair_run *run)
{
    if (got->count != run->count || got->complete != all->complete ||
        got->run_count != (run->count > 0))
        return false;
    if (run->count == 0) return true;
    const willow_pair_run *own = &got->runs[0];
    return memcmp(&own->body_a, &run->body_a, sizeof own->body_a) == 0 &&
           memcmp(&own->body_b, &run->body_b, sizeof own->body_b) == 0 && own->first == 0 &&
           own->count == run->count &&
           memcmp(got->items, all->items + run->first, run->count * sizeof *got->items) == 0 &&
           (got->witnesses == NULL) == (all->witnesses == NULL) &&
           (got->witnesses == NULL || memcmp(got->witnesses, all->witnesses + run->first,
                                             run->count * sizeof *got->witnesses) == 0);
}

static bool is_listed(const willow_pairs *all, size_t first, size_t count,
                      const willow_first_pair *pair)
{
    for (size_t i = first; i < first + count; i++)
        if (all->items[i].tri_a == pair->a.tri && all->items[i].tri_b == pair->b.tri)
            return all->witnesses == NULL ||
                   memcmp(&all->witnesses[i], &pair->witness, sizeof pair->witness) == 0;
    return false;
}

/* A first pair of a watch is one of all, with its witness, and there is one if there are any. `run`
 * may have been cut off by a limit, which does not count here. */
static bool ask_first(script *s, const watched *w, const willow_query_options *options,
                      const willow_pairs *all, const willow_pair_run *run)
{
    willow_first_pair first;
    willow_watch_info before, after;
    size_t count = 0;
    for (size_t i = 0; i < all->run_count; i++)
        if (all->runs[i].first == run->first && run->count > 0) count = all->runs[i].count;
    (void)willow_watch_get_info(w->watch, &before);
    if (willow_watch_find_first_pair(w->watch, s->scratch, options, &first) != WILLOW_OK)
        return fail_with("a first pair fails where all pairs do not");
    if (first.found != (count > 0)) return fail_with("a watch has another opinion on first pairs");
    if (first.found && !is_listed(all, run->first, count, &first))
        return fail_with("a first pair of a watch is none of all");
    if (first.found && (memcmp(&first.a.body, &run->body_a, sizeof run->body_a) != 0 ||
                        memcmp(&first.b.body, &run->body_b, sizeof run->body_b) != 0))
        return fail_with("a first pair of a watch is of other bodies");
    (void)willow_watch_get_info(w->watch, &after);
    s->tally->recognised += after.recognised - before.recognised;
    return true;
}

static void note_info(script *s, const watched *w, const willow_watch_info *before)
{
    willow_watch_info info;
    (void)willow_watch_get_info(w->watch, &info);
    s->tally->kept += info.kept - before->kept;
    s->tally->looked_into += info.looked_into - before->looked_into;
    s->tally->restarts += info.restarts - before->restarts;
    s->tally->limited += info.is_limited;
    s->tally->lists += info.kind == WILLOW_WATCH_LIST;
}

static bool ask_watch(script *s, const watched *w)
{
    const willow_query_options options = choose_options(s->c);
    willow_pairs got, all;
    willow_pair_run run;
    willow_watch_info before, after;
    (void)willow_watch_get_info(w->watch, &before);
    const willow_result result = willow_watch_find_pairs(w->watch, s->scratch, &options, &got);
    const willow_result wanted = ask_world(s, w, options, &all, &run);
    if (result != wanted)
        return fail_with("a watch fails in another way than the question without it");
    s->tally->gone += result == WILLOW_BAD_HANDLE;
    if (result != WILLOW_OK) return got.count == 0 || fail_with("a failed question has an answer");
    if (!are_same(&got, &all, &run)) return fail_with("a watch finds other pairs");
    note_info(s, w, &before);
    (void)willow_watch_get_info(w->watch, &after);
    if (w->watch && after.bytes > 0 && after.kind == WILLOW_WATCH_ROOTS)
        return fail_with("a watch holds memory and begins at the roots");
    if (w->max_bytes > 0 && after.bytes > w->max_bytes)
        return fail_with("a watch holds more than it may");
    s->tally->questions++;
    *(w->a.index1 == w->b.index1 ? &s->tally->self_pairs : &s->tally->pairs) += got.count;
    return ask_first(s, w, &options, &all, &run);
}

/* ---- events ---- */

static const wi_tree *tree_of(const script *s, willow_body_id id)
{
    return &s->world->bodies.items[id.index1 - 1]->geometry->tree;
}

static uint8_t *leaves_that_meet(const watched *w, const wi_tree *a, const wi_tree *b,
                                 size_t *bytes)
{
    const wi_separation *list = &w->watch->list;
    wi_leaf_pair *pairs = malloc((list->leaf_pairs + 1) * sizeof *pairs);
    *bytes = (size_t)a->shape->leaf_count * b->shape->leaf_count;
    uint8_t *is = calloc(*bytes + 1, 1);
    wi_separation_leaves(list, pairs);
    for (size_t i = 0; i < list->leaf_pairs; i++)
        is[(size_t)pairs[i].a * b->shape->leaf_count + pairs[i].b] = 1;
    free(pairs);
    return is;
}

/* They begin where nothing met and cease where something did. */
static bool replay(script *s, watched *w, const willow_leaf_events *events, const wi_tree *a,
                   const wi_tree *b)
{
    double last = s->last_time;
    for (size_t i = 0; i < events->count; i++) {
        const willow_leaf_event *e = &events->items[i];
        const uint32_t leaf_a = e->leaf_a - a->shape->node_count,
                       leaf_b = e->leaf_b - b->shape->node_count;
        if (leaf_a >= a->shape->leaf_count || leaf_b >= b->shape->leaf_count)
            return fail_with("an event is of no leaf");
        uint8_t *bit = &w->met[(size_t)leaf_a * b->shape->leaf_count + leaf_b];
        if (!(e->time >= last)) return fail_with("an event comes too early");
        if (!(e->time <= s->time)) return fail_with("an event comes too late");
        if (*bit == e->begins) return fail_with("leaves begin twice to meet, or cease to");
        *bit = e->begins;
        last = e->time;
        *(e->begins ? &s->tally->begun : &s->tally->ceased) += 1;
    }
    return true;
}

/* What is counted by kind is what is told, and box after box is in as many entries as there are. */
static bool check_counts(watched *w, const willow_leaf_events *events)
{
    const willow_watch_info before = w->counted;
    size_t begun = 0;
    for (size_t i = 0; i < events->count; i++) begun += events->items[i].begins;
    (void)willow_watch_get_info(w->watch, &w->counted);
    const willow_watch_info *now = &w->counted;
    const willow_list_measures *m = &now->list_measures;
    if (now->list_entries == 0 || !(m->bytes_per_entry > 0.0) ||
        !(m->entries_per_box <= (double)m->entries_per_box_most))
        return fail_with("a list measures itself wrongly");
    if (!events->complete) return true;
    if (now->list_leaves_apart - before.list_leaves_apart != events->count - begun)
        return fail_with("leaves that cease to meet are counted wrongly");
    if (now->list_overlaps - before.list_overlaps < begun)
        return fail_with("boxes that begin to meet are counted wrongly");
    return true;
}

static bool check_events(script *s, watched *w)
{
    willow_leaf_events events;
    const willow_result result = willow_watch_events(w->watch, &events);
    const bool has = result == WILLOW_OK;
    if (!has && result != WILLOW_UNSUPPORTED) return fail_with("events fail in another way");
    if (has && !w->has_events) return fail_with("events that nobody wanted");
    if (!has) {
        free(w->met);
        w->met = NULL;
        return true;
    }
    const wi_tree *a = tree_of(s, w->watch->a), *b = tree_of(s, w->watch->b);
    size_t bytes;
    uint8_t *is = leaves_that_meet(w, a, b, &bytes);
    bool ok = check_counts(w, &events);
    if (ok && events.complete) {
        ok = w->met ? replay(s, w, &events, a, b) : fail_with("complete, but after nothing");
        if (ok && (bytes != w->met_bytes || memcmp(is, w->met, bytes) != 0))
            ok = fail_with("events lead to other leaves that meet");
    } else {
        s->tally->gaps++;
    }
    free(w->met);
    w->met = is;
    w->met_bytes = bytes;
    return ok;
}

static bool check_all_events(script *s)
{
    for (uint32_t i = 0; i < MOST_WATCHES; i++)
        if (!check_events(s, &s->watches[i])) return false;
    return true;
}

/* ---- the script ---- */

/* A watch of dead bodies is sooner or later replaced by another one. */
static bool ask_watches(script *s)
{
    for (uint32_t i = 0; i < MOST_WATCHES; i++) {
        const watched *w = &s->watches[i];
        if (!ask_watch(s, w)) return false;
        const bool is_alive =
            willow_body_is_alive(s->world, w->a) && willow_body_is_alive(s->world, w->b);
        if (!is_alive && choose(s->c, 2) == 0 && !make_watch(s, i)) return false;
    }
    return true;
}

static double choose_time(script *s)
{
    if (!s->on_plans) return s->time + (choose(s->c, 2) == 0 ? 0.0 : 0.125);
    switch (choose(s->c, 8)) {
    case 0: return s->time;
    case 1: return s->time - choose(s->c, 16) / 16.0;
    case 2: return s->time + choose(s->c, 64) / 8.0;
    case 3: return nextafter(s->time, (double)INFINITY);
    case 4: return s->time + choose(s->c, 256) * 1e-3;
    default: return s->time + choose(s->c, 16) / 32.0;
    }
}

static bool play_update(script *s)
{
    char reason[200];
    const uint32_t changes = s->on_plans && choose(s->c, 3) > 0 ? 0 : choose(s->c, 4);
    for (uint32_t i = 0; i < changes; i++)
        if (!change_something(s)) return false;
    if (choose_one_in(s->c, 8) && !ask_watches(s)) return false; /* stale, mostly */
    s->time = choose_time(s);
    if (!check(s, willow_world_update(s->world, s->time, NULL), "update")) return false;
    if (!check_all_events(s)) return false;
    s->last_time = s->time;
    if (!willow_world_validate(s->world, reason, sizeof reason)) return fail_with(reason);
    s->tally->updates++;
    return ask_watches(s) && (choose(s->c, 2) == 0 || ask_watches(s));
}

static bool open_script(script *s, uint32_t bodies)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = choose_one_in(s->c, 3) ? 3 : 1;
    s->body_count = 1 + choose(s->c, bodies);
    if (willow_world_create(&def, &s->world) != WILLOW_OK ||
        willow_scratch_create(s->world, &s->scratch) != WILLOW_OK ||
        willow_scratch_create(s->world, &s->other) != WILLOW_OK)
        return fail_with("no memory");
    for (uint32_t i = 0; i < s->body_count; i++)
        if (!make_first_body(s, i) || (s->on_plans && !set_out(s, i))) return false;
    for (uint32_t i = 0; i < MOST_WATCHES; i++)
        if (!make_watch(s, i)) return false;
    return true;
}

static const char *run(script *s, uint32_t bodies, uint32_t updates)
{
    script_words_clear();
    bool ok = open_script(s, bodies);
    for (uint32_t i = 0; ok && i < updates && !choices_are_over(s->c); i++) ok = play_update(s);
    willow_watch_destroy(s->watches[0].watch); /* the others go with the world */
    willow_scratch_destroy(s->scratch);
    fixture_close(s->world, s->other);
    for (uint32_t i = 0; i < s->body_count; i++) zoo_mesh_destroy(&s->meshes[i]);
    for (uint32_t i = 0; i < MOST_WATCHES; i++) free(s->watches[i].met);
    s->tally->scripts++;
    return script_words(ok);
}

const char *watch_script_run(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                             watch_tally *tally)
{
    script s = {.c = c, .tally = tally, .size = size};
    return run(&s, bodies, updates);
}

const char *watch_script_run_plans(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                                   watch_tally *tally)
{
    script s = {.c = c, .tally = tally, .size = size, .on_plans = true};
    return run(&s, bodies, updates);
}
