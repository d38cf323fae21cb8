/* clip_scene.h - files for who draws scenes: a clip as a scene with positions in every frame.
 *
 * Scenes have z upwards, most files y. Turning positions by a quarter about x only swaps and
 * negates coordinates, so that all answers stay the same bits. */
#ifndef CLI_RENDER_CLIP_SCENE_H
#define CLI_RENDER_CLIP_SCENE_H

#include "io/clip.h"
#include "scenes/scenes.h"

/* The clip at these times, with y or z upwards. Clip and times must outlive it. NULL for want of
 * memory; scene_destroy destroys it. Unlike those of other scenes its positions are made by one
 * thread at a time, since a sample is read once for all bodies. */
scene *clip_scene_create(const clip *c, const double *times, uint32_t count, bool is_y_up);

/* Why positions could not be made, if so: a file that cannot be read, or triangles that change,
 * which scenes cannot have. NULL: all is well. */
const char *clip_scene_error(const scene *s);

/* A point of the file where the scene has it. */
void clip_scene_turn(float point[3]);

#endif
