/* plan_model.h - where the vertices of a body with flight plans are, by the words of
 * willow/world.h.
 *
 * What plans mean, once more and without any of the library but poses: every vertex by itself, in
 * the order of its number. */
#ifndef TEST_PLAN_MODEL_H
#define TEST_PLAN_MODEL_H

#include "support/zoo_mesh.h"
#include "willow/types.h"

enum { PLAN_MODEL_KEYS = 12 };

/* Of one vertex: at `since` + s it is at (start + s * velocity) + s^2 / 2 * acceleration. */
typedef struct plan_path {
    bool is_on_keys; /* it follows the keyframes instead */
    double start[3], since;
    float velocity[3], acceleration[3];
} plan_path;

typedef struct plan_model {
    uint32_t vertex_count;
    uint32_t *stand_in; /* by vertex: the one that gives it its place */
    bool has_plan;
    float (*set)[3]; /* without a plan: the positions last set */
    plan_path *paths;
    float (*keys)[3]; /* keyframe after keyframe */
    double times[PLAN_MODEL_KEYS];
    uint32_t key_count;
    willow_pose pose;
} plan_model;

/* At the positions of the mesh, which may go. */
void plan_model_make(plan_model *model, const zoo_mesh *mesh);
void plan_model_free(plan_model *model);

/* As the setters of bodies, at the time of the last update; NULL for what is not given. */
void plan_model_set_vertices(plan_model *model, double now, uint32_t first, uint32_t count,
                             const float *positions);
void plan_model_set_path(plan_model *model, double now, uint32_t vertex, const float velocity[3],
                         const float acceleration[3]);
void plan_model_set_keys(plan_model *model, const float *keys, const double *times,
                         uint32_t key_count);

/* Where a vertex is at a time: its path, and what queries see. */
void plan_model_read(const plan_model *model, double time, uint32_t vertex, double out[3]);
void plan_model_see(const plan_model *model, double time, uint32_t vertex, float out[3]);

#endif
