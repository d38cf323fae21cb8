/* bulk.h - many bodies in one call: created, destroyed, posed.
 *
 * Each call does the same as the calls of world.h for one body after the other, but all or nothing
 * (C6): if one element is refused, nothing has changed, and willow_world_message says which element
 * and why. Large amounts of work are divided among the workers of the world. No other call may use
 * the world meanwhile (C9). Arrays are read during the call only. */
#ifndef WILLOW_BULK_H
#define WILLOW_BULK_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Adds bodies, one for each def, and writes their ids to `out`. A def may share only a body that
 * exists before the call. Fails as willow_body_create does; ids are then null. */
WILLOW_API willow_result willow_bodies_create(willow_world *world, const willow_body_def *defs,
                                              size_t count, willow_body_id *out);

/* Removes bodies. BAD_HANDLE if one does not exist or is named twice; OUT_OF_MEMORY. */
WILLOW_API willow_result willow_bodies_destroy(willow_world *world, const willow_body_id *bodies,
                                               size_t count);

/* Moves bodies, one pose for each; if a body is named twice, the last pose counts. Fastest if ids
 * ascend, as willow_world_copy_bodies lists them. BAD_HANDLE, or BAD_ARGUMENT for a pose that is
 * not finite or whose rotation is zero. */
WILLOW_API willow_result willow_bodies_set_poses(willow_world *world, const willow_body_id *bodies,
                                                 const willow_pose *poses, size_t count);

#ifdef __cplusplus
}
#endif
#endif
