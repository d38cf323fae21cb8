/* trial_world.c - hands scenes with trial steps to worlds, and compares answers. */
#include "support/trial_world.h"

#include <stdlib.h>
#include "base/hash.h"
#include "support/fixture.h"
#include "support/test.h"
#include "support/zoo_cases.h"

/* ---- failures in words ---- */

static void expect(const trial_world *w, const char *words)
{
    if (words == NULL) return;
    for (uint32_t i = 0; i < w->scene->zoo.body_count; i++) {
        const zoo_mesh *mesh = &w->scene->zoo.bodies[i].mesh;
        print_error("body %u: %s, size %u, seed %llu; %u triangles, %u calls, thickness %g%s%s\n",
                    i, zoo_kind_name(mesh->kind), mesh->size, (unsigned long long)mesh->seed,
                    mesh->triangle_count, w->scene->bodies[i].call_count,
                    (double)w->scene->bodies[i].thickness, mesh->masks != NULL ? ", masked" : "",
                    w->borrowed[i] != NULL ? ", borrowed" : "");
    }
    fail_msg("scene %llu, world %llu, %s, %u threads: %s", (unsigned long long)w->scene->seed,
             (unsigned long long)w->seed, willow_method_name(w->method), w->thread_count, words);
}

static void expect_ok(const trial_world *w, willow_result result)
{
    if (result != WILLOW_OK) expect(w, willow_result_name(result));
}

/* ---- worlds ---- */

static willow_tree_def random_tree(uint64_t *random)
{
    const willow_method method = (willow_method)(test_random(random) % WILLOW_METHOD_COUNT);
    const uint32_t leaf_triangles = (uint32_t)(test_random(random) % 9);
    willow_tree_def tree =
        zoo_tree(method, zoo_arities[test_random(random) % ZOO_ARITIES], leaf_triangles);
    zoo_tree_vary(&tree, test_random(random));
    if (test_random(random) % 4 == 0) tree.margin = 0.0625F;
    return tree;
}

static void create_body(trial_world *w, uint32_t number, uint64_t *random)
{
    const zoo_body *zoo = &w->scene->zoo.bodies[number];
    const trial_body *trial = &w->scene->bodies[number];
    willow_body_def def = willow_body_def_default();
    def.mesh = zoo_mesh_def(&zoo->mesh);
    def.mesh.positions = trial->rest;
    if (test_random(random) % 3 == 0) {
        const size_t size = zoo->mesh.vertex_count * sizeof *w->borrowed[number];
        w->borrowed[number] = malloc(size + 1);
        assert_non_null(w->borrowed[number]);
        memcpy(w->borrowed[number], trial->rest, size);
        def.mesh.positions = w->borrowed[number];
        def.mesh.borrow = true;
    }
    def.tree = random_tree(random);
    if (number == 0) w->method = def.tree.method;
    def.pose = zoo->pose;
    def.category_bits = zoo->category_bits;
    def.mask_bits = zoo->mask_bits;
    def.self = zoo->self;
    def.keep_rest = trial->keep_rest;
    def.thickness = trial->thickness;
    expect_ok(w, willow_body_create(w->world, &def, &w->ids[number]));
}

static void set_positions(trial_world *w, uint32_t number, const float (*to)[3])
{
    const uint32_t count = w->scene->zoo.bodies[number].mesh.vertex_count;
    if (w->borrowed[number] == NULL) {
        expect_ok(w, willow_body_set_vertices(w->world, w->ids[number], 0, count, to, 0));
        return;
    }
    expect_ok(w, willow_body_begin_vertices(w->world, w->ids[number]));
    memcpy(w->borrowed[number], to, count * sizeof *to);
}

/* By turns with a gap behind every vertex. */
static void set_target(trial_world *w, uint32_t number, const trial_call *call, bool has_gaps)
{
    const willow_body_id id = w->ids[number];
    if (!has_gaps) {
        expect_ok(w, willow_body_set_target(w->world, id, call->first, call->count, call->to, 0));
        return;
    }
    float(*wide)[4] = malloc(call->count * sizeof *wide + 1);
    assert_non_null(wide);
    memset(wide, 0xFF, call->count * sizeof *wide); /* no numbers */
    for (uint32_t i = 0; i < call->count; i++) memcpy(wide[i], call->to[i], sizeof call->to[i]);
    expect_ok(w,
              willow_body_set_target(w->world, id, call->first, call->count, wide, sizeof *wide));
    free(wide);
}

static void update(trial_world *w)
{
    char reason[200] = "";
    expect_ok(w, willow_world_update(w->world, 0, NULL));
    if (!willow_world_validate(w->world, reason, sizeof reason)) expect(w, reason);
}

static uint64_t hash_pairs(const trial_world *w)
{
    willow_pairs pairs;
    expect_ok(w, willow_find_pairs(w->world, w->scratch, NULL, &pairs));
    return willow_pairs_hash(&pairs);
}

