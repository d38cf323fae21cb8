/* step_end.h - a body at the end of its trial step, or of a step along its flight plan: the same
 * tree with other boxes.
 *
 * It borrows all that does not move from the hierarchy of the body: nodes, leaves, triangles
 * and what is listed of them have the same numbers in both. It has boxes and positions of its own
 * where vertices move, and a pose of its own. What may grow or be built anew belongs to the body,
 * so it is made again in every update in which its body or its trial changed. */
#ifndef WI_UPDATE_STEP_END_H
#define WI_UPDATE_STEP_END_H

#include "geom/spin.h"
#include "mesh/motion/flight.h"
#include "mesh/motion/trial.h"
#include "update/refit/refit.h"

typedef struct wi_step_end {
    wi_mesh mesh;
    wi_pose pose; /* of the mesh, if it is another than that of the body */
    wi_tree h;
    wi_point *positions;  /* by place, or by vertex if the body borrows; NULL until vertices move */
    wi_node *nodes;       /* NULL until vertices of a tree move */
    const wi_tree *start; /* the tree of the body; for trees that grow */
    wi_end_state motion;  /* what positions are computed from then; none until that moves */
    void *kept;           /* the state of who opens nodes at the end; NULL until somebody does */
    size_t kept_size;
    uint32_t node_room, vertex_room;
    bool is_set; /* else the body stands still, and the rest means nothing */

    bool is_flight;   /* it goes along its plan: `flight`, not `spin` */
    wi_spin spin;     /* how the pose changes */
    wi_flight flight; /* where paths have corners */
    double bend;      /* no vertex leaves the straight line between its two ends by more than this;
                         0 where all paths are straight */
} wi_step_end;

/* What `h`, which is true, comes to at the end of the trial. `pose` is that of the body. False if
 * there is no memory; there is then none. */
bool wi_step_end_make(wi_memory *memory, const wi_refit_kernels *kernels, willow_kernel kernel,
                      const wi_tree *h, const willow_pose *pose, const wi_trial *trial,
                      uint64_t placement, wi_step_end *end);

/* What it comes to at time `to` if its mesh, which is planned, goes along its plan from its moment
 * on. Where nothing moves there is none. False if there is no memory. */
bool wi_step_end_follow(wi_memory *memory, const wi_refit_kernels *kernels, willow_kernel kernel,
                        const wi_tree *h, double to, uint64_t placement, wi_step_end *end);

/* The body is about to be another: what they share is given up. */
void wi_step_end_drop(wi_memory *memory, wi_step_end *end);

/* Gives it back; there may be none. */
void wi_step_end_free(wi_memory *memory, wi_step_end *end);

#endif
