/* watch_script.c - changes a world, and asks its watches and the world itself. */
#include "support/watch_script.h"

#include <stdlib.h>
#include "support/zoo_mesh.h"
#include "support/zoo_pose.h"
#include "willow/willow.h"

enum { MOST_BODIES = 4, MOST_WATCHES = 6 };

typedef struct watched {
    willow_watch *watch;
    willow_body_id a, b;
} watched;

typedef struct script {
    choices *c;
    watch_tally *tally;
    uint32_t body_count, size;
    willow_world *world;
    willow_scratch *scratch, *other; /* of the watches, of the questions without them */
    zoo_mesh meshes[MOST_BODIES];
    willow_body_id bodies[MOST_BODIES];
    watched watches[MOST_WATCHES];
    double time;
} script;

static char failure[512];

static bool fail_with(const char *what)
{
    if (failure[0] == '\0') (void)snprintf(failure, sizeof failure, "%s", what);
    return false;
}

static bool check(const script *s, willow_result result, const char *call)
{
    if (result == WILLOW_OK) return true;
    (void)snprintf(failure, sizeof failure, "%s says %s: %s", call, willow_result_name(result),
                   willow_world_message(s->world));
    return false;
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
    return tree;
}

static bool make_body(script *s, uint32_t number)
{
    const zoo_mesh *mesh = &s->meshes[number];
    willow_body_def def = willow_body_def_default();
    def.mesh = (willow_mesh_def){.positions = mesh->positions,
                                 .vertex_count = mesh->vertex_count,
                                 .indices = mesh->tris,
                                 .index_type = WILLOW_INDEX_U32,
                                 .triangle_count = mesh->triangle_count,
                                 .triangle_groups = mesh->groups,
                                 .group_masks = mesh->masks,
                                 .group_count = mesh->mask_count,
                                 .weld_exact = mesh->weld};
    def.tree = choose_tree(s->c);
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

static bool make_watch(script *s, uint32_t number)
{
    static const size_t limits[] = {0, 0, 0, 1, 1000, 20000};
    watched *w = &s->watches[number];
    willow_watch_def def = willow_watch_def_default();
    def.kind = (willow_watch_kind)choose(s->c, WILLOW_WATCH_COUNT);
    if (choose(s->c, 2) == 0) def.kind = WILLOW_WATCH_FRONT;
    def.max_bytes = limits[choose(s->c, 6)];
    willow_watch_destroy(w->watch);
    w->watch = NULL;
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
    const willow_tree_def tree = choose_tree(s->c);
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

static bool set_masks(script *s, uint32_t number)
{
    zoo_mesh *mesh = &s->meshes[number];
    zoo_mesh_mask(mesh, choose(s->c, 64));
    return check(
        s, willow_body_set_group_masks(s->world, s->bodies[number], mesh->masks, mesh->mask_count),
        "set_group_masks");
}

static bool make_again(script *s, uint32_t number)
{
    return check(s, willow_body_destroy(s->world, s->bodies[number]), "destroy") &&
           make_body(s, number);
}

static bool change_watch(script *s, uint32_t number)
{
    (void)number;
    return make_watch(s, choose(s->c, MOST_WATCHES));
}

static bool change_something(script *s)
{
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

static void note_info(script *s, const watched *w, const willow_watch_info *before)
{
    willow_watch_info info;
    (void)willow_watch_get_info(w->watch, &info);
    s->tally->kept += info.kept - before->kept;
    s->tally->looked_into += info.looked_into - before->looked_into;
    s->tally->restarts += info.restarts - before->restarts;
    s->tally->limited += info.is_limited;
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
    s->tally->questions++;
    *(w->a.index1 == w->b.index1 ? &s->tally->self_pairs : &s->tally->pairs) += got.count;
    return true;
}

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

static bool play_update(script *s)
{
    char reason[200];
    const uint32_t changes = choose(s->c, 4);
    for (uint32_t i = 0; i < changes; i++)
        if (!change_something(s)) return false;
    if (choose_one_in(s->c, 8) && !ask_watches(s)) return false; /* stale, mostly */
    s->time += choose(s->c, 2) == 0 ? 0.0 : 0.125;
    if (!check(s, willow_world_update(s->world, s->time, NULL), "update")) return false;
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
        if (!make_first_body(s, i)) return false;
    for (uint32_t i = 0; i < MOST_WATCHES; i++)
        if (!make_watch(s, i)) return false;
    return true;
}

const char *watch_script_run(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                             watch_tally *tally)
{
    script s = {.c = c, .tally = tally, .size = size};
    failure[0] = '\0';
    bool ok = open_script(&s, bodies);
    for (uint32_t i = 0; ok && i < updates && !choices_are_over(c); i++) ok = play_update(&s);
    willow_watch_destroy(s.watches[0].watch); /* the others go with the world */
    willow_scratch_destroy(s.scratch);
    willow_scratch_destroy(s.other);
    willow_world_destroy(s.world);
    for (uint32_t i = 0; i < s.body_count; i++) zoo_mesh_destroy(&s.meshes[i]);
    tally->scripts++;
    return ok ? NULL : failure;
}
