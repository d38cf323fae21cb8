/* morphs.h - the morphing and the skinned bodies of a scene as data, and a pass that blends them.
 *
 * Bodies that are made of references, weights and a pose (SCENE_MORPH) can be given to Willow as
 * such: references once, weights and poses in every frame. Peers cannot, so positions have to be
 * made for them in every frame, which is one pass over all vertices: morph_blend. Both read the
 * same data, and positions are the bits of scene_positions. Bodies that follow joints (SCENE_SKIN)
 * go the same way: they count as morphs here. */
#ifndef BENCH_PLAY_MORPHS_H
#define BENCH_PLAY_MORPHS_H

#include "scenes/scenes.h"

/* Whether this body is a morph or has a skin; whether any is; whether any has a skin. */
bool scene_body_morphs(const scene *s, uint32_t body);
bool scene_has_morphs(const scene *s);
bool scene_has_skins(const scene *s);

/* Writes where the vertices of a body that morphs are in a frame, under its pose. */
void morph_blend(const scene *s, uint32_t frame, uint32_t body, float *xyz_out);

#endif
