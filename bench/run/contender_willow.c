/* contender_willow.c - a Willow method as a contender: the scene played through a world of its own.
 */
#include "bench/peers/peer.h"
#include "bench/play/paths.h"
#include "bench/play/player.h"
#include "bench/run/ask.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"
#include "bench/run/ray_stage.h"
#include "bench/run/stage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct willow_state {
    player players[ENGINE_TREES_MAX]; /* one, unless the contender switches trees */
    uint32_t player_count;
    player *player; /* the one that answers in this frame */
    bench_question question;
    bench_answer answer;
    const bench_stage *stage;
    const staged_rays *rays; /* those of the frame; NULL: other questions */
    ray_answer ray_answer;
    uint64_t updates;
    willow_update_report sum; /* of all updates but the first */
    uint64_t setups;          /* with the first */
} willow_state;

static bool method_fail(contender *c, const char *words)
{
    snprintf(c->message, sizeof c->message, "%s", words);
    return false;
}

/* The frame in which a tree of several is made: they are evenly apart, from the first frame to the
 * last. */
static uint32_t tree_frame(const willow_state *state, uint32_t tree)
{
    const uint32_t last = state->stage->scene->frame_count - 1, gaps = state->player_count - 1;
    return gaps > 0 ? (uint32_t)((uint64_t)last * tree / gaps) : 0;
}

/* Whose frame is nearest. */
static player *player_for(willow_state *state, uint32_t frame)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < state->player_count; i++) {
        const uint32_t at = tree_frame(state, i), off = at > frame ? at - frame : frame - at;
        if (off < least) best = i, least = off;
    }
    return &state->players[best];
}

/* The arrays of the stage show the frame that a tree is made in, and then the first one again. */
static bool create_players(willow_state *state, const engine_options *engine)
{
    const bench_stage *stage = state->stage;
    bool fine = true;
    state->player_count = engine->trees > 1 ? engine->trees : 1;
    for (uint32_t i = 0; fine && i < state->player_count; i++) {
        const uint32_t frame = tree_frame(state, i);
        state->player = &state->players[i];
        if (frame > 0) scene_arrays_fill(stage->scene, frame, stage->now);
        fine = player_create(state->player, stage->scene, frame, stage->now, stage->self, engine);
    }
    if (fine) state->player = state->players;
    if (state->player_count > 1) scene_arrays_fill(stage->scene, 0, stage->now);
    return fine;
}

static bool method_create(contender *c, const bench_stage *stage, const bench_options *options)
{
    willow_state *state = calloc(1, sizeof *state);
    c->state = state;
    if (state == NULL) return method_fail(c, "starting: out of memory");
    state->question = options->question;
    state->stage = stage;
    player *p = state->player = state->players;
    willow_update_report report = {.setups = 0};
    c->engine.morphs = stage->has_morphs;
    const bool is_made = stage->has_paths
                             ? player_create_on_paths(p, stage->scene, &stage->paths, stage->now,
                                                      stage->self, &c->engine, &report)
                             : create_players(state, &c->engine);
    if (!is_made || !bench_get_ready(p, state->question, &c->engine, stage->next)) {
        return method_fail(c, state->player->message);
    }
    state->setups = report.setups;
    c->kernel = willow_kernel_name(willow_world_kernel(p->world));
    return true;
}

static void method_destroy(contender *c)
{
    willow_state *state = c->state;
    if (state == NULL) return;
    for (uint32_t i = 0; i < ENGINE_TREES_MAX; i++) player_destroy(&state->players[i]);
    free(state);
    c->state = NULL;
}

static void method_prepare(contender *c, uint32_t frame)
{
    willow_state *state = c->state;
    if (state->player_count > 1) state->player = player_for(state, frame);
    player_prepare(state->player, frame);
    if (state->stage->rays != NULL) state->rays = ray_stage_frame(state->stage->rays, frame);
}

static bool method_update(contender *c, uint32_t frame)
{
    willow_state *state = c->state;
    willow_update_report report;
    if (!bench_go(state->player, state->question, frame, &report)) {
        return method_fail(c, state->player->message);
    }
    state->updates++;
    player_add_report(&state->sum, &report);
    return true;
}

static bool method_query_rays(contender *c)
{
    willow_state *state = c->state;
    const ray_caster caster = player_ray_caster(state->player);
    const bool is_exact = !contender_is_near(c, state->stage->scene);
    if (!ray_stage_ask(state->rays, &caster, is_exact, &state->ray_answer)) {
        return method_fail(c, state->player->message);
    }
    c->idle_ms = state->ray_answer.idle_ms;
    return true;
}

static bool method_query(contender *c)
{
    willow_state *state = c->state;
    if (state->rays != NULL) return method_query_rays(c);
    return bench_ask(state->player, state->question, &state->answer) ||
           method_fail(c, state->player->message);
}

static bool copy_run(const willow_state *state, const willow_pair_run *run, pair_list *out)
{
    uint32_t a = player_body_number(state->player, run->body_a),
             b = player_body_number(state->player, run->body_b);
    for (size_t i = run->first; i < run->first + run->count; i++) {
        willow_tri_pair item = state->answer.pairs.items[i];
        peer_pair pair = {a, b, item.tri_a, item.tri_b};
        if (!pair_list_append(out, &pair, 1)) return false;
    }
    return true;
}

