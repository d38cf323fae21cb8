/* live_triangles.h - bodies of scenes whose triangles come and go, for players that keep the
 * numbers of the scene: what is not there is in group 0, which collides with nothing. Edits move
 * triangles from group to group. */
#ifndef SCENES_LIVE_TRIANGLES_H
#define SCENES_LIVE_TRIANGLES_H

#include "scenes.h"
#include "willow/willow.h"

#include <stdint.h>

/* By triangle, for a body with lives; NULL for want of memory. The caller frees them. */
uint16_t *live_triangle_groups(const scene_body *body, uint32_t frame);

/* From what is there in one frame to what is in another. */
willow_result live_triangles_edit(willow_world *world, willow_body_id id, const scene_body *body,
                                  uint32_t from, uint32_t to);

#endif
