/* contender_peer.c - a peer as a contender: it reads the callers' arrays in place. Where the stage
 * does not show a body, since its path is known or it is a morph, its positions are made first, as
 * part of the update. */
#include "bench/peers/ray_peer.h"
#include "bench/play/float_skins.h"
#include "bench/play/morphs.h"
#include "bench/play/paths.h"
#include "bench/run/contender.h"
#include "bench/run/options.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"
#include "bench/run/ray_stage.h"
#include "bench/run/stage.h"

#include <stdio.h>
#include <stdlib.h>

/* A peer that answers rays, and its last answer. */
typedef struct peer_rays {
    const ray_peer_def *def; /* NULL: it is asked for pairs */
    const staged_rays *now;
    willow_hit *hits;
    uint8_t *states;
    size_t capacity;
    ray_answer answer;
} peer_rays;

typedef struct peer_state {
    const bench_stage *stage;
    bench_question question;
    peer_mesh *meshes;
    path_follower follower; /* if the stage has paths */
    float_skins *skins;     /* how vertices of skins are made; NULL: in double */
    void *peer;
    peer_pairs pairs; /* the last result */
    peer_rays rays;
} peer_state;

static bool peer_fail(contender *c, const char *doing)
{
    snprintf(c->message, sizeof c->message, "%s: out of memory", doing);
    return false;
}

static void *create_peer(const contender *c, peer_state *state)
{
    const uint32_t count = state->stage->scene->body_count;
    if (bench_question_is(state->question, ASKS_RAYS)) {
        state->rays.def = ray_peer_find(c->peer->name);
        return state->rays.def->create(state->meshes, count);
    }
    return c->peer->create(state->meshes, count);
}

static bool peer_create(contender *c, const bench_stage *stage, const bench_options *options)
{
    const scene *s = stage->scene;
    peer_state *state = calloc(1, sizeof *state);
    c->state = state;
    c->kernel = "native";
    if (state == NULL) return peer_fail(c, "starting");
    state->stage = stage;
    state->question = options->question;
    state->meshes = calloc((size_t)s->body_count + 1, sizeof *state->meshes);
    if (state->meshes == NULL) return peer_fail(c, "starting");
    for (uint32_t i = 0; i < s->body_count; i++) {
        state->meshes[i] = (peer_mesh){.positions = stage->now[i],
                                       .vertex_count = s->bodies[i].vertex_count,
                                       .indices = s->bodies[i].indices,
                                       .triangle_count = s->bodies[i].triangle_count,
                                       .self = stage->self[i]};
    }
    if (stage->has_paths && !path_follower_create(&state->follower, &stage->paths, stage->now)) {
        return peer_fail(c, "starting");
    }
    if (c->engine.float_skins) {
        state->skins = float_skins_create(s);
        if (state->skins == NULL) return peer_fail(c, "starting");
    }
    state->peer = create_peer(c, state);
    return state->peer != NULL || peer_fail(c, "creating");
}

static void peer_destroy(contender *c)
{
    peer_state *state = c->state;
    if (state == NULL) return;
    if (state->peer != NULL && state->rays.def != NULL) state->rays.def->destroy(state->peer);
    if (state->peer != NULL && state->rays.def == NULL) c->peer->destroy(state->peer);
    free(state->rays.hits);
    free(state->rays.states);
    if (state->follower.paths != NULL) path_follower_destroy(&state->follower);
    float_skins_destroy(state->skins);
    free(state->meshes);
    free(state);
    c->state = NULL;
}

static void blend_morphs(peer_state *state, uint32_t frame)
{
    const bench_stage *stage = state->stage;
    for (uint32_t i = 0; i < stage->scene->body_count; i++) {
        if (!scene_body_morphs(stage->scene, i)) continue;
        if (state->skins != NULL) {
            float_skins_blend(state->skins, frame, i, stage->now[i]);
        } else {
            morph_blend(stage->scene, frame, i, stage->now[i]);
        }
    }
}

