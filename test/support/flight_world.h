/* flight_world.h - a world of bodies with flight plans, and what touches on their way. */
#ifndef TEST_FLIGHT_WORLD_H
#define TEST_FLIGHT_WORLD_H

#include "support/test.h"
#include "willow/willow.h"

typedef struct flight_world {
    willow_world *world;
    willow_scratch *scratch, *second; /* the second one for first impacts */
    willow_method method;             /* of bodies to come */
    bool use_threads;
} flight_world;

void flight_world_open(flight_world *w, willow_method method, uint32_t thread_count);
void flight_world_close(flight_world *w);

/* A body of packed positions and triangles. */
willow_body_def flight_body(const float (*positions)[3], uint32_t vertex_count,
                            const uint32_t (*tris)[3], uint32_t triangle_count);
willow_body_id flight_world_add(flight_world *w, willow_body_def def);

/* Keyframes of packed positions. */
void flight_world_keys(flight_world *w, willow_body_id body, const float (*positions)[3],
                       const double *times, uint32_t count);

/* The same velocity, and the same acceleration unless it is NULL, for all vertices. */
void flight_world_throw(flight_world *w, willow_body_id body, const float velocity[3],
                        const float acceleration[3]);

/* Updates to a time and looks ahead to another one. Fails the test if the world is not valid. */
void flight_world_look(flight_world *w, double from, double to);

/* All impacts, and the first one, which must be one of them: the earliest, and of those the first
 * in order. NULL if there are none. Until the next call. */
willow_impacts flight_world_ask(flight_world *w, const willow_query_options *options,
                                const willow_impact **first);

/* The time of the first impact, or infinity. */
double flight_world_first(flight_world *w);

#endif
