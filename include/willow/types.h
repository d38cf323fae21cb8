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

/* A body of one world. Zero is null. Ids of destroyed bodies and of other worlds are recognised
 * and refused. Bodies are ordered by index1, which is reused after a destroy. */
typedef struct willow_body_id {
    uint32_t index1;
    uint16_t world;
    uint16_t generation;
} willow_body_id;

/* A triangle is the number of its slot in the body: the place it had in the indices given. */
typedef uint32_t willow_tri;

typedef struct willow_tri_ref {
    willow_body_id body;
    willow_tri tri;
} willow_tri_ref;

typedef enum willow_index_type { WILLOW_INDEX_U32, WILLOW_INDEX_U16 } willow_index_type;

#ifdef __cplusplus
}
#endif
#endif
