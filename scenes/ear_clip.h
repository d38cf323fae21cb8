/* ear_clip.h - a simple polygon in the plane becomes triangles. */
#ifndef SCENES_EAR_CLIP_H
#define SCENES_EAR_CLIP_H

#include <stdint.h>

/* Writes count - 2 triangles, counterclockwise as the polygon is, which is made of the points that
 * `polygon` names; it is used up. Of all ears the one whose smallest angle is largest goes first.
 */
void ear_clip(const double (*points)[2], uint32_t *polygon, uint32_t count, uint32_t (*out)[3]);

#endif
