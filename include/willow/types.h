/* types.h - values that pass between a program and Willow. Positions are float32. */
#ifndef WILLOW_TYPES_H
#define WILLOW_TYPES_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct willow_vec3 {
    float x, y, z;
} willow_vec3;

/* A closed axis-aligned box. It is empty where a lower bound exceeds the upper one. */
typedef struct willow_box {
    willow_vec3 lower, upper;
} willow_box;

/* A rotation. Its length may be anything but zero, which is refused. */
typedef struct willow_quat {
    float x, y, z, w;
} willow_quat;

/* Where a body stands: its vertices are rotated, then translated. The position of a posed vertex is
 * defined (C1): the matrix of the rotation and the sums rotation * vertex + translation in double,
 * in a fixed order, rounded once to float32; coordinates beyond the range of float32 stay at its
 * border. */
typedef struct willow_pose {
    willow_vec3 translation;
    willow_quat rotation;
} willow_pose;

/* The pose that leaves every vertex where it is. */
WILLOW_API willow_pose willow_pose_identity(void);

/* Writes the positions of `count` vertices under the pose: the same bits that queries use. Input is
 * x, y, z as float32, `stride` bytes from one vertex to the next; 0 means 12. `out` may be the
 * input. The pose must be finite, with a rotation that is not zero. Pure, any thread. */
WILLOW_API void willow_pose_apply(const willow_pose *pose, const void *positions, size_t stride,
                                  size_t count, willow_vec3 *out);

/* A body of one world. Zero is null. Ids of destroyed bodies and of other worlds are recognised
 * and refused (up to 65,535 worlds; then numbers of worlds repeat). Bodies are ordered by index1,
 * which is also their number in messages and in the tool. A destroyed body's index1 is reused, up
 * to 32,768 times. */
typedef struct willow_body_id {
    uint32_t index1;
    uint16_t world;
    uint16_t generation;
} willow_body_id;

/* True if both are the same body, or both null. Pure, any thread. */
WILLOW_API bool willow_body_id_equal(willow_body_id a, willow_body_id b);

/* A triangle, as the number of its slot in the body: its place in the indices given. */
typedef uint32_t willow_tri;

typedef struct willow_tri_ref {
    willow_body_id body;
    willow_tri tri;
} willow_tri_ref;

/* A segment of a line: all points origin + t * direction with t_min <= t <= t_max, ends included. t
 * is in units of the length of the direction, which need not be one. The segment is exact (C1): its
 * points are real numbers, not rounded. t_max may be INFINITY; everything else is finite, and the
 * direction is not zero. */
typedef struct willow_ray {
    willow_vec3 origin;
    float t_min;
    willow_vec3 direction;
    float t_max;
} willow_ray;

/* Where a ray meets a triangle. */
typedef struct willow_hit {
    willow_tri_ref at;  /* the body is null where nothing is hit, and from willow_ray_tri */
    uint64_t user_data; /* of the body */
    double t;           /* of the first point that ray and triangle have in common */
    float u, v; /* barycentric weights of the second and the third corner: neither is negative,
                   and their sum is at most 1, within roundings of float32 */
    willow_vec3 normal; /* of the triangle, of length 1: corners go counter-clockwise around it;
                           zeros if the corners are on one line, or so close to one that there
                           is no direction */
} willow_hit;

typedef enum willow_index_type { WILLOW_INDEX_U32, WILLOW_INDEX_U16 } willow_index_type;

#ifdef __cplusplus
}
#endif
#endif
