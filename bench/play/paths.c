/* paths.c - positions from known paths, as whoever has nothing but positions needs them.
 *
 * Way in: path_follower_go. Everything is in the order of vertices, so that the pass is a stream,
 * and the file is compiled with all that the machine has, as peer:plain is. */
#include "bench/play/paths.h"

#include <stdlib.h>

/* At `since` + t the vertex is at start + t * velocity. */
struct path_ray {
    double start[3], since;
    float velocity[3];
};

/* ---- what is known ---- */

bool scene_body_has_path(const scene *s, uint32_t body)
{
    scene_motion motion = s->bodies[body].motion;
    return motion == SCENE_KEYFRAMES || motion == SCENE_PLANS;
}

bool scene_body_stands(const scene *s, uint32_t body)
{
    return s->bodies[body].motion == SCENE_RIGID && s->kind->pose == NULL;
}

bool scene_has_paths(const scene *s)
{
    uint32_t i = 0;
    while (i < s->body_count && !scene_body_has_path(s, i)) i++;
    return i < s->body_count;
}

double scene_path_time(const scene *s, uint32_t frame)
{
    return s->kind->time != NULL ? scene_time(s, frame) : frame;
}

/* ---- keyframes ---- */

/* Up to the first one that is not before the last frame. */
static uint32_t count_keys(const scene *s, uint32_t frames)
{
    uint32_t count = 1, most = scene_key_count(s);
    while (count < most && scene_key_frame(s, count - 1) + 1 < frames) count++;
    return count;
}

static bool create_keys(paths *p, uint32_t body)
{
    size_t size = 3 * (size_t)p->scene->bodies[body].vertex_count;
    p->keys[body] = malloc((size * p->key_count + 1) * sizeof *p->keys[body]);
    if (p->keys[body] == NULL) return false;
    for (uint32_t key = 0; key < p->key_count; key++) {
        scene_key_positions(p->scene, key, body, p->keys[body] + key * size);
    }
    return true;
}

bool paths_create(paths *p, const scene *s, uint32_t frames)
{
    *p = (paths){.scene = s, .keys = calloc((size_t)s->body_count + 1, sizeof *p->keys)};
    if (p->keys == NULL) return false;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (s->bodies[i].motion != SCENE_KEYFRAMES) continue;
        p->key_count = count_keys(s, frames);
        if (!create_keys(p, i)) return false;
    }
    p->key_times = calloc((size_t)p->key_count + 1, sizeof *p->key_times);
    if (p->key_times == NULL) return false;
    for (uint32_t key = 0; key < p->key_count; key++) {
        p->key_times[key] = scene_path_time(s, scene_key_frame(s, key));
    }
    return true;
}

void paths_destroy(paths *p)
{
    for (uint32_t i = 0; p->keys != NULL && i < p->scene->body_count; i++) free(p->keys[i]);
    free(p->keys);
    free(p->key_times);
}

static void go_between(const float *restrict a, const float *restrict b, double share, size_t count,
                       float *restrict out)
{
    for (size_t i = 0; i < count; i++) {
        double from = (double)a[i], to = (double)b[i];
        out[i] = (float)(from + share * (to - from));
    }
}

static void follow_keys(const paths *p, uint32_t body, double time, float *out)
{
    size_t size = 3 * (size_t)p->scene->bodies[body].vertex_count;
    const double *times = p->key_times;
    uint32_t key = 0;
    while (key + 1 < p->key_count && times[key + 1] <= time) key++;
    bool is_last = key + 1 == p->key_count;
    const float *from = p->keys[body] + key * size, *to = is_last ? from : from + size;
    double share = is_last ? 0 : (time - times[key]) / (times[key + 1] - times[key]);
    go_between(from, to, share, size, out);
}

/* ---- plans ---- */

static bool create_rays(path_follower *f, uint32_t body, const float *starts)
{
    uint32_t count = f->paths->scene->bodies[body].vertex_count;
    path_ray *rays = calloc((size_t)count + 1, sizeof *rays);
    f->rays[body] = rays;
    if (rays == NULL) return false;
    for (size_t i = 0; i < 3 * (size_t)count; i++) rays[i / 3].start[i % 3] = (double)starts[i];
    return true;
}

bool path_follower_create(path_follower *f, const paths *p, float *const *starts)
{
    const scene *s = p->scene;
    *f = (path_follower){.paths = p,
                         .rays = calloc((size_t)s->body_count + 1, sizeof *f->rays),
                         .next = calloc((size_t)s->body_count + 1, sizeof *f->next)};
    if (f->rays == NULL || f->next == NULL) return false;
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (s->bodies[i].motion == SCENE_PLANS && !create_rays(f, i, starts[i])) return false;
    }
    return true;
}

void path_follower_destroy(path_follower *f)
{
    for (uint32_t i = 0; f->rays != NULL && i < f->paths->scene->body_count; i++) free(f->rays[i]);
    free(f->rays);
    free(f->next);
    *f = (path_follower){.paths = NULL};
}

/* The sum is not rounded to float, so that paths have no gaps. */
static void turn_ray(path_ray *ray, const scene_change *change)
{
    for (int k = 0; k < 3; k++) {
        ray->start[k] += (change->time - ray->since) * (double)ray->velocity[k];
        ray->velocity[k] = change->velocity[k];
    }
    ray->since = change->time;
}

static void follow_plans(path_follower *f, uint32_t body, double time, float *out)
{
    const scene *s = f->paths->scene;
    path_ray *rays = f->rays[body];
    size_t count;
    const scene_change *changes = scene_changes(s, body, &count);
    for (; f->next[body] < count && changes[f->next[body]].time < time; f->next[body]++) {
        turn_ray(&rays[changes[f->next[body]].vertex], &changes[f->next[body]]);
    }
    for (size_t i = 0; i < s->bodies[body].vertex_count; i++) {
        double since = time - rays[i].since;
        for (int k = 0; k < 3; k++) {
            *out++ = (float)(rays[i].start[k] + since * (double)rays[i].velocity[k]);
        }
    }
}

void path_follower_go(path_follower *f, uint32_t frame, float *const *out)
{
    const scene *s = f->paths->scene;
    double time = scene_path_time(s, frame);
    for (uint32_t i = 0; i < s->body_count; i++) {
        if (s->bodies[i].motion == SCENE_KEYFRAMES) follow_keys(f->paths, i, time, out[i]);
        if (s->bodies[i].motion == SCENE_PLANS) follow_plans(f, i, time, out[i]);
    }
}
