/* ray_stage.c - rays made in advance, and the answers to them. */
#include "bench/run/ray_stage.h"
#include "bench/common/clock.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/rays/ray_frame.h"
#include "bench/run/pair_list.h"
#include "bench/run/question.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a world that answers ---- */

static bool player_cast(void *context, const willow_ray *rays, size_t count,
                        const willow_hit **hits, const uint8_t **states)
{
    player *p = context;
    willow_casts out;
    willow_ray_options options = willow_ray_options_default();
    options.use_threads = p->query.use_threads;
    willow_result result = willow_cast_rays(p->world, p->scratch, rays, count, &options, &out);
    if (result != WILLOW_OK) return player_fail_asking(p, result);
    *hits = out.hits;
    *states = out.states;
    return true;
}

static bool player_block(void *context, const willow_ray *rays, size_t count,
                         const uint8_t **states)
{
    player *p = context;
    willow_blocks out;
    willow_ray_options options = willow_ray_options_default();
    options.use_threads = p->query.use_threads;
    willow_result result = willow_block_rays(p->world, p->scratch, rays, count, &options, &out);
    if (result != WILLOW_OK) return player_fail_asking(p, result);
    *states = out.states;
    return true;
}

ray_caster player_ray_caster(player *p)
{
    return (ray_caster){.context = p, .cast = player_cast, .block = player_block};
}

/* ---- making ---- */

static bool stage_player(ray_stage *stage)
{
    engine_options engine = engine_options_default();
    engine.poses = POSES_NONE;
    engine.tree.method = WILLOW_METHOD_BOTTOM_UP;
    scene_arrays_fill(stage->scene, 0, stage->now);
    return player_create(&stage->player, stage->scene, 0, stage->now, stage->self, &engine);
}

ray_stage *ray_stage_create(const scene *s, bench_question question, uint32_t block_frames)
{
    ray_stage *stage = calloc(1, sizeof *stage);
    if (stage == NULL) return NULL;
    *stage = (ray_stage){.scene = s,
                         .question = question,
                         .block_frames = block_frames,
                         .frame = {.picture = ray_picture_default(s)},
                         .self = calloc((size_t)s->body_count + 1, sizeof(bool)),
                         .now = scene_arrays_create(s),
                         .block = calloc(block_frames, sizeof(staged_rays))};
    if (stage->self != NULL && stage->now != NULL && stage->block != NULL && stage_player(stage)) {
        return stage;
    }
    ray_stage_destroy(stage);
    return NULL;
}

void ray_stage_destroy(ray_stage *stage)
{
    if (stage == NULL) return;
    for (uint32_t i = 0; stage->block != NULL && i < stage->block_frames; i++) {
        for (int k = 0; k < RAY_BATCH_COUNT; k++) {
            free(stage->block[i].batches[k].rays);
            free(stage->block[i].batches[k].t);
        }
    }
    player_destroy(&stage->player);
    ray_frame_destroy(&stage->frame);
    scene_arrays_destroy(stage->scene, stage->now);
    free(stage->block);
    free(stage->self);
    free(stage);
}

static bool staged_batch_reserve(staged_batch *b, size_t count)
{
    b->count = 0;
    if (count <= b->capacity) return true;
    free(b->rays);
    free(b->t);
    b->capacity = 0;
    b->rays = malloc(count * sizeof *b->rays);
    b->t = malloc(count * sizeof *b->t);
    if (b->rays == NULL || b->t == NULL) return false;
    b->capacity = count;
    return true;
}

static bool keep_batch(staged_batch *to, const ray_batch *from)
{
    if (!staged_batch_reserve(to, from->count)) return false;
    to->count = from->count;
    if (from->count == 0) return true;
    memcpy(to->rays, from->rays, from->count * sizeof *to->rays);
    for (size_t i = 0; i < from->count; i++) {
        const bool is_hit = from->states[i] == WILLOW_RAY_HIT;
        to->t[i] = !is_hit ? (double)INFINITY : from->hits != NULL ? from->hits[i].t : 0;
    }
    return true;
}

static uint32_t pick_count(bench_question question)
{
    return question == QUESTION_PICKS ? 10 : 1000;
}

