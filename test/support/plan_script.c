/* plan_script.c - plays flight plans in several worlds at once and compares them. */
#include "support/plan_script.h"
#include "support/contact_hash.h"

#include <math.h>
#include <stdlib.h>
#include "support/plan_model.h"
#include "support/script_words.h"
#include "support/zoo_pose.h"
#include "willow/willow.h"

enum { STREAM, BATCH, ANY, STRAIGHT, BOX_STREAM, BOX_BATCH, BRUTE, WORLDS, MOST_BODIES = 4 };

static const char *const world_names[WORLDS] = {"stream",     "batch",     "any method", "straight",
                                                "box stream", "box batch", "brute"};

typedef struct actor {
    zoo_mesh mesh;
    plan_model model;
    float *vectors; /* room for what setters are given: three per vertex and keyframe */
} actor;

typedef struct script {
    choices *c;
    plan_tally *tally;
    uint32_t body_count;
    actor actors[MOST_BODIES];
    willow_world *worlds[WORLDS];
    willow_scratch *scratches[WORLDS];
    willow_body_id ids[WORLDS][MOST_BODIES];
    willow_tree_def trees[WORLDS][MOST_BODIES];
    double time, time_unit;
} script;

/* ---- what can go wrong ---- */

static bool fail_in(int world, const char *what) { return script_fail(world_names[world], what); }

static bool check_result(const script *s, int world, willow_result result, const char *call)
{
    return script_check(world_names[world], s->worlds[world], result, call);
}

/* ---- worlds ---- */

static willow_tree_def choose_tree(choices *c, int world)
{
    static const uint32_t arities[] = {8, 2, 4}, leaves[] = {1, 2, 16, 0};
    static const willow_events events[] = {WILLOW_EVENTS_BATCH, WILLOW_EVENTS_STREAM,
                                           WILLOW_EVENTS_NONE};
    willow_tree_def tree = willow_tree_def_default();
    tree.method = world == BRUTE ? WILLOW_METHOD_BRUTE
                  : world == ANY ? (willow_method)choose(c, WILLOW_METHOD_COUNT)
                                 : WILLOW_METHOD_KINETIC_AABB;
    tree.events = world == STREAM ? WILLOW_EVENTS_STREAM
                  : world == ANY  ? events[choose(c, WILLOW_EVENTS_COUNT)]
                                  : WILLOW_EVENTS_BATCH;
    if (world == BRUTE) return tree;
    tree.arity = arities[choose(c, 3)];
    tree.leaf_triangles = leaves[choose(c, 4)];
    tree.build = (willow_build)choose(c, WILLOW_BUILD_COUNT);
    tree.search_keyframes = choose(c, 2) == 1;
    tree.exact_events = tree.search_keyframes; /* of another method */
    if (choose_one_in(c, 8)) tree.rebuild_ratio = 1.0F;
    if (choose_one_in(c, 8)) tree.margin = 0.05F;
    return tree;
}

/* Trees without events and BoxTrees are as the others are, so that bytes mean what they meant
 * before there were any. */
static willow_tree_def tree_for(script *s, int world, uint32_t number)
{
    const bool is_box = world == BOX_STREAM || world == BOX_BATCH, is_straight = world == STRAIGHT;
    willow_tree_def *tree = &s->trees[world][number];
    *tree = is_box || is_straight ? s->trees[world == BOX_BATCH ? BATCH : STREAM][number]
                                  : choose_tree(s->c, world);
    if (is_box) tree->method = WILLOW_METHOD_KINETIC_BOXTREE;
    if (is_straight) tree->events = WILLOW_EVENTS_NONE;
    return *tree;
}

static bool make_body(script *s, int world, uint32_t number)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = zoo_mesh_def(&s->actors[number].mesh);
    def.tree = tree_for(s, world, number);
    def.self = true;
    return check_result(s, world,
                        willow_body_create(s->worlds[world], &def, &s->ids[world][number]),
                        "willow_body_create");
}

