/* morphs.h - the morphing bodies of a scene as data, and a pass that blends them.
 *
 * Bodies that are made of references, weights and a pose (SCENE_MORPH) can be given to Willow as
 * such: references once, weights and poses in every frame. Peers cannot, so positions have to be
 * made for them in every frame, which is one pass over all vertices: morph_blend. Both read the
 * same data, and positions are the bits of scene_positions. */
#ifndef BENCH_PLAY_MORPHS_H
#define BENCH_PLAY_MORPHS_H

#include "scenes/scenes.h"

/* Whether this body is a morph; whether any is. */
bool scene_body_morphs(const scene *s, uint32_t body);
bool scene_has_morphs(const scene *s);

/* Writes where the vertices of a body that morphs are in a frame, under its pose. */
void morph_blend(const scene *s, uint32_t frame, uint32_t body, float *xyz_out);

#endif
