/* morph_balls.h - two bodies that are one ball in several references: what scenes of these share.
 */
#ifndef SCENES_MORPH_BALLS_H
#define SCENES_MORPH_BALLS_H

#include "icosphere.h"
#include "vec.h"

enum { MORPH_BALLS = 2 };

/* The data of the scene. */
typedef struct morph_balls {
    icosphere sphere;
    float *references[SCENE_REFERENCE_MAX]; /* as many as the kind says */
    vec axes[MORPH_BALLS];                  /* about which bodies turn */
} morph_balls;

/* Makes the bodies, their axes, and room for their references, which `fill` fills in as a function
 * of the key. False for want of memory; what is there by then belongs to the scene. */
bool morph_balls_create(scene *s, void (*fill)(morph_balls *data, uint64_t key));

/* Of scene_kind. */
void morph_balls_destroy(scene *s);
const float *morph_balls_reference(const scene *s, uint32_t body, uint32_t number);

#endif