static bool make_world(script *s, int world)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = world == ANY && choose_one_in(s->c, 8) ? 2 : 1;
    if (willow_world_create(&def, &s->worlds[world]) != WILLOW_OK ||
        willow_scratch_create(s->worlds[world], &s->scratches[world]) != WILLOW_OK)
        return fail_in(world, "no memory");
    for (uint32_t i = 0; i < s->body_count; i++)
        if (!make_body(s, world, i)) return false;
    return true;
}

static void make_actor(script *s, actor *a, uint32_t size)
{
    const zoo_kind kind = (zoo_kind)choose(s->c, ZOO_KIND_COUNT);
    zoo_mesh_create(&a->mesh, kind, 1 + choose(s->c, size), choose(s->c, 256));
    plan_model_make(&a->model, &a->mesh);
    a->vectors = calloc(3 * (size_t)PLAN_MODEL_KEYS * a->mesh.vertex_count + 1, sizeof *a->vectors);
}

static bool open_script(script *s, uint32_t bodies, uint32_t size)
{
    static const double units[] = {1.0, 0.125, 1e-9, 1e9, 1e3}, starts[] = {0.0, 1.0, 1e9, -1e9};
    s->time_unit = units[choose(s->c, 5)];
    s->time = choose_one_in(s->c, 3) ? starts[choose(s->c, 4)] : 0.0;
    if (s->time_unit < fabs(s->time) * 1e-9) s->time_unit = fabs(s->time) * 1e-9;
    s->body_count = 1 + choose(s->c, bodies);
    for (uint32_t i = 0; i < s->body_count; i++) make_actor(s, &s->actors[i], size);
    for (int world = 0; world < WORLDS; world++) {
        if (!make_world(s, world)) return false;
        if (s->time != 0.0 &&
            !check_result(s, world, willow_world_update(s->worlds[world], s->time, NULL), "update"))
            return false;
    }
    return true;
}

static void close_script(script *s)
{
    for (int world = 0; world < WORLDS; world++) {
        willow_scratch_destroy(s->scratches[world]);
        willow_world_destroy(s->worlds[world]);
    }
    for (uint32_t i = 0; i < s->body_count; i++) {
        zoo_mesh_destroy(&s->actors[i].mesh);
        plan_model_free(&s->actors[i].model);
        free(s->actors[i].vectors);
    }
}

/* ---- changes ---- */

typedef struct range {
    uint32_t first, count;
} range;

/* One vertex, some, or all. */
static range choose_range(choices *c, uint32_t vertices)
{
    const uint32_t kind = choose(c, 4);
    if (vertices == 0 || kind == 0) return (range){0, vertices};
    const uint32_t first = choose(c, vertices);
    return (range){first, kind == 1 ? 1 : 1 + choose(c, vertices - first)};
}

/* All different, all equal, or few different ones, so that many vertices travel together. */
static void choose_vectors(choices *c, uint32_t count, double size, float *out)
{
    const uint32_t kind = choose(c, 4);
    const bool is_coarse = choose(c, 2) == 0;
    for (uint32_t i = 0; i < 3 * count; i++) {
        const bool is_new = kind < 2 || i < 3 || (kind == 2 && choose(c, 4) == 0);
        out[i] = is_new ? (float)(size * choose_number(c, is_coarse)) : out[i - 3];
    }
}