static void make_positions(peer_state *state, uint32_t frame)
{
    if (state->stage->has_morphs) blend_morphs(state, frame);
    if (state->stage->has_paths) path_follower_go(&state->follower, frame, state->stage->now);
}

/* Frame 0 has no update, and the arrays are those of all peers: another one may have gone on. */
static void peer_prepare(contender *c, uint32_t frame)
{
    peer_state *state = c->state;
    if (frame == 0) make_positions(state, frame);
    if (state->rays.def != NULL) state->rays.now = ray_stage_frame(state->stage->rays, frame);
}

static bool peer_update(contender *c, uint32_t frame)
{
    peer_state *state = c->state;
    make_positions(state, frame);
    const bool fine = state->rays.def != NULL ? state->rays.def->update(state->peer)
                                              : c->peer->update(state->peer);
    return fine || peer_fail(c, "updating");
}

peer_question bench_peer_question(bench_question question)
{
    return question == QUESTION_FIRST  ? PEER_FIRST
           : question == QUESTION_SELF ? PEER_SELF
                                       : PEER_PAIRS;
}

/* ---- rays ---- */

/* Before the first query that needs it, which is one of a warming frame. */
static bool reserve_answers(peer_rays *r, size_t count)
{
    if (count <= r->capacity) return true;
    free(r->hits);
    free(r->states);
    r->capacity = 0;
    r->hits = calloc(2 * count, sizeof *r->hits);
    r->states = calloc(2 * count, sizeof *r->states);
    if (r->hits == NULL || r->states == NULL) return false;
    r->capacity = 2 * count;
    return true;
}

static bool peer_cast(void *context, const willow_ray *rays, size_t count, const willow_hit **hits,
                      const uint8_t **states)
{
    peer_state *state = context;
    if (!reserve_answers(&state->rays, count)) return false;
    state->rays.def->cast(state->peer, rays, count, state->rays.hits, state->rays.states);
    *hits = state->rays.hits;
    *states = state->rays.states;
    return true;
}

static bool peer_block(void *context, const willow_ray *rays, size_t count, const uint8_t **states)
{
    peer_state *state = context;
    if (!reserve_answers(&state->rays, count)) return false;
    state->rays.def->block(state->peer, rays, count, state->rays.states);
    *states = state->rays.states;
    return true;
}

static bool peer_query_rays(contender *c)
{
    peer_state *state = c->state;
    const ray_caster caster = {.context = state, .cast = peer_cast, .block = peer_block};
    if (!ray_stage_ask(state->rays.now, &caster, false, &state->rays.answer)) {
        return peer_fail(c, "asking");
    }
    c->idle_ms = state->rays.answer.idle_ms;
    return true;
}

/* ---- pairs ---- */

static bool peer_query(contender *c)
{
    peer_state *state = c->state;
    if (state->question == QUESTION_NONE) return true;
    if (state->rays.def != NULL) return peer_query_rays(c);
    return c->peer->query(state->peer, bench_peer_question(state->question), &state->pairs) ||
           peer_fail(c, "asking");
}

static bool peer_copy_pairs(contender *c, pair_list *out)
{
    peer_state *state = c->state;
    if (state->rays.def != NULL) {
        ray_answer_copy(&state->rays.answer, out);
        return true;
    }
    if (!pair_list_append(out, state->pairs.items, state->pairs.count)) return false;
    pair_list_sort(out);
    return true;
}

static void peer_count(contender *c, bench_counts *out)
{
    peer_state *state = c->state;
    uint64_t triangles = scene_triangle_total(state->stage->scene);
    uint64_t bytes =
        state->rays.def != NULL ? state->rays.def->bytes(state->peer) : c->peer->bytes(state->peer);
    *out = (bench_counts){.bytes = bytes, .bytes_hierarchy = bytes};
    if (triangles > 0) out->bytes_per_triangle = (double)bytes / (double)triangles;
}

const contender_ops peer_contender_ops = {peer_create, peer_destroy,    peer_prepare, peer_update,
                                          peer_query,  peer_copy_pairs, peer_count};
