/* flight_world.c - see flight_world.h. */
#include "support/flight_world.h"
#include "support/contact_hash.h"
#include "support/fixture.h"

#include <math.h>
#include <stdlib.h>

static void expect_ok(const flight_world *w, willow_result result)
{
    if (result != WILLOW_OK) fail_msg("%s", willow_world_message(w->world));
}

void flight_world_open(flight_world *w, willow_method method, uint32_t thread_count)
{
    willow_world_def def = willow_world_def_default();
    def.thread_count = thread_count;
    *w = (flight_world){.method = method, .use_threads = thread_count > 1};
    w->world = fixture_world(&def);
    w->scratch = fixture_scratch(w->world);
    w->second = fixture_scratch(w->world);
}

void flight_world_close(flight_world *w)
{
    willow_scratch_destroy(w->scratch);
    fixture_close(w->world, w->second);
}

willow_body_def flight_body(const float (*positions)[3], uint32_t vertex_count,
                            const uint32_t (*tris)[3], uint32_t triangle_count)
{
    willow_body_def def = willow_body_def_default();
    def.mesh = FIXTURE_MESH(positions, vertex_count, tris, triangle_count);
    def.tree.leaf_triangles = 2;
    return def;
}

willow_body_id flight_world_add(flight_world *w, willow_body_def def)
{
    willow_body_id id;
    def.tree.method = w->method;
    expect_ok(w, willow_body_create(w->world, &def, &id));
    return id;
}

void flight_world_keys(flight_world *w, willow_body_id body, const float (*positions)[3],
                       const double *times, uint32_t count)
{
    willow_flightplan plan = willow_flightplan_default();
    plan.positions = positions;
    plan.times = times;
    plan.keyframe_count = count;
    expect_ok(w, willow_body_set_flightplan(w->world, body, &plan));
}

void flight_world_throw(flight_world *w, willow_body_id body, const float velocity[3],
                        const float acceleration[3])
{
    willow_body_info info;
    expect_ok(w, willow_body_get_info(w->world, body, &info));
    float(*all)[3] = calloc(2 * (size_t)info.vertex_count, sizeof *all);
    assert_non_null(all);
    for (uint32_t i = 0; i < info.vertex_count; i++) {
        memcpy(all[i], velocity, sizeof *all);
        if (acceleration) memcpy(all[info.vertex_count + i], acceleration, sizeof *all);
    }
    expect_ok(w, willow_body_set_velocities(w->world, body, 0, info.vertex_count, all, 0));
    if (acceleration)
        expect_ok(w, willow_body_set_accelerations(w->world, body, 0, info.vertex_count,
                                                   all + info.vertex_count, 0));
    free(all);
}

void flight_world_look(flight_world *w, double from, double to)
{
    char reason[200] = "";
    expect_ok(w, willow_world_set_target_time(w->world, to));
    expect_ok(w, willow_world_update(w->world, from, NULL));
    if (!willow_world_validate(w->world, reason, sizeof reason)) fail_msg("%s", reason);
}

willow_impacts flight_world_ask(flight_world *w, const willow_query_options *asked,
                                const willow_impact **first)
{
    willow_query_options options = asked ? *asked : willow_query_options_default();
    willow_impacts impacts;
    willow_first_impact earliest;
    options.use_threads = w->use_threads;
    expect_ok(w, willow_find_impacts(w->world, w->scratch, &options, &impacts));
    expect_ok(w, willow_time_of_impact(w->world, w->second, &options, &earliest));
    *first = NULL;
    for (size_t i = 0; i < impacts.count; i++)
        if (*first == NULL || impacts.items[i].time < (*first)->time) *first = &impacts.items[i];
    const char *words = impacts_differ_first(&impacts, &earliest);
    if (words) fail_msg("the first impact: %s", words);
    return impacts;
}

double flight_world_first(flight_world *w)
{
    const willow_impact *first;
    (void)flight_world_ask(w, NULL, &first);
    return first ? first->time : (double)INFINITY;
}
