/* single_body.h - one body of a scene in a world of its own: for costs that are measured alone. */
#ifndef BENCH_LIMIT_SINGLE_BODY_H
#define BENCH_LIMIT_SINGLE_BODY_H

#include "bench/peers/plain.h"
#include "bench/run/options.h"

/* The first body of a scene in several poses, and one caller's array. */
typedef struct single_body {
    scene *scene;
    uint32_t vertex_count, triangle_count;
    const uint32_t *indices;
    float *now;
    float **poses;
    uint32_t pose_count;
} single_body;

/* An exit code; destroy it in any case. */
int single_body_create(single_body *body, const char *spec);
void single_body_destroy(single_body *body);

/* Copies a pose to the caller's array; poses repeat. */
void single_body_show(single_body *body, uint32_t pose);

plain_mesh single_body_plain(const single_body *body);

/* A world with that body alone. An exit code; what was made is in *world in any case. */
int single_body_world(const single_body *body, const bench_options *options, willow_method method,
                      willow_world **world, willow_body_id *id);

#endif
