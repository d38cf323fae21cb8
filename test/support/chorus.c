/* chorus.c - tells all worlds the same and compares what they say. */
#include "support/chorus.h"
#include "support/kept.h"

#include <stdlib.h>
#include "base/hash.h"
#include "base/kernel.h"
#include "support/fixture.h"
#include "support/test.h"
#include "world/world.h"

static void describe(const chorus *c, const chorus_voice *voice)
{
    const willow_tree_def *tree = &voice->tree;
    print_error("%s, seed %llu, after %u updates: voice %u: %s, %s, arity %u, leaves of %u, "
                "level %u, margin %a, ratio %g; kernel %s, %u threads\n",
                c->scene, (unsigned long long)c->seed, c->updates, (unsigned)(voice - c->voices),
                willow_method_name(tree->method), willow_build_name(tree->build), tree->arity,
                tree->leaf_triangles, tree->hybrid_level, (double)tree->margin,
                (double)tree->rebuild_ratio, willow_kernel_name(voice->kernel),
                voice->thread_count);
}

void chorus_expect(const chorus *c, const chorus_voice *voice, bool holds, const char *words)
{
    if (holds) return;
    describe(c, voice);
    fail_msg("%s", words);
}

static void expect_result(const chorus *c, const chorus_voice *voice, willow_result result,
                          willow_result expected)
{
    if (result == expected) return;
    describe(c, voice);
    fail_msg("%s is expected, and the result is %s: %s / %s", willow_result_name(expected),
             willow_result_name(result), willow_world_message(voice->world),
             willow_scratch_message(voice->scratch));
}

void chorus_open(chorus *c, const char *scene, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->scene = scene;
    c->seed = seed;
}

void chorus_close(chorus *c)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        fixture_close(voice->world, voice->scratch);
        chorus_expect(c, voice, test_allocator_is_clean(&voice->allocator), "memory is left");
    }
}

chorus_voice *chorus_add(chorus *c, willow_tree_def tree, willow_kernel kernel,
                         uint32_t thread_count)
{
    assert_true(c->voice_count < CHORUS_VOICES && c->body_count == 0);
    chorus_voice *voice = &c->voices[c->voice_count++];
    willow_world_def def = willow_world_def_default();
    def.allocator = test_allocator_functions(&voice->allocator);
    def.thread_count = thread_count;
    def.kernel = kernel;
    voice->tree = tree;
    voice->thread_count = thread_count;
    voice->world = fixture_world(&def);
    voice->scratch = fixture_scratch(voice->world);
    voice->kernel = willow_world_kernel(voice->world);
    return voice;
}

chorus_voice *chorus_add_brute(chorus *c)
{
    willow_tree_def tree = willow_tree_def_default();
    tree.method = WILLOW_METHOD_BRUTE;
    return chorus_add(c, tree, WILLOW_KERNEL_AUTO, 1);
}

void chorus_add_methods(chorus *c)
{
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++) {
        willow_tree_def tree = willow_tree_def_default();
        tree.method = method;
        if (method != WILLOW_METHOD_BRUTE)
            chorus_add(c, tree, WILLOW_KERNEL_AUTO, 1 + c->voice_count % 2);
    }
}

void chorus_add_methods_in_every_way(chorus *c)
{
    for (willow_method method = 0; method < WILLOW_METHOD_COUNT; method++)
        for (willow_kernel kernel = 0; kernel < WILLOW_KERNEL_COUNT; kernel++) {
            willow_tree_def tree = willow_tree_def_default();
            tree.method = method;
            if (method == WILLOW_METHOD_BRUTE || wi_kernel_choose(kernel) != kernel) continue;
            for (uint32_t threads = 1; threads <= 2; threads++)
                chorus_add(c, tree, kernel, threads);
        }
}

void chorus_add_body(chorus *c, const willow_mesh_def *mesh, bool self)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = *mesh;
    def.self = self;
    assert_true(c->body_count < CHORUS_BODIES);
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        def.tree = voice->tree;
        expect_result(c, voice,
                      willow_body_create(voice->world, &def, &voice->bodies[c->body_count]),
                      WILLOW_OK);
    }
    c->body_count++;
}

void chorus_set(chorus *c, uint32_t body, uint32_t first, uint32_t count, const void *to,
                willow_result expected)
{
    /* What is not to be read is not there. */
    float(*exact)[3] = malloc(count * sizeof *exact + 1);
    memcpy(exact, to, count * sizeof *exact);
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(
            c, voice,
            willow_body_set_vertices(voice->world, voice->bodies[body], first, count, exact, 0),
            expected);
    }
    free(exact);
}

void chorus_begin(chorus *c, uint32_t body)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(c, voice, willow_body_begin_vertices(voice->world, voice->bodies[body]),
                      WILLOW_OK);
    }
}