static bool copy_first(const willow_state *state, pair_list *out)
{
    const willow_first_pair *first = &state->answer.first;
    if (!first->found) return true;
    peer_pair pair = {player_body_number(state->player, first->a.body),
                      player_body_number(state->player, first->b.body), first->a.tri, first->b.tri};
    return pair_list_append(out, &pair, 1);
}

static bool method_copy_pairs(contender *c, pair_list *out)
{
    willow_state *state = c->state;
    const willow_pairs *pairs = &state->answer.pairs;
    if (state->rays != NULL) {
        ray_answer_copy(&state->ray_answer, out);
        return true;
    }
    if (!bench_question_is(state->question, ASKS_PAIRS)) {
        out->count = bench_answer_count(&state->answer);
        out->digest = bench_answer_digest(state->player, &state->answer);
        return true;
    }
    if (state->question == QUESTION_FIRST) return copy_first(state, out);
    for (size_t i = 0; i < pairs->run_count; i++) {
        if (!copy_run(state, &pairs->runs[i], out)) return false;
    }
    return true;
}

/* ---- counts ---- */

/* The caller's positions are read too. A tree without any area has no cost that could be said. */
static void method_add_body(const willow_body_stats *body, uint32_t vertex_count, bench_counts *out)
{
    out->bytes_mesh += body->bytes_mesh;
    out->bytes_hierarchy += body->bytes_hierarchy;
    out->refit_bytes_read += body->refit_bytes_read + 12 * (uint64_t)vertex_count;
    out->refit_bytes_written += body->refit_bytes_written;
    out->nodes += body->node_count;
    out->leaves += body->leaf_count;
    if (body->height > out->height) out->height = body->height;
    if (isfinite(body->cost)) out->cost += body->cost;
}

/* All bodies of a scene have the same settings, so those of the first are told. */
static void count_bodies(const player *p, bench_counts *out)
{
    const scene *s = p->scene;
    willow_body_info info;
    willow_body_stats stats;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (willow_body_get_stats(p->world, p->bodies[i], &stats) == WILLOW_OK) {
            method_add_body(&stats, s->bodies[i].vertex_count, out);
        }
    }
    if (s->body_count == 0) return;
    out->cost /= s->body_count;
    if (willow_body_get_info(p->world, p->bodies[0], &info) == WILLOW_OK) out->tree = info.tree;
    if (willow_body_get_stats(p->world, p->bodies[0], &stats) == WILLOW_OK) {
        out->stands_for = stats.method;
    }
}

/* What is left without results and scratch, which goes for it. */
static double bytes_per_triangle(player *p, uint64_t bytes_mesh)
{
    uint64_t triangles = scene_triangle_total(p->scene);
    willow_scratch_destroy(p->scratch);
    p->scratch = NULL;
    if (triangles == 0) return 0;
    return (double)(willow_world_bytes(p->world) - bytes_mesh) / (double)triangles;
}

/* Whether every update computed every node, and built none afresh, in whole trees or in parts. */
static bool is_refitting(const willow_state *state, const bench_counts *counts)
{
    const willow_update_report *sum = &state->sum;
    return counts->nodes > 0 && state->updates > 0 && sum->bodies_built == 0 &&
           sum->subtrees_built == 0 && sum->nodes_updated == state->updates * counts->nodes;
}

/* Ends of boxes that updates wrote: six of every box in a node that was computed, and of kinetic
 * trees those that another vertex became. Nodes have as many boxes as they have in the mean. */
static uint64_t count_values(const willow_state *state, const bench_counts *counts)
{
    double boxes = counts->nodes > 0 ? (double)(counts->nodes + counts->leaves) : 0;
    double per_node = counts->nodes > 0 ? boxes / (double)counts->nodes : 0;
    return (uint64_t)(6 * per_node * (double)state->sum.nodes_updated + 0.5) +
           state->sum.values_updated;
}

static void method_count(contender *c, bench_counts *out)
{
    willow_state *state = c->state;
    player *p = state->player;
    willow_query_stats stats = willow_scratch_stats(p->scratch);
    *out = (bench_counts){.updates = state->updates,
                          .nodes_updated = state->sum.nodes_updated + stats.nodes_refreshed,
                          .update = state->sum,
                          .setups = state->setups + state->sum.setups,
                          .stands_for = c->engine.tree.method,
                          .query = stats,
                          .distance = bench_question_is(state->question, ASKS_STEPS)
                                          ? p->query.touch_distance
                                          : p->query.near_distance,
                          .bytes = willow_world_bytes(p->world)};
    count_bodies(p, out);
    out->values = count_values(state, out);
    if (!is_refitting(state, out)) {
        out->refit_bytes_read = out->refit_bytes_written = 0;
    }
    out->bytes_per_triangle = bytes_per_triangle(p, out->bytes_mesh);
}

const contender_ops willow_contender_ops = {method_create, method_destroy, method_prepare,
                                            method_update, method_query,   method_copy_pairs,
                                            method_count};