static bool trace(ray_stage *stage, uint32_t frame)
{
    const ray_caster caster = player_ray_caster(&stage->player);
    if (stage->question == QUESTION_RAYS) {
        return ray_frame_trace(&stage->frame, stage->scene, frame, &caster);
    }
    scene_camera camera;
    scene_get_camera(stage->scene, frame, &camera);
    return ray_frame_pick(&stage->frame, &camera, pick_count(stage->question), frame) &&
           ray_frame_ask(&stage->frame, RAYS_PRIMARY, &caster);
}

bool ray_stage_fill(ray_stage *stage, uint32_t first_frame, uint32_t count)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < count; i++) {
        const uint32_t frame = first_frame + i;
        scene_arrays_fill(stage->scene, frame, stage->now);
        player_prepare(&stage->player, frame);
        fine = player_go(&stage->player, frame, NULL) && trace(stage, frame);
        staged_rays *to = &stage->block[frame % stage->block_frames];
        for (int k = 0; fine && k < RAY_BATCH_COUNT; k++) {
            fine = keep_batch(&to->batches[k], &stage->frame.batches[k]);
        }
    }
    return fine;
}

/* ---- answers ---- */

static uint64_t ray_mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return digest ^ digest >> 32;
}

static uint64_t two_floats(float a, float b)
{
    uint32_t bits[2];
    memcpy(&bits[0], &a, sizeof a);
    memcpy(&bits[1], &b, sizeof b);
    return (uint64_t)bits[1] << 32 | bits[0];
}

static uint64_t mix_hit(uint64_t digest, const willow_hit *hit)
{
    uint64_t t;
    memcpy(&t, &hit->t, sizeof t);
    digest = ray_mix(digest, hit->user_data << 32 | hit->at.tri);
    digest = ray_mix(digest, t);
    digest = ray_mix(digest, two_floats(hit->u, hit->v));
    digest = ray_mix(digest, two_floats(hit->normal.x, hit->normal.y));
    return ray_mix(digest, two_floats(hit->normal.z, 0));
}

static void digest_batch(const staged_batch *b, const willow_hit *hits, const uint8_t *states,
                         ray_answer *out)
{
    for (size_t i = 0; i < b->count; i++) {
        const bool is_hit = states[i] == WILLOW_RAY_HIT;
        out->hits += is_hit;
        out->digest = hits != NULL && is_hit ? mix_hit(out->digest, &hits[i])
                                             : ray_mix(out->digest, states[i]);
    }
}

/* Hit or miss, and where within a ten thousandth. */
static void count_lost(const staged_batch *b, const willow_hit *hits, const uint8_t *states,
                       ray_answer *out)
{
    for (size_t i = 0; i < b->count; i++) {
        const bool is_hit = states[i] == WILLOW_RAY_HIT, is_wanted = isfinite(b->t[i]);
        out->hits += is_hit;
        const bool is_near = !is_hit || !is_wanted || hits == NULL ||
                             fabs(hits[i].t - b->t[i]) <= 1e-4 * fabs(b->t[i]);
        out->lost += is_hit != is_wanted || !is_near;
    }
}

static bool ask_batch(const staged_batch *b, bool blocks, const ray_caster *caster, bool is_exact,
                      ray_answer *out)
{
    const willow_hit *hits = NULL;
    const uint8_t *states = NULL;
    const bool fine = blocks ? caster->block(caster->context, b->rays, b->count, &states)
                             : caster->cast(caster->context, b->rays, b->count, &hits, &states);
    if (!fine) return false;
    const double start = now_ms();
    out->rays += b->count;
    if (is_exact) {
        digest_batch(b, hits, states, out);
    } else {
        count_lost(b, hits, states, out);
    }
    out->idle_ms += now_ms() - start;
    return true;
}

bool ray_stage_ask(const staged_rays *rays, const ray_caster *caster, bool is_exact,
                   ray_answer *out)
{
    *out = (ray_answer){.rays = 0};
    for (int i = 0; i < RAY_BATCH_COUNT; i++) {
        const staged_batch *b = &rays->batches[i];
        if (b->count == 0) continue;
        if (!ask_batch(b, ray_batch_blocks((ray_batch_kind)i), caster, is_exact, out)) return false;
    }
    return true;
}

void ray_answer_copy(const ray_answer *answer, pair_list *out)
{
    out->count = answer->hits;
    out->digest = answer->digest;
    out->rays = answer->rays;
    out->lost = answer->lost;
}
