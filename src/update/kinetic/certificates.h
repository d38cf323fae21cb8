/* certificates.h - keeps a tree true while vertices follow known paths. */
#ifndef WI_UPDATE_KINETIC_CERTIFICATES_H
#define WI_UPDATE_KINETIC_CERTIFICATES_H

#include "update/kinetic/kinetic.h"
#include "update/method.h"

/* Makes the ends of all boxes true for the moment of the mesh: from what they were at an earlier
 * one, or from nothing. Boxes are computed when queries open them. There is a tree. */
willow_result wi_kinetic_advance(wi_update *u);

/* Whether that would be from nothing. */
bool wi_kinetic_begins_anew(const wi_tree *h, const wi_kinetic *k);

/* The whole update of a body that follows a plan: builds the tree if needed, or what has decayed of
 * it, and advances. What is kept for that is the state of `keeper`. The mesh is live then. */
willow_result wi_kinetic_follow(wi_update *u, wi_keeper *keeper);

/* One end or more of an item have to be looked at again, a bit each. */
void wi_kinetic_add_pending(wi_kinetic *k, uint32_t item, unsigned ends);

/* Looks at all items in a keyframe, and notes their boxes there. */
typedef void wi_kinetic_with_key(wi_tree *h, const float *key);

/* By how much boxes are wider than their ends say, at a time: see certify.h. */
double wi_kinetic_width(const wi_tree *h, double time);

/* When the next event of the tree is due; infinity if there is none. */
double wi_kinetic_next_event(const wi_tree *h);

/* The box of the whole body, now. */
wi_box wi_kinetic_bounds(const wi_tree *h);

/* How nodes of a tree are opened: their boxes are computed from their ends. */
wi_refresh *wi_kinetic_refresh_for(const wi_tree *h, willow_kernel kernel);

/* NULL, or the words for the end that is not beyond all vertices below it, at the moment of the
 * mesh. Looks at all vertices, once for every item above them. */
const char *wi_kinetic_check(const wi_tree *h);

#endif