void chorus_pose(chorus *c, uint32_t body, const willow_pose *pose)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(c, voice, willow_body_set_pose(voice->world, voice->bodies[body], pose),
                      WILLOW_OK);
    }
}

void chorus_set_tree(chorus *c, chorus_voice *voice, uint32_t body, const willow_tree_def *tree)
{
    expect_result(c, voice, willow_body_set_tree(voice->world, voice->bodies[body], tree),
                  WILLOW_OK);
    voice->tree = *tree;
}

/* A number made of where all vertices are, as the world says. */
static uint64_t hash_vertices(const chorus *c, const chorus_voice *voice, uint32_t body)
{
    willow_body_info info;
    uint64_t hash = WI_HASH_START;
    expect_result(c, voice, willow_body_get_info(voice->world, voice->bodies[body], &info),
                  WILLOW_OK);
    willow_vec3 *at = malloc(info.vertex_count * sizeof *at + 1);
    expect_result(
        c, voice,
        willow_body_copy_vertices(voice->world, voice->bodies[body], 0, info.vertex_count, at),
        WILLOW_OK);
    if (info.vertex_count > 0) hash = wi_hash_bytes(hash, at, info.vertex_count * sizeof *at);
    free(at);
    return hash;
}

void chorus_set_velocities(chorus *c, uint32_t body, uint32_t first, uint32_t count,
                           const void *velocities)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(c, voice,
                      willow_body_set_velocities(voice->world, voice->bodies[body], first, count,
                                                 velocities, 0),
                      WILLOW_OK);
    }
}

void chorus_set_flightplan(chorus *c, uint32_t body, const willow_flightplan *plan)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(c, voice, willow_body_set_flightplan(voice->world, voice->bodies[body], plan),
                      WILLOW_OK);
    }
}

void chorus_set_morph(chorus *c, uint32_t body, const willow_morph *morph)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(c, voice,
                      willow_body_set_morph_targets(voice->world, voice->bodies[body], morph),
                      WILLOW_OK);
    }
}

void chorus_set_weights(chorus *c, uint32_t body, const float *weights, uint32_t count)
{
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        expect_result(
            c, voice,
            willow_body_set_morph_weights(voice->world, voice->bodies[body], weights, count),
            WILLOW_OK);
    }
}

static void update_voice(chorus *c, chorus_voice *voice, double time)
{
    char reason[200] = "";
    expect_result(c, voice, willow_world_update(voice->world, time, &voice->report), WILLOW_OK);
    if (!willow_world_validate(voice->world, reason, sizeof reason))
        chorus_expect(c, voice, false, reason);
    for (uint32_t body = 0; body < c->body_count; body++)
        chorus_expect(c, voice,
                      hash_vertices(c, voice, body) == hash_vertices(c, &c->voices[0], body),
                      "vertices are elsewhere");
    if (c->updates == 0) return;
    voice->built += voice->report.bodies_built;
    voice->subtrees_built += voice->report.subtrees_built;
}

void chorus_update(chorus *c) { chorus_update_at(c, c->updates); }

void chorus_update_at(chorus *c, double time)
{
    for (uint32_t i = 0; i < c->voice_count; i++) update_voice(c, &c->voices[i], time);
    c->updates++;
}

/* What a question did comes to `stats`; opening nodes must not break anything. */
static void end_question(const chorus *c, chorus_voice *voice)
{
    char reason[200] = "";
    voice->stats = willow_scratch_stats(voice->scratch);
    if (!willow_world_validate(voice->world, reason, sizeof reason))
        chorus_expect(c, voice, false, reason);
}

/* Pair for pair, and as a number. */
static void expect_pairs(const chorus *c, const chorus_voice *voice, const willow_pairs *pairs,
                         const willow_pairs *expected)
{
    chorus_expect(c, voice, pairs->count == expected->count, "another number of pairs");
    chorus_expect(c, voice, willow_pairs_hash(pairs) == willow_pairs_hash(expected), "other pairs");
    for (size_t i = 0; i < pairs->count; i++)
        chorus_expect(c, voice,
                      pairs->items[i].tri_a == expected->items[i].tri_a &&
                          pairs->items[i].tri_b == expected->items[i].tri_b,
                      "other pairs, with the same hash");
}

willow_pairs chorus_ask(chorus *c, bool skip_neighbours)
{
    willow_query_options options = willow_query_options_default();
    willow_pairs first = {0};
    options.use_threads = true;
    options.skip_neighbours = skip_neighbours;
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        willow_pairs pairs;
        willow_scratch_reset_stats(voice->scratch);
        expect_result(c, voice, willow_find_pairs(voice->world, voice->scratch, &options, &pairs),
                      WILLOW_OK);
        if (i == 0) first = pairs;
        expect_pairs(c, voice, &pairs, &first);
        end_question(c, voice);
    }
    return first;
}

