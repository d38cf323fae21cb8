/* ask.c - the one place where the words of --query become calls of the library.
 *
 * Way in: bench_get_ready once, then bench_go and bench_ask in every frame. */
#include "bench/run/ask.h"
#include "bench/play/engine.h"
#include "bench/play/player.h"
#include "bench/run/question.h"

#include <string.h>

/* ---- asking ---- */

bool bench_get_ready(player *p, bench_question question, const engine_options *engine,
                     float *const *targets)
{
    bool is_near = question == QUESTION_NEAR || question == QUESTION_NEAR_FEATURES;
    if (is_near && engine->near_distance == 0.0) {
        p->query.near_distance = scene_arrays_thickness(p->scene, p->now.positions);
    }
    p->query.features = question == QUESTION_NEAR_FEATURES;
    return !bench_question_is(question, ASKS_STEPS) || player_take_targets(p, targets);
}

bool bench_go(player *p, bench_question question, uint32_t frame, willow_update_report *report)
{
    bool has_step = bench_question_is(question, ASKS_STEPS);
    return has_step ? player_go_and_aim(p, frame, report) : player_go(p, frame, report);
}

/* Of the first body from all others. */
static willow_result ask_distance(player *p, willow_closest_pair *out)
{
    const uint32_t count = p->scene->body_count;
    const willow_body_set first = {p->bodies, count > 0 ? 1 : 0};
    const willow_body_set others = {p->bodies + first.count, count - first.count};
    return willow_distance(p->world, p->scratch, &first, &others, &p->query, out);
}

static willow_result call(player *p, bench_question question, bench_answer *out)
{
    const willow_query_options *o = &p->query;
    switch (question) {
    case QUESTION_PAIRS:
    case QUESTION_SELF:
    case QUESTION_FIRST: break; /* the player asks */
    case QUESTION_IMPACTS: return willow_find_impacts(p->world, p->scratch, o, &out->impacts);
    case QUESTION_TOI: return willow_time_of_impact(p->world, p->scratch, o, &out->first_impact);
    case QUESTION_NEAR:
    case QUESTION_NEAR_FEATURES: return willow_find_near(p->world, p->scratch, o, &out->near);
    case QUESTION_DISTANCE: return ask_distance(p, &out->closest);
    case QUESTION_RAYS:
    case QUESTION_PICKS:
    case QUESTION_PICKS_1000:
    case QUESTION_BROAD: return WILLOW_BAD_ARGUMENT; /* ray_stage_ask and crowd_measure do */
    case QUESTION_NONE: break;
    }
    return WILLOW_OK;
}

bool bench_ask(player *p, bench_question question, bench_answer *out)
{
    out->question = question;
    if (question == QUESTION_PAIRS) return player_find_pairs(p, &out->pairs);
    if (question == QUESTION_SELF) return player_find_self_pairs(p, &out->pairs);
    if (question == QUESTION_FIRST) return player_find_first_pair(p, &out->first);
    willow_result result = call(p, question, out);
    return result == WILLOW_OK || player_fail_asking(p, result);
}

size_t bench_answer_count(const bench_answer *answer)
{
    switch (answer->question) {
    case QUESTION_PAIRS:
    case QUESTION_SELF: return answer->pairs.count;
    case QUESTION_FIRST: return answer->first.found;
    case QUESTION_IMPACTS: return answer->impacts.count;
    case QUESTION_TOI: return answer->first_impact.found;
    case QUESTION_NEAR:
    case QUESTION_NEAR_FEATURES: return answer->near.count;
    case QUESTION_DISTANCE: return answer->closest.found;
    case QUESTION_RAYS:
    case QUESTION_PICKS:
    case QUESTION_PICKS_1000:
    case QUESTION_BROAD:
    case QUESTION_NONE: break;
    }
    return 0;
}

/* ---- digests ---- */

static uint64_t digest_mix(uint64_t digest, uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return digest ^ digest >> 32;
}

static uint64_t mix_real(uint64_t digest, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return digest_mix(digest, bits);
}