static void expect_trial(const trial_world *w, uint32_t number, bool has_target)
{
    willow_body_info info;
    expect_ok(w, willow_body_get_info(w->world, w->ids[number], &info));
    if (info.has_target != has_target) expect(w, "`has_target` is wrong");
}

/* The second half: bodies go from rest to where they are, and get their trials. */
static void start_trials(trial_world *w, uint64_t *random)
{
    for (uint32_t i = 0; i < w->scene->zoo.body_count; i++)
        set_positions(w, i, (const float(*)[3])w->scene->zoo.bodies[i].mesh.positions);
    update(w);
    const uint64_t before = hash_pairs(w);
    for (uint32_t i = 0; i < w->scene->zoo.body_count; i++) {
        const trial_body *trial = &w->scene->bodies[i];
        for (uint32_t k = 0; k < trial->call_count; k++)
            set_target(w, i, &trial->calls[k], test_random(random) % 2 == 0);
    }
    update(w);
    for (uint32_t i = 0; i < w->scene->zoo.body_count; i++)
        expect_trial(w, i, w->scene->bodies[i].call_count > 0);
    if (hash_pairs(w) != before) expect(w, "a trial shows in the pairs that meet");
}

void trial_world_create(trial_world *w, const trial_scene *scene, uint32_t thread_count,
                        uint64_t seed)
{
    uint64_t random = seed;
    willow_world_def def = willow_world_def_default();
    def.thread_count = thread_count;
    *w = (trial_world){.scene = scene, .seed = seed, .thread_count = thread_count};
    w->world = fixture_world(&def);
    w->scratch = fixture_scratch(w->world);
    for (uint32_t i = 0; i < scene->zoo.body_count; i++) create_body(w, i, &random);
    start_trials(w, &random);
}

void trial_world_destroy(trial_world *w)
{
    fixture_close(w->world, w->scratch);
    for (uint32_t i = 0; i < ZOO_MAX_BODIES; i++) free(w->borrowed[i]);
    *w = (trial_world){0};
}

void trial_world_settle(trial_world *w)
{
    for (uint32_t i = 0; i < w->scene->zoo.body_count; i++) {
        const zoo_body *zoo = &w->scene->zoo.bodies[i];
        if (trial_is_taken(i))
            set_positions(w, i, (const float(*)[3])w->scene->bodies[i].goal);
        else
            expect_ok(w, willow_body_set_pose(w->world, w->ids[i], &zoo->pose));
        expect_trial(w, i, false);
    }
    update(w);
}

/* ---- asking ---- */

typedef struct asking {
    const trial_world *w;
    const trial_question *question;
    willow_body_id named[2 * ZOO_MAX_BODIES];
} asking;

static bool filter(void *context, willow_tri_ref a, willow_tri_ref b)
{
    const asking *ask = context;
    return zoo_filter_keeps(&ask->question->zoo, a.body.index1 - 1, a.tri, b.body.index1 - 1,
                            b.tri);
}

static willow_query_options options_for(asking *ask)
{
    const trial_question *q = ask->question;
    willow_query_options options = willow_query_options_default();
    if (q->zoo.is_named) {
        for (uint32_t i = 0; i < q->zoo.body_count; i++)
            ask->named[i] = ask->w->ids[q->zoo.bodies[i]];
        options.bodies = ask->named;
        options.body_count = q->zoo.body_count;
    }
    if (q->zoo.filter != 0) {
        options.filter = filter;
        options.filter_context = ask;
    }
    options.max_results = q->zoo.max_results;
    options.skip_neighbours = q->zoo.skip_neighbours;
    options.use_threads = ask->w->thread_count > 1;
    options.descend = q->zoo.descend;
    options.near_distance = options.touch_distance = q->distance;
    options.features = q->features;
    options.skip_close_at_rest = q->skip_close_at_rest;
    options.tolerance = q->tolerance;
    options.max_iterations = q->max_iterations;
    return options;
}

void trial_world_check_impacts(trial_world *w, const trial_question *question,
                               const trial_answers *expected)
{
    asking ask = {.w = w, .question = question};
    const willow_query_options options = options_for(&ask);
    willow_impacts impacts;
    willow_first_impact first;
    expect_ok(w, willow_find_impacts(w->world, w->scratch, &options, &impacts));
    expect(w, feature_hits_differ(&expected->kept, question->zoo.max_results, &impacts));
    expect_ok(w, willow_time_of_impact(w->world, w->scratch, &options, &first));
    expect(w, feature_hits_differ_first(&expected->all, &first));
}

void trial_world_check_near(trial_world *w, const trial_question *question,
                            const trial_answers *expected)
{
    asking ask = {.w = w, .question = question};
    const willow_query_options options = options_for(&ask);
    willow_near near;
    expect_ok(w, willow_find_near(w->world, w->scratch, &options, &near));
    expect(w, feature_hits_differ_near(&expected->kept, question->zoo.max_results, &near));
}
