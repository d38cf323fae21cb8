/* zoo_pose.h - poses of every kind that turns, touches, rounds or overflows.
 *
 * A pose is a pure function of (kind, place, seed): bodies with the same place stand near each
 * other, however far from the origin that is, and the seed tells them apart. */
#ifndef TEST_ZOO_POSE_H
#define TEST_ZOO_POSE_H

#include <stdbool.h>
#include <stdint.h>
#include "willow/types.h"

/* X(enum, function, name) */
#define ZOO_POSES(X)                                                                               \
    X(IDENTITY, identity, "no pose, said in several ways")                                         \
    X(SHIFTED, shifted, "translated by eighths")                                                   \
    X(QUARTER, quarter, "quarter turns and eighths: touchings stay exact")                         \
    X(HALF, half, "half turns about any axis")                                                     \
    X(TURNED, turned, "turned and translated anyhow")                                              \
    X(HARDLY, hardly, "turned by almost nothing")                                                  \
    X(LONG, long, "rotations that are not of length one")                                          \
    X(NEAR, near, "translated by 1e-6 or less, denormals included")                                \
    X(FAR, far, "1e6 from the origin: many vertices round to one")                                 \
    X(REMOTE, remote, "1e9 to 1e30 from the origin: all vertices round to one")                    \
    X(SATURATED, saturated, "beyond the largest float, in part or as a whole")                     \
    X(MIXED, mixed, "each body one of these")

typedef enum zoo_pose_kind {
#define ZOO_POSE_ENTRY(name, function, words) ZOO_POSE_##name,
    ZOO_POSES(ZOO_POSE_ENTRY)
#undef ZOO_POSE_ENTRY
        ZOO_POSE_COUNT
} zoo_pose_kind;

const char *zoo_pose_kind_name(zoo_pose_kind kind);

willow_pose zoo_pose_make(zoo_pose_kind kind, uint64_t place, uint64_t seed);

/* False if no vertex moves under the pose. */
bool zoo_pose_moves(const willow_pose *pose);

#endif
