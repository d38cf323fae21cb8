/* relation.h - boxes of one frame seen from another.
 *
 * A posed body keeps its hierarchy in model space, so two bodies that meet have boxes in two
 * frames. A box of one is turned into the frame of the other and bounded there, widened so that
 * no pair of triangles is lost (C4): by the rounding of the turn itself, which is done in float,
 * and by that of the posed vertices, which lie a little beside where the pose puts their boxes. */
#ifndef WI_GEOM_RELATION_H
#define WI_GEOM_RELATION_H

#include "base/check.h"
#include "geom/box.h"
#include "geom/pose.h"

/* One frame, and how far from its origin the body in it goes. */
typedef struct wi_frame {
    const wi_pose *pose; /* NULL: the world's frame, in which nothing is rounded */
    double size;         /* no coordinate in the frame is larger */
    bool is_rounded;     /* boxes are of coordinates that were rounded once more than vertices */
} wi_frame;

/* Takes boxes from one frame to another. */
typedef struct wi_turn {
    float rotation[3][3];
    float translation[3];
    float slack;
} wi_turn;

typedef struct wi_relation {
    wi_turn a_to_b, b_to_a;
} wi_relation;

wi_relation wi_relation_between(const wi_frame *a, const wi_frame *b);

/* The largest coordinate of a box, as a size of a frame; 0 if it is empty. */
double wi_box_size(const wi_box *box);

/* No sum on the way to a posed vertex is larger, where `size` is that of the frame. */
double wi_pose_reach(const wi_pose *pose, double size);

/* A box of the world that contains all vertices of `box` under the pose. */
wi_box wi_pose_box(const wi_pose *pose, const wi_box *box);

/* A box in the other frame that contains the turned one, with its slack. */
static inline wi_box wi_turn_box(const wi_turn *turn, const wi_box *box)
{
    WI_ASSERT(turn->slack >= 0.0F);
    float centre[3], extent[3];
    wi_box out;
    for (int i = 0; i < 3; i++) {
        centre[i] = box->lower[i] * 0.5F + box->upper[i] * 0.5F;
        extent[i] = box->upper[i] * 0.5F - box->lower[i] * 0.5F;
    }
    for (int i = 0; i < 3; i++) {
        float middle = turn->translation[i], reach = turn->slack;
        for (int k = 0; k < 3; k++) {
            middle += turn->rotation[i][k] * centre[k];
            reach += fabsf(turn->rotation[i][k]) * extent[k];
        }
        out.lower[i] = middle - reach;
        out.upper[i] = middle + reach;
    }
    return out;
}

#endif
