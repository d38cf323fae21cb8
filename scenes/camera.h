/* camera.h - how a scene is looked at: a camera for each frame, lights, and which bodies reflect.
 *
 * For pictures and for benchmarks of rays. Every scene has all three: a kind that is made for rays
 * brings its own camera, lights and mirrors (scene_kind), and for any other the camera stands where
 * it sees all frames of the scene, lights hang beside it, and nothing reflects. All of it is a
 * function of the frame number, equal bits everywhere. */
#ifndef SCENES_CAMERA_H
#define SCENES_CAMERA_H

#include "scenes.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scene_camera {
    float eye[3], look_at[3];
    float up[3]; /* need not be at right angles to where it looks */
    float vertical_degrees;
} scene_camera;

typedef struct scene_light {
    float position[3];
    float strength; /* those of all lights of a scene are one together */
} scene_light;

enum { SCENE_LIGHTS = 2 };

/* The first call for a scene without a camera of its own looks at positions of some of its frames,
 * and remembers what it saw: make it from one thread. */
void scene_get_camera(const scene *s, uint32_t frame, scene_camera *out);

/* How many there are. The same holds of its first call. */
uint32_t scene_get_lights(const scene *s, uint32_t frame, scene_light out[SCENE_LIGHTS]);

/* The height that nothing is below, in the frames that this looks at; the same holds of its first
 * call. */
float scene_lowest(const scene *s);

bool scene_is_reflective(const scene *s, uint32_t body);

/* The lower and the upper corner of all bodies in that frame; false if there is no vertex. Makes
 * all positions, so it takes as long. False for want of memory too. */
bool scene_frame_bounds(const scene *s, uint32_t frame, float lower[3], float upper[3]);

#ifdef __cplusplus
}
#endif
#endif
