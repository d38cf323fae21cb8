/* scene_clip.h - a built-in scene as a clip, so that whoever plays files plays scenes too. */
#ifndef BENCH_PLAY_SCENE_CLIP_H
#define BENCH_PLAY_SCENE_CLIP_H

#include "io/clip.h"
#include "scenes/scenes.h"

/* Scenes know frames and no seconds; clips of them have so many frames in one. */
enum { SCENE_CLIP_FPS = 24 };

/* A clip with the bodies of the scene, named by it, or "body 1" and so on: rigid ones have poses,
 * those that are a base and offsets are morphs, those on joints are skins, and all others have
 * positions in every frame, the bits of scene_positions. The scene must outlive it. NULL with a
 * reason; the caller closes it. */
clip *scene_clip_create(const scene *s, io_error *error);

#endif
