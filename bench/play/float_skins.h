/* float_skins.h - vertices of skinned bodies as engines compute them: linear blend skinning in
 * float.
 *
 * The pass of morphs.h computes in double, to the bits of scene_positions, so that all answers can
 * be compared. Nobody who draws characters does that. This pass is the yardstick that a skin in
 * Willow has to beat: matrices of three rows and four columns in float, four influences, products
 * and sums fused, all vertices in one stream, with as wide registers as the machine has. Positions
 * differ from the exact ones in their last bits, and so may a few answers. */
#ifndef BENCH_PLAY_FLOAT_SKINS_H
#define BENCH_PLAY_FLOAT_SKINS_H

#include "scenes/scenes.h"

typedef struct float_skins float_skins;

/* What the pass reads, of all bodies of a scene that have a skin, made once; the scene must outlive
 * it. NULL for want of memory. No vertex may follow more than four joints. */
float_skins *float_skins_create(const scene *s);
void float_skins_destroy(float_skins *skins); /* may be NULL */

/* Writes where the vertices of a body are in a frame, if it has a skin; else as morph_blend. */
void float_skins_blend(const float_skins *skins, uint32_t frame, uint32_t body, float *xyz_out);

#endif
