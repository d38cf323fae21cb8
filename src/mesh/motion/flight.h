/* flight.h - the way of a mesh along its plan, from one time to another: a step.
 *
 * Stops are the two ends of the step and the keyframes between them. At a stop a vertex is where
 * questions see it at that time (C1), in float32. From one stop to the next it goes on the straight
 * line between the two, or on a parabola that is as far from that line as the one of the plan. So
 * paths have no leaps, they go through what questions see, and they are within a rounding to
 * float32 of the plan. All this comes from single vertices: no tree has a say in it. */
#ifndef WI_MESH_MOTION_FLIGHT_H
#define WI_MESH_MOTION_FLIGHT_H

#include "mesh/mesh.h"

typedef struct wi_stop {
    wi_moment moment;
    double share; /* of the step: 0 at its start, 1 at its end; rounded, and in order */
} wi_stop;

typedef struct wi_flight {
    wi_stop *stops;
    uint32_t count, room;
} wi_flight;

/* The stops of the plan between two times, of which `from` is the earlier one. False if there is no
 * memory; the flight then means nothing, but can be made again, and freed. */
bool wi_flight_make(wi_memory *memory, const wi_plan *plan, double from, double to,
                    wi_flight *flight);
void wi_flight_free(wi_memory *memory, wi_flight *flight);

/* Takes `end`, a copy of the mesh, to the last stop. The state is in `room`, which
 * wi_mesh_reserve_end has made. */
void wi_flight_arrive(const wi_flight *flight, wi_end_state *room, wi_mesh *end);

/* True only if no vertex moves from the first stop to the last. */
bool wi_flight_stands(const wi_plan *plan, const wi_flight *flight);

/* How far a vertex of the mesh leaves the straight line between its ends at most. */
double wi_flight_bend(const wi_mesh *mesh, const wi_flight *flight);

/* Where questions see what is at a spot, at a stop. */
static inline void wi_flight_at(const wi_mesh *mesh, const wi_stop *stop, wi_spot spot,
                                float out[4])
{
    const wi_pose *pose = wi_mesh_pose(mesh);
    double p[3];
    if (pose == NULL) {
        wi_plan_point(wi_mesh_plan(mesh), &stop->moment, spot, out);
        return;
    }
    wi_plan_read(wi_mesh_plan(mesh), &stop->moment, spot, p);
    wi_pose_apply64(pose, p, out);
}

/* How far the path from a stop to the next is from the straight line, half-way; at a share v of the
 * time between the two it is 4 v (1 - v) times that. Returns false, and zeros, if it is straight.
 */
bool wi_flight_bulge(const wi_mesh *mesh, const wi_stop *stop, wi_spot spot, double out[3]);

#endif
