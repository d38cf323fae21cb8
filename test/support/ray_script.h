/* ray_script.h - scripts of triangles and rays, number by number: on lattices, far away, or any
 * float at all; bodies of any method and pose that move, and rays with any options.
 *
 * willow_ray_tri is held against rationals, and worlds against loops over all triangles
 * (ray_scene.h). Rays that are not sound must be refused with their number. What is chosen comes
 * from a seed, or from bytes. */
#ifndef TEST_RAY_SCRIPT_H
#define TEST_RAY_SCRIPT_H

#include "support/choices.h"

typedef struct ray_tally {
    size_t scripts, updates, rays, hits;
    size_t tested;  /* rays against triangles */
    size_t refused; /* batches with a ray that is not sound */
} ray_tally;

/* Plays one script of so many updates at most, or until nothing is left to choose from. NULL, or
 * words for what went wrong. */
const char *ray_script_run(choices *c, uint32_t updates, ray_tally *tally);

#endif
