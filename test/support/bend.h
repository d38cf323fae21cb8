/* bend.h - a deformation of the user's own for tests: a shear and a bend, with boxes that contain
 * their vertices to the last bit; and all that may be wrong with it. */
#ifndef TEST_BEND_H
#define TEST_BEND_H

#include <stdatomic.h>
#include "willow/willow.h"

typedef struct bend {
    float shear, curve;
    float shrink;                 /* boxes are too small by this */
    uint32_t bad_vertex;          /* its position is not finite */
    bool is_restless;             /* positions are never the same */
    bool has_no_boxes;            /* they are NaN */
    atomic_uint positions, boxes; /* calls */
} bend;

/* One that moves nothing, with nothing wrong. */
bend bend_straight(void);

/* Where a vertex is that was here. */
willow_vec3 bend_apply(const bend *b, willow_vec3 rest);

/* Its functions, with the bend as their context. */
willow_deformation bend_deformation(bend *b);

#endif
