/* plan_model.c - flight plans by their definition. */
#include "support/plan_model.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "geom/pose.h"

static bool is_same_place(const float a[3], const float b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

void plan_model_make(plan_model *model, const zoo_mesh *mesh)
{
    const size_t count = mesh->vertex_count;
    *model = (plan_model){.vertex_count = mesh->vertex_count, .pose = willow_pose_identity()};
    model->stand_in = calloc(count + 1, sizeof *model->stand_in);
    model->set = calloc(count + 1, sizeof *model->set);
    model->paths = calloc(count + 1, sizeof *model->paths);
    model->keys = calloc(PLAN_MODEL_KEYS * count + 1, sizeof *model->keys);
    if (count > 0) memcpy(model->set, mesh->positions, count * sizeof *model->set);
    for (uint32_t vertex = 0; vertex < mesh->vertex_count; vertex++) {
        uint32_t first = mesh->weld ? 0 : vertex;
        while (first < vertex && !is_same_place(model->set[first], model->set[vertex])) first++;
        model->stand_in[vertex] = first;
    }
}

void plan_model_free(plan_model *model)
{
    free(model->stand_in);
    free(model->set);
    free(model->paths);
    free(model->keys);
    *model = (plan_model){0};
}

/* ---- where it is ---- */

/* The keyframe at or before a time, the one after it, and the share of the way between them: both
 * are the same where nothing moves. */
static double find_keys(const plan_model *model, double time, uint32_t *from, uint32_t *to)
{
    uint32_t after = 0;
    while (after < model->key_count && model->times[after] <= time) after++;
    *from = after > 0 ? after - 1 : 0;
    *to = after > 0 && after < model->key_count ? after : *from;
    if (*to == *from) return 0.0;
    return (time - model->times[*from]) / (model->times[*to] - model->times[*from]);
}

void plan_model_read(const plan_model *model, double time, uint32_t vertex, double out[3])
{
    const uint32_t stand_in = model->stand_in[vertex];
    const plan_path *path = &model->paths[stand_in];
    uint32_t from, to;
    const double share = find_keys(model, time, &from, &to);
    for (int axis = 0; axis < 3; axis++) {
        if (!model->has_plan) {
            out[axis] = (double)model->set[stand_in][axis];
        } else if (path->is_on_keys) {
            const double a = (double)model->keys[from * model->vertex_count + stand_in][axis];
            const double b = (double)model->keys[to * model->vertex_count + stand_in][axis];
            out[axis] = a + share * (b - a);
        } else {
            const double s = time - path->since;
            out[axis] = path->start[axis] + s * (double)path->velocity[axis] +
                        0.5 * s * s * (double)path->acceleration[axis];
        }
    }
}

static float round_to_range(double x)
{
    if (x > (double)FLT_MAX) return FLT_MAX;
    return x < -(double)FLT_MAX ? -FLT_MAX : (float)x;
}

void plan_model_see(const plan_model *model, double time, uint32_t vertex, float out[3])
{
    const wi_pose pose = wi_pose_from(&model->pose);
    double at[3];
    float posed[4];
    plan_model_read(model, time, vertex, at);
    for (int axis = 0; axis < 3; axis++) out[axis] = round_to_range(at[axis]);
    if (!model->has_plan && wi_pose_is_identity(&pose))
        memcpy(out, model->set[model->stand_in[vertex]], 3 * sizeof *out);
    if (wi_pose_is_identity(&pose)) return;
    wi_pose_apply64(&pose, at, posed);
    memcpy(out, posed, 3 * sizeof *out);
}

/* ---- changes ---- */

/* How fast a vertex goes along an axis. */
static double speed_of(const plan_model *model, double time, uint32_t vertex, int axis)
{
    const plan_path *path = &model->paths[vertex];
    uint32_t from, to;
    if (!path->is_on_keys)
        return (double)path->velocity[axis] +
               (time - path->since) * (double)path->acceleration[axis];
    (void)find_keys(model, time, &from, &to);
    if (from == to) return 0.0;
    const double a = (double)model->keys[from * model->vertex_count + vertex][axis];
    const double b = (double)model->keys[to * model->vertex_count + vertex][axis];
    return (b - a) / (model->times[to] - model->times[from]);
}

static void stand(plan_path *path, double now, const float at[3])
{
    *path = (plan_path){.since = now};
    for (int axis = 0; axis < 3; axis++) path->start[axis] = (double)at[axis];
}

/* Who has no plan yet stands where it is. */
static void begin_plan(plan_model *model, double now)
{
    if (model->has_plan) return;
    model->has_plan = true;
    for (uint32_t vertex = 0; vertex < model->vertex_count; vertex++)
        stand(&model->paths[vertex], now, model->set[vertex]);
}

void plan_model_set_path(plan_model *model, double now, uint32_t vertex, const float velocity[3],
                         const float acceleration[3])
{
    plan_path next = {.since = now};
    begin_plan(model, now);
    if (model->stand_in[vertex] != vertex) return;
    plan_model_read(model, now, vertex, next.start);
    for (int axis = 0; axis < 3; axis++) {
        next.velocity[axis] =
            velocity ? velocity[axis] : round_to_range(speed_of(model, now, vertex, axis));
        if (acceleration) next.acceleration[axis] = acceleration[axis];
    }
    model->paths[vertex] = next;
}

void plan_model_set_keys(plan_model *model, const float *keys, const double *times,
                         uint32_t key_count)
{
    const size_t points = (size_t)key_count * model->vertex_count;
    model->has_plan = true;
    model->key_count = key_count;
    memcpy(model->times, times, key_count * sizeof *times);
    if (points > 0) memcpy(model->keys, keys, points * sizeof *model->keys);
    for (uint32_t vertex = 0; vertex < model->vertex_count; vertex++)
        model->paths[vertex].is_on_keys = true;
}

void plan_model_set_vertices(plan_model *model, double now, uint32_t first, uint32_t count,
                             const float *positions)
{
    const bool is_all = count == model->vertex_count;
    if (count == 0) return;
    if (is_all) model->has_plan = false;
    for (uint32_t i = 0; i < count; i++) {
        if (model->stand_in[first + i] != first + i) continue;
        if (model->has_plan)
            stand(&model->paths[first + i], now, positions + 3 * (size_t)i);
        else
            memcpy(model->set[first + i], positions + 3 * (size_t)i, sizeof *model->set);
    }
}