static uint64_t mix_point(uint64_t digest, willow_vec3 point)
{
    digest = mix_real(digest, (double)point.x);
    digest = mix_real(digest, (double)point.y);
    return mix_real(digest, (double)point.z);
}

static uint64_t mix_feature(uint64_t digest, const willow_feature *feature)
{
    digest = digest_mix(digest, (uint64_t)feature->kind);
    return digest_mix(digest, (uint64_t)feature->number[0] << 32 | feature->number[1]);
}

static uint64_t mix_bodies(uint64_t digest, const player *p, willow_body_id a, willow_body_id b)
{
    return digest_mix(digest, (uint64_t)player_body_number(p, a) << 32 | player_body_number(p, b));
}

static uint64_t mix_impact(uint64_t digest, const willow_impact *impact)
{
    digest = mix_feature(digest, &impact->a);
    digest = mix_feature(digest, &impact->b);
    return digest_mix(mix_real(digest, impact->time), impact->is_decided);
}

static uint64_t mix_near(uint64_t digest, const willow_near_pair *near)
{
    digest = mix_feature(digest, &near->a);
    digest = mix_feature(digest, &near->b);
    digest = mix_real(digest, near->distance);
    return mix_point(mix_point(digest, near->contact.point_a), near->contact.point_b);
}

static uint64_t mix_run(uint64_t digest, const player *p, const willow_pair_run *run)
{
    return digest_mix(mix_bodies(digest, p, run->body_a, run->body_b), run->count);
}

static uint64_t digest_impacts(const player *p, const willow_impacts *impacts)
{
    uint64_t digest = impacts->count;
    for (size_t i = 0; i < impacts->run_count; i++) digest = mix_run(digest, p, &impacts->runs[i]);
    for (size_t i = 0; i < impacts->count; i++) digest = mix_impact(digest, &impacts->items[i]);
    return digest;
}

static uint64_t digest_first_impact(const player *p, const willow_first_impact *first)
{
    if (!first->found) return 0;
    /* Which of several at the start is free (C3). */
    if (first->impact.time == 0 && first->impact.is_decided) return 1;
    return mix_impact(mix_bodies(1, p, first->body_a, first->body_b), &first->impact);
}

static uint64_t digest_near(const player *p, const willow_near *near)
{
    uint64_t digest = near->count;
    for (size_t i = 0; i < near->run_count; i++) digest = mix_run(digest, p, &near->runs[i]);
    for (size_t i = 0; i < near->count; i++) digest = mix_near(digest, &near->items[i]);
    return digest;
}

static uint64_t digest_closest(const player *p, const willow_closest_pair *closest)
{
    if (!closest->found) return 0;
    uint64_t digest = mix_bodies(1, p, closest->a.body, closest->b.body);
    digest = digest_mix(digest, (uint64_t)closest->a.tri << 32 | closest->b.tri);
    return mix_real(
        mix_point(mix_point(digest, closest->contact.point_a), closest->contact.point_b),
        closest->distance);
}

double bench_answer_distance(const bench_answer *answer)
{
    const bool has_one = answer->question == QUESTION_DISTANCE && answer->closest.found;
    return has_one ? answer->closest.distance : 0;
}

uint64_t bench_answer_digest(const player *p, const bench_answer *answer)
{
    switch (answer->question) {
    case QUESTION_PAIRS:
    case QUESTION_SELF: return willow_pairs_hash(&answer->pairs);
    case QUESTION_FIRST: return answer->first.found;
    case QUESTION_IMPACTS: return digest_impacts(p, &answer->impacts);
    case QUESTION_TOI: return digest_first_impact(p, &answer->first_impact);
    case QUESTION_NEAR:
    case QUESTION_NEAR_FEATURES: return digest_near(p, &answer->near);
    case QUESTION_DISTANCE: return digest_closest(p, &answer->closest);
    case QUESTION_RAYS:
    case QUESTION_PICKS:
    case QUESTION_PICKS_1000:
    case QUESTION_BROAD:
    case QUESTION_NONE: break;
    }
    return 0;
}
