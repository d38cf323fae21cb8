/* step_stage.c - every question is asked with threads. */
#include "support/step_stage.h"

#include <string.h>

#include "support/contact_hash.h"
#include "support/fixture.h"
#include "support/test.h"

const willow_pose step_poses[STEP_BODIES] = {{{0.125F, 0, 0}, {0.25F, 0.5F, 0, 1}},
                                             {{0, 0.25F, 0}, {0, 0.125F, -0.25F, 1}}};

void step_stage_begin(step_stage *s)
{
    char reason[200] = "";
    assert_ok(willow_world_update(s->world, 0.0, NULL));
    if (!willow_world_validate(s->world, reason, sizeof reason)) fail_msg("%s", reason);
    s->scratch = fixture_scratch(s->world);
}

void step_stage_close(step_stage *s) { fixture_close(s->world, s->scratch); }

step_answers step_stage_ask(step_stage *s)
{
    willow_query_options options = willow_query_options_default();
    willow_impacts impacts;
    willow_first_impact first;
    willow_near near;
    willow_closest_pair pair;
    const willow_body_set a = {s->bodies, 1}, b = {s->bodies + 1, 1};
    char reason[200] = "";
    step_answers out;
    options.use_threads = true;
    assert_ok(willow_find_impacts(s->world, s->scratch, &options, &impacts));
    out.impacts = hash_impacts(&impacts);
    out.impact_count = impacts.count;
    assert_ok(willow_time_of_impact(s->world, s->scratch, &options, &first));
    out.first = hash_first_impact_time(&first);
    options.near_distance = 0.05;
    assert_ok(willow_find_near(s->world, s->scratch, &options, &near));
    out.near = hash_near(&near);
    out.near_count = near.count;
    options.features = true;
    assert_ok(willow_find_near(s->world, s->scratch, &options, &near));
    out.features = hash_near(&near);
    assert_ok(willow_distance(s->world, s->scratch, &a, &b, NULL, &pair));
    memcpy(&out.closest, &pair.distance, sizeof out.closest);
    if (!willow_world_validate(s->world, reason, sizeof reason)) fail_msg("%s", reason);
    return out;
}

void step_answers_expect(const step_answers *a, const step_answers *b, const char *words)
{
    if (a->impacts != b->impacts || a->first != b->first || a->near != b->near ||
        a->features != b->features || a->closest != b->closest)
        fail_msg("%s: other answers; %zu impacts and %zu near, not %zu and %zu", words,
                 b->impact_count, b->near_count, a->impact_count, a->near_count);
}
