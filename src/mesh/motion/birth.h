/* birth.h - a vertex that an edit adds: where its values come from.
 *
 * All that a mesh knows of a vertex (positions, keyframes, shapes, goals) follows from what it
 * knows of the parents, by one formula: the sum of weights times values, in double, in the order of
 * the parents, rounded once (C1). Without parents a vertex has a position of its own, where it
 * stays. */
#ifndef WI_MESH_MOTION_BIRTH_H
#define WI_MESH_MOTION_BIRTH_H

#include "base/check.h"
#include "mesh/motion/plan.h"
#include "willow/edit.h"

enum { WI_MAX_PARENTS = WILLOW_MAX_PARENTS };

typedef struct wi_birth {
    uint32_t vertex;
    uint32_t parent_count;
    uint32_t parents[WI_MAX_PARENTS]; /* that stand for themselves */
    double weights[WI_MAX_PARENTS];
    float position[3]; /* without parents */
} wi_birth;

/* The sum over the values of parents; one that has none, NULL, counts as 0. */
static inline void wi_birth_sum(const wi_birth *birth, const float *const of[WI_MAX_PARENTS],
                                float out[3])
{
    WI_ASSERT(birth->parent_count <= WI_MAX_PARENTS);
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < birth->parent_count; i++)
            if (of[i]) sum += birth->weights[i] * (double)of[i][axis];
        out[axis] = wi_plan_round(sum);
    }
}

/* The same, or its own position. */
static inline void wi_birth_value(const wi_birth *birth, const float *const of[WI_MAX_PARENTS],
                                  float out[3])
{
    if (birth->parent_count > 0)
        wi_birth_sum(birth, of, out);
    else
        for (int axis = 0; axis < 3; axis++) out[axis] = birth->position[axis];
}

#endif
