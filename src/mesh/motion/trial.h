/* trial.h - a trial step: where the vertices and the pose of a mesh may go next.
 *
 * What the user asked for, by vertex; an update makes of it what queries see (update/step_end.h).
 * The step begins where the mesh is and ends here. */
#ifndef WI_MESH_MOTION_TRIAL_H
#define WI_MESH_MOTION_TRIAL_H

#include "mesh/mesh.h"
#include "mesh/motion/birth.h"

/* What makes vertices move in the frame of the body. */
typedef enum wi_bend {
    WI_BEND_NONE,
    WI_BEND_VERTICES, /* to goals */
    WI_BEND_WEIGHTS,  /* of a morph */
    WI_BEND_CONTEXT,  /* of a user's deformation */
    WI_BEND_JOINTS,   /* of a skin */
    WI_BEND_WEIGHTS_AND_JOINTS
} wi_bend;

typedef struct wi_trial {
    wi_point *goals; /* by vertex; NULL: none were ever set. Merged ones are not used */
    willow_pose pose;
    uint32_t goal_room;
    float *weights; /* of a morph, by target; NULL: none were ever set */
    uint32_t weight_room;
    willow_affine *joints; /* of a skin; NULL: none were ever set */
    uint32_t joint_room;
    void *context; /* of a deformation, at the end */
    wi_bend bend;
    bool moves_pose;
} wi_trial;

/* Vertices move in the frame of the body. */
static inline bool wi_trial_bends(const wi_trial *trial) { return trial->bend != WI_BEND_NONE; }

/* What positions are computed from is another at the end. */
static inline bool wi_trial_is_computed(const wi_trial *trial)
{
    return trial->bend > WI_BEND_VERTICES;
}

static inline bool wi_trial_moves_weights(const wi_trial *trial)
{
    return trial->bend == WI_BEND_WEIGHTS || trial->bend == WI_BEND_WEIGHTS_AND_JOINTS;
}

static inline bool wi_trial_moves_joints(const wi_trial *trial)
{
    return trial->bend == WI_BEND_JOINTS || trial->bend == WI_BEND_WEIGHTS_AND_JOINTS;
}

static inline bool wi_trial_is_set(const wi_trial *trial)
{
    return wi_trial_bends(trial) || trial->moves_pose;
}

/* Room for the goals of so many vertices. False if there is no memory; the trial is as it was. */
bool wi_trial_reserve_goals(wi_memory *memory, uint32_t count, wi_trial *trial);

/* A vertex is new: its goal follows from those of its parents, or it stays. There is room. */
void wi_trial_add(const wi_birth *birth, wi_trial *trial);

/* Sends vertices [first, first + count) somewhere; those that were not sent before stay where they
 * are. BAD_MESH if a position is not finite, or OUT_OF_MEMORY; nothing has changed then. */
willow_result wi_trial_move(wi_memory *memory, const wi_mesh *mesh, uint32_t first, uint32_t count,
                            wi_source source, wi_message *message, wi_trial *trial);

/* Sends all vertices of a mesh that is morphed to where these weights have them. BAD_ARGUMENT or
 * OUT_OF_MEMORY; nothing has changed then. */
willow_result wi_trial_weigh(wi_memory *memory, const wi_mesh *mesh, const float *weights,
                             uint32_t count, wi_message *message, wi_trial *trial);

/* The same for where the joints of a mesh that is skinned have them. Weights and joints of one step
 * go together. */
willow_result wi_trial_place_joints(wi_memory *memory, const wi_mesh *mesh,
                                    const willow_affine *joints, uint32_t count,
                                    wi_message *message, wi_trial *trial);

/* Sends all vertices of a mesh that is deformed to where its functions have them with this context.
 */
void wi_trial_deform(wi_trial *trial, void *context);

/* Gives `end`, a copy of the mesh, what positions are computed from at the end of a trial that
 * moves weights, joints or a context. The state is in `room`, which wi_mesh_reserve_end has made.
 */
void wi_trial_end_state(const wi_trial *trial, wi_end_state *room, wi_mesh *end);

uint64_t wi_trial_hash(uint64_t hash, const wi_mesh *mesh, const wi_trial *trial);

/* The mesh is where it is again. */
void wi_trial_end(wi_trial *trial);

void wi_trial_free(wi_memory *memory, wi_trial *trial);

#endif