size_t chorus_compare(chorus *c) { return chorus_ask(c, false).count; }

/* A sum, since triangles come in any order. */
typedef struct gathering {
    size_t count;
    uint64_t sum;
} gathering;

static bool gather(void *context, willow_tri_ref tri)
{
    gathering *all = context;
    all->count++;
    all->sum += wi_hash_u64(tri.body.index1, tri.tri);
    return true;
}

size_t chorus_compare_box(chorus *c, const willow_box *box)
{
    gathering first = {0};
    for (uint32_t i = 0; i < c->voice_count; i++) {
        chorus_voice *voice = &c->voices[i];
        gathering found = {0};
        willow_scratch_reset_stats(voice->scratch);
        expect_result(c, voice,
                      willow_visit_box(voice->world, voice->scratch, box, NULL, gather, &found),
                      WILLOW_OK);
        if (i == 0) first = found;
        chorus_expect(c, voice, found.count == first.count && found.sum == first.sum,
                      "other triangles in the box");
        end_question(c, voice);
    }
    return first.count;
}

const wi_tree *chorus_hierarchy(const chorus_voice *voice, uint32_t body)
{
    return &voice->world->bodies.items[voice->bodies[body].index1 - 1]->geometry->tree;
}

willow_method chorus_mode(const chorus_voice *voice, uint32_t body)
{
    return kept_mode(chorus_hierarchy(voice, body));
}

/* ---- voices that must not differ at all ---- */

static bool stats_equal(const willow_query_stats *a, const willow_query_stats *b)
{
    return a->body_pairs == b->body_pairs && a->nodes_opened == b->nodes_opened &&
           a->nodes_refreshed == b->nodes_refreshed && a->volume_tests == b->volume_tests &&
           a->leaf_pairs == b->leaf_pairs && a->triangle_tests == b->triangle_tests &&
           a->exact_tests == b->exact_tests;
}

static bool trees_equal(const wi_tree *a, const wi_tree *b)
{
    if (a->shape->node_count != b->shape->node_count ||
        a->shape->leaf_count != b->shape->leaf_count || kept_mode(a) != kept_mode(b) ||
        a->survey.wait != b->survey.wait ||
        memcmp(a->shape->slots, b->shape->slots, a->shape->tri_count * sizeof *a->shape->slots) !=
            0 ||
        memcmp(&a->boxes.bounds, &b->boxes.bounds, sizeof a->boxes.bounds) != 0)
        return false;
    for (uint32_t i = 0; i < a->shape->node_count; i++) {
        const wi_node *x = &a->boxes.nodes[i], *y = &b->boxes.nodes[i];
        if (wi_is_open(a, i) != wi_is_open(b, i) || x->spread != y->spread ||
            memcmp(x->child, y->child, sizeof x->child) != 0)
            return false;
        if (wi_is_open(a, i) && (memcmp(x->lower, y->lower, sizeof x->lower) != 0 ||
                                 memcmp(x->upper, y->upper, sizeof x->upper) != 0))
            return false;
    }
    return true;
}

void chorus_check_same(const chorus *c, uint32_t first, uint32_t count)
{
    const chorus_voice *one = &c->voices[first];
    for (uint32_t i = first + 1; i < first + count; i++) {
        const chorus_voice *voice = &c->voices[i];
        chorus_expect(c, voice, memcmp(&voice->report, &one->report, sizeof one->report) == 0,
                      "another report");
        chorus_expect(c, voice, stats_equal(&voice->stats, &one->stats), "other counts");
        for (uint32_t body = 0; body < c->body_count; body++)
            chorus_expect(c, voice,
                          trees_equal(chorus_hierarchy(voice, body), chorus_hierarchy(one, body)),
                          "another tree");
    }
}

bool chorus_update_twice(const chorus *c, chorus_voice *voice, double time)
{
    const willow_result result = willow_world_update(voice->world, time, NULL);
    if (result == WILLOW_OK) return true;
    chorus_expect(c, voice, result == WILLOW_OUT_OF_MEMORY, "another failure");
    chorus_expect(c, voice, willow_world_update(voice->world, time, NULL) == WILLOW_OK,
                  "it fails again");
    return false;
}

size_t chorus_compare_in_peace(chorus *c, chorus_voice *voice)
{
    const size_t fail_at = voice->allocator.fail_at, calls = voice->allocator.calls;
    voice->allocator.fail_at = 0;
    const size_t pairs = chorus_compare(c);
    voice->allocator.fail_at = fail_at + (voice->allocator.calls - calls);
    return pairs;
}
