/* clip_sound.h - whether a clip keeps what io/clip.h promises, whatever file it is from. */
#ifndef TEST_CLIP_SOUND_H
#define TEST_CLIP_SOUND_H

#include "io/clip.h"

/* NULL, or words for what is wrong with the clip: indices out of range, names that are there twice,
 * keys that do not rise, joints and weights that are none, and so on. */
const char *clip_unsound(const clip *c);

/* The same for a frame that was read; clip_positions is called for all bodies. */
const char *clip_frame_unsound(const clip *c, const clip_frame *frame);

#endif