/* Calls a setter in all worlds. */
#define IN_ALL_WORLDS(s, number, call, ...)                                                        \
    do {                                                                                           \
        for (int world = 0; world < WORLDS; world++)                                               \
            if (!check_result(s, world,                                                            \
                              call((s)->worlds[world], (s)->ids[world][number], __VA_ARGS__),      \
                              #call))                                                              \
                return false;                                                                      \
    } while (0)

static bool change_velocities(script *s, uint32_t number)
{
    actor *a = &s->actors[number];
    const range r = choose_range(s->c, a->mesh.vertex_count);
    choose_vectors(s->c, r.count, 1.0 / s->time_unit, a->vectors);
    IN_ALL_WORLDS(s, number, willow_body_set_velocities, r.first, r.count, a->vectors, 0);
    for (uint32_t i = 0; i < r.count; i++)
        plan_model_set_path(&a->model, s->time, r.first + i, a->vectors + 3 * (size_t)i, NULL);
    return true;
}

static bool change_accelerations(script *s, uint32_t number)
{
    actor *a = &s->actors[number];
    const range r = choose_range(s->c, a->mesh.vertex_count);
    choose_vectors(s->c, r.count, 2.0 / (s->time_unit * s->time_unit), a->vectors);
    IN_ALL_WORLDS(s, number, willow_body_set_accelerations, r.first, r.count, a->vectors, 0);
    for (uint32_t i = 0; i < r.count; i++)
        plan_model_set_path(&a->model, s->time, r.first + i, NULL, a->vectors + 3 * (size_t)i);
    return true;
}

static bool change_one(script *s, uint32_t number)
{
    actor *a = &s->actors[number];
    if (a->mesh.vertex_count == 0) return true;
    const uint32_t vertex = choose(s->c, a->mesh.vertex_count);
    float v[6];
    choose_vectors(s->c, 1, 1.0 / s->time_unit, v);
    choose_vectors(s->c, 1, 2.0 / (s->time_unit * s->time_unit), v + 3);
    const willow_vertex_plan plan = {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}};
    IN_ALL_WORLDS(s, number, willow_body_set_vertex_plan, vertex, &plan);
    plan_model_set_path(&a->model, s->time, vertex, v, v + 3);
    return true;
}

/* Frames of the mesh, or itself thrown about by eighths, from around now on. */
static void choose_keys(script *s, actor *a, uint32_t keys)
{
    const uint32_t count = a->mesh.vertex_count;
    const bool is_thrown = choose(s->c, 2) == 1;
    for (uint32_t key = 0; key < keys; key++) {
        float *out = a->vectors + 3 * (size_t)key * count;
        zoo_mesh_move(&a->mesh, is_thrown ? 0 : choose(s->c, 6), 0, count);
        for (uint32_t i = 0; i < 3 * count; i++) {
            out[i] = a->mesh.positions[i / 3][i % 3];
            if (is_thrown && choose(s->c, 2) == 0) out[i] += (float)choose_number(s->c, true);
        }
    }
}

static bool change_keys(script *s, uint32_t number)
{
    actor *a = &s->actors[number];
    double times[PLAN_MODEL_KEYS];
    willow_flightplan plan = willow_flightplan_default();
    plan.keyframe_count = 1 + choose(s->c, PLAN_MODEL_KEYS);
    choose_keys(s, a, plan.keyframe_count);
    times[0] = s->time + s->time_unit * ((double)choose(s->c, 5) - 2.0);
    for (uint32_t key = 1; key < plan.keyframe_count; key++)
        times[key] = times[key - 1] + s->time_unit * (1.0 + choose(s->c, 16)) / 8.0;
    plan.positions = a->vectors;
    plan.times = times;
    IN_ALL_WORLDS(s, number, willow_body_set_flightplan, &plan);
    plan_model_set_keys(&a->model, a->vectors, times, plan.keyframe_count);
    s->tally->keyframes += plan.keyframe_count;
    return true;
}

static bool change_vertices(script *s, uint32_t number)
{
    actor *a = &s->actors[number];
    const range r = choose_range(s->c, a->mesh.vertex_count);
    zoo_mesh_move(&a->mesh, choose(s->c, 6), 0, a->mesh.vertex_count);
    const float *positions = r.count > 0 ? a->mesh.positions[r.first] : a->vectors;
    IN_ALL_WORLDS(s, number, willow_body_set_vertices, r.first, r.count, positions, 0);
    plan_model_set_vertices(&a->model, s->time, r.first, r.count, positions);
    return true;
}

static bool change_pose(script *s, uint32_t number)
{
    const zoo_pose_kind kind = (zoo_pose_kind)choose(s->c, ZOO_POSE_COUNT);
    const willow_pose pose = zoo_pose_make(kind, 1, choose(s->c, 64));
    IN_ALL_WORLDS(s, number, willow_body_set_pose, &pose);
    s->actors[number].model.pose = pose;
    return true;
}

static bool put_tree(script *s, int world, uint32_t number)
{
    const willow_tree_def tree = tree_for(s, world, number);
    return check_result(
        s, world, willow_body_set_tree(s->worlds[world], s->ids[world][number], &tree), "set_tree");
}

static bool change_tree(script *s, uint32_t number)
{
    const int world = (int)choose(s->c, ANY + 1);
    if (!put_tree(s, world, number)) return false;
    if (world == STREAM && !put_tree(s, STRAIGHT, number)) return false;
    return world == ANY || put_tree(s, world == STREAM ? BOX_STREAM : BOX_BATCH, number);
}

static bool change_something(script *s)
{
    static bool (*const changes[])(script *, uint32_t) = {
        change_velocities, change_velocities, change_accelerations, change_one,  change_one,
        change_keys,       change_keys,       change_vertices,      change_pose, change_tree};
    return changes[choose(s->c, 10)](s, choose(s->c, s->body_count));
}

/* ---- time ---- */

static double choose_time(script *s)
{
    const double share = (double)choose(s->c, 256) / 64.0;
    switch (choose(s->c, 12)) {
    case 0: return s->time;
    case 1: s->tally->setbacks++; return s->time - s->time_unit * share;
    case 2: return s->time + s->time_unit * 8.0 * share;
    case 3: return s->time + s->time_unit * 1e-3 * share;
    case 4: return nextafter(s->time, (double)INFINITY);
    case 5: return s->time + s->time_unit * 0.25;
    default: return s->time + s->time_unit * 0.125 * share;
    }
}

static bool update(script *s)
{
    s->time = choose_time(s);
    for (int world = 0; world < WORLDS; world++) {
        willow_update_report report;
        if (!check_result(s, world, willow_world_update(s->worlds[world], s->time, &report),
                          "willow_world_update"))
            return false;
        s->tally->events += report.events;
        s->tally->setups += report.setups;
        s->tally->plan_changes += report.plan_changes;
    }
    s->tally->updates++;
    return true;
}

/* ---- answers ---- */

static bool check_sound(script *s, int world)
{
    char reason[200];
    return willow_world_validate(s->worlds[world], reason, sizeof reason) || fail_in(world, reason);
}

static bool check_positions(script *s, int world)
{
    for (uint32_t number = 0; number < s->body_count; number++) {
        const plan_model *model = &s->actors[number].model;
        for (uint32_t vertex = 0; vertex < model->vertex_count; vertex++) {
            willow_vec3 is;
            float should[3];
            (void)willow_body_copy_vertices(s->worlds[world], s->ids[world][number], vertex, 1,
                                            &is);
            plan_model_see(model, s->time, vertex, should);
            if (memcmp(&is, should, sizeof should) == 0) continue;
            char words[300];
            (void)snprintf(words, sizeof words,
                           "vertex %u of body %u (%s) is at (%a, %a, %a), not (%a, %a, %a)", vertex,
                           number, zoo_kind_name(s->actors[number].mesh.kind), (double)is.x,
                           (double)is.y, (double)is.z, (double)should[0], (double)should[1],
                           (double)should[2]);
            return fail_in(world, words);
        }
    }
    return true;
}

static bool are_same_runs(const willow_pair_run *a, const willow_pair_run *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (a[i].body_a.index1 != b[i].body_a.index1 || a[i].body_b.index1 != b[i].body_b.index1 ||
            a[i].first != b[i].first || a[i].count != b[i].count)
            return false;
    return true;
}

static bool are_same_pairs(const willow_pairs *a, const willow_pairs *b)
{
    return a->count == b->count && a->run_count == b->run_count && a->complete == b->complete &&
           are_same_runs(a->runs, b->runs, a->run_count) &&
           (a->count == 0 || memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static bool is_among(const willow_first_pair *first, const willow_pairs *pairs)
{
    for (size_t i = 0; i < pairs->run_count; i++) {
        const willow_pair_run *run = &pairs->runs[i];
        for (size_t k = run->first; k < run->first + run->count; k++)
            if (run->body_a.index1 == first->a.body.index1 &&
                run->body_b.index1 == first->b.body.index1 &&
                pairs->items[k].tri_a == first->a.tri && pairs->items[k].tri_b == first->b.tri)
                return true;
    }
    return false;
}

static bool check_first(script *s, int world, const willow_pairs *pairs)
{
    willow_first_pair first;
    if (willow_find_first_pair(s->worlds[world], s->scratches[world], NULL, &first) != WILLOW_OK)
        return fail_in(world, "first pair failed");
    if (first.found != (pairs->count > 0)) return fail_in(world, "a first pair, or none");
    return !first.found || is_among(&first, pairs) || fail_in(world, "the first pair is none");
}

static bool check_pairs(script *s)
{
    willow_pairs right, pairs;
    if (willow_find_pairs(s->worlds[BRUTE], s->scratches[BRUTE], NULL, &right) != WILLOW_OK)
        return fail_in(BRUTE, "pairs failed");
    s->tally->pairs += right.count;
    for (int world = 0; world < BRUTE; world++) {
        if (!check_first(s, world, &right)) return false;
        if (willow_find_pairs(s->worlds[world], s->scratches[world], NULL, &pairs) != WILLOW_OK ||
            !are_same_pairs(&pairs, &right))
            return fail_in(world, "other pairs");
    }
    if (willow_find_self_pairs(s->worlds[BRUTE], s->scratches[BRUTE], NULL, &right) != WILLOW_OK)
        return fail_in(BRUTE, "self pairs failed");
    s->tally->self_pairs += right.count;
    for (int world = 0; world < BRUTE; world++)
        if (willow_find_self_pairs(s->worlds[world], s->scratches[world], NULL, &pairs) !=
                WILLOW_OK ||
            !are_same_pairs(&pairs, &right))
            return fail_in(world, "other self pairs");
    return true;
}

/* Distances are rounded: of things 1e18 long they are larger than what is asked for. */
static bool is_far_out(const script *s)
{
    const double far = 1e9;
    for (uint32_t i = 0; i < s->body_count; i++) {
        willow_body_info info;
        (void)willow_body_get_info(s->worlds[BRUTE], s->ids[BRUTE][i], &info);
        const willow_vec3 *low = &info.box.lower, *high = &info.box.upper;
        if ((double)low->x < -far || (double)low->y < -far || (double)low->z < -far ||
            (double)high->x > far || (double)high->y > far || (double)high->z > far)
            return true;
    }
    return false;
}

static bool check_near(script *s)
{
    willow_query_options options = willow_query_options_default();
    willow_near right, near;
    options.near_distance = (double)choose(s->c, 8) / 32.0;
    options.features = choose(s->c, 2) == 1;
    options.skip_neighbours = true;
    if (willow_find_near(s->worlds[BRUTE], s->scratches[BRUTE], &options, &right) != WILLOW_OK)
        return fail_in(BRUTE, "near failed");
    s->tally->near += right.count;
    for (int world = 0; world < BRUTE; world++)
        if (willow_find_near(s->worlds[world], s->scratches[world], &options, &near) != WILLOW_OK ||
            near.count != right.count || near.run_count != right.run_count ||
            !are_same_runs(near.runs, right.runs, near.run_count) ||
            hash_near(&near) != hash_near(&right) ||
            hash_near_contacts(&near) != hash_near_contacts(&right))
            return fail_in(world, "other things are near");
    return true;
}

static bool are_same_distance(const willow_closest_pair *a, const willow_closest_pair *b)
{
    if (!a->found || !b->found) return a->found == b->found;
    return a->a.body.index1 == b->a.body.index1 && a->b.body.index1 == b->b.body.index1 &&
           a->a.tri == b->a.tri && a->b.tri == b->b.tri && a->distance == b->distance &&
           hash_contact(0, &a->contact) == hash_contact(0, &b->contact);
}

static bool check_distance(script *s)
{
    willow_closest_pair right = {0};
    for (int world = WORLDS; world-- > 0;) {
        const willow_body_set a = {s->ids[world], 1}, b = {s->ids[world] + 1, s->body_count - 1};
        willow_closest_pair pair;
        if (willow_distance(s->worlds[world], s->scratches[world], &a, &b, NULL, &pair) !=
            WILLOW_OK)
            return fail_in(world, "distance failed");
        if (world == BRUTE) right = pair;
        if (!are_same_distance(&pair, &right)) return fail_in(world, "another distance");
    }
    return true;
}

/* Questions that come first make boxes for those after them, so which ones do changes. */
static bool check_answers(script *s)
{
    const uint32_t what = choose(s->c, 4);
    for (int world = 0; world < WORLDS; world++)
        if (!check_sound(s, world) || !check_positions(s, world)) return false;
    if (what == 1 && !is_far_out(s) && !check_near(s)) return false;
    if (what == 2 && !is_far_out(s) && s->body_count > 1 && !check_distance(s)) return false;
    return (what == 3 && choose(s->c, 2) == 1) || check_pairs(s);
}

static bool play(script *s, uint32_t updates)
{
    for (uint32_t i = 0; i < updates && (i == 0 || !choices_are_over(s->c)); i++) {
        for (uint32_t changes = choose(s->c, 4); changes > 0; changes--)
            if (!change_something(s)) return false;
        if (!update(s) || !check_answers(s)) {
            char words[80];
            (void)snprintf(words, sizeof words, "; update %u, to %.17g", i, s->time);
            script_words_add(words);
            return false;
        }
    }
    return true;
}

const char *plan_script_run(choices *c, uint32_t bodies, uint32_t size, uint32_t updates,
                            plan_tally *tally)
{
    script s = {.c = c, .tally = tally};
    script_words_clear();
    const bool is_right =
        open_script(&s, bodies < MOST_BODIES ? bodies : MOST_BODIES, size) && play(&s, updates);
    close_script(&s);
    tally->scripts++;
    return script_words(is_right);
}

void plan_scripts_check(uint64_t first, uint64_t count, uint32_t bodies, uint32_t size,
                        uint32_t updates)
{
    plan_tally tally = {0};
    for (uint64_t seed = first; seed < first + test_seeds(count); seed++) {
        choices c = choices_of_seed(seed);
        const char *wrong = plan_script_run(&c, bodies, size, updates, &tally);
        if (wrong) fail_msg("script %llu: %s", (unsigned long long)seed, wrong);
    }
    print_message("%zu scripts, %zu updates: %zu pairs, %zu within bodies, %zu near; %zu events, "
                  "%zu setups, %zu changes of plans, %zu keyframes, %zu steps back\n",
                  tally.scripts, tally.updates, tally.pairs, tally.self_pairs, tally.near,
                  tally.events, tally.setups, tally.plan_changes, tally.keyframes, tally.setbacks);
    assert_true(tally.pairs > 0 && tally.self_pairs > 0 && tally.near > 0);
    assert_true(tally.events > 0 && tally.setups > 0 && tally.plan_changes > 0);
    assert_true(tally.keyframes > 0 && tally.setbacks > 0);
}
